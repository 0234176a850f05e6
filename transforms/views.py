"""The cotangents of views: the same views of the cotangents."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.analysis.buffers import CONTIGUOUS_VIEWS, view_of
from srcad.lang import walk
from srcad.lang.errors import unsupported
from srcad.lang.ir import Block, Call, Let, Var
from srcad.lang.types import Array
from srcad.transforms.context import Context


def alias_views(ctx: Context, body: Block) -> set[str]:
    """The views whose cotangent must be a view: their memory is written, or they are read piece by piece."""
    result: set[str] = set()
    pieces: set[str] = set()
    for stmt in walk.statements(body):
        match stmt:
            case Let(_, Call(operator.getitem, (Var(base), _))):
                pieces.add(base)
    for name, value in ctx.buffers.views.items():
        if name in ctx.activity and isinstance(value, Call) and (name in pieces or ctx.buffers.mutated(name)):
            result.add(name)
    return result


def view_cotangents(ctx: Context, block: Block) -> list[Let]:
    result: list[Let] = []
    for stmt in block:
        if isinstance(stmt, Let) and stmt.target in ctx.aliased:
            base = view_of(stmt.value)
            assert isinstance(base, Var) and isinstance(stmt.value, Call)
            _check_view(ctx, stmt, base)
            view = replace(stmt.value, args=(ctx.bar(base.name), *stmt.value.args[1:]))
            result.append(Let(ctx.bar(stmt.target).name, view, replace(stmt.origin, adjoint=True)))
    return result


def _check_view(ctx: Context, stmt: Let, base: Var) -> None:
    assert isinstance(stmt.value, Call)
    if stmt.value.fn in CONTIGUOUS_VIEWS and ctx.buffers.mutated(base.name):
        if not (isinstance(base.type, Array) and base.type.layout == "C"):
            raise unsupported(
                stmt.origin,
                "whether this is a view or a copy depends on the array's layout, and the array is written to",
                "take a copy first: np.ascontiguousarray(x).copy()",
            )
