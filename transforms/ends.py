"""ends: iterations at the ends of a loop stand by themselves where tests of its index single them out; part of
`blocks`. For machine code only.

``left = u[i - 1] if i > 0 else u[n - 1]`` asks every iteration what only the first one answers with no, and what is
added to neighbours under such a test cannot be carried from one iteration to the next. The loop between the ends asks
nothing. The iterations stay in their order, so nothing is added up in another one.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from srcad.analysis.live import Names, at_the_end, live
from srcad.lang import walk
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Function, If, Stmt, Var, While, and_, or_, select
from srcad.lang.types import BOOL, INT
from srcad.transforms.independent import remembers
from srcad.transforms.simplify import simplified

FARTHEST = 2  # iterations at an end that stand by themselves
LONGEST = 60  # statements of an iteration
MIRRORED = {operator.lt: operator.gt, operator.le: operator.ge, operator.gt: operator.lt, operator.ge: operator.le,
            operator.eq: operator.eq, operator.ne: operator.ne}  # fmt: skip
BORDERS = {operator.lt: (0,), operator.ge: (0,), operator.le: (1,), operator.gt: (1,), operator.eq: (0, 1),
           operator.ne: (0, 1)}  # fmt: skip
BEHIND = {operator.gt, operator.ge, operator.ne}  # what is true of an index behind the one that it is compared with
AHEAD = {operator.lt, operator.le, operator.ne}


def ends(fn: Function) -> Function:
    """Take the first and the last iterations out of innermost loops that ask which ones these are.

    >>> from srcad.lang.ir import Accum, Param, Return
    >>> from srcad.lang.types import FLOAT, Array
    >>> x, s, i, n = Var("x", Array("float64", ("n",), "C")), Var("s", FLOAT), Var("i", INT), Var("n", INT)
    >>> def at(k): return Call(operator.getitem, (x, k), (), FLOAT)
    >>> before = at(Call(operator.sub, (i, Const(1, INT)), (), INT))
    >>> branch = If(Call(operator.gt, (i, Const(0, INT)), (), BOOL), (Accum(s, before),), (Accum(s, at(i)),))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (branch,))
    >>> from srcad.lang.write import write
    >>> params = (Param("x", x.type), Param("n", INT), Param("s", FLOAT))
    >>> print(write(ends(Function("f", params, (loop, Return(s))))).text, end="")
    def f(x, n, s):
        for i in range(min(1, n)):
            s += x[i]
        for i in range(1, n):
            s += x[i - 1]
        return s
    """
    body = _block(fn.body, frozenset())
    return replace(fn, body=body) if body != fn.body else fn


def _block(block: Block, after: Names) -> Block:
    """A block behind which the names `after` are read."""
    result: list[Stmt] = []
    for stmt, behind in zip(block, live(block, after)):
        if isinstance(stmt, For) and not any(isinstance(s, (For, While)) for s in walk.statements(stmt.body)):
            result.extend((stmt.index not in behind and _in_parts(stmt)) or (stmt,))
        else:
            end = at_the_end(stmt, behind) if isinstance(stmt, (For, While)) else behind
            result.append(walk.map_stmt(lambda e: e, stmt, functools.partial(_block, after=end)))
    return tuple(result)


@dataclass
class _Tests:
    """The tests of a loop's index that its ends decide, and how many iterations at each end these take."""

    low: Expr  # the least index
    top: Expr  # the one behind the greatest
    decided: dict[Call, bool] = field(default_factory=dict)  # between the ends
    lowest: dict[Call, bool] = field(default_factory=dict)  # of the least index itself
    highest: dict[Call, bool] = field(default_factory=dict)  # and of the greatest
    front: int = 0
    back: int = 0

    def add(self, test: Call, fn: Callable[..., Any], border: Expr) -> None:
        """A test that compares the index with a number."""
        behind, before = _distance(border, self.low), _distance(self.top, border)
        if behind is not None and behind + max(BORDERS[fn]) <= FARTHEST:
            self.front = max(self.front, behind + max(BORDERS[fn]))
            self.decided[test], self.lowest[test] = fn in BEHIND, fn(0, behind)
        elif before is not None and before - min(BORDERS[fn]) <= FARTHEST:
            self.back = max(self.back, before - min(BORDERS[fn]))
            self.decided[test], self.highest[test] = fn in AHEAD, fn(before - 1, 0)


