"""What a derivative depends on, as a hash: the function's code and source, its callees, closures and globals.

A fingerprint is worked out from the live objects alone, without the compiler, so that a process that finds the
source of a derivative in the cache need not read, infer or differentiate anything. It is generous: what a function
only might use counts, too.
"""

from __future__ import annotations

import builtins
import contextlib
import dataclasses
import enum
import functools
import hashlib
import linecache
import sys
import types
from dataclasses import fields
from typing import Any

import numba
import numpy as np

from srcad.backends import cache
from srcad.backends.derivative import Derivative
from srcad.lang.forms import is_example
from srcad.lang.types import Form, Type
from srcad.options import Options
from srcad.runtime.custom import CustomGradient
from srcad.runtime.variable import Variable

# Packages whose functions count by name and version; the functions of all others are looked into.
_LIBRARIES = frozenset({"numpy", "numba", "scipy", "srcad", "math", "cmath", "builtins", "operator", "_operator"})
_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), type(NotImplemented))


# What a class has of itself, and how the fields of named tuples and of classes with slots look in it.
_OF_EVERY_CLASS = frozenset("""__module__ __qualname__ __doc__ __dict__ __weakref__ __annotations__ __slots__
    __dataclass_fields__ __dataclass_params__ __match_args__ __orig_bases__ __parameters__ __firstlineno__
    __static_attributes__ __new__ _member_map_ _value2member_map_ _member_names_ _member_type_ _value_repr_
    _generate_next_value_ _new_member_ _use_args_ _unhashable_values_ _hashable_values_ __abstractmethods__
    _abc_impl""".split())
_FIELDS = frozenset(("_tuplegetter", "member_descriptor", "getset_descriptor"))


class Unkeyable(Exception):
    """Something is used whose value cannot be told from the outside: nothing is kept on disk then."""


class Fingerprint:
    """A running hash; `values` are the objects that went into it, by hash."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._open: dict[int, int] = {}  # functions and containers that have been looked into
        self._kept: list[Any] = []  # alive while their ids stand in _open
        self.values: dict[str, Any] = {}

    @property
    def digest(self) -> bytes:
        return self._hash.digest()

    def put(self, *parts: Any) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode()
            self._hash.update(len(data).to_bytes(8, "little"))
            self._hash.update(data)

    def add(self, value: Any) -> None:
        """Take in a value and all it consists of."""
        if isinstance(value, _PLAIN):
            self._leaf("plain", type(value).__name__, repr(value), value=value)
        elif isinstance(value, (np.ndarray, np.generic)):
            self._leaf("array", digest_of_array(np.asarray(value)), value=value)
        elif isinstance(value, types.ModuleType):
            package = sys.modules.get(value.__name__.partition(".")[0], value)
            version = ""
            with contextlib.suppress(ImportError):  # of a module that imports another one where it is asked
                version = getattr(package, "__version__", "")
            self.put("module", value.__name__, version)
        elif isinstance(value, (tuple, frozenset)):
            if type(value) not in (tuple, frozenset):
                self.add(type(value))
            self._all(type(value).__name__, list(value) if isinstance(value, tuple) else sorted(value, key=repr))
        elif isinstance(value, slice):
            self._all("slice", [value.start, value.stop, value.step])
        elif (parts := _named(value)) is not None:
            self._leaf(*parts, value=value)
            if isinstance(value, type) and _is_users(value) and id(value) not in self._open:
                self._open[id(value)] = len(self._open)
                self._class(value)
        elif id(value) in self._open:
            self.put("seen", self._open[id(value)])
        else:
            self._open[id(value)] = len(self._open)
            self._kept.append(value)
            self._compound(value)

    def _leaf(self, *parts: Any, value: Any) -> None:
        self.put(*parts)
        self.values[value_key(value)] = value

    def _compound(self, value: Any) -> None:
        if isinstance(value, types.FunctionType):
            self._function(value)
        elif isinstance(value, Derivative):
            self._all("derivative", list(value.maker.constructor[1]))
        elif isinstance(value, Variable):  # its value is an argument
            self.put("variable", value.dtype, value.shape, value.trainable)
        elif isinstance(value, CustomGradient):
            self._all("custom gradient", [value.function])
        elif hasattr(value, "py_func"):  # a Numba dispatcher
            self._all("dispatcher", [value.py_func])
        elif isinstance(value, types.MethodType):
            self._all("method", [value.__func__, value.__self__])
        elif isinstance(value, functools.partial):
            self._all("partial", [value.func, value.args, value.keywords])
        elif isinstance(value, list):
            self._all("list", value)
        elif isinstance(value, dict):
            self._all("dict", [part for item in value.items() for part in item])
        elif isinstance(value, (Options, Type, Form)):
            self._all(type(value).__name__, [getattr(value, field.name) for field in fields(value)])  # type: ignore[arg-type]
        elif isinstance(value, enum.Enum):
            self._all("member", [type(value), value.name, value.value])
        elif type(value).__module__ == "srcad.optimizers":
            self._all(type(value).__name__, list(vars(value).values()))
        elif dataclasses.is_dataclass(value) and _is_users(type(value)):
            self._all("object", [type(value), *(getattr(value, field.name) for field in fields(value))])
        else:
            raise Unkeyable(f"{type(value).__name__} objects")

    def _class(self, cls: type) -> None:
        """A class of the user's: what its objects can be asked for is written in it."""
        for base in filter(_is_users, cls.__mro__):
            for name, member in sorted(vars(base).items()):
                inner = getattr(member, "fget", None) or getattr(member, "__func__", member)
                generated = isinstance(inner, types.FunctionType) and inner.__code__.co_filename.startswith("<")
                if generated or name in _OF_EVERY_CLASS or type(inner).__name__ in _FIELDS:
                    continue
                self.put(name)
                self.add(inner)

    def _all(self, kind: str, parts: list[Any]) -> None:
        self.put(kind, len(parts))
        for part in parts:
            self.add(part)

    def _function(self, fn: types.FunctionType) -> None:
        """A Python function: its code and text, its defaults, and everything its names may mean."""
        self.put("function", fn.__qualname__)
        self._code(fn.__code__, fn.__globals__)
        self._all("defaults", [fn.__defaults__, fn.__kwdefaults__, getattr(fn, "__wrapped__", None)])
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or ()):
            self.put(name)
            self._cell(cell)

    def _cell(self, cell: types.CellType) -> None:
        try:
            value = cell.cell_contents
        except ValueError:  # not bound yet
            return self.put("empty")
        self.add(value)

    def _code(self, code: types.CodeType, space: dict[str, Any]) -> None:
        self.put("code", code.co_code, code.co_names, code.co_varnames, code.co_argcount, code.co_kwonlyargcount)
        self.put(code.co_filename, code.co_firstlineno, source_of(code, space))
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                self._code(constant, space)
            else:
                self.add(constant)
        for name in sorted(set(code.co_names)):
            self._global(name, code.co_names, space)

    def _global(self, name: str, names: tuple[str, ...], space: dict[str, Any]) -> None:
        """What a name means, if it is a global's; of a module, also what it calls by the other names."""
        value = space.get(name, getattr(builtins, name, None))
        if value is None and name not in space:
            return
        self.put("global", name)
        self.add(value)
        if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] not in _LIBRARIES:
            self._module(value, names)

    def _module(self, module: types.ModuleType, names: tuple[str, ...]) -> None:
        if id(module) in self._open:
            return
        self._open[id(module)] = len(self._open)
        for name in sorted(set(names) & vars(module).keys()):
            self._global(name, names, vars(module))
        del self._open[id(module)]  # another function may use other names of it


