"""Objects in objects that others take the place of, ``body.speed = body.speed + a * dt``; part of `inline`.

Where a loop or a branch does so, the attribute has variables for the attributes of what it holds, and these get the
values of the next one: it holds a copy, as a name does that a loop gives to one object after the other. So objects that
are changed where they are, are not meant. Which attributes it is turns out when one is set, and everything is inlined
once more then.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from srcad.lang import walk
from srcad.lang.ir import Const, Expr, Tuple, Var
from srcad.transforms import carried, identities
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.values import Object, chosen

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


class Exchanged(OnceMore):
    """Met while inlining: a loop or a branch gives an attribute that holds an object another one."""

    def __init__(self, cls: type, name: str):
        self.cls, self.name = cls, name

    def teach(self, learnt: Learnt) -> None:
        learnt.inner_parts.add((self.cls, self.name))


def may_be_given(c: Callees, made: Object, name: str, value: Expr) -> bool:
    """Whether an attribute of an object may be given an object in a loop or a branch; once more, if it then may."""
    if id(made) in c.making:
        return True
    if name not in made.fields:
        return False
    if made.fields[name].name in c.inner:
        return True
    fits = all(_is_known(c, each) for each in (c.holding(made.fields[name]), value))
    if fits and (made.cls, name) not in c.inner_parts:
        raise Exchanged(made.cls, name)
    return False


def begin(c: Callees, made: Object, name: str, value: Expr) -> bool:
    """Give an attribute a variable, and those of its first object if it holds one after the other; whether it does."""
    var = made.fields[name] = Var(c.fresh(name if isinstance(name, str) else f"at_{abs(name)}"))
    c.fields.add(var.name)
    c.field_keys[var.name] = made.cls, name
    born = c.housed.born.get(id(made))
    if c.depth and id(made) not in c.making and (born is None or born[1] is not c.out):
        if (id(made), name) in c.had:
            given_on_some_paths(c, name)
        c.had[id(made), name] = True
    if (made.cls, name) not in c.inner_parts or not _is_known(c, value):
        return False
    target = var.name
    c.static[target] = slot = carried.slot(c, value, [])
    c.slots.add(target)
    c.inner |= {target, *variables(c, slot)}
    c.fields |= c.inner
    return True


def given_on_some_paths(c: Callees, name: str) -> Expr:
    """Refuse the question whether an object has an attribute that a loop or a branch gives it."""
    what = f"whether an object has the attribute {name!r}, which a loop or branch gives it,"
    return c.refuse(f"{what} is not supported", f"self.{name} = None where it is made, and a test for None", name)


def moves(c: Callees, value: Expr) -> bool:
    """Whether a value may become another one while a function is at work that is given it."""
    return bool(walk.names(value) & c.fields) or bool(c.inner) and any(n in c.inner for n in variables(c, value))


def variables(c: Callees, value: Expr) -> Iterator[str]:
    """The variables of the objects in a value."""
    match value:
        case Tuple(items):
            for item in items:
                yield from variables(c, item)
        case Var(name):
            yield name
        case Const() if (found := chosen(value)) is not None:
            for made in found:
                for var in made.fields.values():
                    yield from (var.name, *variables(c, c.static.get(var.name, Const(None))))


def _is_known(c: Callees, value: Expr) -> bool:
    """Whether a value is an object that nothing changes, or a structure of such."""
    if isinstance(value, Tuple):
        return any(isinstance(item, (Const, Tuple)) and _is_known(c, item) for item in value.items)
    found = chosen(value)
    if found is None:
        return False
    parts = [c.static[var.name] for made in found for var in made.fields.values() if var.name in c.static]
    plain = all(each.cls not in c.altered and not identities.is_told(c, each) for each in found)
    return plain and all(_is_known(c, part) for part in parts)
