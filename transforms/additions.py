"""Calls that add at arrays of indices, as the additions that loops can do; part of `elementwise`."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Effect, For, If, Stmt, Var, While
from srcad.lang.types import Array
from srcad.runtime import add_at
from srcad.transforms.infer import typed
from srcad.transforms.scatter import in_brackets


def as_additions(block: Block) -> Block:
    """Write calls that add at arrays of indices as additions, as `scatter` has found them.

    >>> from srcad.lang.ir import Const, Var
    >>> from srcad.lang.types import FLOAT, NONE
    >>> from srcad.transforms.scatter import scatter
    >>> a, i = Var("a", Array("float64", ("n",))), Var("i", Array("int64", ("k",)))
    >>> call = Effect(Call(add_at, (a, i, Const(1.0, FLOAT)), (), NONE))
    >>> [addition] = as_additions((call,))
    >>> type(addition).__name__, scatter((addition,)) == (call,)
    ('Accum', True)
    """
    return tuple(map(_addition, block))


def _addition(stmt: Stmt) -> Stmt:
    match stmt:
        case Effect(Call(fn, (Var() as base, index, value))) if fn is add_at:
            place = Call(operator.getitem, (base, in_brackets(index)))
            if any(isinstance(getattr(item, "type", None), Array) for item in items_of(place.args[1])):
                return Accum(typed(place), value, stmt.origin)
        case If(_, then, orelse):
            return replace(stmt, then=as_additions(then), orelse=as_additions(orelse))
        case For(body=body) | While(body=body):
            return replace(stmt, body=as_additions(body))
    return stmt
