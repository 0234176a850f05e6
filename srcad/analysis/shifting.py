"""What of a block depends on a value, and how: by a multiple of it as a term, or of its exponential as a factor."""

from __future__ import annotations

import math
import operator
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any

import numpy as np

from srcad.analysis.buffers import Buffers, stored_name
from srcad.analysis.contents import SHAPE_ATTRIBUTES, member, times_given
from srcad.analysis.polynomials import Polynomial, inverse, length, named, number, plus, product
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Expr, If, Let, Move, Slice, Stmt, Store, Tuple, Var, While, select,
)  # fmt: skip
from srcad.lang.types import Array, Scalar, is_float

SUMS, DIFFERENCES = (operator.add, np.add), (operator.sub, np.subtract)
PRODUCTS, QUOTIENTS = (operator.mul, np.multiply), (operator.truediv, np.divide)
NEGATIVES, EXPONENTIALS, LOGARITHMS = (operator.neg, np.negative), (np.exp, math.exp), (np.log, math.log)
_MATRIX = (operator.matmul, np.matmul, np.dot)
_PICKS = (np.maximum, np.minimum, max, min)
_REDUCTIONS = (np.sum, np.mean, np.max, np.min, np.amax, np.amin)
_NEW = (np.zeros, np.empty, np.zeros_like, np.empty_like)
_DEPTH = 6  # of definitions that a number is followed through


class _Other(Exception):
    """A dependence of another kind."""


@dataclass(frozen=True)
class Weight:
    """How a value depends on another one: ``v + times * t``, or ``v * exp(times * t)`` as a `factor`.

    `axes` are those of the value, counted from the last one, that belong to the axes of `t`, where `t` is an array.
    """

    times: Polynomial
    factor: bool = False
    axes: tuple[int, ...] = ()


FREE = Weight(frozenset())
NOTHING = Weight(frozenset(), True)  # zero: a factor makes no difference


