"""Array expressions in machine code, axes of length one included.

Numba asks in the innermost loop, for each axis of each operand, whether it has more than one element. LLVM makes a copy
of the loops for each set of answers: four axes and two operands take 15 seconds. A product asks nothing, if LLVM is not
told that one of its factors is 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core.compiler_lock import require_global_compiler_lock
from numba.np import npyimpl


@contextmanager
def by_products() -> Iterator[None]:
    """Let array expressions that are compiled meanwhile find their elements by products, not by tests."""
    require_global_compiler_lock()
    helper: Any = npyimpl._ArrayHelper
    kept = helper.create_iter_indices
    helper.create_iter_indices = lambda array: _Places(array)
    try:
        yield
    finally:
        helper.create_iter_indices = kept


class _Places:
    """The subscripts of an operand: those of the loops, but 0 along an axis of one element."""

    def __init__(self, array: Any):
        self.array = array
        self.moves = [self._moving(length) for length in array.shape]

    def _moving(self, length: Any) -> Any:
        """1 along an axis of several elements, else 0, as a number of which LLVM knows nothing."""
        builder = self.array.builder
        moves = builder.zext(builder.icmp_unsigned(">", length, length.type(1)), length.type)
        same = ir.FunctionType(length.type, [length.type])
        return builder.asm(same, "", "=r,0", [moves], False)

    def update_indices(self, loop_indices: Any, name: str) -> None:
        inner = loop_indices[len(loop_indices) - len(self.moves) :]
        self.values = [self.array.builder.mul(index, moves) for index, moves in zip(inner, self.moves)]

    def as_values(self) -> list[Any]:
        return self.values
