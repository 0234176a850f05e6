"""The reverse of parallel moves: what joins a branch or is carried from iteration to iteration; part of `adjoint`."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang.ir import Call, Expr, Let, Move, Stmt, Var
from srcad.lang.origin import Origin
from srcad.lang.types import Array, Scalar, Type, is_complex
from srcad.transforms.context import Context
from srcad.transforms.cotangents import accumulate
from srcad.transforms.infer import typed
from srcad.transforms.initialise import zero


def reverse(ctx: Context, targets, values, origin: Origin, carried_on: bool) -> list[Stmt]:
    """The reverse of a parallel move: each value receives its target's cotangent.

    At the end of an iteration (`carried_on`) the targets' cotangents are spent there and start again from zero.
    """
    pairs = [
        (t, v)
        for t, v in zip(targets, values)
        if t in ctx.activity and isinstance(v, Var) and v.name in ctx.activity and ctx.bar(t) != ctx.bar(v.name)
    ]
    spent = [t for t in targets if t in ctx.activity and carried_on and not _shares_sum(ctx, t, targets, values)]
    rotated = {v.name for _, v in pairs} & set(spent)
    after = {target: getattr(value, "type", None) for target, value in zip(targets, values)}
    result: list[Stmt] = []
    views: list[Stmt] = []
    for target, value in pairs:
        if value.name in rotated:
            continue
        received = _received(ctx, target, value)
        if carried_on and value.name in ctx.aliased:
            # A view of what the iteration was entered with: its cotangent is a view of the one that starts below.
            kept = Var(ctx.fresh("_t"), received.type)
            result.append(Let(kept.name, received, origin))
            views += accumulate(ctx, value, kept, origin)
        else:
            result += accumulate(ctx, value, received, origin)
    if rotated:
        result.append(_rotation(ctx, pairs, rotated, origin))
    cleared = [Let(ctx.bar(t).name, _cleared(ctx, t, after[t]), origin) for t in spent if t not in rotated]
    return [*result, *cleared, *views]


def _received(ctx: Context, target: str, value: Var) -> Var:
    """The cotangent of a target as what its value receives: whatever the types say, the two have one shape.

    A number or an array that becomes complex there receives the real part.
    """
    bar, kind = ctx.bar(target), ctx.bar(value.name).type
    if isinstance(kind, (Scalar, Array)) and is_complex(bar.type) and not is_complex(kind):
        kind = replace(kind, dtype=bar.type.dtype)  # type: ignore[attr-defined]
    return Var(bar.name, kind)


def _cleared(ctx: Context, target: str, after: Type | None) -> Expr:
    """Zero, of the shape of the cotangent that is spent where an iteration leaves the shape as it was."""
    bar = ctx.bar(target)
    if isinstance(bar.type, Array) and isinstance(after, Array) and after.shape == bar.type.shape:
        return zero(bar.name, bar.type)
    return zero(target, ctx.types[target])


def _shares_sum(ctx: Context, target: str, targets, values) -> bool:
    value = dict(zip(targets, values))[target]
    return isinstance(value, Var) and ctx.sums.get(value.name, value.name) == ctx.sums.get(target, target)


def _rotation(ctx: Context, pairs, rotated: set[str], origin: Origin) -> Move:
    """Carried names that take each other's values: their cotangents take each other's places, backwards."""
    names = sorted(rotated)
    sums = []
    for name in names:
        parts = [ctx.bar(t) for t, v in pairs if v.name == name]
        total: Expr = parts[0]
        for part in parts[1:]:
            total = typed(Call(operator.add, (total, part)))
        sums.append(total)
    return Move(tuple(ctx.bar(name).name for name in names), tuple(sums), origin)
