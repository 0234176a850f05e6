"""Objects of which a test decides: what stands for one or another of them; part of `inline`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from srcad.lang.ir import Call, Const, Expr, Let, Stmt, Tuple, Var, select
from srcad.transforms import identities
from srcad.transforms.values import Choice, Object, Perhaps, chosen

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.maybe import Maybe


def objects_in(c: Callees, value: Expr) -> Iterator[Object]:
    """The objects in what a loop carries."""
    match value:
        case Tuple(items):
            for item in items:
                yield from objects_in(c, item)
        case Const(value=Perhaps(_, then)):
            yield from objects_in(c, then)
        case Const(value=Object(_, fields) as made):
            yield made
            for var in fields.values():
                yield from objects_in(c, c.static.get(var.name, var))


def is_simple(c: Callees, objects: Iterable[Object]) -> bool:
    """Whether these objects have numbers and the same attributes, which are numbers and arrays."""
    made = list(objects)
    alike = all(identities.is_told(c, each) and each.fields.keys() == made[0].fields.keys() for each in made)
    return alike and all(identities.has_simple_parts(c, each) for each in made)


def one_of(c: Callees, value: Expr) -> Expr:
    """A copy of one object or another, as a test decides."""
    found = chosen(value) or []
    if len(found) < 2:
        return value
    made = Object(found[0].cls, copied=True)
    for name in found[0].fields:
        made.fields[name] = Var(c.fresh(name))
        c.let(made.fields[name].name, _selected(value, lambda each: each.fields[name]))  # noqa: B023
    number = _selected(value, lambda each: c.tags[id(each)])
    identities.enter(c, made, number, frozenset().union(*(c.known[id(each)] for each in found)))
    return Const(made)


def _selected(value: Expr, part: Callable[[Object], Expr]) -> Expr:
    """A part of what a test decides; an inner test may be there where the outer one is true only."""
    match value:
        case Const(value=Choice(test, then, orelse)):
            return Call(select, (test, _selected(then, part), _selected(orelse, part)))
    return part(value.value)  # type: ignore[union-attr, arg-type]


def merged(c: Maybe, one: Expr, other: Expr, ends: tuple[list[Stmt], list[Stmt]], plain: Any) -> Expr | None:
    """What stands behind two branches for an object that is one in one of them and another one in the other."""
    found = [chosen(each) for each in (one, other)]
    if one == other or found[0] is None or found[1] is None or len(found[0]) + len(found[1]) > 2:
        return None
    (first,), (second,) = found  # type: ignore[misc]
    if first.cls is not second.cls or not is_simple(c, (first, second)):
        return None
    made = Object(first.cls, copied=True)
    for name, var in first.fields.items():
        made.fields[name] = _joined(c, name, (var, second.fields[name]), ends, plain)
    c.tags[id(made)] = _joined(c, "number", (c.tags[id(first)], c.tags[id(second)]), ends, plain)
    c.holders[id(made)] = made, c.out
    c.known[id(made)] = c.known[id(first)] | c.known[id(second)]
    return Const(made)


def _joined(c: Maybe, name: str, values: tuple[Var, Var], ends: tuple[list[Stmt], list[Stmt]], plain: Any) -> Var:
    target = Var(c.fresh(name))
    for value, end, known in zip(values, ends, plain):
        end.append(Let(target.name, value, c.origin))
        if value.name in known:
            known.add(target.name)
    c.fields.add(target.name)
    c.valued.add(target.name)
    c.bound.add(target.name)
    return target
