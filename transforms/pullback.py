"""pullback: the reverse of marked values, the statements of a custom gradient; part of `adjoint`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import buffers
from srcad.lang import walk
from srcad.lang.custom import Custom, Pullback, is_custom
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import (
    Block, Call, Const, Expr, Function, Let, Return, Stmt, Tuple, Var, hint, is_temporary,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.pinpoint import pinpoint
from srcad.lang.types import NONE, Array, Type, is_array, is_complex, is_float
from srcad.transforms.context import Context, strong
from srcad.transforms.cotangents import accumulate, shape_check
from srcad.transforms.flatten import flatten
from srcad.transforms.infer import infer, typed
from srcad.transforms.initialise import zero
from srcad.transforms.nested import renamed
from srcad.transforms.specialize import specialize
from srcad.transforms.split import split
from srcad.transforms.untuple import untuple


def groups(block: Block) -> dict[str, tuple[str, ...]]:
    """For each marked value the names of all that come from the same call."""
    found: dict[str, tuple[str, ...]] = {}
    present: dict[Pullback, tuple[str, ...]] = {}
    for stmt in block:
        if isinstance(stmt, Let) and isinstance(stmt.value, Call) and isinstance(stmt.value.fn, Custom):
            custom = stmt.value.fn
            before = present.get(custom.pullback, ()) if custom.position else ()
            present[custom.pullback] = (*before, *[""] * (custom.position - len(before)), stmt.target)
            found.update(dict.fromkeys(filter(None, present[custom.pullback]), present[custom.pullback]))
        for inner in walk.blocks(stmt):
            found.update(groups(inner))
    return found


def first_active(ctx: Context, stmt: Let) -> list[str]:
    """The results of a call that carry a derivative, if this statement marks the first of them."""
    active = [name for name in ctx.customs[stmt.target] if name in ctx.activity]
    return active if active[:1] == [stmt.target] else []


def check(ctx: Context, stmt: Let) -> None:
    """Refuse a custom gradient of what is differentiated with respect to something that its pullback does not know."""
    call = stmt.value
    assert isinstance(call, Call)
    custom: Custom = call.fn
    for name, value in zip(custom.pullback.captured, custom.captured(call)):
        if any(e.name in ctx.activity for e in walk.subexprs(value) if isinstance(e, Var)):
            whole = custom.pullback.name
            reason = f"{whole} has a custom gradient and reads {name} from around it, which is differentiated"
            refuse([Problem(pinpoint(stmt.origin, call), reason, f"{name} as an argument of {whole}")])


def without_tangent(stmt: Let) -> Problem:
    """That forward mode does not know what a pullback says."""
    call = stmt.value
    assert isinstance(call, Call)
    name = call.fn.pullback.name
    reason = f"{name} has a custom gradient, a pullback, which forward mode cannot use"
    return Problem(pinpoint(stmt.origin, call), reason, f"reverse mode, or srcad.rule({name}) with y.dot = ... instead")


def reverse(ctx: Context, stmt: Let, origin: Origin) -> list[Stmt]:
    """What the call that a statement marks the first active result of adds to the cotangents of its arguments."""
    call = stmt.value
    assert isinstance(call, Call)
    custom: Custom = call.fn
    seeds = [_seed(ctx, name, stmt, k) for k, name in enumerate(_padded(ctx, stmt, custom.pullback.results))]
    block, result = _placed(ctx, custom.pullback, (*seeds, *custom.reads(call)), origin)
    bars, operands = _leaves(result), [leaf for arg in custom.operands(call) for leaf in _leaves(arg)]
    if len(bars) not in (len(operands), len(operands) + custom.pullback.defaults):
        reason = (f"the pullback of {custom.pullback.name} returns {len(bars)} cotangents for the "
                  f"{len(operands)} arguments {', '.join(custom.pullback.operands)}")  # fmt: skip
        refuse([Problem(pinpoint(stmt.origin, call), reason, "one for each argument, None for zero")])
        return []
    out = list(block)
    for operand, bar in zip(operands, bars):
        if isinstance(operand, Var) and operand.name in ctx.activity and not _is_none(bar):
            checks, bar = _checked(ctx, custom, stmt, operand, bar)
            out += checks
            value = typed(Call(np.conj, (bar,))) if is_complex(_type(bar)) else bar
            out += accumulate(ctx, operand, value, origin)
    return out


def _padded(ctx: Context, stmt: Let, count: int) -> tuple[str, ...]:
    names = ctx.customs[stmt.target]
    return (*names, *[""] * (count - len(names)))


def _seed(ctx: Context, name: str, stmt: Let, position: int) -> Expr:
    """The cotangent of a result, as the pullback is given it."""
    if name in ctx.activity:
        bar = ctx.bar(name)
        return typed(Call(np.conj, (bar,))) if is_complex(bar.type) else bar
    if not name:
        return Const(0.0, strong(typed(Const(0.0)).type))  # type: ignore[union-attr]
    return zero(name, strong(ctx.types[name])) if is_float(ctx.types[name]) else Const(0.0, ctx.types[name])


def _placed(ctx: Context, pullback: Pullback, given: tuple[Expr, ...], origin: Origin) -> tuple[Block, Expr]:
    """The statements of a pullback for these cotangents and values, and what it returns."""
    function = renamed(split(pullback.function, ""), ctx.fresh("pulled"))
    held = {p.name: value for p, value in zip(function.params, given) if isinstance(value, Const)}
    free = [(p, value) for p, value in zip(function.params, given) if p.name not in held]
    known = tuple(Let(name, value, origin) for name, value in held.items())
    function = replace(function, params=tuple(p for p, _ in free), body=(*known, *function.body))
    function = infer(function, tuple(_type(value) for _, value in free), pullback.derive, lent=True)
    function = renamed(flatten(specialize(untuple(function))), ctx.fresh("pulled"))
    actual: dict[str, Expr] = {}
    for (_, inner), (_, value) in zip(function.arguments, free):
        actual.update(_matched(inner, value))
    opening = _own(ctx, function, actual, origin)
    *body, last = [_at(stmt, actual, origin) for stmt in function.body]
    assert isinstance(last, Return)
    for placed in walk.statements((*opening, *body)):
        ctx.types.update(_types(placed))
    return _inlined((*opening, *body), last.value)


def _inlined(block: Block, result: Expr) -> tuple[Block, Expr]:
    """Statements and a result, in which stands itself what nothing else reads: an array of its own needs no copy."""
    exprs = (e for stmt in block for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
    uses = Counter(e.name for e in exprs if isinstance(e, Var))
    uses.update(leaf.name for leaf in _leaves(result) if isinstance(leaf, Var))
    if not all(isinstance(stmt, Let) for stmt in block):
        return block, result
    read = {leaf.name for leaf in _leaves(result) if isinstance(leaf, Var) and uses[leaf.name] == 1}
    last = {stmt.target: stmt.value for stmt in block if isinstance(stmt, Let) and stmt.target in read}
    kept = tuple(stmt for stmt in block if not (isinstance(stmt, Let) and stmt.target in last))
    return kept, walk.substitute(result, last)


def _own(ctx: Context, function: Function, actual: dict[str, Expr], origin: Origin) -> list[Stmt]:
    """Copies of the arrays that a pullback writes into; and whose memory its arrays share."""
    found, opening = buffers(function), list[Stmt]()
    for param in function.params:
        if is_array(param.type) and found.mutated(param.name):
            copy = Var(param.name, param.type)
            opening.append(Let(copy.name, Call(np.copy, (actual[param.name],), (), param.type), origin))
            actual[param.name] = copy
    for name, sites in found.sites.items():
        real: set[str] = set()
        for site in sites:
            value = actual.get(site)
            real |= ctx.buffers.of(value.name) if isinstance(value, Var) and value.name != site else {site}
        ctx.buffers.sites[name] = frozenset(real)
    return opening


def _matched(inner: Expr, value: Expr) -> dict[str, Expr]:
    """What stands for each name of a parameter's elements."""
    if isinstance(inner, Tuple):
        parts = value.items if isinstance(value, Tuple) else ()
        return {name: e for a, b in zip(inner.items, parts) for name, e in _matched(a, b).items()}
    return {inner.name: value} if isinstance(inner, Var) else {}


