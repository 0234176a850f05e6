"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from srcad import runtime
from srcad.lang.ir import Expr
from srcad.lang.types import Array, Dim, Type
from srcad.typing.table import Facts, Refusal, axes_argument, describe, kind, made, returns


def _array(x: Expr, what: str) -> Array:
    found = kind(x)
    if not isinstance(found, Array):
        raise Refusal(f"{what} of {describe(found)}", "an array")
    return found


def _complex(dtype: str) -> str:
    return np.result_type(dtype, np.complex64).name if dtype != "float16" else "complex64"


def _enter(fn: Any) -> None:
    def same_shape(facts: Facts, a: Expr, n: Expr | None = None, axis: Expr | None = None,
                   norm: Expr | None = None, axes: Expr | None = None, s: Expr | None = None) -> Type:  # fmt: skip
        array = _array(a, f"np.fft.{fn.__name__}")
        axes_argument(facts, axes or axis, array.ndim)
        return made(_complex(array.dtype), array.shape, "C")

    returns(fn)(same_shape)


for _fn in (np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn):
    _enter(_fn)


def _with_length(facts: Facts, array: Array, axis: Expr | None, dtype: str, dim: Dim) -> Type:
    along = axes_argument(facts, axis, array.ndim)[-1]
    return made(dtype, tuple(dim if k == along else d for k, d in enumerate(array.shape)), "C")


@returns(np.fft.rfft)
def rfft(facts: Facts, a: Expr, n: Expr | None = None, axis: Expr | None = None, norm: Expr | None = None) -> Type:
    """The frequencies that are not negative."""
    array = _array(a, "np.fft.rfft")
    if array.dtype.startswith("complex"):
        raise Refusal("np.fft.rfft of complex numbers", "np.fft.fft")
    return _with_length(facts, array, axis, _complex(array.dtype), facts.fresh())


@returns(np.fft.irfft)
def irfft(facts: Facts, a: Expr, n: Expr, axis: Expr | None = None, norm: Expr | None = None) -> Type:
    """As many real numbers as are asked for."""
    array = _array(a, "np.fft.irfft")
    return _with_length(facts, array, axis, np.zeros(0, _complex(array.dtype)).real.dtype.name, facts.dim(n))


@returns(runtime.scaled_pairs)
def scaled_pairs(facts: Facts, a: Expr, n: Expr, axis: Expr, factor: Expr) -> Type:
    """The half spectrum's own shape."""
    return made(kind(a).dtype, _array(a, "np.fft.rfft").shape, "C")


@returns(runtime.scaled_ends)
def scaled_ends(facts: Facts, a: Expr, axis: Expr, first: Expr, last: Expr) -> Type:
    """The array's own shape."""
    return made(kind(a).dtype, _array(a, "scipy.fft.dct").shape, "C")
