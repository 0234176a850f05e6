"""Which names a function assigns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import gast

_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)


@dataclass
class Names:
    """The names that belong to a function, and the length of those that hold one tuple from beginning to end."""

    assigned: set[str] = field(default_factory=set)
    displays: dict[str, int] = field(default_factory=dict)


def names_of(tree: gast.AST) -> Names:
    """The names of a function's own scope.

    >>> tree = gast.parse("def f(x, *r):\\n p = (x, 1)\\n for i in r: q = i\\n return lambda z: z").body[0]
    >>> names = names_of(tree)
    >>> sorted(names.assigned), names.displays
    (['i', 'p', 'q', 'r', 'x'], {'p': 2})
    """
    names = Names()
    counts: dict[str, int] = {}
    for node in own_nodes(tree):
        name = _assigned_name(node)
        if name is not None:
            names.assigned.add(name)
            counts[name] = counts.get(name, 0) + 1
        match node:
            case gast.Assign(targets=[gast.Name(id=target)], value=gast.Tuple(elts=items)):
                if not any(isinstance(item, gast.Starred) for item in items):
                    names.displays[target] = len(items)
    names.displays = {name: count for name, count in names.displays.items() if counts[name] == 1}
    return names


def _assigned_name(node: gast.AST) -> str | None:
    match node:
        case gast.Name(id=name, ctx=gast.Store() | gast.Param() | gast.Del()):
            return name
        case gast.FunctionDef(name=name) | gast.AsyncFunctionDef(name=name) | gast.ClassDef(name=name):
            return name
        case gast.MatchAs(name=str() as name) | gast.MatchStar(name=str() as name):
            return name
        case gast.alias(name=name, asname=asname):
            return (asname or name).partition(".")[0]
    return None


def own_nodes(tree: gast.AST) -> Iterator[gast.AST]:
    """The parameters and the body of a function, without the insides of functions nested in it."""
    args = tree.args
    yield from (*args.posonlyargs, *args.args, *args.kwonlyargs, *(a for a in (args.vararg, args.kwarg) if a))
    stack = list(tree.body) if isinstance(tree.body, list) else [tree.body]
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(gast.iter_child_nodes(node))


def assigned_in(nodes: list[gast.AST]) -> set[str]:
    """The names that statements assign."""
    stack, result = list(nodes), set()
    while stack:
        node = stack.pop()
        name = _assigned_name(node)
        if name is not None:
            result.add(name)
        if not isinstance(node, _SCOPES):
            stack.extend(gast.iter_child_nodes(node))
    return result
