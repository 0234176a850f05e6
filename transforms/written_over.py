"""written over: what an array that goes through a loop becomes is written to it, or to one that has its end there.

The reverse of ``m = 0.9 * m + g`` makes a new array an iteration, ``m_bar = 0.9 * m_bar``. Nobody reads the old one any
more, so the new elements may take the place of the old ones, ``m_bar[:] = 0.9 * m_bar``, and no array is made.

Why it is right: each element is computed from the old one at its place, and from arrays elsewhere in memory. Behind
that, no name by which the old array is found is read. Arrays that callers or structures hold are left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import stored_name
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, Let, Move, Slice, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.types import REAL, Array, Static, TupleType
from srcad.transforms.context import is_bar
from srcad.transforms.elements import computes, leaves
from srcad.transforms.passing import other


def written_over(fn: Function) -> Function:
    """Let cotangents that go through a loop stay where they are in memory.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> n, b = Var("n", INT), Var("m~bar", Array("float64", ("n",), "C"))
    >>> step = Let(b.name, Call(operator.mul, (Const(0.9, FLOAT), b), (), b.type))
    >>> loop = For("k", Const(0, INT), Const(9, INT), Const(1, INT), (step,))
    >>> body = (Let(b.name, Call(np.ones, (n,), (), b.type)), loop, Return(b))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> print(write(name(written_over(Function("f", (Param("n", INT),), body)))).text.split("np\\n\\n\\n")[1], end="")
    def f(n):
        m_bar = np.ones(n)
        for k in range(9):
            m_bar[:] = 0.9 * m_bar
        return m_bar
    """
    bound = Counter(name for s in walk.statements(fn.body) if isinstance(s, (Let, Move)) for name in walk.targets(s))
    rebound = {name for name, times in bound.items() if times > 1 and is_bar(name)}
    if not any(isinstance(s, Let) and s.target in rebound and _made_of(s) for s in walk.statements(fn.body)):
        return fn
    return replace(fn, body=_Places(Pairs.of(fn.body), held(fn), rebound).block(fn.body, frozenset()))


@dataclass
class _Places:
    pairs: Pairs
    kept: set[str]  # arrays that others may know
    rebound: set[str]

    def block(self, block: Block, after: Names) -> Block:
        behind = live(block, after)
        for position, stmt in enumerate(block):
            for array in _made_of(stmt) if isinstance(stmt, Let) and stmt.target in self.rebound else ():
                assert isinstance(stmt, Let)
                is_own = array.name == stmt.target
                end = position if is_own else max(k for k, s in enumerate(block) if mentions(s, array.name))
                between = block[position + 1 : end + 1]
                if self.ends(array, stmt, behind[end]) and self.waits(stmt, between):
                    if not is_own:
                        named = Let(stmt.target, array, stmt.origin)
                        block = (*block[:position], *between, *_filled(array, stmt), named, *block[end + 1 :])
                        return self.nested(block, after)
                    block = (*block[:position], *_filled(array, stmt), *block[position + 1 :])
                    return self.block(block, after)
        return self.nested(block, after)

    def nested(self, block: Block, after: Names) -> Block:
        done = []
        for stmt, behind in zip(block, live(block, after)):
            names = at_the_end(stmt, behind) if isinstance(stmt, (For, While)) else behind
            done.append(self.inside(stmt, names) if walk.blocks(stmt) else stmt)
        return tuple(done)

    def inside(self, stmt: Stmt, after: Names) -> Stmt:
        return walk.map_stmt(lambda e: e, stmt, lambda body: self.block(body, after))

    def ends(self, array: Var, stmt: Let, behind: Names) -> bool:
        """Whether nobody reads an array any more, under any name, when a statement has done so at last."""
        if array.name != stmt.target and array.name in behind:
            return False
        others = (behind | walk.names(stmt.value) | self.kept) - {array.name, stmt.target}
        return not any(self.pairs.may_share(array.name, name) for name in others)

    def waits(self, stmt: Let, between: Block) -> bool:
        """Whether a value may as well be computed behind some other statements."""
        read = walk.names(stmt.value)
        if any(mentions(s, stmt.target) or read & walk.assigned((s,)) for s in between):
            return False
        written = {name for s in walk.statements(between) if (name := stored_name(s)) is not None}
        return not any(self.pairs.may_share(one, other) for one in written for other in read)


def _made_of(stmt: Let) -> list[Var]:
    """The cotangents that another one is computed from element by element, and that are like it; its own first."""
    match stmt:
        case Let(target, Call(type=Array(layout="C") as kind) as value) if kind.dtype in REAL and computes(value):
            found = {e.name for e in leaves(value) if isinstance(e, Var) and e.type == kind and is_bar(e.name)}
            arrays = [Var(name, kind) for name in sorted(found, key=lambda name: (name != target, name))]
            return [array for array in arrays if _only_elements(value, array)]
    return []


def _only_elements(value: Expr, array: Var) -> bool:
    """Whether a value is computed element by element from an array, and from others."""
    found = list(leaves(value)) if computes(value) else []
    used = [e.name for e in walk.subexprs(value) if isinstance(e, Var)]
    return array in found and used.count(array.name) == found.count(array)


def _filled(array: Var, stmt: Let) -> Block:
    """A value written to an array, if it is not the array as it is."""
    assert isinstance(array.type, Array)
    match stmt.value:
        case Call(np.copy, (Var(array.name),), ()):
            return ()
    whole = Slice() if array.type.ndim == 1 else Const(Ellipsis, Static(Ellipsis))
    return (Store(array, whole, stmt.value, stmt.origin),)


def held(fn: Function) -> set[str]:
    """The names of arrays that callers or structures may know.

    >>> from srcad.lang.ir import Param
    >>> held(Function("f", (Param("x"),), (Let("y", Var("x")),)))
    {'x'}
    """
    return {p.name for p in fn.params} | {name for stmt in walk.statements(fn.body) for name in _held(stmt)}


def _held(stmt: Stmt) -> Iterator[str]:
    """The names of what a statement hands to who may know it later, or gets from there."""
    match stmt:
        case Let(target, value) if other(stmt).fixed or isinstance(getattr(value, "type", None), TupleType):
            yield from {target, *walk.names(value)}
        case Effect(call):
            yield from walk.names(call)
        case Store(Var(type=kind), _, value) if not isinstance(kind, Array):
            yield from walk.names(value)
        case Move(_, values):
            for value in values:
                yield from walk.names(value) if isinstance(value, Tuple) else ()
