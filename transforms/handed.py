"""Lists that are handed on by name, ``a, b = b, []``, or chosen by a branch; part of `inline`.

Where a name holds one list or another, as the path or the iteration has it, an array of the elements stands for the
list. If nothing else holds the list, it may be changed later: the elements are put into a list of their own first. If
something else does, neither of the two may become longer or shorter from then on, as the other would have to see it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from srcad.lang.forms import REFUSED, is_star
from srcad.lang.ir import (
    Block, Call, Const, Expr, Function, If, Let, Method, Stmt, Tuple, Var, hint,
)  # fmt: skip
from srcad.lang.lists import list_buffer
from srcad.lang.types import TupleType, Type
from srcad.library.lists import listed
from srcad.transforms.appends import CHANGING, changed_lists
from srcad.transforms.kept import holds, root
from srcad.transforms.lengths import Grown, Row, has_rows, of_numbers, with_rows_of
from srcad.transforms.order import assigned, is_inplace
from srcad.transforms.placed import Placed


class Handed(Placed):
    """Puts arrays in the place of lists that loops and branches give names, and takes lists from them again."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.rebound: set[str] = set()  # the lists for which loops carry arrays, as each iteration makes another one
        self.carrying: set[str] = set()  # those of the loop that is being inlined
        self.tries: dict[str, int] = {}  # how often loops have been tried that carry an array for a name
        self.passing: set[str] = set()  # the names of values on their way, which no statement reads again
        self.pairs: set[frozenset[str]] = set()  # two names of one such array, which nothing else has
        self.copies: set[str] = set()  # copies of lists that others hold, elements of them, and these lists
        self.spent: set[str] = set()  # at the end of an iteration: the names that have nothing when the next one begins
        self.alone: set[str] = set()  # the names of arrays that stand for lists which nothing else holds
        self.ended: set[str] = set()  # the names of lists that only some of the paths have made
        self.one_sided: set[str] = set()  # the names that one path of a branch has given a value, and the other has not

    def let(self, target: str, value: Expr | None) -> None:
        self.ended.discard(target)
        self.one_sided.discard(target)
        passed = isinstance(value, Var) and value.name in self.alone & self.passing
        self.share(target, value)
        (self.passing.add if self.in_library else self.passing.discard)(target)
        if target in self.rebound and isinstance(value, Var) and self.is_list(value):
            alone, array, grown = self.let_go(value.name, target), self.as_numbers(value), self.grown(value)
            super().let(target, array)
            self.stands_for_list(target, alone, grown)
        else:
            fresh = target in self.outside and value is not None and self.is_new(value)
            super().let(target, value)
            if fresh and self.is_list(Var(target)):  # made inside of the loop or branch around
                self.outside, self.further = self.outside - {target}, self.further - {target}
            (self.alone.add if passed else self.alone.discard)(target)
            self.is_like(target, (value,))

    def is_like(self, target: str, sources: Sequence[Expr | None]) -> None:
        """A name means the array that one of some others means, or a row of it."""
        names = {source.name for source in sources if isinstance(source, Var)} & self.rows
        bases = {root(source) for source in sources if source is not None} - {None}
        bases |= {getattr(self.types.get(name), "key", name) for source in sources if isinstance(source, Tuple)
                  for name in holds(source)}  # fmt: skip
        if names & self.nested:
            self.nested.add(target)
        (self.copies.add if bases & self.copies else self.copies.discard)(target)

    def share(self, target: str, value: Expr | None) -> None:
        """Of two names of one array, one has it alone as soon as the other is given something else."""
        held = set(holds(value))
        shared = isinstance(value, Var) and held <= self.alone
        self.alone |= {name for pair in self.pairs if target in pair and not held & pair for name in pair - {target}}
        self.alone -= held
        self.pairs = {pair for pair in self.pairs if not pair & {target, *held}}
        if shared and value != Var(target):
            self.pairs.add(frozenset({target, *held}))

    def named(self, expr: Expr, name: str = "t") -> Expr:
        result = super().named(expr, name)
        if isinstance(result, Var) and result != expr:
            self.passing.add(result.name)
        return result

    def settled(self, expr: Expr, changed: bool) -> Expr:
        result = super().settled(expr, changed)
        if isinstance(result, Var) and self.is_array(expr):
            self.arrays.add(result.name)
        return result

    def stands_for_list(self, name: str, alone: bool, grown: Grown | None = None) -> None:
        self.rows.add(name)
        self.arrays.discard(name)
        (self.alone.add if alone else self.alone.discard)(name)
        if grown is not None and (grown.form is not None or self.nested & {*grown.buffers}):
            self.nested.add(name)
        if grown is not None and grown.form is not None:  # the array is a copy
            self.copies |= {name, grown.key}

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        grown, name = self.grown(place), root(place) or ""
        if self.copies & {name, grown.key if grown else ""} and not isinstance(self.type_of(place), TupleType):
            self.shared(name)
            return True
        return super().put(place, key, value)

    def is_copied(self, grown: Grown, name: str) -> None:
        if grown.form is not None and self.others_of(grown, ""):
            self.copies |= {name, grown.key}

    def as_numbers(self, value: Expr, other: Expr | None = None) -> Expr:
        """A list as an array; an empty one is of the kind of the `other`."""
        grown, like = self.grown(value), None if other is None else self.grown(other)
        if grown is not None:
            return self.view(grown)
        parts = self.elements(value) or ()
        if not parts and like is not None and like.form is None:
            return Call(list_buffer, (Const(0), Const(like.buffers[0])))
        return Call(np.array, (Tuple(parts),))

    def others_of(self, grown: Grown, target: str) -> set[str]:
        """The names of a list, but for a target and for values on their way."""
        return set(self.names_of(grown)) - self.passing - self.temporary() - self.spent - {target}

    def let_go(self, name: str, target: str) -> bool:
        """Whether nothing but a target has the list that a name holds; else it may not be changed any more."""
        found = self.types[name]
        if not isinstance(found, Grown):
            return name in self.owned and not self.linked(name) and (name == target or name in self.passing)
        alone = not self.others_of(found, target) and found.key not in self.pinned and not self.is_given(found)
        if not alone:
            self.pinned.add(found.key)
        return alone

    def temporary(self) -> set[str]:
        """The names of values that no statement of the user's names."""
        return {var.name for name, var in self.frame.table.items() if "." in name and isinstance(var, Var)}

    def is_given(self, grown: Grown) -> bool:
        """Whether a list is an element of another one."""
        return any(name in grown.buffers for name, _ in self.given)

    # ------------------------------------------------------------ changes of what arrays stand for

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Any) -> Expr | None:
        if args and isinstance(args[0], Var) and args[0].name in self.rows and changes_list(fn):
            if args[0].name in self.alone:
                self.take_list(args[0].name)
            elif isinstance(fn, Method):
                self.shared(args[0].name)
                return REFUSED
        return super().of_structure(fn, args, kwargs)

    def in_a_list(self, values: Expr) -> Expr:
        return self.enter_library(listed, (values,), (), "*")

    def gathered(self, items: tuple[Expr, ...]) -> Expr:
        """A tuple of some values, and of all that those behind stars have."""
        made = self.in_a_list(items[0].args[0]) if len(items) == 1 and is_star(items[0]) else self.expr_of_parts(items)
        if (grown := self.grown(made)) is not None:
            self.tuples.update(grown.buffers)
        return made

    def take_list(self, name: str) -> None:
        """Put the elements of an array that stands for a list into a list."""
        made = self.enter_library(listed, (Var(name),), (), "list")
        super().let(name, made)
        self.alone.discard(name)

    def take_changed(self, body: Block, but: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        """Before statements that change lists for which arrays stand."""
        for name in changed_lists(body):
            meaning = self.frame.meaning(name)
            if isinstance(meaning, Var) and meaning.name in self.alone and name not in but:
                self.take_list(meaning.name)

    # ------------------------------------------------------------ loops

    def is_carried_anew(self, name: str) -> bool:
        if name in self.carrying or self.tries.get(name, 0) > 2:
            return False
        self.tries[name] = self.tries.get(name, 0) + 1
        return True

    def hand_over(self, body: Block) -> None:
        """Before a loop: an array takes the place of each list that an iteration gives another one."""
        self.take_changed(body, assigned(body))
        self.carrying = {name for name in self.changed_in(body) if name in self.rebound}
        for name in sorted(self.carrying):
            if self.is_list(Var(name)):
                self.let(name, Var(name))
        self.outside, self.further = self.outside - self.carrying, self.further - self.carrying

    def iteration_of(self, body: Block) -> Block:
        """The statements of an iteration, which takes lists from arrays and leaves arrays."""
        names = sorted(self.carrying)
        if not names:
            return self.block(body)
        before, alone = self.collect(lambda: self.taken_apart(body, names))
        self.rebound -= set(names)
        known, self.pairs = set(self.valued), set()
        try:
            inner = self.block(body)
        finally:
            self.rebound |= set(names)
        self.spent = self.valued - known
        gone = self.spent & self.temporary()
        self.alone |= {name for pair in self.pairs for name in pair if pair - {name} <= gone}
        self.pairs = set()
        after, _ = self.collect(lambda: self.put_back(names, alone))
        self.spent = set()
        return (*before, *inner, *after)

    def taken_apart(self, body: Block, names: list[str]) -> set[str]:
        taken = self.alone & set(names)
        self.take_changed(body)
        return {name for name in taken if name not in self.alone}

    def put_back(self, names: list[str], taken: set[str]) -> None:
        for name in names:
            if self.is_list(Var(name)):
                self.let(name, Var(name))
            if name in taken and name not in self.alone:
                self.refuse_another(name)

    def end(self, lost: dict[str, Type]) -> None:
        self.ended |= {name for name, type in lost.items() if isinstance(type, Grown)}

    def holding(self, var: Var) -> Expr:
        return self.on_some_paths(var.name) if var.name in self.ended else super().holding(var)

    def shared(self, name: str) -> None:
        if name not in self.one_sided or not self.is_list(Var(name)):
            return super().shared(name)
        self.on_some_paths(name)

    def on_some_paths(self, meant: str) -> Expr:
        name = hint(meant)
        what = "the result" if name == "result" else repr(name)
        remedy = "a list that begins before the loops and branches, xs = [], with append in them"
        return self.refuse(f"{what} is a list on some paths alone", remedy, name)

    def move(self, grown: Grown, length: Expr, room: Expr) -> None:
        if grown.key in self.partial:  # where the list is not there, there is nothing to move
            self.on_some_paths(min(self.names_of(grown), default=grown.buffers[0]))
        else:
            super().move(grown, length, room)

    # ------------------------------------------------------------ branches

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        return super().paths(*(functools.partial(self.without_list, work) for work in works))

    def without_list(self, work: Callable[[], Any]) -> Any:
        value = work()
        if isinstance(value, Tuple) and self.is_new(value) and value is not REFUSED:
            return self.with_rows(value)
        grown = self.grown(value) if isinstance(value, Var) else None
        if grown is None:
            return value
        result = self.fresh("t")
        alone = self.let_go(value.name, result)
        self.emit(Let(result, self.view(grown), self.origin))
        self.stands_for_list(result, alone, grown)
        self.passing.add(result)
        return Var(result)

    def has_lists_of(self, result: str, a: Expr, b: Expr) -> None:
        found = with_rows_of(self.type_of(a), self.type_of(b))
        if found is not None and has_rows(found):
            self.types[result] = found

    def is_array_of_list(self, value: Expr) -> bool:
        return isinstance(value, Var) and value.name in self.rows

    def one_list(self, test: Expr, *sides: tuple[list[Stmt], Expr]) -> Expr:
        result, ends = self.fresh("t"), list[Block]()
        alone = all(not isinstance(value, Var) or value.name in self.alone for _, value in sides)
        for emitted, value in sides:
            known = of_numbers(self.type_of(value))
            array = Call(np.array, (Tuple(self.elements(value) or ()),)) if known else value
            ends.append((*emitted, Let(result, array, self.origin)))
        self.emit(If(test, ends[0], ends[1], self.origin))
        self.stands_for_list(result, alone)
        if not all(self.is_any_list(value) for _, value in sides):
            self.half[result] = Row()
        self.is_like(result, [value for _, value in sides])
        self.passing.add(result)
        return Var(result)


def changes_list(fn: Any) -> bool:
    """Whether a method or an operator changes the list that it is called with."""
    return isinstance(fn, Method) and fn.name in CHANGING or is_inplace(fn)
