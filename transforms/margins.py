"""margins: what a nest of loops adds to neighbours in several rows is gathered, an element at a time.

``x_bar[i, j - 1] += a; x_bar[i, j + 1] += a; x_bar[i - 1, j] += a; x_bar[i + 1, j] += a`` adds to what later iterations
add to again, and no machine runs such iterations side by side. So the nest stores what goes elsewhere, in an array with
margins of zeros, and a second nest adds up for each element what its neighbours have for it. Thanks to the margins it
need not ask which neighbours there are.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import replace


from srcad.analysis.additions import only_added_to, place_of, varies
from srcad.analysis.affine import linear
from srcad.analysis.buffers import stored_names
from srcad.analysis.lengths import Lengths
from srcad.analysis.pairs import Pairs
from srcad.lang.arrays import items_of
from srcad.lang.ir import Accum, Block, Expr, For, Function, If, Let, Stmt, Store, Var
from srcad.lang.types import INT, Array
from srcad.lang.walk import assigned, map_stmt, names, statements, stmt_exprs, targets
from srcad.transforms.ahead import Ahead, by_arrays
from srcad.transforms.behind import behind
from srcad.transforms.fewer import from_fewer, product
from srcad.transforms.flatten import fresh_names
from srcad.transforms.simplify import plus
from srcad.transforms.rims import Addition, Offsets, Span, Wide, guarded, moved, rebuilt, rims, taken_apart, total
from srcad.transforms.totals import totals
from srcad.transforms.wide import spelled_out, widened, widening

LEAST = 4  # additions of an iteration: fewer are as quick in the loop that has them
WIDEST = 4  # elements between the first and the last one, along an axis
MOST = 3  # arrays with margins


def margins(fn: Function) -> Function:
    """Gather what nests of loops add to several rows of an array.

    >>> from srcad.lang.arrays import index_of
    >>> from srcad.lang.ir import Call, Const, Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> i, j, n = (Var(name, INT) for name in "ijn")
    >>> b, v = (Var(name, Array("float64", ("n", "m"), "C")) for name in "bv")
    >>> def at(a, *index): return Call(operator.getitem, (a, index_of(index)), (), FLOAT)
    >>> def later(index, k): return Call(operator.add, (index, Const(k, INT)), (), INT)
    >>> places = (i, later(j, 1)), (later(i, 1), j), (later(i, 1), later(j, 2)), (later(i, 2), later(j, 1))
    >>> body = (Let("t", at(v, i, j)), *(Accum(at(b, *place), Var("t", FLOAT)) for place in places))
    >>> inner = For("j", Const(0, INT), n, Const(1, INT), body)
    >>> nest = For("i", Const(0, INT), n, Const(1, INT), (inner,))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = margins(Function("f", (Param("b", b.type), Param("v", v.type), Param("n", INT)), (nest, Return(b))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(b, v, n):
        t_wide = np.zeros((max(n, 0) + 4, max(n, 0) + 4))
        for i in range(n):
            for j in range(n):
                t = v[i, j]
                t_wide[i + 2, j + 2] = t
        if n > 0:
            for i in range(n + 2):
                for j in range(n + 2):
                    b[i, j] += (t_wide[i + 2, j + 1] + t_wide[i + 1, j + 2] + t_wide[i + 1, j]
                                + t_wide[i, j + 1])
        return b
    """
    if sum(isinstance(stmt, For) for stmt in statements(fn.body)) < 2:
        return fn
    used = {p.name for p in fn.params} | assigned(fn.body)
    counted = replace(fn, body=_summing(spelled_out(fn)))
    gatherer = _Gatherer(counted, Pairs.of(counted.body), fresh_names(used))
    body = gatherer.block(counted.body)
    return replace(fn, body=widened(body, gatherer.widened)) if gatherer.found else fn


def _summing(block: Block) -> Block:
    """A block with nests that keep one name for each sum, where they are no nests otherwise."""
    result: list[Stmt] = []
    for stmt in block:
        if isinstance(stmt, For) and _depth(stmt) < 2:
            (one,) = totals((stmt,))
            if _depth(one) > 1:
                result.append(one)
                continue
        result.append(map_stmt(lambda e: e, stmt, _summing))
    return tuple(result)


def _depth(stmt: Stmt) -> int:
    """How many loops stand in one another, each with nothing but names before the next one."""
    if not isinstance(stmt, For) or not stmt.body:
        return 0
    inner = stmt.body[-1]
    if isinstance(inner, For) and all(isinstance(s, Let) for s in stmt.body[:-1]):
        return 1 + _depth(inner) if _depth(inner) else 0
    return int(all(isinstance(s, (Let, Store, Accum)) for s in stmt.body))


def _loops(nest: For) -> list[For]:
    loops = [nest]
    while isinstance(loops[-1].body[-1], For):
        loops.append(loops[-1].body[-1])
    return loops


class _Gatherer:
    def __init__(self, fn: Function, pairs: Pairs, fresh: Callable[[str], str]) -> None:
        self.pairs, self.fresh, self.lengths = pairs, fresh, Lengths.of(fn)
        self.openings: dict[int, list[Stmt]] = {}  # arrays that are made before a loop
        self.widened: dict[str, tuple[Var, tuple[int, ...]]] = {}  # arrays that get margins themselves
        self.body = fn.body
        self.found = False
        self.siblings: Block = ()
        self.ahead: Stmt | None = None  # what stands before a nest
        self.rims: set[int] = set()  # what the elements around get, where nothing has to be added before

    def block(self, block: Block, around: tuple[Stmt, ...] = ()) -> Block:
        result: list[Stmt] = []
        for stmt in block:
            if isinstance(stmt, For) and _depth(stmt) > 1 and self.nests(stmt, block, result, around):
                continue
            inside = around if isinstance(stmt, If) else (stmt, *around)
            new = map_stmt(lambda e: e, stmt, lambda inner: self.block(inner, inside))  # noqa: B023
            result.extend((*self.openings.pop(id(stmt), ()), new))
        return tuple(result)

    def nests(self, stmt: For, beside: Block, done: list[Stmt], around: tuple[Stmt, ...]) -> bool:
        """Whether a nest of loops gathers: then what stands in its place goes behind all that is done before it."""
        parts = self.apart(stmt)
        for each in parts:
            self.siblings, self.ahead = beside, self.before_rims(done, each)
            before, new = self.ahead, self.nest(each, around)
            if parts == [stmt] and new == (stmt,):
                return False
            if new[0] is not each and self.ahead is None and before is not None:
                at = next(k for k, s in enumerate(done) if s is before)
                new, done[at:] = (*new, *done[at + 1 :]), []
                self.rims.add(id(new[-1]))
            done.extend((*self.openings.pop(id(each), ()), *new))
        return True

    def apart(self, stmt: For) -> list[For]:
        """A nest as one for each array that it adds to, if all of them gather."""
        loops = _loops(stmt)
        parts = by_arrays(loops, self.pairs)
        for each in parts if len(parts) > 1 else ():
            base, _ = place_of(_loops(each)[-1].body[0]) or ("", None)
            found = self.additions(base, _loops(each), assigned((each,)))
            if not found or _parted(found) is None:
                return [stmt]
        return parts

    def before_rims(self, done: list[Stmt], nest: For) -> Stmt | None:
        """What stands before a nest, but for the rims of other arrays."""
        added = stored_names((nest,))
        for stmt in reversed(done):
            used = {n for s in statements((stmt,)) for e in (*map(Var, targets(s)), *stmt_exprs(s)) for n in names(e)}
            if id(stmt) not in self.rims or any(self.pairs.may_share(n, base) for n in used for base in added):
                return stmt
        return None

    def nest(self, loop: For, around: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A nest, and the one that gathers, if it adds to several rows of an array."""
        loops, changed = _loops(loop), assigned((loop,))
        spans = [span for each in loops if (span := Span.of(each)) is not None]
        if len(spans) < len(loops) or any(
            each.flag is not None or each.shared or changed & (names(each.start) | names(each.stop)) for each in loops
        ):
            return (loop,)
        for base in dict.fromkeys(place[0] for stmt in loops[-1].body if (place := place_of(stmt)) is not None):
            found = self.additions(base, loops, changed)
            parted = found and _parted(found)
            if parted and only_added_to(self.pairs, base, (loop,), loop):
                return self.gathered(spans, *parted, around)
        return (loop,)

    def additions(self, base: str, loops: list[For], changed: set[str]) -> list[Addition] | None:
        """What the innermost loop adds to an array; None, if some of it goes elsewhere than near the counters."""
        found: list[Addition] = []
        fixed: set[tuple] = set()
        for stmt in loops[-1].body:
            place = place_of(stmt)
            if place is None or place[0] != base:
                continue
            assert isinstance(stmt, Accum)
            items = items_of(place[1])
            known = [linear(item) for item in items]
            axes = [[k for k, at in enumerate(known) if at is not None and at[0] == each.index] for each in loops]
            if any(len(own) != 1 for own in axes):
                return None
            counted = [own[0] for own in axes]
            rest = tuple(item for k, item in enumerate(items) if k not in counted)
            if any(varies(item, changed) for item in rest):
                return None
            fixed.add((tuple(counted), rest))
            offset = tuple(known[k][1] for k in counted)  # type: ignore[index]
            found.append(Addition(stmt, offset, *product(stmt.value, changed)))
        return from_fewer(found, loops[-1].body, changed) if len(fixed) == 1 else None

    # ------------------------------------------------------------ two nests

    def gathered(
        self, spans: list[Span], own: Offsets | None, elsewhere: list[Addition], around: tuple[Stmt, ...]
    ) -> tuple[Stmt, ...]:
        self.found = True
        low, high = (tuple(map(pick, zip(*(one.offset for one in elsewhere)))) for pick in (min, max))
        width = tuple(map(operator.sub, high, low))
        arrays: dict[Expr, tuple[Var, str | None]] = {}
        for one in elsewhere:
            arrays[one.value] = arrays.get(one.value) or self.wide(one, spans)
        nests = None
        if own is not None:
            wide = Wide.around(spans, own, low, high, arrays)
            nests = self.with_own(wide, own, elsewhere, around)
        if nests is None and all(whole is not None for _, whole in arrays.values()):
            ahead = Ahead.of(self.ahead, [span.loop for span in spans], elsewhere, self.pairs)
            if ahead is not None:
                renamed = {moved.value: arrays[one.value] for one, moved in zip(elsewhere, ahead.elsewhere)}
                wide = Wide.around(ahead.spans, ahead.offset, low, high, renamed)
                nests = ahead.gathering(wide, self.pairs, self.fresh)
                if nests is not None:
                    self.ahead, elsewhere, arrays = None, ahead.elsewhere, renamed
        if nests is None:
            wide = Wide(spans, width, width, arrays)
            wide, nests = behind(wide, low, width, elsewhere, self.fresh, self.lengths)
        for one in {one.value: one for one in reversed(elsewhere)}.values():
            array, whole = arrays[one.value]
            self.before(wide.made(one), spans[0].loop, around)
            if whole is not None:
                self.widened[whole] = array, wide.before
        return nests

    def with_own(
        self, wide: Wide, own: Offsets, elsewhere: list[Addition], outside: tuple[Stmt, ...]
    ) -> tuple[Stmt, ...] | None:
        """The nest that gathers for the elements of its iterations, with what goes elsewhere computed before it."""
        spans = wide.spans
        around = rims(wide, own, elsewhere, self.fresh)
        counters: list[Expr] = [Var(span.loop.index, INT) for span in spans]
        held = {one.value.name: wide.at(one.value, counters) for one in elsewhere if isinstance(one.value, Var)}
        parts = around and taken_apart(spans, elsewhere, held, self.pairs.during(spans[0].loop))
        if not around or not parts:
            return None
        stores = [s for one in {one.value: one for one in reversed(elsewhere)}.values() for s in wide.stores(one)]
        first = rebuilt(spans, (*parts[0], *stores)) if stores else ()
        terms = [wide.element(one, list(map(plus, counters, own))) for one in elsewhere]
        target = moved(elsewhere[0].stmt.target, spans, list(map(plus, counters, own)))
        last = max(k for k, stmt in enumerate(parts[1]) if isinstance(stmt, Accum) and stmt.target == target)
        added = parts[1][last]
        assert isinstance(added, Accum)
        second = (*parts[1][:last], replace(added, value=total([added.value, *terms])), *parts[1][last + 1 :])
        (nest,) = rebuilt(spans, second)
        return (*first, *self.others(nest, spans[0].loop, outside), guarded(spans, around, spans[0].loop))

    def others(self, nest: Stmt, loop: For, around: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
        """A nest that gathers for one array and stands in a loop's place; it may have others to gather for."""
        assert isinstance(nest, For)
        ahead, self.ahead = self.ahead, None
        new = self.nest(nest, around)
        self.openings.setdefault(id(loop), []).extend(self.openings.pop(id(nest), ()))
        self.ahead = ahead
        return new

    def wide(self, one: Addition, spans: list[Span]) -> tuple[Var, str | None]:
        """The array with margins that is to hold a value, and the one without in whose place it is made."""
        spanned = {span.loop.index: span.count for span in spans if span.low == 0}
        whole = widening(one.value, spanned, self.siblings, self.body)
        hint = one.value.name if isinstance(one.value, Var) else whole or place_of(one.stmt)[0]  # type: ignore[index]
        name = self.fresh(f"{hint}~wide")
        kind = one.stmt.target.args[0].type  # type: ignore[union-attr]
        array = Var(name, Array(kind.dtype, tuple(f"{name}.shape[{k}]" for k in range(len(spans))), "C"))
        return array, None if whole in self.widened else whole

    def before(self, let: Let, loop: For, around: tuple[Stmt, ...]) -> None:
        """Put the making of an array before the outermost loop that does not change its lengths."""
        outermost: Stmt = loop
        for each in around:
            if names(let.value) & assigned((each,)):
                break
            outermost = each
        self.openings.setdefault(id(outermost), []).append(let)


def _parted(found: list[Addition]) -> tuple[Offsets | None, list[Addition]] | None:
    """The element that a nest keeps adding to itself, and what goes elsewhere; None, if it is none of several rows."""
    places = Counter(offset for offset in dict.fromkeys(a.offset for a in found))
    width = [max(place[k] for place in places) - min(place[k] for place in places) for k in range(len(found[0].offset))]
    if max(width) > WIDEST or not any(width[:-1]) or not width[-1] or len(places) < LEAST:
        return None  # rows of which each has one element only are no obstacle to vectors
    goes: dict[Expr, set[Offsets]] = {}
    for one in found:
        goes.setdefault(one.value, set()).add(one.offset)
    alone = Counter(next(iter(offsets)) for offsets in goes.values() if len(offsets) == 1)
    own = alone.most_common(1)[0][0] if alone else None
    elsewhere = [one for one in found if goes[one.value] != {own}]
    return (own, elsewhere) if 0 < len({one.value for one in elsewhere}) <= MOST else None
