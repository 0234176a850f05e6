"""The libraries beside NumPy whose functions have derivatives, once somebody has imported them.

What each package of ours knows of ``scipy.special`` lies in its modules ``scipy_special...``. They are imported after
the user has imported the library: who does not use it need not have it, nor wait for it.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import sys
from types import ModuleType

LIBRARIES = (
    "special", "linalg", "stats", "signal", "fft", "integrate", "ndimage", "spatial", "interpolate", "optimize",
)  # fmt: skip
"""The modules of SciPy."""

VECTORS_OF_SPECIAL = ("erf", "erfc", "ndtr", "expit")
"""The functions of `scipy.special` of which loops become vector instructions (`vector_special`)."""

_PATHS = tuple((name, f"scipy.{name}") for name in LIBRARIES)

_entered: dict[str, set[str]] = {}  # by our packages


def imported() -> tuple[str, ...]:
    """The modules of SciPy that somebody has imported.

    >>> import scipy.special
    >>> "special" in imported()
    True
    """
    modules = sys.modules
    return tuple([name for name, path in _PATHS if path in modules])


def is_of_library(name: str) -> bool:
    """Whether a module of ours is about one of these libraries.

    >>> is_of_library("srcad.rules.scipy_special"), is_of_library("srcad.rules.special")
    (True, False)
    """
    return name.rpartition(".")[2].startswith("scipy_")


def waiting(package: str) -> list[str]:
    """The modules of a package of ours that are to be imported by now; each is told of once."""
    entered = _entered.setdefault(package, set())
    fresh = [name for name in imported() if name not in entered]
    if not fresh:
        return []
    entered.update(fresh)
    prefixes = tuple(f"scipy_{name}" for name in fresh)
    return [f"{package}.{name}" for name in _modules(package) if name.startswith(prefixes)]


def enter(package: str) -> None:
    """Import what a package of ours knows of the libraries that have been imported."""
    for name in waiting(package):
        importlib.import_module(name)


@functools.cache
def _modules(package: str) -> tuple[str, ...]:
    found: ModuleType = importlib.import_module(package)
    return tuple(module.name for module in pkgutil.iter_modules(found.__path__))
