"""Walking the IR: children, maps, substitution, free names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import attrgetter, is_
from typing import Any

from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, If, Let, Move, Return, Slice, Stmt, Store, Tuple, Var, While,
    and_, or_, raise_, select,
)


def map_expr(fn: Callable[[Expr], Expr], expr: Expr) -> Expr:
    """Rebuild `expr` bottom up: children first, then ``fn(node)``; unchanged nodes are shared."""
    match expr:
        case Call(f, args, kwargs, type):
            new_args = tuple([map_expr(fn, a) for a in args])
            new_kwargs = tuple([(k, map_expr(fn, v)) for k, v in kwargs])
            same = all(map(is_, args, new_args)) and all(a[1] is b[1] for a, b in zip(kwargs, new_kwargs))
            return fn(expr if same else Call(f, new_args, new_kwargs, type))
        case Attr(value, name, type):
            new = map_expr(fn, value)
            return fn(expr if new is value else Attr(new, name, type))
        case Slice(lower, upper, step):
            return fn(Slice(*(None if e is None else map_expr(fn, e) for e in (lower, upper, step))))
        case Tuple(items, type):
            new_items = tuple([map_expr(fn, e) for e in items])
            return fn(expr if all(map(is_, items, new_items)) else Tuple(new_items, type))
    return fn(expr)


def subexprs(expr: Expr) -> Iterator[Expr]:
    """`expr` and everything inside it, outermost first."""
    if type(expr) is Var or type(expr) is Const:
        return iter((expr,))
    try:
        return iter(expr.inside)
    except AttributeError:
        object.__setattr__(expr, "inside", _with_parts(expr))
        return iter(expr.inside)


def _with_parts(expr: Expr) -> tuple[Expr, ...]:
    found, waiting = [], [expr]
    while waiting:
        e = waiting.pop()
        found.append(e)
        kind = type(e)  # the hottest loop of the compiler: no pattern, no recursion
        if kind is Call:
            waiting.extend([value for _, value in e.kwargs[::-1]])
            waiting.extend(e.args[::-1])
        elif kind is Attr:
            waiting.append(e.value)
        elif kind is Tuple:
            waiting.extend(e.items[::-1])
        elif kind is Slice:
            waiting.extend(part for part in (e.step, e.upper, e.lower) if part is not None)
    return tuple(found)


def evaluated(expr: Expr) -> Iterator[Expr]:
    """`expr` and what inside it is evaluated in any case: of ``a and b``, `a` alone.

    >>> a, b = Var("a"), Var("b")
    >>> [e.name for e in evaluated(Call(and_, (a, b))) if isinstance(e, Var)]
    ['a']
    """
    yield expr
    lazy = isinstance(expr, Call) and expr.fn in (and_, or_, select)
    for part in children(expr)[:1] if lazy else children(expr):
        yield from evaluated(part)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The expressions directly inside of one."""
    match expr:
        case Call(_, args, kwargs):
            return (*args, *(value for _, value in kwargs))
        case Attr(value):
            return (value,)
        case Tuple(items):
            return items
        case Slice(lower, upper, step):
            return tuple(part for part in (lower, upper, step) if part is not None)
    return ()


def names(expr: Expr) -> frozenset[str]:
    """The names that `expr` reads."""
    if type(expr) is Var:
        return frozenset((expr.name,))
    if type(expr) is Const:
        return frozenset()
    try:
        return expr.reads
    except AttributeError:
        found = frozenset([e.name for e in subexprs(expr) if type(e) is Var])
        object.__setattr__(expr, "reads", found)
        return found


def substitute(expr: Expr, mapping: dict[str, Expr]) -> Expr:
    """`expr` with variables replaced; the replacement keeps its own type."""
    return map_expr(lambda e: mapping.get(e.name, e) if isinstance(e, Var) else e, expr)


