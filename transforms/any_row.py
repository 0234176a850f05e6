"""Elements of lists and tuples of known length at an index that is not known, ``x, y = points[i]``; part of `inline`.

One of several numbers or arrays is picked when the function runs. Of several rows of one structure, each part is picked
by itself, from what all rows have there.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Tuple, Var
from srcad.lang.lists import one_of
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, Array, Static, TupleType, Type
from srcad.transforms import callers
from srcad.transforms.calls import folded_number
from srcad.transforms.values import is_static

if TYPE_CHECKING:
    from srcad.transforms.standing import Standing


def read(c: Standing, expr: Call) -> Expr | None:
    """``rows[i][j]``, an element of rows that are lists; None where it is something else.

    A row that gets a name would have to see what is stored to it later, and the other way round: an element does not.
    """
    base, indices = expr, list[Expr]()
    while isinstance(base, Call) and base.fn is operator.getitem and not isinstance(base.args[1], Slice):
        indices.insert(0, base.args[1])
        base = base.args[0]  # type: ignore[assignment]
    if len(indices) < 2 or not isinstance(base, (Var, Attr)) or all(isinstance(index, Const) for index in indices):
        return None
    mark = len(c.out)
    found = c.type_of(value := c.expr(base))
    if len(c.out) > mark or is_static(value) or not _is_deep(found, indices):
        del c.out[mark:]
        return None
    result, *places = c.operands((base, *indices))
    for place in places:
        assert isinstance(found, TupleType)
        known = _known(found, place)
        result = _element(c, result, found, c.kept(place)) if known is None else _items(c, result, found)[known]
        found = found.items[known or 0]
    return result


def _is_deep(type: Type, indices: list[Expr]) -> bool:
    """Whether so many indices are those of a number or an array in rows of one structure."""
    for index in indices:
        if not isinstance(type, TupleType) or not _is_row(type):
            return False
        known = _known(type, index)
        if known is None and (isinstance(index, Const) or type.form.cls is dict or {*type.items} != {type.items[0]}):
            return False
        type = type.items[known or 0]
    return _is_leaf(type)


def _known(type: TupleType, index: Expr) -> int | None:
    """Which element an index or a key means, if that is known."""
    if not isinstance(index, Const):
        return None
    if type.form.cls is dict:
        return type.form.keys.index(index.value) if index.value in type.form.keys else None
    inside = isinstance(index.value, int) and -len(type.items) <= index.value < len(type.items)
    return index.value if inside else None


def element(c: Standing, base: Expr, found: TupleType, index: Expr) -> Expr | None:
    """``base[index]``; None where the elements are of several structures or may change, or the index is known."""
    if isinstance(index := folded_number(index), (Const, Slice)) or is_static(base):
        return None
    first = found.items[0]
    if texts := _texts(found):
        result = c.fresh("text")
        c.let(result, Call(one_of, (Tuple(tuple(map(Const, texts))), index)))
        c.texts.add(result)
        return Var(result)
    if all(map(_is_leaf, found.items)):
        return Call(one_of, (base, index))
    given = isinstance(base, Var) and base.name in c.callers_own
    if {*found.items} != {first} or not _is_row(first) or not (given or _is_constant(c, first)):
        return None
    return _element(c, base, found, c.kept(index))


def _texts(found: TupleType) -> list[str]:
    """The elements of a list of texts; empty for any other."""
    held = [each.value for each in found.items if isinstance(each, Static)]
    return held if len(held) == len(found.items) and all(isinstance(each, str) for each in held) else []


def _text(c: Standing, texts: list[str], number: Expr) -> Expr:
    """The text of a number, as a name for one text or another: of numbers that are not the last one's, one by one."""
    *others, last = enumerate(texts)
    work: Callable[[], Expr] = lambda: Const(last[1])
    for k, text in reversed(others):
        work = functools.partial(_either, c, Call(operator.eq, (number, Const(k))), Const(text), work)
    return work()


def _either(c: Standing, test: Expr, text: Expr, other: Callable[[], Expr]) -> Expr:
    return c.of_two(test, lambda: text, other)


def _is_leaf(type: Type) -> bool:
    return type == UNKNOWN or isinstance(type, Array)


def _is_row(type: Type) -> bool:
    """Whether a type is that of a list, a tuple, a dict or an object of numbers and arrays, or of such."""
    rows = isinstance(type, TupleType) and bool(type.items)
    return rows and all(_is_leaf(item) or _is_row(item) for item in type.items)  # type: ignore[attr-defined]


def _is_constant(c: Standing, type: Type) -> bool:
    """Whether nobody can put anything into a row, or nobody does: objects of the caller's that something changes are
    objects here, too."""
    if not isinstance(type, TupleType):
        return _is_leaf(type)
    own = type.form.native or callers.is_unchanged(c, type.form)  # type: ignore[arg-type]
    return own and all(_is_constant(c, item) for item in type.items)


def _element(c: Standing, base: Expr, found: Type, index: Expr) -> Expr:
    """The element at an index, part by part; a list among them is not new, so that nobody may change it."""
    assert isinstance(found, TupleType)
    kind = found.items[0]
    if _is_leaf(kind):
        return Call(one_of, (Tuple(_items(c, base, found), found), index))
    assert isinstance(kind, TupleType)
    columns = zip(*(_items(c, row, kind) for row in _items(c, base, found)))
    types = (TupleType((part,) * len(found.items), LIST) for part in kind.items)
    parts = tuple(_element(c, Tuple(column, type), type, index) for column, type in zip(columns, types))
    c.picked.append(Tuple(parts, kind))
    return c.picked[-1]


def _items(c: Standing, base: Expr, found: TupleType) -> tuple[Expr, ...]:
    """The elements of a list or tuple, without names of their own."""
    base = c.static.get(base.name, base) if isinstance(base, Var) else base
    if isinstance(base, Tuple):
        return base.items
    if isinstance(base, Const):
        return c.elements(base) or ()
    return tuple(c.element(base, found, k) for k in range(len(found.items)))
