"""values first: sums over matrices that a function returns are computed before the adjoint. For machine code.

``return np.sum(np.maximum(h, 0) ** 2)`` is text for the end of a function, where it would keep every row that it reads
until then, and need a loop of its own. Behind the statements that make its arrays, one loop over the rows does all.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.contents import member
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Function, Let, Return, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.flatten import fresh_names
from srcad.transforms.passing import Facts, other
from srcad.transforms.row import REDUCTIONS


def values_first(fn: Function) -> Function:
    """Compute what is returned of whole matrices where these are made.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import FLOAT
    >>> a, b = (Var(name, Array("float64", ("m", "n"), "C")) for name in "ab")
    >>> double = Let("b", Call(operator.add, (a, a), (), a.type))
    >>> other = Let("c", Call(operator.mul, (a, a), (), a.type))
    >>> last = Return(Call(operator.neg, (Call(np.sum, (b,), (), FLOAT),), (), FLOAT))
    >>> from srcad.lang.write import write
    >>> print(write(values_first(Function("f", (Param("a", a.type),), (double, other, last)))).text.split(":")[1])
    <BLANKLINE>
        b = a + a
        _t = np.sum(b)
        c = a * a
        return -_t
    <BLANKLINE>
    """
    *before, last = fn.body
    if not isinstance(last, Return) or not any(map(_is_of_matrix, walk.subexprs(last.value))):
        return fn
    fresh = fresh_names({p.name for p in fn.params}.union(*map(walk.targets, walk.statements(fn.body))))
    body: Block = tuple(before)
    facts = Facts(Pairs.of(fn.body))

    def named(expr: Expr) -> Expr:
        nonlocal body
        if not _is_of_matrix(expr):
            return expr
        made = Let(fresh("_t"), expr, last.origin)
        place = len(body)
        while place and facts.commute(other(made), other(body[place - 1])):
            place -= 1
        body = (*body[:place], made, *body[place:])
        return Var(made.target, expr.type)  # type: ignore[union-attr]

    value = walk.map_expr(named, last.value)
    return replace(fn, body=(*body, replace(last, value=value)))


def _is_of_matrix(expr: Expr) -> bool:
    """Whether an expression reduces a whole matrix, or an array with more axes, to a number."""
    if not isinstance(expr, Call) or not isinstance(expr.type, Scalar) or not member(expr.fn, REDUCTIONS):
        return False
    kinds = [getattr(arg, "type", None) for arg in expr.args]
    return len(kinds) == 1 and isinstance(kinds[0], Array) and kinds[0].ndim > 1
