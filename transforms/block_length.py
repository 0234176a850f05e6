"""How many iterations a block has: fewer, where each of them fills large arrays; part of `blocks`."""

from __future__ import annotations

import operator

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.uniform import Uniformity
from srcad.lang import walk
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Let, Slice, Stmt, Tuple, Var
from srcad.lang.types import INT, Array
from srcad.transforms.runs import allocation
from srcad.transforms.side_by_side import Unblocked

SIZE = 128  # iterations in a block
SMALLEST, ROOM = 8, 65536  # the least of them, and the numbers that their arrays should not exceed together
STREAM = 8  # how many numbers of a record count as one


def length_of_blocks(loop: For, facts: Uniformity, within: bool) -> Expr:
    """How many iterations of a loop, which may stand `within` another one, go side by side.

    >>> from srcad.lang.types import FLOAT
    >>> z, i, n, m = Var("z", Array("float64", ("m",), "C")), Var("i", INT), Var("n", INT), Var("m", INT)
    >>> body = (Let("z", Call(np.empty, (m,), (), z.type)), Let("a", Call(operator.getitem, (z, i), (), FLOAT)))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), body)
    >>> from srcad.lang.ir import Function, Return
    >>> from srcad.lang.write import write
    >>> print(write(Function("f", (), (Return(length_of_blocks(loop, Uniformity.of(loop), False)),))).text, end="")
    def f():
        return 128
    """
    sizes = [size for s in walk.statements(loop.body) if (size := _size(s, loop.body, facts)) is not None]
    sizes += [_length_of(base) for base in facts.rows(loop.body).values()]
    sizes = list(dict.fromkeys(sizes))
    if not sizes:
        return Const(SIZE, INT)
    if within:
        raise Unblocked  # room would be made again and again
    total = sizes[0]
    for size in sizes[1:]:
        total = Call(operator.add, (total, size), (), INT)
    one_more = Call(operator.add, (total, Const(1, INT)), (), INT)
    fitting = Call(operator.floordiv, (Const(ROOM, INT), one_more), (), INT)
    return Call(max, (Const(SMALLEST, INT), Call(min, (Const(SIZE, INT), fitting), (), INT)), (), INT)


def _size(stmt: Stmt, body: Block, facts: Uniformity) -> Expr | None:
    """The number of elements of an array that each iteration fills."""
    made = allocation(stmt)
    if made is None or not isinstance(stmt, Let) or stmt.target not in facts.varying:
        return None
    dims = [_outside(dim, body, facts) for dim in _dims(made)]
    product = dims[0]
    for dim in dims[1:]:
        product = Call(operator.mul, (product, dim), (), INT)
    if stmt.target.endswith("~tape"):  # written once and read once
        product = Call(operator.floordiv, (product, Const(STREAM, INT)), (), INT)
    return product


def _dims(made: Call) -> list[Expr]:
    shape = made.args[0]
    if member(made.fn, (np.empty_like, np.zeros_like)):
        assert isinstance(shape, Var) and isinstance(shape.type, Array)
        attribute = Attr(shape, "shape")
        return [Call(operator.getitem, (attribute, Const(k, INT)), (), INT) for k in range(shape.type.ndim)]
    return list(shape.items) if isinstance(shape, Tuple) else [shape]


def _outside(dim: Expr, body: Block, facts: Uniformity) -> Expr:
    """A length in terms of what is known before the loop."""
    match dim:
        case Call(operator.getitem, (Attr(Var(name), "shape"), Const(axis))) if name in facts.own:
            made = next((allocation(s) for s in walk.statements(body) if name in walk.targets(s)), None)
            if made is not None:
                return _outside(_dims(made)[axis], body, facts)
    if isinstance(dim, Slice) or walk.names(dim) & (facts.own | {facts.loop.index}):
        raise Unblocked
    return dim


def _length_of(base: Var) -> Expr:
    return Call(operator.getitem, (Attr(base, "shape"), Const(1, INT)), (), INT)
