"""What is compiled of a generated function: the text but for what people need not see of it.

Of a derivative that has the parameter `out`, the text shows no such parameter where none is passed, and returns plain
names where one is. Checks in front are asked all at once, or `one_by_one`, as Numba learns from them which lengths
agree where it makes parallel loops.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

from srcad.backends.given import given
from srcad.backends.refusals import together
from srcad.backends.source import Source
from srcad.lang.nodes import nodes

_GIVEN = "__srcad_given__"


def entered(source: Source, one_by_one: bool = False) -> Any:
    """The function as it is."""
    return _function(source, _definition(source), one_by_one)


def without_out(source: Source, one_by_one: bool = False) -> Any:
    """The function with a last parameter that it does not use.

    >>> without_out(Source("f", "def f(x):\\n    return x\\n", "f.py")).__code__.co_varnames
    ('x', 'out')
    """
    made = _definition(source)
    names = {node.id for node in nodes(made) if isinstance(node, ast.Name)} | {a.arg for a in made.args.args}
    unused = next(name for name in (f"out{'_' * k}" for k in range(len(names) + 1)) if name not in names)
    made.args.args.append(ast.arg(unused))
    made.args.defaults.append(ast.Constant(None))
    return _function(source, made, one_by_one)


def handing_back(source: Source, one_by_one: bool = False) -> Any:
    """The function with each array of its last parameter handed back as the object that the caller has passed."""
    made = _definition(source)
    passed = set(_passed(made))
    last = made.body[-1]
    if isinstance(last, ast.Return) and last.value is not None:
        last.value = _Given(passed).visit(last.value)
    return _function(source, made, one_by_one)


def _definition(source: Source) -> ast.FunctionDef:
    tree = ast.parse(source.text)
    return next(each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name == source.name)


def _passed(made: ast.FunctionDef) -> Iterator[str]:
    """The names of the last parameter and of its parts."""
    last = made.args.args[-1].arg
    yield last
    for stmt in made.body:
        match stmt:
            case ast.Assign([ast.Name(target)], (ast.Subscript() | ast.Attribute()) as value):
                while isinstance(value, (ast.Subscript, ast.Attribute)):
                    value = value.value  # type: ignore[assignment]
                if isinstance(value, ast.Name) and value.id == last:
                    yield target


class _Given(ast.NodeTransformer):
    def __init__(self, names: set[str]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        called = ast.Call(ast.Name(_GIVEN, ast.Load()), [node], [])
        return ast.copy_location(called, node) if node.id in self.names else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Tuples are entered; what is computed is new."""
        return super().generic_visit(node) if isinstance(node, ast.Tuple) else node


def _function(source: Source, made: ast.FunctionDef, one_by_one: bool) -> Any:
    module = source.function.__globals__
    module[_GIVEN] = given
    made = made if one_by_one else together(made, source.path, module)
    space: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module([made], [])), source.path, "exec"), dict(module), space)
    found = space[source.name]
    return types.FunctionType(found.__code__, module, source.name, found.__defaults__)
