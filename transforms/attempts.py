"""``try`` with handlers that go on; part of `desugar`.

Which handler is reached, if any, is found out by doing the body as it stands, in the interpreter and with copies of
arrays (`srcad.runtime.attempts`), so that what fails is what Python says. The derivative goes through the body where
none is, and through the handler where one is::

    try:                            handler = attempt(x)
        y = math.log(x)             if handler == 0:
    except ValueError:        ->        y = math.log(x)
        y = 0.0                     else:
                                        y = 0.0

What the body has done before it fails is not done again: it may be nothing that the handler or what follows reads.
"""

from __future__ import annotations

import ast
import copy
import operator
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.changing import changes
from srcad.lang.errors import Problem
from srcad.lang.ir import Block, Call, Const, If, Let, Var
from srcad.lang.nodes import nodes
from srcad.runtime.attempts import Attempt

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_BEFOREHAND = "an if that tests for the failure beforehand"
_SCOPES = (gast.FunctionDef, gast.Lambda, gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


class _Refused(Exception):
    """What cannot be done twice."""


def attempted(d: Desugarer, node: gast.Try) -> Block:
    """The statements of a ``try``, without those of its finally clause."""
    before, origin = len(d.problems), d.origin
    body = d.block([*node.body, *node.orelse])
    handlers = [d.block(handler.body) for handler in node.handlers]
    if len(d.problems) > before:
        return body
    try:
        attempt, given = _attempt(d, node)
    except _Refused as wrong:
        d.problems.append(Problem(d.source.place(node), str(wrong), _BEFOREHAND))
        return body
    name = d.fresh("handler")
    number: Any = Let(name, Call(attempt, tuple(map(Var, given))), origin)
    chosen = handlers[-1]
    for k, handler in reversed([*enumerate(handlers[:-1], 1)]):
        chosen = (If(Call(operator.eq, (Var(name), Const(k))), handler, chosen, origin),)
    return (number, If(Call(operator.eq, (Var(name), Const(0))), body, chosen, origin))


def _attempt(d: Desugarer, node: gast.Try) -> tuple[Attempt, list[str]]:
    """What tells the handler, and the names of its arguments."""
    for handler in node.handlers:
        if handler.name is not None and _reads(handler.body, {_id(handler.name)}):
            raise _Refused("try with a handler that reads its exception is not supported")
    lost = {name for stmt in _before_the_last(node.body) for name in _stored(stmt)}
    if read := lost & {name for part in _behind(d.source.tree, node) for name in _loads(part)}:
        raise _Refused(f"{min(read)!r}, which the body of try assigns before it may fail, is read behind that")
    space = dict(d.source.fn.__globals__)
    given = sorted(_exposed(node.body, set()) | {  # names that have their value from before
        name for handler in node.handlers if handler.type is not None for name in _loads(handler.type)})
    given = [name for name in given if not _known(d, name, space)]
    inner = _compiled(d, node, given, space)
    if changes(inner):
        raise _Refused("try whose body stores into an array, a list or an object is not supported")
    return Attempt(inner), given


def _behind(tree: gast.AST, node: gast.Try) -> Iterator[gast.AST]:
    """What may be done after the body has failed: the handlers, what follows, and the loops around once more."""
    yield from (stmt for handler in node.handlers for stmt in handler.body)
    if not any(map(_goes_on, (handler.body for handler in node.handlers))):
        return
    inside = {id(inner) for stmt in (*node.body, *node.orelse) for inner in gast.walk(stmt)}
    loops = (each for each in gast.walk(tree) if isinstance(each, (gast.For, gast.While)))
    again = {id(inner) for loop in loops if any(each is node for each in gast.walk(loop)) for inner in gast.walk(loop)}
    for each in gast.walk(tree):
        follows = getattr(each, "lineno", 0) > node.end_lineno or id(each) in again
        if isinstance(each, (gast.Name, gast.AugAssign)) and follows and id(each) not in inside:
            yield each


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


def _known(d: Desugarer, name: str, space: dict[str, Any]) -> bool:
    """Whether a name has a value that is no variable's: it is entered into `space`."""
    found = d.resolve(name, d.source.tree)
    if isinstance(found, Var):
        return False
    if not isinstance(found, Const) or type(found.value).__module__.startswith("srcad."):
        raise _Refused(f"try whose body calls {name!r}, a function that is made here, is not supported")
    space[name] = found.value
    return True


def _compiled(d: Desugarer, node: gast.Try, given: list[str], space: dict[str, Any]) -> types.FunctionType:
    """A function that does the body, and returns the number of the handler that is reached."""
    body = [stmt for each in copy.deepcopy(node.body) for stmt in _Leaving().done(each)]
    unbound = gast.ExceptHandler(gast.Name("NameError", gast.Load(), None, None), None, [gast.Raise(None, None)])
    space["NameError"] = NameError
    handlers = [unbound] if given or body else []
    for k, handler in enumerate(node.handlers, 1):
        handlers.append(gast.ExceptHandler(copy.deepcopy(handler.type), None, [gast.Return(gast.Constant(k, None))]))
    args = gast.arguments([gast.Name(name, gast.Param(), None, None) for name in given], [], None, [], [], None, [])
    nothing = gast.Return(gast.Constant(0, None))
    tried = gast.Try(body, handlers, [], [])
    function = gast.FunctionDef("attempt", args, [tried, nothing], [], None, None, [])
    module = ast.fix_missing_locations(gast.gast_to_ast(gast.Module([function], [])))
    exec(compile(module, d.source.filename, "exec"), space)  # the user's statements, where they stand
    return space["attempt"]


class _Leaving(gast.NodeTransformer):
    """Statements that leave the body of a ``try``, as ones that leave the function made of it."""

    def __init__(self) -> None:
        self.loops = 0

    def done(self, stmt: gast.AST) -> list[gast.AST]:
        found = self.visit(stmt)
        return found if isinstance(found, list) else [found]

    def visit_Return(self, node: gast.Return) -> list[gast.AST]:
        left = gast.Return(gast.Constant(0, None))
        return [left] if node.value is None else [gast.Expr(node.value), left]

    def visit_Break(self, node: gast.AST) -> gast.AST:
        return node if self.loops else gast.Return(gast.Constant(0, None))

    visit_Continue = visit_Break

    def visit_For(self, node: Any) -> gast.AST:
        self.loops += 1
        node.body = [stmt for each in node.body for stmt in self.done(each)]
        self.loops -= 1
        node.orelse = [stmt for each in node.orelse for stmt in self.done(each)]
        return node

    visit_While = visit_For

    def visit_FunctionDef(self, node: gast.AST) -> gast.AST:
        return node


def _before_the_last(body: list[gast.AST]) -> list[gast.AST]:
    """Statements that are done, or done in part, before one fails."""
    simple = isinstance(body[-1], (gast.Assign, gast.AnnAssign, gast.AugAssign, gast.Return, gast.Expr))
    return body[:-1] if simple else body


def _stored(stmt: gast.AST) -> set[str]:
    return {inner.id for inner in gast.walk(stmt) if isinstance(inner, gast.Name) and isinstance(inner.ctx, gast.Store)}


def _loads(node: gast.AST) -> Iterator[str]:
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


def _exposed(body: list[gast.AST], bound: set[str]) -> set[str]:
    """The names that statements read before they assign them; `bound` gains those that all paths assign."""
    found: set[str] = set()
    for stmt in body:
        match stmt:
            case gast.If(test=test, body=then, orelse=orelse):
                found |= set(_loads(test)) - bound
                sides = bound.copy(), bound.copy()
                found |= _exposed(then, sides[0]) | _exposed(orelse, sides[1])
                bound |= sides[0] & sides[1]
            case gast.For(target=target, iter=values):
                found |= set(_loads(values)) - bound
                found |= _exposed(stmt.body, bound | _stored(target)) | _exposed(stmt.orelse, bound.copy())
            case gast.While(test=test):
                found |= set(_loads(test)) - bound
                found |= _exposed(stmt.body, bound.copy()) | _exposed(stmt.orelse, bound.copy())
            case gast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=finally_):
                ends = [bound.copy() for _ in (body, *handlers)]
                found |= _exposed([*body, *orelse], ends[0])
                for handler, end in zip(handlers, ends[1:]):
                    found |= _exposed(handler.body, end) | {*_loads(handler.type or gast.Pass())} - bound
                bound |= set.intersection(*ends)
                found |= _exposed(finally_, bound)
            case gast.FunctionDef(name=name):
                found |= set(_loads(stmt)) - bound
                bound.add(name)
            case _:
                found |= set(_loads(stmt)) - bound
                bound |= _stored(stmt)
    return found


def _reads(body: list[gast.AST], names: set[str]) -> bool:
    return any(isinstance(inner, gast.Name) and inner.id in names for stmt in body for inner in nodes(stmt))


def _id(name: Any) -> str:
    return name if isinstance(name, str) else name.id
