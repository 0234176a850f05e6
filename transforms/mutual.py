"""mutual: what two items have to do with each other is computed once, not once for each of them; part of `blocks`. For
machine code only.

``for i in range(n): for j in range(n): s += m[i] * m[j] / r`` comes to each pair twice, and does the same both times:
the distance is the same, and what is added to ``x_bar[i]`` the first time is added to it the second time, from the
other side. Half of the pairs will do, with twice what each adds; an item and itself are a pair that counts once.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.live import needed
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Function, If, Let, Stmt, Var
from srcad.lang.types import BOOL, FLOAT, INT, Scalar, is_array
from srcad.transforms.ends import told
from srcad.transforms.flatten import fresh_names
from srcad.transforms.joined import joined, uses_of
from srcad.transforms.swapped import Meaning, Unknown, given
from srcad.transforms.totals import totals

ZEROS = (np.zeros, np.zeros_like)


def mutual(fn: Function) -> Function:
    """Go through half of the pairs where both halves do the same.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import Array
    >>> x, s, n = Var("x", Array("float64", ("n",), "C")), Var("s", FLOAT), Var("n", INT)
    >>> def at(index): return Call(operator.getitem, (x, Var(index, INT)), (), FLOAT)
    >>> distance = Call(operator.sub, (at("i"), at("j")), (), FLOAT)
    >>> inner = For("j", Const(0, INT), n, Const(1, INT), (Accum(s, Call(abs, (distance,), (), FLOAT)),))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (inner,))
    >>> fn = Function("f", (Param("x", x.type), Param("s", FLOAT), Param("n", INT)), (loop, Return(s)))
    >>> from srcad.lang.write import write
    >>> print(write(mutual(fn)).text, end="")
    def f(x, s, n):
        for i in range(n):
            for j in range(i):
                s += 2.0 * abs(x[i] - x[j])
            s += abs(x[i] - x[i])
        return s
    """
    loops = [s for s in walk.statements(fn.body) if isinstance(s, For)]
    if fn.exact or not any(isinstance(s, For) for loop in loops for s in loop.body):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    body = totals(fn.body)
    finder = _Finder(Pairs.of(body), fresh_names(used), uses_of(body))
    body = finder.block(body)
    return replace(fn, body=body) if finder.done else fn


def _nest(outer: For) -> tuple[int, For] | None:
    """The loop over the same range inside of a loop, and its position, if there is just one loop in it."""
    loops = [(k, s) for k, s in enumerate(outer.body) if isinstance(s, For)]
    if len(loops) != 1 or not (_is_plain(outer) and _is_plain(loops[0][1])):
        return None
    return loops[0] if loops[0][1].stop == outer.stop else None


def _is_plain(loop: For) -> bool:
    return loop.flag is None and not loop.shared and loop.start == Const(0, INT) and loop.step == Const(1, INT)


@dataclass
class _Finder:
    """Goes through the loops of a function."""

    pairs: Pairs
    fresh: Callable[[str], str]
    uses: Counter[str]  # how often the function has each name
    done: int = 0

    def block(self, block: Block) -> Block:
        return tuple(map(self.statement, block))

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, For):
            whole = replace(stmt, body=joined(stmt.body, self.uses))
            if (found := _nest(whole)) is not None and self.is_mutual(whole, *found, stmt):
                self.done += 1
                return self.halved(whole, *found)
        return walk.map_stmt(lambda e: e, stmt, self.block)

    def is_mutual(self, outer: For, position: int, inner: For, known: For) -> bool:
        """Whether the pairs of one half do what those of the other half do."""
        ahead, behind = outer.body[:position], outer.body[position + 1 :]
        rooms = _rooms(ahead, behind)
        if rooms is None:
            return False
        kept = tuple(s for s in ahead if not (isinstance(s, Let) and s.target in rooms))
        ids: dict = {}
        try:
            one, other = (_meaning(kept, inner, ends, rooms, ids)
                          for ends in ((outer.index, inner.index), (inner.index, outer.index)))  # fmt: skip
        except Unknown:
            return False
        if any(given(loop.body) & needed(loop.body) for loop in (outer, inner)) or one.numbers & one.read:
            return False
        inside = walk.assigned(outer.body)
        apart = not any(self.pairs.may_share(a, b, known) for a in one.written for b in one.read)
        same = [{a, b} for a in one.written for b in one.written if a < b and self.pairs.may_share(a, b, known)]
        return one.effects == other.effects and apart and not same and not (one.read | one.written) & inside

    def halved(self, outer: For, position: int, inner: For) -> For:
        """The loop over the pairs of one half, and what an item does with itself."""
        i, j = Var(outer.index, INT), Var(inner.index, INT)
        own = given(inner.body)
        tests = {Call(fn, ends, (), BOOL): fn for fn in (operator.eq, operator.ne) for ends in ((i, j), (j, i))}
        apart, alone = (_decided(inner.body, {test: (fn is operator.eq) is same for test, fn in tests.items()})
                        for same in (False, True))  # fmt: skip
        half = replace(inner, stop=i, body=_doubled(apart, own))
        own_names = own | {s.index for s in walk.statements(inner.body) if isinstance(s, For)}
        renamed = walk.rename(alone, {name: self.fresh(name) for name in sorted(walk.assigned(alone) & own_names)})
        itself = walk.substitute_in(renamed, {j.name: i})
        return replace(outer, body=(*outer.body[:position], half, *itself, *outer.body[position + 1 :]))


def _rooms(ahead: Block, behind: Block) -> dict[str, Expr] | None:
    """What one item adds up on its own, and the element or row to which that is added at last; None if more is done."""
    zeros = {s.target for s in ahead if isinstance(s, Let) and _is_zero(s.value)}
    rooms: dict[str, Expr] = {}
    for stmt in behind:
        match stmt:
            case If(Call(operator.ne, (Var(asked), Const(0.0))), (Accum(_, Var(name)) as added,), ()) if asked == name:
                stmt = added
        match stmt:
            case Accum(Var(_, Scalar()) | Call(operator.getitem, (Var(), Var(_))) as place, Var(name, kind)):
                alike = getattr(place.type, "shape", ()) == getattr(kind, "shape", ())
                if name in rooms or name not in zeros or is_array(kind) != is_array(place.type) or not alike:
                    return None
                rooms[name] = place
            case _:
                return None
    return rooms


def _is_zero(value: Expr) -> bool:
    return isinstance(value, Call) and member(value.fn, ZEROS) or isinstance(value, Const) and value.value == 0.0


def _meaning(kept: Block, inner: For, ends: tuple[str, str], rooms: dict[str, Expr], ids: dict) -> Meaning:
    """What an iteration of the inner loop does, the ends of its pair being these two."""
    meaning = Meaning(*ends, ids, rooms)
    meaning.block(kept)
    meaning.fixed = frozenset(meaning.env)
    meaning.block(inner.body)
    return meaning


def _decided(block: Block, known: dict[Call, bool]) -> Block:
    """Statements in which some tests are decided, and without branches that are not taken."""
    made = told(block, known)
    decided = (Const(True, BOOL), Const(False, BOOL))
    names = {s.target: s.value for s in made if isinstance(s, Let) and s.value in decided}
    return told(walk.substitute_in(made, names), {}) if names else made


def _doubled(block: Block, own: set[str]) -> Block:
    """Statements that add twice to what is not their own."""
    return tuple(_twice(stmt, own) for stmt in block)


def _twice(stmt: Stmt, own: set[str]) -> Stmt:
    match stmt:
        case Accum(Var(name)) if name in own:
            return stmt
        case Accum(_, value):
            return replace(stmt, value=Call(operator.mul, (Const(2.0, FLOAT), value), (), FLOAT))
    return walk.map_stmt(lambda e: e, stmt, lambda inner: _doubled(inner, own))
