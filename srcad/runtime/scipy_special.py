"""The functions of `scipy.special` in compiled code: calls of SciPy's own C functions.

SciPy publishes them with their C types in `scipy.special.cython_special`. Compiled code names each by a symbol, which
every process that imports this file gives the function's address there; so machine code on the disk holds no addresses.
Numba then treats them as it does the ufuncs of NumPy: arrays of any shapes together, numbers, and whole expressions in
one loop. Single precision is computed in double precision and rounded.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing import npydecl
from numba.np import npyimpl, ufunc_db
from scipy import special
from scipy.special import cython_special

from srcad.runtime.integrals import (
    airy_a, airy_a_slope, airy_b, airy_b_slope, cosine_integral, fresnel_cosine, fresnel_sine,
    hyperbolic_cosine_integral, hyperbolic_sine_integral, sine_integral,
)  # fmt: skip
from srcad.runtime.scipy_special_shapes import (
    beta_slope, betainc_by_shapes, elliptic, elliptic_integral, gamma_slope, gammainc_by_shape, zeta_by_exponent,
    zeta_slope,
)  # fmt: skip

PREFIX = "scipy.special."  # of the symbols
_VARIANT = re.compile(r"(?:__pyx_fuse_\d+(?:_\d+)?)?(\w+)")
_SEVERAL = re.compile(r"void \(double((?:, double \*)+)\)")
_PLAIN = re.compile(r"double \((double(?:, double)*)(, int __pyx_skip_dispatch)?\)")
_OF_DEGREE = "double (Py_ssize_t, double, int __pyx_skip_dispatch)"
_DOUBLE, _INT, _POINTER, _SIZE = ir.DoubleType(), ir.IntType(32), ir.IntType(8).as_pointer(), ir.IntType(64)


class Loops:
    """What Numba asks a ufunc about: the loops in double and in single precision, the narrower one first."""

    def __init__(self, name: str, operands: int, loops: tuple[str, ...] = ()):
        self.__name__ = name
        self.nin, self.nout, self.nargs = operands, 1, operands + 1
        self.types = [*loops] or [f"{letter * operands}->{letter}" for letter in "fd"]


def capsules() -> Iterator[tuple[str, str, int]]:
    """What SciPy publishes: names, signatures in C, addresses."""
    api: Any = ctypes.pythonapi
    name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
    pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
    for name, capsule in cython_special.__pyx_capi__.items():
        signature = name_of(capsule)
        yield name, signature.decode(), pointer_in(capsule, signature)


def published() -> dict[str, tuple[int, int, bool]]:
    """The functions of doubles: the address, the number of operands, and whether a flag of Cython's comes last.

    >>> address, operands, flag = published()["jv"]
    >>> operands
    2
    """
    found = {}
    for name, signature, address in capsules():
        plain = _PLAIN.fullmatch(signature)
        if plain is not None:
            short = _VARIANT.fullmatch(name)[1]  # type: ignore[index]
            found[short] = address, plain[1].count("double"), plain[2] is not None
    return found


def calls(symbol: str, operands: int, flag: bool) -> Any:
    """Code for a call of a published function with operands of the types of a loop."""

    def generate(context, builder, sig, args):
        kind = ir.FunctionType(_DOUBLE, [_DOUBLE] * operands + [_INT] * flag)
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        doubles = [context.cast(builder, arg, given, types.float64) for arg, given in zip(args, sig.args)]
        result = builder.call(function, doubles + [ir.Constant(_INT, 0)] * flag)
        return context.cast(builder, result, types.float64, sig.return_type)

    return generate


def of_degree(symbol: str) -> Any:
    """Code for a call of a published function of a whole number and a double."""

    def generate(context, builder, sig, args):
        kind = ir.FunctionType(_DOUBLE, [_SIZE, _DOUBLE, _INT])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        degree, x = (context.cast(builder, *pair) for pair in zip(args, sig.args, (types.intp, types.float64)))
        return builder.call(function, [degree, x, ir.Constant(_INT, 0)])

    return generate


def several() -> dict[str, tuple[int, int]]:
    """The functions of a double that store several results: the address, and the number of results."""
    found = {}
    for name, signature, address in capsules():
        stored = _SEVERAL.fullmatch(signature)
        if stored is not None:
            found[_VARIANT.fullmatch(name)[1]] = address, stored[1].count("*")  # type: ignore[index]
    return found


def one_of_several(symbol: str, count: int, place: int) -> Any:
    """Code for a call of such a function, of which one result is wanted."""

    def generate(context, builder, sig, args):
        results = [cgutils.alloca_once(builder, _DOUBLE) for _ in range(count)]
        kind = ir.FunctionType(ir.VoidType(), [_DOUBLE, *(result.type for result in results)])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        builder.call(function, [context.cast(builder, args[0], sig.args[0], types.float64), *results])
        return context.cast(builder, builder.load(results[place]), types.float64, sig.return_type)

    return generate


# ---------------------------------------------------------------- functions that only NumPy can call


class _Ufunc(ctypes.Structure):
    """The head of NumPy's PyUFuncObject, as numpy/ufuncobject.h has it."""

    _fields_ = [
        ("base", ctypes.c_byte * object.__basicsize__),
        *((name, ctypes.c_int) for name in ("nin", "nout", "nargs", "identity")),
        ("functions", ctypes.POINTER(ctypes.c_void_p)),
        ("data", ctypes.POINTER(ctypes.c_void_p)),
        ("ntypes", ctypes.c_int),
    ]


