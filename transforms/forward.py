"""forward: the forward-mode derivative of a whole function; part of `many`.

Puts together the tangents of the arguments, the statements with their tangents, and the results.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.handover import check_outside
from srcad.analysis.classes import Classes
from srcad.lang.arrays import shape_tuple
from srcad.lang.ir import (
    Call, Const, Effect, Expr, Function, If, Let, Param, Return, Stmt, Tuple, Var, raise_,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, FLOAT, INT, NONE, Array, Scalar, Static, TupleType, Type, is_complex, is_float
from srcad.options import Options
from srcad.transforms.apart import apart
from srcad.transforms.dead_code import dead_code
from srcad.transforms.derive import (
    cast, check_primitives, check_results, context, tuple_of, zero_of,
)  # fmt: skip
from srcad.transforms.entries import argument, unmoved
from srcad.transforms.initialise import zero
from srcad.transforms.packing import describe, given, leaves, outputs, unpacked
from srcad.transforms.pullback import of_tangents
from srcad.transforms.scatter import scatter
from srcad.transforms.seeds import complex_number, of_dtype
from srcad.transforms.tangent import Tangent, as_type
from srcad.transforms.views import check_layouts
from srcad.transforms.weights import weights


def forward(fn: Function, options: Options, seed: Type = NONE) -> Function:
    """The value of a flat, typed function and its tangent: a function of the same parameters and of their tangents.

    `seed` is the type of the tangents that are passed; `NONE` stands for ones.
    """
    fn = of_tangents(fn)
    wrt = [fn.arguments[i] for i in options.wrt]
    moving = tuple(leaf.name for _, parts in wrt for leaf in leaves(parts) if is_float(leaf.type))
    fn = weights(fn, moving, tangents=True)
    ctx = context(fn, moving)
    check_outside(fn, ctx.buffers)
    check_layouts(ctx, fn)
    check_primitives(ctx, fn)
    *body, last = fn.body
    assert isinstance(last, Return)
    value, aux = outputs(fn, options)
    check_results(value, last)
    writer = Tangent(ctx)
    opening = _opening(writer, fn, wrt, options, seed)
    code = (*opening, *writer.block(tuple(body)))
    moved = _Results(writer, options, Classes.of(code)).moved(value)
    code = (*code, Return(whole_result(value, moved, aux, options), replace(last.origin, adjoint=True, tangent=True)))
    written = [p.name for p in fn.params if any(ctx.buffers.may_share(p.name, n) for n in stored_names(fn.body))]
    inputs = (*fn.params, Param(options.seed, FLOAT if seed == NONE else seed, Const(1.0, FLOAT)))
    params = (*(param for param, _ in fn.arguments), inputs[-1])
    code = scatter(dead_code((*apart(inputs, written), *code), contents=written))
    code = (*unpacked(fn, code), *code)
    return replace(
        fn, name=options.title(fn.name), params=params, body=code, doc=describe(fn, options), packed=()
    )


# ---------------------------------------------------------------- the tangents of the arguments


def _opening(writer: Tangent, fn: Function, wrt: list[tuple[Param, Expr]], options: Options, seed: Type) -> list[Stmt]:
    """The statements that name the tangents of the arguments, with checks of their shapes."""
    out: list[Stmt] = []
    for param, expr, kind in given_tangents(wrt, options, seed):
        if not isinstance(param, Var) or not is_float(param.type):
            continue
        _check(param, kind, options)
        if isinstance(kind, Array):
            out.append(_shape_check(param, expr, kind, fn.origin, options))
        if kind != Static(None) and param.name in writer.ctx.activity:
            out += _start(writer, param, expr, kind)
    return [*out, *unmoved(writer, fn.params)]


def given_tangents(wrt: list[tuple[Param, Expr]], options: Options, seed: Type) -> list[tuple[Expr, Expr, Type]]:
    """Each parameter that may move, the expression for its tangent, and that one's type: FLOAT for a plain number."""
    whole = Var(options.seed, FLOAT if seed == NONE else seed)
    if options.single or seed == NONE or isinstance(seed, Scalar):
        return [leaf for _, parts in wrt for leaf in given(parts, whole, whole.type, options.seed)]
    if not isinstance(seed, TupleType):
        raise ValueError(f"{options.seed} must be a tuple with one tangent for each of {_names(wrt)}")
    if len(seed.items) != len(wrt):
        raise ValueError(f"{options.seed} has {len(seed.items)} tangents for {len(wrt)} parameters, {_names(wrt)}")
    kinds = [FLOAT if isinstance(kind, Scalar) and kind.weak else kind for kind in seed.items]
    return [leaf for i, ((_, parts), kind) in enumerate(zip(wrt, kinds))
            for leaf in given(parts, Call(operator.getitem, (whole, Const(i, INT)), (), kind), kind, options.seed)]


