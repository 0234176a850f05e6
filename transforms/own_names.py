"""own_names: a name that several loops begin anew is another name in each of them; part of `desugar`.

``w = [a, b]`` at the beginning of one loop, and ``w = [c, d]`` at that of another, are two lists that know nothing of
each other. Under one name the second one would be what the first one becomes. So is what two loops go over: ``for p in
particles``, which are objects, and ``for p in x``, which are numbers.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_NAMING = ("name", "asname", "rest")  # fields of nodes that bind names without a node for them


def own_names(tree: gast.AST) -> gast.AST:
    """The tree with a name of its own for what each loop begins.

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
            for node in _named(loop):
                if node.id == name:
                    node.id = f"{name}~{k}"
    return tree


def is_of_loop(name: str) -> bool:
    """Whether a name is the own one of a loop."""
    return "~" in name


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
    if isinstance(loop, gast.For) and not _counts(loop.iter):
        around = {*_mentions(loop.iter), *(name for stmt in loop.orelse for name in _mentions(stmt))}
        yield from (name for name in _bound(loop.target) if name not in around)
    header = loop.test if isinstance(loop, gast.While) else gast.Tuple([loop.target, loop.iter], None)
    before = {*_mentions(header), *(name for stmt in loop.orelse for name in _mentions(stmt))}
    for stmt in loop.body:
        match stmt:
            case gast.Assign(targets=[(gast.Name() | gast.Tuple()) as target], value=value):
                around = before | _mentions(value).keys()
                yield from (name for name in _bound(target) if name not in around)
        before |= _mentions(stmt).keys()


def _bound(target: Any) -> Iterator[str]:
    """The names that a target binds, if it does nothing else."""
    if not any(isinstance(part, (gast.Subscript, gast.Attribute)) for part in nodes(target)):
        yield from _mentions(target)


def _counts(values: Any) -> bool:
    """Whether a loop goes over numbers that nothing but a number can follow."""
    return isinstance(values, gast.Call) and isinstance(values.func, gast.Name) and values.func.id == "range"


def _mentions(tree: Any) -> Counter[str]:
    return Counter(node.id for node in _named(tree))


def _named(tree: Any) -> Iterator[Any]:
    """Where names are mentioned; those that comprehensions bind are theirs alone."""
    inside = [node for node in nodes(tree) if isinstance(node, _COMPREHENSIONS)]
    own = {id(name) for each in inside for name in _bound_inside(each)}
    return (node for node in nodes(tree) if isinstance(node, gast.Name) and id(node) not in own)


def _bound_inside(comprehension: Any) -> Iterator[gast.AST]:
    bound = {node.id for part in comprehension.generators for node in nodes(part.target) if isinstance(node, gast.Name)}
    outside = {id(node) for node in nodes(comprehension.generators[0].iter)}
    for node in nodes(comprehension):
        if isinstance(node, gast.Name) and node.id in bound and id(node) not in outside:
            yield node


def _bound_elsewhere(scope: Any) -> Iterator[str]:
    """The names that a scope does not bind by itself and for itself alone."""
    yield from _mentions(scope.args)
    for node in nodes(scope):
        if isinstance(node, _SCOPES) and node is not scope:
            yield from _mentions(node)
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            yield from node.names
        yield from (name for field in _NAMING if isinstance(name := getattr(node, field, None), str))
