"""Objects that are changed while loops and branches give their names to others; part of `inline`.

An object that is made inside exists in the compiler only. A name that a loop or a branch gives to one object or another
has variables of its own, which hold a copy of the attributes. Where such objects are changed, each has a number, and
its copies have it, too: what is changed under one name is changed under all names of the object. Of most names the
order of the statements tells that they mean the same object, or never do; of the others the numbers are compared at
run time. Which classes are meant turns out when an attribute is set, and everything is inlined once more then.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Call, Const, Expr, Tuple, Var
from srcad.lang.origin import Origin
from srcad.lang.types import TupleType
from srcad.transforms.learnt import Learnt, OnceMore, Record
from srcad.transforms.values import Object, chosen, is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

_COUNTER = "objects"


class Told(OnceMore):
    """Met while inlining: an object is changed of which a loop carries copies."""

    def __init__(self, cls: type):
        self.cls = cls

    def teach(self, learnt: Learnt) -> None:
        learnt.told.add(self.cls)


class Together(OnceMore):
    """Met while inlining: an iteration of a loop leaves one object under two names, or another one than was thought."""

    def __init__(self, origin: Origin):
        self.origin = origin

    def teach(self, learnt: Learnt) -> None:
        learnt.together.add(self.origin)


@dataclass(frozen=True, eq=False)
class Identity:
    """One object: the one that a statement makes, or what a name that a loop carries holds at some time.

    The latter may be one of the objects `of` which it was chosen; None: any object that there was at this time.
    """

    time: int
    of: frozenset[Identity] | None = frozenset()
    apart: Any = None  # those with the same mark are different objects

    def all(self) -> set[Identity]:
        """The identity itself, and all that it may be."""
        found, left = set(), [self]
        while left:
            if (each := left.pop()) not in found:
                found.add(each)
                left += each.of or ()
        return found

    def never(self, other: Identity) -> bool:
        """Whether two identities cannot be those of one object.

        >>> a, b = Identity(1), Identity(2)
        >>> some = Identity(3, frozenset([a]))
        >>> a.never(b), some.never(a), some.never(b), Identity(4).never(Identity(3, None))
        (True, False, True, True)
        """
        if self is other:
            return False
        if self.apart is not None and self.apart is other.apart:
            return True
        mine, theirs = self.all(), other.all()
        return not (mine & theirs or _any_of(mine, theirs) or _any_of(theirs, mine))


def _any_of(some: set[Identity], others: set[Identity]) -> bool:
    """Whether some may be any object of a time at which one of the others was there."""
    latest = max((each.time for each in some if each.of is None), default=-1)
    return any(other.time < latest or other.of is None for other in others) and latest >= 0


@dataclass
class Identities:
    """What is known of objects that are changed, and of the copies of them."""

    told: set[type] = field(default_factory=set)  # the classes of such objects
    together: set[Origin] = field(default_factory=set)  # the loops of which nothing is taken to stay apart
    clock: Iterator[int] = field(default_factory=itertools.count)
    carried: set[type] = field(default_factory=set)  # the classes of all objects that loops carry


Known = dict[int, frozenset[Identity]]
"""Which objects a copy may be one of."""


def is_told(c: Callees, made: Object) -> bool:
    return id(made) in c.tags


def tell(c: Callees, objects: Iterable[Object]) -> None:
    """Once more, if the objects of a class get numbers only then."""
    for made in objects:
        fresh = made.cls not in c.identities.told | c.housed.classes and not issubclass(made.cls, Record)
        if fresh and has_simple_parts(c, made):
            raise Told(made.cls)


def has_simple_parts(c: Callees, made: Object) -> bool:
    held = [c.holding(var) for var in made.fields.values()]
    return not any(is_static(each) or isinstance(c.type_of(each), TupleType) for each in held)  # type: ignore


def begin(c: Callees) -> None:
    """The number of objects made so far, where such objects are made in loops."""
    if c.identities.told:
        c.fields.add(_COUNTER)
        c.let(_COUNTER, Const(0))


def born(c: Callees, made: Object) -> None:
    """An object is complete: it gets a number."""
    if made.cls not in c.identities.told - c.housed.classes or is_told(c, made):
        return
    if c.depth:
        c.let(_COUNTER, Call(operator.add, (Var(_COUNTER), Const(1))))
    number: Expr = Var(_COUNTER) if c.depth else Const(-1 - len(c.holders))
    enter(c, made, number, frozenset([Identity(next(c.identities.clock))]))


def copied(c: Callees, copy: Object, original: Object) -> None:
    """A copy means the object that it was made of."""
    if is_told(c, original):
        enter(c, copy, c.tags[id(original)], c.known[id(original)])


def enter(c: Callees, made: Object, number: Expr, known: frozenset[Identity]) -> None:
    c.tags[id(made)] = var = Var(c.fresh("number"))
    c.fields.add(var.name)
    c.let(var.name, number)
    c.fields |= {each.name for each in made.fields.values()}
    c.holders[id(made)] = made, c.out
    c.known[id(made)] = known


def same(c: Callees, one: Expr, other: Expr) -> Expr | None:
    """Whether two values are one object; None where they have no numbers."""
    a, b = (each.value if isinstance(each, Const) else None for each in (one, other))
    if not (isinstance(a, Object) and isinstance(b, Object) and is_told(c, a) and is_told(c, b)):
        return None
    return Const(True) if a is b else Call(operator.eq, (c.tags[id(a)], c.tags[id(b)]))


def meet(c: Callees, other: tuple[Known, set[str]]) -> None:
    """Know what is so on another path, too."""
    known, stale = other
    for key, found in known.items():
        c.known[key] = c.known.get(key, frozenset()) | found
    c.stale |= stale


# ---------------------------------------------------------------- loops


def carried(c: Callees, made: list[tuple[Object, Object]], origin: Origin) -> None:
    """A loop begins that carries objects: the first of each pair, which begins as the second."""
    slots = [slot for slot, held in made if is_told(c, held)]
    c.identities.carried |= {slot.cls for slot, _ in made}
    given = [c.known[id(slot)] for slot in slots]
    _name(c, slots, given, origin in c.identities.together or not _are_apart(given))


def _name(c: Callees, slots: list[Object], given: list[frozenset[Identity]], together: bool) -> None:
    mark = None if together else object()
    of = None if together else frozenset().union(*given)
    for slot in slots:
        c.known[id(slot)] = frozenset([Identity(next(c.identities.clock), of, mark)])


def turned(c: Callees, slots: list[Object], origin: Origin, begun: Known) -> None:
    """A loop ends: what an iteration leaves under the names that it carries is what was thought."""
    slots = [slot for slot in slots if is_told(c, slot)]
    found = [c.known[id(slot)] for slot in slots]
    first = [next(iter(begun[id(slot)])) for slot in slots]
    together = any(each.of is None for each in first)
    allowed = set().union(*(each.all() for each in first))
    start = min((each.time for each in first), default=0)
    foreseen = all(each in allowed or each.time > start and each.of is not None for one in found for each in one)
    if not together and not (foreseen and _are_apart(found)):
        raise Together(origin)
    _name(c, slots, [each | {one} for each, one in zip(found, first)], together)


def _are_apart(found: list[frozenset[Identity]]) -> bool:
    return all(a.never(b) for one, other in itertools.combinations(found, 2) for a in one for b in other)


def moved(c: Callees, slot: Expr, value: Expr) -> None:
    """What a loop carries means what it has been given."""
    match slot, value:
        case Tuple(ours), Tuple(theirs):
            for one, other in zip(ours, theirs):
                moved(c, one, other)
        case Const(value=Object() as made), _ if (found := chosen(value)) is not None:
            if is_told(c, made):
                c.known[id(made)] = frozenset().union(*(c.known[id(each)] for each in found))
            for name, var in made.fields.items() if len(found) == 1 else ():
                moved(c, c.holding(var), c.holding(found[0].fields[name]))


def numbers(c: Callees, ours: Object, theirs: Object) -> list[tuple[Var, Expr]] | None:
    """The number of what a loop carries, and what it becomes."""
    if not is_told(c, ours):
        return []
    return [(c.tags[id(ours)], c.tags[id(theirs)])] if is_told(c, theirs) else None


# ---------------------------------------------------------------- changes


def spread(c: Callees, made: Object, name: str, value: Expr) -> None:
    """An attribute has been set: so it is under all names of the object."""
    if not is_told(c, made):
        return
    mine = c.known[id(made)]
    for other, place in list(c.holders.values()):
        theirs = c.known.get(id(other), frozenset())
        if other is made or other.cls is not made.cls or all(a.never(b) for a in mine for b in theirs):
            continue
        if not any(place is each for each in (c.out, *c.outs)):
            c.stale |= {var.name for var in other.fields.values()}
        elif is_static(value) or name not in other.fields:
            c.refuse(f"setting {name!r} of an object that has several names is not supported here",
                     "it set where the object is made", name)  # fmt: skip
        elif mine == theirs and len(mine) == 1:
            c.let(other.fields[name].name, Var(made.fields[name].name))
        else:
            same = Call(operator.eq, (c.tags[id(other)], c.tags[id(made)]))
            given = functools.partial(c.let, other.fields[name].name, Var(made.fields[name].name))
            c.perhaps(same, given)  # type: ignore[attr-defined]

