"""Loops over structures that would be very long if they were written out: they stay loops, if that can be; part of
`inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.errors import SrcadError
from srcad.lang.forms import is_python
from srcad.lang.ir import Block, Call, Const, Expr, For, If, Var, While
from srcad.lang.lists import element_of, one_of
from srcad.lang.meanwhile import meanwhile
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, UNKNOWN, Scalar, TupleType
from srcad.transforms.containers import Grows
from srcad.transforms.frames import Objects
from srcad.transforms.iterations import MOST_TURNS, Rebound
from srcad.transforms.over_structures import changes_parts, makes_keys

if TYPE_CHECKING:
    from srcad.transforms.growing import Growing

T = TypeVar("T")

LONGEST = 100  # statements that a loop is written out as
_INSIDE = 16  # the same of one in a loop that stays
_CALLED = 8  # of a function that is called, which nobody has read yet
_PICKING = (operator.getitem, element_of, one_of)
_TRIPS = 3  # of loops inside, which are not known yet


@dataclass
class _Tried:
    allowed: bool = True  # whether loops may stay
    used: bool = False  # whether one has


_tried: ContextVar[_Tried] = ContextVar("tried")  # none outside `or_written_out`, where nobody would try again


def or_written_out(work: Callable[[], T]) -> T:
    """Do what makes a derivative; once more with all such loops written out, if it is refused with some that stay."""
    tried = _Tried()
    try:
        return _with(tried, work)
    except SrcadError:
        if not tried.used:
            raise
    return _with(_Tried(allowed=False), work)


def _with(tried: _Tried, work: Callable[[], T]) -> T:
    with meanwhile(_tried, tried):
        return work()


def stays(c: Growing, stmt: For, short: range, limit: Expr | None) -> bool:
    """Whether a loop stays that, written out with all the loops in it, has more statements than anybody reads, or has
    a condition for each iteration: that it is below the limit.
    """
    return _is_lengthy(c, stmt, short, limit) and _stays(c, stmt, short, limit)


def _is_lengthy(c: Growing, stmt: For, short: range, limit: Expr | None) -> bool:
    tried = _tried.get(None)
    if tried is None or not tried.allowed or id(stmt) in c.varied or len(short) > MOST_TURNS:
        return False
    if limit is None and len(short) * _size(stmt.body) <= (_INSIDE if c.staying else LONGEST):
        return False
    if limit is not None and not _picks_plainly(c, stmt):
        return False
    loops = [stmt, *(inner for inner in walk.statements(stmt.body) if isinstance(inner, For))]
    return not any(makes_keys(loop) or changes_parts(c, loop) for loop in loops)


def _picks_plainly(c: Growing, stmt: For) -> bool:
    """Whether a loop takes no texts, structures or functions from lists and tuples by its index, as far as is known."""
    wholes = [e for inner in walk.statements(stmt.body) for e in walk.stmt_exprs(inner)]
    picks = [e for whole in wholes for e in walk.subexprs(whole) if isinstance(e, Call) and member(e.fn, _PICKING)]
    for pick in picks:
        base, place = pick.args[:2]
        if stmt.index not in walk.names(place) or not c.holds(base):
            continue
        found = c.type_of(c.frame.meaning(base.name) if isinstance(base, Var) else base)
        plain = isinstance(found, TupleType) and found.form in (LIST, TUPLE)
        if not plain or not all(item == UNKNOWN or isinstance(item, Scalar) for item in found.items):  # type: ignore
            return False
    return True


def _size(block: Block) -> int:
    """About how many statements a block has, with the loops in it written out."""
    count = 0
    for stmt in block:
        match stmt:
            case For(body=body) | While(body=body):
                count += _TRIPS * _size(body)
            case If(_, then, orelse):
                count += _size(then) + _size(orelse)
            case _:
                exprs = (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
                count += 1 + _CALLED * sum(isinstance(e, Call) and is_python(e.fn) for e in exprs)
    return count


def _stays(c: Growing, stmt: For, short: range, limit: Expr | None) -> bool:
    """Emit a loop as it is, unless something in it has to be known: what an element is made of, or which list grows."""
    state, known, problems = c.state(), len(c.records), len(c.problems)
    bounds = (Const(short.start), Const(short.stop) if limit is None else limit, Const(short.step))
    start, stop, step = bounds
    c.staying += 1
    try:
        c.retried(lambda: c.going_round(replace(stmt, start=start, stop=stop, step=step), bounds))
        if len(c.problems) == problems:
            _tried.get().used = True
            return True
    except (Rebound, Objects, Grows):
        pass
    finally:
        c.staying -= 1
    c.varied[id(stmt)] = stmt
    c.back(state)
    del c.records[known:]
    del c.problems[problems:]
    return False
