"""Polynomials by their coefficients, and convolutions."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of
from srcad.library.axes import array_of, conjugate


@instead_of(np.polyval)
def polyval(p, x):
    y = (np.zeros_like(x, dtype=np.float64) if isinstance(p, (tuple, list)) else np.zeros_like(x)) + p[0]
    for k in range(1, len(p)):
        y = y * x + p[k]
    return y


@instead_of(np.polyadd)
def polyadd(a1, a2):
    a, b = coefficients(a1), coefficients(a2)
    return longer(a, np.size(b)) + longer(b, np.size(a))


@instead_of(np.polysub)
def polysub(a1, a2):
    a, b = coefficients(a1), coefficients(a2)
    return longer(a, np.size(b)) - longer(b, np.size(a))


def coefficients(p):
    """The coefficients of a polynomial; a number is one of degree zero."""
    return np.atleast_1d(array_of(p))


def longer(p, n):
    """Coefficients with zeros before them, n in all or more."""
    return np.concatenate((np.zeros(n - p.size, p.dtype), p)) if p.size < n else p


@instead_of(np.polyder)
def polyder(p, m=1):
    a = array_of(p)
    for _ in range(m):
        a = a[:-1] * np.arange(a.size - 1, 0, -1)
    return a


@instead_of(np.polyint)
def polyint(p, m=1, k=None):
    a = array_of(p)
    free = 0.0 if k is None else array_of(k)
    for i in range(m):
        own = free if np.ndim(free) == 0 else free[0] if np.size(free) == 1 else free[i]
        a = np.concatenate((a / np.arange(a.size, 0, -1), np.full(1, own)))
    return a


@instead_of(np.polymul)
def polymul(a1, a2):
    return np.convolve(without_zeros(coefficients(a1)), without_zeros(coefficients(a2)))


def without_zeros(p):
    """Coefficients from the first that is not zero; the last one always."""
    first = 0
    while first < p.size - 1 and p[first] == 0:
        first += 1
    return p[first:]


@instead_of(np.polydiv)
def polydiv(u, v):
    a, b = array_of(u), array_of(v)
    rest = a + 0.0 * b[0]
    quotient = np.zeros(max(a.size - b.size + 1, 1), rest.dtype)
    # In NumPy's precision, compiled too: which elements of the rest vanish depends on how it rounds.
    scale = np.ones(1, rest.dtype)[0] / b[0]
    for k in range(a.size - b.size + 1):
        quotient[k] = scale * rest[k]
        rest[k : k + b.size] -= quotient[k] * b
    first = 0
    while first < rest.size - 1 and np.abs(rest[first]) <= 1e-8:
        first += 1
    return quotient, rest[first:]


@instead_of(np.poly)
def poly(seq_of_zeros):
    zeros = array_of(seq_of_zeros)
    if np.ndim(zeros) == 2:
        return characteristic(zeros)
    p = np.zeros(zeros.size + 1, zeros.dtype)
    p[0] = 1.0
    for k in range(zeros.size):
        p[1 : k + 2] = p[1 : k + 2] - zeros[k] * p[: k + 1]
    return p


def characteristic(a):
    """The characteristic polynomial of a matrix: U. Le Verrier's recurrence, which needs no eigenvalues."""
    n = a.shape[0]
    p = np.zeros(n + 1, a.dtype)
    p[0] = 1.0
    sums = np.zeros((n + 1, n, n), a.dtype)
    for k in range(1, n + 1):
        sums[k] = a @ sums[k - 1] + p[k - 1] * np.eye(n, dtype=a.dtype)
        p[k] = -np.trace(a @ sums[k]) / k
    return p


@instead_of(np.roots)
def roots(p):
    coefficients = array_of(p)
    n = coefficients.size - 1
    if coefficients.dtype.kind in "biu":
        return np.linalg.eigvals(companion(1.0 * coefficients, n))
    return np.linalg.eigvals(companion(coefficients, n))


def companion(p, n):
    """The matrix whose eigenvalues are the roots of a polynomial: F. Frobenius's."""
    return np.concatenate((np.expand_dims(-p[1:] / p[0], 0), np.eye(n - 1, n, dtype=p.dtype)))


@instead_of(np.vander)
def vander(x, N=None, increasing=False):
    v = array_of(x)
    n = np.size(v) if N is None else N
    y = np.ones((np.size(v), n), (np.ones(1, v.dtype) * np.arange(1)).dtype)
    if increasing:
        for j in range(1, n):
            y[:, j] = y[:, j - 1] * v
    else:
        for j in range(n - 2, -1, -1):
            y[:, j] = y[:, j + 1] * v
    return y


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
    y = np.convolve(a, conjugate(array_of(v))[::-1])
    if mode == "full":
        return y
    n, m = np.size(a), np.size(v)
    if mode == "same":
        start = (m - 1) // 2 if n >= m else n // 2
        return y[start : start + max(n, m)]
    return y[min(n, m) - 1 : max(n, m)]
