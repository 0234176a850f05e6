"""How much memory loops over elements go through: of two ways to put lines into them, which is better; part
of `elementwise`.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Iterator

from srcad.analysis.buffers import stored_name
from srcad.lang.ir import Block, Call, Expr, For, Stmt, Store, Var
from srcad.lang.types import Array
from srcad.lang.walk import statements, stmt_exprs, subexprs
from srcad.transforms.lines import Item, Line


def may_be_early(found: Block, known: Iterable[Stmt], split: list[Item]) -> bool:
    """Whether lines could have joined other nests: there are several, or one that is not for all of the matrices."""
    nests = sum(isinstance(loop.body[0], For) for loop in _loops(found, known))
    return nests > 1 or nests == 1 and any(len(line.shape) > 1 for line in _outside(found, split))


def _outside(block: Block, split: list[Item]) -> Iterator[Line]:
    """The lines that stay statements on arrays."""
    left = set(map(id, block))
    return (item for item in split if isinstance(item, Line) and id(item.stmt) in left)


def traffic(block: Block, known: Iterable[Stmt], split: list[Item]) -> tuple[int, int]:
    """How many elements of arrays the iterations of loops read, write and add to, each loop for itself, and lines that
    are in none; and how often a loop knows neighbours of what it writes to.
    """
    found: set[tuple[int, str, Expr]] = set()
    written: set[tuple[int, str]] = set()
    for loop in _loops(block, known):
        for stmt in statements((loop,)):
            name = stored_name(stmt)
            written |= {(id(loop), name)} if name is not None else set()
            if isinstance(stmt, Store) and isinstance(stmt.base, Var):
                found.add((id(loop), stmt.base.name, stmt.index))
            for e in (e for whole in stmt_exprs(stmt) for e in subexprs(whole)):
                match e:
                    case Call(operator.getitem, (Var(name, Array()), index)):
                        found.add((id(loop), name, index))
    places = Counter((loop, name) for loop, name, _ in found)
    beside = len([each for each in written if places[each] > 1])
    outside = [region for line in _outside(block, split) for region in (line.place, *line.reads)]
    return len(found) + len(outside), beside


def _loops(block: Block, known: Iterable[Stmt]) -> Iterator[For]:
    """The loops of a block that are new."""
    old = set(map(id, known))
    return (stmt for stmt in block if isinstance(stmt, For) and id(stmt) not in old)
