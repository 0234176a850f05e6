"""Structures at the border of a derivative that another function calls: in text, taken apart and put together."""

from __future__ import annotations

from typing import Any

from srcad.lang.structure import Outline, outline
from srcad.lang.types import Form, Type


def apart(name: str, type: Type, classes: dict[str, Any]) -> str:
    """An expression for what compiled code takes in the place of an argument; `classes` are those that it names.

    >>> from srcad.lang.types import FLOAT, TupleType
    >>> apart("x0", TupleType((FLOAT, FLOAT), Form(dict, ("a", "b"))), {})
    "(x0['a'], x0['b'],)"
    """
    return _apart(name, outline(type), classes)


def _apart(name: str, of: Outline, classes: dict[str, Any]) -> str:
    if of is None:
        return name
    form, parts = of
    items = [_apart(_item(name, form, k), part, classes) for k, part in enumerate(parts)]
    if form.native and form.named:
        classes[form.cls.__name__] = form.cls
        return f"{form.cls.__name__}({', '.join(items)})"
    return f"({''.join(f'{item}, ' for item in items).rstrip()})"


def _item(name: str, form: Form, k: int) -> str:
    if form.named:
        return f"{name}.{form.keys[k]}"
    return f"{name}[{form.keys[k]!r}]" if form.cls is dict else f"{name}[{k}]"


def together(name: str, of: Outline, classes: dict[str, Any]) -> str:
    """An expression for the user's structure of what compiled code returns; `classes` are those that it names.

    >>> together("r", (Form(dict, ("a", "b")), (None, None)), {})
    "{'a': r[0], 'b': r[1]}"
    """
    if of is None:
        return name
    form, parts = of
    items = [together(f"{name}[{k}]", part, classes) for k, part in enumerate(parts)]
    if form.cls is dict:
        return "{" + ", ".join(f"{key!r}: {item}" for key, item in zip(form.keys, items)) + "}"
    if form.named:
        classes[form.cls.__name__] = form.cls
        return f"{form.cls.__name__}({', '.join(f'{key}={item}' for key, item in zip(form.keys, items))})"
    return f"[{', '.join(items)}]" if form.cls is list else f"({''.join(f'{item}, ' for item in items).rstrip()})"
