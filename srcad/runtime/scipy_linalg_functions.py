"""Functions of `scipy.linalg` in compiled code that NumPy does not have.

Roots and logarithms are those of the triangle of Schur: A. Bjorck and S. Hammarling, Linear Algebra Appl. 52/53 (1983);
A. Al-Mohy and N. Higham, SIAM J. Sci. Comput. 34 (2012). LAPACK's own finds it, which SciPy publishes.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from scipy import linalg

from srcad.runtime.scipy_linalg_lapack import real_schur, schur, without_blocks

_NODES, _WEIGHTS = ((1.0 + x) / 2.0 for x in np.polynomial.legendre.leggauss(8))
_WEIGHTS = _WEIGHTS - 0.5


def square_root(a: np.ndarray) -> np.ndarray:
    """`scipy.linalg.sqrtm` of a matrix, or of each of a stack, in the dtype of the matrix.

    >>> square_root(np.diag([4.0, 9.0]))
    array([[2., 0.],
           [0., 3.]])

    Raises
    ------
    ValueError
        for a real matrix whose root is complex.
    """
    return _each(linalg.sqrtm, a, "square root")


def logarithm(a: np.ndarray) -> np.ndarray:
    """`scipy.linalg.logm` of a matrix, or of each of a stack, in the dtype of the matrix; errors as for the root.

    >>> logarithm(np.eye(2))
    array([[0., 0.],
           [0., 0.]])
    """
    return _each(linalg.logm, a, "logarithm")


def _each(function, a, name):
    y = np.empty_like(a)
    for place in np.ndindex(a.shape[:-2]):
        found = function(a[place])
        if np.iscomplexobj(found) and not np.iscomplexobj(a):
            if np.any(np.abs(found.imag) > 1e-13 * np.max(np.abs(found))):
                raise ValueError(f"the {name} of this real matrix is complex; write the matrix as A + 0j")
            found = found.real  # older versions of SciPy leave rounding beside it
        y[place] = found
    return y


# ---------------------------------------------------------------- compiled


@register_jitable
def _root_of_triangle(t):
    n = t.shape[0]
    r = np.zeros_like(t)
    for j in range(n):
        r[j, j] = np.sqrt(t[j, j])
        for i in range(j - 1, -1, -1):
            rest = t[i, j]
            for k in range(i + 1, j):
                rest -= r[i, k] * r[k, j]
            both = r[i, i] + r[j, j]
            if rest != 0.0:
                r[i, j] = rest / both if both != 0.0 else np.nan
    return r


@register_jitable
def _logarithm_of_triangle(t):
    n = t.shape[0]
    unit, roots = np.eye(n).astype(t.dtype), 0
    while np.max(np.sum(np.abs(t - unit), axis=0)) > 0.25 and roots < 100:
        t, roots = _root_of_triangle(t), roots + 1
    x, y = t - unit, np.zeros_like(t)
    for k in range(_NODES.size):
        y += _WEIGHTS[k] * np.linalg.solve(unit + _NODES[k] * x, x)
    return 2.0**roots * y


def _compile(public, of_triangle, name):
    message = f"the {name} of this real matrix is complex; write the matrix as A + 0j"

    @register_jitable
    def checked(a):
        if not np.all(np.isfinite(a)):
            raise np.linalg.LinAlgError("Array must not contain infs or NaNs")

    @register_jitable
    def of_complex(a):
        if a.size == 0:
            return a.copy()
        checked(a)
        t, v = schur(a)
        return v @ of_triangle(t) @ np.ascontiguousarray(np.conj(v.T))

    @register_jitable
    def of_real(a):
        if a.size == 0:
            return a.copy()
        checked(a)
        triangle, vectors = real_schur(a)
        if not np.any(np.diag(triangle, -1)) and np.all(np.diag(triangle) >= 0.0):
            return vectors @ of_triangle(triangle) @ np.ascontiguousarray(vectors.T)
        t, v = without_blocks(triangle, vectors)
        y = v @ of_triangle(t) @ np.ascontiguousarray(np.conj(v.T))
        if y.size and np.max(np.abs(np.imag(y))) > 1e-8 * np.max(np.abs(y)):
            raise ValueError(message)
        return np.real(y)

    @overload(public)
    def build(a):
        narrow = np.dtype(str(a.dtype)).type
        one = of_complex if isinstance(a.dtype, types.Complex) else of_real
        wide = np.complex128 if isinstance(a.dtype, types.Complex) else np.float64

        def each(a):
            y = np.empty(a.shape, narrow)
            for place in np.ndindex(a.shape[:-2]):
                y[place] = one(a[place].astype(wide))
            return y

        return each if a.ndim > 2 else lambda a: one(a.astype(wide)).astype(narrow)


_compile(square_root, _root_of_triangle, "square root")
_compile(logarithm, _logarithm_of_triangle, "logarithm")
