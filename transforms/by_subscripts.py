"""by_subscripts: larger arrays of which only elements with constant subscripts are written and read; part of `scalars`.

The gradient of a function that reads ``camera[0]`` to ``camera[10]`` is such an array: a name for each element is no
more text than the array is, however many there are.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Collection, Iterator

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Function, Let, Stmt, Store, Tuple, Var
from srcad.analysis.affine import ZERO
from srcad.lang.types import Array, Scalar
from srcad.transforms.cells import is_listable, is_small, static_index
from srcad.transforms.counters import LONGEST

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
    made = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and _is_made(s.value)}
    return made - used_otherwise(fn.body, made)


def used_otherwise(block: Block, names: Collection[str]) -> set[str]:
    """The arrays among these with which more is done than to read and write elements, and to store them whole."""
    if not names:
        return set()
    uses = Counter(name for s in walk.statements(block) for e in walk.stmt_exprs(s) for name in _named(e))
    loops = (s for s in walk.statements(block) if isinstance(s, For) and _turns(s) <= LONGEST)
    counters: dict[str, Expr] = {loop.index: ZERO for loop in loops}
    uses.subtract(name for s in walk.statements(block) for name in _one_by_one(s, counters))
    return {name for name in names if uses[name]}


def _is_made(value: Expr) -> bool:
    if not (isinstance(value, Call) and is_listable(value.type) and not is_small(value.type)):
        return False
    fresh = member(value.fn, MADE) or value.fn is np.array and isinstance(value.args[0], Tuple)
    return fresh and value.type.dtype == "float64"  # type: ignore[attr-defined]


def _named(expr: Expr) -> Iterator[str]:
    return (e.name for e in walk.subexprs(expr) if isinstance(e, Var))


def _turns(loop: For) -> float:
    """How many iterations a loop makes."""
    bounds = [_known(e) for e in (loop.start, loop.stop, loop.step)]
    return math.inf if None in bounds or not bounds[2] else len(range(*bounds))  # type: ignore[arg-type]


def _known(bound: Expr) -> int | None:
    """An integer that is constant, or the length of an array of known shape."""
    match bound:
        case Const(int() as value):
            return value
        case Call(operator.getitem, (Attr(Var(_, Array(_, shape)), "shape"), Const(int() as axis))):
            length = shape[axis] if -len(shape) <= axis < len(shape) else None
            return length if isinstance(length, int) else None
    return None


def _one_by_one(stmt: Stmt, counters: dict[str, Expr]) -> Iterator[str]:
    """The arrays in a statement, as often as it reads or writes an element, asks for lengths or stores all of them.

    Loops that count so few `counters` are written out.
    """
    def is_known(index: Expr) -> bool:
        return static_index(walk.substitute(index, counters)) is not None

    match stmt:
        case Store(Var(name), index) if is_known(index):
            yield name
    if (whole := stored_whole(stmt)) is not None:
        yield whole
    for expr in walk.stmt_exprs(stmt):
        for e in walk.subexprs(expr):
            match e:
                case Call(operator.getitem, (Var(name), index), (), Scalar()) if is_known(index):
                    yield name
                case Attr(Var(name), "shape"):
                    yield name


def stored_whole(stmt: Stmt) -> str | None:
    """The array that a statement stores in, or adds to, another one of which it does not ask for the lengths."""
    match stmt:
        case Store(Var(base), _, Var(name, Array())) if base != name:
            return name
        case Accum(Call(operator.getitem, (Var(base), _)), Var(name, Array())) if base != name:
            return name
    return None
