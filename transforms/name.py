"""name: from unique names to readable ones.

Copies whose two names never need different values become one name; then each group of names gets the name that the
user gave it, numbered only where values of one name overlap. ``x.2~bar`` becomes ``x_bar``.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.interference import Interference, interference
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var, hint, is_temporary,
)  # fmt: skip
from srcad.lang.symbols import helper_name, library_name
from srcad.lang.types import Array, Scalar, Type
from srcad.lang.walk import statements, stmt_exprs, subexprs, targets
from srcad.transforms.describe import describe
from srcad.transforms.rename import renamed


def name(fn: Function) -> Function:
    """Give every value of a final function the name that is printed.

    >>> import operator
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, x1 = Var("x", FLOAT), Var("x.1", FLOAT)
    >>> body = (Let("x.1", Call(operator.mul, (x, x), (), FLOAT)), Let("_t", Call(operator.neg, (x1,), (), FLOAT)))
    >>> named = name(Function("f", (Param("x", FLOAT),), (*body, Return(Call(operator.mul, (x1, Var("_t", FLOAT)))))))
    >>> from srcad.lang.write import write
    >>> print(write(named).text, end="")
    def f(x):
        x = x * x
        neg_x = -x
        return x * neg_x
    """
    return renamed(fn, printed(fn))


def printed(fn: Function) -> dict[str, str]:
    """The name that is printed for each name of a final function."""
    return _choose(fn, _coalesce(fn, interference(fn)))


COUNTERS = "ijklpqrs"  # of loops inside others that count with the same letter
_FLOATS = {("float64", 0), ("float32", 0)}


@dataclass(eq=False)
class _Group:
    """Names that become one variable."""

    names: list[str]
    members: int
    conflicts: int
    type: tuple
    key: str | None  # None: temporaries only
    fixed: str | None = None  # a parameter's name

    def conflicts_with(self, other: _Group) -> bool:
        return bool(self.conflicts & other.members or other.conflicts & self.members)


@dataclass
class _Groups:
    of: dict[str, _Group] = field(default_factory=dict)

    def merge(self, a: str, b: str) -> None:
        """Make one group of two, if their names can share a variable and are called the same."""
        one, two = self.of[a], self.of[b]
        if one is two or one.conflicts_with(two) or not _agree(one, two):
            return
        if one.key is not None and two.key is not None and one.key != two.key or one.fixed and two.fixed:
            return
        one.names += two.names
        one.members |= two.members
        one.conflicts |= two.conflicts
        one.key = one.key if one.key is not None else two.key
        one.fixed = one.fixed or two.fixed
        self.of.update(dict.fromkeys(two.names, one))

    def __iter__(self) -> Iterator[_Group]:
        return iter(dict.fromkeys(self.of.values()))


def _coalesce(fn: Function, found: Interference) -> _Groups:
    """One group for the names that copies connect."""
    groups = _Groups()
    params = {p.name for p in fn.params}
    for one in (*(p.name for p in fn.params), *_in_order(fn.body)):
        if one not in groups.of:
            bits = found.conflicts[found.number[one]]
            key = None if is_temporary(one) else one if one in params else _base(one)
            fixed = one if one in params else None
            groups.of[one] = _Group([one], found.bit(one), bits, _kind(found.types.get(one)), key, fixed)
    copies = [pair for stmt in statements(fn.body) for pair in _copies(stmt)]
    for target, source in copies:
        if not (is_temporary(target) or is_temporary(source)):
            groups.merge(source, target)
    for target, source in copies:
        groups.merge(source, target)
    return groups


def _agree(one: _Group, two: _Group) -> bool:
    """Whether a copy from one group to the other keeps the type; floats of two sizes may share a user's name."""
    if one.type == two.type:
        return True
    return one.key is not None and one.key == two.key and {one.type, two.type} <= _FLOATS


def _in_order(block: Block) -> Iterator[str]:
    for stmt in statements(block):
        yield from targets(stmt)
        for expr in stmt_exprs(stmt):
            yield from (e.name for e in subexprs(expr) if isinstance(e, Var))
        if isinstance(stmt, For) and stmt.flag is not None:
            yield stmt.flag


def _copies(stmt: Stmt) -> Iterator[tuple[str, str]]:
    match stmt:
        case Let(target, Var(source)):
            yield target, source
        case Move(names, values):
            yield from ((t, v.name) for t, v in zip(names, values) if isinstance(v, Var))


def _kind(type: Type | None) -> tuple:
    """What must agree for two values to share a variable."""
    match type:
        case Scalar(dtype):
            return (dtype, 0)
        case Array(dtype):
            return (dtype, type.ndim, "array")
    return (repr(type),)


def _base(one: str) -> str:
    """``x_bar`` of ``x.2~bar``"""
    kinds = [part.split(".")[0] for part in one.split("~")[1:]]
    return "_".join([hint(one), *kinds])


# ---------------------------------------------------------------- choosing names


