"""The outlines of results in the cache: their classes by name, to be found among the values of the live function."""

from __future__ import annotations

from typing import Any

from srcad.backends.fingerprint import value_key
from srcad.lang.structure import Outline
from srcad.lang.types import Form

_BUILTIN = {"tuple": tuple, "list": list, "dict": dict}


def encoded(outline: Outline) -> Any:
    """An outline as JSON.

    >>> encoded((Form(dict, ("a", 1)), (None, None)))
    ['dict', ['a', 1], [None, None]]
    """
    if outline is None:
        return None
    form, parts = outline
    cls = form.cls.__name__ if form.cls in _BUILTIN.values() else value_key(form.cls)
    return [cls, list(form.keys), [encoded(part) for part in parts]]


def decoded(data: Any, values: dict[str, Any]) -> Outline:
    """The outline that JSON stands for; a LookupError where its class is not among the values.

    >>> decoded(['dict', ['a', 1], [None, None]], {})
    (Form(cls=<class 'dict'>, keys=('a', 1)), (None, None))
    """
    if data is None:
        return None
    cls, keys, parts = data
    form = Form(_BUILTIN[cls] if cls in _BUILTIN else values[cls], tuple(keys))
    return form, tuple(decoded(part, values) for part in parts)
