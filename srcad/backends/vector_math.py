"""Modules as generated source sees them when it is compiled: `numpy` and `math`, some functions in another form.

The text of a derivative stays as it is, ``np.exp(x)``. What Numba finds under that name is a form of the function of
which it makes vector instructions, and under ``np.zeros_like`` and ``np.where`` what is compiled in a fraction of the
time.
"""

from __future__ import annotations

import functools
import os
import re
import types
from typing import Any

from srcad.backends import cache
from srcad.backends.machine_code import MachineCode
from srcad.runtime.generated import VECTOR_LIBRARY
from srcad.runtime.libraries import VECTORS_OF_SPECIAL

WRITTEN_OUT = ("exp", "expm1", "ldexp", "log", "log1p", "tanh")  # in `runtime/elementary.py`
# In the system's vector library: the names in `numpy`, and those of `math` that are others.
LIBRARY = (
    "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "arcsinh", "arccosh", "arctanh", "log2", "log10",
    "exp2", "cbrt", "erf", "erfc", "power", "arctan2", "hypot", "angle",
)  # fmt: skip
OF_MATH = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh",
    "pow": "power", "atan2": "arctan2",
}  # fmt: skip
NAMES = (*WRITTEN_OUT, *LIBRARY)
_CALLED = re.compile(r"\.(\w+)\(")
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
def _written_out() -> dict[str, Any]:
    from srcad.runtime import elementary

    others = {name: getattr(elementary, name) for name in WRITTEN_OUT}
    for name, function in others.items():
        path = os.path.join(cache.directory(), f"{name}.py")
        function._dispatcher.cache = MachineCode(path, cache.compiler_stamp())
    return others


def _in_library() -> dict[str, Any]:
    from srcad.runtime.vector_library import FUNCTIONS

    return FUNCTIONS


def vectorising(space: dict[str, Any], text: str) -> None:
    """Let the names of a generated module mean functions that vectorise, if its text calls any of them."""
    called = {OF_MATH.get(name, name) for name in _CALLED.findall(text)}
    others: dict[str, Any] = {}
    for names, functions in ((WRITTEN_OUT, _written_out), (LIBRARY, _in_library)):
        if called.intersection(names):
            others |= {name: function for name, function in functions().items() if name in called}
    if others:
        others |= {name: others[other] for name, other in OF_MATH.items() if other in others}
        _bind(space, others)
    if VECTOR_LIBRARY is not None and called.intersection(VECTORS_OF_SPECIAL) and _has_special(space):
        from srcad.runtime.vector_special import FUNCTIONS

        _bind(space, FUNCTIONS, of=("scipy.special",))


def _has_special(space: dict[str, Any]) -> bool:
    return any(isinstance(value, types.ModuleType) and value.__name__ == "scipy.special" for value in space.values())


def making(space: dict[str, Any], text: str) -> None:
    """Let the names of a generated module mean quick ways to make arrays, if its text makes any."""
    if any(f".{name}(" in text for name in MAKING):
        from srcad.runtime import room

        others = {name: getattr(room, name) for name in MAKING}
        _bind(space, others, of=("numpy",))
    if ".where(" in text:
        from srcad.runtime import choices

        _bind(space, {"where": choices.where}, of=("numpy",))


def _bind(space: dict[str, Any], others: dict[str, Any], of: tuple[str, ...] = ("numpy", "math")) -> None:
    for name, value in list(space.items()):
        if isinstance(value, types.ModuleType) and value.__name__ in of:
            space[name] = Module(value, others)
