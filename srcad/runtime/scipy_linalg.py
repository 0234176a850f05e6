"""Functions of `scipy.linalg` in compiled code that NumPy does not have."""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype
from scipy import linalg

from srcad.runtime.scipy_linalg_lapack import NO, alive, computed, functions, option, real_schur, schur

# Of the numerator of the Pade approximant of degree 13: N. Higham, SIAM J. Matrix Anal. Appl. 26 (2005), 1179.
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_LARGEST = 5.371920351148152  # the norm up to which it is exact to double precision
_TRSYL = functions("trsyl", 13)


@register_jitable
def _expm(a):
    """Scaling, the Pade approximant of degree 13, and squaring; in double precision."""
    length = np.max(np.sum(np.abs(a), axis=0)) if a.size else 0.0
    squarings = max(0, int(np.ceil(np.log2(length / _LARGEST)))) if 0.0 < length < np.inf else 0
    scaled = np.ascontiguousarray(a / 2.0**squarings)
    unit = np.eye(a.shape[0]).astype(scaled.dtype)
    a2 = scaled @ scaled
    a4 = a2 @ a2
    a6 = a4 @ a2
    b = _PADE
    odd = scaled @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * unit)
    even = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * unit
    y = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        y = y @ y
    return y


@overload(linalg.expm)
def _expm_of(A):
    wide = np.complex128 if np.dtype(str(A.dtype)).kind == "c" else np.float64
    narrow = np.dtype(str(A.dtype)).type
    if A.ndim == 2:
        return lambda A: _expm(A.astype(wide)).astype(narrow)

    def each(A):
        y = np.empty(A.shape, narrow)
        for place in np.ndindex(A.shape[:-2]):
            y[place] = _expm(A[place].astype(wide))
        return y

    return each


def _divider(dtype, triangle):
    """What solves an equation of matrices by the triangles of Schur: R. Bartels and G. Stewart (1972)."""
    of_triangles, own = _TRSYL[dtype], as_dtype(dtype)

    @register_jitable
    def solve(a, b, q):
        if a.shape[0] != a.shape[1] or b.shape[0] != b.shape[1] or q.shape != (a.shape[0], b.shape[0]):
            raise ValueError("solve_sylvester: the shapes of a, b and q are incompatible")
        if q.size == 0:
            return np.empty(q.shape, own)
        s, u = triangle(a.astype(own))
        t, v = triangle(b.astype(own))
        first, second = np.ascontiguousarray(s.T), np.ascontiguousarray(t.T)  # by columns
        y = np.ascontiguousarray((np.ascontiguousarray(np.conj(u.T)) @ q.astype(own) @ v).T)
        size, scale = np.array([1, a.shape[0], b.shape[0], 0], np.int32), np.ones(2)
        m = size.ctypes.data + 4
        of_triangles(option(NO), option(NO), m - 4, m, m + 4, first.ctypes.data, m, second.ctypes.data, m + 4,
                     y.ctypes.data, m, scale.ctypes.data, m + 8)  # fmt: skip
        alive(first, second, y, size, scale)
        return u @ np.ascontiguousarray(y.T / scale[0]) @ np.ascontiguousarray(np.conj(v.T))

    return solve


@overload(linalg.solve_sylvester)
def _solve_sylvester(a, b, q):
    narrow = as_dtype(computed(a.dtype, b.dtype, q.dtype))
    real = narrow.kind != "c"
    solve = _divider(types.float64 if real else types.complex128, real_schur if real else schur)
    if a.ndim == 2 and b.ndim == 2 and q.ndim == 2:
        return lambda a, b, q: solve(a, b, q).astype(narrow)

    def each(a, b, q):
        stack = np.broadcast_shapes(a.shape[:-2], b.shape[:-2], q.shape[:-2])
        left, right = np.broadcast_to(a, stack + a.shape[-2:]), np.broadcast_to(b, stack + b.shape[-2:])
        given, x = np.broadcast_to(q, stack + q.shape[-2:]), np.empty(stack + q.shape[-2:], narrow)
        for place in np.ndindex(stack):
            x[place] = solve(left[place], right[place], given[place])
        return x

    return each
