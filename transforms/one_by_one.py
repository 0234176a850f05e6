"""Iterators under a name, ``it = iter(x)``, that `next` and a loop read; part of `desugar`.

Each ``next(it)`` that is known to be the k-th is ``x[k]``, and what goes over the rest goes over ``x`` from there on.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import assigned, placed
from srcad.transforms.names import names_of, own_nodes
from srcad.transforms.next_items import SIMPLE, Exchange, base_of, blocks, calls_of_next, counting, surely

_LAZY = frozenset(("map", "filter", "zip", "enumerate", "reversed", "range"))


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
    asked = {call.args[0].id for call in nodes(tree) if _asks(call)}
    if not asked and not any(_opens(node) or _parts(node) for node in nodes(tree)):
        return tree
    tree = copy.deepcopy(tree)
    for block in blocks(tree):
        for stmt in [stmt for stmt in block if _parts(stmt) and not _changes(tree, stmt)]:
            _apart(block, stmt)
        for stmt in block:
            if _gives_items(stmt) and stmt.targets[0].id in asked and not _changes(tree, stmt):
                stmt.value = gast.copy_location(_call("iter", stmt.value), stmt.value)
    for function in [node for node in nodes(tree) if isinstance(node, gast.FunctionDef)]:
        for block in blocks(function):
            for stmt in [stmt for stmt in block if _opens(stmt)]:
                _replace(function, block, stmt)
    return tree


def _opens(stmt: gast.AST) -> bool:
    """Whether a statement is ``it = iter(x)``."""
    match stmt:
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Name(id="iter"), args=[_], keywords=[])):
            return True
    return False


def _asks(node: gast.AST) -> bool:
    """Whether this is ``next(it)`` of a name."""
    match node:
        case gast.Call(func=gast.Name(id="next"), args=[gast.Name(), *_]):
            return True
    return False


def _gives_items(stmt: gast.AST) -> bool:
    """Whether a statement is ``it = (f(v) for v in x)``, or ``it = zip(x, y)``."""
    match stmt:
        case gast.Assign(targets=[gast.Name()], value=gast.GeneratorExp() as value):
            return True
        case gast.Assign(targets=[gast.Name()], value=gast.Call(func=gast.Name(id=name)) as value):
            return name in _LAZY - {"range"} and not any(isinstance(arg, gast.Starred) for arg in value.args)
    return False


def _parts(stmt: gast.AST) -> bool:
    """Whether a statement is ``a, b = itertools.tee(x)``."""
    match stmt:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Call(func=fn, args=[_, *more], keywords=[])):
            match fn:
                case gast.Name(id="tee") | gast.Attribute(value=gast.Name(id="itertools"), attr="tee"):
                    count = more[0].value if more and isinstance(more[0], gast.Constant) else 2 if not more else None
                    return len(targets) == count and all(isinstance(each, gast.Name) for each in targets)
    return False


def _apart(block: list[Any], stmt: gast.Assign) -> None:
    """Let each of the names that `tee` gives be an iterator of one list."""
    value, targets = stmt.value.args[0], stmt.targets[0].elts
    whole = "_".join(each.id for each in targets) + ".0"
    at = block.index(stmt)
    listed = _call("~list", value) if isinstance(value, (gast.GeneratorExp, gast.Call)) else value
    each_of_them = [gast.Assign([each], _call("iter", _name(whole)), None) for each in targets]
    block[at : at + 1] = placed([assigned(whole, listed), *each_of_them], stmt)


def _replace(function: gast.FunctionDef, block: list[Any], opening: gast.Assign) -> None:
    name = opening.targets[0].id
    bindings = [n for n in own_nodes(function) if isinstance(n, gast.Name) and n.id == name and not _is_read(n)]
    reads = [n for n in nodes(function) if isinstance(n, gast.Name) and n.id == name and _is_read(n)]
    if len(bindings) != 1 or name in names_of(function).shared:
        return
    rest, value = block[block.index(opening) + 1 :], opening.value.args[0]
    lazy = isinstance(value, gast.GeneratorExp) or (
        isinstance(value, gast.Call) and isinstance(value.func, gast.Name) and value.func.id in _LAZY)
    if lazy and _changes(function, opening):
        return
    if not _in_order(block, rest, name, reads) and not counting(function, block, opening, reads):
        return
    opening.value = _call("~list", value) if lazy else value
    for node in nodes(function):
        gast.copy_location(node, opening) if not hasattr(node, "lineno") else None


def _changes(function: gast.AST, opening: gast.Assign) -> bool:
    """Whether what an iterator computes its items from may change before all of them are taken."""
    own = {id(n) for n in nodes(opening)}
    inside = [n for n in nodes(opening.value) if isinstance(n, gast.Name)]
    read = {n.id for n in inside if _is_read(n)} - {n.id for n in inside if not _is_read(n)}
    stores = [n for n in nodes(function) if isinstance(getattr(n, "ctx", None), gast.Store)
              and id(n) not in own and getattr(n, "lineno", 0) > opening.lineno]  # fmt: skip
    return any(base_of(node) in read for node in stores)


def _in_order(block: list[Any], rest: list[Any], name: str, reads: list[gast.Name]) -> bool:
    """Put elements in the place of each ``next(it)`` if all stand one behind the other; whether they do."""
    steps = [(stmt, call) for stmt in rest if isinstance(stmt, SIMPLE) for call in calls_of_next(stmt, name)]
    others = [n for n in reads if all(n is not call.args[0] for _, call in steps)]
    last = rest.index(steps[-1][0]) if steps else -1
    behind = [n for stmt in rest[last + 1 :] for n in surely(stmt) if any(n is other for other in others)]
    if len(others) != len(behind) or len(others) > 1:
        return False
    for position, (stmt, call) in enumerate(steps):
        _step(block, stmt, call, position)
    for read in behind:
        left = _call("~islice", _name(name), gast.Constant(len(steps), None), gast.Constant(None, None))
        Exchange(read, left).visit(next(stmt for stmt in rest if any(n is read for n in nodes(stmt))))
    return True


def _is_read(node: gast.Name) -> bool:
    return isinstance(node.ctx, gast.Load)


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
    Exchange(call, element).visit(stmt)
    for node in nodes(element):
        gast.copy_location(node, call)
    for node in nodes(block[block.index(stmt) - 1]) if not default else ():
        gast.copy_location(node, stmt)


def _name(name: str) -> gast.Name:
    return gast.Name(name, gast.Load(), None, None)


def _call(fn: str, *args: Any) -> gast.Call:
    return gast.Call(_name(fn), [*args], [])
