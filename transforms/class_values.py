"""What objects have of their class until they get their own, ``class Account: balance = 0.0``; part of `inline`.

An attribute that a loop, a branch or a method called there sets is a variable from where the object is made, and begins
with what the class has. Which attributes these are turns out when one is set, and everything is inlined once more then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from srcad.lang.forms import constant, is_python
from srcad.transforms import objects
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.values import Object, lookup

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


class Shadowed(OnceMore):
    """Met while inlining: an object gets an attribute of its own where only some paths or iterations have it."""

    def __init__(self, cls: type, name: str):
        self.cls, self.name = cls, name

    def teach(self, learnt: Learnt) -> None:
        learnt.shadowed.setdefault(self.cls, {})[self.name] = None


def check(c: Callees, made: Object, name: str) -> None:
    """Once more, if an attribute that is set first among other statements than its object has a value in the class."""
    born = c.housed.born.get(id(made))
    if born is not None and born[1] is c.out or name in c.shadowed.get(made.cls, ()):
        return
    found = lookup(made.cls.__mro__, name)
    if found and not hasattr(type(found[0]), "__get__") and not is_python(found[0]):
        raise Shadowed(made.cls, name)


def begin(c: Callees, made: Object) -> None:
    """Give an object, one that is made or one of the caller's, the values of its class that it will have its own of."""
    for name in (each for each in c.shadowed.get(made.cls, ()) if each not in made.fields):
        objects.set_field(c, made, name, constant(lookup(made.cls.__mro__, name)[0], name))  # type: ignore[index]
