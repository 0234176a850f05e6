"""record: the reverse sweep of a loop; part of `derive`.

The reverse loop replays an iteration from the values that it started with, then runs its reverse. What it cannot
have that way is recorded by the forward loop, one slot an iteration: carried names, elements that are
overwritten later, and arrays that the loop changes.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from srcad.analysis.buffers import stored_names
from srcad.analysis.contents import content_names
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Effect, Expr, For, If, Let, Move, Stmt, Store, Var, While
from srcad.lang.left import Left
from srcad.lang.origin import NOWHERE
from srcad.lang.types import BOOL, INT, Scalar, is_array
from srcad.transforms import early, fuse, moves, revolve, state, tape
from srcad.transforms.adjoint import adjoint
from srcad.transforms.context import Context, Counters, Iteration, Sweeps, is_bar, reads_of, strong, upcoming
from srcad.transforms.dead_code import dead_code
from srcad.transforms.unread import without_unread
from srcad.transforms.winners import as_picked


def loop(ctx: Context, stmt: For | While, after: frozenset[str]) -> tuple[list[Stmt], list[Stmt]]:
    """The forward loop, with what it records, and the reverse loop."""
    last = stmt.body[-1] if stmt.body else None
    body, end = (stmt.body[:-1], last) if isinstance(last, Move) else (stmt.body, None)
    origin = replace(stmt.origin, adjoint=True)
    opening = moves.reverse(ctx, end.targets, end.values, NOWHERE, True) if end else []
    sweeps = fuse.fuse(ctx, adjoint(ctx, body, seeds=opening))
    results = outer_bars(ctx, sweeps.reverse + sweeps.forward, body)
    if not results:
        ctx.decisions.loop(stmt.origin, False, "no derivative goes through it", reversed=False)
        return [*as_picked((stmt,))], []
    kind = Segments if revolve.plan(ctx, stmt) else Settler
    code = kind(ctx, stmt, body, end, sweeps, results, after).settle()
    revolved = revolve.revolved(ctx, stmt, code, origin) if code.advance else None
    return revolved or tape.assemble(ctx, stmt, code, origin)


def outer_bars(ctx: Context, code: Block, body: Block) -> dict[str, bool]:
    """The cotangents from outside that an iteration's reverse assigns; the value says whether it is an array."""
    local = walk.defined(body)
    found: dict[str, bool] = {}
    views: set[str] = {stmt.target for stmt in walk.statements(code) if isinstance(stmt, Let) and is_bar(stmt.target)}
    for stmt in walk.statements(code):
        match stmt:
            case Store(Var(name, type)) | Accum(Call(args=(Var(name, type), _))) | Accum(Var(name, type)):
                if is_bar(name) and name[:-4] not in local:
                    found[name] = is_array(type)
            case Let(name) if is_bar(name) and name[:-4] not in local:
                found[name] = is_array(ctx.bar(name[:-4]).type)
            case Move(names):
                found.update({n: is_array(ctx.bar(n[:-4]).type) for n in names if is_bar(n) and n[:-4] not in local})
    # Through a local view an outer cotangent is written as well.
    for stmt in walk.statements(code):
        if isinstance(stmt, Let) and stmt.target in views:
            for name in walk.names(stmt.value):
                if is_bar(name) and name[:-4] not in local and name[:-4] in ctx.types:
                    found.setdefault(name, is_array(ctx.types[name[:-4]]))
    return found


