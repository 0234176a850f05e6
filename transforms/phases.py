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
    turned, place, left, ended = fresh("turned"), fresh(hint(loop.index)), fresh("left"), fresh("ended")
    code, ends, index, flag = iteration(loop, one, fresh)
    kept, grown, arrays = ({name: fresh(hint(name)) for name in ranks} for _ in range(3))
    now, leaves = fresh("turned"), fresh("ended")
    name = next(iter(ranks))
    changed = Call(operator.ne, (Call(np.ndim, (ends[name],)), Const(ranks[name])))
    new = {now: Const(True, BOOL)} | {grown[n]: ends[n] for n in ranks} | {kept[n]: Var(one[n]) for n in ranks}
    same = {now: Const(False, BOOL)} | {grown[n]: Var(arrays[n]) for n in ranks} | {kept[n]: ends[n] for n in ranks}
    handed = {one[t]: Var(kept[t]) if t in ranks else ends[t] for t in carried}
    handed |= {arrays[n]: Var(grown[n]) for n in ranks} | {turned: Var(now), place: Var(index)}
    begun = {one[t]: value for t, value in entry.items() if t in one}
    begun |= {turned: Const(False, BOOL), place: loop.start}
    if flag is not None:
        new, same = new | {leaves: Const(True, BOOL)}, same | {leaves: flag}
        handed |= {left: flag, ended: Var(leaves)}
        begun |= {left: Const(False, BOOL), ended: Const(False, BOOL)}
    which = If(changed, (moved(new, loop),), (moved(same, loop),), loop.origin)
    first = For(index, loop.start, loop.stop, loop.step, (*code, which, moved(handed, loop)),
                turned if flag is None else ended, loop.origin)  # fmt: skip
    unchanged = tuple(Let(t, value, loop.origin) for t, value in entry.items() if t not in one)
    grew: Values = {t: Var(arrays[t] if t in ranks else one[t]) for t in carried}
    others, two = _others(loop, Call(operator.add, (Var(place), loop.step)), grew, fresh)
    if flag is not None:
        both_ends = {t: fresh(hint(t)) for t in carried}
        done, skipped = (moved({both_ends[t]: v for t, v in each.items()}, loop) for each in (two, grew))
        others, two = (If(Var(left), (skipped,), (*others, done), loop.origin),), _variables(both_ends)
    behind = [moved({t: values[t] for t in carried}, loop) for values in (two, _variables(one))]
    both = If(Var(turned), (*others, behind[0]), (behind[1],), loop.origin)
    return (*unchanged, moved(begun, loop), first, both)


def _others(loop: For, start: Expr, values: Values, fresh: Callable[[str], str]) -> tuple[Block, Values]:
    """The iterations from one on, before which the carried names have these values, and those that they have then."""
    two = {name: fresh(hint(name)) for name in values}
    code, ends, index, flag = iteration(loop, two, fresh)
    again = {two[t]: ends[t] for t in values}
    begin = {two[t]: value for t, value in values.items()}
    ended = None
    if flag is not None:
        ended = fresh("ended")
        again, begin = again | {ended: flag}, begin | {ended: Const(False, BOOL)}
    second = For(index, start, loop.stop, loop.step, (*code, moved(again, loop)), ended, loop.origin)
    return (moved(begin, loop), second), _variables(two)


def _variables(names: dict[str, str]) -> Values:
    return {name: Var(new) for name, new in names.items()}


def iteration(
    loop: For, heads: dict[str, str], fresh: Callable[[str], str]
) -> tuple[Block, Values, str, Expr | None]:
    """The statements of an iteration, in which carried names are `heads`, what it hands on, its index and its flag."""
    *body, last = loop.body
    assert isinstance(last, Move)
    own = {name: fresh(hint(name)) for name in sorted((assigned(tuple(body)) | {loop.index}) - heads.keys())}
    meaning: Values = {name: Var(new) for name, new in (own | heads).items()}
    code = retarget(substitute_in(tuple(body), meaning), own)
    ends = {t: substitute(v, meaning) for t, v in zip(last.targets, last.values)}
    flag = None if loop.flag is None else ends.get(loop.flag, meaning[loop.flag])
    return code, ends, own[loop.index], flag


def moved(pairs: Values, loop: For) -> Move:
    """What is handed on before, in or behind a loop."""
    return Move(tuple(pairs), tuple(pairs.values()), loop.origin)
