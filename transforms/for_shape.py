"""for_shape: nothing is computed for its shape alone.

The reverse of ``y = np.roll(x, 3)`` begins with zeros as long as `y`. Where nobody reads what `y` holds, its lengths
are said in terms of what it was made of: ``y_bar = np.zeros(x.shape[0])``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce

import numpy as np

from srcad.analysis.buffers import is_view, stored_names
from srcad.analysis.contents import member
from srcad.analysis.lengths import Lengths
from srcad.lang import walk
from srcad.lang.arrays import axis_length, index_of, lengths_in, new_array, tuple_of_ints
from srcad.lang.custom import Custom
from srcad.lang.ir import Attr, Call, Const, Expr, Function, Let, Tuple, Var
from srcad.lang.recursive import Callee
from srcad.lang.shapes import symbol
from srcad.lang.types import INT, Array, Dim, Type, is_elastic

ALIKE = {np.zeros_like: np.zeros, np.ones_like: np.ones, np.empty_like: np.empty}
SHAPED = (np.reshape, np.broadcast_to)
FLAT = (np.ravel, np.ndarray.flatten)
Dims = tuple[Expr, ...]


def for_shape(fn: Function) -> Function:
    """Say how long arrays are whose elements nobody reads, in place of the arrays.

    >>> from srcad.lang.ir import Param, Return
    >>> x = Var("x", Array("float64", ("x.shape[0]",), "C"))
    >>> made = Let("y", Call(np.roll, (x, Const(3, INT)), (), x.type))
    >>> zeros = Let("g", Call(np.zeros_like, (Var("y", x.type),), (), x.type))
    >>> from srcad.lang.write import write
    >>> short = for_shape(Function("f", (Param("x", x.type),), (made, zeros, Return(Var("g", x.type)))))
    >>> print(write(short).text.split("\\n\\n\\n")[1], end="")
    def f(x):
        g = np.zeros(x.shape[0])
        return g
    """
    if not any(_asked(part) for s in walk.statements(fn.body) for e in walk.stmt_exprs(s) for part in walk.subexprs(e)):
        return fn
    asked = _Asked(fn)
    if not asked.dims:
        return fn
    body = walk.without(fn.body, lambda s: isinstance(s, Let) and s.target in asked.dims)
    return replace(fn, body=walk.map_block(asked.said, body))


class _Asked:
    """The arrays of a function of which only the shape is asked, and their lengths."""

    def __init__(self, fn: Function) -> None:
        self.lengths = Lengths.of(fn)
        self.given: dict[Dim, Expr] = {
            symbol(p.name, axis): axis_length(Var(p.name, p.type), axis)
            for p in fn.params if isinstance(p.type, Array) and p.name in self.lengths.single
            for axis in range(p.type.ndim)
        }  # fmt: skip
        stored = stored_names(fn.body)
        self.values = {name: value for name, value in self.lengths.lets.items()
                       if _is_made(value) and name not in stored}  # fmt: skip
        for stmt in walk.statements(fn.body):
            if not (isinstance(stmt, Let) and stmt.target in self.values):
                self.keep(name for expr in walk.stmt_exprs(stmt) for name in _held(expr))
        self.dims: dict[str, Dims] = {}
        for name, value in self.values.items():
            if (dims := self.dims_of(value)) is not None:
                self.dims[name] = dims
        self.keep([name for name in self.values if name not in self.dims])
        self.keep([name for name in self.values if name not in self.dear()])
        self.dims = {name: dims for name, dims in self.dims.items() if name in self.values}

    def keep(self, names: Iterable[str]) -> None:
        """Take arrays that somebody reads, and what they are made of, out of those of which the shape is asked."""
        waiting = list(names)
        while waiting:
            value = self.values.pop(waiting.pop(), None)
            waiting += () if value is None else _held(value)

    def dear(self) -> set[str]:
        """The names of arrays for which elements are computed."""
        found: set[str] = set()
        for name, value in self.values.items():
            if not is_view(value) or found.intersection(_held(value)):
                found.add(name)
        return found

    def dims_of(self, value: Expr) -> Dims | None:
        """The lengths of a value, in terms of what is there."""
        kind = value.type  # type: ignore[union-attr]
        assert isinstance(kind, Array)
        arrays = [e for e in walk.subexprs(value) if isinstance(e, Var) and isinstance(e.type, Array)]
        found = [self._dim(dim, arrays) for dim in kind.shape]
        if None not in found:
            return tuple(found)  # type: ignore[arg-type]
        match value:
            case Call(fn, (_, shape), ()) if member(fn, SHAPED):
                items = tuple(self.said_in(item) for item in lengths_in(shape))
                return items if len(items) == kind.ndim and all(map(self._is_length, items)) else None
            case Call(fn, (Var(_, Array(ndim=rank)) as array, *_)) if member(fn, FLAT) and rank:
                return (reduce(_times, (self._of(array, axis) for axis in range(rank))),)
            case Call(np.empty, (shape,)) if len(items := lengths_in(shape)) == kind.ndim:
                said = [self.said_in(item) if self._is_length(item) else None for item in items]
                either = tuple(dim or item for dim, item in zip(found, said))
                return None if None in either else either  # type: ignore[return-value]
        return None

    def _dim(self, dim: Dim, arrays: list[Var]) -> Expr | None:
        if isinstance(dim, int):
            return Const(dim, INT)
        if dim in self.given:
            return self.given[dim]
        for array in arrays:
            shape = array.type.shape if isinstance(array.type, Array) else ()
            if dim in shape and array.name in self.lengths.single:
                return self._of(array, shape.index(dim))
        return None

    def _of(self, array: Var, axis: int) -> Expr:
        return self.dims[array.name][axis] if array.name in self.dims else axis_length(array, axis)

    def _is_length(self, expr: Expr) -> bool:
        """Whether a number is surely no -1, which stands for what is left, and the same wherever it is read."""
        match expr:
            case Const(int() as value):
                return value >= 0
            case Var(name):
                return name in self.lengths.lets and self._is_length(self.lengths.lets[name])
            case Call(operator.getitem, (Attr(Var(name), "shape"), Const())):
                return name in self.lengths.single
            case Call(operator.mul | operator.add, (a, b)):
                return self._is_length(a) and self._is_length(b)
            case Call(fn, (Var(name), Const(0))) if fn is max:
                return name in self.lengths.single
        return False

    def said_in(self, expr: Expr) -> Expr:
        return walk.map_expr(self.said, expr)

    def said(self, expr: Expr) -> Expr:
        """What asks for the shape of an array that is not there, without it."""
        match expr:
            case Call(operator.getitem, (Tuple(items), Const(int() as axis))):  # of a shape that has been said
                return items[axis]
        name = _asked(expr)
        if name not in self.dims:
            return expr
        dims = self.dims[name]
        match expr:
            case Call(fn, (_, value), (), kind) if fn is np.full_like:
                made = new_array(np.full, index_of(dims), kind)
                return replace(made, args=(made.args[0], value, *made.args[1:]))
            case Call(fn, (_,), (), kind) if member(fn, ALIKE):
                return new_array(ALIKE[fn], index_of(dims), kind)
            case Attr(_, "size"):
                return reduce(_times, dims)
            case Call(fn) if fn is len:
                return dims[0]
        return tuple_of_ints(dims)


def _is_made(value: Expr) -> bool:
    """Whether a value is an array that nobody misses if nobody reads it."""
    kind: Type = getattr(value, "type", INT)
    if not (isinstance(kind, Array) and kind.ndim) or is_elastic(kind):
        return False
    return isinstance(value, Call) and not isinstance(value.fn, (Callee, Custom))


def _asked(expr: Expr) -> str:
    """The name of an array of which an expression asks the shape only."""
    match expr:
        case Call(operator.getitem, (Attr(Var(name, Array()), "shape"), Const(int()))):
            return name
        case Attr(Var(name, Array()), "shape" | "size") | Call(_, (Var(name, Array()),)) if _is_asked(expr):
            return name
        case Call(fn, (Var(name, Array()), _), (), Array() as kind) if fn is np.full_like and _by_rows(kind):
            return name
    return ""


def _is_asked(expr: Expr) -> bool:
    if isinstance(expr, Attr):
        return True
    assert isinstance(expr, Call)
    return expr.fn is len or member(expr.fn, ALIKE) and not expr.kwargs and _by_rows(expr.type)


def _by_rows(kind: Type) -> bool:
    return isinstance(kind, Array) and (kind.ndim == 1 or kind.layout == "C")


def _held(expr: Expr) -> Iterator[str]:
    """The names that an expression reads for more than the shape of an array."""
    if isinstance(expr, Var):
        yield expr.name
    elif _asked(expr):
        for part in expr.args[1:] if isinstance(expr, Call) else ():
            yield from _held(part)
    else:
        for part in walk.children(expr):
            yield from _held(part)


def _times(a: Expr, b: Expr) -> Expr:
    if walk.is_const(a, 1):
        return b
    return a if walk.is_const(b, 1) else Call(operator.mul, (a, b), (), INT)
