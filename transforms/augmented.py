"""Elements that are augmented by what may change the list that they are in, ``a[i] += f(a)``; part of `inline`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Call, Expr, Let, Var

if TYPE_CHECKING:
    from srcad.transforms.inline import _Inliner


def augmented(c: _Inliner, op: Any, old: Call, operand: Expr) -> Expr:
    """What is put in the place of an element; where computing it changes something, it is taken out before that."""
    changes = c.changes
    before, element = c.collect(lambda: c.kept(_element(c, *old.args)))
    emitted, amount = c.collect(lambda: c.shown(c.expr(operand)))
    if c.changes == changes:
        c.out += emitted
        return Call(op, (old, amount))
    c.out += [*before, *emitted]
    result = element if isinstance(element, Var) else Var(c.fresh("t"))
    c.emit(Let(result.name, Call(op, (element, amount)), c.origin))
    return result


def _element(c: _Inliner, place: Expr, where: Expr) -> Expr:
    grown = c.grown(place)
    return Call(operator.getitem, (place, where)) if grown is None else c.at(grown, c.position(grown, where))
