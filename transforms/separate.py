"""separate: what a derivative changes in place, and may be another name's array, becomes a copy of that.

For derivatives of derivatives only, whose text says ``t_bar = sum_to(q, t)`` and then ``t_bar += ...`` or
``q[:] = 0.0``. Where shapes agree, the two are one array. Nobody reads the other one behind that; but its own
derivative may, and so may what runs the statements again for another direction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from srcad.analysis.buffers import Buffers, buffers, stored_names
from srcad.analysis.classes import parts_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, For, Function, Let, Stmt, Var, While
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
    return replace(fn, body=_Separated(buffers(fn), fresh).block(fn.body, frozenset()))


def _may_be_another(stmt: Stmt) -> bool:
    """Whether a name may be the array of what is summed to its shape."""
    match stmt:
        case Let(_, Call(fn, (Var(), _)) as value):
            return fn is sum_to and bool(parts_of(value))
    return False


@dataclass
class _Separated:
    buffers: Buffers
    fresh: Callable[[str], str]

    def block(self, block: Block, behind: frozenset[str]) -> Block:
        """A block; `behind` are the arrays that are written to when it is done, or in its next iteration."""
        new: list[Stmt] = []
        for stmt in reversed(block):
            new += reversed(self.statement(stmt, behind))
            behind |= self.written((stmt,))
        return tuple(reversed(new))

    def written(self, block: Block) -> frozenset[str]:
        return frozenset().union(*map(self.buffers.of, stored_names(block)))

    def statement(self, stmt: Stmt, behind: frozenset[str]) -> tuple[Stmt, ...]:
        if isinstance(stmt, Let) and _may_be_another(stmt) and self.is_changed(stmt, behind):
            total = Var(self.fresh("_t"), stmt.value.type)  # type: ignore[arg-type, union-attr]
            return replace(stmt, target=total.name), replace(stmt, value=typed(Call(np.copy, (total,))))
        again = self.written((stmt,)) if isinstance(stmt, (For, While)) else frozenset()
        return (walk.map_stmt(lambda e: e, stmt, lambda inner: self.block(inner, behind | again)),)

    def is_changed(self, stmt: Let, behind: frozenset[str]) -> bool:
        """Whether the sum is changed in place, or the array that it may be, behind the sum."""
        summed: Any = stmt.value.args[0]  # type: ignore[union-attr]
        return bool(self.buffers.of(stmt.target) & self.buffers.stored.keys() or self.buffers.of(summed.name) & behind)
