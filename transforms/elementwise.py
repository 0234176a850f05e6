"""elementwise: array statements over the same elements become one loop. For machine code only.

Compiled, each statement about whole arrays is a loop of its own that writes an array for the next one to read. Where
the lengths are known to agree, and no statement reads what an earlier one writes elsewhere, one loop does them all:
what only the loop reads is a number in it, and what is summed up needs no array at all.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from srcad.analysis.contents import member
from srcad.analysis.bounds import Bounds
from srcad.analysis.live import Names, live
from srcad.analysis.pairs import Pairs
from srcad.analysis.regions import Regions
from srcad.analysis.buffers import is_view
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Var, is_temporary
from srcad.lang.types import Array, Scalar
from srcad.lang.walk import assigned, names, statements, stmt_exprs, substitute_in, targets, without
from srcad.runtime import no_records, recorded
from srcad.transforms.additions import as_additions
from srcad.transforms.elements import is_arithmetic, is_plain
from srcad.transforms.flatten import fresh_names
from srcad.transforms.lines import ADD, LET, Item, Line, Lines
from srcad.transforms.passing import Facts, followed, inside, is_light, is_number
from srcad.transforms.holding import same
from srcad.transforms.scatter import scatter
from srcad.transforms.sweeps import Sweep
from srcad.transforms.traffic import may_be_early, traffic

WINDOW = 64  # statements back to the loop that a line may join


def elementwise(fn: Function) -> Function:
    """Write array statements as loops.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.lang.ir import Call, Param, Return, Var
    >>> from srcad.lang.types import FLOAT, Array
    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> e = Let("e", Call(np.exp, (x,), (), x.type))
    >>> total = Call(np.sum, (Call(operator.mul, (Var("e", x.type), x), (), x.type),), (), FLOAT)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> print(write(name(elementwise(Function("f", (Param("x", x.type),), (e, Return(total)))))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        total = 0.0
        for i in range(x.shape[0]):
            e = np.exp(x[i])
            total += e * x[i]
        return total
    """
    fn = replace(fn, body=as_additions(fn.body))
    used = {p.name for p in fn.params} | assigned(fn.body)
    facts = Facts(Pairs.of(fn.body))
    lists = frozenset(name for s in statements(fn.body) if is_list(s) for name in targets(s))
    regions = Regions(lists=lists, bounds=Bounds.of(fn))
    woven = Weaver(facts, fresh_names(used), bound_again(fn.body)).block(fn.body, frozenset(), regions)
    return replace(fn, body=scatter(_unread(woven)))


def bound_again(block: Block) -> frozenset[str]:
    """The names that several statements assign."""
    counts = Counter(name for s in statements(block) if isinstance(s, (Let, Move)) for name in targets(s))
    return frozenset(name for name, count in counts.items() if count > 1)


def by_one_name(block: Block, after: Names, again: frozenset[str]) -> Block:
    """A block without second names for arrays that it makes; neither name is one of those bound `again`."""
    made: set[str] = set()
    second: dict[str, Expr] = {}
    result: list[Stmt] = []
    for stmt in block:
        stmt = substitute_in((stmt,), second)[0]
        match stmt:
            case Let(name, Var(one, Array()) as array) if one in made and name not in {*again, *after}:
                second[name] = array
                continue
            case Let(name) if name not in again:
                made.add(name)
        result.append(stmt)
    return tuple(result)


def _read_once(block: list[Stmt], after: Names) -> Block:
    """A block in which all names for a number that it reads are one; loops that were several lines ask for it again.

    What has a name that is read `after` the block keeps it.
    """
    first: dict[Expr, Var] = {}
    second: dict[str, Expr] = {}
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Let(name, Call(operator.getitem, _, _, Scalar() as kind) as value) if is_temporary(name):
                if value in first and name not in after:
                    second[name] = first[value]
                    continue
                first[value] = Var(name, kind)
            case Let(name, Const() | Call(operator.getitem)):
                first = {value: own for value, own in first.items() if name not in names(value)}
            case _:
                first = {}
        result.append(stmt)
    return substitute_in(tuple(result), second)


def _unread(block: Block) -> Block:
    """A block without names for parts of arrays, and numbers of the reverse sweep, that nobody reads."""
    read = {n for s in statements(block) for e in stmt_exprs(s) for n in names(e)}
    read |= {n for s in statements(block) if not isinstance(s, Let) for n in targets(s)}
    read |= {s.flag for s in statements(block) if isinstance(s, For) and s.flag}
    unread = [s for s in statements(block) if isinstance(s, Let) and s.target not in read]
    idle = {id(s) for s in unread if is_part(s.value) or _is_idle(s)}
    shorter = without(block, lambda s: id(s) in idle) if idle else block
    return block if shorter == block else _unread(shorter)


def _is_idle(stmt: Let) -> bool:
    """Whether a statement of the reverse sweep does nothing but give a number."""
    number = isinstance(getattr(stmt.value, "type", None), Scalar)
    return stmt.origin.adjoint and number and is_arithmetic(stmt.value)


def is_part(value: Expr) -> bool:
    """Whether it is a view of a part of an array."""
    return isinstance(value, Call) and value.fn is operator.getitem and isinstance(value.type, Array) and is_view(value)


def is_list(stmt: Stmt) -> bool:
    return isinstance(stmt, Let) and isinstance(stmt.value, Call) and member(stmt.value.fn, (no_records, recorded))


@dataclass
class Weaver:
    facts: Facts
    fresh: Callable[[str], str]
    again: frozenset[str]  # names that several statements assign
    eager: bool = False  # also loops that gain nothing by themselves
    early: bool = False  # in nests, lines join the first loop that they can reach and that has their elements
    alone: set[int] = field(default_factory=set)  # late lines that the loops before them would take in vain

    def block(self, block: Block, after: Names, regions: Regions) -> Block:
        """A block with its array statements in loops; `after` is read behind it."""
        before = regions.copy()
        lines = Lines(self.facts, self.fresh, regions.copy(), self.again)
        inner: list[Stmt] = []
        split: list[Item] = []
        for stmt, behind in zip(block, live(block, after)):
            inner.append(inside(stmt, behind, regions, self.block))
            split.extend(lines.of(inner[-1]))
            followed(regions, inner[-1])  # by its own names: those that lines make are gone, if no loop is worth it
        found = self.woven(split, lines.copies, after)
        if found is None or self.eager or not may_be_early(found, inner, split):
            return tuple(inner) if found is None else found
        renamed = by_one_name(tuple(inner), after, self.again)
        lines = Lines(self.facts, self.fresh, before, self.again)
        again = [item for stmt in renamed for item in lines.of(stmt)]
        other = replace(self, early=True, alone=set()).woven(again, lines.copies, after)
        fewer = other is not None and traffic(other, renamed, again) < traffic(found, inner, split)
        return other if other is not None and fewer else found

    def woven(self, split: list[Item], copies: set[int], after: Names) -> Block | None:
        """The items of a block in their order, with lines in loops; None, if no line gains anything."""
        apart: set[int] = set()  # lines that no loop is worth it for
        late: set[int] = set()  # lines that stand best before what reads them
        while any(isinstance(item, Line) and id(item) not in apart for item in split):
            items: list[Sweep | Item] = []
            for item in delayed(split, late, self.facts):
                self.place(item, items, apart)
            items = self.without_copies(items, copies, after)
            found = self.written(items, after, apart, late)
            if found is not None:
                return found
        return None

    # ------------------------------------------------------------ which loop

    def place(self, item: Item, items: list[Sweep | Item], apart: set[int]) -> None:
        """Put a line into the latest loop that it can reach, and another statement before loops that it can pass.

        An `early` line goes on to the loop that has its elements: what is added to neighbours stays behind then, all of
        it, and is gathered.
        """
        best = len(items)
        taker: Sweep | None = None
        line = isinstance(item, Line) and id(item) not in apart
        if line and id(item) in self.alone:
            items.append(Sweep.of(item))  # type: ignore[arg-type]
            return
        for position in range(len(items) - 1, max(-1, len(items) - WINDOW), -1):
            found = items[position]
            if isinstance(found, Sweep) and line and found.takes(item, self.facts):  # type: ignore[arg-type]
                if not self.early or len(found.shape) < 2:
                    found.add(item)  # type: ignore[arg-type]
                    return
                if taker is None and not _reads_beside(found, item, self.facts) or _has_place(found, item, self.facts):  # type: ignore[arg-type]
                    taker = found
            elif taker is None and isinstance(found, Sweep) and line and (parts := found.parted(item, self.facts)):  # type: ignore[arg-type]
                items[position : position + 1] = parts
                return
            if not self.facts.commute(found, item):
                break
            if isinstance(found, Sweep) and (is_light(item.stmt) or is_number(item.stmt)):
                best = position
        if taker is not None:
            taker.add(item)  # type: ignore[arg-type]
        else:
            items.insert(best, Sweep.of(item) if line else item)  # type: ignore[arg-type]

    def without_copies(self, items: list[Sweep | Item], copies: set[int], after: Names) -> list[Sweep | Item]:
        """The items without those second names for arrays that nobody reads."""
        code = [stmt for item in items for stmt in item.stmts]
        pairs = zip(code, live(tuple(code), after))
        unread = {id(s) for s, behind in pairs if id(s) in copies and not behind.intersection(targets(s))}
        return [item for item in items if isinstance(item, Sweep) or id(item.stmt) not in unread]

    def written(self, items: list[Sweep | Item], after: Names, apart: set[int], late: set[int]) -> Block | None:
        """The statements and loops; None, if some lines had better stand `apart`, or `late`."""
        code = [stmt for item in items for stmt in item.stmts]
        behind = live(tuple(code), after)
        known = set(apart), set(late)
        position = 0
        result: list[Stmt] = []
        tried: set[int] = set()
        hopeless: set[int] = set()
        for item in items:
            position += len(item.stmts)
            if isinstance(item, Sweep):
                idle = item.uncounted() if self.eager else item.idle(behind[position - 1])
                waiting = {id(line) for line in idle if line.kind == LET and not self.eager} - late
                again = {id(line) for line in idle if _is_filled(line)} & late - self.alone
                tried |= again
                late |= waiting
                hopeless |= set(map(id, idle)) - waiting - again
                result.extend(() if idle else item.written_out(behind[position - 1], self.fresh, self.facts))
            else:
                result.extend(item.stmts)
        if hopeless & self.alone:
            hopeless &= self.alone  # the others were in the way of none but these
        self.alone |= tried
        self.alone -= hopeless
        late -= hopeless
        apart |= hopeless
        return _read_once(result, after) if (apart, late) == known and not tried else None


def _has_place(sweep: Sweep, line: Line, facts: Facts) -> bool:
    """Whether a line only writes to what the loop makes or touches, and to no neighbours of that."""
    if line.place is None:
        return True
    touched = [r for one in sweep.lines for r in (*one.reads, *filter(None, (one.place,)))]
    near = [r for r in touched if facts.may_share(r.root.name, line.place.root.name)]
    own = any(one.kind == LET and line.place.root.name in one.assigned for one in sweep.lines)
    return bool(near or own) and all(same(r) == same(line.place) for r in near)


def _reads_beside(sweep: Sweep, line: Line, facts: Facts) -> bool:
    """Whether a line adds to neighbours of what the loop reads: behind it, they wait for the others that do."""
    if line.kind != ADD or line.place is None:
        return False
    read = [r for one in sweep.lines for r in one.reads if facts.may_share(r.root.name, line.place.root.name)]
    return any(same(r) != same(line.place) for r in read)


def delayed(split: list, late: set[int], facts: Facts) -> list:
    """The lines and statements, those that are to be `late` right before the first that reads them."""
    result = list(split)
    for position in range(len(split) - 1, -1, -1):
        item = split[position]
        if id(item) not in late:
            continue
        following = position + 1
        while following < len(result) and facts.commute(item, result[following]):
            following += 1
        if following < len(result) and result[following].read & item.assigned:
            result.insert(following, item)
            del result[position]
    return result


def _is_filled(line: Line) -> bool:
    """Whether a line only fills an array."""
    return line.kind == LET and not line.where and is_plain(line.value)