def loop_of(ufunc: np.ufunc) -> tuple[int, int]:
    """The loop of a ufunc over doubles, and the pointer that it is called with."""
    head = _Ufunc.from_address(id(ufunc))
    assert (head.nin, head.nout, head.ntypes) == (ufunc.nin, ufunc.nout, ufunc.ntypes), "another layout of ufuncs"
    place = ufunc.types.index(f"{'d' * ufunc.nin}->d")
    return head.functions[place] or 0, head.data[place] or 0


def runs(symbol: str, operands: int) -> Any:
    """Code that runs the loop of a ufunc over one element."""

    def generate(context, builder, sig, args):
        doubles = [context.cast(builder, arg, given, types.float64) for arg, given in zip(args, sig.args)]
        places = cgutils.alloca_once(builder, _POINTER, operands + 1)
        slots = [cgutils.alloca_once_value(builder, value) for value in doubles]
        slots.append(cgutils.alloca_once(builder, _DOUBLE))
        for k, slot in enumerate(slots):
            builder.store(builder.bitcast(slot, _POINTER), builder.gep(places, [ir.Constant(_INT, k)]))
        one_element = ir.Constant(ir.ArrayType(_SIZE, operands + 2), [1] + [0] * (operands + 1))
        count = builder.bitcast(cgutils.alloca_once_value(builder, one_element), _SIZE.as_pointer())
        steps = builder.gep(count, [ir.Constant(_INT, 1)])
        kind = ir.FunctionType(ir.VoidType(), [_POINTER.as_pointer(), count.type, steps.type, _POINTER])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        builder.call(function, [places, count, steps, _symbol(builder.module, f"{symbol}.data")])
        return context.cast(builder, builder.load(slots[-1]), types.float64, sig.return_type)

    return generate


def _symbol(module: ir.Module, name: str) -> ir.GlobalVariable:
    """What lies behind a symbol of this process."""
    return module.globals.get(name) or cgutils.add_global_variable(module, ir.IntType(8), name)


# ---------------------------------------------------------------- all of them


def compile_with(function: Any, *forms: tuple[int, Any], kinds: tuple[str, ...] = ()) -> None:
    """Let Numba compile calls of a function: for each number of operands, what generates code for one element.

    The elements are of double or of single precision, if `kinds` does not tell otherwise.
    """
    rules = []
    for operands, generate in forms:
        loops = Loops(function.__name__, operands, kinds)
        ufunc_db.get_ufuncs()  # the table is made when it is first asked for
        known: Any = ufunc_db._ufunc_db
        known[loops] = dict.fromkeys(loops.types, generate)
        rules.append(type(loops.__name__, (npydecl.Numpy_rules_ufunc,), {"key": function, "ufunc": loops}))
        lower_builtin(function, *(types.Any,) * operands)(_lowering(loops))
    npydecl.infer_global(function, types.Function(tuple(rules)))


