"""The smallest program that still fails, of one that does: without statements, branches and parts of expressions."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator


def smaller(source: str, fails: Callable[[str], bool], tries: int = 400) -> str:
    """The function `f` of a module, made smaller for as long as the module fails; at most so many are tried.

    >>> print(smaller("def f(x):\\n    y = 2 * x\\n    z = 3\\n    return x + y", lambda source: "return x" in source))
    def f(x):
        return x
    """
    tree, found = ast.parse(source), True
    while found:
        found = False
        for candidate in candidates(tree):
            if tries == 0:
                break
            tries -= 1
            if fails(ast.unparse(candidate)):
                tree, found = candidate, True
                break
    return ast.unparse(function(tree))


def function(tree: ast.Module) -> ast.FunctionDef:
    return next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "f")


def candidates(tree: ast.Module) -> Iterator[ast.Module]:
    """The module with one thing less, the largest things first."""
    for count, node in enumerate(ast.walk(function(tree))):
        for field, value in ast.iter_fields(node):
            for place, new in replacements(node, value):
                changed = copy.deepcopy(tree)
                owner = next(n for k, n in enumerate(ast.walk(function(changed))) if k == count)
                if place is None:
                    setattr(owner, field, new)
                else:
                    getattr(owner, field)[place] = new
                yield ast.fix_missing_locations(changed)


def replacements(node: ast.AST, value: object) -> Iterator[tuple[slice | int | None, object]]:
    """What may stand instead of a field, or of some of its items."""
    items = value if isinstance(value, list) else [value]
    for place, item in reversed([*enumerate(items)]):
        at = place if isinstance(value, list) else None
        if isinstance(item, ast.stmt) and not isinstance(item, ast.Return):
            inner = getattr(item, "body", [])
            yield slice(place, place + 1), [] if len(items) > 1 else [ast.Pass()] * (not isinstance(item, ast.Pass))
            if inner:
                yield slice(place, place + 1), [*inner, *getattr(item, "orelse", [])]
        elif isinstance(item, ast.BinOp):
            yield from ((at, part) for part in (item.left, item.right))
        elif isinstance(item, ast.Call) and not isinstance(node, ast.For):
            yield from ((at, part) for part in item.args)
        elif isinstance(item, ast.IfExp):
            yield from ((at, part) for part in (item.body, item.orelse))
