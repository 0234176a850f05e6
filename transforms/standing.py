"""Arrays that stand for lists: elements of lists and of structures, and what functions are given; part of `inline`."""

from __future__ import annotations

import math
import operator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Block, Call, Const, Expr, Function, Method, Slice, Stmt, Tuple, Var, element_at, hint
from srcad.lang.lists import traded, within
from srcad.lang.origin import Origin
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, UNKNOWN, TupleType, Type
from srcad.library.lists import joined, listed, repeated
from srcad.transforms import any_row
from srcad.transforms.callees import Keywords
from srcad.transforms.calls import SAME
from srcad.transforms.doubtful import doubtful, filled
from srcad.transforms.hollow import spread, with_nan
from srcad.transforms.kept import root
from srcad.transforms.lengths import Grown, Row
from srcad.transforms.lists import Lists
from srcad.transforms.order import assigned
from srcad.transforms.outlines import structure
from srcad.transforms.values import with_items

if TYPE_CHECKING:
    from srcad.transforms.learnt import Place
    from srcad.transforms.twins import Watched

OF_LISTS = frozenset((
    operator.add, operator.mul, operator.iadd, operator.imul, operator.eq, operator.ne, operator.lt, operator.le,
    operator.gt, operator.ge,
))  # fmt: skip
REDUCING = (sum, max, min, any, all, math.prod, math.fsum, math.dist)
_VIEWS = frozenset("""
    asarray asanyarray asarray_chkfinite ascontiguousarray asfortranarray require atleast_1d atleast_2d atleast_3d
    reshape ravel transpose swapaxes moveaxis rollaxis squeeze expand_dims broadcast_to broadcast_arrays diagonal
    real imag flip fliplr flipud rot90 split array_split hsplit vsplit dsplit matrix_transpose permute_dims
""".split())  # of arrays; of a list they make an array of its own


