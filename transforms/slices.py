"""Slices and sums of lists, ``xs[1:] + [y]``; part of `inline`.

Of a list whose elements are known, the result is another such list. A list that grows and that nothing else holds is
cut and extended where it is.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Attr, Block, Call, Const, Expr, Let, Slice, Tuple, Var
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, TupleType
from srcad.lang.walk import statements
from srcad.transforms.calls import constant_slice
from srcad.transforms.values import is_static

if TYPE_CHECKING:
    from srcad.transforms.known import Known
    from srcad.transforms.rounds import Rounds
    from srcad.transforms.lengths import Grown


def row(c: Known, fn: Any, found: TupleType, args: tuple[Expr, ...]) -> Expr | None:
    """A slice of a tuple or list, and the sum of two; None where their elements are not known."""
    other = args[1]
    cut = constant_slice(other) if isinstance(other, Slice) else None
    if found.form not in (TUPLE, LIST) or isinstance(args[0], Const):
        return None
    if cut is not None:
        parts: Any = (c.elements(args[0]) or ())[cut]
    elif fn is operator.add and getattr(c.type_of(other), "form", None) == found.form:
        parts = (*(c.elements(args[0]) or ()), *(c.elements(other) or ()))
    else:
        return None
    if found.form == LIST and any(map(is_static, parts)):  # a list of its own, which names of its own tell
        parts = tuple(map(c.kept, parts))
    return Tuple(parts, TupleType(tuple(map(c.type_of, parts)), found.form))


# ---------------------------------------------------------------- lists that grow


@dataclass(frozen=True)
class Cut:
    """What becomes of a list: a part of it, between other elements."""

    part: Slice | None = None  # of the list in the order that `sorted` gives it, if that is given
    before: tuple[Expr, ...] = ()
    behind: tuple[Expr, ...] = ()
    order: tuple[tuple[str, Expr], ...] | None = None

    @property
    def balanced(self) -> bool:
        """Whether as many elements come as go, if there are so many."""
        gone = 0 if self.part is None else _gone(self.part)
        return self.order is None and gone == len(self.before) + len(self.behind)


def _gone(part: Slice) -> int | None:
    match part:
        case Slice(Const(value=int() as k), None) if k >= 0:
            return k
        case Slice(None, Const(value=int() as k)) if k < 0:
            return -k
    return None


def cut_of(value: Expr, whole: Expr) -> Cut | None:
    """What an expression makes of the list that `whole` stands for; None for anything else.

    >>> xs, y = Var("xs"), Tuple((Var("y"),), TupleType((), LIST))
    >>> cut_of(Call(operator.add, (Call(operator.getitem, (xs, Slice(Const(1)))), y)), xs).balanced
    True
    """
    match value:
        case Var() | Attr() if value == whole:
            return Cut()
        case Tuple((), type) if _is_list(type):
            return Cut(Slice(None, Const(0)))
        case Call(fn, (found,), order) if fn is sorted and found == whole:
            return Cut(order=order)
        case Call(operator.getitem, (found, Slice(_, _, None) as part)) if (cut := cut_of(found, whole)) is not None:
            return Cut(part, order=cut.order) if cut == Cut(order=cut.order) else None
        case Call(operator.add, (left, Tuple(items, type))) if _is_list(type):
            cut = cut_of(left, whole)
            return cut and replace(cut, behind=(*cut.behind, *items))
        case Call(operator.add, (Tuple(items, type), right)) if _is_list(type):
            cut = cut_of(right, whole)
            return cut and replace(cut, before=(*items, *cut.before))
    return None


def _is_list(type: Any) -> bool:
    return getattr(type, "form", None) == LIST


def extended(block: Block, known: Any, structured: Any) -> list[str]:
    """The names that statements give themselves cut and extended, to another length if it is `known` before.

    Lists of structures may be put in order, too.
    """
    found: dict[str, list[Cut]] = {}
    for stmt in statements(block):
        match stmt:
            case Let(target, Call(fn) as value) if (cut := cut_of(value, Var(target))) is not None:
                if fn is operator.add and cut.order is None or cut.order is not None and structured(target):
                    found.setdefault(target, []).append(cut)
    return [name for name, cuts in found.items() if not (known(name) and all(cut.balanced for cut in cuts))]


def change(c: Rounds, grown: Grown, cut: Cut) -> None:
    """Cut and extend a list where it is."""
    if cut.order is not None:
        c.sort(grown, Var(c.names_of(grown)[0]), tuple((name, c.expr(value)) for name, value in cut.order))
    before, behind = ([c.kept(c.expr(item)) for item in items] for items in (cut.before, cut.behind))
    if cut.part is not None:
        c.cut(grown, *(None if end is None else c.expr(end) for end in (cut.part.lower, cut.part.upper)))
    for item in reversed(before):
        c.insert(grown, Const(0), item)
    for item in behind:
        c.append(grown, item)
