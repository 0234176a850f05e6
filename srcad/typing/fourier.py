"""Discrete Fourier transforms."""

from __future__ import annotations

from typing import Any

import numpy as np

from srcad.lang.ir import Expr
from srcad.lang.types import Array, Type
from srcad.typing.table import Facts, Refusal, axis_argument, describe, kind, made, returns


def _array(x: Expr, what: str) -> Array:
    found = kind(x)
    if not isinstance(found, Array):
        raise Refusal(f"{what} of {describe(found)}", "an array")
    return found


def _complex(dtype: str) -> str:
    return np.result_type(dtype, np.complex64).name if dtype != "float16" else "complex64"


def _enter(fn: Any) -> None:
    def rule(facts: Facts, a: Expr, *options: Expr, **named: Expr) -> Type:
        array = _array(a, f"np.fft.{fn.__name__}")
        if named.get("axis") is not None:
            axis_argument(facts, named["axis"], array.ndim)
        plain = not options and not {"n", "s"} & named.keys()
        shape = array.shape if plain else tuple(facts.fresh() for _ in array.shape)
        return made(_complex(array.dtype), shape, "A")

    returns(fn)(rule)


for _fn in (np.fft.fft, np.fft.ifft, np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn):
    _enter(_fn)


@returns(np.fft.rfft)
def rfft(facts: Facts, a: Expr, n: Expr | None = None, axis: Expr | None = None, norm: Expr | None = None) -> Type:
    """The frequencies that are not negative."""
    array = _array(a, "np.fft.rfft")
    along = array.ndim - 1 if axis is None else axis_argument(facts, axis, array.ndim)
    shape = tuple(facts.fresh() if k == along else dim for k, dim in enumerate(array.shape))
    return made(_complex(array.dtype), shape, "A")


@returns(np.fft.fftshift, np.fft.ifftshift)
def shifted(facts: Facts, x: Expr, axes: Expr | None = None) -> Type:
    """The halves exchanged."""
    array = _array(x, "np.fft.fftshift")
    return made(array.dtype, array.shape, "C")
