"""What functions without branches are made of, in double and in single precision."""

from __future__ import annotations

from llvmlite import ir
from numba import njit, types
from numba.core.errors import TypingError
from numba.extending import intrinsic

# Sums must not be reordered here, whatever the caller allows of its own.
inlined = njit(error_model="numpy", fastmath={"contract"}, forceinline=True)


@intrinsic
def select(context, test, then, orelse):
    """One of two numbers of one type; both are there, and nothing branches."""
    if then != orelse:
        raise TypingError(f"a choice of {then} and {orelse}")
    return then(types.boolean, then, then), lambda _, builder, __, args: builder.select(*args)


@inlined
def clipped(x, low, high):
    """x between two numbers; NaN stays NaN."""
    return select(x < low, low, select(x > high, high, x))


@intrinsic
def bits(context, x):
    """The bits of a double as an integer."""
    return types.int64(types.float64), lambda _, builder, __, args: builder.bitcast(args[0], ir.IntType(64))


@intrinsic
def double(context, pattern):
    """The double of these bits."""
    return types.float64(types.int64), lambda _, builder, __, args: builder.bitcast(args[0], ir.DoubleType())
