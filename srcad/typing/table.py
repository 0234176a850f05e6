"""What each primitive returns: the table, and the notation in which it is written.

A typing rule has the primitive's own parameters, after the `Facts` of the place where it is called; its arguments are
typed expressions. It gives the type of the result, or another expression, typed, to put in the call's place::

    @returns(np.trace)
    def trace(facts, a):
        return Scalar(kind(a).dtype)
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Union

import numpy as np

from srcad.lang.ir import Call, Const, Expr, Tuple, element_at
from srcad.lang.promote import type_of
from srcad.lang.structure import taken_apart, word
from srcad.lang.types import TUPLE, UNKNOWN, Array, Dim, Scalar, Static, TupleType, Type
from srcad.runtime.libraries import enter
from srcad.typing.facts import Facts
from srcad.typing.refusal import NeedsArray, Refusal

Rule = Callable[..., Union[Type, Expr]]
_TABLE: dict[Any, Rule] = {}
TEXT = Static("<text>")
"""The type of text that is made at run time, for print and raise."""


def returns(*primitives: Any) -> Callable[[Rule], Rule]:
    """Enter a typing rule for these primitives."""

    def enter(rule: Rule) -> Rule:
        _TABLE.update(dict.fromkeys(primitives, rule))
        return rule

    return enter


def find(primitive: Any) -> Rule | None:
    """The typing rule of a primitive."""
    enter("srcad.typing")
    try:
        return _TABLE.get(primitive)
    except TypeError:  # not hashable
        return None


def kind(expr: Expr) -> Scalar | Array:
    """The type of a number or an array; anything else is refused."""
    type = expr.type
    if isinstance(type, (Scalar, Array)):
        return type
    if isinstance(type, TupleType):
        raise NeedsArray(expr)
    if isinstance(type, Static):
        raise Refusal(f"{describe(type)} where a number or an array is needed", "a number or an array")
    raise Refusal("", poisoned=True)


def describe(type: Type) -> str:
    """A type in words.

    >>> describe(Array("float64", ("n", "m")))
    'an array of rank 2'
    """
    if isinstance(type, Array):
        return f"an array of rank {type.ndim}"
    if isinstance(type, Scalar):
        return "a number"
    if isinstance(type, TupleType):
        return f"a {type.form.cls.__name__}"
    if isinstance(type, Static):
        return repr(type.value) if type.value is None or isinstance(type.value, str) else "an object"
    return "an unknown value"


def is_row(type: Type) -> bool:
    """Whether a type is that of a tuple or a list, of which NumPy makes an array where it needs one."""
    return isinstance(type, TupleType) and type.form.cls in (tuple, list)


def shape_of(type: Scalar | Array) -> tuple[Dim, ...]:
    return type.shape if isinstance(type, Array) else ()


def made(dtype: str, shape: tuple[Dim, ...], layout: str = "C") -> Type:
    """An array, or the scalar that NumPy returns in place of an array without axes."""
    return Array(dtype, shape, "C" if len(shape) == 1 and layout in "Ffc" else layout) if shape else Scalar(dtype)


def constant(value: Any) -> Const:
    """A typed constant."""
    return Const(value, type_of(value))


def call(facts: Facts, fn: Any, *args: Expr, **kwargs: Expr) -> Expr:
    """A typed call of another primitive, for a rule that rewrites."""
    rule = find(fn)
    assert rule is not None, fn
    result = rule(facts, *args, **kwargs)
    return Call(fn, args, tuple(kwargs.items()), result) if isinstance(result, Type) else result


def constant_items(expr: Const) -> tuple[Const, ...]:
    """The elements of a constant structure; arrays among them are called after it."""
    form, values = taken_apart(expr.value) or (TUPLE, ())
    keys = form.keys or range(len(values))
    return tuple(Const(v, type_of(v), f"{expr.name or 'c'}_{word(key)}" if isinstance(v, np.ndarray) else None)
                 for key, v in zip(keys, values))  # fmt: skip


def element(base: Expr, position: int) -> Expr:
    """The element at a position."""
    match base:
        case Tuple(parts):
            return parts[position]
        case Const():
            return constant_items(base)[position]
    by_index = operator.getitem if base.type.form.cls in (tuple, list) else element_at
    return Call(by_index, (base, constant(position)), (), base.type.items[position])


def items(facts: Facts, expr: Expr) -> tuple[Expr, ...]:
    """The elements of a tuple of known length."""
    if isinstance(expr, Tuple):
        return expr.items
    if isinstance(expr.type, TupleType):
        return tuple(element(expr, k) for k in range(len(expr.type.items)))
    if isinstance(expr.type, Array):
        raise Refusal("an array where a tuple of arrays is needed", "a tuple (x, y) of them")
    if expr.type == UNKNOWN:
        raise Refusal("", poisoned=True)
    raise Refusal(f"{describe(expr.type)} where a tuple is needed", "a tuple (x, y)")


def dtype_argument(facts: Facts, expr: Expr | None, default: str) -> str:
    """The dtype that a ``dtype=`` argument names."""
    if expr is None or (isinstance(expr, Const) and expr.value is None):
        return default
    value = facts.static(expr, "a dtype")
    try:
        return np.dtype(value).name
    except TypeError:
        if not isinstance(value, str):
            raise Refusal("a dtype that is not known at compile time", "a constant") from None
        raise Refusal(f"{value!r} is no dtype", "np.float64, np.float32, np.int64, ...") from None


def axes_argument(facts: Facts, expr: Expr | None, rank: int) -> tuple[int, ...]:
    """The axes that an ``axis=`` argument names, counted from the front; None: all."""
    value = None if expr is None else facts.static(expr, "an axis")
    if value is None:
        return tuple(range(rank))
    axes = value if isinstance(value, (tuple, list)) else (value,)
    if not all(isinstance(a, (int, np.integer)) and -rank <= a < rank for a in axes):
        raise Refusal(f"axis {value} of {'a number' if not rank else f'an array of rank {rank}'}",
                      f"an axis from {-rank} to {rank - 1}" if rank else "the number itself")  # fmt: skip
    return tuple(int(a) % rank for a in axes)


def axis_argument(facts: Facts, expr: Expr, rank: int) -> int:
    """The one axis that an argument names."""
    (axis,) = axes_argument(facts, expr, rank)
    return axis

