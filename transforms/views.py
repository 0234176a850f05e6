"""The cotangents of views: the same views of the cotangents; part of `adjoint`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import CONTIGUOUS_VIEWS, WRITABLE_VIEWS, views_of
from srcad.analysis.contents import member
from srcad.analysis.untouched import untouched
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Block, Call, Expr, Function, Let, Var, select
from srcad.lang.types import Array
from srcad.runtime import reshaped
from srcad.transforms.context import Context


def alias_views(ctx: Context, body: Block) -> set[str]:
    """The views whose cotangent must be a view: their memory is written, or they are read piece by piece."""
    pieces = {
        stmt.value.args[0].name
        for stmt in walk.statements(body)
        if isinstance(stmt, Let) and isinstance(stmt.value, Call) and stmt.value.fn is operator.getitem
        if isinstance(stmt.value.args[0], Var)
    }
    result: set[str] = set()
    for name, value in ctx.buffers.views.items():
        if name in ctx.activity and isinstance(value, Call) and ctx.active(value):
            if ctx.buffers.mutated(name) or (name in pieces and _is_writable(value)):
                result.add(name)
    ctx.quiet = untouched(body, {name for name in result if not _is_writable(ctx.buffers.views[name])}, ctx.buffers)
    return result - ctx.quiet


def _is_writable(value: Expr) -> bool:
    """Whether the same view of a cotangent is a view for sure, and can be added into."""
    assert isinstance(value, Call)
    if value.fn is select:
        return True
    base = value.args[0]
    if value.fn in CONTIGUOUS_VIEWS:
        straight = isinstance(base.type, Array) and (base.type.layout == "C" or base.type.ndim == 1)
        return value.fn in WRITABLE_VIEWS and straight and (value.fn is np.reshape or base.type.layout == "C")
    return value.fn in WRITABLE_VIEWS


def laid(ctx: Context) -> set[str]:
    """The arrays whose cotangents must lie in memory as they do: what is a view of them is a view of these, too."""
    sites: set[str] = set()
    for name in ctx.aliased:
        value = ctx.buffers.views[name]
        if isinstance(value, Call) and (value.fn in CONTIGUOUS_VIEWS or value.fn is reshaped):
            sites |= ctx.buffers.of(name)
    return {name for name, of in ctx.buffers.sites.items() if of & sites}


def check_layouts(ctx: Context, fn: Function) -> None:
    """Refuse to write into what is a view or a copy depending on how another array came to be laid out.

    An argument is laid out as the caller has it. What the function makes, NumPy and Numba may lay out differently.
    """
    doubtful = {
        name: value
        for name, value in ctx.buffers.views.items()
        if isinstance(value, Call) and member(value.fn, CONTIGUOUS_VIEWS) and not _is_writable(value)
        if ctx.buffers.mutated(name) and ctx.buffers.root(name) not in {param.name for param in fn.params}
    }
    seen = untouched(fn.body, set(doubtful), ctx.buffers)
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let) and stmt.target in doubtful.keys() - seen - ctx.aliased:
            check_view(stmt)


def view_cotangents(ctx: Context, block: Block) -> list[Let]:
    result: list[Let] = []
    for stmt in block:
        if isinstance(stmt, Let) and stmt.target in ctx.aliased:
            assert isinstance(stmt.value, Call)
            check_view(stmt)
            view = replace(stmt.value, args=with_bases(stmt.value, lambda base: ctx.bar(base.name)))
            result.append(Let(ctx.bar(stmt.target).name, view, replace(stmt.origin, adjoint=True)))
    return result


def with_bases(view: Call, counterpart: Callable[[Var], Expr]) -> tuple[Expr, ...]:
    """The arguments of a view, with something else in the place of the arrays that it is a view of."""
    bases = views_of(view)
    return tuple(
        counterpart(arg) if isinstance(arg, Var) and any(arg is base for base in bases) else arg for arg in view.args
    )


def check_view(stmt: Let) -> None:
    assert isinstance(stmt.value, Call)
    if not _is_writable(stmt.value):
        if stmt.value.fn in (np.diagonal, np.diag):
            reason = "a diagonal that is written to, or whose array is, where rows may not lie one behind the other"
            refuse([Problem(stmt.origin, reason, "an index for each axis: k = np.arange(len(a)); a[k, k] = values")])
            return
        reason = "this may be a view of an array that is written to, or a copy of it, as its layout has it"
        refuse([Problem(stmt.origin, reason, "take a copy first, with .copy()")])
