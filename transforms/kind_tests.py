"""``try: v[i] = 0.0`` with a handler for `TypeError`: a test of what ``v`` is; part of `desugar`.

What Python cannot do with a number, or with what has no such attribute, is known where types are. Of arrays it can do
all this, so that there no handler is reached, and no attempt is needed::

    try:                            if not hasattr(v, "__setitem__"):
        v[v < 0.0] = 0.0                if v < 0.0:
    except TypeError:        ->             v = 0.0
        if v < 0.0:                 elif isinstance(v, np.ndarray):
            v = 0.0                     v[v < 0.0] = 0.0
                                    else:
                                        try: ...
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.lang.forms import can_be_tried
from srcad.lang.ir import Block, Call, Const, Expr, If, Let, Var, and_, or_
from srcad.transforms.assign import COMPUTING
from srcad.transforms.key_tests import is_numeric
from srcad.transforms.trees import called_by

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_SIMPLE = (gast.Assign, gast.AugAssign, gast.Return, gast.Expr, gast.Pass, gast.Continue, gast.Break)
_ON_SOME_PATHS = (gast.IfExp, gast.BoolOp, gast.Lambda, gast.ListComp, gast.DictComp, gast.SetComp,
                  gast.GeneratorExp, gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.FunctionDef)  # fmt: skip
_OF_KINDS = (TypeError, AttributeError)  # what is raised for what something is, whatever its value
_MAKERS = (np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.zeros, np.ones, np.empty, np.full, np.where,
           np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.select, np.squeeze, np.reshape,
           np.copy)  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """What a statement raises if a name has not what it asks of it, and whether the name has that."""

    error: type[Exception]
    name: str
    well: Expr


@dataclass(frozen=True)
class ByKind:
    """A ``try`` of which what its names are may tell that its first statement raises."""

    steps: list[tuple[Expr, gast.AST | None]]  # what tells that it raises, and the test on which it gets there
    handler: gast.ExceptHandler
    arrays: list[str]  # whose being arrays tells that nothing is raised; none: it does not

    def around(self, d: Desugarer, node: gast.Try, tried: Block | None) -> Block:
        """The branches; `tried`: the ``try`` with an attempt, where it has one."""
        rest: Block = d.block([*node.body, *node.orelse]) if self.arrays else ()
        known = _joined(and_, [Call(isinstance, (Var(name), Const(np.ndarray))) for name in self.arrays or [""]])
        if tried is None:
            known = known if self.arrays else Const(False)
            rest = (Let(d.fresh("known"), Call(can_be_tried, (known,)), d.origin), *rest)
        else:
            rest = (If(known, rest, tried, d.origin),) if self.arrays else tried
        for raises, test in reversed(self.steps):
            handled = d.block(self.handler.body)
            if test is not None:
                handled = (If(d.expr(test), handled, (), d.origin),)
            rest = (If(raises, handled, rest, d.origin),)
        return rest


def asked_of_kinds(d: Desugarer, node: gast.Try) -> ByKind | None:
    """What a ``try`` is if something is not what it takes it for; None: its first statement does not tell."""
    steps = [(faults, test) for faults, test in _steps(d, node.body[0]) if faults]
    errors = [_errors(d, handler) for handler in node.handlers]
    if not steps or any(handler.name for handler in node.handlers) or any(each is None for each in errors):
        return None
    every = [fault for faults, _ in steps for fault in faults]
    caught = {fault: k for fault in every for k in _catching(errors, fault.error)[:1]}
    if len(set(caught.values())) != 1:
        return None
    safe = {error for each in errors for error in each or ()} <= {*_OF_KINDS} and all(
        _is_plain(d, stmt) for stmt in node.body)  # fmt: skip
    arrays = sorted({fault.name for fault in every}) if safe else []
    raised = [(_raises(faults, caught), test) for faults, test in steps if not caught.keys().isdisjoint(faults)]
    return ByKind(raised, node.handlers[next(iter(caught.values()))], arrays)


def _raises(faults: list[Fault], caught: Collection[Fault]) -> Expr:
    """Whether something is wrong for which there is a handler, and nothing for which there is none."""
    others = [fault.well for fault in faults if fault not in caught]
    return _joined(and_, [*others, _not(_joined(and_, [fault.well for fault in faults if fault in caught]))])


def _steps(d: Desugarer, stmt: gast.AST) -> list[tuple[list[Fault], gast.AST | None]]:
    """What is asked of names by a statement, one after the other, and the test on which it is."""
    match stmt:
        case gast.If(test=test, body=[gast.Assign() | gast.AugAssign() as inner], orelse=[]):
            return [(_faults(d, test), None), (_faults(d, inner), test)] if _is_plain(d, stmt) else []
        case gast.For(iter=gast.Name(id=name)):
            return [([Fault(TypeError, name, _has(name, "__iter__"))], None)] if _is_local(d, name) else []
    return [(_faults(d, stmt), None)] if isinstance(stmt, _SIMPLE) and _is_plain(d, stmt) else []


def _faults(d: Desugarer, around: gast.AST) -> list[Fault]:
    """What a statement or an expression asks of the names in it."""
    found = [fault for each in gast.walk(around) for fault in _asked(each) if _is_local(d, fault.name)]
    return [] if any(isinstance(each, gast.Subscript) and _may_be_without_axes(d, each) for each in gast.walk(around)) \
        else found


def _asked(node: gast.AST) -> Iterator[Fault]:
    match node:
        case gast.Subscript(value=gast.Name(id=name), ctx=gast.Store()):
            yield Fault(TypeError, name, _has(name, "__setitem__"))
        case gast.Subscript(value=gast.Name(id=name), slice=at, ctx=gast.Load()):
            yield Fault(TypeError, name, _has(name, "__getitem__"))
            if _is_of_places(at):
                yield Fault(IndexError, name, _not(Call(isinstance, (Var(name), Const(np.generic)))))
        case gast.AugAssign(target=gast.Subscript(value=gast.Name(id=name))):
            yield Fault(TypeError, name, _has(name, "__getitem__"))
        case gast.Attribute(value=gast.Name(id=name), attr=attr, ctx=gast.Store()):
            yield Fault(AttributeError, name, Call(or_, (_has(name, "__dict__"), _has(name, attr))))
        case gast.Attribute(value=gast.Name(id=name), attr=attr, ctx=gast.Load()):
            yield Fault(AttributeError, name, _has(name, attr))
        case gast.Call(func=gast.Name(id="len"), args=[gast.Name(id=name)]):
            yield Fault(TypeError, name, _has(name, "__len__"))
        case gast.Call(func=gast.Name(id="iter" | "list" | "tuple" | "enumerate"), args=[gast.Name(id=name)]):
            yield Fault(TypeError, name, _has(name, "__iter__"))
        case gast.Assign(targets=[gast.Tuple() | gast.List()], value=gast.Name(id=name)):
            yield Fault(TypeError, name, _has(name, "__iter__"))


def _may_be_without_axes(d: Desugarer, part: gast.Subscript) -> bool:
    """Whether something may be an array without axes, which takes what numbers do not take, and is one for typing."""
    name = getattr(part.value, "id", None)
    made = [each.value for each in gast.walk(d.source.tree) if isinstance(each, gast.Assign)
            and any(getattr(target, "id", None) == name for target in each.targets)]  # fmt: skip
    return any(isinstance(value, gast.Call) and called_by(d, value) in _MAKERS for value in made)


def _is_of_places(at: gast.AST) -> bool:
    """Whether an index is one that NumPy's numbers do not take: they do take truths."""
    value = at.operand if isinstance(at, gast.UnaryOp) else at
    return isinstance(at, gast.Slice) or isinstance(value, gast.Constant) and type(value.value) is int


