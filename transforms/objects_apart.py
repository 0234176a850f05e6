"""Several names that are given several objects at once are given them one by one; part of `chosen`."""

from __future__ import annotations

import copy
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import Block, assigned, name_of, placed
from srcad.transforms.in_branches import is_place, pair_of, unused


def one_by_one(tree: Any) -> Any:
    """A function in which each name for an object, or for one of two, has a statement of its own.

    >>> print(gast.unparse(one_by_one(gast.parse("def f(c, d, e):\\n a, b = (d, e) if c else (e, d)").body[0])))
    def f(c, d, e):
        a_is_d = True if c else False
        a = d if a_is_d else e
        b = e if a_is_d else d
    """
    if not any(isinstance(node, gast.Assign) and (_several(node) or _turned(node)) for node in nodes(tree)):
        return tree
    return _Apart(tree).visit(copy.deepcopy(tree))


def _several(stmt: gast.Assign) -> tuple[Any, list[list[Any]]] | None:
    """The test that decides what names are given, if there is one, and what they are given; None: something else."""
    match stmt:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.IfExp(test=test, body=one, orelse=other)):
            sides = [one, other]
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=gast.Tuple() as one):
            test, sides = None, [one]
        case _:
            return None
    if not all(isinstance(side, gast.Tuple) and len(side.elts) == len(targets) for side in sides):
        return None
    given = [side.elts for side in sides]
    if not all(map(is_place, [each for side in given for each in side])):
        return None
    read = {node.id for side in sides for node in nodes(side) if isinstance(node, gast.Name)}
    names = [target.id for target in targets if isinstance(target, gast.Name)]
    alone = len(names) == len({*names}) == len(targets)
    return (test, given) if alone and not read & {*names} else None


def _turned(stmt: gast.Assign) -> gast.If | None:
    """``a, b = (b, a) if c else (a, b)`` as ``if c: a, b = b, a``."""
    match stmt:
        case gast.Assign(targets=[gast.Tuple() as names], value=gast.IfExp(test=test, body=one, orelse=other)):
            ends = [gast.Assign([names], side, None) for side in (one, other)]
        case _:
            return None
    same = [isinstance(side, gast.Tuple) and _names(side) == _names(names) for side in (one, other)]
    if same == [False, True] and pair_of(ends[0]) is not None:
        return gast.If(test, ends[:1], [])
    return gast.If(gast.UnaryOp(gast.Not(), test), ends[1:], []) if same[0] and pair_of(ends[1]) is not None else None


def _names(several: gast.Tuple) -> list[str | None]:
    return [getattr(each, "id", None) for each in several.elts]


class _Apart(gast.NodeTransformer):
    def __init__(self, tree: Any):
        self.tree, self.flags = tree, set[str]()

    def visit_Assign(self, node: Any) -> Any:
        if (turned := _turned(node)) is not None:
            return placed([turned], node)
        found = _several(node)
        if found is None:
            return node
        test, given = found
        names = [target.id for target in node.targets[0].elts]
        if test is None:
            return placed([assigned(name, value) for name, value in zip(names, given[0])], node)
        return self.chosen(test, names, given, node)

    def visit_If(self, node: Any) -> Any:
        """Branches that end so, with what they do before, and then the choice."""
        ends = [side[-1] if side else None for side in (node.body, node.orelse)]
        found = [_several(end) if isinstance(end, gast.Assign) else None for end in ends]
        names = [[getattr(t, "id", "") for t in end.targets[0].elts] if each else [] for end, each in zip(ends, found)]
        if found[0] is None or found[1] is None or names[0] != names[1] or found[0][0] or found[1][0]:
            return self.generic_visit(node)
        choice = self.chosen(node.test, names[0], [found[0][1][0], found[1][1][0]], node)
        node.test, node.body, node.orelse = name_of(choice[0].targets[0].id), node.body[:-1], node.orelse[:-1]
        if not node.body and not node.orelse:
            return choice
        node.body = node.body or placed([gast.Pass()], node)
        return placed([choice[0], self.generic_visit(node), *choice[1:]], node)

    def chosen(self, test: Any, names: list[str], given: list[list[Any]], node: Any) -> Block:
        flag = self.flag(f"{names[0]}_is_{getattr(given[0][0], 'id', 'first')}")
        truth = gast.IfExp(test, gast.Constant(True, None), gast.Constant(False, None))
        made: Block = [assigned(flag, truth)]
        made += [assigned(name, gast.IfExp(name_of(flag), one, other)) for name, one, other in zip(names, *given)]
        return placed(made, node)

    def flag(self, name: str) -> str:
        name = unused(self.tree, name)
        while name in self.flags:
            name += "_"
        self.flags.add(name)
        return name