def _in_parts(loop: For) -> Block | None:
    """The iterations at the front, those between, and those at the back, in their order; None if nothing is gained."""
    changed = walk.assigned(loop.body) | {loop.index}
    bounds = (loop.start, loop.stop)
    if loop.flag is not None or loop.shared or not isinstance(loop.step, Const) or loop.step.value not in (1, -1):
        return None
    if all(isinstance(e, Const) for e in bounds) or not all(_is_plain(e, changed) for e in bounds):
        return None
    if sum(1 for _ in walk.statements(loop.body)) > LONGEST or remembers(loop):
        return None  # the branches of what waits for the iteration before cost nothing
    tests = _tests(loop, changed)
    if not tests.decided:
        return None
    body = told(loop.body, tests.decided)
    return tuple(_parts(loop, body, tests)) if _branches(body) < _branches(loop.body) else None


def told(body: Block, known: dict[Call, bool]) -> Block:
    """An iteration in which some tests are decided."""
    tell = lambda e: Const(known[e], BOOL) if isinstance(e, Call) and e in known else _folded(e)
    return _chosen(walk.map_block(lambda e: walk.map_expr(tell, e), body))


def _parts(loop: For, body: Block, tests: _Tests) -> list[Stmt]:
    up = loop.step.value == 1  # type: ignore[union-attr]
    sides = (tests.front, tests.lowest), (tests.back, tests.highest)
    (first, early), (last, late) = sides if up else sides[::-1]
    further, nearer, least, most = (
        (operator.add, operator.sub, min, max) if up else (operator.sub, operator.add, max, min)
    )
    begin = simplified(Call(further, (loop.start, Const(first, INT)), (), INT))
    end = simplified(Call(nearer, (loop.stop, Const(last, INT)), (), INT))
    middle = replace(loop, start=begin, stop=end, body=body)
    parts: list[Stmt] = [middle]
    if first:
        alone = told(loop.body, early if first == 1 else {})
        parts = [replace(loop, stop=Call(least, (begin, loop.stop), (), INT), body=alone), *parts]
    if last:
        alone = told(loop.body, late if last == 1 else {})
        parts = [*parts, replace(loop, start=Call(most, (begin, end), (), INT), body=alone)]
    return parts


def _tests(loop: For, changed: set[str]) -> _Tests:
    one = Const(1, INT)
    low, top = loop.start, loop.stop
    if loop.step.value == -1:  # type: ignore[union-attr]
        low, top = (Call(operator.add, (e, one), (), INT) for e in (loop.stop, loop.start))
    tests = _Tests(low, top)
    for stmt in walk.statements(loop.body):
        for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
            match e:
                case Call(fn, (Var(name), border)) if fn in MIRRORED and name == loop.index:
                    pass
                case Call(mirrored, (border, Var(name))) if mirrored in MIRRORED and name == loop.index:
                    fn = MIRRORED[mirrored]
                case _:
                    continue
            if _is_plain(border, changed):
                tests.add(e, fn, border)
    return tests


def _distance(a: Expr, b: Expr) -> int | None:
    """How much one number is more than another one, if that is known."""
    difference = simplified(Call(operator.sub, (a, b), (), INT))
    return difference.value if isinstance(difference, Const) else None


def _is_plain(expr: Expr, changed: set[str]) -> bool:
    """Whether an integer is made of constants, lengths and names that no iteration changes."""
    match expr:
        case Const():
            return type(expr.value) is int
        case Var(name, kind):
            return kind == INT and name not in changed
        case Call(operator.getitem, (Attr(Var(name), "shape"), Const())):
            return name not in changed
        case Call(operator.add | operator.sub, args, ()):
            return all(_is_plain(arg, changed) for arg in args)
    return False


def _folded(expr: Expr) -> Expr:
    """What tests of constants leave."""
    match expr:
        case Call(operator.not_, (Const(bool() as value),)):
            return Const(not value, BOOL)
        case Call(fn, (Const(bool() as value), other)) if fn in (and_, or_):
            return other if value is (fn is and_) else Const(value, BOOL)
        case Call(fn, (other, Const(bool() as value))) if fn in (and_, or_) and value is (fn is and_):
            return other
        case Call(fn, (Const(bool() as value), then, orelse)) if fn is select:
            return then if value else orelse
    return expr


def _chosen(block: Block) -> Block:
    """The branches that are taken."""
    result: list[Any] = []
    for stmt in block:
        if not isinstance(stmt, If):
            result.append(stmt)
        elif isinstance(stmt.test, Const):
            result.extend(_chosen(stmt.then if stmt.test.value else stmt.orelse))
        else:
            result.append(replace(stmt, then=_chosen(stmt.then), orelse=_chosen(stmt.orelse)))
    return tuple(result)


def _branches(block: Block) -> int:
    """How many branches statements have."""
    exprs = (e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    return sum(isinstance(s, If) for s in walk.statements(block)) + sum(
        isinstance(e, Call) and e.fn in (select, and_, or_) for e in exprs
    )
