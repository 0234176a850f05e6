"""``np.where`` for machine code, as one more array expression.

Numba compiles a dozen functions for it, which broadcast test and values to arrays of one shape: a second in a new
process. As an array expression it is the loops over the elements alone.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic
from numba.np import npyimpl
from numba.np.numpy_support import as_dtype, from_dtype

_NUMBERS = (types.Float, types.Complex, types.Integer, types.Boolean)
_UFUNC = SimpleNamespace(nin=3, nout=1, __name__="where")  # what Numba asks of a universal function


class _Choice(npyimpl._Kernel):  # type: ignore[misc]
    """One element: the second value where the first one is true, else the third."""

    def generate(self, *args: Any) -> Any:
        test, *values = args
        _, *kinds = self.outer_sig.args
        chosen = [self.cast(value, kind, self.outer_sig.return_type) for value, kind in zip(values, kinds)]
        return self.builder.select(test, *chosen)


def _element(kind: Any) -> Any:
    """The type of the elements of an array, or of a number; None for all else."""
    element = getattr(types.unliteral(kind), "dtype", None) if isinstance(kind, types.Array) else types.unliteral(kind)
    return element if isinstance(element, _NUMBERS) else None


def _where(typing: Any, test: Any, x: Any = None, y: Any = None) -> Any:
    elements = [_element(kind) for kind in (test, x, y)]
    if None not in elements and not any(isinstance(kind, types.Array) for kind in (test, x, y)):
        return _of_numbers(test, x, y, from_dtype(np.promote_types(*map(as_dtype, elements[1:]))))
    if not isinstance(test, types.Array) or elements[0] != types.boolean or None in elements:
        return _numbas(typing, test, x, y)
    arrays = [kind for kind in (test, x, y) if isinstance(kind, types.Array)]
    dtype = from_dtype(np.promote_types(*map(as_dtype, elements[1:])))
    layout = "F" if all(kind.layout == "F" for kind in arrays) else "C"
    made: Any = types.Array(dtype, max(kind.ndim for kind in arrays), layout)  # type: ignore[call-overload]

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return npyimpl.numpy_ufunc_kernel(context, builder, signature, args, _UFUNC, _Choice)

    return made(test, x, y), codegen


def _of_numbers(test: Any, x: Any, y: Any, result: Any) -> Any:
    """A number, as the compiler's types have it: Numba's own is an array without axes, which joins no number."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        truth = context.cast(builder, args[0], test, types.boolean)
        chosen = [context.cast(builder, value, kind, result) for value, kind in zip(args[1:], (x, y))]
        return builder.select(truth, *chosen)

    return result(test, x, y), codegen


def _numbas(typing: Any, *given: Any) -> Any:
    """What Numba has for all other arguments."""
    numbas = typing.resolve_value_type(np.where)
    kinds = tuple(kind for kind in given if kind is not None)
    signature = typing.resolve_function_type(numbas, kinds, {})
    if signature is None:
        return None

    def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
        made = context.get_function(numbas, signature)
        context.add_linking_libs(getattr(made, "libs", ()))
        return made(builder, args[: len(kinds)])

    return signature.return_type(*(types.none if kind is None else kind for kind in given)), codegen


where: Callable[..., Any] = intrinsic(_where)
