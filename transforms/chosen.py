"""chosen: statements about one of several lists or objects, each in a branch for the one it means; part of `desugar`.

``t = d if c else e``, followed by ``t[k] = v``, changes one object or the other. A flag says which, and each statement
that mentions `t` stands in a branch for each: ``if t_is_d: d[k] = v`` and ``else: e[k] = v``. Names that change places
in a loop, ``a, b = b, a``, mean one or the other by a flag, too. That is done where the compiler would refuse the
function otherwise: arrays have an identity that other passes know.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import gast

from srcad.lang.left import current
from srcad.lang.nodes import nodes
from srcad.transforms.endless import Block, assigned, name_of, placed
from srcad.transforms.in_branches import (
    SCOPES, binds, blocks, branched, declared, ends_of, is_name, is_place, mentions, root, unused,
)  # fmt: skip
from srcad.transforms.names import assigned_in
from srcad.transforms.objects_apart import one_by_one
from srcad.transforms.places_exchanged import exchange, swaps

LONGER = 8  # times: how long a function may become
_READERS = frozenset(("len", "enumerate", "zip", "sum", "range", "reversed", "min", "max", "sorted", "list", "tuple"))


@dataclass
class Choice:
    """A name that means one of several objects in the statements of a block from a place on."""

    name: str
    block: Block
    begin: int  # where the statements are that choose
    end: int
    behind: int  # where nothing mentions the name any more
    leaves: list[Any]
    mentions: int  # of the name, in these statements
    write: Callable[[list[Any]], Block]  # the choice with numbers in the place of objects

    @property
    def region(self) -> Block:
        return self.block[self.end : self.behind]


def chosen(tree: Any) -> Any:
    """A function without names for one of several objects that are changed by these names, if that has been asked for.

    >>> tree = gast.parse('''
    ... def f(d, e, c):
    ...     t = d if c > 0 else e
    ...     t[0] += c
    ...     return d[0] * e[0]
    ... ''').body[0]
    >>> print(gast.unparse(_written_out(tree)))
    def f(d, e, c):
        t_is_d = c > 0
        if t_is_d:
            d[0] += c
        else:
            e[0] += c
        return d[0] * e[0]
    """
    if isinstance(tree, gast.Lambda):
        return tree
    apart = one_by_one(tree)
    if next(_choices(apart), None) is None and next(swaps(apart), None) is None:
        return tree
    reading = current()
    if not reading.chosen:
        reading.may_choose = True
        return tree
    return _written_out(apart)


def _written_out(tree: Any) -> Any:
    tree, most = copy.deepcopy(tree), LONGER * len(nodes(tree))
    while len(nodes(tree)) < most:
        if (choice := next(_choices(tree), None)) is not None:
            _write(tree, choice)
        elif (swap := next(swaps(tree), None)) is not None:
            exchange(tree, *swap)
        else:
            break
    return tree


# ---------------------------------------------------------------- names for one of several objects


def _choices(tree: Any) -> Iterator[Choice]:
    for block in blocks(tree.body):
        for place in range(len(block)):
            choice = _assigned(block, place) or _in_branches(block, place) or _overridden(block, place)
            if choice is not None and _is_changed(choice) and _is_settled(tree, choice):
                yield choice


def _assigned(block: Block, place: int) -> Choice | None:
    """``t = d if c else e``"""
    match block[place]:
        case gast.Assign(targets=[gast.Name(id=name)], value=gast.IfExp() as value):
            leaves = _leaves(value)
        case _:
            return None

    def write(numbers: list[Any]) -> Block:
        left = iter(numbers)

        def numbered(node: Any) -> Any:
            if isinstance(node, gast.IfExp):
                return gast.IfExp(node.test, numbered(node.body), numbered(node.orelse))
            return next(left)

        if len(numbers) == 2 and _is_truth(value.test):
            return [assigned(name, value.test)]
        return [assigned(name, numbered(value))]

    return _choice(name, block, place, place + 1, leaves, 1, write)


def _leaves(node: Any) -> list[Any]:
    return [*_leaves(node.body), *_leaves(node.orelse)] if isinstance(node, gast.IfExp) else [node]


def _is_truth(test: Any) -> bool:
    """Whether a condition is True or False, as far as numbers are compared."""
    return isinstance(test, gast.Compare) and len(test.ops) == 1


def _in_branches(block: Block, place: int) -> Choice | None:
    """``if c: t = d`` with ``else: t = e``"""
    found = ends_of(block[place])
    if found is None:
        return None
    name, ends = found
    return _choice(name, block, place, place + 1, [end.value for end in ends], len(ends),
                   _putting(block, place, place + 1, ends))  # fmt: skip


def _overridden(block: Block, place: int) -> Choice | None:
    """``t = d`` before ``if c: t = e``"""
    match block[place : place + 2]:
        case [gast.Assign(targets=[gast.Name(id=name)]) as first, gast.If(orelse=[], body=[*_, gast.Assign(
                targets=[gast.Name(id=other)]) as last]) as branch] if name == other:  # fmt: skip
            if any(is_name(node, name) for node in nodes(branch.test)):
                return None
            ends = [first, last]
            return _choice(name, block, place, place + 2, [first.value, last.value], 2,
                           _putting(block, place, place + 2, ends))  # fmt: skip
    return None


def _putting(block: Block, begin: int, end: int, ends: list[Any]) -> Callable[[list[Any]], Block]:
    def write(numbers: list[Any]) -> Block:
        for stmt, number in zip(ends, numbers):
            stmt.value = number
        return block[begin:end]

    return write


def _choice(
    name: str, block: Block, begin: int, end: int, leaves: list[Any], count: int, write: Any
) -> Choice | None:
    if not all(map(is_place, leaves)) or any(is_name(node, name) for leaf in leaves for node in nodes(leaf)):
        return None
    same = [k for k in range(end, len(block)) if binds(block[k], name)]
    region = range(end, same[0] if same else len(block))
    behind = max((k + 1 for k in region if mentions(block[k], name)), default=end)
    return Choice(name, block, begin, end, behind, leaves, count, write)


def _is_changed(choice: Choice) -> bool:
    """Whether what a name means may be changed by this name."""
    for stmt in choice.region:
        for node in nodes(stmt):
            match node:
                case gast.Subscript(ctx=gast.Store() | gast.Del()) | gast.Attribute(ctx=gast.Store()):
                    if root(node) == choice.name:
                        return True
                case gast.Call(func=func, args=args):
                    if isinstance(func, gast.Attribute) and root(func) == choice.name:
                        return True
                    if any(is_name(arg, choice.name) for arg in args):
                        return True
                case gast.For(iter=gast.Name(id=name)) if name == choice.name:
                    return True
    return False


def _is_settled(tree: Any, choice: Choice) -> bool:
    """Whether the name, where it is mentioned, means what was chosen, and the objects are what they were then."""
    region, chooses = choice.region, choice.block[choice.begin : choice.end]
    objects = {node.id for leaf in choice.leaves for node in nodes(leaf) if isinstance(node, gast.Name)}
    if objects & _bound(chooses + region) or choice.name in _bound(region) | declared(tree):
        return False
    if sum(mentions(stmt, choice.name) for stmt in chooses) != choice.mentions:
        return False
    if any(isinstance(each, SCOPES) and mentions(each, choice.name) for stmt in region for each in nodes(stmt)):
        return False
    if not all(isinstance(leaf, gast.Name) or _stands(tree, leaf) for leaf in choice.leaves):
        return False
    here = {id(node) for block in _regions(tree, choice.name) for stmt in block for node in nodes(stmt)}
    return all(id(node) in here for node in nodes(tree) if is_name(node, choice.name))


def _bound(block: Block) -> set[str]:
    """The names that statements bind, those of comprehensions and functions in them among them."""
    return {n.id for s in block for n in nodes(s) if isinstance(n, gast.Name) and not isinstance(n.ctx, gast.Load)}


def _regions(tree: Any, name: str) -> Iterator[Block]:
    """The parts of blocks in which a name has a value that they have given it."""
    for block in blocks(tree.body):
        begins = [k for k, stmt in enumerate(block) if binds(stmt, name)]
        if begins and not any(name in assigned_in(block[:k]) for k in begins[:1]):
            inner = [k for k in range(begins[0], len(block)) if k not in begins and name in assigned_in([block[k]])]
            overridden = [k for k in inner if k - 1 in begins and _overridden(block, k - 1) is not None]
            if inner == overridden:
                yield block[begins[0] :]


def _stands(tree: Any, leaf: Any) -> bool:
    """Whether an element of a list or dict is the same object from beginning to end: nothing puts another there."""
    base_name = root(leaf) or ""
    allowed: set[int] = set()
    for node in nodes(tree):
        match node:
            case gast.Subscript(value=gast.Name() as base, ctx=gast.Load()):
                allowed.add(id(base))
            case gast.Call(func=gast.Name(id=fn), args=args) if fn in _READERS:
                allowed |= {id(arg) for arg in args}
            case gast.For(iter=gast.Name() as base) | gast.comprehension(iter=gast.Name() as base):
                allowed.add(id(base))
            case gast.Assign(targets=[gast.Name() as base], value=gast.List() | gast.Tuple() | gast.Dict() as made):
                if not any(
                    isinstance(item, gast.Name) for item in getattr(made, "elts", ()) or getattr(made, "values", ())
                ):
                    allowed.add(id(base))
    deep = isinstance(leaf.value, gast.Subscript)
    mentions = [node for node in nodes(tree) if is_name(node, base_name) and not isinstance(node.ctx, gast.Param)]
    return not deep and all(id(node) in allowed for node in mentions)


def _write(tree: Any, choice: Choice) -> None:
    """Put the statements that mention the name of a choice into branches."""
    flag = _fresh(tree, choice)
    two = len(choice.leaves) == 2
    numbers = [gast.Constant(k == 0 if two else k, None) for k in range(len(choice.leaves))]
    first = choice.block[choice.begin]
    made = choice.write(numbers)
    for stmt in made:
        for node in nodes(stmt):
            if is_name(node, choice.name):
                node.id = flag
    tests = [_test(flag, None if two else k) for k in range(len(choice.leaves))]
    branches = [(test, {choice.name: leaf}) for test, leaf in zip(tests, choice.leaves)]
    region = branched(choice.region, branches, {choice.name})
    choice.block[choice.begin : choice.behind] = [*placed(made, first), *region]


def _fresh(tree: Any, choice: Choice) -> str:
    first = choice.leaves[0]
    what = f"is_{first.id}" if len(choice.leaves) == 2 and isinstance(first, gast.Name) else "number"
    return unused(tree, f"{choice.name}_{what}")


def _test(flag: str, number: int | None) -> Any:
    if number is None:
        return name_of(flag)
    return gast.Compare(name_of(flag), [gast.Eq()], [gast.Constant(number, None)])
