"""How generated source calls the objects that it uses: NumPy's functions, builtins, helpers, baked-in constants."""

from __future__ import annotations

import builtins
import functools
import math
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from srcad.runtime.libraries import imported

RUNTIME = "srcad.runtime"
_PREFERRED = ("abs", "max", "min", "mod", "conj", "bool_", "round", "prod", "power", "arcsin", "arccos", "arctan",
              "arcsinh", "arccosh", "arctanh", "arctan2", "concatenate", "transpose", "isnan", "invert", "var", "std",
              "digamma")


def unique(name: str, taken: Iterable[str]) -> str:
    """`name`, or `name_1`, `name_2`, ... where it is taken.

    >>> unique("x", {"x", "x_1"})
    'x_2'
    """
    taken = taken if isinstance(taken, (set, frozenset, dict)) else set(taken)
    if name not in taken:
        return name
    number = 1
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def _library() -> dict[int, str]:
    return _names(imported())


@functools.cache
def _names(libraries: tuple[str, ...]) -> dict[int, str]:
    """The dotted names of the public objects of math, NumPy and these modules of SciPy, by identity."""
    table: dict[int, str] = {}
    for library in libraries:
        for name, value in sorted(vars(sys.modules[f"scipy.{library}"]).items(), reverse=True):
            if callable(value) and not name.startswith("_") and (id(value) not in table or name in _PREFERRED):
                table[id(value)] = f"scipy.{library}.{name}"
    for prefix, module in (("math.", math), ("np.random.", np.random), ("np.fft.", np.fft),
                           ("np.linalg.", np.linalg), ("np.", np)):
        for name in sorted(vars(module), reverse=True):
            value = vars(module)[name]
            if not name.startswith("_") and (callable(value) or isinstance(value, np.dtype)):
                own = getattr(value, "__name__", name) == name or name in _PREFERRED
                if own or id(value) not in table:
                    table[id(value)] = prefix + name
    for name in _PREFERRED:
        if hasattr(np, name):
            table[id(getattr(np, name))] = "np." + name
    for name, value in vars(builtins).items():
        if not name.startswith("_"):
            table[id(value)] = name
    return table


def library_name(value: Any) -> str | None:
    """``np.sin``, ``math.gamma``, ``np.add.at``, ``abs``, ``scipy.special.gamma``; None for everything else.

    >>> library_name(np.linalg.norm), library_name(np.add.at), library_name(abs)
    ('np.linalg.norm', 'np.add.at', 'abs')
    """
    found = _library().get(id(value))
    if found is not None:
        return found
    owner = getattr(value, "__self__", None)
    if callable(owner) and id(owner) in _library():
        return f"{_library()[id(owner)]}.{value.__name__}"
    return None


def helper_name(value: Any) -> str | None:
    """The name under which `srcad.runtime`, or a module of it about SciPy, exports a helper; or None."""
    return None if (found := _helper(value)) is None else found[1]


def _helper(value: Any) -> tuple[str, str] | None:
    name, own = getattr(value, "__name__", None), str(getattr(value, "__module__", None))
    for module in (RUNTIME, own) if own.startswith(f"{RUNTIME}.scipy_") else (RUNTIME,):
        if name and module in sys.modules and getattr(sys.modules[module], name, None) is value:
            return module, name
    return None


def _import(module: str, name: str) -> str:
    """
    >>> _import("numpy", "np"), _import("scipy.special", "special")
    ('import numpy as np', 'from scipy import special')
    """
    package, _, last = module.rpartition(".")
    if package:
        return f"from {package} import {last}" + ("" if last == name else f" as {name}")
    return f"import {module}" + ("" if module == name else f" as {name}")


class Symbols:
    """The global names of one module: hands them out, collects imports and constants, avoids the local names."""

    def __init__(self, locals: Iterable[str]):
        self.taken = set(locals)
        self.modules: dict[str, str] = {}
        self.helpers: dict[tuple[str, str], str] = {}
        self.constants: dict[str, Any] = {}
        self._known: dict[int, str] = {}

    def name(self, value: Any, wanted: str | None = None) -> str:
        """The dotted name of an object, which becomes a constant of the module if nothing else exports it."""
        known = self._known.get(id(value))
        if known is None:
            known = self._known[id(value)] = self._find(value, wanted)
        return known

    def module(self, module: str, short: str) -> str:
        """The local name of an imported module."""
        if module not in self.modules:
            self.modules[module] = unique(short, self.taken)
            self.taken.add(self.modules[module])
        return self.modules[module]

    def _find(self, value: Any, wanted: str | None) -> str:
        dotted = library_name(value)
        if dotted is not None:
            head, _, rest = dotted.partition(".")
            if head == "scipy":
                module, _, rest = dotted.rpartition(".")
                return f"{self.module(module, module.rpartition('.')[2])}.{rest}"
            if rest:
                return f"{self.module({'np': 'numpy'}.get(head, head), head)}.{rest}"
            if head not in self.taken:
                return head
        helper = _helper(value)
        if helper is not None:
            self.helpers[helper] = self._fresh(helper[1])
            return self.helpers[helper]
        return self.constant(value, wanted or dotted)

    def constant(self, value: Any, wanted: str | None = None) -> str:
        """The name of an object injected into the module's globals."""
        name = self._fresh((wanted or getattr(value, "__name__", "constant")).split(".")[-1])
        self.constants[name] = value
        return name

    def reserve(self, value: Any, wanted: str, other: str) -> str:
        """The name of a function of the module itself, beside the `other` one."""
        mine = self.taken - {wanted} if wanted != other else self.taken
        name = unique(wanted, {*mine, *self._known.values()})
        self.taken.add(name)
        self._known[id(value)] = name
        return name

    def _fresh(self, name: str) -> str:
        name = unique(name if name.isidentifier() else "function", self.taken)
        self.taken.add(name)
        return name

    def imports(self) -> list[str]:
        """The import statements of the module."""
        lines = [_import(module, name) for module, name in sorted(self.modules.items())]
        for module in sorted({module for module, _ in self.helpers}):
            pairs = sorted((helper, name) for (origin, helper), name in self.helpers.items() if origin == module)
            parts = (helper if helper == name else f"{helper} as {name}" for helper, name in pairs)
            lines.append(f"from {module} import {', '.join(parts)}")
        return lines
