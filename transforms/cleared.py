"""cleared: what each iteration clears and the next one adds to first is written there. For machine code only.

``u_bar, v_bar = v_bar, u_bar``, then a loop takes each ``v_bar[i]``, clears it, and adds to ``u_bar[i]``: in the next
iteration of the time loop, `u_bar` is what was cleared. So it may as well be assigned, and nothing need be cleared
before the loop is done. An array is then only read and the other one only written to, which makes vectors easy.
"""

from __future__ import annotations

import builtins
import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.beginnings import Beginning
from srcad.analysis.boxes import END, FIRST, Box, Place, Span, apart, box_of, covers, rest, subscript, visited
from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import values_of
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, For, Function, If, Let, Move, Slice, Stmt, Store, Var, select,
)  # fmt: skip
from srcad.lang.types import FLOAT, INT, Array, Scalar
from srcad.transforms.hoist import runs
from srcad.transforms.next_row import knows


def cleared(fn: Function) -> Function:
    """Let loops assign what the last iteration cleared.

    >>> from srcad.lang.ir import Param, Return
    >>> u, v = (Var(name, Array("float64", ("n",), "C")) for name in "uv")
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> def at(a): return Call(operator.getitem, (a, i), (), FLOAT)
    >>> taken = Let("x", at(v)), Store(v, i, Const(0.0, FLOAT))
    >>> add = Accum(at(u), Call(np.sin, (Var("x", FLOAT),), (), FLOAT))
    >>> step = For("i", Const(0, INT), n, Const(1, INT), (*taken, add))
    >>> loop = For("t", Const(0, INT), Const(9, INT), Const(1, INT), (Move(("u", "v"), (v, u)), step))
    >>> made = (Let("u", Call(np.ones, (n,), (), u.type)), Let("v", Call(np.zeros_like, (u,), (), v.type)))
    >>> from srcad.lang.write import write
    >>> fn = cleared(Function("f", (Param("n", INT),), (*made, loop, Return(u))))
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(n):
        u = np.ones(n)
        v = np.zeros_like(u)
        for t in range(9):
            u, v = v, u
            for i in range(n):
                x = v[i]
                u[i] = np.sin(x)
        return u
    """
    for position, loop in enumerate(fn.body):
        if not isinstance(loop, For) or loop.flag is not None:
            continue
        for swap in loop.body:
            handed = walk.bindings(swap) if isinstance(swap, Move) else []
            for one, two in handed:
                if isinstance(two, Var) and one != two.name and (two.name, Var(one, two.type)) in handed:
                    new = _Turns(fn, position, loop, swap, Var(one, two.type), two).assigned()
                    if new is not None:
                        return cleared(new)
    return fn


