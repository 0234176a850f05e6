"""Functions of `srcad.library` in the place where NumPy's are called; part of `inline`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.forms import LocalFunction
from srcad.lang.ir import Block, Const, Expr, Function
from srcad.lang.origin import Origin

_LONGEST = 16  # iterations of a loop that is written out


def written_here(template: LocalFunction, callee: Function, origin: Origin) -> tuple[LocalFunction, Function]:
    """A function of the library and its body, of which every statement counts as part of the one at `origin`."""
    function = replace(callee, body=_at(callee.body, origin))
    return replace(template, function=function), function


def _at(block: Block, origin: Origin) -> Block:
    return tuple(
        replace(walk.map_stmt(lambda expr: expr, stmt, lambda inner: _at(inner, origin)), origin=origin)
        for stmt in block
    )


def counts(start: Expr, stop: Expr, step: Expr) -> range | None:
    """The iterations of a loop that is short, and known to be.

    >>> counts(Const(0), Const(3), Const(1))
    range(0, 3)
    """
    match start, stop, step:
        case Const(value=int() as a), Const(value=int() as b), Const(value=int() as c):
            return range(a, b, c) if len(range(a, b, c)) <= _LONGEST else None
    return None


def without_defaults(fn: Any, kwargs: tuple[tuple[str, Expr], ...]) -> tuple[tuple[str, Expr], ...]:
    """What a function of the library hands on, without what the other function assumes anyway."""
    assumed = {"keepdims": False, "ddof": 0, "axis": () if fn is np.concatenate else None}
    return tuple((k, v) for k, v in kwargs if not (isinstance(v, Const) and v.value is assumed.get(k, None)))
