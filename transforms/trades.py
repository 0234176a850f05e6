"""Elements of one list that change places, ``xs[i], xs[j] = xs[j], xs[i]``; part of `desugar`."""

from __future__ import annotations

from typing import Union

import gast

from srcad.lang.nodes import nodes


def trades(target: Union[gast.Tuple, gast.List], value: Union[gast.Tuple, gast.List]) -> bool:
    """Whether two elements of one list change places; of three, two may be one, and end in two places."""
    both = [[gast.unparse(item) for item in node.elts if _is_element(item)] for node in (target, value)]
    bases = {gast.unparse(item.value) for item in target.elts if _is_element(item)}
    return len(both[0]) == len(target.elts) == 2 and len(bases) == 1 and sorted(both[0]) == sorted(both[1])


def _is_element(node: gast.AST) -> bool:
    """Whether a node is an element of something, under a name, at a place that no call computes."""
    if not isinstance(node, gast.Subscript) or isinstance(node.slice, (gast.Slice, gast.Tuple)):
        return False
    return not any(isinstance(each, (gast.Call, gast.NamedExpr)) for each in nodes(node))
