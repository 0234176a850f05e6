"""Functions that lay arrays end to end or on top of each other."""

from __future__ import annotations

import operator

import numpy as np

from srcad.lang import shapes
from srcad.lang.ir import Const, Expr, Slice, Tuple
from srcad.lang.promote import result_dtype
from srcad.lang.types import Array, Dim, Static, Type
from srcad.typing.shaping import contiguous
from srcad.typing.table import Facts, Refusal, axis_argument, call, constant, items, kind, returns, shape_of
from srcad.typing.tuples import axis_length, pack


def _joined(facts: Facts, parts: tuple[Expr, ...], axis: int) -> Type:
    """Arrays laid end to end along an axis."""
    types = [kind(p) for p in parts]
    ranks = {len(shape_of(t)) for t in types}
    if len(ranks) != 1 or 0 in ranks:
        raise Refusal("a concatenation of arrays of different rank", "arrays of one rank; a number as np.array((s,))")
    return _laid(types, [shape_of(t) for t in types], axis)


def _first(axis: Expr) -> bool:
    return isinstance(axis, Const) and axis.value == 0


def _laid(types: list, all_dims: list[tuple[Dim, ...]], axis: int) -> Type:
    dims = list(all_dims[0])
    for other in all_dims[1:]:  # where lengths must agree, the one that is known says more
        dims = [b if isinstance(b, int) else a for a, b in zip(dims, other)]
    dims[axis] = shapes.total(tuple(shape[axis] for shape in all_dims))
    return Array(result_dtype(*types), tuple(dims), "C" if all(contiguous(t) == "C" for t in types) else "A")


@returns(np.concatenate)
def concatenate(facts: Facts, arrays: Expr, axis: Expr | None = None) -> Type | Expr:
    """Joined along an axis that exists."""
    if isinstance(arrays.type, Array) and arrays.type.ndim > 1 and (axis is None or _first(axis)):
        rows, columns, *rest = (axis_length(arrays, k) for k in range(arrays.type.ndim))
        length = call(facts, operator.mul, rows, columns)
        return call(facts, np.reshape, arrays, pack((length, *rest)) if rest else length)
    parts = items(facts, arrays)
    if axis is not None and axis.type == Static(None):
        return call(facts, np.concatenate, pack(tuple(call(facts, np.ravel, part) for part in parts)))
    return _joined(facts, parts, axis_argument(facts, axis or constant(0), len(shape_of(kind(parts[0])))))


@returns(np.stack)
def stack(facts: Facts, arrays: Expr, axis: Expr | None = None) -> Type | Expr:
    """Joined along a new axis."""
    if isinstance(arrays.type, Array) and arrays.type.ndim > 1 and (axis is None or _first(axis)):
        return call(facts, np.copy, arrays)
    types = [kind(p) for p in items(facts, arrays)]
    first = shape_of(types[0])
    if len({len(shape_of(t)) for t in types}) > 1:
        raise Refusal("a stack of arrays of different rank", "arrays of one shape")
    place = axis_argument(facts, axis or constant(0), len(first) + 1)
    shape = (*first[:place], len(types), *first[place:])
    return Array(result_dtype(*types), shape, "C" if place == 0 or all(contiguous(t) == "C" for t in types) else "A")


@returns(np.hstack)
def hstack(facts: Facts, tup: Expr) -> Type:
    """Vectors end to end, matrices side by side."""
    types, dims = _at_least(facts, tup, 1)
    return _laid(types, dims, 0 if len(dims[0]) == 1 else 1)


@returns(np.vstack)
def vstack(facts: Facts, tup: Expr) -> Type | Expr:
    """Rows on top of each other."""
    if isinstance(tup.type, Array) and tup.type.ndim == 2:
        return call(facts, np.copy, tup)
    return _laid(*_at_least(facts, tup, 2), 0)


@returns(np.column_stack)
def column_stack(facts: Facts, tup: Expr) -> Type | Expr:
    """Columns side by side; a number is a column of length one."""
    parts = items(facts, tup)
    types = [kind(p) for p in parts]
    if not all(map(shape_of, types)):
        parts = tuple(p if shape_of(t) else call(facts, np.ravel, p) for p, t in zip(parts, types))
        return call(facts, np.column_stack, pack(parts))
    return _laid(types, [(s[0], 1) if len(s) == 1 else s for s in map(shape_of, types)], 1)


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
