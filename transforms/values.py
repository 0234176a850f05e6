"""Values that are known while calls are inlined and leave no trace: functions, objects, and choices among them; part
of `inline`."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang.forms import REFUSED, LocalFunction, is_data
from srcad.lang.ir import Call, Const, Expr, Function, Return, Slice, Tuple, Var, select
from srcad.lang.walk import statements
from srcad.library.arrays import Arrays
from srcad.library.rows import Row, Rows

if TYPE_CHECKING:
    from srcad.transforms.frames import Frame


@dataclass(frozen=True, eq=False)
class Closure:
    """A nested function together with the activation in which it was defined."""

    template: LocalFunction
    frame: Frame
    defaults: dict[str, Expr] = field(default_factory=dict)  # those that are no constants, as they were then


@dataclass(frozen=True, eq=False)
class Partial:
    """A function with its first arguments: a method of an object, or what `functools.partial` makes."""

    fn: Any
    args: tuple[Expr, ...] = ()
    kwargs: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, eq=False)
class Choice:
    """One of two values, by a test that is decided at run time."""

    test: Expr
    then: Expr
    orelse: Expr


@dataclass(frozen=True, eq=False)
class Perhaps(Choice):
    """What a name holds that was None when a loop began; the loop carries the parts, and whether there is anything."""


@dataclass(frozen=True, eq=False)
class Object:
    """An object made while inlining; each of its attributes is a variable."""

    cls: type
    fields: dict[str, Var] = field(default_factory=dict)
    carried: bool = False  # whether a loop carries its variables, and gives them new values
    copied: bool = False  # whether it stands for one that a loop carried


@dataclass(frozen=True, eq=False)
class Super:
    """What ``super()`` gives in a method of `cls`, called for an object of the class `kind`."""

    cls: type
    self: Expr
    kind: type


@dataclass(frozen=True, eq=False)
class Range:
    """``range(...)`` as a value."""

    start: Expr
    stop: Expr
    step: Expr


@dataclass(frozen=True, eq=False)
class Vectorized:
    """What `np.vectorize` makes of a function."""

    function: Any
    otypes: Any = None
    cache: bool = False


@dataclass(frozen=True, eq=False)
class Held:
    """A distribution of SciPy's with its parameters."""

    distribution: Any
    parameters: tuple[tuple[str, Expr], ...]


NONE = Const(None)
INSIDE = (Closure, Partial, Choice, Object, Super, Range, Vectorized, Held)


def is_static(value: Expr) -> bool:
    """Whether a value is known while inlining only: a function, object, slice, or a tuple in which there is one."""
    match value:
        case Const(value=held):
            return value is not REFUSED and _holds_function(held)
        case Tuple(items):
            return any(map(is_static, items))
    return isinstance(value, Slice)


def contains(value: Expr, part: Expr) -> bool:
    """Whether a value is another one, or a structure that holds it."""
    if value == part:
        return True
    match value:
        case Tuple(items):
            return any(contains(item, part) for item in items)
        case Const(value=Choice(_, then, orelse)):
            return contains(then, part) or contains(orelse, part)
        case Const(value=Partial(_, args, kwargs)):
            return any(contains(each, part) for each in (*args, *(given for _, given in kwargs)))
        case Const(value=Closure(_, _, defaults)):
            return any(contains(each, part) for each in defaults.values())
    return False


def with_items(value: Tuple, items: tuple[Expr, ...]) -> Tuple:
    """A structure with other elements; itself, if these are its own: identity tells lists and dicts apart."""
    return value if all(map(operator.is_, items, value.items)) else replace(value, items=items)


def class_of_rows(value: Expr) -> Any:
    """The class of an object in the place of a list of lists or arrays, or of one of these; None: no such object."""
    made = value.value if isinstance(value, Const) else None
    return made.cls if isinstance(made, Object) and made.cls in (Rows, Row, Arrays) else None


