"""many: several tangents at once, as rows of an array: ``tangents[k]`` is the k-th direction.

The function's values are computed once, and a loop over the directions carries the tangents. What comes back has the
directions along its first axis, too.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.analysis.handover import check_outside
from srcad.lang.arrays import axis_length, ints, new_array, shape_tuple, tuple_of_ints
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, If, Let, Param, Return, Stmt, Store, Tuple, Var, hint,
    raise_,
)  # fmt: skip
from srcad.lang.types import BOOL, FLOAT, INT, NONE, Array, Scalar, Static, TupleType, Type, is_float
from srcad.options import Options
from srcad.transforms.again import moving, renamed
from srcad.transforms.apart import apart
from srcad.transforms.context import Context
from srcad.transforms.dead_code import dead_code
from srcad.transforms.derive import check_primitives, check_results, context
from srcad.transforms.entries import argument, unmoved
from srcad.transforms.forward import forward, given_tangents, whole_result
from srcad.transforms.directions import rank_of
from srcad.transforms.jacobian import Work
from srcad.transforms.packing import describe, leaves, outputs, unpacked
from srcad.transforms.scatter import scatter
from srcad.transforms.tangent import Tangent, as_type
from srcad.transforms.views import check_layouts

Given = list[tuple[Var, Expr, Array]]


def along(fn: Function, options: Options, seed: Type = NONE) -> Function:
    """The value of a function and its tangent, along one direction or along several."""
    wrt = [fn.arguments[i] for i in options.wrt]
    given = [(x, expr, kind) for x, expr, kind in given_tangents(wrt, options, seed)
             if isinstance(x, Var) and is_float(x.type) and kind != NONE]  # fmt: skip
    rows = [(x, expr, kind) for x, expr, kind in given
            if isinstance(kind, Array) and kind.ndim == rank_of(x.type) + 1]  # fmt: skip
    if not rows or len(rows) < len(given):
        return forward(fn, options, seed)
    return _many(fn, options, seed, rows)


def _many(fn: Function, options: Options, seed: Type, given: Given) -> Function:
    *body, last = fn.body
    assert isinstance(last, Return)
    value, aux = outputs(fn, options)
    check_results(value, last)
    ctx = context(fn, tuple(x.name for x, _, _ in given))
    check_outside(fn, ctx.buffers)
    check_layouts(ctx, fn)
    check_primitives(ctx, fn)
    work = Work(fn, tuple(body), ctx)
    count = axis_length(given[0][1], 0)
    rooms = {y.name: _room(ctx, y, count) for y in leaves(value) if is_float(y.type) and y.name in ctx.activity}
    loop = _loop(work, given, rooms, count)
    moved = _moved(value, options, rooms, count)
    opening = [Let(room.name, made) for room, made in rooms.values()]
    inputs = (*fn.params, Param(options.seed, seed, Const(1.0, FLOAT)))
    checks = [_check(x, expr, kind, given[0], options) for x, expr, kind in given]
    result = Return(whole_result(value, moved, aux, options), last.origin)
    code = (*apart(inputs, work.written), *checks, *work.saved(), *body, *opening, *loop, result)
    code = scatter(dead_code(code, contents=work.written))
    params = (*(param for param, _ in fn.arguments), inputs[-1])
    code = (*unpacked(fn, code), *code)
    return replace(fn, name=options.title(fn.name), params=params, body=code, doc=describe(fn, options), packed=())


def _check(x: Var, expr: Expr, kind: Array, first: tuple[Var, Expr, Array], options: Options) -> Stmt:
    """Refuse, at the call, directions of another shape than their argument, or of another number."""
    if kind.dtype != x.type.dtype:  # type: ignore[attr-defined]
        raise TypeError(f"{options.seed}: the tangents of {x.name} are of {kind.dtype}, "
                        f"and {x.name} of {x.type.dtype}")  # type: ignore[attr-defined]  # fmt: skip
    number = axis_length(first[1], 0)
    expected: Expr = tuple_of_ints((number,))
    if isinstance(x.type, Array):
        expected = Call(operator.add, (expected, shape_tuple(x)), (), ints(kind.ndim))
    message = f"{options.seed}: each tangent of {x.name} must have its shape, and of all there is one number"
    error = Call(raise_, (Const(ValueError, Static(ValueError)), Const(message, Static(message))), (), NONE)
    return If(Call(operator.ne, (shape_tuple(expr), expected), (), BOOL), (Effect(error),))


def _room(ctx: Context, y: Var, count: Expr) -> tuple[Var, Expr]:
    """A name for the tangents of a result, and room for them."""
    made = _made(np.empty, y, count)
    return Var(f"{ctx.fresh(hint(y.name))}~dots", made.type), made


def _made(make: Any, y: Var, count: Expr) -> Call:
    """Room for as many arrays like a result as there are directions."""
    dims = y.type.shape if isinstance(y.type, Array) else ()
    dtype = y.type.dtype if is_float(y.type) else "float64"  # type: ignore[attr-defined]
    shape = count
    if dims:
        shape = Call(operator.add, (tuple_of_ints((count,)), shape_tuple(y)), (), ints(len(dims) + 1))
    return new_array(make, shape, Array(dtype, ("?", *dims), "C"))


def _loop(work: Work, given: Given, rooms: dict[str, tuple[Var, Expr]], count: Expr) -> Block:
    """For each direction, the tangents, and their place among the results."""
    ctx, row = work.ctx, work.ctx.fresh("_k")
    writer = Tangent(ctx)
    opening: list[Stmt] = list(work.entry())
    for x, expr, kind in given:
        start: Expr = Call(operator.getitem, (expr, Var(row, INT)), (), Scalar(kind.dtype))
        if isinstance(x.type, Array):
            own = replace(x.type, layout="C" if kind.layout == "C" else "A")
            opening += argument(writer, x.name, as_type(start, own))
        else:
            writer.dots[x.name] = Var(f"{x.name}~dot", start.type)  # type: ignore[union-attr]
            opening.append(Let(f"{x.name}~dot", start))
    opening += unmoved(writer, work.fn.params)
    code = moving(writer.block(work.body), ctx.buffers, work.body)
    stores = [Store(room, Var(row, INT), writer.dots.get(name, Const(0.0, FLOAT))) for name, (room, _) in rooms.items()]
    own_code, _ = renamed((*opening, *code, *stores), ctx.fresh, {row, *(room.name for room, _ in rooms.values())})
    return (For(row, Const(0, INT), count, Const(1, INT), own_code),)


def _moved(value: Expr, options: Options, rooms: dict[str, tuple[Var, Expr]], count: Expr) -> Expr:
    """The tangents in the structure of the results."""
    if isinstance(value, Tuple):
        items = tuple(_moved(item, options, rooms, count) for item in value.items)
        types = tuple(getattr(item, "type", NONE) for item in items)
        return Tuple(items, TupleType(types, value.type.form))  # type: ignore[attr-defined]
    if isinstance(value, Var) and value.name in rooms:
        return rooms[value.name][0]
    if options.unconnected == "zero" and isinstance(value, Var) and isinstance(value.type, (Scalar, Array)):
        return _made(np.zeros, value, count)
    return Const(None, NONE)

