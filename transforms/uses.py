"""What is done with lists that grow, and with lists whose index is not known; part of `inline`."""

from __future__ import annotations

import copy
import inspect
import operator
from typing import Any

import numpy as np

from srcad import library
from srcad.lang.forms import REFUSED, apply, as_tuple, is_python, listed as as_listed, star
from srcad.lang.ir import Call, Const, Expr, Method, Slice, Tuple, Var
from srcad.lang.lists import element_of
from srcad.lang.types import UNKNOWN, Array, TupleType
from srcad.library import heaps
from srcad.library.lists import (
    chained, count_of, in_numbers, is_in, listed, place_of, repeated, rows_listed,
)
from srcad.transforms import any_row, housed, objects
from srcad.transforms.appends import known_to_be_natural
from srcad.transforms.callees import Keywords
from srcad.transforms.duplicates import duplicate
from srcad.transforms.lengths import Grown, Length, taken_apart
from srcad.transforms.order import is_inplace
from srcad.transforms.standing import OF_LISTS, REDUCING, gives_views, of_numpy
from srcad.transforms.turned_out import TurnedOut
from srcad.transforms.twins import with_names
from srcad.transforms.values import is_static

_REMEDIES = {"sort": "np.sort(np.array(xs))", "reverse": "xs[::-1]", "block": "np.concatenate(xs, axis=-1)"}
_SEARCHES = {
    operator.contains: (is_in, "in"), Method("index"): (place_of, "index"), Method("count"): (count_of, "count"),
}  # fmt: skip
_ARITHMETIC = frozenset((operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg))
_ARRAYS: frozenset[Any] = frozenset(map(np.__dict__.get, (
    "array asarray zeros ones full arange linspace sort cumsum copy diff concatenate").split()))  # fmt: skip
_OF_LISTS = ("_bisect", "_heapq", "heapq", "_functools", heaps.__name__)  # modules whose functions take lists


