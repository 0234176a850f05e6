"""Where statements append to lists, and how often: questions that `growing` asks of what is yet to be inlined; part
of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, For, If, Let, Method, Slice, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.lists import COUNTING
from srcad.lang.structure import LIST
from srcad.transforms.order import is_inplace

_GROWING = ("append", "extend")
CHANGING = (*_GROWING, "pop", "insert", "remove", "clear", "reverse", "sort", "__delitem__")


def changed_lists(block: Block) -> list[str]:
    """The names whose methods that change lists are called, or that are augmented or stored to by an index."""
    found: dict[str, None] = {}
    for stmt in walk.statements(block):
        for expr in walk.stmt_exprs(stmt):
            for e in walk.subexprs(expr):
                match e:
                    case Call(Method(name), (Var(base), *_)) if name in CHANGING:
                        found[base] = None
        match stmt:
            case Let(target) if lengthened(stmt) is not None:
                found[target] = None
            case Store(Var(base), index) if not isinstance(index, Const):
                found[base] = None
    return list(found)


def is_resized(block: Block, name: str) -> bool:
    """Whether statements may make a list longer or shorter: stores to its elements do not."""
    return any(
        isinstance(stmt, Let) and stmt.target == name
        or _exchanges(stmt, name)
        or any(isinstance(e, Call) and isinstance(e.fn, Method) and e.fn.name in CHANGING and e.args[0] == Var(name)
               for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr))
        for stmt in walk.statements(block)
    )  # fmt: skip


def _exchanges(stmt: Stmt, name: str) -> bool:
    """Whether a statement puts elements in the place of others, ``xs[1:3] = ys``, of which there may be fewer."""
    return isinstance(stmt, Store) and stmt.base == Var(name) and isinstance(stmt.index, Slice)


def tables(block: Block) -> list[str]:
    """The names of lists of lists to whose elements a block stores, by indices that are not constant."""
    rows: dict[str, tuple[str, bool]] = {}
    found: dict[str, None] = {}
    for stmt in walk.statements(block):
        match stmt:
            case Let(target, Call(operator.getitem, (Var(base), index))):
                rows[target] = base, isinstance(index, Const)
            case Store(Var(name), index) if name in rows and not (rows[name][1] and isinstance(index, Const)):
                found[rows[name][0]] = None
    return list(found)


def appended(stmt: Stmt, name: str) -> Expr | None:
    """What a statement appends to a list: itself, not in a block inside."""
    match stmt:
        case Effect(Call(Method("append"), (Var(base), value))) if base == name:
            return value
    return None


def lengthened(stmt: Stmt) -> Expr | None:
    """What ``xs += [a]`` or ``xs = xs + [a]`` adds to a list."""
    match stmt:
        case Let(target, Call(fn, (Var(base), more))) if base == target and (
            is_inplace(fn) or fn is operator.add and isinstance(more, Tuple) and getattr(more.type, "form", 0) == LIST
        ):
            return more
    return None


def samples(block: Block, name: str) -> Iterator[Expr]:
    """What statements append to a list."""
    for stmt in walk.statements(block):
        value = appended(stmt, name)
        if value is not None:
            yield value
        elif isinstance(stmt, Let) and stmt.target == name and isinstance(more := lengthened(stmt), Tuple):
            yield from more.items
        match stmt:
            case Effect(Call(Method("insert"), (Var(base), _, value))) if base == name:
                yield value


def once(block: Block, name: str) -> bool:
    """Whether a block appends to a list once, not in a block inside, and changes it in no other way."""
    own = [stmt for stmt in block if appended(stmt, name) is not None]
    changes = sum(
        isinstance(e, Call) and isinstance(e.fn, Method) and e.fn.name in CHANGING and e.args[0] == Var(name)
        for stmt in walk.statements(block) for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr)
    )  # fmt: skip
    augmented = any(isinstance(stmt, Let) and stmt.target == name or _exchanges(stmt, name)
                    for stmt in walk.statements(block))  # fmt: skip
    return len(own) == changes == 1 and not augmented


def bound(block: Block, name: str) -> list[list[For]] | None:
    """For each place that appends to a list, the loops of the block around it; None where nobody knows how often."""
    found: list[list[For]] = []
    for stmt in block:
        match stmt:
            case Effect(Call(Method("append" | "insert"), (Var(base), *_))) if base == name:
                found.append([])
            case Effect(Call(Method("extend"), (Var(base), Tuple(items)))) if base == name:
                found += [[] for _ in items]
            case Effect(Call(Method("extend"), (Var(base), _))) if base == name:
                return None
            case Let(target) if target == name and isinstance(other := lengthened(stmt), Tuple):
                found += [[] for _ in other.items]
            case Let(target) if target == name:
                return None
            case Store() if _exchanges(stmt, name):
                return None
            case For(body=body) | While(body=body):
                inner = bound(body, name)
                if inner is None or inner and isinstance(stmt, While):
                    return None
                found += [[stmt, *loops] for loops in inner]  # type: ignore[list-item]
            case If(_, then, orelse):
                sides = bound(then, name), bound(orelse, name)
                if sides[0] is None or sides[1] is None:
                    return None
                found += sides[0] if not sides[1] else sides[1] if not sides[0] else [*sides[0], *sides[1]]
    return found


def known_to_be_natural(expr: Expr, natural: set[str]) -> bool:
    """Whether a number is never negative: a length, or the sum of such numbers."""
    match expr:
        case Const(value=int() as value):
            return value >= 0
        case Var(name):
            return name in natural
        case Call(fn, args) if fn in COUNTING or fn in (operator.add, operator.mul) or fn is max:
            return fn in COUNTING or (any if fn is max else all)(known_to_be_natural(arg, natural) for arg in args)
        case Call(operator.getitem, (Attr(_, "shape"), _)) | Attr(_, "size"):
            return True
    return False


def counts_in_naturals(loop: For, start: Expr, natural: set[str]) -> bool:
    """Whether a loop never counts below zero: upwards from such a number, or down to zero."""
    if not isinstance(loop.step, Const):
        return False
    if loop.step.value > 0:
        return known_to_be_natural(start, natural)
    return isinstance(loop.stop, Const) and loop.stop.value >= -1
