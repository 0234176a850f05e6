"""winners: of what a loop picks the smallest or the largest of, the reverse sweep follows the one that was picked.

``for c in range(k): d = distance(c); if d < best: best = d`` hands on one of `k` values. Its derivative is that of
the value in the iteration that won. So the loop notes which one that was, and is a constant itself; behind it, the
value is computed once more in that iteration, for its derivative alone. Nothing is recorded, and no iteration but one
is reversed.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import Buffers, buffers, stored_names
from srcad.analysis.contents import content_names, member, times_given
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Var, While, hint, select,
)  # fmt: skip
from srcad.lang.types import BOOL, INT, Scalar, is_float
from srcad.runtime.marks import hold, picked
from srcad.transforms.dead_code import dead_code
from srcad.transforms.flatten import fresh_names
from srcad.transforms.side_by_side import is_pure
from srcad.transforms.simplify import simplified

SMALLEST, LARGEST = frozenset((min, np.minimum)), frozenset((max, np.maximum))


def winners(fn: Function) -> Function:
    """Let loops that pick one of their values note which.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, Array
    >>> x, i, n = Var("x", Array("float64", ("n",), "C")), Var("i", INT), Var("n", INT)
    >>> best, new, v = (Var(name, FLOAT) for name in ("best", "new", "v"))
    >>> body = (Let("v", Call(operator.getitem, (x, i), (), FLOAT)), Let("new", Call(min, (best, v), (), FLOAT)))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (*body, Move(("best",), (new,))))
    >>> start = Move(("best",), (Const(1e9, FLOAT),))
    >>> from srcad.lang.write import write
    >>> fn = winners(Function("f", (Param("x", x.type), Param("n", INT)), (start, loop, Return(best))))
    >>> print(write(fn).text, end="")
    def f(x, n):
        best, best_at = 1000000000.0, -1
        for i in range(n):
            v = x[i]
            _c = best <= v
            best_at.1 = best_at if _c else i
            new = min(best, v)
            best, best_at = new, best_at.1
        _c.1 = best_at >= 0
        if _c.1:
            v.1 = x[best_at]
            best.1 = v.1
        else:
            best.1 = 1000000000.0
        _t = hold(best)
        best.2 = picked(best.1, _t)
        return best.2
    """
    if not any(isinstance(s, For) for s in walk.statements(fn.body)):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    given = times_given(fn.body)
    fresh, reads = fresh_names(used), _reads(fn.body)
    return replace(fn, body=_Winners(buffers(fn), fresh, reads, given, _held(fn.body)).block(fn.body))


def as_picked(block: Block) -> Block:
    """A block in which what is picked is merely that: nobody asks for its derivative."""
    return walk.map_block(lambda e: e.args[1] if isinstance(e, Call) and e.fn is picked else e, block)


@dataclass
class _Winners:
    buffers: Buffers
    fresh: Callable[[str], str]
    reads: Counter[str]
    given: Counter[str]
    held: Counter[str]

    def block(self, block: Block) -> Block:
        """A block in which loops note what they picked, the inner ones first."""
        result: list[Stmt] = []
        names: dict[str, Expr] = {}
        for position, old in enumerate(block):
            [stmt] = walk.substitute_in((walk.map_stmt(lambda e: e, old, self.block),), names)
            behind: list[Stmt] = []
            last = stmt.body[-1] if isinstance(stmt, For) and stmt.body else None
            numbers = [(name, value.type) for name, value in zip(last.targets, last.values)
                       if self.given[name] == 2 and _is_number(value) and not self.is_constant(name, stmt)
                       ] if isinstance(last, Move) else []  # fmt: skip
            reads = _reads(block[position:]) if numbers else {}
            for name, kind in numbers:
                if reads[name] == self.reads[name]:
                    pick = _Pick(self, stmt, Var(name, kind))  # type: ignore
                    stmt = pick.noted(result, behind, names) or stmt
            result += [stmt, *behind]
        return tuple(result)

    def is_constant(self, name: str, loop: Stmt) -> bool:
        """Whether all who read what a loop hands on hold it constant: nobody asks for its derivative."""
        return self.held[name] > 0 and self.held[name] == self.reads[name] - _reads((loop,))[name]


def _is_number(value: Expr) -> bool:
    kind = getattr(value, "type", None)
    return isinstance(kind, Scalar) and is_float(kind)


def _reads(block: Block) -> Counter[str]:
    """How often the statements of a block read names."""
    return Counter(name for stmt in walk.statements(block) for name in _read_by(stmt))


def _held(block: Block) -> Counter[str]:
    """How often names are held constant."""
    exprs = (e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    return Counter(e.args[0].name for e in exprs if isinstance(e, Call) and e.fn is hold and isinstance(e.args[0], Var))


def _read_by(stmt: Stmt) -> Iterator[str]:
    """The names that a statement itself reads, each as often as it does."""
    return (e.name for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole) if isinstance(e, Var))


@dataclass
class _Pick:
    """A loop, and a value that it may hand on from one of its iterations."""

    winners: _Winners
    loop: For
    best: Var
    found: list[tuple[Var, Block]] = field(default_factory=list)  # what it is given, and what comes before that
    steps: int = 0  # the places where it is handed on as it is

    def noted(self, before: list[Stmt], behind: list[Stmt], names: dict[str, Expr]) -> For | None:
        """The loop that notes in which iteration it picked; what is `behind` computes the value there again."""
        loop, best, fresh = self.loop, self.best, self.winners.fresh
        start, step = loop.start, loop.step
        entry = next((k for k, s in enumerate(before) if isinstance(s, Move) and best.name in s.targets), None)
        inside = walk.assigned(loop.body)
        if entry is None or loop.flag or not (isinstance(step, Const) and step.value) or walk.names(start) & inside:
            return None
        at = Var(fresh(f"{hint(best.name)}_at"), INT)
        *body, last = loop.body
        assert isinstance(last, Move) and isinstance(opening := before[entry], Move)
        value = last.values[last.targets.index(best.name)]
        if not isinstance(value, Var) or (followed := self.followed(tuple(body), value, at, ())) is None:
            return None
        new, place = followed
        first = opening.values[opening.targets.index(best.name)]
        if len(self.found) != 1 or not self.is_picked_alone() or walk.names(first) & inside:
            return None
        again = self.again(at)
        if again is None:
            return None
        none = simplified(Call(operator.sub, (start, step), (), INT))  # no iteration's number
        before[entry] = replace(opening, targets=(*opening.targets, at.name), values=(*opening.values, none))
        behind += self.derived(at, first, *again)
        names[best.name] = Var(behind[-1].target, best.type)  # type: ignore
        end = replace(last, targets=(*last.targets, at.name), values=(*last.values, place))
        return replace(loop, body=(*new, end))

    def derived(self, at: Var, first: Expr, code: Block, own: Var) -> list[Stmt]:
        """The value with the derivative of what is computed again, or of the first value if no iteration won."""
        best, loop, fresh = self.best, self.loop, self.winners.fresh
        origin = loop.origin
        test, joined = Var(fresh("_c"), BOOL), Var(fresh(best.name), best.type)
        held, won = Var(fresh("_t"), best.type), Var(fresh(best.name), best.type)
        assert isinstance(loop.step, Const)
        some = operator.ge if loop.step.value > 0 else operator.le
        return [
            Let(test.name, Call(some, (at, loop.start), (), BOOL), origin),
            If(test, (*code, Move((joined.name,), (own,), origin)), (Move((joined.name,), (first,), origin),), origin),
            Let(held.name, Call(hold, (best,), (), best.type), origin),
            Let(won.name, Call(picked, (joined, held), (), best.type), origin),
        ]

    def followed(self, block: Block, value: Var, at: Var, outer: Block) -> tuple[Block, Expr] | None:
        """The statements with those that note where a value comes from, and what says so behind them."""
        if value.name == self.best.name:
            self.steps += 1
            return block, at
        position = next((k for k, s in enumerate(block) if value.name in _given(s)), None)
        stmt = block[position] if position is not None else None
        if position is None or stmt is None or _reads(self.loop.body)[value.name] != 1:
            return self.given_by(block, value, outer)
        before = (*outer, *block[:position])
        match stmt:
            case If(test, (*then, Move() as one), (*orelse, Move() as other)):
                place, sides = Var(self.winners.fresh(at.name), INT), []
                for side, move in ((then, one), (orelse, other)):
                    moved = move.values[move.targets.index(value.name)] if value.name in move.targets else None
                    result = self.followed(tuple(side), moved, at, before) if isinstance(moved, Var) else None
                    if result is None:
                        return None
                    sides.append((*result[0], replace(move, targets=(*move.targets, place.name),
                                                      values=(*move.values, result[1]))))  # fmt: skip
                changed: list[Stmt] = [replace(stmt, then=sides[0], orelse=sides[1])]
            case Let(_, Call(fn, (Var() as a, Var() as b))) if self.best.name in (a.name, b.name) and a.name != b.name:
                stays = _first_wins(fn, a, b)
                if stays is None:
                    return None
                place = Var(self.winners.fresh(at.name), INT)
                index = Var(self.loop.index, INT)
                first = a.name == self.best.name
                options = (at, index) if first else (index, at)
                test = Var(self.winners.fresh("_c"), BOOL)
                self.steps += 1
                self.found.append((b if first else a, (*outer, *block)))
                note = Let(place.name, Call(select, (test, *options), (), INT), stmt.origin)
                changed = [Let(test.name, stays, stmt.origin), note, stmt]
            case _:
                return self.given_by(block, value, outer)
        return (*block[:position], *changed, *block[position + 1 :]), place

    def given_by(self, block: Block, value: Var, outer: Block) -> tuple[Block, Expr]:
        self.found.append((value, (*outer, *block)))
        return block, Var(self.loop.index, INT)

    def is_picked_alone(self) -> bool:
        """Whether the loop reads the best value for nothing else, but to compare it."""
        reads = 0
        for stmt in walk.statements(self.loop.body):
            kind = getattr(stmt.value, "type", None) if isinstance(stmt, Let) else None
            if not isinstance(stmt, (If, While)) and not (isinstance(kind, Scalar) and kind.dtype == "bool"):
                reads += sum(name == self.best.name for name in _read_by(stmt))
        return reads == self.steps

    def again(self, at: Var) -> tuple[Block, Var] | None:
        """The statements that compute what was picked in the iteration `at`; None where that may be something else."""
        [(value, code)] = self.found
        loop, buffers = self.loop, self.winners.buffers
        code = dead_code(code, {value.name}, effects=False)
        counters = {s.index for s in walk.statements(code) if isinstance(s, For)}
        defined = walk.defined(code) | counters  # not what it only adds to
        exprs = [e for s in walk.statements(code) for e in walk.stmt_exprs(s)]
        free = set().union(*map(walk.names, exprs)) - defined - {loop.index}
        if value.name not in defined or free & walk.assigned(loop.body) or not all(map(is_pure, walk.statements(code))):
            return None
        if any(not buffers.of(name) <= defined for name in stored_names(code)):
            return None
        read = set().union(*map(content_names, exprs)) - defined
        if any(buffers.may_share(name, other) for name in read for other in stored_names(loop.body)):
            return None
        own = {name: self.winners.fresh(name) for name in sorted(defined)}
        code = walk.substitute_in(walk.rename(code, own), {loop.index: at})
        return code, Var(own[value.name], value.type)


def _given(stmt: Stmt) -> set[str]:
    """The names that a statement of a block gives values to that stay behind it."""
    if isinstance(stmt, If):
        return {n for side in walk.blocks(stmt) if side and isinstance(side[-1], Move) for n in side[-1].targets}
    return set(walk.targets(stmt))


def _first_wins(fn: Callable, a: Expr, b: Expr) -> Expr | None:
    """When the derivative of the smaller or the larger of two numbers is that of the first."""
    compare = operator.le if member(fn, SMALLEST) else operator.ge if member(fn, LARGEST) else None
    return None if compare is None else Call(compare, (a, b), (), BOOL)
