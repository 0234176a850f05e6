"""Which names a function assigns; part of `desugar`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import gast

from srcad.lang.nodes import nodes
from srcad.transforms.trades import through_names

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

FLAGS = frozenset(("stop", "skip", "done", "result"))  # whose numbered names `exits` gives
_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)


@dataclass
class Names:
    """The names that belong to a function, and the length of those that hold one tuple from beginning to end.

    `outer` are those of the functions around it that it assigns, `shared` those that functions inside of it may assign,
    `traded` the elements that change places by a name.
    """

    assigned: set[str] = field(default_factory=set)
    displays: dict[str, int] = field(default_factory=dict)
    outer: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    traded: set[int] = field(default_factory=set)


def names_of(tree: gast.AST) -> Names:
    """The names of a function's own scope.

    >>> tree = gast.parse("def f(x, *r):\\n p = (x, 1)\\n for i in r: q = i\\n return lambda z: z").body[0]
    >>> names = names_of(tree)
    >>> sorted(names.assigned), names.displays
    (['i', 'p', 'q', 'r', 'x'], {'p': 2})
    """
    names = Names()
    counts: dict[str, int] = {}
    assignments: list[gast.Assign] = []
    for node in own_nodes(tree):
        name = _assigned_name(node)
        if name is not None:
            names.assigned.add(name)
            counts[name] = counts.get(name, 0) + 1
        if isinstance(node, gast.Assign):
            assignments.append(node)
    names.outer = {name for node in own_nodes(tree) if isinstance(node, gast.Nonlocal) for name in node.names}
    names.assigned -= names.outer
    names.traded = through_names(tree)
    names.shared = {name for node in nodes(tree) if isinstance(node, gast.Nonlocal) for name in node.names}
    once = {name for name, count in counts.items() if count == 1} - names.shared
    for node in sorted(assignments, key=lambda node: node.lineno):
        _measure(node, names.displays, once)
    return names


def _measure(node: gast.Assign, displays: dict[str, int], once: set[str]) -> None:
    """Note the length of what an assignment binds names to."""
    count = _count(node.value, displays)
    match node.targets:
        case [gast.Name(id=name)] if count is not None and name in once and not isinstance(node.value, gast.List):
            displays[name] = count
        case [gast.Tuple(elts=targets) | gast.List(elts=targets)] if count is not None:
            for target in targets:
                if isinstance(target, gast.Starred) and isinstance(target.value, gast.Name) and target.value.id in once:
                    displays[target.value.id] = count - len(targets) + 1


def _count(node: gast.AST, displays: dict[str, int]) -> int | None:
    """How many items an expression surely has."""
    match node:
        case gast.Starred(value=value):
            return _count(value, displays)
        case gast.Name(id=name):
            return displays.get(name)
        case gast.Tuple(elts=items) | gast.List(elts=items):
            counts = [_count(item, displays) if isinstance(item, gast.Starred) else 1 for item in items]
            return None if None in counts else sum(counts)  # type: ignore[arg-type]
    return None


def _assigned_name(node: gast.AST) -> str | None:
    match node:
        case gast.Name(id=name, ctx=gast.Store() | gast.Param() | gast.Del()):
            return name
        case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name) | gast.ClassDef(name=name):
            return name
        case gast.MatchAs(name=str() as name) | gast.MatchStar(name=str() as name):
            return name
    return None


def declares(d: Desugarer, node: gast.AST) -> bool:
    """Whether a statement does nothing but say what names mean: an import, or whose variables they are."""
    match node:
        case gast.Import() | gast.ImportFrom():
            return d.source.is_settled(node, d.names.assigned)
        case gast.Global(names=names):
            return not d.names.assigned & set(names)
        case gast.Nonlocal(names=names):
            return all(map(d.is_local, names))
    return isinstance(node, gast.Pass)


def own_nodes(tree: gast.AST) -> Iterator[gast.AST]:
    """The parameters and the body of a function, without the insides of functions nested in it."""
    args = tree.args
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs, *(a for a in (args.vararg, args.kwarg) if a))
    stack = list(tree.body) if isinstance(tree.body, list) else [tree.body]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(_inside(node))


def assigned_in(parts: list[gast.AST]) -> set[str]:
    """The names that statements assign."""
    stack, result = list(parts), set()
    while stack:
        node = stack.pop()
        name = _assigned_name(node)
        if name is not None:
            result.add(name)
        stack.extend(_inside(node))
    return result


def _inside(node: gast.AST) -> list[gast.AST]:
    """The parts of a node that belong to the same scope; the items of a comprehension are its own."""
    if isinstance(node, _SCOPES):
        return []
    if isinstance(node, gast.comprehension):
        return [node.iter, *node.ifs]
    return list(gast.iter_child_nodes(node))
