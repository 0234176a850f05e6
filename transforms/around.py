"""around: what loops read around the end of an axis, they read so at its ends alone; part of `blocks`. For machine code
only.

``x[(i + 1) % n]`` is a division for each element, and LLVM makes no vectors of a loop that may jump. All but a few
iterations read ``x[i + 1]``: these are a loop of their own.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import replace

from srcad.analysis.affine import linear, plus
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Function, Let, Stmt, Var
from srcad.lang.types import INT
from srcad.transforms.work import FUNCTIONS

ZERO = Const(0, INT)
LARGEST = 40  # statements of loops that are there several times then


def around(fn: Function) -> Function:
    """Take the first and the last iterations out of loops that go around the end of an axis.

    >>> import numpy as np
    >>> from srcad.lang.ir import Accum, Let, Param, Return
    >>> from srcad.lang.types import FLOAT, Array
    >>> x, s, i = Var("x", Array("float64", ("n",), "C")), Var("s", FLOAT), Var("i", INT)
    >>> n = Var("n", INT)
    >>> following = Call(operator.mod, (plus(i, Const(1, INT)), n), (), INT)
    >>> def at(k): return Call(operator.getitem, (x, k), (), FLOAT)
    >>> product = Call(operator.mul, (at(i), at(following)), (), FLOAT)
    >>> loop = For("i", ZERO, n, Const(1, INT), (Accum(s, product),))
    >>> body = (Let("s", Const(0.0, FLOAT)), loop, Return(s))
    >>> from srcad.lang.write import write
    >>> print(write(around(Function("f", (Param("x", x.type), Param("n", INT)), body))).text, end="")
    def f(x, n):
        s = 0.0
        for i in range(n - 1):
            s += x[i] * x[i + 1]
        for i in range(max(0, n - 1), n):
            s += x[i] * x[(i + 1) % n]
        return s
    """
    if not any(is_turn(e) for s in walk.statements(fn.body) for x in walk.stmt_exprs(s) for e in walk.subexprs(x)):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    free = (name for k in itertools.count() if (name := f"place_{k}" if k else "place") not in used)

    def block(stmts: Block) -> Block:
        return tuple(new for stmt in stmts for new in statement(stmt))

    def statement(stmt: Stmt) -> Block:
        if isinstance(stmt, For) and not any(isinstance(s, For) for s in walk.statements(stmt.body)):
            *before, loop = _named_before(stmt, free)
            return (*before, *(_in_parts(loop) or (loop,)))
        return (walk.map_stmt(lambda e: e, stmt, block),)

    return replace(fn, body=block(fn.body))


def around_sums(fn: Function) -> Function:
    """Take these iterations out of loops that compute functions and add to what goes around, before `gather` looks for
    neighbours. What is light to compute each element gathers, as `rings` says.

    >>> import numpy as np
    >>> from srcad.lang.ir import Accum, Param
    >>> from srcad.lang.types import FLOAT, Array
    >>> x, v = (Var(name, Array("float64", ("n",), "C")) for name in "xv")
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> following = Call(operator.mod, (plus(i, Const(1, INT)), n), (), INT)
    >>> def at(a, k): return Call(operator.getitem, (a, k), (), FLOAT)
    >>> loop = For("i", ZERO, n, Const(1, INT), (Accum(at(x, following), Call(np.sin, (at(v, i),), (), FLOAT)),))
    >>> from srcad.lang.write import write
    >>> fn = around_sums(Function("f", (Param("x", x.type), Param("v", v.type), Param("n", INT)), (loop,)))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x, v, n):
        for i in range(n - 1):
            x[i + 1] += np.sin(v[i])
        for i in range(max(0, n - 1), n):
            x[(i + 1) % n] += np.sin(v[i])
    """

    def block(stmts: Block) -> Block:
        return tuple(new for stmt in stmts for new in statement(stmt))

    def statement(stmt: Stmt) -> Block:
        parts = _in_parts(stmt) if isinstance(stmt, For) and _adds_around(stmt) else None
        return tuple(walk.map_stmt(lambda e: e, part, block) for part in parts or (stmt,))

    body = block(fn.body)
    return fn if body == fn.body else replace(fn, body=body)


def _adds_around(loop: For) -> bool:
    """Whether a loop computes functions, and adds to elements whose subscripts go around where it ends."""
    body = list(walk.statements(loop.body))
    exprs = (e for s in body for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    places = (e for s in body if isinstance(s, Accum) for e in walk.subexprs(s.target))
    around_it = len(body) <= LARGEST and any(shift_of(e, loop) is not None for e in places)
    return around_it and any(isinstance(e, Call) and member(e.fn, FUNCTIONS) for e in exprs)


def _named_before(loop: For, free: Iterator[str]) -> list:
    """A loop with names for what goes around along the axes of the loops around it."""
    changing = walk.assigned(loop.body) | {loop.index}
    found: dict[Expr, Var] = {}

    def named(e: Expr) -> Expr:
        if not (isinstance(e, Call) and is_turn(e) and _is_length(e.args[1])) or walk.names(e) & changing:
            return e
        if e not in found:
            found[e] = Var(next(free), INT)
        return found[e]

    body = walk.map_block(lambda e: walk.map_expr(named, e), loop.body)
    return [*(Let(var.name, e, loop.origin) for e, var in found.items()), replace(loop, body=body)]


def is_turn(expr: Expr) -> bool:
    """Whether a subscript goes around the end of an axis."""
    return isinstance(expr, Call) and expr.fn is operator.mod and expr.type == INT


def _is_length(expr: Expr) -> bool:
    """Whether an expression is the length of an axis, which is not zero in a loop along it."""
    match expr:
        case Call(operator.getitem, (Attr(_, "shape"), _)):
            return True
    return False


def _in_parts(loop: For) -> Block | None:
    """The iterations that may go around the end, those between them, and the last ones."""
    if loop.flag is not None or loop.shared or not walk.is_const(loop.start, 0) or not walk.is_const(loop.step, 1):
        return None
    shifts = set(_shifts(loop))
    if not shifts:
        return None
    front, back = Const(max(0, -min(shifts)), INT), Const(max(0, *shifts), INT)
    index = Var(loop.index, INT)
    inside = walk.map_block(lambda e: walk.map_expr(lambda x: _straight(x, loop), e), loop.body)
    if front.value:
        inside = walk.substitute_in(inside, {loop.index: plus(index, front)})
        inside = walk.map_block(lambda e: walk.map_expr(lambda x: _joined(x, loop), e), inside)
    n = loop.stop
    first = replace(loop, stop=Call(min, (front, n), (), INT))
    middle = replace(loop, stop=Call(operator.sub, (n, Const(front.value + back.value, INT)), (), INT), body=inside)
    begin = first.stop if front.value else ZERO
    last = replace(loop, start=Call(max, (begin, Call(operator.sub, (n, back), (), INT)), (), INT))
    return (*((first,) if front.value else ()), middle, *((last,) if back.value else ()))


def _shifts(loop: For) -> Iterator[int]:
    """How far from their own place the iterations of a loop read what goes around where the loop ends."""
    for stmt in walk.statements(loop.body):
        for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
            shift = shift_of(e, loop)
            if shift is not None:
                yield shift


def shift_of(expr: Expr, loop: For) -> int | None:
    """How many places on a subscript is that goes around where a loop ends; None for others."""
    if not (isinstance(expr, Call) and is_turn(expr)) or expr.args[1] != loop.stop:
        return None
    name, shift = linear(expr.args[0]) or (None, 0)
    return shift if name == loop.index else None


def _straight(expr: Expr, loop: For) -> Expr:
    return expr.args[0] if shift_of(expr, loop) is not None else expr  # type: ignore[union-attr]


def _joined(expr: Expr, loop: For) -> Expr:
    """``i + 2 - 1`` as ``i + 1``, of the index of a loop."""
    name, number = linear(expr) or (None, 0) if isinstance(expr, Call) and expr.type == INT else (None, 0)
    return plus(Var(loop.index, INT), Const(number, INT)) if name == loop.index else expr
