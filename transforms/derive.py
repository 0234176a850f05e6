"""derive: the reverse-mode derivative of a whole function.

Puts together what the passes of reverse mode make: seeds, sweeps, and the results.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.accumulators import accumulators
from srcad.analysis.activity import activity
from srcad.analysis.buffers import buffers, stored_names
from srcad.analysis.dimensions import Dimensions
from srcad.analysis.guards import guarded, held
from srcad.analysis.weights import steered, weighed
from srcad.analysis.halves import halves
from srcad.analysis.handover import check_handovers, check_outside
from srcad.analysis.lasting import lasting
from srcad.lang.arrays import shape_tuple
from srcad.lang import walk
from srcad.lang.errors import Problem, has_problems, refuse
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, Function, Let, Move, Param, Return, Tuple, Var,
)  # fmt: skip
from srcad.lang.recursive import Instance, called
from srcad.lang.types import (
    FLOAT, NONE, Array, Scalar, Static, TupleType, Type, is_float,
)  # fmt: skip
from srcad.options import SEED, TANGENTS, Options
from srcad.transforms import pullback
from srcad.transforms.adjoint import adjoint, check_rules
from srcad.transforms.apart import apart
from srcad.transforms.backward import part_names
from srcad.transforms.context import Context
from srcad.transforms.dead_code import dead_code
from srcad.transforms.decisions import Decisions
from srcad.transforms.destination import destination
from srcad.transforms.flatten import fresh_names
from srcad.transforms.fuse import fuse, stay
from srcad.transforms.initialise import zero
from srcad.transforms.recall import recall
from srcad.transforms.recorded_once import recorded_once
from srcad.transforms.scatter import scatter
from srcad.transforms.seeds import complex_number, of_dtype, opening, outward, seed_type
from srcad.transforms.primitives import refuse_call
from srcad.transforms.slopes import linking, unlinked
from srcad.transforms.instances import check_aliases
from srcad.transforms.revolve import plans, unplanned
from srcad.transforms.packing import describe, leaves, outputs, unpacked
from srcad.transforms.views import alias_views, check_layouts, laid
from srcad.transforms.weights import multiples, weights


def derive(fn: Function, options: Options, seed: Type = NONE, decisions: Decisions | None = None) -> Function:
    """The gradient of a flat, typed function: a function of the same parameters and of the seed.

    `seed` is the type of the seed that is passed; `NONE` stands for ones. What is decided on the way is noted in
    `decisions`.
    """
    wrt = [fn.arguments[i][1] for i in options.wrt]
    moving = tuple(leaf.name for leaf in leaves(*wrt) if is_float(leaf.type))
    fn = weights(fn, moving)
    *body, last = fn.body
    assert isinstance(last, Return)
    value, aux = outputs(fn, options)
    ctx = context(fn, moving, value)
    if called(fn.body, Instance):
        *body, last = (fn := linking(ctx, fn)).body
        assert isinstance(last, Return)
        ctx = context(fn, moving, value)
    if decisions is not None:
        ctx.decisions = decisions
        decisions.function, decisions.context = fn, ctx
    check_outside(fn, ctx.buffers)
    check_layouts(ctx, fn)
    check_handovers(fn, ctx.buffers, ctx.activity)
    refuse(check_aliases(fn, ctx.buffers))
    check_primitives(ctx, fn)
    if has_problems():
        check_rules(ctx, fn)
        return fn
    check_results(value, last)
    if seed != NONE:
        ctx.guarded = guarded(fn, seeded=isinstance(seed, (Array, TupleType)))
        ctx.weighed = weighed(fn, ctx.buffers, ctx.activity, seeded=True)
    seeds, checks = opening(ctx, value, seed, last)
    # Of the other parameters, those are active that the function writes to.
    home = [p.name for p in fn.params if p.name in ctx.activity]
    ctx.narrowing = options.target == "cpu" and not options.marked
    ctx.returned = {ctx.bar(leaf.name).name for leaf in leaves(*wrt) if leaf.name in ctx.activity}
    sweeps = adjoint(ctx, tuple(body), seeds=seeds, home=home)
    sweeps = fuse(ctx, sweeps) if options.optimize else stay(ctx, sweeps, "optimize=False says so")
    gradients = _gradients(ctx, wrt, sweeps.reverse + sweeps.forward, options)
    written = [p.name for p in fn.params if any(ctx.buffers.may_share(p.name, n) for n in stored_names(fn.body))]
    inputs = (*fn.params, Param(SEED, seed_type(seed), Const(1.0, FLOAT)))
    params = [*(param for param, _ in fn.arguments), inputs[-1]]
    places = None if options.out is None else destination(options, wrt, gradients, inputs, fn.origin)
    result = _result(ctx, value, aux, places.gradients if places else gradients, options)
    code = (*apart(inputs, written), *unplanned(ctx, sweeps.forward), *checks, *unplanned(ctx, sweeps.reverse))
    if places:
        params.append(places.param)
        written += [array.name for array, _ in places.arrays]
        code = (*places.opening, *places.checks, *code, *places.stores)
    code = dead_code(unlinked((*code, Return(result, last.origin))), contents=written)
    whole = replace(fn, name=options.title(fn.name), params=tuple(params), body=code, doc=describe(fn, options))
    if options.recalls:
        whole = recall(ctx, replace(whole, params=inputs), written)
    code = scatter(recorded_once(ctx, whole.body) if options.recalls else whole.body)
    return replace(whole, params=tuple(params), body=(*unpacked(fn, code), *code), packed=())


def context(fn: Function, wrt: tuple[str, ...], of: Expr | None = None) -> Context:
    """The facts about a function that its derivative with respect to `wrt` needs; `of` is what is differentiated."""
    types: dict[str, Type] = {p.name: p.type for p in fn.params}
    for stmt in walk.statements(fn.body):
        match stmt:
            case Let(target, value):
                types[target] = value.type
            case Move(targets, values):
                for target, value in zip(targets, values):
                    types.setdefault(target, value.type)
    for stmt in walk.statements(fn.body):
        for expr in walk.stmt_exprs(stmt):
            types.update({e.name: e.type for e in walk.subexprs(expr) if isinstance(e, Var)})
    found = buffers(fn)
    found.types.update({n: t for n, t in types.items() if isinstance(t, Array)})
    active = activity(fn, wrt, found, of)
    used = set(types) | walk.assigned(fn.body) | {SEED, TANGENTS}
    ctx = Context(types, found, active, accumulators(fn, active), lasting(fn, found), fresh_names(used))
    ctx.aliased = alias_views(ctx, fn.body)
    ctx.laid = laid(ctx)
    ctx.guarded, ctx.weighed, ctx.halves = guarded(fn), weighed(fn, found, active), halves(fn.body)
    ctx.multiples = multiples(fn, active)
    ctx.held = held(fn, active) | steered(fn, found, active)
    ctx.dimensions = Dimensions.of(fn.body)
    ctx.parts = part_names(fn.body)
    ctx.customs = pullback.groups(fn.body)
    ctx.plans = plans(fn)
    ctx.lengths = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and _is_length(s.value)}
    return ctx


def check_results(value: Expr, last: Return) -> None:
    """A derivative is of numbers and arrays."""
    for item in value.items if isinstance(value, Tuple) else (value,):
        if isinstance(item, Tuple):
            check_results(item, last)
            continue
        static = _type(item)
        beside = isinstance(value, Tuple) and isinstance(static, Static)  # other results, None and texts have none
        if isinstance(static, Static) and not (beside and (static == NONE or isinstance(static.value, str))):
            if static == NONE:
                refuse([Problem(last.origin, "the function returns None", "a return of what is to be differentiated")])
                continue
            what = "a text" if isinstance(static.value, str) else "a function or object"
            reason = f"{what} as the result has no derivative"
            refuse([Problem(last.origin, reason, "numbers and arrays, or has_aux=True")])


def check_primitives(ctx: Context, fn: Function) -> None:
    """A rule is about one result; a primitive that gives several has none."""
    asked: dict[str, Expr] = {}
    for stmt in walk.statements(fn.body):
        match stmt:
            case Let(target, Call(operator.getitem, (Var(name), part))) if target in ctx.activity:
                asked.setdefault(name, part)
    for stmt in walk.statements(fn.body):
        match stmt:
            case Let(target, Call(primitive, type=TupleType()) as value) if target in ctx.activity:
                if ctx.active(value) and not isinstance(primitive, Instance):
                    refuse_call(value, stmt.origin, ctx.activity, asked.get(target))


def _is_length(value: Expr) -> bool:
    if isinstance(value, Call) and value.fn is operator.getitem:
        return isinstance(value.args[0], Attr) and value.args[0].name == "shape"
    return isinstance(value, Attr) and value.name == "size"


# ---------------------------------------------------------------- results


def _gradients(ctx: Context, wrt: list[Expr], code: Block, options: Options) -> list[Expr]:
    assigned = {n for stmt in walk.statements(code) for n in walk.targets(stmt)}
    return [_gradient(ctx, argument, assigned, options) for argument in wrt]


def _gradient(ctx: Context, argument: Expr, assigned: set[str], options: Options) -> Expr:
    """The gradient with respect to an argument, in the argument's structure."""
    if isinstance(argument, Tuple):
        items = tuple(_gradient(ctx, item, assigned, options) for item in argument.items)
        return Tuple(items, TupleType(tuple(map(_type, items)), argument.type.form))  # type: ignore[attr-defined]
    if not isinstance(argument, Var):
        return Const(None, NONE)
    bar = ctx.bar(argument.name) if is_float(argument.type) else None
    if bar is not None and argument.name in ctx.activity:
        gradient: Expr = outward(bar) if bar.name in assigned else zero(argument.name, argument.type)
        gradient = complex_number(gradient, argument.type)
    elif options.unconnected == "zero" and isinstance(argument.type, (Scalar, Array)):
        gradient = zero(argument.name, argument.type) if bar is not None else zero_of(argument, argument.type)
    else:
        gradient = Const(None, NONE)
    return of_dtype(gradient, argument.type)


def zero_of(value: Expr, kind: Type) -> Expr:
    """What an integer or boolean has instead of a derivative, where zeros are asked for."""
    if not isinstance(kind, Array):
        return Const(0.0, FLOAT)
    return Call(np.zeros, (shape_tuple(value),), (), replace(kind, dtype="float64"))


def _result(ctx: Context, value: Expr, aux: Expr | None, gradients: list[Expr], options: Options) -> Expr:
    gradient = gradients[0] if options.single else tuple_of(*gradients)
    value = cast(value)
    if options.mode == "grad":
        return gradient if aux is None else tuple_of(gradient, aux)
    return tuple_of(value if aux is None else tuple_of(value, aux), gradient)


def cast(value: Expr) -> Expr:
    """A result whose scalars have the dtypes that NumPy gives them."""
    if isinstance(value, Tuple):
        return replace(value, items=tuple(map(cast, value.items)))
    return of_dtype(value, _type(value))


def tuple_of(*items: Expr) -> Expr:
    return Tuple(items, TupleType(tuple(map(_type, items))))


def _type(expr: Expr) -> Type:
    return getattr(expr, "type", NONE)
