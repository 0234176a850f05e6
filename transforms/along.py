"""Forward mode through recursive functions: ``y, y_dot = f_tangent(x, n, x_dot)`` in place of ``y = f(x, n)``; part
of `tangent`."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Let, Param, Return, Stmt, Tuple, Var, is_temporary
from srcad.lang.origin import Origin
from srcad.lang.recursive import Instance, Tangents, parts_of
from srcad.lang.symbols import unique
from srcad.lang.types import INT, TupleType, Type, is_array, is_float
from srcad.transforms.backward import outputs
from srcad.transforms.initialise import owns_memory, zero

if TYPE_CHECKING:
    from srcad.transforms.tangent import Tangent


def call(writer: Tangent, stmt: Let, origin: Origin) -> tuple[list[Stmt], list[Stmt]]:
    """A call of a recursive function, which gives the tangent, too."""
    value = stmt.value
    assert isinstance(value, Call) and isinstance(value.fn, Instance)
    moving = tuple(k for k, arg in enumerate(value.args) if writer.dot(arg) is not None)
    if not moving:
        return [], []
    made = value.fn.tangents.setdefault(moving, Tangents(value.fn, moving))
    dots = tuple(dot for k in moving if (dot := writer.dot(value.args[k])) is not None)
    kind = TupleType((value.type, *(kind for _, kind in parts_of(value.type))))
    whole = Var(writer.ctx.fresh("_t"), kind)
    stem, first = _stem(writer, stmt, value)
    opened: list[Stmt] = [Let(first, _part(whole, 0, value.type), stmt.origin)] if first != stmt.target else []
    held = Var(first, value.type) if opened else _part(whole, 0, value.type)
    writer.replaced[id(stmt)] = replace(stmt, value=held)
    behind: list[Stmt] = []
    for k, (path, part) in enumerate(parts_of(value.type), 1):
        dot = Var(f"{stem}{'.'.join(map(str, ('', *path)))}~dot", part)
        behind.append(Let(dot.name, _part(whole, k, part), origin))
        if path:
            writer.parts[stmt.target, path] = dot
        else:
            writer.dots[stmt.target] = dot
    called = replace(value, fn=made, args=(*value.args, *dots), type=kind)
    if opened:
        return [Let(whole.name, called, stmt.origin), *opened, *behind], []
    return [Let(whole.name, called, stmt.origin)], behind


def _stem(writer: Tangent, stmt: Let, value: Call) -> tuple[str, str]:
    """What the tangent is called after, and the name of the value."""
    if not is_temporary(stmt.target):
        return stmt.target, stmt.target
    name = value.fn.callee.name
    return writer.ctx.fresh(f"{name}.0"), writer.ctx.fresh(f"{name}_value.0")


def _part(whole: Var, k: int, kind: Type) -> Expr:
    return Call(operator.getitem, (whole, Const(k, INT)), (), kind)


def with_tangents(made: Tangents, fn: Function) -> Function:
    """The function that gives the value and its tangents."""
    from srcad.transforms.dead_code import dead_code
    from srcad.transforms.derive import check_primitives, context
    from srcad.transforms.scatter import scatter
    from srcad.transforms.tangent import Tangent

    moving = [fn.params[k] for k in made.moving]
    ctx = context(fn, tuple(param.name for param in moving))
    check_primitives(ctx, fn)
    *body, last = fn.body
    assert isinstance(last, Return)
    writer = Tangent(ctx)
    taken = {param.name for param in fn.params} | walk.assigned(fn.body)
    params: list[Param] = []
    opening: list[Stmt] = []
    for param in moving:
        given = Param(unique(f"{param.name}_dot", taken | {p.name for p in params}), param.type)
        params.append(given)
        writer.dots[param.name] = Var(f"{param.name}~dot", param.type)
        opening.append(Let(f"{param.name}~dot", Var(given.name, param.type)))
    code = (*opening, *writer.block(tuple(body)))
    dots = tuple(_moved(writer, out) for out in outputs(last.value) if is_float(out.type))  # type: ignore[union-attr]
    items = (last.value, *dots)
    result = Tuple(items, TupleType(tuple(item.type for item in items)))  # type: ignore[union-attr]
    code = scatter(dead_code((*code, Return(result, last.origin))))
    doc = f"The value of {fn.name} and its tangent."
    return replace(fn, name=f"{fn.name}_tangent", params=(*fn.params, *params), body=code, doc=doc)


def _moved(writer: Tangent, out: Expr) -> Expr:
    """The tangent of a result; an array of its own."""
    dot = writer.dot(out)
    if dot is None:
        name = out.name if isinstance(out, Var) else "x"
        return zero(name, out.type)  # type: ignore[union-attr]
    return Call(np.copy, (dot,), (), dot.type) if is_array(dot.type) and not owns_memory(dot) else dot  # type: ignore[union-attr]
