"""phases: a loop in which a name gets another rank in some iteration, as two loops; part of `infer`.

``s = 0.0; for i in range(n): if v[i] > t: s = s + w * v[i]``: nobody knows in which iteration `s` becomes an array, if
in any. The first loop is left behind that iteration, and the second one goes on from there, with an array. Behind them
the name has two ranks.
"""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np

from srcad.lang.ir import Block, Call, Const, Expr, For, If, Let, Move, Var, hint
from srcad.lang.types import BOOL
from srcad.lang.walk import assigned, retarget, substitute, substitute_in

Values = dict[str, Expr]


def in_phases(loop: For, entry: Values, ranks: dict[str, int], fresh: Callable[[str], str]) -> Block:
    """The two loops in the place of a split one, which begins with `entry`; `ranks` are those before the loop.

    >>> import itertools
    >>> from srcad.lang.ir import Call
    >>> count = itertools.count()
    >>> body = (Let("t", Call(operator.mul, (Var("s"), Var("v")))), Move(("s",), (Var("t"),)))
    >>> loop = For("i", Const(0), Var("n"), Const(1), body)
    >>> before, one, both = in_phases(loop, {"s": Const(0.0)}, {"s": 0}, lambda name: f"{name}.{next(count)}")
    >>> before.targets, one.flag, both.then[1].start
    (('s.0', 'turned.1', 'i.2'), 'turned.1', Call(fn=<built-in function add>, args=(Var(name='i.2', ...), ...), ...))
    """
    last = loop.body[-1]
    assert isinstance(last, Move)
    carried = last.targets
    one = {name: fresh(hint(name)) for name in carried}
    turned, place = fresh("turned"), fresh(hint(loop.index))
    code, ends, index = _iteration(loop, one, fresh)
    kept, grown, arrays = ({name: fresh(hint(name)) for name in ranks} for _ in range(3))
    now = fresh("turned")
    name = next(iter(ranks))
    changed = Call(operator.ne, (Call(np.ndim, (ends[name],)), Const(ranks[name])))
    new = {now: Const(True, BOOL)} | {grown[n]: ends[n] for n in ranks} | {kept[n]: Var(one[n]) for n in ranks}
    same = {now: Const(False, BOOL)} | {grown[n]: Var(arrays[n]) for n in ranks} | {kept[n]: ends[n] for n in ranks}
    which = If(changed, (_move(new, loop),), (_move(same, loop),), loop.origin)
    handed = {one[t]: Var(kept[t]) if t in ranks else ends[t] for t in carried}
    handed |= {arrays[n]: Var(grown[n]) for n in ranks} | {turned: Var(now), place: Var(index)}
    first = For(index, loop.start, loop.stop, loop.step, (*code, which, _move(handed, loop)), turned, loop.origin)
    begun = {one[t]: value for t, value in entry.items() if t in one}
    before = _move(begun | {turned: Const(False, BOOL), place: loop.start}, loop)
    unchanged = tuple(Let(t, value, loop.origin) for t, value in entry.items() if t not in one)
    two = {name: fresh(hint(name)) for name in carried}
    code, ends, index = _iteration(loop, two, fresh)
    start = Call(operator.add, (Var(place), loop.step))
    second = For(index, start, loop.stop, loop.step, (*code, _move({two[t]: ends[t] for t in carried}, loop)), None,
                 loop.origin)  # fmt: skip
    middle = _move({two[t]: Var(arrays[t] if t in ranks else one[t]) for t in carried}, loop)
    behind = [_move({t: Var(names[t]) for t in carried}, loop) for names in (two, one)]
    both = If(Var(turned), (middle, second, behind[0]), (behind[1],), loop.origin)
    return (*unchanged, before, first, both)


def _iteration(loop: For, heads: dict[str, str], fresh: Callable[[str], str]) -> tuple[Block, Values, str]:
    """The statements of an iteration and what it hands on, under names of their own, and that of the index."""
    *body, last = loop.body
    assert isinstance(last, Move)
    own = {name: fresh(hint(name)) for name in sorted((assigned(tuple(body)) | {loop.index}) - heads.keys())}
    meaning: Values = {name: Var(new) for name, new in (own | heads).items()}
    code = retarget(substitute_in(tuple(body), meaning), own)
    return code, {t: substitute(v, meaning) for t, v in zip(last.targets, last.values)}, own[loop.index]


def _move(pairs: Values, loop: For) -> Move:
    return Move(tuple(pairs), tuple(pairs.values()), loop.origin)