@dataclass
class Settler:
    """Finds the least that must be recorded, by looking at what the pruned iteration still reads."""

    ctx: Context
    loop: For | While
    body: Block
    end: Move | None
    sweeps: Sweeps
    results: dict[str, bool]
    after: frozenset[str]
    shared: list[tuple[str, str]] = field(default_factory=list)

    def settle(self) -> Iteration:
        full = self.full()
        carried = frozenset(self.end.targets if self.end else ())
        outside = state.Outside(self.ctx.buffers, full, carried)
        bars = [(view, base) for view, bases in self.ctx.view_bars().items() for base in sorted(bases)]
        self.shared = [*outside.shared(full), *bars]
        private: set[str] = set()
        while True:
            code = self.first_pruned(outside.drop_stores(outside.read_back(self.ctx, full, private), private), private)
            stored = frozenset(stored_names(self.body))
            search = state.Search(self.ctx, outside, self.loop, self.body, stored, self.after, private)
            found = search.run(code)
            if not found.snapshots:
                break
            private = outside.written_together(full, private | found.snapshots)
        found.elements |= called_once(self.ctx, code)
        return self.settled(outside, code, found, private)

    def full(self) -> Block:
        """All that an iteration of the reverse loop may do."""
        return without_effects((*self.sweeps.forward, *self.sweeps.reverse))

    def first_pruned(self, code: Block, private: set[str]) -> Block:
        """What is needed of that, where copies of the arrays `private` are there."""
        return self.prune(code)

    def settled(self, outside: state.Outside, code: Block, found: state.Findings, private: set[str]) -> Iteration:
        """The iteration; what inner loops give it may better be recorded."""
        replayed = self.finish(outside, code, found, private)
        results = loop_results(self.ctx, replayed.code)
        if not results:
            return replayed
        found.elements |= results
        recorded = self.finish(outside, _without_loops(code, results), found, private)
        if replayed.records or not tape.independent(self.ctx, replayed.code, replayed.outer):
            return recorded
        return replace(replayed, otherwise=recorded)

    def prune(self, code: Block) -> Block:
        arrays = [name for name, is_array in self.results.items() if is_array]
        needed = dead_code(code, self.results, arrays, effects=False, shared=self.shared)
        known = (name for name in walk.mentioned(needed) if is_bar(name))
        shorter = without_unread(needed, known, self.shared, parts=False)
        return needed if shorter == needed else self.prune(shorter)

    def finish(self, outside: state.Outside, code: Block, found: state.Findings, private: set[str]) -> Iteration:
        ctx, origin = self.ctx, self.loop.origin
        alike = self.alike(found.elements)
        code = self.renamed(code, alike)
        elements = {name: ctx.again(name) for name in sorted(found.elements - alike.keys())}
        # The definitions of recorded names go: their values come from the tape.
        read = walk.without(code, lambda stmt: isinstance(stmt, Let) and stmt.target in elements)
        code = self.prune(self.renamed(read, elements))
        arrays = {name: ctx.again(name) for name in sorted(private)}
        mapping, rebuilt = outside.rebuild(code, arrays, ctx.fresh, replace(origin, adjoint=True))
        code = walk.substitute_in(code, mapping)
        before = {name: ctx.again(name) for name in sorted(found.before)}
        behind = {name: ctx.again(name) for name in sorted(found.behind)}
        copies = {name: ctx.again(name) for name in sorted({*found.early.values()})}
        code = self.renamed(early.read_from(code, found.early, copies), {**before, **behind})
        reads = reads_of(code) | reads_of(tuple(rebuilt))
        carried = {name: ctx.again(name) for name in sorted(outside.carried) if name in reads}
        code = self.renamed((*rebuilt, *code), carried)
        code = self.renamed_definitions(code)
        reads = reads_of(code)
        end = (self.end,) if self.end else ()
        backward = self.sweeps.reverse
        whole = (*self.sweeps.forward, *((*backward, *end) if carried else (*end, *backward)))
        ends = zip(self.end.targets, self.end.values) if self.end else ()
        settled = {target: value.type for target, value in ends if target not in ctx.buffers.hollow}
        return Iteration(
            code,
            whole,
            set(self.results),
            carried,
            {n: e for n, e in elements.items() if e in reads},
            {n: a for n, a in arrays.items() if a in reads},
            [state.copy(n, new, ctx.types[n], origin) for n, new in (*before.items(), *copies.items()) if new in reads],
            [state.copy(n, new, ctx.types[n], origin) for n, new in behind.items() if new in reads],
            settled,
            counters=self.counters(code, carried),
        )

    def alike(self, elements: set[str]) -> dict[str, str]:
        """Of elements that are read again before anything is stored, the name that they have first."""
        first: list[Let] = []
        found: dict[str, str] = {}
        for stmt in self.sweeps.forward:
            if not isinstance(stmt, Let) or fuse.calls_functions(stmt.value):
                first = []
            elif stmt.target in elements and _is_element(stmt.value):
                before = next((known.target for known in first if known.value == stmt.value), None)
                if before is None:
                    first.append(stmt)
                else:
                    found[stmt.target] = before
        return found

    def counters(self, code: Block, carried: dict[str, str]) -> Counters | None:
        """How the reverse loop counts the carried names again, if they are counters and it may go upwards."""
        ctx, end = self.ctx, self.end
        plain = isinstance(self.loop, For) and self.loop.flag is None
        if not carried or end is None or not plain or not tape.independent(ctx, code, set(self.results)):
            return None
        values = dict(zip(end.targets, end.values))
        names = set(carried)
        while True:
            wanted = {value.name for n in names if isinstance(value := values[n], Var)}
            piece: Block = dead_code(self.sweeps.forward, wanted, effects=False)
            more = ((reads_of(piece) | wanted) & values.keys()) - names
            if not more:
                break
            names |= more
        ordered = tuple(sorted(names))
        piece = (*piece, Move(ordered, tuple(values[n] for n in ordered)))
        if not all(map(_counts, walk.statements(piece))):
            return None
        again = {n: carried.get(n) or ctx.again(n) for n in ordered}
        again |= {n: ctx.again(n) for n in sorted(walk.defined(piece) - again.keys())}
        return Counters({n: again[n] for n in ordered}, self.renamed(walk.retarget(piece, again), again))

    def renamed_definitions(self, code: Block) -> Block:
        """What an iteration computes again gets names of its own, so that it is told from the first time."""
        again = {n: self.ctx.again(n) for n in sorted(walk.defined(code)) if n in self.ctx.types and "~" not in n}
        code = self.renamed(walk.retarget(code, again), again)
        self.ctx.buffers.learn(code)
        return code

    def renamed(self, code: Block, names: dict[str, str]) -> Block:
        return walk.substitute_in(code, {old: Var(new, self.ctx.types[old]) for old, new in names.items()})


