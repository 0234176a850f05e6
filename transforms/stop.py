"""stop: hold names constant, as if each of their values went through `stop_gradient`."""

from __future__ import annotations

from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, For, Function, If, Let, Stmt, Store, Var, While
from srcad.runtime import stop_gradient


def stop(fn: Function, names: tuple[str, ...]) -> Function:
    """Cut the derivative at the given parameters and local names.

    >>> from srcad.lang.ir import Param, Return
    >>> stop(Function("f", (Param("x"),), (Return(Var("x")),)), ("x",)).body[0].value.fn.__name__
    'stop_gradient'
    """
    if not names:
        return fn
    known = {p.name for p in fn.params} | walk.assigned(fn.body)
    for name in names:
        if name not in known:
            own = ", ".join(sorted(n for n in known if "." not in n))
            raise ValueError(f"stop_gradients: {fn.name} has no name {name!r}; it has {own or 'none'}")
    held = frozenset(names)
    opening = tuple(Let(p.name, _held(Var(p.name)), fn.origin) for p in fn.params if p.name in held)
    return replace(fn, body=(*opening, *_block(fn.body, held)))


def _held(value: Expr) -> Expr:
    return Call(stop_gradient, (value,))


def _block(block: Block, names: frozenset[str]) -> Block:
    return tuple(_statement(stmt, names) for stmt in block)


def _statement(stmt: Stmt, names: frozenset[str]) -> Stmt:
    match stmt:
        case Let(target, value) if target in names:
            return replace(stmt, value=_held(value))
        case Store(Var(base), _, value) if base in names:
            return replace(stmt, value=_held(value))
        case If(_, then, orelse):
            return replace(stmt, then=_block(then, names), orelse=_block(orelse, names))
        case For(body=body) | While(body=body):
            return replace(stmt, body=_block(body, names))
    return stmt
