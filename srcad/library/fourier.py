"""Fourier transforms of signals that are cut or continued with zeros first, of several axes, and their frequencies."""

from __future__ import annotations

import numpy as np

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import part

# ---------------------------------------------------------------- one axis


def resized(a, n, axis):
    """An array cut after n elements along an axis, or continued with zeros; itself, if n is None."""
    if n is None:
        return a
    k = axis_of(axis, a.ndim)
    y = np.zeros(a.shape[:k] + (n,) + a.shape[k + 1 :], a.dtype)
    shared = min(n, a.shape[k])
    y[(slice(None),) * k + (slice(0, shared),)] = part(a, k, 0, shared)
    return y


@instead_of(np.fft.fft, given=("n",))
def fft(a, n=None, axis=-1, norm=None, out=None):
    return np.fft.fft(resized(a, n, axis), axis=axis, norm=norm)


@instead_of(np.fft.ifft, given=("n",))
def ifft(a, n=None, axis=-1, norm=None, out=None):
    return np.fft.ifft(resized(a, n, axis), axis=axis, norm=norm)


@instead_of(np.fft.rfft, given=("n",))
def rfft(a, n=None, axis=-1, norm=None, out=None):
    return np.fft.rfft(resized(a, n, axis), axis=axis, norm=norm)