@dataclass
class Shifting:
    """The block behind a value `top`; `single` are the definitions of names that have one, `counts` how many have."""

    top: Var
    block: Block
    single: dict[str, Expr]
    counts: Counter[str]
    buffers: Buffers
    weights: dict[str, Weight] = field(default_factory=dict)

    def vanishes(self) -> bool:
        """Whether no result of the block depends on the value."""
        shape = self.top.type.shape if isinstance(self.top.type, Array) else ()
        axes = tuple(k - len(shape) for k, dim in enumerate(shape) if dim != 1)
        self.weights[self.top.name] = Weight(number(1), axes=axes)
        try:
            for _ in range(4):
                before = dict(self.weights)
                for stmt in walk.statements(self.block):
                    self.follow(stmt)
                if self.weights == before:
                    return True
        except (_Other, ValueError):
            pass
        return False

    @cached_property
    def inside(self) -> Counter[str]:
        """How often names are given in the block."""
        return times_given(self.block)

    @cached_property
    def varying(self) -> set[str]:
        """What loops and branches of the block give."""
        return {name for s in self.block for b in walk.blocks(s) for name in walk.assigned(b)}

    def follow(self, stmt: Stmt) -> None:
        """What a statement gives to names and arrays."""
        match stmt:
            case Let(target, value):
                if (weight := self.weight(value)) is not FREE or target in self.weights:
                    self.weights[target] = weight
            case Move(targets, values):
                for target, weight in zip(targets, list(map(self.weight, values))):
                    self.join(target, weight, self.weights.get(target, weight))
            case Store(Var(name), _, value) | Accum(Var(name) | Call(operator.getitem, (Var(name), _)), value):
                weight = self.weight(value)
                if weight.axes or isinstance(stmt, Accum) and weight.times and not weight.factor:
                    raise _Other
                if weight is not FREE and not self.buffers.of(name) <= {name} and stored_name(stmt) is not None:
                    raise _Other
                self.join(name, weight, self.weights.get(name, FREE))
            case If() | While():
                pass  # a choice does not change with small changes of what it depends on
            case _:
                if any(self.weight(e).times for e in walk.stmt_exprs(stmt)):
                    raise _Other

    def join(self, name: str, new: Weight, old: Weight) -> None:
        """A name that has one weight or another, and an array that has elements of both."""
        weight = _either((old, new))
        if weight.times and self.inside[name] != self.counts[name]:
            raise _Other  # it is handed on to another iteration, with another value to depend on
        self.weights[name] = weight

    # ------------------------------------------------------------ expressions

    def weight(self, expr: Expr) -> Weight:
        match expr:
            case Const(value):
                return NOTHING if _is_zero(value) else FREE
            case Var(name):
                known = self.single.get(name)
                zero = isinstance(known, Const) and _is_zero(known.value)
                return self.weights.get(name) or (NOTHING if zero else FREE)
            case Attr(_, name) if name in SHAPE_ATTRIBUTES:
                return FREE
            case Call(fn) if member(fn, _NEW):
                return NOTHING
        if not any(self.weights.get(name, FREE).times for name in walk.names(expr)) or not _carries(expr):
            return FREE
        if not isinstance(expr, Call):
            raise _Other
        return self.call(expr.fn, expr.args, dict(expr.kwargs), expr)

    def call(self, fn: Any, args: tuple[Expr, ...], options: dict[str, Expr], call: Call) -> Weight:
        if fn is operator.getitem:
            return _viewed(self.weight(args[0]), args[0], args[1])
        if member(fn, _REDUCTIONS):
            return _reduced(fn, self.weight(args[0]), args, options)
        if fn is np.where or fn is select:
            return _either(tuple(map(self.weight, args[1:])))
        weights = tuple(map(self.weight, args))
        if options:
            raise _Other
        if member(fn, _PICKS):
            return _either(weights)
        if member(fn, EXPONENTIALS) and not weights[0].factor:
            return Weight(weights[0].times, True, weights[0].axes)
        if member(fn, LOGARITHMS) and weights[0].factor:
            return Weight(weights[0].times, False, weights[0].axes)
        if member(fn, NEGATIVES):
            return weights[0] if weights[0].factor else _scaled(weights[0], number(-1))
        if len(weights) == 2:
            return self.binary(fn, args, *weights)
        raise _Other

    def binary(self, fn: Any, args: tuple[Expr, ...], a: Weight, b: Weight) -> Weight:
        if member(fn, (*SUMS, *DIFFERENCES)):
            if a.factor or b.factor:
                return _either((a, b))
            return _sum(a, _scaled(b, number(-1)) if member(fn, DIFFERENCES) else b)
        if member(fn, (*PRODUCTS, *QUOTIENTS)):
            over = member(fn, QUOTIENTS)
            if all(w.factor or not w.times for w in (a, b)):
                return _sum(a, _scaled(b, number(-1)) if over else b)
            if a.times and not b.times and not b.factor:
                return _scaled(a, inverse(self.number(args[1])) if over else self.number(args[1]))
            if b.times and not a.times and not a.factor and not over:
                return _scaled(b, self.number(args[0]))
        if member(fn, _MATRIX) and a.factor and b is FREE:
            return _multiplied(a, *args)
        if member(fn, _MATRIX) and b.factor and a is FREE and not b.axes:
            return b
        raise _Other

    def number(self, expr: Expr, depth: int = 0) -> Polynomial:
        """A number that does not depend on the value, nor on an iteration, in terms of others."""
        match expr:
            case Const(int() | float() as value) if math.isfinite(value):
                return number(value)
            case Var(name, Scalar()):
                known = self.single.get(name)
                if depth < _DEPTH and isinstance(known, (Call, Const)):
                    try:
                        return self.number(known, depth + 1)
                    except (_Other, ValueError):
                        pass
                if name not in self.varying:
                    return named(name)
            case Call(operator.getitem, (Attr(array, "shape"), Const(int() as axis))) if _is_array(array):
                return length(array.type.shape[axis])  # type: ignore[attr-defined]
            case Call(fn, (one, other)) if member(fn, PRODUCTS):
                return product(self.number(one, depth), self.number(other, depth))
            case Call(fn, (one, other)) if member(fn, QUOTIENTS):
                return product(self.number(one, depth), inverse(self.number(other, depth)))
            case Call(fn, (one,)) if member(fn, NEGATIVES):
                return product(number(-1), self.number(one, depth))
        raise _Other


