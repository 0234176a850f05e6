"""``try: v = d[k]`` with a handler for `KeyError`: a test of whether the key is there; part of `desugar`.

Where all that may raise a `KeyError` stands in the first statement of the body, each element that it takes by a key is
asked for beforehand. What is no dict has no keys that could be missing, nor has one that makes its missing elements::

    try:                            if not isinstance(d, dict) or isinstance(d, defaultdict) or k in d:
        v = d[k]          ->            v = d[k]
    except KeyError:                else:
        v = 0.0                         v = 0.0
"""

from __future__ import annotations

import collections
import math
import operator
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.lang.ir import Block, Call, Const, Expr, If, Tuple, Var, and_, or_

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Return, gast.Expr)
_LEAVING = (gast.Continue, gast.Break, gast.Pass)
_IN_KEYS = (gast.Name, gast.Constant, gast.Tuple, gast.BinOp, gast.UnaryOp, gast.JoinedStr, gast.FormattedValue,
            gast.Subscript, gast.operator, gast.unaryop, gast.expr_context)  # fmt: skip
_MISSING = (collections.defaultdict, collections.Counter)  # make what is asked for
_MODULES = (np, math)


@dataclass(frozen=True)
class Asked:
    """The branch that a ``try`` is where keys are asked for, and whether there is a dict among what has them."""

    block: Block
    of_dicts: Expr


def asked_first(d: Desugarer, node: gast.Try) -> Asked | None:
    """The branch that such a ``try`` is; None: it is another one."""
    if len(node.handlers) != 1 or not _is_of_keys(d, node.handlers[0]):
        return None
    first, *others = node.body
    if not isinstance(first, _SIMPLE) or not all(isinstance(stmt, (*_SIMPLE, *_LEAVING)) for stmt in others):
        return None
    taken = [*_taken(first)]
    if any(_taken(stmt) for stmt in others) or not all(_is_plain(d, stmt) for stmt in node.body):
        return None
    tests = [test for each in taken if (test := _test(d, each)) is not None]
    if not tests or any(not _may_be_asked(d, each) for each in taken):
        return None
    there, of_dicts = (tests[0][k] if len(tests) == 1 else Call(fn, tuple(test[k] for test in tests))
                       for k, fn in enumerate((and_, or_)))  # fmt: skip
    handled = d.block(node.handlers[0].body)
    return Asked((If(there, d.block([*node.body, *node.orelse]), handled, d.origin),), of_dicts)


def _is_of_keys(d: Desugarer, handler: gast.ExceptHandler) -> bool:
    kind = handler.type
    return handler.name is None and isinstance(kind, gast.Name) and d.resolve(kind.id, kind) == Const(KeyError)


def _taken(stmt: gast.AST) -> list[gast.Subscript]:
    """The elements that a statement reads: those by which others are found come before these."""
    read = {id(stmt.target)} if isinstance(stmt, gast.AugAssign) else set()
    found = [each for each in gast.walk(stmt) if isinstance(each, gast.Subscript)
             and (isinstance(each.ctx, gast.Load) or id(each) in read)]  # fmt: skip
    return found[::-1]


def _is_plain(d: Desugarer, stmt: gast.AST) -> bool:
    """Whether a statement calls nothing but what raises no `KeyError`, and computes nothing on some paths only."""
    for each in gast.walk(stmt):
        if isinstance(each, (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.DictComp, gast.SetComp,
                             gast.GeneratorExp, gast.NamedExpr, gast.Yield, gast.YieldFrom)):  # fmt: skip
            return False
        if isinstance(each, gast.Call) and not is_numeric(d, each.func):
            return False
    return True


def is_numeric(d: Desugarer, fn: gast.AST) -> bool:
    if isinstance(fn, gast.Attribute) and isinstance(fn.value, gast.Name):
        found = d.resolve(fn.value.id, fn.value)
        return isinstance(found, Const) and isinstance(found.value, ModuleType) and found.value in _MODULES
    meaning = d.resolve(fn.id, fn) if isinstance(fn, gast.Name) else None
    if not isinstance(meaning, Const):
        return False
    name = getattr(meaning.value, "__name__", "")
    return meaning in [Const(each) for each in (float, int, abs, len)] or any(
        getattr(module, name, None) is meaning.value for module in _MODULES)  # fmt: skip


def _may_be_asked(d: Desugarer, taken: gast.Subscript) -> bool:
    """Whether an element is taken from a name, or from an element, by what can be computed twice."""
    if isinstance(taken.value, gast.Subscript):
        return _may_be_asked(d, taken.value) and all(isinstance(each, _IN_KEYS) for each in gast.walk(taken.slice))
    if not isinstance(taken.value, gast.Name):
        return False
    found = d.resolve(taken.value.id, taken.value)
    known = isinstance(found, Const) and not isinstance(found.value, dict)
    return known or isinstance(found, Var) and all(isinstance(each, _IN_KEYS) for each in gast.walk(taken.slice))


def _test(d: Desugarer, taken: gast.Subscript) -> tuple[Expr, Expr] | None:
    """Whether an element is there, and whether it is that of a dict; None: of what surely is none."""
    base: Any = taken.value
    while isinstance(base, gast.Subscript):
        base = base.value
    if not isinstance(base, gast.Name) or not isinstance(d.resolve(base.id, base), Var) or _is_part(taken.slice):
        return None
    owner, key = d.expr(taken.value), d.expr(taken.slice)
    of_dict = Call(isinstance, (owner, Const(dict)))
    makes = Call(isinstance, (owner, Tuple(tuple(map(Const, _MISSING)))))
    there = Call(or_, (Call(operator.not_, (of_dict,)), makes, Call(operator.contains, (owner, key))))
    return there, of_dict


def _is_part(index: gast.AST) -> bool:
    return any(isinstance(each, gast.Slice) for each in gast.walk(index))

