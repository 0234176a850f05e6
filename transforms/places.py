"""places: rows that change their name, by their numbers.

``row = A[i]`` at the end of an iteration gives a row of `A` a name that another row had before. Written to, it would be
an array known under two names. It is the number of the row that is carried instead, and where the row is used it is
taken from `A` anew: a view like any other.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from srcad.analysis.buffers import Buffers, buffers, view_of
from srcad.analysis.handover import shared_names
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Function, Let, Move, Slice, Stmt, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import INT, Scalar, is_array
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed

Numbers = tuple[Expr, ...]
Part = Expr  # of a subscript


def places(fn: Function) -> Function:
    """Carry the numbers of rows where the rows themselves are written to under several names."""
    found = buffers(fn)
    troubled = shared_names(fn, found)
    if not troubled:
        return fn
    rows = _Rows.of(fn, found, troubled)
    if not rows.patterns:
        return fn
    body = rows.block(fn.body, {})
    read = {name for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}
    return replace(fn, body=_without(body, rows.made - read))


@dataclass
class _Pattern:
    """What the rows of one name have in common: the array, and the subscript with a gap for each number."""

    base: Var
    parts: tuple[Part | None, ...]

    def row(self, numbers: Numbers) -> Expr:
        given = iter(numbers)
        items = tuple(next(given) if part is None else part for part in self.parts)
        index = items[0] if len(items) == 1 else Tuple(items)
        return typed(Call(operator.getitem, (self.base, index)))


@dataclass
class _Rows:
    patterns: dict[str, _Pattern]  # joined name -> what its rows are rows of
    numbers: dict[str, tuple[Var, ...]]  # joined name -> the names of the numbers in its place
    definitions: dict[str, Expr]
    fresh: object
    made: set[str] = field(default_factory=set)

    @staticmethod
    def of(fn: Function, found: Buffers, troubled: set[str]) -> _Rows:
        definitions = {s.target: s.value for s in walk.statements(fn.body) if isinstance(s, Let)}
        lasting = {p.name for p in fn.params} | {s.target for s in fn.body if isinstance(s, Let)}
        given: dict[str, list[Expr]] = {}
        for stmt in walk.statements(fn.body):
            if isinstance(stmt, Move):
                for target, value in zip(stmt.targets, stmt.values):
                    given.setdefault(target, []).append(value)
        rows = _Rows({}, {}, definitions, fresh_names(set(lasting) | walk.assigned(fn.body)))
        tests = {n for s in walk.statements(fn.body) if isinstance(s, While) for n in walk.names(s.test)}
        for start in sorted(troubled):
            if start not in rows.patterns:
                group = _group(start, given)
                pattern = rows.common(group, given, lasting)
                if pattern is not None and not group & tests:
                    rows.patterns.update(dict.fromkeys(group, pattern))
        for name, pattern in rows.patterns.items():
            gaps = [part for part in pattern.parts if part is None]
            rows.numbers[name] = tuple(Var(rows.name(f"{hint(name)}_index"), INT) for _ in gaps)
        return rows

    def name(self, base: str) -> str:
        return self.fresh(base)  # type: ignore[operator]

    def common(self, group: set[str], given: dict[str, list[Expr]], lasting: set[str]) -> _Pattern | None:
        """What all rows that the names of a group stand for have in common; None: not enough."""
        patterns: list[_Pattern] = []
        for name in group:
            for value in given.get(name, ()):
                if isinstance(value, Var) and value.name in group:
                    continue
                found = self.row_of(value)
                if found is None:
                    return None
                patterns.append(found[0])
        if not patterns or any(p != patterns[0] for p in patterns) or patterns[0].base.name not in lasting:
            return None
        return patterns[0] if patterns[0].base.name not in given else None

    def row_of(self, value: Expr) -> tuple[_Pattern, Numbers] | None:
        """The array, the subscript and the numbers in it of a name that is defined as a row."""
        view = self.definitions.get(value.name) if isinstance(value, Var) else None
        if not (isinstance(view, Call) and view.fn is operator.getitem and isinstance(view.args[0], Var)):
            return None
        if view_of(view) is None:
            return None
        index = view.args[1]
        items = index.items if isinstance(index, Tuple) else (index,)
        numbers = tuple(item for item in items if _is_number(item))
        rest = tuple(None if _is_number(item) else item for item in items)
        if not numbers or any(part is not None and walk.names(part) for part in rest):
            return None
        return _Pattern(view.args[0], rest), numbers

    # ------------------------------------------------------------ rewriting

    def block(self, block: Block, rows: dict[str, Expr]) -> Block:
        """A block in which the names in `rows` are replaced by present views."""
        rows = dict(rows)
        out: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Move):
                out.append(self.move(stmt, rows))
                continue
            carried = [name for name in _joined(stmt) if name in self.patterns]
            if carried and isinstance(stmt, (For, While)):
                self.enter(stmt, carried, out)
                inside = dict(rows)
                opening = self.views(carried, inside, stmt.origin)
                body = (*opening, *self.block(stmt.body, inside))
                out.append(walk.map_stmt(lambda e: walk.substitute(e, rows), stmt, lambda _: body))  # noqa: B023
            else:
                out.append(walk.map_stmt(lambda e: walk.substitute(e, rows), stmt, lambda b: self.block(b, rows)))
            out += self.views(carried, rows, stmt.origin)
        return tuple(out)

    def enter(self, loop: For | While, carried: list[str], out: list[Stmt]) -> None:
        """Numbers for names that nothing is given to before a loop: they are not read before they are assigned."""
        entry = out[-1] if out and isinstance(out[-1], Move) else None
        known = entry.targets if entry is not None else ()
        names = tuple(n.name for name in carried for n in self.numbers[name] if n.name not in known)
        zeros = (Const(0, INT),) * len(names)
        if names and entry is not None:
            out[-1] = replace(entry, targets=(*entry.targets, *names), values=(*entry.values, *zeros))
        elif names:
            out.append(Move(names, zeros, loop.origin))

    def views(self, names: list[str], rows: dict[str, Expr], origin: Origin) -> list[Stmt]:
        """Statements that take the rows anew; in `rows`, what stands for them from here."""
        result: list[Stmt] = []
        for name in names:
            value = self.patterns[name].row(self.numbers[name])
            new = self.name(hint(name))
            self.made.add(new)
            rows[name] = Var(new, value.type)  # type: ignore[union-attr]
            result.append(Let(new, value, origin))
        return result

    def move(self, move: Move, rows: dict[str, Expr]) -> Move:
        targets: list[str] = []
        values: list[Expr] = []
        for target, value in zip(move.targets, move.values):
            if target not in self.patterns:
                targets.append(target)
                values.append(walk.substitute(value, rows))
                continue
            targets += [number.name for number in self.numbers[target]]
            values += self.numbers_of(value)
        return replace(move, targets=tuple(targets), values=tuple(values))

    def numbers_of(self, value: Expr) -> Numbers:
        if isinstance(value, Var) and value.name in self.numbers:
            return self.numbers[value.name]
        found = self.row_of(value)
        assert found is not None
        return found[1]


def _is_number(item: Expr) -> bool:
    return not isinstance(item, Slice) and isinstance(item.type, Scalar)


def _joined(stmt: Stmt) -> Iterator[str]:
    """The names that a branch or a loop joins."""
    ends = [block[-1] for block in walk.blocks(stmt) if block and isinstance(block[-1], Move)]
    yield from dict.fromkeys(name for end in ends for name in end.targets)


def _group(start: str, given: dict[str, list[Expr]]) -> set[str]:
    """The joined names that hand their arrays on to one another."""
    group: set[str] = set()
    work = [start]
    while work:
        name = work.pop()
        if name in group:
            continue
        group.add(name)
        work += [v.name for v in given[name] if isinstance(v, Var) and v.name in given and is_array(v.type)]
        work += [t for t, values in given.items() if any(isinstance(v, Var) and v.name == name for v in values)]
    return group


def _without(block: Block, names: set[str]) -> Block:
    """A block without the definitions of some names."""
    kept = (s for s in block if not (isinstance(s, Let) and s.target in names))
    return tuple(walk.map_stmt(lambda e: e, s, lambda inner: _without(inner, names)) for s in kept)
