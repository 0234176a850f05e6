"""Generator functions: a call of one is the list of all that it yields; part of `desugar`.

That is the same as one value after the other, as long as the generator has an end, and neither it nor the loop that
takes the values changes what the other one reads. Whatever else there is, is left as it stands and refused.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import stepping
from srcad.transforms.generators import has_break, named
from srcad.transforms.names import assigned_in, own_nodes

ITEMS = "values"
_VALUES = f"{ITEMS}.0"  # what is yielded: no other name is like it
_ITEM = "item.0"
_YIELDS = (gast.Yield, gast.YieldFrom)


def yields(function: gast.AST) -> bool:
    """Whether a function is a generator."""
    return isinstance(function, gast.FunctionDef) and any(isinstance(node, _YIELDS) for node in own_nodes(function))


def collected(tree: gast.AST, outermost: bool) -> gast.AST:
    """A function in which generators return lists; the outermost one stays what it is if it is what is differentiated.

    >>> tree = gast.parse("def f(x):\\n for v in x:\\n  yield v * v").body[0]
    >>> print(gast.unparse(collected(tree, True)).strip())
    def f(x):
        values.0 = []
        for v in x:
            values.0.append(v * v)
        return values.0
    """
    if not any(isinstance(node, _YIELDS) for node in nodes(tree)):
        return tree
    new = copy.deepcopy(tree)
    for function in nodes(new):
        if (function is new and not outermost) or not yields(function):
            continue
        if stepping(function):
            function.endless = True
        elif not _depends_on_time(function):
            _Collects().body(function)
            function.gives_once = True
    return new


def _depends_on_time(function: gast.FunctionDef) -> bool:
    """Whether it matters when a generator goes on: it has no end, is sent values, or changes what others see."""
    own = assigned_in(function.body)
    statements = [node.value for node in own_nodes(function) if isinstance(node, gast.Expr)]
    for node in own_nodes(function):
        match node:
            case gast.Yield(value=None) | gast.Nonlocal() | gast.Global() | gast.Try() | gast.With():
                return True
            case gast.Yield() | gast.YieldFrom() if all(node is not value for value in statements):
                return True
            case gast.While(test=gast.Constant(), body=body) if not has_break(body) and not _returns(body):
                return True
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()) if base_name(node) not in own:
                return True
    return False


def _returns(body: list[gast.AST]) -> bool:
    return any(isinstance(node, gast.Return) for stmt in body for node in nodes(stmt))


def base_name(node: Any) -> str:
    """The name at the beginning of an expression such as ``a.b[i].copy()``."""
    while isinstance(node, (gast.Subscript, gast.Attribute, gast.Call, gast.Starred)):
        node = node.func if isinstance(node, gast.Call) else node.value
    return node.id if isinstance(node, gast.Name) else ""


class _Collects(gast.NodeTransformer):
    """Puts what is yielded into a list."""

    def body(self, function: gast.FunctionDef) -> None:
        first, last = function.body[0], function.body[-1]
        new = [self.visit(stmt) for stmt in function.body]
        empty = gast.copy_location(gast.List([], gast.Load()), first)
        begin = gast.copy_location(gast.Assign([named(_VALUES, first, gast.Store)], empty, None), first)
        function.body = [begin, *new, gast.copy_location(gast.Return(named(_VALUES, last)), last)]

    def append(self, value: gast.AST, where: gast.AST) -> gast.Expr:
        method = gast.copy_location(gast.Attribute(named(_VALUES, where), "append", gast.Load()), where)
        return gast.copy_location(gast.Expr(gast.copy_location(gast.Call(method, [value], []), where)), where)

    def visit_Expr(self, node: gast.Expr) -> gast.AST:
        match node.value:
            case gast.Yield(value=value):
                return self.append(value, node)
            case gast.YieldFrom(value=value):
                body = [self.append(named(_ITEM, node), node)]
                return gast.copy_location(gast.For(named(_ITEM, node, gast.Store), value, body, [], None), node)
        return node

    def visit_Return(self, node: gast.Return) -> gast.AST:
        return gast.copy_location(gast.Return(named(_VALUES, node)), node)

    def visit_FunctionDef(self, node: gast.FunctionDef) -> gast.AST:
        return node

    visit_Lambda = visit_FunctionDef


def disturbance(name: str) -> tuple[str, str]:
    """What is said of a loop that changes what its generator reads, and what to write instead."""
    reason = f"a loop that changes {name}, which the generator that it goes over reads, is not supported"
    return reason, "the statements of the generator in the place of the loop, or a copy"
