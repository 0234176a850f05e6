"""upright: matrices that loops go down, column by column, are kept by columns; part of `blocks`. For machine code only.

``for j in range(n): s += q[j, i] * q[j, k]`` takes each number from another row, and where rows have two numbers,
``points[j, 0]``, a vector is put together from many loads. By hand one keeps the transpose, ``q_columns[i, j]``: made
once of what the caller gives, in place of what the function makes, and turned back where that is its result. Integers,
``edges[e, 0]``, say where to load from, one by one, and stay in rows.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, Let, Return, Stmt, Store, Tuple, Var,
)  # fmt: skip
from srcad.lang.types import Array, Scalar, is_array, is_elastic
from srcad.transforms.passing import is_call
from srcad.transforms.turned import (
    ALIKE, ALONG, DOWN, Place, Turned, Turner, is_element, is_line, is_number, is_rectangle,
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
            case Accum(Call() as target, value) if line := _line(target):
                self.access(*line, place)
                self.read(value, place)
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
            case Call(operator.getitem, (Var(name, Array(shape=(_,))), index)) if is_number(index):
                self.deepest[name] = max(place.depth, self.deepest.get(name, 0))
                self.read(index, place)
            case Call(operator.getitem, (Attr(Var(), "shape"), Const())):
                pass
            case Call(fn, (Var(_, Array(shape=(_, _))),), ()) if fn in ALIKE:
                pass
            case Var(name, Array(shape=(_,))):
                self.together.add(name)
                self.deepest[name] = max(place.depth + 1, self.deepest.get(name, 0))
            case Var(name, Array()):
                self.use(name).other = True
            case _:
                for part in walk.children(expr):
                    self.read(part, place)

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
            for name, way in bases:
                use = self.use(name)
                use.note(way, self.deepest.get(line, 0))
                use.other |= len(bases) > 1 or way == ALONG and line in self.together


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
    candidates = [name for name, use in found.arrays.items() if chosen(use) and name in found.kinds]
    if not candidates:
        return
    classes, times = Classes.of(fn.body), [name for s in walk.statements(fn.body) for name in walk.targets(s)]
    taken = {param.name for param in fn.params} | set(times)
    changed = {classes.find(name) for name in stored_names(fn.body) | _told(fn.body)}
    returned = {name for stmt in fn.body if isinstance(stmt, Return) for name in walk.names(stmt.value)}
    made = {s.target for s in fn.body if isinstance(s, Let) and _makes(s.value) and times.count(s.target) == 1}
    for name in candidates:
        use, kind = found.arrays[name], found.kinds[name]
        if kind.layout in ("F", "f") or is_elastic(kind) or not kind.dtype.startswith("float"):
            continue
        as_given = name not in times and classes.find(name) not in changed
        seen = any(other != name and classes.share(name, other) for other in returned)
        if as_given or name in made and not use.other and not seen and (any_way or use.down > use.along):
            names = (f"{name}_columns" if k == 0 else f"{name}_columns_{k}" for k in itertools.count())
            taken.add(new := next(free for free in names if free not in taken))
            yield Turned(name, kind, Var(new, Array(kind.dtype, kind.shape[::-1], "C")), as_given)


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
        case Call(np.zeros | np.empty, (Tuple((_, _)),), ()):
            return True
        case Call(fn, (Var(),), ()):
            return fn in ALIKE or fn is np.copy
    return False
