"""Linear filters of `scipy.signal`: along an axis, from a state, in sections, and to and fro."""

from __future__ import annotations

import numpy as np
from scipy import signal

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, wide
from srcad.library.padding import padded


@instead_of(signal.lfilter)
def lfilter(b, a, x, axis=-1, zi=None):
    forward, back = in_units(b, a), in_units(a, a)
    samples = np.moveaxis(x, axis, 0)
    if zi is None:
        return np.moveaxis(filtered(forward, back, samples), 0, axis)
    state = np.moveaxis(zi, axis, 0)
    y = filtered_from(forward, back, samples, state)
    return np.moveaxis(y, 0, axis), np.moveaxis(state_after(forward, back, samples, y, state), 0, axis)


def in_units(v, a):
    """Coefficients, divided by the first one of the denominator; a number is one coefficient."""
    return np.atleast_1d(array_of(v)) / np.atleast_1d(array_of(a))[0]


def filtered(forward, back, samples):
    """What a filter makes of samples, one a row."""
    y = np.zeros(samples.shape, (forward[0] * back[0] * np.ravel(samples)[0]).dtype)
    for i in range(samples.shape[0]):
        for k in range(min(i + 1, forward.shape[0])):
            y[i] += forward[k] * samples[i - k]
        for k in range(1, min(i + 1, back.shape[0])):
            y[i] -= back[k] * y[i - k]
    return y


def filtered_from(forward, back, samples, state):
    """What a filter makes of samples, after others that left it in a state."""
    y = np.zeros(samples.shape, (forward[0] * back[0] * np.ravel(samples)[0]).dtype)
    for i in range(samples.shape[0]):
        if i < state.shape[0]:
            y[i] += state[i]
        for k in range(min(i + 1, forward.shape[0])):
            y[i] += forward[k] * samples[i - k]
        for k in range(1, min(i + 1, back.shape[0])):
            y[i] -= back[k] * y[i - k]
    return y


def state_after(forward, back, samples, y, state):
    """The state in which a filter is left: what the last samples add to the ones to come."""
    z, n = np.zeros((state.shape[0],) + samples.shape[1:], y.dtype), samples.shape[0]
    for m in range(state.shape[0]):
        if n + m < state.shape[0]:
            z[m] += state[n + m]
        for k in range(m + 1, min(n + m + 1, forward.shape[0])):
            z[m] += forward[k] * samples[n + m - k]
        for k in range(m + 1, min(n + m + 1, back.shape[0])):
            z[m] -= back[k] * y[n + m - k]
    return z


@instead_of(signal.lfilter_zi)
def lfilter_zi(b, a):
    numerator, denominator = in_units(b, a), in_units(a, a)
    n = max(numerator.shape[0], denominator.shape[0])
    forward, back = np.zeros(n, numerator.dtype), np.zeros(n, denominator.dtype)
    forward[: numerator.shape[0]] = numerator
    back[: denominator.shape[0]] = denominator
    # Sums from the last one on: what remains to come of a constant signal whose answer is constant.
    level = np.sum(forward) / np.sum(back)
    return np.flip(np.cumsum(np.flip(forward[1:] - level * back[1:])))


@instead_of(signal.sosfilt)
def sosfilt(sos, x, axis=-1, zi=None):
    y = wide(x)
    if zi is None:
        for k in range(sos.shape[0]):
            y = signal.lfilter(sos[k, :3], sos[k, 3:], y, axis)
        return y
    state = np.zeros(zi.shape, y.dtype)
    for k in range(sos.shape[0]):
        y, state[k] = lfilter(sos[k, :3], sos[k, 3:], y, axis, zi[k])
    return y, state


# ---------------------------------------------------------------- to and fro


@instead_of(signal.filtfilt)
def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad"):
    if method != "pad":
        return refuse("scipy.signal.filtfilt with this method", "the method 'pad'")
    rows = np.moveaxis(x, axis, 0)
    forward, back = in_units(b, a), in_units(a, a)
    usual = 3 * max(forward.shape[0], back.shape[0])
    edge = 0 if padtype is None else usual if padlen is None else padlen
    start = lfilter_zi(forward, back)
    y = from_rest(forward, back, continued(rows, edge, padtype), start)
    y = from_rest(forward, back, np.flip(y, 0), start)
    return np.moveaxis(np.flip(y, 0)[edge : edge + rows.shape[0]], 0, axis)


def from_rest(forward, back, samples, start):
    """What a filter makes of samples whose first one has always been there."""
    at_rest = start if samples.ndim == 1 else np.reshape(start, (start.shape[0],) + (1,) * (samples.ndim - 1))
    return filtered_from(forward, back, samples, at_rest * samples[0])


def continued(rows, edge, padtype):
    """Samples continued before the first one and after the last one."""
    if padtype is None:
        return rows
    if padtype == "constant":
        return padded(rows, 0, (edge, edge), "edge", (0, 0), (None, None), "even")
    if padtype != "odd" and padtype != "even":
        return refuse("a signal continued in this way", "'odd', 'even', 'constant' or None")
    return padded(rows, 0, (edge, edge), "reflect", (0, 0), (None, None), padtype)


@instead_of(signal.sosfiltfilt)
def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    rows = np.moveaxis(wide(x), axis, 0)
    shorter = min(np.sum(sos[:, 2] == 0), np.sum(sos[:, 5] == 0))
    usual = 3 * (2 * sos.shape[0] + 1 - shorter)
    edge = 0 if padtype is None else usual if padlen is None else padlen
    y = in_sections(sos, continued(rows, edge, padtype))
    y = in_sections(sos, np.flip(y, 0))
    return np.moveaxis(np.flip(y, 0)[edge : edge + rows.shape[0]], 0, axis)


def in_sections(sos, samples):
    """What sections make of samples whose first one has always been there."""
    y = samples
    for k in range(sos.shape[0]):
        start = lfilter_zi(sos[k, :3], sos[k, 3:])
        y = from_rest(sos[k, :3] / sos[k, 3], sos[k, 3:] / sos[k, 3], y, start)
    return y
