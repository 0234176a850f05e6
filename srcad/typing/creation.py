"""Functions that make arrays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from srcad.lang.arrays import axis_length, number
from srcad.lang import shapes
from srcad.lang.forms import listed, rows_like
from srcad.lang.ir import Call, Expr, Tuple
from srcad.lang.promote import result_dtype, strong_dtype
from srcad.lang.types import INT, Array, Dim, Scalar, Static, TupleType, Type
from srcad.typing.table import Facts, Refusal, call, constant, dtype_argument, items, kind, made, returns, shape_of
from srcad.typing.tuples import pack


@returns(np.zeros, np.ones, np.empty)
def filled(facts: Facts, shape: Expr, dtype: Expr | None = None, order: Expr | None = None) -> Type:
    """Arrays of floats, unless told otherwise."""
    return _array(facts, dtype_argument(facts, dtype, "float64"), facts.dims(shape), order)


@returns(np.full)
def full(facts: Facts, shape: Expr, fill_value: Expr, dtype: Expr | None = None, order: Expr | None = None) -> Any:
    """Arrays of the value's dtype."""
    if (value := number(fill_value)) is not fill_value:
        return call(facts, np.full, shape, value, **_given(dtype=dtype, order=order))
    result = dtype_argument(facts, dtype, kind(fill_value).dtype)
    if isinstance(fill_value.type, Array) and fill_value.type.dtype != result:
        return call(facts, np.full, shape, _cast(facts, fill_value, result), **_given(order=order))
    return _array(facts, result, facts.dims(shape), order)


def _cast(facts: Facts, x: Expr, dtype: str) -> Expr:
    """An array in another dtype."""
    return call(facts, np.ndarray.astype, x, constant(np.dtype(dtype).type))


def _given(**options: Expr | None) -> dict[str, Expr]:
    """The options that are passed."""
    return {name: value for name, value in options.items() if value is not None}


def _array(facts: Facts, dtype: str, dims: tuple[Dim, ...], order: Expr | None) -> Array:
    layout = "C" if order is None else facts.static(order, "an order")
    return Array(dtype, dims, layout if len(dims) > 1 and layout == "F" else "C")


@returns(listed)
def items_now(facts: Facts, values: Expr) -> Expr:
    """A copy of a vector, any other value itself."""
    return call(facts, np.copy, values) if isinstance(values.type, Array) and values.type.ndim == 1 else values


@returns(rows_like)
def rows(facts: Facts, count: Expr, row: Expr) -> Expr:
    """An array for rows of one type."""
    dims = (count, *(axis_length(row, axis) for axis in range(len(shape_of(kind(row))))))
    dtype = () if kind(row).dtype == "float64" else (constant(np.dtype(kind(row).dtype).type),)
    return call(facts, np.empty, pack(dims) if len(dims) > 1 else count, *dtype)


@returns(np.zeros_like, np.ones_like, np.empty_like)
def like(facts: Facts, a: Expr, dtype: Expr | None = None, order: Expr | None = None, subok: Expr | None = None,
         shape: Expr | None = None) -> Type:  # fmt: skip
    """Arrays of another's dtype and shape."""
    result = dtype_argument(facts, dtype, kind(a).dtype)
    dims = shape_of(kind(a)) if shape is None or shape.type == Static(None) else facts.dims(shape)
    return Array(result, dims, _kept(kind(a)))


@returns(np.full_like)
def full_like(facts: Facts, a: Expr, fill_value: Expr, dtype: Expr | None = None, order: Expr | None = None) -> Any:
    """An array of another's dtype and shape."""
    if (value := number(fill_value)) is not fill_value:
        return call(facts, np.full_like, a, value, **_given(dtype=dtype, order=order))
    result = dtype_argument(facts, dtype, kind(a).dtype)
    if isinstance(fill_value.type, Array) and fill_value.type.dtype != result:
        return call(facts, np.full_like, a, _cast(facts, fill_value, result), **_given(dtype=dtype))
    return Array(result, shape_of(kind(a)), _kept(kind(a)))


CREATORS: frozenset[Any] = frozenset((
    np.zeros, np.ones, np.empty, np.full, np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.copy, np.array,
))  # fmt: skip


