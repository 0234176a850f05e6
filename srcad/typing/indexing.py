"""Subscripts: elements, slices, new axes, arrays of integers, masks."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad.lang import shapes
from srcad.lang.arrays import is_ellipsis
from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Tuple, select
from srcad.lang.lists import one_of
from srcad.lang.shapes import Linear
from srcad.lang.structure import LIST
from srcad.lang.types import (
    BOOL, FLOAT, INT, NONE, TUPLE, UNKNOWN, Array, Dim, Scalar, Static, TupleType, Type, is_array,
)  # fmt: skip
from srcad.typing.facts import NotStatic
from srcad.typing import lists, one, structures
from srcad.typing.flat import is_flat, place
from srcad.typing.table import Facts, Refusal, call, constant, describe, items, kind, made, returns, shape_of
from srcad.typing.tuples import pack

@returns(slice)
def made_slice(facts: Facts, *bounds: Expr) -> Expr:
    """``slice(a, b)``: a constant, or part of an index."""
    if all(isinstance(bound, Const) for bound in bounds):
        return constant(slice(*[bound.value for bound in bounds]))  # type: ignore[arg-type, attr-defined]
    lower, upper, step = {1: (None, *bounds, None), 2: (*bounds, None), 3: bounds}[len(bounds)]
    parts = (None if part is None or part.type == Static(None) else part for part in (lower, upper, step))
    return Slice(*parts)


@returns(operator.getitem)
def getitem(facts: Facts, base: Expr, index: Expr) -> Type | Expr:
    """``base[index]``"""
    if (display := _displayed(facts, index)) is not index:
        result = getitem(facts, base, display)
        return Call(operator.getitem, (base, display), (), result) if isinstance(result, Type) else result
    if isinstance(base.type, TupleType):
        return _of_tuple(facts, base, index)
    if base.type == NONE:
        raise Refusal("a subscript of None", "an array where None is passed, or a test: if x is None")
    if lists.is_nothings(base):
        return base if isinstance(index, Slice) else constant(None)
    if isinstance(base.type, Static):
        return constant(facts.static(Call(operator.getitem, (base, index)), "a subscript"))
    if base.type == UNKNOWN:
        raise Refusal("", poisoned=True)
    if isinstance(base, Attr) and is_flat(base):
        return call(facts, operator.getitem, *place(facts, base, index))
    if (found := one.subscript(facts, base, index, _parts)) is not None:
        return found
    if not isinstance(base.type, Array):
        raise Refusal(f"a subscript of {describe(base.type)}", "an array")
    if isinstance(index, Tuple) and _idle_ellipsis(base.type, index):
        index = _without_ellipsis(index)
        return Call(operator.getitem, (base, index), (), element(facts, base.type, index))
    return element(facts, base.type, index)


def _displayed(facts: Facts, index: Expr) -> Expr:
    """An index as a person writes it between brackets: ``x[1:]`` for ``x[slice(1, None)]``, and an array for a list."""
    type = getattr(index, "type", None)
    if isinstance(type, Static) and isinstance(type.value, slice):
        return _part(type)
    if type == Array("float64", (0,), "C"):  # x[[]]
        return constant(np.zeros(0, np.int64))
    return _of_several(facts, index) if isinstance(type, TupleType) else index


def _of_several(facts: Facts, index: Expr) -> Expr:
    """A list of indices means an array of them; a tuple, an index for each axis."""
    form, types = index.type.form, index.type.items
    if form.cls is list:
        return _as_array(facts, index)
    special = any(isinstance(t, TupleType) or isinstance(t, Static) and isinstance(t.value, slice) for t in types)
    if not special and len(types) != 1 and not (isinstance(index, Const) and any(map(is_array, types))):
        return index
    parts = tuple(_as_array(facts, e) if isinstance(getattr(e, "type", None), TupleType) else _displayed(facts, e)
                  for e in items(facts, index))  # fmt: skip
    return parts[0] if len(parts) == 1 else Tuple(parts, TupleType(tuple(getattr(e, "type", UNKNOWN) for e in parts)))


def _as_array(facts: Facts, several: Expr) -> Expr:
    """The array that a list of indices, or a tuple inside of an index, stands for."""
    if isinstance(several, Const):
        value = np.array(several.value)
        return Const(value, constant(value).type, several.name or "index")
    return call(facts, np.array, several)


def _idle_ellipsis(base: Array, index: Tuple) -> bool:
    """Whether an index has an ellipsis that stands for no axis: it would turn a number into an array without axes."""
    parts = _parts(index)
    return any(p is Ellipsis for p in parts) and sum(map(_consumed, parts)) == base.ndim


def _without_ellipsis(index: Tuple) -> Expr:
    items = tuple(i for i in index.items if not is_ellipsis(i))
    return items[0] if len(items) == 1 else Tuple(items, TupleType(tuple(getattr(i, "type", UNKNOWN) for i in items)))


def _of_tuple(facts: Facts, base: Expr, index: Expr) -> Type | Expr:
    parts = base.type.items
    if isinstance(index, Slice):
        bounds = [None if e is None else facts.static(e, "a bound") for e in (index.lower, index.upper, index.step)]
        chosen = tuple(structures.element(base, k) for k in range(len(parts))[slice(*bounds)])
        return pack(chosen, LIST if base.type.form.cls is list else TUPLE)
    try:
        position = facts.known(index)
    except NotStatic:
        if isinstance(base, Attr) or parts == (INT,) * len(parts):
            return INT
        if parts == (FLOAT,) * len(parts) and isinstance(base, Tuple) and all(isinstance(e, Const) for e in base.items):
            return FLOAT
        facts.uncertain += 1
        reason = f"an index into {describe(base.type)} that is not known at compile time"
        raise Refusal(reason, "an array, or a constant index") from None
    return structures.item(base, position)


@returns(one_of)
def one_of_several(facts: Facts, several: Expr, position: Expr) -> Type | Expr:
    """Of arrays the one that is meant, not a copy of it; of numbers an element of an array of them, if they are no
    constants of Python's."""
    parts = several.type.items
    if isinstance(position.type, Scalar) and {*parts} <= {INT, FLOAT}:
        items = [structures.element(several, k) for k in range(len(parts))]
        if all(isinstance(item, Const) for item in items):
            kind = FLOAT if FLOAT in parts else INT
            values = [item.value for item in items if isinstance(item, Const)]
            same = tuple(Const(float(value) if kind == FLOAT else value, kind) for value in values)
            return call(facts, operator.getitem, pack(same), position)
    if len(arrays := [part for part in parts if isinstance(part, Array)]) not in (0, len(parts)):
        return _of_tuple(facts, several, position)
    if not arrays or not isinstance(position.type, Scalar):
        return call(facts, operator.getitem, call(facts, np.array, several), position)
    numbers = pack(tuple(map(constant, range(len(parts)))))
    number = call(facts, operator.getitem, numbers, position)
    result = structures.element(several, len(parts) - 1)
    for k in range(len(parts) - 2, -1, -1):
        test = call(facts, operator.eq, number, constant(k))
        result = call(facts, select, test, structures.element(several, k), result)
    return result


