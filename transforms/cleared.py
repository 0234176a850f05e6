"""cleared: what each iteration clears and the next one adds to first is written there. For machine code only.

``u_bar, v_bar = v_bar, u_bar``, then a loop takes each ``v_bar[i]``, clears it, and adds to ``u_bar[i]``: in the next
iteration of the time loop, `u_bar` is what was cleared. So it may as well be assigned, and nothing need be cleared
before the loop is done. An array is then only read and the other one only written to, which makes vectors easy.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.beginnings import Beginning, bindings
from srcad.analysis.boxes import Box, apart, box_of, covers, rest, subscript, visited
from srcad.analysis.buffers import stored_names
from srcad.analysis.overwritten import Lengths, mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, For, Function, Let, Move, Stmt, Store, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.next_row import knows


def cleared(fn: Function) -> Function:
    """Let loops assign what the last iteration cleared.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
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
            handed = bindings(swap) if isinstance(swap, Move) else []
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
        first = next((k for k in range(start, len(body)) if mentions(body[k], self.added.name)), None)
        found = None if first is None else visited(body[first], self.added, lengths)
        clearings = self.clearings(body[start:], lengths)
        if first is None or found is None or not isinstance(found[0], Accum) or clearings is None:
            return None
        if any(mentions(s, each.name) for s in body[: start - 1] for each in (self.added, self.taken)):
            return None
        if not self.begins_with_zeros(before):
            return None
        accum, box = found
        assert isinstance(accum, Accum) and isinstance(accum.target, Call)
        done = [one for one in clearings if one.looped and all(one is o or apart(one.box, o.box) for o in clearings)]
        only = [one for one in done if one.box == box]
        whole = covers([one.box for one in clearings])
        gone = only or (done if whole else [])
        if not gone:
            return None
        zeros = [] if only else [_zero(self.added, part, accum) for part in rest(box)]
        dropped = {id(one.store) for one in gone}
        store = Store(self.added, accum.target.args[1], accum.value, accum.origin)
        changed = [_with(s, dropped, accum, store) for s in body]
        loop = replace(self.loop, body=(*changed[:first], *zeros, *changed[first:]))
        end = [_zero(self.taken, one.box, one.store) for one in gone] if any(
            knows(s, self.taken.name) for s in after) else []  # fmt: skip
        return replace(self.fn, body=(*before, loop, *end, *after))

    def clearings(self, body: Block, lengths: Lengths) -> list[_Clearing] | None:
        """Where an iteration clears what it has taken: the last things that it does with the array."""
        users = [stmt for stmt in body if mentions(stmt, self.taken.name)]
        for start in range(len(users)):
            found = self.parsed(users[start:], lengths)
            if found is not None:
                return found
        return None

    def parsed(self, users: list[Stmt], lengths: Lengths) -> list[_Clearing] | None:
        found: list[_Clearing] = []
        while users:
            pair = tuple(users[: 1 if isinstance(users[0], For) else 2])
            one = _clearing(pair, self.taken, lengths)
            if one is None:
                return None
            found.append(one)
            users = users[len(pair) :]
        return found

    def begins_with_zeros(self, before: Block) -> bool:
        """Whether the array that is added to in the first iteration has nothing in it, and no other name."""
        made, pairs = Beginning.of(before, self.taken.name), Pairs.of(self.fn.body)
        if made is None or not made.is_made_by(np.zeros, np.zeros_like):
            return False
        inner = stored_names(self.loop.body) - {self.added.name, self.taken.name}
        states = (self.added.name, self.taken.name)
        if any(pairs.may_share(other, each, self.loop) for other in inner for each in states):
            return False
        if pairs.may_share(*states, self.loop) or self.others(pairs):
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
class _Clearing:
    store: Store
    box: Box
    looped: bool


def _clearing(stmts: Block, array: Var, lengths: Lengths) -> _Clearing | None:
    """``x = v_bar[i]`` and ``v_bar[i] = 0.0``, perhaps in loops."""
    loops: list[For] = []
    while len(stmts) == 1 and isinstance(loop := stmts[0], For):
        if loop.flag is not None or not walk.is_const(loop.step, 1) or loop.index in walk.assigned(loop.body):
            return None
        if array.name in walk.names(loop.start) | walk.names(loop.stop):
            return None
        loops.append(loop)
        stmts = tuple(stmt for stmt in loop.body if mentions(stmt, array.name))
    match stmts:
        case (Let(_, Call(operator.getitem, (Var(array.name), place))), Store(Var(array.name), index, value) as store):
            if place != index or not walk.is_const(value, 0.0):
                return None
            box = box_of(index, array, loops, lengths)
            return None if box is None else _Clearing(store, box, bool(loops))
    return None


def _zero(array: Var, box: Box, stmt: Stmt) -> Store:
    assert isinstance(array.type, Array)
    return Store(array, subscript(box), Const(0.0, Scalar(array.type.dtype)), replace(stmt.origin, adjoint=False))


def _with(stmt: Stmt, dropped: set[int], accum: Accum, store: Store) -> Stmt:
    """A statement without clearings, and with an assignment for what was added."""

    def block(inner: Block) -> Block:
        kept = [s for s in inner if id(s) not in dropped]
        return tuple(store if s is accum else walk.map_stmt(lambda e: e, s, block) for s in kept)

    return walk.map_stmt(lambda e: e, stmt, block)
