"""copies: a cotangent that starts as another one, and is changed no more than that one, is that one.

The reverse of ``t = a + b`` hands the cotangent of `t` to both `a` and `b`, each of them an array of its own, since
more may be added to either. Where nothing is, one array serves for all.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.affine import linear
from srcad.analysis.buffers import is_view, stored_name
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Function, Let, Move, Return, Stmt, Var
from srcad.lang.types import Array, Scalar
from srcad.transforms.context import is_bar


def copies(fn: Function) -> Function:
    """Do without copies of arrays that stay as they are for as long as the copy is used.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.types import FLOAT, Array
    >>> a, b, c = (Var(name, Array("float64", ("n",), "C")) for name in ("a", "b~bar", "c~bar"))
    >>> copied = Let(c.name, Call(np.copy, (b,), (), b.type))
    >>> body = (Let(b.name, Call(np.exp, (a,), (), a.type)), copied, Let("t", Call(np.dot, (b, c), (), FLOAT)))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> print(write(name(copies(Function("f", (Param("a", a.type),), body)))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(a):
        b_bar = np.exp(a)
        t = np.dot(b_bar, b_bar)
    """
    return _handed_on(_shared(fn, copied_cotangent))


def copies_of_records(fn: Function) -> Function:
    """Read the rows of records, where a function reads copies of the states that these are."""
    return _shared(fn, _copied_row)


def copies_of_planes(fn: Function) -> Function:
    """The same for arrays of more axes, when nests that gather for neighbours are done."""
    return _shared(fn, _copied_state)


def copies_of_vectors(fn: Function) -> Function:
    """The same for arrays of one axis that are no records."""
    return _shared(fn, copied_vector)


def _shared(fn: Function, copied: Callable[[Stmt], Var | None]) -> Function:
    if not any(copied(stmt) for stmt in walk.statements(fn.body)):
        return fn
    return replace(fn, body=_Sharer(fn, copied).block(fn.body))


def _handed_on(fn: Function) -> Function:
    """Cotangents in another shape, as views of those that nobody reads any more, ``np.reshape(y_bar, x.shape)``."""
    if not any(_reshaped(stmt) for stmt in fn.body):
        return fn
    pairs, done = Pairs.of(fn.body), dict[int, Stmt](enumerate(fn.body))
    made: dict[str, int] = {}  # where views that are made here have their statements
    viewed: dict[str, Var] = {}  # what they are views of
    for k, stmt in enumerate(fn.body):
        view, source = _reshaped(stmt) or (None, None)
        if view is None or source is None or not isinstance(stmt, Let):
            continue
        if not _is_last(source.name, stmt.target, fn, fn.body[k + 1 :], pairs):
            continue
        if source.name in made and source.name not in walk.mentioned(fn.body[made[source.name] + 1 : k]):
            del done[made[source.name]]  # no view of a view
            source = viewed[source.name]
        done[k] = replace(stmt, value=replace(view, args=(source, view.args[1])))
        made[stmt.target], viewed[stmt.target] = k, source
    return replace(fn, body=tuple(done.values()))


def _is_last(source: str, view: str, fn: Function, rest: Block, pairs: Pairs) -> bool:
    """Whether nobody has the array of `source` in the statements behind one but the name that the statement binds."""
    others = {p.name for p in fn.params} | walk.mentioned(rest)
    return not any(pairs.may_share(source, name) for name in others - {view})


def _reshaped(stmt: Stmt) -> tuple[Call, Var] | None:
    """What a statement copies to make a cotangent of another one in another shape, and that one."""
    match stmt:
        case Let(target, Call(np.copy, (Call(np.reshape, (Var() as source, _), ()) as view,), (), Array() as kind)):
            alike = view.type in (kind, replace(kind, layout="C"))
            return (view, source) if alike and is_bar(target) and is_bar(source.name) else None
    return None


class _Sharer:
    def __init__(self, fn: Function, copied: Callable[[Stmt], Var | None]) -> None:
        self.copied = copied
        self.rows: dict[str, tuple[str, str, int]] = {}  # those of records, and views of these
        self.pairs = Pairs.of(fn.body)
        self.mentions: Counter[str] = Counter()
        self.counted: Counter[str] = Counter()
        self.definitions: Counter[str] = Counter(p.name for p in fn.params)
        for stmt in walk.statements(fn.body):
            self.definitions.update(walk.targets(stmt) if isinstance(stmt, (Let, Move)) else ())
            self.mentions.update(names_in(stmt))
            self.counted.update(walk.targets(stmt))
        for stmt in walk.statements(fn.body):
            match stmt:
                case Let(target, Call(operator.getitem, (Var(base), _), (), Array())) if self.definitions[base] == 1:
                    row = self.rows.get(base) or _row(stmt)
                    self.rows |= {} if row is None else {target: row}

    def block(self, block: Block) -> Block:
        done = [walk.map_stmt(lambda e: e, stmt, self.block) for stmt in block]
        users = _Users(done, self.pairs)
        spared: set[int] = set()
        for k in range(len(done)):
            stmt = done[k]
            source = self.copied(stmt)
            any_of_them = self.copied in (copied_cotangent, copied_vector)
            if source is None or not (any_of_them or source.name in self.rows) or not isinstance(stmt, Let):
                continue
            if not self.one(stmt.target, source.name, users, k):
                continue
            for place in users.mentioned.get(stmt.target, ()):
                (done[place],) = walk.substitute_in((done[place],), {stmt.target: source})
            users.rename(stmt.target, source.name)
            self.mentions[source.name] += self.mentions.pop(stmt.target, 0)
            spared.add(k)
        return tuple(stmt for k, stmt in enumerate(done) if k not in spared)

    def one(self, copy: str, source: str, users: _Users, place: int) -> bool:
        """Whether nobody could tell a copy from its source in the statements in which it is used."""
        if any(self.definitions[name] != 1 for name in (copy, source)):
            return False
        if any(self.pairs.may_share(copy, name) for name in users.behind(users.handed, copy, place)):
            return False
        for name in (copy, source):
            for written in users.behind(users.written, name, place):
                if not self.is_other_row(source, written) and self.pairs.may_share(name, written):
                    return False
        return sum(n for k, n in users.mentioned.get(copy, {}).items() if k > place) == self.mentions[copy]

    def is_other_row(self, one: str, other: str) -> bool:
        """Whether two names are different rows of one array."""
        if any(self.definitions[name] != 1 or name not in self.rows for name in (one, other)):
            return False
        (array, index, number), (array_2, index_2, number_2) = self.rows[one], self.rows[other]
        return self.counted[index] == 1 and (array, index) == (array_2, index_2) and number != number_2


class _Users:
    """What the statements of a block do with names, by the places of the statements."""

    def __init__(self, block: list[Stmt], pairs: Pairs) -> None:
        self.find = pairs.classes.find
        self.mentioned: defaultdict[str, Counter[int]] = defaultdict(Counter)  # how often
        self.written: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)  # of each class of names
        self.handed: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)  # on, or returned
        for place, outer in enumerate(block):
            for stmt in walk.statements((outer,)):
                names = names_in(stmt)
                for name, times in names.items():
                    self.mentioned[name][place] += times
                if isinstance(stmt, (Move, Return)):
                    for name in set().union(*map(_handed, walk.stmt_exprs(stmt))):
                        self.handed[self.find(name)].append((place, name))
                if (written := stored_name(stmt)) is not None:
                    self.written[self.find(written)].append((place, written))

    def behind(self, users: dict[str, list[tuple[int, str]]], name: str, place: int) -> Iterator[str]:
        """The names of the class of `name` for which there is a user behind a place."""
        return (other for at, other in users.get(self.find(name), ()) if at > place)

    def rename(self, name: str, other: str) -> None:
        self.mentioned[other].update(self.mentioned.pop(name, {}))


def _handed(value: Expr) -> frozenset[str]:
    """The names whose memory a value may be, or be a part of."""
    kind = getattr(value, "type", None)
    if isinstance(value, Call) and (isinstance(kind, Scalar) or isinstance(kind, Array) and not is_view(value)):
        return frozenset()
    return walk.names(value)


def _row(stmt: Let) -> tuple[str, str, int] | None:
    """Which row of a record a statement names: so far from where an index is."""
    match stmt.value:
        case Call(operator.getitem, (Var(array), index)) if array.endswith("~tape"):
            name, number = linear(index) or (None, 0)
            return None if name is None else (array, name, number)
    return None


def copied_vector(stmt: Stmt) -> Var | None:
    """What is copied, an array of one axis whose length other names tell as well."""
    match stmt:
        case Let(name, Call(fn, (Var(_, Array(shape=(_,)) as own) as source,), (), Array(shape=(dim,)) as kind)) if (
            fn is np.copy or fn is np.array
        ):
            alike = (own.dtype, own.layout) == (kind.dtype, kind.layout)
            return source if alike and not str(dim).startswith(f"{name}.shape") else None
    return None


def _copied_row(stmt: Stmt) -> Var | None:
    """What is copied, an array of one axis: nests that gather for neighbours find their lengths in the record's."""
    source = _copied_state(stmt)
    return source if source is not None and isinstance(source.type, Array) and source.type.ndim == 1 else None


def _copied_state(stmt: Stmt) -> Var | None:
    match stmt:
        case Let(_, Call(np.copy, (Var() as source,), (), Array() as kind)) if source.type == kind:
            return source
    return None


def names_in(stmt: Stmt) -> Counter[str]:
    """How often the expressions of a statement itself read each name."""
    return Counter(e.name for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr) if isinstance(e, Var))


def copied_cotangent(stmt: Stmt) -> Var | None:
    """The cotangent of which a statement makes another one, as a copy that lies in memory in the same order."""
    match stmt:
        case Let(target, Call(np.copy, (Var() as source,), (), kind)) if is_bar(target) and is_bar(source.name):
            return source if source.type == kind else None
    return None
