"""What rules ask of arrays that are laid end to end, and the forms in which they are."""

from __future__ import annotations

import numpy as np

from srcad.lang.ir import Call, Const, Tuple
from srcad.rules.axes import subscript
from srcad.rules.static import rank, static


@static
def mixed_ranks(parts: Tuple) -> bool:
    return len({rank(part) for part in parts.items}) > 1


@static
def as_rows(parts: Tuple) -> Tuple:
    """The parts of a vertical stack, each with two axes."""
    return Tuple(tuple(subscript(part, Const(None)) if rank(part) == 1 else part for part in parts.items))


@static
def has_numbers(parts: Tuple) -> bool:
    return any(rank(part) == 0 for part in parts.items)


@static
def as_vectors(parts: Tuple) -> Tuple:
    """The parts of a horizontal stack, numbers as vectors of one element."""
    return Tuple(tuple(Call(np.full, (Const(1), part)) if rank(part) == 0 else part for part in parts.items))
