"""Which array contents an iteration of the reverse loop reads, and whether they are still what they were; part of
`record`.

An element that no later iteration overwrites is read from the final array; several that no earlier one has overwritten
are read from a copy made before the loop; any other is recorded where it was read; an array that inner loops read and
the loop changes is recorded whole, once an iteration.
"""

from __future__ import annotations

import operator
from collections.abc import Set
from dataclasses import dataclass, field, replace
from itertools import filterfalse

import numpy as np

from srcad.analysis.buffers import Buffers, stored_name, views_of
from srcad.analysis.contents import content_names, is_element, value_reads
from srcad.analysis.lasting import BEHIND, WITHIN, Scope
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Accum, Block, Call, Expr, For, If, Let, Move, Stmt, Store, Var, While, hint
from srcad.lang.origin import Origin
from srcad.lang.types import Array, is_array
from srcad.runtime import received
from srcad.transforms import early
from srcad.transforms.context import Context


class Outside:
    """Tells which arrays from outside an iteration the names inside it stand for."""

    def __init__(self, buffers: Buffers, code: Block, carried: frozenset[str]) -> None:
        self.buffers, self.carried = buffers, carried
        self.sources: dict[str, set[str]] = {}
        for stmt in walk.statements(code):
            match stmt:
                case Let(target, value):
                    names = {base.name for base in views_of(value) if isinstance(base, Var)}
                    self.sources.setdefault(target, set()).update(names)
                case Move(targets, values):
                    for target, value in zip(targets, values):
                        names = {value.name} if isinstance(value, Var) and is_array(value.type) else set()
                        self.sources.setdefault(target, set()).update(names)

    def of(self, name: str) -> set[str]:
        """The arrays from outside that a name may stand for."""
        seen: set[str] = set()
        found: set[str] = set()
        work = [name]
        while work:
            item = work.pop()
            if item in seen:
                continue
            seen.add(item)
            if item in self.sources:
                work.extend(self.sources[item])
            else:
                found.add(item)
        return found

    def shared(self, code: Block) -> list[tuple[str, str]]:
        """The pairs of arrays from outside that the code knows and that may share memory."""
        names = sorted(name for name in _array_names(code) if name not in self.sources)
        return [(a, b) for i, a in enumerate(names) for b in names[:i] if self.buffers.may_share(a, b)]

    def drop_stores(self, block: Block, private: set[str]) -> Block:
        """A replay writes to its own arrays and to recorded copies, never to the arrays of the forward sweep."""
        result: list[Stmt] = []
        for stmt in block:
            name = stored_name(stmt)
            if name is not None and not name.endswith("~bar"):
                arrays = self.of(name) - self.carried
                if any(not self.buffers.roots(a) <= private for a in arrays):
                    continue
            match stmt:
                case If(_, then, orelse):
                    stmt = replace(stmt, then=self.drop_stores(then, private), orelse=self.drop_stores(orelse, private))
                case For(body=body) | While(body=body):
                    stmt = replace(stmt, body=self.drop_stores(body, private))
            result.append(stmt)
        return tuple(result)

    def read_back(self, ctx: Context, block: Block, private: set[str]) -> Block:
        """With values that a loop has stored for good read from where they are, instead of computed again."""
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case Let(target) if (found := ctx.lasting.stored(target)) is not None:
                    array, element = found
                    arrays = self.of(array)
                    kept = arrays and not arrays & self.carried
                    if kept and not any(self.buffers.roots(a) & private for a in arrays):
                        stmt = replace(stmt, value=element)
                case If(_, then, orelse):
                    then, orelse = (self.read_back(ctx, side, private) for side in (then, orelse))
                    stmt = replace(stmt, then=then, orelse=orelse)
                case For(body=body) | While(body=body):
                    stmt = replace(stmt, body=self.read_back(ctx, body, private))
            result.append(stmt)
        return tuple(result)

    def lasts(self, ctx: Context, stmt: Let) -> bool:
        """Whether nothing overwrites what a definition reads, also that which only reads back what was computed."""
        name = self.buffers.firsts.get(stmt.target, stmt.target)
        if _is_copy_of(stmt.value, name, self.buffers.firsts):  # the array as it was here, not what defines its name
            return False
        if ctx.lasting.lasts(name):
            return True
        stored = ctx.lasting.stored(name) if is_element(stmt.value) or _is_part(stmt.value) else None
        return stored is not None

    def written_together(self, code: Block, private: set[str]) -> set[str]:
        """The arrays that a replay has copies of, and those that a store may write to instead of them."""
        stores = [self.of(name) - self.carried for stmt in walk.statements(code) if (name := stored_name(stmt))]
        groups = [{root for array in arrays for root in self.buffers.roots(array)} for arrays in stores]
        private = {*private}
        while any(group & private and not group <= private for group in groups):
            private.update(*(group for group in groups if group & private))
        return {name for name in private if not name.endswith("~bar")}

    def rebuild(self, code: Block, arrays: dict[str, str], fresh, origin: Origin) -> tuple[dict[str, Expr], list[Let]]:
        """Names for the recorded arrays and, made anew, for the views of them that the iteration uses."""
        mapping: dict[str, Expr] = {}
        views: list[Let] = []
        types = self.buffers.types
        kinds = {root: kind for root in arrays if isinstance(kind := types[root], Array)}
        by_columns = {root for root, kind in kinds.items() if kind.ndim > 1 and kind.layout != "C"}
        _refuse_copies_in_turn(code, by_columns, self)
        for root, new in arrays.items():
            mapping[root] = Var(new, types[root])
        for name in sorted(_array_names(code)):
            if name in self.sources or name in mapping:
                continue
            if self.buffers.roots(name) <= arrays.keys():
                self._rebuild_view(name, mapping, views, fresh, origin)
            elif any(self.buffers.may_share(name, root) for root in arrays):
                reason = f"the array {hint(name)!r} may be the same as another that this loop writes to"
                refuse([Problem(origin, reason, "write to one array under one name")])
        return mapping, views

    def _rebuild_view(self, name: str, mapping: dict[str, Expr], views: list[Let], fresh, origin: Origin) -> None:
        if name in mapping:
            return
        view = self.buffers.views[name]
        for base in views_of(view):
            assert isinstance(base, Var)
            self._rebuild_view(base.name, mapping, views, fresh, origin)
        new = fresh(hint(name))
        views.append(Let(new, walk.substitute(view, mapping), origin))
        mapping[name] = Var(new, self.buffers.types[name])


