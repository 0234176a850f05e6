"""Which values carry a derivative: those that depend on the inputs asked for and that the result depends on."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass

from srcad.analysis.buffers import Buffers, stored_name
from srcad.analysis.contents import SHAPE_READERS, member
from srcad.lang import walk
from srcad.lang.custom import Custom
from srcad.lang.ir import Accum, Attr, Call, Expr, Function, Let, Move, Return, Store, Tuple, Var, select
from srcad.lang.recursive import Slopes
from srcad.lang.types import TupleType, is_float
from srcad.runtime import solution, stop_gradient, sum_to
from srcad.runtime.marks import detached, hold

# The value is a constant for differentiation whatever its arguments are.
CUTS = frozenset((stop_gradient, solution, hold, detached))


@dataclass(frozen=True)
class Activity:
    """`varied`: depends on an input; `useful`: the result depends on it; `active`: both."""

    varied: frozenset[str]
    useful: frozenset[str]

    def __contains__(self, name: str) -> bool:
        return name in self.varied and name in self.useful


def carried(expr: Expr) -> list[Var]:
    """The operands through which a derivative can flow into the value of `expr`."""
    if isinstance(expr, Var):
        return [expr] if _carries(expr.type) else []
    if isinstance(expr, Tuple):
        return [v for item in expr.items for v in carried(item)]
    if isinstance(expr, Attr):
        return carried(expr.value) if expr.name in ("T", "real", "imag") else []
    if isinstance(expr, Call):
        if _is_cut(expr) or not _carries(getattr(expr, "type", None)):
            return []
        if expr.fn is operator.getitem:
            return carried(expr.args[0])
        if isinstance(expr.fn, Custom):
            # What is read from around is refused where it is active: see `pullback.check`.
            return [v for operand in (*expr.fn.operands(expr), *expr.fn.captured(expr)) for v in carried(operand)]
        args = expr.args[1:] if expr.fn is select or member(expr.fn, SHAPE_READERS) else expr.args
        args = args[:1] if expr.fn is sum_to else args
        return [v for arg in (*args, *(a for _, a in expr.kwargs)) for v in carried(arg)]
    return []


def _carries(type: object) -> bool:
    """Whether a value of this type, or a part of it, can carry a derivative."""
    return any(map(_carries, type.items)) if isinstance(type, TupleType) else is_float(type)


def activity(fn: Function, wrt: tuple[str, ...], buffers: Buffers, of: Expr | None = None) -> Activity:
    """Propagate dependence forward from `wrt` and backward from the results, or from `of`, until nothing changes."""
    edges = flows(fn, buffers)
    return Activity(reach(edges, wrt), reach(reversed_edges(edges), results(fn, of)))


def results(fn: Function, of: Expr | None = None) -> list[str]:
    """The names that a function returns, or those of `of`, that may carry a derivative."""
    last = fn.body[-1]
    assert isinstance(last, Return)
    return [v.name for v in carried(last.value if of is None else of)]


def flows(fn: Function, buffers: Buffers) -> dict[str, set[str]]:
    """Where the value of each name goes to, as far as a derivative can follow; ``site@`` is the memory of an array."""
    edges: dict[str, set[str]] = {}
    for stmt in walk.statements(fn.body):
        for source, target in _flows(stmt):
            for node in _nodes(target, buffers):
                edges.setdefault(source, set()).add(node)
    held = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and _is_cut(s.value)}
    for name in buffers.sites:
        # Names that share memory share their dependence; what nobody writes to can be held constant under one name.
        for site in buffers.of(name):
            edges.setdefault(name, set()).add(f"{site}@")
            if name not in held or buffers.mutated(name):
                edges.setdefault(f"{site}@", set()).add(name)
    return edges


def _is_cut(value: Expr) -> bool:
    return isinstance(value, Call) and (isinstance(value.fn, Slopes) or member(value.fn, CUTS))


def reversed_edges(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    backward: dict[str, set[str]] = {}
    for source, sinks in edges.items():
        for sink in sinks:
            backward.setdefault(sink, set()).add(source)
    return backward


def _flows(stmt) -> list[tuple[str, str]]:
    match stmt:
        case Let(target, value):
            return [(v.name, target) for v in carried(value)]
        case Move(targets, values):
            return [(v.name, t) for t, value in zip(targets, values) for v in carried(value)]
        case Store(value=value) | Accum(value=value):
            base = stored_name(stmt)
            return [(v.name, base) for v in carried(value)] if base else []
    return []


def _nodes(name: str, buffers: Buffers) -> list[str]:
    return [name, *(f"{site}@" for site in buffers.of(name))]


def reach(edges: dict[str, set[str]], start: Iterable[str]) -> frozenset[str]:
    """The names that can be reached from some."""
    seen: set[str] = set()
    work = list(start)
    while work:
        name = work.pop()
        if name not in seen:
            seen.add(name)
            work.extend(edges.get(name, ()))
    return frozenset(seen)


