"""Elements of one list that change places, ``xs[i], xs[j] = xs[j], xs[i]``, also by a name; part of `desugar`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

import gast

from srcad.lang.nodes import nodes


def trades(target: Union[gast.Tuple, gast.List], value: Union[gast.Tuple, gast.List]) -> bool:
    """Whether two elements of one list change places; of three, two may be one, and end in two places."""
    both = [[gast.unparse(item) for item in node.elts if _is_element(item)] for node in (target, value)]
    bases = {gast.unparse(item.value) for item in target.elts if _is_element(item)}
    return len(both[0]) == len(target.elts) == 2 and len(bases) == 1 and sorted(both[0]) == sorted(both[1])


def through_names(tree: gast.AST) -> set[int]:
    """The elements that change places in three statements, by a name that nothing else reads.

    >>> tree = gast.parse("t = xs[i]\\nxs[i] = xs[j]\\nxs[j] = t")
    >>> len(through_names(tree)), len(through_names(gast.parse("t = xs[i]\\nxs[i] = xs[j]\\nxs[j] = t\\nt[0] = 1")))
    (2, 0)
    """
    found = [pair for block in _blocks(tree) for three in zip(block, block[1:], block[2:]) if (pair := _pair(*three))]
    read = [node.id for node in nodes(tree) if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)]
    names = [name for name, _ in found]
    return {element for name, both in found if read.count(name) == names.count(name) for element in both}


def _blocks(tree: gast.AST) -> Iterator[list[gast.AST]]:
    for node in nodes(tree):
        for name in ("body", "orelse", "finalbody"):
            if isinstance(block := getattr(node, name, None), list):
                yield block


def _pair(first: gast.AST, second: gast.AST, third: gast.AST) -> tuple[str, tuple[int, int]] | None:
    """The name by which two elements change places, and these elements."""
    match first, second, third:
        case (
            gast.Assign(targets=[gast.Name(id=name)], value=a),
            gast.Assign(targets=[place], value=b),
            gast.Assign(targets=[other], value=gast.Name(id=again)),
        ) if name == again and all(map(_is_element, (a, b, place, other))):
            told = [gast.unparse(node) for node in (a, b, place, other)]
            inside = any(isinstance(each, gast.Name) and each.id == name for node in (a, b) for each in nodes(node))
            if told[:2] == told[2:] and gast.unparse(a.value) == gast.unparse(b.value) and not inside:
                return name, (id(a), id(b))
    return None


def _is_element(node: gast.AST) -> bool:
    """Whether a node is an element of something, under a name, at a place that no call computes."""
    if not isinstance(node, gast.Subscript) or isinstance(node.slice, (gast.Slice, gast.Tuple)):
        return False
    return not any(isinstance(each, (gast.Call, gast.NamedExpr)) for each in nodes(node))