class Uses(TurnedOut):
    """Says what calls with lists stand for."""

    def let(self, target: str, value: Expr | None) -> None:
        is_array = value is not None and self.is_array(value)
        super().let(target, value)
        natural = value is not None and not self.depth and known_to_be_natural(value, self.natural)
        (self.natural.add if natural else self.natural.discard)(target)
        (self.arrays.add if is_array else self.arrays.discard)(target)

    def enter_library(self, fn: Any, args: Any, kwargs: Any, name: str) -> Expr:
        """Where NumPy takes a list for an array, what is written in terms of others is given the array."""
        names = [*inspect.signature(fn).parameters][: len(args)]
        args = (*map(self.as_array, names, args), *args[len(names) :])
        return super().enter_library(fn, args, tuple((key, self.as_array(key, value)) for key, value in kwargs), name)

    def as_array(self, parameter: str, value: Expr) -> Expr:
        """A tuple or a list, as an array if the parameter stands for one, and places one by one."""
        if parameter == "indices_or_sections" and isinstance(value, Var) and (places := self.elements(value)):
            return Tuple(places)
        if parameter not in library.ARRAYS or isinstance(value, Const) and not isinstance(value.value, (tuple, list)):
            return value
        found = self.type_of(value)
        is_list = isinstance(found, TupleType) and found.form.cls in (tuple, list)
        return self.kept(Call(np.array, (value,))) if is_list else value

    def is_array(self, expr: Expr) -> bool:
        """Whether an expression surely is an array, not a tuple."""
        match expr:
            case Var(name):
                return isinstance(self.types.get(name), Array) or name in self.arrays
            case Const(np.ndarray() as held):
                return held.ndim > 0
            case Call(fn, args) if isinstance(fn, np.ufunc) or fn in _ARITHMETIC or fn in OF_LISTS:
                return any(map(self.is_array, args))
            case Call(operator.getitem, (_, Tuple(items))) if any(
                isinstance(item, Slice) or item == Const(None) for item in items
            ):
                return True
            case Call(operator.getitem, (base, index)) if self.is_array(index):
                return self.is_array(base)
            case Call(fn, (base, index)) if fn is element_of or fn is operator.getitem and not isinstance(index, Slice):
                kind = self.type_of(base)
                return isinstance(kind, Array) and kind.ndim > 1 and not isinstance(index, Tuple)
            case Call(operator.getitem, (base, Slice())) | Call(Method("copy" | "ravel" | "astype"), (base, *_)):
                return self.is_array(base)
            case Call(fn):
                return fn in _ARRAYS
        return False

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if (found := self.of_standing(fn, args, kwargs)) is not None:
            return found
        if fn is operator.getitem and not isinstance(self.type_of(args[0]), TupleType) and not self.grown(args[0]):
            if (index := self.index(args[1])) != args[1]:
                return REFUSED if index is REFUSED else self.invoke(fn, (args[0], index), kwargs)
        if fn is sum and len(args) == 2 and isinstance(self.type_of(args[1]), TupleType):
            return self.enter_library(chained, args, (), "sum")
        if fn in (operator.is_, operator.is_not) and Const(None) in args and any(map(self.is_any_list, args)):
            return Const(fn is operator.is_not)
        if fn is as_tuple:
            return self.frozen(args[0])
        takes_any = isinstance(fn, Method) and self.takes_any(fn.name, args[0])
        every = () if takes_any else (*args, *(value for _, value in kwargs))
        lists = [arg for arg in every if self.grown(arg) or of_numpy(fn) and self.holds_list(arg)]
        if not lists and (fn is not np.block or isinstance(self.type_of(args[0]), TupleType)):
            return self.of_static(fn, args) or super().of_structure(fn, args, kwargs)
        if fn is copy.deepcopy and len(args) == 1:
            return duplicate(self, fn, args[0])
        grown = self.grown(args[0]) if args else None
        if grown is not None and (found := self.of_grown(fn, grown, args, kwargs)) is not None:
            return found
        if fn is operator.add and len(args) == 2 and all(self.grown(a) or self.is_display(a) for a in args):
            return self.sum_of_lists(args)
        if fn in (list, tuple, as_listed, copy.copy) and len(args) == 1:
            if (grown := self.grown(made := self.copied_list(args[0], "list"))) is not None and fn is tuple:
                self.tuples.update(grown.buffers)
            return made
        if fn is operator.getitem:
            return self.invoke(fn, tuple(map(self.shown, args)), kwargs)
        if getattr(fn, "__module__", "") in _OF_LISTS and (searching := library.find(fn)) is not None:
            return self.enter_library(searching, args, kwargs, fn.__name__)
        of_object = isinstance(fn, Method) and is_static(args[0]) or fn is sum and any(map(is_static, every[1:]))
        if of_object or fn in (apply, isinstance, hasattr, sorted) or is_python(fn) or objects.makes_object(fn):
            return None
        meets_array = fn in _ARITHMETIC and any(map(self.is_array, args))
        takes_lists = isinstance(fn, np.ufunc) or fn in REDUCING or of_numpy(fn)
        if meets_array or takes_lists and fn is not np.block:
            shown = self.copy_of if gives_views(fn) else self.shown
            return self.invoke(fn, tuple(map(shown, args)), tuple((name, shown(value)) for name, value in kwargs))
        if fn == Method("extend") and len(args) == 2:
            return self.extend(args[0], args[1])
        name = fn.name if isinstance(fn, Method) else getattr(fn, "__name__", "this")
        what = "an operation on" if getattr(fn, "__module__", "") == "_operator" else f"{name} of"
        return self.refuse(f"{what} a list that grows is not supported", _REMEDIES.get(name, "np.array(xs)"), name)

    def copied_list(self, values: Expr, name: str) -> Expr:
        """Another list of the same elements, which nothing else holds."""
        made = self.enter_library(listed, (values,), (), name)
        known = self.types.get(made.name) if isinstance(made, Var) else None
        return Tuple(self.elements(made) or (), known) if isinstance(known, TupleType) else made

    def frozen(self, values: Expr) -> Expr:
        """A list that nobody else has, as a tuple."""
        if (grown := self.grown(values)) is not None:
            self.tuples.update(grown.buffers)
        if isinstance(values, Tuple):
            return Tuple(values.items)
        return Call(tuple, (values,)) if isinstance(self.type_of(values), TupleType) else values

    def index(self, index: Expr) -> Expr:
        """An index of an array, with arrays in the place of lists that grow."""
        if isinstance(index, Var) and (grown := self.grown(index)) and self.tuples & {*grown.buffers}:
            reason = "a tuple whose length is not known at compile time as an index"
            return self.refuse(f"{reason} is not supported", "x[i, j], or an array of indices")
        return self.shown(index)

    def of_grown(self, fn: Any, grown: Grown, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        match fn, args:
            case _, (_,) if fn is len:
                return self.length(grown)
            case operator.not_, (_,):
                return Call(operator.eq, (self.length(grown), Const(0)))
            case operator.getitem, (whole, Slice() as part):
                return self.part(grown, whole, part)
            case operator.getitem, (_, index):
                return self.at(grown, self.position(grown, index))
            case _, (_, index) if fn is element_of:
                return self.at(grown, index)
            case Method("append"), (_, value):
                self.append(grown, value)
                return Const(None)
            case Method("extend"), (whole, values):
                return self.extend(whole, values)
            case Method("pop"), (_,) | (_, Const(value=-1)):
                return self.pop(grown)
            case Method("pop" | "__delitem__"), (_, position):
                return self.pop_at(grown, position)
            case operator.contains | Method("index" | "count"), _:
                found, name = _SEARCHES[fn]
                return self.enter_library(found, args, kwargs, name)
            case Method("remove"), _:
                self.pop_at(grown, self.named(self.enter_library(place_of, args, kwargs, "remove")))
                return Const(None)
            case Method("insert"), (_, position, value):
                return self.insert(grown, position, value)
            case Method("clear"), (_,):
                return self.clear(grown)
            case Method("copy"), (values,):
                return self.copied_list(values, "copy")
            case operator.mul, (values, times) if not self.grown(times) and not self.is_array(times):
                return self.enter_library(repeated, (values, times), (), "*")
            case Method("sort"), (whole,):
                return self.sort(grown, whole, kwargs)
            case Method("reverse"), (_,):
                return self.reverse(grown)
            case _, (whole,) if fn is star:
                return Call(fn, (self.kept(self.view(grown)) if grown.form is None else whole,))
            case operator.iadd, (whole, values):
                return whole if self.extend(whole, values) is not REFUSED else REFUSED
        return None

    def of_static(self, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
        """A list or tuple of known length with an index that is not, and one that is repeated."""
        if fn is operator.mul and (named := with_names(self, args)) != args:
            return self.of_static(fn, named) or Call(fn, named)
        found = self.type_of(args[0]) if args else UNKNOWN
        if fn in (list, tuple, Method("tolist")) and len(args) == 1 and self.turned_out_array(args[0]):
            return self.of_array(fn, args)
        if fn in (list, tuple) and len(args) == 1 and found == UNKNOWN and isinstance(args[0], Call):
            values = self.named(args[0], "values")
            return self.of_array(fn, (values,)) if self.turned_out_array(values) else Call(fn, (values,))
        if not isinstance(found, TupleType) or found.form.keys or len(args) != 2 or not found.items:
            return None
        if fn is operator.getitem or fn is element_of:
            return any_row.element(self, args[0], found, args[1])
        if fn is operator.mul and found.form.cls is list and len(found.items) == 1 and not isinstance(args[1], Const):
            count = self.natural_number(args[1])
            element = self.named(self.elements(args[0])[0])  # type: ignore[index]
            grown = self.make("xs", count, found.items[0], ())
            self.set(grown, Const(...), element, False)
            self.types[grown.key] = Length(count, count)
            name = self.fresh("t")
            self.types[name] = grown
            return Var(name)
        return None

    def of_array(self, fn: Any, args: tuple[Expr, ...]) -> Expr:
        """``list(x)`` and ``x.tolist()``, whose elements are lists, too."""
        kind = self.type_of(args[0])
        rank = kind.ndim if isinstance(kind, Array) else np.ndim(args[0].value) if isinstance(args[0], Const) else 1
        inner = fn not in (list, tuple) and rank > 1
        of_items = rows_listed if inner else listed if fn in (list, tuple) else in_numbers
        made = self.enter_library(of_items, args, (), "list")
        grown = self.grown(made)
        if inner and grown is not None:
            self.nested |= {*grown.buffers}
        return made

    def natural_number(self, expr: Expr) -> Expr:
        """A number of elements, which is not negative."""
        if known_to_be_natural(expr, self.natural):
            return expr
        count = self.named(Call(max, (expr, Const(0))), "count")
        assert isinstance(count, Var)
        self.natural.add(count.name)
        return count

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        grown = self.grown(place)
        if grown is None:
            return super().put(place, key, value)
        if isinstance(key, Slice):
            plain = grown.form is None and not self.nested & {*grown.buffers} and key.step is None
            if not plain or isinstance(value, Call) and is_inplace(value.fn):
                self.refuse("a store into a slice of this list is not supported", "a loop over its elements")
            else:
                self.put_slice(grown, place, key, value)
            return True
        position = self.position(grown, key)
        match value:
            case Call(fn, (old, amount)) if is_inplace(fn) and old == Call(operator.getitem, (place, key)):
                position = position if grown.form is None else self.kept(position)
                element = self.at(grown, position)
                value = Call(fn, (element, amount)) if grown.form is None else self.applied(fn, (element, amount), ())
        self.replace(grown, position, value)
        return True

    def replace(self, grown: Grown, position: Expr, value: Expr) -> None:
        """``xs[position] = value``"""
        position = self.kept(position) if is_static(value) else position
        if housed.is_at(self, value, grown, position):
            return
        parts = self.of_object(grown, value) if is_static(value) else taken_apart(self, grown, value)
        if REFUSED in (parts, position) or not self.may_be_written(grown):
            return
        housed.replaced(self, grown)
        self.set(grown, position, parts, True)
        housed.moved_in(self, value, grown, position)
