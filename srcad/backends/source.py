"""Generated source as a backend gets it, and the Python function in it."""

from __future__ import annotations

import functools
import os
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from srcad.lang.origin import NOWHERE, Origin
from srcad.lang.structure import Outline, Part, rebuilder
from srcad.runtime import generated

IMPORTED = generated.__name__  # by Numba for functions in machine code on the disk: any process can


@dataclass(frozen=True)
class Source:
    """The text of a module with one function and its helpers, its file, and what its names mean from outside."""

    name: str
    text: str
    path: str
    constants: dict[str, Any] = field(default_factory=dict)
    lines: Callable[[], dict[int, Origin]] = dict  # where each line of the text comes from, worked out when asked for
    result: Outline = None  # what the tuples that the function returns are to the user
    exact: bool = False  # no sum may be reordered
    left: tuple[Part, ...] = ()  # the places in arguments that get values, which come beside the result
    compiled: Source | None = None  # what is compiled in its place: the same with loops in blocks

    def origin(self, line: int) -> Origin:
        """The user's line that a line of the text comes from, or the nearest one before it that comes from one."""
        lines = self.lines()
        before = [number for number in lines if number <= line]
        return lines[max(before)] if before else next(iter(lines.values()), NOWHERE)

    @functools.cached_property
    def rebuild(self) -> Callable[[Any], Any]:
        """What makes the user's structures of what the function returns."""
        return rebuilder(self.result)

    @functools.cached_property
    def function(self) -> Any:
        """The function that the text defines; its file is a real one, so tracebacks and debuggers show its lines.

        Machine code looks its module up by name, so the module has one.
        """
        module = types.ModuleType(IMPORTED)
        module.__file__ = self.path
        vars(module).update(self.constants)
        exec(compile(self.text, self.path, "exec"), vars(module))
        name = f"srcad_generated.{os.path.splitext(os.path.basename(self.path))[0]}"
        sys.modules[name] = module
        getattr(module, self.name).__module__ = name  # those that call themselves keep theirs: Numba links them by it
        return getattr(module, self.name)

    @property
    def helpers(self) -> dict[str, types.FunctionType]:
        """The other functions of the module: those that call themselves."""
        functions = self._functions(self.function.__globals__)
        return {name: function for name, function in functions.items() if function is not self.function}

    def _functions(self, names: dict[str, Any]) -> dict[str, types.FunctionType]:
        functions = ((n, f) for n, f in names.items() if isinstance(f, types.FunctionType))
        return {n: f for n, f in functions if f.__code__.co_filename == self.path}
