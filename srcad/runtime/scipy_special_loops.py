"""Elements of SciPy's ufuncs in compiled code, and the C functions that NumPy runs over arrays for them.

Not all that a ufunc computes is published as a C function of numbers: complex numbers are not. NumPy keeps with each
ufunc, for each of its loops, a C function of pointers; compiled code runs it over one element.
"""

from __future__ import annotations

import ctypes
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing import npydecl
from numba.np import npyimpl, ufunc_db

PREFIX = "scipy.special."  # of the symbols
LETTERS = {"d": types.float64, "D": types.complex128, "l": types.intp}
_POINTER, _SIZE = ir.IntType(8).as_pointer(), ir.IntType(64)


class Loops:
    """What Numba asks a ufunc about: its loops, the narrower ones first."""

    def __init__(self, name: str, operands: int, loops: list[str]):
        self.__name__ = name
        self.nin, self.nout, self.nargs = operands, 1, operands + 1
        self.types = loops


def real(operands: int, generate: Any) -> dict[str, Any]:
    """The loops in single and in double precision, of which one element has the same code."""
    return {f"{letter * operands}->{letter}": generate for letter in "fd"}


class _Ufunc(ctypes.Structure):
    """The head of NumPy's PyUFuncObject, as numpy/ufuncobject.h has it."""

    _fields_ = [
        ("base", ctypes.c_byte * object.__basicsize__),
        *((name, ctypes.c_int) for name in ("nin", "nout", "nargs", "identity")),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
    ]


def loop_of(ufunc: np.ufunc, loop: str = "") -> tuple[int, int]:
    """A loop of a ufunc, that over doubles if none is named, and the pointer that it is called with."""
    head = _Ufunc.from_address(id(ufunc))
    assert (head.nin, head.nout, head.ntypes) == (ufunc.nin, ufunc.nout, ufunc.ntypes), "another layout of ufuncs"
    place = ufunc.types.index(loop or f"{'d' * ufunc.nin}->d")
    return head.functions[place] or 0, head.data[place] or 0


def enter_loop(ufunc: np.ufunc, loop: str) -> str:
    """Give a loop of a ufunc a symbol."""
    symbol = f"{PREFIX}{ufunc.__name__}.{loop}"
    function, data = loop_of(ufunc, loop)
    llvmlite.binding.add_symbol(symbol, function)
    llvmlite.binding.add_symbol(f"{symbol}.data", data)
    return symbol


def runs(symbol: str, loop: str, place: int = 0) -> Any:
    """Code that runs a loop over one element, for one of its results."""
    taken, made = ([LETTERS[letter] for letter in letters] for letters in loop.split("->"))

    def generate(context, builder, sig, args):
        given = [context.cast(builder, *each) for each in zip(args, sig.args, taken)]
        slots = [cgutils.alloca_once_value(builder, value) for value in given]
        slots += [cgutils.alloca_once(builder, context.get_value_type(kind)) for kind in made]
        places = cgutils.alloca_once(builder, _POINTER, len(slots))
        for k, slot in enumerate(slots):
            builder.store(builder.bitcast(slot, _POINTER), builder.gep(places, [ir.Constant(ir.IntType(32), k)]))
        one_element = ir.Constant(ir.ArrayType(_SIZE, len(slots) + 1), [1] + [0] * len(slots))
        count = builder.bitcast(cgutils.alloca_once_value(builder, one_element), _SIZE.as_pointer())
        steps = builder.gep(count, [ir.Constant(ir.IntType(32), 1)])
        kind = ir.FunctionType(ir.VoidType(), [_POINTER.as_pointer(), count.type, steps.type, _POINTER])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        builder.call(function, [places, count, steps, _symbol(builder.module, f"{symbol}.data")])
        return context.cast(builder, builder.load(slots[len(taken) + place]), made[place], sig.return_type)

    return generate


def _symbol(module: ir.Module, name: str) -> ir.GlobalVariable:
    """What lies behind a symbol of this process."""
    return module.globals.get(name) or cgutils.add_global_variable(module, ir.IntType(8), name)


def compile_with(function: Any, *forms: tuple[int, dict[str, Any]]) -> None:
    """Let Numba compile calls of a function: for each number of operands its loops, and what generates code for one
    element of each.
    """
    rules = []
    for operands, generators in forms:
        loops = Loops(function.__name__, operands, [*generators])
        ufunc_db.get_ufuncs()  # the table is made when it is first asked for
        known: Any = ufunc_db._ufunc_db
        known[loops] = generators
        rules.append(type(loops.__name__, (npydecl.Numpy_rules_ufunc,), {"key": function, "ufunc": loops}))
        lower_builtin(function, *(types.Any,) * operands)(_lowering(loops))
    npydecl.infer_global(function, types.Function(tuple(rules)))


def _lowering(loops: Loops) -> Any:
    kernel = npyimpl._ufunc_db_function(loops)

    def lower(context, builder, sig, args):
        return npyimpl.numpy_ufunc_kernel(context, builder, sig, args, loops, kernel)

    return lower
