"""Nested functions, as they are defined; part of `desugar`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Union

import gast

from srcad.lang.forms import LocalFunction
from srcad.lang.ir import Block, Const, Expr, Function, Param, Return

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


def definition(d: Desugarer, node: gast.FunctionDef) -> None:
    """A ``def`` inside of a function: a name for it."""
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, gast.Call) else decorator
        meaning = d.expr(target)
        if not (isinstance(meaning, Const) and getattr(meaning.value, "__module__", "").startswith("numba.")):
            d.refuse(decorator, "a decorator on a nested function is not supported", "the function without it")
    d.let(node.name, Const(d.inner(node, node.name)))


def defaults_of(node: Union[gast.FunctionDef, gast.Lambda]) -> list[tuple[str, gast.AST]]:
    """The parameters that have a default, with it."""
    args = node.args
    positional = [arg.id for arg in (*args.posonlyargs, *args.args)]
    pairs = [*zip(positional[len(positional) - len(args.defaults):], args.defaults)]
    return pairs + [(a.id, default) for a, default in zip(args.kwonlyargs, args.kw_defaults) if default is not None]


def function(
    d: Desugarer, node: Union[gast.FunctionDef, gast.Lambda], name: str, defaults: dict[str, Expr]
) -> LocalFunction:
    """The function that `d` reads, with what a call of it needs to know."""
    args, origin = node.args, d.source.origin(node)
    if isinstance(node, gast.Lambda):
        body: Block = (Return(d.expr(node.body), origin),)
        doc = ""
    else:
        doc, statements = _docstring(node)
        body = d.block(statements)
    params = tuple(
        Param(arg.id, default=defaults.get(arg.id)) for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)
    )
    rest = args.vararg.id if args.vararg else None
    keywords = args.kwarg.id if args.kwarg else None
    whole = Function(name, params, body, origin, doc)
    return LocalFunction(whole, frozenset(d.names.assigned), rest, len(args.kwonlyargs), keywords)


def _docstring(node: gast.FunctionDef) -> tuple[str, list[gast.AST]]:
    match node.body:
        case [gast.Expr(value=gast.Constant(value=str() as text)), *rest]:
            return inspect.cleandoc(text), rest
    return "", node.body

