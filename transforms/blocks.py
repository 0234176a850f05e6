"""blocks: independent iterations, each with loops of its own, go side by side in blocks. For machine code only.

An iteration over a point that computes an `exp`, or goes through short loops, leaves a processor's vectors empty. In a
block of iterations each line is done for all of them before the next: what was a number is an array over the block,
``z_block[t]``, and the innermost loop is one over the block. What all iterations have in common is done once a block.
In a loop over pairs, the rows that a block reads lie side by side, if `upright` keeps their matrix by columns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace

from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.lengths import Lengths
from srcad.analysis.uniform import Uniformity
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Effect, For, Function, If, Let, Stmt, Var, While
from srcad.lang.types import INT, Array
from srcad.runtime.timings import timed
from srcad.transforms.around import around, around_sums
from srcad.transforms.block_length import length_of_blocks
from srcad.transforms.declared import declared
from srcad.transforms.distribute import distribute
from srcad.transforms.ends import ends
from srcad.transforms.first_writes import first_writes
from srcad.transforms.flatten import fresh_names
from srcad.transforms.independent import only_added, remembers, sums_of, upwards
from srcad.transforms.merge import merge
from srcad.transforms.mutual import mutual
from srcad.transforms.overwritten import overwritten
from srcad.transforms.places_first import places_first
from srcad.transforms.powers import powers
from srcad.transforms.recurrences import recurrences
from srcad.transforms.rings import rings
from srcad.transforms.rows_at_once import with_products
from srcad.transforms.runs import NOTE, Writer, allocation, has_function
from srcad.transforms.several import several
from srcad.transforms.short import short
from srcad.transforms.short_products import short_products
from srcad.transforms.side_by_side import Unblocked, is_pure
from srcad.transforms.short import counts
from srcad.transforms.simplify import simplified
from srcad.transforms.singly import singly
from srcad.transforms.steady import steady
from srcad.transforms.totals import totals
from srcad.transforms.unviewed import unviewed
from srcad.transforms.upright import kept_by_columns, upright
from srcad.transforms.work import FUNCTIONS, functions

Pass = Callable[[Function], Function]


def blocks(fn: Function) -> Function:
    """Let independent iterations go in blocks; the function itself where there are none that this would help.

    >>> import numpy as np
    >>> from srcad.lang.ir import Accum, Param, Return, Tuple
    >>> from srcad.lang.types import FLOAT
    >>> x, w = Var("x", Array("float64", ("n", "m"), "C")), Var("w", Array("float64", ("m",), "C"))
    >>> i, j, n, m = (Var(name, INT) for name in "ijnm")
    >>> z, s = Var("z", FLOAT), Var("s", FLOAT)
    >>> def at(a, *k): return Call(operator.getitem, (a, Tuple(k) if len(k) > 1 else k[0]), (), FLOAT)
    >>> product = Call(operator.mul, (at(x, i, j), at(w, j)), (), FLOAT)
    >>> inner = For("j", Const(0, INT), m, Const(1, INT), (Accum(z, product),))
    >>> body = (Let("z", Const(0.0, FLOAT)), inner, Accum(s, Call(np.exp, (z,), (), FLOAT)))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), body)
    >>> params = (Param("x", x.type), Param("w", w.type), Param("n", INT), Param("m", INT))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = blocks(Function("f", params, (Let("s", Const(0.0, FLOAT)), loop, Return(s))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(x, w, n, m):
        s = 0.0
        z_block = np.empty(128)
        # blocks of iterations, each line for all of them at once
        for start in range(0, n, 128):
            size = min(128, n - start)
            for t in range(size):
                i = start + t
                z = 0.0
                for j in range(m):
                    z += x[i, j] * w[j]
                z_block[t] = z
            for t in range(size):
                s += np.exp(z_block[t])
        return s
    """
    if fn.exact or not any(isinstance(s, For) for s in walk.statements(fn.body)):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    upright = kept_by_columns(fn, if_they_were=True)
    while True:
        blocker = _Blocker(Classes.of(fn.body), fresh_names(set(used)), Lengths.of(fn), upright)
        body = blocker.block(fn.body, (), frozenset())
        made = replace(fn, body=body) if blocker.done else fn
        if not (blocker.assumed and (wrong := blocker.assumed - kept_by_columns(made))):
            return made
        upright -= wrong


def for_machines(found: dict[str, Function], every: list[tuple[str, Pass]]) -> Function | None:
    """The function from which machine code is made; None if it is made from what people read."""
    blocked = in_blocks(found, every)
    with timed("distribute"):
        function = distribute(read := blocked or found[every[-1][0]])
    with timed("powers"):
        function = powers(function)
    with timed("around"):
        function = around(rings(function))
    with timed("upright"):
        function = upright(function)
    with timed("recurrences"):
        function = recurrences(function)
    with timed("places first"):
        function = places_first(function)
    with timed("declared"):
        function = short_products(declared(function))
    return blocked if function is read else function


def in_blocks(found: dict[str, Function], every: list[tuple[str, Pass]]) -> Function | None:
    """The function with iterations in blocks, from what it was before its loops got their last form; or None."""
    at = [stage for stage, _ in every].index("gather")
    with timed("blocks"):
        before = first_writes(overwritten(reached := with_products(found, every[:at])))
        function = around_sums(ends(short(blocks(mutual(before)))))
    if function is before and reached is found[every[at - 1][0]]:
        return None
    for stage, transform in every[at:]:
        with timed(stage):
            function = transform(function)
    return function


@dataclass
class _Blocker:
    classes: Classes
    fresh: Callable[[str], str]
    lengths: Lengths
    upright: Names = frozenset()  # matrices that can be kept by columns
    assumed: Names = frozenset()  # those of them that are taken to be
    within: tuple[For | While, ...] = ()  # the loops around
    done: int = 0

    def block(self, block: Block, rest: Block, after: Names) -> Block:
        """A block with loops in blocks; `rest` may run behind it, and `after` is read there."""
        result: list[Stmt] = []
        for position, (stmt, behind) in enumerate(zip(block, live(block, after))):
            following = (*block[position + 1 :], *rest)
            result.extend(self.statement(stmt, following, behind))
        return tuple(result)

    def statement(self, stmt: Stmt, rest: Block, behind: Names) -> list[Stmt]:
        match stmt:
            case For():
                found = self.loop(stmt, rest, behind)
                if found is not None:
                    self.done += 1
                    return found
                return [self.inside(stmt, rest, behind)]
            case While():
                return [self.inside(stmt, rest, behind)]
            case If(_, then, orelse):
                return [replace(stmt, then=self.block(then, rest, behind), orelse=self.block(orelse, rest, behind))]
        return [stmt]

    def inside(self, loop: For | While, rest: Block, behind: Names) -> Stmt:
        outside, self.within = self.within, (*self.within, loop)
        body = self.block(loop.body, (loop, *rest), at_the_end(loop, behind))
        self.within = outside
        return replace(loop, body=body)

    def loop(self, loop: For, rest: Block, behind: Names) -> list[Stmt] | None:
        """A loop in blocks, and what is made before it; None where it had better stay, or has to."""
        if loop.shared or not any(isinstance(s, For) or _computes(s) for s in walk.statements(loop.body)):
            return None
        if not all(map(is_pure, walk.statements(loop.body))) or self.slides(loop):
            return None
        whole = loop
        loop = replace(loop, body=merge(Function("body", (), totals(loop.body))).body)
        loop = replace(loop, body=unviewed(loop, behind, self.fresh))
        if isinstance(sums_of(loop, rest, self.classes), str):
            return None
        body = singly(loop, behind, self.fresh)
        if body is None:
            return None
        loop = replace(loop, body=body)
        classes = Classes.of(loop.body)
        quiet = walk.without(loop.body, lambda s: isinstance(s, Effect))  # what is raised of empty arrays is everyone's
        sums = sums_of(replace(loop, body=quiet), rest, classes)
        if isinstance(sums, str) or not _are_apart(loop.body, classes):
            return None
        added = frozenset(total.name for total in (*sums.numbers, *sums.arrays))
        upright = self.upright if self.within else frozenset()
        around = tuple(each for each in self.within if isinstance(each, For))
        facts = Uniformity.of(loop, added | only_added(loop), _steps(loop), upright, around)
        if not _gains(loop.body, facts):
            return None
        if _computes_in_triangles(loop.body, facts):
            done, inside = self.done, self.inside(whole, rest, behind)
            if self.done > done:
                return [inside]
        try:
            found = self.written(loop, facts, behind)
        except Unblocked:
            return None
        self.assumed |= facts.going_down(loop.body)
        return found

    def slides(self, loop: For) -> bool:
        """Whether a loop goes through a window of `k` elements that a loop inside moves to ``n - k + 1`` places.

        There are more places than elements, and vectors are for these.
        """
        width = self.lengths.dim(loop.stop)
        if not isinstance(width, str):
            return False
        for stop in (s.stop for s in walk.statements(loop.body) if isinstance(s, For)):
            places = str(self.lengths.dim(stop))
            taken = (e.args[1] for e in walk.subexprs(stop) if isinstance(e, Call) and e.fn is operator.sub)
            if any(self.lengths.dim(e) == width for e in taken) or f"-{width}]" in places:
                return True
        return False

    def written(self, loop: For, facts: Uniformity, behind: Names) -> list[Stmt]:
        origin = replace(loop.origin, adjoint=False)
        first, count = upwards(loop)
        before: list[Stmt] = []
        length = length_of_blocks(loop, facts, bool(self.within))
        if not isinstance(length, Const):
            before.append(Let(block := self.fresh("block"), length, origin))
            length = Var(block, INT)
        start, size, t = (Var(self.fresh(name), INT) for name in ("start", "size", "t"))
        writer = Writer(facts, self.fresh, start, size, t, length)
        stop = simplified(Call(operator.add, (first, count), (), INT))
        left = Call(min, (length, Call(operator.sub, (stop, start), (), INT)), (), INT)
        body = (Let(size.name, left, origin), *writer.block(loop.body))
        result = For(start.name, first, stop, length, body, None, replace(origin, note=NOTE))
        own = writer.own()
        body = several(body, at_the_end(result, behind), t, own, facts.sums, self.fresh)
        body = steady(body, t, self.classes.with_names_of((*writer.before, *body)), writer.another)
        return [*before, *writer.before, replace(result, body=body)]


def _computes(stmt: Stmt) -> bool:
    """Whether a statement computes a whole array."""
    value = stmt.value if isinstance(stmt, Let) else None
    return isinstance(value, Call) and isinstance(value.type, Array) and allocation(stmt) is None


def _steps(loop: For) -> frozenset[int]:
    """By id, the loops inside whose iterations wait for each other, where some of them compute functions."""
    waiting = [s for s in walk.statements(loop.body) if isinstance(s, For) and remembers(s)]
    exprs = (e for s in walk.statements(tuple(waiting)) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    dear = any(isinstance(e, Call) and member(e.fn, FUNCTIONS) for e in exprs)
    return frozenset(map(id, waiting)) if dear else frozenset()


def _are_apart(body: Block, classes: Classes) -> bool:
    """Whether no array of an iteration has a second name."""
    lets = [s for s in walk.statements(body) if isinstance(s, Let)]
    arrays = [s.target for s in lets if isinstance(getattr(s.value, "type", None), Array)]
    return all(classes.find(name) == name and name not in classes.leader.values() for name in arrays)


def _gains(body: Block, facts: Uniformity) -> bool:
    """Whether vectors help: functions that no loop inside computes, loops through rows again, windows or columns.

    Short loops through columns are written out, and help without blocks.
    """
    if facts.rows(body) or facts.has_windows(body) or facts.has_columns(body):
        return True
    return bool(facts.going_down(body, counts)) or _has_function(body, facts)


def _computes_in_triangles(body: Block, facts: Uniformity) -> bool:
    """Whether the loops that compute functions go round more or less often from iteration to iteration."""
    loops = [s for s in body if isinstance(s, For) and functions((s,))]
    return bool(loops) and all(facts.varies(s.start, s.stop, s.step) for s in loops)


def _has_function(block: Block, facts: Uniformity) -> bool:
    for stmt in block:
        if isinstance(stmt, (For, While)):
            if id(stmt) not in facts.alone and _has_function(stmt.body, facts):
                return True
        elif facts.each(stmt):
            exprs = (e for s in walk.statements((stmt,)) for e in walk.stmt_exprs(s))
            if any(has_function(e, facts) for e in exprs):
                return True
        elif isinstance(stmt, If) and (_has_function(stmt.then, facts) or _has_function(stmt.orelse, facts)):
            return True
    return False

