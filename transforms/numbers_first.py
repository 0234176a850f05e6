"""numbers first: whether an array may stand for the number that a loop begins with; part of `infer`.

``s = 0; for row in A: s = s + row`` may begin with an array of zeros, since all that happens to `s` is broadcast. But
the sum, the rank and the length of `s` are others in the first iteration, and so is what a second name of it holds.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, If, Let, Move, Store, Tuple, Var, While, select
from srcad.lang.promote import UFUNCS
from srcad.typing.typer import IN_PLACE

_ZERO_OF_ZERO = {np.sum, np.dot, np.matmul, operator.matmul, np.linalg.norm, np.mean, np.max, np.min}
_PRODUCTS = {operator.mul, operator.imul, np.multiply}


def broadcasts(block: Block, numbers: dict[str, bool], is_array: Callable[[Expr], bool]) -> bool:
    """Whether the names `numbers` occur only where an array of equal elements does what a number does.

    `numbers` says of each name whether it is zero; `is_array` tells an array that is one in each iteration.
    """
    return _Uses(is_array, set(numbers), {name for name, zero in numbers.items() if zero}).harmless(block)


def hands_on(block: Block, names: set[str], is_array: Callable[[Expr], bool]) -> bool:
    """Whether what a block hands on or returns in its end is a number or an array as these names are."""
    uses = _Uses(is_array, set(names), set())
    uses.spread([(t, v) for s in walk.statements(block) for t, v in walk.bindings(s)])
    return any(uses.grows(part) for expr in (walk.stmt_exprs(block[-1]) if block else ())
               for part in (expr.items if isinstance(expr, Tuple) else (expr,)))  # fmt: skip


@dataclass
class _Uses:
    is_array: Callable[[Expr], bool]
    growing: set[str]  # numbers in the first iteration
    zeros: set[str]
    same: dict[str, set[str]] = field(default_factory=dict)  # names that may mean one array

    def harmless(self, block: Block) -> bool:
        bound = [(t, v) for s in walk.statements(block) for t, v in walk.bindings(s)]
        self.spread(bound)
        return not self.changes_others(block, bound) and all(map(self.statement, walk.statements(block)))

    def spread(self, bound: list[tuple[str, Expr]]) -> None:
        """Find the other names that grow."""
        known = -1
        while known != len(self.growing):
            known = len(self.growing)
            self.growing |= {target for target, value in bound if self.grows(value)}

    def statement(self, stmt: Any) -> bool:
        match stmt:
            case Let(_, value):
                return self.fits(value)
            case Move(_, values):
                return all(map(self.fits, values))
            case Store(base, index, value):
                return self.free(base) and self.free(index) and self.fits(value)
            case If(test) | While(test):
                return self.free(test)
        return all(map(self.free, walk.stmt_exprs(stmt)))

    def grows(self, expr: Expr) -> bool:
        """Whether a value is a number in the first iteration, and an array later."""
        match expr:
            case Var(name):
                return name in self.growing
            case Call(fn, (_, then, orelse)) if fn is select:
                return self.grows(then) or self.grows(orelse)
            case Call(fn, args) if _is_broadcast(fn):
                rest = [arg for arg in args if not self.grows(arg)]
                return len(rest) < len(args) and not any(map(self.is_array, rest))
        return False

    def fits(self, expr: Expr) -> bool:
        """Whether nothing is asked of a value that grows but its elements; it may be one itself."""
        match expr:
            case Var():
                return True
            case Call(fn, (test, *sides)) if fn is select:
                return self.free(test) and all(map(self.fits, sides))
            case Call(fn, args) if _is_broadcast(fn):
                return all(map(self.fits, args))
        return self.free(expr)

    def free(self, expr: Expr) -> bool:
        """Whether nothing in an expression grows that is not made an array of, by broadcasting."""
        match expr:
            case Var(name):
                return name not in self.growing
            case Call(fn, args) if fn is select or _is_broadcast(fn):
                return self.fits(expr) and not self.grows(expr)
            case Call(fn, args, ()) if _known(fn, _ZERO_OF_ZERO) and any(map(self.zero, args)):
                return all(map(self.fits, args))
        return not walk.names(expr) & self.growing or all(map(self.free, walk.children(expr)))

    def zero(self, expr: Expr) -> bool:
        """Whether a value is zero in the first iteration."""
        match expr:
            case Var(name):
                return name in self.zeros
            case Call(fn, (left, right), ()) if _known(fn, _PRODUCTS):
                return self.zero(left) or self.zero(right)
            case Call(fn, (base, Const(value=int() as power)), ()) if fn is operator.pow:
                return power > 0 and self.zero(base)
        return False

    def changes_others(self, block: Block, bound: list[tuple[str, Expr]]) -> bool:
        """Whether an in-place operator may change what another name holds, too, where a number is replaced."""
        for target, value in bound:
            for name in _aliases(value):
                if name in self.growing:
                    both = self.same.get(name, {name}) | self.same.get(target, {target})
                    self.same.update(dict.fromkeys(both, both))
        changed = {v.args[0].name for _, v in bound if _in_place(v) and isinstance(v.args[0], Var)}  # type: ignore
        several = [self.same.get(name, {name}) for name in changed & self.growing]
        copies = {t for t, v in bound if isinstance(v, Var)} - {t for s in walk.statements(block)
                  if isinstance(s, Move) for t in s.targets}  # fmt: skip
        moves = [[v for v in s.values if isinstance(v, Var)] for s in walk.statements(block) if isinstance(s, Move)]
        return any(copies & each or any(sum(v.name in each for v in move) > 1 for move in moves) for each in several)


def _aliases(value: Expr) -> tuple[str, ...]:
    """The names of which a value may be the array."""
    if _in_place(value):
        value = value.args[0]  # type: ignore[union-attr]
    return (value.name,) if isinstance(value, Var) else ()


def _in_place(value: Expr) -> bool:
    return isinstance(value, Call) and _known(value.fn, IN_PLACE)


def _known(fn: Any, functions: Any) -> bool:
    return fn.__hash__ is not None and fn in functions


def _is_broadcast(fn: Any) -> bool:
    """Whether a function makes of a number and an array what it makes of two arrays."""
    if isinstance(fn, np.ufunc):
        return fn.signature is None
    fn = IN_PLACE.get(fn, fn) if fn.__hash__ is not None else fn
    return fn is np.where or _known(fn, UFUNCS) and fn is not operator.matmul
