"""put_back: a name that gets back the value that another name took from it keeps it.

The reverse of a step takes the cotangents of the new state by other names, ``v = u_bar``, and where an element of the
state is handed on as it was, its cotangent is that again: ``u_bar = v``.
"""

from __future__ import annotations

from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Function, Let, Stmt, Var


def put_back(fn: Function) -> Function:
    """Leave out assignments of what a name has already.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> u, v = Var("u", FLOAT), Var("v", FLOAT)
    >>> body = (Let("v", u), Let("u", v), Accum(u, v), Return(u))
    >>> from srcad.lang.write import write
    >>> print(write(put_back(Function("f", (Param("u", FLOAT),), body))).text, end="")
    def f(u):
        v = u
        u += v
        return u
    """
    return replace(fn, body=_block(fn.body))


def _block(block: Block) -> Block:
    kept: list[Stmt] = []
    source: dict[str, str] = {}  # of a name, the one whose value it has
    for stmt in block:
        match stmt:
            case Let(target, Var(name)) if source.get(name) == target:
                continue
        changed = walk.assigned((stmt,)) | {s.target.name for s in walk.statements((stmt,))
                                            if isinstance(s, Accum) and isinstance(s.target, Var)}  # fmt: skip
        source = {new: old for new, old in source.items() if changed.isdisjoint((new, old))}
        match stmt:
            case Let(target, Var(name)) if target != name:
                source[target] = name
        kept.append(walk.map_stmt(lambda e: e, stmt, _block))
    return tuple(kept)
