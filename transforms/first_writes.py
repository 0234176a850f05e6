"""first_writes: a cotangent that a loop adds to once, element by element, is written by it, not cleared before.

``x_bar = np.zeros_like(x)`` and then ``x_bar[i] += v`` in a loop over `i` goes through the memory twice. The loop may
as well write ``x_bar[i] = v``; what it leaves out behind its last element is cleared after it. And so is what is first
added to an element whose number is known: ``x_bar[3] = v``.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import UNFILLED, mentions
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Function, Let, Slice, Stmt, Store, Var
from srcad.lang.types import FLOAT, Array, Dim, Scalar


def first_writes(fn: Function) -> Function:
    """Let loops write the elements of new arrays that they are the first to add to.

    >>> import numpy as np
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import INT
    >>> x = Var("x", Array("float64", ("x.shape[0]",), "C"))
    >>> b, i, n = Var("b", x.type), Var("i", INT), Call(len, (x,), (), INT)
    >>> element = Call(operator.getitem, (b, i), (), FLOAT)
    >>> add = Accum(element, Call(operator.getitem, (x, i), (), FLOAT))
    >>> loop = For("i", Const(0, INT), Call(operator.sub, (n, Const(1, INT)), (), INT), Const(1, INT), (add,))
    >>> make = Let("b", Call(np.zeros_like, (x,), (), x.type))
    >>> from srcad.lang.write import write
    >>> print(write(first_writes(Function("f", (Param("x", x.type),), (make, loop, Return(b))))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        b = np.empty_like(x)
        for i in range(len(x) - 1):
            b[i] = x[i]
        b[len(x) - 1:] = 0.0
        return b
    """
    return replace(fn, body=_block(fn.body, Lengths.of(fn)))


def _block(block: Block, lengths: Lengths) -> Block:
    result = list(block)
    position = 0
    while position < len(result):
        made = result[position]
        if isinstance(made, Let) and _is_zero(made):
            array = Var(made.target, made.value.type)  # type: ignore[union-attr]
            _number_by_number(result, position + 1, array)
            user = next((k for k in range(position + 1, len(result)) if mentions(result[k], array.name)), None)
            found = None if user is None else _written(result[user], array, lengths)
            if user is not None and found is not None:
                assert isinstance(made.value, Call)
                result[user : user + 1] = found
                result[position] = replace(made, value=replace(made.value, fn=UNFILLED[made.value.fn]))
        position += 1
    return tuple(walk.map_stmt(lambda e: e, stmt, lambda inner: _block(inner, lengths)) for stmt in result)


def _number_by_number(result: list[Stmt], start: int, array: Var) -> None:
    """Write the elements of a new array that are added to under their numbers, as long as nothing else touches it."""
    written: set[tuple[int, ...]] = set()
    for position in range(start, len(result)):
        stmt = result[position]
        if not mentions(stmt, array.name):
            continue
        place = _numbers(stmt, array)
        if place is None:
            return
        if place not in written and isinstance(stmt, Accum):
            assert isinstance(stmt.target, Call)
            result[position] = Store(array, stmt.target.args[1], stmt.value, stmt.origin)
        written.add(place)


def _numbers(stmt: Stmt, array: Var) -> tuple[int, ...] | None:
    """The numbers of the element that a statement adds to; None if it does anything else with the array."""
    match stmt:
        case Accum(Call(operator.getitem, (Var(array.name), index), type=Scalar()), value):
            items = items_of(index)
            numbers = tuple(e.value for e in items if isinstance(e, Const) and type(e.value) is int and e.value >= 0)
            if len(numbers) == len(items) and array.name not in walk.names(value):
                return numbers
    return None


def _is_zero(stmt: Let) -> bool:
    value = stmt.value
    return isinstance(value, Call) and value.fn in UNFILLED and isinstance(value.type, Array) and value.type.ndim > 0


def _written(stmt: Stmt, array: Var, lengths: Lengths) -> list[Stmt] | None:
    """A loop that writes where it added, and what clears the rest; None if it is no loop over all elements."""
    assert isinstance(array.type, Array)
    loops: list[_Loop] = []
    while isinstance(stmt, For):
        if not _is_plain(stmt) or array.name in walk.names(stmt.stop):
            return None
        users = [inner for inner in stmt.body if mentions(inner, array.name)]
        if len(users) != 1:
            return None
        loops.append(_Loop(stmt, users[0]))
        stmt = users[0]
    match stmt:
        case Accum(Call(operator.getitem, (Var(array.name), index)), value) if array.name not in walk.names(value):
            items = items_of(index)
        case _:
            return None
    if len(items) != array.type.ndim or {e.name for e in items if isinstance(e, Var)} != {x.loop.index for x in loops}:
        return None
    order = {x.loop.index: x for x in loops}
    rest = [_rest(order[e.name].loop, dim, lengths) for e, dim in zip(items, array.type.shape) if isinstance(e, Var)]
    if not len(rest) == len(items) == len(loops) or any(e is None for e in rest):
        return None  # one loop along a diagonal, for one
    if len(rest) > 1 and any(e is not NOTHING for e in rest):
        return None
    new: Stmt = Store(array, index, value, stmt.origin)
    for each in reversed(loops):
        new = replace(each.loop, body=tuple(new if s is each.user else s for s in each.loop.body))
    if rest[0] is NOTHING:
        return [new]
    origin = replace(stmt.origin, adjoint=False)
    return [new, Store(array, Slice(rest[0]), Const(0.0, FLOAT), origin)]


@dataclass(frozen=True)
class _Loop:
    loop: For
    user: Stmt  # the statement in it that adds to the array


def _is_plain(loop: For) -> bool:
    counts = walk.is_const(loop.start, 0) and walk.is_const(loop.step, 1)
    return counts and loop.flag is None and loop.index not in walk.assigned(loop.body)


NOTHING = Const(None)


def _rest(loop: For, dim: Dim, lengths: Lengths) -> Expr | None:
    """Where the elements begin that a loop does not reach; None if that is not known to be a place in the array."""
    if lengths.dim(loop.stop) == dim:
        return NOTHING
    match loop.stop:
        case Call(operator.sub, (count, Const(int() as less))) if 0 < less <= 2 and lengths.dim(count) == dim:
            return loop.stop  # of an array that is shorter than that, everything: ``b[-1:]`` of one element
    return None
