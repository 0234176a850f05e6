"""Whole numbers that are known where they are read: of names, and of attributes that are set once; part of `inline`.

Short loops over structures whose bounds are such numbers, ``layers = len(sizes)``, are written out, and keys that are
made of them, ``weights[f"W{layer}"]``, are constants. Where an attribute is set again after that, everything is
inlined once more, and its number is not relied on.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.analysis.spelling import makes_text_of
from srcad.lang.ir import Call, Const, Expr, Function, Stmt, Tuple, Var, element_at
from srcad.lang.promote import UFUNCS
from srcad.lang.types import Array, Static, TupleType, Type
from srcad.transforms.calls import folded_number
from srcad.transforms.keys import known
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.outlines import LEAF, element_type, is_single
from srcad.transforms.records import BY_KEY, record_of
from srcad.transforms.worded import Wording

if TYPE_CHECKING:
    from srcad.transforms.callees import Keywords


class SetAgain(OnceMore):
    """Met while inlining: an attribute whose number has been relied on is set again."""

    def __init__(self, key: tuple[type, str]):
        self.key = key

    def teach(self, learnt: Learnt) -> None:
        learnt.changing.add(self.key)


class Fixed(Wording):
    """Knows the numbers of names and attributes; `counts_on` has the attributes that loops are written out for."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.set_to: dict[str, Expr | None] = {}  # for the variables of attributes: what they hold, if set once
        self.counts_on: set[str] = set()
        self.set_again: set[tuple[type, str]] = set()

    def know(self, learnt: Learnt) -> None:
        super().know(learnt)
        self.set_again, self.replaced = learnt.changing, learnt.replaced

    def let(self, target: str, value: Expr | None) -> None:
        key = self.field_keys.get(target)
        now = None if value is None or target in self.fields else self.fixed(value)
        if key is not None and value is not None:
            if target in self.counts_on:
                raise SetAgain(key)
            number = self.fixed(value, names=False)
            first = target not in self.set_to and target in self.fields and key not in self.set_again
            known = isinstance(number, Const) and type(number.value) is int and first
            self.set_to[target] = number if known else None
        super().let(target, value)
        if isinstance(now, Const) and type(now.value) is int:
            self.types[target] = Static(now.value)
        elif value is not None and target not in self.types and self.is_leaf(value):
            self.types[target] = LEAF

    def stored(self, name: str, expr: Expr) -> Var:
        found = self.type_of(expr)
        known = found if isinstance(found, TupleType) else LEAF if self.is_leaf(expr) else None
        if known is not None:
            self.types[name] = known
        return super().stored(name, expr)

    def applied(self, fn: Any, positional: tuple[Expr, ...], named: Keywords) -> Expr:
        if positional and makes_text_of(fn, positional):
            positional = tuple(map(self.fixed, positional))
        elif isinstance(fn, Hashable) and fn in BY_KEY and self.has_keys(positional[0]):
            positional = (positional[0], self.fixed(positional[1]), *positional[2:])
        return super().applied(fn, positional, named)

    def apart(self, work: Callable[[], Expr]) -> tuple[list[Stmt], Expr]:
        self.forget_numbers()
        return super().apart(work)

    def is_leaf(self, expr: Expr) -> bool:
        """Whether an expression is known to be a number or an array, and no structure."""
        match expr:
            case Const(value):
                return isinstance(value, (int, float, complex, np.ndarray, np.generic))
            case Var(name):
                return isinstance(known := self.types.get(name), Array) or is_single(known)
            case Call(fn, (base, index)) if fn is operator.getitem or fn is element_at:
                found = self.type_of(base)
                if isinstance(found, TupleType):
                    return isinstance(index, Const) and not _is_more(element_type(fn, found, index.value))
                return self.is_leaf(base)
            case Call(fn, args):
                computes = isinstance(fn, np.ufunc) or isinstance(fn, Hashable) and fn in UFUNCS
                return computes and any(map(self.is_leaf, args))
        return False

    def has_keys(self, base: Expr) -> bool:
        """Whether this is a dict whose keys are known."""
        found = self.type_of(base)
        return record_of(base) is not None or isinstance(found, TupleType) and found.form.cls is dict

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        return super().put(place, known(self.fixed(key)) if self.has_keys(place) else key, value)

    def number_of_name(self, name: str) -> int | None:
        """The whole number that a name is known to hold."""
        known = self.types.get(name)
        return known.value if isinstance(known, Static) and isinstance(known.value, int) else None

    def fixed(self, expr: Expr, names: bool = True) -> Expr:
        """A number, with what attributes hold that are set once in the place of these, and what `names` hold."""
        match expr:
            case Var(name) if (number := self.set_to.get(name)) is not None:
                self.counts_on.add(name)
                return number
            case Var(name) if names and isinstance(known := self.number_of_name(name), int):
                return Const(known)
            case Tuple(items):
                return replace(expr, items=tuple(map(self.fixed, items)))
            case Call(fn, args, ()) if any(isinstance(arg, (Var, Call)) for arg in args):
                return folded_number(Call(fn, tuple(self.fixed(arg, names) for arg in args)))
        return folded_number(expr)


def _is_more(type: Type) -> bool:
    """Whether an element of a structure is no number and no array."""
    return isinstance(type, (TupleType, Static))
