"""Dicts, lists, named tuples and dataclasses: their elements, their methods, and what makes them."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable
from typing import Any

from srcad.lang.ir import Expr, Tuple, Var, element_at, entry, hint, merged
from srcad.lang.left import current
from srcad.lang.structure import LIST, form_of_class
from srcad.lang.types import Array, Form, TupleType, Type
from srcad.typing.table import Facts, Refusal, constant, describe, element, items, returns
from srcad.typing.tuples import pack


# ---------------------------------------------------------------- elements


def item(base: Expr, key: Any) -> Expr:
    """``base[key]`` of a tuple, a list or a dict, without making the whole."""
    form, count = base.type.form, len(base.type.items)
    if form.cls is dict:
        if key not in form.keys:
            raise Refusal(f"the key {key!r} of a dict with the keys {_listed(form.keys)}", "one of its keys")
        return element(base, form.keys.index(key))
    if form.named and not form.native:
        raise Refusal(f"a subscript of {describe(base.type)}", f"its fields: {_listed(form.keys)}")
    if not isinstance(key, int) or not -count <= key < count:
        raise Refusal(f"index {key} of {describe(base.type)} of {count}", f"an index below {count}")
    return element(base, key % count)


def attribute(base: Expr, name: str) -> Expr:
    """``base.name`` of a named tuple or a dataclass; what its class says, for a name that is no field."""
    form = base.type.form
    if form.named and name in form.keys:
        return element(base, form.keys.index(name))
    if form.named:
        found = getattr(form.cls, name, None)
        if found is not None and not callable(found) and not isinstance(found, property):
            return constant(found)
        raise Refusal(f"the attribute {name} of {describe(base.type)}", f"one of its fields: {_listed(form.keys)}")
    raise Refusal(f"the attribute {name} of {describe(base.type)}", "np.array(...) of it")


def _listed(keys: tuple[Any, ...]) -> str:
    return ", ".join(map(str, keys)) or "none"


# ---------------------------------------------------------------- methods


def method(base: Expr, name: str) -> Callable[..., Any]:
    """The function behind a method of a structure, as a primitive that has a typing rule."""
    form = base.type.form
    if form.cls is dict and name in _OF_DICTS:
        return _OF_DICTS[name]
    if form.native and form.named and name in OF_NAMED:
        return OF_NAMED[name]
    if form.cls is list and name == "copy":
        return copy.copy
    if form.named and callable(getattr(form.cls, name, None)):
        remedy = f"a function in its place: def {name}(...)"
    else:
        remedy = _REMEDY.get(name, "a loop over its elements")
    raise Refusal(f"the method {name} of {describe(base.type)}", remedy)


_OF_DICTS: dict[str, Callable[..., Any]] = {
    name: getattr(dict, name) for name in ("items", "keys", "values", "get", "copy")
}
OF_NAMED: dict[str, Callable[..., Any]] = {"_replace": dataclasses.replace, "_asdict": dict}
_CHANGES = "a structure made anew, {**d, key: value}, or a local dict that is changed under its own name"
_REMEDY = {
    **dict.fromkeys(("append", "extend", "pop", "insert", "remove", "sort", "reverse", "clear"),
                    "a list that the function makes itself: xs = list(xs)"),
    **dict.fromkeys(("update", "setdefault", "popitem"), _CHANGES),
}  # fmt: skip


@returns(dict.values)
def values(facts: Facts, d: Expr) -> Expr:
    """The values, as a tuple."""
    return pack(items(facts, d))


@returns(dict.keys)
def keys(facts: Facts, d: Expr) -> Expr:
    """The keys, as a tuple."""
    return constant(d.type.form.keys)


@returns(dict.items)
def pairs(facts: Facts, d: Expr) -> Expr:
    """Keys and values, as a tuple of pairs."""
    return pack(tuple(pack((constant(key), part)) for key, part in zip(d.type.form.keys, items(facts, d))))


@returns(dict.get)
def get(facts: Facts, d: Expr, key: Expr, default: Expr | None = None) -> Expr:
    """The value of a key, or the default."""
    wanted = facts.static(key, "a key")
    if wanted in d.type.form.keys:
        return item(d, wanted)
    return constant(None) if default is None else default


@returns(dict.copy, copy.copy)
def copied(facts: Facts, x: Expr) -> Type | Expr:
    """The same elements: a structure is a value."""
    if isinstance(x.type, TupleType):
        return pack(items(facts, x), x.type.form)
    raise Refusal(f"copy of {describe(x.type)}", "x.copy()")


@returns(dataclasses.replace)
def replaced(facts: Facts, x: Expr, /, **changes: Expr) -> Expr:
    """``dataclasses.replace(x, field=v)`` and ``x._replace(field=v)``."""
    form = x.type.form if isinstance(x.type, TupleType) else None
    if form is None or not form.named:
        raise Refusal(f"replace of {describe(x.type)}", "a dataclass or a named tuple")
    unknown = [name for name in changes if name not in form.keys]
    if unknown:
        raise Refusal(f"the field {unknown[0]} of {describe(x.type)}", f"one of its fields: {_listed(form.keys)}")
    return pack(tuple(changes.get(key, part) for key, part in zip(form.keys, items(facts, x))), form)


# ---------------------------------------------------------------- what makes structures


@returns(dict)
def to_dict(facts: Facts, x: Expr | None = None, /, **more: Expr) -> Expr:
    """``dict(d)``, ``dict(a=1)``, ``dict(pairs)``."""
    found: dict[Any, Expr] = {}
    if x is not None and isinstance(x.type, TupleType) and (x.type.form.keys or x.type.form.cls is dict):
        found.update(zip(x.type.form.keys, items(facts, x)))
    elif x is not None:
        for pair in items(facts, x):
            key, value = items(facts, pair)
            found[facts.static(key, "a key")] = value
    return keyed({**found, **more})


def keyed(found: dict[Any, Expr]) -> Tuple:
    """A dict of typed values."""
    return pack(tuple(found.values()), Form(dict, tuple(found)))


@returns(entry)
def one_entry(facts: Facts, key: Expr, value: Expr) -> Expr:
    """A dict of one value."""
    return keyed({facts.static(key, "a key"): value})


@returns(merged)
def merge(facts: Facts, *parts: Expr) -> Expr:
    """A dict of the values of several; the last one with a key counts."""
    found: dict[Any, Expr] = {}
    for each in parts:
        if not isinstance(each.type, TupleType) or each.type.form.cls is not dict:
            raise Refusal(f"** of {describe(each.type)}", "a dict")
        found.update(zip(each.type.form.keys, items(facts, each)))
    return keyed(found)


@returns(element_at)
def part_of(facts: Facts, base: Expr, position: Expr) -> Expr:
    """The element at a position."""
    return element(base, facts.static(position, "a position"))


@returns(list)
def to_list(facts: Facts, x: Expr | None = None) -> Type | Expr:
    """A list of known elements."""
    note_array(x)
    return pack(() if x is None else listed(facts, x), LIST)


@returns(tuple)
def to_tuple(facts: Facts, x: Expr | None = None) -> Type | Expr:
    """A tuple of known elements."""
    note_array(x)
    if x is not None and not isinstance(x.type, TupleType):
        raise Refusal(f"tuple of {describe(x.type)}", "its elements, written out: (x[0], x[1])")
    return pack(() if x is None else listed(facts, x))


def note_array(x: Expr | None) -> None:
    """Whether a list is made of a tuple or of an array has to be known before types are: all is done once more then."""
    if isinstance(x, Var) and isinstance(x.type, Array):
        current().is_array(hint(x.name))


def listed(facts: Facts, x: Expr) -> tuple[Expr, ...]:
    """What iterating over a structure gives: a dict's keys, all others' elements."""
    if isinstance(x.type, TupleType) and x.type.form.cls is dict:
        return tuple(map(constant, x.type.form.keys))
    return items(facts, x)


def constructor(fn: Any) -> Callable[..., Expr] | None:
    """The typing rule of a class with fields whose objects are what they were made of."""
    form = form_of_class(fn)
    if form is None:
        return None

    def rule(facts: Facts, *args: Expr, **kwargs: Expr) -> Expr:
        return pack(_arguments(fn, form, args, kwargs), form)

    return rule


def _arguments(cls: Any, form: Form, args: tuple[Expr, ...], kwargs: dict[str, Expr]) -> tuple[Expr, ...]:
    """The fields' values in a call of the class."""
    _check_made_of_fields(cls, form)
    given = {**dict(zip(form.keys, args)), **kwargs}
    defaults = _defaults(cls, form)
    if len(args) > len(form.keys) or not given.keys() <= set(form.keys) or len(given) < len(args) + len(kwargs):
        raise Refusal(f"{cls.__name__}() does not take these arguments", f"{cls.__name__}({_listed(form.keys)})")
    missing = [key for key in form.keys if key not in given and key not in defaults]
    if missing:
        raise Refusal(f"{cls.__name__}() is called without {missing[0]!r}", f"{cls.__name__}({_listed(form.keys)})")
    return tuple(given[key] if key in given else constant(defaults[key]) for key in form.keys)


def _check_made_of_fields(cls: Any, form: Form) -> None:
    """Refuse a class that does more than to keep its arguments."""
    if form.native:
        computes = not cls.__new__.__module__.startswith("namedtuple") or "__init__" in vars(cls)
    else:
        all_given = all(field.init for field in dataclasses.fields(cls))
        computes = hasattr(cls, "__post_init__") or not cls.__dataclass_params__.init or not all_given
    if computes:
        raise Refusal(f"an object of {cls.__name__}, which computes fields, made here", "an object made by the caller")


def _defaults(cls: Any, form: Form) -> dict[str, Any]:
    if form.native:
        return dict(getattr(cls, "_field_defaults", {}))
    found = {}
    for field in dataclasses.fields(cls):
        if field.default is not dataclasses.MISSING:
            found[field.name] = field.default
        elif field.default_factory is not dataclasses.MISSING:
            found[field.name] = field.default_factory()
    return found
