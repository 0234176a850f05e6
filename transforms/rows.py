"""rows: array statements that go through the same rows, and reduce them, become one loop. For machine code only.

``d = np.sum((x[:, None, :] - c[None]) ** 2, axis=2)`` makes three arrays with an element for each triple, and
``np.min(d, axis=1)`` reads one more. One row at a time, they are as large as a row, and `elementwise`, which comes
behind, makes numbers of what is left.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.bounds import Bounds
from srcad.analysis.buffers import stored_name
from srcad.analysis.live import Names, live
from srcad.analysis.pairs import Pairs
from srcad.analysis.regions import Regions
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, new_array
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Function, Let, Stmt, Var
from srcad.lang.types import INT, Array, Dim, Scalar
from srcad.runtime import sum_to
from srcad.transforms.additions import as_additions
from srcad.transforms.elementwise import WINDOW, bound_again, by_one_name, delayed, is_list
from srcad.transforms.flatten import fresh_names
from srcad.transforms.passing import Facts, Other, in_front, inside, is_light
from srcad.transforms.row import axes_of, is_reduction
from srcad.transforms.row_lines import RowLines, is_own_part
from srcad.transforms.row_loops import Group, Loop
from srcad.transforms.row_moves import moved
from srcad.transforms.scatter import scatter
from srcad.transforms.rowwise import Row, added_to_twice, is_filled, sums_into, sums_rows, without_unread

NEAR = 16  # statements that may be put in front of a loop, so that others reach it


def rows(fn: Function) -> Function:
    """Write array statements as loops over rows, where rows are reduced.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> x = Var("x", Array("float64", ("n", "m"), "C"))
    >>> square = Call(operator.mul, (x, x), (), x.type)
    >>> norms = Call(np.sum, (square,), (("axis", Const(1, INT)),), Array("float64", ("n",), "C"))
    >>> total = Call(np.sum, (Call(np.sqrt, (Var("s", norms.type),), (), norms.type),), (), FLOAT)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = Function("f", (Param("x", x.type),), (Let("s", norms), Return(total)))
    >>> print(write(name(rows(fn))).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        sum_sqrt_s = 0.0
        for i in range(x.shape[0]):
            s = np.sum(x[i] * x[i])
            sum_sqrt_s += np.sqrt(s)
        return sum_sqrt_s
    """
    if not any(_reduces(e) for s in walk.statements(fn.body) for whole in walk.stmt_exprs(s)
               for e in walk.subexprs(whole)):  # fmt: skip
        return fn
    fn = replace(fn, body=as_additions(fn.body))
    assigned = walk.assigned(fn.body)
    used = {p.name for p in fn.params} | assigned
    lists = frozenset(n for s in walk.statements(fn.body) if is_list(s) for n in walk.targets(s))
    lengths = {dim: axis_length(Var(p.name, p.type), axis) for p in reversed(fn.params) if isinstance(p.type, Array)
               and p.name not in assigned for axis, dim in enumerate(p.type.shape)}
    known = Regions(lists=lists, bounds=Bounds.of(fn))
    weaver = _Weaver(Facts(Pairs.of(fn.body)), fresh_names(used), lists, lengths, bound_again(fn.body))
    return replace(fn, body=scatter(without_unread(weaver.block(fn.body, frozenset(), known))))


def _reduces(expr: Expr) -> bool:
    return isinstance(expr, Call) and is_reduction(expr) and bool(axes_of(expr))


@dataclass
class _Weaver:
    facts: Facts
    fresh: Callable[[str], str]
    lists: frozenset[str]  # names of what is no array: records that are lists of arrays
    lengths: dict[Dim, Call]  # what arguments tell
    again: frozenset[str]  # names that several statements assign

    def block(self, block: Block, after: Names, regions: Regions) -> Block:
        """A block with loops over rows; `after` is read behind it."""
        lines = RowLines(self.facts, self.fresh, regions, self.lengths)
        inner: list[Stmt] = []
        split: list[Other] = []
        block = by_one_name(self.begun(block), after, self.again)
        for stmt, behind in zip(block, live(block, after)):
            inner.append(inside(stmt, behind, regions, self.block))
            split += lines.of(inner[-1])
        split = _read(split, after)
        late = {id(item) for item in split if is_filled(item)}  # statements that stand best before what reads them
        apart = added_to_twice(split)  # statements for which no loop is worth it
        while any(isinstance(item, Row) and id(item) not in apart for item in split):
            items: list[Group | Other] = []
            for item in delayed(split, late, self.facts):
                self.place(item, items, apart)
            found = self.written(moved(items, after, self.facts), after, apart, late)
            if found is not None:
                return _ended(found)
        return _ended(tuple(inner))

    def begun(self, block: Block) -> Block:
        """A block in which sums of rows to which rows are added begin as zeros: one loop can add both."""
        result: list[Stmt] = []
        for position, stmt in enumerate(block):
            match stmt:
                case Let(target, Call(type=Array()) as value) if sums_rows(value):
                    begin = self.zeros(value)
                    if begin is not None and _is_added_to(target, block[position + 1 :]):
                        zeros = Let(target, begin, stmt.origin)
                        self.facts.pairs.add(zeros)
                        result.append(zeros)
                        stmt = Accum(Var(target, value.type), value, stmt.origin)
            result.append(stmt)
        return tuple(result)

    def zeros(self, total: Call) -> Call | None:
        """Zeros of the shape of a sum of rows, if something is there that has that shape or arguments tell it."""
        kind = total.type
        assert isinstance(kind, Array)
        if total.fn is sum_to:
            like = total.args[1]
            same = replace(like.type, layout=kind.layout) == kind  # type: ignore
            return Call(np.zeros_like, (like,), (), kind) if same else None
        told = [Const(dim, INT) if isinstance(dim, int) else self.lengths.get(dim) for dim in kind.shape]
        known = [length for length in told if length is not None]
        return new_array(np.zeros, index_of(known), kind) if len(known) == len(told) else None

    def place(self, item: Other, items: list[Group | Other], apart: set[int]) -> None:
        """Put a statement into the latest loop that it can reach, and light ones before loops that they can pass."""
        best = len(items)
        by_row = isinstance(item, Row) and id(item) not in apart
        light = _is_number(item.stmt) or is_light(item.stmt) and (not by_row or is_filled(item))
        for position in range(len(items) - 1, max(-1, len(items) - WINDOW), -1):
            found = items[position]
            if isinstance(found, Group) and by_row and found.takes(item, self.facts):  # type: ignore[arg-type]
                found.add(item)  # type: ignore[arg-type]
                return
            if not self.facts.commute(found, item):
                if by_row and self.reaches(item, items, position):  # type: ignore[arg-type]
                    return
                break
            if isinstance(found, Group) and light:
                best = position
        items.insert(best, Group.of(item) if by_row else item)  # type: ignore[arg-type]

    def reaches(self, row: Row, items: list[Group | Other], end: int) -> bool:
        """Put a statement into an earlier loop, if what it needs of what stands behind that can stand before it."""
        for position in range(end - 1, max(-1, end - 1 - NEAR), -1):
            found = items[position]
            if isinstance(found, Group) and found.takes(row, self.facts):
                changed = in_front(items, position, row, self.facts)
                if changed is not None:
                    items[:] = changed
                    found.add(row)
                    return True
        return False

    def written(self, items: list[Group | Other], after: Names, apart: set[int], late: set[int]) -> Block | None:
        """The statements and loops; None if some had better stand `apart`, or `late`."""
        behind = live(tuple(stmt for item in items for stmt in item.stmts), after)
        result: list[Stmt] = []
        position, known = 0, (set(apart), set(late))
        for item in items:
            position += len(item.stmts)
            loop = None
            if isinstance(item, Group):
                loop = self.loop(item, behind[position - 1]) if item.gains() else None
                idle = set() if loop else set(map(id, item.rows[:1] if item.gains_later(items) else item.rows))
                waiting = {id(row) for row in item.rows if isinstance(row.stmt, Let)} & idle - late
                apart |= idle - waiting
                late |= waiting
            result += loop or item.stmts
        return tuple(result) if (apart, late) == known else None

    def loop(self, group: Group, behind: Names) -> Block | None:
        """A loop over rows, in which rows may be such arrays again."""
        written = Loop(group, behind, self.fresh).written()
        if written is None:
            return None
        for stmt in walk.statements(written):
            self.facts.pairs.add(stmt)
        *before, loop = written
        return (*before, inside(loop, behind, Regions(lists=self.lists), self.block))


def _ended(block: Block) -> Block:
    """A block in which sums of rows that no loop adds up are there at once, and do not begin as zeros."""
    result: list[Stmt] = []
    for stmt in block:
        match result[-1] if result else None, stmt:
            case Let(name, Call(np.zeros_like)), Accum(Var(own), value) if own == name:
                if sums_rows(value) and value.fn is sum_to and name not in walk.names(value):  # type: ignore[union-attr]
                    stmt = Let(name, value, stmt.origin)
                    result.pop()
        result.append(stmt)
    return tuple(result)


def _is_added_to(name: str, behind: Block) -> bool:
    """Whether the next statement that knows an array adds rows to it, and no sum of rows."""
    following = next((s for s in behind if name in {*walk.assigned((s,)), *walk.read_in((s,))}), None)
    if not isinstance(following, Accum) or name in walk.names(following.value):
        return False
    return stored_name(following) == name and not sums_into(following.target, following.value)


def _is_number(stmt: Stmt) -> bool:
    """Whether a statement computes a number, which takes no room wherever that is done."""
    return isinstance(stmt, Let) and isinstance(getattr(stmt.value, "type", None), Scalar)


def _read(split: list[Other], after: Names) -> list[Other]:
    """The statements without names for parts of arrays that nobody reads any more."""
    pairs = zip(split, live(tuple(item.stmt for item in split), after))
    return [item for item, behind in pairs if not (isinstance(stmt := item.stmt, Let)
            and is_own_part(stmt.value) and stmt.target not in behind)]  # fmt: skip
