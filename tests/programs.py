"""One corpus of programs: every target, mode and level of optimisation is tested on it.

The programs lie in `tests/corpus`, one file a topic. To add one, write the function as a user would, and
register it with example arguments: ``@program(normal(3, 4), 0.5)``.
"""

from __future__ import annotations

import importlib

from tests.corpus import PROGRAMS, Program

TOPICS = "scalar loops arrays stores hazards linalg physics models language flow single numerics".split()
for topic in TOPICS:
    importlib.import_module(f"tests.corpus.{topic}")

CORE = {name: program for name, program in PROGRAMS.items() if "core" in program.tags}

__all__ = ["CORE", "PROGRAMS", "TOPICS", "Program"]
