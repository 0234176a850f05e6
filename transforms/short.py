"""short: loops of few iterations through the columns of arrays, inside of others, are written out; part of `blocks`.
For machine code only.

``for k in range(3): d += (x[i, k] - x[j, k]) ** 2`` in a loop over `j` leaves only three numbers for a vector. As three
statements, they are done for many rows at a time.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, For, Function, Let, Move, Stmt, Store, Var, While
from srcad.lang.types import INT, Array, Scalar
from srcad.transforms.flatten import fresh_names

LONGEST, MOST = 4, 24  # iterations, and the statements that they become


def short(fn: Function) -> Function:
    """Write short loops out.

    >>> from srcad.lang.ir import Param, Return, Tuple
    >>> from srcad.lang.types import FLOAT
    >>> x, s, i, k = Var("x", Array("float64", ("n", 2), "C")), Var("s", FLOAT), Var("i", INT), Var("k", INT)
    >>> number = Call(operator.getitem, (x, Tuple((i, k))), (), FLOAT)
    >>> inner = For("k", Const(0, INT), Const(2, INT), Const(1, INT), (Accum(s, number),))
    >>> loop = For("i", Const(0, INT), Var("n", INT), Const(1, INT), (inner,))
    >>> fn = short(Function("f", (Param("x", x.type), Param("n", INT)), (Let("s", Const(0.0, FLOAT)), loop, Return(s))))
    >>> from srcad.lang.write import write
    >>> print(write(fn).text, end="")
    def f(x, n):
        s = 0.0
        for i in range(n):
            s += x[i, 0]
            s += x[i, 1]
        return s
    """
    if not any(isinstance(s, For) and counts(s) for s in walk.statements(fn.body)):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    writer = _Writer(fresh_names(used))
    body = writer.block(fn.body, frozenset(), False)
    return replace(fn, body=body) if writer.done else fn


@dataclass
class _Writer:
    fresh: Callable[[str], str]
    done: int = 0

    def block(self, block: Block, after: Names, within: bool) -> Block:
        result: list[Stmt] = []
        for stmt, behind in zip(block, live(block, after)):
            if isinstance(stmt, For) and within and counts(stmt) and stmt.index not in behind:
                result += self.iterations(stmt, behind)
            elif isinstance(stmt, (For, While)):
                result.append(replace(stmt, body=self.block(stmt.body, at_the_end(stmt, behind), True)))
            else:
                inside = functools.partial(self.block, after=behind, within=within)
                result.append(walk.map_stmt(lambda e: e, stmt, inside))
        return tuple(result)

    def iterations(self, loop: For, behind: Names) -> list[Stmt]:
        """What an iteration gives names to has a name for each of them, but for what it hands on."""
        self.done += 1
        own = {s.target for s in loop.body if isinstance(s, Let)} - behind - at_the_end(loop, behind)
        found: list[Stmt] = []
        for count in counts(loop):
            names = {name: self.fresh(name) for name in sorted(own)}
            found += walk.substitute_in(walk.rename(loop.body, names), {loop.index: Const(count, INT)})
        return found


def counts(loop: For) -> range:
    """The counts of a loop that is written out; none of another one."""
    bounds = [e.value for e in (loop.start, loop.stop, loop.step) if isinstance(e, Const)]
    plain = all(isinstance(s, (Let, Move, Accum, Store)) for s in loop.body)
    if len(bounds) < 3 or not bounds[2] or loop.flag or loop.shared or not plain:
        return range(0)
    found = range(*bounds)
    is_short = len(found) <= LONGEST and len(found) * len(loop.body) <= MOST
    return found if is_short and _is_through_columns(loop) else range(0)


def _is_through_columns(loop: For) -> bool:
    """Whether a loop counts columns, in all the arrays of which it reads or writes elements, and does nothing else."""
    found = False
    for stmt in loop.body:
        if isinstance(stmt, Let) and not isinstance(getattr(stmt.value, "type", None), Scalar):
            return False
        places = [(stmt.base, stmt.index)] if isinstance(stmt, Store) else []
        exprs = [e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)]
        places += [e.args for e in exprs if isinstance(e, Call) and e.fn is operator.getitem]  # type: ignore[misc]
        for base, index in places:
            *before, last = items_of(index) or (Const(None),)
            if any(loop.index in walk.names(e) for e in before) or not isinstance(getattr(base, "type", None), Array):
                return False
            if loop.index in walk.names(last):
                if last != Var(loop.index, INT):
                    return False
                found |= bool(before)
    return found
