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
from srcad.runtime.marks import with_attributes


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
        return _calling(f, getattr(f, "__name__", None) or _innermost(f).__name__.replace("<lambda>", "lambda_"))
    if isinstance(unwrap(f), types.FunctionType) and is_python(f):
        return unwrap(f)
    call = inspect.getattr_static(type(f), "__call__", None)
    return _calling(f, type(f).__name__) if isinstance(call, types.FunctionType) and is_python(call) else f


def by_attributes(f: Any, wrt: Any) -> tuple[Any, Any]:
    """A method whose object's attributes are parameters, where ``wrt="self.k"`` asks for a derivative by one.

    The attribute ``self.k`` becomes the parameter ``self_k``, the last one; it has the attribute's present value.

    >>> import fractions
    >>> method, wrt = by_attributes(fractions.Fraction(1, 2).limit_denominator, ("max_denominator", "self._numerator"))
    >>> wrt, inspect.signature(method)
    (('max_denominator', 'self__numerator'), <Signature (max_denominator=1000000, self__numerator=1)>)
    """
    several = isinstance(wrt, (tuple, list))
    asked = [one for one in (wrt if several else (wrt,)) if isinstance(one, str) and one.startswith("self.")]
    if not asked:
        return f, wrt
    names = {one: one.partition(".")[2] for one in asked}
    renamed = {one: f"self_{name}" for one, name in names.items()}
    meant = tuple(renamed.get(one, one) if isinstance(one, str) else one for one in (wrt if several else (wrt,)))
    if not isinstance(f, Derivative):  # whose parameters they are already
        f = _of_attributes(f, {new: names[one] for one, new in renamed.items()})
    return f, meant if several else meant[0]


def _of_attributes(f: Any, names: dict[str, str]) -> Any:
    """A method with further parameters for attributes of its object."""
    method = f if isinstance(f, types.MethodType) else getattr(f, "__call__", None)  # noqa: B004
    if not isinstance(method, types.MethodType) or not is_python(method):
        name, attribute = getattr(f, "__name__", type(f).__name__), next(iter(names.values()))
        raise ValueError(f"wrt: {name} is no method of an object, of which self.{attribute} is an attribute")
    owner = method.__self__
    for name in names.values():
        if callable(getattr(owner, name, callable)):
            raise ValueError(f"wrt: this {type(owner).__name__} has no number or array self.{name}")
    return _calling(method, method.__name__, names, {new: getattr(owner, name) for new, name in names.items()})


def _innermost(f: Any) -> Any:
    while isinstance(f, functools.partial):
        f = f.func
    return f


def _calling(f: Any, name: str, attributes: dict[str, str] | None = None, present: dict[str, Any] | None = None) -> Any:
    """A function of the parameters that are left, which calls `f`; `bound` is `f`.

    Further parameters stand for `attributes` of the object whose method `f` is.
    """
    parameters = list(inspect.signature(f).parameters.values())
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
        raise TypeError(f"{f!r} takes any number of arguments; wrap it into a def that names them")
    only = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    plain = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    inner = unique("function", {p.name for p in parameters})
    more = [f"{new}=None" for new in attributes or ()]
    head = ", ".join([*plain, *more, *(["*", *only] if only else [])])
    passed = ", ".join([*plain, *(f"{p}={p}" for p in only)])
    space = {inner: f}
    if attributes:
        space = {inner: f.__func__, "owner_of": f.__self__, "with_attributes": with_attributes}
        changed = ", ".join(f"{old}={new}" for new, old in attributes.items())
        passed = ", ".join([f"with_attributes(owner_of, {changed})", *([passed] if passed else [])])
    text = f"def {name}({head}):\n    return {inner}({passed})\n"
    made = Source(name, text, cache.write_source(name, text), space).function
    given = {p.name: p.default for p in parameters if p.default is not p.empty}
    given |= present or {}
    made.__defaults__ = tuple(given[p] for p in (*plain, *(attributes or ())) if p in given) or None
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
