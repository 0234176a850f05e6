"""localise: arrays that every iteration fills anew are made in the iteration.

``q = np.empty(d)`` before a loop whose iterations overwrite all of `q` before they read any of it is memory that is
used again, no value that one iteration hands on to the next. Made in the iteration it is seen as such: nothing of it
is recorded, and the loop can join its reverse. `workspaces` puts it back before the loops when all is done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import Buffers, buffers
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import UNFILLED, mentions, rounds_overwrite
from srcad.lang import walk
from srcad.lang.ir import Block, Call, For, Function, Let, Move, Stmt, Var, While
from srcad.lang.types import is_array
from srcad.transforms.flatten import fresh_names

EMPTY = {np.empty: np.empty, np.empty_like: np.empty_like, **UNFILLED}


def localise(fn: Function) -> Function:
    """Make arrays in the innermost iterations that fill them.

    >>> from srcad.lang.ir import Const, Param, Return, Store
    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> i, n, a = Var("i", INT), Var("n", INT), Var("a", Array("float64", ("n",), "C"))
    >>> fill = For("i", Const(0, INT), n, Const(1, INT), (Store(a, i, Const(1.0, FLOAT)),))
    >>> loop = For("k", Const(0, INT), n, Const(1, INT), (fill, Let("s", Call(np.sum, (a,), (), FLOAT))))
    >>> make = Let("a", Call(np.empty, (n,), (), a.type))
    >>> from srcad.lang.write import write
    >>> fn = localise(Function("f", (Param("n", INT),), (make, loop, Return(n))))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(n):
        for k in range(n):
            a = np.empty(n)
            for i in range(n):
                a[i] = 1.0
            s = np.sum(a)
        return n
    """
    if not any(isinstance(s, Let) and _is_made(s) for s in walk.statements(fn.body)):
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    moved = {name for s in walk.statements(fn.body) if isinstance(s, Move) for name in s.targets}
    return replace(fn, body=_Localiser(buffers(fn), Lengths.of(fn), moved, fresh_names(used)).block(fn.body))


def _is_made(stmt: Let) -> bool:
    """Whether a statement makes an array of which only the shape is known."""
    return isinstance(stmt.value, Call) and is_array(stmt.value.type) and any(stmt.value.fn is fn for fn in EMPTY)


@dataclass
class _Localiser:
    buffers: Buffers
    lengths: Lengths
    moved: set[str]  # the names that are carried or joined
    fresh: Callable[[str], str]

    def block(self, block: Block) -> Block:
        result = list(block)
        position = 0
        while position < len(result):
            stmt = result[position]
            if isinstance(stmt, Let) and _is_made(stmt) and (users := self.users(stmt, result[position + 1 :])):
                result = [self.with_own(s, stmt, len(users)) if id(s) in users else s for s in result]
                del result[position]
            else:
                position += 1
        return tuple(walk.map_stmt(lambda e: e, stmt, self.block) for stmt in result)

    def users(self, made: Let, rest: list[Stmt]) -> set[int]:
        """The loops that use an array, if only iterations that fill it do, and none of them hands it on."""
        array = Var(made.target, made.value.type)  # type: ignore[union-attr]
        if not walk.names(made.value) <= self.lengths.single or array.name not in self.lengths.single:
            return set()
        if any(self.buffers.of(name) & self.buffers.of(array.name) for name in self.moved):
            return set()
        users = [stmt for stmt in rest if mentions(stmt, array.name)]
        local = all(isinstance(stmt, (For, While)) and rounds_overwrite(stmt, array, self.lengths) for stmt in users)
        return set(map(id, users)) if local else set()

    def with_own(self, loop: Stmt, made: Let, users: int) -> Stmt:
        """A loop whose iterations make the array."""
        assert isinstance(loop, (For, While)) and isinstance(made.value, Call)
        value = replace(made.value, fn=EMPTY[made.value.fn])
        loop = replace(loop, body=(replace(made, value=value), *loop.body))
        if users == 1:
            return loop
        inside = walk.defined((loop,))
        [renamed] = walk.rename((loop,), {made.target: self.fresh(made.target)} if made.target in inside else {})
        return renamed
