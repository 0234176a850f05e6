"""weighted: products of a computed matrix with a vector, as sums of its weighted rows. For machine code only.

``np.exp(-t[:, None] * d) @ a`` makes a matrix to read it once, and its adjoint another one. Of a sum along an axis,
`rows`, which comes behind, makes a loop that holds one row at a time. A matrix that is there anyway stays in its
product: that of a parameter, of another block, or of what needs it as a whole.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import member, times_given
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Slice, Stmt, Tuple, Var
from srcad.lang.types import INT, REAL, Array
from srcad.runtime import sum_to
from srcad.transforms.elements import computes
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed
from srcad.transforms.row import is_reduction

PRODUCTS = frozenset((operator.matmul, np.matmul, np.dot))


def weighted(fn: Function) -> Function:
    """Write products of computed matrices and vectors as sums.

    >>> from srcad.lang.ir import Param, Return
    >>> of = {"x": "nm", "v": "m", "w": "n"}
    >>> x, v, w = (Var(name, Array("float64", tuple(dims), "C")) for name, dims in of.items())
    >>> e = typed(Call(np.exp, (x,)))
    >>> product = typed(Call(operator.matmul, (Var("e", e.type), v)))
    >>> back = typed(Call(operator.matmul, (typed(Call(np.transpose, (Var("e", e.type),))), w)))
    >>> body = (Let("e", e), Let("y", product), Let("z", back), Return(Var("z", back.type)))
    >>> from srcad.lang.write import write
    >>> fn = Function("f", tuple(Param(p.name, p.type) for p in (x, v, w)), body)
    >>> print(write(weighted(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(x, v, w):
        e = np.exp(x)
        y = np.sum(e * v, axis=1)
        z = np.sum(e * w[:, None], axis=0)
        return z
    """
    if fn.exact:
        return fn
    bound = times_given(fn.body)
    once = {name for name, count in bound.items() if count == 1} - stored_names(fn.body) - _asked_as_wholes(fn.body)
    fresh = fresh_names({p.name for p in fn.params} | set(bound))

    def block(stmts: Block) -> Block:
        made: set[str] = set()
        result: list[Stmt] = []
        for stmt in stmts:
            writer = _Writer(made, fresh)
            new = walk.map_stmt(lambda e: walk.map_expr(writer.sum, e), stmt, block)  # noqa: B023
            result += [replace(let, origin=stmt.origin) for let in writer.before]
            result.append(new)
            if isinstance(stmt, Let) and stmt.target in once and _is_matrix(stmt.value) and computes(stmt.value):
                made.add(stmt.target)
        return tuple(result)

    return replace(fn, body=block(fn.body))


@dataclass
class _Writer:
    """Writes the products of one statement, of matrices that its block has `made`."""

    made: set[str]
    fresh: Callable[[str], str]
    before: list[Let] = field(default_factory=list)

    def sum(self, e: Expr) -> Expr:
        found = _product(e)
        if found is None:
            return e
        matrix, vector, axis = found
        if not (isinstance(matrix, Var) and matrix.name in self.made or computes(matrix)):
            return e
        if axis == 0:
            vector = vector if isinstance(vector, Var) else self.named(vector)
            vector = typed(Call(operator.getitem, (vector, Tuple((Slice(), Const(None))))))
        weighted = typed(Call(operator.mul, (matrix, vector)))
        return typed(Call(np.sum, (weighted,), (("axis", Const(axis, INT)),)))

    def named(self, vector: Expr) -> Var:
        self.before.append(Let(self.fresh("_t"), vector))
        return Var(self.before[-1].target, vector.type)  # type: ignore[attr-defined]


def _product(e: Expr) -> tuple[Expr, Expr, int] | None:
    """The matrix of a product, the vector, and the axis along which the product sums."""
    if not (isinstance(e, Call) and member(e.fn, PRODUCTS) and len(e.args) == 2 and not e.kwargs):
        return None
    one, other = e.args
    matrix, vector, axis = (one, other, 1) if _is_matrix(one) else (other, one, 0)
    if not _is_matrix(matrix) or not _is_vector(vector):
        return None
    while isinstance(matrix, Call) and matrix.fn is np.transpose and len(matrix.args) == 1:
        matrix, axis = matrix.args[0], 1 - axis
    same = matrix.type.shape[axis] == vector.type.shape[0]  # type: ignore[attr-defined]
    return (matrix, vector, axis) if same else None


def _asked_as_wholes(block: Block) -> set[str]:
    """The names that are read by more than what goes through elements, reduces them, or multiplies by a vector."""
    return {name for stmt in walk.statements(block) for e in walk.stmt_exprs(stmt) for name in _wholes(e)}


def _wholes(e: Expr) -> Iterator[str]:
    if isinstance(e, Var):
        yield e.name
    elif isinstance(e, Call):
        product = _product(e)
        parts = product[:2] if product else e.args
        read = product is not None or computes(e) or is_reduction(e) or e.fn is sum_to
        for part in parts:
            if not (read and isinstance(part, Var)):
                yield from _wholes(part)
    else:
        yield from walk.names(e)


def _is_matrix(e: Expr) -> bool:
    kind = getattr(e, "type", None)
    return isinstance(kind, Array) and kind.ndim == 2 and kind.dtype in REAL


def _is_vector(e: Expr) -> bool:
    kind = getattr(e, "type", None)
    return isinstance(kind, Array) and kind.ndim == 1 and kind.dtype in REAL
