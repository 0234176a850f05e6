"""places: arrays that change their name, by their numbers.

``row = A[i]`` at the end of an iteration gives a row of `A` a name that another row had before; ``w = a if c else b``
gives a name to one of two arrays. Written to, it would be an array known under two names. It is the number of the row,
or of the array, that is carried instead, and where the array is used it is taken anew: a view like any other.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from srcad.analysis.buffers import buffers
from srcad.analysis.handover import shared_names
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Var, While, hint, select,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT, Type, is_array
from srcad.transforms.flatten import fresh_names
from srcad.transforms.homes import asked_before, housed
from srcad.transforms.owned import owned
from srcad.transforms.own_records import with_own_records
from srcad.transforms.sources import Numbers, Pattern, Sources, Turn, joined
from srcad.transforms.windows import windows


def places(fn: Function) -> Function:
    """Carry the numbers of arrays where the arrays themselves are written to under several names.

    Names that are views of such names are numbered in the next round: then what they are views of is there for good.
    """
    fn = windows(fn)
    troubled = shared_names(fn, buffers(fn))
    if troubled and (alone := with_own_records(fn, troubled)) is not fn:
        fn, troubled = alone, shared_names(alone, buffers(alone))
    while troubled:
        fn = _without(fn, troubled)
        left = shared_names(fn, buffers(fn))
        troubled = left if len(left) < len(troubled) else set()
    return fn


def _without(fn: Function, troubled: set[str]) -> Function:
    """A function that carries numbers in the place of those troubled names that can be numbered now."""
    fn, rows = _numbered(fn, troubled)
    if not rows.choices:
        return fn
    body = rows.block(fn.body, {})
    read = {name for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}
    unread = rows.made - read
    return replace(fn, body=walk.without(body, lambda s: isinstance(s, Let) and s.target in unread))


def _numbered(fn: Function, troubled: set[str]) -> tuple[Function, _Rows]:
    """A function in which names may be replaced by numbers, and what these are: of all troubled names, if possible."""
    named, own = owned(fn, buffers(fn), troubled)
    rows = _Rows.of(named, troubled, own)
    if own and not troubled <= rows.choices.keys():
        named, rows = fn, _Rows.of(fn, troubled, set())
    if troubled <= rows.choices.keys():
        return named, rows
    asked = asked_before(fn, set().union(*map(rows.group, troubled)))
    homely = housed(asked, buffers(asked), _distinct(map(rows.group, troubled)))
    still = shared_names(homely, buffers(homely))
    others = _Rows.of(homely, still, set())
    if len(still - others.choices.keys()) < len(troubled - rows.choices.keys()):
        return homely, others
    return named, rows


def _distinct(groups: Iterable[set[str]]) -> list[set[str]]:
    return [set(group) for group in sorted({tuple(sorted(group)) for group in groups})]


@dataclass
class _Rows:
    sources: Sources
    fresh: Callable[[str], str]
    types: dict[str, Type]  # of the joined names
    choices: dict[str, dict[int, Pattern]] = field(default_factory=dict)  # joined name -> what it may be, numbered
    which: dict[str, Var] = field(default_factory=dict)  # joined name -> the number of what it is
    gaps: dict[str, dict[int, tuple[Var, ...]]] = field(default_factory=dict)  # joined name -> the numbers in its gaps
    groups: dict[str, set[str]] = field(default_factory=dict)  # joined name -> those that hand on arrays to each other
    turns: dict[str, Turn] = field(default_factory=dict)  # view of a joined name -> what each array becomes
    numbered: dict[str, Var] = field(default_factory=dict)  # view of a joined name -> the number of what it is
    made: set[str] = field(default_factory=set)

    @staticmethod
    def of(fn: Function, troubled: set[str], lasting: set[str]) -> _Rows:
        used = {p.name for p in fn.params} | walk.assigned(fn.body)
        exprs = [e for s in walk.statements(fn.body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
        types = {e.name: e.type for e in exprs if isinstance(e, Var)}
        rows = _Rows(Sources.of(fn, lasting), fresh_names(used), types)
        tests = {n for s in walk.statements(fn.body) if isinstance(s, While) for n in walk.names(s.test)}
        given = {name: values for name, values in rows.sources.given.items() if name not in lasting}
        grouped = set().union(set(), *(_group(start, given) for start in troubled))
        rows.sources.lasting |= {n for n in given.keys() - grouped if isinstance(rows.sources.joins.get(n), If)}
        for start in sorted(troubled - rows.choices.keys()):
            group = _group(start, given)
            if not group & tests and group <= rows.sources.homes.keys():
                rows.choose(group)
        for name, choices in rows.choices.items():
            if len(choices) > 1 and not rows.decided(name):
                rows.which[name] = Var(rows.fresh(f"{hint(name)}_choice"), INT)
            rows.gaps[name] = {
                k: tuple(Var(rows.fresh(f"{hint(name)}_index"), INT) for _ in range(pattern.gaps))
                for k, pattern in choices.items()
            }
        return rows

    def group(self, name: str) -> set[str]:
        """The joined names that hand on arrays to a name or from it."""
        return _group(name, self.sources.given)

    def choose(self, group: set[str]) -> None:
        """Find what each name of a group may stand for, if all of it can be taken anew."""
        patterns: list[Pattern] = []
        may_be: dict[str, set[int]] = {name: set() for name in group}
        turned: list[tuple[str, str, Turn]] = []
        for name in sorted(group):
            for value in self.sources.given.get(name, ()):
                if isinstance(value, Var) and (turn := self.sources.turn(value, group)) is not None:
                    turned.append((name, value.name, turn))
                elif not (isinstance(value, Var) and value.name in group):
                    found = self.sources.of_value(value, group)
                    if found is None:
                        return
                    if not any(found[0].same(known) for known in patterns):
                        patterns.append(found[0])
                    may_be[name].add(_position(found[0], patterns))
        while True:
            before = {name: len(numbers) for name, numbers in may_be.items()}
            for name in group:
                handed = [v.name for v in self.sources.given.get(name, ()) if isinstance(v, Var) and v.name in group]
                may_be[name].update(*(may_be[other] for other in handed))
            for name, _, turn in turned:
                if not turn.follow(may_be[turn.base], patterns):
                    return
                may_be[name] |= {turn.becomes[k] for k in may_be[turn.base]}
            if before == {name: len(numbers) for name, numbers in may_be.items()}:
                break
        self.turns |= {value: turn for _, value, turn in turned}
        if all(may_be.values()):
            self.choices |= {name: {k: patterns[k] for k in sorted(may_be[name])} for name in sorted(group)}
            self.groups |= dict.fromkeys(group, group)

    def decided(self, name: str) -> bool:
        """Whether a name is one of two arrays, and the test of a branch says which."""
        stmt, patterns = self.sources.joins.get(name), self.choices[name].values()
        simple = len(self.groups[name]) == 1 and not self.turns and not any(pattern.gaps for pattern in patterns)
        return simple and isinstance(stmt, If) and len(patterns) == len(self.sources.given[name]) == 2

    # ------------------------------------------------------------ rewriting

    def block(self, block: Block, rows: dict[str, Expr]) -> Block:
        """A block in which the names in `rows` are replaced by present views."""
        rows = dict(rows)
        out: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Move):
                out += self.turned(stmt)
                out.append(self.move(stmt, rows))
                continue
            carried = [name for name in joined(stmt) if name in self.choices]
            if carried and isinstance(stmt, (For, While)):
                out = list(self.bound(tuple(out), carried, stmt.origin))
                inside = dict(rows)
                opening = self.views(carried, inside, stmt)
                body = (*opening, *self.block(stmt.body, inside))
                out.append(walk.map_stmt(lambda e: walk.substitute(e, rows), stmt, lambda _: body))  # noqa: B023
            else:
                new = walk.map_stmt(lambda e: walk.substitute(e, rows), stmt, lambda b: self.block(b, rows))
                if carried and isinstance(new, If):
                    then, orelse = (self.bound(side, carried, stmt.origin) for side in (new.then, new.orelse))
                    new = replace(new, then=then, orelse=orelse)
                out.append(new)
            out += self.views(carried, rows, stmt)
        return tuple(out)

    def bound(self, block: Block, carried: list[str], origin: Origin) -> Block:
        """A block with numbers for names that it gives nothing to: they are not read before they are assigned."""
        end = block[-1] if block and isinstance(block[-1], Move) else Move((), (), origin)
        names = tuple(n.name for name in carried for n in self.numbers(name) if n.name not in end.targets)
        zeros = (Const(0, INT),) * len(names)
        end = replace(end, targets=(*end.targets, *names), values=(*end.values, *zeros))
        return (*(block[:-1] if block and isinstance(block[-1], Move) else block), end) if names else block

    def views(self, names: list[str], rows: dict[str, Expr], stmt: Stmt) -> list[Stmt]:
        """Statements that take the arrays anew behind what joins them; in `rows`, what stands for them from here."""
        result: list[Stmt] = []
        for name in names:

            def emit(value: Expr, name: str = name) -> Var:
                new = self.fresh(hint(name))
                self.made.add(new)
                result.append(Let(new, value, stmt.origin))
                return Var(new, value.type)  # type: ignore[union-attr]

            if name not in self.types:
                continue  # nothing reads it
            *others, (_, row) = self.taken(name, emit)
            for k, array in reversed(others):
                test = self.test(name, k, stmt, result)
                row = emit(Call(select, (test, array, row), (), self.types[name]))
            rows[name] = row
        return result

    def taken(self, name: str, emit: Callable[[Expr], Var]) -> list[tuple[int, Var]]:
        """The arrays that a name may stand for, with their numbers."""
        order = list(self.choices[name])
        if self.decided(name):
            ends = [block[-1] for block in walk.blocks(self.sources.joins[name])]
            values = [dict(zip(end.targets, end.values))[name] for end in ends]  # type: ignore[union-attr]
            order = [self.source(name, value)[0] for value in values]
        return [(k, self.choices[name][k].taken(self.gaps[name][k], emit)) for k in order]

    def source(self, target: str, value: Expr) -> tuple[int, Numbers]:
        """Which of the arrays that a name may stand for a value is, and the numbers in its gaps."""
        found = self.sources.of_value(value, self.groups[target])
        assert found is not None
        pattern, numbers = found
        return next(k for k, known in self.choices[target].items() if pattern.same(known)), numbers

    def test(self, name: str, k: int, stmt: Stmt, out: list[Stmt]) -> Expr:
        """Whether a name stands for the array of this number."""
        if self.decided(name):
            assert isinstance(stmt, If)
            return stmt.test
        test = self.fresh("_c")
        self.made.add(test)
        out.append(Let(test, Call(operator.eq, (self.which[name], Const(k, INT)), (), BOOL), stmt.origin))
        return Var(test, BOOL)

    def move(self, move: Move, rows: dict[str, Expr]) -> Move:
        targets: list[str] = []
        values: list[Expr] = []
        for target, value in zip(move.targets, move.values):
            if target not in self.choices:
                targets.append(target)
                values.append(walk.substitute(value, rows))
            else:
                targets += [number.name for number in self.numbers(target)]
                values += [walk.substitute(number, rows) for number in self.numbers_of(target, value)]
        return replace(move, targets=tuple(targets), values=tuple(values))

    def turned(self, move: Move) -> list[Stmt]:
        """The numbers of the arrays that views of joined names are."""
        result: list[Stmt] = []
        for target, value in zip(move.targets, move.values):
            if target in self.choices and isinstance(value, Var) and value.name in self.turns:
                turn = self.turns[value.name]
                numbers = [turn.becomes[k] for k in self.choices[turn.base]]
                known: Expr = Const(numbers[-1], INT)
                for k, number in list(zip(self.choices[turn.base], numbers))[-2::-1]:
                    test = Call(operator.eq, (self.which[turn.base], Const(k, INT)), (), BOOL)
                    known = Call(select, (test, Const(number, INT), known), (), INT)
                self.numbered[value.name] = Var(self.fresh(f"{hint(target)}_choice"), INT)
                result.append(Let(self.numbered[value.name].name, known, move.origin))
        return result

    def numbers(self, name: str) -> list[Var]:
        """The numbers that are carried in the place of a name."""
        which = [self.which[name]] if name in self.which else []
        return [*which, *(number for gaps in self.gaps[name].values() for number in gaps)]

    def numbers_of(self, target: str, value: Expr) -> list[Expr]:
        """What a value gives to the numbers of a name."""
        if isinstance(value, Var) and value.name in self.choices:
            which = self.which.get(value.name) or Const(next(iter(self.choices[value.name])), INT)
            given: dict[int, Numbers] = dict(self.gaps[value.name])
        elif isinstance(value, Var) and value.name in self.numbered:
            which, given = self.numbered[value.name], {}
        else:
            k, numbers = self.source(target, value)
            which, given = Const(k, INT), {k: numbers}
        result: list[Expr] = [which] if target in self.which else []
        for k, gaps in self.gaps[target].items():
            result += given.get(k, (Const(0, INT),) * len(gaps))
        return result


def _position(pattern: Pattern, patterns: list[Pattern]) -> int:
    return next(k for k, known in enumerate(patterns) if pattern.same(known))


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
