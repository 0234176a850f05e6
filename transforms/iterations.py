"""Loops while calls are inlined: one over a structure is written out; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from srcad.lang.forms import as_keys, fewer
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, If, Stmt, Tuple, Var, hint
from srcad.lang.lists import element_of
from srcad.lang.structure import LIST
from srcad.lang.types import Static, TupleType, Type
from srcad.transforms import identities, over_objects
from srcad.transforms.calls import folded_number
from srcad.transforms.carried import carry
from srcad.transforms.sampled import Sampled
from srcad.transforms.objects import field
from srcad.transforms.outlines import agree, is_single, of_any_rank, only
from srcad.transforms.order import assigned
from srcad.transforms.over_structures import begun_anew, makes_keys, most_of, other_elements, over_structure, trips_of
from srcad.transforms.written import counts

MOST_TURNS = 256  # iterations that are written out
_FEW = 8  # those where only the numbers of attributes tell how many there are
_TRIED = 20  # lists of one name for which loops carry arrays
_OBJECTS = 64  # those of a loop that makes a list of objects


class Rebound(Exception):
    """Met while inlining a loop: an iteration gives a name that holds a list another one."""

    def __init__(self, name: str, alike: bool = False):
        self.name = name
        self.alike = alike  # whether it has as many elements, and only ranks and texts among them are not known


class Iterations(Sampled):
    """Writes loops over structures out, and keeps what is known of structures right around all others."""

    rebound: set[str]  # the lists for which loops carry arrays
    plain: set[str]  # the names that surely hold something: see `maybe`
    with_arrays: set[str]  # those of lists of arrays: see `standing`
    of_any_rank: set[str]  # what loops give structures with other arrays or texts

    # names for values, of which as much is known

    def named(self, expr: Expr, name: str = "t") -> Expr:
        result = super().named(expr, name)
        if isinstance(expr, Tuple) and isinstance(result, Var):
            self.types.setdefault(result.name, self.type_of(expr))
        return result

    def kept(self, expr: Expr) -> Expr:
        found = self.types.get(expr.name) if isinstance(expr, Var) else None
        result = super().kept(expr)
        if found is not None and isinstance(result, Var):
            self.types[result.name] = found
        return result

    # what `inline` adds

    def statement(self, stmt: Stmt) -> None:
        raise NotImplementedError

    def block(self, block: Block) -> Block:
        raise NotImplementedError

    def merge(
        self, test: Expr, then: dict[str, Expr], types: tuple[dict[str, Type], dict[str, Type]],
        plain: tuple[set[str], set[str]],
    ) -> tuple[Block, Block]:  # fmt: skip
        raise NotImplementedError

    def forget(self, body: Block) -> None:
        raise NotImplementedError

    def settle(self, body: Block) -> None:
        raise NotImplementedError

    # what lists that grow add

    def around(self, body: Block, loop: For | None, bounds: tuple[Expr, ...]) -> Callable[[], None]:
        """Called before a loop or a branch; what is to be done behind it."""
        return lambda: None

    def retried(self, work: Callable[[], None]) -> None:
        """Do some work, once more if it turns out that lists should have been prepared for it."""
        work()

    def iteration_of(self, body: Block) -> Block:
        """The statements of an iteration."""
        return self.block(body)

    def changed_in_place(self, place: Expr) -> None:
        """Called before a change is refused, which an object in the place of a dict may see."""

    def is_carried_anew(self, name: str) -> bool:
        """Whether the loop around is to carry an array for a list, which it does not do yet."""
        return name not in self.rebound

    def fixed(self, expr: Expr, names: bool = True) -> Expr:
        """A number, as far as it is known of attributes, and of names."""
        raise NotImplementedError

    def begin(self, loop: For, start: Expr) -> None:
        """Called where an iteration begins."""

    def end(self, lost: dict[str, Type]) -> None:
        """Called behind a loop, with what was known in its iterations alone."""

    def mix(self, *paths: dict[str, Type]) -> None:
        """Called where paths meet, with what is known on each."""

    # ------------------------------------------------------------ loops

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        """The body of a loop and what an iteration does `then`, in which structures must stay what they are."""
        for name in (*self.changed_in(body), *self.of_any_rank & self.types.keys()):
            if isinstance(self.types.get(name), TupleType):
                self.types[name] = of_any_rank(self.types[name], name in self.of_any_rank)  # other arrays, perhaps
        passed = {name: self.types.pop(name) for name in begun_anew(self, body)}
        before, outside, self.relied, valued = dict(self.types), self.relied, set(), set(self.valued)
        self.assigned_around.append({*self.changed_in(body)})
        try:
            result = self.iteration_of(body)
        finally:
            self.assigned_around.pop()
        then()
        changed = [name for name, type in before.items() if isinstance(type, TupleType) and name in self.relied
                   and not agree(type, self.types.get(name))]  # fmt: skip
        for name in changed:
            if name not in self.of_any_rank and agree(of_any_rank(before[name], True), self.types.get(name)):
                raise Rebound(name, alike=True)
            if before[name].form.cls is list:  # type: ignore[attr-defined]
                self.carries_another(name)
            self.changed_in_place(Var(name))
            reason = f"{hint(name)} has other elements in the next iteration"
            self.refuse(reason, other_elements(name, before[name], self.types.get(name)), hint(name))
        self.relied |= outside
        after = self.types
        self.types = {name: before[name] for name, type in self.types.items() if agree(before.get(name), type)}
        self.types |= only(after, self.valued - valued)
        self.types |= {name: type for name, type in passed.items() if agree(type, after.get(name))}
        self.end({name: type for name, type in after.items() if name not in self.types})
        self.mix(before, after)
        return result

    def carries_another(self, name: str) -> None:
        """An iteration gives a list's name another list: an array stands for it, if that has not been tried."""
        tried = sum(hint(each) == hint(name) for each in self.rebound)
        if tried < _TRIED and self.is_carried_anew(name):  # attributes of objects have other names each time
            raise Rebound(name)
        self.refuse_another(name)

    def traded(self, name: str, body: Block) -> None:
        """An array stands for a list that an iteration changes and hands on, if that has not been tried."""
        found = self.types.get(name)
        given = name in {self.frame.target(each) for each in assigned(body)}
        if given and isinstance(found, TupleType) and found.form == LIST and self.is_carried_anew(name):
            raise Rebound(name)
        self.shared(name)

    def shared(self, name: str) -> None:
        """Refuse a change that another name would see."""
        raise NotImplementedError

    def refuse_another(self, name: str) -> None:
        reason = f"{hint(name)!r} holds another list in the next iteration"
        remedy = "one list that begins before the loop, and ys = list(xs); xs.clear() where it is handed on"
        self.refuse(reason, remedy, hint(name))

    def for_loop(self, stmt: For) -> None:
        over_objects.loop(self, stmt)

    def loop_over(self, stmt: For) -> None:
        """A loop; one over a structure is written out, iteration by iteration."""
        structured = over_structure(self, stmt)
        start, stop, step = self.operands((stmt.start, stmt.stop, stmt.step))
        stop = self.enough(stop)
        bounds = tuple(map(folded_number, (start, stop, step)))
        short = counts(*bounds) if self.in_library else trips_of(*bounds) if structured else None
        if short is None and structured and not self.in_library:
            few = trips_of(*(self.fixed(bound, makes_keys(stmt)) for bound in bounds))
            short = few if few is not None and len(few) <= _FEW else None
        limit = None
        if short is None and structured and (most := most_of(bounds[1])) is not None:
            short, limit = trips_of(bounds[0], most, bounds[2]), bounds[1]
        if short is not None and stmt.index not in assigned(stmt.body):
            return self.written_out(stmt, short, limit)
        short = trips_of(*bounds)
        if short is None and (most := most_of(bounds[1])) is not None:
            short = trips_of(bounds[0], most, bounds[2])
        if short is not None and (len(short) > _OBJECTS or stmt.index in assigned(stmt.body)):
            short = None
        self.going_round_or_written_out(replace(stmt, start=start, stop=stop, step=step), bounds, short)

    def enough(self, stop: Expr) -> Expr:
        """The number of iterations of a loop that makes a dict: of its keys, if that is known."""
        if not isinstance(stop, Call) or stop.fn is not as_keys:
            return stop
        found = Call(min, stop.args)
        most = most_of(found)
        others = tuple(arg for arg in stop.args if not isinstance(arg, Const))
        if most is not None and others:
            there = others[0] if len(others) == 1 else Call(min, others)
            self.emit(If(Call(operator.lt, (there, most)), (fewer(self.origin),), (), self.origin))
        return found if most is None else most

    def going_round_or_written_out(self, stmt: For, bounds: tuple[Expr, ...], short: range | None) -> None:
        """A loop; one that turns out to add objects to a list is written out."""
        self.retried(lambda: self.going_round(stmt, bounds))

    def going_round(self, stmt: For, bounds: tuple[Expr, ...]) -> None:
        """A loop whose bounds are computed."""
        leave = self.around(stmt.body, stmt, bounds)
        moved_on = carry(self, stmt.body)
        self.forget(stmt.body)
        self.forget_texts(stmt.body)
        self.let(self.frame.target(stmt.index), None)
        self.begin(stmt, stmt.start)
        flag = None if stmt.flag is None else self.frame.target(stmt.flag)
        inner = self.repeated(stmt.body)
        self.emit(replace(stmt, index=self.frame.target(stmt.index), body=inner, flag=flag))
        moved_on()
        self.settle(stmt.body)
        leave()

    def forget_texts(self, body: Block) -> None:
        """Names that a loop assigns hold no known text or number at the start of an iteration."""
        for name in assigned(body):
            meaning = self.frame.meaning(name)
            if isinstance(meaning, Var) and isinstance(self.types.get(meaning.name), Static):
                del self.types[meaning.name]
        self.forget_numbers()

    def forget_numbers(self) -> None:
        """Variables that calls may change hold no known number where calls are yet to come."""
        self.types = {name: type for name, type in self.types.items() if name not in self.fields or not is_single(type)}

    def holds(self, expr: Expr) -> bool:
        """Whether a name that is yet to be looked up holds a structure of more than numbers of a shape."""
        held = field(self, expr.value, expr.name) if isinstance(expr, Attr) else None
        if held is not None:
            return isinstance(self.type_of(held), TupleType)
        if isinstance(expr, Call) and expr.fn in (operator.getitem, element_of) or isinstance(expr, Attr):
            return self.holds(expr.args[0] if isinstance(expr, Call) else expr.value)
        meaning = self.frame.meaning(expr.name) if isinstance(expr, Var) else expr
        return isinstance(self.type_of(meaning), TupleType)

    def written_out(self, stmt: For, short: range, limit: Expr | None = None) -> None:
        """The body once for each value of the index that is below the limit."""
        if len(short) > MOST_TURNS:
            self.refuse(f"a loop over a structure of {len(short)} elements is too long", "an array: np.array(...)")
            return
        frame, target = self.frame, self.frame.target(stmt.index)
        try:
            self.iteration(stmt, target, list(short), limit)
        finally:  # an iteration may be given up, to be tried once more
            frame.table[stmt.index] = Var(target)
        if short and stmt.flag is None and limit is None:
            self.let(target, Const(short[-1]))

    def iteration(self, stmt: For, target: str, left: list[int], limit: Expr | None) -> None:
        """The first of the iterations that are left, and then the others, unless the loop is left."""
        if left and limit is not None:
            self.perhaps(Call(operator.lt, (Const(left[0]), limit)), lambda: self.first(stmt, target, left, limit))
        elif left:
            self.first(stmt, target, left, limit)

    def first(self, stmt: For, target: str, left: list[int], limit: Expr | None) -> None:
        first, *others = left
        self.frame.table[stmt.index] = Const(first)
        if stmt.flag is not None or limit is not None:
            self.let(target, Const(first))
        for inner in stmt.body:
            self.statement(inner)
        if stmt.flag is None:
            return self.iteration(stmt, target, others, limit)
        going_on = Call(operator.not_, (Var(self.frame.target(stmt.flag)),))
        self.perhaps(going_on, lambda: self.iteration(stmt, target, others, limit))

    def perhaps(self, test: Expr, work: Callable[[], None]) -> None:
        """What some work emits, under a condition."""
        self.retried(lambda: self.under(test, work))

    def under(self, test: Expr, work: Callable[[], None]) -> None:
        leave = self.around((), None, ())
        functions, structures, plain = dict(self.static), dict(self.types), set(self.plain)
        objects = dict(self.known), set(self.stale)
        emitted, _ = self.collect(work)
        then, self.static = self.static, functions
        after, orelse = self.merge(test, then, (self.types, structures), (self.plain, plain))
        self.agree(structures)
        identities.meet(self, objects)
        leave()
        if emitted or after or orelse:
            self.emit(If(test, (*emitted, *after), orelse, self.origin))
