"""Where the comments of generated source stand: one above each run of statements that share their primal line."""

from __future__ import annotations

from typing import Union

import numpy as np

from srcad.lang.ir import Block, Call, Const, For, Let, Stmt, While
from srcad.lang.origin import Origin
from srcad.lang.walk import blocks, is_const

Notes = dict[int, str]
_Key = Union[tuple[str, int, str, bool], None]  # None: a statement of the primal


def place(body: Block) -> Notes:
    """The comments of a function's body, by the identity of the statement above which each stands."""
    notes: Notes = {}
    _run(body, None, notes, {})
    return notes


def _key(origin: Origin) -> _Key:
    return (origin.filename, origin.line, origin.text, origin.tangent) if origin.adjoint and origin.text else None


def _opens(stmt: Stmt) -> bool:
    """Whether a statement only sets a cotangent to zero, or makes room for one: it belongs to no line."""
    match stmt:
        case Let(_, Const() as value):
            return is_const(value, 0)
        case Let(_, Call(fn)):
            return fn is np.zeros_like or fn is np.zeros
    return False


def _shared(stmt: Stmt, memo: dict[int, set[_Key]]) -> set[_Key]:
    """The primal lines of the simple statements in a statement."""
    if id(stmt) not in memo:
        inner = [s for block in blocks(stmt) for s in block if not _opens(s)]
        memo[id(stmt)] = set().union(*(_shared(s, memo) for s in inner)) if inner else {_key(stmt.origin)}
    return memo[id(stmt)]


def _run(block: Block, last: _Key, notes: Notes, memo: dict[int, set[_Key]]) -> _Key:
    """Comment one block, in which the comment `last` holds at the start; the comment that holds at its end."""
    for position, stmt in enumerate(block):
        if _opens(stmt):
            continue
        if isinstance(stmt, (For, While)) and len(stmt.origin.note) > 1 and not stmt.origin.adjoint:
            notes[id(stmt)] = stmt.origin.note
        keys = _shared(stmt, memo)
        if len(keys) == 1:
            (key,) = keys
            alone = position + 1 == len(block) or _shared(block[position + 1], memo) != keys
            if key is not None and key != last and not (alone and key[2].startswith("return ")):
                notes[id(stmt)] = f"{'tangent' if key[3] else 'adjoint'} of  {key[2]}"
            last = key
        else:
            for inner in blocks(stmt):
                _run(inner, None, notes, memo)
            last = None
    return last
