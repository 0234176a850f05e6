"""Calls of functions that are left alone; part of `inline`."""

from __future__ import annotations

import functools
import inspect
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any

from srcad.lang.changing import changes_its_own
from srcad.lang.forms import is_data
from srcad.lang.ir import Call, Const, Expr, Let, Tuple, Var
from srcad.lang.left import Left, Reading
from srcad.lang.refusals import BEFOREHAND
from srcad.lang.structure import LIST, is_plain
from srcad.lang.types import TUPLE, TupleType, Type
from srcad.runtime.attempts import Attempt
from srcad.runtime.wholes import Known, Part, Whole
from srcad.typing.fallback import name_of
from srcad.transforms.learnt import Record
from srcad.transforms.values import INSIDE, Object, is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Keywords


def left_alone(c: Any, reading: Reading, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """A call of a function as it is, with numbers, arrays, texts and tuples of them."""
    if isinstance(fn, Attempt):
        return tried(c, fn, args)
    try:
        bound = inspect.signature(fn).bind(*args, **dict(kwargs))
        fn, bound = _with_kinds(fn, bound)
        positional, kwargs = bound.args, tuple(bound.kwargs.items())
    except TypeError as error:
        return c.refuse(f"{fn.__name__}(): {error}", "the arguments that it takes")
    except ValueError:  # of Python's own, without a signature
        fn, positional, kwargs = _with_kinds_at(fn, args, kwargs)
    owner = None
    if positional and isinstance(positional[0], Const) and not is_data(positional[0].value):
        owner, positional = positional[0].value, positional[1:]
    given = (*positional, *(value for _, value in kwargs))
    known_here = isinstance(owner, INSIDE) or any(c.grown(arg) for arg in given)  # a list that grows is no value
    if known_here or any(is_static(arg) and not _is_plain(arg) or _is_structure(c.type_of(arg)) for arg in given):
        wrong = reading.wrong_inside(fn)
        reason = f"{name_of(fn)}() of a function, dict or object{wrong.inside if wrong else ''}"
        return c.refuse(reason, "numbers and arrays", fn.__name__)
    if changes_its_own(fn) and any(getattr(c.type_of(arg), "form", None) == LIST for arg in given):
        reason = f"{name_of(fn)}(), which may change the list that it is given, is not supported"
        return c.refuse(reason, "what the list holds afterwards, passed as an argument", fn.__name__)
    name = c.fresh("t")
    c.emit(Let(name, Call(reading.of(fn, owner, tuple(name for name, _ in kwargs)), given), c.origin))
    return Var(name)


class _NoValue(Exception):
    """Met among the arguments of an attempt: what is no value outside of the function."""


def tried(c: Any, attempt: Attempt, args: tuple[Expr, ...]) -> Expr:
    """The number of the handler that the body of a ``try`` reaches."""
    given, seen = list[Expr](), dict[int, Any]()
    try:
        attempt = attempt.made_of(tuple(_part(c, arg, given, seen) for arg in args))
    except _NoValue:
        reason = "try whose body reads a function made here, or lists in lists, is not supported"
        return c.refuse(reason, BEFOREHAND)
    if not given:
        return Const(attempt())
    name = c.fresh("handler")
    c.emit(Let(name, Call(Left(attempt), tuple(given)), c.origin))
    return Var(name)


def _part(c: Any, arg: Expr, given: list[Expr], seen: dict[int, Any]) -> Part:
    """What an argument is made of; the numbers and arrays in it are added to those that are `given`."""
    grown, kind = c.grown(arg), c.type_of(arg)
    if grown is not None:
        if grown.form is not None or c.nested & {*grown.buffers}:
            raise _NoValue
        given.append(c.kept(c.view(grown)))
        return Whole(list)
    if isinstance(arg, Const) and isinstance(made := arg.value, Object):
        if seen.setdefault(id(made), None) is None:
            cls = dict if issubclass(made.cls, Record) else made.cls
            if cls is not dict and not (is_plain(cls) or is_dataclass(cls)):  # type: ignore[arg-type]
                raise _NoValue
            parts = tuple(_part(c, c.holding(var), given, seen) for var in made.fields.values())
            seen[id(made)] = Whole(cls, tuple(made.fields), parts)
        return seen[id(made)]
    if isinstance(kind, TupleType) or isinstance(arg, Tuple):
        form = getattr(kind, "form", TUPLE)
        items = c.elements(arg)
        if items is None:
            raise _NoValue
        return Whole(form.cls, form.keys, tuple(_part(c, item, given, seen) for item in items))
    if isinstance(arg, Const):
        if isinstance(arg.value, INSIDE) or type(arg.value).__module__.startswith("srcad."):
            raise _NoValue
        return Known(arg.value)
    if is_static(arg):
        raise _NoValue
    given.append(arg)
    return None


def _is_plain(arg: Expr) -> bool:
    return isinstance(arg, Const) and is_data(arg.value)


def _is_kind(value: Any) -> bool:
    """Whether a value is a kind of warnings."""
    held = value.value if isinstance(value, Const) else None
    return isinstance(held, type) and issubclass(held, Warning)


def _with_kinds(fn: Any, bound: inspect.BoundArguments) -> tuple[Any, inspect.BoundArguments]:
    """A function that knows the kinds of warnings among its arguments, and the other arguments."""
    kinds = {name: arg.value for name, arg in bound.arguments.items() if _is_kind(arg)}
    if not kinds:
        return fn, bound
    named = functools.wraps(fn)(functools.partial(fn, **kinds))
    others = {name: arg for name, arg in bound.arguments.items() if name not in kinds}
    return named, inspect.signature(named).bind(**others)


def _with_kinds_at(fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[Any, tuple[Expr, ...], Keywords]:
    """The same of a function that does not say what its arguments are called."""
    kinds = {k: arg.value for k, arg in enumerate(args) if isinstance(arg, Const) and _is_kind(arg)}
    named = {name: arg.value for name, arg in kwargs if isinstance(arg, Const) and _is_kind(arg)}
    if not kinds and not named:
        return fn, args, kwargs

    @functools.wraps(fn)
    def knowing(*others: Any, **more: Any) -> Any:
        rest = iter(others)
        return fn(*(kinds[k] if k in kinds else next(rest) for k in range(len(args))), **named, **more)

    others = tuple(arg for k, arg in enumerate(args) if k not in kinds)
    return knowing, others, tuple((name, arg) for name, arg in kwargs if name not in named)


def _is_structure(kind: Type) -> bool:
    """Whether a value is a dict or an object, or has one: in the place of these there are tuples by then.

    A list, too, is a tuple: to change it is an error then, and not lost.
    """
    return isinstance(kind, TupleType) and (kind.form not in (TUPLE, LIST) or any(map(_is_structure, kind.items)))