class Standing(Lists):
    """Knows which arrays are lists to the user."""

    lists: dict[str, Place]

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.arrays: set[str] = set()  # the names that surely hold arrays
        self.given_names = {param.name for param in fn.params}
        self.callers_own = self.given_names - assigned(fn.body)  # arguments whose lists nobody changes
        self.rows: set[str] = set()  # the names of such arrays
        self.half: dict[str, Type] = {}  # the names of such lists on some paths and of arrays on others, and structures
        self.hollow: set[str] = set()  # the buffers of lists whose elements are None until something is put there
        self.asked: list[tuple[frozenset[str], Origin]] = []  # what may be such an element, and is compared with None
        self.lists_in: list[tuple[str, Stmt]] = []  # the names of lists that are put into others, and where
        self.rows_in: list[Stmt] = []  # where rows of lists are put into others
        self.puts: list[Stmt] = []  # where something is put into lists
        self.watched: list[Watched] = []  # see `twins`
        self.inside: dict[str, str] = {}  # the buffer of the list of lists that a name is an element of

    def let(self, target: str, value: Expr | None) -> None:
        is_nested = value is not None and isinstance(self.type_of(value), Row) and self.is_nested(value)
        is_row = value is not None and self.is_inner_list(value)
        outer, half = self.outer(value), self.half.get(value.name) if isinstance(value, Var) else None
        super().let(target, value)
        self.inside.pop(target, None)
        if outer is not None:
            self.inside[target] = outer
        (self.rows.add if is_row else self.rows.discard)(target)
        (self.nested.add if is_nested else self.nested.discard)(target)
        self.half.pop(target, None)
        if half is not None:
            self.half[target] = half

    def is_array(self, expr: Expr) -> bool:
        """Whether an expression surely is an array, not a tuple."""
        raise NotImplementedError

    def type_of(self, expr: Expr) -> Type:
        if isinstance(expr, Tuple):
            return structure(tuple(map(self.item_type, expr.items)), expr.type)
        return super().type_of(expr)

    def item_type(self, item: Expr) -> Type:
        """What is known of an element of a structure."""
        found = self.type_of(item)
        return Row(self.is_nested(item)) if found == UNKNOWN and self.is_inner_list(item) else found

    def is_nested(self, expr: Expr) -> bool:
        """Whether the elements of a list that is an array are lists."""
        found = self.type_of(expr)
        return found.nested if isinstance(found, Row) else isinstance(expr, Var) and expr.name in self.nested

    def with_rows(self, expr: Expr) -> Expr:
        if isinstance(expr, Tuple):
            return with_items(expr, tuple(map(self.with_rows, expr.items)))
        grown = self.grown(expr)
        if grown is None:
            return expr
        row = self.as_row(self.view(grown))
        if grown.form is not None or self.nested & {*grown.buffers}:
            self.nested.add(row.name)
        self.is_copied(grown, row.name)
        return row

    def columns(self, rows: Expr) -> Expr:
        """``zip(*rows)``: the columns of an array or of a list, each of which a tuple is."""
        grown = self.grown(rows)
        if grown is not None and grown.form is not None:
            views = self.view(grown).args[0].items  # type: ignore[union-attr]
            return Tuple(tuple(self.as_row(Call(np.copy, (view,))) for view in views))
        turned = self.named(Call(np.transpose, (self.shown(rows), Tuple((Const(1), Const(0))))))
        made = self.enter_library(listed, (turned,), (), "zip")
        if (found := self.grown(made)) is not None:
            self.nested.update(found.buffers)
        return made

    def is_inner_list(self, expr: Expr) -> bool:
        """Whether an expression is an element of a list of lists."""
        match expr:
            case Var(name):
                return name in self.rows
            case Call(operator.getitem, (Var(name), Slice())) | Call(Method("copy"), (Var(name),)):
                return name in self.rows
            case Call(operator.getitem, (Var(buffer), _)):
                return buffer in self.nested or isinstance(self.type_of(expr), Row)
            case Call(operator.getitem, (Call(operator.getitem) as base, at)) if not isinstance(at, (Slice, Tuple)):
                return self.is_inner_list(base) and self.is_nested(base) or isinstance(self.type_of(expr), Row)
            case Call(fn, (_, Const())) if fn is operator.getitem or fn is element_at:
                return isinstance(self.type_of(expr), Row)
        return False

    def operation(self, expr: Call) -> Expr:
        return any_row.read(self, expr) or super().operation(expr)

    def outer(self, expr: Expr | None) -> str | None:
        """The buffer of the list of lists that an expression takes an element of, or an element of such."""
        match expr:
            case Var(name):
                return self.inside.get(name)
            case Call(operator.getitem, (base, index)) if not isinstance(index, Slice):
                return base.name if isinstance(base, Var) and base.name in self.nested else self.outer(base)
        return None

    def within(self, place: Var, index: Expr) -> Expr:
        """The index of a store, which tells lists that are arrays from arrays."""
        key = self.outer(place)
        is_list = key is not None or place.name in self.rows
        return Call(within, (Const(key), index, Const(False), Const(0))) if is_list else index

    def put_within(self, place: Var, value: Expr) -> None:
        """A list that is an array holds on to what it gets."""
        if self.outer(place) is not None or place.name in self.rows:
            self.owned -= set(self.handed_on(value))
            self.expose(value)

    def is_list(self, meaning: Expr) -> bool:
        """Whether a name holds a list, of known length or one that grows."""
        found = self.types.get(meaning.name) if isinstance(meaning, Var) else None
        return isinstance(found, Grown) or isinstance(found, TupleType) and found.form == LIST

    def put_part(self, buffer: str, position: Expr, part: Expr, *how: bool) -> None:
        if part == Const(None):
            self.hollow.add(buffer)
        super().put_part(buffer, position, part, *how)
        self.puts.append(self.out[-1])

    def may_be_empty(self, expr: Expr) -> bool:
        """Whether a value may be an element of a list that was made of None."""
        return isinstance(expr, (Var, Call)) and self.type_of(expr) == UNKNOWN and root(expr) not in self.given_names

    def check_asked(self, body: Block) -> None:
        """Refuse questions whether an element is None."""
        hollow = filled(body, self.hollow)
        reached = spread(body, hollow) if hollow and self.asked else frozenset()
        asked = [origin for names, origin in self.asked if names & reached]
        if (origin := next(chain(asked, doubtful(body, hollow) if hollow else ()), None)) is not None:
            self.origin = origin
            remedy = "a list of flags beside it: known = [False] * n, and known[i] = True where xs[i] is given"
            self.refuse("whether an element of a list that began as [None] * n is None", remedy)

    def is_any_list(self, expr: Expr) -> bool:
        return self.is_inner_list(expr) or self.grown(expr) is not None or self.is_display(expr)

    def is_display(self, expr: Expr) -> bool:
        found = self.type_of(expr)
        return isinstance(found, TupleType) and found.form in (TUPLE, LIST)

    def takes_any(self, method: str, owner: Expr) -> bool:
        """Whether a method is called with lists as they are: one of a class of the user's, or by which a list of known
        length gets one more element.
        """
        found = self.type_of(owner)
        of_theirs = isinstance(found, TupleType) and found.form.named
        return of_theirs or method == "append" and self.is_display(owner)

    def of_standing(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """What is done with lists that are arrays."""
        if fn is traded:  # each is held once before and after, so that a copy is as good
            return self.of_inner(list, args, ()) if self.is_inner_list(args[0]) else self.held_alone(args[0])
        if fn in (np.array, np.asarray) and args and (filled := with_nan(args[0])) != args[0]:
            made = self.named(Call(fn, (filled, *args[1:]), kwargs))
            self.hollow |= walk.names(made)
            return made
        if fn in SAME and Const(None) in args and any(map(self.may_be_empty, args)):
            self.asked.append((frozenset().union(*map(walk.names, args)), self.origin))
        if fn in OF_LISTS and (half := {str(root(arg)) for arg in args} & self.half.keys()):
            name = hint(min(half))
            return self.refuse(f"whether {name!r} is a list or an array depends on the path taken",
                               f"np.array(...) or list(...) on all paths, under the name {name}", name)  # fmt: skip
        if fn is operator.iadd and isinstance(args[0], Var) and self.is_list(args[0]) and self.is_any_list(args[1]):
            if self.grown(args[0]) or self.iterated(args[1]) is None:
                return args[0] if self.extend(*args) is not REFUSED else REFUSED
        if fn in OF_LISTS and any(map(self.is_inner_list, args)) and not any(map(self.is_array, args)):
            if fn is operator.add and all(map(self.is_any_list, args)):
                return self.concatenated(args)
            if fn is operator.mul and self.is_inner_list(args[0]) and not self.is_inner_list(args[1]):
                return self.enter_library(repeated, args, (), "*")
            reason = "an operation on a list that is an element of a list"
            return self.refuse(f"{reason} is not supported", "np.array(...) of it, or a loop over its elements")
        if args and (self.is_inner_list(args[0]) or self.outer(args[0]) is not None):
            if (found := self.of_inner(fn, args, kwargs)) is not None:
                return found
        return None

    def held_alone(self, element: Expr) -> Expr:
        """An element of a list, its parts, or copies of them where they are arrays."""
        match element:
            case Tuple(items):
                return replace(element, items=tuple(map(self.held_alone, items)))
            case Call(operator.getitem, (Var(name), at)) if name in self.lists and not isinstance(at, Slice):
                return Call(traded, element.args)
        return element

    def sum_of_lists(self, args: tuple[Expr, ...]) -> Expr:
        """The sum of lists that grow: an array, where both are of numbers or of arrays."""
        found = [self.grown(arg) for arg in args]
        plain = all(each and each.form is None and not self.nested & {*each.buffers} for each in found)
        return self.concatenated(args) if plain else self.enter_library(joined, args, (), "+")

    def concatenated(self, args: tuple[Expr, ...]) -> Expr:
        """The sum of lists that are arrays."""
        parts = tuple(self.shown(a) if self.is_inner_list(a) or self.grown(a) else Call(np.array, (a,)) for a in args)
        return self.as_new_row(self.invoke(np.concatenate, (Tuple(parts),), ()))

    def as_new_row(self, array: Expr) -> Var:
        """An array that stands for a list which nothing else holds."""
        return self.as_row(array)

    def as_row(self, array: Expr) -> Var:
        """An array that stands for a list."""
        name = self.fresh("t")
        self.let(name, array)
        self.rows.add(name)
        self.arrays.discard(name)
        return Var(name)

    def holds_list(self, expr: Expr) -> bool:
        """Whether a display has a list that grows in it: ``[xs, ys]``."""
        return isinstance(expr, Tuple) and any(self.grown(item) or self.holds_list(item) for item in expr.items)

    def copy_of(self, expr: Expr) -> Expr:
        """What NumPy makes of a list: an array of its own."""
        return Call(np.array, (self.shown(expr),)) if self.grown(expr) or self.is_inner_list(expr) else expr

    def of_inner(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """What is done with a list that is an array."""
        if fn in (operator.getitem, Method("copy"), list) and (len(args) == 1 or isinstance(args[1], Slice)):
            made = self.as_new_row(Call(np.copy, (args[0] if len(args) == 1 else Call(fn, args),)))
            if (outer := self.outer(args[0])) is not None:
                self.inside[made.name] = outer
            if self.is_nested(args[0]):
                self.nested.add(made.name)
            return made
        if of_numpy(fn) and gives_views(fn):
            return self.invoke(fn, (self.copy_of(args[0]), *args[1:]), kwargs)
        return None


def gives_views(fn: Any) -> bool:
    return getattr(fn, "__name__", "") in _VIEWS


def of_numpy(fn: Any) -> bool:
    return (getattr(fn, "__module__", None) or "").partition(".")[0] == "numpy"