@instead_of(np.fft.irfft)
def irfft(a, n=None, axis=-1, norm=None, out=None):
    if n is None:
        return np.fft.irfft(a, n=2 * (a.shape[axis] - 1), axis=axis, norm=norm)
    return np.fft.irfft(resized(a, n // 2 + 1, axis), n=n, axis=axis, norm=norm)


@instead_of(np.fft.hfft)
def hfft(a, n=None, axis=-1, norm=None, out=None):
    return irfft(np.conj(a), n, axis, inverse(norm))


@instead_of(np.fft.ihfft)
def ihfft(a, n=None, axis=-1, norm=None, out=None):
    return np.conj(np.fft.rfft(a, n=n, axis=axis, norm=inverse(norm)))


def inverse(norm):
    """The normalisation of the inverse transform."""
    return "backward" if norm == "forward" else "ortho" if norm == "ortho" else "forward"


# ---------------------------------------------------------------- several axes


def every_resized(a, s, axes):
    """An array cut or continued along several axes; itself, if no lengths are given."""
    if s is None:
        return a
    if repeated(axes, a.ndim):
        return refuse("a transform of two lengths along one axis", "one transform after the other")
    for k in range(len(s)):
        a = resized(a, s[k], axes[k]) if s[k] != -1 else a
    return a


def repeated(axes, ndim):
    """Whether an axis is there twice."""
    return any(axis_of(axes[i], ndim) == axis_of(axes[k], ndim) for i in range(len(axes)) for k in range(i))


def last_axes(s):
    """The axes that lengths are for where none are given."""
    return ((-1,), (-2, -1), (-3, -2, -1), (-4, -3, -2, -1))[len(s) - 1]


@instead_of(np.fft.fft2, given=("s",))
def fft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return np.fft.fft2(every_resized(a, s, axes), axes=axes, norm=norm)


@instead_of(np.fft.ifft2, given=("s",))
def ifft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return np.fft.ifft2(every_resized(a, s, axes), axes=axes, norm=norm)


@instead_of(np.fft.fftn, given=("s",))
def fftn(a, s=None, axes=None, norm=None, out=None):
    if s is None and axes is None:
        return np.fft.fftn(a, norm=norm)
    along = last_axes(s) if axes is None else axes
    return np.fft.fftn(every_resized(a, s, along), axes=along, norm=norm)


@instead_of(np.fft.ifftn, given=("s",))
def ifftn(a, s=None, axes=None, norm=None, out=None):
    if s is None and axes is None:
        return np.fft.ifftn(a, norm=norm)
    along = last_axes(s) if axes is None else axes
    return np.fft.ifftn(every_resized(a, s, along), axes=along, norm=norm)


@instead_of(np.fft.rfft2)
def rfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return real_to_half(a, s, axes, norm)


@instead_of(np.fft.irfft2)
def irfft2(a, s=None, axes=(-2, -1), norm=None, out=None):
    return half_to_real(a, s, axes, norm)


@instead_of(np.fft.rfftn)
def rfftn(a, s=None, axes=None, norm=None, out=None):
    if axes is not None:
        return real_to_half(a, s, axes, norm)
    if s is not None:
        return real_to_half(a, s, last_axes(s), norm)
    if a.ndim == 1:
        return np.fft.rfft(a, norm=norm)
    if a.ndim == 2:
        return real_to_half(a, None, (-2, -1), norm)
    if a.ndim == 3:
        return real_to_half(a, None, (-3, -2, -1), norm)
    return real_to_half(a, None, (-4, -3, -2, -1), norm)


@instead_of(np.fft.irfftn)
def irfftn(a, s=None, axes=None, norm=None, out=None):
    if axes is not None:
        return half_to_real(a, s, axes, norm)
    if s is not None:
        return half_to_real(a, s, last_axes(s), norm)
    if a.ndim == 1:
        return irfft(a, None, -1, norm)
    if a.ndim == 2:
        return half_to_real(a, None, (-2, -1), norm)
    if a.ndim == 3:
        return half_to_real(a, None, (-3, -2, -1), norm)
    return half_to_real(a, None, (-4, -3, -2, -1), norm)


def real_to_half(a, s, axes, norm):
    """The last axis gives half a spectrum, which is transformed along the others."""
    if repeated(axes, a.ndim):
        return refuse("a real transform along one axis twice", "np.fft.rfft, then np.fft.fft with n=")
    y = np.fft.rfft(every_resized(a, s, axes), axis=axes[len(axes) - 1], norm=norm)
    return np.fft.fftn(y, axes=axes[:-1], norm=norm) if len(axes) > 1 else y


def half_to_real(a, s, axes, norm):
    """The other axes first."""
    y = a
    if len(axes) > 1:
        y = every_resized(y, s[:-1], axes[:-1]) if s is not None else y
        y = np.fft.ifftn(y, axes=axes[:-1], norm=norm)
    return irfft(y, None if s is None or s[len(s) - 1] == -1 else s[len(s) - 1], axes[len(axes) - 1], norm)


# ---------------------------------------------------------------- frequencies


@instead_of(np.fft.fftfreq)
def fftfreq(n, d=1.0, device=None):
    k = np.arange(n)
    return np.where(k < (n + 1) // 2, k, k - n) * (1.0 / (n * d))


@instead_of(np.fft.rfftfreq)
def rfftfreq(n, d=1.0, device=None):
    return np.arange(n // 2 + 1) * (1.0 / (n * d))


@instead_of(np.fft.fftshift)
def fftshift(x, axes=None):
    return turned_by_halves(x, axes, 1)


@instead_of(np.fft.ifftshift)
def ifftshift(x, axes=None):
    return turned_by_halves(x, axes, -1)


def turned_by_halves(x, axes, way):
    """An array rolled by half its length along each of some axes, or of all."""
    if axes is not None:
        return turned_along(x, axes if isinstance(axes, (tuple, list)) else (axes,), way)
    if x.ndim == 1:
        return np.roll(x, way * (x.shape[0] // 2), axis=0)
    if x.ndim == 2:
        return np.roll(x, (way * (x.shape[0] // 2), way * (x.shape[1] // 2)), axis=(0, 1))
    if x.ndim == 3:
        return turned_along(x, (0, 1, 2), way)
    if x.ndim == 4:
        return turned_along(x, (0, 1, 2, 3), way)
    return refuse("np.fft.fftshift of five axes or more", "axes=(0, 1, 2, 3, 4)")


def turned_along(x, axes, way):
    turns = ()
    for k in range(len(axes)):
        turns = turns + (way * (np.shape(x)[axes[k]] // 2),)
    return np.roll(x, turns, axis=axes)
