"""Dicts whose keys are computed; part of `inline`.

A dict with keys that are known is a value. Which dicts have others turns out where a key is computed, or where a loop
or a branch brings in another one; everything is inlined once more then, with an object of the library in its place.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.analysis.spelling import makes_text
from srcad.lang.forms import REFUSED
from srcad.lang.ir import (
    Call, Const, Effect, Expr, Function, If, Let, Method, Stmt, Store, Tuple, Var, element_at, raise_,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.structure import LIST
from srcad.lang.types import Form, TupleType, Type
from srcad.library.rows import Row
from srcad.library.tables import Groups, Table
from srcad.transforms import operators
from srcad.transforms.assign import CHANGES
from srcad.transforms.callees import Keywords
from srcad.transforms.order import is_inplace
from srcad.transforms.characters import Characters
from srcad.transforms.constant_rows import row_at
from srcad.transforms.keys import may_be_computed
from srcad.transforms.learnt import Computed, Record
from srcad.transforms.records import are_texts, record_of
from srcad.transforms.values import Object, class_of_rows, is_static

_BY_KEY = frozenset((operator.getitem, operator.contains, *map(Method, ("get", "pop", "setdefault", "__delitem__"))))


class Tables(Characters):
    """Makes objects of dicts with computed keys; `tables` has the statements that make these."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.dicts: dict[str, list[Origin]] = {}  # for names: all statements that gave them dicts
        self.made: dict[int, tuple[Object, Origin]] = {}  # the objects in the place of dicts
        self.makers: dict[str, Origin] = {}  # for names of dicts: the statement that made the dict
        self.changing = False  # whether a dict gets other elements

    def let(self, target: str, value: Expr | None) -> None:
        held = [target] if self.changing else [value.name] if isinstance(value, Var) else self.shelves(value)
        maker = self.makers.get(held[0]) if held else None
        own = not (self.changing or operators.in_containers(self)) and not self.shelves(value)
        if isinstance(value, Tuple) and own and self.may_be_object(value):
            self.dicts.setdefault(target, []).append(self.origin)
            if self.origin in self.tables and (self.tables[self.origin] is Record or not is_static(value)):
                return super().let(target, self.table(value))
            maker = self.origin
        super().let(target, value)
        if value is not None and makes_text(value, self.texts):
            self.texts.add(target)
        self.makers.pop(target, None)
        if maker is not None:
            self.makers[target] = maker

    def may_be_object(self, value: Tuple) -> bool:
        """Whether a display makes a dict in whose place an object may be."""
        form = value.type.form if isinstance(value.type, TupleType) and self.is_new(value) else None
        return form is not None and form.cls is dict and (are_texts(form) or all(map(may_be_computed, form.keys)))

    def change(self, name: str, parts: tuple[Expr, ...], form: Form) -> None:
        maker, outer, self.changing = self.makers.get(name), self.changing, True
        super().change(name, parts, form)
        self.changing = outer
        if maker is not None:
            self.makers[name] = maker

    def table(self, value: Tuple) -> Expr:
        """The object for a dict."""
        if self.tables[self.origin] is Record:
            return self.record(value)
        made = self.new_table(self.tables[self.origin])
        self.made[id(made.value)] = made.value, self.origin  # type: ignore[attr-defined, assignment]
        for key, part in zip(value.type.form.keys, value.items):  # type: ignore[attr-defined]
            self.check_held(made, part)
            self.invoke(operator.setitem, (made, Const(key), part), ())
        return made

    def computed(self, name: str) -> None:
        """Once more, if the keys of a dict are computed."""
        found = self.types.get(name)
        if isinstance(found, TupleType):
            self.once_more(name, found.form)

    def once_more(self, name: str, *forms: Form) -> None:
        maker = self.makers.get(name)
        plain = all(form.cls is dict and all(map(may_be_computed, form.keys)) for form in forms)
        if maker not in (None, *self.tables) and plain:
            raise Computed(maker, Table)  # type: ignore[arg-type]

    def changed_in_place(self, place: Expr) -> None:
        """Once more, if an element of a dict is changed where it is, or the dict under one of several names."""
        while isinstance(place, Call) and place.fn in (operator.getitem, element_at):
            place = place.args[0]
        root = self.links.get(place.name, (place.name, ()))[0] if isinstance(place, Var) else ""
        maker, found = self.makers.get(root), self.types.get(root) or getattr(self.static.get(root), "type", None)
        if maker not in (None, *self.tables) and isinstance(found, TupleType) and are_texts(found.form):
            raise Computed(maker, Record)  # type: ignore[arg-type]
        if maker is None:
            super().changed_in_place(place)

    def is_object(self, name: str) -> bool:
        """Whether one of the dicts that a name is given is an object."""
        return any(self.tables.get(maker) is Record for maker in self.dicts[name])

    def keys_differ(self, name: str, *forms: Form) -> None:
        """Once more, if which texts are the keys of a dict depends on the path taken."""
        for maker in self.dicts.get(name, ()):
            if maker not in self.tables and all(map(are_texts, forms)):
                raise Computed(maker, Record)

    def shared(self, name: str) -> None:
        self.changed_in_place(Var(name))
        super().shared(name)

    # ------------------------------------------------------------ where keys are computed

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn is operator.getitem:
            self.check_text(*args)
        if fn is operator.getitem and self.has_texts(*args):
            return self.element_at_text(*args)
        if fn is operator.getitem and (row := row_at(self, *args)) is not None:
            return row
        if len(args) > 1 and isinstance(args[0], Var) and not isinstance(args[1], Const) and fn in _BY_KEY:
            self.computed(args[0].name)
        if fn == Method("update") and len(args) > 1 and not self.shows_dict(args[1]) and isinstance(args[0], Var):
            self.computed(args[0].name)
        if len(args) > 2 and fn == Method("setdefault"):
            self.check_held(args[0], args[2])
        if fn is dict and len(args) == 1 and not kwargs and self.is_table_object(args[0]):
            return self.invoke(args[0].value.cls.copy, args, ())  # type: ignore[attr-defined]
        return super().of_structure(fn, args, kwargs)

    def shows_dict(self, expr: Expr) -> bool:
        """Whether the keys of a dict are known."""
        found = self.type_of(expr)
        return isinstance(found, TupleType) and found.form.cls is dict

    def is_table_object(self, expr: Expr) -> bool:
        made = expr.value if isinstance(expr, Const) else None
        return isinstance(made, Object) and issubclass(made.cls, (Table, Groups))

    def check_held(self, owner: Expr, value: Expr) -> None:
        """Once more, if lists are put into what has been taken for a dict of numbers."""
        made = owner.value if isinstance(owner, Const) else None
        if isinstance(made, Object) and made.cls is Table and id(made) in self.made:
            form = getattr(self.type_of(value), "form", None)
            if self.grown(value) or form == LIST or value == Tuple(()) or class_of_rows(value) is Row:
                raise Computed(self.made[id(made)][1], Groups)

    def new_table(self, cls: Any) -> Expr:
        """An empty object in the place of a dict."""
        return self.invoke(cls, (), ())

    # ------------------------------------------------------------ texts as keys

    def has_texts(self, place: Expr, key: Expr) -> bool:
        """Whether a dict has texts for keys, and the key is one of them that the path taken decides."""
        if not self.is_letter(key) and (isinstance(key, Const) or not makes_text(key, self.texts)):
            return False
        found = self.type_of(self.display(place))
        texts = isinstance(found, TupleType) and bool(found.form.keys) and are_texts(found.form)
        return texts and (isinstance(place, (Var, Tuple, Call)) or record_of(place) is not None)

    def at_each_text(self, call: Expr) -> bool:
        """``h[name].append(x)`` for each text that the path taken may have under a name; whether it is that."""
        match call:
            case Call(Method(name), (base, *_)) if name in CHANGES:
                return self.part_at_text(call, base)
        return False

    def part_at_text(self, call: Call, base: Expr) -> bool:
        if not isinstance(base, Call) or base.fn is not operator.getitem:
            return False
        place, key = base.args
        held = self.peeked(place)
        if held is not None and isinstance(key, Var):
            self.check_text(held, self.frame.meaning(key.name))
        if held is None or not self.has_texts(held, self.frame.meaning(key.name) if isinstance(key, Var) else key):
            return self.part_at_text(call, place)
        self.changed_in_place(held)
        self.at_text(held, key, lambda text: Effect(_with(call, base, text), self.origin))
        return True

    def peeked(self, place: Expr) -> Expr | None:
        """What an expression of names and constant keys means."""
        match place:
            case Var(name):
                meaning = self.frame.meaning(name)
                return self.static.get(meaning.name, meaning) if isinstance(meaning, Var) else meaning
            case Call(operator.getitem, (base, Const(key))) if (held := self.peeked(base)) is not None:
                made = record_of(held)
                return self.holding(made.fields[key]) if made is not None and key in made.fields else None
        return None

    def at_text(self, place: Expr, key: Expr, work: Callable[[Const], Stmt]) -> None:
        """What is done with the element of a dict at a text, for each text that it may be."""
        if not isinstance(key, Var):
            name = self.fresh("letter" if self.is_letter(key) else "text")
            self.let(name, key)
            key = Var(name)
        missing = Call(raise_, (Const(KeyError), Const("a key that the dict does not have")))
        stmt: Stmt = Effect(missing, self.origin)
        for text in reversed(self.type_of(self.display(place)).form.keys):  # type: ignore[attr-defined]
            stmt = If(Call(operator.eq, (key, Const(text))), (work(Const(text)),), (stmt,), self.origin)
        self.statement(stmt)

    def element_at_text(self, place: Expr, key: Expr) -> Expr:
        """``table[state]``"""
        result = self.fresh("t")
        self.at_text(place, key, lambda text: Let(result, Call(operator.getitem, (place, text)), self.origin))
        return self.expr(Var(result))

    def element_at(self, owner: Const, key: Expr) -> Expr:
        """``owner[key]``"""
        if self.has_texts(owner, key):
            return self.element_at_text(owner, key)
        read = self.applied if record_of(owner) else self.invoke
        return read(operator.getitem, (owner, key), ())

    def put_at_text(self, place: Expr, key: Expr, value: Expr) -> None:
        """``table[state] = value``"""
        old = Call(operator.getitem, (place, key))
        if isinstance(value, Call) and is_inplace(value.fn) and value.args[0] == old:
            op, amount = value.fn, self.kept(value.args[1])
            self.at_text(place, key, lambda text: Store(
                place, text, Call(op, (Call(operator.getitem, (place, text)), amount)), self.origin))  # fmt: skip
        else:
            new = self.kept(value)
            self.at_text(place, key, lambda text: Store(place, text, new, self.origin))

    # ------------------------------------------------------------ stores into objects

    def owner(self, base: Expr) -> Const | None:
        """The object that is stored to by an index, as its class may allow it."""
        meaning = self.frame.meaning(base.name) if isinstance(base, Var) else base
        held = self.static.get(meaning.name) if isinstance(meaning, Var) else meaning
        return held if isinstance(held, Const) and (operators.has_items(held) or record_of(held)) else None

    def store_at(self, owner: Const, base: Expr, index: Expr, value: Expr) -> None:
        """``owner[index] = value``, by the methods of its class."""
        match value:
            case Call(op, (Call(operator.getitem, at), operand)) if is_inplace(op) and at == (base, index):
                (where,) = self.operands((index,))
                if not self.has_texts(owner, where):
                    where = self.atoms(where) if isinstance(where, Tuple) else self.kept(where)
                old = self.element_at(owner, where)
                old = old if is_static(old) else self.named(old)
                (amount,) = self.operands((operand,))
                new = REFUSED if REFUSED in (old, amount) else self.invoke(op, (old, amount), ())
            case _:
                new, where = self.operands((value, index))
        if REFUSED not in (new, where):
            self.check_held(owner, new)
            if record_of(owner) is not None and self.put(owner, where, new):
                return
            self.set_item(owner, where, new)

    def set_item(self, owner: Expr, where: Expr, value: Expr) -> None:
        """``owner[where] = value``, by the method of its class."""
        self.invoke(operator.setitem, (owner, where, value), ())

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        if self.has_texts(place, key):
            self.put_at_text(place, key, value)
            return True
        if isinstance(place, Var) and not isinstance(key, Const):
            self.computed(place.name)
        return super().put(place, key, value)

    def mix(self, *paths: dict[str, Type]) -> None:
        for name in list(self.makers):
            found = [types[name] for types in paths if isinstance(types.get(name), TupleType)]
            if len(found) == len(paths) and any(each != found[0] for each in found):
                self.once_more(name, *(each.form for each in found))  # type: ignore[attr-defined]
        for name in list(self.dicts):
            found = [types[name] for types in paths if isinstance(types.get(name), TupleType)]
            if found and (any(each.form != found[0].form for each in found) or self.is_object(name)):  # type: ignore[attr-defined]
                self.keys_differ(name, *(each.form for each in found))  # type: ignore[attr-defined]
        super().mix(*paths)


def _with(expr: Call, part: Call, key: Const) -> Call:
    """A call with another key in one part of the first argument."""
    first = expr.args[0]
    if expr is part:
        return replace(expr, args=(first, key))
    assert isinstance(first, Call)
    return replace(expr, args=(_with(first, part, key), *expr.args[1:]))
