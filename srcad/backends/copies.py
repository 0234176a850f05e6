"""Copies of views in machine code, row by row.

Numba copies an array of which it does not know that its elements lie together one element after the other, and finds
the place of each from all subscripts. Here axes that lie together are one, those of a single element none, and the
innermost one that is left is copied as a whole: its elements lie together, or are one and the same, or lie apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any

from numba.core import cgutils, types
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.imputils import impl_ret_new_ref
from numba.np import arrayobj

_NAME = "_array_copy"  # what Numba calls for copies in either layout
_ARGUMENTS = ["context", "builder", "sig", "args"]


@contextmanager
def by_rows() -> Iterator[None]:
    """Let copies that are compiled meanwhile go row by row.

    Where Numba copies in another way than expected here, this is left to it.
    """
    require_global_compiler_lock()
    before = getattr(arrayobj, _NAME, None)
    if not callable(before) or [*signature(before).parameters] != _ARGUMENTS:
        yield
        return

    def copied(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        given, made = sig.args[0], sig.return_type
        apart = given.layout != made.layout and given.ndim > 0
        return (_copied if apart else before)(context, builder, sig, args)

    setattr(arrayobj, _NAME, copied)
    try:
        yield
    finally:
        setattr(arrayobj, _NAME, before)


def _copied(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    source = arrayobj.make_array(sig.args[0])(context, builder, value=args[0])
    shape, strides = cgutils.unpack_tuple(builder, source.shape), cgutils.unpack_tuple(builder, source.strides)
    target = arrayobj._empty_nd_impl(context, builder, sig.return_type, shape)
    if sig.return_type.layout == "F":
        shape, strides = shape[::-1], strides[::-1]
    intp = context.get_value_type(types.intp)
    lengths, length, step = _row(builder, source.itemsize, shape, strides)
    written = cgutils.alloca_once_value(builder, target.data)
    with cgutils.loop_nest(builder, lengths, intp) as indices:
        start = intp(0)
        for index, stride in zip(indices, strides):
            start = builder.add(start, builder.mul(index, stride))
        row = cgutils.pointer_add(builder, source.data, start, source.data.type)
        into = builder.load(written)
        _copy_row(builder, into, row, length, step, source.itemsize)
        builder.store(builder.gep(into, [length]), written)
    return impl_ret_new_ref(context, builder, sig.return_type, target._getvalue())


def _row(builder: Any, itemsize: Any, shape: Any, strides: Any) -> tuple[list[Any], Any, Any]:
    """The lengths of the axes around a row, 1 for those in it, and the row's length and step in bytes."""
    one = itemsize.type(1)
    length, step, within, lengths = one, itemsize, cgutils.true_bit, []
    for n, stride in zip(reversed(shape), reversed(strides)):
        alone = builder.icmp_signed("==", length, one)
        goes_on = builder.icmp_signed("==", stride, builder.mul(length, step))
        single = builder.icmp_signed("==", n, one)
        within = builder.and_(within, builder.or_(single, builder.or_(alone, goes_on)))
        first = builder.and_(builder.and_(within, alone), builder.not_(single))
        step = builder.select(first, stride, step)
        length = builder.select(within, builder.mul(length, n), length)
        lengths.append(builder.select(within, one, n))
    return lengths[::-1], length, step


def _copy_row(builder: Any, into: Any, row: Any, length: Any, step: Any, itemsize: Any) -> None:
    with builder.if_else(builder.icmp_signed("==", step, itemsize)) as (together, otherwise):
        with together:
            cgutils.raw_memcpy(builder, into, row, length, itemsize, align=1)
        with otherwise, builder.if_else(cgutils.is_null(builder, step)) as (same, apart):
            with same, cgutils.if_likely(builder, builder.icmp_signed(">", length, length.type(0))):
                element = builder.load(row)
                with cgutils.for_range(builder, length) as loop:
                    builder.store(element, builder.gep(into, [loop.index]))
            with apart, cgutils.for_range(builder, length) as loop:
                place = cgutils.pointer_add(builder, row, builder.mul(loop.index, step), row.type)
                builder.store(builder.load(place), builder.gep(into, [loop.index]))
