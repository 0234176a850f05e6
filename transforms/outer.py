"""outer: products of two vectors that are added to a matrix, element by element. For machine code only.

The adjoint of ``a @ x`` adds ``np.outer(y_bar, x)`` to the cotangent of `a`. As a product that broadcasting spreads,
`elementwise`, which comes behind, needs no matrix for it.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Function, Let, Slice, Stmt, Tuple, Var
from srcad.lang.types import Array
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed

COLUMN = Tuple((Slice(), Const(None)))


def outer(fn: Function) -> Function:
    """Write outer products as products.

    >>> from srcad.lang.ir import Param
    >>> a, x, y = (Var(name, Array("float64", dims, "C")) for name, dims in (("a", "nm"), ("x", "n"), ("y", "m")))
    >>> added = Accum(a, typed(Call(np.outer, (x, y))))
    >>> from srcad.lang.write import write
    >>> print(write(outer(Function("f", (Param("a", a.type),), (added,)))).text.split("\\n\\n\\n")[-1], end="")
    def f(a):
        a += x[:, None] * y

    What is transposed is a product of the same vectors:

    >>> added = Accum(a, typed(Call(np.transpose, (Call(np.outer, (y, x), (), Array("float64", ("m", "n"), "C")),))))
    >>> print(write(outer(Function("f", (Param("a", a.type),), (added,)))).text.split("\\n\\n\\n")[-1], end="")
    def f(a):
        a += x[:, None] * y
    """
    fresh = fresh_names({p.name for p in fn.params} | walk.assigned(fn.body))

    def block(stmts: Block) -> Block:
        result: list[Stmt] = []
        for stmt in stmts:
            if isinstance(stmt, (Let, Accum)):
                result.append(whole(stmt, result))
            else:
                result.append(walk.map_stmt(lambda e: e, stmt, block))
        return tuple(result)

    def whole(stmt: Let | Accum, before: list[Stmt]) -> Stmt:
        return replace(stmt, value=walk.map_expr(lambda e: product(e, before, stmt), stmt.value))

    def product(e: Expr, before: list[Stmt], stmt: Stmt) -> Expr:
        match e:
            case Call(np.transpose, (Call(operator.mul, (Call(operator.getitem, (a, index)), b), ()),), ()):
                if _is_vector(a) and _is_vector(b) and _is_column(index):
                    return product(typed(Call(np.outer, (b, a))), before, stmt)  # what is transposed has been written
            case Call(np.outer, (a, b), ()) if _is_vector(a) and _is_vector(b):
                one, other = (x if isinstance(x, Var) else named(x, before, stmt) for x in (a, b))
                column = typed(Call(operator.getitem, (one, COLUMN)))
                return typed(Call(operator.mul, (column, other)))
        return e

    def named(x: Expr, before: list[Stmt], stmt: Stmt) -> Var:
        before.append(Let(fresh("_t"), x, stmt.origin))
        return Var(before[-1].target, x.type)  # type: ignore

    return replace(fn, body=block(fn.body))


def _is_column(index: Expr | Slice) -> bool:
    """Whether a subscript makes a column of all of a vector."""
    return isinstance(index, Tuple) and index.items[:1] == (Slice(),) and walk.is_const(index.items[-1], None)


def _is_vector(e: Expr) -> bool:
    kind = getattr(e, "type", None)
    return isinstance(kind, Array) and kind.ndim == 1 and kind.dtype in ("float64", "float32")
