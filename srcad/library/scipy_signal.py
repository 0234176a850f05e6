"""Convolutions of `scipy.signal`, of arrays with one, two or three axes.

Convolutions are sums over the elements of the second array, each times a part of the first.
"""

from __future__ import annotations

import numpy as np
from scipy import signal

from srcad.library import axis_of, instead_of, refuse, static
from srcad.library.axes import part


@instead_of(signal.convolve)
def convolve(in1, in2, mode="full", method="auto"):
    if np.ndim(in1) != np.ndim(in2):
        return refuse("a convolution of arrays with different numbers of axes", "two arrays of one rank")
    if in1.ndim == 1:
        return cut(np.convolve(in1, in2), in1, in2, mode)
    return cut(spread_out(in1, in2), in1, in2, mode)


@instead_of(signal.oaconvolve)
def oaconvolve(in1, in2, mode="full", axes=None):
    if axes is not None:
        return signal.fftconvolve(in1, in2, mode, axes)
    if in1.ndim != 1 or in2.ndim != 1:
        return convolve(in1, in2, mode)
    y = in_blocks(in1, in2) if in1.shape[0] >= in2.shape[0] else in_blocks(in2, in1)
    return cut(y, in1, in2, mode)


def in_blocks(a, v):
    """A convolution with a shorter vector, block by block: each reaches into the next one, where they add up."""
    m, n = v.shape[0], 1
    while n < 8 * m:
        n *= 2
    step = n - m + 1
    count = (a.shape[0] + step - 1) // step
    blocks = np.reshape(np.concatenate((a, np.zeros(count * step - a.shape[0], a.dtype))), (count, step))
    if np.iscomplexobj(a) or np.iscomplexobj(v):
        y = np.fft.ifft(np.fft.fft(blocks, n) * np.fft.fft(v, n))
    else:
        y = np.fft.irfft(np.fft.rfft(blocks, n) * np.fft.rfft(v, n), n)
    sums = np.zeros((count + 1, step), y.dtype)
    sums[:count] = y[:, :step]
    sums[1:, : m - 1] += y[:, step:]
    return np.ravel(sums)[: a.shape[0] + m - 1]


@instead_of(signal.fftconvolve)
def fftconvolve(in1, in2, mode="full", axes=None):
    if axes is not None and in1.ndim == in2.ndim:
        return convolved_along(in1, in2, mode, counted(axes, in1.ndim))
    if in1.ndim == 1 and in2.ndim == 1:
        n = in1.shape[0] + in2.shape[0] - 1
        if np.iscomplexobj(in1) or np.iscomplexobj(in2):
            return cut(np.fft.ifft(np.fft.fft(in1, n) * np.fft.fft(in2, n)), in1, in2, mode)
        return cut(np.fft.irfft(np.fft.rfft(in1, n) * np.fft.rfft(in2, n), n), in1, in2, mode)
    return convolve(in1, in2, mode)


@static
def counted(axes, ndim):
    """Axes, counted from the front."""
    return tuple(axis_of(axis, ndim) for axis in (axes if isinstance(axes, tuple) else (axes,)))


def convolved_along(a, v, mode, axes):
    """A convolution along some axes, of which the others are broadcast, as a product of spectra."""
    if mode != "full" and mode != "same" and mode != "valid":
        return refuse("a convolution in this mode", "'full', 'same' or 'valid'")
    first, second = a, v
    for k in range(len(axes)):
        n = a.shape[axes[k]] + v.shape[axes[k]] - 1
        first, second = np.fft.fft(first, n, axes[k]), np.fft.fft(second, n, axes[k])
    y = first * second
    for k in range(len(axes)):
        y = np.fft.ifft(y, axis=axes[k])
    if not (np.iscomplexobj(a) or np.iscomplexobj(v)):
        y = np.real(y)
    for k in range(len(axes)):
        if mode != "full":
            kept = span(a.shape[axes[k]], v.shape[axes[k]], mode)
            y = part(y, axes[k], kept.start, kept.stop)
    if mode == "same" and y.shape != a.shape:
        raise ValueError("fftconvolve with mode='same' and a second array that is longer along the other axes")
    return np.copy(y)


