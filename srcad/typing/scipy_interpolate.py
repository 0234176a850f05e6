"""What the helpers of `scipy.interpolate` return."""

from __future__ import annotations

import operator

from srcad.lang.ir import Expr
from srcad.lang.types import INT, Array, Type
from srcad.runtime.scipy_interpolate_knots import knot_interval, knot_splines
from srcad.typing.table import Facts, Refusal, call, constant, kind, returns, shape_of


@returns(knot_splines)
def splines(facts: Facts, t: Expr, k: Expr, x: Expr, nu: Expr) -> Type:
    """One more than the degree for each point."""
    if kind(x).dtype.startswith("complex"):
        raise Refusal("a spline at complex points", "np.real(z)")
    count = facts.dim(call(facts, operator.add, k, constant(1)))
    return Array("float64", (count, *shape_of(kind(x))), "C")


@returns(knot_interval)
def interval(facts: Facts, t: Expr, k: Expr, x: Expr) -> Type:
    """A number for each point."""
    return Array("int64", shape_of(kind(x)), "C") if shape_of(kind(x)) else INT
