"""exits: one return, at the end; part of `surface`.

An early `return`, `break` or `continue` becomes nesting: what follows goes into the branch that goes on. Where
that is not enough a flag says that the rest is skipped, and a loop leaves when its flag is set.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, Union

from srcad.lang import walk
from srcad.lang.forms import Break, Continue, LoopElse, Unrolled
from srcad.lang.ir import (
    Block, Call, Const, Expr, For, Function, If, Let, Return, Stmt, Var, While, and_, or_,
)  # fmt: skip
from srcad.transforms.segments import NOTE
from srcad.transforms.control import BREAK, CONTINUE, RETURN, falls, goes_on, has_loop_exit, is_test, kinds, kinds_of

def exits(fn: Function) -> Function:
    """Give a function one return, at the end, and its loops one way out.

    >>> x = Var("x")
    >>> early = If(x, (Return(Const(1)),))
    >>> exits(Function("f", (), (early, Return(x)))).body[0].orelse
    (Let(target='result.1', value=Var(name='x', type=Unknown()), origin=...),)
    """
    body = fn.body
    if not body or falls(body):
        body = (*body, Return(Const(None), fn.origin))
    if isinstance(body[-1], Return) and not any(kinds(stmt) or has_loop_exit(stmt) for stmt in body[:-1]):
        return replace(fn, body=body)
    remover = _Exits()
    new = remover.block(list(body), None, frozenset())
    return replace(fn, body=_finish(_tidy(tuple(new), remover.flags), remover.result, fn))


def _finish(body: Block, result: str, fn: Function) -> Block:
    """Return what was assigned to the result, directly if that is the last thing to be done."""
    lets = [stmt for stmt in walk.statements(body) if isinstance(stmt, Let) and stmt.target == result]
    if len(lets) == 1 and body and body[-1] is lets[0]:
        return (*body[:-1], Return(lets[0].value, lets[0].origin))
    if not lets:
        return (*body, Return(Const(None), fn.origin))
    value = lets[0].value
    if isinstance(value, Var) and all(stmt.value == value for stmt in lets) and _bound_first(body, value.name):
        return (*_without(body, lambda name: name == result), Return(value, lets[-1].origin))
    return (*body, Return(Var(result), lets[-1].origin))


def _bound_first(body: Block, name: str) -> bool:
    """Whether a name has its only value from a statement that is always executed, before any exit."""
    first = next((k for k, stmt in enumerate(body) if not isinstance(stmt, Let)), len(body))
    bound = any(isinstance(stmt, Let) and stmt.target == name for stmt in body[:first])
    return bound and sum(isinstance(stmt, Let) and stmt.target == name for stmt in walk.statements(body)) == 1


# ---------------------------------------------------------------- the pass


@dataclass(frozen=True)
class _Loop:
    """The flags of a loop: to leave it, and to skip the rest of an iteration."""

    leave: str
    skip: str


Ready = frozenset[str]


class _Exits:
    def __init__(self) -> None:
        self.result, self.done = "result.1", "done.1"
        self.flags = {self.done}

    def block(self, stmts: list[Any], loop: _Loop | None, ready: Ready) -> list[Stmt]:
        """Statements without early exits; the flags in `ready` have been set to False before."""
        out: list[Stmt] = []
        for position, stmt in enumerate(stmts):
            rest = stmts[position + 1:]
            match stmt:
                case Return(value):
                    out.append(Let(self.result, value, stmt.origin))
                    return out + [Let(self.done, Const(True), stmt.origin)]
                case Break():
                    return out + [Let(loop.leave, Const(True), stmt.origin)]  # type: ignore[union-attr]
                case Continue():
                    return out + [Let(loop.skip, Const(True), stmt.origin)]  # type: ignore[union-attr]
                case If() if kinds(stmt) or not goes_on(stmt):
                    return out + self.branch(stmt, rest, loop, ready)
                case For() | While() | LoopElse() | Unrolled():
                    escaping = kinds(stmt)
                    new, ready = self.loop(stmt, loop, ready)
                    out += new
                    if escaping:
                        return out + self.guarded(escaping, rest, loop, ready, stmt)
                case If(_, then, orelse):
                    out.append(self.both(stmt, then, orelse, loop, ready))
                case _:
                    out.append(stmt)
                    if not goes_on(stmt):
                        return out
        return out

    def branch(self, stmt: If, rest: list[Any], loop: _Loop | None, ready: Ready) -> list[Stmt]:
        """An if with exits in it, and all that follows."""
        if falls(stmt.then) and falls(stmt.orelse):
            escaping = kinds(stmt)
            new, ready = self.initialised(escaping, loop, ready, stmt)
            both = self.both(stmt, stmt.then, stmt.orelse, loop, ready)
            return [*new, both, *self.guarded(escaping, rest, loop, ready, stmt)]
        if len(stmt.then) == 1 and isinstance(stmt.then[0], Break) and is_test(stmt.test):
            leave = loop.leave  # type: ignore[union-attr]
            after = tuple(self.block([*stmt.orelse, *rest], loop, ready))
            go_on = [If(_not(Var(leave)), after, (), stmt.origin)] if after else []
            return [Let(leave, stmt.test, stmt.then[0].origin), *go_on]
        then = [*stmt.then, *(rest if falls(stmt.then) else ())]
        orelse = [*stmt.orelse, *(rest if falls(stmt.orelse) else ())]
        return [self.both(stmt, then, orelse, loop, ready)]

    def both(self, stmt: If, then: Iterable[Any], orelse: Iterable[Any], loop: _Loop | None, ready: Ready) -> If:
        """An if with these branches, without their exits."""
        first = tuple(self.block(list(then), loop, ready))
        return If(stmt.test, first, tuple(self.block(list(orelse), loop, ready)), stmt.origin)

    def guarded(self, escaping: Any, rest: list[Any], loop: _Loop | None, ready: Ready, stmt: Any) -> list[Stmt]:
        """What follows a statement that may have been left."""
        if not rest or not goes_on(stmt):
            return []
        flags = [Var(flag) for flag in self.flags_of(escaping, loop)]
        return [If(_not(_any(flags)), tuple(self.block(rest, loop, ready)), (), rest[0].origin)]

    def flags_of(self, escaping: Any, loop: _Loop | None) -> list[str]:
        names = [(RETURN, self.done), (BREAK, loop.leave if loop else ""), (CONTINUE, loop.skip if loop else "")]
        return [flag for kind, flag in names if kind in escaping]

    def initialised(self, escaping: Any, loop: _Loop | None, ready: Ready, stmt: Any) -> tuple[list[Stmt], Ready]:
        """Set the flags of some exits to False that have no value yet."""
        missing = [flag for flag in self.flags_of(escaping, loop) if flag not in ready]
        return [Let(flag, Const(False), stmt.origin) for flag in missing], ready | set(missing)

    # ------------------------------------------------------------ loops

    def loop(self, stmt: Any, outer: _Loop | None, ready: Ready) -> tuple[list[Stmt], Ready]:
        if isinstance(stmt, Unrolled):
            return self.unrolled(stmt, outer, ready)
        loop, orelse = (stmt.loop, stmt.orelse) if isinstance(stmt, LoopElse) else (stmt, ())
        if isinstance(loop, For) and loop.origin.note == NOTE:
            return self.segments(stmt, loop, outer, ready)
        if isinstance(loop, While) and not orelse:
            loop = _first_break_as_test(loop)
        escaping = kinds_of(loop.body)
        inner = self.inner()
        before, ready = self.initialised(kinds(stmt), outer, ready, stmt)
        ready_inside = ready
        if BREAK in escaping and (orelse or isinstance(loop, While) or not _always_sets(loop.body)):
            more, ready_inside = self.initialised({BREAK}, inner, ready, stmt)
            before += more
        body = self.block(list(loop.body), inner, ready_inside)
        leaving = [Var(flag) for flag in self.flags_of(escaping & {BREAK, RETURN}, inner)]
        after: list[Stmt] = []
        if orelse:
            after.append(If(_not(_any(leaving)), tuple(self.block(list(orelse), outer, ready)), (), stmt.origin))
        return [*before, self.closed(loop, body, leaving, inner), *after], ready

    def segments(self, stmt: Any, whole: For, outer: _Loop | None, ready: Ready) -> tuple[list[Stmt], Ready]:
        """A loop over segments, which is left when the loop over one of them is."""
        (inner,) = whole.body
        assert isinstance(inner, For)
        new, ready = self.loop(replace(stmt, loop=inner) if isinstance(stmt, LoopElse) else inner, outer, ready)
        position = next(k for k, each in enumerate(new) if isinstance(each, For))
        closed = new[position]
        assert isinstance(closed, For)
        new[position] = replace(whole, body=(closed,), flag=closed.flag)
        return new, ready

    def inner(self) -> _Loop:
        number = len(self.flags) // 2 + 1
        inner = _Loop(f"stop.{number}", f"skip.{number}")
        self.flags |= {inner.leave, inner.skip}
        return inner

    def unrolled(self, stmt: Unrolled, outer: _Loop | None, ready: Ready) -> tuple[list[Stmt], Ready]:
        """One body after the other, each unless one before it has left the loop."""
        inner = self.inner()
        escaping = kinds_of(s for body in stmt.bodies for s in body)
        before, ready = self.initialised(kinds(stmt), outer, ready, stmt)
        more, inside = self.initialised(escaping & {BREAK}, inner, ready, stmt)
        leaving = [Var(flag) for flag in self.flags_of(escaping & {BREAK, RETURN}, inner)]
        code: list[Stmt] = [*before, *more]
        left = False
        for body in (*stmt.bodies, None):
            block = tuple(self.block(list(stmt.orelse), outer, ready) if body is None else
                          self.block(list(body), inner, inside))
            code += [If(_not(_any(leaving)), block, (), stmt.origin)] if left and block else block
            left |= bool(body is not None and kinds_of(body) & {BREAK, RETURN})
        return code, ready

    def closed(self, loop: Union[For, While], body: list[Stmt], leaving: list[Var], flags: _Loop) -> Stmt:
        """The loop with a body that sets the flags in `leaving`."""
        if isinstance(loop, While):
            stays = [_not(flag) for flag in leaving]
            tests = stays if stays and _is_true(loop.test) else [*stays, loop.test]
            test = tests[0] if len(tests) == 1 else Call(and_, tuple(tests))
            return replace(loop, test=test, body=tuple(body))
        flag = leaving[0].name if leaving else loop.flag
        if len(leaving) > 1:
            flag, body = flags.leave, [*body, Let(flags.leave, _any(leaving), loop.origin)]
        return replace(loop, body=tuple(body), flag=flag)


def _is_true(test: Expr) -> bool:
    return isinstance(test, Const) and test.value is True


def _first_break_as_test(loop: While) -> While:
    """``while True: if c: break; ...`` is ``while not c: ...``"""
    match loop.body:
        case (If(test, (Break(),), orelse), *rest):
            go_on = _not(test)
            whole = go_on if _is_true(loop.test) else Call(and_, (loop.test, go_on))
            return _first_break_as_test(replace(loop, test=whole, body=(*orelse, *rest)))
    return loop


def _always_sets(body: Block) -> bool:
    """Whether every iteration decides anew whether to leave the loop, before any other exit."""
    for stmt in body:
        match stmt:
            case If(test, (Break(),), _) if is_test(test):
                return True
        if kinds(stmt):
            return False
    return False


def _not(expr: Expr) -> Expr:
    match expr:
        case Call(operator.not_, (inner,)) if is_test(inner):
            return inner
    return Call(operator.not_, (expr,))


def _any(flags: list[Var]) -> Expr:
    return flags[0] if len(flags) == 1 else Call(or_, tuple(flags))


# ---------------------------------------------------------------- tidying


def _tidy(body: Block, flags: set[str]) -> Block:
    """Drop the flags that nobody reads and the branches that this leaves empty."""
    read = {name for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}
    read |= {stmt.flag for stmt in walk.statements(body) if isinstance(stmt, For) and stmt.flag}
    return _without(body, lambda name: name in flags and name not in read)


def _without(body: Block, unread: Callable[[str], bool]) -> Block:
    result: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Let(target) if unread(target):
                continue
            case If(test, then, orelse):
                then, orelse = _without(then, unread), _without(orelse, unread)
                if not then and orelse:
                    test, then, orelse = _not(test), orelse, ()
                result.append(If(test, then, orelse, stmt.origin))
            case For(body=inner) | While(body=inner):
                result.append(replace(stmt, body=_without(inner, unread)))
            case _:
                result.append(stmt)
    return tuple(result)
