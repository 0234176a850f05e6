"""Comprehensions and generator expressions: the loops that they stand for; part of `desugar`.

Each becomes a nested function without parameters, called where it stands, so that its names are its own and that it is
computed when Python computes it. Over items of known number a list is a tuple. What NumPy is given is an array.
"""

from __future__ import annotations

import copy
import operator
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Union

import gast
import numpy as np

from srcad.lang.forms import Break, LocalFunction, apply, as_keys, fewer, rows_like
from srcad.lang.ir import (
    Call, Const, Effect, Expr, Function, If, Method, Return, Slice, Store, Tuple, Var, and_,
)  # fmt: skip
from srcad.lang.nodes import nodes
from srcad.lang.structure import LIST
from srcad.lang.translate import display
from srcad.lang.types import Form
from srcad.transforms.assign import store
from srcad.transforms.generators import flattened
from srcad.transforms.iterables import Counted, Head, Items, Iterable, Range
from srcad.transforms.loops import bodies, counting, written_out
from srcad.transforms.names import Names, assigned_in

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

Node = Union[gast.GeneratorExp, gast.ListComp, gast.DictComp]
_LONGEST = 64  # of a constant range that is written out


class NotKnown(Exception):
    """The number of items is not known."""


def tuple_of(d: Desugarer, node: Node) -> Expr:
    """The items of a comprehension as a tuple.

    Raises
    ------
    NotKnown
        if their number is not known.
    """
    made = Comprehension(d, node)
    values: list[Expr] = []

    def build() -> None:
        made.each(lambda: values.append(made.inner.temporary(made.inner.sequence(made.node.elt))), known=True)
        made.emit(Return(display(tuple(values), LIST), made.origin))

    return made.called(build)


def list_of(d: Desugarer, node: Node) -> Expr:
    """The items of a comprehension as a list that grows."""
    made = Comprehension(d, node)
    name, inner = made.inner.fresh("values"), made.inner

    def add() -> None:
        made.emit(Effect(Call(Method("append"), (Var(name), inner.expr(made.node.elt))), made.origin))

    return _filled(made, name, LIST, add)


def sequence_of(d: Desugarer, node: Node) -> Expr:
    """The items of a comprehension as a tuple, if their number is known, or as a list that grows."""
    try:
        return tuple_of(d, node)
    except NotKnown:
        return list_of(d, node)


def packed(d: Desugarer, node: Node) -> Expr:
    """The items of a comprehension as a tuple, if their number is known, or as an array."""
    try:
        return tuple_of(d, node)
    except NotKnown:
        return array_of(d, node)


def dict_of(d: Desugarer, node: gast.DictComp) -> Expr:
    """A dict comprehension, whose keys are known when it is inlined."""
    made = Comprehension(d, node)
    return mapping(made, lambda: (made.inner.expr(made.node.key), made.inner.expr(made.node.value)))


def mapping(made: Comprehension, pair: Callable[[], tuple[Expr, Expr]]) -> Expr:
    """A dict with a key and a value for each item; beside an array, known keys are as many as it is long."""
    name = made.inner.fresh("values")

    def add() -> None:
        made.emit(Store(Var(name), *pair(), made.origin))

    return _filled(made, name, Form(dict), add, True)


def _filled(made: Comprehension, name: str, form: Form, add: Callable[[], None], whole: bool = False) -> Expr:
    """What begins empty, and to which each item adds."""

    def build() -> None:
        made.inner.let(name, display((), form))
        made.each(add, whole=whole)
        made.emit(Return(Var(name), made.origin))

    return made.called(build)


def array_of(d: Desugarer, node: Node) -> Expr:
    """The items of a comprehension as an array: one loop over what is counted."""
    made = Comprehension(d, node)
    if len(made.node.generators) > 1:
        return d.refuse(node, "two loops in one list comprehension are not supported", "an array filled in two loops")
    array = made.called(lambda: _fill(made))
    return _called(replace(_template(list_of(d, node)), sampled=_template(array)))


def _called(template: LocalFunction) -> Expr:
    return Call(apply, (Const(template),))


def _template(call: Expr) -> LocalFunction:
    assert isinstance(call, Call) and isinstance(call.args[0], Const)
    return call.args[0].value


