"""Banded matrices, whose diagonals are the rows of an array, and equations with Toeplitz matrices.

``ab[above + i - j, j]`` is the element ``a[i, j]`` of a matrix with so many diagonals below and above the main one.
What stands in the corners of the rows, outside the matrix, is never read, and zero in results.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload, register_jitable
from numba.np.numpy_support import as_dtype
from scipy import linalg

from srcad.runtime.scipy_linalg_lapack import LOWER, alive, computed, functions, option


def solve_bands(ab: np.ndarray, b: np.ndarray, below: int, above: int) -> np.ndarray:
    """The solution of equations with a banded matrix, for a vector or for the columns of a matrix.

    >>> solve_bands(np.array([[9.0, 1.0], [2.0, 4.0]]), np.array([3.0, 4.0]), 0, 1)
    array([1., 1.])
    """
    return linalg.solve_banded((below, above), _band(ab), _columns(b), check_finite=False)


def solve_half(ab: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of equations with a banded matrix that is symmetric or Hermitian, and positive definite.

    Its diagonals are given from the main one downwards.

    >>> solve_half(np.array([[2.0, 2.0], [1.0, 9.0]]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    return linalg.solveh_banded(_band(ab), _columns(b), lower=True, check_finite=False)


def times_bands(ab: np.ndarray, x: np.ndarray, below: int, above: int) -> np.ndarray:
    """The product of a banded matrix and a vector or a matrix.

    >>> times_bands(np.array([[9.0, 1.0], [2.0, 4.0]]), np.array([1.0, 1.0]), 0, 1)
    array([3., 4.])
    """
    y = np.zeros(_columns(x).shape, np.result_type(_band(ab), x))
    for r in range(below + above + 1):
        to, of = _overlap(ab.shape[1], r - above)
        y[to] += (ab[r, of] * x[of].T).T
    return y


def outer_bands(u: np.ndarray, x: np.ndarray, below: int, above: int) -> np.ndarray:
    """The band of ``u @ x.T``, or of the outer product of vectors.

    >>> outer_bands(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 0, 1)
    array([[0., 4.],
           [3., 8.]])
    """
    y = np.zeros((below + above + 1, _columns(x, u.ndim).shape[0]), np.result_type(u, x))
    for r in range(below + above + 1):
        to, of = _overlap(x.shape[0], r - above)
        products = u[to] * x[of]
        y[r, of] = products if x.ndim == 1 else np.sum(products, axis=1)
    return y


def turned_bands(ab: np.ndarray, below: int, above: int) -> np.ndarray:
    """The transpose of a banded matrix, which has as many diagonals above as this one has below.

    >>> turned_bands(np.array([[9.0, 1.0], [2.0, 4.0]]), 0, 1)
    array([[2., 4.],
           [1., 0.]])
    """
    y = np.zeros_like(_band(ab))
    for r in range(below + above + 1):
        to, of = _overlap(ab.shape[1], r - above)
        y[below + above - r, to] = ab[r, of]
    return y


def _band(ab: np.ndarray) -> np.ndarray:
    if ab.ndim != 2:
        raise ValueError("a band has two axes")
    return ab


def _columns(b: np.ndarray, ndim: int = 0) -> np.ndarray:
    if b.ndim not in (1, 2) or ndim not in (0, b.ndim):
        raise ValueError("a right side is a vector or a matrix")
    return b


def _overlap(n: int, down: int) -> tuple[slice, slice]:
    """The rows and the columns of a diagonal that lies so far below the main one."""
    return slice(max(down, 0), max(n + min(down, 0), 0)), slice(max(-down, 0), max(n - max(down, 0), 0))


def solve_levinson(c: np.ndarray, r: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The solution of equations with the Toeplitz matrix of a column and a row, of which the first element is not read;
    in double precision always.

    >>> solve_levinson(np.array([2.0, 1.0]), np.array([0.0, 1.0]), np.array([3.0, 3.0]))
    array([1., 1.])
    """
    if not c.ndim == r.ndim == b.ndim == 1:
        raise ValueError("a Toeplitz matrix is that of vectors")
    return linalg.solve_toeplitz((c, r), b, check_finite=False)


# ---------------------------------------------------------------- compiled

_GBSV, _GTSV, _PBSV, _PTSV = functions("gbsv", 10), functions("gtsv", 8), functions("pbsv", 9), functions("ptsv", 7)