class Segments(Settler):
    """Settles an iteration over a segment of which not every start is kept: from one start, it gets to the next."""

    advanced: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    def full(self) -> Block:
        last = zip(self.end.targets, self.end.values) if self.end else ()
        upcoming_values = tuple(Let(upcoming(name), value) for name, value in last)
        return without_effects((*self.sweeps.forward, *upcoming_values, *self.sweeps.reverse))

    def first_pruned(self, code: Block, private: set[str]) -> Block:
        carried = self.end.targets if self.end else ()
        names: frozenset[str] = frozenset()
        while True:
            self.advanced = names, frozenset(private)
            pruned = self.prune(code)
            needed = {name for name in carried if name in reads_of(pruned)}
            if needed <= names:
                return pruned
            names |= needed

    def prune(self, code: Block) -> Block:
        names, private = self.advanced
        arrays = [name for name, is_array in self.results.items() if is_array]
        wanted = {*self.results, *map(upcoming, names)}
        return dead_code(code, wanted, {*arrays, *private, *self.arrays(names)}, effects=False, shared=self.shared)

    def arrays(self, names: Iterable[str]) -> set[str]:
        """What carried names hold next, of those that hold arrays."""
        return {upcoming(name) for name in names if is_array(self.ctx.types[name])}

    def settled(self, outside: state.Outside, code: Block, found: state.Findings, private: set[str]) -> Iteration:
        replayed = self.finish(outside, code, found, private)
        names = frozenset(map(upcoming, self.advanced[0]))
        own = walk.without(replayed.code, lambda stmt: isinstance(stmt, Let) and stmt.target in names)
        held = self.arrays(self.advanced[0]) | {*replayed.arrays.values()}
        advance = dead_code(replayed.code, names, held, effects=False, shared=self.shared)
        self.advanced = frozenset(), frozenset()
        return replace(replayed, code=self.prune(own), advance=advance)


def _is_element(value: Expr) -> bool:
    return isinstance(value, Call) and value.fn is operator.getitem and isinstance(value.type, Scalar)


def _counts(stmt: Stmt) -> bool:
    """Whether a statement computes integers from integers, and nothing else."""
    exprs = () if isinstance(stmt, (For, If)) else walk.stmt_exprs(stmt)
    whole = all(getattr(expr, "type", None) in (INT, strong(INT), BOOL) for expr in exprs)
    if any(fuse.calls_functions(e) or content_names(e) for e in walk.stmt_exprs(stmt)):
        return False
    return isinstance(stmt, (Let, Move, For, If)) and whole


def loop_results(ctx: Context, code: Block) -> set[str]:
    """The scalars that inner loops compute for the iteration: to record them is cheaper than to run the loops again."""
    found: set[str] = set()
    for position, stmt in enumerate(code):
        reverses = any(map(is_bar, walk.assigned((stmt,))))
        if isinstance(stmt, (For, While)) and not reverses and not stored_names((stmt,)):
            rest = (*code[:position], *code[position + 1 :])
            used = _joined(stmt) & reads_of(tuple(s for s in rest if not isinstance(s, Move)))
            if used and not any(is_array(ctx.types[name]) for name in used):
                found |= used
    return found


def called_once(ctx: Context, code: Block) -> set[str]:
    """The scalars, one in each iteration, that functions left alone give: they may take long, or give others then."""
    loops = (stmt for stmt in walk.statements(code) if isinstance(stmt, (For, While)))
    inner = {id(stmt) for each in loops for stmt in walk.statements(each.body)}  # give several
    once = (stmt for stmt in walk.statements(code) if id(stmt) not in inner)
    calls = (stmt for stmt in once if isinstance(stmt, Let) and isinstance(stmt.value, Call))
    return {stmt.target for stmt in calls if isinstance(stmt.value.fn, Left) and not is_array(ctx.types[stmt.target])}


def _without_loops(block: Block, names: set[str]) -> Block:
    """Drop the loops that compute `names`."""
    return tuple(s for s in block if not (isinstance(s, (For, While)) and names & _joined(s)))


def _joined(stmt: For | While) -> set[str]:
    return {t for s in walk.statements(stmt.body) if isinstance(s, Move) for t in s.targets}


def without_effects(block: Block) -> Block:
    return walk.without(block, lambda stmt: isinstance(stmt, Effect))
