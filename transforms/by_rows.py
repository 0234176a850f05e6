"""by_rows: states that change places live in the rows of their record, one after the other. For machine code only.

``u_tape[t] = u``, then `v` is filled from `u`, and ``u, v = v, u``: `v` may as well be the next row of the record, and
nothing is copied but what a step leaves of `v` as it was: a border, which comes from the row before `u`.

Why it is right: a step that has recorded `u` writes to `v` alone, and to all of it but for such a border before it
reads any of it. The arrays are the loop's own, and behind it only `u` is read: the last row. The reverse works on
earlier ones. A single loop that writes to another array, too, keeps its arrays: machine code with vectors asks whether
the arrays of such a loop overlap, once for all iterations of the loop around it, and rows of one record would. Of nests
it asks that once a step.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.affine import linear
from srcad.analysis.beginnings import Beginning, begin_alike, handing, without
from srcad.analysis.boxes import Box, inside, rest, subscript, written
from srcad.analysis.buffers import stored_name, stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import values_of
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, If, Let, Move, Slice, Stmt, Store, Tuple, Var, hint,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT
from srcad.transforms.flatten import fresh_names
from srcad.transforms.from_records import record_of
from srcad.transforms.simplify import plus
from srcad.transforms.infer import typed
from srcad.transforms.next_row import LAST, dense, is_result, knows, larger, next_slot


def by_rows(fn: Function) -> Function:
    """Let states that change places be rows of their record.

    >>> from srcad.lang.types import FLOAT, Array
    >>> tape, t, i = Var("u~tape", Array("float64", ("m", "n"), "C")), Var("t", INT), Var("i", INT)
    >>> u, v = (Var(name, Array("float64", ("n",), "C")) for name in "uv")
    >>> made = (Let("u", Call(np.zeros, (Var("n", INT),), (), u.type)), Let("v", Call(np.empty_like, (u,), (), u.type)))
    >>> shape = Tuple((Const(9, INT), Var("n", INT)))
    >>> record = Let("u~tape", Call(np.empty, (shape,), (), tape.type))
    >>> fill = Store(v, i, Call(np.sin, (Call(operator.getitem, (u, i), (), FLOAT),), (), FLOAT))
    >>> step = For("i", Const(0, INT), Var("n", INT), Const(1, INT), (fill,))
    >>> body = (Store(tape, t, u), step, Move(("u", "v"), (v, u)))
    >>> loop = For("t", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> end = Return(Call(np.sum, (u,), (), FLOAT))
    >>> moved = name(by_rows(Function("f", (Param("n", INT),), (*made, record, loop, end))))
    >>> print(write(moved).text.split("np\\n\\n\\n")[1], end="")
    def f(n):
        u = np.zeros(n)
        u_tape = np.empty((9 + 1, n))
        u_tape[0] = u
        for t in range(9):
            u = u_tape[t]
            v = u_tape[t + 1]
            for i in range(n):
                v[i] = np.sin(u[i])
        u = u_tape[-1]
        return np.sum(u)
    """
    for position, loop in enumerate(fn.body):
        if isinstance(loop, For) and loop.flag is None:
            for record in loop.body:
                found = record_of(record)
                states = None if found is None else _States.of(fn, position, record, *found)
                if states is not None and (new := states.in_rows()) is not None:
                    return by_rows(new)
    return fn


@dataclass(frozen=True)
class _Left:
    """What an iteration leaves of the new state: `same` as in the old one, or else as in the one before that."""

    parts: list[Box]
    same: bool


@dataclass
class _States:
    """Two arrays that change places at the end of each iteration, the first of them recorded at its beginning."""

    fn: Function
    position: int
    loop: For
    record: Store
    tape: Var
    old: Var
    new: Var
    swap: Move
    classes: Classes
    fresh: Callable[[str], str]

    @staticmethod
    def of(fn: Function, position: int, record: Stmt, tape: Var, old: Var) -> _States | None:
        loop = fn.body[position]
        assert isinstance(loop, For) and isinstance(record, Store)
        for swap in loop.body:
            handed = dict(zip(swap.targets, swap.values)) if isinstance(swap, Move) else {}
            other = handed.get(old.name)
            if isinstance(swap, Move) and isinstance(other, Var) and handed.get(other.name) == old and other != old:
                used = {p.name for p in fn.params} | walk.assigned(fn.body)
                classes = Classes.of(fn.body)
                return _States(fn, position, loop, record, tape, old, other, swap, classes, fresh_names(used))
        return None

    def in_rows(self) -> Function | None:
        """The function where the arrays are rows."""
        before, after = self.fn.body[: self.position], self.fn.body[self.position + 1 :]
        made = [k for k, stmt in enumerate(before) if isinstance(stmt, Let) and stmt.target == self.tape.name]
        if len(made) != 1 or linear(self.record.index) is None:
            return None
        last = [s for s in after if isinstance(s, Store) and s.base == self.tape and s.value == self.old]
        more = before[made[0]] if last else larger(before[made[0]])
        after = tuple(stmt for stmt in after if stmt not in last)
        if more is None or not self.is_of_rows(before, after) or not self.are_own(before, after):
            return None
        left = self.left()
        before = (*before[: made[0]], more, *before[made[0] + 1 :])
        return None if left is None else self.written(before, after, left)

    # ------------------------------------------------------------ who else knows the arrays

    def is_state(self, name: str) -> bool:
        return self.classes.find(name) == self.classes.find(self.old.name)

    def are_own(self, before: Block, after: Block) -> bool:
        """Whether nobody else knows the memory of the arrays in the loop, and only the last state is read behind it."""
        states = {self.old.name, self.new.name}
        made = [found for name in states if (found := Beginning.of(before, name)) is not None]
        if len({each.place for each in made}) < 2 or self.old.type != self.new.type:
            return False
        known = {p.name for p in self.fn.params} | walk.assigned(before)
        others = {name for name in known - states if self.is_state(name)}
        inner = {name for name in walk.defined(self.loop.body) - states if self.is_state(name)}
        if others - {name for each in made for name in each.names} or inner & known:
            return False
        if any(knows(stmt, name) for name in others | inner for stmt in after) or any(
            knows(stmt, name) for name in others for stmt in self.loop.body
        ):
            return False
        bound = [s for s in walk.statements((*self.loop.body, *after)) if states & set(walk.targets(s))]
        moves = [s for s in walk.statements(self.loop.body) if isinstance(s, Move) and s is not self.swap]
        handed = {target for move in moves for target in move.targets}
        if bound != [self.swap] or handed & inner or any(knows(stmt, self.new.name) for stmt in after):
            return False
        return not is_result(self.fn, self.is_state)

    def is_of_rows(self, before: Block, after: Block) -> bool:
        """Whether a record is only written to by its loop, and read by the row."""
        name = self.tape.name
        for stmt in walk.statements((*before, *self.loop.body, *after)):
            if stmt is self.record or isinstance(stmt, Let) and stmt.target == name:
                continue
            if name in walk.targets(stmt) or stored_name(stmt) == name:
                return False
            if not all(_by_row(expr, name) for expr in walk.stmt_exprs(stmt)):
                return False
        return True

    # ------------------------------------------------------------ what an iteration writes

    def left(self) -> _Left | None:
        """What an iteration leaves of the new state as it was; None where it may read more of it than that."""
        body, lengths, new = self.loop.body, Lengths.of(self.fn), self.new
        end, start = body.index(self.swap), body.index(self.record)
        changed = {n for n in stored_names(body[start:]) if self.is_state(n)}
        if changed != {new.name} or any(mentions(s, n) for s in body[end + 1 :] for n in (self.old.name, new.name)):
            return None
        users = [k for k, stmt in enumerate(body[:end]) if knows(stmt, new.name)]
        boxes = {k: box for k in users if (box := written(body[k], new, lengths)) is not None}
        whole = [k for k, box in boxes.items() if all(span.is_inner() for span in box)]
        others = [k for k in users if k not in boxes]
        if not whole:
            return None
        largest = min(whole, key=lambda k: sum(span.start.number + span.stop.number for span in boxes[k]))
        if stored_names((body[largest],)) != {new.name} and not _is_nest(body[largest]):
            return None
        parts = list(rest(boxes[largest]))
        covers = {part: next((k for k, box in boxes.items() if inside(part, box)), None) for part in parts}
        last = max([largest, *(k for k in covers.values() if k is not None)])
        if any(k < largest and _reads(body[k], new.name) for k in others):
            return None
        fixed = new.name not in stored_names(tuple(body[k] for k in others)) and not any(k < last for k in others)
        parts = [part for part, cover in covers.items() if cover is None or not fixed]
        same = fixed and begin_alike(self.fn.body[: self.position], self.old.name, new.name, self.classes)
        return _Left(parts, same and self.old.name not in stored_names(body))

    # ------------------------------------------------------------ the function anew

    def written(self, before: Block, after: Block, left: _Left) -> Function:
        record, states = self.record, {self.old.name, self.new.name}
        old, new, end = (Var(self.fresh(hint(s.name)), dense(s)) for s in (self.old, self.new, self.old))
        body = [self.row(old, record.index), self.row(new, next_slot(record.index)), *self.copies(left, old, new)]
        for stmt in self.loop.body:
            kept = handing(stmt, states) if stmt is self.swap else stmt
            if kept is not None and stmt is not record:
                body += walk.substitute_in((kept,), {self.old.name: old, self.new.name: new})
        first: list[Stmt] = [Store(self.tape, Const(0, INT), self.old, record.origin)]
        made = Beginning.of(before, self.new.name)
        assert made is not None
        if left.parts and not left.same and not made.is_made_by(np.empty, np.empty_like):
            first.append(Store(self.tape, Slice(Const(1, INT), Const(2, INT)), self.new, record.origin))
        after = walk.rename(after, {self.old.name: end.name, self.new.name: end.name})
        whole: Block = (*before, *first, replace(self.loop, body=tuple(body)), self.row(end, LAST), *after)
        for name in reversed(made.names):
            whole = without(whole, name)
        return replace(self.fn, body=whole)

    def copies(self, left: _Left, old: Var, new: Var) -> list[Stmt]:
        """What brings to the next row what an iteration leaves as it was."""
        origin, slot = self.record.origin, self.record.index
        if left.same or not left.parts:
            return [_copy(new, part, old, origin) for part in left.parts]
        earlier = Var(self.fresh(hint(self.new.name)), new.type)
        copies = [_copy(new, part, earlier, origin) for part in left.parts]
        test = Call(operator.gt, (slot, Const(0, INT)), (), BOOL)
        return [If(test, (self.row(earlier, plus(slot, -1)), *copies), (), origin)]

    def row(self, name: Var, slot: Expr) -> Let:
        return Let(name.name, Call(operator.getitem, (self.tape, slot), (), name.type), self.record.origin)


def _is_nest(stmt: Stmt) -> bool:
    return isinstance(stmt, For) and any(isinstance(inner, For) for inner in stmt.body)


def _copy(to: Var, box: Box, of: Var, origin: Origin) -> Store:
    part = subscript(box)
    return Store(to, part, typed(Call(operator.getitem, (of, part))), origin)


def _reads(stmt: Stmt, name: str) -> bool:
    """Whether a statement uses an array otherwise than to store elements."""
    for inner in walk.statements((stmt,)):
        exprs = (inner.index, inner.value) if isinstance(inner, Store) else walk.stmt_exprs(inner)
        if any(name in values_of(expr) for expr in exprs):
            return True
    return False


def _by_row(expr: Expr, tape: str) -> bool:
    """Whether an expression reads a record in rows that are counted from the first one, or the length of its rows."""
    match expr:
        case Var(name):
            return name != tape
        case Call(operator.getitem, (Attr(Var(), "shape"), Const(int() as axis))) if axis > 0:
            return True
        case Call(operator.getitem, (Var(name), index)) if name == tape:
            first = index.items[0] if isinstance(index, Tuple) else index
            counted = not isinstance(first, (Slice, Const))
            return counted and tape not in walk.names(index)
        case Call(_, args, kwargs):
            return all(_by_row(e, tape) for e in (*args, *(value for _, value in kwargs)))
    return tape not in walk.names(expr)
