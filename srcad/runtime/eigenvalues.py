"""Eigenvalues and eigenvectors of matrices that need not be symmetric, and of stacks of them; always complex."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable


def spectrum(a: np.ndarray) -> np.ndarray:
    """`np.linalg.eig` as one complex array: the eigenvalues in the first row, the eigenvectors in the columns below.

    >>> spectrum(np.diag([2.0, 1.0]))[0]
    array([2.+0.j, 1.+0.j])
    """
    values, vectors = np.linalg.eig(a)
    y = np.concatenate((values[..., None, :], vectors), axis=-2)
    return y.astype(np.result_type(y.dtype, np.complex64), copy=False)


def real_components(v: np.ndarray) -> np.ndarray:
    """A one in each column where LAPACK has turned an eigenvector to be real: at its largest component.

    >>> real_components(np.array([[0.6, 0.8j], [0.8j, 0.6]]))
    array([[1., 0.],
           [0., 1.]])
    """
    lengths = np.where(np.imag(v) == 0.0, np.abs(v), 0.0)
    return 1.0 * (np.arange(v.shape[-2])[:, None] == np.argmax(lengths, axis=-2)[..., None, :])


# ---------------------------------------------------------------- compiled

_GEEV = types.ExternalFunction("numba_ez_rgeev", types.intc(
    types.char, types.char, types.char, types.intp, types.CPointer(types.float64), types.intp,
    types.CPointer(types.float64), types.CPointer(types.float64), types.CPointer(types.float64), types.intp,
    types.CPointer(types.float64), types.intp,
))  # fmt: skip
_DOUBLE, _NONE, _VECTORS = ord("d"), ord("N"), ord("V")


@register_jitable
def _of_real(a):
    """By LAPACK's dgeev, as Numba links it: a pair of complex vectors lies in two real columns."""
    n = a.shape[0]
    work, left, right = np.ascontiguousarray(a.T).copy(), np.empty((1, n)), np.empty((n, n))
    real, imag = np.empty(n), np.empty(n)
    failed = _GEEV(
        _DOUBLE, _NONE, _VECTORS, n, work.ctypes, n, real.ctypes, imag.ctypes, left.ctypes, 1, right.ctypes, n
    )  # fmt: skip
    if failed != 0 or work.size + left.size < 0:  # LAPACK writes to them: they have to live until here
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
    y = np.empty((n + 1, n), np.complex128)
    for j in range(n):
        y[0, j] = complex(real[j], imag[j])
        for i in range(n):
            if imag[j] == 0.0:
                y[i + 1, j] = right[j, i]
            elif imag[j] > 0.0:
                y[i + 1, j] = complex(right[j, i], right[j + 1, i])
            else:
                y[i + 1, j] = complex(right[j - 1, i], -right[j, i])
    return y


@register_jitable
def _of_complex(a):
    values, vectors = np.linalg.eig(np.ascontiguousarray(a))
    return np.concatenate((values.reshape((1, -1)), vectors))


@overload(spectrum)
def _spectrum(a):
    complexes = isinstance(a.dtype, types.Complex)
    one, wide = (_of_complex, np.complex128) if complexes else (_of_real, np.float64)
    narrow = np.complex64 if a.dtype in (types.float32, types.complex64) else np.complex128

    def whole(a):
        if not np.all(np.isfinite(a)):
            raise np.linalg.LinAlgError("Array must not contain infs or NaNs")
        return one(a.astype(wide)).astype(narrow)

    def each(a):
        y = np.empty(a.shape[:-2] + (a.shape[-1] + 1, a.shape[-1]), narrow)
        for place in np.ndindex(a.shape[:-2]):
            y[place] = spectrum(a[place])
        return y

    return whole if a.ndim == 2 else each


@overload(real_components)
def _real_components(v):
    def whole(v):
        y = np.zeros(v.shape)
        for j in range(v.shape[1]):
            best, at = -1.0, 0
            for i in range(v.shape[0]):
                length = abs(v[i, j]) if v[i, j].imag == 0.0 else 0.0
                if length > best:
                    best, at = length, i
            y[at, j] = 1.0
        return y

    def each(v):
        y = np.empty(v.shape)
        for place in np.ndindex(v.shape[:-2]):
            y[place] = real_components(v[place])
        return y

    return whole if v.ndim == 2 else each
