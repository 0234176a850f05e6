"""What functions of SciPy that solve something say of the solution: what has a derivative, or is certain."""

from __future__ import annotations

from typing import Any, NamedTuple


class Trajectory(NamedTuple):
    """What `solve_ivp` says of a solution that has reached the end of the interval."""

    t: Any
    y: Any
    status: int = 0
    success: bool = True


class Fit(NamedTuple):
    """What `least_squares` says of the solution that it has found."""

    x: Any
    cost: Any
    fun: Any
    success: bool = True


class Solution(NamedTuple):
    """What `root`, `minimize` and `minimize_scalar` say of a solution that they have found."""

    x: Any
    fun: Any
    success: bool = True