def fingerprint(*values: Any) -> Fingerprint:
    """The fingerprint of several values; `Unkeyable` if one of them can change without showing it.

    >>> fingerprint(1.0, "a").digest == fingerprint(1.0, "a").digest != fingerprint(1.0, "b").digest
    True
    """
    found = Fingerprint()
    for value in values:
        found.add(value)
    return found


def value_key(value: Any) -> str:
    """A name for a number, an array, a class or a library's function, by which its like is found in another process."""
    if isinstance(value, _PLAIN):
        return f"{type(value).__name__}:{value!r}"
    if isinstance(value, (np.ndarray, np.generic)):
        return f"array:{digest_of_array(np.asarray(value)).hex()}"
    parts = _named(value)
    if parts is None:
        raise Unkeyable(f"{type(value).__name__} objects")
    return ":".join(parts)


def digest_of_array(value: np.ndarray) -> bytes:
    if value.dtype.hasobject:
        raise Unkeyable("an array of objects")
    head = repr((value.dtype.str, value.shape, value.flags.c_contiguous, value.flags.f_contiguous))
    return hashlib.sha256(head.encode() + np.ascontiguousarray(value).tobytes()).digest()


def source_of(code: types.CodeType, space: dict[str, Any]) -> str:
    """The lines of a code object, comments and all: they stand in the generated source."""
    linecache.checkcache(code.co_filename)
    lines = linecache.getlines(code.co_filename, space)
    last = max((line for _, _, line in code.co_lines() if line is not None), default=code.co_firstlineno)
    return "".join(lines[code.co_firstlineno - 1 : last])


def _is_users(cls: type) -> bool:
    """Whether a class is the user's rather than a library's or Python's own."""
    module = cls.__module__.partition(".")[0]
    return module not in _LIBRARIES and module not in sys.stdlib_module_names or module == "__main__"


def _named(value: Any) -> tuple[str, ...] | None:
    """How to call a class, a builtin or a library's function; None for everything else."""
    if isinstance(value, type):
        return "class", value.__module__, value.__qualname__
    if isinstance(value, np.dtype):
        return "dtype", value.str
    if isinstance(value, (np.ufunc, type(np.sum), types.BuiltinFunctionType)) or (
        isinstance(value, types.FunctionType) and _is_librarys(value)
    ):
        return "named", str(getattr(value, "__module__", "")), getattr(value, "__qualname__", value.__name__)
    return None


def _is_librarys(fn: types.FunctionType) -> bool:
    """Whether a Python function is of a library; what exec() makes may have no module, an example another's name.

    Of functions that a function of a library makes, the name does not tell what they close over.
    """
    own = (fn.__module__ or "").partition(".")[0] in _LIBRARIES and "<locals>" not in fn.__qualname__
    return own and not is_example(fn.__code__)


def versions() -> tuple[Any, ...]:
    """What else every derivative depends on: the compiler, Numba, NumPy and Python."""
    return (cache.compiler_stamp(), numba.__version__, np.__version__, sys.version)


def own_rules() -> list[tuple[Any, ...]]:
    """The rules that users have stated; while the module of rules is not in memory, there can be none."""
    rules = sys.modules.get("srcad.rules.rule")
    if rules is None:
        return []
    stated = [(primitive, rule.fn, rule.zero) for each in (rules.table, rules.lowerings)
              for primitive, rule in each.items() if rule.is_users]  # fmt: skip
    return sorted(stated, key=lambda rule: (rule[1].__module__, rule[1].__qualname__, rule[1].__code__.co_firstlineno))
