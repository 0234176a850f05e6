"""The elements of small arrays under names of their own; part of `scalars`.

An array is the numbers of its cells, in an array of its shape, so a view is the same numbers in another order. What a
cell holds changes from statement to statement.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from srcad.lang.arrays import index_of
from srcad.lang.ir import Call, Const, Expr, Slice, Tuple, Var, and_, hint, is_temporary, or_
from srcad.lang.types import FLOAT, INT, Array, Scalar, TupleType, Type

LARGEST = 9  # elements: a matrix of three rows and columns
LONGEST = 6  # along an axis: place and speed in space
LISTED = 32  # elements of an array that is only read and written one by one


def is_small(kind: Type | None) -> bool:
    """Whether a type is of arrays of few numbers, and it is known how many.

    >>> is_small(Array("float64", (3, 3))), is_small(Array("float64", ("n",)))
    (True, False)
    """
    return is_listable(kind, LARGEST) and max(sizes(kind)) <= LONGEST  # type: ignore[arg-type]


def is_listable(kind: Type | None, most: int = LISTED) -> bool:
    """Whether a type is of arrays of so few elements, known how many, that each can have a statement.

    >>> is_listable(Array("float64", (2, 15))), is_listable(Array("float64", (2, 150)))
    (True, False)
    """
    if not isinstance(kind, Array) or not kind.ndim or not all(isinstance(dim, int) for dim in kind.shape):
        return False
    return 0 < math.prod(sizes(kind)) <= most


def sizes(kind: Array) -> tuple[int, ...]:
    """The lengths of the axes of a small array."""
    return tuple(int(dim) for dim in kind.shape)


def static_index(index: Expr) -> Any:
    """A subscript of constants, as Python has it; None, if it is none.

    >>> static_index(Tuple((Const(1), Slice(Const(0), Const(2)))))
    (1, slice(0, 2, None))
    """
    match index:
        case Const(int() as value) if not isinstance(value, bool):
            return value
        case Const(value) if value is Ellipsis:
            return value
        case Slice(lower, upper, step):
            parts = [None if e is None else static_index(e) for e in (lower, upper, step)]
            known = [p is not None or e is None or e == Const(None, e.type)  # type: ignore[union-attr]
                     for p, e in zip(parts, (lower, upper, step))]  # fmt: skip
            return slice(*parts) if all(known) else None
        case Tuple(items):
            found = tuple(map(static_index, items))
            return None if any(part is None for part in found) else found
    return None


def element_index(place: tuple[int, ...]) -> Expr:
    """The subscript of one element."""
    return index_of([Const(int(k), INT) for k in place])


def as_element(value: Expr, dtype: str) -> Expr | None:
    """A number as an array of this dtype holds it; None, if that is not known."""
    kind = getattr(value, "type", None)
    if not isinstance(kind, Scalar):
        return None
    if kind.dtype == dtype:
        return value
    if dtype != "float64" or kind.dtype not in ("int64", "bool"):
        return None
    return Const(float(value.value), FLOAT) if isinstance(value, Const) else Call(float, (value,), (), FLOAT)


def array_of(parts: np.ndarray) -> Expr:
    """``np.array(((a, b), (c, d)))``"""
    return Call(np.array, (_nest(parts),), (), Array("float64", parts.shape, "C"))


def _nest(parts: np.ndarray) -> Tuple:
    items = tuple(_nest(part) for part in parts) if parts.ndim > 1 else tuple(parts)
    return Tuple(items, TupleType(tuple(item.type for item in items)))


def objects(values: list[Expr], shape: tuple[int, ...]) -> np.ndarray:
    """Expressions in an array of a shape."""
    result = np.empty(len(values), object)
    result[:] = values
    return result.reshape(shape)


@dataclass
class Cells:
    """`numbers` gives the cells of each array, `now` what each cell holds: a name, a constant, or None for nothing."""

    fresh: Callable[[str], str]
    numbers: dict[str, np.ndarray] = field(default_factory=dict)
    now: dict[int, Expr | None] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    dtypes: list[str] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)  # of the loops in which each cell was made
    joined: dict[str, list[Var]] = field(default_factory=dict)  # array that branches join or loops carry -> its names

    def made(self, name: str, kind: Array, depth: int) -> np.ndarray:
        """New cells for an array."""
        shape = sizes(kind)
        count, first = math.prod(shape), len(self.labels)
        for place in np.ndindex(*shape):
            self.labels.append(hint(name) if is_temporary(name) else f"{hint(name)}_{''.join(map(str, place))}")
            self.dtypes.append(kind.dtype)
            self.depths.append(depth)
        self.numbers[name] = np.arange(first, first + count).reshape(shape)
        self.now.update(dict.fromkeys(range(first, first + count)))
        return self.numbers[name]

    def join(self, name: str, kind: Array, depth: int) -> list[Var]:
        """The names of the elements of an array that is joined or carried."""
        if name not in self.joined:
            cells = self.made(name, kind, depth)
            self.joined[name] = [Var(self.fresh(self.labels[k]), Scalar(kind.dtype)) for k in cells.flat]
        return self.joined[name]

    def enter(self, name: str) -> None:
        """Behind the statement that joins them, the elements of an array are what their names say."""
        self.now.update(zip(self.numbers[name].flat, self.joined[name]))

    def values(self, name: str) -> np.ndarray | None:
        """What the elements of an array are, if all of them are anything."""
        cells = self.numbers[name]
        held = [self.now.get(k) for k in cells.flat]
        return None if None in held else objects(held, cells.shape)  # type: ignore[arg-type]

    def owners(self, cells: np.ndarray) -> Iterator[str]:
        """The arrays that have some of these cells."""
        wanted = set(cells.flat)
        for name, numbers in self.numbers.items():
            if wanted.intersection(numbers.flat):
                yield name


def folded(expr: Expr) -> Expr:
    """A call of constant integers as what it gives.

    >>> folded(Call(operator.add, (Const(3, INT), Const(1, INT)), (), INT)).value
    4
    """
    match expr:
        case Call(fn, args, (), Scalar() as kind) if args and fn in _FOLDED and all(map(_is_integer, args)):
            try:
                return Const(fn(*(arg.value for arg in args)), kind)  # type: ignore[union-attr]
            except (ArithmeticError, ValueError):
                return expr
    return expr


def _is_integer(expr: Expr) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, (int, bool))


_FOLDED = frozenset((
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg, operator.eq, operator.ne,
    operator.lt, operator.le, operator.gt, operator.ge, operator.not_, min, max, and_, or_,
))  # fmt: skip
