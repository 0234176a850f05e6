"""upright: matrices that loops go down, column by column, are kept by columns; part of `blocks`. For machine code only.

``for j in range(n): s += q[j, i] * q[j, k]`` takes each number from another row, and where rows have two numbers,
``points[j, 0]``, a vector is put together from many loads. By hand one keeps the transpose, ``q_columns[i, j]``: made
once of what the caller gives, in place of what the function makes, and turned back where that is its result. A record
of such a matrix, ``p_tape[t] = p``, and what is read of it, ``p = p_tape[t]``, are turned with it, or not at all.
Integers, ``edges[e, 0]``, say where to load from, one by one, and stay in rows.
"""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, Let, Return, Stmt, Store, Tuple, Var,
)  # fmt: skip
from srcad.lang.types import Array, Scalar, is_array, is_elastic
from srcad.transforms.namesakes import OWN, with_names_of_their_own
from srcad.transforms.passing import is_call
from srcad.transforms.turned import (
    ALIKE, ALONG, DOWN, Place, Turned, Turner, is_computed, is_element, is_line, is_number, is_rectangle,
)  # fmt: skip

DEEP, NARROW = 3, 2  # loops around what goes down a column: those of a known column come again sooner


def upright(fn: Function) -> Function:
    """Keep by columns what innermost loops go down again and again.

    >>> from srcad.lang.arrays import axis_length
    >>> from srcad.lang.ir import Accum, Param
    >>> from srcad.lang.types import FLOAT, INT
    >>> x, s = Var("x", Array("float64", ("n", 2), "C")), Var("s", FLOAT)
    >>> i, j = Var("i", INT), Var("j", INT)
    >>> def at(k): return Call(operator.getitem, (x, Tuple((k, Const(0, INT)))), (), FLOAT)
    >>> step = Accum(s, Call(operator.mul, (at(i), at(j)), (), FLOAT))
    >>> inner = For("j", Const(0, INT), axis_length(x, 0), Const(1, INT), (step,))
    >>> loop = For("i", Const(0, INT), axis_length(x, 0), Const(1, INT), (inner,))
    >>> fn = upright(Function("f", (Param("x", x.type),), (Let("s", Const(0.0, FLOAT)), loop, Return(s))))
    >>> from srcad.lang.write import write
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        s = 0.0
        x_columns = transposed(x)
        for i in range(x.shape[0]):
            for j in range(x.shape[0]):
                s += x_columns[0, i] * x_columns[0, j]
        return s
    """
    if kept := kept_by_columns(with_names_of_their_own(fn)):
        fn = with_names_of_their_own(fn, lambda name: name in kept)
    turned = {one.name: one for one in _turned(fn, lambda use: use.is_worth_it)}
    return replace(fn, body=Turner(turned).function(fn.body)) if turned else fn


def kept_by_columns(fn: Function, if_they_were: bool = False) -> frozenset[str]:
    """The matrices that are kept by columns; or those that could be, if loops went down them."""
    return frozenset(one.name for one in _turned(fn, lambda use: if_they_were or use.is_worth_it, if_they_were))


@dataclass
class _Use:
    """How many loops there are at most around what goes down an array, and around what goes along its rows."""

    down: int = 0
    along: int = 0
    narrow: bool = False  # whether it is a known column
    other: bool = False  # whether it is used in other ways, too

    @property
    def is_worth_it(self) -> bool:
        return self.down >= (NARROW if self.narrow else DEEP)

    def note(self, way: str, depth: int) -> None:
        if way == DOWN:
            self.down = max(self.down, depth)
        elif way == ALONG:
            self.along = max(self.along, depth)


