"""singled out: a loop with something that one iteration does alone, as what it is; part of `infer`.

``for i in range(n): if i == k: y = np.array([y, x])`` is a loop up to that iteration, the iteration, and a loop from
there on. In neither of the two loops does the name get another rank.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, If, Let, Move, Var, and_, hint
from srcad.lang.types import BOOL
from srcad.transforms.calls import folded, folded_number
from srcad.transforms.phases import Values, iteration, moved

_SAME = {operator.eq: True, operator.ne: False}


def singled_out(
    loop: For, entry: Values, is_whole: Callable[[Expr], bool], fresh: Callable[[str], str]
) -> Block | None:
    """The three parts in the place of a split loop, which begins with `entry`; None if it asks for no such iteration.

    >>> import itertools
    >>> count = itertools.count()
    >>> body = (If(Call(operator.eq, (Var("i"), Const(0))), (), ()), Move(("s",), (Var("s"),)))
    >>> loop = For("i", Const(0), Var("n"), Const(1), body)
    >>> parts = singled_out(loop, {"s": Const(0.0)}, lambda e: True, lambda name: f"{name}.{next(count)}")
    >>> [type(part).__name__ for part in parts], parts[0].test.args, parts[2].start
    (['If', 'Move', 'For', 'Let'], (Const(value=0, ...), Var(name='n', ...)), Const(value=1, ...))
    """
    place = _place(loop, is_whole)
    if place is None or loop.flag is not None or not walk.is_const(loop.step, 1):
        return None
    last = loop.body[-1]
    assert isinstance(last, Move)
    parts = _Parts(loop, place, {t: entry[t] for t in last.targets if t in entry}, fresh)
    parts.go(loop.start, place, loop.stop)
    parts.once()
    parts.go(folded_number(Call(max, (loop.start, Call(operator.add, (place, Const(1)))))), loop.stop)
    rest = {t: value for t, value in entry.items() if t not in last.targets} | parts.values
    return (*parts.out, *(Let(t, value, loop.origin) for t, value in rest.items()))


class _Parts:
    """Parts of a loop, one after the other: what the names that it carries are by now."""

    def __init__(self, loop: For, place: Expr, values: Values, fresh: Callable[[str], str]):
        self.loop, self.place, self.values, self.fresh = loop, place, values, fresh
        self.carried = loop.body[-1].targets  # type: ignore[attr-defined]
        self.out: Block = ()

    def go(self, start: Expr, *ends: Expr) -> None:
        """The iterations from one to the first of two, in which nothing special happens."""
        if Const(True) in (folded(Call(operator.ge, (start, end))) for end in ends):
            return
        stop = folded_number(Call(min, ends)) if len(ends) > 1 else ends[0]
        names = {t: self.fresh(hint(t)) for t in self.carried}
        code, after, index, _ = iteration(self.decided(False), names, self.fresh)
        begin = moved({names[t]: value for t, value in self.values.items()}, self.loop)
        again = moved({names[t]: after[t] for t in self.carried}, self.loop)
        self.out += (begin, For(index, start, stop, self.loop.step, (*code, again), None, self.loop.origin))
        self.values = {t: Var(name) for t, name in names.items()}

    def once(self) -> None:
        """The iteration itself, if it is one of the loop's."""
        loop = self.loop
        own, names = ({t: self.fresh(hint(t)) for t in self.carried} for _ in range(2))
        code, ends, index, _ = iteration(self.decided(True), own, self.fresh)
        begin = [Let(own[t], value, loop.origin) for t, value in self.values.items()]
        then = (*begin, Let(index, self.place, loop.origin), *code)
        inside = Call(operator.le, (loop.start, self.place)), Call(operator.lt, (self.place, loop.stop))
        tests = [test for test in map(folded, inside) if test != Const(True)] or [Const(True)]
        test = tests[0] if len(tests) == 1 else Call(and_, tuple(tests), (), BOOL)
        done, skipped = (moved({names[t]: value for t, value in each.items()}, loop) for each in (ends, self.values))
        self.out += (If(test, (*then, done), (skipped,), loop.origin),)
        self.values = {t: Var(name) for t, name in names.items()}

    def decided(self, same: bool) -> For:
        """The loop where it is known whether an iteration is that one."""
        loop = self.loop

        def known(expr: Expr) -> Expr:
            if isinstance(expr, Call) and expr.fn in _SAME and _other(expr, loop.index) == self.place:
                return Const(_SAME[expr.fn] is same, BOOL)
            return expr

        *body, last = loop.body
        return For(loop.index, loop.start, loop.stop, loop.step, (*walk.map_block(known, tuple(body)), last))


def _place(loop: For, is_whole: Callable[[Expr], bool]) -> Expr | None:
    """The count that a branch asks for."""
    own = walk.assigned(loop.body) | {loop.index}
    for stmt in walk.statements(loop.body):
        test = stmt.test if isinstance(stmt, If) else None
        if isinstance(test, Call) and test.fn in _SAME:
            other = _other(test, loop.index)
            if isinstance(other, (Var, Const)) and not walk.names(other) & own and is_whole(other):
                return other
    return None


def _other(test: Call, index: str) -> Expr | None:
    """What the index is compared with."""
    match test.args:
        case (Var(name), other) | (other, Var(name)) if name == index:
            return other
    return None
