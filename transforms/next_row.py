"""next_row: the states of a time step in place live in the rows of its record. For machine code only.

``u_tape[t] = u`` and then ``u[1:-1] = ...``, of what was recorded: the step may as well write to ``u_tape[t + 1]``.
Then all that is copied is what it leaves as it was, the elements at the edges. A loop is such a step, too, if it reads
what none of its iterations has written yet, ``u[i] = c * u[i + 1]`` upwards.

Why it is right: the array is the loop's own, no other name from before the loop reaches it, so only its contents
matter. The next row has them, at first in part: the step writes to the rest before it reads any. The iterations write
to rows that come later than those that they have recorded. The reverse, which works on one row an iteration, begins
when all are done, and never comes to the last row: the state in the end.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.affine import least, linear
from srcad.analysis.buffers import views_of
from srcad.analysis.classes import Classes
from srcad.analysis.contents import values_of
from srcad.lang.arrays import items_of, tuple_of_ints
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, Let, Return, Slice, Stmt, Store, Tuple, Var, hint,
)  # fmt: skip
from srcad.lang.types import INT, Array
from srcad.transforms.flatten import fresh_names
from srcad.transforms.from_records import record_of
from srcad.transforms.infer import typed
from srcad.transforms.simplify import plus
from srcad.transforms.steps import counts, from_old, goes_ahead, upwards

ONE, LAST = Const(1, INT), Const(-1, INT)


def next_row(fn: Function) -> Function:
    """Let a step in place write to the next row of the record.

    >>> from srcad.lang.types import FLOAT
    >>> tape, t = Var("u~tape", Array("float64", ("m", "n"), "C")), Var("t", INT)
    >>> u, old = (Var(name, Array("float64", ("n",), "C")) for name in ("u", "u.1"))
    >>> shape = tuple_of_ints((Const(9, INT), Const(4, INT)))
    >>> first = Let("u", Call(np.zeros, (Const(4, INT),), (), u.type))
    >>> made = (first, Let("u~tape", Call(np.empty, (shape,), (), tape.type)))
    >>> read = Let("u.1", Call(operator.getitem, (tape, t), (), old.type))
    >>> body = (Store(tape, t, u), read, Store(u, Slice(Const(1, INT), None), Const(2.0, FLOAT)))
    >>> loop = For("t", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> moved = name(next_row(Function("f", (), (*made, loop, Return(Call(np.sum, (u,), (), FLOAT))))))
    >>> print(write(moved).text.split("np\\n\\n\\n")[1], end="")
    def f():
        u = np.zeros(4)
        u_tape = np.empty((9 + 1, 4))
        u_tape[0] = u
        for t in range(9):
            u = u_tape[t]
            u_1 = u_tape[t + 1]
            u_1[:1] = u[:1]
            u_1[1:] = 2.0
        u = u_tape[-1]
        return np.sum(u)
    """
    done: set[str] = set()
    while True:
        for position, stmt in enumerate(fn.body):
            found = _first(fn, position, stmt, done) if isinstance(stmt, For) and stmt.flag is None else None
            if found is not None:
                fn = found
                break
        else:
            return fn


def _first(fn: Function, position: int, loop: For, done: set[str]) -> Function | None:
    """The function where one more of the states that a loop records lives in its record."""
    for place, stmt in enumerate(loop.body):
        found = record_of(upwards(stmt))
        if found is None:
            continue
        assert isinstance(stmt, Store)
        tape, state = found
        earlier = loop.body[:place]
        known = any(knows(s, state.name) for s in earlier) or walk.assigned(earlier) & walk.names(stmt.index)
        if tape.name not in done and not known:
            done.add(tape.name)
            new = _State(fn, position, loop, place, tape, state).moved()
            if new is not None:
                return new
    return None


@dataclass
class _State:
    """One state and its record."""

    fn: Function
    position: int
    loop: For
    place: int  # of the statement that records
    tape: Var
    state: Var

    def __post_init__(self) -> None:
        self.before, self.after = self.fn.body[: self.position], self.fn.body[self.position + 1 :]
        self.classes = Classes.of(self.fn.body)
        self.fresh: Callable[[str], str] = fresh_names({p.name for p in self.fn.params} | walk.assigned(self.fn.body))
        store = self.loop.body[self.place]
        assert isinstance(store, Store)
        self.slot, self.origin = store.index, store.origin

    def moved(self) -> Function | None:
        made = [k for k, stmt in enumerate(self.before) if isinstance(stmt, Let) and stmt.target == self.tape.name]
        if len(made) != 1 or not self.is_of_rows():
            return None
        more = larger(self.before[made[0]])
        if more is None or is_result(self.fn, self.is_state):
            return None
        self.before = (*self.before[: made[0]], more, *self.before[made[0] + 1 :])
        return self.in_place()

    # ------------------------------------------------------------ what else knows the arrays

    def is_of_rows(self) -> bool:
        """Whether a record is only written to by its loop, and read row by row."""
        for stmt in walk.statements(self.fn.body):
            if stmt is self.loop.body[self.place]:
                continue
            if self.tape.name in walk.targets(stmt) and not (isinstance(stmt, Let) and stmt in self.before):
                return False
            match stmt:
                case Let(_, Call(operator.getitem, (Var(name), Var() | Call() as index))) if name == self.tape.name:
                    if name not in walk.names(index):
                        continue
            if any(_uses(expr, self.tape.name) for expr in walk.stmt_exprs(stmt)):
                return False
        return True

    def is_state(self, name: str) -> bool:
        return self.classes.find(name) == self.classes.find(self.state.name)

    def others(self, known: set[str]) -> bool:
        """Whether names from before the loop, but for those that are `known`, may stand for the arrays."""
        names = {p.name for p in self.fn.params} | walk.assigned(self.before)
        return any(self.is_state(name) for name in names - known)

    def own(self, name: str) -> bool:
        """Whether a name is bound once, before the loop, to an array made there."""
        made = [s for s in walk.statements(self.fn.body) if name in walk.targets(s) and not isinstance(s, Store)]
        match made:
            case [Let(_, Call() as value) as let] if let in self.before:
                return not views_of(value) and isinstance(value.type, Array)
        return False

    # ------------------------------------------------------------ the function anew

    def in_place(self) -> Function | None:
        state, body = self.state, self.loop.body
        if not self.own(state.name) or self.others({state.name}) or not counts(self.slot, self.loop):
            return None
        index = next((k for k in range(self.place + 1, len(body)) if knows(body[k], state.name)), None)
        write = None if index is None else body[index]
        left = self.left(write)
        if left is None or index is None:
            return None
        rest = list(body[: self.place] + body[self.place + 1 :])
        old, new = (Var(self.fresh(hint(state.name)), dense(state)) for _ in range(2))
        known = self.row(old, self.slot)
        match body[self.place + 1]:
            case Let(name, value) as read if value == known.value:
                known, old = read, Var(name, old.type)
                rest.remove(read)
        if isinstance(write, For):
            place = next(k for k, stmt in enumerate(rest) if stmt is write)
            rest[place] = replace(write, body=tuple(from_old(s, state, old) for s in write.body))
        views = (known, self.row(new, next_slot(self.slot)))
        copies = [Store(new, part, typed(Call(operator.getitem, (old, part))), self.origin) for part in left]
        return self.written((*views, *copies, *walk.substitute_in(tuple(rest), {state.name: new})))

    def left(self, write: Stmt | None) -> list[Expr] | None:
        """Subscripts for what a step does not write to; None where it reads what it has written."""
        match write:
            case Store(base, index, value) if base == self.state and self.state.name not in walk.names(value):
                return None if self.state.name in walk.names(index) else _left(index, dense(self.state).ndim)
            case For(flag=None, step=Const(1)) if dense(self.state).ndim == 1 and goes_ahead(write, self.state):
                start, stop = write.start, write.stop
                if not isinstance(start, Const) or start.value < 0 or self.state.name in values_of(stop):
                    return None
                if walk.names(stop) & walk.assigned(self.loop.body):
                    return None
                known = least(linear(stop) or (self.tape.name, 0), (self.loop,))
                end = stop if known is not None and known >= start.value else Call(max, (start, stop), (), INT)
                return [*([Slice(None, start)] if start.value else []), Slice(end, None)]
        return None

    def row(self, name: Var, slot: Expr) -> Let:
        return Let(name.name, Call(operator.getitem, (self.tape, slot), (), dense(name)), self.origin)

    def written(self, body: Block) -> Function:
        """The function with a loop whose states are rows; behind it, the last row is the state."""
        end = Var(self.fresh(hint(self.state.name)), dense(self.state))
        first = Store(self.tape, Const(0, INT), self.state, self.origin)
        after = walk.rename(self.after, {self.state.name: end.name})
        loop = replace(self.loop, body=body)
        return replace(self.fn, body=(*self.before, first, loop, self.row(end, LAST), *after))


def is_result(fn: Function, is_state: Callable[[str], bool]) -> bool:
    """Whether a state, or a part of it, is a result."""
    last = fn.body[-1]
    values = [last.value] if isinstance(last, Return) else []
    while values:
        value = values.pop()
        if isinstance(value, Tuple):
            values += value.items
        elif any(is_state(name) for base in views_of(value) for name in walk.names(base)):
            return True
    return False


def dense(array: Var) -> Array:
    assert isinstance(array.type, Array)
    return replace(array.type, layout="C")


def larger(stmt: Stmt) -> Let | None:
    """A record with one more row."""
    match stmt:
        case Let(_, Call(np.empty, (Tuple((trips, *dims)) as shape, *more)) as value):
            rows = Call(operator.add, (trips, ONE), (), INT)
            return replace(stmt, value=replace(value, args=(replace(shape, items=(rows, *dims)), *more)))
    return None


def next_slot(slot: Expr) -> Expr:
    match slot:
        case Call(operator.sub, (number, Const(1))):
            return number
    return plus(slot, 1)


def _uses(expr: Expr, name: str) -> bool:
    """Whether an expression uses a record otherwise than for the length of its rows."""
    match expr:
        case Call(operator.getitem, (Attr(Var(), "shape"), Const(int() as axis))):
            return axis == 0 and name in walk.names(expr)
        case Call(_, args, kwargs):
            return any(_uses(e, name) for e in (*args, *(value for _, value in kwargs)))
    return name in walk.names(expr)


def knows(stmt: Stmt, name: str) -> bool:
    """Whether a statement uses an array for more than its shape."""
    every = list(walk.statements((stmt,)))
    read = any(name in values_of(e) for s in every for e in walk.stmt_exprs(s))
    return read or any(name in walk.targets(s) for s in every)


def _left(index: Expr, rank: int) -> list[Expr] | None:
    """Subscripts for what slices from and to constants leave of an array."""
    items = list(items_of(index))
    if len(items) > rank or not all(isinstance(item, Slice) for item in items):
        return None
    found: list[Expr] = []
    for axis, item in enumerate(items):
        assert isinstance(item, Slice)
        parts = (item.lower, item.upper, item.step)
        low, high, step = (None if e is None or walk.is_const(e, None) else e for e in parts)
        if not (step is None or walk.is_const(step, 1)):
            return None
        edges = []
        if low is not None:
            if not (isinstance(low, Const) and type(low.value) is int and low.value >= 0):
                return None
            edges += [Slice(None, low)] if low.value else []
        if high is not None:
            if not (isinstance(high, Const) and type(high.value) is int and high.value < 0):
                return None
            edges.append(Slice(high, None))
        for edge in edges:
            every = (*items[:axis], edge)
            found.append(edge if axis == 0 else tuple_of_ints(every))
    return found
