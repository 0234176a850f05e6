"""Complex numbers: `complex` and the functions of `cmath`."""

from __future__ import annotations

import cmath
from typing import Any

from srcad.lang.ir import Expr
from srcad.lang.types import BOOL, FLOAT, Array, Scalar, Type
from srcad.typing import tuples
from srcad.typing.table import Facts, Refusal, call, describe, kind, returns

COMPLEX = Scalar("complex128", weak=True)
_RESULTS = {cmath.phase: FLOAT, cmath.isnan: BOOL, cmath.isinf: BOOL, cmath.isfinite: BOOL, cmath.isclose: BOOL}
_IN_NUMPY = {cmath.phase: "np.angle", cmath.asin: "np.arcsin", cmath.acos: "np.arccos", cmath.atan: "np.arctan",
             cmath.asinh: "np.arcsinh", cmath.acosh: "np.arccosh", cmath.atanh: "np.arctanh"}  # fmt: skip


@returns(complex)
def of_parts(facts: Facts, real: Expr, imag: Expr | None = None) -> Type:
    """``complex(real, imag)``"""
    for part in (real,) if imag is None else (real, imag):
        if isinstance(kind(part), Array):
            raise Refusal("complex of an array", "x.astype(complex), or a + 1j * b")
    return COMPLEX


@returns(cmath.polar)
def polar(facts: Facts, z: Expr) -> Expr:
    """Length and angle."""
    return tuples.pack((call(facts, abs, z), call(facts, cmath.phase, z)))


def _enter(fn: Any) -> None:
    def rule(facts: Facts, *args: Expr, **options: Expr) -> Type:
        for arg in args:
            if not isinstance(arg.type, Scalar):
                remedy = _IN_NUMPY.get(fn, f"np.{fn.__name__}")
                raise Refusal(f"cmath.{fn.__name__} of {describe(arg.type)}", remedy)
        return _RESULTS.get(fn, COMPLEX)

    returns(fn)(rule)


for _name, _fn in vars(cmath).items():
    if callable(_fn) and not _name.startswith("_") and _fn is not cmath.polar:
        _enter(_fn)
