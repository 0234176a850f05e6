"""rows_at_once: products that independent iterations make of rows are one product a block; part of `blocks`. For
machine code only.

``for i in range(n): r = W @ X[i] - y[i]`` makes a small product in each iteration, and its adjoint adds an outer one to
all of `W_bar`. A block of iterations has one product of matrices ahead, and one behind: `at_once` writes them, with the
block in place of the steps of a time loop. So little is kept at a time, however many rows there are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from srcad.analysis.affine import plus
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Stmt, Var
from srcad.lang.types import INT
from srcad.transforms.at_once import TimeLoop, facts
from srcad.transforms.independent import remembers

BLOCK = 256  # iterations
NOTE = "blocks of iterations, with their products at once"


def rows_at_once(fn: Function) -> Function:
    """Make one product a block of those that iterations make of rows.

    >>> import numpy as np
    >>> from srcad.lang.arrays import axis_length
    >>> from srcad.lang.ir import Accum, Param
    >>> from srcad.lang.types import FLOAT, Array
    >>> from srcad.transforms.infer import typed
    >>> x, w = (Var(name, Array("float64", (dim, "m"), "C")) for name, dim in (("x", "n"), ("w", "k")))
    >>> i, s = Var("i", INT), Var("s", FLOAT)
    >>> row = Call(operator.getitem, (x, i), (), Array("float64", ("m",), "C"))
    >>> made = Let("h", typed(Call(operator.matmul, (w, row))))
    >>> added = Accum(s, Call(np.sum, (Var("h", Array("float64", ("k",), "C")),), (), FLOAT))
    >>> loop = For("i", Const(0, INT), axis_length(x, 0), Const(1, INT), (made, added))
    >>> from srcad.lang.write import write
    >>> fn = rows_at_once(Function("f", (Param("x", x.type), Param("w", w.type), Param("s", FLOAT)), (loop,)))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x, w, s):
        # blocks of iterations, with their products at once
        for start in range(0, x.shape[0], 256):
            size = min(256, x.shape[0] - start)
            _t = x[start:start + size] @ w.T
            for i in range(start, start + size):
                h = _t[i - start]
                s += np.sum(h)
    """
    if fn.exact:
        return fn
    made, classes, fresh = facts(fn)

    def block(stmts: Block) -> Block:
        return tuple(map(statement, stmts))

    def statement(stmt: Stmt) -> Stmt:
        parted = _parted(stmt, made, classes, fresh) if isinstance(stmt, For) else None
        return parted or walk.map_stmt(lambda e: e, stmt, block)

    body = block(fn.body)
    return fn if body == fn.body else replace(fn, body=body)


def with_products(found: dict[str, Function], every: list[tuple[str, Callable[[Function], Function]]]) -> Function:
    """The function before its loops get their last form, with products of many rows at once."""
    names = [stage for stage, _ in every]
    if "at once" not in names:
        return found[names[-1]]
    function = rows_at_once(found["at once"])
    if function is found["at once"]:
        return found[names[-1]]
    for _, transform in every[names.index("at once") + 1 :]:
        function = transform(function)
    return function


def _parted(loop: For, made: dict[str, Expr], classes: Classes, fresh: Callable[[str], str]) -> For | None:
    """A loop that records nothing, in blocks, where they save products."""
    start, size = Var(fresh("start"), INT), Var(fresh("size"), INT)
    part = TimeLoop.of(replace(loop, start=start, stop=plus(start, size)), made, classes, fresh, True)
    if part is None or not walk.is_const(loop.step, 1) or not walk.is_const(loop.start, 0) or remembers(loop):
        return None
    if walk.names(loop.stop) & walk.assigned(loop.body) or isinstance(loop.stop, Const) and loop.stop.value < BLOCK:
        return None
    body = part.body()
    if not part.ahead:
        return None
    origin = replace(loop.origin, adjoint=False)
    left = Call(min, (Const(BLOCK, INT), Call(operator.sub, (loop.stop, start), (), INT)), (), INT)
    inside = (Let(size.name, left, origin), *part.before, replace(part.loop, body=body), *part.after)
    return For(start.name, loop.start, loop.stop, Const(BLOCK, INT), inside, None, replace(origin, note=NOTE))
