"""independent: whether the iterations of a loop depend on each other; part of `parallel`, `blocks` and `recall`.

They may all add to a number or to elements of an array. Whatever else they write to must be elements of their own.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Union

from srcad.analysis.affine import linear
from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.live import Names
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Let, Move, Return, Slice, Stmt, Store, Var, hint,
)  # fmt: skip
from srcad.lang.types import INT, Array, Scalar, is_array, is_float
from srcad.transforms.context import reads_of
from srcad.transforms.simplify import simplified
from srcad.transforms.split import exposed
from srcad.transforms.state import contents_of


Share = Callable[[str, str], bool]  # whether two names may share memory


@dataclass
class Sums:
    """What the iterations of a loop add to: numbers, and arrays of which they add to elements."""

    numbers: list[Var] = field(default_factory=list)
    arrays: list[Var] = field(default_factory=list)


def sums_of(loop: For, rest: Block, classes: Classes) -> Union[Sums, str]:
    """What the iterations add to, where `rest` may run behind the loop; a text says why they are not independent."""
    return _shared(loop, exposed(rest), classes.share)


def are_apart(loop: For, behind: Names, share: Share) -> bool:
    """Whether iterations share nothing but numbers to which all add; `behind` are the names read after the loop."""
    sums = _shared(loop, behind, share)
    return not isinstance(sums, str) and not sums.arrays


def are_apart_in_memory(loop: For, share: Share) -> bool:
    """Whether no iteration reads or writes an element that another one writes; numbers it may hand on."""
    if _is_irregular(loop):
        return False
    sums = Sums()
    return not isinstance(_arrays(loop, walk.assigned(loop.body), sums, share), str) and not sums.arrays


def _shared(loop: For, behind: AbstractSet[str], share: Share) -> Union[Sums, str]:
    if irregular := _is_irregular(loop):
        return irregular
    sums = Sums()
    assigned = walk.assigned(loop.body)
    handed_on = exposed(loop.body) & assigned
    for name in sorted(assigned):
        added = number_added(loop.body, name)
        if added is not None:
            (sums.arrays if is_array(added.type) else sums.numbers).append(added)
        elif name in handed_on:
            return f"an iteration needs {hint(name)} of the one before"
        elif name in behind:
            return f"{hint(name)} of the last iteration is read after it"
    if loop.index in behind:
        return f"{hint(loop.index)} is read after it"
    return _arrays(loop, assigned, sums, share)


def _is_irregular(loop: For) -> str:
    """Why iterations do not follow each other one by one, if they do not."""
    if loop.flag is not None or not isinstance(loop.step, Const) or loop.step.value not in (1, -1):
        return "it is left early" if loop.flag is not None else "its step is not 1"
    if any(isinstance(s, (Effect, Return)) for s in walk.statements(loop.body)):
        return "an iteration may raise or print"
    return ""


def remembers(loop: For) -> bool:
    """Whether an iteration may read what one before it has left, other than a sum: in a name, or in an array."""
    body, known = adding(loop.body), walk.assigned(loop.body)
    if any(number_added(body, name) is None for name in exposed(body) & known):
        return True
    classes = Classes.of(body)
    outside = {classes.find(name) for name in reads_of(body) - known}
    counted = isinstance(loop.step, Const) and loop.step.value in (1, -1)
    left = {name for name in stored_names(body) if not (counted and name not in known and _by_index(loop, name))}
    return bool({classes.find(name) for name in left} & {classes.find(name) for name in contents_of(body)} & outside)


def adding(body: Block) -> Block:
    """A body with statements that add in the place of those that hand sums on."""
    lets = {stmt.target: stmt for stmt in body if isinstance(stmt, Let)}
    exprs = [e for s in walk.statements(body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
    uses = Counter(e.name for e in exprs if isinstance(e, Var))
    added: dict[str, Accum] = {}  # in the place of the values: what these are computed from may change behind them
    out: list[Stmt] = []
    for stmt in body:
        if not isinstance(stmt, Move):
            out.append(stmt)
            continue
        left: list[tuple[str, Expr]] = []
        for target, value in zip(stmt.targets, stmt.values):
            named = lets.get(value.name) if isinstance(value, Var) and uses[value.name] == 1 else None
            whole = named.value if named else value
            term = _term(target, whole) if uses[target] == 1 else None
            if term is None or not isinstance(whole, Call):
                left.append((target, value))
            elif named:
                added[named.target] = Accum(Var(target, whole.type), term, named.origin)
            else:
                out.append(Accum(Var(target, whole.type), term, stmt.origin))
        if left:
            out.append(Move(tuple(t for t, _ in left), tuple(v for _, v in left), stmt.origin))
    return tuple(added.get(s.target, s) if isinstance(s, Let) else s for s in out)


def _term(name: str, value: Expr) -> Expr | None:
    """What a new value adds to the old one, of the same shape and dtype."""
    match value:
        case Call(operator.add, (Var(old) as sum_, term)) | Call(operator.add, (term, Var(old) as sum_)) if old == name:
            added = term
        case Call(operator.sub, (Var(old) as sum_, term), (), kind) if old == name:
            added = Call(operator.neg, (term,), (), kind)
        case _:
            return None
    grown = isinstance(value.type, Array) and isinstance(sum_.type, Array) and not _alike(value.type, sum_.type)
    return None if grown or name in walk.names(term) else added


def _alike(one: Array, other: Array) -> bool:
    return one.shape == other.shape and one.dtype == other.dtype


def number_added(body: Block, name: str) -> Var | None:
    """A name to which an iteration adds and does nothing else."""
    found: Var | None = None
    for stmt in walk.statements(body):
        match stmt:
            case Accum(Var() as target, value) if target.name == name:
                if name in walk.names(value):
                    return None
                found = target
            case Let(target, Call() as value) if target == name and _term(name, value) is not None:
                if not isinstance(value.type, Scalar):
                    return None
                found = Var(name, value.type)
            case _:
                if name in walk.targets(stmt) or any(name in walk.names(e) for e in walk.stmt_exprs(stmt)):
                    return None
    return found if found is not None and is_float(found.type) else None


def _arrays(loop: For, assigned: set[str], sums: Sums, share: Share) -> Union[Sums, str]:
    """The arrays from outside to which iterations write: each its own elements, or all add to any."""
    written = {base.name: base for s in walk.statements(loop.body) if (base := _written(s)) is not None}
    mentioned = reads_of(loop.body)
    for name, base in sorted(written.items()):
        alike = {n for n in mentioned | written.keys() if n != name and share(n, name)}
        if alike:
            return f"{hint(name)} and {hint(min(alike))} may share memory"
        if name in assigned or _by_index(loop, name):
            continue
        if not _elements_added(loop.body, name):
            return f"an iteration may read or write what another one writes to {hint(name)}"
        sums.arrays.append(base)
    return sums


def _written(stmt: Stmt) -> Var | None:
    match stmt:
        case Store(Var() as base) | Accum(Call(operator.getitem, (Var() as base, _))):
            return base
        case Accum(Var() as base) if is_array(base.type):
            return base
    return None


def _elements_added(body: Block, name: str) -> bool:
    """Whether all that an iteration does with an array is to add to elements or slices of it."""
    for stmt in walk.statements(body):
        match stmt:
            case Accum(Call(operator.getitem, (Var(base), index)), value) if base == name:
                if name in walk.names(index) | walk.names(value):
                    return False
            case _ if any(_contents(expr, name) for expr in walk.stmt_exprs(stmt)):
                return False
    return True


def only_added(loop: For) -> frozenset[str]:
    """The arrays from outside of which iterations only add to elements: to those of all, or each to its own."""
    inside = walk.assigned(loop.body)
    written = {base.name for s in walk.statements(loop.body) if (base := _written(s)) is not None}
    return frozenset(name for name in written - inside if _elements_added(loop.body, name))


def _contents(expr: Expr, name: str, known: int = 0) -> bool:
    """Whether an expression reads more of an array than its shape, and `known` elements."""
    shapes = [e.value for e in walk.subexprs(expr) if isinstance(e, Attr) and e.name in ("shape", "size")]
    reads = sum(1 for e in walk.subexprs(expr) if isinstance(e, Var) and e.name == name)
    return reads > known + sum(1 for e in shapes if isinstance(e, Var) and e.name == name)


def _by_index(loop: For, name: str) -> bool:
    """Whether every iteration keeps to elements of its own: one subscript is the index of the loop, everywhere."""
    places: list[tuple[Expr, ...]] = []
    for stmt in walk.statements(loop.body):
        if isinstance(stmt, Store) and stmt.base == Var(name, getattr(stmt.base, "type", INT)):
            places.append(items_of(stmt.index))
            exprs: tuple[Expr, ...] = (stmt.index, stmt.value)
        else:
            exprs = walk.stmt_exprs(stmt)
        for expr in exprs:
            elements = [e for e in walk.subexprs(expr) if isinstance(e, Call) and e.fn is operator.getitem]
            own = [e for e in elements if isinstance(e.args[0], Var) and e.args[0].name == name]
            places += [items_of(e.args[1]) for e in own]
            if _contents(expr, name, len(own)):
                return False
    first = places[0]
    return any(all(len(place) > k and place[k] == at for place in places) and _own(at, loop)
               for k, at in enumerate(first) if not any(isinstance(e, Slice) for e in first[:k]))  # fmt: skip


def _own(at: Expr, loop: For) -> bool:
    """Whether a subscript is another element in each iteration: the index and a fixed number, never negative."""
    assert isinstance(loop.step, Const)
    first, least = (loop.start, 0) if loop.step.value == 1 else (loop.stop, -1)
    name, shift = linear(at) or ("", 0)
    # negative subscripts count from the end
    return name == loop.index and isinstance(first, Const) and first.value + min(shift, 0) >= least


def upwards(loop: For) -> tuple[Expr, Expr]:
    """The least index of a loop, and the number of its iterations."""
    assert isinstance(loop.step, Const)
    one = Const(1, INT)
    if loop.step.value == 1:
        return loop.start, simplified(Call(operator.sub, (loop.stop, loop.start), (), INT))
    first = simplified(Call(operator.add, (loop.stop, one), (), INT))
    return first, simplified(Call(operator.sub, (loop.start, loop.stop), (), INT))
