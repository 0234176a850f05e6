"""windows: names that loops rebind to slices of themselves, as bounds of a part of the array; part of `places`.

After ``w = w[1:]`` at the end of an iteration, `w` is a view of a view, of another length each time. The bounds of the
window are carried instead, as integers, and where it is used it is taken of the array anew: a view like any other, that
may be written to, and whose cotangent is the same part of one cotangent.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.lang import walk
from srcad.lang.arrays import axis_length, items_of
from srcad.lang.ir import (
    Block, Call, Expr, For, Function, If, Let, Move, Slice, Stmt, Tuple, Var, While, hint,
)  # fmt: skip
from srcad.lang.types import INT, Array, Type, is_array, is_elastic
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed
from srcad.transforms.sources import Sources, joined
from srcad.transforms.window_bounds import LOWER, UPPER, ZERO, ends, is_plain, start_of, stop_of

Bound = tuple[int, str]  # an axis, and which of its bounds


def windows(fn: Function) -> Function:
    """Carry the bounds of windows in the place of names that become slices of themselves.

    >>> import numpy as np
    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> from srcad.lang.write import write
    >>> a, w, v = (Var(name, Array("float64", (n,), "C")) for name, n in (("a", "n"), ("w", "m"), ("v", "k")))
    >>> rest = Let("v", Call(operator.getitem, (w, Slice(Const(1, INT))), (), v.type))
    >>> loop = For("i", Const(0, INT), Const(3, INT), Const(1, INT), (rest, Move(("w",), (v,))))
    >>> body = (Move(("w",), (a,)), loop, Return(Call(np.sum, (w,), (), FLOAT)))
    >>> print(write(windows(Function("f", (Param("a", a.type),), body))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(a):
        w_start = 0
        for i in range(3):
            v_start = w_start + 1
            w_start = v_start
        w.2 = a[w_start:]
        return np.sum(w.2)
    """
    while (found := _Windows.of(fn)).bases:  # windows of windows in the next round: then their arrays stay
        body = found.block(fn.body, {})
        while unread := found.made - walk.read_in(body):
            found.made -= unread
            body = walk.without(body, lambda s: isinstance(s, Let) and s.target in unread)
        fn = replace(fn, body=body)
    return fn


@dataclass
class _Windows:
    sources: Sources
    fresh: Callable[[str], str]
    types: dict[str, Type]  # of the names that are read
    bases: dict[str, Var] = field(default_factory=dict)  # joined name -> the array that it is a window of
    slices: dict[str, tuple[Slice, ...]] = field(default_factory=dict)  # slice of a window -> along each axis
    roots: dict[str, Var] = field(default_factory=dict)  # slice of a window -> the array that the window is of
    bounds: dict[str, dict[Bound, Expr]] = field(default_factory=dict)  # window -> where it lies in its array
    made: set[str] = field(default_factory=set)  # names that may turn out to be read nowhere

    @staticmethod
    def of(fn: Function) -> _Windows:
        used = {p.name for p in fn.params} | walk.assigned(fn.body)
        exprs = [e for s in walk.statements(fn.body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
        types = {e.name: e.type for e in exprs if isinstance(e, Var)}
        found = _Windows(Sources.of(fn, set()), fresh_names(used), types)
        whole = _given_everywhere(fn.body)
        for name in found.sources.joins:
            if name not in found.bases and name in whole and is_array(types.get(name)):
                found.choose(name, whole)
        found.leave({*found.bases, *found.slices})
        for name, base in found.bases.items():
            sides = found.sides(base)
            found.bounds[name] = {key: Var(found.fresh(f"{hint(name)}_{key[1]}"), INT) for key in sides}
        found.made |= found.slices.keys()
        return found

    def choose(self, start: str, whole: set[str]) -> None:
        """Find whether a joined name, with all that hand arrays to it, is a window of one array that stays."""
        group: set[str] = set()
        slices: dict[str, tuple[Slice, ...]] = {}
        bases: dict[str, Var] = {}
        work: list[Expr] = [Var(start, self.types[start])]
        while work:
            value = work.pop()
            if not isinstance(value, Var):
                return
            if value.name in self.sources.joins and value.name in whole and not self.stays(value, {start}):
                if value.name not in group:
                    group.add(value.name)
                    work += self.sources.given[value.name]
            elif value.name not in slices:
                step = self.step(value)
                if step is not None and not self.stays(value, group | {start}):
                    slices[value.name] = step
                    work.append(self.sliced_of(value.name))
                else:
                    bases[value.name] = value
        in_loops = any(isinstance(self.sources.joins[name], (For, While)) for name in group)
        of_itself = any(self.sliced_of(name).name in group for name in slices)
        moving = any(bound is not None for parts in slices.values() for part in parts for _, bound in ends(part))
        if not in_loops or not of_itself or not moving or len(bases) != 1:
            return
        (base,) = bases.values()
        known = all(self.bases.get(name, base) == base for name in group)
        kinds = [base.type, *(self.types.get(name) for name in group)]
        alike = len({(kind.dtype, kind.ndim) if isinstance(kind, Array) else None for kind in kinds}) == 1
        if known and alike and not is_elastic(base.type) and self.stays(base, group):
            self.bases |= dict.fromkeys(sorted(group), base)
            self.slices |= slices
            self.roots |= dict.fromkeys(slices, base)

    def leave(self, moving: set[str]) -> None:
        """Leave windows of what is a window itself."""
        self.bases = {name: base for name, base in self.bases.items() if base.name not in moving}
        self.roots = {name: base for name, base in self.roots.items() if base.name not in moving}
        self.slices = {name: parts for name, parts in self.slices.items() if name in self.roots}

    def stays(self, value: Var, group: set[str]) -> bool:
        """Whether a name means one array as long as the names of a group are windows."""
        home = self.sources.homes.get(value.name)
        if home is None or value.name in group:
            return False
        if any(self.sources.homes[name][: len(home)] != home for name in group):
            return False
        return value.name not in self.sources.joins or not any(
            self.sources.joins[name] is self.sources.joins[value.name] for name in group
        )

    def step(self, value: Var) -> tuple[Slice, ...] | None:
        """The slices without a stride that a name is of another array, axis by axis."""
        view = self.sources.definitions.get(value.name)
        if not isinstance(view, Call) or view.fn is not operator.getitem or not isinstance(view.args[0], Var):
            return None
        index = view.args[1]
        parts = items_of(index)
        return parts if all(map(is_plain, parts)) else None  # type: ignore[return-value]

    def sliced_of(self, name: str) -> Var:
        """What a slice is a slice of."""
        view = self.sources.definitions[name]
        assert isinstance(view, Call) and isinstance(view.args[0], Var)
        return view.args[0]

    def sides(self, base: Var) -> list[Bound]:
        """The bounds that windows of an array can have elsewhere than at its ends."""
        found: dict[Bound, None] = {}
        for name, parts in self.slices.items():
            if self.roots[name] == base:
                for axis, part in enumerate(parts):
                    found |= {(axis, side): None for side, e in ends(part) if e is not None}
        return sorted(found)

    # ------------------------------------------------------------ rewriting

    def block(self, block: Block, rows: dict[str, Expr]) -> Block:
        """A block in which the names in `rows` are replaced by present views."""
        rows = dict(rows)
        out: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, Move):
                out.append(self.move(stmt, rows))
                continue
            carried = [name for name in joined(stmt) if name in self.bases]
            if carried and isinstance(stmt, (For, While)):
                inside = dict(rows)
                body = (*self.views(carried, inside, stmt), *self.block(stmt.body, inside))
                tested = {**rows, **{name: self.window(name) for name in carried}}
                out.append(walk.map_stmt(lambda e: walk.substitute(e, tested), stmt, lambda _: body))  # noqa: B023
            else:
                out.append(walk.map_stmt(lambda e: walk.substitute(e, rows), stmt, lambda b: self.block(b, rows)))
            out += self.views(carried, rows, stmt)
            if isinstance(stmt, Let) and stmt.target in self.slices:
                out += self.sliced(stmt, rows)
        return tuple(out)

    def views(self, names: list[str], rows: dict[str, Expr], stmt: Stmt) -> list[Stmt]:
        """Statements that take windows anew behind what joins them; in `rows`, what stands for them from here."""
        result: list[Stmt] = []
        for name in names:
            if name in self.types:
                view = self.window(name)
                new = self.fresh(hint(name))
                self.made.add(new)
                result.append(Let(new, view, stmt.origin))
                rows[name] = Var(new, view.type)
        return result

    def window(self, name: str) -> Call:
        """The part of its array that a name means now, of the lengths that are known of the name."""
        base, bounds = self.bases[name], self.bounds[name]
        count = max(axis for axis, _ in bounds) + 1
        parts = tuple(Slice(bounds.get((axis, LOWER)), bounds.get((axis, UPPER))) for axis in range(count))
        index = parts[0] if count == 1 else Tuple(parts)  # type: ignore[arg-type]
        view = typed(Call(operator.getitem, (base, index)))
        assert isinstance(view, Call) and isinstance(view.type, Array)
        kind = self.types[name]
        assert isinstance(kind, Array)
        return replace(view, type=replace(view.type, shape=kind.shape))

    def sliced(self, stmt: Let, rows: dict[str, Expr]) -> list[Stmt]:
        """The bounds of a slice of a window."""
        assert isinstance(stmt.value, Call)
        base = self.roots[stmt.target]
        old = self.bounds_of(stmt.value.args[0], base)
        parts = dict(enumerate(self.slices[stmt.target]))
        result: list[Stmt] = []
        new: dict[Bound, Expr] = {}
        for axis, side in self.sides(base):
            around = old.get((axis, LOWER), ZERO), old.get((axis, UPPER), axis_length(base, axis))
            bound = dict(ends(parts.get(axis, Slice()))).get(side)
            if isinstance(bound, Call):
                bound = self.named(bound, f"{hint(stmt.target)}_bound", stmt, rows, result)
            value = (start_of if side == LOWER else stop_of)(*around, bound)
            if isinstance(value, Call):
                value = self.named(value, f"{hint(stmt.target)}_{side}", stmt, rows, result)
            new[axis, side] = value
        self.bounds[stmt.target] = new
        return result

    def named(self, value: Call, name: str, stmt: Let, rows: dict[str, Expr], out: list[Stmt]) -> Var:
        """A name for an integer, which is computed behind a statement."""
        name = self.fresh(name)
        self.made.add(name)
        out.append(Let(name, walk.substitute(value, rows), stmt.origin))
        return Var(name, INT)

    def bounds_of(self, value: Expr, base: Var) -> dict[Bound, Expr]:
        """Where a value lies in its array: the array itself is all of it."""
        assert isinstance(value, Var)
        return {} if value == base else self.bounds[value.name]

    def move(self, move: Move, rows: dict[str, Expr]) -> Move:
        targets: list[str] = []
        values: list[Expr] = []
        for target, value in zip(move.targets, move.values):
            if target not in self.bases:
                targets.append(target)
                values.append(walk.substitute(value, rows))
                continue
            given = self.bounds_of(value, self.bases[target])
            for (axis, side), number in self.bounds[target].items():
                assert isinstance(number, Var)
                end = ZERO if side == LOWER else axis_length(self.bases[target], axis)
                targets.append(number.name)
                values.append(given.get((axis, side), end))
        return replace(move, targets=tuple(targets), values=tuple(values))


def _given_everywhere(body: Block) -> set[str]:
    """The joined names that every loop or branch which joins them gives a value to, on all ways into it."""
    given: set[str] = set()
    lacking: set[str] = set()

    def visit(block: Block) -> None:
        for before, stmt in zip((None, *block), block):
            names = set(joined(stmt))
            last = [each[-1] if each else None for each in walk.blocks(stmt)]
            for end in last if isinstance(stmt, If) else (*last, before):
                lacking.update(names - set(end.targets) if isinstance(end, Move) else names)
            given.update(names)
            for each in walk.blocks(stmt):
                visit(each)

    visit(body)
    return given - lacking
