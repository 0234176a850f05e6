"""reciprocals: what the reverse sweep divides by several times, it divides by once. For machine code only.

A division takes as long as several multiplications. Where an iteration divides by one number again and again, or a
function without loops, the reverse multiplies by ``inverse_r = 1.0 / r``; or by the name that ``1.0 / r`` has already.
What loops divide by and do not change has its inverse before the first of them; at one place alone LLVM would make the
division of it again. So does what only goes into a sum; all else of the primal stays as the user wrote it:
``int(x / r)`` must not differ in its last place.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from srcad.analysis.contents import times_given
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var, While, hint, is_temporary,
)  # fmt: skip
from srcad.lang.origin import of_derivative
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
    return replace(fn, body=inverter.block(fn.body, frozenset(param.name for param in fn.params), not looping))


@dataclass
class _Inverter:
    fresh: Callable[[str], str]

    def block(self, block: Block, bound: frozenset[str], repeated: bool) -> Block:
        """A block behind which names are `bound`; one that is `repeated` stands in a loop, or in a function for others.

        What it binds once has its inverse there; what was bound before, in front of the first loop that divides by it.
        """
        free = _free(block) if repeated else set()
        inside = [Counter(_divisors_of_loop(stmt)) for stmt in block]
        count = _together([*inside, Counter(_divisors(block, free))] if repeated else inside)
        times = times_given(block)
        once = {stmt.target for stmt in block if isinstance(stmt, Let) and times[stmt.target] == 1}
        known = _inverses(block, once, free) if repeated else {}
        names = {name: known.get(name) or self.fresh(_title(name))
                 for name in sorted(count) if name in once and (name in known or count[name] > 1)}  # fmt: skip
        before = {name: first for name, first in _steady(block, inside).items() if name in bound - once}
        inverses = {name: self.fresh(_title(name)) for name in sorted(before)}
        result: list[Stmt] = []
        for position, stmt in enumerate(block):
            result += [_inverse(inverses[name], name, stmt) for name in inverses if before[name] == position]
            if repeated and _may_change(stmt, free) and not set(walk.targets(stmt)) & set(known.values()):
                stmt = replace(stmt, value=_multiplied(stmt.value, names))  # type: ignore[union-attr,arg-type]
            told = {name: inverse for name, inverse in (names | inverses).items() if name in inside[position]}
            result.append(self.inside(_told_inside(stmt, told), bound | set(walk.targets(stmt))))
            bound |= set(walk.targets(stmt)) if not walk.blocks(stmt) else set()
            if isinstance(stmt, Let) and stmt.target in names and stmt.target not in known:
                result.append(_inverse(names[stmt.target], stmt.target, stmt))
        return tuple(result)

    def inside(self, stmt: Stmt, bound: frozenset[str]) -> Stmt:
        repeated = isinstance(stmt, (For, While))
        return walk.map_stmt(lambda e: e, stmt, lambda block: self.block(block, bound, repeated))


def _inverse(name: str, of: str, stmt: Stmt) -> Let:
    return Let(name, Call(operator.truediv, (Const(1.0, FLOAT), Var(of, FLOAT)), (), FLOAT), stmt.origin)


def _inverses(body: Block, once: set[str], free: set[str]) -> dict[str, str]:
    """The names that inverses have already, before anything is divided by what they are the inverses of."""
    found: dict[str, str] = {}
    early: set[str] = set()
    for stmt in body:
        of = _inverted(stmt) if isinstance(stmt, Let) and stmt.target in once else None
        if of is not None and of not in early and isinstance(stmt, Let) and not of_derivative(stmt.origin):
            found.setdefault(of, stmt.target)
        early.update(_divisors((stmt,), free), _divisors_of_loop(stmt))
    return found


def _divisors_of_loop(stmt: Stmt) -> list[str]:
    """The names that a loop divides by, as often as they stand there, and that no iteration changes."""
    if not isinstance(stmt, (For, While)):
        return []
    changed = walk.assigned((stmt,))
    return [name for name in _divisors_within(stmt.body, _free(stmt.body)) if name not in changed]


def _divisors_within(block: Block, free: set[str]) -> Iterator[str]:
    yield from _divisors(block, free)
    for stmt in block:
        for inner in walk.blocks(stmt):
            yield from _divisors_within(inner, _free(inner) if isinstance(stmt, (For, While)) else set())


def _together(counts: list[Counter[str]]) -> Counter[str]:
    """All counts in one, which grows: adding two makes a third each time."""
    result: Counter[str] = Counter()
    for count in counts:
        result.update(count)
    return result


def _steady(block: Block, inside: list[Counter[str]]) -> dict[str, int]:
    """The first loop of a block that divides by a name which nothing changes up to the last of them."""
    changed = [walk.assigned((stmt,)) for stmt in block]
    found: dict[str, int] = {}
    for name, count in _together(inside).items():
        places = [position for position, names in enumerate(inside) if name in names]
        if count > 1 and not any(name in names for names in changed[places[0] : places[-1] + 1]):
            found[name] = places[0]
    return found


def _told(block: Block, names: dict[str, str], repeated: bool) -> Block:
    """The statements of a loop that multiply by the inverses of what it does not change."""
    free = _free(block) if repeated else set()
    result: list[Stmt] = []
    for stmt in block:
        if _may_change(stmt, free):
            stmt = replace(stmt, value=_multiplied(stmt.value, names))  # type: ignore[union-attr,arg-type]
        result.append(_told_inside(stmt, names))
    return tuple(result)


def _told_inside(stmt: Stmt, names: dict[str, str]) -> Stmt:
    repeated = isinstance(stmt, (For, While))
    return walk.map_stmt(lambda e: e, stmt, lambda block: _told(block, names, repeated)) if names else stmt


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
        if not isinstance(stmt, Let) or of_derivative(stmt.origin) or stmt.target in free:
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
    return isinstance(stmt, (Let, Accum, Store)) and of_derivative(stmt.origin)


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
