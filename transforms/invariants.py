"""invariants: a quotient that several loops ask for, and no iteration changes, is computed once. For machine code only.

``dt / (2 * dx)`` in a time step and again in its adjoint costs nothing as it stands, one would think: compilers move
what does not change out of a loop. LLVM does, and then moves the division back, since it may reorder products:
``dt / (2 * dx) * u`` is ``dt * u / (2 * dx)`` to it, a division for each element. It leaves alone what has a name that
is read at several places. So the quotients, powers and functions that are asked for at two places at least get one,
before the first loop; the others are left where the user wrote them.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import times_given
from srcad.lang import walk
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Function, Let, Stmt, Tuple, Var, While
from srcad.lang.types import Scalar
from srcad.transforms.flatten import fresh_names

CHEAP = {operator.add, operator.sub, operator.mul, operator.neg}
DEAR = {np.sqrt, np.exp, np.expm1, np.log, np.log1p, np.sin, np.cos, np.tan, np.tanh}
_FLOATS = ("float64", "float32")


def invariants(fn: Function) -> Function:
    """Compute before loops what they divide by the same.

    >>> from srcad.lang.ir import Accum, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> s, t, d = (Var(name, FLOAT) for name in "std")
    >>> n, ratio = Var("n", INT), Call(operator.truediv, (t, d), (), FLOAT)
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (Accum(s, ratio),))
    >>> params = tuple(Param(v.name, v.type) for v in (s, t, d, n))
    >>> from srcad.lang.write import write
    >>> print(write(invariants(Function("f", params, (loop, loop, Return(s))))).text, end="")
    def f(s, t, d, n):
        _t = t / d
        for i in range(n):
            s += _t
        for i in range(n):
            s += _t
        return s
    """
    if fn.exact:
        return fn
    times = times_given(fn.body)
    used = {param.name for param in fn.params} | times.keys()
    used |= {name.split("~", 1)[0] for name in used}  # what a cotangent belongs to, though it may be gone itself
    return replace(fn, body=_Invariants(fresh_names(used), times).block(fn.body))


@dataclass
class _Wanted:
    """An expression that loops compute, and where they stand."""

    first: int
    last: int
    count: int = 0


@dataclass
class _Invariants:
    fresh: Callable[[str], str]
    times: Counter[str]
    renamed: dict[str, Expr] = field(default_factory=dict)  # names that stood for the same inside

    def block(self, block: Block) -> Block:
        found: dict[Expr, _Wanted] = {}
        changed = [walk.assigned((stmt,)) for stmt in block]
        for position, stmt in enumerate(block):
            if isinstance(stmt, (For, While)):
                for expr in _steady(stmt, changed[position]):
                    wanted = found.setdefault(expr, _Wanted(position, position))
                    wanted.last, wanted.count = position, wanted.count + 1
        result: list[Stmt] = []
        known: dict[Expr, Expr] = {}
        for position, stmt in enumerate(block):
            for expr, wanted in found.items():
                between = set().union(*changed[wanted.first : wanted.last + 1])
                if wanted.first == position and wanted.count > 1 and not walk.names(expr) & between:
                    known[expr] = own = Var(self.fresh("_t"), expr.type)  # type: ignore[union-attr]
                    result.append(Let(own.name, expr, stmt.origin))
            result.append(self.statement(stmt, known))
        return tuple(result)

    def statement(self, stmt: Stmt, known: dict[Expr, Expr]) -> Stmt:
        """A statement with the names of what is known in a loop, and so on inside."""
        if isinstance(stmt, (For, While)) and known:
            [stmt] = self.told((stmt,), known)
        return walk.map_stmt(lambda e: e, stmt, self.block)

    def told(self, block: Block, known: dict[Expr, Expr]) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            stmt = walk.map_stmt(lambda e: self.named(e, known), stmt, lambda inner: self.told(inner, known))
            if isinstance(stmt, Let) and stmt.value in known.values() and self.times[stmt.target] == 1:
                self.renamed[stmt.target] = stmt.value
            else:
                result.append(stmt)
        return tuple(result)

    def named(self, expr: Expr, known: dict[Expr, Expr]) -> Expr:
        """An expression with names for the parts that are known, the largest ones first."""
        if isinstance(expr, Var):
            return self.renamed.get(expr.name, expr)
        if isinstance(expr, Call) and expr in known:
            return known[expr]
        match expr:
            case Call(_, args, kwargs):
                new = tuple(self.named(arg, known) for arg in args)
                return replace(expr, args=new, kwargs=tuple((k, self.named(v, known)) for k, v in kwargs))
            case Tuple(items):
                return replace(expr, items=tuple(self.named(item, known) for item in items))
        return expr


def _steady(loop: For | While, changed: set[str]) -> Iterator[Expr]:
    """The largest expressions in a loop that cost something and are the same in each iteration."""
    changed = changed | ({loop.index} if isinstance(loop, For) else set())
    for stmt in walk.statements(loop.body):
        for whole in walk.stmt_exprs(stmt):
            waiting = [whole]
            while waiting:
                expr = waiting.pop()
                if isinstance(expr, Call) and _is_number(expr) and not walk.names(expr) & changed:
                    if _is_dear(expr):
                        yield expr
                elif isinstance(expr, Call):
                    waiting += [*(value for _, value in expr.kwargs), *reversed(expr.args)]
                elif isinstance(expr, Tuple):
                    waiting += reversed(expr.items)


def _is_number(expr: Expr) -> bool:
    """Whether an expression is arithmetic of numbers that may be done where it is not asked for."""
    match expr:
        case Var(type=Scalar()) | Const(value=int() | float()):
            return True
        case Call(operator.getitem, (Attr(Var(), "shape"), Const())):
            return True
        case Call(operator.truediv, args, (), Scalar(kind)):
            return kind in _FLOATS and all(map(_is_number, args))
        case Call(operator.pow, (base, Const(value=int() | float())), (), Scalar(kind)):
            return kind in _FLOATS and _is_number(base)
        case Call(fn, args, (), Scalar(kind)) if fn in CHEAP or fn in DEAR:
            return kind in (*_FLOATS, "int64") and all(map(_is_number, args))
    return False


def _is_dear(expr: Expr) -> bool:
    """Whether an expression divides or calls a function: machines do all else in no time."""
    return any(isinstance(e, Call) and (e.fn is operator.truediv or e.fn in DEAR or _is_root(e))
               for e in walk.subexprs(expr))  # fmt: skip


def _is_root(expr: Call) -> bool:
    return expr.fn is operator.pow and isinstance(expr.args[1], Const) and not isinstance(expr.args[1].value, int)
