"""What writes into arrays: augmented assignment, stores, and calls made for their effect; part of `infer`."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.analysis.buffers import basic_index
from srcad.lang.arrays import axis_length, is_ellipsis, items_of
from srcad.lang.ir import (
    Accum, Call, Effect, Expr, If, Let, Method, Slice, Stmt, Store, Tuple, Var, hint, raise_,
)  # fmt: skip
from srcad.lang.left import current
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, NONE, UNKNOWN, Array, Scalar, TupleType, Type
from srcad.runtime import LengthsDiffer, add_at
from srcad.transforms import parts, stores_by_test
from srcad.transforms.scatter import in_brackets
from srcad.lang.lists import slot, within
from srcad.typing import one
from srcad.typing.flat import is_flat
from srcad.typing.lists import empty, inside, is_nothings, kept_exactly, place, unsure
from srcad.typing.table import Refusal, constant, describe, is_row, kind, shape_of
from srcad.typing.typer import IN_PLACE, Typer

_SYMBOLS = {operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.floordiv: "//",
            operator.mod: "%", operator.pow: "**", operator.matmul: "@"}  # fmt: skip
_WHOLE, _NUMBER = constant(Ellipsis), Tuple((), TupleType(()))
_OPERATORS = {np.add: operator.add, np.subtract: operator.sub}


def update(typer: Typer, stmt: Let) -> list[Stmt] | None:
    """``x += e`` of an array: it is changed in place, and the new name means the same array."""
    match stmt.value:
        case Call(fn, (Var() as old, right), ()) if fn.__hash__ is not None and fn in IN_PLACE:
            base = typer.expr(old)
            if isinstance(base, Call) and parts.is_part(base):
                typer.names[stmt.target] = base  # type: ignore[assignment]
                return parts.store(typer, stmt.origin, base, _WHOLE, None, (IN_PLACE[fn], typer.expr(right)))
            if isinstance(base, Var) and isinstance(base.type, Array):
                typer.names[stmt.target] = base
                return [_change(typer, stmt, base, whole(base), IN_PLACE[fn], typer.expr(right), base)]
    return None


def without_axes(typer: Typer, written: Expr, value: Expr) -> Expr:
    """What a name stands for after ``z = x[i, ...]``: a number, or a view without axes where arrays are written to."""
    match written:
        case Call(operator.getitem, (_, index)) if any(map(is_ellipsis, items_of(index))):
            pass
        case _:
            return value
    match value:
        case Call(operator.getitem, (base, index), (), Scalar()) if isinstance(base.type, Array):
            places, base = items_of(index), typer.by_name(base)
            if not places:
                return base
            none = constant(None)
            one = Tuple((*places, none), TupleType((*(each.type for each in places), none.type)))
            return typer.expr(Call(np.reshape, (Call(operator.getitem, (base, one)), Tuple((), TupleType(())))))
    return value


def whole(array: Expr) -> Expr:
    """The index of all elements: of an array of rank 0 a number, as what is computed from it is."""
    return _WHOLE if shape_of(kind(array)) else _NUMBER


def _change(typer: Typer, stmt: Let | Store, base: Var, index: Expr, op: Any, right: Expr, old: Expr) -> Stmt:
    """``base[index] op= right``, where `old` is what stands there."""
    right = _as_array(typer, right)
    result = typer.apply(op, (old, right))
    _check(kind(base).dtype, kind(old), kind(result), hint(base.name), op)
    if _addable(base.type, kind(right).dtype, op) and basic_index(index):
        value = right if op is operator.add else typer.apply(operator.neg, (right,))
        return Accum(old, value, stmt.origin)
    return Store(base, index, result, stmt.origin)


def _addable(base: Type, right: str, op: Any) -> bool:
    """Whether adding the value, or its negative, is exactly what the operator does."""
    if not (isinstance(base, Array) and base.dtype.startswith(("float", "complex"))):
        return False
    return op is operator.add or (op is operator.sub and not right.startswith(("bool", "uint")))


def _check(dtype: str, place: Scalar | Array, result: Scalar | Array, name: str, op: Any) -> None:
    """NumPy refuses to change an array in place to another kind of number or another shape."""
    sign = _SYMBOLS.get(op, "")
    remedy = f"{name} = {name} {sign} ..."
    if isinstance(place, Array) and not np.can_cast(result.dtype, dtype, "same_kind"):
        raise Refusal(f"{name} {sign}= ... makes {result.dtype} of an array of {dtype}", remedy)
    if len(shape_of(result)) > len(shape_of(place)):
        raise Refusal(f"{name} {sign}= ... of an array of a higher rank", remedy)


def store(typer: Typer, stmt: Store, base: Expr, index: Expr, value: Expr) -> list[Stmt]:
    """``base[index] = value``, and ``base[index] += value`` where the value reads the same place."""
    if isinstance(index, Call) and index.fn is slot:
        return list_store(typer, stmt, base, index, value)
    array = typer.expr(base)
    if isinstance(index, Call) and index.fn is within:
        return _store_within(typer, stmt, array, index, value)
    if is_nothings(array):
        return []
    if not isinstance(array.type, Array):
        raise Refusal(f"a store into {describe(array.type)}", "an array: a = np.zeros(n)")
    if isinstance(array, Call) and parts.is_part(array):
        return _store_part(typer, stmt, base, array, index, value)
    if not isinstance(array, Var) and not is_flat(array):
        raise AssertionError("arrays from outside are refused, all others have names")
    array, index = typer.every((array, index))
    if isinstance(array, Var) and one.is_one(array) and one.is_test(index):
        return stores_by_test.store(typer, stmt, array, index)
    place = typer.apply(operator.getitem, (array, index))
    assert isinstance(place, Call)
    array, index = place.args
    assert isinstance(array, Var)
    match value:
        case Call(fn, (Call(operator.getitem, (old, at)), right), ()) if (
            fn.__hash__ is not None and fn in IN_PLACE and old == base and at == stmt.index
        ):
            return [_change(typer, stmt, array, index, IN_PLACE[fn], typer.expr(right), place)]
    value = _as_array(typer, typer.expr(value))
    return [replace(stmt, base=array, index=index, value=_fitting(value, kind(place), array))]


def _store_within(typer: Typer, stmt: Store, array: Expr, index: Call, value: Expr) -> list[Stmt]:
    """An element of a list that is an array; unlike that of an array, it may become one of another dtype."""
    known = typer.expr(value).type
    position = inside(typer, index, known)
    if isinstance(array.type, Array) and isinstance(known, (Scalar, Array)):
        if not kept_exactly(array.type, known):
            reason = f"a store of {describe(known)} into a list of whole numbers that is handed on or copied"
            raise Refusal(reason, "numbers with a point where the list begins: [0.0] * n")
    return store(typer, replace(stmt, index=position), stmt.base, position, value)


def _store_part(typer: Typer, stmt: Store, base: Expr, part: Call, index: Expr, value: Expr) -> list[Stmt]:
    match value:
        case Call(fn, (Call(operator.getitem, (old, at)), right), ()) if (
            fn.__hash__ is not None and fn in IN_PLACE and old == base and at == stmt.index
        ):
            return parts.store(typer, stmt.origin, part, index, None, (IN_PLACE[fn], typer.expr(right)))
    return parts.store(typer, stmt.origin, part, index, _as_array(typer, typer.expr(value)), None)


def _as_array(typer: Typer, value: Expr) -> Expr:
    """What is stored into an array; of a tuple or a list, NumPy makes an array first."""
    return typer.apply(np.array, (value,)) if is_row(value.type) else value


def list_store(typer: Typer, stmt: Store, base: Expr, index: Call, value: Expr) -> list[Stmt]:
    """An element of a list that grows is put into its buffer."""
    match value:
        case Call(fn, (old, right), ()) if fn.__hash__ is not None and fn in IN_PLACE:
            position = index.args[1]
            if old == Call(operator.getitem, (base, position)) and isinstance(typer.expr(old).type, Array):
                return store(typer, replace(stmt, index=position), base, position, value)
            value = Call(IN_PLACE[fn], (old, right))
    value = typer.expr(value)
    if value.type == NONE:  # type: ignore[union-attr]
        filler = empty(typer, index)
        return [] if filler is None else store(typer, stmt, base, index.args[1], filler)
    position, buffer = place(typer, index, value, stmt.inside), typer.expr(base)
    alone = isinstance(position, Slice) or not isinstance(value.type, Array)
    axes = [] if alone else unsure(shape_of(kind(value)), shape_of(kind(buffer))[1:])
    rank = len(shape_of(kind(value))) if axes and current().exactly else 0
    current().may_differ(index.args[0].value, stmt.origin, bool(axes), rank)  # type: ignore
    if not axes:
        return store(typer, stmt, base, position, value)
    value = typer.by_name(value)
    assert isinstance(buffer, Var)
    return [*_of_one_shape(value, buffer, axes, stmt.origin), *store(typer, stmt, base, position, value)]


def _of_one_shape(value: Expr, buffer: Var, axes: list[int], origin: Origin) -> list[Stmt]:
    """Raise where an array has another shape than the elements of the list into which it is put.

    The caller then calls the text that takes no shapes to be one; it raises where nothing but an array is for the list.
    """
    known = current()
    known.taken = True
    text = f"the list {hint(buffer.name)} holds arrays of one shape, and this one has another"
    error = (constant(ValueError), constant(text)) if known.exactly else (constant(LengthsDiffer),)
    failure = Effect(Call(raise_, error, (), NONE), origin)
    tests = [Call(operator.ne, (axis_length(value, k), axis_length(buffer, k + 1)), (), BOOL) for k in axes]
    return [If(test, (failure,), (), origin) for test in tests]


def _fitting(value: Expr, place: Scalar | Array, array: Var) -> Expr:
    if value.type == UNKNOWN:
        raise Refusal("", poisoned=True)
    if not isinstance(value.type, (Scalar, Array)):
        raise Refusal(f"a store of {describe(value.type)}", "np.array(...) of it")
    if len(shape_of(value.type)) > len(shape_of(place)):
        into = "an element" if isinstance(place, Scalar) else describe(place)
        reason = f"a store of {describe(value.type)} into {into} of {hint(array.name)}"
        raise Refusal(reason, "a value of the place's rank")
    if value.type.dtype.startswith("complex") and not kind(array).dtype.startswith("complex"):
        raise Refusal("a store of a complex number into a real array", "its real part, np.real(z)")
    return value


def effect(typer: Typer, stmt: Effect) -> list[Stmt] | None:
    """Calls that write into an array: ``a.fill(v)``, ``operator.setitem(a, i, v)``, ``np.add.at(a, i, v)``."""
    match stmt.call:
        case Call(Method("fill"), (base, value), ()):
            return store(typer, Store(base, _WHOLE, value, stmt.origin), base, _WHOLE, value)
        case Call(fn, (base, index, value), ()) if fn is operator.setitem:
            return store(typer, Store(base, index, value, stmt.origin), base, index, value)
        case Call(fn, (base, index, value), ()) if getattr(fn, "__name__", "") == "at" and hasattr(fn, "__self__"):
            return _at(typer, stmt, fn.__self__, base, index, value)
        case Call(fn, (base, index, value), ()) if fn is add_at:
            return _at(typer, stmt, np.add, base, in_brackets(index), value)
    return None


def _at(typer: Typer, stmt: Effect, ufunc: Any, base: Expr, index: Expr, value: Expr) -> list[Stmt]:
    place = typer.expr(Call(operator.getitem, (typer.expr(base), index)))
    amount = typer.expr(value)
    if ufunc not in (np.add, np.subtract) or not _addable(place.args[0].type, kind(amount).dtype, _OPERATORS[ufunc]):
        raise Refusal(f"np.{ufunc.__name__}.at here", "a loop over the indices")
    return [Accum(place, amount if ufunc is np.add else typer.apply(operator.neg, (amount,)), stmt.origin)]
