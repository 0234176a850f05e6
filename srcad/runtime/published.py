"""NumPy's own C functions of vectors in compiled code: to sort, to order, to find the largest and the smallest.

NumPy publishes them in the table of functions of each dtype (``PyArray_ArrFuncs`` of its C interface, which extension
modules rely on). They use the vector instructions of the processor. Compiled code names each by a symbol, which every
process that imports this file gives the function's address there; so machine code on the disk holds no addresses.
"""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

import llvmlite.binding
import numpy as np
from numba.core import types

PREFIX = "numpy."  # of the symbols
DTYPES = ("float64", "float32", "int64", "int32")
# Where they are in the table of functions: 21 casts come first.
_PLACES = {"argmax": 26, "sort": 33, "argsort": 36, "argmin": 46}
_GET_FUNCTIONS = 365  # in the table of NumPy's C interface, since version 2.0


def published() -> dict[tuple[str, str], int]:
    """The addresses, by the function and the dtype; none for another major version of NumPy.

    >>> sorted({name for name, _ in published()})
    ['argmax', 'argmin', 'argsort', 'sort']
    """
    if np.__version__.split(".")[0] != "2":
        return {}
    umath: Any = importlib.import_module("numpy._core._multiarray_umath")
    pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    interface = _table(pointer_in(umath._ARRAY_API, None))
    functions_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(interface[_GET_FUNCTIONS])
    tables = {dtype: _table(functions_of(np.dtype(dtype))) for dtype in DTYPES}
    every = {(name, dtype): tables[dtype][place] for name, place in _PLACES.items() for dtype in DTYPES}
    return every if all(every.values()) else {}


def _table(address: Any) -> Any:
    return ctypes.cast(address, ctypes.POINTER(ctypes.c_void_p))


FUNCTIONS = published()
for (_name, _dtype), _address in FUNCTIONS.items():
    llvmlite.binding.add_symbol(f"{PREFIX}{_name}.{_dtype}", _address)

_NUMBER = types.intp  # what an address is, too
_OPERANDS = {"sort": 3, "argsort": 4, "argmax": 4, "argmin": 4}


def external(name: str, dtype: Any) -> Any:
    """The function for a Numba type of elements, to call in compiled code; None if there is none."""
    if (name, str(dtype)) not in FUNCTIONS:
        return None
    return types.ExternalFunction(f"{PREFIX}{name}.{dtype}", types.intc(*(_NUMBER,) * _OPERANDS[name]))
