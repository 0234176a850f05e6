"""surface: a Python function as the IR that the compiler works on; the frontend, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from srcad.lang.errors import unsupported
from srcad.lang.ir import Function, Param
from srcad.lang.left import current
from srcad.lang.read import read
from srcad.lang.types import UNKNOWN, Type
from srcad.runtime.outside import Outside, all_names_of
from srcad.transforms.desugar import desugar
from srcad.transforms.inline import inline
from srcad.transforms.lists_first import straight
from srcad.transforms.sayings import sayings
from srcad.transforms.spelled import spelled
from srcad.transforms.states import states
from srcad.transforms.texts_apart import texts_apart
from srcad.transforms.truths import truths
from srcad.transforms.unsure import unsure
from srcad.transforms.variables import variables


def surface(fn: Any, signature: tuple[Type, ...] | None = (), by_line: bool = False) -> Function:
    """The function with one return and without calls of other Python functions; what is one already comes back.

    `signature` gives the values of arguments that are known at compile time: functions, text, None; it is None itself
    where arguments may be of any type. `by_line` keeps what other functions return in their own lines.

    >>> import colorsys
    >>> surface(colorsys.rgb_to_yiq).name
    'rgb_to_yiq'
    """
    if isinstance(fn, Function):
        return fn
    outside: dict[str, Outside] = getattr(fn, "outside", {})
    if outside:
        current().set_outside = frozenset(name for seen in outside.values() for name in all_names_of(seen))
    function = straight(desugar(read(fn)))
    function = replace(function, params=(*function.params, *map(Param, outside)))
    function = truths(unsure(inline(function, fn, signature, by_line)))
    types = [*(signature or ()), *[UNKNOWN] * len(function.params)]
    function = replace(function, params=tuple(replace(p, type=t) for p, t in zip(function.params, types)))
    function = states(sayings(spelled(texts_apart(function))))
    held = getattr(fn, "variables", None)
    if function.left and held is not None and fn.updates:
        raise unsupported(function.origin, "a function that changes its arguments and gives a Variable a new value",
                          "one of the two as a result")  # fmt: skip
    return function if held is None else variables(function, held, fn.updates)


def steps(fn: Any) -> Iterator[tuple[str, Function]]:
    """The function after each step of the frontend, with the step's name."""
    function = desugar(read(fn))
    yield "desugar", function
    function = straight(function)
    yield "exits", function
    yield "inline", truths(unsure(inline(function, fn)))
