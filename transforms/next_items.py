"""Iterators that loops and branches ask for the next item, with a count of those that are gone; part of `desugar`.

``while k < n: s = s + next(it)`` takes ``it[it_place]`` each time, where `it_place` is a number as any other. What goes
over the rest of the items in a loop counts them, too, and what is left in the end is a slice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import assigned, called, name_of, placed
from srcad.transforms.names import names_of, own_nodes

SIMPLE = (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.Return, gast.Expr)
_INSIDE = (gast.Lambda, gast.GeneratorExp, gast.ListComp, gast.DictComp, gast.SetComp, gast.IfExp, gast.BoolOp)


class Exchange(gast.NodeTransformer):
    """Puts an expression in the place of another one."""

    def __init__(self, old: gast.AST, new: gast.AST):
        self.old, self.new = old, new

    def visit(self, node: gast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)


def blocks(function: gast.AST) -> Iterator[list[Any]]:
    """The blocks of statements in a function."""
    for node in nodes(function):
        for part in ("body", "orelse"):
            if isinstance(block := getattr(node, part, None), list):
                yield block


def surely(stmt: gast.AST) -> Iterator[gast.AST]:
    """The expressions that a statement surely computes once, in their order."""
    if isinstance(stmt, gast.For):
        stmt = stmt.iter
    elif not isinstance(stmt, (*SIMPLE, gast.expr)):
        return
    waiting = [stmt]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, gast.GeneratorExp):
            waiting.append(node.generators[0].iter)
        elif not isinstance(node, _INSIDE):
            waiting += reversed([*gast.iter_child_nodes(node)])


def base_of(node: Any) -> str:
    """The name at the beginning of what is stored to, such as ``a[i].b``."""
    while isinstance(node, (gast.Subscript, gast.Attribute, gast.Starred)):
        node = node.value
    return getattr(node, "id", "")


def calls_of_next(stmt: gast.AST, name: str) -> list[gast.Call]:
    """The calls ``next(it)`` and ``next(it, default)`` in a statement."""
    found = []
    for node in surely(stmt.value if getattr(stmt, "value", None) is not None else stmt):
        match node:
            case gast.Call(func=gast.Name(id="next"), args=[gast.Name(id=read), *more]) if read == name:
                found += [node] if len(more) < 2 else []
    return found


def counting(function: gast.FunctionDef, block: list[Any], opening: gast.Assign, reads: list[gast.Name]) -> bool:
    """Count the items of an iterator that are gone, if all that reads it is `next` and loops; whether that is so.

    >>> tree = gast.parse("def f(x):\\n it = iter(x)\\n while True:\\n  s = next(it)").body[0]
    >>> reads = [tree.body[1].body[0].value.args[0]]
    >>> counting(tree, tree.body, tree.body[0], reads)
    True
    >>> print(gast.unparse(tree).strip())
    def f(x):
        it = iter(x)
        it_place = 0
        while True:
            if it_place >= ~len(it):
                raise ~stop
            it_place = it_place + 1
            s = it[it_place - 1]
    """
    name = opening.targets[0].id
    own = {id(node) for node in own_nodes(function)}
    steps, loops = [], []
    for each in blocks(function):
        for stmt in each:
            steps += [(each, stmt, call) for call in calls_of_next(stmt, name)] if isinstance(stmt, SIMPLE) else []
            over = stmt.iter if isinstance(stmt, gast.For) else None
            loops += [(each, stmt)] if isinstance(over, gast.Name) and over.id == name else []
    known = {id(call.args[0]) for *_, call in steps} | {id(loop.iter) for _, loop in loops}
    others = [read for read in reads if id(read) not in known]
    last = max((k for k, stmt in enumerate(block) if any(id(node) in known for node in nodes(stmt))), default=0)
    behind = [stmt for stmt in block[last + 1 :] if others and any(node is others[0] for node in surely(stmt))]
    if len(others) != len(behind) or not known <= own:
        return False
    place = _unused(f"{name}_place", function)
    block.insert(block.index(opening) + 1, *placed([assigned(place, _number(0))], opening))
    for around, stmt, call in steps:
        _step(around, stmt, call, place)
    for around, loop in loops:
        _loop(around, loop, place)
    for stmt, read in zip(behind, others):
        Exchange(read, called("~islice", read, name_of(place), gast.Constant(None, None))).visit(stmt)
    return True


def _unused(name: str, function: gast.FunctionDef) -> str:
    taken = names_of(function).assigned | {n.id for n in nodes(function) if isinstance(n, gast.Name)}
    while name in taken:
        name += "_"
    return name


def _step(around: list[Any], stmt: Any, call: gast.Call, place: str) -> None:
    """One ``next(it)`` of a statement: what is asked and counted before it, and the item."""
    it, *default = call.args
    at = around.index(stmt)
    item: Any = gast.Subscript(name_of(it.id), gast.BinOp(name_of(place), gast.Sub(), _number(1)), gast.Load())
    count = [assigned(place, gast.BinOp(name_of(place), gast.Add(), _number(1)))]
    if default:
        ends = gast.Compare(name_of(place), [gast.Gt()], [called("~len", name_of(it.id))])
        item = gast.IfExp(ends, default[0], item)
    else:
        ends = gast.Compare(name_of(place), [gast.GtE()], [called("~len", name_of(it.id))])
        count.insert(0, gast.If(ends, [gast.Raise(name_of("~stop"), None)], []))
    if len(calls_of_next(stmt, it.id)) > 1:  # each has an item of its own
        count.append(assigned(own := f"{it.id}_item.{call.lineno}.{call.col_offset}", item))
        item = name_of(own)
    Exchange(call, item).visit(stmt)
    around[at:at] = count
    if isinstance(stmt, gast.Expr) and stmt.value is item:
        around.remove(stmt)
    placed([*count, item], stmt)


def _loop(around: list[Any], loop: gast.For, place: str) -> None:
    """A loop over the items that are left, as one that takes the next one as long as there are some."""
    it = loop.iter
    goes_on = gast.Compare(name_of(place), [gast.Lt()], [called("~len", it)])
    item = gast.Assign([loop.target], gast.Subscript(name_of(it.id), name_of(place), gast.Load()), None)
    count = assigned(place, gast.BinOp(name_of(place), gast.Add(), _number(1)))
    new = gast.While(goes_on, [item, count, *loop.body], loop.orelse)
    around[around.index(loop)] = placed([new], loop)[0]


def _number(value: int) -> gast.Constant:
    return gast.Constant(value, None)
