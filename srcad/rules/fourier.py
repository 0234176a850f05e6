"""Discrete Fourier transforms. Their matrices are symmetric: cotangents are transformed as values are."""

import numpy as np

from srcad.rules.rule import constant, rule

constant(np.fft.fftfreq, np.fft.rfftfreq)


@rule(np.fft.fft)
def fft(y, a, n=None, axis=-1, norm=None):
    if n is not None:
        raise NotImplementedError("np.fft.fft with n= has no rule; instead: np.pad, or a slice, before it")
    y.dot = np.fft.fft(a.dot, axis=axis, norm=norm)
    a.bar += np.fft.fft(y.bar, axis=axis, norm=norm)


@rule(np.fft.ifft)
def ifft(y, a, n=None, axis=-1, norm=None):
    if n is not None:
        raise NotImplementedError("np.fft.ifft with n= has no rule; instead: np.pad, or a slice, before it")
    y.dot = np.fft.ifft(a.dot, axis=axis, norm=norm)
    a.bar += np.fft.ifft(y.bar, axis=axis, norm=norm)


@rule(np.fft.fft2)
def fft2(y, a, s=None, axes=(-2, -1), norm=None):
    if s is not None:
        raise NotImplementedError("np.fft.fft2 with s= has no rule; instead: np.pad, or a slice, before it")
    y.dot = np.fft.fft2(a.dot, axes=axes, norm=norm)
    a.bar += np.fft.fft2(y.bar, axes=axes, norm=norm)


@rule(np.fft.ifft2)
def ifft2(y, a, s=None, axes=(-2, -1), norm=None):
    if s is not None:
        raise NotImplementedError("np.fft.ifft2 with s= has no rule; instead: np.pad, or a slice, before it")
    y.dot = np.fft.ifft2(a.dot, axes=axes, norm=norm)
    a.bar += np.fft.ifft2(y.bar, axes=axes, norm=norm)


@rule(np.fft.rfft)
def rfft(y, a, n=None, axis=-1, norm=None):
    if n is not None or norm is not None:
        raise NotImplementedError("np.fft.rfft with n= or norm= has no rule; instead: np.fft.fft")
    # The frequencies left out count as zeros.
    y.dot = np.fft.rfft(a.dot, axis=axis)
    a.bar += np.real(np.fft.fft(y.bar, n=a.shape[axis], axis=axis))


@rule(np.fft.fftshift)
def fftshift(y, x, axes=None):
    y.dot = np.fft.fftshift(x.dot, axes=axes)
    x.bar += np.fft.ifftshift(y.bar, axes=axes)


@rule(np.fft.ifftshift)
def ifftshift(y, x, axes=None):
    y.dot = np.fft.ifftshift(x.dot, axes=axes)
    x.bar += np.fft.fftshift(y.bar, axes=axes)
