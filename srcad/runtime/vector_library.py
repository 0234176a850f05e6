"""sin, cos, power and others through the vector library of glibc: loops over them become vector instructions.

LLVM replaces the calls of a loop by calls of a function of 2, 4 or 8 numbers at a time if an attribute of the scalar
function says where there is one. glibc has them in `libmvec`, right to 4 units in the last place. Where it is absent,
and for other types, the functions are NumPy's.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types, vectorize
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import overload

from srcad.runtime.generated import VECTOR_LIBRARY

# The name in C, and the function that computes it on what the library does not take.
UNARY: dict[str, Any] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
    "sinh": np.sinh, "cosh": np.cosh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "log2": np.log2, "log10": np.log10, "exp2": np.exp2, "cbrt": np.cbrt, "erf": math.erf, "erfc": math.erfc,
}  # fmt: skip
BINARY: dict[str, Any] = {"pow": np.power, "atan2": np.arctan2, "hypot": np.hypot}
# Vectors by what a processor must have for them: the letter in their names, and their bytes.
VECTORS = (("+sse2", "b", 16), ("+avx2", "d", 32), ("+avx512f", "e", 64))
USED = "llvm.compiler.used"


def variants(name: str, arguments: int, size: int, target: tuple[str, ...]) -> dict[str, int]:
    """The vector functions that there are for a processor, and how many numbers of `size` bytes each takes.

    >>> variants("sin", 1, 8, ("powerpc64le", "power9", ""))
    {}
    """
    triple, _, features = target
    library = VECTOR_LIBRARY if triple.startswith("x86_64") else None
    ready = features.split(",")
    named = {
        f"_ZGV{letter}N{width // size}{'v' * arguments}_{name}": width // size
        for feature, letter, width in VECTORS
        if feature in ready
    }
    return {vector: lanes for vector, lanes in named.items() if hasattr(library, vector)}


class Kept(ir.GlobalVariable):
    """Declarations that nothing calls yet, and that are kept until loops become vectors."""

    def __init__(self, module: ir.Module):
        self.functions: list[ir.Function] = []
        super().__init__(module, self.type_of_all(), USED)
        self.linkage, self.section = "appending", "llvm.metadata"

    def type_of_all(self) -> ir.ArrayType:
        return ir.ArrayType(ir.IntType(8).as_pointer(), len(self.functions))

    def keep(self, functions: list[ir.Function]) -> None:
        self.functions += functions
        self.value_type = self.type_of_all()
        self.type = self.value_type.as_pointer()
        self.initializer = ir.Constant(self.value_type, [f.bitcast(ir.IntType(8).as_pointer()) for f in self.functions])


def declared(context: Any, module: ir.Module, name: str, arguments: int, number: ir.Type) -> ir.Function:
    """The function of libm in a module of LLVM, with what it says of its vector variants."""
    known = module.globals.get(name)
    if known is not None and "memory(none)" in known.attributes:
        return known
    size = 8 if number == ir.DoubleType() else 4
    vectors = variants(name, arguments, size, context.codegen().magic_tuple())
    said = ",".join(f"_ZGV_LLVM_N{n}{'v' * arguments}_{name}({vector})" for vector, n in vectors.items())
    function = known or ir.Function(module, ir.FunctionType(number, [number] * arguments), name)
    # llvmlite knows some attributes by name; these it hands on as they are.
    set.update(function.attributes, ("nounwind", "willreturn", "memory(none)"))
    if vectors:
        set.add(function.attributes, f'"vector-function-abi-variant"="{said}"')
        kept = module.globals.get(USED) or Kept(module)
        kept.keep([_vector(module, vector, number, n, arguments) for vector, n in vectors.items()])
    return function


def _vector(module: ir.Module, name: str, number: ir.Type, lanes: int, arguments: int) -> ir.Function:
    vector = ir.VectorType(number, lanes)
    return ir.Function(module, ir.FunctionType(vector, [vector] * arguments), name)


def unary(name: str, other: Any) -> Any:
    """A function of numbers by the function of libm, of arrays element by element, and of all else `other`."""

    def function(x):
        return other(x)

    kernel = vectorize(_named(lambda x: function(x), other.__name__))

    def of_others(x):
        if isinstance(x, types.Float):
            return None
        return (lambda x: kernel(x)) if isinstance(_number(x), types.Float) else (lambda x: other(x))

    overload(function)(of_others)
    return _of_numbers(function, name, 1)


def binary(name: str, other: Any) -> Any:
    """The same for two arguments."""

    def function(x, y):
        return other(x, y)

    kernel = vectorize(_named(lambda x, y: function(x, y), other.__name__))

    def of_others(x, y):
        if isinstance(x, types.Float) and isinstance(y, types.Float):
            return None
        floats = isinstance(_number(x), types.Float) and isinstance(_number(y), types.Float)
        return (lambda x, y: kernel(x, y)) if floats else (lambda x, y: other(x, y))

    overload(function)(of_others)
    return _of_numbers(function, name, 2)


def _number(given: Any) -> Any:
    return given.dtype if isinstance(given, types.Array) else given


def _named(function: Any, name: str) -> Any:
    function.__name__ = function.__qualname__ = name
    return function


def _of_numbers(function: Any, name: str, arguments: int) -> Any:
    """Let Numba call the function of libm for numbers, in the midst of the code that calls `function`."""

    class OfNumbers(AbstractTemplate):
        key = function

        def generic(self, args: Any, kws: Any) -> Any:
            if len(args) == arguments and not kws and all(isinstance(arg, types.Float) for arg in args):
                number = types.float64 if types.float64 in args else types.float32
                return signature(number, *[number] * arguments)
            return None

    infer_global(function, types.Function(OfNumbers))
    for number, of_llvm, suffix in ((types.float64, ir.DoubleType(), ""), (types.float32, ir.FloatType(), "f")):

        def generate(context: Any, builder: Any, _: Any, args: Any, number=of_llvm, suffix=suffix) -> Any:
            return builder.call(declared(context, builder.module, name + suffix, arguments, number), args)

        lower_builtin(function, *[number] * arguments)(generate)
    return _named(function, name)


def angle() -> Any:
    """``np.angle`` by the inverse tangent of two arguments; of real numbers Numba's, which has none of integers."""
    inverse = FUNCTIONS["arctan2"]

    def function(z):
        return np.angle(z)

    kernel = vectorize(_named(lambda z: function(z), "angle"))

    def of_any(z):
        if isinstance(z, types.Complex):
            return lambda z: inverse(z.imag, z.real)
        if isinstance(z, (types.Integer, types.Boolean)):
            return lambda z: inverse(0.0, float(z))
        return (lambda z: np.angle(z)) if isinstance(_number(z), types.Float) else (lambda z: kernel(z))

    overload(function)(of_any)
    return _named(function, "angle")


FUNCTIONS: dict[str, Any] = {
    **{other.__name__: unary(name, other) for name, other in UNARY.items()},
    **{other.__name__: binary(name, other) for name, other in BINARY.items()},
}
"""The functions by their names in NumPy, `erf` and `erfc` by those in `math`."""
FUNCTIONS["angle"] = angle()
