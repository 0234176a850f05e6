"""Nested functions, as they are defined; part of `desugar`."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Union

import gast

from srcad.lang.forms import LocalFunction, apply
from srcad.lang.ir import Block, Call, Const, Expr, Function, Param, Return, Var

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


def definition(d: Desugarer, node: gast.FunctionDef) -> None:
    """A ``def`` inside of a function: a name for it."""
    decorators = [d.expr(decorator) for decorator in node.decorator_list if not _keeps(d, decorator)]
    d.let(node.name, Const(d.inner(node, node.name)))
    for decorator in reversed(decorators):
        known = isinstance(decorator, Const) and not isinstance(decorator.value, LocalFunction)
        fn, before = (decorator.value, ()) if known else (apply, (decorator,))  # type: ignore[union-attr]
        d.let(node.name, Call(fn, (*before, Var(node.name))))


def _keeps(d: Desugarer, decorator: gast.AST) -> bool:
    """Whether a decorator leaves a function's values as they are: those of Numba, caches, and `functools.wraps`."""
    meaning = d.expr(decorator.func if isinstance(decorator, gast.Call) else decorator)
    held = meaning.value if isinstance(meaning, Const) else None
    return getattr(held, "__module__", "").startswith("numba.") or held in _KEEPING


_KEEPING = (functools.wraps, functools.lru_cache, functools.cache)


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
    outer = frozenset(d.names.shared - d.names.assigned)
    once = getattr(node, "gives_once", False)
    return LocalFunction(whole, frozenset(d.names.assigned), rest, len(args.kwonlyargs), keywords, outer, once)


def _docstring(node: gast.FunctionDef) -> tuple[str, list[gast.AST]]:
    match node.body:
        case [gast.Expr(value=gast.Constant(value=str() as text)), *rest]:
            return inspect.cleandoc(text), rest
    return "", node.body

