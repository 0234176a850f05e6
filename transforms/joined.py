"""joined: a loop that goes through what the loop before it has filled becomes a part of that loop; part of `mutual`.

``for j in range(n): v[j] = a[j] * b`` and ``for j in range(n): s += v[j] * m[j]`` are one loop, without the array.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Let, Store, Var
from srcad.lang.types import INT, Scalar, is_array


def joined(block: Block, uses: Counter[str]) -> Block:
    """A block in which the second of two loops is a part of the first one, where that spares an array; `uses` says how
    often the function has each name.

    >>> from srcad.lang.types import FLOAT, Array
    >>> i, j, n, v = Var("i", INT), Var("j", INT), Var("n", INT), Var("v", Array("float64", ("n",), "C"))
    >>> first = For("i", Const(0, INT), n, Const(1, INT), (Store(v, i, Var("a", FLOAT)),))
    >>> element = Call(operator.getitem, (v, j), (), FLOAT)
    >>> second = For("j", Const(0, INT), n, Const(1, INT), (Accum(Var("s", FLOAT), element),))
    >>> block = (Let("v", Call(np.empty, (n,), (), v.type)), first, Let("s", Const(0.0, FLOAT)), second)
    >>> made = joined(block, uses_of(block))
    >>> [type(stmt).__name__ for stmt in made], [type(stmt).__name__ for stmt in made[1].body]
    (['Let', 'For'], ['Let', 'Accum'])
    """
    loops = [k for k, stmt in enumerate(block) if isinstance(stmt, For)]
    if len(loops) != 2:
        return block
    first, second = (block[k] for k in loops)
    between = block[loops[0] + 1 : loops[1]]
    for made in block[: loops[0]]:
        if isinstance(made, Let) and all(isinstance(s, Let) and isinstance(s.value, Const) for s in between):
            loop = _one_loop(made, first, second, uses)  # type: ignore[arg-type]
            if loop is not None:
                ahead = tuple(s for s in block[: loops[0]] if s is not made)
                return (*ahead, *between, loop, *block[loops[1] + 1 :])
    return block


def uses_of(block: Block) -> Counter[str]:
    """How often statements have each name, but for giving it a value."""
    exprs = (e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    return Counter(e.name for e in exprs if isinstance(e, Var))


def _one_loop(made: Let, first: For, second: For, uses: Counter[str]) -> For | None:
    """Two loops as one, if the second one adds up what the first one puts into an array that nobody else reads."""
    array, room = made.target, made.value
    if not (isinstance(room, Call) and room.fn is np.empty and room.args[0] == first.stop):
        return None
    own = _is_size(second.stop, array)
    stores = [s for s in first.body if isinstance(s, Store) and isinstance(s.base, Var) and s.base.name == array]
    if len(stores) != 1 or stores[0].index != Var(first.index, INT) or not (own or second.stop == first.stop):
        return None
    if (first.start, first.step, first.flag) != (second.start, second.step, second.flag):
        return None
    reads = [e for s in second.body for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
             if _is_element(e, array, second.index)]  # fmt: skip
    if len(reads) + len(stores) + own != uses[array] or not _adds(second, first):
        return None
    number = Var(array, Scalar("float64"))
    kept = tuple(Let(array, s.value, s.origin) if s is stores[0] else s for s in first.body)
    put = lambda e: walk.map_expr(lambda part: number if _is_element(part, array, second.index) else part, e)
    added = walk.substitute_in(walk.map_block(put, second.body), {second.index: Var(first.index, INT)})
    return replace(first, body=(*kept, *added))


def _adds(second: For, first: For) -> bool:
    """Whether a loop adds to numbers alone, of what another loop does not change."""
    if not all(isinstance(s, Accum) and isinstance(s.target, Var) and not is_array(s.target.type) for s in second.body):
        return False
    read = {e.name for s in second.body for e in walk.subexprs(s.value) if isinstance(e, Var)}  # type: ignore
    totals = {s.target.name for s in second.body}  # type: ignore
    written = {e.name for s in walk.statements(first.body) if isinstance(s, (Store, Accum))
               for e in walk.subexprs(s.base if isinstance(s, Store) else s.target) if isinstance(e, Var)}  # fmt: skip
    array = {s.base.name for s in first.body if isinstance(s, Store) and isinstance(s.base, Var)}
    return not totals & walk.mentioned(first.body) and not read - array & (written | walk.assigned(first.body) | totals)


def _is_element(expr: Expr, array: str, index: str) -> bool:
    match expr:
        case Call(operator.getitem, (Var(base), Var(at))):
            return base == array and at == index
    return False


def _is_size(expr: Expr, array: str) -> bool:
    match expr:
        case Call(operator.getitem, (Attr(Var(base), "shape"), Const(0))):
            return base == array
    return False
