"""The functions of `srcad.runtime`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from srcad import library, runtime
from srcad.lang.ir import Call, Expr, Method
from srcad.lang.promote import result_dtype, ufunc_dtypes
from srcad.lang.types import BOOL, FLOAT, INT, Array, Scalar, TupleType, Type, is_float
from srcad.runtime import marks
from srcad.typing.elementwise import elementwise
from srcad.typing.indexing import element
from srcad.typing.reductions import summed
from srcad.typing.table import Facts, Refusal, axis_argument, call, constant, items, kind, made, returns, shape_of
from srcad.typing.tuples import pack


@returns(runtime.stop_gradient, marks.hold, marks.probe, marks.seeded, marks.detached)
def same(facts: Facts, x: Expr, shift: Expr | None = None) -> Type | Expr:
    """The argument itself; of a structure, each element."""
    if isinstance(x.type, TupleType):
        return replace(pack(tuple(call(facts, runtime.stop_gradient, item) for item in items(facts, x))), type=x.type)
    return x.type


@returns(runtime.solution)
def solution(facts: Facts, x: Expr, orders: Expr) -> Type:
    """The argument itself; the number of orders is a constant."""
    facts.static(orders, "order=")
    return x.type


@returns(marks.watched, marks.accessed, marks.unrecorded)
def taped(facts: Facts, x: Expr, tape: Expr) -> Type | Expr:
    """The argument itself; what cannot be differentiated needs no mark."""
    return x.type if is_float(x.type) else x


@returns(marks.reassigned)
def reassigned(facts: Facts, old: Expr, new: Expr) -> Type:
    """The dtype and rank of the old value, and the lengths of the new one, which are the same."""
    if shape_rank(old) != shape_rank(new):
        raise Refusal("a Variable that is given a value of another rank", "a value of its own shape")
    return old.type


@returns(marks.picked)
def picked(facts: Facts, again: Expr, value: Expr) -> Type:
    """The value itself."""
    return value.type


def shape_rank(x: Expr) -> int:
    return len(shape_of(kind(x)))


@returns(marks.pin)
def pinned(facts: Facts, x: Expr) -> Type | Expr:
    """A number as it is; anything else needs no mark."""
    return x.type if isinstance(x.type, Scalar) else x


@returns(runtime.sum_to)
def sum_to(facts: Facts, value: Expr, like: Expr) -> Type:
    """`value` in the shape of `like`: itself, or an array in C order if that is in C order."""
    if isinstance(like.type, Array) and not like.type.ndim:
        return Array(kind(value).dtype, (), "C")
    layout = value.type.layout if isinstance(value.type, Array) and value.type.layout == "C" else "A"
    return made(kind(value).dtype, shape_of(kind(like)), layout)


@returns(runtime.segment_length, runtime.states_kept, runtime.stride, runtime.with_states)
def scheduled(facts: Facts, *counts: Expr) -> Type:
    """A number of iterations or of states."""
    return INT


@returns(
    runtime.out_of_bounds, runtime.other_lengths, runtime.overlaps, runtime.in_c_order, runtime.reshapes_in_place,
)  # fmt: skip
def yes_or_no(facts: Facts, *args: Expr) -> Type:
    """Yes or no."""
    return BOOL


@returns(runtime.reshaped)
def reshaped(facts: Facts, x: Expr, shape: Expr) -> Type | Expr:
    """As what is reshaped, with gaps."""
    made = call(facts, np.reshape, x, shape)
    return replace(made.type, layout="A") if isinstance(made.type, Array) else made.type  # type: ignore[union-attr]


@returns(runtime.zeros_as)
def zeros_as(facts: Facts, a: Expr) -> Type:
    """An array of another's dtype and shape, in whatever order it lies."""
    return made(kind(a).dtype, shape_of(kind(a)), "A")


@returns(runtime.with_real, runtime.with_imag)
def with_part(facts: Facts, z: Expr, x: Expr) -> Type:
    """The type of the complex numbers."""
    if len(shape_of(kind(x))) > len(shape_of(kind(z))):
        raise Refusal("a part of a complex array that has more axes", "a value of the place's rank")
    return z.type


@returns(runtime.received)
def received(facts: Facts, target: Expr, source: Expr) -> Type:
    """A subscript for every element of the target."""
    return Array("int64", shape_of(kind(target)), "C")


@returns(runtime.survives)
def survives(facts: Facts, array: Expr, index: Expr) -> Type:
    """A truth value for every element of ``array[index]``."""
    base = kind(array)
    place = element(facts, base, index) if isinstance(base, Array) else base
    assert isinstance(place, (Array, Scalar))
    return replace(place, dtype="bool")