def _names(wrt: list[tuple[Param, Expr]]) -> str:
    return ", ".join(param.name for param, _ in wrt)


def _check(param: Var, kind: Type, options: Options) -> None:
    """Refuse a tangent that does not fit its argument."""
    if kind in (NONE, FLOAT):
        return
    expected = param.type
    assert isinstance(expected, (Array, Scalar))
    if not isinstance(kind, (Array, Scalar)):
        raise TypeError(f"{options.seed}: the tangent of {param.name} is a number or an array, as {param.name} is")
    ranks = [each.ndim if isinstance(each, Array) else 0 for each in (kind, expected)]
    if ranks[0] != ranks[1]:
        raise ValueError(f"{options.seed}: the tangent of {param.name} has {ranks[0]} dimensions, "
                         f"and {param.name} has {ranks[1]}")  # fmt: skip
    if kind.dtype != expected.dtype and (isinstance(kind, Array) or kind.dtype.startswith("complex")):
        raise TypeError(f"{options.seed}: the tangent of {param.name} is of {kind.dtype}, "
                        f"and {param.name} of {expected.dtype}")  # fmt: skip


def _shape_check(param: Var, tangent: Expr, kind: Type, origin: Origin, options: Options) -> Stmt:
    shapes = (shape_tuple(e) for e in (tangent, Var(param.name, param.type)))
    message = f"{options.seed}: the tangent of {param.name} must have the shape of {param.name}"
    error = Call(raise_, (Const(ValueError, Static(ValueError)), Const(message, Static(message))), (), NONE)
    return If(Call(operator.ne, tuple(shapes), (), BOOL), (Effect(error, origin),), (), origin)


def _start(writer: Tangent, param: Var, expr: Expr, kind: Type) -> list[Stmt]:
    """The tangent of a parameter as the function starts."""
    if isinstance(param.type, Array) and isinstance(kind, Array):
        return argument(writer, param.name, as_type(expr, replace(kind, shape=param.type.shape)))
    name = f"{param.name}~dot"
    if isinstance(param.type, Array):
        expr = Call(np.full_like, (Var(param.name, param.type), expr), (), param.type)
    writer.dots[param.name] = Var(name, getattr(expr, "type", FLOAT))
    return [Let(name, expr)]


# ---------------------------------------------------------------- results


@dataclass
class _Results:
    """Writes the tangents of the results, each of which shares no memory with what was passed, nor with another one."""

    writer: Tangent
    options: Options
    classes: Classes
    given: list[str] = field(default_factory=list)  # the tangents that are returned already, and those passed

    def moved(self, value: Expr) -> Expr:
        """The tangent of a result."""
        if isinstance(value, Tuple):
            items = tuple(map(self.moved, value.items))
            types = tuple(getattr(item, "type", NONE) for item in items)
            return Tuple(items, TupleType(types, value.type.form))  # type: ignore[attr-defined]
        kind = getattr(value, "type", NONE)
        if isinstance(value, Var) and value.name in self.writer.dots:
            moved = self.writer.dots[value.name]
            if is_complex(moved.type):
                return of_dtype(self.own(moved), kind)
            return complex_number(of_dtype(self.own(moved), kind), kind)
        if isinstance(value, Var) and value.name in self.writer.ctx.activity:
            return zero(value.name, kind)
        if self.options.unconnected == "zero" and isinstance(kind, (Scalar, Array)):
            return _zero_like(value, kind)
        return Const(None, NONE)

    def own(self, moved: Expr) -> Expr:
        if not (isinstance(moved, Var) and isinstance(moved.type, Array)):
            return moved
        leaders = {self.classes.find(name) for name in (self.options.seed, *self.given)}
        self.given.append(moved.name)
        return Call(np.copy, (moved,), (), moved.type) if self.classes.find(moved.name) in leaders else moved


def _zero_like(value: Expr, kind: Scalar | Array) -> Expr:
    """Zero, for a result that does not move."""
    if is_float(kind):
        return zero(value.name, kind) if isinstance(value, Var) else Const(0.0, FLOAT)
    return zero_of(value, kind)


def whole_result(value: Expr, moved: Expr, aux: Expr | None, options: Options) -> Expr:
    """What a derivative in forward mode returns."""
    if options.mode == "hvp":
        return moved if aux is None else tuple_of(moved, aux)
    value = cast(value)
    return tuple_of(value if aux is None else tuple_of(value, aux), moved)
