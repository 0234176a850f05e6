"""What arrays are taken from: a view as a pattern with gaps, and the numbers in them; part of `places`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import view_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Let, Move, Slice, Stmt, Tuple, Var, While
from srcad.lang.types import INT, UNKNOWN, Array, Scalar
from srcad.transforms.infer import typed
from srcad.typing.tuples import pack

Numbers = tuple[Expr, ...]
Path = tuple[int, ...]  # the statements around a statement


@dataclass(frozen=True)
class Pattern:
    """A view with gaps in its subscripts, which are named ``#0``, ``#1``, ... in their order."""

    expr: Expr
    gaps: int

    def same(self, other: Pattern) -> bool:
        """Whether two patterns give the same views for the same numbers."""
        return _untyped(self.expr) == _untyped(other.expr)

    def taken(self, numbers: Numbers, emit: Callable[[Expr], Var]) -> Var:
        """The view for these numbers; what it is a view of is emitted before it."""
        given = {f"#{k}": number for k, number in enumerate(numbers)}
        return _emitted(walk.substitute(self.expr, given), emit)


def _emitted(expr: Expr, emit: Callable[[Expr], Var]) -> Var:
    if isinstance(expr, Var):
        return expr
    assert isinstance(expr, Call)
    return emit(typed(replace(expr, args=(_emitted(expr.args[0], emit), *expr.args[1:]))))


def _untyped(expr: Expr) -> Expr:
    return walk.map_expr(lambda e: e if isinstance(e, Slice) else replace(e, type=UNKNOWN), expr)


MOST = 4  # arrays that a name may stand for by turns


@dataclass
class Turn:
    """A view of a joined name that gives back, sooner or later, what it was taken from: a transpose, a reversal."""

    base: str
    view: Call
    becomes: dict[int, int] = field(default_factory=dict)  # number of an array -> number of its view

    def follow(self, numbers: set[int], patterns: list[Pattern]) -> bool:
        """Find the views of the arrays of these numbers, which join the others; False if there are too many."""
        for k in numbers - self.becomes.keys():
            view = Pattern(_turned(self.view, patterns[k].expr), 0)
            if patterns[k].gaps:
                return False
            if not any(view.same(known) for known in patterns):
                patterns.append(view)
            self.becomes[k] = next(n for n, known in enumerate(patterns) if view.same(known))
        return len(patterns) <= MOST


def _turned(view: Call, base: Expr) -> Expr:
    """A transpose or reversal of an array; that of a transpose or reversal is the array."""
    if isinstance(base, Call) and (base.fn, base.args[1:]) == (view.fn, view.args[1:]):
        return base.args[0]
    return replace(view, args=(base, *view.args[1:]))