def in_order(facts: Facts, made: Expr, order: Expr) -> Expr:
    """A new array whose order in memory was asked for, which only its type tells."""
    assert isinstance(made, Call) and isinstance(made.type, Array)
    wanted, layout = facts.static(order, "an order"), made.type.layout
    if wanted == "K" or made.type.ndim < 2 or wanted == layout or (wanted == "A" and layout != "A"):
        return made
    return replace(made, type=replace(made.type, layout={"C": "c", "F": "f"}.get(wanted, "A")))


def _kept(type: Any) -> str:
    """The layout of a copy that keeps its order as well as it can."""
    return "C" if len(shape_of(type)) <= 1 else type.layout.replace("F", "f")


@returns(np.copy)
def copy(facts: Facts, a: Expr, order: Expr | None = None, subok: Expr | None = None) -> Type | Expr:
    """A copy."""
    if not isinstance(a.type, Array):
        plain = made(kind(a).dtype, ())
        return a if kind(a) == plain else Call(np.dtype(kind(a).dtype).type, (a,), (), plain)
    kept = Array(a.type.dtype, a.type.shape, _kept(a.type))
    if order is None:
        return kept
    return in_order(facts, Call(np.copy, (a,), (), kept), order)


@returns(np.asanyarray)
def asanyarray(facts: Facts, a: Expr, dtype: Expr | None = None, order: Expr | None = None) -> Expr:
    """As `np.asarray`, which differs for matrices alone."""
    return call(facts, np.asarray, a, **_given(dtype=dtype, order=order))


@returns(np.asarray, np.asarray_chkfinite)
def asarray(facts: Facts, a: Expr, dtype: Expr | None = None, order: Expr | None = None, **options: Expr) -> Any:
    """An array as it is, or one made of a nest of tuples."""
    if isinstance(a.type, TupleType):
        return call(facts, np.array, a, **({} if dtype is None else {"dtype": dtype}))
    if dtype is not None and dtype_argument(facts, dtype, kind(a).dtype) != kind(a).dtype:
        a = call(facts, np.ndarray.astype, a, dtype)
    if not isinstance(a.type, Array):
        return array(facts, a) if dtype is None else call(facts, np.array, a, dtype=dtype)
    lay = None if order is None else {"C": in_c_order, "F": in_fortran_order}.get(facts.static(order, "an order"))
    return a if lay is None else lay(facts, a)


@returns(np.ascontiguousarray)
def in_c_order(facts: Facts, a: Expr, dtype: Expr | None = None) -> Type | Expr:
    """An array in C order, itself if it is."""
    return _laid_out(np.ascontiguousarray, asarray(facts, a, dtype), "C")


@returns(np.asfortranarray)
def in_fortran_order(facts: Facts, a: Expr, dtype: Expr | None = None) -> Type | Expr:
    """An array in Fortran order, itself if it is."""
    return _laid_out(np.asfortranarray, asarray(facts, a, dtype), "F")


def _laid_out(fn: Any, a: Type | Expr, layout: str) -> Type | Expr:
    if isinstance(a, Type) or not isinstance(a.type, Array):
        return a  # a number
    if a.type.layout == layout or (a.type.ndim == 1 and a.type.layout == "C"):
        return a
    return Call(fn, (a,), (), replace(a.type, layout="C" if a.type.ndim < 2 else layout))


@returns(np.array)
def array(facts: Facts, a: Expr, dtype: Expr | None = None, copy: Expr | None = None, **options: Expr) -> Type | Expr:
    """An array from an array, a number, or a nest of tuples."""
    if copy is not None:
        always = facts.static(copy, "copy") is True
        named = {} if dtype is None else {"dtype": dtype}
        return call(facts, np.array if always else np.asarray, a, **named, **options)
    if (plain := _with_numbers(a)) is not a:
        return call(facts, np.array, plain, **_given(dtype=dtype), **options)
    if dtype is not None and _has_arrays(a) and dtype_argument(facts, dtype, "float64") != _content(facts, a)[0]:
        return call(facts, np.ndarray.astype, call(facts, np.array, a, **options), dtype)
    return _made_from(facts, a, dtype)


def _has_arrays(a: Expr) -> bool:
    """Whether arrays are in a nest of tuples."""
    return isinstance(a, Tuple) and any(isinstance(i.type, Array) or _has_arrays(i) for i in a.items)


