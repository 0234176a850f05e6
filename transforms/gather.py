"""gather: a loop finishes an element of a cotangent before it goes on to the next one.

``x_bar[i] += a; x_bar[i + 1] += b`` adds to each element in two iterations: every iteration waits until what the last
one wrote can be read, and none runs beside another. What belongs to the elements of the iterations to come is carried
in scalars instead, and each element is written once. What all iterations of a loop add to one element, as in
``x_bar[i] += a; x_bar[j] += b`` in a loop over `j`, is summed up in a scalar and added behind the loop.

The scalars of the iterations to come are computed before the element is written: only so can machines run several
iterations at once.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from srcad.analysis.additions import neighbours, only_added_to, place_of, varies
from srcad.analysis.affine import linear
from srcad.analysis.buffers import stored_name
from srcad.analysis.contents import content_names
from srcad.analysis.elements import is_touched, without_zero
from srcad.analysis.encounters import Encounters
from srcad.analysis.pairs import Pairs
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Store, Tuple, Var, While
from srcad.lang.types import BOOL, FLOAT
from srcad.lang.walk import assigned, map_stmt, mentioned, names, statements
from srcad.transforms.flatten import fresh_names
from srcad.transforms.hoist import runs
from srcad.transforms.simplify import plus, simplified

FARTHEST = 4  # elements between the first and the last one that an iteration adds to


def gather(fn: Function, last: bool = True) -> Function:
    """Let innermost loops finish one element after the other; `last`: nobody differentiates that again.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import INT, Array
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> b, v = Var("b", Array("float64", ("n",), "C")), Var("v", Array("float64", ("n",), "C"))
    >>> def at(a, k): return Call(operator.getitem, (a, k), (), FLOAT)
    >>> following = Call(operator.add, (i, Const(1, INT)), (), INT)
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (Accum(at(b, i), at(v, i)), Accum(at(b, following), at(v, n))))
    >>> from srcad.lang.write import write
    >>> fn = gather(Function("f", (Param("b", b.type), Param("v", v.type), Param("n", INT)), (loop, Return(b))))
    >>> from srcad.transforms.name import name
    >>> print(write(name(fn)).text, end="")
    def f(b, v, n):
        b_carried = 0.0
        for i in range(n):
            b_next = v[n]
            b[i] += b_carried + v[i]
            b_carried = b_next
        if n > 0:
            b[n] += b_carried
        return b
    """
    used = {p.name for p in fn.params} | assigned(fn.body)
    return replace(fn, body=_Gatherer(fn, Pairs.of(fn.body), fresh_names(used), last).block(fn.body))


@dataclass
class _Gatherer:
    fn: Function
    pairs: Pairs
    fresh: Callable[[str], str]
    last: bool = True  # a sum that is zero is left out: its derivative need not be
    known: For | None = None  # the loop as it was when `pairs` were found
    around: tuple[Block, int] = ((), 0)  # the block of that loop, and where it stands there
    loops: list[Stmt] = field(default_factory=list)  # those around it

    def block(self, block: Block) -> Block:
        result: list[Stmt] = []
        for position, stmt in enumerate(block):
            if isinstance(stmt, For) and not any(isinstance(s, (For, While)) for s in statements(stmt.body)):
                self.around = block, position
                result = self.loop(stmt, result)
            else:
                self.loops.append(stmt)
                result.append(map_stmt(lambda e: e, stmt, self.block))
                self.loops.pop()
        return tuple(result)

    def loop(self, loop: For, ahead: list[Stmt]) -> list[Stmt]:
        """The statements before an innermost loop, the loop, and what stands behind it then."""
        before: list[Stmt] = []
        behind: list[Stmt] = []
        changed = assigned(loop.body) | {loop.index}
        if loop.flag is not None or any(changed & names(e) for e in (loop.start, loop.stop)):
            return [*ahead, loop]
        self.known = loop
        for base, alone in self.bases(loop.body):
            carried = loop
            while alone and (body := self.carried(carried, base, before, behind)):  # row by row
                carried = replace(carried, body=body)
            body = self.summed(loop, base, changed, before, behind, alone) if carried is loop else carried.body
            loop = replace(loop, body=body or loop.body)
        rare = [stmt for stmt in behind if isinstance(stmt, If)]
        sure: list[Any] = [stmt for stmt in behind if (place := place_of(stmt)) and is_touched(place, *self.around)]
        behind = [stmt for stmt in behind if stmt not in rare and stmt not in sure]
        if behind:
            origin, test = replace(loop.origin, adjoint=False), runs(loop, tuple(self.loops))
            behind = [replace(s, origin=origin) for s in behind]
            behind = behind if test is None else [If(test, tuple(behind), (), origin)]
        for k, stmt in enumerate(sure):
            ahead, sure[k] = self.assigned(ahead, loop, stmt)
        return [*ahead, *before, loop, *sure, *behind, *rare]

    def assigned(self, ahead: list[Stmt], loop: For, total: Accum) -> tuple[list[Stmt], Stmt]:
        """What is before a loop, and what adds a total behind it: that assigns it if a zero has been stored there."""
        place = place_of(total)
        assert place is not None
        array, index = total.target.args  # type: ignore[union-attr]
        shared = lambda known: any(self.pairs.may_share(place[0], name) for name in known)
        shorter = None if shared(mentioned((loop,))) else without_zero(place, ahead, shared)
        if shorter is None:
            return ahead, total
        return shorter, Store(array, index, total.value, total.origin)

    def bases(self, body: Block) -> list[tuple[str, bool]]:
        """The arrays that a loop adds to, and whether it knows them by one name alone, for nothing else.

        At several places; or at one, while it writes to other arrays: these might be the same for all that LLVM knows.
        """
        found: dict[str, list[Expr]] = {}
        every = list(statements(body)) if self.last else body
        for stmt in every:
            if (place := place_of(stmt)) is not None:
                found.setdefault(place[0], []).append(place[1])
        plain = all(isinstance(stmt, (Let, Accum, Move, If) if self.last else (Let, Accum, Move)) for stmt in every)
        others = plain and len({stored_name(stmt) for stmt in every} - {None}) > 1
        alone = {name: only_added_to(self.pairs, name, body, self.known) for name in found}
        return [(name, alone[name]) for name, places in found.items()
                if others or len(set(places)) > 1 or not alone[name]]  # fmt: skip

    # ------------------------------------------------------------ elements one after the other

    def carried(self, loop: For, base: str, before: list[Stmt], behind: list[Stmt]) -> Block | None:
        """The body with what belongs to later iterations in scalars, if it adds to neighbouring elements."""
        step = loop.step.value if isinstance(loop.step, Const) else None
        loop = replace(loop, body=self.once(loop.body, base))
        found = neighbours(loop, base, FARTHEST)
        if step not in (1, -1) or found is None:
            return None
        last = (min if step == 1 else max)(found)  # the one that is finished
        ahead = {abs(offset - last): stmt for offset, stmt in found.items()}
        count = max(ahead)
        scalars = [Var(self.fresh(f"{base}~carried"), FLOAT) for _ in range(count)]
        origin = ahead[0].origin
        before.extend(Let(scalar.name, Const(0.0, FLOAT), origin) for scalar in scalars)
        behind.extend(
            Accum(_shifted(ahead[0].target, loop, step * distance), scalar, origin)
            for distance, scalar in enumerate(scalars, 1)
        )
        return self.carrying(loop.body, ahead, scalars)

    def once(self, body: Block, base: str) -> Block:
        """The body where what is added to one element at several places is added at the last one of them."""
        found = list(map(place_of, body))
        places = [at[1] if at is not None and at[0] == base else None for at in found]
        result: list[Stmt] = []
        waiting: dict[Expr, Expr] = {}
        for stmt, place, later in zip(body, places, (places[k + 1 :] for k in range(len(body)))):
            if place is None or not isinstance(stmt, Accum):
                result.append(stmt)
                continue
            value = _sum(waiting[place], stmt.value) if place in waiting else stmt.value
            if place in later:
                waiting[place] = self.named(value, stmt, result)
            else:
                result.append(replace(stmt, value=value))
        return tuple(result)

    def carrying(self, body: Block, ahead: dict[int, Accum], scalars: list[Var]) -> Block:
        """Each addition becomes a value of its own; at the end of the iteration the element is finished."""
        body, end = (body[:-1], body[-1:]) if isinstance(body[-1], Move) else (body, ())
        distances = {id(stmt): distance for distance, stmt in ahead.items()}
        values: dict[int, Expr] = {}
        result: list[Stmt] = []
        for position, stmt in enumerate(body):
            distance = distances.get(id(stmt))
            if distance is None:
                result.append(stmt)
                continue
            assert isinstance(stmt, Accum)
            values[distance] = stmt.value
            farthest = distance == len(scalars) and not isinstance(stmt.value, (Const, Var))
            if farthest or not self.stays(stmt.value, body[position + 1 :]):
                values[distance] = self.named(stmt.value, stmt, result)
        return (*result, *self.finished(ahead[0], values, scalars), *end)

    def stays(self, value: Expr, block: Block) -> bool:
        """Whether a value is the same behind these statements."""
        written = {name for s in statements(block) if (name := stored_name(s)) is not None}
        shared = any(self.pairs.may_share(one, other, self.known) for one in content_names(value) for other in written)
        return not shared and not names(value) & assigned(block)

    def named(self, value: Expr, stmt: Accum, result: list[Stmt]) -> Expr:
        base, _ = place_of(stmt) or ("", None)
        own = Var(self.fresh(f"{base}~next"), FLOAT)
        result.append(Let(own.name, value, stmt.origin))
        return own

    def finished(self, stmt: Accum, values: dict[int, Expr], scalars: list[Var]) -> list[Stmt]:
        """One element written, and the scalars moved on by one."""
        result: list[Stmt] = []
        moved: list[Expr] = []
        for distance, following in enumerate([*scalars[1:], None], 1):
            value = values.get(distance)
            if following is not None and value is not None:
                value = self.named(_sum(following, value), stmt, result)
            moved.append(value if value is not None else following)  # type: ignore[arg-type]
        result.append(replace(stmt, value=_sum(scalars[0], values[0])))
        if len(scalars) == 1:
            return [*result, Let(scalars[0].name, moved[0], stmt.origin)]
        return [*result, Move(tuple(scalar.name for scalar in scalars), tuple(moved), stmt.origin)]

    # ------------------------------------------------------------ one element for all iterations

    def summed(
        self, loop: For, base: str, changed: set[str], before: list[Stmt], behind: list[Stmt], alone: bool
    ) -> Block | None:
        """The body with sums in scalars for the elements that are the same in each iteration.

        What only some iterations add to may be no element at all where none does: there, nothing has been added.
        Adding is all that is done with the array (`alone`), or with the element.
        """
        sums: dict[Expr, Var] = {}
        always: set[Expr] = set()

        def statement(stmt: Stmt, within: bool) -> Stmt:
            place = place_of(stmt)
            stands = place and place[0] == base and not varies(place[1], changed)
            if not isinstance(stmt, Accum) or place is None or not stands:
                return map_stmt(lambda e: e, stmt, inner) if self.last else stmt
            target = stmt.target
            if alone or target in sums or self.only_adds(loop, stmt):
                if target not in sums:
                    sums[target] = Var(self.fresh(f"{base}~sum"), FLOAT)
                    before.append(Let(sums[target].name, Const(0.0, FLOAT), stmt.origin))
                    added.append(Accum(target, sums[target], stmt.origin))
                if not within or is_touched(place, *self.around):
                    always.add(target)
                return replace(stmt, target=sums[target])
            return stmt

        def inner(block: Block) -> Block:
            return tuple(statement(stmt, True) for stmt in block)

        added: list[Accum] = []
        body = tuple(statement(stmt, False) for stmt in loop.body)
        behind.extend(stmt if stmt.target in always else if_any(stmt) for stmt in added)
        return body if sums else None

    def only_adds(self, loop: For, stmt: Accum) -> bool:
        """Whether a loop does nothing with the element that a statement adds to, but to add."""
        known = self.known
        assert known is not None
        return self.encounters.only_adds(known, loop.body, stmt, lambda a, b: self.pairs.may_share(a, b, known))

    @functools.cached_property
    def encounters(self) -> Encounters:
        return Encounters(self.fn)


def if_any(stmt: Accum) -> If:
    """What adds a sum where it is none of nothing."""
    return If(Call(operator.ne, (stmt.value, Const(0.0, FLOAT)), (), BOOL), (stmt,), (), stmt.origin)


# ---------------------------------------------------------------- expressions


def _sum(a: Expr, b: Expr) -> Expr:
    """``a + p - q`` for a sum of `a` and ``p - q``."""
    match b:
        case Call(operator.add | operator.sub, (left, right)):
            return replace(b, args=(_sum(a, left), right))
    return simplified(Call(operator.add, (a, b), (), FLOAT))


def _shifted(target: Expr, loop: For, distance: int) -> Expr:
    """The element that is `distance` behind the one that the last iteration has finished."""
    assert isinstance(target, Call)
    assert isinstance(loop.step, Const)
    end = plus(loop.stop, -loop.step.value)

    def place(item: Expr) -> Expr:
        known = linear(item)
        return plus(end, known[1] + distance) if known is not None and known[0] == loop.index else item

    base, index = target.args
    new = replace(index, items=tuple(map(place, index.items))) if isinstance(index, Tuple) else place(index)
    return replace(target, args=(base, new))
