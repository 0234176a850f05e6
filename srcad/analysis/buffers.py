"""Which buffer an array name stands for: allocations, views, aliases.

A *site* is a name that owns memory: a parameter, or a name assigned by an allocating expression. An array name
stands for a set of sites; two names may share memory only if their sets meet. Names that a loop carries and
permutes (``u, v = v, u``) share both sites and yet never the same memory; `Buffers.distinct` knows them.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Block, Call, Const, Effect, Expr, For, Function, Let, Move, Slice, Stmt, Store, Var, While,
    select,
)  # fmt: skip
from srcad.lang.types import Array, TupleType, Type, is_array, is_elastic
from srcad.lang.viewing import gives_views
from srcad.runtime import add_at, reshaped, solution, stop_gradient

VIEWS = {np.transpose, np.reshape, np.ravel, np.broadcast_to, np.expand_dims, np.squeeze, np.swapaxes, np.asarray,
         np.ascontiguousarray, np.asfortranarray, np.moveaxis, np.diagonal, np.diag, np.atleast_1d, np.real, np.imag,
         np.flip, np.flipud, np.fliplr, reshaped, solution, stop_gradient}  # fmt: skip
# Of these a cotangent can be the same view of another cotangent.
WRITABLE_VIEWS = {operator.getitem, np.transpose, np.reshape, np.ravel, np.expand_dims, np.squeeze, np.swapaxes,
                  np.moveaxis, np.real, reshaped}  # fmt: skip
# These return a view of a contiguous array and a copy of any other.
CONTIGUOUS_VIEWS = {np.reshape, np.ravel, np.asarray, np.ascontiguousarray, np.asfortranarray}


def basic_index(index: Expr) -> bool:
    """Whether an index is made of integers, slices, None and Ellipsis alone, so that NumPy gives a view."""
    return not _arrays_in(index)


def may_repeat(index: Expr) -> bool:
    """Whether an index may mean one place twice; a mask by itself does not."""
    dtypes = [array.dtype for array in _arrays_in(index)]
    return bool(dtypes) and dtypes != ["bool"]


def _arrays_in(index: Expr) -> list[Array]:
    """The types of the arrays that an index is made of, those in a tuple with a name, too."""
    parts = items_of(index)
    types = [getattr(part, "type", None) for part in parts]
    if len(types) == 1 and isinstance(types[0], TupleType):
        types = list(types[0].items)
    return [type for type in types if isinstance(type, Array)]


def view_of(value: Expr) -> Expr | None:
    """The array that `value` is a view of, or None if it owns its memory."""
    if isinstance(value, (Var, Const)) and is_array(value.type):
        return value
    if not (isinstance(value, Call) and is_array(value.type) and value.args):
        return None
    if value.fn is operator.getitem and basic_index(value.args[1]):
        base = value.args[0]  # a tuple holds what it was given
        return base if is_array(getattr(base, "type", None)) else None
    if value.fn is np.diag and value.type.ndim == 2:  # type: ignore[attr-defined]
        return None  # a matrix with this diagonal
    base = value.args[0]  # of a number, an array is made
    try:
        return base if value.fn in VIEWS and is_array(getattr(base, "type", None)) else None
    except TypeError:
        return None


def views_of(value: Expr) -> tuple[Expr, ...]:
    """The arrays of which `value` is a view: of ``a if test else b``, one of two."""
    if isinstance(value, Call) and value.fn is select and is_array(value.type):
        return value.args[1:]
    if isinstance(value, Call) and gives_views(value.fn):
        return tuple(arg for arg in value.args if is_array(getattr(arg, "type", None)))
    base = view_of(value)
    return () if base is None else (base,)


def is_view(value: Expr) -> bool:
    """Whether a value is a view of an array that has a name."""
    return any(isinstance(base, Var) for base in views_of(value))


@dataclass
class Buffers:
    """The sites of every array name of a function."""

    sites: dict[str, frozenset[str]] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    views: dict[str, Expr] = field(default_factory=dict)  # name -> the view expression that defines it
    pairs: set[frozenset[str]] = field(default_factory=set)  # phi names that never share memory
    stored: dict[str, set[str]] = field(default_factory=dict)  # site -> names through which it is written
    hollow: set[str] = field(default_factory=set)  # names that an array without elements may be moved to
    outside: dict[str, str] = field(default_factory=dict)  # site of an array of a global or closure -> its name
    firsts: dict[str, str] = field(default_factory=dict)  # name of what is computed again -> its name the first time
    parts: dict[str, tuple[Expr | None, ...]] = field(default_factory=dict)  # of an array: its indices along axes

    def of(self, name: str) -> frozenset[str]:
        return self.sites.get(name, frozenset())

    def may_share(self, a: str, b: str) -> bool:
        """Whether writing through `a` may change what `b` reads."""
        if not self.of(a) & self.of(b):
            return False
        return frozenset((self.root(a), self.root(b))) not in self.pairs

    def root(self, name: str) -> str:
        """The name at the end of a chain of views: an owner, a parameter or a joined name."""
        while name in self.views:
            base = view_of(self.views[name])
            if not isinstance(base, Var):
                break
            name = base.name
        return name

    def roots(self, name: str) -> set[str]:
        """The names at the ends of all chains of views."""
        name = self.root(name)
        if name not in self.views:
            return {name}
        bases = views_of(self.views[name])
        return {root for base in bases if isinstance(base, Var) for root in self.roots(base.name)}

    def mutated(self, name: str) -> bool:
        """Whether anything in the function writes to the memory of `name`."""
        return any(self.may_share(writer, name) for site in self.of(name) for writer in self.stored.get(site, ()))

    def learn(self, block: Block) -> None:
        """Get to know the views in what is computed again."""
        while _propagate(block, self):
            pass


def buffers(fn: Function) -> Buffers:
    """The buffers of a typed, split function."""
    found = Buffers()
    for param in fn.params:
        if is_array(param.type):
            found.sites[param.name] = frozenset((param.name,))
            found.types[param.name] = param.type
    changed = True
    while changed:
        changed = _propagate(fn.body, found)
    _distinct_phis(fn, found)
    for stmt in walk.statements(fn.body):
        target = stored_name(stmt)
        if target is not None:
            for site in found.of(target):
                found.stored.setdefault(site, set()).add(target)
    return found


def stored_name(stmt: Stmt) -> str | None:
    """The array name whose contents a statement writes."""
    match stmt:
        case Store(Var(name)) | Accum(Call(args=(Var(name), _))):
            return name
        case Accum(Var(name, type)) if is_array(type):
            return name
        case Effect(Call(fn, (array, *_))) if fn is add_at:
            base: Expr | None = array
            while isinstance(base, Call):
                base = view_of(base)
            return base.name if isinstance(base, Var) else None
    return None


def is_put_behind(stmt: Stmt) -> bool:
    """Whether a statement puts several elements behind all that a list has ever had: it overwrites none."""
    match stmt:
        case Store(Var(type=kind), Slice(lower=Var()), inside=False):
            return is_elastic(kind)
    return False


def stored_names(block: Block) -> set[str]:
    return {name for stmt in walk.statements(block) if (name := stored_name(stmt)) is not None}


def adds_in_place(stmt: Stmt) -> bool:
    """Whether a statement changes what an array holds, and not which array a name stands for."""
    return isinstance(stmt, Accum) and isinstance(stmt.target, Var) and isinstance(stmt.target.type, Array)


def rebound(stmt: Stmt) -> set[str]:
    """The names that a statement, or one inside it, assigns; arrays that are added to stay the same arrays."""
    added = (s for s in walk.statements((stmt,)) if not (isinstance(s, Accum) and stored_name(s) is not None))
    return {name for s in added for name in walk.targets(s)}


def _propagate(block: Block, found: Buffers) -> bool:
    changed = False
    for stmt in walk.statements(block):
        match stmt:
            case Let(target, value) if is_array(getattr(value, "type", None)):
                found.types[target] = value.type
                bases = views_of(value)
                if is_view(value):
                    found.views[target] = value
                sites = frozenset().union(*(_sites(found, base) for base in bases))
                changed |= _widen(found, target, sites or frozenset((target,)))
            case Move(targets, values):
                for target, value in zip(targets, values):
                    if isinstance(value, (Var, Const)) and is_array(value.type):
                        found.types.setdefault(target, value.type)
                        found.hollow |= {target} if 0 in value.type.shape else set()  # type: ignore[union-attr,attr-defined]
                        changed |= _widen(found, target, _sites(found, value))
    return changed


def _sites(found: Buffers, value: Expr | None) -> frozenset[str]:
    """The sites of the array that a view is of."""
    match value:
        case Var(name):
            return found.of(name)
        case Const(array, name=name) if isinstance(array, np.ndarray):
            site = f"{name or 'constant'}={id(array)}"
            found.outside[site] = name or "a constant"
            return frozenset((site,))
        case Call() if (base := view_of(value)) is not None:
            return _sites(found, base)
    return frozenset()


def _widen(found: Buffers, name: str, sites: frozenset[str]) -> bool:
    old = found.of(name)
    found.sites[name] = old | sites
    return found.sites[name] != old


def _distinct_phis(fn: Function, found: Buffers) -> None:
    """Assume that all names a loop carries are pairwise distinct; drop pairs until the assumption holds."""
    groups: list[tuple[dict[str, Var], dict[str, Var]]] = []
    _collect_groups(fn.body, found, groups)
    candidates = {
        frozenset((a, b)): (group, a, b)
        for group in groups for a in group[1] for b in group[1] if a < b
    }  # fmt: skip
    found.pairs = set(candidates)
    found.pairs |= _fresh_in_loops(fn.body, found, ())
    while True:
        broken = {
            pair
            for pair, (group, a, b) in candidates.items()
            if pair in found.pairs and not _still_distinct(found, group, a, b)
        }
        if not broken:
            return
        found.pairs -= broken


def _fresh_in_loops(block: Block, found: Buffers, carried: tuple[str, ...]) -> set[frozenset[str]]:
    """What an iteration allocates is not what the iteration was entered with."""
    pairs: set[frozenset[str]] = set()
    for stmt in block:
        if isinstance(stmt, Let) and carried and found.of(stmt.target) == {stmt.target}:
            pairs.update(frozenset((stmt.target, name)) for name in carried)
        inner = carried
        if isinstance(stmt, (For, While)) and stmt.body and isinstance(stmt.body[-1], Move):
            inner += tuple(_array_moves(stmt.body[-1], found))
        for body in walk.blocks(stmt):
            pairs |= _fresh_in_loops(body, found, inner)
    return pairs


def _still_distinct(found: Buffers, group, a: str, b: str) -> bool:
    init, after = group
    if a in init and b in init and found.may_share(init[a].name, init[b].name):
        return False
    return not found.may_share(after[a].name, after[b].name)


def _collect_groups(block: Block, found: Buffers, groups: list) -> None:
    previous: Stmt | None = None
    for stmt in block:
        if isinstance(stmt, (For, While)):
            init = _array_moves(previous, found) if isinstance(previous, Move) else {}
            last = stmt.body[-1] if stmt.body and isinstance(stmt.body[-1], Move) else None
            after = _array_moves(last, found) if last else {}
            # A name that the loop carries but does not rebind keeps its own memory.
            if len(after) > 1:
                groups.append((init, after))
        for inner in walk.blocks(stmt):
            _collect_groups(inner, found, groups)
        previous = stmt


def _array_moves(move: Move, found: Buffers) -> dict[str, Var]:
    return {
        t: v for t, v in zip(move.targets, move.values) if isinstance(v, Var) and t in found.sites and is_array(v.type)
    }

