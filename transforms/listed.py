"""Objects in lists that grow: a buffer for each attribute; part of `inline`.

What is put into such a list is a copy. It is as good as the object as long as no object of its class is changed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.lang.forms import REFUSED, fewer
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Tuple, Var
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, Form, TupleType, Type
from srcad.transforms import housed
from srcad.transforms.calls import presence
from srcad.transforms.containers import Grows
from srcad.transforms.frames import Objects
from srcad.transforms.lengths import Grown, flat, has_tuple_for, in_outline, of_tuples
from srcad.transforms.lengthy import stays
from srcad.transforms.mixed import Mixed
from srcad.transforms.shelved import Shelved
from srcad.transforms.values import Object, is_static, seen_class


def attributes(c: Mixed, value: Expr) -> Tuple | None:
    """An object as a structure of its attributes; None where one of these is no number, array or structure of such."""
    made = value.value if isinstance(value, Const) else None
    if not isinstance(made, Object) or not made.fields:
        return None
    parts = []
    for var in made.fields.values():
        held = c.holding(var)
        part = attributes(c, held) if is_static(held) else held
        if part is None:
            return None
        parts.append(part)
    types = tuple(part.type if isinstance(part, Tuple) else UNKNOWN for part in parts)
    return Tuple(tuple(parts), TupleType(types, Form(made.cls, tuple(made.fields))))


def structure_of(c: Mixed, name: str) -> TupleType | None:
    """What the elements of a list are made of, if they are structures of one kind."""
    found = c.types.get(name)
    if isinstance(found, Grown):
        return found.element
    items = found.items if isinstance(found, TupleType) and found.form == LIST else ()
    if not all(map(of_tuples, items)):
        return None
    kinds = {in_outline(item) for item in items}
    return kinds.pop() if len(kinds) == 1 else None


def fix(c: Mixed, value: Expr) -> bool:
    """Let no object of this class change from here on; whether none has."""
    made = value.value if isinstance(value, Const) else None
    if isinstance(made, Object) and made.cls in c.housed.classes:
        return housed.put_in(c, value)  # type: ignore[arg-type]
    if not isinstance(made, Object) or made.cls in c.altered:
        return False
    c.copied.add(made.cls)
    c.housed.listed.add(made.cls)
    return True


class Listed(Shelved):
    """Finds out what the objects in a list are made of."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.staying = 0  # how many loops around could have been written out, and are not
        self.varied: dict[int, For] = {}  # loops that cannot stay, which are written out without another try
        self.formed: dict[str, Type] = {}  # the lists of structures, and what these are made of
        self.unfolded: dict[str, tuple[Expr, ...]] = {}  # the lists that are structures now, and their objects

    def of_object(self, grown: Grown, value: Expr) -> Expr:
        """The attributes of an object that is put into a list."""
        if is_static(value) and isinstance(presence(value)[1], (Var, Call)):
            remedy = "a list of flags beside it: given.append(a is not None); xs.append(0.0 if a is None else a)"
            return self.refuse("a list in which None stands for some numbers is not supported", remedy, "None")
        made, problems = attributes(self, value), len(self.problems)
        name = min(self.names_of(grown))
        if made is None or not flat(made.type) or not fix(self, value):
            if self.short and name not in self.further:
                raise Objects
            if len(self.problems) == problems:
                self.add_objects(grown.buffers[0])
            return REFUSED
        form = getattr(made.type, "form", None)
        alike = grown.form is None or form is None or seen_class(grown.form.cls) is seen_class(form.cls)
        if grown.form != form and alike and name not in self.formed:
            raise Grows(name, made.type, True)
        return made

    def holding(self, var: Var) -> Expr:
        return housed.reading(self, var.name) or super().holding(var)  # type: ignore[arg-type]

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        self.housed.begun.append(next(self.housed.clock))
        try:
            return super().repeated(body, then)
        finally:
            self.housed.begun.pop()

    def going_round_or_written_out(self, stmt: For, bounds: tuple[Expr, ...], short: range | None) -> None:
        limit = None if isinstance(bounds[1], Const) else bounds[1]
        self.or_whole(lambda: super(Listed, self).going_round_or_written_out(stmt, bounds, short), stmt, short, limit)

    def written_out(self, stmt: For, short: range, limit: Expr | None = None) -> None:
        if stays(self, stmt, short, limit):  # type: ignore[arg-type]
            return
        if limit is None:
            return super().written_out(stmt, short)
        self.or_whole(lambda: super(Listed, self).written_out(stmt, short, limit), stmt, short, limit)

    def or_whole(self, work: Callable[[], None], stmt: For, short: range | None, limit: Expr | None) -> None:
        """A loop; where it adds objects to a list, all of its iterations, of which there may be no fewer."""
        state, known, outer = self.state(), len(self.records), self.short
        self.short = short is not None
        try:
            work()
        except Objects:
            self.back(state)
            del self.records[known:]
            assert short is not None
            if limit is not None:
                error = fewer(self.origin, "values than objects that are made of them")
                self.emit(If(Call(operator.lt, (limit, Const(short.stop))), (error,), (), self.origin))
            super().written_out(stmt, short)
        self.short = outer

    def uniform(self, name: str) -> Type | None:
        found = self.attributes_of(name)
        return found[0].type if found and len({each.type for each in found}) == 1 and flat(found[0].type) else None

    def attributes_of(self, name: str) -> list[Tuple] | None:
        """The attributes of the objects in a list."""
        held = self.static.get(name)
        made = [attributes(self, item) for item in held.items] if isinstance(held, Tuple) else []
        return None if None in made else made  # type: ignore[return-value]

    def unfold(self, name: str) -> None:
        """A list of objects as one of structures."""
        held, made = self.static.get(name), self.attributes_of(name)
        if isinstance(held, Tuple) and self.held_elsewhere(held, self.shelves(held)):
            return self.shared(name)
        if isinstance(held, Tuple) and made and all(fix(self, item) for item in held.items):
            items = tuple(replace(each, items=tuple(map(self.kept, each.items))) for each in made)
            kind = TupleType(tuple(each.type for each in items), LIST)
            self.let(name, Tuple(items, kind))
            self.unfolded[name] = held.items

    def let(self, target: str, value: Expr | None) -> None:
        self.unfolded.pop(target, None)
        super().let(target, value)

    def move_in(self, name: str, grown: Grown) -> None:
        """The objects of a list that was unfolded live in its buffers from here on."""
        for k, item in enumerate(self.unfolded.pop(name, ())):
            housed.moved_in(self, item, grown, Const(k))  # type: ignore[arg-type]

    def form(self, grown: Grown, found: Type) -> None:
        """Structures are put into a list of which that was not foreseen: once more, if it begins empty."""
        name = min(self.names_of(grown), default="")
        if name in self.outside and self.is_news(name, grown, found):
            raise Grows(name, found, True)

    def is_news(self, name: str, grown: Grown, found: Type) -> bool:
        """Whether what is put into a list has more structure than was known."""
        return has_tuple_for(grown.element, found) and (
            name not in self.formed or has_tuple_for(self.formed[name], found)
        )
