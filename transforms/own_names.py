"""own_names: a name that several loops begin anew is another name in each of them; part of `desugar`.

``w = [a, b]`` at the beginning of one loop, and ``w = [c, d]`` at that of another, are two lists that know nothing of
each other. Under one name the second one would be what the first one becomes.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_LISTS = (gast.List, gast.ListComp, gast.Dict, gast.DictComp)
_NAMING = ("name", "asname", "rest")  # fields of nodes that bind names without a node for them


def own_names(tree: gast.AST) -> gast.AST:
    """The tree with a name of its own for the list or dict of each loop.

    >>> tree = gast.parse('''
    ... def f(x):
    ...     for a in x:
    ...         w = [a, a]
    ...     for a in x:
    ...         w = [a]
    ...         y = w[0]
    ... ''').body[0]
    >>> [node.id for node in nodes(own_names(tree)) if isinstance(node, gast.Name) and node.id[0] == "w"]
    ['w', 'w~2', 'w~2']
    """
    if not any(_shared(tree)):
        return tree
    tree = copy.deepcopy(tree)
    for name, loops in list(_shared(tree)):
        for k, loop in enumerate(loops[1:], 2):
            for node in nodes(loop):
                if isinstance(node, gast.Name) and node.id == name:
                    node.id = f"{name}~{k}"
    return tree


def _shared(tree: gast.AST) -> Iterator[tuple[str, list[gast.AST]]]:
    """The names that nothing but several loops mentions, each of which begins them anew, and these loops."""
    for scope in nodes(tree):
        if not isinstance(scope, (gast.FunctionDef, gast.AsyncFunctionDef)):
            continue
        taken, mentions = {*_bound_elsewhere(scope)}, _mentions(scope)
        loops: dict[str, list[gast.AST]] = {}
        for loop, name in _beginnings(scope.body):
            loops.setdefault(name, []).append(loop)
        for name, found in loops.items():
            if len(found) > 1 and name not in taken and mentions[name] == sum(_mentions(each)[name] for each in found):
                yield name, found


def _beginnings(body: list[Any]) -> Iterator[tuple[gast.AST, str]]:
    """The outermost loops with the names of lists that each iteration begins before anything mentions them."""
    for stmt in body:
        own: set[str] = set()
        if isinstance(stmt, (gast.For, gast.While)):
            own = {*_begun(stmt)}
            yield from ((stmt, name) for name in own)
        if not isinstance(stmt, _SCOPES):
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                inner = getattr(stmt, field, None) or []
                yield from ((loop, name) for loop, name in _beginnings(inner) if name not in own)


def _begun(loop: Any) -> Iterator[str]:
    header = loop.test if isinstance(loop, gast.While) else gast.Tuple([loop.target, loop.iter], None)
    before = {*_mentions(header), *(name for stmt in loop.orelse for name in _mentions(stmt))}
    for stmt in loop.body:
        match stmt:
            case gast.Assign(targets=[gast.Name(id=name)], value=value) if isinstance(value, _LISTS):
                if name not in before and name not in _mentions(value):
                    yield name
        before |= _mentions(stmt).keys()


def _mentions(tree: Any) -> Counter[str]:
    return Counter(node.id for node in nodes(tree) if isinstance(node, gast.Name))


def _bound_elsewhere(scope: Any) -> Iterator[str]:
    """The names that a scope does not bind by itself and for itself alone."""
    yield from _mentions(scope.args)
    for node in nodes(scope):
        if isinstance(node, _SCOPES) and node is not scope:
            yield from _mentions(node)
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            yield from node.names
        yield from (name for field in _NAMING if isinstance(name := getattr(node, field, None), str))
