"""One corpus of programs: every target, mode and level of optimisation is tested on it.

The programs lie in `tests/corpus`, one file a topic. To add one, write the function as a user would, and
register it with example arguments: ``@program(normal(3, 4), 0.5)``.
"""

from __future__ import annotations

from tests.corpus import PROGRAMS, Program, arrays, hazards, language, linalg, loops, models, physics
from tests.corpus import scalar, single, stores

TOPICS = (scalar, loops, arrays, stores, hazards, linalg, physics, models, language, single)
CORE = {name: program for name, program in PROGRAMS.items() if "core" in program.tags}

__all__ = ["CORE", "PROGRAMS", "TOPICS", "Program"]
