"""stop: hold names constant, as if each of their values went through `stop_gradient`."""

from __future__ import annotations

from dataclasses import replace

from srcad.lang import walk
from srcad.lang.errors import unsupported
from srcad.lang.ir import Block, Call, Expr, For, Function, If, Let, Stmt, Store, Var, While, hint
from srcad.lang.recursive import Callee, called
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
    activations = [callee for callee in called(fn.body, Callee) if callee.origin == fn.origin]  # it calls itself
    inner = {name: _own(fn, activations, name) for name in names}
    for name in names:
        if name not in known and not inner[name]:
            own = ", ".join(sorted(n for n in known if "." not in n))
            raise ValueError(f"stop_gradients: {fn.name} has no name {name!r}; it has {own or 'none'}")
    held = frozenset(names)
    for callee in activations:
        assert callee.function is not None
        everywhere = frozenset().union(*inner.values())
        callee.function = replace(callee.function, body=_block(callee.function.body, everywhere))
    opening = tuple(Let(p.name, _held(Var(p.name)), fn.origin) for p in fn.params if p.name in held)
    return replace(fn, body=(*opening, *_block(fn.body, held)))


def _own(fn: Function, activations: list[Callee], name: str) -> frozenset[str]:
    """What a name of a function that calls itself is called in its activations."""
    found: set[str] = set()
    for callee in activations:
        assert callee.function is not None
        own = [s for s in walk.statements(callee.function.body) if s.origin.function == fn.name]
        found.update(target for stmt in own for target in walk.targets(stmt) if hint(target) == name)
    if len(found) > len(activations):
        what = f"stop_gradients for {name!r}, which {fn.name} and a function that it calls both have,"
        raise unsupported(fn.origin, f"{what} is not supported in a function that calls itself",
                          f"srcad.stop_gradient(...) where {name} is computed")  # fmt: skip
    return frozenset(found)


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