def _solver(dtype):
    """What solves with bands and right sides that lie diagonal by diagonal in memory, and leaves the solution there."""
    solve, of_three, own = _GBSV[dtype], _GTSV[dtype], as_dtype(dtype)

    @register_jitable
    def run(ab, turned, below, above):
        n = ab.shape[1]
        if ab.shape[0] != below + above + 1:
            raise ValueError("solve_banded: there are not as many rows as diagonals")
        if turned.shape[-1] != n:
            raise ValueError("solve_banded: the shapes of ab and b are incompatible")
        if turned.size == 0:
            return
        wide = 2 * below + above + 1
        size = np.array([n, below, above, turned.size // n, wide, 0], np.int32)
        at, right = size.ctypes.data, turned.ctypes.data
        if below == 1 and above == 1:
            rows = np.empty((3, n), own)
            rows[:] = ab
            first = rows.ctypes.data
            of_three(at, at + 12, first + 2 * n * rows.itemsize, first + n * rows.itemsize, first + rows.itemsize,
                     right, at, at + 20)  # fmt: skip
            alive(rows, turned, size)
        else:
            rows, pivots = np.empty((n, wide), own), np.empty(n, np.int32)
            for k in range(below + above + 1):
                rows[:, below + k] = ab[k]
            solve(at, at + 4, at + 8, at + 12, rows.ctypes.data, at + 16, pivots.ctypes.data, right, at, at + 20)
            alive(rows, pivots, turned, size)
        if size[5] > 0:
            raise np.linalg.LinAlgError("solve_banded: the matrix is singular")

    return run


@overload(solve_bands)
def _solve_bands(ab, b, below, above):
    dtype = computed(ab.dtype, b.dtype)
    run, own = _solver(dtype), as_dtype(dtype)

    def solve(ab, b, below, above):
        x = np.empty(b.shape[::-1], own)
        x[:] = b.T
        run(ab, x, below, above)
        return x if x.ndim == 1 else np.ascontiguousarray(x.T)

    return solve


def _half_solver(dtype):
    """The same with the half of a matrix."""
    solve, own = _PBSV[dtype], as_dtype(dtype)
    of_two, real = _PTSV[dtype], np.zeros(0, own).real.dtype

    @register_jitable
    def run(ab, turned):
        rows, n = ab.shape
        if turned.shape[-1] != n or rows == 0:
            raise ValueError("solveh_banded: the shapes of ab and b are incompatible")
        if turned.size == 0:
            return
        size = np.array([n, rows - 1, turned.size // n, rows, 0], np.int32)
        at, right = size.ctypes.data, turned.ctypes.data
        if rows == 2:
            main, beside = np.empty(n, real), np.empty(n, own)
            main[:], beside[:] = ab[0].real, ab[1]
            of_two(at, at + 8, main.ctypes.data, beside.ctypes.data, right, at, at + 16)
            alive(main, beside, turned, size)
        else:
            columns = np.empty((n, rows), own)
            for k in range(rows):
                columns[:, k] = ab[k]
            solve(option(LOWER), at, at + 4, at + 8, columns.ctypes.data, at + 12, right, at, at + 16)
            alive(columns, turned, size)
        if size[4] > 0:
            raise np.linalg.LinAlgError("solveh_banded: the matrix is not positive definite")

    return run


@overload(solve_half)
def _solve_half(ab, b):
    dtype = computed(ab.dtype, b.dtype)
    run, own = _half_solver(dtype), as_dtype(dtype)

    def solve(ab, b):
        x = np.empty(b.shape[::-1], own)
        x[:] = b.T
        run(ab, x)
        return x if x.ndim == 1 else np.ascontiguousarray(x.T)

    return solve


@overload(times_bands)
def _times_bands(ab, x, below, above):
    own = as_dtype(computed(ab.dtype, x.dtype))

    def times(ab, x, below, above):
        y = np.zeros(x.shape, own)
        for r in range(below + above + 1):
            down = r - above
            for j in range(max(-down, 0), ab.shape[1] - max(down, 0)):
                y[j + down] += ab[r, j] * x[j]
        return y

    return times


@overload(outer_bands)
def _outer_bands(u, x, below, above):
    own = as_dtype(computed(u.dtype, x.dtype))
    if x.ndim == 1:

        def outer(u, x, below, above):
            y = np.zeros((below + above + 1, x.shape[0]), own)
            for r in range(below + above + 1):
                down = r - above
                for j in range(max(-down, 0), x.shape[0] - max(down, 0)):
                    y[r, j] = u[j + down] * x[j]
            return y

        return outer

    def of_columns(u, x, below, above):
        y = np.zeros((below + above + 1, x.shape[0]), own)
        for r in range(below + above + 1):
            down = r - above
            for j in range(max(-down, 0), x.shape[0] - max(down, 0)):
                for k in range(x.shape[1]):
                    y[r, j] += u[j + down, k] * x[j, k]
        return y

    return of_columns


@overload(turned_bands)
def _turned_bands(ab, below, above):
    def turned(ab, below, above):
        y = np.zeros_like(ab)
        for r in range(below + above + 1):
            down = r - above
            for j in range(max(-down, 0), ab.shape[1] - max(down, 0)):
                y[below + above - r, j + down] = ab[r, j]
        return y

    return turned


@register_jitable
def _singular(pivot):
    if pivot == 0:
        raise np.linalg.LinAlgError("solve_toeplitz: a leading part of the matrix is singular")
    return pivot


@overload(solve_levinson)
def _solve_levinson(c, r, b):
    dtype = computed(c.dtype, r.dtype, b.dtype)
    wide = np.complex128 if dtype in (types.complex64, types.complex128) else np.float64

    def solve(c, r, b):
        # N. Levinson (1947): solutions of ever more of the equations, by those of the first and the last unit vector.
        n = c.shape[0]
        x, forward, backward = np.zeros(n, wide), np.zeros(n, wide), np.zeros(n, wide)
        if n == 0:
            return x
        forward[0] = backward[0] = 1.0 / _singular(c[0])
        x[0] = b[0] / c[0]
        for k in range(1, n):
            low = high = left = x[0] * 0
            for i in range(k):
                low += c[k - i] * forward[i]
                high += r[i + 1] * backward[i]
                left += c[k - i] * x[i]
            scale = 1.0 / _singular(1.0 - low * high)
            before = x[0] * 0
            for i in range(k + 1):
                one, other = forward[i] if i < k else x[0] * 0, before
                before = backward[i]
                forward[i], backward[i] = scale * (one - low * other), scale * (other - high * one)
            missing = b[k] - left
            for i in range(k + 1):
                x[i] += missing * backward[i]
        return x

    return solve
