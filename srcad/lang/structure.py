"""Structures of the user's: tuples, lists, named tuples, dataclasses and dicts, and what they are made of.

The compiler knows tuples only; a `Form` says what a tuple is to the user. Compiled code has tuples and named tuples;
all others are taken apart before a call and put together after it.
"""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Union

import numpy as np

from srcad.lang.types import TUPLE, Form, Static, TupleType, Type
from srcad.runtime.outside import Outside, names_of

LIST = Form(list)
_BARE = (abc.ABC, typing.Generic, typing.Protocol)  # classes without attributes that others are derived from
_LIBRARIES = ("numpy", "scipy", "numba", "srcad")
_HOOKS = ("__new__", "__getattr__", "__getattribute__", "__setattr__", "__slots__", "__array__")
Part = tuple[Any, ...]
"""Where a part of an argument is: the argument's position, then keys, names of fields and indices."""


def form_of_class(cls: Any) -> Form | None:
    """The form of the objects of a class with fields: a named tuple's or a dataclass's."""
    if not isinstance(cls, type) or cls.__module__.startswith("srcad.") and "library" not in cls.__module__.split("."):
        return None
    names = getattr(cls, "_fields", None)
    if issubclass(cls, tuple) and isinstance(names, tuple):
        return Form(cls, names)
    if dataclasses.is_dataclass(cls):
        return Form(cls, tuple(field.name for field in dataclasses.fields(cls)))
    return None


def form_of_object(value: Any) -> Form | None:
    """The form of an object of a plain class of the user's: its attributes are its elements."""
    if not is_plain(type(value)) or not hasattr(value, "__dict__"):  # type: ignore[arg-type]
        return None
    return Form(type(value), tuple(vars(value)))


@functools.cache
def is_plain(cls: type) -> bool:
    """Whether the attributes are all there is to the objects of a class: they are no functions, and nothing intervenes.

    >>> is_plain(types.SimpleNamespace), is_plain(types.FunctionType), is_plain(np.random.Generator)
    (True, False, False)
    """
    own = [base for base in cls.__mro__[:-1] if base not in _BARE]
    hooked = any(hook in vars(base) for base in own for hook in _HOOKS)
    return cls is types.SimpleNamespace or not _is_theirs(cls) and not hooked


@functools.cache
def _is_theirs(cls: type) -> bool:
    """Whether a class, or one that it is derived from, is one of Python's or of a library's."""
    modules = [base.__module__.partition(".")[0] for base in cls.__mro__[:-1] if base not in _BARE]
    return any(module in _LIBRARIES or module in sys.stdlib_module_names for module in modules)


def taken_apart(value: Any) -> tuple[Form, tuple[Any, ...]] | None:
    """The form and the elements of a structure; None for everything else.

    >>> taken_apart({"a": 1.0, "b": 2.0})
    (Form(cls=<class 'dict'>, keys=('a', 'b')), (1.0, 2.0))
    """
    cls = type(value)
    if cls is tuple:
        return TUPLE, value
    if cls is Outside:
        return Form(Outside, names := names_of(value)), tuple(getattr(value, name) for name in names)
    if cls is list:
        return LIST, tuple(value)
    if cls is dict:
        return (Form(dict, tuple(value)), tuple(value.values())) if all(map(_is_key, value)) else None
    form = form_of_class(cls) or form_of_object(value)
    if form is None:
        return None
    return form, tuple(tuple.__iter__(value)) if form.native else tuple(getattr(value, key) for key in form.keys)


def _is_key(key: Any) -> bool:
    return type(key) in (str, int) or type(key) is tuple and all(map(_is_key, key))


def is_static(value: Any) -> bool:
    """Whether a value counts at compile time only: text, a function, a class, a dtype, a member of an enumeration."""
    if isinstance(value, (str, bytes, type, np.dtype, enum.Enum)):
        return True
    formed = form_of_class(type(value)) or form_of_object(value)
    return callable(value) and formed is None and not _is_model(value)


def _is_model(value: Any) -> bool:
    """Whether something that can be called is an object of the user's with numbers: others, perhaps, in the next call.

    >>> _is_model(np.sin), _is_model(functools.partial(max, 1.0))
    (False, False)
    """
    cls = type(value)
    if _is_theirs(cls):  # type: ignore[arg-type]
        return False
    slots = [getattr(value, name, None) for base in cls.__mro__ for name in vars(base).get("__slots__", ())]
    held = (*getattr(value, "__dict__", {}).values(), *slots)
    return any(isinstance(each, (float, complex, np.ndarray)) for each in held)