@dataclass
class _Uses:
    arrays: dict[str, _Use] = field(default_factory=dict)
    kinds: dict[str, Array] = field(default_factory=dict)
    lines: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # named rows and columns: of what, which way
    deepest: dict[str, int] = field(default_factory=dict)  # loops around readings of vectors' elements
    together: set[str] = field(default_factory=set)  # vectors that are used as a whole
    tied: list[tuple[str, str]] = field(default_factory=list)  # records and what goes in or out; what shares lines
    views: list[str] = field(default_factory=list)  # those that come out

    def block(self, stmts: Block, place: Place) -> None:
        for stmt in stmts:
            self.statement(stmt, place)
            for inner in walk.blocks(stmt):
                self.block(inner, place.inside(stmt))

    def statement(self, stmt: Stmt, place: Place) -> None:
        match stmt:
            case Store(Var(name, Array(shape=(_, _)) as kind), index, value):
                number = isinstance(getattr(value, "type", None), Scalar)
                if is_element(index) or is_line(index) or number and is_rectangle(index):
                    self.access(name, kind, index, place)
                else:
                    self.use(name).other = True
                self.read(value, place)
            case Store(Var(name, Array(shape=(_, _, _)) as kind), index, Var(other, Array(shape=(_, _)) as own)):
                self.tie(name, kind, index, other, own, place)
            case Let(target, Call(operator.getitem, (Var(name, Array(shape=(_, _, _)) as kind), index)) as value) if (
                isinstance(value.type, Array) and value.type.ndim == 2
            ):
                self.tie(name, kind, index, target, value.type, place)
                self.views.append(target)
            case Accum(Call() as target, value) if line := _line(target):
                self.access(*line, place)
                self.read(value, place)
            case Accum(Var() as target, value):
                self.read(target, place)
                self.whole(value, place)
            case Let(target, Call() as value) if line := _line(value):
                self.access(*line, place)
                self.lines.setdefault(target, []).append((line[0], Place().way(line[2])))
            case Return(value):
                self.result(value, place)
            case _:
                for expr in walk.stmt_exprs(stmt):
                    self.read(expr, place)

    def result(self, value: Expr, place: Place) -> None:
        """What is returned: arrays can be turned back for that."""
        if isinstance(value, Tuple):
            for item in value.items:
                self.result(item, place)
        elif not (isinstance(value, Var) and is_array(value.type)):
            self.read(value, place)

    def read(self, expr: Expr, place: Place) -> None:
        match expr:
            case Call(operator.getitem, (Var(name, Array(shape=(_, _)) as kind), index)) if is_element(index):
                self.access(name, kind, index, place)
            case Call(operator.getitem, (Var(name, Array(shape=(_, _)) as kind), index)) if is_line(index):
                self.access(name, kind, index, place)
                self.use(name).other |= Place().way(index) == ALONG  # what lies apart then may not be good for all
            case Call(operator.getitem, (Var(name, Array(shape=(_, _, _)) as kind), Tuple((first, *rest)))) if (
                is_number(first) and is_element(index_of(rest))
            ):
                self.read(first, place)
                self.access(name, kind, index_of(rest), place)
            case Call(operator.getitem, (Var(name, Array(shape=(_,))), index)) if is_number(index):
                self.deepest[name] = max(place.depth, self.deepest.get(name, 0))
                self.read(index, place)
            case Call(operator.getitem, (Attr(Var(), "shape"), Const())):
                pass
            case Call(fn, (Var(_, Array(shape=(_, _))),), ()) if fn in ALIKE or fn is np.copy:
                pass
            case Call(args=args) if place.depth == 0 and (is_computed(expr) or expr.fn is np.sum):
                for arg in args:
                    self.whole(arg, place)
            case Var(name, Array(shape=(_,))):
                self.together.add(name)
                self.deepest[name] = max(place.depth + 1, self.deepest.get(name, 0))
            case Var(name, Array()):
                self.use(name).other = True
            case _:
                for part in walk.children(expr):
                    self.read(part, place)

    def tie(self, record: str, kind: Array, index: Expr, name: str, own: Array, place: Place) -> None:
        """Note that a matrix goes into a record, or comes out of one."""
        self.read(index, place)
        self.tied.append((record, name))
        self.kinds |= {record: kind, name: own}
        self.use(record).other |= not is_number(index)

    def whole(self, expr: Expr, place: Place) -> None:
        """Read what is taken as it is: outside of loops, a matrix can be turned back for that."""
        if place.depth or not isinstance(expr, Var) or getattr(expr.type, "ndim", 0) != 2:
            self.read(expr, place)

    def use(self, name: str) -> _Use:
        return self.arrays.setdefault(name, _Use())

    def access(self, name: str, kind: Array, index: Expr, place: Place) -> None:
        self.kinds[name] = kind
        for item in items_of(index):
            self.read(item, place)
        if not is_rectangle(index):
            way, use = place.way(index), self.use(name)
            use.note(way, place.depth + is_line(index))
            use.narrow |= way == DOWN and isinstance(items_of(index)[1], Const)

    def follow_lines(self) -> None:
        """Add what happens to rows and columns that have names of their own."""
        for line, bases in self.lines.items():
            ways = {way for _, way in bases}
            for name, way in bases:
                use = self.use(name)
                use.note(way, self.deepest.get(line, 0))
                use.other |= len(ways) > 1 or way == ALONG and (len({*bases}) > 1 or line in self.together)
            self.tied += [(bases[0][0], name) for name, _ in bases if name != bases[0][0]]

    def together_with(self, name: str) -> frozenset[str]:
        """The matrices and records that can only be turned with one, and that one."""
        found = {name}
        while more := {each for pair in self.tied if found & {*pair} for each in pair} - found:
            found |= more
        return frozenset(found)

    def joined(self, names: frozenset[str]) -> _Use:
        """The use that is made of several matrices."""
        every = [self.use(name) for name in names]
        return _Use(max((use.down for use in every), default=0), max((use.along for use in every), default=0),
                    any(use.narrow for use in every), any(use.other for use in every))  # fmt: skip


