"""Polynomials by their coefficients, and convolutions."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of


@instead_of(np.polyval)
def polyval(p, x):
    y = (np.zeros_like(x, dtype=np.float64) if isinstance(p, (tuple, list)) else np.zeros_like(x)) + p[0]
    for k in range(1, len(p)):
        y = y * x + p[k]
    return y


@instead_of(np.polyadd)
def polyadd(a1, a2):
    a, b = longer(array_of(a1), np.size(a2)), longer(array_of(a2), np.size(a1))
    return a + b


@instead_of(np.polysub)
def polysub(a1, a2):
    a, b = longer(array_of(a1), np.size(a2)), longer(array_of(a2), np.size(a1))
    return a - b


def longer(p, n):
    """Coefficients with zeros before them, n in all or more."""
    return np.concatenate((np.zeros(max(n - p.size, 0), p.dtype), p))


@instead_of(np.polyder)
def polyder(p, m=1):
    a = array_of(p)
    for _ in range(m):
        a = a[:-1] * np.arange(a.size - 1, 0, -1)
    return a


@instead_of(np.polyint)
def polyint(p, m=1, k=None):
    if m != 1:
        return refuse("np.polyint with m=", "np.polyint several times")
    a = array_of(p)
    free = np.zeros(1) if k is None else np.full(1, k)
    return np.concatenate((a / np.arange(a.size, 0, -1), free))


@instead_of(np.vander)
def vander(x, N=None, increasing=False):
    n = np.size(x) if N is None else N
    powers = array_of(x)[:, None] ** np.arange(n)
    return powers if increasing else powers[:, ::-1]


@instead_of(np.convolve, given=("mode",))
def convolve(a, v, mode="full"):
    y = np.convolve(a, v)
    short = min(np.size(a), np.size(v))
    if mode == "full":
        return y
    if mode == "same":
        return y[(short - 1) // 2 : (short - 1) // 2 + max(np.size(a), np.size(v))]
    return y[short - 1 : max(np.size(a), np.size(v))]


@instead_of(np.correlate)
def correlate(a, v, mode="valid"):
    y = np.convolve(a, v[::-1])
    if mode == "full":
        return y
    n, m = np.size(a), np.size(v)
    if mode == "same":
        start = (m - 1) // 2 if n >= m else n // 2
        return y[start : start + max(n, m)]
    return y[min(n, m) - 1 : max(n, m)]
