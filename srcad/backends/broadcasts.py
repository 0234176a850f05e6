"""Array expressions in machine code, axes of length one included.

Numba asks in the innermost loop, for each axis of each operand, whether it has more than one element. LLVM makes a copy
of the loops for each set of answers: four axes and two operands take 15 seconds. A product asks nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.compiler_lock import require_global_compiler_lock
from numba.np import npyimpl


@contextmanager
def by_products() -> Iterator[None]:
    """Let array expressions that are compiled meanwhile find their elements by products, not by tests."""
    require_global_compiler_lock()
    helper: Any = npyimpl._ArrayIndexingHelper
    kept = helper.update_indices
    helper.update_indices = _update_indices
    try:
        yield
    finally:
        helper.update_indices = kept


def _update_indices(self: Any, loop_indices: Any, name: str) -> None:
    """Set the subscripts of an operand: those of the loops, but 0 along an axis of one element."""
    builder = self.array.builder
    inner = loop_indices[len(loop_indices) - len(self.indices) :]
    for index, place, length in zip(inner, self.indices, self.array.shape):
        moves = builder.zext(builder.icmp_unsigned(">", length, length.type(1)), length.type)
        builder.store(builder.mul(index, moves), place)
