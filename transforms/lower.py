"""lower: what Numba cannot compile, written as what it can. For machine code only, just before names are made."""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, Stmt, Store
from srcad.lang.promote import UFUNCS
from srcad.lang.types import Array, Scalar
from srcad.rules.rule import find_lowering
from srcad.transforms.infer import typed

MIXING = frozenset({np.where, np.clip, *UFUNCS})


def lower(fn: Function) -> Function:
    """Replace calls in forms that Numba does not compile, or computes in another dtype than NumPy.

    >>> from srcad.lang.ir import Return, Var
    >>> x = Var("x", Array("float64", ("n", "m"), "C"))
    >>> call = typed(Call(np.max, (x,), (("axis", Const(1)),)))
    >>> lower(Function("f", (), (Return(call),))).body[0].value.fn.__name__
    'max_along'
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    return tuple(_stmt(stmt) for stmt in block)


def _stmt(stmt: Stmt) -> Stmt:
    if isinstance(stmt, Store) and _is_mask(stmt.index) and isinstance(getattr(stmt.value, "type", None), Scalar):
        chosen = typed(Call(np.where, (stmt.index, stmt.value, stmt.base)))
        stmt = replace(stmt, index=Const(...), value=chosen)
    return walk.map_stmt(lower_expr, stmt, _block)


def lower_expr(expr: Expr) -> Expr:
    """An expression, inner calls first."""
    return walk.map_expr(_node, expr)


def _node(expr: Expr) -> Expr:
    """One node whose parts are done; what stands for it is lowered in turn."""
    if not isinstance(expr, Call):
        return expr
    if expr.fn is operator.getitem:
        return _chosen(expr) if _is_mask(expr.args[1]) else expr
    found = find_lowering(expr.fn)
    if found is not None:
        new = found.lower(expr, typed)
        if new is not expr and not _same(new := typed(new), expr):
            return lower_expr(new)
    return _of_one_dtype(expr)


def _same(a: Expr, b: Call) -> bool:
    return isinstance(a, Call) and (a.fn, a.args, a.kwargs) == (b.fn, b.args, b.kwargs)


def _is_mask(index: Expr) -> bool:
    kind = getattr(index, "type", None)
    return isinstance(kind, Array) and kind.dtype == "bool" and kind.ndim > 1


def _chosen(expr: Call) -> Expr:
    """``x[mask]`` with a mask of several axes."""
    base, mask = expr.args
    if getattr(base, "type", mask.type).ndim != mask.type.ndim:
        return expr
    return replace(expr, args=tuple(typed(Call(np.ravel, (e,))) for e in (base, mask)))


def _of_one_dtype(call: Call) -> Call:
    """Numbers beside arrays in single precision become single, too: for Numba, they would widen the result."""
    narrow = isinstance(call.type, Array) and call.type.dtype == "float32"
    if not narrow or call.kwargs or not (isinstance(call.fn, np.ufunc) or call.fn in MIXING):
        return call
    return replace(call, args=tuple(_narrowed(arg) for arg in call.args))


def _narrowed(arg: Expr) -> Expr:
    kind = getattr(arg, "type", None)
    if not isinstance(kind, Scalar) or kind.dtype != "float64":
        return arg
    single = Scalar("float32")
    if isinstance(arg, Const):
        return Const(np.float32(arg.value), single, arg.name)
    return Call(np.float32, (arg,), (), single)
