"""What the functions of `scipy.special` return that are no ufuncs."""

from __future__ import annotations

from itertools import chain

from scipy import special

from srcad.lang.ir import Call, Const, Expr
from srcad.lang.types import FLOAT, INT, Static, Type
from srcad.runtime.scipy_special_results import PARTS, amplitude
from srcad.runtime.scipy_special_shapes import (
    betainc_by_shapes, elliptic_integral, gammainc_by_shape, polygamma_of_complex, zeta_by_exponent,
)  # fmt: skip
from srcad.typing.elementwise import elementwise, ufunc
from srcad.typing.table import Facts, kind, returns


@returns(special.polygamma)
def polygamma(facts: Facts, n: Expr, x: Expr) -> Expr:
    """In double precision always, as SciPy's."""
    return Call(special.polygamma, (n, x), (), elementwise("float64", kind(n), kind(x)))


@returns(special.zeta)
def zeta(facts: Facts, x: Expr, q: Expr | None = None) -> Expr:
    """Riemann's of one, Hurwitz's of two numbers; compiled code has no names for them."""
    if q is None or q.type == Static(None):
        return Call(special.zeta, (x,), (), ufunc(special._ufuncs._riemann_zeta, (x,)))
    return Call(special.zeta, (x, q), (), ufunc(special._ufuncs._zeta, (x, q)))


@returns(gammainc_by_shape)
def by_shape(facts: Facts, order: Expr, a: Expr, x: Expr) -> Type:
    return ufunc(special.gammainc, (a, x))


@returns(zeta_by_exponent)
def by_exponent(facts: Facts, order: Expr, x: Expr, q: Expr) -> Type:
    return ufunc(special._ufuncs._zeta, (x, q))


@returns(elliptic_integral)
def elliptic(facts: Facts, k: Expr, p: Expr, phi: Expr, m: Expr) -> Type:
    return ufunc(special.ellipkinc, (phi, m))


@returns(amplitude)
def angle(facts: Facts, u: Expr, m: Expr) -> Type:
    return ufunc(special.ellipkinc, (u, m))


@returns(betainc_by_shapes)
def by_shapes(facts: Facts, i: Expr, j: Expr, a: Expr, b: Expr, x: Expr) -> Type:
    return ufunc(special.betainc, (a, b, x))


@returns(*chain.from_iterable(PARTS.values()))
def integral(facts: Facts, x: Expr) -> Type:
    """In the precision of the argument."""
    return ufunc(special.erf, (x,))


@returns(special.lambertw)
def lambertw(facts: Facts, z: Expr, k: Expr | None = None, tol: Expr | None = None) -> Expr:
    """Complex always, and in double precision where the tolerance is, as SciPy's."""
    narrow = kind(z).dtype == "complex64" and tol is not None and kind(tol).dtype == "float32"
    dtype = "complex64" if narrow else "complex128"
    args = (z, k or Const(0, INT), tol or Const(1e-8, FLOAT))
    return Call(special.lambertw, args, (), elementwise(dtype, *map(kind, args)))


@returns(polygamma_of_complex)
def polygamma_complex(facts: Facts, n: Expr, z: Expr) -> Type:
    return ufunc(special.erf, (z,))
