"""Arrays that take the place of others in lists that grow; part of `inline`.

``xs[i] = xs[i] + 1.0`` gives the list another array, and who holds the old one keeps it. The list's buffer is written
over instead, which is the same where no name still means the old array: where none that was bound to an element of the
list is read after it.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Block, Call, Const, Expr, For, Let, Method, Slice, Stmt, Store, Tuple, Var, While, hint
from srcad.lang.lists import as_rows, list_buffer, list_pop, slot, traded, within
from srcad.lang.walk import blocks, names, stmt_exprs
from srcad.transforms.split import exposed
from srcad.transforms.kept import held, popped_and_written, root, written_afterwards

_NEW = frozenset((
    np.array, np.copy, np.sum, np.mean, np.max, np.min, np.prod, np.dot, np.vdot, np.cross, np.outer, np.matmul,
    np.linalg.norm, np.sort, np.cumsum, np.zeros_like, np.ones_like, np.empty_like, np.full_like, float, abs, len,
    np.concatenate, np.stack, np.vstack, np.hstack, np.column_stack, as_rows, traded,
))  # fmt: skip
_METHODS = frozenset("copy sum mean max min prod dot std var argmax argmin".split())
_UNKNOWN = -100  # by how many indices something is got of which nothing is known but that it shares memory
Path = tuple[int, ...]


@dataclass(frozen=True)
class Place:
    number: int
    path: Path  # the blocks around
    loops: Path  # those of them that are loops


@dataclass
class _Places:
    """Where names are bound and read, and elements of lists are put in the place of others."""

    bound: dict[str, list[tuple[Place, Expr]]] = field(default_factory=dict)
    read: dict[str, list[Place]] = field(default_factory=dict)
    stores: list[tuple[Place, Store]] = field(default_factory=list)
    carried: dict[int, set[str]] = field(default_factory=dict)  # what iterations of a loop read of those before
    count: int = 0

    def block(self, block: Block, path: Path, loops: Path) -> None:
        for stmt in block:
            self.count += 1
            number = self.count
            inside = (*loops, number) if isinstance(stmt, (For, While)) else loops
            if isinstance(stmt, (For, While)):
                self.carried[number] = exposed(stmt.body) | set().union(*map(names, stmt_exprs(stmt)))
            self.statement(stmt, Place(number, path, inside if isinstance(stmt, While) else loops))
            for k, inner in enumerate(blocks(stmt)):
                self.block(inner, (*path, number, k), inside)

    def statement(self, stmt: Stmt, place: Place) -> None:
        for expr in stmt_exprs(stmt):
            for name in names(expr):
                self.read.setdefault(name, []).append(place)
        match stmt:
            case Let(target, value):
                self.bound.setdefault(target, []).append((place, value))
            case Store(Var(), Call(fn, (_, _, Const(True), *_))) if fn is slot:
                self.stores.append((place, stmt))
            case Store(Var(), Call(fn)) if fn is within:
                self.stores.append((place, stmt))

    def over(self, name: str, store: Place, bound: Place, read: Place) -> bool:
        """Whether what a name was bound to is read before something takes its place."""
        if read.number <= bound.number:  # of what the name meant before, unless a loop goes round
            return not any(name in self.carried[loop] for loop in {*read.loops} & {*bound.loops})
        if bound.number < store.number < read.number:
            return False
        around = {*store.loops} & {*read.loops}
        if read.path[: len(bound.path)] == bound.path and around <= {*bound.loops}:
            return True
        return {*bound.loops} <= {*read.loops} and not any(name in self.carried[loop] for loop in around)

    def named(self, array: str) -> list[str]:
        """The names of an array: its own, and those whose value it was given."""
        found = [array]
        for name in found:
            found += [value.name for _, value in self.bound.get(name, ()) if isinstance(value, Var)
                      and value.name not in found]  # fmt: skip
        return found

    def depths(self, buffer: str) -> dict[str, int]:
        """The names that may mean an element of a list, or a part of one, and by how many indices at least."""
        shares = [(name, value, _shares(value)) for name, values in self.bound.items() for _, value in values]
        found, known = dict.fromkeys(self.named(buffer), 0), dict[str, int]()
        while found != known:
            known = dict(found)
            for name, value, others in shares:
                for depth in (_deeper(value, known[other]) for other in others & known.keys() if name != buffer):
                    found[name] = min(depth, found.get(name, depth))
        return found


def _deeper(value: Expr, depth: int) -> int:
    """By how many indices a value is got, if that is known; of names, by so many."""
    match value:
        case Var():
            return depth
        case Call(operator.getitem, (base, index)):
            parts = items_of(index)
            if not any(part in (Const(None), Const(...)) for part in parts):
                return _deeper(base, depth) + sum(not isinstance(part, Slice) for part in parts)
    return _UNKNOWN


def checked(
    body: Block, given: list[tuple[str, Stmt]], moves: list[Stmt], called: dict[str, str], twins: set[int],
    rows: list[Stmt],
) -> Block:  # fmt: skip
    """Statements in which those say so that put into a list what is written to afterwards: it may be no array.

    Those that put an array in the place of another one, which nothing means afterwards, say that they do not.
    `called` are the names of lists by those of their buffers, `twins` where something is put that may stand twice in a
    list of which there is a deep copy, `rows` where lists are put that are in another list, too.
    """
    given, shared = [*given, *_into_rows(body)], set(map(id, rows))
    lists = {stmt.target for stmt in walk.statements(body) if isinstance(stmt, Let) and _is_buffer(stmt.value)}
    found = {id(stmt): name for name, stmt in written_afterwards(body, given, moves, lists, shared)}
    over = {id(stmt): depth for stmt, depth in replaced(body)}
    popped = popped_and_written(body)

    def kind(stmt: Stmt, name: str) -> str:
        return "row" if id(stmt) in shared else "list" if name in lists else "array"

    def marked(stmt: Stmt) -> Stmt:
        if isinstance(stmt, Let) and isinstance(stmt.value, Call) and stmt.target in popped:
            return replace(stmt, value=replace(stmt.value, args=(*stmt.value.args, Const(hint(popped[stmt.target])))))
        if isinstance(stmt, Store) and isinstance(stmt.index, Call) and stmt.index.fn is within:
            told = (Const(id(stmt) in found), Const(over.get(id(stmt), 0)))
            return replace(stmt, index=replace(stmt.index, args=(*stmt.index.args[:2], *told)))
        if id(stmt) in {*found, *over, *twins} and isinstance(stmt, Store) and isinstance(stmt.index, Call):
            key, position, rebinds = stmt.index.args
            rebinds = Const(over[id(stmt)]) if id(stmt) in over else rebinds
            name = found.get(id(stmt))
            written = () if name is None else (Const(called.get(name, hint(name))), Const(kind(stmt, name)))
            written = (Const(""), Const("list")) if id(stmt) in twins else written
            return replace(stmt, index=replace(stmt.index, args=(key, position, rebinds, *written)))
        return walk.map_stmt(lambda expr: expr, stmt, lambda block: tuple(map(marked, block)))

    return tuple(map(marked, body)) if found or over or popped or twins else body


def _into_rows(body: Block) -> Iterator[tuple[str, Stmt]]:
    """The names of what is put into lists that are arrays, and where."""
    for stmt in walk.statements(body):
        match stmt:
            case Store(Var(), Call(fn), value) if fn is within and (name := root(value)) is not None:
                yield name, stmt


def _is_buffer(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn is list_buffer


def replaced(body: Block) -> Iterator[tuple[Store, int]]:
    """The statements that put an element in the place of another one in a list, and by how many indices the names that
    are read afterwards get what they mean from the list; none where no name does."""
    found = _Places()
    found.block(body, (), ())
    for place, stmt in found.stores:
        assert isinstance(stmt.base, Var)
        depths = found.depths(stmt.base.name)
        begun = [begin for begin, value in found.bound.get(stmt.base.name, ()) if _is_buffer(value)]
        late = (depth for name, depth in depths.items() for bound, value in found.bound[name]
                if name != stmt.base.name and _shares(value) & depths.keys()
                and not any(_before(bound, begin, place) for begin in begun)
                and not all(found.over(name, place, bound, read) for read in found.read.get(name, ())))  # fmt: skip
        yield stmt, max(1, least) if (least := min(late, default=0)) else 0


def _before(bound: Place, begin: Place, store: Place) -> bool:
    """Whether a list has begun anew since a name was bound to an element of it, before something is put into it."""
    return bound.number < begin.number < store.number and store.path[: len(begin.path)] == begin.path


def _shares(value: Expr) -> set[str]:
    """The names of arrays that a value may share memory with."""
    match value:
        case Call(fn, (_, _)) if fn is list_pop:
            return set()  # a copy
        case Call(fn, (_, _)) if getattr(fn, "__module__", "") == "_operator" and fn is not operator.getitem:
            return set()
        case Call(Method(name)) if name in _METHODS:
            return set()
        case Call(Method(), args) if root(value) is None:
            return set().union(set(), *map(_shares, args))
        case Call(fn, args, kwargs) if root(value) is None and not isinstance(fn, Method):
            new = isinstance(fn, np.ufunc) or fn in _NEW or fn is operator.neg
            return set() if new else set().union(set(), *map(_shares, (*args, *(v for _, v in kwargs))))
        case Tuple(items):
            return set().union(set(), *map(_shares, items))
    return set(held(value))
