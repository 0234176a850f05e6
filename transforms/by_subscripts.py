"""by_subscripts: arrays too large for `scalars` of which only elements with constant subscripts are written and read.

The gradient of a function that reads ``camera[0]`` to ``camera[10]`` is such an array: a name for each element is no
more text than the array is, however many there are.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Call, Expr, Function, Let, Stmt, Store, Tuple, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.cells import is_listable, is_small, static_index

MADE = (np.empty, np.empty_like, np.zeros, np.zeros_like)


def by_subscripts(fn: Function) -> set[str]:
    """The names of such arrays; they may be stored as a whole in another array.

    >>> from srcad.lang.ir import Const, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> a, x, table = Var("a", Array("float64", (20,))), Var("x", FLOAT), Var("table", Array("float64", ("n", 20)))
    >>> body = (Let("a", Call(np.zeros, (Const(20, INT),), (), a.type)), Store(a, Const(3, INT), x))
    >>> by_subscripts(Function("f", (), (*body, Store(table, Var("i", INT), a))))
    {'a'}
    >>> by_subscripts(Function("f", (), (*body, Return(a))))
    set()
    """
    statements = list(walk.statements(fn.body))
    made = {s.target for s in statements if isinstance(s, Let) and _is_made(s.value)}
    if not made:
        return made
    uses = Counter(name for s in statements for e in walk.stmt_exprs(s) for name in _named(e))
    uses.subtract(name for s in statements for name in _one_by_one(s))
    stored = {name for s in statements if (name := _stored(s)) is not None}
    return {name for name in made & stored if not uses[name]}


def _is_made(value: Expr) -> bool:
    if not (isinstance(value, Call) and is_listable(value.type) and not is_small(value.type)):
        return False
    fresh = member(value.fn, MADE) or value.fn is np.array and isinstance(value.args[0], Tuple)
    return fresh and value.type.dtype == "float64"  # type: ignore[attr-defined]


def _named(expr: Expr) -> Iterator[str]:
    return (e.name for e in walk.subexprs(expr) if isinstance(e, Var))


def _one_by_one(stmt: Stmt) -> Iterator[str]:
    """The arrays in a statement, as often as it reads or writes an element, asks for lengths or stores all of them."""
    match stmt:
        case Store(Var(name), index) if static_index(index) is not None:
            yield name
    if (whole := _stored(stmt)) is not None:
        yield whole
    for expr in walk.stmt_exprs(stmt):
        for e in walk.subexprs(expr):
            match e:
                case Call(operator.getitem, (Var(name), index), (), Scalar()) if static_index(index) is not None:
                    yield name
                case Attr(Var(name), "shape"):
                    yield name


def _stored(stmt: Stmt) -> str | None:
    """The array that a statement stores in, or adds to, another one of which it does not ask for the lengths."""
    match stmt:
        case Store(Var(base), _, Var(name, Array())) if base != name:
            return name
        case Accum(Call(operator.getitem, (Var(base), _)), Var(name, Array())) if base != name:
            return name
    return None
