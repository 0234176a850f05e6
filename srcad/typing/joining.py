"""Functions that lay arrays end to end or on top of each other."""

from __future__ import annotations

import operator

import numpy as np

from srcad.lang.arrays import axis_length
from srcad.lang import shapes
from srcad.lang.ir import Expr, Slice, Tuple
from srcad.lang.promote import strong_dtype
from srcad.lang.types import Array, Dim, Static, Type
from srcad.runtime import grid
from srcad.typing.shaping import contiguous
from srcad.typing.table import Facts, Refusal, axis_argument, call, constant, items, kind, returns, shape_of
from srcad.typing.tuples import pack


def _joined(facts: Facts, parts: tuple[Expr, ...], axis: int) -> Type:
    """Arrays laid end to end along an axis."""
    types = [kind(p) for p in parts]
    ranks = {len(shape_of(t)) for t in types}
    if len(ranks) != 1 or 0 in ranks:
        raise Refusal("a concatenation of arrays of different rank", "arrays of one rank; a number as np.array((s,))")
    return _laid(types, [shape_of(t) for t in types], axis)


def _laid(types: list, all_dims: list[tuple[Dim, ...]], axis: int) -> Type:
    dims = list(all_dims[0])
    for other in all_dims[1:]:  # where lengths must agree, the one that is known says more
        dims = [b if isinstance(b, int) else a for a, b in zip(dims, other)]
    dims[axis] = shapes.total(tuple(shape[axis] for shape in all_dims))
    return Array(strong_dtype(*types), tuple(dims), "C" if all(contiguous(t) == "C" for t in types) else "A")


@returns(np.concatenate)
def concatenate(facts: Facts, arrays: Expr, axis: Expr | None = None) -> Type | Expr:
    """Joined along an axis that exists."""
    if isinstance(arrays.type, Array) and arrays.type.ndim > 1:
        if axis is not None and axis.type == Static(None):
            return call(facts, np.ravel, arrays)
        return _rows(facts, arrays, axis_argument(facts, axis or constant(0), arrays.type.ndim - 1))
    parts = items(facts, arrays)
    if axis is not None and axis.type == Static(None):
        return call(facts, np.concatenate, pack(tuple(call(facts, np.ravel, part) for part in parts)))
    return _joined(facts, parts, axis_argument(facts, axis or constant(0), len(shape_of(kind(parts[0])))))


def _rows(facts: Facts, arrays: Expr, axis: int) -> Expr:
    """What an array has along its first axis, laid end to end along an axis of it."""
    moved = call(facts, np.moveaxis, arrays, constant(0), constant(axis)) if axis else arrays
    lengths = [axis_length(moved, k) for k in range(arrays.type.ndim)]
    joined = call(facts, operator.mul, lengths[axis], lengths[axis + 1])
    shape = (*lengths[:axis], joined, *lengths[axis + 2:])
    return call(facts, np.reshape, moved, pack(shape) if len(shape) > 1 else joined)


@returns(grid)
def rows_of_a_grid(facts: Facts, rows: Expr) -> Type:
    """Side by side, and on top of each other."""
    joined = tuple(call(facts, np.concatenate, row, constant(-1)) for row in items(facts, rows))
    return kind(call(facts, np.concatenate, pack(joined), constant(-2)))


@returns(np.stack)
def stack(facts: Facts, arrays: Expr, axis: Expr | None = None) -> Type | Expr:
    """Joined along a new axis."""
    if isinstance(arrays.type, Array):
        place = axis_argument(facts, axis or constant(0), arrays.type.ndim)
        return call(facts, np.copy, _last_after(facts, arrays, place))
    types = [kind(p) for p in items(facts, arrays)]
    first = shape_of(types[0])
    if len({len(shape_of(t)) for t in types}) > 1:
        raise Refusal("a stack of arrays of different rank", "arrays of one shape")
    place = axis_argument(facts, axis or constant(0), len(first) + 1)
    shape = (*first[:place], len(types), *first[place:])
    rows = len(first) < 2 and place == 0
    return Array(strong_dtype(*types), shape, "C" if rows or all(contiguous(t) == "C" for t in types) else "A")


def _last_after(facts: Facts, arrays: Expr, place: int) -> Expr:
    """An array with its first axis at another place."""
    return call(facts, np.moveaxis, arrays, constant(0), constant(place)) if place else arrays


@returns(np.hstack)
def hstack(facts: Facts, tup: Expr) -> Type | Expr:
    """Vectors end to end, matrices side by side."""
    if isinstance(tup.type, Array):
        return call(facts, np.copy, tup) if tup.type.ndim == 1 else _rows(facts, tup, min(tup.type.ndim - 2, 1))
    types, dims = _at_least(facts, tup, 1)
    return _laid(types, dims, 0 if len(dims[0]) == 1 else 1)


