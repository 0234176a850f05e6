"""The reverse of calls of recursive functions: a function that calls itself, too; part of `adjoint`.

``y = f(x, n)`` has the reverse ``x_bar += f_reverse(x, n, y_bar)``.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.contents import times_given
from srcad.analysis.buffers import buffers
from srcad.analysis.handover import check_handovers
from srcad.lang import walk
from srcad.lang.errors import refuse
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, Function, Let, Param, Return, Stmt, Tuple, Var, hint, is_temporary,
)  # fmt: skip
from srcad.lang.recursive import Helper, Instance, Reverse, Slopes, Tangents, called, calls_instance, parts_of
from srcad.lang.types import FLOAT, INT, TupleType, is_array, is_float
from srcad.transforms.context import Context
from srcad.transforms.exact import exact
from srcad.transforms.flatten import flatten
from srcad.transforms.in_turn import in_turn
from srcad.transforms.layouts import layouts
from srcad.transforms.places import places
from srcad.transforms.initialise import zero
from srcad.transforms.instances import check_aliases
from srcad.transforms.specialize import specialize
from srcad.transforms.untuple import untuple


# ---------------------------------------------------------------- in the reverse sweep of the caller


def terms(ctx: Context, stmt: Let, y_bar: Expr) -> list:
    """What a call of a recursive function adds to the cotangents of its arguments."""
    value = stmt.value
    assert isinstance(value, Call) and isinstance(value.fn, Instance)
    args = value.args
    wanted = tuple(k for k, arg in enumerate(args) if isinstance(arg, Var) and arg.name in ctx.activity)
    reverse = value.fn.reverses.setdefault(wanted, Reverse(value.fn, wanted))
    bars = tuple(_seeds(ctx, stmt)) if isinstance(value.type, TupleType) else (y_bar,)
    call = Call(reverse, (*args, *bars))
    call = replace(call, type=reverse.type_of(args, lambda: "?"))
    if len(wanted) == 1:
        return [(args[wanted[0]], call)]
    whole = Var(ctx.fresh("_t"), call.type)
    parts = [Var(ctx.fresh(part_name(value.fn.callee.name, args[k], k)), kind)
             for k, kind in zip(wanted, call.type.items)]  # type: ignore[attr-defined]  # fmt: skip
    opened = [Let(part.name, Call(operator.getitem, (whole, Const(k, INT)), (), part.type))
              for k, part in enumerate(parts)]  # fmt: skip
    return [Let(whole.name, call), *opened, *((args[k], part) for k, part in zip(wanted, parts))]


def part_name(stem: str, arg: Expr, position: int) -> str:
    """A name for what belongs to an argument of a recursive function."""
    named = isinstance(arg, Var) and not is_temporary(arg.name)
    return f"{stem}_{hint(arg.name) if named else position}.0"  # type: ignore[union-attr, arg-type]


def _seeds(ctx: Context, stmt: Let) -> list[Expr]:
    """The cotangents of the parts of a tuple."""
    bars: list[Expr] = []
    for path, kind in parts_of(stmt.value.type):  # type: ignore[union-attr]
        name = ctx.parts.get((stmt.target, path))
        if name is not None and name in ctx.activity:
            bars.append(ctx.bar(name))
        else:
            bars.append(zero(name, kind) if name is not None and is_array(kind) else Const(0.0, FLOAT))
    return bars


def part_names(body: Block) -> dict[tuple[str, tuple[int, ...]], str]:
    """The names of the parts of tuples that recursive functions return."""
    whole = {s.target for s in walk.statements(body) if isinstance(s, Let) and calls_instance(s.value)}
    found: dict[tuple[str, tuple[int, ...]], str] = {}
    for stmt in walk.statements(body):
        if isinstance(stmt, Let) and (place := place_in_tuple(stmt.value)) is not None and place[0] in whole:
            found[place] = stmt.target
    return found


def place_in_tuple(value: Expr) -> tuple[str, tuple[int, ...]] | None:
    """The tuple, and where in it, that an expression takes an element from."""
    match value:
        case Call(operator.getitem, (Var(name, TupleType()), Const(value=int() as k))):
            return name, (k,)
        case Call(operator.getitem, (Call() as inner, Const(value=int() as k))):
            place = place_in_tuple(inner)
            return None if place is None else (place[0], (*place[1], k))
    return None


# ---------------------------------------------------------------- the functions themselves


def flat(instance: Instance) -> Function:
    """An instance as it can be differentiated; an array that it returns is its own."""
    if instance.flat is None:
        assert instance.typed is not None
        function = exact(in_turn(layouts(flatten(specialize(untuple(instance.typed))))))
        *body, last = function.body
        assert isinstance(last, Return)
        found = buffers(function)
        kept = {name for name in walk.names(last.value) if found.of(name) and name not in found.of(name)}
        kept |= {param.name for param in function.params}

        def own(expr: Expr) -> Expr:
            if isinstance(expr, Var) and is_array(expr.type) and expr.name in kept:
                return Call(np.copy, (expr,), (), expr.type)
            return expr

        value = walk.map_expr(own, last.value)
        function = replace(function, body=(*body, replace(last, value=value)), packed=())
        instance.flat = places(flatten(function))
    return instance.flat


def helper(made: Helper) -> Function:
    """The function that is written for a call of one."""
    match made:
        case Reverse():
            return reverse(made)
        case Slopes():
            return with_slopes(made)
        case Tangents():
            from srcad.transforms.along import with_tangents

            return with_tangents(made, flat(made.instance))
    return flat(made)


def reverse(made: Reverse) -> Function:
    """The reverse sweep of an instance as a function."""
    fn = flat(made.instance)
    params, sweeps, bars = _swept(fn, made.wanted)
    result = bars[0] if len(bars) == 1 else Tuple(bars, TupleType(tuple(bar.type for bar in bars)))
    doc = f"What the cotangent of {fn.name} adds to those of {_names(fn, made.wanted)}."
    return _function(fn, f"{fn.name}_reverse", (*fn.params, *params), sweeps, result, doc)


def with_slopes(made: Slopes) -> Function:
    """The value of an instance and its derivatives as a function: the reverse sweep begins with one."""
    fn = flat(made.instance)
    params, sweeps, bars = _swept(fn, made.wanted)
    (seed,) = params
    last = sweeps.last
    items = (last.value, *bars)
    result = Tuple(items, TupleType(tuple(item.type for item in items)))  # type: ignore[union-attr]
    sweeps = replace(sweeps, reverse=_begun(sweeps.reverse, seed))
    doc = f"The value of {fn.name} and its derivatives with respect to {_names(fn, made.wanted)}."
    return _function(fn, f"{fn.name}_slopes", fn.params, sweeps, result, doc)


def _begun(block: Block, seed: Param) -> Block:
    """A reverse sweep that begins with one."""
    counts = times_given(block)
    one = Const(1.0, seed.type)
    ones: dict[str, Expr] = {seed.name: one}
    for stmt in walk.statements(block):
        match stmt:
            case Let(target, Var(name)) if name in ones and counts[target] == 1:
                ones[target] = one
    return tuple(walk.map_stmt(lambda e: walk.substitute(e, ones), s) for s in block)


def _function(
    fn: Function, name: str, params: tuple[Param, ...], sweeps: Swept, result: Expr, doc: str
) -> Function:
    from srcad.transforms.dead_code import dead_code
    from srcad.transforms.scatter import scatter
    from srcad.transforms.slopes import unlinked

    code = (*_quiet(sweeps.forward), *sweeps.reverse, Return(result, sweeps.last.origin))
    return replace(fn, name=name, params=params, body=scatter(dead_code(unlinked(code), effects=False)), doc=doc)


def _names(fn: Function, wanted: tuple[int, ...]) -> str:
    return ", ".join(fn.params[k].name for k in wanted)


@dataclass(frozen=True)
class Swept:
    """The two sweeps of a recursive function, and its return."""

    forward: Block
    reverse: Block
    last: Return


def _swept(fn: Function, positions: tuple[int, ...]) -> tuple[list[Param], Swept, tuple[Expr, ...]]:
    """Parameters for the cotangents of the results, the sweeps, and the cotangents of the arguments asked for."""
    from srcad.transforms.adjoint import adjoint
    from srcad.transforms.derive import check_primitives, context
    from srcad.transforms.fuse import fuse
    from srcad.transforms.slopes import linking

    wanted = [fn.params[k] for k in positions]
    names = tuple(param.name for param in wanted)
    ctx = context(fn, names)
    if called(fn.body, Instance):
        fn = linking(ctx, fn)
        ctx = context(fn, names)
    check_handovers(fn, ctx.buffers, ctx.activity)
    refuse(check_aliases(fn, ctx.buffers))
    check_primitives(ctx, fn)
    *body, last = fn.body
    assert isinstance(last, Return)
    seeds, params = _opening(ctx, fn, last)
    home = [param.name for param in fn.params if param.name in ctx.activity]
    ctx.returned = {ctx.bar(param.name).name for param in wanted if param.name in ctx.activity}
    sweeps = fuse(ctx, adjoint(ctx, tuple(body), seeds=seeds, home=home))
    bars = tuple(_gradient(ctx, param, sweeps.reverse + sweeps.forward) for param in wanted)
    return params, Swept(sweeps.forward, sweeps.reverse, last), bars


def _opening(ctx: Context, fn: Function, last: Return) -> tuple[list[Stmt], list[Param]]:
    """A parameter for the cotangent of each result, and what opens the reverse sweep."""
    origin = replace(last.origin, adjoint=True)
    opening: list[Stmt] = []
    params: list[Param] = []
    taken = {param.name for param in fn.params} | walk.assigned(fn.body)
    outs = [out for out in outputs(last.value) if is_float(out.type)]  # type: ignore[union-attr]
    for out in outs:
        stem = hint(out.name) if isinstance(out, Var) and len(outs) > 1 and not is_temporary(out.name) else fn.name
        param = Param(_free(f"{stem}_bar", taken), out.type)  # type: ignore[union-attr]
        taken.add(param.name)
        params.append(param)
        if isinstance(out, Var) and out.name in ctx.activity:
            opening.append(Accum(ctx.bar(out.name), Var(param.name, param.type), origin))
    return opening, params


def _free(name: str, taken: set[str]) -> str:
    """A name that can be printed."""
    count = 1
    while name in taken:
        name, count = f"{name.rstrip('0123456789')}{count}", count + 1
    return name


def outputs(value: Expr) -> list[Expr]:
    """The values in a result."""
    return [out for item in value.items for out in outputs(item)] if isinstance(value, Tuple) else [value]


def _gradient(ctx: Context, param: Param, code: Block) -> Expr:
    bar = ctx.bar(param.name)
    assigned = {name for stmt in walk.statements(code) for name in walk.targets(stmt)}
    return bar if bar.name in assigned else zero(param.name, param.type)


def _quiet(block: Block) -> Block:
    """Statements without what they print or raise: the function itself has done that."""
    return tuple(
        walk.map_stmt(lambda expr: expr, stmt, _quiet) for stmt in block if not isinstance(stmt, Effect)
    )
