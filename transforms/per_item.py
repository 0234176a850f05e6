"""per_item: sums over one item of a pair are computed once for it, not once for each pair. For machine code only.

The norms in a loop over all pairs of rows, ``d / np.sqrt(sum(x[i] ** 2) * sum(y[j] ** 2))``, depend on one row each. By
hand one computes that of ``x[i]`` before the loop over `j`, and those of all ``y[j]`` before both loops, into an array.
So it is done here, before the derivative is taken: then the cotangents of the norms are added up first, and each row
has its part of them once, too. The values are the same to the last bit.
"""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from srcad.analysis.bounds import Bounds
from srcad.analysis.buffers import Buffers, buffers, stored_names
from srcad.analysis.lengths import Lengths
from srcad.analysis.settled import Settled, bound_behind, except_for, only, reads
from srcad.lang import walk
from srcad.lang.arrays import axis_length, new_array
from srcad.lang.ir import (
    Attr, Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Store, Var, hint, is_temporary,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.types import BOOL, INT, Array, Scalar
from srcad.transforms.flatten import fresh_names, neutral
from srcad.transforms.reach import Branch, Path, Reach, all_of, at, branches, counts, put
from srcad.transforms.taking import mentions

ROUNDS = 8  # each takes sums out of a loop once
LENGTH = re.compile(r"(\w+)\.shape\[(\d+)\]")


def per_item(fn: Function) -> Function:
    """Compute before loops, once for each item, what they would compute for each pair.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, y = (Var(name, Array("float64", (f"{name}.shape[0]", "d"), "C")) for name in "xy")
    >>> i, j, s, norm, new = Var("i", INT), Var("j", INT), Var("s", FLOAT), Var("norm", FLOAT), Var("new", FLOAT)
    >>> row = Call(operator.getitem, (y, j), (), Array("float64", ("d",), "C"))
    >>> def over(k, array, *body): return For(k, Const(0, INT), axis_length(array, 0), Const(1, INT), body)
    >>> inner = over("j", y, Let("norm", Call(np.linalg.norm, (row,), (), FLOAT)),
    ...              Let("new", Call(operator.add, (s, norm), (), FLOAT)), Let("s", new))
    >>> body = Let("s", Const(0.0, FLOAT)), over("i", x, inner), Return(s)
    >>> fn = Function("f", (Param("x", x.type), Param("y", y.type)), body)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> print(write(name(per_item(fn))).text.split("\\n\\n\\n")[1], end="")
    def f(x, y):
        s = 0.0
        norms = np.empty(y.shape[0])
        for j in range(y.shape[0]):
            norm = np.linalg.norm(y[j])
            norms[j] = norm
        for j in range(x.shape[0]):
            for i in range(y.shape[0]):
                norm = norms[i]
                new = s + norm
                s = new
        return s
    """
    if not any(isinstance(s, For) for loop in walk.statements(fn.body) if isinstance(loop, For)
               for s in walk.statements(loop.body)):  # fmt: skip
        return fn
    before = fn = _with_lengths_of_params(whole := fn)
    for _ in range(ROUNDS):
        used = {param.name for param in fn.params} | walk.assigned(fn.body)
        apart = _Apart(buffers(fn), Reach(Lengths.of(fn), Bounds.of(fn)), mentions(fn.body), fresh_names(used))
        body = apart.block(fn.body, ())
        if body == fn.body:
            break
        fn = replace(fn, body=body)
    return whole if fn is before else fn


def _with_lengths_of_params(fn: Function) -> Function:
    """A function in which the length of a row of a parameter is that of the parameter's axis."""
    given = walk.assigned(fn.body)
    params = {one.name: one.type for one in fn.params if one.name not in given and isinstance(one.type, Array)}

    def told(expr: Expr) -> Expr:
        match expr:
            case Call(operator.getitem, (Attr(Var(name, Array(shape=dims)), "shape"), Const(value=int() as axis))):
                owner = LENGTH.fullmatch(str(dims[axis]))
                if owner and owner[1] != name and owner[1] in params:
                    return axis_length(Var(owner[1], params[owner[1]]), int(owner[2]))
        return expr

    return replace(fn, body=walk.map_block(lambda whole: walk.map_expr(told, whole), fn.body))


@dataclass
class _Apart:
    """What is computed before loops of a function."""

    buffers: Buffers
    reach: Reach
    uses: Counter[str]  # how many statements mention a name
    fresh: Callable[[str], str]

    def block(self, block: Block, path: Path) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            inside = (*path, stmt) if isinstance(stmt, For) else path
            stmt = walk.map_stmt(lambda e: e, stmt, partial(self.block, path=inside))
            if isinstance(stmt, For) and counts(stmt):
                before, stmt = next(self.changes(stmt, path), ((), stmt))
                result += before
            result.append(stmt)
        return tuple(result)

    def changes(self, loop: For, path: Path) -> Iterator[tuple[Block, For]]:
        """What can be computed before a loop, each time with the loop that is left then."""
        for branch in branches(loop.body):
            if (found := self.unchanged(loop, branch, path)) is not None:
                yield found
        for place, inner in enumerate(loop.body):
            for branch in branches(inner.body) if isinstance(inner, For) and counts(inner) else ():
                if (found := self.of_each(loop, place, branch, path)) is not None:
                    yield found

    def settled(self, block: Block, around: For, varying: Set[str]) -> Settled:
        written = stored_names((around,))
        meets = lambda name: any(one == name or self.buffers.may_share(one, name) for one in written)
        inside, own = mentions(block), walk.assigned(block)
        elsewhere = {name for name in own if self.uses[name] != inside[name]}
        return Settled.of(block, varying | elsewhere, meets)

    def unchanged(self, loop: For, branch: Branch, path: Path) -> tuple[Block, For] | None:
        """What each iteration of a loop would sum up alike, before it; and the loop with the rest."""
        body = at(loop.body, branch)
        known = self.settled(body, loop, {loop.index} | walk.assigned(loop.body) - walk.assigned(body))
        made, kept = _wanted(body, known)
        needed = known.needed(made.keys())
        before = only(body, needed)
        safe = self.reach.is_safe(before, path)
        if not made or branch and not safe:
            return None
        if safe and not branch:
            kept -= {stmt.target for stmt in body if isinstance(stmt, Let)}  # the one before does for both
        left = except_for(body, needed - kept)
        twice = walk.assigned(before) & walk.assigned(left)
        before = walk.rename(before, {name: self.fresh(hint(name)) for name in sorted(twice)})
        rest = replace(loop, body=put(loop.body, branch, left))
        return before if safe else self.guarded(before, loop, made), rest

    def of_each(self, loop: For, place: int, branch: Branch, path: Path) -> tuple[Block, For] | None:
        """What a loop sums up anew for each iteration of a loop in it, before both; and the two with the rest."""
        inner = loop.body[place]
        assert isinstance(inner, For)
        body = at(inner.body, branch)
        varying = walk.assigned((loop,)) - walk.assigned(body) - {inner.index}
        through = all_of(inner, loop, varying)
        known = self.settled(body, loop, varying)
        made, kept = _wanted(body, known)
        length = self.reach.length(through, body) if made and through else None
        if length is None or through is None:
            return None
        needed = known.needed(made.keys())
        of_all = {name: self.array(name, kind, length, body) for name, kind in made.items()}
        fill = self.fill(replace(through, body=only(body, needed)), of_all)
        safe = self.reach.is_safe((fill,), path)
        if branch and not safe:
            return None
        origins = _origins(body)
        read = [Let(name, Call(operator.getitem, (own, Var(inner.index, INT)), (), made[name]), origins[name])
                for name, own in of_all.items()]  # fmt: skip
        left = put(inner.body, branch, (*read, *except_for(body, needed - kept)))
        rest = replace(loop, body=(*loop.body[:place], replace(inner, body=left), *loop.body[place + 1 :]))
        new = tuple(Let(own.name, new_array(np.empty, length, own.type), inner.origin) for own in of_all.values())
        return (*new, *((fill,) if safe else self.guarded((fill,), loop, {}))), rest

    def fill(self, loop: For, of_all: dict[str, Var]) -> For:
        """A loop that stores what it computes in arrays, with names of its own."""
        names = {name: self.fresh(hint(name)) for name in sorted(walk.assigned((loop,)))}
        origins, counter = _origins(loop.body), Var(names[loop.index], INT)
        stores = [Store(own, counter, Var(names[name], Scalar(own.type.dtype)), origins[name])  # type: ignore[attr-defined]
                  for name, own in of_all.items()]  # fmt: skip
        return replace(loop, index=counter.name, body=(*walk.rename(loop.body, names), *stores))

    def array(self, name: str, kind: Scalar, length: Expr, block: Block) -> Var:
        """A name for the array of what a name inside of the loops stands for."""
        base = hint(name)
        if is_temporary(name):
            values = [value for stmt in walk.statements(block) for own, value in walk.bindings(stmt) if own == name]
            base = getattr(getattr(values[-1], "fn", None), "__name__", "sum")
        own = self.fresh(f"{base}_of_all" if base.endswith("s") else f"{base}s")
        return Var(own, Array(kind.dtype, (self.reach.lengths.dim(length) or f"{own}.shape[0]",), "C"))

    def guarded(self, block: Block, loop: For, made: dict[str, Scalar]) -> Block:
        """Statements before a loop that are not to run if it has no iterations: some numbers have no value then."""
        test, nonempty = self.fresh("_c"), Call(operator.gt, (loop.stop, loop.start), (), BOOL)
        own = {name: self.fresh(hint(name)) for name in made}
        then: Block = walk.rename(block, own)
        orelse: Block = ()
        if made:
            then = *then, Move(tuple(made), tuple(Var(own[name], kind) for name, kind in made.items()), loop.origin)
            orelse = (Move(tuple(made), tuple(neutral(kind) for kind in made.values()), loop.origin),)
        return Let(test, nonempty, loop.origin), If(Var(test, BOOL), then, orelse, loop.origin)


def _wanted(block: Block, known: Settled) -> tuple[dict[str, Scalar], set[str]]:
    """The sums of a block that other statements of it read, with their types, and what these read besides."""
    types: dict[str, Scalar] = {}
    kept: set[str] = set()
    found = known.long & bound_behind(block)
    waiting = [*reads(except_for(block, known.names))]
    while waiting:
        whole, loops = waiting.pop()
        for expr in walk.subexprs(whole):
            match expr:
                case Var(name, Scalar() as kind) if name in found and not loops & known.given[name].loops:
                    types[name] = kind
                case Var(name) if name in known.names and name not in kept:
                    kept.add(name)
                    waiting += known.given[name].exprs
    return dict(sorted(types.items())), kept


def _origins(block: Block) -> dict[str, Origin]:
    """Where the values of the names of a block are computed."""
    found: dict[str, Origin] = {}
    for stmt in walk.statements(block):
        for name, value in walk.bindings(stmt):
            found[name] = found.get(value.name, stmt.origin) if isinstance(value, Var) else stmt.origin
    return found
