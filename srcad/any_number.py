"""Functions of any number of arguments, and functions of libraries: one derivative for each form of the call.

``lambda *args: np.concatenate(args)`` and ``np.linalg.inv`` itself have no fixed parameters that could be those of a
derivative. A call has: it becomes a function of what it passes, and that one is differentiated.
"""

from __future__ import annotations

import functools
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from srcad.backends import cache
from srcad.backends.derivative import Derivative
from srcad.backends.source import Source
from srcad.lang.forms import is_python
from srcad.lang.symbols import library_name, unique
from srcad.options import OUT, SEED, TANGENTS

ALL: Any = object()  # in the place of `wrt`: every parameter
Form = tuple[int, tuple[str, ...]]  # how many arguments by position, and the names of the others
_PACKED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_NAMED = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def takes_any_number(f: Any) -> bool:
    """Whether the parameters of a function are known at a call only.

    >>> import math
    >>> takes_any_number(lambda *args: args), takes_any_number(math.hypot), takes_any_number(lambda x: x)
    (True, True, False)
    """
    if isinstance(f, ForEachCall) or is_library(f):
        return True
    if isinstance(f, type) or not callable(f) or isinstance(f, Derivative) or hasattr(f, "variables"):
        return False
    try:
        own = inspect.signature(getattr(f, "py_func", f), follow_wrapped=False).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.kind in _PACKED for p in own) and (is_python(f) or users_call(f))


def is_library(f: Any) -> bool:
    """Whether a callable is a function of NumPy, SciPy, `math` or the like, also a partial application of one.

    >>> import math
    >>> is_library(functools.partial(math.pow, 2.0)), is_library(float), is_library(lambda x: x)
    (True, False, False)
    """
    while isinstance(f, functools.partial):
        f = f.func
    if isinstance(f, type) or not callable(f) or is_python(f):
        return False
    distribution = getattr(f, "__self__", None)
    known = type(distribution).__module__.startswith("scipy.stats") and isinstance(f, types.MethodType)
    return known or library_name(f) is not None or getattr(f, "__module__", None) == "_operator"


def users_call(f: Any) -> bool:
    """Whether an object of a user's class is called by a method of that class."""
    call = inspect.getattr_static(type(f), "__call__", None)
    return isinstance(call, types.FunctionType) and is_python(call)


class ForEachCall:
    """A derivative of such a function; called like the function, it is a `Derivative` for that form of the call."""

    is_derivative = False

    def __init__(self, f: Any, wrt: Any, options: dict[str, Any], derive: Callable[..., Any]):
        self.f, self.wrt, self.options, self.derive = f, wrt, options, derive
        self.made: dict[Form, Any] = {}
        self.latest: Any = None
        self.__name__ = f"{_name(f)}_{options['mode']}"
        self.__doc__ = getattr(f, "__doc__", None)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.for_call(len(args), kwargs)(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<{self.options['mode']} of {self.f!r}, for each form of a call>"

    def __reduce__(self) -> Any:
        return ForEachCall, (self.f, self.wrt, self.options, self.derive)

    def for_call(self, count: int, keywords: Any = ()) -> Any:
        """The derivative for `count` arguments by position, and others by these names."""
        form = count, tuple(sorted(name for name in keywords if name not in (SEED, TANGENTS, OUT)))
        if form not in self.made:
            inner = self.f.for_call(*form) if isinstance(self.f, ForEachCall) else of_form(self.f, *form)
            self.made[form] = self.derive(inner, self.wrt, self.options)
        self.latest = self.made[form]
        return self.latest

    def source(self, *args: Any, stage: str | None = None, **kwargs: Any) -> str:
        """The generated source for arguments like these, or of what was called last; see `Derivative.source`."""
        if not args and not kwargs:
            if self.latest is None:
                raise ValueError(f"{self.__name__} has no source yet; call it, or give example arguments")
            return self.latest.source(stage=stage)
        return self.for_call(len(args), kwargs).source(*args, stage=stage, **kwargs)


def for_args(df: Any, args: tuple | None, kwargs: dict[str, Any] | None) -> Any:
    """The derivative for these example arguments; without any the latest, and `df` itself where it is one already."""
    if not isinstance(df, ForEachCall):
        return df
    return df.latest if args is None and kwargs is None else df.for_call(len(args or ()), kwargs or ())


def _name(f: Any) -> str:
    while isinstance(f, functools.partial):
        f = f.func
    name = getattr(f, "__name__", type(f).__name__)
    return name if name.isidentifier() else "lambda_"


def of_form(f: Any, count: int, keywords: tuple[str, ...]) -> types.FunctionType:
    """A function of as many parameters that calls `f`: ``def inv(a): return np.linalg.inv(a)``."""
    own = _parameters(f, count)
    if twice := [name for name in keywords if name in own[:count]]:
        raise TypeError(f"{_name(f)}() got multiple values for argument {twice[0]!r}")
    plain = tuple(unique(f"x{k + 1}" if count > 1 else "x", {*own, *keywords}) if k >= len(own) else own[k]
                  for k in range(count))  # fmt: skip
    ordered = sorted(keywords, key=lambda name: (own.index(name) if name in own else len(own), name))
    called, space = _spelled(f, {*plain, *keywords})
    head = ", ".join([*plain, *(["*", *ordered] if ordered else [])])
    passed = ", ".join([*plain, *(f"{name}={name}" for name in ordered)])
    text = f"def {_name(f)}({head}):\n    return {called}({passed})\n"
    made = Source(_name(f), text, cache.write_source(_name(f), text), space).function
    made.__doc__ = getattr(f, "__doc__", None)
    return made


def _parameters(f: Any, count: int) -> tuple[str, ...]:
    """The names of the parameters by position: of the function that is wrapped, where there is one."""
    try:
        found = list(inspect.signature(f).parameters.values())
    except (TypeError, ValueError):
        return ()
    names = [p.name for p in found if p.kind in _NAMED]
    rest = next((p.name for p in found if p.kind is p.VAR_POSITIONAL), None)
    more = [f"{rest}_{k}" for k in range(count - len(names))] if rest else []
    return (*names, *more)


def _spelled(f: Any, taken: set[str]) -> tuple[str, dict[str, Any]]:
    """How `f` is called in source, and what the names in that are."""
    name = library_name(f) or ""
    root = name.partition(".")[0]
    module = sys.modules.get({"np": "numpy"}.get(root, root))
    if "." in name and root not in taken and root != _name(f) and module is not None:
        return name, {root: module}
    inner = unique("function", {*taken, _name(f)})
    return inner, {inner: f}
