"""Generator functions: a call of one is the list of all that it yields; part of `desugar`.

That is the same as one value after the other, as long as the generator has an end, and neither it nor the loop that
takes the values changes what the other one reads. Whatever else there is, is left as it stands and refused.
"""

from __future__ import annotations

import copy
import inspect
import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.forms import is_users
from srcad.lang.nodes import nodes
from srcad.transforms.endless import stepping
from srcad.transforms.generators import has_break, named
from srcad.transforms.names import assigned_in, own_nodes
from srcad.transforms.trees import called_by

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

ITEMS = "values"
_VALUES = f"{ITEMS}.0"  # what is yielded: no other name is like it
_ITEM = "item.0"
_YIELDS = (gast.Yield, gast.YieldFrom)
Names = set[str]


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
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()) if _base(node) not in own:
                return True
    return False


def _returns(body: list[gast.AST]) -> bool:
    return any(isinstance(node, gast.Return) for stmt in body for node in nodes(stmt))


def _base(node: Any) -> str:
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


# ---------------------------------------------------------------- loops over generators


_COPYING = (itertools.product, itertools.combinations, itertools.permutations,
            itertools.combinations_with_replacement)  # fmt: skip


def disturbed(d: Desugarer, node: gast.For) -> str:
    """The name that a loop over a generator changes, and the generator reads; empty if there is none.

    What `itertools` combines is taken from copies, which a loop that changes the elements does not see.
    """
    calls = [each for each in nodes(node.iter) if isinstance(each, gast.Call)]
    own = any(isinstance(call.func, gast.Name) and call.func.id in d.names.assigned for call in calls)
    functions = {f.name: f for f in nodes(d.source.tree) if yields(f) and f is not d.source.tree} if own else {}
    read: Names = set()
    copied: Names = set()
    for call in calls:
        inside = functions.get(call.func.id) if isinstance(call.func, gast.Name) else None
        if inside is not None:
            read |= _names(inside) - {arg.id for arg in own_nodes(inside) if _is_parameter(inside, arg)}
        if inside is not None or _is_generator(d, call.func):
            read |= _names(call)
        elif called_by(d, call) in _COPYING:
            copied |= _names(call)
    if not read | copied:
        return ""
    groups = _aliases(d.source.tree)
    meant = set().union(read, copied, *(group for group in groups if group & (read | copied)))
    written = _written(node.body, lambda name: _is_users(d, name))
    return min(meant & (written | (assigned_in(node.body) & read)), default="")


def disturbance(name: str) -> tuple[str, str]:
    """What is said of such a loop, and what to write instead."""
    reason = f"a loop that changes {name}, which the generator that it goes over reads, is not supported"
    return reason, "the statements of the generator in the place of the loop, or a copy"


def _is_parameter(function: gast.FunctionDef, node: gast.AST) -> bool:
    return isinstance(node, gast.Name) and isinstance(node.ctx, gast.Param)


def _is_generator(d: Desugarer, func: gast.AST) -> bool:
    if not isinstance(func, gast.Name) or func.id in d.names.assigned:
        return False
    return inspect.isgeneratorfunction(getattr(d.resolve(func.id, func), "value", None))


def _names(node: gast.AST) -> Names:
    return {each.id for each in nodes(node) if isinstance(each, gast.Name) and "." not in each.id}


def _written(body: list[gast.AST], may_change: Callable[[str], bool]) -> Names:
    """The names of arrays, lists and objects that statements may change, also by functions that may change theirs."""
    found: Names = set()
    for node in (each for stmt in body for each in nodes(stmt)):
        match node:
            case gast.Subscript(ctx=gast.Store()) | gast.Attribute(ctx=gast.Store()):
                found.add(_base(node))
            case gast.AugAssign(target=target):
                found.add(_base(target))
            case gast.Expr(value=gast.Call(func=gast.Attribute(value=owner))):
                found.add(_base(owner))
            case gast.Call(func=gast.Name(id=name), args=args) if may_change(name):
                found |= set(map(_base, args))
            case gast.keyword(arg="out", value=value):
                found.add(_base(value))
    return found


def _is_users(d: Desugarer, name: str) -> bool:
    """Whether a function may change its arguments."""
    if name in d.names.assigned or d.is_local(name):
        return True
    module = getattr(getattr(d.resolve(name, d.source.tree), "value", None), "__module__", "") or ""
    return is_users(module)


def _aliases(tree: gast.AST) -> Iterator[Names]:
    """Names of which one may mean what another one means, in whole or in part."""
    groups: list[Names] = []
    for node in nodes(tree):
        if isinstance(node, gast.Assign) and (source := _base(node.value)):
            groups.append({source, *(_base(target) for target in node.targets)})
    yield from _joined(groups)


def _joined(groups: list[Names]) -> list[Names]:
    """Groups in which those are that have a name in common."""
    for group in groups:
        while more := set().union(*(other for other in groups if other & group)) - group:
            group |= more
    return groups
