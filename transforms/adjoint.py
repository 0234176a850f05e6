"""adjoint: the reverse sweep, statement by statement; part of `derive`.

For a block this pass makes two: the forward sweep (the block itself, with what must be kept) and the reverse
sweep. The values that the reverse sweep reads are simply still there; loops, where they are not, are the
matter of `record`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from srcad.analysis.activity import carried
from srcad.analysis.buffers import is_put_behind, may_repeat, stored_names
from srcad.analysis.contents import content_names
from srcad.lang import walk
from srcad.lang.arrays import items_of, without_new_axes
from srcad.lang.errors import refuse
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, If, Let, Move, Slice, Stmt, Store, Var, While, select,
)  # fmt: skip
from srcad.lang.origin import NOWHERE, Origin
from srcad.lang.pinpoint import pinpoint
from srcad.lang.types import Array, Scalar, TupleType, Type
from srcad.lang.recursive import Instance, linked
from srcad.rules import rule as rules
from srcad.runtime import survives
from srcad.runtime.marks import picked
from srcad.transforms import backward, moves, pullback, slopes
from srcad.transforms.context import Context, Sweeps, is_bar
from srcad.transforms.cotangents import accumulate, contribute, fit, place
from srcad.transforms.decisions import COPIED, Record
from srcad.transforms.guard import counting, guard, not_zero, taken_over
from srcad.transforms.indexed import Indexed
from srcad.transforms.infer import typed
from srcad.transforms.initialise import initialise
from srcad.transforms.primitives import check_rank, refuse_call
from srcad.transforms.scatter import as_argument
from srcad.transforms.unspread import unspread
from srcad.transforms.views import view_cotangents


Sides = tuple[list[Stmt], list[Stmt]]  # what a statement becomes in the forward sweep, and in the reverse one


def adjoint(
    ctx: Context,
    block: Block,
    stored_after: frozenset[str] = frozenset(),
    seeds: Sequence[Stmt] = (),
    home: Sequence[str] = (),
) -> Sweeps:
    """The forward and the reverse sweep of a block.

    `stored_after` names the arrays that are written between the end of the block and its reverse sweep; `seeds` open
    the reverse sweep; `home` are names from outside whose cotangents begin here (the parameters).
    """
    forward: list[Stmt] = []
    reverse = Indexed(ctx.mentioned, seeds)
    after = stored_after
    for position in range(len(block) - 1, -1, -1):
        stmt = block[position]
        stmt_forward, stmt_reverse = _statement(ctx, stmt, after, reverse)
        forward[:0] = stmt_forward
        reverse.extend(stmt_reverse)
        after |= stored_names((stmt,))
    begin = [*home, *_defined(ctx, block)]
    return Sweeps(tuple(forward), tuple(initialise(ctx, reverse, begin, view_cotangents(ctx, block))))


def _statement(ctx: Context, stmt: Stmt, after: frozenset[str], reverse: Indexed) -> Sides:
    """What a statement becomes in the forward sweep, and its reverse."""
    from srcad.transforms import fuse, record

    origin = replace(stmt.origin, adjoint=True)
    match stmt:
        case Let(target, value) if target in ctx.customs:
            return _custom(ctx, stmt, after, origin, reverse)
        case Let(_, Call(fn, (_, value))) if fn is picked:  # what was computed again is for the reverse sweep alone
            return [replace(stmt, value=value)], _let(ctx, stmt, after, origin, reverse)[1]
        case Let(target, value):
            if target in ctx.activity and ctx.active(value) and backward.place_in_tuple(value) not in ctx.parts:
                return _let(ctx, stmt, after, origin, reverse)
        case Move(targets, values):
            return [stmt], moves.reverse(ctx, targets, values, NOWHERE, False)
        case Store(Var(name), index, value):
            if name in ctx.activity:
                changes = _store(ctx, name, index, value, origin)
                if is_put_behind(stmt):  # nothing is to be cleared: before, these elements were not there
                    changes = [each for each in changes if not isinstance(each, Store)]
                return _kept(ctx, stmt, after, changes)
        case Accum(target, value):
            base = target.args[0] if isinstance(target, Call) else target
            if ctx.active(value) and isinstance(base, Var) and base.name in ctx.activity:
                return _kept(ctx, stmt, after, contribute(ctx, value, place(ctx, target), origin))
        case If(test, then, orelse):
            sides = (adjoint(ctx, side, after) for side in (then, orelse))
            then_sweeps, else_sweeps = (fuse.stay(ctx, sweeps) for sweeps in sides)
            kept = replace(stmt, then=then_sweeps.forward, orelse=else_sweeps.forward)
            back: list[Stmt] = []
            if then_sweeps.reverse or else_sweeps.reverse:
                back = [If(test, then_sweeps.reverse, else_sweeps.reverse, origin)]
            return [kept], back
        case For() | While():
            return record.loop(ctx, stmt, after)
    return [stmt], []


def _let(ctx: Context, stmt: Let, after: frozenset[str], origin: Origin, reverse: Indexed) -> Sides:
    """The reverse of ``y = primitive(x, ...)``: y_bar times the derivative, added to each x_bar."""
    if stmt.target in ctx.aliased or not _is_reached(ctx, stmt.target, reverse):
        return [stmt], []
    test = taken_over(ctx, stmt, reverse)
    y_bar = unspread(ctx, stmt, reverse, contributions)
    test = test or not_zero(ctx, stmt, y_bar)
    back: list[Stmt] = []
    named: dict[str, Expr] = {}
    for term in contributions(ctx, stmt, y_bar):
        if isinstance(term, Let):
            value = typed(walk.substitute(term.value, named))
            back.append(Let(term.target, value, origin))
            named[term.target] = Var(term.target, value.type)
            ctx.types[term.target] = value.type
        else:
            operand, value = term if test is None else (term[0], guard(test, term[1]))
            value = counting(ctx, stmt, y_bar, walk.substitute(value, named))
            check_rank(stmt, operand, value)
            back.extend(accumulate(ctx, operand, value, origin, stmt.value))
    return _kept(ctx, stmt, after, back)


def _custom(ctx: Context, stmt: Let, after: frozenset[str], origin: Origin, reverse: Indexed) -> Sides:
    """The reverse of marked values, which is that of the first of them: the statements of the pullback."""
    pullback.check(ctx, stmt)
    if not any(_is_reached(ctx, name, reverse) for name in pullback.first_active(ctx, stmt)):
        return [stmt], []
    return _kept(ctx, stmt, after, pullback.reverse(ctx, stmt, origin))


def _kept(ctx: Context, stmt: Let | Store | Accum, after: frozenset[str], back: list[Stmt]) -> Sides:
    """A statement and its reverse, and copies of what the reverse reads and what is overwritten until then."""
    before: list[Stmt] = []
    behind: list[Stmt] = []
    saved: dict[str, Expr] = {}
    for name in sorted(set().union(set(), *(_reads(s) for s in back))):
        if any(ctx.buffers.may_share(name, other) for other in after) and not ctx.lasts(name):
            kind = ctx.types[name]
            copy = Let(ctx.again(name), Call(np.copy, (Var(name, kind),), (), kind), stmt.origin)
            ctx.decisions.keep(Record(copy.target, Var(name, kind), copy.target, stmt.origin, COPIED, None, None))
            (behind if isinstance(stmt, Let) and name == stmt.target else before).append(copy)
            saved[name] = Var(copy.target, kind)
    if saved:
        back = [walk.map_stmt(lambda e: walk.substitute(e, saved), s) for s in back]
    return [*before, stmt, *behind], back


def _is_reached(ctx: Context, name: str, reverse: Indexed) -> bool:
    """Whether anything may have been added to a cotangent; after ``0.0 * x``, nothing has been to that of `x`."""
    if isinstance(ctx.types[name], TupleType):
        return any(_is_reached(ctx, part, reverse) for (whole, _), part in ctx.parts.items() if whole == name)
    bar = ctx.bar(name).name
    return bool(reverse.uses(bar)) or ctx.sums.get(name, name) != name or bool(ctx.views_of_bars().get(bar))


def _reads(stmt: Stmt) -> set[str]:
    """The primal arrays whose contents a reverse statement reads."""
    exprs = (e for inner in walk.statements((stmt,)) for e in walk.stmt_exprs(inner))
    return {n for e in exprs for n in content_names(e) if not is_bar(n)}


def contributions(ctx: Context, stmt: Let, y_bar: Expr) -> list:
    """What a statement adds to the cotangents of its operands: temporaries, and pairs (operand or place, value)."""
    value = stmt.value
    if isinstance(value, Var):
        return [(value, y_bar)]
    assert isinstance(value, Call), stmt
    if value.fn is operator.getitem:
        if isinstance(value.args[0], Call):  # one of several results
            refuse_call(value.args[0], stmt.origin, ctx.activity, value.args[1])
        back = without_new_axes(value.args[1]) if _is_summed_at_once(value) else None
        return [(value, y_bar)] if back is None else [(value.args[0], typed(Call(operator.getitem, (y_bar, back))))]
    if value.fn is select:
        test, then, orelse = value.args
        zero = Const(0.0, Scalar("float64", True))
        choose = np.where if isinstance(getattr(y_bar, "type", None), Array) else select
        pairs = [(then, Call(choose, (test, y_bar, zero))), (orelse, Call(choose, (test, zero, y_bar)))]
        return [(v, typed(e)) for v, e in pairs if isinstance(v, Var) and v.name in ctx.activity]
    if isinstance(value.fn, Instance):
        return backward.terms(ctx, stmt, y_bar)
    if value.fn is linked:
        return slopes.terms(ctx, value, y_bar)
    found = rules.find(value.fn)
    if found is None:
        refuse_call(value, stmt.origin, ctx.activity)
        return []
    shared = ctx.sums.get(stmt.target)
    operands = {v.name for v in carried(value) if v.name in ctx.activity}
    wanted = {n for n in operands if shared is None or ctx.sums.get(n) != shared}
    y = Var(stmt.target, ctx.types[stmt.target])
    try:
        return found.reverse(y, value, y_bar, wanted, ctx.fresh, typed)
    except rules.FormError as error:
        refuse([error.problem(pinpoint(stmt.origin, value))])
        return []


def _is_summed_at_once(view: Call) -> bool:
    """Whether the axes that a view adds are summed in loops over its base: of a vector, or behind its own."""
    base, index = view.args
    rank = base.type.ndim if isinstance(base, Var) and isinstance(base.type, Array) else 0
    return rank == 1 or rank > 1 and all(item == Slice() for item in items_of(index)[:rank])


def check_rules(ctx: Context, fn: Function) -> None:
    """Refuse what has no rule, without a derivative: something else stands in its way already."""
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let) and stmt.target in ctx.activity and ctx.active(stmt.value):
            contributions(ctx, stmt, ctx.bar(stmt.target))


# ---------------------------------------------------------------- stores


def _store(ctx: Context, name: str, index: Expr, value: Expr, origin: Origin) -> list[Stmt]:
    """The reverse of ``a[i] = v``: take the cotangent out, then clear it."""
    base = ctx.bar(name)
    kind = _place_type(base.type, index, value)
    old: Expr = Call(operator.getitem, (base, index), (), kind)
    clear = Store(base, index, Const(0.0, Scalar("float64", True)), origin)
    if not (isinstance(value, Var) and value.name in ctx.activity):
        return [clear]
    target = ctx.bar(value.name)
    if may_repeat(index):
        # Of values stored in one place, only the last has a cotangent.
        kept = Call(survives, (base, as_argument(index)))
        old = typed(Call(np.where, (kept, old, Const(0.0, Scalar("float64", True)))))
    if ctx.buffers.may_share(name, value.name):
        # The sides overlap: what is added must not be cleared, nor added to what is cleared next.
        taken = Var(ctx.fresh("_t"), kind)
        copied = Let(taken.name, Call(np.copy, (old,), (), kind), origin)
        return [copied, clear, Accum(target, fit(ctx, taken, target.type, value), origin)]
    return [Accum(target, fit(ctx, old, target.type, value), origin), clear]


def _place_type(base: Type, index: Expr, value: Expr) -> Type:
    return typed(Call(operator.getitem, (Var("_", base), index))).type


def _defined(ctx: Context, block: Block) -> list[str]:
    """The active names whose cotangents belong to this block: what it assigns, and what its branches and loops join."""
    result: dict[str, None] = {}
    for stmt in block:
        match stmt:
            case Let(target):
                result[target] = None
            case If(_, then, orelse):
                result.update(dict.fromkeys(_last_targets(then) + _last_targets(orelse)))
            case For(body=body) | While(body=body):
                result.update(dict.fromkeys(_last_targets(body)))
    elsewhere = ctx.aliased | ctx.uniform
    names = [n for n in result if n in ctx.activity and n not in elsewhere]
    return [n for n in names if ctx.sums.get(n, n) == n]


def _last_targets(block: Block) -> tuple[str, ...]:
    return block[-1].targets if block and isinstance(block[-1], Move) else ()
