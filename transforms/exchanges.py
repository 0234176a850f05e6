"""exchanges: rows that a list of places names are copied one by one.

``U[[k, p]] = U[[p, k]]`` is how NumPy exchanges rows. Written out, ``row, other = U[p].copy(), U[k].copy(); U[k] = row;
U[p] = other``, it needs no array of places, and the adjoint is an exchange of rows again instead of a scatter.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import items_of, rank_of
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Slice, Stmt, Store, Tuple, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed

MOST = 4
"""Rows that are written out; for more of them, an array of places is shorter."""


def exchanges(fn: Function) -> Function:
    """A typed function in which no array of places is made to move a few rows.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import INT, TupleType
    >>> from srcad.lang.write import write
    >>> u, k, p = Var("u", Array("float64", ("m", "n"), "C")), Var("k", INT), Var("p", INT)
    >>> one, other = (typed(Call(np.array, (Tuple(items, TupleType((INT, INT))),))) for items in ((k, p), (p, k)))
    >>> store = Store(u, one, typed(Call(operator.getitem, (u, other))))
    >>> params = (Param("u", u.type), Param("k", INT), Param("p", INT))
    >>> from srcad.transforms.name import name
    >>> print(write(name(exchanges(Function("f", params, (store,))))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(u, k, p):
        copy_u_p = np.copy(u[p])
        copy_u_k = np.copy(u[k])
        u[k] = copy_u_p
        u[p] = copy_u_k
    """
    fresh = fresh_names({param.name for param in fn.params} | walk.assigned(fn.body))
    return replace(fn, body=_block(fn.body, fresh))


def _block(block: Block, fresh: Callable[[str], str]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        stmt = walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, fresh))
        out += _one_by_one(stmt, fresh) if isinstance(stmt, Store) else [stmt]
    return tuple(out)


def _one_by_one(store: Store, fresh: Callable[[str], str]) -> list[Stmt]:
    match store:
        case Store(Var() as base, index, Call(operator.getitem, (Var() as source, picked))):
            to, of = _rows(base, index), _rows(source, picked)
        case _:
            return [store]
    if to is None or of is None or len(to) != len(of) or rank_of(to[0]) != rank_of(of[0]):
        return [store]
    copies = [Let(fresh("_t"), typed(Call(np.copy, (row,))) if rank_of(row) else row, store.origin) for row in of]
    return [*copies, *(replace(store, index=row.args[1], value=Var(let.target, let.value.type))  # type: ignore
                       for row, let in zip(to, copies))]  # fmt: skip


def _rows(base: Var, index: Expr) -> list[Expr] | None:
    """The rows that a display of whole numbers picks along one axis, with parts of the others; None: something else."""
    items = items_of(index)
    axes = [axis for axis, item in enumerate(items) if not isinstance(item, Slice)]
    if len(axes) != 1 or not isinstance(base.type, Array):
        return None
    places = _displayed(items[axes[0]])
    if places is None:
        return None
    return [typed(Call(operator.getitem, (base, _subscript((*items[: axes[0]], k, *items[axes[0] + 1 :])))))
            for k in places]  # fmt: skip


def _displayed(item: Expr) -> tuple[Expr, ...] | None:
    match item:
        case Call(np.array, (Tuple(places),), ()) if 0 < len(places) <= MOST and all(map(_is_place, places)):
            return places
    return None


def _is_place(expr: Expr) -> bool:
    """Whether to read a number twice is the same as to read it once."""
    return isinstance(expr, (Var, Const)) and isinstance(expr.type, Scalar) and "int" in expr.type.dtype


def _subscript(items: tuple[Expr, ...]) -> Expr:
    return items[0] if len(items) == 1 else Tuple(items)
