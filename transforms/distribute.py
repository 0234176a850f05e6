"""distribute: what no iteration waits for is computed behind the loop, in one of its own; part of `blocks`. For machine
code only.

In ``for t in range(n): ll += np.log(h) + r[t]**2 / h; h = a + b * h`` each iteration waits for the last one, and with
it the logarithm, which is computed one number at a time. By hand one keeps what each `h` was, and adds up in a second
loop, of which LLVM makes vector instructions. What an iteration has kept already, its record, is not kept twice.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Effect, Expr, For, Function, Let, Return, Stmt, Store, Var, While
from srcad.lang.symbols import unique
from srcad.lang.types import FLOAT, INT, Array
from srcad.transforms.independent import adding, remembers, upwards
from srcad.transforms.side_by_side import LAZY
from srcad.transforms.simplify import plus
from srcad.transforms.waits import Waits, is_dear
from srcad.transforms.work import FUNCTIONS

SHORT = 16  # iterations, of which a second loop is not worth while
KEPT = Array("float64", ("n",), "C")


def distribute(fn: Function) -> Function:
    """Compute functions that only sums need behind the loops whose iterations wait for each other.

    >>> from srcad.lang.ir import Param
    >>> h, s, b, n = Var("h", FLOAT), Var("s", FLOAT), Var("b", FLOAT), Var("n", INT)
    >>> step = Let("h", Call(operator.mul, (b, h), (), FLOAT))
    >>> body = (Accum(s, Call(np.log, (h,), (), FLOAT)), step)
    >>> loop = For("t", Const(0, INT), n, Const(1, INT), body)
    >>> fn = Function("f", tuple(Param(v.name, v.type) for v in (h, s, b, n)), (loop, Return(s)))
    >>> from srcad.lang.write import write
    >>> print(write(distribute(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(h, s, b, n):
        h_each = np.empty(max(n, 0))
        for t in range(n):
            h_each[t] = h
            h = b * h
        for t in range(n):
            s += np.log(h_each[t])
        return s
    """
    if fn.exact or not any(isinstance(s, For) and _is_candidate(s) for s in walk.statements(fn.body)):
        return fn
    splitter = _Splitter({p.name for p in fn.params} | walk.assigned(fn.body), Pairs.of(fn.body))
    body = splitter.block(fn.body)
    return replace(fn, body=body) if splitter.done else fn


def _is_candidate(loop: For) -> bool:
    """Whether an innermost loop computes functions, and counts up from a number or down to one that stay."""
    if loop.flag is not None or loop.shared or not isinstance(loop.step, Const) or loop.step.value not in (1, -1):
        return False
    low, count = upwards(loop)
    if not (isinstance(low, Const) and low.value >= 0) or (isinstance(count, Const) and count.value < SHORT):
        return False
    if (walk.assigned(loop.body) | {loop.index}) & (walk.names(loop.start) | walk.names(loop.stop)):
        return False
    if any(isinstance(s, (For, While, Effect, Return)) for s in walk.statements(loop.body)):
        return False
    return any(map(is_dear, loop.body))


@dataclass
class _Splitter:
    """Goes through the loops of a function."""

    taken: set[str]
    pairs: Pairs
    rooms: set[str] = field(default_factory=set)  # the arrays that are made
    done: int = 0

    def block(self, block: Block, after: Names = frozenset()) -> Block:
        pairs = zip(block, live(block, after))
        return tuple(made for stmt, behind in pairs for made in self.statement(stmt, behind))

    def statement(self, stmt: Stmt, after: Names) -> list[Stmt]:
        if not isinstance(stmt, For) or not _is_candidate(stmt):
            end = at_the_end(stmt, after) if isinstance(stmt, (For, While)) else after
            return _outside(walk.map_stmt(lambda e: e, stmt, lambda block: self.block(block, end)), self.rooms)
        if stmt.index in after or not remembers(stmt):
            return [stmt]
        found = self.late(replace(stmt, body=adding(stmt.body)), stmt, after)
        place = next(k for k, each in enumerate(found) if isinstance(each, For))
        found[place : place + 1] = self.early(found[place], stmt, after)  # type: ignore[arg-type]
        self.rooms |= {s.target for s in found if isinstance(s, Let)}
        self.done += len(found) > 1
        return found if len(found) > 1 else [stmt]

    def early(self, loop: For, origin: For, after: Names) -> list[Stmt]:
        """A loop that computes functions of what needs no other iteration, and the loop that reads them."""
        body = Waits(loop, loop.body, self.pairs, origin, after)
        values: dict[Expr, Expr] = {}
        rooms: list[Stmt] = []
        stores: list[list[Store]] = []
        for stmt in loop.body:
            stores.append([])
            for expr in _functions(stmt):
                if expr not in values and body.is_free(expr):
                    room = _room("early", self.taken, loop, rooms)
                    values[expr] = Call(operator.getitem, (room, Var(loop.index, INT)), (), FLOAT)
                    stores[-1].append(Store(room, Var(loop.index, INT), expr, stmt.origin))
        if not values:
            return [loop]
        needs = frozenset().union(*map(body.needs, values))
        first: list[Stmt] = []
        known: dict[Expr, Expr] = {}
        for stmt, kept in zip(loop.body, stores):
            first += kept
            known |= {s.value: values[s.value] for s in kept}
            first += [_put(known, stmt)] if needs & set(walk.targets(stmt)) else []
        return [*rooms, _upward(loop, tuple(first)), replace(loop, body=tuple(_put(values, s) for s in loop.body))]

    def late(self, loop: For, known: For, after: Names) -> list[Stmt]:
        """The loop, and one behind it that does what no iteration waits for."""
        body = Waits(loop, loop.body, self.pairs, known, after)
        behind = body.behind()
        if not behind or body.given(behind) & after or not remembers(replace(loop, body=body.without(behind))):
            return [loop]
        return _Halves(body, behind, self.taken).written()


def _functions(stmt: Stmt) -> Iterator[Expr]:
    """The functions that a statement computes in any case of which there are vector instructions."""
    open_ = [stmt.value] if isinstance(stmt, (Let, Store, Accum)) else []
    while open_:
        expr = open_.pop()
        if isinstance(expr, Call) and member(expr.fn, FUNCTIONS):
            yield expr
        elif not (isinstance(expr, Call) and member(expr.fn, LAZY)):
            open_ += walk.children(expr)


def _put(values: dict[Expr, Expr], stmt: Stmt) -> Stmt:
    """A statement with elements in the place of what was computed before."""
    put = lambda e: walk.map_expr(lambda part: values.get(part, part), e)
    return walk.map_stmt(put, stmt, lambda block: walk.map_block(put, block))


def _outside(stmt: Stmt, rooms: set[str]) -> list[Stmt]:
    """A statement, and before it, if it is a loop, the arrays that each iteration would make anew."""
    if not isinstance(stmt, (For, While)):
        return [stmt]
    changed = walk.assigned((stmt,))
    out = [s for s in stmt.body if isinstance(s, Let) and s.target in rooms and not walk.names(s.value) & changed]
    return [*out, replace(stmt, body=tuple(s for s in stmt.body if s not in out))] if out else [stmt]


def _room(name: str, taken: set[str], loop: For, rooms: list[Stmt]) -> Var:
    """A new array with an element for each iteration, at its index."""
    taken.add(title := unique(name, taken))
    size = Call(max, (_stop(loop), Const(0, INT)), (), INT)
    rooms.append(Let(title, Call(np.empty, (size,), (), KEPT), replace(loop.origin, adjoint=False)))
    return Var(title, KEPT)


def _upward(loop: For, body: Block) -> For:
    """A loop over the same indices in ascending order, of which LLVM sees that they are not negative."""
    return replace(loop, start=upwards(loop)[0], stop=_stop(loop), step=Const(1, INT), body=body)


def _stop(loop: For) -> Expr:
    """The number behind the greatest index."""
    return loop.stop if loop.step == Const(1, INT) else plus(loop.start, 1)


@dataclass
class _Halves:
    """The two loops."""

    body: Waits
    behind: frozenset[int]
    taken: set[str]
    kept: dict[tuple[str, int], Var] = field(default_factory=dict)  # names as they were, each in an array
    rooms: list[Stmt] = field(default_factory=list)

    def written(self) -> list[Stmt]:
        loop, block = self.body.loop, self.body.block
        first: list[Stmt] = []
        second: dict[int, Stmt] = {}
        inside = {name for k in self.behind for name in walk.targets(block[k])}
        again: set[str] = set()
        for k, stmt in enumerate(block):
            if k not in self.behind:
                first.append(stmt)
                continue
            values: dict[str, Expr] = {}
            read = frozenset().union(*map(walk.names, walk.stmt_exprs(stmt)))
            for name in sorted(read & self.body.counts.keys() - inside):
                if (repeated := self.body.repeated(name)) is not None:
                    again |= repeated
                else:
                    values[name] = self.kept_value(name, k, first)
            second[k] = _with(stmt, values)
        rest = [second.get(k) or s for k, s in enumerate(block) if k in second or again & set(walk.targets(s))]
        return [*self.rooms, replace(loop, body=tuple(first)), _upward(loop, tuple(rest))]

    def kept_value(self, name: str, at: int, first: list[Stmt]) -> Expr:
        index = Var(self.body.loop.index, INT)
        return Call(operator.getitem, (self.room(name, at, first, index), index), (), FLOAT)

    def room(self, name: str, at: int, first: list[Stmt], index: Var) -> Var:
        """The array in which a name is kept as it is at a place of the iteration."""
        block = self.body.block
        version = sum(name in walk.assigned((s,)) for s in block[:at])
        for k, s in enumerate(block):
            match s:
                case Store(Var(base, Array("float64")) as array, Var(place), Var(stored)) if stored == name:
                    same = sum(name in walk.assigned((s,)) for s in block[:k]) == version
                    if same and place == index.name and self.is_alone(base):
                        return array
        if (name, version) not in self.kept:
            made = self.kept[name, version] = _room(f"{name}_each", self.taken, self.body.loop, self.rooms)
            first.append(Store(made, index, Var(name, FLOAT), block[at].origin))
        return self.kept[name, version]

    def is_alone(self, base: str) -> bool:
        """Whether an iteration stores one element of an array, and nothing that may share its memory changes."""
        share = [n for n in self.body.written if self.body.pairs.may_share(base, n, self.body.known)]
        stores = [s for s in walk.statements(self.body.block) if isinstance(s, (Store, Accum)) and base in
                  walk.names(s.base if isinstance(s, Store) else s.target)]  # fmt: skip
        return share == [base] and len(stores) == 1 and base not in self.body.counts


def _with(stmt: Stmt, values: dict[str, Expr]) -> Stmt:
    """A statement with elements in the place of names."""
    if not values:
        return stmt
    put = lambda e: walk.substitute(e, values)
    return replace(stmt, value=put(stmt.value))  # type: ignore
