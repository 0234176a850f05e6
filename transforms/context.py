"""What the passes of reverse mode share: the facts about one function, and the pieces that they hand on; part of
`derive`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.analysis.activity import Activity, carried
from srcad.analysis.buffers import Buffers, views_of
from srcad.analysis.dimensions import Dimensions
from srcad.analysis.lasting import Lasting
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Stmt, Var, hint
from srcad.lang.types import Array, Scalar, Type
from srcad.transforms.decisions import Decisions


@dataclass
class Context:
    """What the reverse sweep of one function knows: facts, and the names it has made up."""

    types: dict[str, Type]
    buffers: Buffers
    activity: Activity
    sums: dict[str, str]  # partial sum -> the total whose cotangent it shares
    lasting: Lasting  # what is found in arrays as they are in the end
    fresh: Callable[[str], str]
    dimensions: Dimensions = field(default_factory=Dimensions)
    parts: dict[tuple[str, tuple[int, ...]], str] = field(default_factory=dict)  # of tuples from recursive functions
    customs: dict[str, tuple[str, ...]] = field(default_factory=dict)  # results of one call with a custom gradient
    aliased: set[str] = field(default_factory=set)  # views whose cotangent is a view of the base's cotangent
    quiet: set[str] = field(default_factory=set)  # views that are as good as copies
    laid: set[str] = field(default_factory=set)  # arrays whose cotangents must lie in memory as they do
    lengths: set[str] = field(default_factory=set)  # integers that are the length of an array
    guarded: frozenset[str] = frozenset()  # names whose derivative may be infinite where their cotangent is zero
    weighed: frozenset[str] = frozenset()  # roots whose cotangent is zero only where a seed or a weight is
    held: frozenset[str] = frozenset()  # names whose derivative may be infinite where their operand's tangent is zero
    multiples: dict[str, tuple[tuple[Expr, ...], bool]] = field(default_factory=dict)  # see `weights`
    halves: dict[str, tuple[Expr, bool]] = field(default_factory=dict)  # arrays that one branch binds: on which test
    uniform: set[str] = field(default_factory=set)  # arrays whose cotangent is one number
    mentions: dict[int, tuple[Stmt, frozenset[str]]] = field(default_factory=dict)
    returned: set[str] = field(default_factory=set)  # cotangents that the caller gets: theirs alone
    fusable: dict[int, Fusable] = field(default_factory=dict)  # reverse loops that may join their forward loop, by id
    plans: dict[str, Call] = field(default_factory=dict)  # lengths of segments, and what they are computed from
    replanned: set[str] = field(default_factory=set)  # those that are computed anew, with what a state takes
    narrowing: bool = False  # whether numbers that take part in single precision are told so
    decisions: Decisions = field(default_factory=Decisions)  # notes, for `srcad.explain`

    _view_bars: dict[str, set[str]] | None = None
    _views_of_bars: dict[str, set[str]] | None = None

    def active(self, expr: Expr) -> bool:
        return any(v.name in self.activity for v in carried(expr))

    def lasts(self, view: str) -> bool:
        """Whether nothing overwrites the elements of a view any more."""
        name = self.buffers.firsts.get(view, view)
        return self.lasting.is_view(name) and self.lasting.lasts(name)

    def bar(self, name: str) -> Var:
        """The cotangent of a name."""
        name = self.sums.get(name, name)
        return Var(f"{name}~bar", strong(self.types[name]))

    def view_bars(self) -> dict[str, set[str]]:
        """The cotangents that are views, each with those that it is a view of."""
        if self._view_bars is None:
            self._view_bars = {}
            for name in sorted(self.aliased):
                bases = [base for base in views_of(self.buffers.views[name]) if isinstance(base, Var)]
                self._view_bars[self.bar(name).name] = {self.bar(base.name).name for base in bases}
        return self._view_bars

    def views_of_bars(self) -> dict[str, set[str]]:
        """The cotangents of which others are views, each with those."""
        if self._views_of_bars is None:
            self._views_of_bars = {}
            for view, bases in self.view_bars().items():
                for base in bases:
                    self._views_of_bars.setdefault(base, set()).add(view)
        return self._views_of_bars

    def mentioned(self, stmt: Stmt) -> frozenset[str]:
        """The names that a statement, or one inside it, reads or assigns."""
        if id(stmt) not in self.mentions:
            self.mentions[id(stmt)] = (stmt, frozenset(walk.mentioned((stmt,))))
        return self.mentions[id(stmt)][1]

    def again(self, name: str) -> str:
        """A second name for a value, for use in the reverse sweep."""
        new = self.fresh(hint(name))
        self.buffers.firsts[new] = self.buffers.firsts.get(name, name)
        self.types[new] = self.types[name]
        if name in self.buffers.parts:
            self.buffers.parts[new] = self.buffers.parts[name]
        kind = self.types[name]
        if isinstance(kind, Array):
            self.buffers.sites[new] = frozenset((new,))
            self.buffers.types[new] = kind
        return new


@dataclass(frozen=True)
class Fusable:
    """A reverse loop that may join its forward loop, the body they then have, and the two loops if they do not join."""

    back: Stmt
    loop: Stmt
    whole: Block
    otherwise: tuple[list[Stmt], list[Stmt]] | None


@dataclass(frozen=True)
class Sweeps:
    """The two sweeps of a block."""

    forward: Block
    reverse: Block


@dataclass(frozen=True)
class Counters:
    """Carried integers by their names in the reverse loop, and how an iteration counts on."""

    names: dict[str, str]
    code: Block


@dataclass
class Iteration:
    """A settled iteration of the reverse loop: what to record, and the code that replays and reverses."""

    code: Block
    whole: Block  # an iteration forward and then in reverse, for a loop that does both at once
    outer: set[str]  # the cotangents from outside that it assigns
    carried: dict[str, str]  # carried name -> its name in the reverse iteration
    elements: dict[str, str]  # name recorded where it is computed -> its name in the reverse iteration
    arrays: dict[str, str]  # array recorded whole -> its name in the reverse iteration
    before: list[Stmt]  # copies made before the loop
    behind: list[Stmt]  # copies made after the loop
    settled: dict[str, Type]  # the types that an iteration leaves the carried names with
    otherwise: Iteration | None = None  # what to do where the loop cannot join its reverse
    counters: Counters | None = None  # carried integers that the reverse loop counts again, in the loop's own order
    advance: Block = ()  # of segments: an iteration without its reverse, and the `upcoming` values of carried names

    @property
    def records(self) -> bool:
        return bool(self.carried or self.elements or self.arrays)


def strong(type: Type) -> Type:
    return replace(type, weak=False) if isinstance(type, Scalar) and type.weak else type


def upcoming(name: str) -> str:
    """What a carried name holds in the next iteration."""
    return f"{name}~next"


def is_bar(name: str) -> bool:
    return name.endswith("~bar")


def reads_of(block: Block) -> set[str]:
    """All names that the expressions of a block read."""
    found = {n for stmt in walk.statements(block) for e in walk.stmt_exprs(stmt) for n in walk.names(e)}
    return found | {stmt.flag for stmt in walk.statements(block) if isinstance(stmt, For) and stmt.flag}
