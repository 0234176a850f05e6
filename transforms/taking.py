"""Loops in loops that take the cotangents of a table's entries, one by one, and hand them on; part of `trails`."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass

from srcad.analysis.affine import linear, natural
from srcad.analysis.live import Names
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Let, Stmt, Store, Var, select
from srcad.lang.origin import Origin
from srcad.lang.types import FLOAT, Array
from srcad.transforms.few import is_zero
from srcad.transforms.picks import moves_alone
from srcad.transforms.side_by_side import is_pure


@dataclass
class Nest:
    """Loops in loops that take the cotangent `taken` of one entry of a table, and hand it on."""

    loops: list[For]
    body: Block
    table: Var
    own: list[int]  # the constants of its subscripts
    taken: Var
    origin: Origin

    @staticmethod
    def of(loop: For, behind: Names) -> Nest | None:
        loops = [loop]
        before: list[Stmt] = []
        while loops[-1].body:
            *lets, inner = loops[-1].body
            if not (isinstance(inner, For) and all(isinstance(s, Let) for s in lets)):
                break
            before += lets
            loops.append(inner)
        body = (*before, *loops[-1].body)
        inside = walk.defined(body) | {each.index for each in loops}
        bounds = set().union(*(walk.names(e) for each in loops for e in (each.start, each.stop)))
        steps = all(isinstance(each.step, Const) and each.step.value in (1, -1) for each in loops)
        if not steps or any(each.flag is not None or each.shared for each in loops) or inside & behind:
            return None
        if bounds & walk.assigned(body) or not all(map(is_pure, walk.statements(body))):
            return None
        return Nest.taking(loops, body)

    @staticmethod
    def taking(loops: list[For], body: Block) -> Nest | None:
        """The nest, if all that an iteration adds is a multiple of what it takes from an entry that it clears."""
        for stmt in body:
            match stmt:
                case Store(Var(name, Array(_, dims)) as table, index, Const(0.0)) if len(dims) == len(loops):
                    reads = [s for s in body if isinstance(s, Let) and _is_element(s.value, table, index)]
                    rest = tuple(s for s in body if s is not stmt and s not in reads)
                    own = constants(index, loops)
                    if len(reads) != 1 or own is None or not moves_alone(rest):
                        return None
                    nest = Nest(loops, rest, table, own, Var(reads[0].target, FLOAT), stmt.origin)
                    return nest if name not in names_read(rest) and nest.adds_multiples() else None
        return None

    def adds_multiples(self) -> bool:
        """Whether nothing is added where what is taken is zero, and nothing is read to which something is added."""
        zeros = {self.taken.name}
        known = lambda e: _picks_zero(e, zeros)
        pairs = [pair for stmt in walk.statements(self.body) for pair in walk.bindings(stmt)]
        for name, value in pairs:
            zeros.update({name} if is_zero(value, zeros, known) else ())
        if any(name in zeros and not is_zero(value, zeros, known) for name, value in pairs):
            return False
        added = [s for s in walk.statements(self.body) if isinstance(s, Accum)]
        read = names_read(self.body) - walk.defined(self.body)
        return all(is_zero(s.value, zeros, known) and added_to(s) not in read for s in added)


def constants(index: Expr, loops: list[For]) -> list[int] | None:
    """The constants in subscripts ``i + 1, j`` that are those of the loops, and never negative; None for others."""
    found = [linear(item) for item in items_of(index)]
    if [each and each[0] for each in found] != [loop.index for loop in loops]:
        return None
    return [each[1] for each in found if each] if all(natural(e, tuple(loops)) for e in found if e) else None


def _is_element(value: Expr, base: Expr, index: Expr) -> bool:
    return isinstance(value, Call) and value.fn is operator.getitem and value.args == (base, index)


def _picks_zero(e: Expr, zeros: set[str]) -> bool:
    match e:
        case Call(fn, (_, one, other)) if fn is select:
            known = lambda inner: _picks_zero(inner, zeros)
            return is_zero(one, zeros, known) and is_zero(other, zeros, known)
    return False


def names_read(block: Block, table: Var | None = None) -> set[str]:
    """The names that statements read: of what is added to, only in subscripts, and no table that they store in."""
    found: list[Expr] = []
    for stmt in walk.statements(block):
        if isinstance(stmt, Store) and stmt.base == table:
            found += [stmt.index, stmt.value]
        elif isinstance(stmt, Accum):
            found += [stmt.value, *(stmt.target.args[1:] if isinstance(stmt.target, Call) else ())]
        else:
            found += walk.stmt_exprs(stmt)
    return set().union(*map(walk.names, found))


def added_to(stmt: Accum) -> str:
    base = stmt.target.args[0] if isinstance(stmt.target, Call) else stmt.target
    return base.name if isinstance(base, Var) else ""


def mentions(block: Block) -> Counter[str]:
    """How many statements mention each name."""
    found: Counter[str] = Counter()
    for stmt in walk.statements(block):
        found.update(set().union(walk.targets(stmt), *map(walk.names, walk.stmt_exprs(stmt))))
    return found