def _line(value: Call) -> tuple[str, Array, Expr] | None:
    """The matrix of which something is a row or a column, and the subscript."""
    match value:
        case Call(operator.getitem, (Var(name, Array(shape=(_, _)) as kind), index)) if is_line(index):
            return name, kind, index
    return None


def _turned(fn: Function, chosen: Callable[[_Use], bool], any_way: bool = False) -> Iterator[Turned]:
    """The arrays that are kept by columns, of those that are `chosen`."""
    if any(isinstance(stmt, For) and stmt.shared for stmt in walk.statements(fn.body)):
        return
    found = _Uses()
    found.block(fn.body, Place())
    found.follow_lines()
    groups = [group for group in dict.fromkeys(map(found.together_with, found.arrays))
              if group <= found.kinds.keys() and chosen(found.joined(group))]  # fmt: skip
    if not groups:
        return
    classes, times = Classes.of(fn.body), Counter(name for s in walk.statements(fn.body) for name in walk.targets(s))
    params = {param.name for param in fn.params}
    taken = params | set(times)
    changed = {classes.find(name) for name in stored_names(fn.body) | _told(fn.body)}
    returned = {name for stmt in fn.body if isinstance(stmt, Return) for name in walk.names(stmt.value)}
    made = Counter(s.target for s in walk.statements(fn.body) if isinstance(s, Let) and _makes(s.value))
    made.update(s.target for s in fn.body if isinstance(s, Let) and is_computed(s.value)
                and len(getattr(s.value.type, "shape", ())) == 2)  # fmt: skip  # not stacks of matrices
    for group in groups:
        given = {name for name in group if name not in times and classes.find(name) not in changed
                 and found.kinds[name].ndim == 2}  # fmt: skip
        own, use = group - given, found.joined(group - given)
        if not all(_can_be_turned(found.kinds[name]) for name in group) or use.other or own & params or own and (
            not any_way and use.down <= use.along
            or any(found.kinds[name].ndim == 3 for name in own & returned)
            or any(classes.share(name, other) for name in own for other in returned - group)
        ):
            continue
        if all((made[name], times[name]) == (1, 1) or found.views.count(name) == times[name] for name in own):
            for name in (each for each in found.arrays if each in group):
                base = f"{name.removesuffix(OWN)}_columns"
                names = (base if k == 0 else f"{base}_{k}" for k in itertools.count())
                taken.add(new := next(free for free in names if free not in taken))
                *before, one, other = (kind := found.kinds[name]).shape
                yield Turned(name, kind, Var(new, Array(kind.dtype, (*before, other, one), "C")), name in given)


def _can_be_turned(kind: Array) -> bool:
    return kind.dtype.startswith("float") and kind.layout not in ("F", "f") and not is_elastic(kind)


def _told(block: Block) -> set[str]:
    """The names that functions get which may write to them."""
    found: set[str] = set()
    for stmt in walk.statements(block):
        for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
            if isinstance(stmt, Effect) or is_call(e) or isinstance(e, Call) and e.kwargs:
                found |= walk.names(e)
    return found


def _makes(value: Expr) -> bool:
    match value:
        case Call(np.zeros | np.empty, (Tuple((_, _) | (_, _, _)),), ()):
            return True
        case Call(fn, (Var(),), ()):
            return fn in ALIKE or fn is np.copy
    return False
