"""Where it matters whether a value is None that came out of a list that holds None; part of `inline`.

In compiled code a number stands for it, which counts as true and equals nothing, not even itself: to ask for the truth
of such a value, or whether two of them are equal, has no answer. What is computed of values is never None, since Python
has no arithmetic for it.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from srcad.lang import walk
from srcad.lang.forms import is_python
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, If, Let, Move, Slice, Stmt, Store, Tuple, Var, While, and_, element_at, entry,
    merged, or_, select,
)  # fmt: skip
from srcad.lang.lists import list_buffer, list_pop, one_of, traded
from srcad.lang.origin import Origin
from srcad.lang.structure import form_of_class

_ELEMENTS = (operator.getitem, element_at, one_of, list_pop, traded)
_PARTS = (operator.getitem, element_at)
_READ = (operator.getitem, len)
_NONE = "None"  # what is None for sure, as a name
_EQUAL = (operator.eq, operator.ne, operator.is_, operator.is_not, operator.contains)


def doubtful(body: Block, hollow: set[str]) -> Iterator[Origin]:
    """Where statements ask for the truth of what may be None, or whether two such values are equal.

    >>> from srcad.lang.ir import Call, Const, Var
    >>> first = Let("a", Call(operator.getitem, (Var("xs"), Const(0))))
    >>> len([*doubtful((first, If(Var("a"), (), ())), {"xs"})])
    1
    """
    flow = _Flow(body)
    reached = flow.reached(hollow)
    nothing = flow.reached({*hollow, _NONE})
    for stmt in walk.statements(body):
        truths = [stmt.test] if isinstance(stmt, (If, While)) else []
        for expr in (each for whole in walk.stmt_exprs(stmt) for each in walk.subexprs(whole)):
            match expr:
                case Call(operator.not_ | operator.truth, (value,)):
                    truths.append(value)
                case Call(fn, (test, *_)) if fn is select:
                    truths.append(test)
                case Call(fn, args) if fn in (and_, or_):
                    truths += args
                case Call(fn, (a, b)) if fn in _EQUAL:
                    first, second = {*flow.meant(a)}, {*flow.meant(b)}
                    if first & reached and second & nothing or first & nothing and second & reached:
                        yield stmt.origin
        if any({*flow.meant(value)} & reached for value in truths):
            yield stmt.origin


def filled(body: Block, names: set[str]) -> set[str]:
    """The buffers, of those that hold None, in which there may be anything else, or of which another one has elements.

    >>> from srcad.lang.ir import Call, Const, Var
    >>> made, put = Let("xs", Call(list_buffer, (Var("n"),))), Store(Var("xs"), Const(...), Const(None), inside=True)
    >>> filled((made, put, Let("x", Call(operator.getitem, (Var("xs"), Var("i"))))), {"xs"})
    set()
    >>> filled((made, put, Let("ys", Var("xs"))), {"xs"})
    {'xs'}
    """
    mentioned: Counter[str] = Counter()
    for stmt in walk.statements(body):
        put = isinstance(stmt, Store) and isinstance(stmt.base, Var) and stmt.value == Const(None)
        made = isinstance(stmt, Let) and isinstance(stmt.value, Call) and stmt.value.fn is list_buffer
        mentioned.update(() if made else walk.targets(stmt))
        exprs = (stmt.index,) if isinstance(stmt, Store) and put else walk.stmt_exprs(stmt)
        for expr in (part for whole in exprs for part in walk.subexprs(whole)):
            if isinstance(expr, Var):
                mentioned[expr.name] += 1
            elif isinstance(expr, Call) and expr.fn in _READ and not isinstance(expr.args[-1], Slice):
                mentioned.subtract([expr.args[0].name] if isinstance(expr.args[0], Var) else ())
    flow = _Flow(body)
    bases = {name for stmt in walk.statements(body) if isinstance(stmt, Store) for name in walk.names(stmt.base)}
    return {name for name in names if mentioned[name] or (flow.reached({name}) - {name}) & bases}


@dataclass
class _Flow:
    """Which names are given the values of which; ``c[0]`` is one of its own where `c` is given displays."""

    body: Block
    given: list[tuple[str, Expr]] = field(default_factory=list)
    tuples: dict[str, int] = field(default_factory=dict)  # the names that are given displays, and of how many elements

    def __post_init__(self) -> None:
        for stmt in walk.statements(self.body):
            self.given += _given(stmt)
        known = -1
        while len(self.tuples) > known:
            known = len(self.tuples)
            for name, value in self.given:
                size = len(value.items) if isinstance(value, Tuple) else (
                    self.tuples.get(value.name, 0) if isinstance(value, Var) else 0)  # fmt: skip
                if size:
                    self.tuples[name] = max(size, self.tuples.get(name, 0))

    def reached(self, names: set[str]) -> set[str]:
        """The names that values of others may reach, as they are."""
        found, known = set(names), -1
        flows = [(name, {*self.meant(value)}) for name, value in self.given]
        for name, value in self.given:
            for k in range(self.tuples.get(name, 0)):
                flows.append((f"{name}[{k}]", {*self.part(value, k)}))
        while len(found) > known:
            known = len(found)
            found |= {name for name, sources in flows if sources & found}
        return found

    def meant(self, value: Expr) -> Iterator[str]:
        """The names of what a value may be, or has among its elements."""
        match value:
            case Var(name):
                yield name
            case Const(value=None):
                yield _NONE
            case Tuple(items):
                for item in items:
                    yield from self.meant(item)
            case Call(fn, (base, Const(value=int() as k))) if fn in _PARTS:
                yield from self.part(base, k)
            case Call(fn, (base, *_)) if fn in _ELEMENTS:
                yield from self.meant(base)
            case Attr(base):
                yield from self.meant(base)
            case Call(fn, (_, *sides)) if fn is select:
                for side in sides:
                    yield from self.meant(side)
            case Call(fn, args) if fn in (entry, merged, and_, or_) or form_of_class(fn) is not None or is_python(fn):
                for arg in args:
                    yield from self.meant(arg)

    def part(self, value: Expr, k: int) -> Iterator[str]:
        """The same of an element of a value."""
        match value:
            case Tuple(items) if -len(items) <= k < len(items):
                yield from self.meant(items[k])
            case Var(name) if k >= 0 and name in self.tuples:
                yield f"{name}[{k}]"
            case Call(fn, (_, *sides)) if fn is select:
                for side in sides:
                    yield from self.part(side, k)
            case _:
                yield from self.meant(value)


def _given(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    match stmt:
        case Let(target, value):
            yield target, value
        case Move(targets, values):
            yield from zip(targets, values)
        case Store(base, _, value):
            yield from ((name, value) for name in walk.names(base))
