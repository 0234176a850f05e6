"""equations: a matrix whose equations are solved several times is factored once. For machine code only.

The derivative of ``x = np.linalg.solve(a, b)`` solves the equations of the transpose, and in a loop each iteration
solves those of the same matrix again. Either takes the factors that are there. Those of a Cholesky factor need none at
all: it is triangular, and stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.contents import times_given
from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.ir import Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Stmt, Var, While
from srcad.lang.types import BOOL, Array
from srcad.runtime import factored, solved, solved_transposed
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed

REAL = ("float64", "float32")


def equations(fn: Function) -> Function:
    """Solve equations with factors that are known.

    >>> from srcad.lang.ir import Param, Return
    >>> a, b = Var("a", Array("float64", ("n", "n"), "C")), Var("b", Array("float64", ("n",), "C"))
    >>> first = typed(Call(np.linalg.solve, (a, b)))
    >>> second = typed(Call(np.linalg.solve, (Attr(a, "T", a.type), Var("x", first.type))))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = Function("f", (Param("a", a.type), Param("b", b.type)), (Let("x", first), Return(second)))
    >>> print(write(name(equations(fn))).text.split("\\n\\n\\n")[1], end="")
    def f(a, b):
        factors = factored(a)
        x = solved(factors, b)
        return solved_transposed(factors, x)
    """
    if not any(isinstance(e, Call) and e.fn is np.linalg.solve for e in _exprs(fn.body)):
        return fn
    classes, params = Classes.of(fn.body), {p.name for p in fn.params}
    written = {classes.find(name) for name in _written(fn.body)}
    times = times_given(fn.body)
    lower = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and times[s.target] == 1
             and isinstance(s.value, Call) and s.value.fn is np.linalg.cholesky}  # fmt: skip
    lower = {name for name in lower - params if classes.find(name) not in written}
    single = (params - times.keys()) | {name for name, count in times.items() if count == 1}
    flipped = {s.target: base for s in walk.statements(fn.body) if isinstance(s, Let) and s.target in single
               and (base := _flipped(s.value)) is not None and base.name in single}  # fmt: skip
    solver = _Solver(lower, flipped, classes, fresh_names(params | walk.assigned(fn.body)))
    return replace(fn, body=solver.block(fn.body, {}, params))


@dataclass
class _Solver:
    """Writes solutions anew; `lower` are the names of triangles, `flipped` those of matrices that others transpose."""

    lower: set[str]
    flipped: dict[str, Var]
    classes: Classes
    fresh: Callable[[str], str]

    def block(self, block: Block, known: dict[str, Var], defined: set[str]) -> Block:
        """`known` are the factors of matrices by name, `defined` the names that are there for sure."""
        known, defined = dict(known), {*defined}
        result: list[Stmt] = []
        for position, stmt in enumerate(block):
            changed = {self.classes.find(name) for name in _written((stmt,))}
            rebound = walk.assigned((stmt,))
            lost = {name for name in known if name in rebound or self.classes.find(name) in changed}
            inside = {name: factors for name, factors in known.items() if name not in lost}
            for matrix in self.worth_it(stmt, block[position:]):
                lasts = matrix.name not in rebound and self.classes.find(matrix.name) not in changed
                if lasts and matrix.name in defined and matrix.name not in known:
                    made = typed(Call(factored, (matrix,)))
                    inside[matrix.name] = Var(self.fresh("factors"), made.type)
                    result.append(Let(inside[matrix.name].name, made, stmt.origin))
            result.append(self.statement(stmt, inside if walk.blocks(stmt) else known | inside, defined))
            known = inside
            if isinstance(stmt, (Let, Move)):
                defined |= {*walk.targets(stmt)}
        return tuple(result)

    def statement(self, stmt: Stmt, known: dict[str, Var], defined: set[str]) -> Stmt:
        return walk.map_stmt(lambda e: walk.map_expr(lambda x: self.solution(x, known), e), stmt,
                             lambda body: self.block(body, known, defined))  # fmt: skip

    def worth_it(self, stmt: Stmt, rest: Block) -> list[Var]:
        """The matrices whose equations a statement solves, and solves again or is followed by more."""
        if isinstance(stmt, If):
            return []
        again = Counter(found[0].name for found in map(self.vector, _exprs(rest)) if found)
        every = {found[0].name: found[0] for found in map(self.vector, _exprs((stmt,))) if found}
        repeats = isinstance(stmt, (For, While))
        return [matrix for name, matrix in sorted(every.items()) if name not in self.lower
                and (repeats or again[name] > 1)]  # fmt: skip

    def solution(self, expr: Expr, known: dict[str, Var]) -> Expr:
        found = self.matrix(expr)
        if found is None:
            return expr
        matrix, transposed = found
        assert isinstance(expr, Call)
        if matrix.name in self.lower:
            from srcad.runtime.scipy_linalg_triangles import solve_triangle  # SciPy is an extra: Numba's solve needs it

            sides = Const(not transposed, BOOL), Const(False, BOOL)
            return replace(expr, fn=solve_triangle, args=(*expr.args, *sides))
        if matrix.name not in known or self.vector(expr) is None:
            return expr
        return replace(expr, fn=solved_transposed if transposed else solved, args=(known[matrix.name], expr.args[1]))

    def vector(self, expr: Expr) -> tuple[Var, bool] | None:
        """The same, where the equations are solved for a vector."""
        return self.matrix(expr) if getattr(getattr(expr, "type", None), "ndim", 0) == 1 else None

    def matrix(self, expr: Expr) -> tuple[Var, bool] | None:
        """The matrix by name, and whether it is transposed, where equations of a real one are solved."""
        match expr:
            case Call(np.linalg.solve, (matrix, right)) if isinstance(right.type, Array) and right.type.ndim < 3:
                base, transposed = _flipped(matrix) or matrix, _flipped(matrix) is not None
                if isinstance(base, Var) and base.name in self.flipped:
                    base, transposed = self.flipped[base.name], not transposed
                kind = getattr(base, "type", None)
                if isinstance(base, Var) and isinstance(kind, Array) and kind.ndim == 2 and kind.dtype in REAL:
                    return (base, transposed) if kind.dtype == right.type.dtype else None
        return None


def _exprs(block: Block) -> Iterator[Expr]:
    return (e for stmt in walk.statements(block) for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))


def _written(block: Block) -> set[str]:
    """The names of arrays that statements write to, or may."""
    effects = [stmt.call for stmt in walk.statements(block) if isinstance(stmt, Effect)]
    return stored_names(block).union(*map(walk.names, effects))


def _flipped(expr: Expr) -> Var | None:
    """The matrix that is transposed."""
    match expr:
        case Attr(Var() as base, "T") | Call(np.transpose, (Var() as base,), ()):
            return base
    return None
