"""several: iterations around a loop over a block that load the same go several at a time; part of `blocks`.

``for j: for k: for t: z[k, t] += x[j, t] * w[j, k]`` loads and stores all of `z` for each `j`. Four `j` at a time add
four products to an element that is loaded and stored once. And ``for k: s = 0; for t: s += z[k, t] * x[j, t]`` loads
`x` for each `k`, and each time adds up the numbers of a vector: two `k` at a time have two sums side by side.

Where it is known that there are no more iterations than go at a time, there is no loop of them, and the one over the
block becomes one with its neighbours: that each iteration does one after the other what they do is how it was.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.affine import linear
from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Let, Stmt, Var
from srcad.lang.types import INT, Scalar
from srcad.transforms.side_by_side import COSTLY
from srcad.transforms.simplify import simplified
from srcad.transforms.strides import call, forward, later, one_behind_the_other, plus, split, summed, times

ADDENDS, SUMS = 4, 2  # iterations at a time: of those that add to elements, and to numbers
LOADS = 3  # elements over the block in an addend, with more of them there are too few registers


def several(block: Block, after: Names, t: Var, own: Names, sums: Names, fresh: Callable[[str], str]) -> Block:
    """A block in which loops around loops over `t` take several iterations at a time.

    `after` is read behind the block. Arrays in `own` are the block's, under no other name; `sums` are only added to.

    >>> from srcad.lang.ir import Function, Tuple
    >>> from srcad.lang.types import FLOAT, Array
    >>> from srcad.lang.write import write
    >>> def at(a, *k): return Call(operator.getitem, (a, Tuple(k) if len(k) > 1 else k[0]), (), FLOAT)
    >>> j, t, n = Var("j", INT), Var("t", INT), Var("n", INT)
    >>> z, x = Var("z", Array("float64", ("m",), "C")), Var("x", Array("float64", ("n", "m"), "C"))
    >>> added = Accum(at(z, t), at(x, j, t))
    >>> over = For("t", Const(0, INT), Var("m", INT), Const(1, INT), (added,))
    >>> loop = For("j", Const(0, INT), n, Const(1, INT), (over,))
    >>> together, rest = several((loop,), frozenset(), t, frozenset({"z"}), frozenset(), str)
    >>> print(write(Function("f", (), (together,))).text, end="")
    def f():
        for j in range(0, n - 3, 4):
            for t in range(m):
                z[t] += x[j, t] + x[j + 1, t] + x[j + 2, t] + x[j + 3, t]
    """
    return _Writer(t, own, sums, fresh).block(block, after)


@dataclass
class _Body:
    """The body of a loop: one loop over the block, what is before and behind it, and what counts iterations."""

    before: Block
    over: For
    behind: Block
    counters: list[str]


@dataclass
class _Writer:
    t: Var
    own: Names
    sums: Names
    fresh: Callable[[str], str]

    def block(self, block: Block, after: Names) -> Block:
        result: list[Stmt] = []
        may_join = False  # whether the last loop over the block was written out, or has become one with such a loop
        for stmt, behind in zip(block, live(block, after)):
            new = self.statement(stmt, behind)
            written_out = not self.is_over(stmt) and all(map(self.is_over, new))
            for each in new:
                joined = self.joined(result[-1], each) if result and (may_join or written_out) else None
                result[-1 if joined else len(result) :] = [joined or each]
                may_join = bool(joined) or written_out
        return tuple(result)

    def is_over(self, stmt: Stmt) -> bool:
        return isinstance(stmt, For) and stmt.index == self.t.name and _counts_up(stmt)

    def joined(self, one: Stmt, other: Stmt) -> Stmt | None:
        """One loop over the block in place of two that count alike."""
        if not (isinstance(one, For) and isinstance(other, For) and self.is_over(one) and self.is_over(other)):
            return None
        alike = one.start == other.start and one.stop == other.stop
        return replace(one, body=one_behind_the_other(one.body, other.body)) if alike else None

    def statement(self, stmt: Stmt, behind: Names) -> Block:
        if not isinstance(stmt, For) or stmt.index == self.t.name:
            return (stmt,)
        if _counts_up(stmt):
            found = self.addends(stmt, behind) or self.rows(stmt, behind) or self.side_by_side(stmt, behind)
            if found is not None:
                return found
        return (replace(stmt, body=self.block(stmt.body, at_the_end(stmt, behind))),)

    def parsed(self, loop: For, behind: Names) -> _Body | None:
        """The body of a loop, if it goes through the block once and leaves nothing but counters."""
        places = [k for k, s in enumerate(loop.body) if isinstance(s, For)]
        if len(places) != 1 or not all(isinstance(s, (Let, Accum, For)) for s in loop.body):
            return None
        over = loop.body[places[0]]
        assert isinstance(over, For)
        whole = over.index == self.t.name and _counts_up(over) and not _bound(over, loop)
        if not whole or not all(isinstance(s, (Let, Accum)) for s in over.body):
            return None
        counting, others, counters = _counters(loop.body)
        left = walk.assigned(loop.body) & at_the_end(loop, behind)
        if loop.index in behind or not left <= set(counters) or any(walk.assigned((s,)) & left for s in others):
            return None
        place = next(k for k, s in enumerate(others) if s is over)
        hidden = walk.assigned(counting) - left
        if any(hidden & walk.names(e) for s in walk.statements(others) for e in walk.stmt_exprs(s)):
            return None
        return _Body(others[:place], over, others[place + 1 :], counters)

    # ------------------------------------------------------------ several addends of one element

    def addends(self, loop: For, behind: Names) -> Block | None:
        """A loop whose iterations add to the same elements."""
        body = self.parsed(loop, behind)
        if body is None or body.before or body.behind or not self.adds(body, {loop.index, *body.counters}):
            return None
        known = times(loop)
        count = ADDENDS if known is None else max(1, min(ADDENDS, known))
        rows = [later(body.over.body, loop, body.counters, r) for r in range(count)]
        inside = (replace(body.over, body=summed(rows)), *forward(body.counters, count))
        return split(loop, inside, count)

    def rows(self, nest: For, behind: Names) -> Block | None:
        """A loop whose iterations are loops that add to the same elements; each may begin one later than the last."""
        match nest.body:
            case (For() as loop,) if _counts_up(loop) and loop.index != self.t.name:
                pass
            case _:
                return None
        body = self.parsed(loop, at_the_end(nest, behind))
        if body is None or body.before or body.behind or not self.adds(body, {nest.index, *body.counters}):
            return None
        begins = linear(loop.start)
        delayed = begins is not None and begins[0] == nest.index
        if _bound(replace(loop, start=Const(0, INT)), nest) or not delayed and _bound(loop, nest):
            return None
        return split(nest, self.together(nest, loop, body, delayed), ADDENDS)

    def together(self, nest: For, loop: For, body: _Body, delayed: bool) -> Block:
        """Rows that add to the same elements: first what only some of them have, then what all have."""
        index = Var(loop.index, INT)
        result: list[Stmt] = []
        rows: list[Block] = []
        last = simplified(walk.substitute(loop.start, {nest.index: plus(Var(nest.index, INT), ADDENDS - 1)}))
        for r in range(ADDENDS):
            ahead: dict[str, Expr] = {nest.index: plus(Var(nest.index, INT), r)}
            start = simplified(walk.substitute(loop.start, ahead))
            for name in body.counters:
                begin = Var(self.fresh(name), INT)
                result.append(Let(begin.name, call(operator.sub, Var(name, INT), start), loop.origin))
                ahead[name] = call(operator.add, begin, index)
                count = call(max, Const(0, INT), call(operator.sub, loop.stop, start))
                result.append(Let(name, call(operator.add, Var(name, INT), count), loop.origin))
            rows.append(walk.substitute_in(body.over.body, ahead))
            if delayed and r < ADDENDS - 1:
                alone = replace(body.over, body=rows[-1])
                result.append(replace(loop, start=start, stop=call(min, last, loop.stop), body=(alone,)))
        return (*result, replace(loop, start=last, body=(replace(body.over, body=summed(rows)),)))

    def adds(self, body: _Body, rows: set[str]) -> bool:
        """Whether a loop over the block only adds what is cheap, to elements that do not depend on `rows`."""
        written: set[str] = set()
        for stmt in body.over.body:
            match stmt:
                case Accum(Call(operator.getitem, (Var(name), index)), value) if name in self.own - written:
                    if walk.names(index) & rows or not self.cheap(value) or not _is_real(value):
                        return False
                    written.add(name)
                case _:
                    return False
        read = [e for s in body.over.body for e in (*_values(s), *_subscripts(s))]
        return not any(written & walk.names(e) for e in read)

    def cheap(self, value: Expr) -> bool:
        parts = list(walk.subexprs(value))
        costly = any(isinstance(e, Call) and member(e.fn, COSTLY) and not _is_square(e) for e in parts)
        return not costly and len(self.loads(parts)) <= LOADS

    def loads(self, parts: list[Expr]) -> set[Expr]:
        """The elements that differ in the block."""
        return {e for e in parts if isinstance(e, Call) and e.fn is operator.getitem and self.t.name in walk.names(e)}

    # ------------------------------------------------------------ several sums

    def side_by_side(self, loop: For, behind: Names) -> Block | None:
        """A loop whose iterations sum up, each for itself, over the block, and load elements that are the same."""
        body = self.parsed(loop, behind)
        if body is None or not self.sums_up(body) or not self.shares(body, {loop.index, *body.counters}):
            return None
        before: list[Stmt] = []
        over: list[Stmt] = []
        after: list[Stmt] = []
        for r in range(SUMS):
            names = {n: self.fresh(n) for n in sorted(walk.assigned((*body.before, *body.over.body)))} if r else {}
            for block, result in ((body.before, before), (body.over.body, over), (body.behind, after)):
                result += walk.rename(later(block, loop, body.counters, r), names)
        inside = (*before, replace(body.over, body=tuple(over)), *after, *forward(body.counters, SUMS))
        return split(loop, inside, SUMS)

    def sums_up(self, body: _Body) -> bool:
        begun = {s.target for s in body.before if isinstance(s, Let) and isinstance(s.value, Const)}
        if len(begun) != len(body.before) or not body.before:
            return False
        read = {n for s in body.over.body for e in _values(s) for n in walk.names(e)}
        if begun & read or read & self.sums:
            return False
        if not all(isinstance(s, Let) and isinstance(getattr(s.value, "type", None), Scalar) or _targets(s) <= begun
                   for s in body.over.body):  # fmt: skip
            return False
        return all(isinstance(s, Accum) and isinstance(s.target, Call) and _targets(s) <= self.sums
                   and isinstance(s.value, Var) and s.value.name in begun for s in body.behind)  # fmt: skip

    def shares(self, body: _Body, rows: set[str]) -> bool:
        values = [e for s in body.over.body for e in _values(s)]
        found = self.loads([e for value in values for e in walk.subexprs(value)])
        common = {e for e in found if not walk.names(e) & rows}
        return bool(common) and common != found and all(map(self.cheap, values))


def _counts_up(loop: For) -> bool:
    return walk.is_const(loop.step, 1) and loop.flag is None and not loop.shared


def _bound(loop: For, around: For) -> bool:
    """Whether the bounds of a loop depend on the iteration of another one around it."""
    known = walk.assigned((around,))
    return any(known & walk.names(e) for e in walk.stmt_exprs(loop))


def _counters(body: Block) -> tuple[Block, Block, list[str]]:
    """The statements that count iterations, the others, and what they count: ``b = a + 1; ...; a = b``, ``a += 1``."""
    steps = {s.target: s.value for s in body if isinstance(s, Let)}
    counters = []
    for stmt in body[::-1]:
        match stmt:
            case Let(name, Var(next_)) if next_ in steps and linear(steps[next_]) == (name, 1):
                counters.append((name, {name, next_}))
            case Accum(Var(name, kind), Const(1)) if kind == INT:
                counters.append((name, {name}))
            case _:
                break
    counting = set().union(*(names for _, names in counters))
    mine = tuple(s for s in body if not isinstance(s, For) and walk.assigned((s,)) & counting)
    return mine, tuple(s for s in body if not any(s is m for m in mine)), [name for name, _ in counters]


def _is_square(e: Call) -> bool:
    return e.fn is operator.pow and walk.is_const(e.args[1], 2)


def _is_real(e: Expr) -> bool:
    kind = getattr(e, "type", None)
    return isinstance(kind, Scalar) and kind.dtype in ("float32", "float64")


def _values(stmt: Stmt) -> tuple[Expr, ...]:
    return (stmt.value,) if isinstance(stmt, (Let, Accum)) else ()


def _subscripts(stmt: Stmt) -> tuple[Expr, ...]:
    """Where a statement adds to an array."""
    return (stmt.target.args[1],) if isinstance(stmt, Accum) and isinstance(stmt.target, Call) else ()


def _targets(stmt: Stmt) -> set[str]:
    """The name to which, or to elements of which, a statement adds."""
    target = getattr(stmt, "target", None)
    base = target.args[0] if isinstance(target, Call) else target
    return {base.name} if isinstance(base, Var) else set()
