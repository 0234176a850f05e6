"""prune: a function without what its results and effects do not need."""

from __future__ import annotations

from dataclasses import replace

from srcad.analysis.buffers import buffers, stored_names
from srcad.lang.ir import Function
from srcad.transforms.apart import apart
from srcad.transforms.dead_code import dead_code
from srcad.transforms.packing import unpacked


def prune(fn: Function) -> Function:
    """Keep what is returned, what is printed or raised, and what is written to arguments.

    >>> from srcad.lang.ir import Const, Let, Param, Return, Var
    >>> [type(s).__name__ for s in prune(Function("f", (), (Let("a", Const(1.0)), Return(Const(2.0))))).body]
    ['Return']
    """
    found = buffers(fn)
    written = [p.name for p in fn.params if any(found.may_share(p.name, n) for n in stored_names(fn.body))]
    body = dead_code((*apart(fn.params, written), *fn.body), contents=written)
    params = tuple(param for param, _ in fn.arguments)
    return replace(fn, params=params, body=(*unpacked(fn, body), *body), packed=())
