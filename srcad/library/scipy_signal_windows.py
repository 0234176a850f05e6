"""The windows of `scipy.signal.windows` that have parameters.

Formulas: F. J. Harris, On the use of windows for harmonic analysis with the discrete Fourier transform (1978).
"""

from __future__ import annotations

import numpy as np
from scipy import signal

from srcad.library import instead_of


def offsets(M, sym):
    """How far each place is from the middle of a window; one of a periodic signal lacks its last place."""
    n = M if sym or M <= 1 else M + 1
    return np.arange(M) - (n - 1) / 2.0


def reach(M, sym):
    """The distance from the middle of a window to its ends, and of a window of one place any number."""
    return max((M - 1) / 2.0 if sym or M <= 1 else M / 2.0, 0.5)


@instead_of(signal.windows.gaussian)
def gaussian(M, std, sym=True):
    return np.exp(-0.5 * (offsets(M, sym) / std) ** 2)


@instead_of(signal.windows.general_gaussian)
def general_gaussian(M, p, sig, sym=True):
    return np.exp(-0.5 * np.abs(offsets(M, sym) / sig) ** (2 * p))


@instead_of(signal.windows.exponential)
def exponential(M, center=None, tau=1.0, sym=True):
    if center is None:
        return np.exp(-np.abs(offsets(M, sym)) / tau)
    return np.exp(-np.abs(np.arange(M) - center) / tau)


@instead_of(signal.windows.general_hamming)
def general_hamming(M, alpha, sym=True):
    if M <= 1:
        return np.ones(M)
    return alpha + (1.0 - alpha) * np.cos(np.pi * offsets(M, sym) / reach(M, sym))


@instead_of(signal.windows.general_cosine)
def general_cosine(M, a, sym=True):
    weights = np.asarray(a)
    if M <= 1:
        return np.ones(M)
    turns = np.pi * offsets(M, sym) / reach(M, sym)
    return np.cos(np.outer(turns, np.arange(len(weights)))) @ weights


@instead_of(signal.windows.kaiser)
def kaiser(M, beta, sym=True):
    return np.i0(beta * np.sqrt(1.0 - (offsets(M, sym) / reach(M, sym)) ** 2)) / np.i0(beta)


@instead_of(signal.windows.tukey)
def tukey(M, alpha=0.5, sym=True):
    if M <= 1 or alpha <= 0:
        return np.ones(M)
    taper = min(alpha, 1.0)
    inwards = (reach(M, sym) - np.abs(offsets(M, sym))) / reach(M, sym)
    return np.where(inwards < taper, 0.5 - 0.5 * np.cos(np.pi * inwards / taper), 1.0)
