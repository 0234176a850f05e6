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
from functools import cache
from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from scipy import special
from scipy.special import cython_special

from srcad.runtime.scipy_special_loops import LETTERS, PREFIX, compile_with, enter_loop, real, runs
from srcad.runtime.scipy_special_results import PARTS, amplitude
from srcad.runtime.scipy_special_shapes import (
    beta_slope, betainc_by_shapes, elliptic, elliptic_integral, gamma_slope, gammainc_by_shape, polygamma_of_complex,
    sum_of_powers, zeta_by_exponent, zeta_slope,
)  # fmt: skip

_VARIANT = re.compile(r"(?:__pyx_fuse_\d+(?:_\d+)?)?(\w+)")
_SEVERAL = re.compile(r"void \((double(?:, double)*)((?:, double \*)+)\)")
_OPERAND = "(?:double|Py_ssize_t|long)"
_PLAIN = re.compile(rf"double \(({_OPERAND}(?:, {_OPERAND})*)(, int __pyx_skip_dispatch)?\)")
_DOUBLE, _INT, _SIZE = ir.DoubleType(), ir.IntType(32), ir.IntType(64)


def capsules() -> Iterator[tuple[str, str, int]]:
    """What SciPy publishes: names, signatures in C, addresses."""
    api: Any = ctypes.pythonapi
    name_of = ctypes.PYFUNCTYPE(ctypes.c_char_p, ctypes.py_object)(("PyCapsule_GetName", api))
    pointer_in = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
    for name, capsule in cython_special.__pyx_capi__.items():
        signature = name_of(capsule)
        yield name, signature.decode(), pointer_in(capsule, signature)


def published() -> dict[tuple[str, str], tuple[int, bool]]:
    """The functions of doubles and whole numbers, by the letters of these: the address, and whether a flag of Cython's
    comes last.

    >>> ("jv", "dd") in published(), ("eval_hermite", "ld") in published()
    (True, True)
    """
    found = {}
    for name, signature, address in capsules():
        plain = _PLAIN.fullmatch(signature)
        if plain is not None:
            letters = "".join("d" if operand == "double" else "l" for operand in plain[1].split(", "))
            found[_VARIANT.fullmatch(name)[1], letters] = address, plain[2] is not None  # type: ignore[index]
    return found


def calls(symbol: str, letters: str, flag: bool) -> Any:
    """Code for a call of a published function with operands of the types of a loop."""

    def generate(context, builder, sig, args):
        kinds = [_SIZE if letter == "l" else _DOUBLE for letter in letters]
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(_DOUBLE, kinds + [_INT] * flag), symbol
        )
        given = [context.cast(builder, *each) for each in zip(args, sig.args, map(LETTERS.__getitem__, letters))]
        result = builder.call(function, given + [ir.Constant(_INT, 0)] * flag)
        return context.cast(builder, result, types.float64, sig.return_type)

    return generate


@cache
def several() -> dict[str, tuple[int, int, int]]:
    """The functions of doubles that store several results: the address, and the numbers of operands and results.

    >>> several()["ellipj"][1:]
    (2, 4)
    """
    found = {}
    for name, signature, address in capsules():
        stored = _SEVERAL.fullmatch(signature)
        if stored is not None:
            counts = stored[1].count("double"), stored[2].count("*")
            found[_VARIANT.fullmatch(name)[1]] = address, *counts  # type: ignore[index]
    return found


def one_of_several(symbol: str, count: int, place: int) -> Any:
    """Code for a call of such a function, of which one result is wanted."""

    def generate(context, builder, sig, args):
        results = [cgutils.alloca_once(builder, _DOUBLE) for _ in range(count)]
        given = [context.cast(builder, *each, types.float64) for each in zip(args, sig.args)]
        kind = ir.FunctionType(ir.VoidType(), [operand.type for operand in (*given, *results)])
        function = cgutils.get_or_insert_function(builder.module, kind, symbol)
        builder.call(function, [*given, *results])
        return context.cast(builder, builder.load(results[place]), types.float64, sig.return_type)

    return generate


# ---------------------------------------------------------------- all of them


def enter_ufuncs() -> None:
    """Make the ufuncs that are published known to Numba, and those that take complex numbers."""
    functions = published()
    for name in sorted(n for n in dir(special) if isinstance(getattr(special, n), np.ufunc)):
        ufunc = getattr(special, name)
        if ufunc.nout != 1:
            continue
        loops = dict(real_loops(ufunc, functions))
        loops.update(complex_loops(ufunc))
        if loops:
            compile_with(ufunc, (ufunc.nin, loops))


