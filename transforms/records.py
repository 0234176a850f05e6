"""Dicts whose elements are changed where they are, with texts for keys; part of `inline`.

A dict with keys that are known is a value, which is not enough where a loop appends to a list in it, or where several
names mean it. Which dicts are meant turns out where they are changed; everything is inlined once more then, with an
object in their place that has an attribute for each key.
"""

from __future__ import annotations

import operator
from typing import Any

from srcad.lang.forms import REFUSED, listed
from srcad.lang.ir import Call, Const, Effect, Expr, Function, If, Method, Tuple, Var, raise_
from srcad.lang.lists import element_of
from srcad.lang.origin import Origin
from srcad.lang.structure import LIST
from srcad.lang.types import Form, TupleType
from srcad.library.tables import DefaultGroups, Keyed
from srcad.transforms import housed, keys, objects
from srcad.transforms.callees import Keywords
from srcad.transforms.callers import Callers, may_change, note_element
from srcad.transforms.learnt import Computed, InList, LaterKey, Learnt, Record, class_of_keys
from srcad.transforms.maybe import Maybe
from srcad.transforms.order import is_inplace
from srcad.transforms.recursive_lists import refuse_memo
from srcad.transforms.values import Choice, Object


BY_KEY = frozenset((operator.getitem, operator.contains, *map(Method, ("get", "setdefault"))))
_TAKING = (Method("pop"), Method("__delitem__"))
_ASKED = frozenset((
    element_of, len, dict, list, listed, tuple, sorted, operator.contains,
    *map(Method, ("items", "keys", "values", "get")),
))  # fmt: skip


