"""What the body of a ``try`` has assigned before it fails, and who would read it; part of `desugar`.

The derivative goes through the body only where nothing fails, so that what is assigned before a failure is lost::

    try:
        n += 1                      # cannot fail: it is done before the try
        y = x * n
        s += y / (n - 2)            # where this fails, y is lost
    except ZeroDivisionError:
        s += 1.0                    # and may be read neither here, nor after it, nor by the next iteration
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

_SCOPES = (gast.FunctionDef, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_SIMPLE = (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return, gast.Expr)
_LOOPS = (gast.For, gast.While)
_SAFE = (gast.Add, gast.Sub, gast.Mult)


def divided(body: list[gast.AST]) -> tuple[list[gast.AST], list[gast.AST]]:
    """The statements at the beginning of the body of a ``try`` that cannot fail, and the others."""
    for k, stmt in enumerate(body):
        if not (isinstance(stmt, (gast.Assign, gast.AugAssign)) and cannot_fail(stmt)):
            return body[:k], body[k:]
    return body, []


def lost(tree: gast.AST, node: gast.Try) -> set[str]:
    """The names that the body of a ``try`` assigns before it may fail, and that are read behind that."""
    body = divided(node.body)[1]
    assigned = {name for stmt in _before_the_last(body) for name in _stored(stmt)}
    return assigned & _read_behind(tree, node)


def cannot_fail(stmt: gast.AST) -> bool:
    """Whether a statement only gives names to names and constants, or counts, or leaves."""
    match stmt:
        case gast.Assign(targets=targets, value=value):
            return all(isinstance(target, gast.Name) for target in targets) and is_certain(value)
        case gast.AugAssign(target=gast.Name(), op=op, value=gast.Constant(value=int() | float())):
            return isinstance(op, _SAFE)
        case gast.Return(value=value):
            return value is None or is_certain(value)
    return isinstance(stmt, (gast.Break, gast.Continue, gast.Pass))


def is_certain(value: gast.AST) -> bool:
    match value:
        case gast.Name() | gast.Constant():
            return True
        case gast.BinOp(left=left, op=op, right=right):
            numbers = [side for side in (left, right) if isinstance(getattr(side, "value", None), (int, float))]
            return bool(numbers) and isinstance(op, _SAFE) and is_certain(left) and is_certain(right)
    return False


def _before_the_last(body: list[gast.AST]) -> list[gast.AST]:
    """What is done, at least in part, before something fails: the last that may is only begun."""
    while body and cannot_fail(body[-1]):
        body = body[:-1]
    if not body or not isinstance(body[-1], _SIMPLE):
        return body
    return [*body[:-1], *(inner for inner in gast.walk(body[-1]) if isinstance(inner, gast.NamedExpr))]


def _read_behind(tree: gast.AST, node: gast.Try) -> set[str]:
    """The names that may be read after the body has failed and before they are assigned again.

    By the handlers, what follows, the loops around once more, finally clauses, and by functions around.
    """
    found: set[str] = set()
    bound: list[set[str]] = []  # by each of the handlers that go on
    for handler in node.handlers:
        own: set[str] = set()
        found |= exposed(handler.body, own)
        if _goes_on(handler.body):
            leaves = (each for stmt in handler.body[:-1] for each in gast.walk(stmt))
            bound.append(set() if any(isinstance(each, (gast.Break, gast.Continue)) for each in leaves) else own)
    found |= {name for each in gast.walk(tree) if isinstance(each, (gast.Nonlocal, gast.Global)) for name in each.names}
    ends = [each for each in gast.walk(tree) if isinstance(each, gast.Try) and is_within(node, each)]
    found |= {name for each in ends for stmt in each.finalbody for name in loads(stmt)}
    return found | _read_after(tree, node).difference(bound[0].intersection(*bound)) if bound else found


def _read_after(tree: gast.AST, node: gast.Try) -> set[str]:
    """The names that are read where some handler has gone on: below the ``try``, and by loops around once more."""
    inside = {id(inner) for stmt in (*node.body, *node.orelse, *node.handlers) for inner in gast.walk(stmt)}
    loops = [each for each in gast.walk(tree) if isinstance(each, _LOOPS) and is_within(node, each)]
    late = [each for each in gast.walk(tree) if isinstance(each, (gast.FunctionDef, gast.Lambda)) and each is not tree]
    again = {id(inner) for each in (*loops, *late) for inner in gast.walk(each)}
    found = exposed([*node.body, *node.orelse], set()) if loops else set()
    for handler in node.handlers if loops else []:
        found |= exposed(handler.body, set())
    for each in gast.walk(tree):
        follows = getattr(each, "lineno", node.end_lineno + 1) > node.end_lineno or id(each) in again
        if follows and id(each) not in inside and isinstance(each, (gast.Name, gast.AugAssign)):
            found |= set(loads(each))
    return found


def is_within(node: gast.AST, around: gast.AST) -> bool:
    return any(each is node for each in gast.walk(around))


def _goes_on(block: list[gast.AST]) -> bool:
    """Whether something comes after some statements, or may."""
    match block[-1]:
        case gast.Return() | gast.Raise():
            return False
        case gast.If(body=then, orelse=[_, *_] as orelse):
            return _goes_on(then) or _goes_on(orelse)
        case gast.Try(body=body, handlers=handlers, orelse=orelse):
            return _goes_on(orelse or body) or any(_goes_on(handler.body) for handler in handlers)
    return True


def _stored(stmt: gast.AST) -> set[str]:
    return {inner.id for inner in gast.walk(stmt) if isinstance(inner, gast.Name) and isinstance(inner.ctx, gast.Store)}


def loads(node: gast.AST) -> Iterator[str]:
    """The names that an expression or a statement reads; not those that only live inside of it."""
    inner = {name for scope in gast.walk(node) if isinstance(scope, _SCOPES) for name in _own_names(scope)}
    for each in gast.walk(node):
        if isinstance(each, gast.Name) and isinstance(each.ctx, gast.Load) and each.id not in inner:
            yield each.id
        if isinstance(each, gast.AugAssign) and isinstance(each.target, gast.Name):
            yield each.target.id


def _own_names(scope: Any) -> set[str]:
    """The names of a comprehension or of a function inside."""
    params = [scope.args] if hasattr(scope, "args") else []
    return _stored(scope) | {arg.id for part in params for arg in gast.walk(part) if isinstance(arg, gast.Name)}


def exposed(body: list[gast.AST], bound: set[str]) -> set[str]:
    """The names that statements read before they assign them; `bound` gains those that all paths assign."""
    found: set[str] = set()
    for stmt in body:
        match stmt:
            case gast.If(test=test, body=then, orelse=orelse):
                found |= set(loads(test)) - bound
                sides = bound.copy(), bound.copy()
                found |= exposed(then, sides[0]) | exposed(orelse, sides[1])
                bound |= sides[0] & sides[1]
            case gast.For(target=target, iter=values):
                found |= set(loads(values)) - bound
                found |= exposed(stmt.body, bound | _stored(target)) | exposed(stmt.orelse, bound.copy())
            case gast.While(test=test):
                found |= set(loads(test)) - bound
                found |= exposed(stmt.body, bound.copy()) | exposed(stmt.orelse, bound.copy())
            case gast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finally_):
                ends = [bound.copy() for _ in (body, *handlers)]
                found |= exposed([*body, *orelse], ends[0])
                for handler, end in zip(handlers, ends[1:]):
                    found |= exposed(handler.body, end) | {*loads(handler.type or gast.Pass())} - bound
                bound |= set.intersection(*ends)
                found |= exposed(finally_, bound)
            case gast.FunctionDef(name=name):
                found |= set(loads(stmt)) - bound
                bound.add(name)
            case _:
                found |= set(loads(stmt)) - bound
                bound |= _stored(stmt) if isinstance(stmt, _SIMPLE) else set()
    return found
