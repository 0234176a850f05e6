"""Whether two arrays share memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic, lower_builtin, register_jitable, type_callable

_PATIENCE: Any = 100_000  # steps of an exact answer


def overlaps(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether some element of `a` is an element of `b`; True where that takes too long to find out.

    >>> x = np.zeros(6)
    >>> overlaps(x[:4], x[3:]), overlaps(x[::2], x[1::2])
    (True, False)
    """
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=_PATIENCE)
    except Exception:  # np.exceptions.TooHardError, np.TooHardError before NumPy 1.25
        return True


@type_callable(overlaps)
def _types(context: Any) -> Any:
    return lambda a, b: types.boolean


@lower_builtin(overlaps, types.Array, types.Array)
def _overlaps(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """The test in place: a call would count references, and could fail."""
    if all(kind.layout in "CF" for kind in signature.args):
        return _touch(context, builder, signature.args, args)
    return context.compile_internal(builder, lambda a, b: _meet(a, b), signature, args)


def _touch(context: Any, builder: Any, kinds: Any, arrays: Any) -> Any:
    """Whether two stretches of memory without gaps meet: one begins less than its size behind the other.

    The distance of two parts of one array is known while compiling.
    """
    (first, size), (begin, other) = [_stretch_of(context, builder, *pair) for pair in zip(kinds, arrays)]
    apart, nothing = builder.sub(begin, first), size.type(0)
    pairs = (apart, size, other), (builder.neg(apart), other, size)
    met = [builder.and_(builder.icmp_unsigned("<", distance, room), builder.icmp_unsigned("!=", least, nothing))
           for distance, room, least in pairs]  # fmt: skip
    return builder.or_(*met)


def _stretch_of(context: Any, builder: Any, kind: Any, array: Any) -> tuple[Any, Any]:
    """The address of an array's first byte, and the number of its bytes."""
    parts = context.make_array(kind)(context, builder, array)
    first = builder.ptrtoint(parts.data, context.get_value_type(types.intp))
    return first, builder.mul(parts.nitems, parts.itemsize)


@intrinsic
def address(typing_context: Any, array: Any) -> Any:
    """The address of an array's first element."""

    def generate(context, builder, signature, args):
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        return builder.ptrtoint(data, context.get_value_type(types.intp))

    return types.intp(array), generate


@register_jitable
def _meet(a, b):
    """Whether the stretches of memory meet, other than as combs whose teeth pass between each other."""
    if a.size == 0 or b.size == 0:
        return False
    first, last = _stretch(a)
    begin, end = _stretch(b)
    if last + a.itemsize <= begin or end + b.itemsize <= first:
        return False
    step = _common_step(a, _common_step(b, 0))
    if step == 0:
        return True
    apart = (begin - first) % step
    if a.itemsize <= apart <= step - b.itemsize:
        return False
    start = min(first, begin)
    marked = np.zeros(max(last + a.itemsize, end + b.itemsize) - start, np.bool_)
    for index in np.ndindex(a.shape):
        place = _place(a, index) - start
        marked[place : place + a.itemsize] = True
    for index in np.ndindex(b.shape):
        place = _place(b, index) - start
        if marked[place] or marked[place + b.itemsize - 1]:
            return True
    return False


@register_jitable
def _place(x, index):
    """The address of an element."""
    place = address(x)
    for axis in range(x.ndim):
        place += index[axis] * x.strides[axis]
    return place


@register_jitable
def _stretch(x):
    """The addresses of the first and the last element in memory."""
    low = address(x)
    high = low
    for axis in range(x.ndim):
        reach = (x.shape[axis] - 1) * x.strides[axis]
        if reach < 0:
            low += reach
        else:
            high += reach
    return low, high


@register_jitable
def _common_step(x, step):
    """The greatest common divisor of `step` and of the distances between neighbours."""
    for axis in range(x.ndim):
        stride = abs(x.strides[axis]) if x.shape[axis] > 1 else 0
        while stride:
            step, stride = stride, step % stride
    return step
