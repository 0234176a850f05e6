"""LAPACK and BLAS in compiled code, as SciPy publishes them for Cython: each by a symbol with its address in a process.

They take addresses only, of numbers, too, and matrices whose columns are contiguous; what lies by rows is the transpose
of one. What an address points to has to live until the call has returned: ``alive(array, ...)`` after it sees to that.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
import numpy as np
from numba import types
from numba.extending import get_cython_function_address, overload, register_jitable

_LETTERS = {types.float32: "s", types.float64: "d", types.complex64: "c", types.complex128: "z"}
_OPTIONS = np.frombuffer(b"LNRTUV", np.uint8)
LEFT, NO, RIGHT, TRANSPOSED, UPPER, VECTORS = range(6)
LOWER, UNIT = LEFT, UPPER


def functions(name: str, operands: int, module: str = "cython_lapack") -> dict[Any, Any]:
    """The functions of a name without the letter of the dtype, by the dtype as a type of Numba.

    For names of modules only: code from the disk is run without being typed, and finds its symbols because a process
    that imports the module gives them their addresses.
    """
    found = {}
    for dtype, letter in _LETTERS.items():
        symbol = f"scipy.linalg.{letter}{name}"
        llvmlite.binding.add_symbol(symbol, get_cython_function_address(f"scipy.linalg.{module}", letter + name))
        found[dtype] = types.ExternalFunction(symbol, types.void(*(types.intp,) * operands))
    return found


def computed(*dtypes: Any) -> Any:
    """The type of Numba in which something is computed of these types: integers are numbers of double precision."""
    name = np.result_type(*(np.dtype(str(dtype)) for dtype in dtypes)).name
    return next((own for own in _LETTERS if str(own) == name), types.float64)


def inexact(*arrays: np.ndarray) -> np.dtype:
    """The dtype in which NumPy solves equations with arrays."""
    found = np.result_type(*arrays)
    return found if found.kind in "fc" else np.dtype(float)


@register_jitable
def option(letter: int) -> int:
    """The address of the letter that stands for an option."""
    return _OPTIONS.ctypes.data + letter


def alive(*arrays: np.ndarray) -> None:
    """Keep arrays until here."""


@overload(alive)
def _alive(*arrays):
    return lambda *arrays: None


# ---------------------------------------------------------------- the triangle of Schur

_GEES = functions("gees", 15)
_REAL: Any = _GEES[types.float64]
_COMPLEX: Any = _GEES[types.complex128]


@register_jitable
def _after(failed):
    if failed[0] != 0:
        raise np.linalg.LinAlgError("the triangle of Schur was not found")


@register_jitable
def schur(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The triangle of Schur and the vectors of a matrix of complex numbers: ``a == v @ t @ v.conj().T``."""
    n = a.shape[0]
    t, w, v = np.ascontiguousarray(a.T).copy(), np.empty(n + 1, np.complex128), np.empty((n, n), np.complex128)
    size, real = np.array([n, max(n, 1), 66 * n + 1, 0, 0], np.int32), np.empty(n + 1)
    work = np.empty(66 * n + 1, np.complex128)
    flags, side = np.zeros(n + 1, np.int32), size.ctypes.data + 4
    _COMPLEX(option(VECTORS), option(NO), 0, side - 4, t.ctypes.data, side, side + 8, w.ctypes.data, v.ctypes.data,
             side, work.ctypes.data, side + 4, real.ctypes.data, flags.ctypes.data, side + 12)  # fmt: skip
    alive(t, w, v, size, work, real, flags)
    _after(size[4:])
    return np.ascontiguousarray(t.T), np.ascontiguousarray(v.T)


@register_jitable
def real_schur(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """That of real numbers, with a block of two rows on its diagonal for each pair of complex eigenvalues."""
    n = a.shape[0]
    t, w, v = np.ascontiguousarray(a.T).copy(), np.empty(2 * n + 1), np.empty((n, n))
    size, work = np.array([n, max(n, 1), 66 * n + 1, 0, 0], np.int32), np.empty(66 * n + 1)
    flags, side = np.zeros(n + 1, np.int32), size.ctypes.data + 4
    _REAL(option(VECTORS), option(NO), 0, side - 4, t.ctypes.data, side, side + 8, w.ctypes.data, w.ctypes.data + 8 * n,
          v.ctypes.data, side, work.ctypes.data, side + 4, flags.ctypes.data, side + 12)  # fmt: skip
    alive(t, w, v, size, work, flags)
    _after(size[4:])
    return np.ascontiguousarray(t.T), np.ascontiguousarray(v.T)


@register_jitable
def without_blocks(t: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Both of complex numbers: each block is turned into a triangle, as its rows are by its eigenvectors."""
    upper, vectors = t.astype(np.complex128), v.astype(np.complex128)
    for k in range(1, t.shape[0]):
        if t[k, k - 1] != 0.0:  # LAPACK leaves equal numbers on the diagonal of a block, and opposite signs beside it
            turn = complex(0.0, np.sqrt(-t[k - 1, k] * t[k, k - 1]))
            length = np.sqrt(abs(turn) ** 2 + t[k, k - 1] ** 2)
            c, s = turn / length, t[k, k - 1] / length
            for j in range(k - 1, t.shape[0]):
                one, other = upper[k - 1, j], upper[k, j]
                upper[k - 1, j], upper[k, j] = np.conj(c) * one + s * other, c * other - s * one
            for i in range(t.shape[0]):
                one, other = vectors[i, k - 1], vectors[i, k]
                vectors[i, k - 1], vectors[i, k] = c * one + s * other, np.conj(c) * other - s * one
                if i <= k:
                    one, other = upper[i, k - 1], upper[i, k]
                    upper[i, k - 1], upper[i, k] = c * one + s * other, np.conj(c) * other - s * one
            upper[k, k - 1] = 0.0
    return upper, vectors
