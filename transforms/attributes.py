"""Attributes by names that turn out to be known: ``getattr(x, name)``, ``setattr(x, name, value)``;
part of `inline`."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, Any

import gast
import numpy as np

from srcad.lang.forms import REFUSED, is_data
from srcad.lang.ir import Call, Const, Expr, Var
from srcad.lang.types import UNKNOWN, TupleType
from srcad.transforms import callers
from srcad.transforms.inner_objects import given_on_some_paths

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.desugar import Desugarer

_VALUES: tuple[Any, ...] = (
    np.zeros(1), np.float64(0.0), np.complex128(0.0), np.int64(0), np.bool_(False), 0.0, 0j, 0, "", None,
    [], (), {}, set(), frozenset(), range(0), collections.deque(), slice(0),
)  # fmt: skip


def set_by_name(d: Desugarer, node: gast.AST) -> Expr | None:
    """``setattr(x, name, value)``, whose name may turn out to be known; None for anything else."""
    match node:
        case gast.Call(func=gast.Name(id="setattr"), args=[_, _, _]) if d.expr(node.func) == Const(setattr):
            return Call(setattr, tuple(map(d.expr, node.args)))
    return None


def by_name(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr:
    """``getattr(x, "name")`` and ``hasattr(x, "name")`` of a name that is known."""
    match args:
        case (Const(value=held) as base, Const(value=str() as name)) if not is_data(held) and fn is hasattr:
            problems = len(c.problems)
            missing = c.attribute(base, name) is REFUSED
            del c.problems[problems:]
            if c.had.get((id(held), name)):
                return given_on_some_paths(c, name)
            c.had |= {(id(held), name): False} if missing else {}
            return Const(not missing)
        case (base, Const(value=str() as name), *default):
            known = isinstance(base, Const) and not is_data(base.value)
            if default and known and by_name(c, hasattr, (base, args[1])) == Const(False):
                return default[0]
            if fn is getattr and (known or not default):
                return c.attribute(base, name)
            if fn is hasattr and (had := _had(c, base, name)) is not None:
                return Const(had)
            if fn is hasattr and not c.grown(base):  # type: ignore[attr-defined]
                return Call(hasattr, args)  # of a number or an array, of which typing knows which one it is
    return c.refuse(f"{fn.__name__}() here is not supported", "the attribute by its name: x.name", fn.__name__)


def set_name(c: Callees, name: Expr) -> str:
    """The name of the attribute that ``setattr(x, name, value)`` sets."""
    known = c.expr(name)
    if isinstance(known, Const) and isinstance(known.value, str):
        return known.value
    c.refuse("setattr() here is not supported", "the attribute by its name: x.name = value", "setattr")
    return ""


def _had(c: Callees, base: Expr, name: str) -> bool | None:
    """Whether what no object is has an attribute, where typing need not be asked: it knows numbers from arrays."""
    kind = callers.kind_of(c, base)  # type: ignore[arg-type]
    if c.grown(base):  # type: ignore[attr-defined]
        return hasattr([], name) if hasattr([], name) == hasattr(collections.deque(), name) else None
    if isinstance(kind, TupleType) and kind.form.cls in (tuple, list):
        return hasattr(kind.form.cls(), name)
    unknown = isinstance(base, Var) and kind == UNKNOWN and not callers.may_be_any(c, base)  # type: ignore[arg-type]
    return False if unknown and not any(hasattr(value, name) for value in _VALUES) else None
