"""What `scipy.signal` makes of samples: without a trend, smoothed, the analytic signal."""

from __future__ import annotations

import numpy as np
from scipy import ndimage, signal

from srcad.library import Plan, axis_of, instead_of, known, refuse, static


@instead_of(signal.detrend)
def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    if type not in ("linear", "l", "constant", "c") or not number_zero(bp):
        return refuse("scipy.signal.detrend with these arguments", "the call for each of the parts")
    x = np.moveaxis(data, axis, -1)
    apart = x - np.mean(x, axis=-1, keepdims=True)
    if type in ("linear", "l"):
        t = (np.arange(x.shape[-1]) - 0.5 * (x.shape[-1] - 1.0)).astype(x.dtype)
        apart = apart - np.expand_dims(np.sum(apart * t, axis=-1), -1) * t / np.sum(t * t)
    return np.moveaxis(apart, -1, axis)


def number_zero(bp):
    """Whether the only break of a trend is its beginning."""
    return np.ndim(bp) == 0 and known(bp) and bp == 0


@instead_of(signal.hilbert)
def hilbert(x, N=None, axis=-1):
    moved = np.moveaxis(x, axis, -1)
    n = moved.shape[-1] if N is None else N
    k = np.arange(n)
    twice = np.where(2 * k < n, 2.0, np.where(2 * k == n, 1.0, 0.0))
    return np.moveaxis(np.fft.ifft(np.fft.fft(moved, n) * np.where(k == 0, 1.0, twice).astype(x.dtype)), -1, axis)


# ---------------------------------------------------------------- W. Savitzky's and M. J. E. Golay's filter


@static
def smoothing(window_length, polyorder, deriv, delta):
    """The weights of a sample and its neighbours, the first one of which is multiplied with the last sample."""
    return Plan(signal.savgol_coeffs(window_length, polyorder, deriv=deriv, delta=delta).tolist())


@static
def at_the_ends(window_length, polyorder, deriv, delta):
    """A matrix for each end: the polynomial through a window, at the samples that lack neighbours."""
    half, t = window_length // 2, np.arange(float(window_length))
    fits = np.polynomial.polynomial.polyfit(t, np.eye(window_length), polyorder)
    slopes = np.polynomial.polynomial.polyder(fits, deriv) if deriv else fits
    values = np.polynomial.polynomial.polyval(t, slopes).T / delta**deriv
    return Plan((tuple(map(tuple, values[:half].tolist())), tuple(map(tuple, values[window_length - half :].tolist()))))


@instead_of(signal.savgol_filter)
def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    if not (known(window_length) and known(polyorder) and known(deriv) and known(delta)):
        return refuse("scipy.signal.savgol_filter with a window that is no constant", "numbers")
    weights = np.array(smoothing(window_length, polyorder, deriv, delta))
    if mode != "interp":
        return ndimage.convolve1d(x, weights, axis, mode=mode, cval=cval)
    rows, half = np.moveaxis(x, axis_of(axis, x.ndim), 0), window_length // 2
    y = ndimage.convolve1d(rows, weights, 0, mode="constant")
    first, last = at_the_ends(window_length, polyorder, deriv, delta)
    n = rows.shape[0]
    begin = np.tensordot(np.array(first).astype(x.dtype), rows[:window_length], 1)
    end = np.tensordot(np.array(last).astype(x.dtype), rows[n - window_length :], 1)
    return np.moveaxis(np.concatenate((begin, y[half : n - half], end)), 0, axis_of(axis, x.ndim))
