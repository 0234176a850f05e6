"""places_first: which row an array of indices names for a whole loop is read before that loop; part of `blocks`. For
machine code only.

In ``for j in range(m): b[idx[i], j] += a[idx[i], j]`` the compiler cannot know that `b` and `idx` are apart, and would
read ``idx[i]`` again for each element, one at a time; with a name for it, the loop becomes vector instructions.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace

from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Effect, Expr, For, Function, If, Let, Stmt, Store, Var, While
from srcad.lang.types import REAL, Array, Scalar

_SUMS = (operator.add, operator.sub)


def places_first(fn: Function) -> Function:
    """Read the rows that arrays of indices name before the loops along these rows.

    >>> from srcad.lang.ir import Param, Tuple
    >>> from srcad.lang.types import FLOAT, INT
    >>> a, b = (Var(name, Array("float64", ("n", "m"), "C")) for name in "ab")
    >>> idx = Var("idx", Array("int64", ("k",), "C"))
    >>> i, j, k, m = (Var(name, INT) for name in "ijkm")
    >>> def at(a, *k): return Call(operator.getitem, (a, Tuple(k) if len(k) > 1 else k[0]), (), FLOAT)
    >>> place = replace(at(idx, i), type=INT)
    >>> inner = For("j", Const(0, INT), m, Const(1, INT), (Accum(at(b, place, j), at(a, place, j)),))
    >>> outer = For("i", Const(0, INT), k, Const(1, INT), (inner,))
    >>> params = tuple(Param(v.name, v.type) for v in (a, b, idx, k, m))
    >>> from srcad.lang.write import write
    >>> print(write(places_first(Function("f", params, (outer,)))).text, end="")
    def f(a, b, idx, k, m):
        for i in range(k):
            place = idx[i]
            for j in range(m):
                b[place, j] += a[place, j]
    """
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    free = (name for k in itertools.count() if (name := f"place_{k}" if k else "place") not in used)
    return replace(fn, body=_First(free).block(fn.body, (), frozenset()))


@dataclass
class _First:
    free: Iterator[str]  # names for places

    def block(self, block: Block, loops: tuple[str, ...], changed: frozenset[str]) -> Block:
        """A block inside loops with these counters, which assign what has `changed`."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case For(index, body=body):
                    own = {index, *walk.assigned(body)}
                    named = self.named(stmt, loops, changed, own) if loops else {}
                    result += [Let(place.name, value, stmt.origin) for value, place in named.items()]
                    stmt = replace(stmt, body=self.block(body, (*loops, index), changed | own))
                    stmt = _with_names(stmt, named) if named else stmt
                case While(body=body):
                    stmt = replace(stmt, body=self.block(body, loops, changed | walk.assigned(body)))
                case If(_, then, orelse):
                    then, orelse = (self.block(side, loops, changed) for side in (then, orelse))
                    stmt = replace(stmt, then=then, orelse=orelse)
            result.append(stmt)
        return tuple(result)

    def named(self, loop: For, loops: tuple[str, ...], changed: frozenset[str], own: set[str]) -> dict[Expr, Var]:
        """Names for the places that all iterations of a loop read alike.

        The loops around it go around this one alike, too, however often that is: no place is read that was not read.
        """
        bounds = (loop.start, loop.stop, loop.step)
        if any(walk.names(bound) & changed for bound in bounds) or not _writes_numbers(loop.body):
            return {}
        found = dict.fromkeys(e for stmt in loop.body for e in _places(stmt) if _is_steady(e, loops, own))
        return {e: Var(next(self.free), e.type) for e in found}  # type: ignore[union-attr]


def _with_names(stmt: Stmt, named: dict[Expr, Var]) -> Stmt:
    return walk.map_stmt(lambda e: walk.map_expr(lambda part: named.get(part, part), e), stmt)


def _writes_numbers(block: Block) -> bool:
    """Whether a block writes to nothing but arrays of numbers that are no indices."""
    for stmt in walk.statements(block):
        array = stmt.base if isinstance(stmt, Store) else None
        if isinstance(stmt, Accum) and isinstance(stmt.target, Call):
            array = stmt.target.args[0]
        if isinstance(stmt, Effect) or array is not None and getattr(array.type, "dtype", None) not in REAL:  # type: ignore
            return False
    return True


def _places(stmt: Stmt) -> Iterator[Expr]:
    """The elements of arrays of indices that are subscripts in a statement, wherever control goes."""
    if isinstance(stmt, (If, For, While)):
        return
    indices = [stmt.index] if isinstance(stmt, Store) else []
    for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
        if isinstance(e, Call) and e.fn is operator.getitem and isinstance(e.args[0], Var):
            indices.append(e.args[1])
    for item in (item for index in indices for item in items_of(index)):
        match item:
            case Call(operator.getitem, (Var(_, Array()), _), (), Scalar(dtype)) if dtype.startswith(("int", "uint")):
                yield item


def _is_steady(place: Expr, loops: tuple[str, ...], own: set[str]) -> bool:
    """Whether a place is named by counters of loops around, and an array that the loop does not make."""
    assert isinstance(place, Call)
    return not walk.names(place) & own and all(_counts(item, loops) for item in items_of(place.args[1]))


def _counts(item: Expr, loops: tuple[str, ...]) -> bool:
    match item:
        case Var(name):
            return name in loops
        case Const(int()):
            return True
        case Call(fn, args, ()) if fn in _SUMS:
            return all(_counts(arg, loops) for arg in args)
    return False
