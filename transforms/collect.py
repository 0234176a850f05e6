"""collect: the cotangents of scalars in their shortest form.

Where several temporaries of one cotangent, written out, let terms be collected or factors be taken out, they are
written out. Only the reverse sweep is touched: the primal computes what the user wrote, to the last bit.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace

from srcad.analysis.contents import content_names
from srcad.lang.ir import Accum, Block, Call, Expr, Function, Let, Store, Stmt, Var, is_temporary
from srcad.lang.types import Array, Scalar
from srcad.lang.walk import map_stmt, names, statements, stmt_exprs, subexprs, substitute, targets
from srcad.transforms.simplify import simplified
from srcad.transforms.sums import collected, cost

WINDOW = 12  # statements between a temporary and its last use
MOST_USES = 3


def collect(fn: Function) -> Function:
    """Shorten the scalar expressions of the reverse sweep.

    >>> from srcad.lang.ir import Return
    >>> from srcad.lang.origin import Origin
    >>> from srcad.lang.types import FLOAT
    >>> back = Origin(adjoint=True)
    >>> g, x = Var("g", FLOAT), Var("x", FLOAT)
    >>> b, product = Var("b", FLOAT), Call(operator.mul, (g, x), (), FLOAT)
    >>> body = (Let("b", product, back), Accum(b, product, back), Return(b))
    >>> from srcad.lang.write import write
    >>> print(write(collect(Function("f", (), body))).text, end="")
    def f():
        b = 2.0 * g * x
        return b
    """
    uses: Counter[str] = Counter()
    for stmt in statements(fn.body):
        uses.update(e.name for expr in stmt_exprs(stmt) for e in subexprs(expr) if isinstance(e, Var))
        uses.update(targets(stmt))
    return replace(fn, body=_block(fn.body, uses))


def _block(block: Block, uses: Counter[str]) -> Block:
    stmts = [map_stmt(lambda e: e, s, lambda inner: _block(inner, uses)) for s in block]
    position = len(stmts) - 1
    while position >= 0:
        stmt = stmts[position]
        if _is_sum(stmt):
            window = [_short(stmt), *stmts[position + 1 : position + WINDOW]]
            kept = _merged(window)
            tried = _written_out(window, uses)
            if tried is not None and _total(tried) <= _total(kept) + 1:  # a line less is worth an operation
                kept = tried
            stmts[position : position + WINDOW] = kept
        position -= 1
    return tuple(stmts)


def _is_sum(stmt: Stmt) -> bool:
    """Whether a statement assigns or adds to a scalar of the reverse sweep."""
    if not stmt.origin.adjoint or not isinstance(stmt, (Let, Accum)):
        return False
    kind = getattr(stmt.value, "type", None)
    return isinstance(kind, Scalar) and kind.dtype in ("float64", "float32")


def _short(stmt: Stmt) -> Stmt:
    """A statement with its value collected; what is added with a minus sign is subtracted."""
    if not _is_sum(stmt):
        return stmt
    assert isinstance(stmt, (Let, Accum))
    value = simplified(collected(stmt.value))
    shorter = cost(value) < cost(stmt.value) or isinstance(stmt, Accum)
    return replace(stmt, value=value) if shorter or not _negated(value) else stmt


def _negated(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn is operator.neg


def _total(stmts: list[Stmt]) -> int:
    return sum(cost(e) for s in stmts for e in stmt_exprs(s)) + sum(isinstance(s, Accum) for s in stmts)


def _merged(stmts: list[Stmt]) -> list[Stmt]:
    """``b = e`` and ``b += g`` as one sum, where that saves operations."""
    first = stmts[0]
    if not (isinstance(first, Let) and _is_sum(first)):
        return stmts
    for position in range(1, len(stmts)):
        stmt = stmts[position]
        if isinstance(stmt, Accum) and _is_sum(stmt) and stmt.target == Var(first.target, getattr(stmt.target, "type")):
            value = Call(operator.add, (first.value, stmt.value), (), stmt.target.type)
            both = replace(first, value=simplified(collected(value)), origin=stmt.origin)
            if cost(both.value) < cost(first.value) + cost(stmt.value) + 1 and first.target not in names(stmt.value):
                return _merged_from([*stmts[1:position], both, *stmts[position + 1 :]], position - 1)
            return stmts
        if not _passes(first, stmt):
            return stmts
    return stmts


def _merged_from(stmts: list[Stmt], position: int) -> list[Stmt]:
    return [*stmts[:position], *_merged(stmts[position:])]


def _passes(definition: Let, stmt: Stmt) -> bool:
    """Whether a definition may be evaluated behind a statement instead of before it."""
    if definition.target in {n for s in statements((stmt,)) for e in stmt_exprs(s) for n in names(e)}:
        return False
    return _unchanged(definition, stmt)


def _unchanged(definition: Let, stmt: Stmt) -> bool:
    """Whether a statement leaves alone what a definition reads and assigns."""
    reads = names(definition.value) | {definition.target}
    if not isinstance(stmt, (Let, Accum, Store)) or reads.intersection(targets(stmt)):
        return False
    return isinstance(stmt, Let) or not _writes_array(stmt) or not content_names(definition.value)


def _writes_array(stmt: Stmt) -> bool:
    return isinstance(stmt, Store) or not (isinstance(stmt.target, Var) and not isinstance(stmt.target.type, Array))


def _written_out(stmts: list[Stmt], uses: Counter[str]) -> list[Stmt] | None:
    """The statements without the temporary that the first one defines, or None where it must stay."""
    first = stmts[0]
    if not isinstance(first, Let) or not is_temporary(first.target) or uses[first.target] > MOST_USES + 1:
        return None
    left = uses[first.target] - 1
    result: list[Stmt] = []
    for position, stmt in enumerate(stmts[1:], 1):
        here = sum(_reads(e, first.target) for e in stmt_exprs(stmt))
        if here:
            if not isinstance(stmt, (Let, Accum, Store)):
                return None
            stmt = _short(map_stmt(lambda e: substitute(e, {first.target: first.value}), stmt))
            left -= here
        result.append(stmt)
        if left == 0:
            return _merge_all([*result, *stmts[position + 1 :]])
        if not _unchanged(first, stmt):
            return None
    return None


def _merge_all(stmts: list[Stmt]) -> list[Stmt]:
    position = len(stmts) - 1
    while position >= 0:
        stmts = _merged_from(stmts, position)
        position -= 1
    return stmts


def _reads(expr: Expr, name: str) -> int:
    return sum(1 for e in subexprs(expr) if isinstance(e, Var) and e.name == name)
