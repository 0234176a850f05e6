"""scalars: arrays of few elements as numbers with names of their own.

``r = np.empty(3)`` whose elements are written and read one by one, or whose sums and products are those of vectors, is
three numbers. As such they need no memory, no loop, and no array for their cotangents. Loops that count through such an
array are written out; an array that goes elsewhere as a whole is put together there.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import Buffers, buffers
from srcad.analysis.handover import shared_names
from srcad.lang import walk
from srcad.lang.ir import Expr, Function
from srcad.lang.recursive import Instance
from srcad.lang.types import Array
from srcad.transforms.cells import is_small
from srcad.transforms.by_subscripts import by_subscripts
from srcad.transforms.flatten import fresh_names
from srcad.transforms.shortened import shortened
from srcad.transforms.spreader import Spreader

DTYPES = ("float64", "bool", "int64")


def scalars(fn: Function) -> Function:
    """Give the elements of small arrays names of their own.

    >>> import numpy as np
    >>> from srcad.lang.ir import Call, Const, Let, Param, Return, Store, Var
    >>> from srcad.lang.types import FLOAT, INT
    >>> x, r = Var("x", FLOAT), Var("r", Array("float64", (2,), "C"))
    >>> make = Let("r", Call(np.empty, (Const(2, INT),), (), r.type))
    >>> stores = (Store(r, Const(0, INT), x), Store(r, Const(1, INT), Const(2.0, FLOAT)))
    >>> total = Let("y", Call(np.sum, (r,), (), FLOAT))
    >>> from srcad.lang.write import write
    >>> print(write(scalars(Function("f", (Param("x", FLOAT),), (make, *stores, total, Return(Var("y", FLOAT)))))).text,
    ...       end="")
    def f(x):
        y = x + 2.0
        return y
    """
    fn = shortened(fn)
    chosen = _candidates(fn)
    if not chosen:
        return fn
    memory = buffers(fn)
    chosen -= _troubled(fn, memory)
    while chosen := {name for name in chosen if memory.of(name) <= chosen or not memory.mutated(name)}:
        used = {param.name for param in fn.params} | walk.assigned(fn.body)
        own = replace(memory, sites=dict(memory.sites), types=dict(memory.types), views=dict(memory.views))
        spreader = Spreader.of(fn, set(chosen), own, fresh_names(used))
        body = spreader.block(fn.body)
        lost = spreader.lost() & chosen
        if not lost:
            return replace(fn, body=spreader.named(body))
        chosen -= lost
    return fn


def _candidates(fn: Function) -> set[str]:
    """The names of small arrays of numbers that the function itself makes."""
    found: set[str] = set()
    outside = {param.name for param in fn.params}
    larger = by_subscripts(fn)
    for stmt in walk.statements(fn.body):
        for name, value in walk.bindings(stmt):
            kind = getattr(value, "type", None)
            if not is_small(kind) and name not in larger:
                outside.add(name)
            elif isinstance(kind, Array) and kind.dtype in DTYPES:
                found.add(name)
        if any(_is_other(e) for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
            return set()
    return found - outside


def _is_other(expr: Expr) -> bool:
    """Whether a number is of a kind that takes up others differently in an array than by itself."""
    kind = getattr(expr, "type", None)
    return hasattr(kind, "dtype") and kind.dtype not in DTYPES or isinstance(getattr(expr, "fn", None), Instance)


def _troubled(fn: Function, memory: Buffers) -> set[str]:
    """The arrays that go by two names at a time while they are written to."""
    sites = frozenset().union(*(memory.of(name) for name in shared_names(fn, memory)))
    return {name for name in memory.types if memory.of(name) & sites} if sites else set()
