"""Recursive functions of numbers whose derivatives are found on the way, together with the value; part of `adjoint`.

The reverse of ``y = h * h`` with ``h = f(x, n - 1)`` needs `h`, and to compute it once more at every level makes the
reverse of a chain of calls quadratic. A number's derivatives are numbers, too: so the function returns them beside its
value, ``h, h_x = f_slopes(x, n - 1)``, and the reverse is ``x_bar += h_bar * h_x``.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Stmt, Var, hint, is_temporary
from srcad.lang.recursive import Instance, Reverse, Slopes, called, linked
from srcad.lang.types import INT, Scalar, is_complex, is_float
from srcad.transforms.backward import flat, part_name, reverse
from srcad.transforms.context import Context
from srcad.transforms.infer import typed


def terms(ctx: Context, value: Call, y_bar: Expr) -> list:
    """What the value of a recursive function adds to the cotangents of its arguments."""
    pairs = zip(value.args[1::2], value.args[2::2])
    return [(x, typed(Call(operator.mul, (y_bar, slope)))) for x, slope in pairs
            if isinstance(x, Var) and x.name in ctx.activity]  # fmt: skip


def linking(ctx: Context, fn: Function) -> Function:
    """The function with the derivatives of its calls of recursive functions, where these come with the values."""
    return replace(fn, body=tuple(new for stmt in fn.body for new in _statement(ctx, stmt)))


def _statement(ctx: Context, stmt: Stmt) -> list[Stmt]:
    match stmt:
        case Let(target, Call(Instance() as instance, args) as value) if target in ctx.activity:
            wanted = tuple(k for k, arg in enumerate(args) if isinstance(arg, Var) and arg.name in ctx.activity)
            made = slopes_of(instance, wanted) if wanted else None
            return [stmt] if made is None else _linked(ctx, stmt, made, value)
        case Let():
            return [stmt]
    return [walk.map_stmt(lambda e: e, stmt, lambda b: tuple(new for s in b for new in _statement(ctx, s)))]


def _linked(ctx: Context, stmt: Let, made: Slopes, value: Call) -> list[Stmt]:
    """``h = f(x)`` as ``h, h_x = f_slopes(x)``."""
    whole = Var(ctx.fresh("_t"), made.type_of(value.args, lambda: "?"))
    kinds = whole.type.items  # type: ignore[attr-defined]
    callee = made.instance.callee.name
    stem = callee if is_temporary(stmt.target) else hint(stmt.target)
    first = f"{callee}_value.0" if is_temporary(stmt.target) else f"{stem}.0"
    names = [ctx.fresh(first), *(ctx.fresh(part_name(stem, value.args[k], k)) for k in made.wanted)]
    parts = [Var(name, kind) for name, kind in zip(names, kinds)]
    opened = [Let(part.name, Call(operator.getitem, (whole, Const(k, INT)), (), part.type), stmt.origin)
              for k, part in enumerate(parts)]  # fmt: skip
    pairs = [expr for k, slope in zip(made.wanted, parts[1:]) for expr in (value.args[k], slope)]
    joined = Call(linked, (parts[0], *pairs), (), value.type)
    return [Let(whole.name, replace(value, fn=made, type=whole.type), stmt.origin), *opened,
            Let(stmt.target, joined, stmt.origin)]  # fmt: skip


def unlinked(block: Block) -> Block:
    """The values themselves, once the reverse sweep is there."""

    def node(expr: Expr) -> Expr:
        return expr.args[0] if isinstance(expr, Call) and expr.fn is linked else expr

    return walk.map_block(node, block)


def slopes_of(instance: Instance, wanted: tuple[int, ...]) -> Slopes | None:
    """The slopes of a function of numbers whose reverse would need the results of inner calls."""
    if wanted not in instance.slopes:
        instance.slopes[wanted] = None  # while this is being found out
        instance.slopes[wanted] = Slopes(instance, wanted) if _pay(instance, wanted) else None
    return instance.slopes[wanted]


def _pay(instance: Instance, wanted: tuple[int, ...]) -> bool:
    fn = flat(instance)
    kinds = [fn.params[k].type for k in wanted]
    numbers = all(isinstance(kind, Scalar) for kind in (instance.result, *kinds))
    if not numbers or not is_float(instance.result) or is_complex(instance.result) or any(map(is_complex, kinds)):
        return False
    trial = reverse(instance.reverses.setdefault(wanted, Reverse(instance, wanted)))
    return bool(called(trial.body, Instance))