def _at(stmt: Stmt, actual: dict[str, Expr], origin: Origin) -> Stmt:
    def block(body: Block) -> Block:
        return tuple(_at(inner, actual, origin) for inner in body)

    return replace(walk.map_stmt(lambda e: walk.substitute(e, actual), stmt, block), origin=origin)


def _types(stmt: Stmt) -> dict[str, Type]:
    match stmt:
        case Let(target, value):
            return {target: _type(value)}
    values = getattr(stmt, "values", ())
    return {t: _type(v) for t, v in zip(walk.targets(stmt), values)}


def _checked(ctx: Context, custom: Custom, stmt: Let, operand: Var, bar: Expr) -> tuple[list[Stmt], Expr]:
    """A cotangent of the rank of its argument, after a check of its shape where that is not known."""
    ranks = [kind.ndim if isinstance(kind, Array) else 0 for kind in (operand.type, _type(bar))]
    if ranks[0] != ranks[1]:
        reason = (f"the pullback of {custom.pullback.name} returns a cotangent with {ranks[1]} axes for an argument "
                  f"with {ranks[0]}")  # fmt: skip
        refuse([Problem(pinpoint(stmt.origin, stmt.value), reason, "a cotangent of the shape of the argument")])
        return [], bar
    shapes = [getattr(kind, "shape", ()) for kind in (operand.type, _type(bar))]
    if shapes[0] == shapes[1]:
        return [], bar
    origin, held = replace(stmt.origin, adjoint=True), Var(ctx.fresh("_t"), _type(bar))
    ctx.types[held.name] = held.type
    name = f" than {hint(operand.name)}" if not is_temporary(operand.name) else ""
    message = f"the pullback of {custom.pullback.name} returns a cotangent of another shape{name}"
    return [Let(held.name, bar, origin), shape_check(held, operand, message, origin)], held


