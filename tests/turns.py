"""Which of many alike cases a quick run takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

SLOW = pytest.mark.slow


def one_in(of: int, cases: Iterable[Any], turn: int = 0) -> list[Any]:
    """The cases, of which one in so many stays where there is little time: those at this turn.

    A tuple is a case of several parameters.
    """
    return [case if place % of == turn else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=SLOW)
            for place, case in enumerate(cases)]  # fmt: skip
