"""recall: what a time loop computes in inner loops is recorded once, not computed again twice; part of `derive`.

The reverse of ``for t in ...: for k in ...: state[k] = np.tanh(w[k] * state[k])`` would run the steps of `k` again for
each `t`, record them, and then compute each of them a second time to reverse it. Where that costs more than a place in
memory, the loop over `t` records the values that the derivatives read, and its reverse repeats nothing.
Extremes and sums of rows are such values, too: they cost a pass over an array with more elements than they have.

Why it is right: a reverse loop that repeats statements of its forward loop has, in the same iterations, the same values
(`srcad.analysis.replays`). The forward loop stands by itself in the function, and all loops around a value have bounds
that it does not change; so each value has a place of its own in a record that is made beforehand. Who reads it stands
in the same loops and branches as who wrote it. A record takes, for an iteration, no more than an array that the loop
works on; an inner loop has as many places as it goes round at most (`transforms/extents.py`), so that loops over
triangles are recorded, too. Where iterations remember nothing of each other, all of them together record no more than
an array that is there before the loop, products of matrices apart: each of their elements took a loop. An iteration
whose reverse follows it at once may have two such loops inside; then the record is its own, and worth it for an `exp`
alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, For, Function, Param
from srcad.lang.recursive import Instance, called
from srcad.transforms.context import Context
from srcad.transforms.dead_code import dead_code
from srcad.transforms.needs import Needs
from srcad.transforms.work import functions, rounds, work

_WORTH = 0.9  # of the work, at most, is left: a product of matrices less, of three


def recall(ctx: Context, fn: Function, contents: list[str]) -> Function:
    """A derivative whose loops record what is dear, where that is less work; of arrays the `contents` are needed."""
    return _recalled(ctx, fn, contents, fn, lambda body: body)


def _recalled(
    ctx: Context, fn: Function, contents: list[str], part: Function, whole: Callable[[Block], Block]
) -> Function:
    """The same for the loops of one block: the body of `part`, which is `fn` or an iteration of one of its loops.

    `whole` puts another block in its place.
    """
    loops = [stmt for stmt in part.body if isinstance(stmt, For) and stmt.flag is None]
    for position, forward in enumerate(loops):
        back = [loop for loop in loops if loop.index == forward.index and loop is not forward]
        if len(back) != 1 or back[0] in loops[:position] or _in_segments(forward) or called(forward.body, Instance):
            continue
        if _is_replayed(ctx, forward):  # what is known of replays is how they follow from the first run
            continue
        if not (rounds(back[0].body) or part is not fn and functions(back[0].body)):
            continue  # nothing that records could spare
        code = Needs(ctx, part, forward, back[0], part is not fn).recorded()
        code = None if code is None else dead_code(whole(code), contents=contents)
        if code is not None and _gains(code, fn.body, part is not fn) and work(code) < _WORTH * work(fn.body):
            return recall(ctx, replace(fn, body=code), contents)
    for position, loop in enumerate(part.body):
        if isinstance(loop, For) and loop.flag is None and not _in_segments(loop) and _goes_around(loop.body):
            inner = _iteration(ctx, part, position)
            found = _recalled(ctx, fn, contents, inner, functools.partial(_placed, part.body, position, whole))
            if found is not fn:
                return found
    return fn


def _gains(code: Block, before: Block, own: bool) -> bool:
    """Whether records spare loops; or functions of elements, where each iteration has records of its `own`."""
    return rounds(code) < rounds(before) or own and functions(code) < functions(before)


def _goes_around(block: Block) -> bool:
    return any(isinstance(stmt, For) for stmt in block)


def _is_replayed(ctx: Context, loop: For) -> bool:
    """Whether a loop computes something that another has computed before."""
    return any(ctx.buffers.firsts.get(name, name) != name for name in walk.assigned((loop,)))


def _placed(block: Block, position: int, whole: Callable[[Block], Block], body: Block) -> Block:
    """All statements, with another body of the loop at a place of a block."""
    loop = block[position]
    assert isinstance(loop, For)
    return whole((*block[:position], replace(loop, body=body), *block[position + 1 :]))


def _iteration(ctx: Context, part: Function, position: int) -> Function:
    """An iteration of a loop as a function of what is known before it."""
    loop = part.body[position]
    assert isinstance(loop, For)
    names = (walk.defined(part.body[:position]) - walk.assigned(loop.body)) | {loop.index}
    known = tuple(Param(name, ctx.types[name]) for name in sorted(names) if name in ctx.types)
    return replace(part, params=(*part.params, *known), body=loop.body)


def _in_segments(loop: For) -> bool:
    """Whether a loop is one of those that record little, as the user wants it."""
    return any(stmt.origin.note for stmt in walk.statements((loop,)) if isinstance(stmt, For))
