"""Arrays of rank 0 that are numbers to all who read them; part of `infer`.

What is computed from an array of rank 0 is a number of NumPy's. A loop that begins with such an array, and goes on with
what it computes from it, may as well begin with the number that the array holds: as long as nobody writes into the
array, under whatever name, and nobody takes a view of what the loop hands on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Let, Move, Return, Stmt, Var
from srcad.lang.types import Array
from srcad.transforms.inplace import is_inplace

_COMPUTING = (float, abs, pow, np.sum, np.mean)


def is_without_axes(value: Expr) -> bool:
    kind = getattr(value, "type", None)
    return isinstance(kind, Array) and not kind.ndim


def only_computes(target: str, blocks: Sequence[Block]) -> bool:
    """Whether the blocks compute with what a loop begins with under this name, or hand it on, and do no more to it."""
    stmts = [stmt for block in blocks for stmt in walk.statements(block)]
    names, before = {target}, 0
    while len(names) > before:
        before = len(names)
        names |= {one for stmt in stmts for one, value in walk.bindings(stmt) if _is_one(value, names)}
    return all(_computing(stmt, names) for stmt in stmts)


def are_written(body: Block, holders: set[str]) -> bool:
    """Whether typed statements write into one of these arrays, under whatever name."""
    if not holders:
        return False
    classes = Classes.of(body)
    return not {classes.find(name) for name in stored_names(body)}.isdisjoint(map(classes.find, holders))


def _is_one(expr: Expr, names: set[str]) -> bool:
    return isinstance(expr, Var) and expr.name in names


def _computing(stmt: Stmt, names: set[str]) -> bool:
    """Whether a statement binds these names to others, returns them or computes numbers from them, and no more."""
    exprs = walk.stmt_exprs(stmt)
    if not isinstance(stmt, (Let, Move, Return)) and any(_is_one(expr, names) for expr in exprs):
        return False
    return all(_computes(expr, names) for whole in exprs for expr in walk.subexprs(whole))


def _computes(expr: Expr, names: set[str]) -> bool:
    """Whether an expression makes a number of what these names stand for, if it reads one of them."""
    if isinstance(expr, Var) or not any(_is_one(part, names) for part in walk.children(expr)):
        return True
    if not isinstance(expr, Call) or is_inplace(expr.fn) or expr.kwargs:
        return False
    if isinstance(expr.fn, np.ufunc) or expr.fn in _COMPUTING:
        return True
    module, name = (getattr(expr.fn, part, "") for part in ("__module__", "__name__"))
    return module == "math" or module == "_operator" and name not in ("getitem", "setitem")
