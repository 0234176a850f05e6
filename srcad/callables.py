"""What users pass where a function is asked for: taken, or refused with what to pass instead."""

from __future__ import annotations

import functools
import inspect
import types
from typing import Any

from srcad.backends.derivative import Derivative
from srcad.lang.forms import is_python
from srcad.lang.locate import unwrap
from srcad.lang.symbols import library_name


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
    if isinstance(f, (functools.partial, types.MethodType)):
        raise TypeError(f"{f!r} binds arguments; wrap it into a def that passes them")
    raise TypeError(f"{taker} takes a Python function, not {f!r}{_advice(f, taker)}")


def _advice(f: Any, taker: str) -> str:
    name = library_name(f) or getattr(f, "__name__", "f")
    if isinstance(f, str):
        return f"; as a decorator, write @{taker}(wrt={f!r})" if taker != "lint" else ""
    if isinstance(unwrap(f), types.FunctionType) and is_python(f):
        return f"; pass {name}.__wrapped__"
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
