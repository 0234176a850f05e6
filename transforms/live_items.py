"""Loops over the items of dicts that these loops change; part of `desugar`.

What belongs to a key is looked up when its turn comes, ``for k in d: v = d[k]``, as Python's views of dicts do.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.forms import is_users
from srcad.lang.nodes import nodes
from srcad.transforms.names import assigned_in
from srcad.transforms.trees import Maker, called_by, may_write
from srcad.transforms.yielding import base_name

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_VIEWS = ("items", "values")
Names = set[str]


def in_turn(d: Desugarer, node: gast.For) -> gast.For:
    """A loop over what belongs to the keys of a dict, as one over the keys, if it may change the dict."""
    if not any(map(_view_of, nodes(node.iter))):
        return node
    inside = [each for part in (node.target, *node.body) for each in nodes(part)]
    if not any(name for each in inside for name in _written(d, each)):
        return node
    turns = _Turns(d, _changed(d, inside), assigned_in(node.body))
    target, over = turns.taken(copy.deepcopy(node.target), copy.deepcopy(node.iter))
    return gast.copy_location(gast.For(target, over, [*turns.first, *node.body], node.orelse, None), node)


def _view_of(node: gast.AST) -> gast.AST | None:
    """Of what ``x.items()`` gives the items."""
    match node:
        case gast.Call(func=gast.Attribute(value=owner, attr=name), args=[], keywords=[]) if name in _VIEWS:
            return owner
    return None


class _Turns:
    """Puts keys into the heads of loops; `first` are the statements that look up what belongs to them."""

    def __init__(self, d: Desugarer, changed: Names, given: Names):
        self.d, self.changed, self.given = d, changed, given
        self.first: list[gast.AST] = []

    def taken(self, target: Any, over: Any) -> tuple[Any, Any]:
        """The target and what the loop goes over."""
        if isinstance(over, (gast.IfExp, gast.BoolOp, gast.NamedExpr)):
            self.refuse(over)
        if not isinstance(over, gast.Call):
            return target, over
        if (owner := _view_of(over)) is not None:
            return self.key(target, over, owner)
        function = called_by(self.d, over)
        starred = any(isinstance(arg, gast.Starred) for arg in over.args)
        if function in (enumerate, zip) and not starred and any(map(_view_of, nodes(over))):
            first, count = (1, 1) if function is enumerate else (0, len(over.args))
            target = self.parted(target, over, first + count)
            for k in range(count):
                target.elts[first + k], over.args[k] = self.taken(target.elts[first + k], over.args[k])
        elif function is reversed:
            target, over.args[0] = self.taken(target, over.args[0])
        elif function not in (list, tuple, sorted):
            self.refuse(over)
        return target, over

    def parted(self, target: Any, over: gast.Call, count: int) -> gast.Tuple:
        """A target with a name for each part, of which the `target` is made first thing."""
        if isinstance(target, gast.Tuple) and len(target.elts) == count:
            return target
        make, names = Maker(self.d, over), [self.d.fresh("part") for _ in range(count)]
        self.d.names.assigned |= {*names}
        self.first.append(make.at(gast.Assign([target], make.each(names, make.name), None)))
        return make.at(gast.Tuple([gast.Name(name, gast.Store(), None, None) for name in names], gast.Store()))

    def key(self, target: Any, over: gast.Call, owner: Any) -> tuple[Any, Any]:
        if any(isinstance(each, gast.Name) and each.id in self.given for each in nodes(owner)):
            self.refuse(over)
            return target, over
        make, name, kind = Maker(self.d, over), self.d.fresh("key"), over.func.attr
        self.d.names.assigned.add(name)
        item = make.call(f"~{kind}_item", copy.deepcopy(owner), make.name(name))
        self.first.insert(0, make.at(gast.Assign([target], item, None)))
        return make.at(gast.Name(name, gast.Store(), None, None)), make.call(f"~{kind}_keys", owner)

    def refuse(self, over: gast.Call) -> None:
        held = next((base_name(owner) for each in nodes(over) if (owner := _view_of(each))), "")
        if held in self.changed:
            reason = f"a loop that changes {held}, over whose items it goes in another way than one by one,"
            self.d.refuse(over, f"{reason} is not supported", f"for key in {held}: value = {held}[key]")


# ---------------------------------------------------------------- what statements may change


def _changed(d: Desugarer, inside: list[gast.AST]) -> Names:
    """The names of dicts that parts of statements may change, under this or another name."""
    if any(isinstance(each, gast.Call) and isinstance(each.func, gast.Name) and each.func.id in d.names.assigned
           for each in inside):  # fmt: skip
        inside += [each for node in nodes(d.source.tree) if isinstance(node, gast.FunctionDef) and
                   node is not d.source.tree for each in nodes(node)]  # fmt: skip
    written = {name for each in inside for name in _written(d, each)}
    return written.union(*(group for group in _aliases(d.source.tree) if group & written))


def _written(d: Desugarer, node: gast.AST) -> Iterator[str]:
    """The names at the beginning of what an expression may change."""
    match node:
        case gast.Subscript(ctx=gast.Store() | gast.Del()) | gast.Attribute(ctx=gast.Store()):
            yield base_name(node)
        case gast.AugAssign(target=gast.Name(id=name), op=gast.BitOr()):
            yield name
        case gast.Call(func=gast.Attribute(value=owner), args=args):
            if may_write(node):
                yield from map(base_name, (owner, *args))
        case gast.Call(func=gast.Name(id=name), args=args, keywords=given) if _is_users(d, name):
            yield from map(base_name, (*args, *(each.value for each in given)))


def _is_users(d: Desugarer, name: str) -> bool:
    """Whether a function may change its arguments."""
    if name in d.names.assigned or d.is_local(name):
        return True
    module = getattr(getattr(d.resolve(name, d.source.tree), "value", None), "__module__", "") or ""
    return is_users(module)


def _aliases(tree: gast.AST) -> list[Names]:
    """Names of which one may mean what another one means, in whole or in part."""
    groups: list[Names] = []
    for node in nodes(tree):
        if isinstance(node, gast.Assign):
            sources = node.value.elts if isinstance(node.value, (gast.Tuple, gast.List)) else [node.value]
            groups.append({*map(base_name, sources), *assigned_in([node])} - {""})
    for group in groups:
        while more := set().union(*(other for other in groups if other & group)) - group:
            group |= more
    return groups