# ---------------------------------------------------------------- weights


def _scaled(weight: Weight, by: Polynomial) -> Weight:
    times = product(weight.times, by)
    return Weight(times, weight.factor, weight.axes) if times or weight is NOTHING else FREE


def _sum(a: Weight, b: Weight) -> Weight:
    """The weight of a sum of terms, or of a product of factors."""
    if not a.times or not b.times:
        return a if a.times else b if b.times else a if a is b else FREE
    if a.axes != b.axes:
        raise _Other
    times = plus(a.times, b.times)
    return Weight(times, a.factor, a.axes) if times else FREE


def _either(weights: tuple[Weight, ...]) -> Weight:
    """What all of them have in common."""
    kinds = {w for w in weights if w is not NOTHING} or {NOTHING}
    if len(kinds) == 1 and not (len(weights) > len([w for w in weights if w in kinds]) and _is_term(*kinds)):
        return kinds.pop()
    raise _Other


def _is_term(weight: Weight) -> bool:
    return bool(weight.times) and not weight.factor


def _viewed(weight: Weight, base: Expr, index: Expr) -> Weight:
    """A part of an array; of one that the value has axes of, with other axes added."""
    if not weight.axes:
        return weight
    items = list(index.items) if isinstance(index, Tuple) else [index]
    rank = base.type.ndim  # type: ignore[union-attr]
    new = [None if isinstance(i, Const) and i.value is None else i for i in items]
    if any(i is not None and not _is_whole(i) for i in new):
        raise _Other
    new += [Slice(None, None, None)] * (rank - sum(i is not None for i in new))
    places = [k - len(new) for k, i in enumerate(new) if i is not None]
    return Weight(weight.times, weight.factor, tuple(places[axis] for axis in weight.axes))


def _is_whole(index: Expr) -> bool:
    return isinstance(index, Slice) and all(part is None or walk.is_const(part, None)
                                            for part in (index.lower, index.upper, index.step))  # fmt: skip


def _reduced(fn: Any, weight: Weight, args: tuple[Expr, ...], options: dict[str, Expr]) -> Weight:
    """What is left of an array along some of its axes."""
    kind = getattr(args[0], "type", None)
    axis = args[1] if len(args) == 2 else options.pop("axis", None)
    keep = options.pop("keepdims", None)
    if options or len(args) > 2 or not isinstance(kind, Array) or not (keep is None or isinstance(keep, Const)):
        raise _Other
    if axis is not None and not isinstance(axis, Const):
        raise _Other
    given = axis.value if axis is not None else None
    every = range(kind.ndim) if given is None else given if isinstance(given, tuple) else (given,)
    gone = {(k - kind.ndim if k >= 0 else k) for k in every}
    if gone & {*weight.axes}:
        raise _Other
    kept = bool(keep and keep.value)
    axes = tuple(a if kept else a + sum(g > a for g in gone) for a in weight.axes)
    result = Weight(weight.times, weight.factor, axes)
    if fn is np.sum and not weight.factor:
        return _scaled(result, reduce(product, (length(kind.shape[g]) for g in gone), number(1)))
    return result


def _multiplied(a: Weight, left: Expr, right: Expr) -> Weight:
    """A product of matrices, with rows that the value has an element for, or all of it."""
    if not a.axes:
        return a
    ranks = [getattr(getattr(e, "type", None), "ndim", 0) for e in (left, right)]
    if a.axes != (-2,) or ranks[0] != 2 or ranks[1] not in (1, 2):
        raise _Other
    return Weight(a.times, True, (-2,) if ranks[1] == 2 else (-1,))


def _carries(expr: Expr) -> bool:
    """Whether an expression may have a derivative: whole numbers and truth values change in steps."""
    kind = getattr(expr, "type", None)
    return is_float(kind) or not isinstance(kind, (Array, Scalar))


def _is_array(expr: Expr) -> bool:
    return isinstance(getattr(expr, "type", None), Array)


def _is_zero(value: object) -> bool:
    return isinstance(value, (int, float)) and value == 0
