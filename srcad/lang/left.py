"""Functions that are left alone: called as they are, where no derivative goes through them.

A function that cannot be read, or not in full, is no reason to refuse those who call it, as long as its result is on
no path of the derivative: it counts the cells of a grid, logs, asks for the time. So the compiler is run once more with
the function left alone. If a derivative goes through it after all, what was wrong with it is said.
"""

from __future__ import annotations

import re
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from srcad.lang.as_it_is import Left
from srcad.lang.changing import changes, reads
from srcad.lang.errors import AttributeNeeded, NoGradientError, Problem, SrcadError, TapeError, TapeValueError
from srcad.lang.errors import UnsupportedError, ValueNeeded
from srcad.lang.locate import is_installed, stands_in
from srcad.lang.meanwhile import meanwhile
from srcad.lang.origin import Origin, physical

T = TypeVar("T")
MOST = 20
"""So many functions are left alone, and no more: each one costs a run of the compiler."""


class OnlyOnce(Exception):
    """A function that takes arrays of a list to have one shape cannot be called again where they do not."""


@dataclass
class Reading:
    """What is known while a function is read: the callees left alone, with what was wrong, and how each was reached."""

    left: dict[Any, UnsupportedError | NoGradientError] = field(default_factory=dict)
    reached: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    sites: dict[tuple[str, int], list[Any]] = field(default_factory=dict)  # what is called on a line
    made: dict[Any, Left] = field(default_factory=dict)
    lists: dict[str, Any] = field(default_factory=dict)  # of the buffers of lists: where the lists are made
    uneven: dict[Any, None] = field(default_factory=dict)  # where lists of lists of different lengths are made
    uneven_there: dict[Any, None] = field(default_factory=dict)  # and where they were when what is said was met
    unlike: dict[tuple[Any, Any], bool] = field(default_factory=dict)  # and which elements may be longer
    ranks: dict[Any, int] = field(default_factory=dict)  # and the rank of arrays that one cannot hold
    of_arrays: bool = False  # whether one of these is a list of arrays
    exactly: bool = False  # whether no arrays of a list are taken to have one shape
    taken: bool = False  # whether those of one are, although they may not
    unsure: frozenset[str] = frozenset()  # names that have a flag, as they may be None
    may_be: set[str] = field(default_factory=set)  # those that turned out to be None on one path
    arrays: frozenset[str] = frozenset()  # names of arrays that lists are made of
    turned_out: set[str] = field(default_factory=set)  # those that turned out to be such arrays
    may_choose: bool = False  # whether a name for one of several objects is changed
    chosen: bool = False  # whether statements that mention such a name stand in a branch for each object
    installed: bool = False  # whether functions of the user's are never left alone
    set_outside: frozenset[str] = frozenset()  # attributes of objects outside that the function sets

    def wrong_inside(self, fn: Any) -> Problem | None:
        """What is wrong with the source of a function left alone; nothing that helps anybody, if it is Python's."""
        of_python = str(fn.__module__).partition(".")[0] in sys.stdlib_module_names
        return self.left[fn].problems[0] if fn in self.left and not of_python else None

    def of(self, fn: Any, owner: Any, names: tuple[str, ...]) -> Left:
        """A function, or method of an object, that is left alone; one object for all its calls of this form."""
        key = (fn, id(owner), names)
        if key not in self.made:
            self.made[key] = Left(fn if owner is None else types.MethodType(fn, owner), None, names)
        return self.made[key]

    def settled(self, work: Callable[[], T]) -> T:
        """What some work gives in the end, each callee that fails being left alone."""
        while True:
            try:
                return self.with_lists(work)
            except OnlyOnce:
                self.exactly, self.uneven, self.ranks = True, {}, {}
            except (AttributeNeeded, ValueNeeded, TapeError, TapeValueError):
                raise
            except (UnsupportedError, NoGradientError) as error:
                self.leave_what_fails(error)

    def with_lists(self, work: Callable[[], T]) -> T:
        """What some work gives, or else what it gives if lists of lists may be of different lengths."""
        self.unlike.clear()
        self.may_be.clear()
        self.turned_out.clear()
        self.taken = self.may_choose = False
        problem: UnsupportedError | None = None
        there = self.uneven_there = self.uneven
        try:
            result = work()
        except UnsupportedError as error:
            if isinstance(problem := error, AttributeNeeded):
                raise
        if more := {place for (place, _), differs in self.unlike.items() if differs} - self.uneven.keys():
            before, self.uneven = self.uneven, self.uneven | dict.fromkeys(more)
            try:
                return self.with_lists(work)
            except UnsupportedError as error:
                self.uneven = before
                if problem is not None and self.of_arrays:
                    problem, there = error, self.uneven_there
        if problem is not None and (nothing := self.may_be - self.unsure):
            if made := self.again(work, "unsure", self.unsure | nothing):
                return made[0]
        if problem is not None and self.turned_out - self.arrays:
            self.arrays |= self.turned_out
            return self.with_lists(work)
        if problem is not None and self.may_choose and not self.chosen and (made := self.again(work, "chosen", True)):
            return made[0]
        if problem is not None:
            self.uneven_there = there
            raise problem
        return result

    def again(self, work: Callable[[], T], what: str, value: Any) -> tuple[T] | None:
        """What some work gives where something is known that was not; None if it fails then, too."""
        known = getattr(self, what)
        setattr(self, what, value)
        try:
            return (self.with_lists(work),)
        except UnsupportedError:
            setattr(self, what, known)
            return None

    def is_array(self, name: str) -> None:
        """Note that a name of which a list is made is an array."""
        self.turned_out.add(name)

    def may_be_none(self, name: str) -> None:
        """Note that a name is None on one path, and something else on another."""
        self.may_be.add(name)

    def may_differ(self, buffer: str, origin: Origin | None, differs: bool, rank: int = 0) -> None:
        """Note whether a statement may put an element of another shape into a list of lists or arrays.

        With a `rank`, an array cannot hold all of them.
        """
        if buffer in self.lists:
            self.unlike[self.lists[buffer], origin] = differs
            self.ranks[self.lists[buffer]] = max(rank, self.ranks.get(self.lists[buffer], 0))

    def leave_what_fails(self, error: UnsupportedError | NoGradientError) -> None:
        """Enter the callee that an error is about, to be left alone; raise what is to be said, if there is none."""
        words = {word for problem in error.problems for word in re.findall(r"\w+", problem.reason)}
        named = {fn: wrong for fn, wrong in self.left.items() if fn.__name__.strip("<>") in words}
        own = (wrong for fn, wrong in named.items() if not is_installed(fn.__code__.co_filename))
        cause = next(own, error)
        if cause is error and isinstance(error, NoGradientError) and named:
            cause = error.since(self.wrong_inside(next(iter(named))))
        fn = self.failing(physical(error.problems[0].origin))
        if fn is None:
            raise cause from None
        self.left[fn] = cause
        self.reached.clear()
        self.sites.clear()

    def failing(self, origin: Origin) -> Any:
        """The callee to leave alone for a problem: the one that has it, or the first one of an installed package.

        The value that a callee returns stands on the line that calls it, and so does what is wrong with that.
        """
        if len(self.left) >= MOST:
            return None
        inside = [fn for fn in self.reached if stands_in(fn, origin.filename, origin.line)]
        inner = max(inside, key=lambda fn: fn.__code__.co_firstlineno, default=None)
        called = self.sites.get((origin.filename, origin.line), [])
        for chain in (self.reached[fn] for fn in (*called, *([inner] if inner else ()))):
            callees = [fn for fn in chain[1:] if isinstance(fn, types.FunctionType)]
            installed = [fn for fn in callees if is_installed(fn.__code__.co_filename)]
            for fn in (*installed[:1], *(() if self.installed else reversed(callees))):
                if fn not in self.left and not changes(fn) and not reads(fn, self.set_outside):
                    return fn
        return None


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