def plain(value: Any) -> Any:
    """A value as compiled code takes it: tuples for structures that it does not have, None for what is static.

    >>> plain({"w": 1.0, "layers": [2.0, 3.0]})
    (1.0, (2.0, 3.0))
    """
    parts = taken_apart(value)
    if parts is None:
        return None if is_static(value) else value
    form, items = parts
    inner = tuple(map(plain, items))
    return form.cls(*inner) if form.native and form.named else inner


Outline = Union[tuple[Form, tuple[Any, ...]], None]
"""The forms of a structure and of what is in it; None where tuples of compiled code are all there is."""


def outline(type: Type) -> Outline:
    """The outline of a type.

    >>> outline(TupleType((Static(None), Static(None)), Form(dict, ("a", "b"))))
    (Form(cls=<class 'dict'>, keys=('a', 'b')), (None, None))
    """
    if not isinstance(type, TupleType):
        return None
    inner = tuple(map(outline, type.items))
    return None if type.form.native and not any(inner) else (type.form, inner)


def rebuilder(outline: Outline) -> Callable[[Any], Any]:
    """What makes the user's structure of the tuples that stand for it.

    >>> rebuilder((Form(dict, ("a", "b")), (None, None)))((1.0, 2.0))
    {'a': 1.0, 'b': 2.0}
    """
    if outline is None:
        return lambda value: value
    form, parts = outline
    inner = [part and rebuilder(part) for part in parts]
    return lambda value: _made(form, [make(part) if make else part for make, part in zip(inner, value)])


def _made(form: Form, items: list[Any]) -> Any:
    if form.cls is dict:
        return dict(zip(form.keys, items))
    if form.cls in (list, tuple):
        return form.cls(items)
    if form.native:
        return form.cls(*items)
    # not through __init__, which may check or convert what a gradient is not
    made: Any = (types.SimpleNamespace if issubclass(form.cls, types.SimpleNamespace) else object).__new__(form.cls)
    for key, item in zip(form.keys, items):
        object.__setattr__(made, key, item)
    return made


def in_order(form: Form, count: int) -> list[int]:
    """The positions of the parts of a structure in an order that all dicts with the same keys have.

    >>> in_order(Form(dict, ("b", "a")), 2)
    [1, 0]
    """
    if form.cls is not dict:
        return list(range(count))
    keys = [repr(key) if type(key) is tuple else key for key in form.keys]
    return sorted(range(count), key=lambda k: (str(type(form.keys[k])), keys[k]))


def leaves(value: Any) -> tuple[Any, ...]:
    """The numbers and arrays of a structure, one after the other.

    >>> leaves({"w": 1.0, "layers": [2.0, (3.0, "tanh")]})
    (2.0, 3.0, 1.0)
    """
    if (parts := taken_apart(value)) is None:
        return () if value is None or is_static(value) else (value,)
    form, items = parts
    return tuple(leaf for place in in_order(form, len(items)) for leaf in leaves(items[place]))


def filled(value: Any, items: Iterable[Any]) -> Any:
    """A structure with others in the place of its numbers and arrays, which come as `leaves` gives them.

    >>> filled({"w": 1.0, "layers": [2.0, (3.0, "tanh")]}, (4.0, 5.0, 6.0))
    {'w': 6.0, 'layers': [4.0, (5.0, 'tanh')]}
    """
    return _filled(value, iter(items))


def _filled(value: Any, items: Iterator[Any]) -> Any:
    if (parts := taken_apart(value)) is None:
        return value if value is None or is_static(value) else next(items)
    form, inner = parts
    made = list(inner)
    for place in in_order(form, len(inner)):
        made[place] = _filled(inner[place], items)
    return _made(form, made)


def is_structure(value: Any) -> bool:
    """Whether a value is a structure of others."""
    return taken_apart(value) is not None


def skeleton(value: Any) -> Any:
    """What of a value the types in compiled code do not tell; None where they tell all.

    >>> skeleton((1.0, 2.0)), skeleton({"a": 1.0})
    (None, (Form(cls=<class 'dict'>, keys=('a',)), (None,)))
    """
    cls = type(value)
    if cls is float or cls is np.ndarray:
        return None
    parts = taken_apart(value)
    if parts is None:
        return Static(value) if is_static(value) else None
    form, items = parts
    inner = tuple(map(skeleton, items))
    if form.native and not any(part is not None for part in inner):
        return None
    return form, inner


def word(key: Any) -> str:
    """A key as a part of a name.

    >>> word("layer 1"), word(3)
    ('layer_1', '3')
    """
    return re.sub(r"\W", "_", str(key))
