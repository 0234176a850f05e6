"""Lengths that a text takes to agree, compared before it is compiled: what is not for them would be in vain."""

from __future__ import annotations

import ast
from typing import Any

from srcad.backends.source import Source
from srcad.runtime import LengthsDiffer

_RAISE = f"raise {LengthsDiffer.__name__}"


def takes_lengths_to_agree(source: Source) -> bool:
    return f"{_RAISE}\n" in source.text


def differ(source: Source, args: tuple[Any, ...]) -> bool:
    """Whether the comparison at the beginning of a text says that it is not for these arguments."""
    if not takes_lengths_to_agree(source):
        return False
    tree = ast.parse(source.text)
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == source.name)
    while function.body and not _compares(function.body[-1]):
        function.body.pop()
    if not all(map(_only_looks, function.body)):
        return False
    names = dict(source.function.__globals__)
    exec(compile(tree, source.path, "exec"), names)
    comparing = names[source.name]
    try:
        comparing(*args[: comparing.__code__.co_argcount])
    except LengthsDiffer:
        return True
    except Exception:  # what the compiled function is to raise, or where arguments come in another form
        return False
    return False


def _compares(stmt: ast.stmt) -> bool:
    return isinstance(stmt, ast.If) and ast.unparse(stmt.body[0]) == _RAISE


def _only_looks(stmt: ast.stmt) -> bool:
    """Whether a statement changes nothing: a docstring, a check, or a name for a part of an argument."""
    match stmt:
        case ast.If(body=[ast.Raise()], orelse=[]) | ast.Expr(ast.Constant()):
            return True
        case ast.Assign([ast.Name() | ast.Tuple()], ast.Name() | ast.Subscript() | ast.Attribute() | ast.Call()):
            return True
    return False