@instead_of(signal.correlate)
def correlate(in1, in2, mode="full", method="auto"):
    return convolve(in1, turned(in2), mode)


@instead_of(signal.convolve2d)
def convolve2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return framed(in1, in2, mode, boundary, fillvalue, (in2.shape[0] - 1) // 2, (in2.shape[1] - 1) // 2)


def framed(in1, in2, mode, boundary, fillvalue, up, left):
    """A convolution of what continues beyond its edges; with the mode "same", it begins at a place in the whole."""
    if mode != "same" and (mode == "valid" or boundary == "fill" and fillvalue == 0):
        return convolve(in1, in2, mode)
    rows, columns = in2.shape[0] - 1, in2.shape[1] - 1
    kind = "wrap" if boundary == "wrap" else "symmetric" if boundary == "symm" else "constant"
    if kind == "constant":
        a = np.pad(in1, ((rows, rows), (columns, columns)), "constant", constant_values=fillvalue)
    else:
        a = np.pad(in1, ((rows, rows), (columns, columns)), kind)
    y = spread_out(a, in2)[rows : a.shape[0], columns : a.shape[1]]
    return np.copy(y[up : up + in1.shape[0], left : left + in1.shape[1]] if mode == "same" else y)


@instead_of(signal.correlate2d)
def correlate2d(in1, in2, mode="full", boundary="fill", fillvalue=0):
    return framed(in1, turned(in2), mode, boundary, fillvalue, in2.shape[0] // 2, in2.shape[1] // 2)


def turned(v):
    """The second operand of a correlation, from its end to its beginning."""
    y = np.flip(v)
    return np.conj(y) if np.iscomplexobj(v) else y


def spread_out(a, v):
    """All of a convolution."""
    if a.ndim == 2:
        y = np.zeros((a.shape[0] + v.shape[0] - 1, a.shape[1] + v.shape[1] - 1), (a[0, 0] * v[0, 0]).dtype)
        for i in range(v.shape[0]):
            for j in range(v.shape[1]):
                y[i : i + a.shape[0], j : j + a.shape[1]] += v[i, j] * a
        return y
    if a.ndim > 3:
        return refuse("a convolution of arrays with more than three axes", "loops over the other axes")
    shape = (a.shape[0] + v.shape[0] - 1, a.shape[1] + v.shape[1] - 1, a.shape[2] + v.shape[2] - 1)
    y = np.zeros(shape, (a[0, 0, 0] * v[0, 0, 0]).dtype)
    for i in range(v.shape[0]):
        for j in range(v.shape[1]):
            for k in range(v.shape[2]):
                y[i : i + a.shape[0], j : j + a.shape[1], k : k + a.shape[2]] += v[i, j, k] * a
    return y


def cut(y, a, v, mode):
    """The part of a convolution that is asked for."""
    if mode == "full":
        return y
    if mode != "same" and mode != "valid":
        return refuse("a convolution in this mode", "'full', 'same' or 'valid'")
    if a.ndim == 1:
        return np.copy(y[span(a.shape[0], v.shape[0], mode)])
    if a.ndim == 2:
        return np.copy(y[span(a.shape[0], v.shape[0], mode), span(a.shape[1], v.shape[1], mode)])
    first, second = span(a.shape[0], v.shape[0], mode), span(a.shape[1], v.shape[1], mode)
    return np.copy(y[first, second, span(a.shape[2], v.shape[2], mode)])


def span(n, m, mode):
    """The places along an axis that are kept: as many as the first array has, or where both overlap fully."""
    start = (m - 1) // 2 if mode == "same" else min(n, m) - 1
    return slice(start, start + (n if mode == "same" else max(n, m) - min(n, m) + 1))
