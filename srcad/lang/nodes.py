"""Walking Python's syntax trees."""

from __future__ import annotations

import ast
from typing import Any

_TEXTS = frozenset(("id", "attr", "arg", "ctx", "type_comment", "kind", "module", "level", "conversion", "simple"))
_fields: dict[type, tuple[str, ...]] = {}  # those that may hold nodes, by the class of a node


def nodes(tree: ast.AST) -> list[Any]:
    """A tree's nodes from the outside in, but for contexts, as those of `ast.walk`, in a third of the time.

    Reading a function walks it often.

    >>> [type(node).__name__ for node in nodes(ast.parse("x = 1", mode="exec").body[0])]
    ['Assign', 'Name', 'Constant']
    """
    found: list[Any] = [tree]
    for node in found:  # which grows
        kind = type(node)
        fields = _fields.get(kind)
        if fields is None:
            fields = _fields[kind] = tuple(name for name in kind._fields if name not in _TEXTS)
        for name in fields:
            part = getattr(node, name, None)
            if type(part) is list:
                found += [each for each in part if isinstance(each, ast.AST)]
            elif isinstance(part, ast.AST):
                found.append(part)
    return found
