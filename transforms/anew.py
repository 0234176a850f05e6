"""anew: views that are only read, taken anew where they are read; a flip that is written through, as a slice.

A diagonal, or an array that is broadcast, shows what is written to the array that it is a view of, and no cotangent is
such a view of another. Taken where it is read, it is as good as a copy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import (
    CONTIGUOUS_VIEWS, VIEWS, WRITABLE_VIEWS, Buffers, buffers, is_view, stored_names, views_of,
)  # fmt: skip
from srcad.analysis.contents import member
from srcad.analysis.untouched import untouched
from srcad.lang.arrays import axis_length
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Let, Move, Slice, Stmt, Tuple, Var, While
from srcad.lang.types import INT, Array, Static, TupleType
from srcad.runtime import solution, stop_gradient
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed
from srcad.transforms.views import check_view

_FLIPS = {np.flip: None, np.flipud: 0, np.fliplr: 1}
_READ_ONLY = VIEWS - WRITABLE_VIEWS - CONTIGUOUS_VIEWS - _FLIPS.keys() - {solution, stop_gradient}


def anew(fn: Function) -> Function:
    """Views of which no cotangent can be the same view, in another way, where their memory is written to.

    >>> from srcad.lang.ir import Param, Return, Store
    >>> from srcad.lang.types import FLOAT
    >>> from srcad.lang.write import write
    >>> A, d = Var("A", Array("float64", ("n", "n"))), Var("d", Array("float64", ("n",)))
    >>> place = Tuple((Const(0, INT), Const(0, INT)), TupleType((INT, INT)))
    >>> body = (Let("d", Call(np.diagonal, (A,), (), d.type)), Store(A, place, Const(1.0, FLOAT)),
    ...         Return(Call(np.sum, (d,), (), FLOAT)))
    >>> print(write(anew(Function("f", (Param("A", A.type),), body))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(A):
        A[0, 0] = 1.0
        d.1 = np.diagonal(A)
        return np.sum(d.1)
    """
    lets = [s for s in walk.statements(fn.body) if isinstance(s, Let) and isinstance(s.value, Call)]
    if not any(member(stmt.value.fn, _READ_ONLY | _FLIPS.keys()) for stmt in lets):  # type: ignore[union-attr]
        return fn
    found = buffers(fn)
    troubled = {s.target for s in lets if found.mutated(s.target) and not member(s.value.fn, WRITABLE_VIEWS)}  # type: ignore[union-attr]
    troubled -= untouched(fn.body, troubled, found)
    written = {root for name in stored_names(fn.body) for root in _bases(name, found)}
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    fresh = fresh_names(used)
    sliced = {s.target for s in lets if s.target in troubled and (member(s.value.fn, _FLIPS)  # type: ignore[union-attr]
              or s.target in written and _is_main_diagonal(s.value))}  # fmt: skip
    for stmt in lets:
        if stmt.target in troubled & written - sliced and _is_diagonal(stmt.value):
            check_view(stmt)  # what Numba makes of it is a copy
    fn = replace(fn, body=_sliced(fn.body, sliced, fresh)) if sliced else fn
    starts = [s for s in lets if s.target in troubled - sliced and member(s.value.fn, _READ_ONLY) and is_view(s.value)]  # type: ignore[union-attr]
    taken = _chains(fn, starts, found)
    if not taken:
        return fn
    return replace(fn, body=_Anew(taken, fresh).block(fn.body))


# ---------------------------------------------------------------- slices


def _bases(name: str, found: Buffers) -> set[str]:
    """A name and the views that it is a view of."""
    bases = views_of(found.views[name]) if name in found.views else ()
    return {name}.union(*(_bases(base.name, found) for base in bases if isinstance(base, Var)))


def _is_diagonal(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn in (np.diag, np.diagonal) and getattr(value.args[0].type, "ndim", 0) > 1


def _is_main_diagonal(value: Expr) -> bool:
    """Whether this is the diagonal of a matrix whose rows, or whose columns, lie one behind the other."""
    if not (isinstance(value, Call) and value.fn in (np.diag, np.diagonal) and isinstance(value.args[0], Var)):
        return False
    offset = [*value.args[1:], *(option for _, option in value.kwargs)]
    kind = value.args[0].type
    in_line = isinstance(kind, Array) and kind.ndim == 2 and kind.layout in "CF"
    return in_line and all(walk.is_const(k, 0) for k in offset)


def _sliced(block: Block, names: set[str], fresh: Callable[[str], str]) -> Block:
    out: list[Stmt] = []
    for stmt in block:
        if not (isinstance(stmt, Let) and stmt.target in names):
            out.append(walk.map_stmt(lambda e: e, stmt, lambda inner: _sliced(inner, names, fresh)))
        elif member(stmt.value.fn, _FLIPS):  # type: ignore[union-attr]
            out.append(replace(stmt, value=_slice(stmt.value)))
        else:
            out += _stepped(stmt, fresh)
    return tuple(out)


def _stepped(stmt: Let, fresh: Callable[[str], str]) -> list[Stmt]:
    """The diagonal of a matrix as every so many-th element: ``a.ravel()[: n * n : n + 1]`` for n columns."""
    assert isinstance(stmt.value, Call)
    base, turned = stmt.value.args[0], []
    if base.type.layout == "F":  # type: ignore[union-attr]
        turned = [Let(fresh("_t"), typed(Call(np.transpose, (base,))), stmt.origin)]
        base = Var(turned[0].target, turned[0].value.type)  # type: ignore[union-attr, arg-type]
    line = Let(fresh("_t"), typed(Call(np.ravel, (base,))), stmt.origin)
    columns = axis_length(base, 1)
    stop = Call(operator.mul, (columns, columns), (), INT)
    part = Slice(None, stop, Call(operator.add, (columns, Const(1, INT)), (), INT))
    taken = typed(Call(operator.getitem, (Var(line.target, line.value.type), part)))
    return [*turned, line, replace(stmt, value=taken)]


def _slice(value: Expr) -> Expr:
    """``np.flip(a, 0)`` as ``a[::-1]``"""
    assert isinstance(value, Call) and isinstance(value.args[0], Var) and isinstance(value.type, Array)
    given = [*value.args[1:], *(option for _, option in value.kwargs)]
    axis = _FLIPS[value.fn] if value.fn is not np.flip else given[0].value if given else None  # type: ignore[union-attr]
    rank = value.type.ndim
    axes = range(rank) if axis is None else [k % rank for k in (axis if isinstance(axis, tuple) else (axis,))]
    parts = tuple(Slice(step=Const(-1, INT)) if k in axes else Slice() for k in range(max(axes, default=0) + 1))
    index = parts[0] if len(parts) == 1 else Tuple(parts, TupleType((Static(slice),) * len(parts)))
    return typed(Call(operator.getitem, (value.args[0], index)))


# ---------------------------------------------------------------- views that are only read


def _chains(fn: Function, starts: list[Let], found: Buffers) -> dict[str, Let]:
    """The views that can be taken anew, and those of them, each with its definition."""
    taken = {stmt.target: stmt for stmt in starts}
    changed = True
    while changed:
        changed = False
        for stmt in walk.statements(fn.body):
            if isinstance(stmt, Let) and stmt.target not in taken:
                if any(isinstance(base, Var) and base.name in taken for base in views_of(stmt.value)):
                    taken[stmt.target] = stmt
                    changed = True
    fixed = _fixed(fn)
    while True:
        lost = {name for name, stmt in taken.items()
                if name in stored_names(fn.body) or name in fixed.moved
                or not walk.names(stmt.value) <= fixed.names | taken.keys()}  # fmt: skip
        lost |= {name for name, stmt in taken.items() if any(n in lost for n in walk.names(stmt.value))}
        lost |= {n for name in lost for n in walk.names(taken[name].value) if n in taken}
        if not lost:
            return taken
        taken = {name: stmt for name, stmt in taken.items() if name not in lost}


@dataclass
class _Fixed:
    names: set[str]  # names that keep their value from their definition on
    moved: set[str]  # names that are handed on, or that a loop asks again and again


def _fixed(fn: Function) -> _Fixed:
    moves = [stmt for stmt in walk.statements(fn.body) if isinstance(stmt, Move)]
    carried = {name for stmt in walk.statements(fn.body) if isinstance(stmt, (For, While))
               for end in stmt.body[-1:] if isinstance(end, Move) for name in end.targets}  # fmt: skip
    names = {param.name for param in fn.params} | walk.assigned(fn.body)
    tests = (stmt.test for stmt in walk.statements(fn.body) if isinstance(stmt, While))
    exprs = (*tests, *(value for move in moves for value in move.values))
    return _Fixed(names - carried, {name for expr in exprs for name in walk.names(expr)})


@dataclass
class _Anew:
    taken: dict[str, Let]
    fresh: Callable[[str], str]

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Let) and stmt.target in self.taken:
                continue
            names = self.read(stmt)
            now: dict[str, Expr] = {}
            for name in names:
                self.take(name, now, out, stmt)
            out.append(walk.map_stmt(lambda e: walk.substitute(e, now), stmt, self.block))  # noqa: B023
        return tuple(out)

    def read(self, stmt: Stmt) -> list[str]:
        """The views that a statement itself reads, not one inside it."""
        if isinstance(stmt, If):
            exprs: list[Expr] = [stmt.test]
        elif isinstance(stmt, For):
            exprs = [stmt.start, stmt.stop, stmt.step]
        else:
            exprs = list(walk.stmt_exprs(stmt))
        return sorted(set().union(set(), *map(walk.names, exprs)) & self.taken.keys())

    def take(self, name: str, now: dict[str, Expr], out: list[Stmt], reader: Stmt) -> None:
        """The view as it is now, under a new name."""
        if name in now:
            return
        stmt = self.taken[name]
        for base in sorted(walk.names(stmt.value) & self.taken.keys()):
            self.take(base, now, out, reader)
        value = walk.substitute(stmt.value, now)
        new = Var(self.fresh(name), value.type)  # type: ignore[union-attr]
        out.append(Let(new.name, value, stmt.origin))
        now[name] = new
