"""What the iterations of a loop have in common, and what each of them has for itself.

A loop over points computes with parameters that are the same for all of them. Names, and loops inside, that do not
depend on the point are *uniform*; names that do are *varying*.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field

from srcad.analysis.affine import linear
from srcad.analysis.domains import Domains
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Param, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.types import INT, Array


@dataclass
class Uniformity:
    """Of the loop `loop`: the `varying` names, and by id the loops inside that each iteration runs `alone`.

    `own` are the names that an iteration assigns. A loop runs alone if its bounds vary, if it may be left early, or if
    it goes through memory as it lies where many iterations side by side would not; arrays of rows that loops read
    several times are worth a copy in another order (`rows`).
    """

    loop: For
    own: set[str]
    written: set[str]  # the arrays that it writes elements of
    sums: frozenset[str] = frozenset()  # what iterations add to, and do nothing else with
    steps: frozenset[int] = frozenset()  # by id, loops inside of which each iteration needs the one before
    by_columns: frozenset[str] = frozenset()  # matrices whose columns will lie in memory as their rows do now
    around: tuple[For, ...] = ()  # the loops around the loop
    varying: set[str] = field(default_factory=set)
    alone: set[int] = field(default_factory=set)

    @staticmethod
    def of(
        loop: For, sums: frozenset[str] = frozenset(), steps: frozenset[int] = frozenset(),
        by_columns: frozenset[str] = frozenset(), around: tuple[For, ...] = (),
    ) -> Uniformity:  # fmt: skip
        """What is known of a loop whose iterations add to `sums`, and in which some loops inside go in `steps`.

        >>> from srcad.lang.ir import Const
        >>> from srcad.lang.types import FLOAT, INT
        >>> i, x = Var("i", INT), Var("x", Array("float64", ("n",), "C"))
        >>> element = Call(operator.getitem, (x, i), (), FLOAT)
        >>> body = (Let("a", Var("p", FLOAT)), Let("b", element))
        >>> sorted(Uniformity.of(For("i", Const(0), Var("n", INT), Const(1), body)).varying)
        ['b', 'i']
        """
        written = {base.name for s in walk.statements(loop.body) if (base := written_array(s)) is not None}
        own = walk.assigned(loop.body) - sums
        found = Uniformity(loop, own, written, sums, steps, by_columns, around, {loop.index})
        known = -1
        while known < len(found.varying) + len(found.alone):
            known = len(found.varying) + len(found.alone)
            found._visit(loop.body, False, True)
        return found

    # ------------------------------------------------------------ what a statement is

    def varies(self, *exprs: Expr) -> bool:
        """Whether expressions depend on the iteration; shapes do not."""
        return any(not self.varying.isdisjoint(values(e)) for e in exprs)

    def each(self, stmt: Stmt) -> bool:
        """Whether a statement is done for each iteration, as a whole."""
        match stmt:
            case Let() | Move():
                return not self.varying.isdisjoint(walk.targets(stmt))
            case Store(Var(name)) | Accum(Var(name)) | Accum(Call(operator.getitem, (Var(name), _))):
                return name in self.varying or name not in self.own
            case For():
                return id(stmt) in self.alone
            case If(test):
                return self.varies(test)
            case Effect(call):
                return self.varies(call)
        return True

    def uniform(self, stmt: Stmt) -> bool:
        """Whether a statement is done once for all iterations, with everything in it."""
        return not any(map(self.each, walk.statements((stmt,))))

    # ------------------------------------------------------------ the names that vary

    def _visit(self, block: Block, control: bool, outer: bool) -> None:
        """Mark the names of a block, which is under a `control` that varies, or not in a loop yet."""
        for stmt in block:
            match stmt:
                case Let(target, value):
                    self._mark(target, control or self.varies(value))
                case Move(targets, values):
                    for target, value in zip(targets, values):
                        self._mark(target, control or self.varies(value))
                case Store(Var(name), index, value) | Accum(Call(_, (Var(name), index)), value):
                    self._mark(name, control or self.varies(index, value))
                case Accum(Var(name), value):
                    self._mark(name, control or self.varies(value))
                case For():
                    self._for(stmt, control, outer)
                case While():
                    self._alone(stmt)
                case If(test, then, orelse):
                    within = control or self.varies(test)
                    self._visit(then, within, outer)
                    self._visit(orelse, within, outer)

    def _mark(self, name: str, varying: bool) -> None:
        if varying and name in self.own:
            self.varying.add(name)

    def _for(self, loop: For, control: bool, outer: bool) -> None:
        bounds = self.varies(loop.start, loop.stop, loop.step) or loop.flag is not None
        if control or bounds or id(loop) in self.alone or outer and self.goes_through_rows(loop):
            self._alone(loop)
        else:
            self._visit(loop.body, False, False)

    def _alone(self, loop: For | While) -> None:
        """What a loop assigns for one iteration is not that of another."""
        self.alone.update(id(s) for s in walk.statements((loop,)) if isinstance(s, (For, While)))
        arrays = {base.name for s in walk.statements((loop,)) if (base := written_array(s)) is not None}
        self.varying |= self.own & (walk.assigned((loop,)) | arrays)

    # ------------------------------------------------------------ how loops go through memory

    def goes_through_rows(self, nest: For) -> bool:
        """Whether a loop reads or writes, with one iteration after the other, memory that lies in a row.

        Of steps that wait for each other, many iterations do one together, and the rows are worth a copy.
        """
        waits = any(id(stmt) in self.steps for stmt in walk.statements((nest,)))
        return any(not self.is_row(e) or not (again or waits) for e, again in self.strided(nest))

    def rows(self, block: Block) -> dict[str, Var]:
        """The arrays whose rows are worth a copy, one beside the other."""
        found: dict[str, Var] = {}
        for stmt in block:
            if isinstance(stmt, For) and id(stmt) not in self.alone:
                found |= {base.name: base for e, _ in self.strided(stmt) if isinstance(base := e.args[0], Var)}
            elif isinstance(stmt, If) and not self.each(stmt):
                found |= self.rows(stmt.then) | self.rows(stmt.orelse)
        return found

    def is_row(self, element: Call) -> bool:
        """Whether an element is of the row of the iteration, in an array that the loop only reads, or only adds to."""
        base, index = element.args
        assert isinstance(base, Var)
        if base.name in self.written - self.sums or not isinstance(index, Tuple) or len(index.items) != 2:
            return False
        row, place = index.items
        return isinstance(row, Var) and row.name == self.loop.index and not self.varies(place)

    def strided(self, nest: For) -> Iterator[tuple[Call, bool]]:
        """The elements of arrays from outside that do not lie one after the other as iterations go, and whether the
        nest comes to one of them several times. One that is read before or after inner loops costs little beside these.
        """
        for element, indices, light in _elements((nest,), ()):
            base, index = element.args
            assert isinstance(base, Var)
            items = items_of(index)
            places = [k for k, item in enumerate(items) if self.varies(item)]
            if base.name in self.own or not places or self.is_upright(base.name, index):
                continue
            beside = places == [len(items) - 1] and self.moves_on(items[-1])
            fixed = base.name not in self.written and not walk.names(index) & set(indices)
            if beside or fixed or light and base.name not in self.written:
                continue
            yield element, not set(indices) <= walk.names(index)

    def is_upright(self, name: str, index: Expr) -> bool:
        """Whether an element lies behind that of the iteration before, in a matrix kept by columns."""
        if name not in self.by_columns or not isinstance(index, Tuple):
            return False
        row, *others = index.items
        return self.moves_on(row) and not self.varies(*others)

    def going_down(self, block: Block, short: Callable[[For], object] = lambda loop: False) -> set[str]:
        """Matrices kept by columns through whose rows loops go that iterations share, and that are not `short`."""
        every = [s for s in walk.statements(block) if isinstance(s, For) and not short(s)]
        loops = [s for s in every if id(s) not in self.alone]
        found = (e.args for loop in loops for e, _, light in _elements((loop,), ()) if not light)
        return {base.name for base, index in found if isinstance(base, Var) and self.is_upright(base.name, index)}

    def has_windows(self, block: Block) -> bool:
        """Whether loops that iterations share go through windows, ``x[i + k]``, of which the next is one place on."""
        for stmt in block:
            if isinstance(stmt, For) and id(stmt) not in self.alone:
                for element, indices, _ in _elements((stmt,), ()):
                    base, index = element.args
                    items = items_of(index)
                    if walk.names(base) <= self.own:
                        continue
                    if set(indices) & walk.names(items[-1]) and self.moves_on(items[-1]):
                        return True
            elif isinstance(stmt, If) and not self.each(stmt):
                if self.has_windows(stmt.then) or self.has_windows(stmt.orelse):
                    return True
        return False

    def has_columns(self, block: Block) -> bool:
        """Whether loops that iterations share go down columns, ``a[k, i]``, which lie side by side."""
        for stmt in block:
            if isinstance(stmt, For) and id(stmt) not in self.alone:
                for element, indices, light in _elements((stmt,), ()):
                    base, index = element.args
                    if isinstance(index, Tuple) and not walk.names(base) & self.own and not light:
                        *before, last = index.items
                        down = any(indices[-1] in walk.names(item) for item in before)
                        if down and self.moves_on(last) and not self.varies(*before):
                            return True
            elif isinstance(stmt, If) and not self.each(stmt):
                if self.has_columns(stmt.then) or self.has_columns(stmt.orelse):
                    return True
        return False

    def moves_on(self, item: Expr) -> bool:
        """Whether a subscript is greater by one in the next iteration: ``i``, ``i + 2``, ``i + k``."""
        match item:
            case Call(operator.add, (one, other)) if self.varies(one) != self.varies(other):
                return self.moves_on(one if self.varies(one) else other)
            case Call(operator.sub, (one, other)) if not self.varies(other):
                return self.moves_on(one)
        return (linear(item) or ("", 0))[0] == self.loop.index

    @property
    def counter(self) -> Var:
        return Var(self.loop.index, INT)

    def is_natural(self, item: Expr) -> bool:
        """Whether a subscript, made of the counters of this loop and of those inside, is surely not negative."""
        inside = [s for s in walk.statements(self.loop.body) if isinstance(s, For) and s.index in walk.names(item)]
        outermost = (*self.around, self.loop)[:1]
        free = sorted(walk.read_in(outermost) - walk.assigned(outermost))
        domains = Domains(Function("", tuple(map(Param, free)), outermost))
        keys, domain, _ = domains.of(tuple((loop, True) for loop in (*self.around, self.loop, *inside)), "")
        return domains.total((item,), keys, domain, "") is not None


def values(expr: Expr) -> Set[str]:
    """The names that an expression reads more of than the shape.

    >>> from srcad.lang.ir import Attr
    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> values(x), values(Attr(x, "shape"))
    ({'x'}, set())
    """
    attributes = [e for e in walk.subexprs(expr) if isinstance(e, Attr) and e.name == "shape"]
    if not attributes:
        return set(walk.names(expr))
    shapes = [e.value.name for e in attributes if isinstance(e.value, Var)]
    found = Counter(e.name for e in walk.subexprs(expr) if type(e) is Var)
    found.subtract(shapes)
    return {name for name, count in found.items() if count}


def written_array(stmt: Stmt) -> Var | None:
    """The array of which a statement writes elements."""
    match stmt:
        case Store(Var() as base) | Accum(Call(operator.getitem, (Var() as base, _))):
            return base
    return None


def _elements(
    block: Block, indices: tuple[str, ...], light: bool = False
) -> Iterator[tuple[Call, tuple[str, ...], bool]]:
    """The elements of named arrays in a block, with the indices of the loops around them, and whether the innermost of
    these has a loop inside, which does more.
    """
    for stmt in block:
        around = (*indices, stmt.index) if isinstance(stmt, For) else indices
        exprs = walk.stmt_exprs(stmt)
        if isinstance(stmt, Store):
            exprs = (Call(operator.getitem, (stmt.base, stmt.index)), stmt.value)
        for e in (e for whole in exprs for e in walk.subexprs(whole)):
            match e:
                case Call(operator.getitem, (Var(_, Array()), _)):
                    yield e, around, light
        inside = any(map(_is_long, walk.statements(stmt.body))) if isinstance(stmt, For) else light
        for inner in walk.blocks(stmt):
            yield from _elements(inner, around, inside)


def _is_long(stmt: Stmt) -> bool:
    """Whether a statement is a loop that may go round often."""
    return isinstance(stmt, For) and not (isinstance(stmt.start, Const) and isinstance(stmt.stop, Const))