# ---------------------------------------------------------------- arrays


def element(facts: Facts, base: Array, index: Expr) -> Type:
    """The type of a subscript of an array."""
    parts = _expanded(base, _parts(index))
    dims: list[Dim] = []
    adjacent: list[int] = []
    axis, place = 0, None
    arrays = [p for p in parts if isinstance(p, Array)]
    for position, part in enumerate(parts):
        if part is None:
            dims.append(1)
        elif isinstance(part, Slice):
            dims.append(_sliced(facts, base.shape[axis], part))
            axis += 1
        else:
            if arrays:
                adjacent.append(position)
                place = len(dims) if place is None else place
            axis += _consumed(part)
    if arrays:
        if adjacent != list(range(adjacent[0], adjacent[-1] + 1)):
            place = 0
        dims[place:place] = _gathered(facts, arrays)
    return made(base.dtype, tuple(dims), ("C" if len(dims) == 1 else "A") if arrays else _layout(base, parts))


def _parts(index: Expr) -> list[Any]:
    """The items of an index: None, Ellipsis, `Slice`, or the type of a number or an array."""
    if isinstance(index, Slice):
        return [index]
    if isinstance(index, Tuple):
        return [part for item in index.items for part in _parts(item)]
    if isinstance(index, Call) and index.fn is slice:
        return [as_slice(index)]
    type = index.type
    if isinstance(type, TupleType):
        return [_part(item) for item in type.items]
    return [_part(type)]


def as_slice(call: Call) -> Slice:
    """What ``slice(...)`` stands for between brackets."""
    args = [None if isinstance(arg, Const) and arg.value is None else arg for arg in call.args]
    return Slice(None, args[0], None) if len(args) == 1 else Slice(*args)


