"""Joining the types that a name has on two paths, and the rule of conditional expressions."""

from __future__ import annotations

import numpy as np

from srcad.lang import shapes
from srcad.lang.ir import Call, Expr, select
from srcad.lang.promote import result_dtype
from srcad.lang.types import UNKNOWN, Array, Scalar, Static, TupleType, Type
from srcad.typing.refusal import Refusal, SeveralRanks
from srcad.typing.table import TEXT, Facts, call, constant, describe, returns


def join(a: Type, b: Type, name: str, what: str = "", wide: bool = False) -> Type:
    """The type of a value that has the type `a` or the type `b`; dimensions that disagree become those of `name`.

    Arrays of two dtypes are refused, unless the narrower one may become `wide`.

    >>> from srcad.lang.types import FLOAT, INT
    >>> join(INT, FLOAT, "s")
    Scalar(dtype='float64', weak=True)
    >>> join(Array("float64", ("n",), "C"), Array("float64", ("m",), "C"), "a").shape
    ('a.shape[0]',)
    """
    if a == b or b == UNKNOWN:
        return a
    if a == UNKNOWN:
        return b
    match a, b:
        case Scalar(dtype, weak), Scalar(other, also_weak):
            both = weak and also_weak
            return Scalar(dtype if dtype == other else result_dtype(a, b), both)
        case Array(), Array():
            return _arrays(a, b, name, what, wide)
        case TupleType(items, form), TupleType(others, other) if len(items) == len(others) and form == other:
            parts = enumerate(zip(items, others))
            return TupleType(tuple(join(x, y, f"{name}.{k}", what) for k, (x, y) in parts), form)
    raise _refusal(a, b, what)


def _arrays(a: Array, b: Array, name: str, what: str, wide: bool) -> Array:
    if a.ndim != b.ndim:
        raise SeveralRanks(f"{what} is an array of rank {a.ndim} on one path and of rank {b.ndim} on another",
                           "arrays of one rank, under one name each")  # fmt: skip
    dtype = result_dtype(a, b)
    if a.dtype != b.dtype and not wide:
        raise two_dtypes(what, a.dtype, b.dtype, dtype)
    dims = tuple(x if x == y else shapes.symbol(name, k) for k, (x, y) in enumerate(zip(a.shape, b.shape)))
    same = a.layout if a.layout == b.layout else a.layout.lower()
    return Array(dtype, dims, same if same.lower() == b.layout.lower() else "A")


def two_dtypes(what: str, a: str, b: str, wide: str) -> Refusal:
    """One name for arrays of two dtypes."""
    return Refusal(f"{what} is an array of {a} on one path and of {b} on another",
                   f"arrays of one dtype: x.astype(np.{wide})")  # fmt: skip


def _refusal(a: Type, b: Type, what: str) -> Refusal:
    if {type(a), type(b)} == {Scalar, Array}:
        if not (getattr(a, "shape", ()) or getattr(b, "shape", ())):
            return SeveralRanks(f"{what} is a number on one path and an array without axes on another",
                                "its number from the start: s = x[()]")  # fmt: skip
        return SeveralRanks(f"{what} is a number on one path and an array on another",
                            "an array from the start: s = np.zeros(shape)")  # fmt: skip
    if any(isinstance(t, Static) for t in (a, b)):
        number = a if isinstance(b, Static) else b
        flag = "a flag and a number: found = False; best = 0.0"
        remedy = flag if isinstance(number, Scalar) else "a value of one type"
        if all(isinstance(t, Static) and isinstance(t.value, str) or t == TEXT for t in (a, b)):
            remedy = "one of a few texts, to which no loop adds: kinds.append(kind), or a number"
        return Refusal(f"{what} is {describe(a)} on one path and {describe(b)} on another", remedy)
    kinds = [f"{describe(t)} of {len(t.items)}" if isinstance(t, TupleType) else describe(t) for t in (a, b)]
    remedy = "values of one type"
    if isinstance(a, TupleType) and isinstance(b, TupleType):
        keyed = a.form.keys or b.form.keys
        length = "one length on all paths, or a list that begins before: xs = []"
        remedy = "the same keys on all paths" if keyed else length
    return Refusal(f"{what} is {kinds[0]} on one path and {kinds[1]} on another", remedy)


@returns(select)
def conditional(facts: Facts, test: Expr, then: Expr, orelse: Expr) -> Type | Expr:
    """``then if test else orelse``; of arrays of two dtypes, the narrower one is converted."""
    if isinstance(test.type, Array):
        raise Refusal("the truth of an array", "np.where")
    pair = (then.type, orelse.type)
    if all(isinstance(t, Static) and isinstance(t.value, str) for t in pair):
        return TEXT
    if all(isinstance(t, Array) for t in pair) and pair[0].dtype != pair[1].dtype:
        wide = constant(np.dtype(result_dtype(*pair)).type)
        sides = [e if e.type.dtype == np.dtype(wide.value).name else call(facts, np.ndarray.astype, e, wide)
                 for e in (then, orelse)]  # fmt: skip
        result = conditional(facts, test, *sides)
        return Call(select, (test, *sides), (), result) if isinstance(result, Type) else result
    return join(then.type, orelse.type, str(facts.fresh()), "this conditional expression")
