"""Dataclasses: objects of them that are made inside, and ``replace``, ``asdict`` and ``astuple``; part of `inline`."""

from __future__ import annotations

import copy
import dataclasses
import inspect
from typing import TYPE_CHECKING, Any

from srcad.lang.forms import REFUSED, constant
from srcad.lang.ir import Call, Const, Expr, Tuple
from srcad.lang.types import TUPLE, UNKNOWN, Form, TupleType
from srcad.transforms import duplicates, objects
from srcad.transforms.values import Object

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords
    from srcad.transforms.known import Known

FUNCTIONS = (dataclasses.replace, dataclasses.asdict, dataclasses.astuple)


def filled(c: Callees, made: Const, cls: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """A dataclass with its fields; what its `__post_init__` is given beside them is no field."""
    given, positional = dict(kwargs), list(args)
    every = {field.name: field for field in dataclasses.fields(cls)}
    params = list(inspect.signature(cls.__init__).parameters.values())[1:]
    values: dict[str, Expr] = {}
    for param in params:
        factory = getattr(every.get(param.name), "default_factory", dataclasses.MISSING)
        if positional and param.kind is not param.KEYWORD_ONLY:
            values[param.name] = positional.pop(0)
        elif param.name in given:
            values[param.name] = given.pop(param.name)
        elif factory is not dataclasses.MISSING:
            values[param.name] = c.invoke(factory, (), ())
        elif param.default is not param.empty:
            values[param.name] = constant(param.default, param.name)
        else:
            return c.refuse(f"{cls.__name__}() is called without {param.name!r}", _head(cls), cls.__name__)
    if positional or given:
        return c.refuse(f"{cls.__name__}() does not take these arguments", _head(cls), cls.__name__)
    for field in every.values():
        if not field.init and field.default_factory is not dataclasses.MISSING:
            values[field.name] = c.invoke(field.default_factory, (), ())
    beside = tuple(values.pop(param.name) for param in params if param.name not in every)
    filled_with(c, made, values)
    if hasattr(cls, "__post_init__"):
        c.invoke(cls.__post_init__, (made, *beside), ())
    return made


def filled_with(c: Callees, made: Const, values: dict[str, Expr]) -> Const:
    """An object with these attributes."""
    for name, value in values.items():
        objects.set_field(c, made.value, name, value)
    return made


def _head(cls: Any) -> str:
    return f"{cls.__name__}({', '.join(list(inspect.signature(cls.__init__).parameters)[1:])})"


def of_fields(c: Known, fn: Any, value: Expr, kwargs: Keywords) -> Expr:
    """``replace``, ``asdict`` and ``astuple`` of an argument or of an object made here."""
    parts = _parts(c, value)
    if fn is not dataclasses.replace:
        return _taken_apart(c, value, fn is dataclasses.asdict)
    if parts is None:
        return Call(fn, (value,), kwargs)
    cls, held = parts
    computed = [field.name for field in dataclasses.fields(cls) if not field.init]
    if not isinstance(value, Const) and not computed and not hasattr(cls, "__post_init__"):
        return Call(fn, (value,), kwargs)
    values = {name: part for name, part in held.items() if name not in computed}
    return c.invoke(cls, (), tuple({**values, **dict(kwargs)}.items()))


def _parts(c: Known, value: Expr) -> tuple[type, dict[str, Expr]] | None:
    """The class of a dataclass's object, and what is in its fields."""
    made, found = getattr(value, "value", None), c.type_of(value)
    if isinstance(made, Object) and dataclasses.is_dataclass(made.cls):
        names = [field.name for field in dataclasses.fields(made.cls) if field.name in made.fields]
        return made.cls, {name: c.holding(made.fields[name]) for name in names}
    if not isinstance(found, TupleType) or not dataclasses.is_dataclass(found.form.cls):
        return None
    return found.form.cls, dict(zip(found.form.keys, c.elements(value) or ()))  # type: ignore[return-value]


def _taken_apart(c: Known, value: Expr, by_name: bool) -> Expr:
    """The fields of a dataclass in a dict or a tuple, those of others inside of it, too, and copies of the rest."""
    parts = _parts(c, value)
    if parts is not None:
        form = Form(dict, tuple(parts[1])) if by_name else TUPLE
        items = tuple(_taken_apart(c, part, by_name) for part in parts[1].values())
    elif isinstance(found := c.type_of(value), TupleType):
        form, items = found.form, tuple(_taken_apart(c, part, by_name) for part in c.elements(value) or ())
    else:
        return duplicates.duplicate(c, copy.deepcopy, value)  # type: ignore[arg-type]
    return REFUSED if REFUSED in items else Tuple(items, TupleType((UNKNOWN,) * len(items), form))
