"""Discrete Fourier transforms. Their matrices are symmetric: cotangents are transformed as values are.

The spectrum of a real signal is half a spectrum. In it, a frequency with a mirror image stands for two.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from srcad.rules.axes import length
from srcad.rules.rule import rule, static
from srcad.runtime import scaled_ends, scaled_pairs


@static
def other_side(norm: Any) -> str:
    """The normalisation that gives the inverse transform the factor of this one."""
    return {"ortho": "ortho", "forward": "backward"}.get(norm, "forward")


@rule(np.fft.fft)
def fft(y, a, n=None, axis=-1, norm=None):
    y.dot = np.fft.fft(a.dot, axis=axis, norm=norm)
    a.bar += np.fft.fft(y.bar, axis=axis, norm=norm)


@rule(np.fft.ifft)
def ifft(y, a, n=None, axis=-1, norm=None):
    y.dot = np.fft.ifft(a.dot, axis=axis, norm=norm)
    a.bar += np.fft.ifft(y.bar, axis=axis, norm=norm)


@rule(np.fft.fft2)
def fft2(y, a, s=None, axes=(-2, -1), norm=None):
    y.dot = np.fft.fft2(a.dot, axes=axes, norm=norm)
    a.bar += np.fft.fft2(y.bar, axes=axes, norm=norm)


@rule(np.fft.ifft2)
def ifft2(y, a, s=None, axes=(-2, -1), norm=None):
    y.dot = np.fft.ifft2(a.dot, axes=axes, norm=norm)
    a.bar += np.fft.ifft2(y.bar, axes=axes, norm=norm)


@rule(np.fft.fftn)
def fftn(y, a, s=None, axes=None, norm=None):
    y.dot = np.fft.fftn(a.dot, axes=axes, norm=norm)
    a.bar += np.fft.fftn(y.bar, axes=axes, norm=norm)


@rule(np.fft.ifftn)
def ifftn(y, a, s=None, axes=None, norm=None):
    y.dot = np.fft.ifftn(a.dot, axes=axes, norm=norm)
    a.bar += np.fft.ifftn(y.bar, axes=axes, norm=norm)


@rule(np.fft.rfft)
def rfft(y, a, n=None, axis=-1, norm=None):
    count = length(a, axis)
    y.dot = np.fft.rfft(a.dot, axis=axis, norm=norm)
    half = scaled_pairs(np.conj(y.bar), count, axis, 0.5)
    a.bar += np.fft.irfft(half, n=count, axis=axis, norm=other_side(norm))


@rule(np.fft.irfft)
def irfft(y, a, n, axis=-1, norm=None):
    y.dot = np.fft.irfft(a.dot, n=n, axis=axis, norm=norm)
    spectrum = np.fft.rfft(y.bar, axis=axis, norm=other_side(norm))
    a.bar += np.conj(scaled_pairs(spectrum, n, axis, 2.0))


@rule(scaled_pairs)
def pairs(y, a, n, axis, factor):
    y.dot = scaled_pairs(a.dot, n, axis, factor)
    a.bar += scaled_pairs(y.bar, n, axis, factor)


@rule(scaled_ends)
def ends(y, a, axis, first, last):
    y.dot = scaled_ends(a.dot, axis, first, last)
    a.bar += scaled_ends(y.bar, axis, first, last)