def _refuse_copies_in_turn(code: Block, arrays: set[str], outside: Outside) -> None:
    """Which elements an overlapping copy reads depends on how `arrays` lie in memory; their records lie otherwise."""
    for stmt in walk.statements(code) if arrays else ():
        if not (isinstance(stmt, Let) and isinstance(stmt.value, Call) and stmt.value.fn is received):
            continue
        if any(outside.of(name) & arrays for name in walk.names(stmt.value)):
            reason = "a vector is copied into one that overlaps it, in an array that may lie in memory column by column"
            refuse([Problem(stmt.origin, reason, "copy what is read first: B[...] = A[...].copy()")])


def _array_names(code: Block) -> set[str]:
    return {
        e.name
        for stmt in walk.statements(code)
        for whole in walk.stmt_exprs(stmt)
        for e in walk.subexprs(whole)
        if isinstance(e, Var) and is_array(e.type) and not e.name.endswith("~bar")
    }


@dataclass
class Findings:
    """What must be kept for an iteration: elements where they are read, whole arrays, copies around the loop."""

    elements: set[str] = field(default_factory=set)
    snapshots: set[str] = field(default_factory=set)
    early: dict[str, str] = field(default_factory=dict)  # elements as they are before the loop, and their arrays
    before: set[str] = field(default_factory=set)
    behind: set[str] = field(default_factory=set)


