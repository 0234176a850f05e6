"""Objects of the user's that loops go over, whose class has a method `__iter__`; part of `desugar` and of `inline`.

The method is called once, before the loop, as Python does. What it returns the iterator of takes the object's place.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang import walk
from srcad.lang.forms import REFUSED, is_python, star
from srcad.lang.ir import Call, Const, Expr, For, Var
from srcad.lang.lists import count_of, element_of
from srcad.lang.nodes import nodes
from srcad.transforms import special_methods
from srcad.transforms.objects import called
from srcad.transforms.values import Choice, Object, lookup

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.iterations import Iterations


def without_iterators(tree: gast.AST) -> gast.AST:
    """A method `__iter__` that returns ``iter(values)`` as one that returns the values.

    >>> tree = gast.parse("def __iter__(self):\\n return iter([self.a, self.b])").body[0]
    >>> print(gast.unparse(without_iterators(tree)))
    <BLANKLINE>
    def __iter__(self):
        return [self.a, self.b]
    """
    if getattr(tree, "name", "") != "__iter__":
        return tree
    tree = copy.deepcopy(tree)
    for node in nodes(tree):
        match node:
            case gast.Return(value=gast.Call(func=gast.Name(id="iter"), args=[values], keywords=[])):
                node.value = values
    return tree


def is_iterable(value: Expr) -> bool:
    """Whether a value is an object whose class has a method `__iter__` of the user's."""
    made = value.value if isinstance(value, Const) else None
    if not isinstance(made, Object) or str(made.cls.__module__).startswith("srcad."):
        return False
    found = lookup(made.cls.__mro__, "__iter__")
    return found is not None and is_python(found[0])


def refused(c: Callees, value: Expr) -> Expr:
    """Refuse an object in a place where a list of its items would do."""
    if of_method(c, value) is REFUSED:
        return REFUSED
    name = called(value.value.cls)  # type: ignore[union-attr]
    return c.refuse(f"going over an object of {name} is not supported here", "items = list(...) of it before", name)


def asked(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """What an object's method gives: all behind a star, for ``a, b = object`` an item."""
    if not is_iterable(args[0]):
        return None
    if fn is element_of and not isinstance(args[1], Const):
        return refused(c, args[0])
    values = of_method(c, args[0])
    if fn is star and values is not REFUSED:
        return Call(star, (values,))
    return values if values is REFUSED else c.of_structure(fn, (values, *args[1:]), ()) or c.invoke(fn, (values,), ())


def counted(c: Callees, value: Expr) -> Expr:
    """How many items iterating over a value gives."""
    if isinstance(value, Const) and isinstance(value.value, Choice):
        return c.either(value.value, lambda each: counted(c, each))
    values = of_method(c, value) if is_iterable(value) else special_methods.iterated(c, value)  # type: ignore[arg-type]
    return values if values is REFUSED else c.applied(len, (value if values is None else values,), ())


def of_method(c: Callees, value: Expr) -> Expr:
    """All that the method of an object gives; an iterator of the user's gives its items one by one, and is refused."""
    found = lookup(value.value.cls.__mro__, "__iter__")  # type: ignore[union-attr]
    assert found is not None
    given = c.invoke(found[0], (value,), ())
    made = given.value if isinstance(given, Const) else None
    if isinstance(made, Object) and lookup(made.cls.__mro__, "__next__") is not None:
        name = called(made.cls)
        return c.refuse(f"going over {name}, an iterator with a state and a method __next__, is not supported",
                        "a generator function, or a list of its items", "in ")  # fmt: skip
    return given


def iterated(c: Callees, value: Expr) -> Expr | None:
    """What a loop over an object goes over; None: its class does not say by a method."""
    if not is_iterable(value):
        return None
    cls = value.value.cls  # type: ignore[union-attr]
    found = lookup(cls.__mro__, "__iter__") or (None,)
    if c.template(found[0]).once:
        name = called(cls)
        return c.refuse(f"a loop over {name}, whose __iter__ is a generator, is not supported",
                        f"a method __iter__ of {name} that returns iter(...) of a list", "in ")  # fmt: skip
    return of_method(c, value)


def loop(c: Iterations, stmt: For) -> None:
    """A loop; one over an object goes over what its method gives."""
    stmt, names = opened(c, stmt)
    before, emitted = state_of(c, names), len(c.out)
    c.loop_over(stmt)
    if names:
        c.origin = stmt.origin
        check(c, names, before, emitted)


def opened(c: Iterations, stmt: For) -> tuple[For, list[str]]:
    """A loop over objects as one over what their methods give, and the names that this has."""
    names: list[str] = []
    for name in dict.fromkeys(_objects(stmt)):
        meaning = c.frame.meaning(name)
        held = c.static.get(meaning.name) if isinstance(meaning, Var) else meaning
        values = None if held is None else iterated(c, held)
        if values is None:
            continue
        new = c.fresh("t")
        values = c.named(values, "items") if values is not REFUSED else values
        c.frame.table[new] = values
        names += [values.name] if isinstance(values, Var) else []
        stmt = _exchanged(stmt, name, new)
    return stmt, names


def _objects(stmt: For) -> Iterator[str]:
    """The names of what a loop counts the items of, which may be objects."""
    for each in walk.subexprs(stmt.stop):
        match each:
            case Call(fn, (Var(name),)) if fn is count_of:
                yield name


def _exchanged(loop: For, name: str, new: str) -> For:
    """A loop with the items in the place of the object."""
    def counted(each: Expr) -> Expr:
        return Call(len, (Var(new),)) if each == Call(count_of, (Var(name),)) else each

    def taken(each: Expr) -> Expr:
        match each:
            case Call(fn, (Var(base), at)) if fn is element_of and base == name and loop.index in walk.names(at):
                return replace(each, args=(Var(new), at))
        return each

    body = tuple(walk.map_stmt(lambda expr: walk.map_expr(taken, expr), stmt) for stmt in loop.body)
    return replace(loop, stop=walk.map_expr(counted, loop.stop), body=body)


def state_of(c: Any, names: list[str]) -> Any:
    """What is known of the lists that a loop goes over."""
    lists = [c.types.get(name) for name in names]
    return lists, [c.static.get(name) for name in names], [getattr(each, "key", "") in c.resized for each in lists]


def check(c: Any, names: list[str], before: Any, emitted: int) -> None:
    """Refuse a loop over an object in which its items become others: Python would go on with these."""
    if state_of(c, names) != before or walk.assigned(tuple(c.out[emitted:])) & set(names):
        c.refuse("a loop over an object that changes what its __iter__ gives is not supported",
                 "a loop over a copy: list(...)", "in ")  # fmt: skip
