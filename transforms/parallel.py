"""parallel: outer loops whose iterations several threads share. Only for machine code, and where it is asked for.

The iterations go in as many parts as there are threads, each a stretch of them. What all iterations add to, a number or
a cotangent, each part sums up for itself, in memory of its own; the parts are added in their order, so that the same
number of threads gives the same result. Elements that only one iteration touches are written where they are.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Union

import numpy as np

from srcad.analysis.classes import Classes
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, Let, Move, Return, Slice, Stmt, Store, Tuple, Var,
    While, hint,
)  # fmt: skip
from srcad.lang.types import INT, Array, Scalar, Static, TupleType, is_array, is_float
from srcad.runtime.threads import parts
from srcad.transforms.context import is_bar, reads_of
from srcad.transforms.decisions import Decisions
from srcad.transforms.name import reserved
from srcad.transforms.simplify import simplified
from srcad.transforms.split import exposed

_LEAST, _LEAST_OF_LOOPS = 16384, 64  # iterations that a thread is worth: short ones, and those with loops in them
NOTE = "several threads, each with sums of its own; they are added in order"


@dataclass
class Sums:
    """What the iterations of a loop add to: numbers, and arrays of which they add to elements."""

    numbers: list[Var] = field(default_factory=list)
    arrays: list[Var] = field(default_factory=list)


def parallel(fn: Function, decisions: Decisions | None = None) -> Function:
    """Let threads share the iterations of outer loops that do not depend on each other.

    >>> from srcad.lang.ir import Param
    >>> from srcad.lang.write import write
    >>> from srcad.lang.types import FLOAT
    >>> x, n, s = Var("x", Array("float64", ("n",), "C")), Var("n", INT), Var("s", FLOAT)
    >>> element = Call(operator.getitem, (x, Var("i", INT)), (), FLOAT)
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (Accum(s, element),))
    >>> params = (Param("x", x.type), Param("n", INT))
    >>> print(write(parallel(Function("f", params, (Let("s", Const(0.0, FLOAT)), loop, Return(s))))).text, end="")
    import numpy as np
    from srcad.runtime import parts, prange
    <BLANKLINE>
    <BLANKLINE>
    def f(x, n):
        s = 0.0
        threads = parts(n, 16384)
        s_parts = np.zeros(threads)
        # several threads, each with sums of its own; they are added in order
        for part in prange(threads):
            s_own = 0.0
            for i in range(n * part // threads, n * (part + 1) // threads):
                s_own += x[i]
            s_parts[part] = s_own
        for part in range(threads):
            s += s_parts[part]
        return s
    """
    fresh = _numbered({p.name for p in fn.params} | walk.assigned(fn.body) | reserved(fn))
    classes = Classes.of(fn.body)
    body: list[Stmt] = []
    for position, stmt in enumerate(fn.body):
        new: Union[list[Stmt], str] = [stmt]
        if isinstance(stmt, For) and not _is_shared(stmt):
            new = _shared(stmt, fn.body[position + 1 :], classes, fresh)
            if decisions is not None:
                place = (stmt.origin.line, stmt.origin.adjoint, stmt.origin.text)
                decisions.threads[place] = new if isinstance(new, str) else ""
        body += [stmt] if isinstance(new, str) else new
    return replace(fn, body=tuple(body))


def _is_shared(loop: For) -> bool:
    """Whether threads share a loop already, or it adds up what they have summed."""
    return loop.shared or isinstance(loop.stop, Var) and hint(loop.stop.name).startswith("threads")


def _numbered(used: set[str]) -> Callable[[str], str]:
    """A source of names that can be printed."""

    def fresh(base: str) -> str:
        found = next(name for k in count() if (name := f"{base}_{k}" if k else base) not in used)
        used.add(found)
        return found

    return fresh


def _shared(loop: For, rest: Block, classes: Classes, fresh: Callable[[str], str]) -> Union[list[Stmt], str]:
    """The statements that share a loop among threads, or why that cannot be."""
    loop = replace(loop, body=_added(loop.body))
    found = _sums(loop, rest, classes)
    return found if isinstance(found, str) else _divided(loop, found, fresh)


# ---------------------------------------------------------------- what may be shared


def _sums(loop: For, rest: Block, classes: Classes) -> Union[Sums, str]:
    """What the iterations add to; a text says why they are not independent."""
    if loop.flag is not None or not isinstance(loop.step, Const) or loop.step.value not in (1, -1):
        return "it is left early" if loop.flag is not None else "its step is not 1"
    if any(isinstance(s, (Effect, Return)) for s in walk.statements(loop.body)):
        return "an iteration may raise or print"
    sums = Sums()
    assigned = walk.assigned(loop.body)
    handed_on = exposed(loop.body) & assigned
    for name in sorted(assigned):
        added = _only_added(loop.body, name)
        if added is not None:
            (sums.arrays if is_array(added.type) else sums.numbers).append(added)
        elif name in handed_on:
            return f"an iteration needs {hint(name)} of the one before"
        elif name in reads_of(rest) & exposed(rest):
            return f"{hint(name)} of the last iteration is read after it"
    if loop.index in exposed(rest):
        return f"{hint(loop.index)} is read after it"
    return _arrays(loop, assigned, sums, classes)


def _added(body: Block) -> Block:
    """A body with statements that add in the place of those that hand sums on."""
    lets = {stmt.target: stmt for stmt in body if isinstance(stmt, Let)}
    exprs = [e for s in walk.statements(body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
    uses = Counter(e.name for e in exprs if isinstance(e, Var))
    dropped: set[str] = set()
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
            else:
                dropped |= {named.target} if named else set()
                out.append(Accum(Var(target, whole.type), term, (named or stmt).origin))
        if left:
            out.append(Move(tuple(t for t, _ in left), tuple(v for _, v in left), stmt.origin))
    return tuple(s for s in out if not (isinstance(s, Let) and s.target in dropped))


def _term(name: str, value: Expr) -> Expr | None:
    """What a new value adds to the old one."""
    match value:
        case Call(operator.add, (Var(old), term)) | Call(operator.add, (term, Var(old))) if old == name:
            return None if name in walk.names(term) else term
        case Call(operator.sub, (Var(old), term), (), kind) if old == name and name not in walk.names(term):
            return Call(operator.neg, (term,), (), kind)
    return None


def _only_added(body: Block, name: str) -> Var | None:
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


def _arrays(loop: For, assigned: set[str], sums: Sums, classes: Classes) -> Union[Sums, str]:
    """The arrays from outside to which iterations write: each its own elements, or all add to any."""
    written = {base.name: base for s in walk.statements(loop.body) if (base := _written(s)) is not None}
    mentioned = reads_of(loop.body)
    for name, base in sorted(written.items()):
        alike = {n for n in mentioned | written.keys() if n != name and classes.find(n) == classes.find(name)}
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


def _contents(expr: Expr, name: str) -> bool:
    """Whether an expression reads more of an array than its shape."""
    shapes = [e.value for e in walk.subexprs(expr) if isinstance(e, Attr) and e.name in ("shape", "size")]
    reads = sum(1 for e in walk.subexprs(expr) if isinstance(e, Var) and e.name == name)
    return reads > sum(1 for e in shapes if isinstance(e, Var) and e.name == name)


def _by_index(loop: For, name: str) -> bool:
    """Whether every iteration keeps to elements of its own: one subscript is the index of the loop, everywhere."""
    places: list[tuple[Expr, ...]] = []
    for stmt in walk.statements(loop.body):
        if isinstance(stmt, Store) and stmt.base == Var(name, getattr(stmt.base, "type", INT)):
            places.append(_subscripts(stmt.index))
            exprs: tuple[Expr, ...] = (stmt.index, stmt.value)
        else:
            exprs = walk.stmt_exprs(stmt)
        for expr in exprs:
            elements = [e for e in walk.subexprs(expr) if isinstance(e, Call) and e.fn is operator.getitem]
            own = [e for e in elements if isinstance(e.args[0], Var) and e.args[0].name == name]
            places += [_subscripts(e.args[1]) for e in own]
            if sum(1 for e in walk.subexprs(expr) if isinstance(e, Var) and e.name == name) != len(own):
                return False
    first = places[0]
    return any(all(len(place) > k and place[k] == at for place in places) and _own(at, loop)
               for k, at in enumerate(first) if not any(isinstance(e, Slice) for e in first[:k]))  # fmt: skip


def _subscripts(index: Expr) -> tuple[Expr, ...]:
    return index.items if isinstance(index, Tuple) else (index,)


def _own(at: Expr, loop: For) -> bool:
    """Whether a subscript is another element in each iteration: the index, or a fixed number after it."""
    assert isinstance(loop.step, Const)
    first, least = (loop.start, 0) if loop.step.value == 1 else (loop.stop, -1)
    if not (isinstance(first, Const) and first.value >= least):
        return False  # negative subscripts count from the end
    match at:
        case Var(name):
            return name == loop.index
        case Call(operator.add, (Var(name), Const(shift))) if name == loop.index:
            return shift >= 0
    return False


# ---------------------------------------------------------------- how it is shared


def _divided(loop: For, sums: Sums, fresh: Callable[[str], str]) -> list[Stmt]:
    """The loop in parts, each with sums of its own, and the addition of these."""
    origin = replace(loop.origin, adjoint=False, note="")
    threads, part = Var(fresh("threads"), INT), Var(fresh("part"), INT)
    first, trips = _bounds(loop)
    before: list[Stmt] = []
    if not isinstance(trips, (Var, Const)):
        before.append(Let(fresh("trips"), trips, origin))
        trips = Var(before[-1].target, INT)  # type: ignore[union-attr, arg-type]
    inner_loops = any(isinstance(s, (For, While)) for s in walk.statements(loop.body))
    least = Const(_LEAST_OF_LOOPS if inner_loops else _LEAST, INT)
    before.append(Let(threads.name, Call(parts, (trips, least), (), INT), origin))
    opening: list[Stmt] = []
    closing: list[Stmt] = []
    adding: list[Stmt] = []
    own: dict[str, Var] = {}
    for total in (*sums.numbers, *sums.arrays):
        several, mine = _room(total, threads, part, fresh)
        before.append(Let(several.name, _zeros(total, threads), origin))
        own[total.name] = mine
        element = Call(operator.getitem, (several, part), (), total.type)
        if is_array(total.type):
            opening.append(Let(mine.name, replace(element, type=mine.type), origin))
        else:
            opening.append(Let(mine.name, Const(0.0, total.type), origin))
            closing.append(Store(several, part, mine, origin))
        adding.append(Accum(total, element, origin))

    def bound(number: Expr) -> Expr:
        share = Call(operator.floordiv, (Call(operator.mul, (trips, number), (), INT), threads), (), INT)
        return share if walk.is_const(first, 0) else Call(operator.add, (first, share), (), INT)

    names = {old: new.name for old, new in own.items()}
    body = walk.substitute_in(walk.retarget(loop.body, names), dict(own))
    after = Call(operator.add, (part, Const(1, INT)), (), INT)
    stretch = replace(loop, start=bound(part), stop=bound(after), step=Const(1, INT), body=body)
    zero, one = Const(0, INT), Const(1, INT)
    shared = For(part.name, zero, threads, one, (*opening, stretch, *closing), None, replace(origin, note=NOTE), True)
    final = [For(part.name, zero, threads, one, tuple(adding), None, origin)] if adding else []
    return [*before, shared, *final]


def _bounds(loop: For) -> tuple[Expr, Expr]:
    """The least index of a loop, and the number of its iterations."""
    assert isinstance(loop.step, Const)
    one = Const(1, INT)
    if loop.step.value == 1:
        return loop.start, simplified(Call(operator.sub, (loop.stop, loop.start), (), INT))
    first = simplified(Call(operator.add, (loop.stop, one), (), INT))
    return first, simplified(Call(operator.sub, (loop.start, loop.stop), (), INT))


def _room(total: Var, threads: Var, part: Var, fresh: Callable[[str], str]) -> tuple[Var, Var]:
    """The sums of all parts, and the one of a part."""
    kind = total.type
    dims = kind.shape if isinstance(kind, Array) else ()
    assert isinstance(kind, (Array, Scalar))
    stem = f"{hint(total.name)}_bar" if is_bar(total.name) else hint(total.name)
    several = Var(fresh(f"{stem}_parts"), Array(kind.dtype, (threads.name, *dims), "C"))
    return several, Var(fresh(f"{stem}_own"), replace(kind, layout="C") if isinstance(kind, Array) else kind)


def _zeros(total: Var, threads: Var) -> Expr:
    kind = total.type
    assert isinstance(kind, (Array, Scalar))
    rank = kind.ndim if isinstance(kind, Array) else 0
    shape = Attr(total, "shape", TupleType((INT,) * rank))
    dims = tuple(Call(operator.getitem, (shape, Const(k, INT)), (), INT) for k in range(rank))
    room: Expr = Tuple((threads, *dims), TupleType((INT,) * (rank + 1))) if dims else threads
    dtype = np.dtype(kind.dtype).type
    args = (room,) if kind.dtype == "float64" else (room, Const(dtype, Static(dtype)))
    return Call(np.zeros, args, (), Array(kind.dtype, (threads.name, *(kind.shape if rank else ())), "C"))  # type: ignore[union-attr]
