"""What turns out while calls are inlined, and has to be known from the start: all is inlined once more then; part of
`inline`."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import Any

from srcad.lang.origin import Origin
from srcad.lang.types import Form, Type


class Record:
    """The class of the objects in the place of such dicts; those with other keys have a class of their own."""

    called = "a dict"
    stands_for = dict


@functools.cache
def class_of_keys(keys: tuple[str, ...]) -> type:
    return type("dict", (Record,), {"called": f"a dict of {', '.join(map(str, keys)) or 'nothing'}"})


Place = tuple[Origin, str, int]
"""A statement that makes a list, the name that it gives it, and how many functions are entered there."""


@dataclass
class Learnt:
    """What turned out while a function was inlined, for the next time."""

    classes: frozenset[type] = frozenset()  # those whose objects are changed in lists
    tables: dict[Origin, type] = field(default_factory=dict)  # where dicts are made, and of which class objects are
    recorded: set[Form] = field(default_factory=set)  # the keys of dicts that are changed in lists
    caching: set[type] = field(default_factory=set)  # those with cached properties whose objects are changed
    told: set[type] = field(default_factory=set)  # those whose objects have numbers, see `identities`
    together: set[Origin] = field(default_factory=set)  # loops that may leave one object under two names
    inner_parts: set[tuple[type, str]] = field(default_factory=set)  # attributes that hold one object after the other
    callers: set[Form] = field(default_factory=set)  # those of the caller's structures that are changed
    callers_lists: set[str] = field(default_factory=set)  # the arguments that are lists and are changed
    uneven: dict[Place, None] = field(default_factory=dict)  # where lists of lists of different lengths are made
    one_store: dict[Place, Place] = field(default_factory=dict)  # those that have rows of each other: one for all such
    level: dict[Place, None] = field(default_factory=dict)  # where those of one length are made that are arrays
    arrays: dict[Place, int] = field(default_factory=dict)  # those of arrays, and the rank of these
    formed: dict[Place, Type] = field(default_factory=dict)  # what structures are the elements of their rows
    changing: set[tuple[type, str]] = field(default_factory=set)  # attributes that are set again, see `fixed`
    replaced: set[type] = field(default_factory=set)  # those of which ``a += b`` gives `a` another object
    shadowed: dict[type, dict[str, None]] = field(default_factory=dict)  # attributes that begin as their class has them
    words: set[Any] = field(default_factory=set)  # the variables that are given other texts, see `worded`
    texts: list[str] = field(default_factory=list)  # their texts
    later: dict[Origin, dict[str, bool]] = field(default_factory=dict)  # the keys that dicts get on some paths only


class OnceMore(Exception):
    """Met while inlining: something that should have been known from the start."""

    def teach(self, learnt: Learnt) -> None:
        """Add it to what is known when everything is inlined once more."""
        raise NotImplementedError


class Computed(OnceMore):
    """Met while inlining: a dict that was made by a statement has keys that are computed, or is changed in place."""

    def __init__(self, origin: Origin, cls: type):
        self.origin = origin
        self.cls = cls  # what takes the dict's place

    def teach(self, learnt: Learnt) -> None:
        learnt.tables[self.origin] = self.cls


class Uneven(OnceMore):
    """Met while inlining: the elements of a list are lists of different lengths, or become longer or shorter."""

    def __init__(self, place: Place):
        self.place = place

    def teach(self, learnt: Learnt) -> None:
        learnt.uneven[self.place] = None


class OneStore(OnceMore):
    """Met while inlining: a list that is an element of one list of lists is put into another one."""

    def __init__(self, first: Place, second: Place):
        self.pair = first, second

    def teach(self, learnt: Learnt) -> None:
        new, old = (learnt.one_store.setdefault(place, place) for place in self.pair)
        learnt.one_store.update({place: new for place, group in learnt.one_store.items() if group == old})


class Levelled(OnceMore):
    """Met while inlining: the elements of a list are lists of one length, and taken at places that are not known."""

    def __init__(self, place: Place):
        self.place = place

    def teach(self, learnt: Learnt) -> None:
        learnt.level[self.place] = None


class OfArrays(OnceMore):
    """Met while inlining: the elements of a list are arrays; of a rank, if one array cannot hold them."""

    def __init__(self, place: Place, rank: int):
        self.place, self.rank = place, rank

    def teach(self, learnt: Learnt) -> None:
        learnt.arrays[self.place] = self.rank
        group = learnt.one_store.get(self.place)
        for place in [place for place, store in learnt.one_store.items() if group is not None and store == group]:
            del learnt.one_store[place]  # they have what was taken for rows, and are found anew
            learnt.uneven.pop(place, None)


class Formed(OnceMore):
    """Met while inlining: the elements of lists in a list are structures."""

    def __init__(self, place: Place, form: Type):
        self.place, self.form = place, form

    def teach(self, learnt: Learnt) -> None:
        if self.place in learnt.formed:
            raise AssertionError("the structure was known")
        learnt.formed[self.place] = self.form


class InList(OnceMore):
    """Met while inlining: a dict is changed that is an element of a list."""

    def __init__(self, form: Form):
        self.form = form

    def teach(self, learnt: Learnt) -> None:
        learnt.recorded.add(self.form)
        learnt.classes |= {class_of_keys(self.form.keys)}


class LaterKey(OnceMore):
    """Met while inlining: a loop or a branch gives a dict a key, which not all paths do."""

    def __init__(self, origin: Origin, key: str, lists: bool):
        self.origin, self.key = origin, key
        self.lists = lists  # whether a list belongs to it, which begins empty

    def teach(self, learnt: Learnt) -> None:
        learnt.later.setdefault(self.origin, {})[self.key] = self.lists
