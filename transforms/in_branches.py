"""Statements that mention names, each in a branch for what the names mean; part of `chosen`."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.endless import Block, placed

SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_PARTS = ("body", "orelse", "finalbody")
_HEADS = {gast.If: "test", gast.While: "test", gast.For: "iter"}


def is_name(node: Any, name: str) -> bool:
    return isinstance(node, gast.Name) and node.id == name


def root(node: Any) -> str | None:
    while isinstance(node, (gast.Subscript, gast.Attribute)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def mentions(tree: Any, name: str) -> int:
    return sum(is_name(node, name) for node in nodes(tree))


def declared(tree: Any) -> set[str]:
    return {name for node in nodes(tree) if isinstance(node, (gast.Global, gast.Nonlocal)) for name in node.names}


def unused(tree: Any, name: str) -> str:
    taken = {node.id for node in nodes(tree) if isinstance(node, gast.Name)}
    while name in taken:
        name += "_"
    return name


def is_place(node: Any) -> bool:
    """Whether an expression is a name, or an element of one at a constant place."""
    if isinstance(node, gast.Subscript):
        return isinstance(node.slice, gast.Constant) and is_place(node.value)
    return isinstance(node, gast.Name)


def binds(stmt: Any, name: str) -> bool:
    """Whether a statement gives a name a value that does not depend on the one it has."""
    match stmt:
        case gast.Assign(targets=[gast.Name(id=other)], value=value) if other == name:
            return not any(is_name(node, name) for node in nodes(value))
        case gast.If() if (found := ends_of(stmt)) is not None and found[0] == name:
            return sum(is_name(node, name) for node in nodes(stmt)) == len(found[1])
    return False


def ends_of(stmt: Any) -> tuple[str, list[Any]] | None:
    """The name that a branch gives a value at the end of each side, and these statements."""
    if not isinstance(stmt, gast.If) or not stmt.orelse:
        return None
    name, ends = "", list[Any]()
    for side in (stmt.body, stmt.orelse):
        match side[-1]:
            case gast.Assign(targets=[gast.Name(id=given)]) as last:
                found: Any = (given, [last])
            case gast.If() as last:
                found = ends_of(last)
            case _:
                return None
        if found is None or name not in ("", found[0]):
            return None
        name, ends = found[0], ends + found[1]
    return name, ends


def pair_of(stmt: Any) -> tuple[str, str] | None:
    match stmt:
        case gast.Assign(
            targets=[gast.Tuple(elts=[gast.Name(id=a), gast.Name(id=b)])],
            value=gast.Tuple(elts=[gast.Name(id=c), gast.Name(id=d)]),
        ) if (a, b) == (d, c) and a != b:
            return a, b
    return None


def branched(block: Block, branches: Any, names: set[str], swap: Any = None) -> Block:
    """Statements, of which those that mention some names stand in branches, with what the names mean there."""
    made: Block = []
    run: Block = []

    def flush() -> None:
        if run:
            made.append(_alternatives(run, branches))
            run.clear()

    for stmt in block:
        if swap is not None and (found := pair_of(stmt)) is not None and {*found} == {*swap[0]}:
            flush()
            made += placed([copy.deepcopy(swap[1])], stmt)
        elif not any(mentions(stmt, name) for name in names):
            flush()
            made.append(stmt)
        elif _goes_inside(stmt, names, swap):
            flush()
            if (head := _HEADS.get(type(stmt))) and any(mentions(getattr(stmt, head), name) for name in names):
                (test, here), (_, there) = branches
                both = [_Meaning(each).visit(copy.deepcopy(getattr(stmt, head))) for each in (here, there)]
                setattr(stmt, head, gast.IfExp(copy.deepcopy(test), *both))
                placed([stmt], stmt)
            for each in [stmt, *getattr(stmt, "handlers", ())]:
                for part in _PARTS:
                    if getattr(each, part, None):
                        setattr(each, part, branched(getattr(each, part), branches, names, swap))
            made.append(stmt)
        else:
            run.append(stmt)
    flush()
    return made


def _goes_inside(stmt: Any, names: set[str], swap: Any) -> bool:
    """Whether the blocks of a statement are looked at: nothing else mentions the names, or they change places there."""
    if not isinstance(stmt, (gast.If, gast.For, gast.While, gast.With, gast.Try)):
        return False
    if swap is not None and any((found := pair_of(each)) is not None and {*found} == names for each in nodes(stmt)):
        return True
    inside = sum(mentions(s, name) for block in _ownblocks(stmt) for s in block for name in names)
    return inside == sum(mentions(stmt, name) for name in names)


def _alternatives(run: Block, branches: Any) -> Any:
    (test, meanings), *rest = branches
    body = [_Meaning(meanings).visit(copy.deepcopy(stmt)) for stmt in run]
    if not rest:
        return body
    orelse = _alternatives(run, rest)
    made = gast.If(test, body, orelse if isinstance(orelse, list) else [orelse])
    return placed([made], run[0])[0]


class _Meaning(gast.NodeTransformer):
    """Puts objects in the place of names."""

    def __init__(self, meanings: dict[str, Any]):
        self.meanings = meanings

    def visit_Name(self, node: Any) -> Any:
        meaning = self.meanings.get(node.id)
        if meaning is None:
            return node
        meaning = copy.deepcopy(meaning)
        if hasattr(meaning, "ctx"):
            meaning.ctx = node.ctx
        for each in nodes(meaning):
            gast.copy_location(each, node)
        return meaning


def _ownblocks(stmt: Any) -> list[Block]:
    parts = [stmt, *getattr(stmt, "handlers", ()), *getattr(stmt, "cases", ())]
    return [block for each in parts for part in _PARTS if isinstance(block := getattr(each, part, None), list)]


def blocks(block: Block) -> Iterator[Block]:
    """A block and those in it, without the insides of functions."""
    yield block
    for stmt in block:
        if not isinstance(stmt, SCOPES):
            for inner in _ownblocks(stmt):
                yield from blocks(inner)
