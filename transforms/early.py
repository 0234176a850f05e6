"""early: elements that a loop reads before it overwrites them; part of `state`.

In ``for i in range(n): v[i] = a * v[i] + b * v[i + 1]`` no element that is read has been overwritten since the loop
began. One copy of the vector, made before the loop, has them all. Where the loop stands in another one, and that one
records the vector, the copy is the record, and nobody goes through the loop again to get the elements.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from dataclasses import replace

from srcad.analysis.affine import linear
from srcad.analysis.lasting import SINCE, Lasting, Scope
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, For, If, Let, Stmt, Var, While
from srcad.lang.types import Array, Dim, Scalar, is_elastic


def is_early(stmt: Let, array: str, lasting: Lasting, first: str, loop: For | While) -> bool:
    """Whether a statement reads an element of a vector that the loop goes through, and has not overwritten it yet;
    `first` is the first name of the element."""
    match stmt.value:
        case Call(operator.getitem, (Var(name, Array(shape=(dim,)) as kind), index), (), Scalar()) if name == array:
            if is_elastic(kind) or not isinstance(loop, For) or (linear(index) or ("", 0))[0] != loop.index:
                return False
            places = lasting.reads.get(first, ())
            loops = {id(one): one for place in places for one in place.loops if one is not loop}
            around = set().union(*(walk.assigned((one,)) for one in loops.values())) - walk.assigned((loop,))
            return _goes_through(loop, around, dim) and lasting.lasts(first, Scope(loop, SINCE))
    return False


def _goes_through(loop: For, around: set[str], dim: Dim) -> bool:
    """Whether a loop goes through most of a vector, and not through a few elements here and there: one of its ends does
    not move with the loops around it."""
    if isinstance(loop.start, Const) and isinstance(loop.stop, Const):
        return isinstance(dim, int)
    return any(not walk.names(end) & around for end in (loop.start, loop.stop))


def are_worth_a_copy(reads: Iterable[Let]) -> bool:
    """Whether a copy of the vector takes less than a record of the elements: one of a single element is as short."""
    return len({stmt.value for stmt in reads}) > 1


def read_from(code: Block, elements: Mapping[str, str], copies: Mapping[str, str]) -> Block:
    """Some code in which `elements`, names and the arrays that they are read from, are read from `copies` of these."""
    if not elements:
        return code
    result: list[Stmt] = []
    for stmt in code:
        if isinstance(stmt, Let) and stmt.target in elements:
            array = elements[stmt.target]
            stmt = replace(stmt, value=walk.rename_expr(stmt.value, {array: copies[array]}))
        elif isinstance(stmt, If):
            then, orelse = (read_from(side, elements, copies) for side in (stmt.then, stmt.orelse))
            stmt = replace(stmt, then=then, orelse=orelse)
        result.append(stmt)
    return tuple(result)
