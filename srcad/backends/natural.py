"""Subscripts that are not negative, said to be so in machine code.

Numba counts a negative subscript from the end: each access begins with a comparison. LLVM removes it from ``x[i]`` in a
loop over ``range(n)``, but not from ``x[i + 1]`` wherever it stands, and a comparison that is left keeps a loop from
becoming vector instructions. Machine code is made from a function in which subscripts that cannot be negative are of
a type without a sign, ``x[natural(x, i + 1)]``. The text that people read is left alone.

What is proved here is about one function of generated text: indices of loops lie between the bounds of their `range`,
lengths are not negative, and sums and products of numbers that are not negative are none either.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from numba.core import types
from numba.extending import intrinsic

from srcad.backends.source import Source

NAME = "natural"
_LENGTH = ast.parse("len(x)", mode="eval").body
Linear = dict[str, int]  # how often each quantity counts; "" is the number one


@intrinsic
def natural(context: Any, array: Any, index: Any) -> Any:
    """An index that is not negative: without a sign where it counts elements of an array."""
    counts = isinstance(array, types.Array) and index == types.int64
    result = types.uint64 if counts else index
    return result(array, index), lambda context, builder, signature, values: values[1]


def with_natural_subscripts(source: Source) -> Source:
    """The source with syntax in which subscripts are said not to be negative; as it is where there is nothing to say.

    >>> text = "def f(x):\\n    for i in range(len(x) - 1):\\n        x[i + 1] += x[i - 1]"
    >>> print(ast.unparse(with_natural_subscripts(Source("f", text, "")).tree))
    def f(x):
        for i in range(len(x) - 1):
            x[natural(x, i + 1)] += x[i - 1]
    """
    name = NAME
    while name in source.text:
        name += "_"
    tree = ast.parse(source.text)
    changed = False
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            marker = _Marker(_Values(function), name)
            marker.visit(function)
            changed |= marker.changed
    if not changed:
        return source
    return replace(source, constants={**source.constants, name: natural}, tree=ast.fix_missing_locations(tree))


class _Marker(ast.NodeTransformer):
    """Marks the subscripts in the loops of a function."""

    def __init__(self, values: _Values, name: str):
        self.values, self.name, self.changed = values, name, False

    def visit_For(self, loop: ast.For) -> ast.For:
        with_bounds = self.values.enter(loop)
        loop.body = [self.visit(stmt) for stmt in loop.body]
        if with_bounds:
            self.values.loops.pop()
        return loop

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name):
            if isinstance(node.slice, ast.Tuple):
                node.slice.elts = [self.marked(node.value, index) for index in node.slice.elts]
            else:
                node.slice = self.marked(node.value, node.slice)
        return node

    def marked(self, array: ast.Name, index: ast.expr) -> ast.expr:
        """A subscript, said not to be negative if that can be proved and LLVM may not know.

        It moves with the innermost loop: what LLVM knows of other loops lets it compare memory once for all of their
        iterations, which then seems to overlap.
        """
        if not isinstance(index, ast.BinOp) or not self.values.moves(index) or not self.values.is_natural(index):
            return index
        self.changed = True
        call = ast.Call(ast.Name(self.name, ast.Load()), [ast.Name(array.id, ast.Load()), index], [])
        return ast.copy_location(call, index)


@dataclass(frozen=True)
class _Loop:
    index: str
    first: Linear | None  # the least value of the index
    last: Linear | None  # the largest one


class _Values:
    """What is known of the numbers of a function."""

    def __init__(self, function: ast.FunctionDef):
        self.loops: list[_Loop] = []
        self.given: dict[str, list[Any]] = {}  # what each name is assigned; None for what is not followed
        counted: Counter[str] = Counter()
        for stmt in ast.walk(function):
            for name, value in _assigned(stmt):
                counted[name] += 1
                self.given.setdefault(name, []).append(value)
        self.once = {name for name, times in counted.items() if times == 1}
        self.own = {n for n in counted if all(isinstance(v, ast.For) for v in self.given[n])}
        self.naturals = {name for name, values in self.given.items() if None not in values}
        while True:  # until what the names are assigned is no negative number if none of them is one
            left = {n for n in self.naturals if all(map(self.is_natural, self.given[n]))}
            if left == self.naturals:
                break
            self.naturals = left

    def enter(self, loop: ast.For) -> bool:
        """Note a loop whose index is between two bounds in its body."""
        found = self.bounds(loop)
        if found is None or found.index not in self.own:
            return False
        self.loops.append(found)
        return True

    def bounds(self, loop: ast.For) -> _Loop | None:
        """The least and the largest value of the index of a loop over a range."""
        match loop:
            case ast.For(ast.Name(index), ast.Call(ast.Name("range" | "prange"), args)):
                inside = {name for stmt in loop.body for node in ast.walk(stmt) for name, _ in _assigned(node)}
                parts = [None if inside & _names(arg) else self.linear(arg) for arg in args]
                start, stop = ({}, parts[0]) if len(parts) == 1 else parts[:2]
                step = _number(args[2]) if len(args) > 2 else 1
                if step is not None and step > 0:
                    return _Loop(index, start, _sum(stop, {"": -1}))
                if step is not None and step < 0:
                    return _Loop(index, _sum(stop, {"": 1}), start)
        return None

    def moves(self, value: ast.expr) -> bool:
        """Whether a number depends on the index of the innermost loop."""
        return bool(self.loops) and self.loops[-1].index in _names(value)

    def is_natural(self, value: ast.expr | ast.For) -> bool:
        """Whether a number, or the index of a loop, cannot be negative."""
        if isinstance(value, ast.For):
            found = self.bounds(value)
            return found is not None and _never_negative(found.first, self.loops)
        return _never_negative(self.linear(value), self.loops)

    def linear(self, value: ast.expr) -> Linear | None:
        """A number as a sum of quantities: indices of loops, numbers that do not change, and others not negative.

        A quantity that is not an index of a loop is not negative if its name begins with "+".
        """
        if (number := _number(value)) is not None:
            return {"": number}
        match value:
            case ast.BinOp(left, ast.Add(), right):
                return _sum(self.linear(left), self.linear(right))
            case ast.BinOp(left, ast.Sub(), right):
                return _sum(self.linear(left), _times(self.linear(right), -1))
            case ast.BinOp(left, ast.Mult(), right) if (factor := _number(left)) is not None:
                return _times(self.linear(right), factor)
            case ast.BinOp(left, ast.Mult(), right) if (factor := _number(right)) is not None:
                return _times(self.linear(left), factor)
            case ast.BinOp(left, ast.Mult() | ast.FloorDiv(), right):
                return self.quantity(value, self.is_natural(left) and self.is_natural(right))
            case ast.BinOp(_, ast.Mod(), right):
                return self.quantity(value, self.is_natural(right))
            case ast.Call(ast.Name("max"), args):
                return self.quantity(value, any(map(self.is_natural, args)))
            case ast.Call(ast.Name("min"), args):
                return self.quantity(value, all(map(self.is_natural, args)))
            case ast.Call(ast.Name("len"), [_]) | ast.Attribute(attr="size"):
                return self.quantity(value, True)
            case ast.Subscript(ast.Attribute(ast.Name(), "shape"), ast.Constant(int())):
                return self.quantity(value, True)
            case ast.Name(name) if any(loop.index == name for loop in self.loops):
                return {name: 1}
            case ast.Name(name):
                return self.quantity(value, name in self.naturals)
        return None

    def quantity(self, value: ast.expr, natural: bool) -> Linear | None:
        """A number under a name: the same name where it is the same number wherever it stands."""
        fixed = all(name not in self.given or name in self.once for name in _names(value))
        text = ast.unparse(value) if fixed else f"{id(value)}"
        return {f"{'+' if natural else '-'}{text}": 1} if natural or fixed else None


def _assigned(stmt: ast.AST) -> Iterator[tuple[str, Any]]:
    """The names that a statement assigns, with what they are assigned: a number, a loop, or None."""
    match stmt:
        case ast.Assign([ast.Name(name)], value):
            yield name, value
        case ast.Assign([ast.Tuple(items)], ast.Tuple(values)) if len(items) == len(values):
            for item, value in zip(items, values):
                if isinstance(item, ast.Name):
                    yield item.id, value
        case ast.Assign([ast.Tuple(items)], ast.Attribute(attr="shape") as value):
            yield from ((item.id, _LENGTH) for item in items if isinstance(item, ast.Name))
        case ast.AugAssign(ast.Name(name), op, value):
            yield name, ast.BinOp(ast.Name(name, ast.Load()), op, value)
        case ast.For(ast.Name(name)):
            yield name, stmt
        case ast.arg(name):
            yield name, None
        case ast.Assign(targets) | ast.Delete(targets):
            for target in targets:
                yield from ((name, None) for name in _bound(target))
        case ast.For(target) | ast.comprehension(target) | ast.NamedExpr(target) | ast.AnnAssign(target):
            yield from ((name, None) for name in _bound(target))


def _bound(target: ast.AST) -> set[str]:
    names = (node for node in ast.walk(target) if isinstance(node, ast.Name))
    return {node.id for node in names if not isinstance(node.ctx, ast.Load)}


def _names(value: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}


def _number(value: ast.expr) -> int | None:
    match value:
        case ast.Constant(int() as number):
            return number
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as number)):
            return -number
    return None


def _sum(one: Linear | None, other: Linear | None) -> Linear | None:
    if one is None or other is None:
        return None
    return {name: one.get(name, 0) + other.get(name, 0) for name in {**one, **other}}


def _times(value: Linear | None, factor: int) -> Linear | None:
    return None if value is None else {name: factor * times for name, times in value.items()}


def _never_negative(value: Linear | None, loops: list[_Loop]) -> bool:
    """Whether a sum is not negative: with the bounds of the loops in it, from the innermost one on."""
    for loop in reversed(loops):
        times = value.get(loop.index, 0) if value is not None else 0
        if value is not None and times:
            bound = loop.first if times > 0 else loop.last
            value = _sum({name: n for name, n in value.items() if name != loop.index}, _times(bound, times))
    if value is None:
        return False
    return all(times >= 0 if not name or name[0] == "+" else times == 0 for name, times in value.items())
