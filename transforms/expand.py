"""expand: gradients that are taken in the middle of a function; part of `infer`.

What stands before the call becomes a function of its own, whose results are the values that are read later and whose
derivative with respect to intermediate values is taken by `probe`: a shift of zero that is added to the value, and is a
parameter. The statements of that derivative then take the place of what stood before the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from srcad.analysis.contents import times_given
from srcad.analysis.activity import carried, flows, reach, reversed_edges
from srcad.analysis.buffers import buffers, stored_names
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, Function, Let, Param, Return, Stmt, Store, Tuple, Var, hint,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import TupleType, Type, is_float
from srcad.options import SEED
from srcad.runtime.marks import hold, probe, seeded
from srcad.transforms.context import is_bar
from srcad.transforms.nested import function_of
from srcad.transforms.origins import Origins
from srcad.transforms.split import exposed
from srcad.typing.refusal import Refusal

@dataclass(frozen=True)
class Region:
    """Statements and what is asked of them: the gradients of `ys` with respect to `xs`, and the values `live`."""

    name: str
    block: Block
    ys: tuple[Expr, ...]
    xs: tuple[Var, ...]
    stops: tuple[Var, ...]
    live: tuple[Var, ...]
    origin: Origin
    placed: dict[str, str] = field(default_factory=dict)  # of the xs that have their shifts already, the shifts' names


@dataclass(frozen=True)
class Prepared:
    """A region as a function ``((ys), (live))`` of what it reads and of the shifts, the last parameters."""

    function: Function
    reads: tuple[Var, ...]
    shifts: dict[str, Var]  # the name of a shift, and what it is added to
    asked: tuple[int | None, ...]  # for each of the xs the position of its shift


def prepare(region: Region) -> Prepared:
    """The function whose derivative a region asks for."""
    origins = Origins(region.block)
    roots = {x.name: origins.of(x.name) for x in (*region.xs, *region.stops)}
    stopped = {roots[x.name] for x in region.stops}
    names = list(dict.fromkeys(roots[x.name] for x in (*region.xs, *region.stops) if is_float(x.type)))
    types = {roots[x.name]: x.type for x in (*region.xs, *region.stops)}
    block, ys, shifts = list(region.block), list(region.ys), {}
    for number, name in enumerate(names):
        if name in region.placed:
            shifts[region.placed[name]] = Var(name, types[name])
            continue
        x, shift, marked = Var(name, types[name]), f"{hint(name)}.shift{number}", f"{hint(name)}.at{number}"
        shifts[shift] = x
        value: Expr = Call(hold, (x,), (), x.type) if name in stopped else x
        value = Call(probe, (value, Var(shift, x.type)), (), x.type)
        place, aliases = _place(block, name, ys)
        after: dict[str, Expr] = dict.fromkeys(aliases, Var(marked, x.type))
        block[place:] = [Let(marked, value, region.origin), *walk.substitute_in(tuple(block[place:]), after)]
        ys = [walk.substitute(y, after) for y in ys]
    whole = tuple(block)
    reads = tuple(_typed_reads(whole, (*ys, *region.live), shifts))
    results = Tuple((_tuple(ys), _tuple(region.live)), TupleType((_tuple(ys).type, _tuple(region.live).type)))
    params = (*reads, *(Var(shift, x.type) for shift, x in shifts.items()))
    function = function_of(region.name, params, (*whole, Return(results, region.origin)), region.origin)
    positions = {name: number for number, name in enumerate(names)}
    asked = tuple(positions.get(roots[x.name]) if is_float(x.type) else None for x in region.xs)
    return Prepared(function, reads, shifts, asked)


def _place(block: list[Stmt], name: str, ys: Iterable[Expr]) -> tuple[int, set[str]]:
    """The position behind all that gives a value its name or writes into its array, and its names before that."""
    found = buffers(as_function(tuple(block), ys))

    def touches(stmt: Stmt) -> bool:
        written = stored_names((stmt,))
        return name in walk.assigned((stmt,)) or any(found.may_share(name, other) for other in written)

    place = max((k + 1 for k, stmt in enumerate(block) if touches(stmt)), default=0)
    born = next((k + 1 for k, stmt in enumerate(block) if name in walk.assigned((stmt,))), 0)
    aliases = _copies(block[:place], name)
    views = {v for v in walk.assigned(tuple(block[born:place])) if found.may_share(name, v)} - aliases
    if views & exposed((*block[place:], Return(Tuple(tuple(ys))))):
        raise Refusal(f"a gradient with respect to {hint(name)}, whose views were taken before it was last written to",
                      "the views taken after that")  # fmt: skip
    return place, aliases


def _typed_reads(block: Block, results: Iterable[Expr], shifts: Iterable[str]) -> list[Var]:
    """What a region reads from around it, with types."""
    free = exposed((*block, Return(Tuple(tuple(results))))) - set(shifts)
    found: dict[str, Var] = {}
    for stmt in (*walk.statements(block), Return(Tuple(tuple(results)))):
        for expr in walk.stmt_exprs(stmt):
            found.update({e.name: e for e in walk.subexprs(expr) if isinstance(e, Var) and e.name in free})
    return [found[name] for name in sorted(found)]


def _tuple(items: Iterable[Expr]) -> Tuple:
    kept = tuple(items)
    return Tuple(kept, TupleType(tuple(_type(item) for item in kept)))


def _type(expr: Any) -> Type:
    kind: Type = expr.type
    return kind


def settled(fn: Function, xs: Sequence[Var], extras: Sequence[str] = (SEED,)) -> Function:
    """A derived region without its marks: the shifts, its last parameters before the `extras`, are their values.

    >>> from srcad.lang.types import FLOAT
    >>> x, s = Var("x", FLOAT), Var("s", FLOAT)
    >>> y = Let("y", Call(probe, (x, s), (), FLOAT))
    >>> settled(Function("f", (Param("x", FLOAT), Param("s", FLOAT), Param("grad_ys", FLOAT)), (y,)), [x]).body[0].value
    Var(name='x', type=Scalar(dtype='float64', weak=True))
    """
    end = len(fn.params) - len(extras)
    count = end - len(xs)
    places: dict[str, Expr] = {p.name: x for p, x in zip(fn.params[count:end], xs)}
    given = times_given(fn.body)
    for stmt in fn.body:  # a seed of one stands for itself
        if not isinstance(stmt, Let):
            continue
        if isinstance(stmt.value, Const) and is_bar(stmt.target) and given[stmt.target] == 1:
            places[stmt.target] = stmt.value
        elif isinstance(stmt.value, Var) and stmt.value.name in places and given[stmt.target] == 1:
            places[stmt.target] = places[stmt.value.name]

    def node(expr: Expr) -> Expr:
        if isinstance(expr, Call) and expr.fn in (probe, hold, seeded):
            return expr.args[0]
        return places.get(expr.name, expr) if isinstance(expr, Var) else expr

    body = walk.map_block(node, walk.without(fn.body, lambda s: isinstance(s, Let) and s.target in places))
    return replace(fn, params=(*fn.params[:count], *fn.params[end:]), body=body)


# ---------------------------------------------------------------- seeds


# ---------------------------------------------------------------- what lies outside of the block


def connected(region: Region, levels: Sequence[Any], tape: bool = False) -> Region:
    """A region with the statements of the blocks around it, where values that it asks about reach it through them.

    They are computed once more, under names of their own; so what they write to must be their own. Among the `xs` for a
    `tape` is what it watches there; its marks must be seen.
    """
    own = walk.assigned(region.block)
    outer = {x.name for x in region.xs} - own
    names = {v.name for y in region.ys for v in carried(y)}
    origins = Origins(region.block)
    held = {name for stop in region.stops for name in (stop.name, origins.of(stop.name))}
    edges = reversed_edges(edges_of(region.block, region.ys))
    through = {*reach({k: v for k, v in edges.items() if k not in held}, names - held)} - own - held
    if not outer or not through:
        return region
    _check_carried(region, levels, through, "the tape made in the loop" if tape else "")
    around = tuple(stmt for level in levels[:-1] for stmt in level.out)
    edges = edges_of(around)
    made = outer & walk.assigned(around) if tape else set()
    if not through & (made | reach(edges, {name for x in outer for name in edges.get(x, ())})):
        return region
    again = tuple(stmt for stmt in around if not isinstance(stmt, Effect))
    _check_repeatable(again, "a gradient in a branch of what was written to an array before it",
                      "the gradient before the branch, or a copy of the array")  # fmt: skip
    _check_written(again, region.block)
    new = {name: f"{name}.again" for name in walk.assigned(again)}

    def renamed(exprs: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(walk.rename_expr(e, new) for e in exprs)

    return replace(region, block=walk.rename((*again, *region.block), new), ys=renamed(region.ys),
                   xs=renamed(region.xs), stops=renamed(region.stops))  # fmt: skip


def edges_of(block: Block, results: Iterable[Expr] = ()) -> dict[str, set[str]]:
    """Where the value of each name goes to; see `activity.flows`."""
    whole = as_function(block, results)
    return flows(whole, buffers(whole))


def _copies(block: Sequence[Stmt], name: str) -> set[str]:
    """The names that statements give to one value."""
    found = {name}
    for stmt in block:
        if isinstance(stmt, Let) and isinstance(stmt.value, Var) and stmt.value.name in found:
            found.add(stmt.target)
    return found


def as_function(block: Block, results: Iterable[Expr] = ()) -> Function:
    """A region as a function of what it reads, to look at."""
    return Function("", tuple(Param(v.name, v.type) for v in _typed_reads(block, results, ())), block)


def _check_carried(region: Region, levels: Sequence[Any], through: set[str], otherwise: str) -> None:
    """Refuse what reaches the region through earlier iterations of a loop around it."""
    inside: set[str] = set()
    for level in reversed(levels):
        inside |= walk.assigned(tuple(level.out))
        if level.carried is None:
            continue
        outside = [x for x in region.xs if x.name not in inside | level.carried]
        handed = sorted(through & level.carried)
        if outside and handed:
            x, name = hint(outside[0].name), hint(handed[0])
            otherwise = otherwise or f"a name for {name} as it was before, among the stop_gradients"
            reason = f"a gradient with respect to {x}, which comes from outside of the loop, of what depends on {name}"
            raise Refusal(f"{reason}, which the loop carries", f"the gradient behind the loop, or {otherwise}")


def _check_repeatable(block: Block, what: str, instead: str) -> None:
    """Refuse statements that write into an array that they do not make: they are to be computed once more."""
    own = {s.target for s in walk.statements(block) if isinstance(s, Let) and not isinstance(s.value, Var)}
    for stmt in walk.statements(block):
        if isinstance(stmt, (Store, Accum)) and not walk.names(stmt_base(stmt)) <= own:
            raise Refusal(what, instead)


def _check_written(block: Block, region: Block) -> None:
    """Refuse a region that writes into what is computed once more for it."""
    found, made = buffers(as_function((*block, *region))), walk.assigned(block)
    for name in stored_names(region):
        if any(found.may_share(name, other) for other in made):
            raise Refusal(f"a gradient in a branch or loop that writes into {hint(name)}, an array from before it",
                          "the gradient behind the branch, or a copy of the array")  # fmt: skip


def stmt_base(stmt: Store | Accum) -> Expr:
    """The array that a statement writes into."""
    target = stmt.base if isinstance(stmt, Store) else stmt.target
    return target.args[0] if isinstance(target, Call) else target
