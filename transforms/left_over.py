"""left over: of a copy that a nest of loops overwrites, all but its border need not be copied. For machine code only.

``un = u.copy()`` and then ``u[i] = f(un[i - 1], un[i], un[i + 1])`` for all `i` but the first and the last: only these
two have to be copied, to a new array in which the loop writes, ``v = np.empty_like(u)``, and which is `u` from then on.
The reverse looks the same. It takes each of ``u_bar[i]``, clears it and adds to the zeros of `un_bar`, of which
`u_bar` gets all in the end: what is left of `u_bar` by then is a border, which `un_bar` can begin with.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.boxes import Box, rest, subscript, visited, written
from srcad.analysis.buffers import stored_name, stored_names
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, For, Function, Let, Stmt, Store, Var, While, hint
from srcad.lang.origin import Origin
from srcad.lang.types import Array, Scalar
from srcad.transforms.cleared import clearing
from srcad.transforms.context import is_bar
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed


def left_over(fn: Function) -> Function:
    """Let loops write to new arrays that get no more than the border of the old ones.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> x, u, un = (Var(name, Array("float64", ("n",), "C")) for name in ("x", "u", "un"))
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> end = Call(operator.sub, (n, Const(1, INT)), (), INT)
    >>> step = Store(u, i, Call(np.sin, (Call(operator.getitem, (un, i), (), FLOAT),), (), FLOAT))
    >>> body = (Let("un", Call(np.copy, (u,), (), u.type)), For("i", Const(1, INT), end, Const(1, INT), (step,)))
    >>> loop = For("t", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> made = Let("u", Call(np.copy, (x,), (), u.type))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = left_over(Function("f", (Param("x", x.type), Param("n", INT)), (made, loop, Return(u))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(x, n):
        u = np.copy(x)
        for t in range(9):
            u_1 = np.empty_like(u)
            u_1[:1] = u[:1]
            u_1[-1:] = u[-1:]
            for i in range(1, n - 1):
                u_1[i] = np.sin(u[i])
            u = u_1
        return u
    """
    for position, loop in enumerate(fn.body):
        if isinstance(loop, (For, While)) and (new := _Loop(fn, position, loop).without_copies()) is not None:
            return left_over(replace(new, body=_needed(new.body)))
    return fn


@dataclass
class _Loop:
    fn: Function
    position: int
    loop: For | While

    def __post_init__(self) -> None:
        self.lengths, self.pairs = Lengths.of(self.fn), Pairs.of(self.fn.body)
        self.fresh: Callable[[str], str] = fresh_names({p.name for p in self.fn.params} | walk.assigned(self.fn.body))

    def without_copies(self) -> Function | None:
        body = self.loop.body
        for k, stmt in enumerate(body):
            for change in (self.overwritten, self.in_place, self.begun):
                new = change(k, stmt) if isinstance(stmt, Let) else None
                if new is not None:
                    loop = replace(self.loop, body=new)
                    before, after = self.fn.body[: self.position], self.fn.body[self.position + 1 :]
                    return replace(self.fn, body=(*before, loop, *after))
        return None

    def is_own(self, name: str, other: str) -> bool:
        """Whether no name but these two is used for an array in the loop or behind it."""
        block = (self.loop, *self.fn.body[self.position + 1 :])
        used = {n for s in walk.statements(block) for n in _names_in(s)} - {name, other}
        return not any(self.pairs.may_share(n, name) for n in (*used, *(p.name for p in self.fn.params)))

    # ------------------------------------------------------------ copies of states

    def overwritten(self, place: int, let: Let) -> Block | None:
        """``v = np.copy(u)``, where a nest writes to most of `v` before anybody reads it."""
        found = _copied(let)
        users = [stmt for stmt in self.loop.body[place + 1 :] if mentions(stmt, let.target)]
        box = _inner(users[:1], Var(let.target, let.value.type), self.lengths) if found else None  # type: ignore
        if found is None or box is None:
            return None
        new = _beginning(Var(let.target, found.type), found, box, let.origin)
        return (*self.loop.body[:place], *new, *self.loop.body[place + 1 :])

    def in_place(self, place: int, let: Let) -> Block | None:
        """``un = np.copy(u)``, where a nest writes to most of `u` before anybody reads it."""
        state, body = _copied(let), self.loop.body
        if state is None or state.name in _bound(body) | {p.name for p in self.fn.params}:
            return None
        users = [stmt for stmt in body[place + 1 :] if mentions(stmt, state.name)]
        box = _inner(users[:1], state, self.lengths)
        outside = (*self.fn.body[: self.position], *body[:place], *self.fn.body[self.position + 1 :])
        if box is None or let.target in stored_names(body) or any(mentions(s, let.target) for s in outside):
            return None
        if not self.is_own(state.name, let.target) or not self.is_own(let.target, state.name):
            return None
        new = Var(self.fresh(hint(state.name)), state.type)
        later = walk.substitute_in(body[place + 1 :], {state.name: new, let.target: state})
        handed = Let(state.name, new, let.origin)
        return (*body[:place], *_beginning(new, state, box, let.origin), *later, handed)

    # ------------------------------------------------------------ cotangents

    def begun(self, place: int, let: Let) -> Block | None:
        """``new = np.zeros_like(...)``, added to where the old array is taken from and cleared; then both are added up.
        """
        new = _zeros(let)
        if new is None:
            return None
        for end, stmt in enumerate(self.loop.body[place + 1 :], place + 1):
            match stmt:
                case Accum(Var(one, kind) as first, Var(two, other) as second) if new.name in (one, two) and one != two:
                    if kind == other and isinstance(kind, Array) and kind.layout == "C":
                        old = second if one == new.name else first
                        return self.added_up(place, end, new, old)
                    return None
        return None

    def added_up(self, place: int, end: int, new: Var, old: Var) -> Block | None:
        body, let, last = self.loop.body, self.loop.body[place], self.loop.body[end]
        between = body[place + 1 : end]
        if not self.is_apart(between, new, old) or not self.is_over(end, new, old):
            return None
        users, takers = ([s for s in between if mentions(s, each.name)] for each in (new, old))
        found = visited(users[0], new, self.lengths) if users and isinstance(users[0], For) else None
        taken = clearing(tuple(takers[-1:]), old, self.lengths)
        if found is None or not isinstance(found[0], Accum) or taken is None or not taken.looped:
            return None
        if not all(_only(stmt, new.name, _adds) for stmt in users[1:]):
            return None
        if not all(_only(stmt, old.name, _reads) for stmt in takers[:-1]):
            return None
        accum, box = found
        assert isinstance(let, Let) and isinstance(accum.target, Call)
        store = Store(new, accum.target.args[1], accum.value, accum.origin)
        begin: list[Stmt] = [replace(let, value=Call(np.empty_like, (old,), (), new.type))]
        added: list[Stmt] = []
        alike = box == taken.box
        for part in rest(box):
            begin.append(Store(new, subscript(part), _part(old, part) if alike else _zero(old), let.origin))
        if not alike:
            added = [s for part in rest(taken.box) for s in _moved(new, old, part, last.origin)][:-1]
        inner = tuple(changed for s in between for changed in _with(s, {id(taken.store): None, id(accum): store}))
        handed = [Let(old.name, new, last.origin)] if isinstance(last, Accum) and last.target == old else []
        return (*body[:place], *begin, *inner, *added, *handed, *body[end + 1 :])

    def is_apart(self, between: Block, new: Var, old: Var) -> bool:
        """Whether these statements know the arrays by no other names."""
        used = {n for s in walk.statements(between) for n in _names_in(s)} - {new.name, old.name}
        if {new.name, old.name} & _bound(between):
            return False
        return not any(self.pairs.may_share(n, each.name, self.loop) for n in used for each in (new, old))

    def is_over(self, end: int, new: Var, old: Var) -> bool:
        """Whether nobody finds out that the old array is not cleared, and that another one has what it ends with."""
        body, last = self.loop.body, self.loop.body[end]
        if not self.is_own(old.name, new.name) or not is_bar(old.name):
            return False
        outside = (*self.fn.body[: self.position], *self.fn.body[self.position + 1 :])
        first = next(stmt for stmt in body if mentions(stmt, old.name))
        if isinstance(last, Accum) and last.target == new:  # the old one is a name of the iteration
            known = any(mentions(s, old.name) for s in (*outside, *body[end + 1 :]))
            return not known and isinstance(first, Let) and first.target == old.name
        known = any(mentions(s, new.name) for s in (*outside, *body[end + 1 :]))
        return not known and old.name not in _bound(body)


# ---------------------------------------------------------------- what stands in a loop


def _needed(block: Block) -> Block:
    """A block without copies that nobody reads any more, even for their lengths, nor the records that these read."""
    read = {e.name for s in walk.statements(block) for x in _read_by(s) for e in walk.subexprs(x) if isinstance(e, Var)}
    written = stored_names(block)
    gone = {s.target for s in walk.statements(block) if isinstance(s, Let) and s.target not in read
            and (_is_made(s.value) or _is_row(s.value) and s.target not in written)}  # fmt: skip
    shorter = walk.without(block, lambda s: isinstance(s, Let) and s.target in gone or stored_name(s) in gone)
    return _needed(shorter) if gone else block


def _read_by(stmt: Stmt) -> tuple[Expr, ...]:
    return (stmt.index, stmt.value) if isinstance(stmt, Store) else walk.stmt_exprs(stmt)


def _is_made(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn in (np.copy, np.empty) and isinstance(value.type, Array)


def _is_row(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn is operator.getitem and isinstance(value.type, Array)


def _copied(let: Let) -> Var | None:
    """The array of which a statement makes a copy that lies in memory as it does."""
    match let.value:
        case Call(np.copy, (Var(_, Array(layout="C") as kind) as source,), (), made) if made == kind:
            return source
    return None


def _zeros(let: Let) -> Var | None:
    match let.value:
        case Call(fn, _, (), Array(layout="C") as kind) if fn in (np.zeros, np.zeros_like) and is_bar(let.target):
            return Var(let.target, kind)
    return None


def _inner(stmts: list[Stmt], array: Var, lengths: Lengths) -> Box | None:
    """The elements that loops write to, if these are all of an array but a border."""
    if not stmts or not isinstance(stmts[0], For):
        return None
    box = written(stmts[0], array, lengths)
    return box if box is not None and all(span.is_inner() for span in box) else None


def _beginning(new: Var, old: Var, box: Box, origin: Origin) -> list[Stmt]:
    """A new array, with what a box leaves of the old one."""
    made = Let(new.name, Call(np.empty_like, (old,), (), new.type), origin)
    return [made, *(Store(new, subscript(part), _part(old, part), origin) for part in rest(box))]


def _part(array: Var, box: Box) -> Expr:
    return typed(Call(operator.getitem, (array, subscript(box))))


def _moved(new: Var, old: Var, box: Box, origin: Origin) -> Iterator[Stmt]:
    """What adds a part of an array and clears it: the first element may be the last one, too."""
    yield Accum(_part(new, box), _part(old, box), origin)
    yield Store(old, subscript(box), _zero(old), origin)


def _zero(array: Var) -> Const:
    assert isinstance(array.type, Array)
    return Const(0.0, Scalar(array.type.dtype))


def _with(stmt: Stmt, changes: dict[int, Stmt | None]) -> Iterator[Stmt]:
    """A statement with others in the place of some inside it, or with none."""
    if id(stmt) in changes:
        new = changes[id(stmt)]
        yield from () if new is None else (new,)
    else:
        yield walk.map_stmt(lambda e: e, stmt, lambda b: tuple(s for inner in b for s in _with(inner, changes)))


def _names_in(stmt: Stmt) -> set[str]:
    return set(walk.targets(stmt)).union(*map(walk.names, walk.stmt_exprs(stmt)))


def _bound(block: Block) -> set[str]:
    """The names that statements give an array, or anything else."""
    return {name for s in walk.statements(block) if not isinstance(s, (Store, Accum)) for name in walk.targets(s)}


def _adds(stmt: Stmt, name: str) -> int:
    match stmt:
        case Accum(Call(operator.getitem, (Var(base), index))) if base == name:
            return 1 + sum(isinstance(e, Var) and e.name == name for e in walk.subexprs(index))
    return 0


def _reads(stmt: Stmt, name: str) -> int:
    """How many elements of an array a statement reads."""
    every = [e for x in walk.stmt_exprs(stmt) for e in walk.subexprs(x)]
    elements = [e for e in every if isinstance(e, Call) and e.fn is operator.getitem and isinstance(e.type, Scalar)]
    return sum(isinstance(e.args[0], Var) and e.args[0].name == name for e in elements)


def _only(stmt: Stmt, name: str, counted: Callable[[Stmt, str], int]) -> bool:
    """Whether all that a statement, and those inside it, do with an array is what is counted."""
    for inner in walk.statements((stmt,)):
        every = [e for x in walk.stmt_exprs(inner) for e in walk.subexprs(x)]
        shapes = sum(isinstance(e, Attr) and isinstance(e.value, Var) and e.value.name == name for e in every)
        uses = sum(isinstance(e, Var) and e.name == name for e in every) - shapes
        stored = isinstance(inner, Store) and isinstance(inner.base, Var) and inner.base.name == name
        if stored or uses != counted(inner, name):
            return False
    return True
