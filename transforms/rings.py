"""rings: what a loop around a ring adds to neighbours, each element gathers from them; part of `blocks`. For machine
code only.

The reverse of ``v[i] = u[i] - c * (u[(i + 1) % n] - u[(i - 1) % n])`` adds to three elements in each iteration, and
no two iterations may be done at a time. As the loop goes once around, what is added to ``u_bar[(i + 1) % n]`` by all
iterations is, for all elements, what the one before has for it: ``u_bar[i] += c * v_bar[(i - 1) % n]``. What is light
is computed once more for that.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from srcad.analysis.affine import plus
from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Function, Let, Stmt, Store, Var, While
from srcad.lang.types import INT, Array, Scalar
from srcad.transforms.around import is_turn, shift_of
from srcad.transforms.simplify import simplified
from srcad.transforms.taking import added_to, names_read

LIGHT = (operator.add, operator.sub, operator.mul, operator.neg, operator.getitem, operator.mod)
LARGEST = 64  # parts of what is computed again


def rings(fn: Function) -> Function:
    """Gather what loops around rings add to neighbours.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import FLOAT
    >>> u, v = (Var(name, Array("float64", ("n",), "C")) for name in "uv")
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> def at(a, k): return Call(operator.getitem, (a, k), (), FLOAT)
    >>> following = Call(operator.mod, (plus(i, Const(1, INT)), n), (), INT)
    >>> w = Var("w", FLOAT)
    >>> taken = Let("w", at(v, i)), Store(v, i, Const(0.0, FLOAT))
    >>> body = (*taken, Accum(at(u, i), w), Accum(at(u, following), Call(operator.mul, (w, Const(2.0)), (), FLOAT)))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), body)
    >>> from srcad.lang.write import write
    >>> fn = rings(Function("f", (Param("u", u.type), Param("v", v.type), Param("n", INT)), (loop,)))
    >>> print(write(fn).text, end="")
    def f(u, v, n):
        for i in range(n):
            u[i] += v[i] + v[(i - 1) % n] * 2.0
        for i in range(n):
            v[i] = 0.0
    """
    if not any(is_turn(e) for s in walk.statements(fn.body) for x in walk.stmt_exprs(s) for e in walk.subexprs(x)):
        return fn
    pairs = Pairs.of(fn.body)

    def block(stmts: Block, after: Names) -> Block:
        result: list[Stmt] = []
        for stmt, behind in zip(stmts, live(stmts, after)):
            inside = at_the_end(stmt, behind) if isinstance(stmt, (For, While)) else behind
            stmt = walk.map_stmt(lambda e: e, stmt, partial(block, after=inside))
            result += _Ring.of(stmt, behind, pairs.may_share) or [stmt] if isinstance(stmt, For) else [stmt]
        return tuple(result)

    return replace(fn, body=block(fn.body, frozenset()))


@dataclass
class _Ring:
    """A loop once around a ring, and what its iterations add to the elements of an array."""

    loop: For
    values: dict[str, Expr] = field(default_factory=dict)  # of names, in terms of elements
    added: dict[str, list[tuple[Accum, int, Expr]]] = field(default_factory=dict)  # by array: how far on, and what

    @staticmethod
    def of(loop: For, behind: Names, may_share: Callable[[str, str, Stmt], bool]) -> list[Stmt] | None:
        """The loop that gathers, and one that clears what it has taken; None where that may be something else."""
        once = walk.is_const(loop.start, 0) and walk.is_const(loop.step, 1) and loop.flag is None and not loop.shared
        plain = all(isinstance(stmt, (Let, Accum, Store)) for stmt in loop.body)
        fixed = not walk.names(loop.stop) & walk.assigned(loop.body)
        if not (once and plain and fixed) or walk.defined(loop.body) & behind:
            return None
        ring = _Ring(loop)
        ring.follow()
        for name, added in ring.added.items():
            if any(far for _, far, _ in added) and ring.can_gather(name, may_share):
                return ring.gathered(added)
        return None

    def follow(self) -> None:
        """Find out what names stand for, and what is added where."""
        own = walk.defined(self.loop.body)
        for stmt in self.loop.body:
            match stmt:
                case Let(name, value):
                    self.values[name] = walk.substitute(value, self.values)
                case Accum(Var(name, kind), value) if name in own:
                    new = (self.values[name], walk.substitute(value, self.values))
                    self.values[name] = Call(operator.add, new, (), kind)
                case Accum(Call(operator.getitem, (Var(name), index)), value):
                    far = self.far(walk.substitute(index, self.values))
                    if far is not None:
                        self.added.setdefault(name, []).append((stmt, far, walk.substitute(value, self.values)))

    def far(self, index: Expr) -> int | None:
        """How many places on around the ring an element is; None if it is not of the ring."""
        if index == Var(self.loop.index, INT):
            return 0
        return shift_of(index, self.loop)

    def can_gather(self, name: str, may_share: Callable[[str, str, Stmt], bool]) -> bool:
        """Whether nothing else is done with the array, and what is added is light and made of what stays as it is."""
        added, body = self.added[name], self.loop.body
        if not all(self.is_light(value) for _, _, value in added):
            return False
        others = [stmt for stmt in body if all(stmt is not each for each, _, _ in added)]
        cleared = {base for k, stmt in enumerate(body) if (base := self.clears(stmt, body[k + 1 :])) is not None}
        if sum(isinstance(stmt, Store) for stmt in others) != len(cleared):
            return False
        grown = {added_to(stmt) for stmt in others if isinstance(stmt, Accum)} - walk.defined(body)
        far = {e.args[0].name for _, _, value in added for e in walk.subexprs(value)  # type: ignore
               if self.is_element(e) and self.far(e.args[1])}  # type: ignore  # fmt: skip
        read = names_read(body) | cleared | grown
        apart = not any(may_share(name, other, self.loop) for other in read)
        kept = not any(may_share(one, other, self.loop) for one in cleared | grown for other in read if one != other)
        used = set().union(*(walk.names(value) for _, _, value in added))
        return apart and kept and not used & grown and not cleared & (far | grown)

    def clears(self, stmt: Stmt, rest: Block) -> str | None:
        """The array of which an iteration clears its element, if it is the last that it does with the array."""
        match stmt:
            case Store(Var(name), index, Const(0.0)) if self.far(index) == 0 and name not in walk.mentioned(rest):
                return name
        return None

    def is_light(self, value: Expr) -> bool:
        """Whether an expression is made of few elements of the ring, and of what is the same all around."""
        index = Var(self.loop.index, INT)
        parts = list(walk.subexprs(walk.map_expr(lambda e: Const(0, INT) if self.is_element(e) else e, value)))
        if len(parts) > LARGEST or index in parts:
            return False
        return all(member(e.fn, LIGHT) and isinstance(e.type, Scalar) for e in parts if isinstance(e, Call))

    def is_element(self, e: Expr) -> bool:
        match e:
            case Call(operator.getitem, (Var(_, Array(_, (_,))), index)):
                return self.far(index) is not None
        return False

    def gathered(self, added: list[tuple[Accum, int, Expr]]) -> list[Stmt]:
        loop = self.loop
        terms = [self.turned(value, -far) for _, far, value in added]
        whole = terms[0]
        for term in terms[1:]:
            whole = Call(operator.add, (whole, term), (), getattr(whole, "type", INT))
        first = added[0][0]
        assert isinstance(first.target, Call)
        target = replace(first.target, args=(first.target.args[0], Var(loop.index, INT)))
        clears = tuple(stmt for stmt in loop.body if isinstance(stmt, Store))
        gone = {id(stmt) for stmt, _, _ in added} | {id(stmt) for stmt in clears}
        kept = tuple(stmt for stmt in loop.body if id(stmt) not in gone)
        body = _used((*kept, Accum(target, whole, first.origin)))
        return [replace(loop, body=body), *([replace(loop, body=clears)] if clears else [])]

    def turned(self, value: Expr, by: int) -> Expr:
        """An expression, as the iteration so many places on has it."""

        def element(e: Expr) -> Expr:
            if not isinstance(e, Call) or not self.is_element(e):
                return e
            base, index = e.args
            return replace(e, args=(base, self.place((self.far(index) or 0) + by)))

        return walk.map_expr(lambda e: simplified(element(e)), value)

    def place(self, far: int) -> Expr:
        index = Var(self.loop.index, INT)
        if not far:
            return index
        moved = plus(index, Const(far, INT)) if far > 0 else Call(operator.sub, (index, Const(-far, INT)), (), INT)
        return Call(operator.mod, (moved, self.loop.stop), (), INT)


def _used(body: Block) -> Block:
    """A body without names that nobody reads."""
    read = names_read(body)
    own = {stmt.target for stmt in body if isinstance(stmt, Let)}
    shorter = tuple(stmt for stmt in body if _gives(stmt) not in own - read)
    return body if shorter == body else _used(shorter)


def _gives(stmt: Stmt) -> str | None:
    match stmt:
        case Let(name) | Accum(Var(name)):
            return name
    return None
