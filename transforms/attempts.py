"""``try`` with handlers that go on; part of `desugar`.

Which handler is reached, if any, is found out by doing the body as it stands, in the interpreter and with copies of
arrays (`srcad.runtime.attempts`), so that what fails is what Python says. The derivative goes through the body where
none is, and through the handler where one is::

    try:                            handler = attempt(x)
        y = math.log(x)             if handler == 0:
    except ValueError:        ->        y = math.log(x)
        y = 0.0                     else:
                                        y = 0.0

What the body has done before it fails is not done again: it may be nothing that is read behind that
(`srcad.transforms.lost`), and it may not have changed an array: what is put into arrays and lists when nothing can fail
any more is not (`srcad.transforms.put_last`).
"""

from __future__ import annotations

import ast
import copy
import operator
import types
from collections import Counter
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.changing import changes
from srcad.lang.errors import Problem
from srcad.lang.ir import Block, Call, Const, If, Let, Var
from srcad.lang.nodes import nodes
from srcad.lang.refusals import BEFOREHAND
from srcad.runtime.attempts import Attempt
from srcad.transforms.key_tests import asked_first
from srcad.transforms.kind_tests import asked_of_kinds
from srcad.transforms.lost import divided, exposed, is_within, loads, lost
from srcad.transforms.put_last import without_stores

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


class _Refused(Exception):
    """What cannot be done twice."""


def attempted(d: Desugarer, node: gast.Try) -> Block:
    """The statements of a ``try``, without those of its finally clause."""
    asked, before = asked_first(d, node), len(d.problems)
    kinds = asked_of_kinds(d, node)
    tried = _tried(d, node)
    if asked is None and kinds is None:
        return tried
    refused = len(d.problems) > before
    if asked is None:
        del d.problems[before:]
        return kinds.around(d, node, None if refused else tried)
    del d.problems[before:]
    return asked.block if refused else (If(asked.of_dicts, asked.block, tried, d.origin),)


def _tried(d: Desugarer, node: gast.Try) -> Block:
    before, origin = len(d.problems), d.origin
    certain, uncertain = divided(node.body)
    first, body = d.block(certain), d.block([*uncertain, *node.orelse])
    handlers = [d.block(handler.body) for handler in node.handlers]
    if len(d.problems) > before or not uncertain:
        return (*first, *body)
    try:
        attempt, given = _attempt(d, node, uncertain)
    except _Refused as wrong:
        d.problems.append(Problem(d.source.place(node), str(wrong), BEFOREHAND))
        return body
    name = d.fresh("handler")
    number: Any = Let(name, Call(attempt, tuple(map(Var, given))), origin)
    chosen = handlers[-1]
    for k, handler in reversed([*enumerate(handlers[:-1], 1)]):
        chosen = (If(Call(operator.eq, (Var(name), Const(k))), handler, chosen, origin),)
    return (*first, number, If(Call(operator.eq, (Var(name), Const(0))), body, chosen, origin))


def _attempt(d: Desugarer, node: gast.Try, body: list[gast.AST]) -> tuple[Attempt, list[str]]:
    """What tells the handler, and the names of its arguments."""
    for handler in node.handlers:
        if handler.name is not None and _reads(handler.body, {_id(handler.name)}):
            raise _Refused("try with a handler that reads its exception is not supported")
    if read := lost(d.source.tree, node):
        raise _Refused(f"{min(read)!r}, which the body of try assigns before it may fail, is read behind that")
    if any(map(_is_of_its_class, (inner for stmt in body for inner in gast.walk(stmt)))):
        raise _Refused("try whose body calls super() or has a private name of its class is not supported")
    body = without_stores(d, node, body)
    space = dict(d.source.fn.__globals__)
    given = sorted(exposed(body, set()) | {  # names that have their value from before
        name for handler in node.handlers if handler.type is not None for name in loads(handler.type)})
    local = _local_functions(d.source.tree, set(given))
    if any(isinstance(inner, gast.Nonlocal) for each in local for inner in gast.walk(each)):
        raise _Refused("try whose body calls a function that changes a name around it is not supported")
    given = sorted({*given, *(name for each in local for name in _free(each))} - {each.name for each in local})
    given = [name for name in given if not _known(d, name, space)]
    inner = _compiled(d, node, [*local, *body], given, space)
    if changes(inner):
        raise _Refused("try whose body stores into an array, a list or an object is not supported")
    quiet = any(isinstance(each, gast.With) and is_within(node, each) for each in gast.walk(d.source.tree))
    return Attempt(inner, quiet=quiet), given


def _local_functions(tree: gast.AST, names: set[str]) -> list[gast.AST]:
    """The functions defined in a function that these names stand for, and those that they call, in their order."""
    inside = [each for stmt in tree.body for each in gast.walk(stmt)] if isinstance(tree, gast.FunctionDef) else []
    functions = [each for each in inside if isinstance(each, gast.FunctionDef)]
    stored = (each.id for each in inside if isinstance(each, gast.Name) and _is_stored(each))
    counts = Counter((*stored, *(each.name for each in functions)))
    alone = {each.name: each for each in functions if counts[each.name] == 1 and _means_the_same(each)}
    found: set[str] = set()
    while new := (names & alone.keys()) - found:
        found |= new
        names = names | {name for each in new for name in _free(alone[each])}
    return [alone[name] for name in alone if name in found]


def _means_the_same(function: gast.FunctionDef) -> bool:
    """Whether a function is what it was where it was defined: defaults are computed there."""
    defaults = (*function.args.defaults, *function.args.kw_defaults)
    constant = all(each is None or isinstance(each, gast.Constant) for each in defaults)
    return constant and not function.decorator_list


def _free(function: gast.AST) -> set[str]:
    """The names that a function reads and does not assign."""
    own = {each.id for each in gast.walk(function) if isinstance(each, gast.Name) and _is_stored(each)}
    inner = {each.name for each in gast.walk(function) if isinstance(each, gast.FunctionDef)}
    return {*loads(function)} - own - inner


def _is_stored(name: gast.Name) -> bool:
    return isinstance(name.ctx, (gast.Store, gast.Param))


def _is_of_its_class(node: gast.AST) -> bool:
    """Whether something means something else, or nothing, outside of the class where it stands."""
    name = node.attr if isinstance(node, gast.Attribute) else getattr(node, "id", "")
    return name in ("super", "__class__") or name.startswith("__") and not name.endswith("__")


def _known(d: Desugarer, name: str, space: dict[str, Any]) -> bool:
    """Whether a name has a value that is no variable's: it is entered into `space`."""
    found = d.resolve(name, d.source.tree)
    if isinstance(found, Var):
        return False
    if not isinstance(found, Const) or type(found.value).__module__.startswith("srcad."):
        raise _Refused(f"try whose body calls {name!r}, a function that is made here, is not supported")
    space[name] = found.value
    return True


def _compiled(
    d: Desugarer, node: gast.Try, body: list[gast.AST], given: list[str], space: dict[str, Any]
) -> types.FunctionType:
    """A function that does the body, and returns the number of the handler that is reached."""
    body = [stmt for each in copy.deepcopy(body) for stmt in _Leaving().done(each)]
    unbound = gast.ExceptHandler(gast.Name("NameError", gast.Load(), None, None), None, [gast.Raise(None, None)])
    space["NameError"] = NameError
    handlers = [unbound]
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


def _reads(body: list[gast.AST], names: set[str]) -> bool:
    return any(isinstance(inner, gast.Name) and inner.id in names for stmt in body for inner in nodes(stmt))


def _id(name: Any) -> str:
    return name if isinstance(name, str) else name.id
