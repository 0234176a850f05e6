"""Arrays that are put into lists: as a list that grows has copies, nobody may write to what it was given; part of
`inline`.

``xs.append(u)`` puts `u` itself into the list. The copy in the list's buffer is as good as long as neither `u` is
written to afterwards, nor the element through the list. It is as good, too, if only the list has the array afterwards,
as with a row that is made for a table.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import NamedTuple

from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Let, Method, Slice, Stmt, Store, Tuple, Var, While, assert_,
    entry, merged, raise_, select,
)  # fmt: skip
from srcad.lang.lists import list_buffer, list_pop, slot
from srcad.lang.structure import form_of_class
from srcad.lang.walk import blocks, statements, stmt_exprs
from srcad.lang.walk import names as walk_names
from srcad.transforms.order import is_inplace

_VIEWS = frozenset((
    "reshape ravel transpose swapaxes squeeze view T real imag diagonal asarray asanyarray ascontiguousarray "
    "asfortranarray atleast_1d atleast_2d atleast_3d expand_dims moveaxis rollaxis flip fliplr flipud rot90 "
    "permute_dims matrix_transpose require"
).split())  # fmt: skip
_READING = frozenset((print, raise_, assert_))
_SAID = frozenset(("shape", "size", "ndim", "dtype"))  # of an array, not its elements
Place = tuple[int, tuple[int, ...]]


class _Binding(NamedTuple):
    """Where a name is bound, and to what arrays or parts of them."""

    at: Place
    sources: tuple[str, ...]

    @property
    def new(self) -> bool:
        return not self.sources


def root(expr: Expr) -> str | None:
    """The name of the array that an expression is, or is a view of."""
    match expr:
        case Var(name):
            return name
        case Attr(value, name):
            return None if name in _SAID else root(value)
        case Call(fn, (base, *_)) if fn is operator.getitem or fn is list_pop:
            return root(base)
        case Call(Method(name), (base, *_)) if name in _VIEWS:
            return root(base)
        case Call(fn, (_, then, orelse)) if fn is select:
            return root(then) or root(orelse)
        case Call(fn, (base, *_)) if getattr(fn, "__name__", "") in _VIEWS:
            return root(base)
    return None


def held(value: Expr) -> Iterator[str]:
    """The names of the arrays that a value is, is a view of, or has among its elements."""
    structure = isinstance(value, Tuple) or isinstance(value, Call) and (
        value.fn in (entry, merged, select) or form_of_class(value.fn) is not None)  # fmt: skip
    if structure:
        for part in value.items if isinstance(value, Tuple) else value.args:  # type: ignore[union-attr]
            yield from held(part)
    elif (name := root(value)) is not None:
        yield name


def holds(value: Expr | None) -> Iterator[str]:
    """The names whose values a value is or has among its elements."""
    match value:
        case Var(name):
            yield name
        case Tuple(items):
            for item in items:
                yield from holds(item)
        case Call(fn, args, kwargs) if fn in (entry, merged, select) or form_of_class(fn) is not None:
            for arg in (*args, *(each for _, each in kwargs)):
                yield from holds(arg)


def written_afterwards(
    body: Block, given: list[tuple[str, Stmt]], moves: list[Stmt], lists: set[str], rows: set[int]
) -> Iterator[tuple[str, Stmt]]:
    """The names put into lists that are written to too late, and the statements that put them there; `lists` are the
    names of lists: one that gets longer may have another buffer then, and is still the same. `rows` are the statements
    that put rows of one list into another one."""
    found = _Places()
    found.block(body, ())
    skipped = {id(stmt) for stmt in moves}
    for name, stmt in given:
        place = found.at.get(id(stmt))
        assert isinstance(stmt, Store) and isinstance(stmt.base, Var)
        if place is None:
            continue
        own = found.family({name})
        family = own if found.given_away(own, stmt, given) else found.with_holders({name, stmt.base.name})
        same = found.family({name}, found.same)
        writes = [(base, at) for base, at, key in found.writes if base in family and key not in skipped]
        writes += [(base, at) for base, at, _ in found.puts if base in same and _is_whole(stmt.value)]
        of_list = bool(own & lists)
        if id(stmt) in rows:
            other = found.family({stmt.base.name})
            writes += [(base, at) for base, at, anew in found.puts if anew and base in own | other]
            writes = [(base, at) for base, at in writes if found.is_seen(other if base in own else own, at)]
        if not all(found.before(at, place, own) or found.another(base, at, place, of_list) for base, at in writes):
            yield name, stmt


def standing_twice(
    body: Block, given: list[tuple[str, Stmt]], lists: list[tuple[str, Stmt]], buffers: tuple[str, ...]
) -> list[Stmt]:
    """Where what may stand in another place, too, is put into a list, or into lists that are its elements."""
    found = _Places()
    found.block(body, ())
    puts = [(name, stmt, buffer) for some in (given, lists) for name, stmt in some if id(stmt) in found.at
            if isinstance(stmt, Store) and (buffer := root(stmt.base)) is not None]  # fmt: skip
    inside = {*buffers}
    while more := set().union(*(found.family({name}) for name, _, buffer in puts if buffer in inside)) - inside:
        inside |= more
    own = [name for name, stmt in given if id(stmt) in found.at]
    placed = {id(stmt) for _, stmt in given}
    return [stmt for name, stmt, buffer in puts if buffer in inside and id(stmt) in placed
            and found.is_twice(name, stmt, own)]  # fmt: skip


def popped_and_written(body: Block) -> dict[str, str]:
    """The values taken from lists that are written to while another name may mean them, with that name."""
    found = _Places()
    found.block(body, ())
    taken = {s.target: s.value.args[0] for s in statements(body)
             if isinstance(s, Let) and isinstance(s.value, Call) and s.value.fn is list_pop}  # fmt: skip
    made = {s.target for s in statements(body)
            if isinstance(s, Let) and isinstance(s.value, Call) and s.value.fn is list_buffer}  # fmt: skip
    written = {base for base, *_ in found.writes}
    result = {}
    for name, buffer in taken.items():
        assert isinstance(buffer, Var)
        apart = {key: others - {buffer.name} for key, others in found.linked.items() if key != buffer.name}
        others = {key: more - {*taken} for key, more in found.linked.items() if key not in taken}
        known = found.family({buffer.name}, others) - {buffer.name} - made
        if known and found.family({name}, apart) & written:
            result[name] = min(known)
    return result


def _is_whole(value: Expr) -> bool:
    """Whether a list is put into another one, and not an element of it."""
    return isinstance(value, Var) or isinstance(value, Call) and isinstance(value.args[-1], Slice)


def _is_everywhere(stmt: Store) -> bool:
    """Whether a list gets one thing in all its places, ``[x] * n``."""
    return isinstance(stmt.index, Call) and stmt.index.args[1] == Const(...)


class _Places:
    """Where statements stand: their number, and the loops around them."""

    def __init__(self) -> None:
        self.at: dict[int, Place] = {}
        self.writes: list[tuple[str, Place, int]] = []
        self.made: dict[str, list[_Binding]] = {}
        self.puts: list[tuple[str, Place, bool]] = []  # elements of lists; whether they take the place of others
        self.holders: dict[str, set[str]] = {}  # of what is put into lists: the buffers of these
        self.linked: dict[str, set[str]] = {}
        self.same: dict[str, set[str]] = {}  # names for one list
        self.read: dict[str, list[Place]] = {}  # where a name is mentioned
        self.around: dict[int, tuple[int, ...]] = {}  # the blocks that a statement stands in
        self.count = 0

    def block(self, block: Block, loops: tuple[int, ...], around: tuple[int, ...] = ()) -> None:
        around = (*around, self.count)
        for stmt in block:
            self.count += 1
            self.around[self.count] = around
            place = self.at[id(stmt)] = (self.count, loops)
            self.statement(stmt, place)
            for name in set().union(set(), *map(walk_names, stmt_exprs(stmt))):
                self.read.setdefault(name, []).append(place)
            inside = (*loops, self.count) if isinstance(stmt, (For, While)) else loops
            for inner in blocks(stmt):
                self.count += 1
                self.block(inner, inside, around)

    def statement(self, stmt: Stmt, place: Place) -> None:
        match stmt:
            case Let(target, Call(fn, (Var(name), _))) if is_inplace(fn):
                self.writes.append((name, place, id(stmt)))
                self.link(target, name)
            case Let(target, value):
                sources = tuple(held(value))
                self.made.setdefault(target, []).append(_Binding(place, sources))
                for source in sources:
                    self.link(target, source)
                    if _is_whole(value):
                        self.link(target, source, self.same)
            case Store(Var(), Call(fn, (_, Slice(), _)), inside=False) if fn is slot:
                pass  # behind all elements that there are
            case Store(Var(base), Call(fn), value) if fn is slot and not (
                isinstance(value, Call) and is_inplace(value.fn)
            ):
                self.puts.append((base, place, stmt.index.args[2] != Const(False)))  # type: ignore[union-attr]
                self.holders.setdefault(root(value) or "", set()).add(base)
            case Store(base) | Accum(base):
                self.writes.append((root(base) or "", place, id(stmt)))
            case Effect(Call(fn, (base, *_))) if fn not in _READING:
                self.writes.append((root(base) or "", place, id(stmt)))

    def link(self, a: str, b: str, links: dict[str, set[str]] | None = None) -> None:
        links = self.linked if links is None else links
        links.setdefault(a, set()).add(b)
        links.setdefault(b, set()).add(a)

    def family(self, names: set[str], links: dict[str, set[str]] | None = None) -> set[str]:
        """All names that may share memory with these."""
        links = self.linked if links is None else links
        found, waiting = set(names), list(names)
        while waiting:
            new = links.get(waiting.pop(), set()) - found
            found |= new
            waiting += new
        return found

    def with_holders(self, names: set[str]) -> set[str]:
        """All names that may share memory with these, or with the lists that these are put into."""
        found = self.family(names)
        while more := set().union(*(self.holders.get(name, ()) for name in found)) - found:
            found = self.family(found | more)
        return found

    def is_seen(self, family: set[str], write: Place) -> bool:
        """Whether anything is done with names after a write, perhaps in the next iteration of a loop around it."""
        places = [at for name in family for at in self.read.get(name, ())]
        return any(at[0] > write[0] or at[1][:1] == write[1][:1] != () for at in places)

    def given_away(self, family: set[str], stmt: Store, given: list[tuple[str, Stmt]]) -> bool:
        """Whether an array that is put into a list is known to nothing else from then on."""
        if walk_names(stmt.base) & family or not family <= self.made.keys():
            return False  # the list's own, or the caller's
        if _is_everywhere(stmt):
            return False
        if sum(name in family for name, _ in given) > 1:
            return False
        return all(self.before(at, self.at[id(stmt)], family) for name in family for at in self.read.get(name, ()))

    def is_twice(self, name: str, stmt: Store, given: list[str]) -> bool:
        """Whether what is put into a list may stand in another place of it, too."""
        own, place = self.family({name}), self.at[id(stmt)]
        if _is_everywhere(stmt) or walk_names(stmt.base) & own or sum(other in own for other in given) > 1:
            return True
        bound = [one.at for each in own for one in self.made.get(each, ())]
        anew = bool(bound) and all(at[1][: len(place[1])] == place[1] and at[0] < place[0] for at in bound)
        return bool(place[1]) and not anew

    def before(self, write: Place, given: Place, family: set[str]) -> bool:
        """Whether a write is over when the array is given, in this iteration and in all that follow."""
        if write[0] > given[0]:
            return False
        if not given[1]:
            return True
        bound = [each for name in family for each in self.made.get(name, ())]
        inside = all(one.at[1][: len(given[1])] == given[1] for one in bound)
        anew = any(one.new and one.at[0] < write[0] for one in bound)
        return inside and write[1][: len(given[1])] == given[1] and anew

    def another(self, base: str, write: Place, given: Place, of_list: bool) -> bool:
        """Whether a write goes to an array that is not given then or later, or is made anew before it is written to."""
        both = tuple(a for a, b in zip(write[1], given[1]) if a == b)  # the loops around the two
        if not both and write[0] < given[0]:
            return True
        if of_list and not all(one.new for one in self.made.get(base, ())):
            return False
        return self.is_anew(base, write, (write, given, both))

    def is_anew(self, base: str, at: Place, where: tuple[Place, Place, tuple[int, ...]]) -> bool:
        """Whether what a name means at some place is made in this iteration, and not given between that and a write."""
        write, given, both = where
        bound = self.made.get(base, [])
        surely = [one for one in bound if one.at[0] < at[0] and one.at[1][: len(both)] == both
                  and self.around[one.at[0]] == self.around[at[0]][: len(self.around[one.at[0]])]]  # fmt: skip
        if not surely:
            return False
        last = max(surely, key=lambda one: one.at)
        inner = len(last.at[1])
        again = at[1][inner : inner + 1]  # the loop around the place that binds it only later in its rounds
        others = [one for one in bound if last.at[0] < one.at[0] < at[0]
                  or again and one.at[1][inner : inner + 1] == again]  # fmt: skip
        if not all(one.new for one in others):
            return False
        if last.new:
            return not last.at[0] < given[0] < write[0]
        return all(self.is_anew(source, last.at, where) for source in last.sources)
