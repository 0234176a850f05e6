"""The method of J. Dormand and P. Prince, J. Comput. Appl. Math. 6 (1980), and how its error is measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.library import instead_of


def _read(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Let derivatives read a function of ours as if the user had written it."""
    return instead_of(fn)(fn)


@_read
def third(k1, k2):
    """The slope that leads to the third stage."""
    return 3 / 40 * k1 + 9 / 40 * k2


@_read
def fourth(k1, k2, k3):
    """The slope that leads to the fourth stage."""
    return 44 / 45 * k1 - 56 / 15 * k2 + 32 / 9 * k3


@_read
def fifth(k1, k2, k3, k4):
    """The slope that leads to the fifth stage."""
    return 19372 / 6561 * k1 - 25360 / 2187 * k2 + 64448 / 6561 * k3 - 212 / 729 * k4


@_read
def sixth(k1, k2, k3, k4, k5):
    """The slope that leads to the sixth stage."""
    return 9017 / 3168 * k1 - 355 / 33 * k2 + 46732 / 5247 * k3 + 49 / 176 * k4 - 5103 / 18656 * k5


@_read
def whole(k1, k3, k4, k5, k6):
    """The slope of the whole step."""
    return 35 / 384 * k1 + 500 / 1113 * k3 + 125 / 192 * k4 - 2187 / 6784 * k5 + 11 / 84 * k6


@_read
def excess(k1, k3, k4, k5, k6, k7):
    """What this slope is more than that of the step of order 4."""
    return 71 / 57600 * k1 - 71 / 16695 * k3 + 71 / 1920 * k4 - 17253 / 339200 * k5 + 22 / 525 * k6 - 1 / 40 * k7


@_read
def distance(error, y, new, rtol, atol):
    """An error in units of what is allowed."""
    return np.sqrt(np.mean((np.abs(error) / (atol + rtol * np.maximum(np.abs(y), np.abs(new)))) ** 2))
