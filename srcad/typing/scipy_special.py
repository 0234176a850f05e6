"""What the functions of `scipy.special` return that are no ufuncs."""

from __future__ import annotations

from scipy import special

from srcad import runtime
from srcad.lang.ir import Call, Expr
from srcad.lang.types import Array, Static, Type
from srcad.typing.elementwise import ufunc
from srcad.typing.table import Facts, Refusal, constant, kind, returns


@returns(special.polygamma)
def polygamma(facts: Facts, n: Expr, x: Expr) -> Expr:
    """As the zeta function behind it; the order has no part in the precision unless it is an array."""
    order = n if isinstance(n.type, Array) else constant(1.0)
    return Call(special.polygamma, (n, x), (), ufunc(special._ufuncs._zeta, (order, x)))


@returns(special.zeta)
def zeta(facts: Facts, x: Expr, q: Expr | None = None) -> Expr:
    """Riemann's of one, Hurwitz's of two numbers; compiled code has no names for them."""
    if q is None or q.type == Static(None):
        return Call(special.zeta, (x,), (), ufunc(special._ufuncs._riemann_zeta, (x,)))
    return Call(special.zeta, (x, q), (), ufunc(special._ufuncs._zeta, (x, q)))


@returns(
    runtime.sine_integral, runtime.cosine_integral, runtime.hyperbolic_sine_integral,
    runtime.hyperbolic_cosine_integral, runtime.fresnel_sine, runtime.fresnel_cosine,
)  # fmt: skip
def integral(facts: Facts, x: Expr) -> Type:
    """Real numbers in the precision of the argument."""
    if kind(x).dtype.startswith("complex"):
        raise Refusal("an integral of scipy.special at complex numbers", "real numbers")
    return ufunc(special.erf, (x,))