def _leaves(expr: Expr) -> list[Expr]:
    return [leaf for item in expr.items for leaf in _leaves(item)] if isinstance(expr, Tuple) else [expr]


def _is_none(expr: Expr) -> bool:
    return _type(expr) == NONE


def _type(expr: Expr) -> Type:
    return getattr(expr, "type", NONE)


def of_tangents(fn: Function) -> Function:
    """A function without the marks that forward mode does not mind."""
    return unmarked(fn, lambda custom: custom.pullback.tangent)


def unmarked(fn: Function, which: Callable[[Custom], bool] = lambda _: True) -> Function:
    """A function in which marked values are simply themselves; where one is written to, they are copies."""
    exprs = (e for stmt in walk.statements(fn.body) for x in walk.stmt_exprs(stmt) for e in walk.subexprs(x))
    if not any(is_custom(e) and which(e.fn) for e in exprs):  # type: ignore[attr-defined]
        return fn
    found = buffers(fn)

    def node(expr: Expr, target: str) -> Expr:
        if not (is_custom(expr) and which(expr.fn)):  # type: ignore[attr-defined]
            return expr
        value = expr.args[0]
        names = {target, *walk.names(value)}
        written = any(name in found.sites and found.mutated(name) for name in names)
        return typed(Call(np.copy, (value,))) if is_array(_type(value)) and written else value

    def plain(stmt: Stmt) -> Stmt:
        target = stmt.target if isinstance(stmt, Let) else ""
        return walk.map_stmt(lambda e: walk.map_expr(lambda x: node(x, target), e), stmt, block)

    def block(body: Block) -> Block:
        return tuple(map(plain, body))

    return replace(fn, body=block(fn.body))
