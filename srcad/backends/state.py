"""Which variables a function reads from its surroundings, and whether it may update any."""

from __future__ import annotations

import functools
import types
from typing import Any

from srcad.runtime.variable import Variable


def found(fn: Any) -> dict[str, Variable]:
    """The variables that a Python function may read, in the order of its code, under the names they have there."""
    result: dict[str, Variable] = {}
    _look(fn, "", result, set())
    return result


def _look(value: Any, name: str, result: dict[str, Variable], seen: set[int]) -> None:
    if id(value) in seen:
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
    elif isinstance(getattr(value, "__dict__", None), dict) and not isinstance(value, type) \
            and type(value).__module__ != "builtins":
        seen.add(id(value))
        for key, item in vars(value).items():
            _look(item, key, result, seen)


def _look_at_code(fn: Any, code: Any, result: dict[str, Variable], seen: set[int]) -> None:
    library = (getattr(fn, "__module__", "") or "").partition(".")[0] in ("numpy", "scipy", "numba", "srcad")
    if library and not code.co_filename.startswith("<doctest"):
        return
    cells = dict(zip(code.co_freevars, getattr(fn, "__closure__", None) or ()))
    waiting = [code]
    while waiting:
        inner = waiting.pop(0)
        for name in (*inner.co_names, *inner.co_freevars):
            try:
                value = cells[name].cell_contents if name in cells else fn.__globals__.get(name)
            except ValueError:
                continue
            _look(value, name, result, seen)
        waiting += [c for c in inner.co_consts if hasattr(c, "co_names")]


def updates(fn: Any) -> bool:
    """Whether a Python function, or one that it may call, may give a variable a new value."""
    waiting, seen = [fn], set()
    while waiting:
        value = waiting.pop()
        value = getattr(value, "__func__", getattr(value, "py_func", value))
        code = getattr(value, "__code__", None)
        if code is None or id(code) in seen:
            continue
        seen.add(id(code))
        codes = [code]
        while codes:
            inner = codes.pop()
            if {"assign", "assign_add", "assign_sub", "apply_gradients"} & set(inner.co_names):
                return True
            codes += [c for c in inner.co_consts if hasattr(c, "co_names")]
        space = getattr(value, "__globals__", {})
        waiting += [space.get(name) for name in code.co_names]
        waiting += [cell.cell_contents for cell in getattr(value, "__closure__", None) or () if _bound(cell)]
    return False


def _bound(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True
