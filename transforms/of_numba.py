"""What Numba makes of functions and has in the place of Python's containers; part of `inline`.

A `numba.stencil` is a loop over the elements that have all the neighbours its kernel reads. A function of
`numba.guvectorize` that is called without the array for its results gets a new one. `numba.typed.List` and
`numba.typed.Dict` are lists and dicts.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, For, Function, Let, Return, Store, Var, assert_,
)  # fmt: skip
from srcad.transforms.calls import folded_number
from srcad.transforms.flatten import fresh_names

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords

_CONTAINERS = {"List": list, "List.empty_list": list, "Dict": dict, "Dict.empty": dict}


def of_numba(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """A call of something that Numba makes of a function, or of one of its containers; None: another call."""
    match type(fn).__name__:
        case "StencilFunc":
            return _stencil(c, fn, args, kwargs)
        case "GUFunc":
            return _generalized(c, fn, args, kwargs)
    if getattr(fn, "__module__", None) == "numba.misc.special" and fn.__name__ == "literal_unroll":
        return args[0]
    if getattr(fn, "__module__", None) not in ("numba.typed.typedlist", "numba.typed.typeddict"):
        return None
    made = _CONTAINERS.get(fn.__qualname__)
    return None if made is None else c.invoke(made, args if isinstance(fn, type) else (), kwargs)


# ---------------------------------------------------------------- stencils


def _stencil(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    kernel = fn.kernel_ir.func_id.func
    name = kernel.__name__
    if kwargs:
        return c.refuse(f"{name}() with out= is not supported", f"its result: v[:] = {name}(u)", name)
    if fn.options.get("standard_indexing"):
        return _refuse(c, name, "standard_indexing")
    template = c.template(kernel)
    function = _over_elements(c.callee(template), fn.neighborhood, fn.options.get("cval", 0))
    if isinstance(function, str):
        return _refuse(c, name, function)
    made = replace(template, function=function, locals=template.locals | walk.assigned(function.body))
    c.templates[fn] = made
    return c.enter(made, None, fn, args, kwargs)


def _refuse(c: Callees, name: str, what: str) -> Expr:
    return c.refuse(f"the stencil {name}() with {what} is not supported", "a loop over the elements", name)


def _over_elements(kernel: Function, neighborhood: Any, border: Any) -> Function | str:
    """A stencil as a function of whole arrays; what stands in its way if there is something.

    Behind the last element that has all neighbours, and before the first one, the result is the value of the border.
    """
    *body, last = kernel.body
    assert isinstance(last, Return)
    wholes = (*(e for stmt in walk.statements(kernel.body) for e in walk.stmt_exprs(stmt)), last.value)
    exprs = [e for whole in wholes for e in walk.subexprs(whole)]
    params = {param.name for param in kernel.params}
    reads = [e for e in exprs if isinstance(e, Call) and e.fn is operator.getitem
             and isinstance(e.args[0], Var) and e.args[0].name in params]  # fmt: skip
    ranks = {len(items_of(read.args[1])) for read in reads}
    if len(ranks) != 1:
        return "subscripts of several ranks"
    if all(read.args[0] != Var(kernel.params[0].name) for read in reads):
        return "a first argument that it reads no neighbours of"
    (rank,) = ranks
    offsets = [[folded_number(part) for part in items_of(read.args[1])] for read in reads]
    if neighborhood is None and not all(isinstance(part, Const) for parts in offsets for part in parts):
        return "neighbours that are not constant, and without neighborhood="
    around = neighborhood or [(min(each), max(each)) for each in zip(*([p.value for p in parts] for parts in offsets))]  # type: ignore[union-attr]
    fresh = fresh_names(params | walk.assigned(kernel.body))
    index = tuple(Var(fresh(name)) for name in "ijklmn"[:rank])
    base = Var(kernel.params[0].name)  # whose shape is that of the result

    def moved(expr: Expr) -> Expr:
        if not any(expr is read for read in reads):
            return expr
        assert isinstance(expr, Call)
        places = tuple(map(_moved, index, map(folded_number, items_of(expr.args[1]))))
        return replace(expr, args=(expr.args[0], index_of(places)))

    def statement(stmt: Any) -> Any:
        return walk.map_stmt(lambda e: walk.map_expr(moved, e), stmt, lambda block: tuple(map(statement, block)))

    out = Var(fresh(kernel.name))
    block: Block = (*map(statement, body), Store(out, index_of(index), walk.map_expr(moved, last.value), last.origin))
    for axis in reversed(range(rank)):
        below, above = around[axis]
        length = Call(operator.getitem, (Attr(base, "shape"), Const(axis)))
        stop = Call(operator.sub, (length, Const(max(0, above)))) if above > 0 else length
        block = (For(index[axis].name, Const(max(0, -below)), stop, Const(1), block, origin=last.origin),)
    begun = Call(np.full_like, (base, Const(border))) if border else Call(np.zeros_like, (base,))
    begin = Let(out.name, begun, last.origin)
    return replace(kernel, body=(begin, *block, Return(out, last.origin)))


def _moved(at: Var, by: Expr) -> Expr:
    """A place so many elements further on."""
    match by:
        case Const(value=0):
            return at
        case Const(value=int() as distance) if distance < 0:
            return Call(operator.sub, (at, Const(-distance)))
    return Call(operator.add, (at, by))


# ---------------------------------------------------------------- generalized functions


def _generalized(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """A call without the array for the result: with a new one; with it, a call of the kernel as a function.

    A result that is a number is the element of an array of one.
    """
    sides = [[_names(part) for part in side.split("),")] for side in fn.signature.replace(" ", "").split("->")]
    given, made = sides
    if not len(given) <= len(args) <= len(given) + len(made) or kwargs:
        return None
    name = fn.__name__
    values = tuple(map(c.named, args))
    lengths: dict[str, Expr] = {}
    for value, axes in zip(values, given):
        said = Const(f"{name}() of arrays with more axes than its signature has")
        c.emit(Effect(Call(assert_, (Call(operator.eq, (Call(np.ndim, (value,)), Const(len(axes)))), said)), c.origin))
        lengths |= {axis: Call(operator.getitem, (Attr(value, "shape"), Const(k))) for k, axis in enumerate(axes)}
    values = tuple(map(partial(_as_read, c, fn), values, given, range(len(given)))) + values[len(given) :]
    kernel = fn.gufunc_builder.py_func
    if len(args) > len(given):
        return c.invoke(kernel, values, ())
    if len(made) != 1 or not set(made[0]) <= lengths.keys():
        return c.refuse(f"{name}() without an array for its results is not supported", f"{name}(..., out)", name)
    shape = index_of([lengths[axis] for axis in made[0]]) if made[0] else Const(1)
    out = c.named(c.invoke(np.empty, (shape,), ()))
    c.invoke(kernel, (*values, out), ())
    return out if made[0] else Call(operator.getitem, (out, Const(0)))


def _as_read(c: Callees, fn: Any, value: Expr, axes: list[str], position: int) -> Expr:
    """A number whose type in the kernel has an axis is the element of an array of one there."""
    types = fn.gufunc_builder._sigs[0].args if fn.gufunc_builder._sigs else ()
    in_array = not axes and position < len(types) and getattr(types[position], "ndim", 0) == 1
    return c.named(c.invoke(np.full, (Const(1), value), ())) if in_array else value


def _names(part: str) -> list[str]:
    return [name for name in part.strip("()").split(",") if name]