def _choose(fn: Function, groups: _Groups) -> dict[str, str]:
    """The printed name of every name: groups of one base share a name where they do not conflict."""
    definitions = _definitions(fn.body)
    read = {e.name for s in statements(fn.body) for x in stmt_exprs(s) for e in subexprs(x) if isinstance(e, Var)}
    bases = _Bases(definitions, groups)
    ordered = sorted(groups, key=lambda g: (g.fixed is None, g.key is None, any("~" in n for n in g.names)))
    taken = reserved(fn) | {g.fixed for g in groups if g.fixed}
    numbered = _Numbered(taken, {g.key for g in groups if g.key is not None})
    counters = {s.index for s in statements(fn.body) if isinstance(s, For)}
    letters = [one for one in COUNTERS if one not in {g.key for g in groups if not counters.issuperset(g.names)}]
    slots: dict[tuple[str, bool], _Slots] = {}
    result: dict[str, str] = {}
    for group in ordered:
        base = group.fixed or bases.of(group)
        if base.strip("_") == "" and read.intersection(group.names):
            base = "k"
        wanted = [base, *letters] if len(base) == 1 and base != "_" and counters.issuperset(group.names) else [base]
        kinds = {one: slots.setdefault((one, "~" in group.names[0]), _Slots()) for one in wanted}
        found = next((found for shared in kinds.values() if (found := shared.find(group)) is not None), None)
        if found is None:
            found = group.fixed or next(filter(numbered.is_free, wanted), None) or numbered.new(base)
            kinds.get(found, kinds[base]).add(found, group)
        taken.add(found)
        result.update(dict.fromkeys(group.names, found))
    return result


def _definitions(block: Block) -> dict[str, Expr]:
    """What temporaries are: of an array made empty, what is stored into it; of a sum, what it is a sum of."""
    found = {s.target: s.value for s in statements(block) if isinstance(s, Let) and is_temporary(s.target)}
    for stmt in statements(block):
        match stmt:
            case Store(Var(name), _, value) if isinstance(new := found.get(name), Call) and new.fn is np.empty:
                found[name] = replace(new, fn=np.zeros) if isinstance(value, Const) else value
            case Accum(Var(name, Scalar()), value) if isinstance(found.get(name), Const):
                found[name] = Call(np.sum, (value,))
    return found


@dataclass
class _Numbered:
    """Hands out names that are not `taken`, and that nobody else has `wanted`."""

    taken: set[str]
    wanted: set[str]
    last: dict[str, int] = field(default_factory=dict)  # up to here, all numbers of a base are taken

    def is_free(self, letter: str) -> bool:
        return letter not in self.taken

    def new(self, base: str) -> str:
        number = self.last.get(base, 0)
        found = base if not number else f"{base}_{number}"
        while found in self.taken or (found in self.wanted and found != base):
            number += 1
            found = f"{base}_{number}"
        self.last[base] = number
        return found


@dataclass
class _Slots:
    """The variables of one base, each with the values that it holds."""

    slots: list[tuple[str, _Group]] = field(default_factory=list)
    members: int = 0  # of all of them

    def find(self, group: _Group) -> str | None:
        """A variable of the type of `group` that holds no value which `group` must not overwrite; it holds it now."""
        if not self.members & ~group.conflicts:
            return None
        for position, (found, other) in enumerate(self.slots):
            if other.type == group.type and not other.conflicts_with(group) and not (group.fixed and other.fixed):
                members, conflicts = other.members | group.members, other.conflicts | group.conflicts
                self.slots[position] = (found, replace(other, members=members, conflicts=conflicts))
                self.members |= group.members
                return found
        return None

    def add(self, found: str, group: _Group) -> None:
        self.slots.append((found, group))
        self.members |= group.members


@dataclass
class _Bases:
    """The names that groups ask for."""

    definitions: dict[str, Expr]
    groups: _Groups
    known: dict[str, str] = field(default_factory=dict)

    def of(self, group: _Group) -> str:
        return group.key if group.key is not None else self.name(group.names[0])

    def name(self, one: str) -> str:
        """The base of one name; a temporary is described by what defines it."""
        if one not in self.known:
            self.known[one] = "value"
            self.known[one] = self._find(one)
        return self.known[one]

    def _find(self, one: str) -> str:
        group = self.groups.of.get(one)
        if group is not None and group.key is not None:
            return group.key
        if one in self.definitions and "~" not in one and hint(one) != "_k":
            return describe(self.definitions[one], self.name)
        if hint(one) == "_k":
            return "k"
        first, *kinds = (part if k == 0 else part.split(".")[0] for k, part in enumerate(one.split("~")))
        return "_".join([self.name(first) if kinds and first in self.definitions else "value", *kinds])


def reserved(fn: Function) -> set[str]:
    """The names that generated source uses for something else: keywords, modules, builtins, helpers, constants."""
    found = {*keyword.kwlist, "np", "math", "range", fn.name}
    for stmt in statements(fn.body):
        for expr in stmt_exprs(stmt):
            for e in subexprs(expr):
                found.update(_globals(e))
    return found


def _globals(expr: Expr) -> Iterator[str]:
    match expr:
        case Call(fn):
            known = library_name(fn) or helper_name(fn) or getattr(fn, "__name__", "")
            yield known.removeprefix("scipy.").split(".")[0]
        case Const(name=str() as own):
            yield own.split(".")[0]
        case Const(value) if callable(value):
            yield (library_name(value) or getattr(value, "__name__", "")).split(".")[0]