def may_be_one(one: Expr, another: Expr) -> bool:
    """Whether two objects may be one although they are two here, since loops carry copies.

    >>> a, b = Const(Object(list)), Const(Object(list, carried=True))
    >>> may_be_one(a, Const(Object(list))), may_be_one(b, b), may_be_one(a, b)
    (False, False, True)
    """
    for side, other in ((one, another), (another, one)):
        if isinstance(side, Const) and isinstance(choice := side.value, Choice):
            return may_be_one(choice.then, other) or may_be_one(choice.orelse, other)
    pair = [side.value for side in (one, another) if isinstance(side, Const) and isinstance(side.value, Object)]
    if len(pair) < 2 or pair[0] is pair[1] or pair[0].cls is not pair[1].cls:
        return False
    return any(made.carried or made.copied for made in pair)


def truth_of(value: Any) -> bool | None:
    """The truth of a function, or of an object whose class does not say otherwise; None: something else."""
    if isinstance(value, Object):
        return None if any(hasattr(value.cls, name) for name in ("__bool__", "__len__")) else True
    if isinstance(value, (bool, type(None), str)):
        return bool(value)
    return True if isinstance(value, (Closure, Partial, Super)) or callable(value) else None


def _holds_function(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_holds_function, value))
    if isinstance(value, dict):
        return any(map(_holds_function, value.values()))
    return not is_data(value)


def choose(test: Expr, then: Expr, orelse: Expr) -> Expr:
    """``then if test else orelse`` of static values."""
    if isinstance(then, Slice) and isinstance(orelse, Slice):
        pairs = [(then.lower, orelse.lower), (then.upper, orelse.upper), (then.step, orelse.step)]
        if all((a is None) == (b is None) for a, b in pairs):
            return Slice(*(a if a == b else Call(select, (test, a, b)) for a, b in pairs))  # type: ignore[arg-type]
    return then if then == orelse else Const(Choice(test, then, orelse))


def is_text(value: Expr) -> bool:
    """Whether a value is a text, or one of several."""
    match value:
        case Const(value=Choice(_, then, orelse)):
            return is_text(then) and is_text(orelse)
        case Call(fn, (_, then, orelse)) if fn is select:
            return is_text(then) and is_text(orelse)
    return isinstance(value, Const) and isinstance(value.value, str)


def chosen(value: Expr) -> list[Object] | None:
    """The objects of one class that a value may be, if a test decides which."""
    match value:
        case Const(value=Choice(_, then, orelse)):
            sides = chosen(then), chosen(orelse)
            found = None if None in sides else [*sides[0], *sides[1]]  # type: ignore[misc]
            return found if found and len({each.cls for each in found}) == 1 else None
        case Const(value=Object() as made):
            return [made]
    return None


def mapped(fn: Any) -> Any:
    """The function of numbers that `np.vectorize` or `numba.vectorize` applies to each element."""
    if isinstance(fn, Vectorized):
        return fn.function
    if isinstance(fn, np.vectorize):
        return None if fn.signature or fn.excluded else fn.pyfunc
    dispatcher = getattr(fn, "_dispatcher", None)
    if type(fn).__name__ == "DUFunc" and dispatcher is not None:
        return dispatcher.py_func
    return None


def class_of(base: Const) -> type:
    held = base.value
    return held.cls if isinstance(held, Object) else held if isinstance(held, type) else type(held)


def seen_class(cls: type) -> type:
    """The class that users see of objects of a class: `dict` of those that stand for dicts.

    >>> seen_class(Rows), seen_class(complex)
    (<class 'list'>, <class 'complex'>)
    """
    return cls.stands_for if cls.__module__.startswith("srcad.") and hasattr(cls, "stands_for") else cls


def lookup(order: tuple[type, ...], name: str) -> tuple[Any] | None:
    """What the first class of some that has this name in it has under the name."""
    return next(((vars(cls)[name],) for cls in order if name in vars(cls)), None)


def may_return_integers(fn: Function) -> bool:
    """Whether a function returns a whole number somewhere: `np.vectorize` makes all results of the first one's type."""
    found = [stmt.value for stmt in statements(fn.body) if isinstance(stmt, Return)]
    while found:
        match found.pop():
            case Const(value=int() as value) if not isinstance(value, bool):
                return True
            case Call(operation, (_, *sides)) if operation is select:
                found += sides
    return False


def describe(value: Any) -> str:
    return getattr(value, "__name__", type(value).__name__)
