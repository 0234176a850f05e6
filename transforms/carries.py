"""Loops in type inference: again and again, until what an iteration hands on has the type of what it was given; part
of `infer`."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace

from srcad.analysis.buffers import stored_names
from srcad.lang.arrays import number
from srcad.lang.ir import Block, Call, Const, Expr, For, Move, Stmt, Var, While, hint
from srcad.lang.shapes import mentions, symbol
from srcad.lang.types import INT, NONE, UNKNOWN, Array, Scalar, TupleType, Type
from srcad.lang import walk
from srcad.lang.walk import assigned, moves_of
from srcad.transforms.starts import at_least_once, grown, start
from srcad.transforms.turns import Turns
from srcad.transforms.without_axes import is_without_axes, only_computes
from srcad.transforms.unroll import LONGEST, once, peeled, unrolled
from srcad.typing.facts import NotStatic
from srcad.typing.refusal import NoIteration
from srcad.typing.table import Refusal


@dataclass
class Loops(Turns):
    """Types loops."""

    late: set[str] = field(default_factory=set)  # what a loop carries that is None before the first iteration
    by_number: bool = True  # whether loops may begin with the number that an array of rank 0 holds
    holders: set[str] = field(default_factory=set)  # the arrays of which that is so

    def loop(self, stmt: For | While, before: Move | None) -> list[Stmt]:
        around = self.turned, self.unsure  # what is known of the loop around this one
        try:
            return self.one_loop(stmt, before)
        finally:
            self.turned, self.unsure = around

    def one_loop(self, stmt: For | While, before: Move | None) -> list[Stmt]:
        carried = stmt.body[-1].targets if stmt.body and isinstance(stmt.body[-1], Move) else ()
        blocks = ((stmt,), *self.rests())
        moved = [] if before is None else [
            (t, self.begins(t, self.moved(v), blocks)) for t, v in zip(before.targets, before.values)
        ]
        entry = [(target, value) for target, value in moved if value.type != UNKNOWN]
        for target, value in entry:
            if target not in carried:  # what no iteration changes is what it was
                self.learn(target, value)
                self.names[target] = value
        seen = set().union(*self.scopes)
        known = {name: value for name, value in self.names.items() if name in seen}
        self.scopes[-1].update(t for t, _ in entry)
        self.made.update(entry)
        types = {t: self.joined.get(t, UNKNOWN) for t in carried}
        for target, value in entry:
            if target in types:
                types[target] = self.carried(value.type, types[target], target)
        before_loop = self.state()
        self.turned, self.unsure = set(), set()
        header, body = self.settle(stmt, types)
        special = self.special(stmt, header, {t: v for t, v in entry if t in types}, before_loop, dict(moves_of(body)))
        if special is not None:
            return special
        same = {t for t, v in moves_of(body) if v == self.names.get(t) and isinstance(types.get(t), Scalar)}
        unchanged = [(t, v) for t, v in entry if t in same]
        if unchanged:
            for target, value in unchanged:
                self.learn(target, value)
                self.names[target] = value
                del types[target]
            header, body = self.settle(replace(stmt, body=_without(stmt.body, dict(unchanged))), types)
        entry = [(t, v) for t, v in entry if t in types and not isinstance(self.names.get(t), Const)]
        checks, entry = self.begun(header, entry, types, known)
        start = [Move(tuple(t for t, _ in entry), tuple(v for _, v in entry), stmt.origin)] if entry else []
        return [*checks, *start, replace(header, body=self.kept(body))]

    def begins(self, target: str, value: Expr, blocks: Sequence[Block]) -> Expr:
        """What a loop begins with: instead of an array of rank 0, perhaps the number that it holds."""
        if not (self.by_number and is_without_axes(value) and only_computes(target, blocks)):
            return value
        self.holders |= walk.names(value)
        return number(value)

    def special(
        self, stmt: For | While, header: For | While, values: dict[str, Expr], before: Loops, handed: dict[str, Expr]
    ) -> list[Stmt] | None:
        """A loop that has to be written in another way; `before` is what was known before it."""
        if (others := self.first_apart(stmt, header, values, before)) is not None:
            return others
        late = self.late - before.late
        if not (isinstance(stmt, For) and isinstance(header, For)):
            self.may_stay_none(late, handed)
            return None
        counts, limit = None, None
        if self.uncertain > before.uncertain:
            counts, limit = self.counts(header)
            if counts is None:
                self.ask_for(header)
        if counts is not None:
            self.forget(before)
            return self.written_out(*unrolled(stmt, counts, limit, values, self.name_afresh))
        if late and isinstance(header.step, Const):
            self.forget(before)
            checks = [check for name in sorted(late) if self.read_behind(stmt, name)
                      for check in at_least_once(header, [], name, "None") or ()]
            return [*checks[:1], *self.written_out(*peeled(stmt, values, self.name_afresh, late))]
        self.may_stay_none(late, handed)
        if self.left_at_once(stmt, handed):
            self.forget(before)
            return self.branch(once(stmt, values))
        return None

    def may_stay_none(self, late: set[str], handed: dict[str, Expr]) -> None:
        """Refuse what is None before a loop whose first iteration nobody takes out, so that it gets a flag."""
        for name in sorted(late & handed.keys()):
            self.join(NONE, handed[name].type, name)

    def ask_for(self, loop: For) -> None:
        """The number of iterations would help, if arguments say it."""
        names = walk.names(loop.start) | walk.names(loop.stop) | walk.names(loop.step)
        self.asks |= names if names <= self.integers else frozenset()

    def counts(self, loop: For) -> tuple[range | None, Expr | None]:
        """The counts of a loop, if they are few and known; where only their largest number is, the limit, too."""
        limit = None
        stop = loop.stop
        if isinstance(stop, Call) and stop.fn is min:
            known = [arg for arg in map(self.folded, stop.args) if isinstance(arg, Const)]
            stop, limit = (known[0], stop) if known else (stop, None)
        try:
            counts = range(*(self.known(e) for e in (loop.start, stop, loop.step)))
        except (NotStatic, TypeError, ValueError):
            return None, None
        return (counts, limit) if len(counts) <= LONGEST else (None, None)

    def state(self) -> Loops:
        """What is known now, to come back to."""
        return Loops(**{part.name: copy(getattr(self, part.name)) for part in fields(Loops)})

    def forget(self, state: Turns) -> None:
        """Come back to what was known."""
        for part in fields(Loops):
            setattr(self, part.name, getattr(state, part.name))

    def carried(self, before: Type, after: Type, name: str) -> Type:
        """The type of a carried name that is of the type `before` at first and `after` at the end of an iteration."""
        several = after == UNKNOWN and isinstance(before, Scalar) and self.ranks_met
        if several or -1 < _rank(before) != _rank(after) > -1:
            self.turned.add(name)
        if isinstance(before, Scalar) and isinstance(after, Array):
            return grown(before, after)
        if before == NONE and isinstance(after, (Scalar, Array)):
            self.late.add(name)
            return after
        return self.join(before, after, name)

    def begun(
        self, loop: For | While, entry: list[tuple[str, Expr]], types: dict[str, Type], known: dict[str, Expr]
    ) -> tuple[list[Stmt], list[tuple[str, Expr]]]:
        """The values that a loop begins with, arrays where it carries arrays, and the checks that this takes."""
        checks: list[Stmt] = []
        values = dict(entry)
        for target, type in types.items():
            value = values.get(target)
            if value is not None and isinstance(type, Scalar):
                values[target] = self.of_type(value, type)
            if not isinstance(type, Array) or value is not None and not isinstance(value.type, Scalar):
                continue
            array = start(known, type, value and self.folded(value))
            number = value is not None and target not in self.entered and not self.harmless_behind(target, value)
            check = at_least_once(loop, entry, target) if number else []
            if check and self.may_part() and not self.result_grows(target):
                raise NoIteration(hint(target), "")
            if array is not None and check is not None:
                values[target] = array
                checks += check
            elif value is not None:
                self.join(value.type, type, target)
        return checks, list(values.items())

    def of_type(self, value: Expr, type: Scalar) -> Expr:
        """A value that a loop begins with; an integer constant as the float that it becomes."""
        known = self.folded(value)
        if isinstance(known, Const) and known.type == INT and type.dtype == "float64":
            return Const(float(known.value), type)
        return value

    def settle(self, stmt: For | While, types: dict[str, Type]) -> tuple[For | While, list[Stmt]]:
        """Type a loop again and again until what an iteration hands on has the type of what it was given."""
        inside = assigned(stmt.body)
        while True:
            problems, left_out = len(self.problems), len(self.left_out)
            unread, met = dict(self.unread), self.ranks_met
            for target, type in types.items():
                self.names.pop(target, None)
                if type != UNKNOWN:
                    self.bind(target, type)
            header = self.header(stmt)
            body = self.block(stmt.body, frozenset(types) | stored_names(stmt.body))
            self.origin = stmt.origin
            found = {t: self.carried(types[t], _lasting(v.type, inside, t), t) for t, v in moves_of(body) if t in types}
            failed = [t for t in found if found[t] == UNKNOWN and types[t] != UNKNOWN]
            if failed or all(found.get(t, types[t]) == types[t] for t in types):
                return self.flagged(header, dict(moves_of(body))), body
            self.unsure |= self.turned if self.ranks_met > met else set()
            types.update(found)
            for name in inside - found.keys():  # what was found of inner loops rests on types that were too narrow
                self.joined.pop(name, None)
            self.joined.update(found)
            del self.problems[problems:], self.left_out[left_out:]
            self.unread = unread

    def header(self, stmt: For | While) -> For | While:
        self.origin = stmt.origin
        if isinstance(stmt, While):
            return replace(stmt, test=self.decide(stmt.test))
        start, stop, step = map(self.bound, (stmt.start, stmt.stop, stmt.step))
        self.names[stmt.index] = Var(stmt.index, INT)
        self.made[stmt.index] = start
        return replace(stmt, start=start, stop=stop, step=step)

    def bound(self, expr: Expr) -> Expr:
        try:
            bound = self.expr(expr)
            if not isinstance(bound.type, Scalar) or bound.type.dtype.startswith(("float", "complex")):
                raise Refusal("a range of something that is no integer", "int(n), or n // k")
            return bound
        except Refusal as refusal:
            self.refuse(refusal)
            return expr

    def left_at_once(self, stmt: For | While, handed: dict[str, Expr]) -> bool:
        """Whether every first iteration is the last one."""
        flag = handed.get(stmt.flag, self.names.get(stmt.flag)) if isinstance(stmt, For) and stmt.flag else None
        known = None if flag is None else self.folded(flag)
        constant_step = isinstance(stmt, For) and isinstance(stmt.step, Const)
        return constant_step and isinstance(known, Const) and bool(known.value)

    def flagged(self, stmt: For | While, handed: dict[str, Expr]) -> For | While:
        """A loop's flag under the name that it has now; of one that is carried, what an iteration has handed on."""
        if not isinstance(stmt, For) or stmt.flag is None:
            return stmt
        flag = handed.get(stmt.flag) or self.names.get(stmt.flag)
        flag = None if flag is None else self.folded(flag)
        if isinstance(flag, Var):
            return replace(stmt, flag=flag.name)
        return replace(stmt, flag=None)


def _rank(type: Type) -> int:
    return 0 if isinstance(type, Scalar) else type.ndim if isinstance(type, Array) else -1


def _without(body: Block, names: dict[str, Expr]) -> Block:
    """A block that hands on nothing under these names."""
    *first, last = body
    assert isinstance(last, Move)
    pairs = [(t, v) for t, v in zip(last.targets, last.values) if t not in names]
    rest = replace(last, targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs))
    return (*first, rest) if pairs else tuple(first)


def _lasting(type: Type, inside: set[str], name: str) -> Type:
    """A type as the next iteration sees it: lengths that belong to one iteration are those of the carried name."""
    if isinstance(type, TupleType):
        parts = tuple(_lasting(item, inside, f"{name}.{k}") for k, item in enumerate(type.items))
        return replace(type, items=parts)
    if not isinstance(type, Array):
        return type
    dims = tuple(symbol(name, k) if fleeting(d, inside) else d for k, d in enumerate(type.shape))
    return replace(type, shape=dims)


def fleeting(dim: object, inside: set[str]) -> bool:
    """Whether a length is nobody's, or that of something that is made `inside`: elsewhere nothing says what it is."""
    return isinstance(dim, str) and ("?" in dim or mentions(dim, inside))
