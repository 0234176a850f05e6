"""Lists that stand in several places of another one, ``[row] * 3``: a change of one is one of all; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from srcad.lang.ir import Block, Call, Expr, Let, Stmt, Tuple, Var
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, TupleType
from srcad.transforms.kept import standing_twice
from srcad.transforms.lengths import Grown
from srcad.transforms.outlines import is_mutable
from srcad.typing.lists import DEEP, DEEP_REMEDY

if TYPE_CHECKING:
    from srcad.transforms.standing import Standing


@dataclass(frozen=True)
class Watched:
    """``copy.deepcopy`` of a list: where its elements are, and where copies of them are put."""

    buffers: tuple[str, ...]
    puts: tuple[Stmt, ...]


def watched(c: Standing, buffers: tuple[str, ...], work: Callable[[], Expr]) -> Expr:
    """A list of copies, which are as many as there are places: wrong where two of these have one list."""
    start = len(c.puts)
    result = work()
    c.watched.append(Watched(buffers, tuple(c.puts[start:])))
    return result


def stores(c: Standing, body: Block) -> set[int]:
    """Where what is put into a list that is copied may stand in another place, too; a list is refused."""
    found: set[int] = set()
    for each in c.watched:
        inside = {id(put) for put in each.puts}
        given, lists = ([(name, put) for name, put in some if id(put) not in inside] for some in (c.given, c.lists_in))
        for stmt in standing_twice(body, lists, lists, each.buffers):
            c.origin = stmt.origin
            c.refuse(DEEP, DEEP_REMEDY)
        found |= {id(stmt) for stmt in standing_twice(body, given, lists, each.buffers)}
    return found


def made_of(c: Standing, value: Expr, around: bool = False) -> Expr:
    """What a name was given last, as far as that can be seen here, or in the blocks around, too."""
    if not isinstance(value, Var):
        return value
    blocks = (*c.outs, c.out) if around else (c.out,)
    stmts = (stmt for block in reversed(blocks) for stmt in reversed(block))
    return next((s.value for s in stmts if isinstance(s, Let) and s.target == value.name), value)


def sources(c: Standing, value: Expr) -> tuple[Expr, ...]:
    """The elements that a structure was made of."""
    made = made_of(c, value)
    return made.items if isinstance(made, Tuple) else ()


def row_of(c: Standing, value: Expr) -> str | None:
    """The buffer of the list that a row comes from which is put into another list: both have it then."""
    if getattr(c.type_of(value), "form", None) != LIST:
        return None
    row = made_of(c, value, around=True)
    if not isinstance(row, Tuple) or not row.items:
        return None
    buffers = {buffer for found in c.types.values() if isinstance(found, Grown) for buffer in found.buffers}
    match row.items[0]:
        case Call(operator.getitem, (Var(name), _)) if name in buffers:
            return name
    return None


def stand_twice(c: Standing, value: Expr) -> bool:
    """Whether one list is an element of another one in two places."""
    made = made_of(c, value)
    match made:
        case Call(operator.mul, (Tuple(items), _)) | Call(operator.mul, (_, Tuple(items))):
            return any(is_list(c, item) for item in items)
        case Tuple(items):
            lists = [item for item in items if is_list(c, item) and isinstance(item, Var)]
            return len({*lists}) < len(lists)
    return False


def is_list(c: Standing, value: Expr) -> bool:
    found = c.type_of(value)
    return is_mutable(found) if isinstance(found, TupleType) else c.is_any_list(value)


def refuse_twins(c: Standing) -> Expr:
    """Refuse a list with such elements where each of them would become one of its own."""
    reason = "a list that stands in several places of another one, which is an element of a list itself,"
    return c.refuse(f"{reason} is not supported", "a list for each place: [list(row) for _ in range(2)]")


def with_names(c: Standing, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """``[f(x)] * 3``, of which `f(x)` is computed once, under a name: an array stands in all places then."""
    displays = [isinstance(each, Tuple) and c.is_new(each) and c.is_display(each) for each in args]
    return tuple(_named(c, each) if display else each for each, display in zip(args, displays))  # type: ignore[arg-type]


def _named(c: Standing, whole: Tuple) -> Tuple:
    kinds = zip(whole.items, c.type_of(whole).items)  # type: ignore[attr-defined]
    return replace(whole, items=tuple(c.named(item) if kind == UNKNOWN else item for item, kind in kinds))