def _has(name: str, attribute: str) -> Expr:
    return Call(hasattr, (Var(name), Const(attribute)))


def _not(expr: Expr) -> Expr:
    return Call(operator.not_, (expr,))


def _joined(fn: Any, tests: list[Expr]) -> Expr:
    return tests[0] if len(tests) == 1 else Call(fn, tuple(tests))


def _is_local(d: Desugarer, name: str) -> bool:
    return isinstance(d.resolve(name, d.source.tree), Var)


def _errors(d: Desugarer, handler: gast.ExceptHandler) -> tuple[type, ...] | None:
    """The exceptions that a handler is for; None: that is not known."""
    kinds = handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type]
    found = [d.resolve(kind.id, kind) if isinstance(kind, gast.Name) else None for kind in kinds]
    errors = [each.value for each in found if isinstance(each, Const) and isinstance(each.value, type)]
    return tuple(errors) if len(errors) == len(kinds) else None


def _catching(errors: list[tuple[type, ...] | None], error: type) -> list[int]:
    return [k for k, each in enumerate(errors) if each is not None and issubclass(error, each)]


def _is_plain(d: Desugarer, stmt: gast.AST) -> bool:
    """Whether a statement calls nothing but what computes something, and all of it if it computes anything."""
    match stmt:
        case gast.If(test=test, body=body, orelse=orelse):
            return all(_is_plain(d, each) for each in (test, *body, *orelse))
        case gast.stmt():
            if not isinstance(stmt, _SIMPLE):
                return False
    inner = [*gast.walk(stmt)]
    called = [each.func for each in inner if isinstance(each, gast.Call)]
    return not any(isinstance(each, _ON_SOME_PATHS) for each in inner) and all(_computes(d, fn) for fn in called)


def _computes(d: Desugarer, fn: gast.AST) -> bool:
    if isinstance(fn, gast.Name) and fn.id in ("iter", "list", "tuple", "enumerate"):
        return d.resolve(fn.id, fn) in [Const(each) for each in (iter, list, tuple, enumerate)]
    return is_numeric(d, fn) or isinstance(fn, gast.Attribute) and isinstance(fn.value, gast.Name) and (
        fn.attr in COMPUTING or not hasattr(np.ndarray, fn.attr))  # fmt: skip
