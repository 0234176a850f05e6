"""reciprocals: what the reverse sweep divides by several times, it divides by once. For machine code only.

A division takes as long as several multiplications. Where an innermost loop divides by one number again and again,
or a function without loops, the reverse multiplies by ``inverse_r = 1.0 / r``; or by the name that ``1.0 / r`` has
already. So does what only goes into a sum; all else of the primal stays as the user wrote it: ``int(x / r)`` must not
differ in its last place.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var, While, hint, is_temporary,
)  # fmt: skip
from srcad.lang.types import FLOAT, REAL, Scalar
from srcad.transforms.flatten import fresh_names

ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.neg)


def reciprocals(fn: Function) -> Function:
    """Multiply by inverses in the reverse of innermost loops.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.origin import Origin
    >>> from srcad.lang.types import INT
    >>> r, s, t, n = Var("r", FLOAT), Var("s", FLOAT), Var("t", FLOAT), Var("n", INT)
    >>> def divided(x): return Call(operator.truediv, (x, r), (), FLOAT)
    >>> back = Origin("f.py", 1, 0, "f", "s += t / r", adjoint=True)
    >>> first = Let("r", Call(float, (Var("i", INT),), (), FLOAT))
    >>> body = (first, Accum(s, divided(t), back), Accum(s, divided(s), back))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), body)
    >>> fn = reciprocals(Function("f", tuple(Param(v.name, v.type) for v in (s, t, n)), (loop, Return(s))))
    >>> from srcad.lang.write import write
    >>> print(write(fn).text, end="")
    def f(s, t, n):
        for i in range(n):
            r = float(i)
            inverse_r = 1.0 / r
            # adjoint of  s += t / r
            s += t * inverse_r
            s += s * inverse_r
        return s
    """
    if fn.exact:
        return fn
    used = {param.name for param in fn.params} | walk.assigned(fn.body)
    inverter = _Inverter(fresh_names(used))
    looping = any(isinstance(stmt, (For, While)) for stmt in walk.statements(fn.body))
    return replace(fn, body=inverter.block(fn.body) if looping else inverter.body(fn.body))


@dataclass
class _Inverter:
    fresh: Callable[[str], str]

    def block(self, block: Block) -> Block:
        return tuple(map(self.statement, block))

    def statement(self, stmt: Stmt) -> Stmt:
        if isinstance(stmt, For) and not any(isinstance(s, (For, While)) for s in walk.statements(stmt.body)):
            return replace(stmt, body=self.body(stmt.body))
        return walk.map_stmt(lambda e: e, stmt, self.block)

    def body(self, body: Block) -> Block:
        """The body of an innermost loop, or of a function without loops: others may call it in theirs."""
        free = _free(body)
        count = Counter(_divisors(body, free))
        times = Counter(name for stmt in walk.statements(body) for name in walk.targets(stmt))
        once = {stmt.target: stmt for stmt in body if isinstance(stmt, Let) and times[stmt.target] == 1}
        inverses: dict[str, str] = {}
        early: set[str] = set()  # what is divided by before there is an inverse
        for stmt in body:
            found = _inverted(stmt) if isinstance(stmt, Let) and stmt.target in once else None
            if found is not None and found not in early and isinstance(stmt, Let) and not stmt.origin.adjoint:
                inverses.setdefault(found, stmt.target)
            early.update(_divisors((stmt,), free))
        chosen = {name for name in count if name in once and (name in inverses or count[name] > 1)}
        names = {name: inverses.get(name) or self.fresh(_title(name)) for name in sorted(chosen)}
        result: list[Stmt] = []
        for stmt in body:
            is_inverse = isinstance(stmt, Let) and stmt.target in inverses.values()
            if _may_change(stmt, free) and not is_inverse:
                stmt = replace(stmt, value=_multiplied(stmt.value, names))  # type: ignore[union-attr,arg-type]
            result.append(stmt)
            if isinstance(stmt, Let) and stmt.target in chosen and stmt.target not in inverses:
                inverse = Call(operator.truediv, (Const(1.0, FLOAT), Var(stmt.target, FLOAT)), (), FLOAT)
                result.append(Let(names[stmt.target], inverse, stmt.origin))
        return tuple(result)


def _free(body: Block) -> set[str]:
    """The names of the primal that only go into sums over the iterations, whose addends are rounded in any order."""
    readers: dict[str, list[Stmt]] = {}
    for stmt in body:
        for name in {n for s in walk.statements((stmt,)) for e in walk.stmt_exprs(s) for n in walk.names(e)}:
            readers.setdefault(name, []).append(stmt)
    moves = [stmt for stmt in body if isinstance(stmt, Move)]
    carried = {v.name: t for move in moves for t, v in zip(move.targets, move.values) if isinstance(v, Var)}
    free: set[str] = set()
    for stmt in reversed(body):
        if not isinstance(stmt, Let) or stmt.origin.adjoint or stmt.target in free:
            continue
        others = readers.get(stmt.target, [])
        match stmt.value:
            case Call(operator.add | operator.sub, (Var(total), _)) if carried.get(stmt.target) == total:
                if len(others) == 1 and isinstance(others[0], Move) and readers[total] == [stmt]:
                    free.add(stmt.target)
            case _ if others and all(_may_change(other, free) and _computes(other, stmt.target) for other in others):
                free.add(stmt.target)
    return free


def _may_change(stmt: Stmt, free: set[str]) -> bool:
    """Whether a statement may compute the inverse first: one of the reverse sweep, or of what is free."""
    if isinstance(stmt, Let) and stmt.target in free:
        return True
    return stmt.origin.adjoint and isinstance(stmt, (Let, Accum, Store))


def _divisors(body: Block, free: set[str]) -> list[str]:
    """The names that is divided by where it may be otherwise, as often as that is done."""
    changing = [stmt for stmt in body if _may_change(stmt, free)]
    exprs = [e for stmt in changing for e in _arithmetic(stmt.value)]  # type: ignore[union-attr]
    return [name for e in exprs if (name := _divisor(e)) is not None]


def _arithmetic(expr: Expr) -> Iterator[Expr]:
    """What an expression adds, multiplies and divides; nothing that it compares, rounds or calls with."""
    yield expr
    if isinstance(expr, Call) and expr.fn in ARITHMETIC and isinstance(expr.type, Scalar):
        for arg in expr.args:
            yield from _arithmetic(arg)


def _computes(stmt: Stmt, name: str) -> bool:
    """Whether all that a statement does with a number is arithmetic."""
    assert isinstance(stmt, (Let, Accum, Store))
    every = [e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)]
    return sum(_is(e, name) for e in every) == sum(_is(e, name) for e in _arithmetic(stmt.value))


def _is(expr: Expr, name: str) -> bool:
    return isinstance(expr, Var) and expr.name == name


def _divisor(expr: Expr) -> str | None:
    """The number that an expression is divided by."""
    match expr:
        case Call(operator.truediv, (_, Var(name, Scalar(divisor))), type=Scalar(dtype)) if divisor == dtype in REAL:
            return name
    return None


def _inverted(stmt: Let) -> str | None:
    """The number of which a statement computes the inverse."""
    match stmt.value:
        case Call(operator.truediv, (Const(1.0), Var(name, Scalar(dtype)))) if dtype in REAL:
            return name
    return None


def _multiplied(expr: Expr, names: dict[str, str]) -> Expr:
    """An expression with products in the place of the quotients that are among its arithmetic."""
    if not isinstance(expr, Call) or expr.fn not in ARITHMETIC or not isinstance(expr.type, Scalar):
        return expr
    name = _divisor(expr)
    expr = replace(expr, args=tuple(_multiplied(arg, names) for arg in expr.args))
    if name not in names:
        return expr
    return replace(expr, fn=operator.mul, args=(expr.args[0], Var(names[name], FLOAT)))


def _title(name: str) -> str:
    return "inverse" if is_temporary(name) else f"inverse_{hint(name)}"
