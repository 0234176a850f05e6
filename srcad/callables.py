"""What users pass where a function is asked for: taken, or refused with what to pass instead."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from srcad.backends import cache
from srcad.backends.derivative import Derivative
from srcad.backends.source import Source
from srcad.lang.forms import is_python
from srcad.lang.locate import unwrap
from srcad.lang.symbols import library_name, unique
from srcad.runtime.custom import CustomGradient


def check_function(f: Any, taker: str) -> None:
    """Raise a `TypeError` for what is no Python function.

    >>> import math
    >>> check_function(math.sin, "grad")
    Traceback (most recent call last):
        ...
    TypeError: grad takes a Python function, not <built-in function sin>; pass lambda x: math.sin(x)
    """
    if isinstance(f, Derivative) or isinstance(getattr(f, "py_func", f), types.FunctionType):
        return
    raise TypeError(f"{taker} takes a Python function, not {f!r}{_advice(f, taker)}")


def as_function(f: Any) -> Any:
    """The function that a partial application, a method of an object, an object or a cache stands for.

    >>> square = functools.partial(pow, exp=2)
    >>> as_function(square) is square  # no function of Python's is behind it
    True
    >>> import fractions
    >>> as_function(fractions.Fraction(1, 2).limit_denominator).__name__
    'limit_denominator'
    """
    if isinstance(f, Derivative) or isinstance(getattr(f, "py_func", f), types.FunctionType):
        return f
    if isinstance(f, CustomGradient):
        return _calling(f, f.function.__name__)
    if isinstance(f, (functools.partial, types.MethodType)) and is_python(f):
        return _calling(f, getattr(f, "__name__", None) or _innermost(f).__name__)
    if isinstance(unwrap(f), types.FunctionType) and is_python(f):
        return unwrap(f)
    call = inspect.getattr_static(type(f), "__call__", None)
    return _calling(f, type(f).__name__) if isinstance(call, types.FunctionType) and is_python(call) else f


def _innermost(f: Any) -> Any:
    while isinstance(f, functools.partial):
        f = f.func
    return f


def _calling(f: Any, name: str) -> Any:
    """A function of the parameters that are left, which calls `f`; `bound` is `f`."""
    parameters = list(inspect.signature(f).parameters.values())
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        raise TypeError(f"{f!r} takes any number of arguments; wrap it into a def that names them")
    only = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    plain = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    inner = unique("function", {p.name for p in parameters})
    head = ", ".join([*plain, *(["*", *only] if only else [])])
    passed = ", ".join([*plain, *(f"{p}={p}" for p in only)])
    text = f"def {name}({head}):\n    return {inner}({passed})\n"
    made = Source(name, text, cache.write_source(name, text), {inner: f}).function
    given = {p.name: p.default for p in parameters if p.default is not p.empty}
    made.__defaults__ = tuple(given[p] for p in plain if p in given) or None
    made.__kwdefaults__ = {p: given[p] for p in only if p in given} or None
    source = _innermost(f)
    made.__module__, made.__doc__ = getattr(source, "__module__", made.__module__), source.__doc__
    made.__qualname__ = getattr(source, "__qualname__", type(source).__qualname__)
    made.bound = f
    return made


def _advice(f: Any, taker: str) -> str:
    name = library_name(f) or getattr(f, "__name__", "f")
    if isinstance(f, str):
        return f"; as a decorator, write @{taker}(wrt={f!r})" if taker != "lint" else ""
    if inspect.isclass(f):
        return f"; pass a method of the class, or a def that makes an object, like {name}(x)"
    if isinstance(f, types.ModuleType):
        return "; pass a function of the module"
    if isinstance(f, property):
        return "; pass its function, fget"
    if callable(f):
        return f"; pass lambda x: {name}(x)"
    if isinstance(f, (int, float, complex)) or hasattr(f, "__array__"):
        return "; pass the function itself, not what it returns"
    return ""
