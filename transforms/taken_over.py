"""taken over: an array of zeros that is added to, and gets all of another one at last, is that other one.

So is one that is added to another one at last.

The reverse of ``v = u.copy(); v[1:-1] = f(u)`` takes the middle of `v_bar` out and clears it, adds to `u_bar`, and then
adds the rest of `v_bar`: ``u_bar = np.zeros_like(u); u_bar[2:] += ...; u_bar += v_bar``. Where nobody needs `v_bar` any
more, that becomes `u_bar` itself, as if the function had changed `u` in place: no array is made, and none is added.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, For, Function, If, Let, Stmt, Var, While
from srcad.lang.types import Array
from srcad.transforms.context import is_bar
from srcad.transforms.passing import other


def taken_over(fn: Function) -> Function:
    """Let cotangents go on as others that end there, where they would be added to zeros.

    >>> from srcad.lang.ir import Const, Param, Return, Slice
    >>> from srcad.lang.types import FLOAT, INT
    >>> a, u, v = (Var(name, Array("float64", ("n",), "C")) for name in ("a", "u~bar", "v~bar"))
    >>> first = Call(operator.getitem, (u, Const(0, INT)), (), FLOAT)
    >>> made = Let(v.name, Call(np.exp, (a,), (), a.type)), Let(u.name, Call(np.zeros_like, (a,), (), a.type))
    >>> body = (*made, Accum(first, Const(2.0, FLOAT)), Accum(u, v), Return(u))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> print(write(name(taken_over(Function("f", (Param("a", a.type),), body)))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(a):
        v_bar = np.exp(a)
        u_bar = v_bar
        u_bar[0] += 2.0
        return u_bar
    """
    if not any(_zeros(stmt) for stmt in walk.statements(fn.body)):
        return fn
    foreign = {s.target for s in walk.statements(fn.body) if isinstance(s, Let) and other(s).fixed}
    heirs = _Heirs(Pairs.of(fn.body), foreign | {p.name for p in fn.params})
    return replace(fn, body=heirs.block(fn.body, frozenset()))


@dataclass
class _Heirs:
    pairs: Pairs
    kept: set[str]  # arrays that others may know

    def block(self, block: Block, after: Names) -> Block:
        block = tuple(self.inside(stmt, behind) for stmt, behind in zip(block, live(block, after)))
        for position in range(len(block)):
            new = self.without(block, position, after)
            if new is not None:
                return self.block(new, after)
        return block

    def inside(self, stmt: Stmt, behind: Names) -> Stmt:
        if isinstance(stmt, (For, While)):
            behind = at_the_end(stmt, behind)
        return walk.map_stmt(lambda e: e, stmt, lambda body: self.block(body, behind)) if _is_nest(stmt) else stmt

    def without(self, block: Block, position: int, after: Names) -> Block | None:
        """The block without the zeros made at a position."""
        heir = _zeros(block[position])
        users = [k for k in range(position + 1, len(block)) if heir and mentions(block[k], heir.name)]
        if heir is None or not users:
            return None
        for count, k in enumerate(users):
            stmt = block[k]
            if isinstance(stmt, Accum) and stmt.target == heir and isinstance(stmt.value, Var) and count:
                if stmt.value.type == heir.type and self.ends(stmt.value, heir, block, users[0], k, after):
                    handed = Let(heir.name, stmt.value, block[position].origin)
                    new = (*block[:position], *block[position + 1 : users[0]], handed,
                           *block[users[0] : k], *block[k + 1 :])  # fmt: skip
                    return _as_one(new, handed)
            if count and (into := _added(stmt, heir)) and self.waits(into, heir, block, position, users[0], k, after):
                between = walk.substitute_in(block[users[0] : k], {heir.name: into})
                return (*block[:position], *block[position + 1 : users[0]], *between, *block[k + 1 :])
            if not self.only_adds(stmt, heir):
                return None
        return None

    def only_adds(self, stmt: Stmt, heir: Var) -> bool:
        """Whether all that a statement does with the array is to add to it what it has from elsewhere."""
        match stmt:
            case Accum(Var(heir.name), value):
                return heir.name not in walk.names(value)
            case Accum(Call(operator.getitem, (Var(heir.name), index)), value):
                return heir.name not in walk.names(value) | walk.names(index)
            case For() | If():
                inner = (s for block in walk.blocks(stmt) for s in block if mentions(s, heir.name))
                return heir.name not in _read_by_head(stmt) and all(self.only_adds(s, heir) for s in inner)
        return False

    def ends(self, ending: Var, heir: Var, block: Block, start: int, end: int, after: Names) -> bool:
        """Whether an array, under any name, is read for the last time when all of it is added to another one."""
        if any(self.pairs.may_share(name, ending.name) for name in self.kept):
            return False
        if not is_bar(ending.name) or any(mentions(stmt, ending.name) for stmt in block[start:end]):
            return False
        behind = live(block, after)
        later = behind[start - 1] if start else frozenset()
        # The heir has a new array by then: under its name nobody finds the old one.
        known = {name for name in later if name not in (heir.name, ending.name)}
        known |= walk.assigned(block[start:end]) - {heir.name}
        return ending.name not in behind[end] and not any(self.pairs.may_share(name, ending.name) for name in known)


    def waits(self, into: Var, heir: Var, block: Block, position: int, start: int, end: int, after: Names) -> bool:
        """Whether nobody looks at an array while another one is summed up that is added to it at the end."""
        if heir.name in live(block, after)[end] or into.name in walk.defined(block[position:end]):
            return False
        met = {name for s in walk.statements(block[start:end]) for e in walk.stmt_exprs(s) for name in walk.names(e)}
        return not any(self.pairs.may_share(name, into.name) for name in met - {heir.name})


def _added(stmt: Stmt, array: Var) -> Var | None:
    """The cotangent that a statement adds all of an array to."""
    match stmt:
        case Accum(Var(name, kind) as into, value) if value == array and kind == array.type and is_bar(name):
            return into if name != array.name else None
    return None


def _as_one(block: Block, handed: Let) -> Block:
    """The block with one name for the two arrays, if the one that ends began as the other one."""
    position = block.index(handed)
    old, heir = handed.value, Var(handed.target, handed.value.type)  # type: ignore[union-attr]
    assert isinstance(old, Var)
    begun = [k for k, stmt in enumerate(block[:position]) if old.name in walk.defined((stmt,))]
    if [block[k] for k in begun] != [Let(old.name, heir, block[begun[0]].origin)] if begun else True:
        return block
    between, rest = block[begun[0] + 1 : position], block[position + 1 :]
    if any(mentions(stmt, heir.name) for stmt in between) or any(mentions(stmt, old.name) for stmt in rest):
        return block
    return (*block[: begun[0]], *walk.substitute_in(between, {old.name: heir}), *rest)


def _zeros(stmt: Stmt) -> Var | None:
    """The cotangent that a statement begins with zeros."""
    match stmt:
        case Let(target, Call(fn, _, (), Array() as kind)) if is_bar(target) and member(fn, (np.zeros, np.zeros_like)):
            return Var(target, kind)
    return None


def _read_by_head(stmt: For | If) -> set[str]:
    """What the bounds of a loop read, or the test of a branch."""
    return set().union(*map(walk.names, walk.stmt_exprs(stmt)))


def _is_nest(stmt: Stmt) -> bool:
    return isinstance(stmt, (For, While, If))
