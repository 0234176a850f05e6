"""updates: ``d |= {key: value}`` of a dict is a change of it, ``d.update({key: value})``; part of `desugar`.

Where keys are computed, it is what these two do: ``d[key] = value``.
"""

from __future__ import annotations

import copy
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import Block, assigned, name_of, placed
from srcad.transforms.in_branches import unused
from srcad.transforms.one_each import bindings

_DICTS = (gast.Dict, gast.DictComp)


def updates(tree: Any) -> Any:
    """A function in which names that hold nothing but dicts are never given one by ``|=``.

    >>> print(gast.unparse(updates(gast.parse("def f(a):\\n d = {}\\n d |= {a: 1}\\n d |= {1: a}").body[0])))
    def f(a):
        d = {}
        d[a] = 1
        d.update({1: a})
    """
    found = [(node, pair) for node in nodes(tree) if (pair := _update(node)) is not None]
    if not found:
        return tree
    given = [pair for node in nodes(tree) if isinstance(node, gast.Assign) for pair in bindings(node)]
    begun = [target for target, value in given if isinstance(value, _DICTS)]
    joined = [node.target for node, _ in found if isinstance(node, gast.AugAssign)]
    known = {id(target) for target in (*begun, *joined)}
    dicts = {target.id for target in begun if isinstance(target, gast.Name)}
    stores = [node for node in nodes(tree) if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load)]
    others = {node.id for node in stores if id(node) not in known}
    names = {name for _, (name, _) in found} & dicts - others
    return _Updates(tree, names).visit(copy.deepcopy(tree)) if names else tree


def _update(node: Any) -> tuple[str, gast.Dict] | None:
    """The name to which a statement adds what a display shows, and that display."""
    match node:
        case gast.AugAssign(op=gast.BitOr(), target=gast.Name(id=name), value=gast.Dict() as more):
            return name, more
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr="update"),
                                       args=[gast.Dict() as more], keywords=[])):  # fmt: skip
            return name, more
    return None


class Stores(gast.NodeTransformer):
    """Puts stores in the place of statements that give names of dicts more."""

    def __init__(self, tree: Any, names: set[str]):
        self.tree, self.names, self.count = tree, names, 0

    def stores(self, name: str, more: gast.Dict) -> Block:
        """``d[key] = value`` for each key, when all of them and all values have been computed."""
        before: Block = []
        pairs = [*zip(more.keys, more.values)]
        if len(pairs) > 1 or not isinstance(pairs[0][0], (gast.Name, gast.Constant)):
            numbers = range(self.count, self.count + len(pairs))
            both = [(unused(self.tree, f"key_{k}"), unused(self.tree, f"value_{k}")) for k in numbers]
            self.count += len(pairs)
            before = [assigned(new, old) for each, pair in zip(both, pairs) for new, old in zip(each, pair)]
            pairs = [(name_of(key), name_of(value)) for key, value in both]
        place = [gast.Subscript(name_of(name), key, gast.Store()) for key, _ in pairs]
        return [*before, *(gast.Assign([each], value, None) for each, (_, value) in zip(place, pairs))]


class _Updates(Stores):
    def visit_AugAssign(self, node: Any) -> Any:
        return self.written(node)

    def visit_Expr(self, node: Any) -> Any:
        return self.written(node)

    def written(self, node: Any) -> Any:
        found = _update(node)
        if found is None or found[0] not in self.names:
            return node
        name, more = found
        if all(isinstance(key, gast.Constant) for key in more.keys) or not all(more.keys):
            call = gast.Call(gast.Attribute(name_of(name), "update", gast.Load()), [more], [])
            return placed([gast.copy_location(gast.Expr(call), node)], node)
        return placed(self.stores(name, more), node)
