"""What a function leaves in the caller's dicts, dataclasses and lists: put there when the call is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from srcad.backends.derivative import Maker
from srcad.lang.structure import Part, taken_apart
from srcad.options import Options
from srcad.runtime.outside import Outside, owner_of


def check_apart(names: tuple[str, ...], values: tuple[Any, ...], lists: bool = False) -> None:
    """Refuse arguments that hold one dict or object twice, where any is changed: the derivative has two of it.

    With `lists`, where lists are changed, too.

    >>> weights = {"w": 1.0}
    >>> check_apart(("a", "b"), (weights, {"inner": weights}))
    Traceback (most recent call last):
    ValueError: a and b hold one dict, and the function changes what it is passed: pass a copy of one of them
    """
    seen: dict[int, str] = {}
    for name, value in zip(names, values):
        for part in _held(value, lists):
            if id(part) in seen:
                both = f"{seen[id(part)]} and {name} hold" if seen[id(part)] != name else f"{name} holds twice"
                raise ValueError(f"{both} one {type(part).__name__}, and the function changes what it is passed: "
                                 "pass a copy of one of them")  # fmt: skip
            seen[id(part)] = name


def _held(value: Any, lists: bool) -> Iterator[Any]:
    """The dicts and objects in a structure, itself, too."""
    parts = taken_apart(value)
    if parts is not None:
        if not isinstance(value, tuple if lists else (tuple, list)):
            yield owner_of(value) if isinstance(value, Outside) else value
        for item in parts[1]:
            yield from _held(item, lists)


def put_back(result: Any, maker: Maker, places: tuple[Part, ...], values: tuple[Any, ...]) -> Any:
    """Put what is left in arguments into their places; the result without it."""
    check_apart(maker.names, values, any(place[-1] is None for place in places))
    result, last = _parted(result, maker.options)
    for (position, *keys, key), new in zip(places, last):
        owner = values[position]
        for each in keys:
            owner = owner[each] if isinstance(owner, (dict, list, tuple)) else getattr(owner, each)
        if key is None:
            _refill(owner, new.tolist() if isinstance(new, np.ndarray) else new)
        elif isinstance(key, (tuple, list)):  # an element that is deleted
            del owner[key[0]]
        elif isinstance(owner, dict):
            owner[key] = new
        else:
            setattr(owner, key, new)
    return result


def _refill(values: list[Any], new: Sequence[Any]) -> None:
    """Give a list other elements; lists among them stay what they are, and get other elements, too.

    >>> rows = [[1.0, 2.0], [3.0, 4.0]]
    >>> first = rows[0]
    >>> _refill(rows, ((5.0, 6.0), (7.0, 8.0)))
    >>> rows, first
    ([[5.0, 6.0], [7.0, 8.0]], [5.0, 6.0])
    """
    nested = len(values) == len(new)
    for k, item in enumerate(new):
        if nested and isinstance(values[k], list):
            _refill(values[k], item)
        elif nested:
            values[k] = item
    if not nested:
        values[:] = [list(item) if isinstance(item, tuple) else item for item in new]


def _parted(result: Any, options: Options) -> tuple[Any, tuple[Any, ...]]:
    """What the user gets, and what is left in arguments: see `packing.outputs`."""
    if options.mode == "function":
        return result
    beside = options.mode not in ("grad", "hvp", "jacobian", "hessian")
    first, second = result
    whole, last = first if beside else (first, second)
    if options.has_aux:
        aux, last = last
        whole = whole, aux
    return ((whole, second) if beside else whole), last
