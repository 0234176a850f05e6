"""handed on: a copy of a cotangent that nobody reads once the copy is changed is that cotangent itself.

The reverse of ``pos = pos + dt * vel`` in a loop hands the cotangent of the new `pos` on to the old one, as an array of
its own, since more may be added to that. In a step that replaces its arrays by new ones the first has mostly done its
duty by then: ``pos_bar_1 = pos_bar; pos_bar = np.copy(pos_bar_1); vel_bar_1 += dt * pos_bar_1; pos_bar -= ...`` is
``vel_bar += dt * pos_bar; pos_bar -= ...``, as if the function had changed its arrays in place, and one name is left
for what is one array.

Why it is right: up to the first statement that writes to one of the two, they are equal; from there on only the copy is
read, under whatever name. Arrays that callers or structures hold are left alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace


from srcad.analysis.buffers import stored_name
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pair, Pairs
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Expr, For, Function, If, Let, Move, Stmt, Var, While,
)  # fmt: skip
from srcad.lang.types import Array
from srcad.transforms.context import is_bar
from srcad.transforms.copies import copied_cotangent, names_in
from srcad.transforms.written_over import held


def handed_on(fn: Function) -> Function:
    """Let cotangents go on as those that begin as copies of them.

    >>> import numpy as np
    >>> from srcad.lang.ir import Call, Const, Param, Return
    >>> from srcad.lang.types import INT
    >>> a, u, v = (Var(name, Array("float64", ("n",), "C")) for name in ("a", "u~bar", "v~bar"))
    >>> made = Let(u.name, Call(np.exp, (a,), (), a.type)), Let(v.name, Call(np.sin, (u,), (), a.type))
    >>> step = (made[1], Let(u.name, Call(np.copy, (v,), (), a.type)), Accum(u, a))
    >>> loop = For("k", Const(0, INT), Const(3, INT), Const(1, INT), step)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = handed_on(Function("f", (Param("a", a.type),), (made[0], loop, Return(u))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(a):
        u_bar = np.exp(a)
        for k in range(3):
            v_bar = np.sin(u_bar)
            u_bar = v_bar
            u_bar += a
        return u_bar
    """
    every = list(walk.statements(fn.body))
    if not any(copied_cotangent(stmt) or _named(stmt) for stmt in every):
        return fn
    # what may share memory if none of these copies is one: whichever go, no more than that does
    copies: dict[int, Stmt] = {}
    body = _without_copies(fn.body, copies)
    body = _Heirs(Pairs.of(body), held(fn), copies).block(body, frozenset(), set())
    return replace(fn, body=_Namer.of(fn, body).block(body))


@dataclass
class _Heirs:
    """Second names for arrays become copies again, where these were needed."""

    pairs: Pairs
    kept: set[str]  # arrays that others may know
    copies: dict[int, Stmt]

    def block(self, block: Block, after: Names, now: set[Pair]) -> Block:
        """A block, from the names that are read behind it and what may share memory before it."""
        behind = live(block, after)
        done: list[Stmt] = []
        for position, stmt in enumerate(block):
            before, now = now, self.pairs.statement(stmt, now)
            if isinstance(stmt, (For, While)):
                done.append(self.inside(stmt, at_the_end(stmt, behind[position]), now))
            elif isinstance(stmt, If):
                done.append(self.inside(stmt, behind[position], before))
            else:
                done.append(self.statement(block, position, behind, now))
        return self.at_a_time(done)

    def inside(self, stmt: Stmt, after: Names, now: set[Pair]) -> Stmt:
        return walk.map_stmt(lambda e: e, stmt, lambda body: self.block(body, after, now))

    def at_a_time(self, block: list[Stmt]) -> Block:
        """A block in which no name goes to another array while its own has a second name."""
        done: list[Stmt] = []
        for stmt in block:
            before = done[-1] if done else None
            if isinstance(before, Let) and id(before) in self.copies and _goes(before.value, stmt):
                targets, values = zip(*walk.bindings(stmt))
                done[-1] = Move((before.target, *targets), (before.value, *values), before.origin)
            else:
                done.append(stmt)
        return tuple(done)

    def statement(self, block: Block, position: int, behind: list[Names], now: set[Pair]) -> Stmt:
        stmt = block[position]
        copy = self.copies.get(id(stmt))
        if copy is None:
            return stmt
        assert isinstance(stmt, Let)
        assert isinstance(stmt.value, Var)
        heir, names = stmt.target, behind[position]
        known = any(self.pairs.may_share(heir, name) for name in self.kept)
        if known or not self.lasts(stmt.value.name, block[position + 1 :]):
            return copy
        for k in range(position + 1, len(block)):
            if self.changes(block[k], heir):
                names = behind[k] if self.reads_first(block[k], heir) else names
                break
            if heir in walk.defined((block[k],)):
                return copy
            now, names = self.pairs.statement(block[k], now), behind[k]
        return copy if any(self.pairs.are_among(now, heir, name) for name in names - {heir}) else stmt

    def lasts(self, name: str, rest: Block) -> bool:
        """Whether a name stays with its array, or goes to another one at once."""
        return name not in walk.defined(rest[bool(rest) and _goes(Var(name), rest[0]) :])

    def changes(self, stmt: Stmt, array: str) -> bool:
        """Whether a statement, or one inside it, writes to an array."""
        written = (stored_name(inner) for inner in walk.statements((stmt,)))
        return any(name is not None and self.pairs.may_share(name, array) for name in written)

    def reads_first(self, stmt: Stmt, heir: str) -> bool:
        """Whether a statement has read all that it reads when it writes to an array."""
        return isinstance(stmt, Accum) and isinstance(stmt.target, Var) and stmt.target.name == heir


@dataclass
class _Namer:
    """One name for what is one array."""

    bound: Counter[str]
    mentioned: Counter[str]

    @staticmethod
    def of(fn: Function, body: Block) -> _Namer:
        bound = Counter(p.name for p in fn.params)
        mentioned: Counter[str] = Counter()
        for stmt in walk.statements(body):
            bound.update(walk.targets(stmt) if isinstance(stmt, (Let, Move)) else ())
            mentioned.update(names_in(stmt))
        return _Namer(bound, mentioned)

    def block(self, block: Block) -> Block:
        done: list[Stmt] = []
        rest = tuple(walk.map_stmt(lambda e: e, stmt, self.block) if walk.blocks(stmt) else stmt for stmt in block)
        while rest:
            stmt, rest = rest[0], rest[1:]
            if not _named(stmt) or not self.is_one(stmt.target, stmt.value, rest):  # type: ignore
                done.append(stmt)
                continue
            assert isinstance(stmt, Let) and isinstance(stmt.value, Var)
            rest = walk.without(walk.substitute_in(rest, {stmt.target: stmt.value}), _is_nothing)
            self.mentioned[stmt.value.name] += self.mentioned.pop(stmt.target, 0)
        return tuple(done)

    def is_one(self, name: str, array: Var, rest: Block) -> bool:
        """Whether a name stands for an array, one that goes through a loop, for as long as it is used."""
        users = [k for k, stmt in enumerate(rest) if mentions(stmt, name)]
        if self.bound[name] != 1 or self.bound[array.name] == 1 or not users:
            return False
        found = sum((names_in(stmt) for stmt in walk.statements(rest)), Counter())
        back = Var(name, array.type)
        *before, last = rest[: users[-1] + 1]
        if not isinstance(last, Let):
            before.append(last)
        changed = [s for s in walk.statements(tuple(before)) if isinstance(s, (Let, Move))
                   and array.name in walk.targets(s) and not (isinstance(s, Let) and s.value == back)]  # fmt: skip
        return found[name] == self.mentioned[name] and not changed


def _named(stmt: Stmt) -> bool:
    """Whether a statement gives a cotangent a second name."""
    match stmt:
        case Let(target, Var(source, Array())):
            return is_bar(target) and is_bar(source)
    return False


def _goes(array: Expr, stmt: Stmt) -> bool:
    """Whether all that a statement does is to hand names on, that of an array among them."""
    bound = walk.bindings(stmt)
    names = [name for name, value in bound if isinstance(value, Var)]
    return isinstance(array, Var) and array.name in names and len(names) == len(bound)


def _is_nothing(stmt: Stmt) -> bool:
    return isinstance(stmt, Let) and isinstance(stmt.value, Var) and stmt.value.name == stmt.target


def _without_copies(block: Block, copies: dict[int, Stmt]) -> Block:
    """A block with second names in place of copies, and which statement was what."""
    def inside(stmt: Stmt) -> Stmt:
        source = copied_cotangent(stmt)
        if source is None:
            within = walk.blocks(stmt)
            return walk.map_stmt(lambda e: e, stmt, lambda b: _without_copies(b, copies)) if within else stmt
        assert isinstance(stmt, Let)
        named = Let(stmt.target, source, stmt.origin)
        copies[id(named)] = stmt
        return named

    return tuple(map(inside, block))