@returns(np.vstack)
def vstack(facts: Facts, tup: Expr) -> Type | Expr:
    """Rows on top of each other."""
    if isinstance(tup.type, Array):
        if tup.type.ndim == 1:
            return call(facts, np.copy, call(facts, np.expand_dims, tup, constant(1)))
        return call(facts, np.copy, tup) if tup.type.ndim == 2 else _rows(facts, tup, 0)
    return _laid(*_at_least(facts, tup, 2), 0)


@returns(np.column_stack)
def column_stack(facts: Facts, tup: Expr) -> Type | Expr:
    """Columns side by side; a number is a column of length one."""
    if isinstance(tup.type, Array):
        if tup.type.ndim == 1:
            return call(facts, np.copy, call(facts, np.expand_dims, tup, constant(0)))
        return call(facts, np.stack, tup, constant(1)) if tup.type.ndim == 2 else _rows(facts, tup, 1)
    parts = items(facts, tup)
    types = [kind(p) for p in parts]
    if not all(map(shape_of, types)):
        parts = tuple(p if shape_of(t) else call(facts, np.ravel, p) for p, t in zip(parts, types))
        return call(facts, np.column_stack, pack(parts))
    return _laid(types, [(s[0], 1) if len(s) == 1 else s for s in map(shape_of, types)], 1)


@returns(np.dstack)
def dstack(facts: Facts, tup: Expr) -> Expr:
    """One behind the other, along the third axis."""
    if isinstance(tup.type, Array):
        if tup.type.ndim == 1:
            return call(facts, np.copy, call(facts, np.expand_dims, tup, constant((0, 1))))
        if tup.type.ndim > 3:
            return _rows(facts, tup, 2)
        behind = call(facts, np.stack, tup, constant(tup.type.ndim - 1))
        return behind if tup.type.ndim == 3 else call(facts, np.expand_dims, behind, constant(0))
    parts = tuple(call(facts, np.atleast_3d, part) for part in items(facts, tup))
    return call(facts, np.concatenate, pack(parts), constant(2))


def _at_least(facts: Facts, tup: Expr, rank: int) -> tuple[list, list[tuple[Dim, ...]]]:
    types = [kind(p) for p in items(facts, tup)]
    dims = [(1,) * (rank - len(shape_of(t))) + shape_of(t) for t in types]
    if len({len(d) for d in dims}) > 1:
        raise Refusal("a concatenation of arrays of different rank", "arrays of one rank")
    return types, dims


# ---------------------------------------------------------------- blocks


@returns(np.block)
def block(facts: Facts, arrays: Expr) -> Expr:
    """Nested tuples of blocks: the innermost lie side by side, those around them one behind the other."""
    depth = _depth(arrays)
    return _assembled(facts, arrays, depth, max(depth, _highest(facts, arrays)))


def _depth(part: Expr) -> int:
    return 1 + _depth(part.items[0]) if isinstance(part, Tuple) else 0


def _highest(facts: Facts, part: Expr) -> int:
    """The largest rank of a block."""
    if isinstance(part, Tuple):
        return max(_highest(facts, item) for item in part.items)
    return len(shape_of(kind(part)))


def _assembled(facts: Facts, part: Expr, depth: int, rank: int) -> Expr:
    if isinstance(part, Tuple):
        parts = tuple(_assembled(facts, item, depth - 1, rank) for item in part.items)
        return call(facts, np.concatenate, pack(parts), axis=constant(rank - depth))
    missing = rank - len(shape_of(kind(part)))
    if missing == rank:
        return call(facts, np.full, constant((1,) * rank), part)
    if not missing:
        return part
    whole = [Slice()] * (rank - missing)
    return call(facts, operator.getitem, part, Tuple((*[constant(None)] * missing, *whole)))


# ---------------------------------------------------------------- more axes


@returns(np.atleast_1d)
def atleast_1d(facts: Facts, a: Expr) -> Type | Expr:
    """At least one axis."""
    return a if shape_of(kind(a)) else Array(kind(a).dtype, (1,), "C")


@returns(np.atleast_2d)
def atleast_2d(facts: Facts, a: Expr) -> Type | Expr:
    """At least two axes."""
    shape = shape_of(kind(a))
    if len(shape) == 1:
        return call(facts, np.expand_dims, a, constant(0))
    return a if shape else Array(kind(a).dtype, (1, 1), "C")


@returns(np.atleast_3d)
def atleast_3d(facts: Facts, a: Expr) -> Type | Expr:
    """At least three axes; a vector is the middle one, a matrix the first two."""
    rank = len(shape_of(kind(a)))
    if rank in (1, 2):
        return call(facts, np.expand_dims, a, constant((0, 2) if rank == 1 else 2))
    return a if rank else Array(kind(a).dtype, (1, 1, 1), "C")