def _with_numbers(a: Expr) -> Expr:
    """A nest of tuples with the numbers of arrays of rank 0 in place of these, or itself where there are none."""
    if not isinstance(a, Tuple):
        return a
    parts = tuple(_with_numbers(part) if isinstance(part, Tuple) else number(part) for part in a.items)
    return a if all(new is old for new, old in zip(parts, a.items)) else pack(parts)


def _made_from(facts: Facts, a: Expr, dtype: Expr | None) -> Array:
    found, dims, layout = _content(facts, a)
    return Array(dtype_argument(facts, dtype, found), dims, layout)


def _content(facts: Facts, a: Expr) -> tuple[str, tuple[Dim, ...], str]:
    """The dtype, shape and layout of an array made from something."""
    if isinstance(a.type, Array):
        return a.type.dtype, a.type.shape, _kept(a.type)
    if not isinstance(a.type, TupleType):
        return kind(a).dtype, (), "C"
    inside = items(facts, a)
    parts = [_content(facts, item) for item in inside]
    if not parts:
        return "float64", (0,), "C"
    if len({len(dims) for _, dims, _ in parts}) > 1:
        raise Refusal("an array of rows of different rank", "rows of one length")
    return strong_dtype(*(Scalar(dtype) for dtype, _, _ in parts)), (len(parts), *parts[0][1]), "C"


@returns(np.arange)
def arange(facts: Facts, start: Expr, stop: Expr | None = None, step: Expr | None = None,
           dtype: Expr | None = None) -> Type:  # fmt: skip
    """Long integers from integers, floats in double precision from floats of any."""
    given = [e for e in (start, stop, step) if e is not None and e.type != Static(None)]
    types = tuple(map(kind, given))
    unsigned = all(isinstance(t, Scalar) and t.dtype == "uint64" for t in types)
    result = dtype_argument(facts, dtype, "uint64" if unsigned else strong_dtype(*types, INT))
    return Array(result, (_count(facts, given),), "C")


def _count(facts: Facts, given: list[Expr]) -> Dim:
    bounds = [facts.integer(e) for e in given]
    if None in bounds:
        return facts.fresh()
    if len(bounds) == 3 and bounds[2] != (None, 1):
        if all(b is not None and b[0] is None for b in bounds) and bounds[2] != (None, 0):
            return len(range(*(b[1] for b in bounds if b is not None)))
        return facts.fresh()
    if len(bounds) == 1:
        return shapes.dim_of(bounds[0])  # type: ignore[arg-type]
    return shapes.dim_of(shapes.subtract(bounds[1], bounds[0]))  # type: ignore[arg-type]


@returns(np.linspace)
def linspace(facts: Facts, start: Expr, stop: Expr, num: Expr | None = None, endpoint: Expr | None = None,
             retstep: Expr | None = None, dtype: Expr | None = None, axis: Expr | None = None) -> Type:  # fmt: skip
    """Evenly spaced numbers, 50 by default."""
    assert retstep is None, "the library has a function for it"
    ends = (kind(start), kind(stop))
    result = dtype_argument(facts, dtype, result_dtype(*ends, Scalar("float64", weak=True)))
    count: Dim = 50 if num is None else facts.dim(num)
    return Array(result, (count, *shapes.broadcast(*map(shape_of, ends))), "C")


@returns(np.eye)
def eye(facts: Facts, N: Expr, M: Expr | None = None, k: Expr | None = None, dtype: Expr | None = None) -> Type:
    """Ones on a diagonal."""
    square = M is None or M.type == Static(None)
    rows = facts.dim(N)
    return Array(dtype_argument(facts, dtype, "float64"), (rows, rows if square else facts.dim(M)), "C")  # type: ignore[arg-type]


@returns(np.identity)
def identity(facts: Facts, n: Expr, dtype: Expr | None = None) -> Type:
    """The identity matrix."""
    return Array(dtype_argument(facts, dtype, "float64"), (facts.dim(n),) * 2, "C")


@returns(np.triu_indices, np.tril_indices, np.triu_indices_from, np.tril_indices_from)
def triangle(facts: Facts, n: Expr, *more: Expr, **options: Expr) -> Type:
    """The places above or below a diagonal: as many rows as columns."""
    return TupleType((Array("int64", (facts.fresh(),), "C"),) * 2)
