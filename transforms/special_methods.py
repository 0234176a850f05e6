"""Special methods of named tuples and dataclasses that are values: what ``p + q``, ``len(p)`` and ``if p:`` mean;
part of `inline`.

A class may say it by a method of its own, `__add__` or `__len__`. Fields in their order are what is meant elsewhere.
"""

from __future__ import annotations

import inspect
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang.forms import REFUSED, is_python, kind_of, of_kind
from srcad.lang.ir import Call, Const, Expr, Let, Slice, Tuple, Var
from srcad.lang.lists import element_of
from srcad.lang.types import UNKNOWN, TupleType
from srcad.library.sets import Members
from srcad.transforms import callers, housed
from srcad.transforms.calls import SAME, folded, users
from srcad.transforms.values import Choice, Closure, Object, Partial, is_static, lookup, seen_class

if TYPE_CHECKING:
    from srcad.transforms.known import Known

_COMPARING_OBJECTS = (operator.eq, operator.ne, operator.is_, operator.is_not)
_COMPARING = (*SAME, operator.contains, isinstance, issubclass)
_NUMBERS = (int, float, complex, np.generic)
_ITERATING = (element_of, sum, max, min, any, all, sorted, list, tuple, zip, enumerate, reversed, map, filter)
_REVERSED = frozenset("add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split())
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
_TRUTHS = {"__bool__": lambda result: result, "__len__": lambda result: Call(operator.gt, (result, Const(0)))}


def applied(c: Known, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """An operator or builtin as a call of the method that a structure's class has for it; None: it has none."""
    if getattr(fn, "__module__", "") not in ("_operator", "builtins", element_of.__module__):
        return None
    if fn in _COMPARING_OBJECTS and Const(None) not in args:
        check_identity(c, args)
    for place, arg in enumerate(args):
        cls = class_of(c, arg)
        if cls is None:
            continue
        if fn in _ITERATING and (items := iterated(c, arg)) is not None:
            given = (*args[:place], items, *args[place + 1 :])
            return items if items is REFUSED else c.of_structure(fn, given, ()) or c.invoke(fn, given, ())
        if fn in _ITERATING:
            check_iterable(c, arg)
        elif fn is operator.not_:
            test = truth(c, arg)
            return None if test is None else folded(Call(operator.not_, (test,)))
        elif place < 2:
            for name, rest in candidates((getattr(fn, "__name__", "") or "").strip("_"), place, args):
                if (method := written(cls, f"__{name}__")) is not None:
                    return c.invoke(method, (named(c, arg), *rest), ())
            if fn in (len, operator.contains) and place == 0 and not issubclass(cls, tuple):
                return c.refuse(f"{cls.__name__} has no method for {fn.__name__!r}", f"its fields: {_fields(c, arg)}")
            if fn is operator.ne and not issubclass(cls, tuple) and (method := written(cls, "__eq__")) is not None:
                return folded(Call(operator.not_, (c.invoke(method, (named(c, arg), args[1 - place]), ()),)))
    return None


def check_identity(c: Known, args: tuple[Expr, ...]) -> None:
    """Once more, if an object that is compared is an element of a list that holds copies: they are no one object."""
    for arg in args:
        cls = class_of(c, arg)
        if cls is not None and cls.__eq__ is object.__eq__:
            housed.may_change(c.housed, cls)  # type: ignore[attr-defined]


def iterated(c: Known, value: Expr) -> Expr | None:
    """What the method of a structure's class gives to who goes over it; None: it has none that is asked."""
    cls = class_of(c, value)
    method = None if cls is None else written(cls, "__iter__")
    if cls is None or method is None:
        return None
    return c.invoke(method, (named(c, value),), ())


def named(c: Known, value: Expr) -> Expr:
    """A structure under a name of which as much is known."""
    found, result = c.type_of(value), c.named(value)
    if isinstance(result, Var) and found != UNKNOWN:
        c.types.setdefault(result.name, found)
    return result


def truth(c: Known, value: Expr) -> Expr | None:
    """Whether a structure counts as true, where its class says so by a method; None: it does not."""
    cls = class_of(c, value)
    for name, test in _TRUTHS.items():
        if cls is not None and (method := written(cls, name)) is not None:
            return test(c.invoke(method, (named(c, value),), ()))
    return Const(True) if cls is not None and not issubclass(cls, tuple) else None


def check_iterable(c: Known, value: Expr) -> None:
    """Refuse to go over the fields of a structure where Python would not."""
    cls = class_of(c, value)
    if cls is None or issubclass(cls, tuple) and written(cls, "__iter__") is None:
        return
    callers.may_change(c, c.type_of(value))  # type: ignore[arg-type]  # as an object, it is gone over
    c.refuse(f"going over a {cls.__name__} is not supported here", f"its fields: {_fields(c, value)}")


def _fields(c: Known, value: Expr) -> str:
    return ", ".join(c.type_of(value).form.keys)  # type: ignore[attr-defined]


def class_of(c: Known, value: Expr) -> type | None:
    """The class of the user's of which a value is; None of objects that the compiler keeps as such."""
    found = c.type_of(value)
    cls = found.form.cls if isinstance(found, TupleType) and found.form.named else None
    return cls if cls is not None and users(cls) else None


def bound(c: Known, value: Expr, name: str) -> Expr | None:
    """A method of a structure as a function; None where its class, one of the user's, has no such method."""
    cls = class_of(c, value)
    member = inspect.getattr_static(cls, name, None) if cls is not None else None
    if isinstance(member, (staticmethod, classmethod)):
        return Const(getattr(cls, name))
    return Const(Partial(member, (c.kept(value),))) if is_python(member) else None


def function_of(c: Known, value: Expr) -> Expr:
    """An object or structure as the method that its class has for calls; anything else as it is."""
    made = value.value if isinstance(value, Const) else None
    if isinstance(made, Object) and has_calls(made.cls):
        return c.attribute(value, "__call__")
    return value if is_static(value) else bound(c, value, "__call__") or value


def has_calls(cls: type) -> bool:
    return lookup(cls.__mro__, "__call__") is not None


def asked_for_calls(c: Known, value: Expr) -> Expr | None:
    """``callable(x)``; None: what `x` is, an object of a library perhaps, is not known."""
    made = value.value if isinstance(value, Const) else None
    if value is REFUSED or isinstance(made, Choice):
        return value if value is REFUSED else c.either(made, lambda each: asked_for_calls(c, each))  # type: ignore
    cls = made.cls if isinstance(made, Object) else class_of(c, value)
    if cls is not None:
        return Const(has_calls(cls))
    if is_static(value) and not isinstance(value, (Tuple, Slice)):
        return Const(isinstance(made, (Closure, Partial)) or callable(made))
    lets = (stmt for block in (*c.outs, c.out) for stmt in block if isinstance(stmt, Let))
    value = next((stmt.value for stmt in lets if value == Var(stmt.target)), value)
    return None if isinstance(value, Call) and isinstance(value.fn, type) else Const(False)


def class_as_value(c: Known, value: Expr) -> Expr:
    """``type(x)`` and ``x.__class__``: a class of the user's, or one that the types tell later."""
    made = value.value if isinstance(value, Const) else None
    cls = made.cls if isinstance(made, Object) else class_of(c, value)
    if cls is Members:
        return refuse_kind_of_set(c)
    if value is REFUSED or cls is not None:
        return REFUSED if value is REFUSED else Const(seen_class(cls))  # type: ignore[arg-type]
    if isinstance(made, Choice):
        return c.either(made, lambda each: class_as_value(c, each))
    if isinstance(found := c.type_of(value), TupleType) and found.form.cls in (list, tuple, dict):
        return Const(found.form.cls)
    return Const(Partial(of_kind, (c.kept(value),)))


def class_of_grown(c: Known, value: Expr) -> type | None:
    """The class of what grows element by element; None of anything else."""
    grown = c.grown(value)  # type: ignore[attr-defined]
    return None if grown is None else tuple if c.tuples.issuperset(grown.buffers) else list  # type: ignore[attr-defined]


def refuse_kind_of_set(c: Known) -> Expr:
    return c.refuse("whether a set is a frozenset is not known here", "isinstance(x, (set, frozenset))")


def with_kinds(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: Any) -> Expr | None:
    """A call of which ``type(x)`` is an argument; None: of which it is none."""
    given = (*args, *(value for _, value in kwargs))
    if not (count := sum(map(_is_kind, given))):
        return None
    if fn in _COMPARING and (count > 1 or not any(map(_is_of_structures, given))):
        reason = "a comparison of type(x) with a class of numbers is not supported"
        return c.refuse(reason, "isinstance(x, float)", "type")
    return c.invoke(fn, tuple(map(_kind, args)), tuple((name, _kind(value)) for name, value in kwargs))


def _is_of_structures(value: Expr) -> bool:
    """Whether a value is a class of which no number is; Python's and NumPy's floats are told apart here by no type."""
    if isinstance(value, Tuple):
        return all(map(_is_of_structures, value.items))
    return isinstance(value, Const) and isinstance(value.value, type) and not issubclass(value.value, _NUMBERS)


def _is_kind(value: Expr) -> bool:
    return isinstance(value, Const) and isinstance(value.value, Partial) and value.value.fn is of_kind


def _kind(value: Expr) -> Expr:
    return Call(kind_of, value.value.args) if _is_kind(value) else value  # type: ignore[union-attr]


def written(cls: type, name: str) -> Any:
    """The method of a class, if the user wrote it; `dataclass` writes methods that compare fields."""
    found = lookup(cls.__mro__, name)
    return found[0] if found and is_python(found[0]) and not is_generated(found[0]) else None


def is_generated(method: Any) -> bool:
    """Whether `dataclass` wrote a method."""
    return getattr(getattr(method, "__code__", None), "co_filename", "") == "<string>"


def candidates(name: str, place: int, args: tuple[Expr, ...]) -> list[tuple[str, tuple[Expr, ...]]]:
    """The methods that an operator may mean for the operand at a place, and what else they are called with.

    >>> candidates("add", 1, (Const(2), Const(3))) == [("radd", (Const(2),))]
    True
    """
    if place == 0:
        plain = name[1:] if name.startswith("i") and name[1:] in _REVERSED else name
        return [(name, args[1:]), (plain, args[1:])]
    if place == 1 and name in _REVERSED:
        return [(f"r{name}", args[:1])]
    return [(_MIRRORED[name], args[:1])] if name in _MIRRORED else []


def end_of_constructors(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: Any) -> Expr | None:
    """What ``super().__init__()`` means where no class is left but `object`."""
    return Const(None) if fn is object.__init__ and not args and not kwargs else None