class Records(Maybe):
    """Reads and changes dicts that are objects.

    `recorded` are the keys of those that lists have, `later` the keys that dicts get on some paths only.
    """

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.recorded: set[Form] = set()
        self.later: dict[Origin, dict[str, bool]] = {}
        self.flags: dict[tuple[int, str], Var] = {}  # for dicts and keys: whether the path taken has given it
        self.tables: dict[Origin, type] = {}  # the statements that make dicts which are objects, and their classes
        self.of_listed: set[int] = set()  # the dicts of which each key has a list
        self.callers = Callers()

    def know(self, learnt: Learnt) -> None:
        self.housed.classes = learnt.classes
        self.altered |= learnt.classes
        self.tables, self.recorded, self.later = learnt.tables, learnt.recorded, learnt.later
        self.identities.told, self.identities.together = learnt.told, learnt.together
        self.inner_parts, self.shadowed = frozenset(learnt.inner_parts), learnt.shadowed
        self.callers.forms, self.caching = frozenset(learnt.callers), frozenset(learnt.caching)

    def let(self, target: str, value: Expr | None) -> None:
        note_element(self, target, value)
        form = getattr(self.types.get(target), "form", None)
        if value != Var(target) or form is None or form.cls is not dict:
            super().let(target, value)

    def beyond(self, name: str) -> None:
        known = [(key, held.value) for key, held in self.static.items() if isinstance(held, Const)]
        keepers = [key for key, made in known if isinstance(made, Object) and issubclass(made.cls, Keyed)
                   and Var(name) in made.fields.values()]  # fmt: skip
        form = getattr(self.types.get(name), "form", None) or LIST
        if form.cls is not dict:
            return super().beyond(name)
        self.changed_in_place(Var(name))
        refuse_memo(self, min(keepers, key=len) if keepers else name)

    def shared(self, name: str) -> None:
        may_change(self, self.types.get(name))
        super().shared(name)

    def expr(self, expr: Expr) -> Expr:
        result = super().expr(expr)
        made = result if isinstance(expr, (Tuple, Call)) and isinstance(result, Tuple) and has_texts(result) else None
        if made is not None and made.type.form in self.recorded and self.is_new(made):  # type: ignore[attr-defined]
            return self.record(made)
        return result

    def changed_in_place(self, place: Expr) -> None:
        """Once more, if a dict that is an element of a list is changed."""
        found = self.types.get(place.name) if isinstance(place, Var) else None
        form = found.form if isinstance(found, TupleType) and are_texts(found.form) else Form(dict)
        if form.keys and form not in self.recorded:
            raise InList(form)
        super().changed_in_place(place)

    def record(self, value: Tuple) -> Const:
        """The object for a dict; dicts in it become objects, too."""
        made = Object(class_of_keys(value.type.form.keys))  # type: ignore[attr-defined]
        self.housed.born[id(made)] = made, self.out
        for key, part in zip(value.type.form.keys, value.items):  # type: ignore[attr-defined]
            inner = self.record(part) if isinstance(part, Tuple) and has_texts(part) else part
            objects.set_field(self, made, key, inner)
        self.housed.places[id(made)] = self.origin
        for key, lists in self.later.get(self.origin, {}).items():
            self.begin_without(made, key, lists)
        return Const(made)

    def of_lists(self) -> Expr | None:
        if self.tables.get(self.origin) is not Record:
            return None
        made = self.record(Tuple((), TupleType((), Form(dict, ()))))
        self.of_listed.add(id(made.value))
        return made

    def begin_without(self, made: Object, key: str, lists: bool) -> None:
        """A key that is not there at first, but may be later."""
        flag = self.flags[id(made), key] = Var(self.fresh(f"has_{key}" if key.isidentifier() else "has_key"))
        self.let(flag.name, Const(key in made.fields))
        self.fields.add(flag.name)
        if key not in made.fields:
            made.fields[key] = Var(self.fresh(key))
            self.fields.add(made.fields[key].name)
            self.field_keys[made.fields[key].name] = made.cls, key
            if lists:
                self.let(made.fields[key].name, Tuple((), TupleType((), LIST)))

    def display(self, expr: Expr) -> Expr:
        """The dict that an object stands for, as a value."""
        made = record_of(expr)
        if made is None:
            return expr
        if maybe := [key for owner, key in self.flags if owner == id(made)]:
            what = f"all of a dict that has {maybe[0]!r} on some paths only"
            return self.refuse(f"{what} is not supported", f"d[{maybe[0]!r}] = ... where the dict is made")
        parts = tuple(map(self.holding, made.fields.values()))
        return Tuple(parts, TupleType(tuple(map(self.type_of, parts)), Form(dict, tuple(made.fields))))

    def opened(self, expr: Expr) -> Expr:
        return super().opened(self.display(expr))

    def iterated(self, expr: Expr) -> tuple[Expr, ...] | None:
        return super().iterated(self.display(expr))

    def holds(self, expr: Expr) -> bool:
        meaning = self.frame.meaning(expr.name) if isinstance(expr, Var) else expr
        held = self.static.get(meaning.name) if isinstance(meaning, Var) else meaning
        return held is not None and record_of(held) is not None or super().holds(expr)

    def truth(self, expr: Expr) -> Expr:
        return super().truth(self.display(expr))

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        made = record_of(args[0]) if args else None
        if made is None and len(args) > 1 and isinstance(args[1], Const) and isinstance(args[1].value, str):
            self.check_keys(args[0])
        if (kind := self.class_in_list(args[0]) if args else None) is not None:
            return self.of_element(fn, args, kind)
        if fn is dict and kwargs and not args:
            names, values = zip(*kwargs)
            return Tuple(values, TupleType(tuple(map(self.type_of, values)), Form(dict, names)))
        if fn in (operator.or_, operator.ior) and (both := keys.joined(self, fn, args)) is not None:
            return both
        if made is None:
            return self.of_several(fn, args, kwargs) or super().of_structure(fn, args, kwargs)
        if len(args) > 1 and isinstance(args[1], Const) and fn in BY_KEY:
            return self.by_key(fn, made, args[1], args[2:])
        if fn == Method("update"):
            more = self.display(args[1]) if len(args) > 1 else Tuple((), TupleType((), Form(dict, ())))
            if isinstance(found := self.type_of(more), TupleType) and found.form.cls is dict:
                pairs = (*zip(found.form.keys, self.elements(more) or ()), *kwargs)
                for key, part in [(key, self.kept(part)) for key, part in pairs]:
                    self.put_at_key(made, Const(key), part)
                return Const(None)
        if fn in _TAKING and isinstance(args[1], Const):
            return keys.taken(self, made, args[1], args[2:])
        if fn is operator.getitem and isinstance(keys.known(args[1]), Var):
            return keys.unknown(self)
        given = (self.display(args[0]), *args[1:])
        if given[0] is REFUSED:
            return REFUSED
        if fn is dict or fn == Method("copy"):
            return self.record(given[0])  # type: ignore[arg-type]
        if fn in _ASKED:
            return self.of_structure(fn, given, kwargs) or self.invoke(fn, given, kwargs)
        if isinstance(fn, Method):
            what = f"{'del' if fn.name == '__delitem__' else fn.name} of a dict that is changed in place"
            return self.refuse(f"{what} is not supported", "d[key] = value", fn.name)
        return super().of_structure(fn, args, kwargs)

    def check_keys(self, owner: Expr) -> None:
        """Once more, if a text is a key of what has been taken for a dict whose keys are computed."""
        groups = owner.value if isinstance(owner, Const) else None
        place = self.housed.places.get(id(groups)) if isinstance(groups, Object) else None
        if place is not None and groups.cls is DefaultGroups and place not in self.tables:  # type: ignore[union-attr]
            raise Computed(place, Record)

    def check_text(self, place: Expr, key: Expr) -> None:
        """Once more, if the path taken decides of the texts that are keys of a defaultdict of lists."""
        made = record_of(place)
        if made is not None and id(made) in self.of_listed and isinstance(key, Var) and key.name in self.texts:
            raise Computed(self.housed.places[id(made)], DefaultGroups)

    def of_several(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """What a call says of one dict or another, as the path taken has it."""
        held = args[0].value if args and isinstance(args[0], Const) else None
        if not isinstance(held, Choice) or record_of(held.then) is None or fn not in _ASKED | BY_KEY:
            return None
        return self.either(held, lambda each: self.of_structure(fn, (each, *args[1:]), kwargs) or REFUSED)

    def by_key(self, fn: Any, made: Object, key: Const, others: tuple[Expr, ...]) -> Expr:
        """``d[key]``, ``key in d``, ``d.get(key)`` and ``d.setdefault(key)``."""
        flag: Expr = self.flags.get((id(made), key.value), Const(key.value in made.fields))
        default = others[0] if others else Const(None)
        if fn is operator.contains:
            return flag
        if fn == Method("get") and isinstance(flag, Const):
            return self.holding(made.fields[key.value]) if flag.value else default
        if fn == Method("get"):
            there = Choice(flag, Const(True), Const(False))
            return self.either(there, lambda each: (
                self.holding(made.fields[key.value]) if each == there.then else default))  # fmt: skip
        if fn is operator.getitem and id(made) in self.of_listed:
            fn, default = Method("setdefault"), Tuple((), TupleType((), LIST))
        if fn == Method("setdefault"):
            empty = isinstance(default, Tuple) and not default.items
            if flag == Const(False):
                self.put_at_key(made, key, default, empty)
            elif isinstance(flag, Var) and empty and self.later[self.housed.places[id(made)]][key.value]:
                self.let(flag.name, Const(True))
            elif isinstance(flag, Var):
                self.perhaps(Call(operator.not_, (flag,)), lambda: self.put_at_key(made, key, default))
            return self.holding(made.fields[key.value])
        return self.at_key(made, key)

    def class_in_list(self, expr: Expr) -> TupleType | None:
        """What a dict consists of that is an element of a list."""
        found = None if isinstance(expr, Const) else self.type_of(expr)
        return found if isinstance(found, TupleType) and issubclass(found.form.cls, Record) else None

    def of_element(self, fn: Any, args: tuple[Expr, ...], kind: TupleType) -> Expr:
        """What is asked of a dict that is an element of a list, and is not changed there."""
        parts, form = self.elements(args[0]) or (), Form(dict, kind.form.keys)
        given = (Tuple(parts, TupleType(tuple(map(self.type_of, parts)), form)), *args[1:])
        if isinstance(fn, Method) and fn not in _ASKED:
            housed.may_change(self.housed, kind.form.cls)
        return self.of_structure(fn, given, ()) or self.invoke(fn, given, ())

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        if (made := record_of(place)) is not None and isinstance(key, Const):
            self.put_at_key(made, key, self.changed_at_key(made, place, key, value))
            return True
        if made is not None:
            return keys.unknown(self) is REFUSED
        if (kind := self.class_in_list(place)) is not None:
            housed.may_change(self.housed, kind.form.cls)
        return super().put(place, key, value)

    def at_key(self, made: Object, key: Const) -> Expr:
        if (flag := self.flags.get((id(made), key.value))) is not None:
            missing = Call(raise_, (Const(KeyError), Const(repr(key.value))))
            self.emit(If(Call(operator.not_, (flag,)), (Effect(missing, self.origin),), (), self.origin))
        if key.value in made.fields:
            return self.holding(made.fields[key.value])
        others = ", ".join(map(str, made.fields)) or "none"
        reason = f"the key {key.value!r} of a dict that has {others} here"
        return self.refuse(f"{reason} is not supported", "one of its keys")

    def put_at_key(self, made: Object, key: Const, value: Expr, lists: bool = False) -> None:
        if isinstance(value, Tuple) and has_texts(value):
            value = self.record(value)
        place = self.housed.places.get(id(made))
        elsewhere = key.value not in made.fields and self.housed.born.get(id(made), (made, None))[1] is not self.out
        if elsewhere and place is not None and key.value not in self.later.get(place, ()):
            raise LaterKey(place, key.value, lists)
        if (flag := self.flags.get((id(made), key.value))) is not None:
            self.let(flag.name, Const(True))
        objects.assign(self, Const(made), key.value, value)

    def changed_at_key(self, made: Object, place: Expr, key: Const, value: Expr) -> Expr:
        """What ``d[key] = value`` and ``d[key] += amount`` store."""
        match value:
            case Call(op, (old, amount)) if is_inplace(op) and old == Call(operator.getitem, (place, key)):
                element = self.at_key(made, key)
                return REFUSED if element is REFUSED else self.of_structure(op, (element, amount), ()) or self.invoke(
                    op, (element, amount), ())  # fmt: skip
        return value


def record_of(expr: Expr) -> Object | None:
    held = expr.value if isinstance(expr, Const) and expr is not REFUSED else None
    return held if isinstance(held, Object) and issubclass(held.cls, Record) else None


def has_texts(value: Tuple) -> bool:
    """Whether a display is a dict whose keys are texts."""
    return isinstance(value.type, TupleType) and are_texts(value.type.form)


def are_texts(form: Form) -> bool:
    return form.cls is dict and all(isinstance(key, str) for key in form.keys)
