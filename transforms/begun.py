"""begun: matrices that loops compute anew begin in the order in which they go on. For machine code only.

``u = x.T`` before a loop that does ``u = u + h * f(u)`` lies column by column at first and row by row from then on, so
that machine code knows of no order at all, and cannot make arrays like it. By hand one begins with
``np.ascontiguousarray(x.T)``, where nobody writes into either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import Buffers, buffers
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, Let, Move, Stmt, Var, While, hint
from srcad.lang.types import Array
from srcad.transforms.flatten import fresh_names
from srcad.transforms.taking import mentions


def begun(fn: Function) -> Function:
    """Copy what loops begin with, where they go on with new arrays.

    >>> import operator
    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> x, v = (Var(name, Array("float64", ("n", "n"), "C")) for name in "xv")
    >>> start, u = (Var(name, replace(x.type, layout=layout)) for name, layout in (("start", "F"), ("u", "A")))
    >>> step = (Let("v", Call(operator.mul, (u, u), (), v.type)), Move(("u",), (v,)))
    >>> body = (Let("start", Call(np.transpose, (x,), (), start.type)), Move(("u",), (start,)),
    ...         For("t", Const(0, INT), Const(5, INT), Const(1, INT), step, None),
    ...         Return(Call(np.sum, (u,), (), FLOAT)))
    >>> print(write(name(begun(Function("f", (Param("x", x.type),), body)))).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        transpose_x = x.T
        start = np.ascontiguousarray(transpose_x)
        u = start
        for t in range(5):
            v = u * u
            u = v
        return np.sum(u)
    """
    if not any(_lies_otherwise(value) for _, value in _moved(fn.body)):
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    return replace(fn, body=_Beginner(buffers(fn), fresh_names(used), mentions(fn.body)).block(fn.body))


@dataclass
class _Beginner:
    buffers: Buffers
    fresh: Callable[[str], str]
    uses: Mapping[str, int]  # how often names are there

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            stmt = walk.map_stmt(lambda e: e, stmt, self.block)
            if isinstance(stmt, (For, While)):
                for name in sorted({name for name, value in _moved(stmt.body) if _lies_in_rows(value)}):
                    self.begin(name, result)
            result.append(stmt)
        return tuple(result)

    def begin(self, name: str, before: list[Stmt]) -> None:
        """Let a name begin with a copy, if it was bound before its loop to what lies in another order."""
        position = next((k for k in reversed(range(len(before))) if name in walk.assigned((before[k],))), None)
        start = None if position is None else before[position]
        if not isinstance(start, Move) or self.buffers.mutated(name):
            return
        at = start.targets.index(name)
        value = start.values[at]
        if _lies_otherwise(value):
            kind, called = replace(value.type, layout="C"), hint(value.name if isinstance(value, Var) else name)  # type: ignore
            match before[position - 1] if position else None:  # type: ignore[operator]
                case Let(view) if value == Var(view, value.type) and self.uses[view] == 2:  # type: ignore[union-attr]
                    value = Var(self.fresh("_t"), value.type)  # type: ignore[union-attr]
                    before[position - 1] = replace(before[position - 1], target=value.name)  # type: ignore
            own = Var(self.fresh(called), kind)
            copy = Let(own.name, Call(np.ascontiguousarray, (value,), (), kind), start.origin)
            values = (*start.values[:at], own, *start.values[at + 1 :])
            before[position : position + 1] = [copy, replace(start, values=values)]  # type: ignore[operator,misc]


def _moved(block: Block) -> Iterator[tuple[str, Expr]]:
    for stmt in walk.statements(block):
        if isinstance(stmt, Move):
            yield from zip(stmt.targets, stmt.values)


def _lies_otherwise(value: Expr) -> bool:
    """Whether a matrix is not known to lie row by row."""
    kind = getattr(value, "type", None)
    return isinstance(kind, Array) and kind.ndim > 1 and kind.layout in ("A", "F", "f")


def _lies_in_rows(value: Expr) -> bool:
    kind = getattr(value, "type", None)
    return isinstance(kind, Array) and kind.ndim > 1 and kind.layout == "C"
