"""What stands in the IR between reading and inlining, and in no later form."""

from __future__ import annotations

import enum
import functools
import types
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np

from srcad.lang.ir import Block, Call, Const, Effect, Expr, For, Function, Tuple, While, raise_
from srcad.lang.origin import NOWHERE, Origin
from srcad.lang.types import TUPLE
from srcad.runtime.variable import Variable


@dataclass(frozen=True, slots=True)
class Bind:
    """The primitive of ``name := value``."""

    name: str


def apply(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of a value that is not known when the call is read."""
    return function(*args, **kwargs)


def kind_of(value: Any) -> Any:
    """``type(value)`` of a number or an array."""
    return type(value)


def of_kind(like: Any, value: Any) -> Any:
    """``type(like)(value)`` of a number."""
    return type(like)(value)


def can_be_tried(known: Any) -> Any:
    """Whether the body of a ``try`` that stores into something is known to raise nothing."""
    return known


def star(values: Any) -> Any:
    """``*values`` among the arguments of a call."""
    return values


def is_star(expr: Expr) -> bool:
    """Whether an expression is ``*values``."""
    return isinstance(expr, Call) and expr.fn is star


def as_keys(*counts: Any) -> Any:
    """The smallest of several counts, of which a known one is meant to be it: so many keys has a dict."""
    return min(counts)


def fewer(origin: Origin, than: str = "values than keys") -> Effect:
    """The error of a dict with known keys and fewer values, and of other things that are made of values."""
    return Effect(Call(raise_, (Const(ValueError), Const(f"there are fewer {than}"))), origin)


def gathered(values: Any) -> Any:
    """The values that go to ``*rest``, where their number is not known at compile time."""
    return values


def columns(rows: Any) -> Any:
    """``zip(*rows)`` where the number of rows is not known at compile time."""
    return list(zip(*rows))


def listed(values: Any) -> Any:
    """The items of an array as they are now; of an array of rows, the rows themselves."""
    return np.copy(values) if np.ndim(values) == 1 else values


def as_tuple(values: Any) -> Any:
    """A list that nobody else has, as a tuple."""
    return tuple(values)


def rows_like(count: Any, row: Any) -> Any:
    """An array for `count` rows of the dtype and shape of `row`, whose contents are still to come."""
    return np.empty((count, *np.shape(row)), np.asarray(row).dtype)


@dataclass(frozen=True, slots=True, eq=False)
class LocalFunction:
    """A lambda or nested def: names that it does not assign are those of the function around it."""

    function: Function
    locals: frozenset[str]
    rest: str | None = None  # the name of its ``*args``
    keyword_only: int = 0
    keywords: str | None = None  # the name of its ``**kwargs``
    outer: frozenset[str] = frozenset()  # the names around it that it, or a function in it, assigns
    once: bool = False  # whether it is a generator
    sampled: LocalFunction | None = None  # what stands for it where its first item may be computed once more


@dataclass(frozen=True, slots=True)
class Break:
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Continue:
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class LoopElse:
    """A loop with an ``else`` clause."""

    loop: Union[For, While]
    orelse: Block
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Unrolled:
    """A loop over items of known number that is left early: its body once for each item."""

    bodies: tuple[Block, ...]
    orelse: Block
    origin: Origin = field(default=NOWHERE, compare=False)


class _Refused:
    def __repr__(self) -> str:
        return "<refused>"


REFUSED = Const(_Refused())
"""What a refused expression reads as, so that the walk goes on without a problem that follows from the first."""

_DATA = (
    int, float, complex, str, bytes, type(None), type(Ellipsis), tuple, list, dict, slice, np.ndarray, np.generic,
    np.dtype,
)  # fmt: skip
_LIBRARIES = frozenset({"numpy", "scipy", "math", "cmath", "builtins", "operator", "numba", "srcad"})
_READ = ("srcad.optimizers", "srcad.runtime.generated")


def is_data(value: Any) -> bool:
    """Whether a value can stand for itself at run time; a module, function or object of a class cannot."""
    return isinstance(value, _DATA)


def is_state(value: Any, attribute: str) -> bool:
    """Whether an attribute of a value is another at every call: that of a `Variable`, but for its methods."""
    return isinstance(value, Variable) and not callable(getattr(Variable, attribute, None))


def home(cls: type) -> str:
    """The module of a class; none of those in C that have a slot of this name, as compiled functions do.

    >>> home(float)
    'builtins'
    """
    module: Any = cls.__module__
    return module if isinstance(module, str) else ""


def is_users(module: str) -> bool:
    """Whether a module is one of the user's; what an optimiser does, or generated text, is read as if it were."""
    return module.partition(".")[0] not in _LIBRARIES or module in _READ


def keeps(fn: Any) -> bool:
    """Whether a list is a list to what is called, which may keep it: a function or a class of the user's."""
    return is_python(fn) or isinstance(fn, type) and is_users(home(fn))


def is_python(fn: Any) -> bool:
    """Whether a callable is one of the user's Python functions."""
    if isinstance(fn, LocalFunction):
        return True
    if isinstance(fn, types.MethodType):
        return is_python(fn.__func__)
    if isinstance(fn, functools.partial):
        return is_python(fn.func)
    if not isinstance(fn, types.FunctionType):
        inner = None if isinstance(fn, type) else getattr(fn, "py_func", None) or getattr(fn, "__wrapped__", None)
        return inner is not None and is_python(inner)
    return is_example(fn.__code__) or is_users(getattr(fn, "__module__", None) or "")


def is_example(code: types.CodeType) -> bool:
    """Whether code stands in no file: in an example of a docstring, which has the name of the module around it."""
    return code.co_filename.startswith("<doctest")


def constant(value: Any, name: str) -> Const:
    """A constant taken from the surroundings; an array keeps the user's name for it."""
    if isinstance(value, enum.Enum) and isinstance(value, (int, float)):
        value = value.value
    return Const(value, name=name if isinstance(value, np.ndarray) else None)


def known_key(expr: Expr | None) -> str | int | tuple | None:
    """A key of a dict that is written out: text, a number or a tuple of such; None for any other.

    >>> known_key(Tuple((Const(0), Const(1)))), known_key(Const(0.5))
    ((0, 1), None)
    """
    match expr:
        case Const(value=str() | int() as value):
            return value
        case Const(value=tuple() as values):
            parts = tuple(known_key(Const(value)) for value in values)
        case Tuple(items, kind) if getattr(kind, "form", TUPLE) == TUPLE:
            parts = tuple(map(known_key, items))
        case _:
            return None
    return None if None in parts else parts


def is_foreign(fn: Any) -> bool:
    """Whether a function is one of `ctypes`, which has no hash, or an address that only Numba can call.

    >>> import ctypes
    >>> is_foreign(ctypes.CFUNCTYPE(ctypes.c_double)()), is_foreign(len)
    (True, False)
    """
    try:
        hash(fn)
    except TypeError:
        return True
    return hasattr(fn, "__wrapper_address__")


def with_hash(fn: Any) -> Any:
    """A callable; for an object of a class that says when two are equal, and so has no hash, its bound ``__call__``.

    >>> class Scale(list):
    ...     def __call__(self, x): return self[0] * x
    >>> with_hash(Scale([2.0])).__name__, with_hash(len)
    ('__call__', <built-in function len>)
    """
    bound = getattr(fn, "__call__", None) if is_foreign(fn) else None  # noqa: B004 - the method itself is wanted
    return bound if isinstance(bound, types.MethodType) and is_python(bound) else fn
