"""filled: new arrays that are given their first elements at once begin with them.

``xs = np.empty(n); xs[:] = 0.0`` is ``xs = np.zeros(n)``, and so are lists like ``[0.0] * n``. What a display made of
numbers, and was to be an array, is ``np.array((a, b, 3.0))``, and a table whose rows are such lists is
``np.zeros((n, m))``. In the reverse, nothing is cleared that begins like this.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import takewhile

import numpy as np

from srcad.analysis.lengths import Lengths
from srcad.lang import walk
from srcad.lang.arrays import is_ellipsis, items_of
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Slice, Stmt, Store, Tuple, Var
from srcad.lang.types import FLOAT, INT, Array, Scalar, TupleType
from srcad.transforms.taking import mentions

_MADE = (FLOAT.dtype, INT.dtype)  # as numbers in a text
_WHOLE = Slice()


def filled(fn: Function) -> Function:
    """Make arrays of what is put into them first.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> a, n = Var("a", FLOAT), Var("n", INT)
    >>> b, c = (Var(name, Array("float64", (dim,), "C")) for name, dim in (("b", "n"), ("c", 2)))
    >>> made = [Let(v.name, Call(np.empty, (dim,), (), v.type)) for v, dim in ((b, n), (c, Const(2, INT)))]
    >>> put = [Store(c, Const(k, INT), value) for k, value in enumerate((a, Const(1, INT)))]
    >>> body = (made[0], Store(b, Slice(), Const(0.0, FLOAT)), made[1], *put, Return(Call(np.dot, (b, c), (), FLOAT)))
    >>> from srcad.lang.write import write
    >>> whole = filled(Function("f", (Param("a", FLOAT), Param("n", INT)), body))
    >>> print(write(whole).text.split("\\n\\n\\n")[1], end="")
    def f(a, n):
        b = np.zeros(n)
        c = np.array((a, 1.0))
        return np.dot(b, c)
    """
    return replace(fn, body=_Filler(Lengths.of(fn), mentions(fn.body)).block(fn.body))


@dataclass
class _Filler:
    lengths: Lengths
    uses: Counter[str]  # how many statements mention a name

    def block(self, block: Block) -> Block:
        left = [self.rows(walk.map_stmt(lambda e: e, stmt, self.block)) for stmt in block]
        result: list[Stmt] = []
        while left:
            stmt = left.pop(0)
            if isinstance(stmt, Let) and (call := _unfilled(stmt.value)) is not None:
                stores = [*takewhile(lambda each: _puts_number(each, stmt.target), left)]  # type: ignore  # noqa: B023
                used, made = _made(call, stores)  # type: ignore[arg-type]
                if made is not None:
                    new = replace(stmt, value=made, origin=stores[0].origin)  # type: ignore[attr-defined]
                    stmt = self.instead(new, stmt, *left[:used])
                    del left[:used]
            if left and isinstance(stmt, Let) and (row := self.row(stmt, left[0])) is not None:
                stmt = self.instead(row, stmt, left.pop(0))
            result.append(stmt)
        return tuple(result)

    def instead(self, new: Stmt, *old: Stmt) -> Stmt:
        self.uses.subtract(mentions(old))
        self.uses.update(mentions((new,)))
        return new

    def row(self, made: Let, put: Stmt) -> Store | None:
        """A row of one number that is made to be put into a table, as that number in its place."""
        kind, value = made.value.type, _all_over(made.value)  # type: ignore[union-attr]
        match put:
            case Store(Var(_, Array(shape=(*_, length))), _, Var(made.target)):
                alone = self.uses[made.target] == 2 and isinstance(kind, Array) and kind.shape == (length,)
                return replace(put, value=value) if alone and value is not None else None
        return None

    def rows(self, stmt: Stmt) -> Stmt:
        """A loop that puts one number into all rows of a table, as a store into the table."""
        match stmt:
            case For(index, Const(value=0), stop, Const(value=1), (*lets, Store(base, place, value)), None):
                own, targets = mentions((stmt,)), [s.target for s in lets if isinstance(s, Let)]
                if not (isinstance(base, Var) and isinstance(base.type, Array) and base.type.ndim > 1):
                    return stmt
                whole = items_of(place) == (Var(index, INT),) and self.lengths.counts_rows(stop, base)
                idle = len(targets) == len(lets) and all(self.uses[target] == 1 for target in targets)
                apart = idle and own[index] == self.uses[index] and isinstance(value, Const)
                if apart and whole:
                    return self.instead(Store(base, _WHOLE, value, stmt.origin), stmt)
        return stmt


def _all_over(value: Expr) -> Const | None:
    """The number that all elements of a new array are."""
    match value:
        case Call(np.zeros | np.ones as fn, _, (), Array(dtype=dtype)):
            number = float(fn is np.ones)
            return Const(number, FLOAT) if dtype == FLOAT.dtype else Const(int(number), INT)
        case Call(np.full, (_, Const() as number, *_), ()):
            return number
    return None


def _unfilled(value: Expr) -> Call | None:
    made = isinstance(value, Call) and value.fn is np.empty
    return value if made and isinstance(value.type, Array) and value.type.dtype in _MADE else None  # type: ignore


def _puts_number(stmt: Stmt, array: str) -> bool:
    match stmt:
        case Store(Var(name), _, Var(type=Scalar(dtype)) | Const(type=Scalar(dtype)) as value):
            return name == array and dtype != "bool" and name != getattr(value, "name", None)
    return False


def _made(call: Call, stores: list[Store]) -> tuple[int, Expr | None]:
    """How many of the first statements that put numbers into a new array make it as a whole, and how it is made."""
    kind = call.type
    assert isinstance(kind, Array)
    if stores and (is_ellipsis(stores[0].index) or all(item == _WHOLE for item in items_of(stores[0].index))):
        value = _as(stores[0].value, kind.dtype)
        return 1, None if value is None else _of_one(call, value)
    length = kind.shape[0] if kind.ndim == 1 else None
    if not isinstance(length, int) or not 0 < length <= len(stores):
        return 0, None
    places = [store.index.value if isinstance(store.index, Const) else None for store in stores[:length]]
    values = [value for store in stores[:length] if (value := _as(store.value, kind.dtype)) is not None]
    if places != [*range(length)] or len(values) < length:
        return 0, None
    return length, _of_one(call, values[0]) if _is_one(values) else _of_several(kind, values)


def _is_one(values: list[Expr]) -> bool:
    return isinstance(values[0], Const) and all(value == values[0] for value in values)


def _of_one(call: Call, value: Expr) -> Expr:
    if isinstance(value, Const) and value.value in (0, 1) and str(value.value) != "-0.0":
        return replace(call, fn=np.ones if value.value else np.zeros)
    shape, *dtype = call.args
    return replace(call, fn=np.full, args=(shape, value, *dtype))


def _of_several(kind: Array, values: list[Expr]) -> Expr:
    types = tuple(value.type for value in values)  # type: ignore[union-attr]
    return Call(np.array, (Tuple(tuple(values), TupleType(types)),), (), kind)


def _as(value: Expr, dtype: str) -> Expr | None:
    """A number of a dtype; None where it is of another one, and no constant."""
    if isinstance(value, Const) and dtype == FLOAT.dtype:
        return Const(float(value.value), FLOAT)
    return value if value.type.dtype == dtype else None  # type: ignore[union-attr]
