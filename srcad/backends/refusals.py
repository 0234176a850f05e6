"""Checks in front of a function, asked all at once.

``if x.shape != y.shape: raise ValueError("...")`` and others like it, one behind the other, are many blocks to the
compiler, through which it does not look for references that need no counting: that is what a short derivative that is
called in a loop would spend its time with. The text keeps them; machine code has one test, and behind it asks which.
"""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import Any

from numba.core import cgutils, types
from numba.core.callconv import RETCODE_USEREXC
from numba.core.ir import Loc
from numba.extending import intrinsic

from srcad.backends.calls import leave
from srcad.lang.nodes import nodes

_RAISING, _ANY = "__srcad_refuse_{}__", "__srcad_any__"
_OF_SHAPES = {"shape", "size", "ndim"}


@dataclass(frozen=True)
class Refusal:
    """A test of lengths and of memory, and the error where it holds."""

    test: ast.expr
    error: type[BaseException]
    said: tuple[Any, ...]
    line: int


def together(made: ast.FunctionDef, path: str, module: dict[str, Any]) -> ast.FunctionDef:
    """The function with neighbouring checks asked at once; what asks them is put into the module.

    >>> text = '''def f(x, y):
    ...     if x.shape != y.shape:
    ...         raise ValueError("y must have the shape of x")
    ...     if x.size < 2 or y.size < 2:
    ...         raise ValueError("too few")
    ...     return x[0] + y[0]'''
    >>> print(ast.unparse(together(ast.parse(text).body[0], "f.py", {})))
    def f(x, y):
        __srcad_refuse_0__tests = (x.shape != y.shape, x.size < 2, y.size < 2)
        if __srcad_any__(__srcad_refuse_0__tests):
            __srcad_refuse_0__(__srcad_refuse_0__tests)
            raise ValueError
        return x[0] + y[0]
    """
    body: list[ast.stmt] = []
    refused = [_refusals(stmt, module) for stmt in made.body]
    for _, run in groupby(range(len(refused)), lambda position: bool(refused[position])):
        positions = list(run)
        found = [refusal for position in positions for refusal in refused[position]]
        if len(found) < 2:
            body += (made.body[position] for position in positions)
            continue
        raising = next(n for n in map(_RAISING.format, range(len(module) + 1)) if n not in module)
        module.update({_ANY: any_of, raising: _raising(found, path, made.name)})
        body += _asked(found, made.body[positions[0]], raising)
    made.body = body
    return made


def _asked(refusals: list[Refusal], where: ast.stmt, raising: str) -> list[ast.stmt]:
    """The statements for all; the last, which is not reached, tells that no name is read behind it."""
    tests, name = ast.Tuple([each.test for each in refusals], ast.Load()), f"{raising}tests"
    text = f"{name} = 0\nif {_ANY}({name}):\n    {raising}({name})\n    raise ValueError"
    answers, asked = ast.parse(text).body
    for node in (*nodes(answers), *nodes(asked)):
        ast.copy_location(node, where)
    answers.value = tests  # type: ignore[attr-defined]
    return [answers, asked]


def _refusals(stmt: ast.stmt, module: dict[str, Any]) -> list[Refusal]:
    """What a statement refuses, in this order; nothing unless all of it can be asked at any time."""
    match stmt:
        case ast.If(test, [ast.Raise(ast.Call(ast.Name(name), [ast.Constant(text)], []), None) as raised], []):
            said: tuple[Any, ...] = (text,)
        case ast.If(test, [ast.Raise(ast.Name(name), None) as raised], []):
            said = ()
        case _:
            return []
    tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    error = module.get(name) or getattr(builtins, name, None)
    if not isinstance(error, type) or not all(map(_is_harmless, tests)):
        return []
    return [Refusal(each, error, said, raised.lineno) for each in tests]


def _is_harmless(test: ast.expr) -> bool:
    """Whether a test may be made although one before it holds: it asks for lengths and for memory."""
    match test:
        case ast.Compare(left, [_], [right]):
            return _is_length(left) and _is_length(right)
        case ast.Call(ast.Name("overlaps"), [ast.Name(), ast.Name()], []):
            return True
    return False


def _is_length(expr: ast.expr) -> bool:
    match expr:
        case ast.Name() | ast.Constant(int()):
            return True
        case ast.Attribute(ast.Name(), attr) | ast.Subscript(ast.Attribute(ast.Name(), attr), ast.Constant()):
            return attr in _OF_SHAPES
        case ast.Tuple(items):
            return all(map(_is_length, items))
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult(), right):
            return _is_length(left) and _is_length(right)
    return False


@intrinsic
def any_of(typing_context: Any, tests: Any) -> Any:
    """Whether one of some tests holds, without a branch for each."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return reduce(builder.or_, cgutils.unpack_tuple(builder, args[0]))

    return types.boolean(tests), generate


def _raising(refusals: list[Refusal], path: str, function: str) -> Any:
    """What takes the answers to all tests and leaves with the error of the first that holds."""

    @intrinsic
    def refuse(typing_context: Any, tests: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            python, convention = context.get_python_api(builder), context.call_conv
            errors = [python.serialize_object(convention.build_excinfo_struct(
                each.error, each.said, Loc(path, each.line), function)) for each in refusals]  # fmt: skip
            found = errors[-1]
            for answer, error in zip(cgutils.unpack_tuple(builder, args[0])[-2::-1], errors[-2::-1]):
                found = builder.select(answer, error, found)
            with builder.if_then(cgutils.true_bit):
                leave(convention, builder, found, RETCODE_USEREXC)
            return context.get_dummy_value()

        return types.none(tests), generate

    return refuse
