"""Transforms of `scipy.fft` in terms of those of NumPy; cosines and sines of several axes in terms of one."""

from __future__ import annotations

import numpy as np
from scipy import fft as transforms

from srcad.library import axis_of, instead_of
from srcad.library.fourier import every_resized, inverse, last_axes, resized


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


@instead_of(transforms.dct, given=("n", "overwrite_x", "workers", "orthogonalize"))
def dct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    x = x if n is None else resized(x, n, axis)
    if orthogonalize is None or orthogonalize == (norm == "ortho"):
        return transforms.dct(x, type, axis=axis, norm=norm)
    root = np.sqrt(2.0) if orthogonalize else np.sqrt(0.5)
    if type == 1:
        y = transforms.dct(x * at_ends(x, axis, root, root), 1, axis=axis, norm=norm)
        return y / at_ends(y, axis, root, root)
    if type == 2:
        y = transforms.dct(x, 2, axis=axis, norm=norm)
        return y / at_ends(y, axis, root, 1.0)
    return transforms.dct(x * at_ends(x, axis, root, 1.0) if type == 3 else x, type, axis=axis, norm=norm)


@instead_of(transforms.idct)
def idct(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    return transforms.dct(x, turned(type), n, axis, inverse(norm), False, None, orthogonalize)


@instead_of(transforms.dst, given=("n", "overwrite_x", "workers", "orthogonalize"))
def dst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    x = x if n is None else resized(x, n, axis)
    if orthogonalize is None or orthogonalize == (norm == "ortho"):
        return transforms.dst(x, type, axis=axis, norm=norm)
    root = np.sqrt(2.0) if orthogonalize else np.sqrt(0.5)
    if type == 2:
        y = transforms.dst(x, 2, axis=axis, norm=norm)
        return y / at_ends(y, axis, 1.0, root)
    return transforms.dst(x * at_ends(x, axis, 1.0, root) if type == 3 else x, type, axis=axis, norm=norm)


@instead_of(transforms.idst)
def idst(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
    return transforms.dst(x, turned(type), n, axis, inverse(norm), False, None, orthogonalize)


def at_ends(x, axis, first, last):
    """Factors of the first and of the last element along an axis, and ones between, that are broadcast against x."""
    k = axis_of(axis, x.ndim)
    factors = np.ones((x.shape[k],) + (1,) * (x.ndim - 1 - k))
    factors[0] *= first
    factors[-1] *= last
    return factors.astype(np.float32) if x.dtype == np.float32 else factors


def turned(type):
    """The type of the inverse."""
    return 5 - type if type == 2 or type == 3 else type


# ---------------------------------------------------------------- several axes


@instead_of(transforms.dctn)
def dctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    return along_axes(transforms.dct, x, type, s, axes, norm, orthogonalize)


@instead_of(transforms.idctn)
def idctn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    return transforms.dctn(x, turned(type), s, axes, inverse(norm), orthogonalize=orthogonalize)


def along_axes(transform, x, type, s, axes, norm, orthogonalize):
    """A transform along several axes, all of them unless something else is said."""
    if axes is not None:
        several = axes if isinstance(axes, (tuple, list)) else (axes,)
        return along_each(transform, x, type, s, several, norm, orthogonalize)
    if s is not None:
        return along_each(transform, x, type, s, last_axes(s), norm, orthogonalize)
    y = along_each(transform, x, type, None, (-1,), norm, orthogonalize)
    y = along_each(transform, y, type, None, (-2,), norm, orthogonalize) if x.ndim > 1 else y
    y = along_each(transform, y, type, None, (-3,), norm, orthogonalize) if x.ndim > 2 else y
    return along_each(transform, y, type, None, (-4,), norm, orthogonalize) if x.ndim > 3 else y


def along_each(transform, x, type, s, axes, norm, orthogonalize):
    """A transform along some axes, one after the other."""
    y = every_resized(x, s, axes) if s is not None else x
    for k in range(len(axes)):
        y = transform(y, type, None, axes[k], norm, False, None, orthogonalize)
    return y


@instead_of(transforms.dstn)
def dstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    return along_axes(transforms.dst, x, type, s, axes, norm, orthogonalize)


@instead_of(transforms.idstn)
def idstn(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
    return transforms.dstn(x, turned(type), s, axes, inverse(norm), orthogonalize=orthogonalize)


@instead_of(transforms.hfft2)
def hfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.irfft2(np.conj(x), s=s, axes=axes, norm=inverse(norm))


@instead_of(transforms.hfftn)
def hfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.fft.irfftn(np.conj(x), s=s, axes=axes, norm=inverse(norm))


@instead_of(transforms.ihfft2)
def ihfft2(x, s=None, axes=(-2, -1), norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.conj(np.fft.rfft2(x, s=s, axes=axes, norm=inverse(norm)))


@instead_of(transforms.ihfftn)
def ihfftn(x, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, plan=None):
    return np.conj(np.fft.rfftn(x, s=s, axes=axes, norm=inverse(norm)))
