"""Iterators under a name, ``it = iter(x)``, that `next` and a loop read; part of `desugar`.

Each ``next(it)`` that is known to be the k-th is ``x[k]``, and what goes over the rest goes over ``x`` from there on.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from srcad.transforms.names import names_of, own_nodes

_LAZY = frozenset(("map", "filter", "zip", "enumerate", "reversed", "range"))
_INSIDE = (gast.Lambda, gast.GeneratorExp, gast.ListComp, gast.DictComp, gast.SetComp, gast.IfExp, gast.BoolOp)
_SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr)


def taken(tree: gast.AST) -> gast.AST:
    """A function with positions in the place of iterators.

    >>> tree = gast.parse("def f(x):\\n it = iter(x)\\n s = next(it)\\n for v in it:\\n  s = s * v\\n return s").body[0]
    >>> print(gast.unparse(taken(tree)))
    <BLANKLINE>
    def f(x):
        it = x
        if ~len(it) <= 0:
            raise ~stop
        s = it[0]
        for v in ~islice(it, 1, None):
            s = s * v
        return s
    """
    if not any(_opens(node) for node in gast.walk(tree)):
        return tree
    tree = copy.deepcopy(tree)
    for function in [node for node in gast.walk(tree) if isinstance(node, gast.FunctionDef)]:
        for block in _blocks(function):
            for stmt in [stmt for stmt in block if _opens(stmt)]:
                _replace(function, block, stmt)
    return tree


def _opens(stmt: gast.AST) -> bool:
    """Whether a statement is ``it = iter(x)``."""
    match stmt:
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Name(id="iter"), args=[_], keywords=[])):
            return True
    return False


def _blocks(function: gast.AST) -> Iterator[list[Any]]:
    for node in gast.walk(function):
        for part in ("body", "orelse"):
            if isinstance(block := getattr(node, part, None), list):
                yield block


def _replace(function: gast.FunctionDef, block: list[Any], opening: gast.Assign) -> None:
    name = opening.targets[0].id
    bindings = [n for n in own_nodes(function) if isinstance(n, gast.Name) and n.id == name and not _is_read(n)]
    reads = [n for n in gast.walk(function) if isinstance(n, gast.Name) and n.id == name and _is_read(n)]
    if len(bindings) != 1 or name in names_of(function).shared:
        return
    rest = block[block.index(opening) + 1 :]
    steps = [(stmt, call) for stmt in rest if isinstance(stmt, _SIMPLE) for call in _calls(stmt, name)]
    others = [n for n in reads if all(n is not call.args[0] for _, call in steps)]
    last = rest.index(steps[-1][0]) if steps else -1
    behind = [n for stmt in rest[last + 1 :] for n in _once(stmt) if any(n is other for other in others)]
    if len(others) != len(behind) or len(others) > 1:
        return
    for position, (stmt, call) in enumerate(steps):
        _step(block, stmt, call, position)
    for read in behind:
        left = _call("~islice", _name(name), gast.Constant(len(steps), None), gast.Constant(None, None))
        _Exchange(read, left).visit(next(stmt for stmt in rest if any(n is read for n in gast.walk(stmt))))
    value = opening.value.args[0]
    lazy = isinstance(value, gast.GeneratorExp) or (
        isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id in _LAZY)
    opening.value = _call("~list", value) if lazy else value
    for node in gast.walk(function):
        gast.copy_location(node, opening) if not hasattr(node, "lineno") else None


def _is_read(node: gast.Name) -> bool:
    return isinstance(node.ctx, gast.Load)


def _once(stmt: gast.AST) -> Iterator[gast.AST]:
    """The expressions that a statement surely computes once, in their order."""
    if isinstance(stmt, gast.For):
        stmt = stmt.iter
    elif not isinstance(stmt, (*_SIMPLE, gast.expr)):
        return
    waiting = [stmt]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, gast.GeneratorExp):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, _INSIDE):
            waiting += reversed([*gast.iter_child_nodes(node)])


def _calls(stmt: gast.AST, name: str) -> list[gast.Call]:
    """The calls ``next(it)`` and ``next(it, default)`` in a statement."""
    found = []
    for node in _once(stmt.value if getattr(stmt, "value", None) is not None else stmt):
        match node:
            case gast.Call(func=gast.Name(id="next"), args=[gast.Name(id=read), *more]) if read == name:
                found += [node] if len(more) < 2 else []
    return found


def _step(block: list[Any], stmt: gast.AST, call: gast.Call, position: int) -> None:
    """One ``next(it)``: an element, or what is given for none, or an error."""
    it, *default = call.args
    place = gast.Constant(position, None)
    element = gast.Subscript(_name(it.id), place, gast.Load())
    ends = gast.Compare(_call("~len", _name(it.id)), [gast.LtE()], [place])
    if default:
        element = gast.IfExp(ends, default[0], element)
    else:
        check = gast.If(ends, [gast.Raise(_name("~stop"), None)], [])
        block.insert(block.index(stmt), gast.copy_location(check, stmt))
    _Exchange(call, element).visit(stmt)
    for node in gast.walk(element):
        gast.copy_location(node, call)
    for node in gast.walk(block[block.index(stmt) - 1]) if not default else ():
        gast.copy_location(node, stmt)


def _name(name: str) -> gast.Name:
    return gast.Name(name, gast.Load(), None, None)


def _call(fn: str, *args: Any) -> gast.Call:
    return gast.Call(_name(fn), [*args], [])


class _Exchange(gast.NodeTransformer):
    def __init__(self, old: gast.AST, new: gast.AST):
        self.old, self.new = old, new

    def visit(self, node: gast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)
