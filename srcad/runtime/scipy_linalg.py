"""Functions of `scipy.linalg` in compiled code that NumPy does not have."""

from __future__ import annotations

import numpy as np
from numba.extending import overload, register_jitable
from scipy import linalg

from srcad.runtime.scipy_linalg_functions import schur

# Of the numerator of the Pade approximant of degree 13: N. Higham, SIAM J. Matrix Anal. Appl. 26 (2005), 1179.
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_LARGEST = 5.371920351148152  # the norm up to which it is exact to double precision


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


@overload(linalg.solve_sylvester)
def _solve_sylvester(a, b, q):
    """By the triangles of Schur of both matrices, column by column: R. Bartels and G. Stewart (1972)."""
    narrow = np.dtype(str(q.dtype)).type
    real = np.dtype(str(q.dtype)).kind != "c"

    def solve(a, b, q):
        s, u = schur(a.astype(np.complex128))
        t, v = schur(b.astype(np.complex128))
        y = np.ascontiguousarray(np.conj(u.T)) @ q.astype(np.complex128) @ v
        for j in range(y.shape[1]):
            for k in range(j):
                y[:, j] -= t[k, j] * y[:, k]
            for i in range(y.shape[0] - 1, -1, -1):
                for k in range(i + 1, y.shape[0]):
                    y[i, j] -= s[i, k] * y[k, j]
                y[i, j] /= s[i, i] + t[j, j]
        x = u @ y @ np.ascontiguousarray(np.conj(v.T))
        return (np.real(x) if real else x).astype(narrow)

    return solve
