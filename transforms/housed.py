"""Objects that are elements of lists of any length, and are changed there; part of `inline`.

Such a list has an array for each attribute. An object in it is a place: reading an attribute reads the array, and
setting one writes to it, so that all names of the object see the change. What is put into the list lives there from
then on. Which classes are meant turns out when an attribute is set, or when an object is compared that equals itself
alone, and everything is inlined once more then; objects of all other classes never change once they are in a list, and
nobody asks which they are, so that copies of them are as good.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from srcad.lang.ir import Call, Const, Expr, Stmt, Var, hint
from srcad.lang.origin import Origin
from srcad.lang.types import TupleType
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.lengths import Grown
from srcad.transforms.order import stale
from srcad.transforms.values import Object, is_static

if TYPE_CHECKING:
    from srcad.transforms.growing import Growing


class InPlace(OnceMore):
    """Met while inlining: an object of a class is changed that may be an element of a list."""

    def __init__(self, cls: type):
        self.cls = cls

    def teach(self, learnt: Learnt) -> None:
        learnt.classes |= {self.cls}


@dataclass
class Housed:
    """Which objects are elements of which lists."""

    classes: frozenset[type] = frozenset()  # those whose objects are changed in lists
    listed: set[type] = field(default_factory=set)  # those of which lists hold copies
    places: dict[int, Origin] = field(default_factory=dict)  # for objects: where they are made
    born: dict[int, tuple[Object, list[Stmt]]] = field(default_factory=dict)  # objects, and among which statements
    cells: dict[str, tuple[str, Expr] | None] = field(default_factory=dict)  # for attributes: the array, the position
    spots: dict[int, tuple[Object, Grown, Expr]] = field(default_factory=dict)  # for objects: the list, the position
    clock: Iterator[int] = field(default_factory=itertools.count)  # the times at which
    settled: dict[int, int] = field(default_factory=dict)  # objects have become elements,
    read: dict[str, int] = field(default_factory=dict)  # attributes have last been read,
    begun: list[int] = field(default_factory=list)  # and the loops around have begun


def may_change(housed: Housed, cls: type | None) -> None:
    """Once more, if an object of a class is to be changed, of which lists hold copies so far."""
    if cls in housed.listed and cls not in housed.classes:
        raise InPlace(cls)  # type: ignore[arg-type]


def element(c: Growing, grown: Grown, position: Expr) -> Expr:
    """The object at a position of a list."""
    assert grown.form is not None
    made = Object(grown.form.cls)
    settle(c, made, grown, c.kept(position))
    return Const(made)


def settle(c: Growing, made: Object, grown: Grown, position: Expr) -> None:
    """Let an object be an element of a list from here on."""
    assert grown.form is not None
    c.housed.spots[id(made)] = made, grown, position
    c.housed.settled[id(made)] = next(c.housed.clock)
    for name, buffer in zip(grown.form.keys, grown.buffers):
        made.fields[name] = Var(c.fresh(name))
        c.housed.cells[made.fields[name].name] = buffer, position


def moved_in(c: Growing, value: Expr, grown: Grown, position: Expr) -> None:
    """An object has been put into a list."""
    made = value.value if isinstance(value, Const) else None
    if isinstance(made, Object) and made.cls in c.housed.classes:
        settle(c, made, grown, c.kept(position))


def put_in(c: Growing, value: Expr) -> bool:
    """Whether an object may be put into a list: nothing but the list may hold it under another name afterwards."""
    made = value.value if isinstance(value, Const) else None
    assert isinstance(made, Object)
    if id(made) in c.housed.spots:
        what = "an object that is in a list already, and is changed or compared there, put into another one"
        remedy = "a new object"
    elif made.carried or c.housed.born.get(id(made), (made, None))[1] is not c.out:
        what = "an object made in another loop or branch than it is put into a list"
        remedy = f"xs.append({made.cls.__name__}(...))"
    else:
        return True
    c.refuse(f"{what} is not supported", remedy, "append")
    return False


def is_at(c: Growing, value: Expr, grown: Grown, position: Expr) -> bool:
    """Whether an object is the element at a position of a list already, as behind ``xs[k] += a``."""
    spot = c.housed.spots.get(id(value.value)) if isinstance(value, Const) else None
    return spot is not None and spot[1] is grown and spot[2] == position


def replaced(c: Growing, grown: Grown) -> None:
    """Another object takes the place of one in a list: the latter may not be read under other names any more."""
    if grown.form is None or grown.form.cls not in c.housed.classes:
        return
    begun = c.housed.begun
    for made, where, _ in list(c.housed.spots.values()):
        cells = {var.name for var in made.fields.values()} if where is grown else set()
        times = [c.housed.read[cell] for cell in cells if cell in c.housed.read]
        if any(c.housed.settled.get(id(made), 0) < start < time for start in begun for time in times):
            what = "another object in the place of one in a list, which an earlier name means that a loop reads,"
            c.refuse(f"{what} is not supported", "a copy of the object under that name: copy.copy(...)")
            return
        c.stale |= cells


def reading(c: Growing, name: str) -> Expr | None:
    """What a variable of an object that is an element of a list stands for; None: of no such object."""
    cell = c.housed.cells.get(name)
    if cell is not None and name in c.stale:
        return c.refuse(*stale(name))
    if cell is not None:
        c.housed.read[name] = next(c.housed.clock)
    return cell and Call(operator.getitem, (Var(cell[0]), cell[1]))


def write(c: Growing, made: Object, name: str, value: Expr) -> bool:
    """Set an attribute of an object that is an element of a list; whether it is one."""
    if id(made) not in c.housed.spots:
        return False
    cell = c.housed.cells.get(made.fields[name].name) if name in made.fields else None
    if cell is None or is_static(value) or isinstance(c.type_of(value), TupleType):
        what = f"{name!r} of an object in a list that grows, which is no number or array as in the others,"
        c.refuse(f"{what} is not supported", "an object of a class with this attribute", name)
        return True
    if c.may_be_written(c.housed.spots[id(made)][1]):
        c.put_part(*cell, value, True)
    return True


def same(c: Growing, a: Expr, b: Expr) -> Expr | None:
    """Whether two objects are the same element of a list; None where neither is an element."""
    spots = [c.housed.spots.get(id(e.value)) if isinstance(e, Const) else None for e in (a, b)]
    first, second = spots
    if first is None and second is None:
        return None
    for spot in spots:
        if spot is not None and (old := c.stale & {var.name for var in spot[0].fields.values()}):
            return c.refuse(*stale(min(old)))
    if first is None or second is None or first[1] is not second[1]:
        return Const(False)
    return Call(operator.eq, (first[2], second[2]))


def refused(c: Growing, grown: Grown, what: str) -> bool:
    """Refuse what moves or copies elements of a list whose objects change."""
    if grown.form is None or grown.form.cls not in c.housed.classes:
        return False
    reason = f"{what} of a list of {grown.form.cls.__name__} objects that are changed or compared in it"
    c.refuse(f"{reason} is not supported", "an array for each attribute", hint(what))
    return True


