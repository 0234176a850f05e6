"""exact: functions that compute with their own rounding errors are compiled as they are written."""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.rounding import compensates
from srcad.lang.ir import Function


def exact(fn: Function) -> Function:
    """Mark a function in which no sum may be reordered.

    >>> import operator
    >>> from srcad.lang.ir import Call, Let, Var
    >>> from srcad.lang.types import FLOAT
    >>> x, c, t = Var("x", FLOAT), Var("c", FLOAT), Var("t", FLOAT)
    >>> body = (Let("t", Call(operator.add, (x, c), (), FLOAT)), Let("r", Call(operator.sub, (t, c), (), FLOAT)))
    >>> exact(Function("rounded", (), body)).exact
    True
    """
    return replace(fn, exact=True) if compensates(fn) else fn
