"""Comprehensions that are arrays: rows like the first one; part of `inline`.

The first item is computed once more before the loop, for its type alone. Where computing it changes something, an
attribute, a list or an array, or prints, it would be done once too often: the comprehension is a list that grows then.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from srcad.analysis.spelling import makes_text
from srcad.lang import walk
from srcad.lang.draws import draws
from srcad.lang.forms import LocalFunction, rows_like
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, Function, Let, Method, Store, Tuple, Var, assert_, raise_,
)  # fmt: skip
from srcad.lang.left import Left
from srcad.lang.recursive import Callee
from srcad.transforms.callees import Keywords
from srcad.transforms.frames import Frame
from srcad.transforms.inplace import is_inplace
from srcad.transforms.known import Known

_MAKERS = (np.zeros, np.empty, np.ones, np.full, np.zeros_like, np.empty_like, np.ones_like, np.full_like, np.copy,
           np.array, np.arange, np.eye, np.identity, np.linspace)  # fmt: skip


class Changing(Exception):
    """Computing an item changes something, or gives a text."""


@dataclass
class Start:
    """What there was before the first item was computed."""

    length: int
    names: set[str]
    static: dict[str, Expr]
    types: dict[str, Any]  # among them the lengths of lists

    def is_changed(self, c: Known) -> bool:
        """Whether the first item left anything behind but its own names."""
        facts = (self.static, c.static), (self.types, c.types)
        if any(after.get(name) != value for before, after in facts for name, value in before.items()):
            return True
        block = tuple(c.out[self.length :])
        return bool(walk.assigned(block) & self.names) or _changes(block)


class Sampled(Known):
    """Enters a comprehension as an array, or as a list where its first item may be computed once only."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.samples: list[Start] = []

    def enter(self, template: LocalFunction, parent: Frame | None, key: Any, args: Any, kwargs: Any) -> Expr:
        if template.sampled is not None:
            state = self.state()
            self.samples.append(Start(len(self.out), set(self.used), dict(self.static), dict(self.types)))
            try:
                return super().enter(template.sampled, parent, key, args, kwargs)
            except Changing:
                self.back(state)
            finally:
                self.samples.pop()
        return super().enter(template, parent, key, args, kwargs)

    def applied(self, fn: Any, positional: tuple[Expr, ...], named: Keywords) -> Expr:
        if fn is rows_like and (self.samples[-1].is_changed(self) or makes_text(positional[-1], self.texts)):
            raise Changing
        return super().applied(fn, positional, named)


def _changes(block: Block) -> bool:
    made: dict[str, list[Expr]] = {}
    for name, value in (pair for stmt in walk.statements(block) for pair in walk.bindings(stmt)):
        made.setdefault(name, []).append(value)
    for stmt in walk.statements(block):
        match stmt:
            case Store(base) | Accum(base) if not _is_new(base, made):
                return True
            case Effect(Call(fn)) if fn not in (raise_, assert_):
                return True
            case Let(_, Call(Callee() | Left() as fn)) if isinstance(fn, Callee) or draws(fn.fn):
                return True
        calls = (e for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr) if isinstance(e, Call))
        if any(is_inplace(call.fn) and not _is_new(call.args[0], made) for call in calls):
            return True
    return False


def _is_new(base: Expr, made: dict[str, list[Expr]]) -> bool:
    """Whether an array that is written to was made for the item."""
    match base:
        case Var(name):
            values = made.pop(name, None)  # a name that stands for itself in a loop says nothing
            new = values is None or all(_is_new(value, made) for value in values)
            if values is not None:
                made[name] = values
            return new and values is not None
        case Attr(value) | Call(operator.getitem, (value, *_)):
            return _is_new(value, made)
        case Call(fn):
            return fn in _MAKERS or _is_arithmetic(fn)
    return isinstance(base, (Const, Tuple))


def _is_arithmetic(fn: Any) -> bool:
    return isinstance(fn, Method) and fn.name == "copy" or getattr(fn, "__module__", "") == "_operator"
