"""Which of many alike cases a quick run takes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def one_in(of: int, cases: Iterable[Any], turn: int = 0) -> list[Any]:
    """The cases, of which one in so many stays where there is little time, beginning with the one at this turn."""
    return [case if place % of == turn else pytest.param(case, marks=pytest.mark.slow)
            for place, case in enumerate(cases)]  # fmt: skip
