"""Names that change places in a loop, ``a, b = b, a``, as names that mean one object or the other by a flag; part of
`chosen`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import Block, assigned, name_of, placed
from srcad.transforms.in_branches import (
    SCOPES, binds, blocks, branched, declared, is_name, mentions, pair_of, root, unused,
)  # fmt: skip


def swaps(tree: Any) -> Iterator[tuple[Block, int, tuple[str, str]]]:
    """Loops in which two names change places that nothing gives another value from the loop on."""
    for block in blocks(tree.body):
        for place, loop in enumerate(block):
            if not isinstance(loop, (gast.For, gast.While)):
                continue
            for stmt in nodes(loop):
                pair = pair_of(stmt)
                if pair is not None and _are_settled(tree, block, place, pair):
                    yield block, place, pair


def _are_settled(tree: Any, block: Block, place: int, pair: tuple[str, str]) -> bool:
    rest = block[place:]
    if declared(tree) & {*pair}:
        return False
    for node in (node for stmt in rest for node in nodes(stmt)):
        if isinstance(node, SCOPES) and any(mentions(node, name) for name in pair):
            return False
    stores = [n for s in rest for n in nodes(s) if isinstance(n, gast.Name) and n.id in pair
              and not isinstance(n.ctx, gast.Load)]  # fmt: skip
    swaps = [n for s in rest for n in nodes(s) if (found := pair_of(n)) is not None and {*found} == {*pair}]
    if len(stores) != 2 * len(swaps) or not any(_written(n, pair) for s in rest for n in nodes(s)):
        return False
    if block is not tree.body and not all(
        any(binds(stmt, name) or _unpacks(stmt, name) for stmt in block[:place]) for name in pair
    ):
        return False
    before = sum(mentions(stmt, name) for stmt in block[:place] for name in pair)
    here = sum(mentions(stmt, name) for stmt in rest for name in pair)
    around = sum(mentions(tree, name) for name in pair)
    parameters = sum(is_name(node, name) for node in nodes(tree.args) for name in pair)
    return around == before + here + parameters


def _unpacks(stmt: Any, name: str) -> bool:
    """Whether a statement gives a name a value among others, which do not depend on it."""
    match stmt:
        case gast.Assign(targets=[gast.Tuple(elts=targets)], value=value) if mentions(value, name) == 0:
            return any(is_name(target, name) for target in targets)
    return False


def _written(node: Any, pair: tuple[str, str]) -> bool:
    """Whether what a name means is changed."""
    if isinstance(node, (gast.Subscript, gast.Attribute)) and not isinstance(node.ctx, gast.Load):
        return root(node) in pair
    if not isinstance(node, gast.Call):
        return False
    passed = any(isinstance(arg, gast.Name) and arg.id in pair for arg in node.args)
    return passed or isinstance(node.func, gast.Attribute) and root(node.func) in pair


def exchange(tree: Any, block: Block, place: int, pair: tuple[str, str]) -> None:
    """Let a flag say whether two names have changed places."""
    a, b = pair
    flag = unused(tree, f"{a}_is_{b}")
    turned: dict[str, Any] = {a: name_of(b), b: name_of(a)}
    branches = [(name_of(flag), turned), (None, {a: name_of(a), b: name_of(b)})]
    begin = placed([assigned(flag, gast.Constant(False, None))], block[place])
    turn = assigned(flag, gast.UnaryOp(gast.Not(), name_of(flag)))
    block[place:] = [*begin, *branched(block[place:], branches, {*pair}, (pair, turn))]