def stmt_exprs(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that stand directly in a statement (not those of nested blocks)."""
    return _EXPRS[type(stmt)](stmt)


_EXPRS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    Let: lambda stmt: (stmt.value,), Return: lambda stmt: (stmt.value,), Move: attrgetter("values"),
    Store: attrgetter("base", "index", "value"), Accum: attrgetter("target", "value"),
    For: attrgetter("start", "stop", "step"), While: lambda stmt: (stmt.test,), If: lambda stmt: (stmt.test,),
    Effect: lambda stmt: (stmt.call,),
}


def blocks(stmt: Stmt) -> tuple[Block, ...]:
    """The nested blocks of a statement."""
    match stmt:
        case For(body=body) | While(body=body):
            return (body,)
        case If(_, then, orelse):
            return (then, orelse)
    return ()


def map_stmt(fn: Callable[[Expr], Expr], stmt: Stmt, body: Callable[[Block], Block] | None = None) -> Stmt:
    """`stmt` with `fn` applied to each whole expression in it (and, without `body`, in its nested blocks)."""
    if body is None:
        def body(block):
            return tuple(map_stmt(fn, s) for s in block)
    match stmt:
        case Let(target, value, origin):
            new = fn(value)
            return stmt if new is value else Let(target, new, origin)
        case Return(value, origin):
            new = fn(value)
            return stmt if new is value else Return(new, origin)
        case Move(names_, values, origin):
            return Move(names_, tuple([fn(v) for v in values]), origin)
        case Store(base, index, value, origin, inside):
            return Store(fn(base), fn(index), fn(value), origin, inside)
        case Accum(place, value, origin):
            return Accum(fn(place), fn(value), origin)
        case For(index, start, stop, step, inner, flag, origin, shared, said):
            return For(index, fn(start), fn(stop), fn(step), body(inner), flag, origin, shared, said)
        case While(test, inner, origin):
            return While(fn(test), body(inner), origin)
        case If(test, then, orelse, origin):
            return If(fn(test), body(then), body(orelse), origin)
        case Effect(call, origin):
            changed = fn(call)
            assert isinstance(changed, Call)
            return Effect(changed, origin)
    raise TypeError(stmt)


def map_block(fn: Callable[[Expr], Expr], block: Block) -> Block:
    """A block in which every expression, children first, is what ``fn(node)`` makes of it."""
    return tuple(map_stmt(lambda e: map_expr(fn, e), stmt) for stmt in block)


def without(block: Block, gone: Callable[[Stmt], bool]) -> Block:
    """A block without some of its statements, nor of those of the blocks inside, nor loops that are left with none.

    >>> from srcad.lang.ir import Return
    >>> without((Let("a", Var("b")), Return(Var("b"))), lambda stmt: isinstance(stmt, Let))
    (Return(value=Var(name='b', ...),)
    """
    shorter = [(map_stmt(lambda e: e, s, lambda inner: without(inner, gone)) if blocks(s) else s, s)
               for s in block if not gone(s)]  # fmt: skip
    return tuple(new for new, old in shorter if new == old or not isinstance(new, For) or new.body or new.flag)


def substitute_in(block: Block, mapping: dict[str, Expr]) -> Block:
    """A block with variables replaced where they are read."""
    return tuple(map_stmt(lambda e: substitute(e, mapping), stmt) for stmt in block) if mapping else block


def retarget(block: Block, names: dict[str, str]) -> Block:
    """A block that assigns other names."""
    return tuple(_retargeted(stmt, names) for stmt in block)


def _retargeted(stmt: Stmt, names: dict[str, str]) -> Stmt:
    match stmt:
        case Let(target, value, origin):
            return Let(names[target], value, origin) if target in names else stmt
        case Move(joined):
            return replace(stmt, targets=tuple(names.get(name, name) for name in joined))
        case For(index, body=body, flag=flag):
            flag = names.get(flag, flag) if flag else flag
            return replace(stmt, index=names.get(index, index), body=retarget(body, names), flag=flag)
        case While(body=body):
            return replace(stmt, body=retarget(body, names))
        case If(_, then, orelse):
            return replace(stmt, then=retarget(then, names), orelse=retarget(orelse, names))
    return stmt


def rename_expr(expr: Expr, names: dict[str, str]) -> Expr:
    """`expr` with names replaced; every occurrence keeps its type."""
    return map_expr(lambda e: renamed(e, names), expr)


def renamed(expr: Expr, names: dict[str, str]) -> Expr:
    return Var(names[expr.name], expr.type) if isinstance(expr, Var) and expr.name in names else expr


def rename(block: Block, names: dict[str, str]) -> Block:
    """`block` with names replaced where they are read and where they are assigned.

    >>> rename((Let("a", Var("b")), Let("b", Var("a"))), {"a": "c"})[1].value.name
    'c'
    """
    return retarget(map_block(lambda e: renamed(e, names), block), names)


def targets(stmt: Stmt) -> tuple[str, ...]:
    """The names that a statement itself assigns (not its nested blocks)."""
    if type(stmt) is Let:
        return (stmt.target,)
    if type(stmt) is Move:
        return stmt.targets
    if type(stmt) is For:
        return (stmt.index,)
    return (stmt.target.name,) if type(stmt) is Accum and type(stmt.target) is Var else ()


def statements(block: Block) -> Iterator[Stmt]:
    """All statements of a block and of the blocks inside, in source order."""
    waiting = list(block[::-1])
    while waiting:
        stmt = waiting.pop()
        yield stmt
        kind = type(stmt)  # as hot as `subexprs`
        if kind is If:
            waiting.extend(stmt.orelse[::-1])
            waiting.extend(stmt.then[::-1])
        elif kind is For or kind is While:
            waiting.extend(stmt.body[::-1])


def assigned(block: Block) -> set[str]:
    """All names assigned anywhere in a block."""
    return {name for stmt in statements(block) for name in targets(stmt)}


def read_in(block: Block) -> set[str]:
    """All names that statements of a block, and those inside them, read."""
    return {name for stmt in statements(block) for expr in stmt_exprs(stmt) for name in names(expr)}


def mentioned(block: Block) -> set[str]:
    """All names that statements of a block, and those inside them, read, bind or write to."""
    found: set[str] = set()
    for stmt in statements(block):
        found.update(targets(stmt), *map(names, stmt_exprs(stmt)))
    return found


def raises(block: Block) -> bool:
    """Whether a block ends in an error, whatever tests say."""
    return any(isinstance(stmt, Effect) and stmt.call.fn is raise_ for stmt in block)


def defined(block: Block) -> set[str]:
    """The names that a block binds by `Let` and `Move`, as opposed to those whose arrays it adds into."""
    return {name for stmt in statements(block) if isinstance(stmt, (Let, Move)) for name in targets(stmt)}


def bindings(stmt: Stmt) -> list[tuple[str, Expr]]:
    """The names that a statement itself binds, and to what."""
    match stmt:
        case Let(target, value):
            return [(target, value)]
        case Move(bound, values):
            return list(zip(bound, values))
    return []


def moves_of(block: Sequence[Stmt]) -> list[tuple[str, Expr]]:
    """What the end of a branch or an iteration hands on, by the names for it."""
    last = block[-1] if block else None
    return list(zip(last.targets, last.values)) if isinstance(last, Move) else []


def is_const(expr: Expr, value: object = ...) -> bool:
    """Whether `expr` is a constant, and (if given) this one."""
    if not isinstance(expr, Const) or value is ...:
        return isinstance(expr, Const)
    held = expr.value
    return type(held) is not bool and getattr(held, "shape", ()) == () and held == value