@dataclass
class _Turns:
    """Two arrays that change places at the beginning of each iteration: one is added to, one taken from and cleared."""

    fn: Function
    position: int
    loop: For
    swap: Stmt
    added: Var
    taken: Var

    def assigned(self) -> Function | None:
        """The function with an assignment."""
        body, lengths = self.loop.body, Lengths.of(self.fn)
        before, after = self.fn.body[: self.position], self.fn.body[self.position + 1 :]
        start = body.index(self.swap) + 1
        clearings = self.clearings(body[start:], lengths)
        if clearings is None or not self.is_own(body[: start - 1]):
            return None
        done = [one for one in clearings if one.looped and all(one is o or apart(one.box, o.box) for o in clearings)]
        users = [k for k in range(start, len(body)) if mentions(body[k], self.added.name)]
        filled = bool(users) and _fills(body[users[0]], self.added)
        empty: Box | None = None
        if filled or covers([one.box for one in clearings]):
            empty = tuple(Span() for _ in clearings[0].box)
        elif len(done) == 1:
            empty = done[0].box
        if empty is None or not done or not (filled or self.begins_with_zeros(before)):
            return None
        found = self.first(users[filled:], empty, lengths)
        opened = None if found is None else self.opened(*found, filled, done)
        if found is None or opened is None:
            return None
        place, accum, *_ = found
        assert isinstance(accum.target, Call)
        store = Store(self.added, accum.target.args[1], accum.value, accum.origin)
        dropped = {id(one.store) for one in done} | ({id(body[users[0]])} if filled else set())
        new = [*opened, *body[place:]]
        loop = replace(self.loop, body=tuple(_with(s, dropped, accum, store) for s in new if id(s) not in dropped))
        known = any(knows(stmt, self.taken.name) for stmt in after)
        end = [_zero(self.taken, one.box, one.store) for one in done if known]
        return replace(self.fn, body=(*before, loop, *end, *after))

    def first(self, users: list[int], empty: Box, lengths: Lengths) -> tuple[int, Accum, Box, Box] | None:
        """The loop that is the first to add to many elements, what it adds, where, and what is empty until then."""
        for k in users:
            found = visited(self.loop.body[k], self.added, lengths)
            if found is None or not isinstance(found[0], Accum):
                return None
            if isinstance(self.loop.body[k], For):
                return k, found[0], found[1], empty
            if apart(found[1], empty):
                continue
            if found[1] == (Span(FIRST, Place(1)),) and empty[0].start == FIRST:
                empty = (Span(Place(1), empty[0].stop),)
            elif found[1] == (Span(Place(1, True), END),) and empty[0].stop == END:
                empty = (Span(empty[0].start, Place(1, True)),)
            else:
                return None
        return None

    def opened(
        self, place: int, accum: Accum, box: Box, empty: Box, filled: bool, done: list[Clearing]
    ) -> list[Stmt] | None:
        """What stands before a loop, so that it may assign; None if it may not."""
        body = list(self.loop.body[:place])
        if all(span == Span() for span in empty):
            return [*body, *(_zero(self.added, part, accum) for part in rest(box))]
        if box == empty:
            return None if filled else body
        loop = self.loop.body[place]
        inside = {id(s) for s in walk.statements((loop,))}
        if len(box) > 1 or filled or not isinstance(loop, For) or not all(id(one.store) in inside for one in done):
            return None
        (wanted,), (known,) = box, empty
        if not (wanted.is_inner() and known.is_inner() and known.stop.after(wanted.stop)):
            return None
        test = runs(loop)
        if wanted.start != known.start:  # one element more, which keeps what it has
            opening = _carried(body, loop, accum) if wanted.start.moved(1) == known.start else None
            made = None if opening is None else body[opening]
            if opening is None or not isinstance(made, Let):
                return None
            kept = Call(operator.getitem, (self.added, Const(wanted.start.number, INT)), (), FLOAT)
            value = kept if test is None else Call(select, (test, kept, Const(0.0, FLOAT)), (), FLOAT)
            body[opening] = replace(made, value=value)
        if wanted.stop != known.stop:
            zero = _zero(self.added, (Span(wanted.stop, known.stop),), accum)
            body.append(zero if test is None else If(test, (zero,), (), zero.origin))
        return body

    def clearings(self, body: Block, lengths: Lengths) -> list[Clearing] | None:
        """Where an iteration clears what it has taken: the last things that it does with the array."""
        users = [stmt for stmt in body if mentions(stmt, self.taken.name)]
        for start in range(len(users)):
            found = self.parsed(users[start:], lengths)
            if found is not None:
                return found
        return None

    def parsed(self, users: list[Stmt], lengths: Lengths) -> list[Clearing] | None:
        found: list[Clearing] = []
        while users:
            pair = tuple(users[: 1 if isinstance(users[0], For) else 2])
            one = clearing(pair, self.taken, lengths)
            if one is None:
                return None
            found.append(one)
            users = users[len(pair) :]
        return found

    def is_own(self, body: Block) -> bool:
        """Whether the loop has no other names for the arrays, and does nothing with them before they change places."""
        pairs, states = Pairs.of(self.fn.body), (self.added.name, self.taken.name)
        inner = {name for name in stored_names(self.loop.body) if name not in states}
        if any(mentions(stmt, name) for stmt in body for name in states):
            return False
        if any(pairs.may_share(other, each, self.loop) for other in inner for each in states):
            return False
        return not pairs.may_share(*states, self.loop) and not self.others(pairs)

    def begins_with_zeros(self, before: Block) -> bool:
        """Whether the array that is added to in the first iteration has nothing in it."""
        made = Beginning.of(before, self.taken.name)
        if made is None or not made.is_made_by(np.zeros, np.zeros_like):
            return False
        pairs, later = Pairs.of(before), stored_names(before[made.place + 1 :])
        return not any(pairs.may_share(other, each) for other in later for each in made.names)

    def others(self, pairs: Pairs) -> bool:
        """Whether the loop knows one of the arrays by another name."""
        states = {self.added.name, self.taken.name}
        known = {n for s in walk.statements(self.loop.body) for e in walk.stmt_exprs(s) for n in walk.names(e)}
        known |= walk.assigned(self.loop.body)
        return any(pairs.may_share(name, state, self.loop) for name in known - states for state in states)