class Comprehension:
    """A comprehension and the nested function that it becomes."""

    def __init__(self, d: Desugarer, node: Node):
        self.d, self.origin = d, d.origin
        self.node = _with_names_of_its_own(d, flattened(d, node))
        names = Names(assigned=set().union(*(_targets(g) for g in self.node.generators)))
        self.inner = type(d)(d.source, self.node, d, names)
        self.inner.origin = d.origin

    def emit(self, stmt: Any) -> None:
        self.inner.emit(stmt)

    def called(self, build: Callable[[], None]) -> Expr:
        """A call of the function whose statements `build` emits."""
        body = self.inner.gathered(build)
        function = Function("comprehension", (), body, self.origin)
        return _called(LocalFunction(function, frozenset(self.inner.names.assigned)))

    def each(
        self, action: Callable[[], None], known: bool = False, flag: str | None = None, whole: bool = False
    ) -> None:
        """Do something for each item, until it sets the flag; `known`: only if their number is; `whole`: for as many
        as stand there, whatever is beside them."""
        self._each(self.node.generators, action, known, flag, whole)

    def _each(
        self, generators: list[gast.comprehension], action: Callable[[], None], known: bool, flag: str | None,
        whole: bool,
    ) -> None:  # fmt: skip
        if not generators:
            action()
            return
        first, *rest = generators
        inner = self.inner
        head, over = self.head(first)
        if whole and isinstance(over, Items) and over.ends:
            self.emit(If(over.ends[0 if over.backwards else -1], (fewer(self.origin),), (), self.origin))
            over = Items(over.items)
        if whole and isinstance(over, Counted) and isinstance(over.count, Call) and over.count.fn is min:
            over = replace(over, count=Call(as_keys, over.count.args))
        if known:
            over = _written(over)
        if known and (not isinstance(over, Items) or over.ends or first.ifs):
            raise NotKnown

        def body() -> None:
            inside = inner.gathered(lambda: self._each(rest, action, known, flag, whole))
            inner.out += self.tested(first, inside)

        if isinstance(over, Items):
            parts = bodies(inner, first.target, over, lambda: inner.gathered(body))
            leave = () if flag is None else (If(Var(flag), (Break(self.origin),), (), self.origin),)  # type: ignore[arg-type]
            written_out(inner, [(*part, *leave) for part in parts], (), bool(over.ends or flag), self.origin)
        elif over is not None:
            loop = counting(head, first.target, over, lambda: inner.gathered(body))
            inner.out += [] if loop is None else [replace(loop, flag=flag)]

    def head(self, generator: gast.comprehension) -> tuple[Head, Iterable | None]:
        """What a ``for`` of the comprehension goes over."""
        head = Head.of(self.inner, [generator.target, self.node])
        return head, head.over(generator.iter)

    def tested(self, generator: gast.comprehension, inside: tuple) -> tuple:
        """Statements under the conditions of a ``for``."""
        tests = tuple(self.inner.expr(test) for test in generator.ifs)
        if not tests:
            return inside
        return (If(tests[0] if len(tests) == 1 else Call(and_, tests), inside, (), self.origin),)


def _targets(generator: gast.comprehension) -> set[str]:
    return assigned_in([generator.target])


def _with_names_of_its_own(d: Desugarer, node: Node) -> Node:
    """The comprehension with other names for its items where what it goes over has the same, as in ``x for x in x``."""
    first = node.generators[0].iter
    read = {n.id for n in nodes(first) if isinstance(n, gast.Name)}
    clashes = read & set().union(*(_targets(g) for g in node.generators))
    if not clashes:
        return node
    fresh = {name: d.fresh(name) for name in clashes}
    node = copy.deepcopy(node)
    for inner in nodes(node):
        if isinstance(inner, gast.Name) and inner.id in fresh:
            inner.id = fresh[inner.id]
    node.generators[0].iter = first
    return node


def _written(over: Iterable | None) -> Iterable | None:
    """A short constant range as its numbers."""
    match over:
        case Range(Const(value=start), Const(value=stop), Const(value=step)):
            numbers = range(start, stop, step)
            return Items(tuple(map(Const, numbers))) if len(numbers) <= _LONGEST else over
    return over


# ---------------------------------------------------------------- arrays


def _fill(made: Comprehension) -> None:
    """An array of as many rows as there are items, each set to its item; fewer where there are conditions."""
    inner, (generator,) = made.inner, made.node.generators
    head, over = made.head(generator)
    assert not isinstance(over, Items), "what is written out is no loop"
    counted = head.counted(generator.target, over) if over is not None else None
    if counted is None:
        return
    count, values = counted.count, inner.fresh("values")
    sample = inner.gathered(lambda: _sample(made, counted, count, values))
    inner.out += sample
    place = inner.fresh("k")
    if generator.ifs:
        inner.let(place, Const(0))

    def row() -> None:
        body = inner.gathered(lambda: set_row(Var(place)))
        inner.out += made.tested(generator, body)

    def set_row(index: Expr) -> None:
        made.emit(Store(Var(values), index, _row(made), made.origin))
        if generator.ifs:
            inner.let(place, Call(operator.add, (Var(place), Const(1))))

    if generator.ifs:
        loop = counting(head, generator.target, counted, lambda: inner.gathered(row))
    else:
        positions = Counted(count, lambda i: Tuple((i, counted.item(i))), from_zero=True)
        target = gast.Tuple([gast.Name(place, gast.Store(), None, None), generator.target], gast.Store())
        loop = counting(head, target, positions, lambda: inner.gathered(lambda: set_row(Var(place))))
    inner.out += [] if loop is None else [loop]
    rows: Expr = Var(values)
    if generator.ifs:
        rows = Call(operator.getitem, (rows, Slice(None, Var(place))))
    made.emit(Return(rows, made.origin))


def _sample(made: Comprehension, counted: Counted, count: Expr, values: str) -> None:
    """The array, made for rows like the first: what only that row's type decides is not computed in the end."""
    inner, (generator,) = made.inner, made.node.generators
    store(inner, generator.target, counted.item(Const(0)))
    inner.let(values, Call(rows_like, (count, _row(made))))


def _row(made: Comprehension) -> Expr:
    value = made.inner.sequence(made.node.elt)
    display = isinstance(made.node.elt, (gast.List, gast.Tuple, gast.ListComp))
    return Call(np.array, (value,)) if display else value