def real_loops(ufunc: np.ufunc, functions: dict[tuple[str, str], tuple[int, bool]]) -> Iterator[tuple[str, Any]]:
    """The loops of a ufunc over doubles of which the function is published; also in single precision, which comes
    first, while those with a degree or a number of trials come before the ones that take it for a double.
    """
    doubles = "d" * ufunc.nin
    for letters in (*(loop[: ufunc.nin] for loop in ufunc.types if "l" in loop and loop.endswith("d")), doubles):
        if (ufunc.__name__, letters) not in functions:
            continue
        address, flag = functions[ufunc.__name__, letters]
        symbol = PREFIX + ufunc.__name__ + ("" if letters == doubles else f".{letters}")
        llvmlite.binding.add_symbol(symbol, address)
        generate = calls(symbol, letters, flag)
        yield from real(ufunc.nin, generate).items() if letters == doubles else [(f"{letters}->d", generate)]


def complex_loops(ufunc: np.ufunc, place: int = 0) -> dict[str, Any]:
    """The loops of a ufunc over complex numbers, in both precisions, and the code for one element of its results."""
    found = [each for each in ufunc.types if each.endswith("D") and set(each) <= set("dD->")]  # none of whole numbers
    if not found:
        return {}
    run = runs(enter_loop(ufunc, found[0]), found[0], place)
    wide = f"{found[0].partition('->')[0]}->D"
    return {wide.replace("d", "f").replace("D", "F"): run, wide: run}


def of_numbers(function: Any, loop: str = "") -> Any:
    """Code for one element, from a function of numbers: doubles, or those that a loop has."""

    def generate(context, builder, sig, args):
        kinds = [LETTERS[letter] for letter in loop.replace("->", "")] or [types.float64] * (len(args) + 1)
        given = [context.cast(builder, *each) for each in zip(args, sig.args, kinds)]
        result = context.compile_internal(builder, function, kinds[-1](*kinds[:-1]), given)
        return context.cast(builder, result, kinds[-1], sig.return_type)

    return generate


def enter_shapes() -> None:
    """Derivatives with respect to shapes, which are integrals."""
    for function, operands, of_one in (
        (gammainc_by_shape, 3, gamma_slope), (betainc_by_shapes, 5, beta_slope), (zeta_by_exponent, 3, zeta_slope),
        (elliptic_integral, 4, elliptic),
    ):  # fmt: skip
        compile_with(function, (operands, real(operands, of_numbers(of_one))))
    compile_with(polygamma_of_complex, (2, dict.fromkeys(("dF->F", "dD->D"), of_numbers(sum_of_powers, "dD->D"))))


def enter_zeta() -> None:
    """The zeta functions are not published, and polygamma is made of them."""
    riemann, hurwitz = special._ufuncs._riemann_zeta, special._ufuncs._zeta
    forms = []
    for ufunc in (riemann, hurwitz):
        loop = f"{'d' * ufunc.nin}->d"
        forms.append((ufunc.nin, real(ufunc.nin, runs(enter_loop(ufunc, loop), loop))))
        compile_with(ufunc, forms[-1])
    compile_with(special.zeta, *forms)

    def polygamma(n, x):
        if n == 0.0:
            return special.psi(x)
        factorial = special.gamma(n + 1.0)
        return (-factorial if n % 2.0 == 0.0 else factorial) * hurwitz(n + 1.0, x)

    compile_with(special.polygamma, (2, {"dd->d": of_numbers(polygamma)}))


def enter_results() -> None:
    """The functions with several results, each result by itself."""
    for name, parts in PARTS.items():
        for place, function in enumerate(parts):
            enter_result(name, place, function)
    enter_result("ellipj", 3, amplitude)


def enter_result(name: str, place: int, function: Any) -> None:
    """One result of one of them."""
    address, operands, count = several()[name]
    llvmlite.binding.add_symbol(PREFIX + name, address)
    loops = real(operands, one_of_several(PREFIX + name, count, place))
    compile_with(function, (operands, loops | complex_loops(getattr(special, name), place)))


def enter_lambert() -> None:
    """SciPy's function in Python has a ufunc of complex numbers behind it."""
    loop = "Dld->D"
    run = runs(enter_loop(special._ufuncs._lambertw, loop), loop)
    compile_with(special.lambertw, (3, {"Flf->F": run, loop: run}))


enter_ufuncs()
enter_zeta()
enter_results()
enter_shapes()
enter_lambert()
