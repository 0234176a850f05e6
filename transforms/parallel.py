"""parallel: outer loops whose iterations several threads share, where it is asked for. For machine code only.

The iterations go in as many parts as there are threads, each a stretch of them. What all iterations add to, a number or
a cotangent, each part sums up for itself, in memory of its own; the parts are added in their order, so that the same
number of threads gives the same result. Elements that only one iteration touches are written where they are.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import count
from typing import Union

import numpy as np

from srcad.analysis.classes import Classes
from srcad.lang.arrays import axis_length, index_of, new_array
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, Let, Stmt, Store, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import INT, Array, Scalar, is_array
from srcad.runtime.threads import parts
from srcad.transforms.context import is_bar
from srcad.transforms.decisions import Decisions
from srcad.transforms.independent import Sums, adding, sums_of, upwards
from srcad.transforms.name import reserved

_LEAST, _LEAST_OF_LOOPS = 16384, 64  # iterations that a thread is worth: short ones, and those with loops in them
NOTE = "several threads, each with sums of its own; they are added in order"


def parallel(fn: Function, decisions: Decisions | None = None) -> Function:
    """Let threads share the iterations of outer loops that do not depend on each other.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.write import write
    >>> from srcad.lang.types import FLOAT
    >>> x, n, s = Var("x", Array("float64", ("n",), "C")), Var("n", INT), Var("s", FLOAT)
    >>> element = Call(operator.getitem, (x, Var("i", INT)), (), FLOAT)
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (Accum(s, element),))
    >>> params = (Param("x", x.type), Param("n", INT))
    >>> print(write(parallel(Function("f", params, (Let("s", Const(0.0, FLOAT)), loop, Return(s))))).text, end="")
    import numpy as np
    from srcad.runtime import parts, prange
    <BLANKLINE>
    <BLANKLINE>
    def f(x, n):
        s = 0.0
        threads = parts(n, 16384)
        s_parts = np.zeros(threads)
        # several threads, each with sums of its own; they are added in order
        for part in prange(threads):
            s_own = 0.0
            for i in range(n * part // threads, n * (part + 1) // threads):
                s_own += x[i]
            s_parts[part] = s_own
        for part in range(threads):
            s += s_parts[part]
        return s
    """
    fresh = _numbered({p.name for p in fn.params} | walk.assigned(fn.body) | reserved(fn))
    classes = Classes.of(fn.body)
    body: list[Stmt] = []
    for position, stmt in enumerate(fn.body):
        new: Union[list[Stmt], str] = [stmt]
        if isinstance(stmt, For) and not _is_shared(stmt):
            new = _shared(stmt, fn.body[position + 1 :], classes, fresh)
            if decisions is not None:
                place = (stmt.origin.line, stmt.origin.adjoint, stmt.origin.text)
                decisions.threads[place] = new if isinstance(new, str) else ""
        body += [stmt] if isinstance(new, str) else new
    return replace(fn, body=tuple(body))


def _is_shared(loop: For) -> bool:
    """Whether threads share a loop already, or it adds up what they have summed."""
    return loop.shared or isinstance(loop.stop, Var) and hint(loop.stop.name).startswith("threads")


def _numbered(used: set[str]) -> Callable[[str], str]:
    """A source of names that can be printed."""

    def fresh(base: str) -> str:
        found = next(name for k in count() if (name := f"{base}_{k}" if k else base) not in used)
        used.add(found)
        return found

    return fresh


def _shared(loop: For, rest: Block, classes: Classes, fresh: Callable[[str], str]) -> Union[list[Stmt], str]:
    """The statements that share a loop among threads, or why that cannot be."""
    loop = replace(loop, body=adding(loop.body))
    found = sums_of(loop, rest, classes)
    return found if isinstance(found, str) else _divided(loop, found, fresh)


def _divided(loop: For, sums: Sums, fresh: Callable[[str], str]) -> list[Stmt]:
    """The loop in parts, each with sums of its own, and the addition of these."""
    origin = replace(loop.origin, adjoint=False, note="")
    threads, part = Var(fresh("threads"), INT), Var(fresh("part"), INT)
    first, trips = upwards(loop)
    before: list[Stmt] = []
    changed = walk.assigned(loop.body)  # each part asks for the bounds, which the loop itself asked for once

    def fixed(bound: Expr, name: str) -> Expr:
        before.append(Let(fresh(name), bound, origin))
        return Var(before[-1].target, INT)  # type: ignore[union-attr, arg-type]

    if not isinstance(trips, (Var, Const)) or changed & walk.names(trips):
        trips = fixed(trips, "trips")
    if changed & walk.names(first):
        first = fixed(first, "start")
    inner_loops = any(isinstance(s, (For, While)) for s in walk.statements(loop.body))
    least = Const(_LEAST_OF_LOOPS if inner_loops else _LEAST, INT)
    before.append(Let(threads.name, Call(parts, (trips, least), (), INT), origin))
    opening: list[Stmt] = []
    closing: list[Stmt] = []
    adding: list[Stmt] = []
    own: dict[str, Var] = {}
    for total in (*sums.numbers, *sums.arrays):
        several, mine = _room(total, threads, part, fresh)
        before.append(Let(several.name, _zeros(total, threads), origin))
        own[total.name] = mine
        element = Call(operator.getitem, (several, part), (), mine.type)
        if is_array(mine.type):
            opening.append(Let(mine.name, replace(element, type=mine.type), origin))
        else:
            opening.append(Let(mine.name, Const(0.0, mine.type), origin))
            closing.append(Store(several, part, mine, origin))
        adding.append(Accum(total, element, origin))

    def bound(number: Expr) -> Expr:
        share = Call(operator.floordiv, (Call(operator.mul, (trips, number), (), INT), threads), (), INT)
        return share if walk.is_const(first, 0) else Call(operator.add, (first, share), (), INT)

    names = {old: new.name for old, new in own.items()}
    body = _numbers_whole(walk.substitute_in(walk.retarget(loop.body, names), dict(own)), names.values())
    after = Call(operator.add, (part, Const(1, INT)), (), INT)
    stretch = replace(loop, start=bound(part), stop=bound(after), step=Const(1, INT), body=body)
    zero, one = Const(0, INT), Const(1, INT)
    shared = For(part.name, zero, threads, one, (*opening, stretch, *closing), None, replace(origin, note=NOTE), True)
    final = [For(part.name, zero, threads, one, tuple(adding), None, origin)] if adding else []
    return [*before, shared, *final]


def _numbers_whole(body: Block, own: Collection[str]) -> Block:
    """What is added to the one element of an array of rank 0, added to the number that stands for the array."""

    def one(stmt: Stmt) -> Stmt:
        match stmt:
            case Accum(Call(operator.getitem, (Var(name, Scalar()) as number, _))) if name in own:
                return replace(stmt, target=number)
        return walk.map_stmt(lambda e: e, stmt, lambda block: tuple(map(one, block)))

    return tuple(map(one, body))


def _room(total: Var, threads: Var, part: Var, fresh: Callable[[str], str]) -> tuple[Var, Var]:
    """The sums of all parts, and the one of a part: a number for an array of rank 0, as elements of arrays are."""
    kind = total.type
    dims = kind.shape if isinstance(kind, Array) else ()
    assert isinstance(kind, (Array, Scalar))
    stem = f"{hint(total.name)}_bar" if is_bar(total.name) else hint(total.name)
    several = Var(fresh(f"{stem}_parts"), Array(kind.dtype, (threads.name, *dims), "C"))
    mine = replace(kind, layout="C") if isinstance(kind, Array) else kind
    return several, Var(fresh(f"{stem}_own"), mine if dims or isinstance(mine, Scalar) else Scalar(kind.dtype))


def _zeros(total: Var, threads: Var) -> Expr:
    kind = total.type
    assert isinstance(kind, (Array, Scalar))
    rank = kind.ndim if isinstance(kind, Array) else 0
    room = index_of((threads, *(axis_length(total, k) for k in range(rank))))
    return new_array(np.zeros, room, Array(kind.dtype, (threads.name, *(kind.shape if rank else ())), "C"))  # type: ignore[union-attr]
