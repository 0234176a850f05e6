"""overwritten: no zeros where the next loop gives each element its value. For machine code only.

A cotangent begins at zero, and a loop adds to each of its elements, once. Then the loop may as well assign, and filling
the array with zeros, which takes as long as the loop, is left out.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.overwritten import UNFILLED, mentions
from srcad.lang.arrays import axis_length, items_of
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Function, If, Let, Stmt, Store, Var
from srcad.lang.shapes import split_offset
from srcad.lang.types import BOOL, FLOAT, INT, NONE, REAL, Array
from srcad.lang.walk import is_const, map_stmt, names, statements, targets


def overwritten(fn: Function) -> Function:
    """Let loops assign what they add to zero.

    >>> from srcad.lang.ir import Param, Return
    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> b, i = Var("b", x.type), Var("i", INT)
    >>> place, element = (Call(operator.getitem, (a, i), (), FLOAT) for a in (b, x))
    >>> length = Call(operator.getitem, (Attr(x, "shape"), Const(0, INT)), (), INT)
    >>> loop = For("i", Const(0, INT), length, Const(1, INT), (Accum(place, element),))
    >>> body = (Let("b", Call(np.zeros_like, (x,), (), x.type)), loop, Return(b))
    >>> from srcad.lang.write import write
    >>> print(write(overwritten(Function("f", (Param("x", x.type),), body))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        b = np.empty_like(x)
        for i in range(x.shape[0]):
            b[i] = x[i]
        return b
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    stmts = [map_stmt(lambda e: e, stmt, _block) for stmt in block]
    for position, stmt in enumerate(stmts):
        match stmt:
            case Let(name, Call(np.zeros_like | np.zeros, _, (), Array(dtype) as kind) as zeros) if dtype in REAL:
                use = next((k for k in range(position + 1, len(stmts)) if mentions(stmts[k], name)), None)
                found = None if use is None else _assigned(stmts[use : use + 2], Var(name, kind))
                if use is not None and found is not None:
                    stmts[position] = replace(stmt, value=replace(zeros, fn=UNFILLED[zeros.fn]))
                    stmts[use : use + len(found)] = found
    return tuple(stmts)


def _assigned(stmts: list[Stmt], base: Var) -> list[Stmt] | None:
    """With assignments: the loop that adds to each element once, and what adds to the last ones behind it."""
    loop, kind = stmts[0], base.type
    assert isinstance(kind, Array)
    if not isinstance(loop, For):
        return None
    if (whole := _loop(loop, base, (), 0)) is not None:
        return [whole]
    if kind.ndim != 1 or len(stmts) < 2 or not isinstance(stmts[1], If):
        return None
    less = _less(loop.stop, kind, 0)
    if less is None or less < 1 or (short := _loop(loop, base, (), less)) is None:
        return None
    rest = _rest(stmts[1], base, less)
    return None if rest is None else [short, rest]


def _loop(loop: For, base: Var, around: tuple[str, ...], less: int) -> For | None:
    """With assignments: a loop over the next axis of an array, less some elements, that adds to each once."""
    kind = base.type
    assert isinstance(kind, Array)
    if loop.flag is not None or not is_const(loop.start, 0) or not is_const(loop.step, 1):
        return None
    if len(around) >= kind.ndim or _less(loop.stop, kind, len(around)) != less or base.name in names(loop.stop):
        return None
    uses = [k for k, stmt in enumerate(loop.body) if mentions(stmt, base.name)]
    if len(uses) != 1 or any(loop.index in targets(s) for s in statements(loop.body)):
        return None
    indices = (*around, loop.index)
    new: Stmt | None
    match loop.body[uses[0]]:
        case For() as inner:
            new = _loop(inner, base, indices, 0)
        case Accum(Call(operator.getitem, (Var(), index)), value, origin):
            items = items_of(index)
            own = [item.name if isinstance(item, Var) else None for item in items]
            fits = own == list(indices) and len(own) == kind.ndim and base.name not in names(value)
            new = Store(base, index, value, origin) if fits else None
        case _:
            new = None
    return None if new is None else replace(loop, body=(*loop.body[: uses[0]], new, *loop.body[uses[0] + 1 :]))


def _less(length: Expr, kind: Array, axis: int) -> int | None:
    """By how much a length is below that of an axis."""
    match length:
        case Call(operator.getitem, (Attr(Var(type=Array() as other), "shape"), Const(int() as k))):
            (one, more), (two, less) = split_offset(kind.shape[axis]), split_offset(other.shape[k])
            return more - less if one == two else None
        case Call(operator.sub, (whole, Const(int() as number))):
            fewer = _less(whole, kind, axis)
            return None if fewer is None else fewer + number
        case Const(int() as number):
            dim = kind.shape[axis]
            return dim - number if isinstance(dim, int) else None
    return None


def _rest(stmt: If, base: Var, less: int) -> If | None:
    """What adds to the last elements, with assignments; where there are fewer elements, all are zero."""
    kind = base.type
    assert isinstance(kind, Array)
    left = set(range(less))
    stores: list[Stmt] = []
    for inner in stmt.then:
        match inner:
            case Accum(Call(operator.getitem, (Var(name), index)), value, origin) if name == base.name:
                from_end = _less(index, kind, 0)
                if from_end is None or from_end - 1 not in left or name in names(value):
                    return None
                left.remove(from_end - 1)
                stores.append(Store(base, index, value, origin))
            case _ if mentions(inner, base.name):
                return None
            case _:
                stores.append(inner)
    if left or stmt.orelse or len(stores) != less:
        return None
    zeros = (Store(base, Const(..., NONE), Const(0.0, FLOAT), stmt.origin),)
    test = Call(operator.gt, (axis_length(base, 0), Const(less - 1, INT)), (), BOOL)
    return replace(stmt, test=test, then=tuple(stores), orelse=zeros if less > 1 else ())
