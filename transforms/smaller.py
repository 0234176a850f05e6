"""smaller: what is dear to compute and has fewer elements than the expression around it. For machine code only.

``np.log(r) + a`` of a vector and a matrix is one loop over the elements of the matrix, which would compute a logarithm
for each of them. NumPy computes one for each element of the vector: so does a statement of its own, before the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from srcad.lang.ir import Block, Call, Expr, Function, Let, Stmt, Var
from srcad.lang.types import Array
from srcad.lang.walk import assigned, map_expr, map_stmt
from srcad.transforms.dear import has_choices, is_dear
from srcad.transforms.elements import computes, fits, operands
from srcad.transforms.flatten import fresh_names
from srcad.transforms.lines import SIMPLE


def smaller(fn: Function) -> Function:
    """Compute what is dear before it is spread over more elements.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.transforms.infer import typed
    >>> a, r = Var("a", Array("float64", ("m", "n"), "C")), Var("r", Array("float64", ("n",), "C"))
    >>> total = typed(Call(operator.add, (typed(Call(np.log, (r,))), a)))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> body = smaller(Function("f", (Param("a", a.type), Param("r", r.type)), (Return(total),)))
    >>> print(write(name(body)).text.split("\\n\\n\\n")[1], end="")
    def f(a, r):
        log_r = np.log(r)
        return log_r + a
    """
    fresh = fresh_names({p.name for p in fn.params} | assigned(fn.body))

    def block(stmts: Block) -> Block:
        result: list[Stmt] = []
        for stmt in stmts:
            if isinstance(stmt, SIMPLE) and not has_choices(stmt):
                result.extend(_taken_out(stmt, fresh))
            else:
                result.append(map_stmt(lambda e: e, stmt, block))
        return tuple(result)

    return replace(fn, body=block(fn.body))


def _taken_out(stmt: Stmt, fresh: Callable[[str], str]) -> list[Stmt]:
    """A statement, and before it those that compute what is dear and smaller."""
    before: list[Stmt] = []

    def named(part: Expr, whole: Array) -> Expr:
        if not (computes(part) and _is_smaller(part, whole) and is_dear(part)):
            return part
        own = Let(fresh("_s"), part, stmt.origin)
        before.append(own)
        return Var(own.target, part.type)  # type: ignore[union-attr]

    def one(e: Expr) -> Expr:
        if not computes(e):
            return e
        assert isinstance(e, Call) and isinstance(e.type, Array)
        inside = set(map(id, operands(e)))
        return replace(e, args=tuple(named(arg, e.type) if id(arg) in inside else arg for arg in e.args))

    changed = map_stmt(lambda e: map_expr(one, e), stmt)
    return [*before, changed]


def _is_smaller(part: Expr, whole: Array) -> bool:
    """Whether an operand is spread over an array of more elements."""
    shape = part.type.shape  # type: ignore[union-attr]
    own = (1,) * (whole.ndim - len(shape)) + shape
    return fits(part, whole.shape) and any(a == 1 and b != 1 for a, b in zip(own, whole.shape))
