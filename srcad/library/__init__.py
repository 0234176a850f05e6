"""Functions of NumPy written in terms of others.

What stands here is read and differentiated as if the user had written it: such a function needs no rule, no typing
rule and no lowering, and has derivatives of every order in every mode. ::

    @instead_of(np.ptp)
    def ptp(a, axis=None, *, keepdims=False):
        return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)

The functions have the parameters of NumPy's that change the result, and are plain Python: the tests run them as they
are and compare them with NumPy. Tests on ranks, dtypes and constants are decided when the derivative is written, and a
short loop over a constant range or a tuple is written out. Its statements count as part of the user's line.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

import numpy as np

from srcad.runtime.libraries import enter, is_of_library

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Entry:
    """A function, and the arguments of which one must be given for it to be read."""

    fn: Callable[..., Any]
    given: frozenset[str]

    def meant(self, positional: int, named: Iterable[str]) -> bool:
        """Whether it stands for a call with so many arguments by position and these by name."""
        if not self.given:
            return True
        parameters = inspect.signature(self.fn).parameters.values()
        ordered = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
        return bool(self.given & {*ordered[:positional], *named})


ARRAYS = frozenset("a A b x x1 x2 y m v arr ary array z f u a1 a2 in1 in2 filt weights".split())
"""What parameters are called that stand for arrays: a list that is given for one of them is made one."""

table: dict[Any, Entry] = {}
made: dict[type, type] = {}
statics: set[Any] = set()


def instead_of(*primitives: Any, given: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Enter the function that calls of these primitives are read as; with `given`, calls that give one of these.

    A text is the name of a method of arrays that does something else than the function of that name.
    """

    def enter(fn: F) -> F:
        table.update(dict.fromkeys(primitives, Entry(fn, frozenset(given))))
        return fn

    return enter


def made_instead_of(cls: type) -> Callable[[type], type]:
    """Enter the class of which an object is made where the program makes one of another library's."""

    def enter(own: type) -> type:
        made[cls] = own
        return own

    return enter


def own_class(cls: Any) -> type | None:
    """The class of ours whose objects stand for those of another library's class, or for its own."""
    load()
    return cls if cls in made.values() else made.get(cls)


def own_method(fn: Any) -> tuple[Any, Any] | None:
    """The method of ours, and the object of another library's that is called or has a method called."""
    load()
    owner, name = (fn.__self__, fn.__name__) if isinstance(fn, types.MethodType) else (fn, "__call__")
    own = getattr(made.get(type(owner)), name, None)
    return None if own is None or type(owner) not in made else (own, owner)


def find(primitive: Any, positional: int = 0, named: Iterable[str] = ()) -> Callable[..., Any] | None:
    """The function to read in place of a primitive; a function of the library stands for itself.

    >>> find(np.ptp).__name__, find(np.sin), find(np.sum, 1), find(np.sum, 1, ["initial"]).__name__
    ('ptp', None, None, 'total')
    """
    load()
    if str(getattr(primitive, "__module__", "")).startswith("srcad.library.") and not isinstance(primitive, type):
        return primitive
    try:
        entry = table.get(primitive)
    except TypeError:  # not hashable
        return None
    return entry.fn if entry is not None and entry.meant(positional, named) else None


_CHANGING = frozenset(("sort", "partition", "resize", "put", "fill", "itemset", "setfield", "byteswap"))


def method(name: str, positional: int = 0, named: Iterable[str] = ()) -> Any:
    """What the library has for a method of arrays and numbers: the method's own name, or the function of NumPy's.

    A method that changes the array is not the function, which makes a new one.

    >>> method("sum"), method("sum", 1, ["where"]) is np.sum, method("sort"), method("resize", 1)
    (None, True, 'sort', None)
    """
    load()
    if not hasattr(np.ndarray, name) and name not in table:
        return None
    function = name if find(name) or name in _CHANGING else getattr(np, name, None)
    return function if find(function, positional, named) else None


class Plan(tuple):
    """What a static function gives: a constant, nested as it may be, which the library takes apart."""

    def __new__(cls, items: Iterable[Any]) -> Plan:
        return super().__new__(cls, (Plan(i) if isinstance(i, tuple) else i for i in items))

    def plain(self) -> tuple:
        return tuple(i.plain() if isinstance(i, Plan) else i for i in self)


def static(fn: F) -> F:
    """A function that is run when the derivative is written: its arguments must be constants by then."""
    statics.add(fn)
    return fn


def elementwise(count: int) -> Callable[..., Any] | None:
    """What applies a function of numbers to the elements of so many arrays."""
    from srcad.library.mapping import MAPS

    return MAPS[count - 1] if 1 <= count <= len(MAPS) else None


def known(value: Any) -> bool:
    """Whether a value is a constant when the derivative is written."""
    return True


def number(value: Any) -> bool:
    """Whether a value is a single number, and known when the derivative is written."""
    return np.ndim(value) == 0


def axis_of(axis: int, ndim: int) -> int:
    """An axis, counted from the front; where the array has none such, the derivative is refused."""
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return axis % ndim


def refuse(what: str, instead: str) -> NoReturn:
    """Say of a form of call that it has no derivative here, and what to write instead."""
    raise NotImplementedError(f"{what}; instead: {instead}")


def load() -> None:
    """Import every file of the library, those about other libraries than NumPy once these have been imported."""
    _load_own()
    enter("srcad.library")
    enter("srcad")


@functools.cache
def _load_own() -> None:
    for module in pkgutil.iter_modules(__path__, "srcad.library."):
        if not is_of_library(module.name):
            importlib.import_module(module.name)
