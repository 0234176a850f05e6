"""lasting: the reads of array elements that nothing overwrites any more.

In ``for i in range(n): for k in range(i): s -= L[i, k] * x[k]`` each element is read after it has got its last value.
A reverse sweep reads it from the array as it is in the end, and nothing has to be recorded. Whether a write that is
executed later can meet an element is a question about linear inequalities: between the subscripts of the two, the
bounds of the loops and the branches around them, and the order of iterations.
"""

from __future__ import annotations

import operator
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.buffers import Buffers, is_put_behind, stored_name, view_of
from srcad.analysis.contents import is_element, value_reads
from srcad.analysis.domains import Domains, Path, lengths
from srcad.analysis.inequalities import ONE, Form, added, possible
from srcad.analysis.spans import Span, composed, integer, spans as spans_of
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Expr, For, Function, If, Let, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.types import Array, TupleType, Type

WITHIN, BEHIND, SINCE = "within", "behind", "since"


@dataclass(frozen=True)
class Scope:
    """The writes that are asked about: all that come later, those of one loop, those behind it, before its next
    beginning, or those of one loop that came earlier, since its beginning."""

    loop: For | While | None = None
    when: str = ""


ALWAYS = Scope()


@dataclass
class Access:
    """Elements that a statement reads or writes."""

    root: str
    axes: list[tuple[list[Form], list[Form]]] | None  # of each axis what is zero and what not negative; None: unknown
    path: Path
    order: int  # its place in the text
    domain: list[Form]  # what loops and branches say: what is not negative,
    apart: list[Form]  # and not zero

    @property
    def loops(self) -> list[For | While]:
        return [stmt for stmt, _ in self.path if isinstance(stmt, (For, While))]


def lasting(fn: Function, buffers: Buffers) -> Lasting:
    """What is found in the arrays of a function as they are in the end."""
    found = Lasting(_Facts(fn, buffers))
    for order, (stmt, path) in enumerate(_statements(fn.body, ())):
        found.enter(stmt, path, order)
    return found


@dataclass
class Lasting:
    """What the statements of a function read and write, and what lasts of it."""

    facts: _Facts
    reads: dict[str, list[Access]] = field(default_factory=dict)
    writes: list[Access] = field(default_factory=list)
    stores: dict[str, tuple[str, Call, Access]] = field(default_factory=dict)
    since: dict[str, int] = field(default_factory=dict)  # where names are defined
    dear: dict[str, list[tuple[int, bool]]] = field(default_factory=dict)  # names worth reading back, their blocks
    parts: dict[tuple[str, Expr], tuple[Array, list[tuple[int, bool]]]] = field(default_factory=dict)  # that are read
    answers: dict[Hashable, bool] = field(default_factory=dict)

    def lasts(self, name: str, scope: Scope = ALWAYS) -> bool:
        """Whether nothing overwrites what a name, defined in a loop, reads or views."""
        key = name, scope.when, id(scope.loop)
        if key not in self.answers:
            places = self.reads.get(name, [])
            self.answers[key] = bool(places) and all(self.stays(place, scope) for place in places)
        return self.answers[key]

    def is_view(self, name: str) -> bool:
        return name in self.facts.buffers.views

    def stored(self, name: str) -> tuple[str, Call] | None:
        """The array and its element where a name is stored for good, if it is worth being read back.

        Of an array it is a copy of the part where it is stored, if nothing writes to the array itself.
        """
        if name not in self.stores:
            return None
        root, element, place = self.stores[name]
        if ("stored", name) not in self.answers:
            changed = element.fn is np.copy and any(
                self.facts.buffers.may_share(name, write.root) for write in self.writes
            )
            self.answers["stored", name] = not changed and self.stays(place, ALWAYS)
        return (root, element) if self.answers["stored", name] else None

    def stays(self, place: Access, scope: Scope) -> bool:
        inside = scope.loop is None or any(loop is scope.loop for loop in place.loops)
        return inside and not any(self.facts.meet(place, write, scope) for write in self.writes)

    def enter(self, stmt: Stmt, path: Path, order: int) -> None:
        facts, name = self.facts, stored_name(stmt)
        if name is not None and not is_put_behind(stmt):
            self.writes.append(facts.access(name, _index(stmt), path, order, "w"))
        self.since |= dict.fromkeys(walk.targets(stmt), order)
        if not any(isinstance(around, (For, While)) for around, _ in path):
            return
        block = [(id(around), first) for around, first in path]
        match stmt:
            case Let(target, value):
                if isinstance(value, Call) and value.fn not in _CHEAP:
                    self.dear[target] = block
                places = [(target, None)] if target in facts.buffers.views else _reads(value)
                if isinstance(value, Call) and value.fn is operator.getitem and isinstance(value.type, Array):
                    if isinstance(value.args[0], Var):
                        self.parts[value.args[0].name, value.args[1]] = value.type, block
                if places:
                    self.reads[target] = [facts.access(base, index, path, order, "r") for base, index in places]
            case Store(Var(base), index, Var(value) as number) if self.dear.get(value) == block:
                element = facts.element(base, index, number.type) or self.part(base, index, number, block)
                if element is not None and all(self.precedes(n, value) for n in walk.names(element[1])):
                    self.stores[value] = *element, facts.access(base, index, path, order, "r")

    def part(self, base: str, index: Expr, value: Var, block: list[tuple[int, bool]]) -> tuple[str, Call] | None:
        """A copy of the part of an array where another one is stored, if it was read before and has the same shape."""
        kind, within = self.parts.get((base, index), (None, None))
        array, buffers = self.facts.buffers.types.get(base), self.facts.buffers
        if kind is None or within != block or value.name in buffers.views or base in buffers.views:
            return None
        if not isinstance(value.type, Array) or not isinstance(array, Array) or value.type.shape != kind.shape:
            return None
        if not value.type.dtype == kind.dtype == array.dtype:
            return None
        view = Call(operator.getitem, (Var(base, array), index), (), kind)
        return base, Call(np.copy, (view,), (), value.type)

    def precedes(self, name: str, other: str) -> bool:
        return name not in self.facts.moved and self.since.get(name, -1) < self.since[other]


