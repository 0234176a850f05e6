"""What may be no number, or infinite, because data are missing: what the function itself tests for that.

Of ``np.nansum((y - a * x) ** 2)``, or of ``np.where(np.isnan(y), 0.0, (y - a * x) ** 2)``, no derivative asks for the
elements of `y` that are missing. Their cotangents are zero; but zero times no number is no number. What is made of such
data is guarded as what is infinite somewhere.
"""

from __future__ import annotations

import math

import numpy as np

from srcad.analysis.activity import flows, reach, reversed_edges
from srcad.analysis.buffers import buffers
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Call, Function, Stmt

FILLED = frozenset((np.nansum, np.nanmean, np.nanmax, np.nanmin))  # leave out what is no number
_TESTS = frozenset((np.isnan, np.isfinite, np.isinf, math.isnan, math.isfinite, math.isinf, np.nan_to_num, *FILLED))


def missing(fn: Function) -> frozenset[str]:
    """The names of a flat function that may hold what is tested, what that is made of, and all that is made of this.

    >>> from srcad.lang.ir import Let, Param, Return, Var
    >>> from srcad.lang.types import FLOAT
    >>> x, y, z = (Var(name, FLOAT) for name in "xyz")
    >>> total = Call(np.nansum, (y,), (), FLOAT)
    >>> body = (Let("y", Call(np.exp, (x,), (), FLOAT)), Let("z", total), Return(z))
    >>> sorted(missing(Function("f", (Param("x", FLOAT),), body)))
    ['x', 'y', 'z']
    """
    tested = {name for stmt in walk.statements(fn.body) for name in _tested(stmt)}
    if not tested:
        return frozenset()
    forth = flows(fn, buffers(fn))
    sources = reach(reversed_edges(forth), tested) & {param.name for param in fn.params}
    return reach(forth, sources | tested)


def _tested(stmt: Stmt) -> set[str]:
    exprs = (expr for top in walk.stmt_exprs(stmt) for expr in walk.subexprs(top))
    return {name for e in exprs if isinstance(e, Call) and member(e.fn, _TESTS) for name in walk.names(e)}
