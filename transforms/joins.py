"""Branches and loops in type inference: what a name is where two paths meet."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from srcad.analysis.buffers import stored_names
from srcad.lang.errors import Problem
from srcad.lang.ir import Block, Const, Expr, For, If, Let, Move, Stmt, Var, While, hint
from srcad.lang.origin import Origin
from srcad.lang.pinpoint import pinpoint
from srcad.lang.shapes import mentions, symbol
from srcad.lang.types import INT, UNKNOWN, Array, Scalar, Static, TupleType, Type
from srcad.lang.walk import assigned
from srcad.transforms.starts import at_least_once, grown, start
from srcad.typing.facts import NotStatic
from srcad.typing.join import join
from srcad.typing.table import Refusal, constant
from srcad.typing.typer import Typer


@dataclass
class Joins(Typer):
    """Types branches and loops; loops again and again until the types of what they carry agree."""

    problems: list[Problem] = field(default_factory=list)
    unread: dict[str, Origin] = field(default_factory=dict)  # names read before they have a value
    origin: Origin = field(default_factory=Origin)
    joined: dict[str, Type] = field(default_factory=dict)  # what a joined name was found to be so far
    widened: dict[str, Origin] = field(default_factory=dict)  # arrays of which one path hands on a narrower dtype
    scopes: list[set[str]] = field(default_factory=lambda: [set()])  # the names that surely have a value by now

    def block(self, block: Block, carried: frozenset[str] | None = None) -> list[Stmt]:
        """Type the statements of a block; of a loop's body, whose iterations hand on the names and arrays `carried`."""
        raise NotImplementedError

    def learn(self, target: str, value: Expr) -> None:
        """What a name stands for after ``target = value``."""
        raise NotImplementedError

    def refuse(self, refusal: Refusal) -> None:
        if not refusal.poisoned:
            self.problems.append(Problem(pinpoint(self.origin, refusal.expr), refusal.reason, refusal.remedy))

    def bind(self, name: str, type: Type) -> None:
        """From here on, a name has this type."""
        self.values.pop(name, None)
        self.statics.pop(name, None)
        self.names[name] = constant(type.value) if isinstance(type, Static) else Var(name, type)

    def unassigned(self, name: str) -> None:
        if name not in self.names:
            self.unread.setdefault(name, self.origin)

    def moved(self, value: Expr) -> Expr:
        """What is handed on; a name without a value is handed on as such, which only a later read makes wrong."""
        if isinstance(value, Var) and value.name not in self.names:
            return value
        try:
            return self.expr(value)
        except Refusal as refusal:
            self.refuse(refusal)
            return value

    def missing(self, value: Expr) -> bool:
        """Whether what is handed on is a name without a value."""
        return isinstance(value, Var) and value.name not in self.names

    # ------------------------------------------------------------ branches

    def branch(self, stmt: If) -> list[Stmt]:
        test = self.decide(stmt.test)
        if isinstance(test, Const):
            return self.taken(stmt.then if test.value else stmt.orelse)
        then, orelse = self.block(stmt.then), self.block(stmt.orelse)
        self.origin = stmt.origin
        incoming: dict[str, Type] = {}
        for block in (then, orelse):
            for target, value in _moves(block):
                incoming[target] = self.join(incoming.get(target, UNKNOWN), value.type, target)
        for target, type in incoming.items():
            self.bind(target, type)
        return [replace(stmt, test=test, then=self.kept(then), orelse=self.kept(orelse))]

    def decide(self, test: Expr) -> Expr:
        """A condition; one that cannot be typed is reported, and both branches are looked at."""
        try:
            return self.test(test)
        except Refusal as refusal:
            self.refuse(refusal)
            return test

    def taken(self, block: Block) -> list[Stmt]:
        """The only branch: what it joins is simply its own value."""
        out = self.block(block)
        if out and isinstance(out[-1], Move):
            for target, value in _moves(out):
                self.learn(target, value)
                self.names[target] = value
            out.pop()
        return out

    def join(self, a: Type, b: Type, name: str) -> Type:
        """The type of a joined name; of arrays the wider dtype, to which `widen` converts the other."""
        try:
            result = join(a, b, name, hint(name), wide=True)
            if isinstance(a, Array) and isinstance(b, Array) and a.dtype != b.dtype:
                self.widened[name] = self.origin
            return result
        except Refusal as refusal:
            self.refuse(refusal)
            arrays = [t for t in (a, b) if isinstance(t, Array)]
            return arrays[0] if len(arrays) == 1 and Scalar in (type(a), type(b)) else UNKNOWN

    def kept(self, block: list[Stmt]) -> Block:
        """A block without moves of what is known at compile time."""
        if not block or not isinstance(block[-1], Move):
            return tuple(block)
        pairs = [(t, v) for t, v in _moves(block) if not isinstance(self.names.get(t), Const) and v.type != UNKNOWN]
        last = replace(block[-1], targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs))
        return (*block[:-1], *((last,) if pairs else ()))

    # ------------------------------------------------------------ loops

    def loop(self, stmt: For | While, before: Move | None) -> list[Stmt]:
        carried = stmt.body[-1].targets if stmt.body and isinstance(stmt.body[-1], Move) else ()
        moved = [] if before is None else [(t, self.moved(v)) for t, v in zip(before.targets, before.values)]
        entry = [(target, value) for target, value in moved if value.type != UNKNOWN]
        for target, value in entry:
            if target not in carried:  # what no iteration changes is what it was
                self.learn(target, value)
                self.names[target] = value
        known = {name: self.names[name] for scope in self.scopes for name in scope if name in self.names}
        types = {t: self.joined.get(t, UNKNOWN) for t in carried}
        for target, value in entry:
            if target in types:
                types[target] = self.carried(value.type, types[target], target)
        header, body = self.settle(stmt, types)
        same = {t for t, v in _moves(body) if v == self.names.get(t) and isinstance(types.get(t), Scalar)}
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
        self.scopes[-1].update(t for t, _ in entry)
        return [*checks, *start, replace(header, body=self.kept(body))]

    def carried(self, before: Type, after: Type, name: str) -> Type:
        """The type of a carried name that is of the type `before` at first and `after` at the end of an iteration."""
        if isinstance(before, Scalar) and isinstance(after, Array):
            return grown(before, after)
        return self.join(before, after, name)

    def begun(
        self, loop: For | While, entry: list[tuple[str, Expr]], types: dict[str, Type], known: dict[str, Expr]
    ) -> tuple[list[Stmt], list[tuple[str, Expr]]]:
        """The values that a loop begins with, arrays where it carries arrays, and the checks that this takes."""
        checks: list[Stmt] = []
        values = dict(entry)
        for target, type in types.items():
            value = values.get(target)
            if not isinstance(type, Array) or value is not None and not isinstance(value.type, Scalar):
                continue
            array = start(known, type, value and self.folded(value))
            check = [] if value is None else at_least_once(self, loop, entry, target)
            if array is not None and check is not None:
                values[target] = array
                checks += check
            elif value is not None:
                self.join(value.type, type, target)
        return checks, list(values.items())

    def folded(self, value: Expr) -> Expr:
        """A constant where the value is known."""
        try:
            return Const(self.known(value), value.type)
        except NotStatic:
            return value

    def settle(self, stmt: For | While, types: dict[str, Type]) -> tuple[For | While, list[Stmt]]:
        """Type a loop again and again until what an iteration hands on has the type of what it was given."""
        inside = assigned(stmt.body)
        while True:
            problems, unread = len(self.problems), dict(self.unread)
            for target, type in types.items():
                self.names.pop(target, None)
                if type != UNKNOWN:
                    self.bind(target, type)
            header = self.header(stmt)
            body = self.block(stmt.body, frozenset(types) | stored_names(stmt.body))
            self.origin = stmt.origin
            found = {t: self.carried(types[t], _lasting(v.type, inside, t), t) for t, v in _moves(body) if t in types}
            failed = [t for t in found if found[t] == UNKNOWN and types[t] != UNKNOWN]
            if failed or all(found.get(t, types[t]) == types[t] for t in types):
                return self.flagged(header, body), body
            types.update(found)
            self.joined.update(found)
            del self.problems[problems:]
            self.unread = unread

    def header(self, stmt: For | While) -> For | While:
        self.origin = stmt.origin
        if isinstance(stmt, While):
            return replace(stmt, test=self.decide(stmt.test))
        start, stop, step = map(self.bound, (stmt.start, stmt.stop, stmt.step))
        self.names[stmt.index] = Var(stmt.index, INT)
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

    def flagged(self, stmt: For | While, body: list[Stmt]) -> For | While:
        """A loop's flag under the name that it has now."""
        if not isinstance(stmt, For) or stmt.flag is None:
            return stmt
        flag = self.names.get(stmt.flag)
        flag = None if flag is None else self.folded(flag)
        if isinstance(flag, Var):
            return replace(stmt, flag=flag.name)
        if isinstance(flag, Const) and flag.value:
            at = len(body) - 1 if body and isinstance(body[-1], Move) else len(body)
            body.insert(at, Let(stmt.flag, flag, stmt.origin))
            return stmt
        return replace(stmt, flag=None)


def _without(body: Block, names: dict[str, Expr]) -> Block:
    """A block that hands on nothing under these names."""
    *first, last = body
    assert isinstance(last, Move)
    pairs = [(t, v) for t, v in zip(last.targets, last.values) if t not in names]
    rest = replace(last, targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs))
    return (*first, rest) if pairs else tuple(first)


def _moves(block: list[Stmt]) -> list[tuple[str, Expr]]:
    """What the end of a branch or an iteration hands on."""
    return list(zip(block[-1].targets, block[-1].values)) if block and isinstance(block[-1], Move) else []


def _lasting(type: Type, inside: set[str], name: str) -> Type:
    """A type as the next iteration sees it: lengths that belong to one iteration are those of the carried name."""
    if isinstance(type, TupleType):
        parts = tuple(_lasting(item, inside, f"{name}.{k}") for k, item in enumerate(type.items))
        return replace(type, items=parts)
    if not isinstance(type, Array):
        return type
    dims = tuple(symbol(name, k) if _fleeting(d, inside) else d for k, d in enumerate(type.shape))
    return replace(type, shape=dims)


def _fleeting(dim: object, inside: set[str]) -> bool:
    return isinstance(dim, str) and ("?" in dim or mentions(dim, inside))