def current() -> Reading:
    """What is known of the function that is being read."""
    return _reading.get() or Reading()


def entering(fn: Any, callers: tuple[Any, ...], origin: Origin) -> Reading | None:
    """Note that a call of `fn` is read; what knows it by another name, if it is to be left alone."""
    reading = _reading.get()
    if reading is None or not isinstance(fn, types.FunctionType) or fn.__name__.startswith("__"):
        return None
    reading.reached.setdefault(fn, (*callers, fn))
    site = physical(origin)
    reading.sites.setdefault((site.filename, site.line), []).append(fn)
    return reading if fn in reading.left else None


def leaving_alone(work: Callable[[], T], exactly: bool = False) -> T:
    """Do some work of the compiler; once more without each callee that cannot be read.

    With `exactly`, no arrays of a list are taken to have one shape.
    """
    if _reading.get() is not None:
        return work()
    reading = Reading(exactly=exactly)
    with meanwhile(_reading, reading):
        return reading.settled(work)


@contextmanager
def as_left(work: Callable[[], object], installed: bool = False) -> Iterator[bool]:
    """Leave alone what `work` has to; with `installed`, functions of installed packages only.

    The value says whether something is wrong even then.
    """
    reading, wrong = Reading(installed=installed), False
    with meanwhile(_reading, reading):
        try:
            reading.settled(work)
        except SrcadError as cause:
            reading.left = {fn: why for fn, why in reading.left.items() if why is not cause}
            reading.uneven = reading.uneven_there
            wrong = True
        yield wrong