def _statements(block: Block, path: Path) -> Iterator[tuple[Stmt, Path]]:
    for stmt in block:
        yield stmt, path
        for k, inner in enumerate(walk.blocks(stmt)):
            yield from _statements(inner, (*path, (stmt, k == 0)))


def _index(stmt: Stmt) -> Expr | None:
    """The subscripts of what a statement writes; None for the whole array."""
    match stmt:
        case Store(_, index):
            return index
        case _ if isinstance(target := getattr(stmt, "target", None), Call):
            return target.args[1]
    return None


def _reads(value: Expr) -> list[tuple[str, Expr | None]]:
    if is_element(value):
        assert isinstance(value, Call) and isinstance(value.args[0], Var)
        return [(value.args[0].name, value.args[1])]
    return [(name, None) for name in sorted(value_reads(value)) if not name.endswith("~bar")]


class _Facts:
    """What is known of the names of a function."""

    def __init__(self, fn: Function, buffers: Buffers) -> None:
        self.buffers, self.domains = buffers, Domains(fn)
        self.moved = self.domains.moved

    # ------------------------------------------------------------ accesses

    def access(self, name: str, index: Expr | None, path: Path, order: int, side: str) -> Access:
        root, spans = self.place(name, index)
        keys, domain, apart = self.domains.of(path, side)
        axes = None if spans is None else [self.axis(k, span, keys, domain, side) for k, span in enumerate(spans)]
        return Access(root, axes, path, order, domain, apart)

    def place(self, name: str, index: Expr | None) -> tuple[str, list[Span] | None]:
        """The array that owns the elements, and where they are in it."""
        kind = self.buffers.types.get(name)
        spans = spans_of(index, kind.ndim) if isinstance(kind, Array) else None
        while name in self.buffers.views:
            view = self.buffers.views[name]
            base = view_of(view)
            kind = self.buffers.types.get(base.name) if isinstance(base, Var) else None
            if not isinstance(base, Var) or not isinstance(kind, Array):
                return name, None
            if isinstance(view, Call):
                spans = None if spans is None else _of_base(view, kind.ndim, spans)
            name = base.name
        return name, None if name in self.moved else spans

    def element(self, base: str, index: Expr, kind: Type) -> tuple[str, Call] | None:
        """An element of a view as one of the array that owns it, of the same dtype as what is stored there."""
        root, spans = self.place(base, index)
        array = self.buffers.types.get(root)
        if spans is None or not isinstance(array, Array) or getattr(kind, "dtype", "") != array.dtype:
            return None
        items = tuple(part for span in spans for part in span.low if span.one)
        if len(items) != array.ndim or not all(len(span.low) == 1 for span in spans):
            return None
        subscript = items[0] if len(items) == 1 else Tuple(items, TupleType(tuple(e.type for e in items)))
        return root, Call(operator.getitem, (Var(root, array), subscript), (), kind)

    def axis(
        self, number: int, span: Span, keys: dict[str, Hashable], domain: list[Form], side: str
    ) -> tuple[list[Form], list[Form]]:
        """What is known of the number of an element along an axis."""
        element: Form = {("element", number): 1}
        if not span.known:
            return [], [element]
        low = self.domains.total(span.low, keys, domain, side)
        high = None if span.high is None else self.domains.total(span.high, keys, domain, side)
        if span.one:
            return ([] if low is None else [added(element, low, -1)]), []
        least = [element, *([] if low is None else [added(element, low, -1)])]
        return [], [*least, *([] if high is None else [added(added(high, element, -1), {ONE: -1})])]

    # ------------------------------------------------------------ reads and writes

    def meet(self, read: Access, write: Access, scope: Scope) -> bool:
        """Whether a write that is executed after a read may write what was read."""
        if not self.buffers.may_share(read.root, write.root):
            return False
        cases = list(_later(read, write, scope))
        if not cases or read.root != write.root or read.axes is None or write.axes is None:
            return bool(cases)
        axes = [*read.axes, *write.axes]
        same = [zero for zeros, _ in axes for zero in zeros]
        facts = [*read.domain, *write.domain, *(form for _, least in axes for form in least)]
        facts += [length for form in same for length in lengths(form)]
        apart = [*read.apart, *write.apart]
        same += self.domains.constants([*same, *facts, *apart], scope.loop, scope.when == BEHIND)
        return any(possible([*same, *zeros], [*facts, *least], apart) for zeros, least in cases)


