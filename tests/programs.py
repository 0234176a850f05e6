"""One corpus of programs: every target, mode and level of optimisation is tested on it.

The programs lie in `tests/corpus`, one file a topic. To add one, write the function as a user would, and
register it with example arguments: ``@program(normal(3, 4), 0.5)``.
"""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.corpus import PROGRAMS, Program

TOPICS = sorted(file.stem for file in (Path(__file__).parent / "corpus").glob("[a-z]*.py"))
for topic in TOPICS:
    importlib.import_module(f"tests.corpus.{topic}")

CORE = {name: program for name, program in PROGRAMS.items() if "core" in program.tags}

_PLACES = {name: place for place, name in enumerate(sorted(PROGRAMS))}


def marks(name: str, turn: int, of: int = 2) -> tuple:
    """Of a test that one program in so many is enough for: none at its turn, from 0 on; else it is slow."""
    return () if _PLACES[name] % of == turn else (pytest.mark.slow,)


__all__ = ["CORE", "PROGRAMS", "TOPICS", "Program", "marks"]