@dataclass
class Search:
    """Looks through an iteration for contents that the loop, or what follows it, overwrites."""

    ctx: Context
    outside: Outside
    loop: For | While
    body: Block
    stored: frozenset[str]
    after: frozenset[str]
    private: set[str]

    def run(self, code: Block) -> Findings:
        self.found = Findings()
        self.early: dict[str, list[Let]] = {}
        self.block(code, 0)
        self.found.before -= self.found.behind
        for array, reads in self.early.items():
            if early.are_worth_a_copy(reads):
                self.found.early |= {stmt.target: array for stmt in reads}
            else:
                self.found.elements |= {stmt.target for stmt in reads}
        return self.found

    def block(self, code: Block, depth: int) -> None:
        for stmt in code:
            for name in filterfalse(self.ctx.lasts, _contents(stmt)):
                for array in self.outside.of(name) - self.outside.carried:
                    self.read(stmt, name, array, depth)
            for inner in walk.blocks(stmt):
                self.block(inner, depth + (not isinstance(stmt, If)))

    def read(self, stmt: Stmt, name: str, array: str, depth: int) -> None:
        buffers = self.outside.buffers
        if buffers.roots(array) <= self.private or array.endswith("~bar"):
            return
        if isinstance(stmt, Let) and self.outside.lasts(self.ctx, stmt):
            return
        later = any(buffers.may_share(array, other) for other in self.after) and not self.stays(stmt, name, BEHIND)
        if not any(buffers.may_share(array, other) for other in self.stored):
            if later:
                self.found.before.add(array)
            return
        if self.stays(stmt, name, WITHIN):
            if later:
                self.found.behind.add(array)
        elif depth == 0 and isinstance(stmt, Let) and _is_primal_scalar(stmt):
            first = buffers.firsts.get(stmt.target, stmt.target)
            if early.is_early(stmt, array, self.ctx.lasting, first, self.loop):
                self.early.setdefault(array, []).append(stmt)
            else:
                self.found.elements.add(stmt.target)
        else:
            self.found.snapshots |= buffers.roots(array)

    def stays(self, stmt: Stmt, name: str, when: str) -> bool:
        """Whether what a statement reads under a name is not overwritten in the loop, or behind it."""
        lasting, firsts, scope = self.ctx.lasting, self.outside.buffers.firsts, Scope(self.loop, when)
        if lasting.is_view(firsts.get(name, name)) and lasting.lasts(firsts.get(name, name), scope):
            return True
        if not (isinstance(stmt, Let) and is_element(stmt.value)):
            return False
        return lasting.lasts(firsts.get(stmt.target, stmt.target), scope)


def _is_copy_of(value: Expr, name: str, firsts: dict[str, str]) -> bool:
    match value:
        case Call(fn, (Var(other),)) if fn is np.copy:
            return firsts.get(other, other) == name
    return False


def _is_part(value: Expr) -> bool:
    """Whether something is a copy of a part of an array."""
    match value:
        case Call(fn, (Call(getitem, (Var(), _)),)):
            return fn is np.copy and getitem is operator.getitem
    return False


def _is_primal_scalar(stmt: Let) -> bool:
    return not stmt.target.endswith("~bar") and not is_array(getattr(stmt.value, "type", None))


def _contents(stmt: Stmt) -> set[str]:
    """The primal arrays whose contents a statement itself reads."""
    match stmt:
        case Let(_, value):
            names: Set[str] = value_reads(value)
        case Store(_, index, value):
            names = content_names(index) | content_names(value)
        case Accum(Call(args=(_, index)), value):
            names = content_names(index) | content_names(value)
        case Accum(_, value):
            names = content_names(value)
        case Move():
            names = set()
        case _:
            names = set().union(set(), *map(content_names, walk.stmt_exprs(stmt)))
    return {name for name in names if not name.endswith("~bar")}


def copy(name: str, new: str, kind, origin: Origin) -> Let:
    """``new = name.copy()``"""
    return Let(new, Call(np.copy, (Var(name, kind),), (), kind), origin)


def contents_of(code: Block) -> set[str]:
    """The primal arrays whose contents a block reads."""
    return {name for stmt in walk.statements(code) for name in _contents(stmt)}
