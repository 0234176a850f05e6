"""unroll: a loop as its iterations, one after the other; part of `infer`.

What differs in type from item to item (the elements of a tuple, a list of functions and numbers) has to be written out.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace

from srcad.lang.ir import Block, Call, Const, Expr, For, If, Let, Move, Var, While, hint
from srcad.lang.types import INT
from srcad.lang.walk import assigned, retarget, substitute, substitute_in

LONGEST = 64  # of a loop that is written out
Values = dict[str, Expr]


def unrolled(
    loop: For, counts: Sequence[int], limit: Expr | None, values: Values, fresh: Callable[[str], str]
) -> tuple[Block, Values]:
    """The iterations of a split loop for these counts, and what the names that it carries are then.

    They have `values` before; an iteration is made only while its count is below `limit`, if there is one.
    """
    if not counts:
        return (), values
    count, *others = counts
    body, after, flag = _iteration(loop, Const(count, INT), values, fresh)
    rest, final = unrolled(loop, others, limit, after, fresh)
    if flag is not None and (rest or final != after):
        rest, final = _choice(loop, flag, ((), after), (rest, final), fresh)
    whole = (*body, *rest)
    if limit is not None:
        goes_on = Call(operator.lt, (Const(count, INT), limit))
        whole, final = _choice(loop, goes_on, (whole, final), ((), values), fresh)
    return whole, final


def peeled(loop: For | While, values: Values, fresh: Callable[[str], str], late: set[str]) -> tuple[Block, Values]:
    """The first iteration of a loop, and a loop of the others; what is in `late` has no value without an iteration."""
    body, after, flag = _iteration(loop, loop.start if isinstance(loop, For) else None, values, fresh)
    handed = tuple(t for t in after if t in assigned(loop.body))
    begin = Move(handed, tuple(after[t] for t in handed), loop.origin)
    others = replace(loop, start=Call(operator.add, (loop.start, loop.step))) if isinstance(loop, For) else loop
    rest: Block = (begin, others) if handed else (others,)
    final = after | {t: Var(t) for t in handed}
    if flag is not None:
        rest, final = _choice(loop, flag, ((), after), (rest, final), fresh)
    without = {name: value for name, value in values.items() if name not in late}
    some = _some(loop) if isinstance(loop, For) else substitute(loop.test, values)
    return _choice(loop, some, ((*body, *rest), final), ((), without), fresh)


def _some(loop: For) -> Expr:
    """Whether a loop makes an iteration."""
    assert isinstance(loop.step, Const)
    return Call(operator.lt if loop.step.value > 0 else operator.gt, (loop.start, loop.stop))


def once(loop: For, values: Values) -> If:
    """A loop that makes one iteration at most; the names that it carries have `values` before."""
    *body, last = loop.body
    body, last = (body, last) if isinstance(last, Move) else ([*body, last], Move((), ()))
    own = {name: name for name in assigned(tuple(body))}
    code = _renamed(tuple(body), own, values)
    after = Move(last.targets, tuple(substitute(v, values) for v in last.values), loop.origin)
    before = [(t, values[t]) for t in last.targets if t in values]
    skipped = Move(tuple(t for t, _ in before), tuple(v for _, v in before), loop.origin)
    then = (Let(loop.index, loop.start, loop.origin), *code, after)
    return If(_some(loop), then, (skipped,) if before else (), loop.origin)


def _iteration(
    loop: For | While, count: Expr | None, values: Values, fresh: Callable[[str], str]
) -> tuple[Block, Values, Expr | None]:
    """The statements of one iteration under names of their own, what it hands on, and its flag."""
    index = {loop.index} if isinstance(loop, For) else set()
    own = {name: fresh(hint(name)) for name in sorted(assigned(loop.body) | index)}
    meaning: Values = {name: Var(new) for name, new in own.items()} | values
    if isinstance(loop, For) and count is not None:
        meaning[loop.index] = count
    *body, last = loop.body or (Move((), ()),)
    if not isinstance(last, Move):
        body, last = list(loop.body), Move((), ())
    code = _renamed(tuple(body), own, meaning)
    after = {t: substitute(v, meaning) for t, v in zip(last.targets, last.values)}
    flag = loop.flag if isinstance(loop, For) else None
    return code, values | after, None if flag is None else after.get(flag, meaning[flag])


def _choice(
    loop: For | While, test: Expr, then: tuple[Block, Values], orelse: tuple[Block, Values], fresh: Callable[[str], str]
) -> tuple[Block, Values]:
    """A branch between two blocks, which hands on what they leave the carried names with."""
    names = [n for n in then[1].keys() | orelse[1].keys() if then[1].get(n) != orelse[1].get(n)]
    joined = {name: fresh(hint(name)) for name in sorted(names)}

    def side(block: Block, values: Values) -> Block:
        pairs = [(new, values[name]) for name, new in joined.items() if name in values]
        move = Move(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), loop.origin)
        return (*block, move) if pairs else block

    final = then[1] | orelse[1] | {name: Var(new) for name, new in joined.items()}
    return (If(test, side(*then), side(*orelse), loop.origin),), final


def _renamed(block: Block, own: dict[str, str], meaning: Values) -> Block:
    return retarget(substitute_in(block, meaning), own)