@dataclass(frozen=True)
class Clearing:
    store: Store
    box: Box
    looped: bool


def clearing(stmts: Block, array: Var, lengths: Lengths) -> Clearing | None:
    """``x = v_bar[i]`` and ``v_bar[i] = 0.0``, perhaps in loops."""
    loops: list[For] = []
    while len(stmts) == 1 and isinstance(loop := stmts[0], For):
        if loop.flag is not None or not walk.is_const(loop.step, 1) or loop.index in walk.assigned(loop.body):
            return None
        if array.name in values_of(loop.start) | values_of(loop.stop):
            return None
        loops.append(loop)
        stmts = tuple(stmt for stmt in loop.body if mentions(stmt, array.name))
    match stmts:
        case (Let(_, Call(operator.getitem, (Var(array.name), place))), Store(Var(array.name), index, value) as store):
            if place != index or not walk.is_const(value, 0.0):
                return None
            box = box_of(index, array, loops, lengths)
            return None if box is None else Clearing(store, box, bool(loops))
    return None


def _fills(stmt: Stmt, array: Var) -> bool:
    """Whether a statement fills an array with zeros."""
    match stmt:
        case Store(base, Slice(None, None, None) | Const(value=builtins.Ellipsis), value):
            return base == array and walk.is_const(value, 0.0)
    return False


def _carried(body: list[Stmt], loop: For, accum: Accum) -> int | None:
    """The place of ``x_bar_carried = 0.0`` if a loop adds the number in its first iteration, and nothing else of it."""
    value = accum.value
    while isinstance(value, Call) and value.fn in (operator.add, operator.sub):
        value = value.args[0]
    if not isinstance(value, Var):
        return None
    read = [e for s in walk.statements((loop,)) for x in walk.stmt_exprs(s) for e in walk.subexprs(x)]
    bound = [k for k, stmt in enumerate(body) if value.name in walk.targets(stmt)]
    if sum(isinstance(e, Var) and e.name == value.name for e in read) != 1 or len(bound) != 1:
        return None
    stmt = body[bound[0]]
    return bound[0] if isinstance(stmt, Let) and walk.is_const(stmt.value, 0.0) else None


def _zero(array: Var, box: Box, stmt: Stmt) -> Store:
    assert isinstance(array.type, Array)
    return Store(array, subscript(box), Const(0.0, Scalar(array.type.dtype)), replace(stmt.origin, adjoint=False))


def _with(stmt: Stmt, dropped: set[int], accum: Accum, store: Store) -> Stmt:
    """A statement without clearings, and with an assignment for what was added."""

    def block(inner: Block) -> Block:
        kept = [s for s in inner if id(s) not in dropped]
        return tuple(store if s is accum else walk.map_stmt(lambda e: e, s, block) for s in kept)

    return walk.map_stmt(lambda e: e, stmt, block)
