"""Large arrays in huge pages, as NumPy has them.

The system gives memory in pages of 4 kB when it is first written to, and takes longer over that than a loop over what
is in it. It gives 2 MB at a time where it is asked to. NumPy asks for its arrays, Numba does not. Those that compiled
code makes begin near a boundary of such pages; the room up to there is never written to, and thus no more than
addresses.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.compiler_lock import require_global_compiler_lock
from numba.core.runtime.nrtdynmod import _meminfo_struct_type as meminfo_type
from numba.extending import intrinsic
from numba.np import arrayobj

LARGE = HUGE = 1 << 21  # bytes
PAGE, LINE = 1 << 12, 1 << 6
ROOM = 2 * HUGE + PAGE
MAPPED = 1 << 25  # from here on the system is asked for each array anew (M_MMAP_THRESHOLD of glibc, at most)
_DATA, _SIZE = 3, 4  # of a MemInfo
_MADV_HUGEPAGE = 14  # in Linux' <asm-generic/mman-common.h>
_NAME = "_call_allocator"  # what Numba calls where it makes an array
_ARGUMENTS = ["arrtype", "size", "align"]


@contextmanager
def huge_pages() -> Iterator[None]:
    """Arrays that code compiled meanwhile makes are in huge pages if they are large.

    Where Numba makes its arrays in another way than expected here, this is left to it.
    """
    require_global_compiler_lock()
    before = getattr(arrayobj, _NAME, None)
    expected = callable(before) and [*signature(before).parameters] == _ARGUMENTS
    if not expected or not sys.platform.startswith("linux"):
        yield
        return
    setattr(arrayobj, _NAME, _allocated)
    try:
        yield
    finally:
        setattr(arrayobj, _NAME, before)


def _allocated(arrays: Any, size: Any, align: Any) -> Any:
    if size < LARGE:
        return arrays._allocate(size, align)
    room = 0 if MAPPED - ROOM <= size < MAPPED else ROOM
    made = arrays._allocate(size + room, align)
    _advise(made, size, room)  # type: ignore[call-arg]
    return made


@intrinsic
def _advise(typing: Any, meminfo: Any, size: Any, room: Any) -> Any:
    """Ask for huge pages in memory that was made for an array of `size` bytes and some `room`.

    The array begins as far from the boundary of a huge page as the memory does from that of a small one: arrays that
    all began at the boundary itself would be in each other's way in the caches. Without room it begins where it did.
    """

    def codegen(context: Any, builder: Any, _: Any, args: Any) -> Any:
        meminfo, size, room = args
        word = lambda number: ir.Constant(size.type, number)
        down = lambda number: builder.and_(number, word(-HUGE))
        has_room = builder.icmp_signed("!=", room, word(0))
        fields = builder.bitcast(meminfo, meminfo_type.as_pointer())
        place = cgutils.gep_inbounds(builder, fields, 0, _DATA)
        given = builder.load(place)
        address = builder.ptrtoint(given, size.type)
        first = down(builder.add(address, word(HUGE - 1)))
        moved = builder.add(first, builder.and_(address, word(PAGE - LINE)))
        begin = builder.select(has_room, moved, address)
        end = builder.add(begin, size)
        last = down(builder.select(has_room, builder.add(end, word(HUGE - 1)), end))
        builder.store(builder.inttoptr(begin, given.type), place)
        builder.store(size, cgutils.gep_inbounds(builder, fields, 0, _SIZE))
        kind = ir.FunctionType(ir.IntType(32), [given.type, size.type, ir.IntType(32)])
        advise = cgutils.get_or_insert_function(builder.module, kind, "madvise")
        first_place, advice = builder.inttoptr(first, given.type), ir.Constant(ir.IntType(32), _MADV_HUGEPAGE)
        builder.call(advise, [first_place, builder.sub(last, first), advice])
        return context.get_dummy_value()

    return types.none(meminfo, size, room), codegen
