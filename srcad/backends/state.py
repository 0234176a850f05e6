"""Which variables a function reads from its surroundings."""

from __future__ import annotations

import dis
import functools
import types
from typing import Any

from srcad.lang.forms import is_example
from srcad.lang.locate import is_installed
from srcad.runtime.variable import Variable


def found(fn: Any) -> dict[str, Variable]:
    """The variables that a Python function may read, in the order of its code, under the names they have there."""
    result: dict[str, Variable] = {}
    _look(fn, "", result, set())
    return result


def _look(value: Any, name: str, result: dict[str, Variable], seen: set[int]) -> None:
    if id(value) in seen or isinstance(value, types.ModuleType):  # some import others where they are asked
        return
    if isinstance(value, Variable):
        seen.add(id(value))
        base = value.name if value.name and value.name.isidentifier() else name or "variable"
        free = (base, *(f"{base}_{k}" for k in range(1, len(result) + 2)))
        result[next(n for n in free if n not in result)] = value
        return
    code = getattr(getattr(value, "py_func", value), "__code__", None)
    if isinstance(value, (types.MethodType, functools.partial)):
        seen.add(id(value))
        for part in ("__func__", "__self__", "func", "args", "keywords"):
            _look(getattr(value, part, None), name, result, seen)
    elif code is not None:
        seen.add(id(value))
        _look_at_code(getattr(value, "py_func", value), code, result, seen)
    elif isinstance(value, (tuple, list)):
        for k, item in enumerate(value):
            _look(item, f"{name}_{k}", result, seen)
    elif isinstance(value, dict):
        for key, item in value.items():
            _look(item, str(key) if str(key).isidentifier() else name, result, seen)
    elif getattr(type(value), "is_derivative", False):
        _look(value.maker.fn, name, result, seen)
    elif type(value).__name__ == "StencilFunc":
        _look(value.kernel_ir.func_id.func, name, result, seen)
    elif isinstance(getattr(value, "__dict__", None), dict) and not isinstance(value, type) \
            and not type(value).__module__.startswith(("builtins", "numba.")):
        seen.add(id(value))
        for key, item in vars(value).items():
            _look(item, key, result, seen)


def _look_at_code(fn: Any, code: Any, result: dict[str, Variable], seen: set[int]) -> None:
    if _is_library(getattr(fn, "__module__", "")) and not is_example(code):
        return
    cells = dict(zip(code.co_freevars, getattr(fn, "__closure__", None) or ()))
    waiting = [code]
    while waiting:
        inner = waiting.pop(0)
        for name in _in_order(inner):
            try:
                value = cells[name].cell_contents if name in cells else fn.__globals__.get(name)
            except ValueError:
                continue
            if isinstance(value, types.ModuleType):
                _look_at_module(value, inner, result, seen)
            else:
                _look(value, name, result, seen)
        waiting += [c for c in inner.co_consts if hasattr(c, "co_names")]


def _in_order(code: Any) -> list[str]:
    """The names from outside that code reads, in the order in which it does."""
    free = (*code.co_names, *code.co_freevars)
    if len(free) < 2:
        return list(free)
    read = (step.argval for step in dis.get_instructions(code))
    order = dict.fromkeys(name for name in read if isinstance(name, str) and name in free)
    return [*order, *(name for name in free if name not in order)]


def _look_at_module(module: types.ModuleType, code: Any, result: dict[str, Variable], seen: set[int]) -> None:
    """The variables that are attributes of a module, and those of what else is."""
    if _is_library(module.__name__) or is_installed(getattr(module, "__file__", None) or ""):
        return
    for name in code.co_names:
        value = vars(module).get(name)
        if isinstance(value, types.ModuleType):
            if value.__name__.startswith(f"{module.__name__}."):
                _look_at_module(value, code, result, seen)
        else:
            _look(value, name, result, seen)


def _is_library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in ("numpy", "scipy", "numba", "srcad")
