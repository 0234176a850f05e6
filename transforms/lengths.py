"""What is known of lists that grow: their buffers and their length; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Tuple, Var, hint
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, Form, TupleType, Type, Unknown
from srcad.transforms.values import is_static, seen_class

if TYPE_CHECKING:
    from srcad.transforms.growing import Growing


@dataclass(frozen=True, eq=False)
class Grown(Type):
    """A list in buffers: one, or one for each number or array of the structures that are its elements."""

    buffers: tuple[str, ...]
    element: TupleType | None

    @property
    def form(self) -> Form | None:
        return None if self.element is None else self.element.form

    @property
    def key(self) -> str:
        """What its length stands under among the types."""
        return f"len {self.buffers[0]}"


@dataclass(frozen=True)
class Row(Type):
    """An array in the place of a list, as an element of a structure or on its way to or from a function."""

    nested: bool = False  # whether the elements of the list are lists
    alone: bool = False  # whether nothing else holds the list

    def joined(self, other: Row) -> Row:
        """What is true of both."""
        return Row(self.nested or other.nested, self.alone and other.alone)


def has_rows(type: Type | None) -> bool:
    """Whether arrays stand for lists in a structure."""
    return isinstance(type, Row) or isinstance(type, TupleType) and any(map(has_rows, type.items))


def with_rows_of(type: Type, other: Type) -> Type | None:
    """One of two types that are the same but for lists in the place of something else; None if they differ else."""
    match type, other:
        case Row(), Row():
            return type.joined(other)
        case (Row(), Unknown()) | (Unknown(), Row()):
            return type if isinstance(type, Row) else other
        case TupleType(items, form), TupleType(others, same) if form == same and len(items) == len(others):
            parts = tuple(map(with_rows_of, items, others))
            return None if None in parts else TupleType(parts, form)  # type: ignore[arg-type]
    return type if type == other else None


@dataclass(frozen=True)
class Length(Type):
    """How long a list is at this place, and how much room it has where that is known."""

    length: Expr
    room: Expr | None = None

    @property
    def is_full(self) -> bool:
        return self.length == self.room


def flat(type: Type) -> bool:
    """Whether a structure has no structures among its elements."""
    return isinstance(type, TupleType) and not any(isinstance(item, TupleType) for item in type.items)


def of_tuples(type: Type) -> bool:
    """Whether a structure has none but tuples among its elements, which nothing changes."""
    inner = [item for item in type.items if isinstance(item, TupleType)] if isinstance(type, TupleType) else []
    named = all(item.items and issubclass(item.form.cls, tuple) and of_tuples(item) for item in inner)
    return isinstance(type, TupleType) and named


def in_outline(type: Type) -> TupleType | None:
    """A structure of which nothing is known but its outline; of an empty list nobody knows the length."""
    if not isinstance(type, TupleType) or not type.items:
        return None
    return TupleType(tuple(in_outline(item) or UNKNOWN for item in type.items), type.form)


def has_tuple_for(known: Type | None, found: Type) -> bool:
    """Whether a structure of tuples is one of which nothing is known, or a known one with more tuples in its places."""
    if not isinstance(known, TupleType):
        return known in (None, UNKNOWN) and isinstance(found, TupleType) and bool(found.items) and of_tuples(found)
    if not isinstance(found, TupleType) or (found.form, len(found.items)) != (known.form, len(known.items)):
        return False
    pairs = [*zip(known.items, found.items)]
    same = all(isinstance(b, TupleType) or not isinstance(a, TupleType) for a, b in pairs)
    return of_tuples(found) and same and any(has_tuple_for(a, b) for a, b in pairs)


def leaves(type: Type | None, name: str) -> list[str]:
    """A name for each part of a structure that is none."""
    if not isinstance(type, TupleType):
        return [name]
    return [each for k, item in enumerate(type.items) for each in leaves(item, f"{hint(name)}_{k}")]


def structure(type: TupleType, parts: Iterator[Expr]) -> Tuple:
    """A structure made of its parts."""
    items = tuple(structure(item, parts) if isinstance(item, TupleType) else next(parts) for item in type.items)
    return Tuple(items, type)


def _is_alike(found: Type, like: TupleType) -> bool:
    """Whether a structure may be an element beside another one: tuples and lists may, dicts of other keys may not."""
    form, known = getattr(found, "form", None), like.form
    if form is None or form == known:
        return True
    first, second = seen_class(form.cls), seen_class(known.cls)
    return {first, second} <= {tuple, list} or first is second and form.keys == known.keys


def parts_like(c: Growing, value: Expr, like: TupleType) -> tuple[Expr, ...] | None:
    """The parts of a structure that are none; None: it is not made like another one."""
    items = c.elements(value)
    if items is None or len(items) != len(like.items) or not _is_alike(c.type_of(value), like):
        return None
    parts: list[Expr] = []
    for item, kind in zip(items, like.items):
        found = c.type_of(item)
        if not isinstance(kind, TupleType):
            inside: tuple[Expr, ...] | None = None if has_tuple_for(kind, found) else (item,)
        else:
            inside = parts_like(c, item, kind) if getattr(found, "form", None) == kind.form else None
        if inside is None:
            return None
        parts += inside
    return tuple(parts)


def sum_of_two(a: Expr, b: Expr) -> Expr:
    """A sum without terms of zero."""
    if a == Const(0) or b == Const(0):
        return b if a == Const(0) else a
    return Call(operator.add, (a, b))


def sum_with(expr: Expr, by: int) -> Expr:
    match expr:
        case Const(value=int() as value):
            return Const(value + by)
        case Call(operator.add, (left, Const(value=int() as right))):
            return left if right + by == 0 else _sum_of(left, right + by)
    return _sum_of(expr, by)


def _sum_of(expr: Expr, by: int) -> Expr:
    return Call(operator.add, (expr, Const(by))) if by > 0 else Call(operator.sub, (expr, Const(-by)))


def computed_before(c: Growing, grown: Grown, value: Expr, others: bool = False) -> Expr:
    """What is put into a list, computed while the list is what it was: `others` may be put there before."""
    if isinstance(value, Tuple) and not is_static(value):
        return replace(value, items=tuple(computed_before(c, grown, item, others) for item in value.items))
    changing = {*grown.buffers, *walk.names(c.length(grown))}
    if not isinstance(value, Call) or not (walk.names(value) & changing if others else _reads_all(grown, value)):
        return value
    name = c.fresh("t")
    c.let(name, value)
    return Var(name)


def taken_apart(c: Growing, grown: Grown, value: Expr) -> Expr:
    """A structure that takes the place of another one, without parts that read what has been stored by then."""
    if not isinstance(value, Tuple):
        return value
    items = list(value.items)
    for k, item in enumerate(items):
        if not isinstance(item, (Var, Const)) and walk.names(item) & {*grown.buffers[:k]}:
            name = c.fresh("t")
            c.let(name, item)
            items[k] = Var(name)
    return replace(value, items=tuple(items))


def _reads_all(grown: Grown, expr: Expr) -> bool:
    """Whether an expression reads all of a list's buffer, which is another one once there is more room."""
    every = [*walk.subexprs(expr)]
    bases = [each.args[0] for each in every if isinstance(each, Call) and each.fn is operator.getitem]
    reads, parts = ([each for each in some if isinstance(each, Var) and each.name in grown.buffers]
                    for some in (every, bases))  # fmt: skip
    return len(reads) > len(parts)


def product_of(a: Expr, b: Expr) -> Expr:
    """The product of two numbers, as far as it is known."""
    match a, b:
        case Const(value=int() as x), Const(value=int() as y):
            return Const(x * y)
        case Const(value=1), _:
            return b
    return Call(operator.mul, (a, b))


def of_numbers(type: Type | None) -> bool:
    """Whether a value is a list of known length whose elements are numbers."""
    return isinstance(type, TupleType) and type.form == LIST and {*type.items} <= {UNKNOWN}
