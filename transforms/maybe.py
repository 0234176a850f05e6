"""Names that hold nothing, None, on one path, and an object, a tuple or a function on another; part of `inline`.

Such a value is a `Choice` whose one side is None: whoever takes it apart means the other side. A name that is None
when a loop begins, and that the loop gives an object or a tuple, has a variable for each part and one that says whether
there is anything yet. A loop finds out only when it is inlined, which is done once more then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Stmt, Tuple, Var, hint, select
from srcad.lang.types import UNKNOWN, Form, TupleType, Type
from srcad.transforms import one_object, one_or_none
from srcad.transforms.calls import presence
from srcad.transforms.callers_lists import CallersLists
from srcad.transforms.carried import pairs
from srcad.transforms.iterations import Rebound
from srcad.transforms.one_or_none import Outline
from srcad.transforms.values import NONE, Choice, Object, Perhaps, choose, is_static

Sides = tuple[dict[str, Type], dict[str, Type]]
"""What is known of structures on each of two paths."""
Plain = tuple[set[str], set[str]]
"""The names that hold numbers, arrays and structures on each of two paths."""


_OFTEN = 200  # attributes of one name that are None when a loop begins, each of which has it inlined once more


class Later(Exception):
    """Met while inlining a loop: a name that was None when it began becomes something else."""

    def __init__(self, name: str, outline: Outline):
        self.name, self.outline = name, outline


class Maybe(CallersLists):
    """Knows which names are None, and makes choices of them where paths meet."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.optional: dict[str, Outline] = {}  # what names become in a loop that begins with None
        self.nones: set[str] = set()  # the names that were None when a loop around began
        self.plain = {param.name for param in fn.params}  # the names of numbers, arrays and structures, surely not None
        self.early: set[str] = set()  # the names that are read before they have a value
        self.of_any_rank: set[str] = set()  # what loops give structures with other arrays or texts
        self.begun: dict[int, tuple[frozenset[str], ...]] = {}  # of loops: those, the slots, what was bound before

    # ------------------------------------------------------------ names

    def let(self, target: str, value: Expr | None) -> None:
        if value is not None and one_or_none.is_carried(self, target, value):
            return one_or_none.let(self, target, value)
        held = self.static.get(target)
        if target in self.slots and value is not None and value is not REFUSED:
            if isinstance(held, Const) and isinstance(held.value, Perhaps):
                return self.fill(target, held.value, value)
        if target in self.nones and value is not None and value is not REFUSED and value != NONE:
            found = one_or_none.outline(self, value)
            if isinstance(value, Var) and self.grown(value) is not None:
                self.rebound.add(target)  # a list that grows is an array where the name may be None
            if found is not one_or_none.LEAF or target in self.fields and target not in self.optional:
                raise Later(target, found)
        super().let(target, value)
        (self.plain.add if value is not None and self.is_plain(value) else self.plain.discard)(target)
        if value == NONE and target not in self.nonlocals and not self.in_library:
            self.static[target] = NONE

    def holding(self, var: Var) -> Expr:
        if var.name not in self.valued and var.name not in self.static:
            self.early.add(var.name)
        return super().holding(var)

    def expr(self, expr: Expr) -> Expr:
        result = super().expr(expr)
        if not isinstance(expr, Tuple) or not isinstance(result, Tuple):
            return result
        items = tuple(one_or_none.as_element(self, item) for item in result.items)
        return result if items == result.items else replace(result, items=items)

    def is_plain(self, value: Expr) -> bool:
        """Whether a value surely is not None."""
        match value:
            case Var(name):
                return name in self.plain
            case Const(value=None):
                return False
            case Call(fn, (_, then, orelse)) if fn is select:
                return self.is_plain(then) and self.is_plain(orelse)
        return value is not REFUSED and not is_static(value)

    def slot(self, name: str, outline: Outline) -> Expr:
        """Variables for the parts of what a name may hold."""
        match outline:
            case (type() as cls, parts):
                made = Object(cls, carried=True)
                self.copied.add(cls)
                for field, inner in parts.items():
                    made.fields[field] = Var(self.fresh(field))
                    if inner is not one_or_none.LEAF:
                        self.static[made.fields[field].name] = self.slot(field, inner)
                return Const(made)
            case (Form() as form, parts):
                items = tuple(self.slot(f"{hint(name)}_{k}", inner) for k, inner in parts.items())
                return Tuple(items, TupleType((UNKNOWN,) * len(items), form))
        return Var(self.fresh(name)) if outline is one_or_none.LEAF else outline

    def fill(self, target: str, slot: Perhaps, value: Expr) -> None:
        """Give a name that may hold nothing another value."""
        test, inside = presence(value)
        if inside is not None:
            found = pairs(self, slot.then, self.spread_out(inside))
            if found is None:
                what = hint(target)
                remedy = "objects of one class, dicts with the same keys, or a list in place of nested tuples"
                self.refuse(f"{what} is something else in the next iteration", remedy, what)
                return
            values = [(place, self.kept(held)) for place, held in found if place != held]
            self.hand_on(value)
            self.expose(value)
            for place, held in values:
                self.let(place.name, held)
        assert isinstance(slot.test, Var)
        self.emit(Let(slot.test.name, test, self.origin))

    def spread_out(self, value: Expr) -> Expr:
        """A structure as a display of its elements."""
        found = self.type_of(value)
        if isinstance(value, Const) and isinstance(value.value, Choice):
            choice = value.value
            return Const(Choice(choice.test, self.spread_out(choice.then), self.spread_out(choice.orelse)))
        if isinstance(value, Const) and isinstance(value.value, Object) or not isinstance(found, TupleType):
            return value
        return Tuple(tuple(map(self.spread_out, self.elements(value) or ())), found)

    def opened(self, expr: Expr) -> Expr:
        if not isinstance(expr, Const) or not isinstance(expr.value, Choice):
            return super().opened(expr)
        sides = self.opened(expr.value.then), self.opened(expr.value.orelse)
        return expr if any(map(is_static, sides)) else Call(select, (expr.value.test, *sides))

    def unshared(self, value: Expr) -> Expr:
        if isinstance(value, Const) and isinstance(value.value, Perhaps):
            slot = value.value
            return Const(Choice(self.kept(slot.test), self.kept(super().unshared(slot.then)), NONE))
        return super().unshared(value)

    def place_in(self, place: Expr, key: Expr) -> tuple[Expr, Expr]:
        """What is written into, and where: the array, of what may be None."""
        if isinstance(place, Const) and isinstance(place.value, Choice):
            inside = presence(place)[1]
            place = inside if isinstance(inside, Var) else place
        return place, self.index(key)

    # ------------------------------------------------------------ where paths meet

    def merge(self, test: Expr, then: dict[str, Expr], types: Sides, plain: Plain) -> tuple[Block, Block]:
        """Know what names hold after two branches, and what each of these has to do for that in its end.

        A name that holds a number in one of them and a function in the other is lost.
        """
        ends: tuple[list[Stmt], list[Stmt]] = [], []
        for name in sorted({*self.static, *then}):
            one, other = then.get(name), self.static.get(name)
            if one is None and _may_be_none(other) and name in plain[0]:
                one = one_or_none.parts_of(self, name, types[0].get(name, UNKNOWN), ends[0])
            elif other is None and _may_be_none(one) and name in plain[1]:
                other = one_or_none.parts_of(self, name, types[1].get(name, UNKNOWN), ends[1])
            if one is not None and other is not None:
                both = one_object.merged(self, one, other, ends, plain)
                self.static[name] = choose(test, one, other) if both is None else both
            elif NONE in (one, other):
                self.static.pop(name, None)  # a number or an array on the other path
            elif name not in self.valued:
                self.static.setdefault(name, REFUSED if one is None else one)
            else:
                self.lose(name)
        self.plain = plain[0] & plain[1]
        return tuple(ends[0]), tuple(ends[1])

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        before = set(self.plain)
        found = super().paths(*works)
        self.plain &= before
        return found

    def differ(self, then: dict[str, Expr], plain: Plain) -> bool:
        """Whether what names hold after two branches depends on which one was taken."""
        for name in {*self.static, *then}:
            sides = then.get(name), self.static.get(name)
            given = any(map(_may_be_none, sides)) and name in plain[0] | plain[1]
            if sides[0] != sides[1] and (None not in sides or given):
                return True
        return False

    def structure(self, value: Expr, end: list[Stmt]) -> Expr | None:
        found = self.type_of(value)
        if not isinstance(found, TupleType) and not self.is_plain(value):
            return None
        emitted, var = self.collect(lambda: self.named(value))
        end += emitted
        return one_or_none.parts_of(self, var.name, found, end) if isinstance(var, Var) else value

    # ------------------------------------------------------------ loops

    def forget(self, body: Block) -> None:
        """What names hold when an iteration begins, which may be what the last one gave them."""
        slots, nones = set(), set()
        fields = [name for name in self.fields if _may_be_none(self.static.get(name))]
        for name in sorted({*self.changed_in(body), *fields}) if self.static else ():
            held = self.static.get(name)
            if held == NONE and name in self.optional and self.optional[name] is not one_or_none.LEAF:
                self.static[name] = self.nothing_yet(name)
                slots.add(name)
            elif held is not None and held != NONE and name not in self.slots and _may_be_none(held):
                self.static[name] = self.as_slot(name, held)
                slots.add(name)
            elif held == NONE:
                nones.add(name)
                if name not in self.fields or name in self.optional:
                    del self.static[name]
            elif name in self.static and name not in self.slots and name not in fields:
                self.lose(name)
        before = frozenset(self.changed_in(body)) & self.valued
        self.begun[id(body)] = frozenset(nones - self.nones), frozenset(slots - self.slots), before
        self.slots |= slots
        self.nones |= nones
        self.plain -= before
        self.natural -= before

    def nothing_yet(self, name: str) -> Expr:
        """A name that is None when a loop begins, with variables for what it becomes."""
        given = self.fresh(f"{hint(name)}_given")
        self.emit(Let(given, Const(False), self.origin))
        return Const(Perhaps(Var(given), self.slot(name, self.optional[name]), NONE))

    def as_slot(self, name: str, held: Expr) -> Expr:
        """A name that holds something or not when a loop begins, with variables that the loop carries."""
        given = self.fresh(f"{hint(name)}_given")
        made = Perhaps(Var(given), self.slot(name, one_or_none.outline(self, held)), NONE)
        self.fill(name, made, held)
        return Const(made)

    def settle(self, body: Block) -> None:
        """After a loop: a name to which the loop gave a function holds that one, if it held nothing before."""
        nones, slots, before = self.begun.pop(id(body))
        self.nones -= nones
        self.slots -= slots
        self.plain -= before
        for name in self.changed_in(body) if self.static else ():
            if self.static.get(name) == NONE:
                del self.static[name]
            elif name in self.static and name in self.valued and not _is_slot(self.static[name]):
                self.lose(name)

    def retried(self, work: Callable[[], None]) -> None:
        met_before: Counter[str] = Counter()  # objects that change places have other names each time
        while True:
            state = self.state()
            try:
                return super().retried(work)
            except (Later, Rebound) as met:
                if isinstance(met, Later) and met.name in self.before(state):
                    raise
                if isinstance(met, Later):
                    met_before[name := hint(met.name)] += 1
                    if met_before[name] > _OFTEN:
                        reason = f"whether {name} is None changes with objects that change places in a loop"
                        self.refuse(reason, "attributes that always have a value", name)
                        return
                self.back(state)
                if isinstance(met, Later):
                    self.optional[met.name] = met.outline
                else:
                    (self.of_any_rank if met.alike else self.rebound).add(met.name)

    def before(self, state: tuple[Any, ...]) -> set[str]:
        """The names that loops around some work have found to be None, when it began."""
        while not isinstance(state[0], dict):
            state = state[0]
        return state[0]["nones"]

    def apart(self, work: Callable[[], Expr]) -> tuple[list[Stmt], Expr]:
        for name in [name for name, held in self.static.items() if name in self.fields and _may_be_none(held)]:
            del self.static[name]
        return super().apart(work)


def _may_be_none(held: Expr | None) -> bool:
    return held is not None and presence(held)[0] != Const(True)


def _is_slot(held: Expr) -> bool:
    return isinstance(held, Const) and isinstance(held.value, Perhaps)