def _lowering(loops: Loops) -> Any:
    kernel = npyimpl._ufunc_db_function(loops)

    def lower(context, builder, sig, args):
        return npyimpl.numpy_ufunc_kernel(context, builder, sig, args, loops, kernel)

    return lower


def enter_ufuncs() -> None:
    """Make the ufuncs that are published known to Numba."""
    functions = published()
    for name in sorted(n for n in dir(special) if isinstance(getattr(special, n), np.ufunc)):
        ufunc = getattr(special, name)
        address, operands, flag = functions.get(ufunc.__name__, (0, 0, False))
        if operands == ufunc.nin and ufunc.nout == 1:
            symbol = PREFIX + ufunc.__name__
            llvmlite.binding.add_symbol(symbol, address)
            compile_with(ufunc, (operands, calls(symbol, operands, flag)))


def of_numbers(function: Any) -> Any:
    """Code for one element, from a function of numbers."""

    def generate(context, builder, sig, args):
        doubles = [context.cast(builder, arg, given, types.float64) for arg, given in zip(args, sig.args)]
        kind = types.float64(*(types.float64,) * len(doubles))
        result = context.compile_internal(builder, function, kind, doubles)
        return context.cast(builder, result, types.float64, sig.return_type)

    return generate


def enter_shapes() -> None:
    """Derivatives with respect to shapes, which are integrals."""
    compile_with(gammainc_by_shape, (3, of_numbers(gamma_slope)))
    compile_with(betainc_by_shapes, (5, of_numbers(beta_slope)))
    compile_with(zeta_by_exponent, (3, of_numbers(zeta_slope)))
    compile_with(elliptic_integral, (4, of_numbers(elliptic)))


def enter_zeta() -> None:
    """The zeta functions are not published, and polygamma is made of them."""
    riemann, hurwitz = special._ufuncs._riemann_zeta, special._ufuncs._zeta
    for ufunc in (riemann, hurwitz):
        loop, data = loop_of(ufunc)
        llvmlite.binding.add_symbol(PREFIX + ufunc.__name__, loop)
        llvmlite.binding.add_symbol(PREFIX + ufunc.__name__ + ".data", data)
        compile_with(ufunc, (ufunc.nin, runs(PREFIX + ufunc.__name__, ufunc.nin)))
    compile_with(special.zeta, *((f.nin, runs(PREFIX + f.__name__, f.nin)) for f in (riemann, hurwitz)))

    def polygamma(n, x):
        if n == 0.0:
            return special.psi(x)
        factorial = special.gamma(n + 1.0)
        return (-factorial if n % 2.0 == 0.0 else factorial) * hurwitz(n + 1.0, x)

    compile_with(special.polygamma, (2, of_numbers(polygamma)), kinds=("dd->d",))


def enter_integrals() -> None:
    """The functions with several results, each result by itself."""
    known = several()
    for name, parts in {
        "sici": (sine_integral, cosine_integral), "shichi": (hyperbolic_sine_integral, hyperbolic_cosine_integral),
        "fresnel": (fresnel_sine, fresnel_cosine), "airy": (airy_a, airy_a_slope, airy_b, airy_b_slope),
    }.items():  # fmt: skip
        address, count = known[name]
        llvmlite.binding.add_symbol(PREFIX + name, address)
        for place, function in enumerate(parts):
            compile_with(function, (1, one_of_several(PREFIX + name, count, place)))


def enter_polynomials() -> None:
    """Hermite's, which have whole degrees only."""
    addresses = {name: address for name, signature, address in capsules() if signature == _OF_DEGREE}
    for ufunc in (special.eval_hermite, special.eval_hermitenorm):
        symbol = PREFIX + ufunc.__name__
        llvmlite.binding.add_symbol(symbol, addresses[ufunc.__name__])
        compile_with(ufunc, (2, of_degree(symbol)), kinds=("ld->d",))


enter_ufuncs()
enter_zeta()
enter_integrals()
enter_polynomials()
enter_shapes()
