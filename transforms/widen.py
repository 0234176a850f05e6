"""widen: one dtype for a name that is an array of float32 on one path and of float64 on another; part of `infer`.

The narrower array is converted where the paths meet. The conversion is a copy, so that nothing may write into either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_names, views_of
from srcad.lang import walk
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Block, Call, Expr, Function, Let, Move, Stmt, Var, hint
from srcad.lang.origin import Origin
from srcad.lang.types import Array
from srcad.transforms.flatten import fresh_names
from srcad.typing.join import two_dtypes
from srcad.typing.table import constant


def widen(fn: Function, dtypes: dict[str, str], origins: dict[str, Origin]) -> Function:
    """Convert what is moved into the names `dtypes` to their dtypes.

    Raises
    ------
    UnsupportedError
        if one of the arrays is written to.
    """
    if not dtypes:
        return fn
    refuse(_written(fn, dtypes, origins))
    fresh = fresh_names({p.name for p in fn.params} | walk.assigned(fn.body))
    return replace(fn, body=_converted(fn.body, dtypes, fresh))


def _converted(block: Block, dtypes: dict[str, str], fresh: Callable[[str], str]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Move):
            values = []
            for target, value in zip(stmt.targets, stmt.values):
                if _narrow(target, value, dtypes):
                    name, wide = fresh(hint(target)), _wide(value, dtypes[target])
                    out.append(Let(name, wide, stmt.origin))
                    value = Var(name, wide.type)
                values.append(value)
            out.append(replace(stmt, values=tuple(values)))
        else:
            out.append(walk.map_stmt(lambda e: e, stmt, lambda inner: _converted(inner, dtypes, fresh)))
    return tuple(out)


def _narrow(target: str, value: Expr, dtypes: dict[str, str]) -> bool:
    return target in dtypes and isinstance(value.type, Array) and value.type.dtype != dtypes[target]


def _wide(value: Expr, dtype: str) -> Call:
    layout = "C" if value.type.ndim == 1 else value.type.layout
    return Call(np.ndarray.astype, (value, constant(np.dtype(dtype).type)), (), Array(dtype, value.type.shape, layout))


def _written(fn: Function, dtypes: dict[str, str], origins: dict[str, Origin]) -> list[Problem]:
    """A problem for each name that would have to be written to in the copy and in the original."""
    flows = _flows(fn.body, dtypes)
    sources = {target: {a for a, b in flows if b == target} for _, target in flows}
    uses = {source: {b for a, b in flows if a == source} for source, _ in flows}
    stored = stored_names(fn.body)
    problems = []
    for stmt in walk.statements(fn.body):
        for target, value in zip(stmt.targets, stmt.values) if isinstance(stmt, Move) else ():
            if _narrow(target, value, dtypes):
                owners = _closure(walk.names(value), sources)
                if _closure({target} | owners, uses) & stored:
                    refusal = two_dtypes(hint(target), value.type.dtype, dtypes[target], dtypes[target])
                    problems.append(Problem(origins[target], refusal.reason, refusal.remedy))
    return problems


def _flows(body: Block, dtypes: dict[str, str]) -> set[tuple[str, str]]:
    """Pairs of names: the second may be the memory of the first, or a view of it."""
    found: set[tuple[str, str]] = set()
    for stmt in walk.statements(body):
        match stmt:
            case Let(target, value):
                bases = list(views_of(value))
                while bases:
                    base = bases.pop()
                    found |= {(base.name, target)} if isinstance(base, Var) else set()
                    bases += views_of(base) if isinstance(base, Call) else ()
            case Move(targets, values):
                pairs = zip(targets, values)
                found |= {(v.name, t) for t, v in pairs if isinstance(v, Var) and not _narrow(t, v, dtypes)}
    return found


def _closure(names: Iterable[str], neighbours: dict[str, set[str]]) -> set[str]:
    found, waiting = set(names), list(names)
    while waiting:
        new = neighbours.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
