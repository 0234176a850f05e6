"""edges: what is added to the border of a cotangent waits in an array of its own. For machine code only.

A stencil's reverse reads the neighbours of each element of `v_bar` that its iterations wrote, and nothing of the
border, so that `margins` makes an array with zeros around. Where what it holds is a multiple of `v_bar`, and the loop
of time steps only adds to the borders, `v_bar` is that array itself: its border becomes zero before the loop, and is
put back behind it, and what is added to it until then is added to ``v_bar_edge``. One that changes in place gets a
second array with which it changes places (`multiples`).
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.affine import linear
from srcad.analysis.boxes import Span, apart, box_of, inside, rest, subscript, visited
from srcad.analysis.buffers import stored_name
from srcad.analysis.contents import content_names
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import Accum, Attr, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.flatten import fresh_names
from srcad.transforms.simplify import plus
from srcad.transforms.infer import typed
from srcad.transforms.multiples import InTurns, Multiples


def edges(fn: Function) -> Function:
    """Let stencils read a cotangent whose border is zero, where they would read a multiple of it with margins.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> u, v, w = (Var(name, Array("float64", ("n",), "C")) for name in ("u~bar", "v~bar", "w"))
    >>> i, n, c, one = Var("i", INT), Var("n", INT), Var("c", FLOAT), Const(1, INT)
    >>> end = Call(operator.sub, (n, one), (), INT)
    >>> def at(a, k): return Call(operator.getitem, (a, plus(i, k)), (), FLOAT)
    >>> def count(*body): return For("i", one, end, one, body)
    >>> stored = count(Store(w, i, Call(operator.mul, (at(v, 0), c), (), FLOAT)))
    >>> summed = count(Store(u, i, Call(operator.add, (at(v, 0), at(w, 1)), (), FLOAT)))
    >>> body = (Move(("u~bar", "v~bar"), (v, u)), stored, summed)
    >>> loop = For("t", Const(0, INT), Const(9, INT), one, body)
    >>> made = [Let(a.name, Call(np.zeros, (n,), (), a.type)) for a in (u, v, w)]
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = edges(Function("f", (Param("n", INT), Param("c", FLOAT)), (*made, loop, Return(u))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(n, c):
        u_bar = np.zeros(n)
        v_bar = np.zeros(n)
        v_bar_edge = np.copy(v_bar)
        v_bar[:1] = 0.0
        v_bar[-1:] = 0.0
        u_bar_edge = np.copy(u_bar)
        u_bar[:1] = 0.0
        u_bar[-1:] = 0.0
        for t in range(9):
            u_bar, v_bar, v_bar_edge, u_bar_edge = v_bar, u_bar, u_bar_edge, v_bar_edge
            for i in range(1, n - 1):
                u_bar[i] = v_bar[i] + v_bar[i + 1] * c
        u_bar[:1] = u_bar_edge[:1]
        u_bar[-1:] = u_bar_edge[-1:]
        return u_bar
    """
    for position, loop in enumerate(fn.body):
        if not isinstance(loop, For) or loop.flag is not None:
            continue
        for stmt in loop.body:
            wide = Multiples.of(stmt)
            new = None if wide is None else _changed(fn, position, loop, wide)
            if new is not None:
                return edges(new)
    return fn


def _changed(fn: Function, position: int, loop: For, wide: Multiples) -> Function | None:
    """A function with a loop that reads a cotangent itself, where two change places or one changes in place."""
    taken = wide.element.args[0]
    assert isinstance(taken, Var)
    if any(isinstance(s, Move) and taken.name in s.targets for s in loop.body):
        return _Loop(fn, position, loop, wide).without_margins()
    turned = InTurns.of(fn, position, wide, fresh_names({p.name for p in fn.params} | walk.assigned(fn.body)))
    if turned is None or (found := Multiples.of(turned.nest)) is None:
        return None
    return _Loop(turned.fn, position + 1, turned.loop, found, turned).without_margins()


class _No(Exception):
    """Something else is done with the arrays."""


@dataclass
class _Loop:
    fn: Function
    position: int
    loop: For
    wide: Multiples
    turned: InTurns | None = None  # if one array changes in place
    edges: dict[str, Var] = field(default_factory=dict)  # what stands for the border of an array

    def without_margins(self) -> Function | None:
        self.lengths, self.pairs = Lengths.of(self.fn), Pairs.of(self.fn.body)
        fn, body = self.fn, self.loop.body
        self.before, self.after = fn.body[: self.position], fn.body[self.position + 1 :]
        taken = self.wide.element.args[0]
        assert isinstance(taken, Var)
        swap = next((s for s in body if isinstance(s, Move) and taken.name in s.targets), None)
        added = None if swap is None else dict(walk.bindings(swap))[taken.name]
        box = box_of(self.wide.element.args[1], taken, self.wide.loops, self.lengths)
        if swap is None or not isinstance(added, Var) or box is None or not all(span.is_inner() for span in box):
            return None
        self.taken, self.added, self.box = taken, added, box
        if not self.is_alone(swap) or not self.is_wide() or not self.is_filled():
            return None
        fresh = fresh_names({p.name for p in fn.params} | walk.assigned(fn.body))
        own = [added] if self.turned else [taken, added]
        self.edges = {a.name: Var(fresh(f"{a.name}~edge"), a.type) for a in own}
        self.edges.setdefault(taken.name, self.edges[added.name])
        try:
            inner = [self.swapped(s) if s is swap else self.changed(s, []) for s in body if s is not self.wide.loops[0]]
        except _No:
            return None
        before = [s for s in self.before if not (isinstance(s, Let) and s.target == self.wide.name)]
        opened, closed = ([s for a in own for s in makes(a)] for makes in (self.parted, self.back))
        return replace(fn, body=(*before, *opened, replace(self.loop, body=tuple(inner)), *closed, *self.after))

    # ------------------------------------------------------------ what must be so

    def is_alone(self, swap: Stmt) -> bool:
        """Whether the two arrays change places before or behind all else that the loop does, under these names."""
        users = [s for s in self.loop.body if any(mentions(s, a.name) for a in (self.taken, self.added))]
        handed = dict(walk.bindings(swap))
        if handed.get(self.added.name) != self.taken or not (self.turned or swap in (users[0], users[-1])):
            return False
        pairs, own = self.pairs, (self.taken.name, self.added.name)
        used = {n for s in walk.statements((self.loop,)) for e in walk.stmt_exprs(s) for n in walk.names(e)}
        used |= walk.assigned((self.loop,))
        if self.turned:  # nor has it another name that is read later
            used |= walk.assigned(self.before) | {p.name for p in self.fn.params}
        if any(pairs.may_share(n, one, self.loop) for n in used - set(own) for one in own):
            return False
        return not pairs.may_share(*own, self.loop) and self.taken.type == self.added.type

    def is_wide(self) -> bool:
        """Whether the array with margins is made of zeros before the loop, and only stored to by the nest."""
        name, wide = self.wide.name, self.wide
        match [s for s in self.before if mentions(s, name)]:
            case [Let(_, Call(np.zeros))] if not any(mentions(s, name) for s in self.after):
                stores = [s for s in walk.statements(self.loop.body) if stored_name(s) == name]
                first = next(s for s in self.loop.body if mentions(s, name))
                varies = {n for f in wide.factors for n in walk.names(f)} & walk.assigned(self.loop.body)
                varies -= self.steady()
                return stores == [wide.store] and first is wide.loops[0] and not varies
        return False

    def steady(self) -> set[str]:
        """The names of numbers that each iteration computes anew, before the nest, though no iteration changes them."""
        body = self.loop.body
        found: set[str] = set()
        bound = Counter(n for s in walk.statements(body) for n in walk.targets(s))
        for stmt in body[: body.index(self.wide.loops[0])]:
            match stmt:
                case Let(name, Call(type=Scalar()) as value) if bound[name] == 1:
                    if not walk.names(value) & set(bound) - found and not content_names(value):
                        found.add(name)
        return found

    def is_filled(self) -> bool:
        """Whether, where one array changes in place, all of it but its border is written anew."""
        if self.turned is None:
            return True
        found = visited(self.turned.filling, self.added, self.lengths)
        return found is not None and isinstance(found[0], Store) and found[1] == self.box

    # ------------------------------------------------------------ the loop anew

    def swapped(self, swap: Stmt) -> Stmt:
        assert isinstance(swap, Move)
        if self.turned:
            return swap
        one, two = self.edges[self.taken.name], self.edges[self.added.name]
        return replace(swap, targets=(*swap.targets, one.name, two.name), values=(*swap.values, two, one))

    def changed(self, stmt: Stmt, loops: list[Stmt]) -> Stmt:
        if isinstance(stmt, (Store, Accum)):
            return self.added_to(stmt, loops)
        own = {self.taken.name, self.added.name}
        if own & set(walk.targets(stmt)):
            raise _No
        inner = [*loops, stmt] if walk.blocks(stmt) else loops
        return walk.map_stmt(lambda e: self.read(e, loops), stmt, lambda b: tuple(self.changed(s, inner) for s in b))

    def added_to(self, stmt: Store | Accum, loops: list[Stmt]) -> Stmt:
        value = self.read(stmt.value, loops)
        match stmt:
            case Store(base, index) | Accum(Call(operator.getitem, (base, index))):
                array = self.added if base == self.added else None
                index = self.read(index, loops)
            case Accum(base):
                array, index = None, Const(0)
        if array is None:
            if walk.names(base) & {self.taken.name, self.added.name}:
                raise _No
            return replace(stmt, value=value)
        base = self.where(array, index, loops)
        if isinstance(stmt, Store):
            return replace(stmt, base=base, index=index, value=value)
        assert isinstance(stmt.target, Call)
        return replace(stmt, target=replace(stmt.target, args=(base, index)), value=value)

    def where(self, array: Var, index: Expr, loops: list[Stmt]) -> Var:
        """The array, or what stands for its border."""
        around = [s for s in loops if isinstance(s, For)]
        box = box_of(index, array, around, self.lengths)
        if box is None or len(around) < len([s for s in loops if not hasattr(s, "test")]):
            raise _No
        if inside(box, self.box):
            return array
        if not apart(box, self.box):
            raise _No
        return self.edges[array.name]

    def read(self, expr: Expr, loops: list[Stmt]) -> Expr:
        """An expression that reads the cotangent in the place of the array with margins."""
        match expr:
            case Call(operator.getitem, (Var(self.wide.name), index)):
                return self.multiple(index, loops)
            case Call(operator.getitem, (Var(self.taken.name) as array, index)):
                return replace(expr, args=(self.where(array, index, loops), index))
            case Call(_, args, kwargs):
                new = tuple((key, self.read(value, loops)) for key, value in kwargs)
                return replace(expr, args=tuple(self.read(e, loops) for e in args), kwargs=new)
            case Attr(Var()):
                return expr
        if walk.names(expr) & {self.taken.name, self.added.name, self.wide.name}:
            raise _No
        return expr

    def multiple(self, index: Expr, loops: list[Stmt]) -> Expr:
        places = self.wide.store.index, self.wide.element.args[1]
        stored, own = ([linear(item) for item in items_of(place)] for place in places)
        if None in stored or None in own or [a[0] for a in stored] != [b[0] for b in own]:  # type: ignore[index]
            raise _No
        moved = [plus(item, b[1] - a[1]) for item, a, b in zip(items_of(index), stored, own)]  # type: ignore[index]
        element: Expr = replace(self.wide.element, args=(self.taken, index_of(moved)))
        around = [s for s in loops if isinstance(s, For)]
        box = box_of(index_of(moved), self.taken, around, self.lengths)
        if box is None or not all(map(self.is_there, box, self.box)):
            raise _No
        if any(not _long(span) for span in box) and len(around) == len(loops):
            raise _No
        for factor in self.wide.factors:
            element = typed(Call(operator.mul, (element, factor)))
        return element

    def is_there(self, span: Span, most: Span) -> bool:
        """Whether the axis has these subscripts, if it has those of the nest."""
        if _long(span):
            return span.start.number >= 0 and span.stop.number >= 0
        return span.start.number >= (most.stop if span.start.from_end else most.start).number

    # ------------------------------------------------------------ before the loop and behind it

    def parted(self, array: Var) -> Iterator[Stmt]:
        """The border in its own array, and zeros in its place."""
        edge, origin = self.edges[array.name], replace(self.loop.origin, adjoint=False)
        yield Let(edge.name, Call(np.copy, (array,), (), edge.type), origin)
        for part in rest(self.box):
            yield Store(array, subscript(part), Const(0.0, _scalar(array)), origin)

    def back(self, array: Var) -> Iterator[Stmt]:
        edge, origin = self.edges[array.name], replace(self.loop.origin, adjoint=False)
        known = {n for s in walk.statements(self.after) for e in walk.stmt_exprs(s) for n in walk.names(e)}
        if any(self.pairs.may_share(name, array.name) for name in known):
            for part in rest(self.box):
                yield Store(array, subscript(part), typed(Call(operator.getitem, (edge, subscript(part)))), origin)


def _long(span: Span) -> bool:
    return not span.start.from_end and span.stop.from_end


def _scalar(array: Var) -> Scalar:
    assert isinstance(array.type, Array)
    return Scalar(array.type.dtype)
