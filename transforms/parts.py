"""Stores into the real or imaginary part of a complex array; part of `infer`.

``z.real[i] = x`` is ``z[i] = with_real(z[i], x)``. A name for such a part stands for an expression: ``r = z.real``, if
the memory is written to, is taken anew wherever it is read.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad.analysis.buffers import basic_index
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Effect, Expr, Let, Stmt, Store, Var
from srcad.lang.types import is_array, is_complex
from srcad.runtime import with_imag, with_real
from srcad.typing.table import Refusal
from srcad.typing.typer import IN_PLACE, Typer

_CHANGED = {np.real: with_real, np.imag: with_imag}


def is_part(value: Expr) -> bool:
    """Whether a value is the real or the imaginary part of a complex array that has a name."""
    return isinstance(value, Call) and _is_part(value) and isinstance(value.args[0], Var)


def _is_part(value: Call) -> bool:
    kind = getattr(value.args[0], "type", None) if value.fn is np.real or value.fn is np.imag else None
    return is_array(kind) and is_complex(kind)


def written(body: Block) -> frozenset[str]:
    """The names through which statements, whose types are not known yet, may write into an array."""
    found: set[str] = set()
    for stmt in walk.statements(body):
        match stmt:
            case Store(base):
                found |= walk.names(base)
            case Let(_, Call(fn, (Var(name), *_))) if fn.__hash__ is not None and fn in IN_PLACE:
                found.add(name)
            case Effect(call):
                found |= walk.names(call)
    return frozenset(found)


def whole_of(value: Expr) -> tuple[Any, Expr] | None:
    """For a part of a complex array, or a view of one by a subscript: the function, and the array that it is of."""
    match value:
        case Call(fn, (whole,), ()) if _is_part(value):
            return fn, whole
        case Call(operator.getitem, (Call(fn, (whole,), ()) as part, index), (), type) if is_part(part):
            if is_array(type) and basic_index(index):
                return fn, Call(operator.getitem, (whole, index))
    return None


def store(typer: Typer, origin: Any, part: Call, index: Expr, value: Expr | None, change: tuple | None) -> list[Stmt]:
    """``part[index] = value``, or ``part[index] op= right`` for `change`, the operator and what is on the right."""
    (whole,) = part.args
    place = typer.expr(Call(operator.getitem, (whole, index)))
    assert isinstance(place, Call)
    if change is not None:
        value = typer.apply(change[0], (typer.apply(part.fn, (place,)), change[1]))
    assert value is not None
    if is_complex(value.type):  # type: ignore[union-attr]
        raise Refusal("a store of a complex number into a real array", "its real part, np.real(z)")
    new = typer.apply(_CHANGED[part.fn], (place, value))
    return [Store(place.args[0], place.args[1], new, origin)]
