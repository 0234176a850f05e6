"""The functions of `srcad.runtime`."""

from __future__ import annotations

from typing import Any

from srcad import runtime
from srcad.lang.ir import Expr
from srcad.lang.promote import result_dtype
from srcad.lang.types import FLOAT, Scalar, Type
from srcad.typing.elementwise import elementwise
from srcad.typing.table import Facts, kind, made, returns, shape_of


@returns(runtime.stop_gradient)
def same(facts: Facts, x: Expr) -> Type:
    """The argument itself."""
    return x.type


@returns(runtime.sum_to)
def sum_to(facts: Facts, value: Expr, like: Expr) -> Type:
    """`value` in the shape of `like`."""
    return made(kind(value).dtype, shape_of(kind(like)), "A")


@returns(runtime.digamma)
def special(facts: Facts, x: Expr) -> Type:
    """Floats."""
    return FLOAT if isinstance(kind(x), Scalar) else elementwise(result_dtype(kind(x), FLOAT), kind(x))


def _enter(name: str, rule: Any) -> None:
    if hasattr(runtime, name):
        returns(getattr(runtime, name))(rule)


_enter("on_diagonal", lambda facts, value, like, k=None: made(kind(value).dtype, shape_of(kind(like)), "C"))
_enter("product_of_others", lambda facts, a, axis=None: made(kind(a).dtype, shape_of(kind(a)), "A"))
