"""entries: the tangents of a function's arguments, as the function starts; part of `forward`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from srcad.lang.ir import Call, Const, Expr, Let, Param, Stmt, Store, Var
from srcad.lang.types import Array, Static
from srcad.transforms.initialise import begun
from srcad.transforms.tangent import Tangent, conform, type_of


def argument(writer: Tangent, name: str, value: Expr) -> list[Stmt]:
    """The tangent of an array, from `value`: an array of its own where the argument is written to.

    Where views of the argument depend on the order of its elements in memory, the tangent lies as it does.
    """
    kind, dot = writer.ctx.types[name], f"{name}~dot"
    own = type_of(value)
    assert isinstance(kind, Array) and isinstance(own, Array)
    if writer.written(name) and name in writer.ctx.laid and kind.layout != "C":
        writer.dots[name] = Var(dot, kind)
        return [Let(dot, begun(writer.ctx, name)), Store(writer.dots[name], Const(Ellipsis, Static(Ellipsis)), value)]
    if writer.written(name):
        value = Call(np.copy, (value,), (), replace(own, layout="A" if own.ndim > 1 else "C"))
    value = conform(value, kind)
    writer.dots[name] = Var(dot, type_of(value))
    return [Let(dot, value)]


def unmoved(writer: Tangent, params: tuple[Param, ...]) -> list[Stmt]:
    """Tangents, zero at first, of arguments that do not move, and are written to."""
    out: list[Stmt] = []
    for name in (param.name for param in params):
        if name in writer.ctx.activity and name not in writer.dots and writer.written(name):
            writer.dots[name] = Var(f"{name}~dot", writer.ctx.types[name])
            out.append(Let(f"{name}~dot", begun(writer.ctx, name)))
    return out
