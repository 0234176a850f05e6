"""separate: what a derivative changes in place, and may be another name's array, becomes a copy of that.

For derivatives of derivatives only, whose text says ``t_bar = sum_to(q, t)`` and then ``t_bar += ...``. Where shapes
agree, the two are one array. Nobody reads `q` behind that; but its own derivative may, and so may what runs the
statements again for another direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import Buffers, buffers
from srcad.analysis.classes import parts_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Function, Let, Stmt, Var
from srcad.runtime import sum_to
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed


def separate(fn: Function) -> Function:
    """A flat function in which sums to a shape that are changed in place have memory of their own.

    >>> from srcad.lang.ir import Accum, Param, Return
    >>> from srcad.lang.types import Array
    >>> q, t, g = (Var(name, Array("float64", ("n",))) for name in "qtg")
    >>> body = (Let("g", Call(sum_to, (q, t), (), t.type)), Accum(g, t), Return(g))
    >>> separate(Function("f", (Param("q", q.type), Param("t", t.type)), body)).body[1].value.fn is np.copy
    True
    """
    if not any(_may_be_another(stmt) for stmt in walk.statements(fn.body)):
        return fn
    fresh = fresh_names({param.name for param in fn.params} | walk.assigned(fn.body))
    return replace(fn, body=_block(fn.body, buffers(fn), fresh))


def _may_be_another(stmt: Stmt) -> bool:
    """Whether a name may be the array of what is summed to its shape."""
    match stmt:
        case Let(_, Call(fn, (Var(), _)) as value):
            return fn is sum_to and bool(parts_of(value))
    return False


def _block(block: Block, found: Buffers, fresh: Callable[[str], str]) -> Block:
    return tuple(new for stmt in block for new in _statement(stmt, found, fresh))


def _statement(stmt: Stmt, found: Buffers, fresh: Callable[[str], str]) -> tuple[Stmt, ...]:
    if isinstance(stmt, Let) and _may_be_another(stmt) and any(site in found.stored for site in found.of(stmt.target)):
        total = Var(fresh("_t"), stmt.value.type)  # type: ignore[arg-type, union-attr]
        return replace(stmt, target=total.name), replace(stmt, value=typed(Call(np.copy, (total,))))
    return (walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, found, fresh)),)