def _later(read: Access, write: Access, scope: Scope) -> Iterator[tuple[list[Form], list[Form]]]:
    """The ways in which a write is executed after a read: in a later iteration of a common loop, or further down.

    Of one that came earlier: in an earlier iteration, or further up.
    """
    within = scope.loop is not None and any(loop is scope.loop for loop in write.loops)
    if scope.loop is not None and within == (scope.when == BEHIND):
        return
    towards = 1 if scope.when == SINCE else -1
    zeros: list[Form] = []
    inside = scope.loop is None
    for a, b in zip(read.loops, write.loops):
        if a is not b:
            break
        inside = inside or a is scope.loop
        apart: Form = {(id(a), "w"): 1, (id(a), "r"): -1}
        step = integer(a.step) if isinstance(a, For) else None
        if inside and step is None:
            yield [*zeros], []
        if inside and step is not None:
            turns: Form = {("turns", 0): 1}  # iterations between the two
            yield [*zeros, added(apart, turns, towards * step)], [added(turns, {ONE: -1})]
        if isinstance(a, For):
            zeros.append(apart)
    sides = {id(stmt): first for stmt, first in read.path if isinstance(stmt, If)}
    excluded = any(sides.get(id(stmt), first) != first for stmt, first in write.path)
    if (write.order < read.order if scope.when == SINCE else write.order > read.order) and not excluded:
        yield zeros, []


# ---------------------------------------------------------------- expressions

def _of_base(view: Call, rank: int, spans: list[Span]) -> list[Span] | None:
    """Elements of a view as elements of the array that it is a view of."""
    match view:
        case Call(operator.getitem, (_, index)):
            outer = spans_of(index, rank)
            return None if outer is None else composed(outer, spans)
        case Call(np.transpose, (_,), ()):
            return spans[::-1]
    return None


_CHEAP = (operator.add, operator.sub, operator.mul, operator.neg, operator.pos, operator.getitem)