@returns(runtime.digamma)
def special(facts: Facts, x: Expr) -> Type:
    """Floats."""
    return FLOAT if isinstance(kind(x), Scalar) else elementwise(result_dtype(kind(x), FLOAT), kind(x))


@returns(runtime.nth_smallest)
def nth_smallest(facts: Facts, a: Expr, k: Expr, numbers: Any = None) -> Type:
    """The places of elements in each row."""
    return Array("int64", (*shape_of(kind(a))[:-1], shape_of(kind(k))[-1]), "C")


@returns(library.axis_of)
def axis_of(facts: Facts, axis: Expr, ndim: Expr) -> Expr:
    """An axis, counted from the front."""
    return constant(axis_argument(facts, axis, facts.known(ndim)))


@returns(library.refuse)
def refuse(facts: Facts, what: Expr, instead: Expr) -> Type:
    """A form of a function of NumPy's that the library does not have."""
    refusal = Refusal(facts.static(what), facts.static(instead))
    function = str(refusal.reason).partition(" ")[0].rpartition(".")[2]
    refusal.expr = Call(Method(function), ())  # the call that the user wrote, not the one in the library
    raise refusal


def _enter(name: str, rule: Any) -> None:
    if hasattr(runtime, name):
        returns(getattr(runtime, name))(rule)


_enter("mantissas", lambda facts, x: elementwise(np.frexp(np.ones(1, kind(x).dtype))[0].dtype.name, kind(x)))
_enter("exponents", lambda facts, x: elementwise("int32", kind(x)))
_enter("on_diagonal", lambda facts, value, like, k=None: made(kind(value).dtype, shape_of(kind(like)), "C"))
_enter("cholesky_bar", lambda facts, factor, factor_bar: made(kind(factor).dtype, shape_of(kind(factor)), "C"))
_enter("factored", lambda facts, a: Array(kind(a).dtype, (facts.fresh(), shape_of(kind(a))[1]), "F"))
for _name in ("solved", "solved_transposed"):
    _enter(_name, lambda facts, factors, b: made(kind(b).dtype, shape_of(kind(b)), "C"))
_enter("bit_counts", lambda facts, x: elementwise("uint8", kind(x)))
_enter("even_bins", lambda facts, v, edges: Array("int64", shape_of(kind(v)), "C"))
_enter("counted", lambda facts, x, weights, minlength: call(facts, np.bincount, x, weights, minlength).type)
_enter("rolled", lambda facts, a, shift, axis: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("rolled_over", lambda facts, a, shifts: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("cumsum_along", lambda facts, a, axis: made(summed(kind(a).dtype), shape_of(kind(a)), "C"))
_enter("argsort_along", lambda facts, a, axis: made("int64", shape_of(kind(a)), "C"))
_enter("partition_along", lambda facts, a, kth, axis: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("lower_triangle", lambda facts, a, k=None: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("upper_triangle", lambda facts, a, k=None: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("sort_along", lambda facts, a, axis: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("argpartition_along", lambda facts, a, kth, axis: made("int64", shape_of(kind(a)), "C"))
_enter("product_of_others", lambda facts, a, axis=None: made(kind(a).dtype, shape_of(kind(a)), "A"))
_enter("products_of_others_dot", lambda facts, a, moved, axis=None: made(kind(a).dtype, shape_of(kind(a)), "C"))
_enter("sinc_slope", lambda facts, x, order: elementwise(ufunc_dtypes(np.sin, (kind(x),))[0], kind(x)))
_enter("polygamma", lambda facts, n, x: FLOAT)
_enter("bessel_i", lambda facts, n, x: special(facts, x))
_enter("first_equal", lambda facts, values, value: INT)
_enter("first_pair", lambda facts, values, others, value, other: INT)
_enter("grow", lambda facts, tape: Array(kind(tape).dtype, (facts.fresh(), *shape_of(kind(tape))[1:]), "C"))
_enter("room_for", lambda facts, tape, count: Array(kind(tape).dtype, (facts.fresh(), *shape_of(kind(tape))[1:]), "C"))
_enter("no_records", lambda facts, x: Array(
    kind(x).dtype, (facts.fresh(), *(facts.unsaid() for _ in shape_of(kind(x)))), "C"))
_enter("recorded", lambda facts, records, x: Array(kind(x).dtype, (facts.fresh(), *shape_of(kind(records))[1:]), "C"))
