"""Copies of records that the derivative of a derivative writes to; part of `places`."""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import buffers
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Function, Let, Move, Stmt, Var, hint
from srcad.lang.types import Array
from srcad.transforms.elementwise import is_list
from srcad.transforms.flatten import fresh_names


def with_own_records(fn: Function, troubled: set[str]) -> Function:
    """A function with copies of those records that may go by the `troubled` names, which are written to.

    A reverse sweep takes each record once and goes on from it, be it that the array grows or gets other elements.
    Nobody reads the record behind that, so a copy of it serves as well, and has one name.
    """
    lists = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and is_list(s)}
    moves = [s for s in walk.statements(fn.body) if isinstance(s, Move)]
    handed = [(t, v.name) for s in moves for t, v in zip(s.targets, s.values) if isinstance(v, Var)]
    while more := {target for target, name in handed if name in lists} - lists:
        lists |= more
    if not lists:
        return fn
    known = buffers(fn)
    memory = frozenset[str]().union(*map(known.of, troubled))
    fresh = fresh_names({p.name for p in fn.params} | walk.assigned(fn.body))
    changed = False

    def block(stmts: Block) -> Block:
        return tuple(part for stmt in stmts for part in copied(stmt))

    def copied(stmt: Stmt) -> Block:
        nonlocal changed
        match stmt:
            case Let(target, Call(operator.getitem, (Var(name), _), ()) as record) if (
                name in lists and isinstance(record.type, Array) and known.of(target) & memory
            ):
                changed = True
                one = Var(fresh(hint(target)), record.type)
                return replace(stmt, target=one.name), replace(stmt, value=Call(np.copy, (one,), (), record.type))
        return (walk.map_stmt(lambda e: e, stmt, block),)

    body = block(fn.body)
    return replace(fn, body=body) if changed else fn