def _part(type: Type) -> Any:
    if type == UNKNOWN:
        raise Refusal("", poisoned=True)
    if isinstance(type, Static) and (type.value is None or type.value is Ellipsis):
        return type.value
    if isinstance(type, Static) and isinstance(type.value, slice):
        bounds = (type.value.start, type.value.stop, type.value.step)
        return Slice(*(None if v is None else constant(v) for v in bounds))
    if isinstance(type, (Scalar, Array)):
        if type.dtype.startswith(("float", "complex")):
            raise Refusal("an index that is no integer", "int(i), or i // k")
        if type == BOOL or (isinstance(type, Scalar) and type.dtype == "bool"):
            raise Refusal("a truth value as an index", "an if")
        return type
    raise Refusal(f"{describe(type)} as an index", "integers, slices, or arrays of them")


def _consumed(part: Any) -> int:
    """How many axes an item of an index takes."""
    if part is None or part is Ellipsis:
        return 0
    return part.ndim if isinstance(part, Array) and part.dtype == "bool" else 1


def _expanded(base: Array, parts: list[Any]) -> list[Any]:
    """The index with a whole slice for every axis that it leaves out."""
    missing = base.ndim - sum(map(_consumed, parts))
    if missing < 0:
        remedy = f"{base.ndim} of them" if base.ndim > 1 else "one index"
        raise Refusal(f"{base.ndim - missing} indices into an array of rank {base.ndim}", remedy)
    if parts.count(Ellipsis) > 1:
        raise Refusal("an index with two ellipses", "one of them")
    whole = [Slice()] * missing
    if Ellipsis not in parts:
        return parts + whole
    at = parts.index(Ellipsis)
    return parts[:at] + whole + parts[at + 1:]


def _sliced(facts: Facts, dim: Dim, part: Slice) -> Dim:
    if (known := dim if part == Slice() else lists.length_of_part(facts, dim, part)) is not None:
        return known
    lower, upper, stride = (None if e is None or _absent(e) else _bound(facts, e)
                            for e in (part.lower, part.upper, part.step))  # fmt: skip
    step = 1 if stride is None else _constant(stride)
    if step is None or UNKNOWN in (lower, upper):
        return facts.fresh()
    result = shapes.sliced(dim, _trivial(lower), upper, step)
    return facts.fresh() if shapes.too_long(result) else result


def _trivial(lower: Linear | None) -> Linear | None:
    return None if lower == (None, 0) else lower


def _absent(bound: Expr | None) -> bool:
    return bound is None or (isinstance(bound, Const) and bound.value is None)


def _constant(value: Any) -> int | None:
    return value[1] if isinstance(value, tuple) and value[0] is None else None


def _bound(facts: Facts, expr: Expr) -> Any:
    """A bound of a slice as a symbol; UNKNOWN: nothing is known."""
    if expr.type == UNKNOWN:
        raise Refusal("", poisoned=True)
    if not isinstance(expr.type, Scalar) or expr.type.dtype.startswith(("float", "complex")):
        raise Refusal("a bound of a slice that is no integer", "int(n), or n // k")
    value = facts.integer(expr)
    return UNKNOWN if value is None else value


def _gathered(facts: Facts, arrays: list[Array]) -> tuple[Dim, ...]:
    """The axes that arrays as indices make."""
    return shapes.broadcast(*((facts.fresh(),) if a.dtype == "bool" else a.shape for a in arrays))


def _layout(base: Array, parts: list[Any]) -> str:
    """Whether a view is contiguous: numbers, then at most one slice without a step, then whole axes."""
    if base.layout in ("F", "f") and parts == [Slice()] * base.ndim:
        return base.layout
    if base.layout not in ("C", "c"):
        return "A"
    rest = [p for p in parts if p is not None]
    while rest and isinstance(rest[0], Scalar):
        rest.pop(0)
    if rest and isinstance(rest[0], Slice) and (_absent(rest[0].step) or rest[0].step == constant(1)):
        rest.pop(0)
    return base.layout if all(p == Slice() for p in rest) else "A"


# ---------------------------------------------------------------- what makes indices


@returns(np.nonzero)
def nonzero(facts: Facts, a: Expr) -> Type:
    """The places where something is not zero: an array of subscripts for each axis."""
    count = facts.fresh()
    return TupleType((Array("int64", (count,), "C"),) * max(1, len(shape_of(kind(a)))))
