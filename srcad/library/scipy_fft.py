"""Transforms of `scipy.fft` in terms of those of NumPy; cosine and sine transforms are parts of Fourier's."""

from __future__ import annotations

import numpy as np
from scipy import fft as transforms

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import along
from srcad.library.fourier import inverse, resized


@instead_of(transforms.fft)
def fft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.fft(x, n=n, axis=axis, norm=norm)


@instead_of(transforms.ifft)
def ifft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.ifft(x, n=n, axis=axis, norm=norm)


@instead_of(transforms.rfft)
def rfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.rfft(x, n=n, axis=axis, norm=norm)


@instead_of(transforms.irfft)
def irfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.irfft(x, n=n, axis=axis, norm=norm)


@instead_of(transforms.hfft)
def hfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.hfft(x, n=n, axis=axis, norm=norm)


@instead_of(transforms.ihfft)
def ihfft(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.ihfft(x, n=n, axis=axis, norm=norm)


@instead_of(transforms.fft2)
def fft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.fft2(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.ifft2)
def ifft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.ifft2(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.rfft2)
def rfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.rfft2(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.irfft2)
def irfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.irfft2(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.fftn)
def fftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.fftn(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.ifftn)
def ifftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.ifftn(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.rfftn)
def rfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.rfftn(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.irfftn)
def irfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.irfftn(x, s=s, axes=axes, norm=norm)


@instead_of(transforms.fftshift)
def fftshift(x, axes=None):
    return np.fft.fftshift(x, axes)


@instead_of(transforms.ifftshift)
def ifftshift(x, axes=None):
    return np.fft.ifftshift(x, axes)


@instead_of(transforms.fftfreq)
def fftfreq(n, d=1.0, *, xp=None, device=None):
    return np.fft.fftfreq(n, d)


@instead_of(transforms.rfftfreq)
def rfftfreq(n, d=1.0, *, xp=None, device=None):
    return np.fft.rfftfreq(n, d)


# ---------------------------------------------------------------- cosines and sines


@instead_of(transforms.dct)
def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    if orthogonalize is not None or np.iscomplexobj(x):
        return refuse("scipy.fft.dct of complex numbers or with orthogonalize=", "that of real numbers, without it")
    k = axis_of(axis, x.ndim)
    y = x if n is None else resized(x, n, k)
    if type == 2:
        return scaled(cosines(y, k), k, norm, False)
    if type == 3:
        return sums_of_cosines(scaled(y, k, norm, True), k)
    return refuse("scipy.fft.dct of this type", "type 2 or 3")


@instead_of(transforms.idct)
def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    if type == 2 or type == 3:
        return transforms.dct(x, 5 - type, n, axis, inverse(norm), False, None, orthogonalize)
    return refuse("scipy.fft.idct of this type", "type 2 or 3")


@instead_of(transforms.dst)
def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    k = axis_of(axis, x.ndim)
    y = x if n is None else resized(x, n, k)
    signs = along((-1.0) ** np.arange(y.shape[k]), k, x.ndim).astype(x.dtype)
    # That of cosines, of alternating signs, from its end.
    if type == 2:
        return np.flip(transforms.dct(y * signs, 2, None, k, norm, False, None, orthogonalize), k)
    if type == 3:
        return transforms.dct(np.flip(y, k), 3, None, k, norm, False, None, orthogonalize) * signs
    return refuse("scipy.fft.dst of this type", "type 2 or 3")


@instead_of(transforms.idst)
def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    if type == 2 or type == 3:
        return transforms.dst(x, 5 - type, n, axis, inverse(norm), False, None, orthogonalize)
    return refuse("scipy.fft.idst of this type", "type 2 or 3")


def angles(n):
    """Those of a quarter of a turn divided by n, up to the half of them."""
    return np.arange(n // 2 + 1) * (np.pi / (2 * n))


def cosines(x, axis):
    """The sums of ``2 x[j] cos(pi k (2 j + 1) / (2 n))``: J. Makhoul (1980). Imaginary parts are those from the end."""
    rows = np.moveaxis(x, axis, -1)
    n = rows.shape[-1]
    spectrum = 2.0 * np.fft.rfft(np.concatenate((rows[..., ::2], rows[..., 1::2][..., ::-1]), axis=-1))
    c, s, re, im = np.cos(angles(n)), np.sin(angles(n)), np.real(spectrum), np.imag(spectrum)
    y = np.empty(rows.shape, x.dtype)
    y[..., : n // 2 + 1] = c * re + s * im
    y[..., : n // 2 : -1] = (s * re - c * im)[..., 1 : n - n // 2]
    return np.moveaxis(y, -1, axis)


def sums_of_cosines(x, axis):
    """The sums of ``2 x[k] cos(pi k (2 j + 1) / (2 n))``, with half of the first: the same, backwards."""
    rows = np.moveaxis(x, axis, -1)
    n = rows.shape[-1]
    end = np.concatenate((np.zeros_like(rows[..., :1]), rows[..., n - 1 : n - 1 - n // 2 : -1]), axis=-1)
    half = np.exp(1j * angles(n)) * (rows[..., : n // 2 + 1] - 1j * end)
    both = n * np.fft.irfft(half, n=n)
    y = np.empty(rows.shape, x.dtype)
    y[..., ::2] = both[..., : n - n // 2]
    y[..., 1::2] = both[..., : n - n // 2 - 1 : -1]
    return np.moveaxis(y, -1, axis)


def scaled(y, axis, norm, before):
    """A transform of cosines with its norm, of which the first one is apart if they are to be orthonormal."""
    n = y.shape[axis]
    if norm == "ortho":
        first = np.sqrt(0.25 / n) if not before else np.sqrt(1.0 / n)
        other = np.sqrt(0.5 / n)
        factors = np.where(np.arange(n) == 0, first, other).astype(y.dtype)
        return y * along(factors, axis, y.ndim)
    return y / (2 * n) if norm == "forward" else y
