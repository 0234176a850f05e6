"""Modules as generated source sees them when it is compiled: `numpy` and `math`, some functions in another form.

The text of a derivative stays as it is, ``np.exp(x)``. What Numba finds under that name is a form of the function of
which it makes vector instructions, and under ``np.zeros_like`` what is compiled and runs in a fraction of the time.
"""

from __future__ import annotations

import functools
import math
import os
import types
from typing import Any

import numpy as np

from srcad.backends import cache
from srcad.backends.machine_code import MachineCode

NAMES = ("exp", "expm1", "ldexp", "log", "log1p", "tanh")
MAKING = ("empty", "empty_like", "zeros", "zeros_like")


class Module(types.ModuleType):
    """A module with some of its names bound to something else."""

    def __init__(self, module: types.ModuleType, others: dict[str, Any]):
        super().__init__(module.__name__, module.__doc__)
        vars(self).update(others)
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


@functools.cache
def _modules() -> dict[types.ModuleType, Module]:
    from srcad.runtime import elementary

    others = {name: getattr(elementary, name) for name in NAMES}
    for name, function in others.items():
        path = os.path.join(cache.directory(), f"{name}.py")
        function._dispatcher.cache = MachineCode(path, cache.compiler_stamp())
    return {module: Module(module, others) for module in (np, math)}


def vectorising(space: dict[str, Any], text: str) -> None:
    """Let the names of a generated module mean functions that vectorise, if its text calls any of them."""
    if any(f".{name}(" in text for name in NAMES):
        _bind(space, _modules())


def making(space: dict[str, Any], text: str) -> None:
    """Let the names of a generated module mean quick ways to make arrays, if its text makes any."""
    if any(f".{name}(" in text for name in MAKING):
        from srcad.runtime import room

        others = {name: getattr(room, name) for name in MAKING}
        for name, value in space.items():
            if isinstance(value, types.ModuleType) and value.__name__ == "numpy":
                space[name] = Module(value, others)


def _bind(space: dict[str, Any], modules: dict[types.ModuleType, Module]) -> None:
    for name, value in space.items():
        if isinstance(value, types.ModuleType) and value in modules:
            space[name] = modules[value]
