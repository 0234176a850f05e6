"""copies: a cotangent that starts as another one, and is changed no more than that one, is that one.

The reverse of ``t = a + b`` hands the cotangent of `t` to both `a` and `b`, each of them an array of its own, since
more may be added to either. Where nothing is, one array serves for all.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from srcad.analysis.buffers import stored_name
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Function, Let, Move, Return, Stmt, Var
from srcad.transforms.context import is_bar


def copies(fn: Function) -> Function:
    """Do without copies of arrays that stay as they are for as long as the copy is used.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import FLOAT, Array
    >>> a, b, c = (Var(name, Array("float64", ("n",), "C")) for name in ("a", "b~bar", "c~bar"))
    >>> copied = Let(c.name, Call(np.copy, (b,), (), b.type))
    >>> body = (Let(b.name, Call(np.exp, (a,), (), a.type)), copied, Let("t", Call(np.dot, (b, c), (), FLOAT)))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> print(write(name(copies(Function("f", (Param("a", a.type),), body)))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(a):
        b_bar = np.exp(a)
        t = np.dot(b_bar, b_bar)
    """
    if not any(_copied(stmt) for stmt in walk.statements(fn.body)):
        return fn
    return replace(fn, body=_Sharer(fn).block(fn.body))


class _Sharer:
    def __init__(self, fn: Function) -> None:
        self.pairs = Pairs.of(fn.body)
        self.mentions: Counter[str] = Counter()
        self.definitions: Counter[str] = Counter(p.name for p in fn.params)
        for stmt in walk.statements(fn.body):
            self.definitions.update(walk.targets(stmt) if isinstance(stmt, (Let, Move)) else ())
            self.mentions.update(_mentioned(stmt))

    def block(self, block: Block) -> Block:
        done: list[Stmt] = []
        rest = tuple(walk.map_stmt(lambda e: e, stmt, self.block) for stmt in block)
        while rest:
            stmt, rest = rest[0], rest[1:]
            source = _copied(stmt)
            if source is None or not isinstance(stmt, Let) or not self.one(stmt.target, source.name, rest):
                done.append(stmt)
                continue
            rest = walk.substitute_in(rest, {stmt.target: source})
            self.mentions[source.name] += self.mentions.pop(stmt.target, 0)
        return tuple(done)

    def one(self, copy: str, source: str, rest: Block) -> bool:
        """Whether nobody could tell a copy from its source in the statements in which it is used."""
        if any(self.definitions[name] != 1 for name in (copy, source)):
            return False
        found = 0
        for stmt in walk.statements(rest):
            mentioned = _mentioned(stmt)
            found += mentioned[copy]
            if isinstance(stmt, (Move, Return)) and any(self.pairs.may_share(copy, name) for name in mentioned):
                return False
            written = stored_name(stmt)
            if written is not None and any(self.pairs.may_share(name, written) for name in (copy, source)):
                return False
        return found == self.mentions[copy]


def _mentioned(stmt: Stmt) -> Counter[str]:
    return Counter(e.name for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr) if isinstance(e, Var))


def _copied(stmt: Stmt) -> Var | None:
    """The cotangent of which a statement makes another one, as a copy that lies in memory in the same order."""
    match stmt:
        case Let(target, Call(np.copy, (Var() as source,), (), kind)) if is_bar(target) and is_bar(source.name):
            return source if source.type == kind else None
    return None
