"""What is known of structures while calls are inlined: lengths, keys, and which of their elements are functions;
part of `inline`.

The types of the arguments say it at first; each assignment of a structure adds to it. With it, a loop over a structure
is written out, ``*args`` and ``**kwargs`` are unpacked, and the methods of the user's classes are found.
"""

from __future__ import annotations

import functools
import operator
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.lang.forms import REFUSED, is_star
from srcad.lang.ir import Attr, Call, Const, Expr, Function, Method, Stmt, Tuple, Var, element_at, select
from srcad.lang.lists import element_of
from srcad.lang.promote import type_of
from srcad.lang.structure import LIST, form_of_class
from srcad.lang.types import UNKNOWN, Array, Static, TupleType, Type
from srcad.transforms import (
    duplicates, fields, functionals, keys, leaves, operators, special_methods, stars, tuple_order,
)  # fmt: skip
from srcad.transforms.callees import Callees, Keywords
from srcad.transforms.calls import folded, folded_number
from srcad.transforms.outlines import (
    Remembered, element_type, exchanged, is_single, makes, on_both_paths, outlined, structure,
)  # fmt: skip
from srcad.transforms.pin import expands
from srcad.transforms.slices import row
from srcad.transforms.values import Object, is_static, lookup
from srcad.typing.facts import NotStatic
from srcad.typing.structures import OF_NAMED
from srcad.typing.table import Refusal, constant_items
from srcad.typing.typer import Typer

_LEAF = Static(object())  # stands for an element of which nothing is known, where a type must stand