@dataclass
class Sources:
    """Where names are assigned and joined in a function, and what views they are."""

    definitions: dict[str, Expr] = field(default_factory=dict)
    homes: dict[str, Path] = field(default_factory=dict)  # name -> the statements around its definition
    joins: dict[str, Stmt] = field(default_factory=dict)  # joined name -> the branch or loop that joins it
    given: dict[str, list[Expr]] = field(default_factory=dict)  # joined name -> the values that are moved to it
    lasting: set[str] = field(default_factory=set)  # joined names that have memory of their own

    @staticmethod
    def of(fn: Function, lasting: set[str]) -> Sources:
        found = Sources(lasting=lasting)
        for param in fn.params:
            found.homes[param.name] = ()
        found.block(fn.body, ())
        return found

    def block(self, block: Block, path: Path) -> None:
        for stmt in block:
            match stmt:
                case Let(target, value):
                    self.definitions[target] = value
                    self.homes[target] = path
                case Move(targets, values):
                    for target, value in zip(targets, values):
                        self.given.setdefault(target, []).append(value)
                case If() | For() | While():
                    for name in joined(stmt):
                        self.joins[name] = stmt
                        self.homes[name] = path
            for number, inner in enumerate(walk.blocks(stmt)):
                self.block(inner, (*path, id(stmt) + number))

    def lasts(self, name: str, group: set[str]) -> bool:
        """Whether a name has one array wherever the names of a group are joined."""
        home = self.homes.get(name)
        if home is None or name in self.given and name not in self.lasting:
            return False
        return all(self.homes[each][: len(home)] == home for each in group)

    def of_value(self, value: Expr, group: set[str]) -> tuple[Pattern, Numbers] | None:
        """The pattern of an array, and the numbers in its gaps; None: not to be taken anew where the group is read."""
        found = self.view(value, group, 0)
        return None if found is None else (Pattern(found[0], len(found[1])), found[1])

    def turn(self, value: Var, group: set[str]) -> Turn | None:
        """A transpose or a reversal of a name of a group."""
        match self.definitions.get(value.name):
            case Call(np.transpose, (Var(base),), ()) as view if base in group:
                return Turn(base, view)
            case Call(operator.getitem, (Var(base), Slice(None, None, Const(-1))), ()) as view if base in group:
                return Turn(base, view)
        return None

    def view(self, value: Expr, group: set[str], first: int) -> tuple[Expr, Numbers] | None:
        if not isinstance(value, Var):
            return None
        lasting = self.lasts(value.name, group)
        view = self.definitions.get(value.name)
        view = _anywhere(view) if isinstance(view, Call) and not lasting else view
        if isinstance(view, Call) and view_of(view) is view.args[0]:
            subscript = view.fn is operator.getitem
            names = [name for arg in view.args[1:] for name in walk.names(arg)]
            if subscript or not lasting and all(self.lasts(name, group) for name in names):
                base = self.base(view.args[0], group, first)
                if base is not None:
                    count = first + len(base[1])
                    rest, numbers = _with_gaps(view.args[1], count) if subscript else (None, ())
                    if numbers or not lasting:
                        args = (base[0], rest) if rest is not None else (base[0], *view.args[1:])
                        return replace(view, args=args), (*base[1], *numbers)
        return (value, ()) if lasting else None

    def base(self, value: Expr, group: set[str], first: int) -> tuple[Expr, Numbers] | None:
        """What a view is a view of: a name that lasts is good as it is."""
        if isinstance(value, Var) and self.lasts(value.name, group):
            return value, ()
        return self.view(value, group, first)


def joined(stmt: Stmt) -> Iterator[str]:
    """The names that a branch or a loop joins."""
    ends = [block[-1] for block in walk.blocks(stmt) if block and isinstance(block[-1], Move)]
    yield from dict.fromkeys(name for end in ends for name in end.targets)


def _anywhere(view: Call) -> Call | None:
    """The same view, in a form that can be taken where another path has been taken; None: it might raise there."""
    base = view.args[0]
    if view.fn is np.reshape:
        vector = isinstance(view.type, Array) and view.type.ndim == 1
        return replace(view, args=(base, Const(-1, INT)), kwargs=()) if vector else None
    match view:
        case Call(np.squeeze, (_,), (("axis", Const(value=int() as axis)),)) if isinstance(kind := base.type, Array):
            items: list[Expr] = [Slice(None, None, None)] * kind.ndim
            items[axis] = Const(0, INT)
            return typed(Call(operator.getitem, (base, pack(tuple(items)))))  # type: ignore[return-value]
    return view


def _with_gaps(index: Expr, first: int) -> tuple[Expr, Numbers]:
    """A subscript with a gap for each number in it, and for each bound of a slice that is no constant."""
    numbers: list[Expr] = []

    def gap(expr: Expr) -> Expr:
        numbers.append(expr)
        return Var(f"#{first + len(numbers) - 1}", INT)

    def part(item: Expr) -> Expr:
        if isinstance(item, Slice):
            bounds = (item.lower, item.upper, item.step)
            return Slice(*(gap(e) if e is not None and walk.names(e) else e for e in bounds))
        return gap(item) if isinstance(item.type, Scalar) else item

    if isinstance(index, Tuple):
        return replace(index, items=tuple(map(part, index.items))), tuple(numbers)
    return part(index), tuple(numbers)
