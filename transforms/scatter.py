"""scatter: adding at an array of indices, where repeats must add up, is a call; part of `adjoint`.

``x_bar[i] += v`` with an array `i` becomes ``add_at(x_bar, i, v)``.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import basic_index
from srcad.lang.ir import Accum, Block, Call, Const, Effect, Expr, For, If, Slice, Stmt, Tuple, While
from srcad.lang.types import NONE, Static
from srcad.runtime import add_at


def scatter(block: Block) -> Block:
    """Write additions at arrays of indices as calls.

    >>> import operator
    >>> from srcad.lang.ir import Var
    >>> from srcad.lang.types import FLOAT, Array
    >>> a, i = Var("a", Array("float64", ("n", "m"))), Var("i", Array("int64", ("k",)))
    >>> columns = Call(operator.getitem, (a, Tuple((Slice(), i))), (), a.type)
    >>> [effect] = scatter((Accum(columns, Const(1.0, FLOAT)),))
    >>> effect.call.fn.__name__
    'add_at'
    """
    return tuple(map(_statement, block))


def _statement(stmt: Stmt) -> Stmt:
    match stmt:
        case Accum(Call(args=(base, index)), value) if not basic_index(index):
            return Effect(Call(add_at, (base, as_argument(index), value), (), NONE), stmt.origin)
        case If(_, then, orelse):
            return replace(stmt, then=scatter(then), orelse=scatter(orelse))
        case For(body=body) | While(body=body):
            return replace(stmt, body=scatter(body))
    return stmt


def as_argument(index: Expr) -> Expr:
    """An index outside of brackets: ``:`` is ``slice(None)`` there."""
    match index:
        case Tuple(items):
            return replace(index, items=tuple(map(as_argument, items)))
        case Slice(lower, upper, step):
            given: tuple[Expr | None, ...] = (lower, upper) if step is None else (lower, upper, step)
            if lower is None and step is None:
                given = (upper,)
            return Call(slice, tuple(Const(None, NONE) if e is None else e for e in given), (), Static(slice))
    return index


def in_brackets(index: Expr) -> Expr:
    """The index that `_argument` has made an argument of."""
    match index:
        case Tuple(items):
            return replace(index, items=tuple(map(in_brackets, items)))
        case Call(fn, args) if fn is slice:
            parts = [None if isinstance(e, Const) and e.value is None else e for e in args]
            return Slice(None, *parts) if len(parts) == 1 else Slice(*parts)
    return index
