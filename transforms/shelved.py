"""Lists and dicts of known length in which there are objects or functions, and their changes; part of `inline`.

Such a structure is a value that leaves no trace. Which list or dict it is, its identity tells: all names of one hold
the same node, so a change gives all of them the next one, and the structures that hold it, too.
"""

from __future__ import annotations

import operator
from typing import Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Expr, Function, Method, Tuple, Var
from srcad.lang.structure import LIST
from srcad.lang.types import Form, TupleType
from srcad.transforms.assign import CHANGES
from srcad.transforms.callees import Keywords
from srcad.transforms.containers import Objects
from srcad.transforms.mixed import Mixed
from srcad.transforms.nests import Link
from srcad.transforms.order import is_inplace
from srcad.transforms.outlines import is_mutable
from srcad.transforms.values import contains, is_static, with_items


class Shelved(Mixed):
    """Changes lists and dicts of objects."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.divided: set[str] = set()  # structures of objects that another name holds in variables of its own

    def let(self, target: str, value: Expr | None) -> None:
        if isinstance(value, Tuple) and is_static(value):
            same = {name for name, held in self.static.items() if contains(value, held) or contains(held, value)}
            self.divided |= same | {target} if self.slots & (same | {target}) else set()
        super().let(target, value)
        if target in self.static:
            self.owned.discard(target)

    # ------------------------------------------------------------ who holds a structure

    def shelves(self, held: Expr | None) -> list[str]:
        """The variables that hold a list or dict in which there are objects, and no copy of it."""
        if not isinstance(held, Tuple) or not is_mutable(held.type) or not is_static(held):
            return []
        names = [name for name, other in self.static.items() if other is held]
        if not names and any(with_other(other, held, Const(None)) is not other for other in self.static.values()):
            self.static[self.fresh("t")] = held
            return self.shelves(held)
        return names

    def held_elsewhere(self, held: Tuple, names: list[str]) -> bool:
        """Whether something holds a structure in which there are objects of which this is not known exactly."""
        alive = self.static.keys() - self.passing - {*names}  # type: ignore[attr-defined]
        others = [with_other(self.static[name], held, Const(None)) for name in alive]
        return bool(self.divided & {*names}) or any(contains(other, held) for other in (*others, *self.frame.given()))

    # ------------------------------------------------------------ changes

    def change(self, name: str, parts: tuple[Expr, ...], form: Form) -> None:
        held = self.static.get(name)
        if isinstance(held, Tuple):
            self.exchange(held, parts, form)
        else:
            super().change(name, parts, form)

    def exchange(self, held: Tuple, parts: tuple[Expr, ...], form: Form) -> None:
        """Let a list or dict in which there are objects have other elements."""
        names, none = self.shelves(held), Const(None)
        changed = [each for each, value in self.static.items() if with_other(value, held, none) is not value]
        name = max(changed, key=lambda each: (each in self.outside, len(each), each))
        new = self.put_down(Tuple(parts, TupleType(tuple(map(self.type_of, parts)), form)))
        if self.walled & {*changed}:
            self.beyond(name)
        elif name in self.outside and form.cls is dict:
            self.changed_in_place(Var(name))
            self.refuse("an object put into this dict is not supported", "an attribute of it set")
        elif name in self.outside:
            self.add_objects(name)
        elif self.held_elsewhere(held, names) or len(names) > 1 and not is_static(new):
            self.shared(name)
        else:
            for each, value in [(each, with_other(self.static[each], held, new)) for each in changed]:
                self.let(each, value)
            self.changes += 1

    def holds_objects(self, name: str, place: Link, parts: tuple[Expr, ...], form: Form) -> None:
        """A list or dict gets its first object, which all its names and the structure around it see."""
        root, path = place
        if before := {name, root} & self.outside:
            return self.add_objects(min(before))
        others = {other: link[1] for other, link in self.links.items() if link[0] == root}
        new = self.put_down(Tuple(parts, TupleType(tuple(map(self.type_of, parts)), form)))
        self.let(root, self.exchanged(root, path, new) if path else new)
        for other, inner in others.items():
            value: Any = self.static[root]
            for key in inner:
                value = value.items[[*(value.type.form.keys or range(len(value.items)))].index(key)]
                if not isinstance(value, Tuple):
                    break
            if isinstance(value, Tuple):
                self.let(other, value)
            self.owned.discard(other)
        self.changes += 1
        return None

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        """What changes a structure in which there are objects is done to the first name of it."""
        if isinstance(fn, Method) and any(map(is_static, args[1:])) and isinstance(args[0], Call):
            if self.place_of(args[0]) is not None and is_mutable(self.type_of(args[0])):
                self.let(name := self.fresh("t"), args[0])
                args = (Var(name), *args[1:])
        names = self.shelves(args[0]) if args and (isinstance(fn, Method) or fn is operator.iadd) else []
        form = args[0].type.form if names else None  # type: ignore[union-attr]
        if fn is operator.iadd and form == LIST:
            fn = Method("extend")
        grows = fn != Method("extend") or len(args) == 2 and self.iterated(args[1]) is not None
        if not names or not grows or fn.name not in (*CHANGES, "sort"):
            return super().of_structure(fn, args, kwargs)
        result = self.method(fn.name, self.type_of(args[0]), (Var(names[0]), *args[1:]), kwargs)  # type: ignore[arg-type]
        return result if fn != Method("extend") or result is REFUSED else self.holding(Var(names[0]))

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        names = self.shelves(place)
        if not names:
            return super().put(place, key, value)
        form = place.type.form  # type: ignore[union-attr]
        if not isinstance(key, Const):
            self.at_computed(names[0], key, value)
            return True
        match value:
            case Call(fn, (old, amount)) if is_inplace(fn) and old == Call(operator.getitem, (place, key)):
                element = self.applied(operator.getitem, (place, key), ())
                value = REFUSED if element is REFUSED else self.applied(fn, (element, amount), ())
        items = dict(zip(form.keys or range(len(place.items)), place.items))  # type: ignore[union-attr]
        if value is not REFUSED and items.get(key.value) != value:
            self.put_known(names[0], self.type_of(place), key.value, self.named(value))  # type: ignore[arg-type]
        return True

    def at_computed(self, name: str, key: Expr, value: Expr) -> None:
        """``xs[key] = value`` of a list or dict in which there are objects, where the key is not known."""
        if self.short and name not in self.further:
            raise Objects
        if getattr(self.type_of(self.static[name]), "form", None) == LIST and self.uniform(name) is not None and (
            name not in self.outside
        ):
            self.unfold(name)
            self.put(Var(name), key, value)
        elif name in self.outside:
            self.add_objects(name)
        else:
            self.refuse("a store at this place of a list of objects is not supported", "an index that is a constant")

    def unfold(self, name: str) -> None:
        """A list of objects as one of structures."""
        raise NotImplementedError


def with_other(value: Expr, old: Tuple, new: Expr) -> Expr:
    """A value with another structure in the place of one, wherever structures hold it; itself where none does.

    >>> xs, ys = Tuple((Const(1),)), Tuple((Const(1),))
    >>> first, second = with_other(Tuple((xs, ys)), xs, Const(2)).items
    >>> first == Const(2), second is ys
    (True, True)
    """
    if value is old:
        return new
    return with_items(value, tuple(with_other(e, old, new) for e in value.items)) if isinstance(value, Tuple) else value