class Known(Callees):
    """Follows structures; `types` has those that names hold, `relied` the names whose structure has been asked for."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.types: dict[str, Type] = {}
        self.relied: set[str] = set()
        self.remembered = Remembered()
        self.assigned_around: list[set[str]] = []  # the names that the loops around assign
        self.texts: set[str] = set()  # the names that hold one text or another

    # ------------------------------------------------------------ names

    def let(self, target: str, value: Expr | None) -> None:
        if isinstance(value, Call) and value.fn is slice and not self.in_library:
            value = functionals.part(value.args)
        found = UNKNOWN if value is None or value is REFUSED else self.type_of(value)
        super().let(target, value)
        self.types.pop(target, None)
        if isinstance(found, TupleType) or isinstance(found, Static) and isinstance(found.value, str):
            self.types[target] = found

    def holding(self, var: Var) -> Expr:
        """What a variable holds; text, such as a key, is itself."""
        found = self.type_of(var)
        return Const(found.value) if isinstance(found, Static) else super().holding(var)

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        start, ends = self.types, []

        def tracked(work: Callable[[], Any]) -> Any:
            self.types = dict(start)
            result = work()
            ends.append(self.types)
            return result

        found = super().paths(*(functools.partial(tracked, work) for work in works))
        for other in ends[:-1]:
            self.agree(other)
        return found

    def agree(self, other: dict[str, Type]) -> None:
        """Keep what is known on another path, too."""
        both = ((name, on_both_paths(type, other.get(name))) for name, type in self.types.items())
        self.types = {name: type for name, type in both if type is not None}

    # ------------------------------------------------------------ types

    def type_of(self, expr: Expr) -> Type:
        """The structure that an expression gives, or UNKNOWN."""
        match expr:
            case Var(name):
                self.relied.add(name)
                found = self.types.get(name, UNKNOWN)
                return UNKNOWN if is_single(found) else found
            case Const(value=Object()):
                return UNKNOWN  # whose attributes may change
            case Const(value):
                found = UNKNOWN if expr is REFUSED else outlined(type_of(value))
                return found if isinstance(found, (TupleType, Static)) else UNKNOWN
            case Tuple(items, type):
                return structure(tuple(map(self.type_of, items)), type)
            case Attr(value, "shape") if isinstance(of := self.type_of(value), Array):
                return TupleType((UNKNOWN,) * of.ndim)
            case Call(fn, (base, Const(key))) if fn is operator.getitem or fn is element_at:
                return element_type(fn, self.type_of(base), key)
            case Call(fn, (_, then, orelse)) if fn is select:
                found = self.type_of(then)
                return found if found == self.type_of(orelse) else UNKNOWN
            case Call(fn) if not expands(fn):
                return self.remembered.type(expr, self.types, self.relied, lambda asked: self.result_of(expr, asked))
        return UNKNOWN

    def result_of(self, call: Call, asked: set[str]) -> Type:
        """The structure that a call gives, by the typing rule of what is called."""
        outside, self.relied = self.relied, asked
        given = [self.blurred(arg) for arg in call.args]
        named = tuple((name, self.blurred(value)) for name, value in call.kwargs)
        self.relied = outside
        structured = any(isinstance(getattr(e, "type", None), TupleType) for e in given)
        if type(call.fn).__hash__ is None or not (structured or makes(call.fn)):
            return UNKNOWN
        try:
            found = Typer().expr(Call(call.fn, tuple(given), named)).type
        except (Refusal, NotStatic, TypeError, AttributeError, ValueError):
            return UNKNOWN
        return outlined(exchanged(found, _LEAF, UNKNOWN)) if isinstance(found, TupleType) else UNKNOWN

    def blurred(self, expr: Expr) -> Any:
        """An argument of which only the structure is known."""
        if isinstance(expr, Const) and expr is not REFUSED:
            return Const(expr.value, type_of(expr.value), expr.name)
        found = exchanged(self.type_of(expr), UNKNOWN, _LEAF)
        if isinstance(expr, Tuple):
            return Tuple(tuple(map(self.blurred, expr.items)), found)
        return Var("?", found)

    # ------------------------------------------------------------ elements

    def elements(self, expr: Expr) -> tuple[Expr, ...] | None:
        """The elements of a structure; None where they are not known."""
        expr = self.static.get(expr.name, expr) if isinstance(expr, Var) else expr
        found = self.type_of(expr)
        if not isinstance(found, TupleType):
            return None
        if isinstance(expr, Tuple):
            return expr.items
        if isinstance(expr, Const):
            return constant_items(expr)
        base = self.named(expr)
        return tuple(self.element(base, found, k) for k in range(len(found.items)))

    def element(self, base: Expr, type: TupleType, k: int) -> Expr:
        part = type.items[k]
        if isinstance(part, Static):
            return Const(part.value)
        return Call(operator.getitem if type.form.cls in (tuple, list) else element_at, (base, Const(k)))

    def iterated(self, expr: Expr) -> tuple[Expr, ...] | None:
        """What iterating over a structure gives: the keys of a dict, the elements of all others."""
        found = self.type_of(expr)
        if isinstance(found, TupleType) and found.form.cls is dict:
            return tuple(map(Const, found.form.keys))
        if (items := special_methods.iterated(self, expr)) is not None:
            return self.elements(items)
        special_methods.check_iterable(self, expr)
        return self.elements(expr)

    # ------------------------------------------------------------ expressions

    def expr(self, expr: Expr) -> Expr:
        result = super().expr(stars.joined(self, expr))
        if isinstance(result, Tuple) and any(map(is_star, result.items)):
            items = stars.without(self, result.items)
            if any(map(is_star, items)) and getattr(result.type, "form", None) == LIST:
                return self.expr_of_parts(items)
            if any(map(is_star, items)):
                return self.gathered(items)
            return Tuple(items, structure((UNKNOWN,) * len(items), result.type))
        return result

    def expr_of_parts(self, items: tuple[Expr, ...]) -> Expr:
        """``[a, *xs, b]`` as a sum of lists."""
        parts = [self.in_a_list(item.args[0]) if is_star(item) else Tuple((item,), TupleType((UNKNOWN,), LIST))
                 for item in items]  # type: ignore[union-attr]  # fmt: skip
        return functools.reduce(lambda a, b: self.of_structure(operator.add, (a, b), ()) or REFUSED, parts)

    def kept_star(self, arg: Expr, later: list[Stmt]) -> Expr:
        return stars.kept(self, arg, later)

    def unpacked(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[tuple[Expr, ...], Keywords]:
        return stars.unpacked(self, fn, args, kwargs)

    def is_row(self, value: Expr) -> bool:
        found = self.type_of(value)
        return isinstance(found, TupleType) and found.form.cls in (tuple, list) and not is_static(value)

    def in_a_list(self, values: Expr) -> Expr:
        """A list of all that something has."""
        raise NotImplementedError

    def shown(self, expr: Expr) -> Any:
        """An expression with arrays in the place of lists that grow."""
        raise NotImplementedError

    def gathered(self, items: tuple[Expr, ...]) -> Expr:
        """A tuple of all that something has."""
        raise NotImplementedError

    def attribute(self, base: Expr, name: str) -> Expr:
        found = self.type_of(base)
        if isinstance(found, Array) and name == "ndim":
            return Const(found.ndim)
        if not isinstance(found, TupleType) or not found.form.named:
            return super().attribute(base, name)
        if name in found.form.keys:
            return self.elements(base)[found.form.keys.index(name)]  # type: ignore[index]
        if name == "__class__":
            return special_methods.class_as_value(self, base)
        meaning = getattr(found.form.cls, name, None)
        if isinstance(meaning, property) and meaning.fget is not None:
            return self.invoke(meaning.fget, (special_methods.named(self, base),), ())
        return special_methods.bound(self, base, name) or super().attribute(base, name)

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """What a call says of a structure that is known; None: nothing special."""
        if (own := special_methods.applied(self, fn, args)) is not None:
            return own
        found = self.type_of(args[0]) if args else UNKNOWN
        if fn is element_of or fn is operator.getitem and isinstance(found, TupleType):
            args = (args[0], folded_number(args[1]))
        if fn is element_of and not isinstance(getattr(args[0], "value", None), Object):
            known, item = self.iterated(args[0]), args[1]
            there = known and isinstance(item, Const) and -len(known) <= item.value < len(known)  # type: ignore[operator]
            return known[item.value] if there else folded(Call(operator.getitem, args))  # type: ignore[index,union-attr]
        if fn in fields.FUNCTIONS and args:
            return fields.of_fields(self, fn, args[0], kwargs)
        if fn in duplicates.COPYING and len(args) == 1 and not kwargs:
            return duplicates.duplicate(self, fn, args[0])  # type: ignore[arg-type]
        if fn == dict.fromkeys:
            return keys.of_keys(self, args)
        if fn in leaves.ASKED:
            return leaves.answered(self, fn, args)
        if not isinstance(found, TupleType):
            return None
        if found.form.cls is dict and len(args) > 1:
            args = (args[0], keys.known(args[1]), *args[2:])
        if fn is len:
            return Const(len(found.items))
        if fn is dict and found.form.cls in (list, tuple):
            return keys.of_pairs(self, args[0], kwargs)
        if fn is sorted:
            options = dict(kwargs)
            return keys.in_order(self, found, args[0], options) or tuple_order.by_places(self, args[0], options)
        if fn is operator.contains and found.form.cls is dict and isinstance(args[1], Const):
            return Const(args[1].value in found.form.keys)
        if fn is operator.getitem and isinstance(args[1], Const):
            part = element_type(fn, found, args[1].value)
            return Const(part.value) if isinstance(part, Static) else None
        if fn is operator.getitem or fn is operator.add:
            return row(self, fn, found, args)
        if isinstance(fn, Method):
            return self.method(fn.name, found, args, kwargs)
        return None

    def opened(self, expr: Expr) -> Expr:
        """A result, with structures in the place of the dataclasses that were made here."""
        if isinstance(expr, Tuple):
            return replace(expr, items=tuple(map(self.opened, expr.items)))
        made = expr.value if isinstance(expr, Const) else None
        form = form_of_class(made.cls) if isinstance(made, Object) else None
        if not isinstance(made, Object) or form is None or not all(key in made.fields for key in form.keys):
            return expr
        parts = tuple(self.opened(self.holding(made.fields[key])) for key in form.keys)
        return Tuple(parts, TupleType((UNKNOWN,) * len(parts), form))

    def method(self, name: str, found: TupleType, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """A call of what a field holds, or of a method of the user's class."""
        if found.form.cls is dict and name in ("items", "keys", "values") and len(args) == 1:
            names, parts = tuple(map(Const, found.form.keys)), self.elements(args[0]) or ()
            pairs: tuple[Expr, ...] = tuple(Tuple(pair) for pair in zip(names, parts))
            return Tuple({"items": pairs, "keys": names}.get(name, parts))
        if found.form.cls is dict and name == "get":
            return keys.function_at(self, found, *args)
        if not found.form.named:
            return None
        if name in found.form.keys:
            held = self.element(self.named(args[0]), found, found.form.keys.index(name))
            if isinstance(held, Const):
                return self.invoke(held.value, args[1:], kwargs)
            called = operators.call_method(self, held)
            return called and self.invoke(called, (special_methods.named(self, held), *args[1:]), kwargs)
        (meaning,) = lookup(found.form.cls.__mro__, name) or (None,)
        if isinstance(meaning, types.FunctionType) and not (found.form.native and name in OF_NAMED):
            return self.invoke(meaning, (special_methods.named(self, args[0]), *args[1:]), kwargs)
        if isinstance(meaning, (staticmethod, classmethod)) or callable(meaning) and not hasattr(meaning, "__get__"):
            return self.invoke(getattr(found.form.cls, name), args[1:], kwargs)
        return None
