"""shared places: where a mask is true is found once, and places are given to statements instead of masks; part of
`lower`. For machine code only.

A mask that stands beside other indices becomes the places where it is true. A program that has a mask often uses it
often, and each time it would be searched again; what is worse, each search is compiled.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.ir import Block, Call, Expr, Function, Let, Stmt, Store, Var, hint, is_temporary
from srcad.lang.symbols import unique
from srcad.lang.walk import map_expr, map_stmt, statements, stmt_exprs, subexprs, targets
from srcad.runtime import add_at, survives
from srcad.transforms.repeated import written_arrays

_INDEXED = frozenset({operator.getitem, add_at, survives})  # functions whose second argument is an index


def shared_places(fn: Function) -> Function:
    """Give a name to the places of a mask that stand in several indices, where the mask gets its own.

    Places that are no index may be written into, so they are left alone.

    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import Array
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.infer import typed
    >>> x, mask = Var("x", Array("float64", ("n", "m"), "C")), Var("mask", Array("bool", ("n", "m"), "C"))
    >>> chosen = typed(Call(operator.getitem, (x, typed(Call(np.nonzero, (mask,))))))
    >>> body = (Return(typed(Call(operator.add, (chosen, chosen)))),)
    >>> print(write(shared_places(Function("f", (Param("x", x.type), Param("mask", mask.type)), body))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x, mask):
        mask_places = np.nonzero(mask)
        return x[mask_places] + x[mask_places]
    """
    asked: dict[str, list[Call]] = {}
    for stmt in statements(fn.body):
        for call in _in_indices(stmt):
            asked.setdefault(_mask(call), []).append(call)
    if all(len(calls) == 1 for calls in asked.values()):
        return fn
    given = Counter([p.name for p in fn.params] + [name for stmt in statements(fn.body) for name in targets(stmt)])
    written, taken = written_arrays(fn), {hint(name) for name in given}
    found: dict[str, Let] = {}
    for mask, calls in asked.items():
        if len(calls) > 1 and given[mask] == 1 and mask not in written:
            name = unique("places" if is_temporary(mask) else f"{hint(mask)}_places", taken)
            taken.add(name)
            found[mask] = Let(name, calls[0])
    arguments = tuple(found[p.name] for p in fn.params if p.name in found)
    return replace(fn, body=arguments + _shared(fn.body, found))


def _indices(stmt: Stmt) -> Iterator[Expr]:
    """All indices in a statement."""
    if isinstance(stmt, Store):
        yield stmt.index
    for expr in stmt_exprs(stmt):
        yield from (e.args[1] for e in subexprs(expr) if isinstance(e, Call) and member(e.fn, _INDEXED))


def _in_indices(stmt: Stmt) -> list[Call]:
    """The searches of masks that have a name in the indices of a statement."""
    return [e for index in _indices(stmt) for e in subexprs(index) if _searches(e)]  # type: ignore[misc]


def _searches(expr: Expr) -> bool:
    return isinstance(expr, Call) and expr.fn is np.nonzero and isinstance(expr.args[0], Var)


def _mask(call: Expr) -> str:
    """The name of the mask that is searched."""
    assert isinstance(call, Call) and isinstance(call.args[0], Var)
    return call.args[0].name


def _shared(block: Block, found: dict[str, Let]) -> Block:
    """A block with the names of places in all indices, and with these names after those of their masks."""

    def known(e: Expr) -> Expr:
        let = found.get(_mask(e)) if _searches(e) else None
        return Var(let.target, let.value.type) if let is not None else e

    def one(e: Expr) -> Expr:
        if not isinstance(e, Call) or not member(e.fn, _INDEXED):
            return e
        base, index, *rest = e.args
        return replace(e, args=(base, map_expr(known, index), *rest))

    out: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, Store):
            stmt = replace(stmt, index=map_expr(known, stmt.index))
        out.append(map_stmt(lambda e: map_expr(one, e), stmt, lambda body: _shared(body, found)))
        out += [replace(found[name], origin=stmt.origin) for name in targets(stmt) if name in found]
    return tuple(out)
