"""What the transforms of cosines and sines of `scipy.fft` return."""

from __future__ import annotations

from scipy import fft as transforms

from srcad.lang.ir import Const, Expr
from srcad.lang.types import Array, Type
from srcad.typing.table import Facts, Refusal, axes_argument, kind, made, returns


@returns(transforms.dct, transforms.dst)
def cosines(facts: Facts, x: Expr, type: Expr | None = None, n: Expr | None = None, axis: Expr | None = None,
            norm: Expr | None = None) -> Type:  # fmt: skip
    """As many real numbers as there are."""
    found = kind(x)
    if not isinstance(found, Array) or found.dtype.startswith("complex"):
        raise Refusal("scipy.fft.dct or dst of complex numbers or of a number", "an array of real numbers")
    if type is not None and not (isinstance(type, Const) and type.value in (1, 2, 3, 4)):
        raise Refusal("scipy.fft.dct or dst of this type", "type 1, 2, 3 or 4, a constant")
    axes_argument(facts, axis, found.ndim)
    return made("float32" if found.dtype == "float32" else "float64", found.shape, "C")
