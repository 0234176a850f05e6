"""hoist: errors that every iteration would raise, before the loop.

``for a, b in A`` asks each row how many elements it has. All rows have as many, so that it is asked once.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

from srcad.analysis.affine import Loops, least, linear
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Stmt, Var, and_, raise_
from srcad.lang.types import BOOL, INT, Array
from srcad.lang.walk import assigned
from srcad.transforms.starts import length


def hoist(fn: Function) -> Function:
    """Ask for lengths where they are first known.

    >>> from srcad.lang.ir import Attr, Let, Param, Return
    >>> from srcad.lang.types import INT, NONE, TupleType
    >>> A, row = Var("A", Array("float64", ("A.shape[0]", "A.shape[1]"), "C")), Array("float64", ("A.shape[1]",), "C")
    >>> count = Call(operator.getitem, (Attr(Var("r", row), "shape", TupleType((INT,))), Const(0, INT)), (), INT)
    >>> error = Effect(Call(raise_, (Const(ValueError),), (), NONE))
    >>> check = If(Call(operator.ne, (count, Const(2, INT)), (), BOOL), (error,))
    >>> loop = For("i", Const(0, INT), Const(9, INT), Const(1, INT), (check,))
    >>> from srcad.lang.write import write
    >>> print(write(hoist(Function("f", (Param("A", A.type),), (loop,)))).text, end="")
    def f(A):
        if A.shape[1] != 2:
            raise ValueError
    """
    return replace(fn, body=_block(fn.body, {param.name: Var(param.name, param.type) for param in fn.params}))


def _block(block: Block, known: dict[str, Expr]) -> Block:
    """A block with the checks of its loops before these; `known` has the names that can be read here."""
    out: list[Stmt] = []
    known, asked = dict(known), set()
    for stmt in block:
        if isinstance(stmt, If) and (test := _asked(stmt, known)) is not None:
            if test not in asked:
                out.append(replace(stmt, test=test))
            asked.add(test)
            continue
        inner = {**known, stmt.index: Var(stmt.index, INT)} if isinstance(stmt, For) else known
        stmt = walk.map_stmt(lambda e: e, stmt, lambda part: _block(part, inner))  # noqa: B023
        before, stmt = _before(stmt) if isinstance(stmt, For) else ([], stmt)
        at = len(out) - (bool(before) and bool(out) and isinstance(out[-1], Move))  # which stays beside its loop
        out[at:at] = before
        if not (before and isinstance(stmt, For) and not stmt.body):
            out.append(stmt)
        known.update(_defined(stmt))
    return tuple(out)


def _defined(stmt: Stmt) -> dict[str, Expr]:
    """The name that a statement gives a value."""
    return {stmt.target: Var(stmt.target, stmt.value.type)} if isinstance(stmt, Let) else {}  # type: ignore


def _asked(stmt: If, known: dict[str, Expr]) -> Expr | None:
    """The test of a check of a length, which is asked of a name that is known already."""
    match stmt:
        case If(Call(operator.ne, (Call(operator.getitem, (shape, Const(value=k))), Const() as count)) as test,
                (Effect(Call(fn)),), ()) if fn is raise_:  # fmt: skip
            array = getattr(shape, "value", None)
            if isinstance(getattr(array, "type", None), Array):
                found = length(known, array.type.shape[k])  # type: ignore[union-attr]
                return None if found is None else replace(test, args=(found, count))
    return None


def _before(loop: For) -> tuple[list[Stmt], For]:
    """The checks of an iteration that all others repeat, and the loop without them."""
    inside = assigned((loop,))
    same = [stmt for stmt in loop.body if isinstance(stmt, If) and _is_check(stmt)
            and not walk.names(stmt.test) & inside]  # fmt: skip
    if not same or not isinstance(loop.step, Const):
        return [], loop
    some = runs(loop)
    checks = {stmt.test: replace(stmt, test=_both(some, stmt.test)) for stmt in same}
    return [*checks.values()], replace(loop, body=tuple(stmt for stmt in loop.body if stmt not in same))


def _is_check(stmt: If) -> bool:
    match stmt:
        case If(_, (Effect(Call(fn)),), ()) if fn is raise_:
            return _of_lengths(stmt.test)
    return False


def _of_lengths(test: Expr) -> bool:
    """Whether a test compares lengths, which do not change."""
    match test:
        case Call(fn, args) if fn is and_:
            return all(map(_of_lengths, args))
        case Call(fn, (one, Const())) if fn in (operator.ne, operator.gt, operator.lt):
            return not any(isinstance(e, Call) and e.fn is not operator.getitem for e in walk.subexprs(one))
    return False


def runs(loop: For, around: Loops = ()) -> Expr | None:
    """Whether a loop makes an iteration; None where it is sure to, as the bounds of the loops `around` say.

    >>> runs(For("i", Const(9, INT), Const(-1, INT), Const(-1, INT), ())) is None
    True
    >>> runs(For("i", Const(0, INT), Var("n", INT), Const(1, INT), ())).args
    (Var(name='n', ...), Const(value=0, ...))
    >>> outer = For("n", Const(1, INT), Const(9, INT), Const(1, INT), ())
    >>> runs(For("i", Const(0, INT), Var("n", INT), Const(1, INT), ()), (outer,)) is None
    True
    """
    step: Any = loop.step
    if isinstance(loop.start, Const) and isinstance(loop.stop, Const):
        return None if len(range(loop.start.value, loop.stop.value, step.value)) else Const(False, BOOL)
    above, below = (loop.stop, loop.start) if step.value > 0 else (loop.start, loop.stop)
    match above, below:
        case Call(operator.sub, (length, Const(int() as less))), Const(int() as bound):
            above, below = length, Const(bound + less, INT)  # ``n > 1`` for ``n - 1 > 0``
    match linear(above), below:
        case (str(), _) as number, Const(int() as bound) if (low := least(number, around)) is not None and low > bound:
            return None
    return Call(operator.gt, (above, below), (), BOOL)


def _both(one: Expr | None, other: Expr) -> Expr:
    if one is None:
        return other
    rest = other.args if isinstance(other, Call) and other.fn is and_ else (other,)
    return Call(and_, (one, *rest), (), BOOL)
