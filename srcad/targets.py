"""What the command line names: ``package.module:function``, ``package.module``, ``path/to/file.py``."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import sysconfig
import traceback
import types
from pathlib import Path
from typing import Any

from srcad.backends.derivative import Derivative
from srcad.lang.locate import unwrap


class TargetError(Exception):
    """A target that cannot be found or imported; its text is for the user."""


def functions(target: str) -> list[tuple[str, Any]]:
    """The functions that a target names, each with its name; of a module, all that are defined in it, and methods.

    >>> functions("colorsys:rgb_to_yiq")[0][0], len(functions("colorsys")) > 5
    ('rgb_to_yiq', True)
    """
    place, path = _split(target)
    module = _module(place)
    if path:
        return [(path, _member(module, path, place))]
    found = [(name, value) for name, value in vars(module).items() if _defined_in(value, module)]
    found += [(f"{cls.__name__}.{name}", value) for cls in vars(module).values() if _is_class_of(cls, module)
              for name, value in vars(cls).items() if not name.startswith("__") and _defined_in(value, module)]
    return sorted(found, key=lambda item: unwrap(item[1]).__code__.co_firstlineno)


def function(target: str) -> Any:
    """The one function that a target names."""
    if not _split(target)[1]:
        raise TargetError(f"{target} names no function; write {target}:name")
    [(_, found)] = functions(target)
    return found


def names_function(target: str) -> bool:
    """Whether a target names a function, rather than all of a module.

    >>> names_function("colorsys:rgb_to_yiq"), names_function("colorsys")
    (True, False)
    """
    return bool(_split(target)[1])


def is_installed(filename: str) -> bool:
    """Whether a file belongs to Python or to an installed package."""
    folders = (sysconfig.get_paths()[kind] for kind in ("stdlib", "purelib", "platlib"))
    return filename.startswith(("<frozen", *folders))


def _split(target: str) -> tuple[str, str]:
    """The module or file, and the name in it; a colon may also belong to the path of a file."""
    place, colon, name = target.rpartition(":")
    if colon and all(part.isidentifier() for part in name.split(".")):
        return place, name
    return target, ""


def _defined_in(value: Any, module: types.ModuleType) -> bool:
    inner = unwrap(value.maker.fn if isinstance(value, Derivative) else value)
    return isinstance(inner, types.FunctionType) and inner.__module__ == module.__name__


def _is_class_of(value: Any, module: types.ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__


def _member(module: types.ModuleType, path: str, place: str) -> Any:
    found: Any = module
    for name in path.split("."):
        if not hasattr(found, name):
            raise TargetError(f"{place} has no {path!r}")
        found = getattr(found, name)
    inner = unwrap(found.maker.fn if isinstance(found, Derivative) else found)
    if not isinstance(inner, types.FunctionType):
        raise TargetError(f"{path!r} of {place} is no Python function: it is of type {type(found).__name__!r}")
    return found


def _module(place: str) -> types.ModuleType:
    """Import a module by its name, or a file by its path, as ``python -m`` and ``python`` would find it."""
    path = Path(place)
    if path.is_dir() and not (path / "__init__.py").is_file():
        raise TargetError(f"{place} is a folder; name the files in it: {path / '*.py'}")
    if path.suffix == ".py" or "/" in place or "\\" in place:
        if not path.is_file():
            raise TargetError(f"there is no file {place}")
        root, name = _package_of(path.resolve())
    else:
        root, name = Path.cwd(), place
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name and (name == error.name or name.startswith(f"{error.name}.")):
            reason = f"there is no module {error.name!r} here or among the installed ones"
            types = "" if "." in place else "; a type is written as float, int or 'float64[:]'"
            raise TargetError(reason + types) from None
        raise TargetError(_failure(place, error)) from error
    except (Exception, SystemExit) as error:
        raise TargetError(_failure(place, error)) from error
    if path.suffix == ".py" and Path(module.__file__ or "").resolve() != path.resolve():
        raise TargetError(f"the module {name!r} is already another file: {module.__file__}")
    return module


def _package_of(path: Path) -> tuple[Path, str]:
    """The folder to import a file from, and the name of its module: that in its package, if it lies in one."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _failure(place: str, error: BaseException) -> str:
    """What went wrong inside a module while it was imported."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith("<frozen")]
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    if isinstance(error, SyntaxError):
        where = f" ({error.filename}:{error.lineno})"
    said = f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"
    return f"importing {place} failed: {said}{where}"
