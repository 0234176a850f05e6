"""rebuilt: ``d = {**d, key: value}`` of a dict that has one name alone is ``d[key] = value``; part of `desugar`.

So is ``d = d | {key: value}``. Nothing can tell a new dict from the old one that has been changed where nothing else
holds the old one. ``d[key] = d.get(key, []) + [v]`` begins the list first, ``if key not in d: d[key] = []``.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import assigned, name_of, placed
from srcad.transforms.in_branches import SCOPES, declared, is_name, mentions, unused
from srcad.transforms.one_each import bindings
from srcad.transforms.updates import Stores

_DICTS = (gast.Dict, gast.DictComp)
_READERS = frozenset(("len", "list", "tuple", "sum", "min", "max", "sorted", "any", "all", "dict", "set"))
_VIEWS = frozenset(("items", "values", "keys"))


def rebuilt(tree: Any) -> Any:
    """A function in which loops change dicts instead of making others.

    >>> print(gast.unparse(rebuilt(gast.parse('''
    ... def f(x):
    ...     d = {}
    ...     for k in x:
    ...         d = {**d, k: 1}
    ...         d[k] = d.get(k, []) + [2]
    ...     return d
    ... ''').body[0])))
    def f(x):
        d = {}
        for k in x:
            d[k] = 1
            if k not in d:
                d[k] = []
            d[k] = d[k] + [2]
        return d
    """
    loops = [node for node in nodes(tree) if isinstance(node, (gast.For, gast.While))]
    again = {id(stmt): pair for loop in loops for stmt in nodes(loop) if (pair := _again(stmt)) is not None}
    names = {name for name, _ in again.values() if _is_alone(tree, name, again)}
    if not names and not any(_joined(node) for node in nodes(tree)):
        return tree
    return _Changes(tree, names).visit(copy.deepcopy(tree))


def _again(stmt: Any) -> tuple[str, gast.Dict] | None:
    """The name of a dict that is given a longer one, and what that has more, if its keys are computed."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.Dict(keys=[None, *keys], values=[old, *values])):
            more = gast.Dict(keys, values)
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.BinOp(left=old, op=gast.BitOr(), right=more)):
            if not isinstance(more, gast.Dict):
                return None
        case _:
            return None
    computed = None not in more.keys and not all(isinstance(key, gast.Constant) for key in more.keys)
    return (name, more) if is_name(old, name) and computed else None


def _is_alone(tree: Any, name: str, again: dict[int, Any]) -> bool:
    """Whether a name is of dicts that the function makes, and that nothing else holds."""
    given = [(node, pair) for node in nodes(tree) if isinstance(node, gast.Assign) for pair in bindings(node)]
    known = {id(target) for node, (target, value) in given if isinstance(value, _DICTS) or id(node) in again}
    stores = [node for node in nodes(tree) if is_name(node, name) and not isinstance(node.ctx, gast.Load)]
    if name in declared(tree) or not all(id(node) in known for node in stores):
        return False
    if any(isinstance(node.value, gast.GeneratorExp) and mentions(node.value, name) for node, _ in given):
        return False
    if any(isinstance(node, SCOPES) and node is not tree and mentions(node, name) for node in nodes(tree)):
        return False
    loops = (node for node in nodes(tree) if isinstance(node, gast.For) and mentions(node.iter, name))
    if any(id(stmt) in again for loop in loops for stmt in nodes(loop)):
        return False
    looks = {id(node) for node in _looks(tree)}
    return all(id(node) in looks for node in nodes(tree) if is_name(node, name) and isinstance(node.ctx, gast.Load))


def _looks(tree: Any) -> Iterator[Any]:
    """The expressions that are only looked at where they stand."""
    for node in nodes(tree):
        match node:
            case gast.Subscript(value=value) | gast.Call(func=gast.Attribute(value=value, attr="get")):
                yield value
            case gast.Compare(comparators=[value], ops=[gast.In() | gast.NotIn()]) | gast.Return(value=value):
                yield value
            case gast.For(iter=value) | gast.comprehension(iter=value):
                yield from (value, *_viewed(value))
            case gast.Call(func=gast.Name(id=fn), args=args) if fn in _READERS:
                yield from (each for arg in args for each in (arg, *_viewed(arg)))
            case gast.Dict(keys=keys, values=values):
                yield from (value for key, value in zip(keys, values) if key is None)
            case gast.BinOp(left=left, op=gast.BitOr(), right=gast.Dict()):
                yield left


def _viewed(node: Any) -> Iterator[Any]:
    match node:
        case gast.Call(func=gast.Attribute(value=value, attr=attr), args=[]) if attr in _VIEWS:
            yield value


def _joined(node: Any) -> tuple[str, Any, Any] | None:
    """The dict, the key and what is added, of ``d[key] = d.get(key, []) + more``."""
    match node:
        case gast.Assign(
            targets=[gast.Subscript(value=gast.Name(id=name), slice=key)],
            value=gast.BinOp(op=gast.Add(), right=more, left=gast.Call(
                func=gast.Attribute(value=gast.Name(id=other), attr="get"), args=[asked, gast.List(elts=[])])),
        ) if name == other and gast.dump(asked) == gast.dump(key) and not mentions(more, name):  # fmt: skip
            computes = any(isinstance(each, (gast.Call, gast.NamedExpr)) for each in nodes(key))
            return None if computes or mentions(key, name) else (name, key, more)
    return None


class _Changes(Stores):
    def visit_Assign(self, node: Any) -> Any:
        if (found := _again(node)) is not None and found[0] in self.names:
            return placed(self.stores(*found), node)
        if (joined := _joined(node)) is None:
            return node
        name, key, more = joined
        first = []
        if not isinstance(key, (gast.Name, gast.Constant)):
            first = [assigned(each := unused(self.tree, f"key_{self.count}"), key)]
            key, self.count = name_of(each), self.count + 1
        place = gast.Subscript(name_of(name), key, gast.Load())
        begin = gast.Assign([gast.Subscript(name_of(name), key, gast.Store())], gast.List([], gast.Load()), None)
        begun = gast.If(gast.Compare(key, [gast.NotIn()], [name_of(name)]), [begin], [])
        longer = gast.Assign(copy.deepcopy(begin.targets), gast.BinOp(place, gast.Add(), more), None)
        return placed([*first, copy.deepcopy(begun), longer], node)
