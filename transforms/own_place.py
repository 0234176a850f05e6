"""own place: an array that a loop makes of another one, element by element, is made in that one's memory.

``x = f(x)`` in the steps of a loop, or in its reverse ``x_bar = g(x_bar)``, is a new array a step, ``y = np.empty(n)``,
a loop that computes each ``y[i]`` from ``x[i]``, and then ``x = y``. Nobody sees the old `x` again: ``x[i] = ...``.

Why it is right: both are of one type, with the same lengths. The loops go to each element once, read of the old array,
and of all that may share memory with it, no other element, and read it before they write the new one. Behind them no
name by which the old array is known is read before it is bound again. Callers and structures do not know it.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.classes import parts_of
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Store, Var, While
from srcad.lang.recursive import Instance
from srcad.lang.types import Array, Type
from srcad.runtime import recorded
from srcad.transforms.by_turns import MADE
from srcad.transforms.elements import computes
from srcad.transforms.written_over import held


def own_place(fn: Function) -> Function:
    """Let arrays that steps compute anew stay where they are in memory.

    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> n, i = Var("n", INT), Var("i", INT)
    >>> x, y = (Var(name, Array("float64", ("n",), "C")) for name in "xy")
    >>> value = Call(operator.mul, (Const(0.9, FLOAT), Call(operator.getitem, (x, i), (), FLOAT)), (), FLOAT)
    >>> fill = For("i", Const(0, INT), n, Const(1, INT), (Store(y, i, value),))
    >>> step = Let("y", Call(np.empty, (n,), (), y.type)), fill, Move(("x",), (y,))
    >>> loop = For("k", Const(0, INT), Const(9, INT), Const(1, INT), step)
    >>> body = (Let("x", Call(np.ones, (n,), (), x.type)), loop, Return(x))
    >>> from srcad.lang.write import write
    >>> print(write(own_place(Function("f", (Param("n", INT),), body))).text.split("np\\n\\n\\n")[1], end="")
    def f(n):
        x = np.ones(n)
        for k in range(9):
            for i in range(n):
                x[i] = 0.9 * x[i]
        return x
    """
    rebound = {name for stmt in walk.statements(fn.body) for name, value in _handed(stmt) if isinstance(value, Var)}
    loops = any(isinstance(stmt, (For, While)) for stmt in fn.body)
    if not rebound or not loops or not any(_is_made(stmt) for stmt in walk.statements(fn.body)):
        return fn
    places = _Places.of(fn)
    body = places.block(fn.body, frozenset())
    return replace(fn, body=_one_name(body, places.changed, _mentions(body)))


@dataclass
class _Places:
    pairs: Pairs
    kept: set[str]  # one name of each class that others may know
    mentions: Counter[str]
    types: defaultdict[str, set[Type]]
    changed: set[str] = field(default_factory=set)  # the arrays that are made in their own place

    @staticmethod
    def of(fn: Function) -> _Places:
        pairs, known = Pairs.of(fn.body), held(fn)
        mentions: Counter[str] = Counter()
        types: defaultdict[str, set[Type]] = defaultdict(set)
        for stmt in walk.statements(fn.body):
            for target, value in _handed(stmt):
                if not isinstance(value, Var) and not _is_new(value):
                    known.add(target)
            for expr in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
                if isinstance(expr, Var):
                    mentions[expr.name] += 1
                    types[expr.name].add(expr.type)
                elif isinstance(expr, Call) and (expr.fn is recorded or isinstance(expr.fn, Instance)):
                    known |= walk.names(expr)
        return _Places(pairs, {pairs.classes.find(name) for name in known}, mentions, types)

    def block(self, block: Block, after: Names) -> Block:
        position = 0
        while position < len(block):
            for target, value in _handed(block[position]):
                placed = self.placed(block, position, target, value, after) if isinstance(value, Var) else None
                if placed is not None:
                    block, position = placed, max(position - 3, -1)
                    break
            position += 1
        done = []
        for stmt, behind in zip(block, live(block, after)):
            names = at_the_end(stmt, behind) if isinstance(stmt, (For, While)) else behind
            done.append(walk.map_stmt(lambda e: e, stmt, lambda body: self.block(body, names)))  # noqa: B023
        return tuple(done)

    def placed(self, block: Block, last: int, target: str, new: Var, after: Names) -> Block | None:
        """A block in which an array that is handed on under another name is that other one from the start."""
        if not isinstance(new.type, Array) or self.mentions[new.name] != 2 or new.name == target:
            return None  # it is filled at one place, and handed on
        made = next((k for k, s in enumerate(block[:last]) if isinstance(s, Let) and s.target == new.name), None)
        like = self.alike(new.name)
        fill = next((k for k in range(last - 1, -1, -1) if like & walk.mentioned((block[k],))), None)
        if made is None or fill is None or made >= fill or not _is_made(block[made]) or like & self.kept:
            return None
        nest, old = block[fill], Var(target, new.type)
        if not isinstance(nest, For) or self.types[target] != {new.type}:
            return None
        if live(block, after)[fill] & (like - {new.name}):
            return None  # somebody reads the old one
        found = _in_place(nest, new, like)
        if found is None or not (target in found[1] or any(_is_alias(stmt, target) for stmt in block[:fill])):
            return None  # there may be no old one
        inside = _stored(nest, found[0], old)
        self.changed.add(target)
        handed = _without(block[last], target)
        return (*block[:made], *block[made + 1 : fill], inside, *block[fill + 1 : last], *handed, *block[last + 1 :])

    def alike(self, name: str) -> set[str]:
        """The names of arrays that may share memory with one."""
        find = self.pairs.classes.find
        leader = find(name)
        return {leader} | {other for other in self.mentions if find(other) == leader}


def _handed(stmt: Stmt) -> Iterator[tuple[str, Expr]]:
    """The names of arrays that a statement binds, and what to."""
    for name, value in walk.bindings(stmt):
        if isinstance(getattr(value, "type", None), Array):
            yield name, value


def _is_made(stmt: Stmt) -> bool:
    return isinstance(stmt, Let) and isinstance(stmt.value, Call) and stmt.value.fn is np.empty


def _is_new(value: Expr) -> bool:
    """Whether an array is nobody else's when it is made."""
    return isinstance(value, Call) and not parts_of(value) and (any(value.fn is f for f in MADE) or computes(value))


def _is_alias(stmt: Stmt, array: str) -> bool:
    return isinstance(stmt, Let) and isinstance(stmt.value, Var) and stmt.value.name == array


def _mentions(block: Block) -> Counter[str]:
    exprs = (e for stmt in walk.statements(block) for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole))
    return Counter(e.name for e in exprs if isinstance(e, Var))


def _one_name(block: Block, arrays: set[str], mentions: Counter[str]) -> Block:
    """A block in which arrays have no second names for a while, which told old ones from new ones."""
    result: list[Stmt] = []
    for position, stmt in enumerate(block):
        match stmt:
            case Let(name, Var(array)) if array in arrays:
                later = block[position + 1 :]
                if _mentions(later)[name] == mentions[name] and array not in walk.defined(later):
                    return (*result, *_one_name(walk.rename(later, {name: array}), arrays, mentions))
        result.append(walk.map_stmt(lambda e: e, stmt, lambda body: _one_name(body, arrays, mentions)))
    return tuple(result)


def _without(stmt: Stmt, target: str) -> Block:
    """A statement that binds one name less."""
    if isinstance(stmt, Move) and len(stmt.targets) > 1:
        left = [(name, value) for name, value in zip(stmt.targets, stmt.values) if name != target]
        return (replace(stmt, targets=tuple(n for n, _ in left), values=tuple(v for _, v in left)),)
    return ()


def _in_place(nest: For, new: Var, like: set[str]) -> tuple[Store, set[str]] | None:
    """The statement of some loops that may write to an old array, and what is read there in any case.

    None where they read another element of an old array, or come to one twice.
    """
    loops, body = [nest], nest.body
    while True:
        users = [stmt for stmt in body if like & walk.mentioned((stmt,))]
        at = next((stmt for stmt in users if new.name in walk.mentioned((stmt,))), None)
        if not isinstance(at, For):
            break
        if len(users) > 1:
            return None
        loops.append(at)
        body = at.body
    if not isinstance(at, Store) or at is not users[-1] or not all(map(_from_zero, loops)):
        return None
    indices = {loop.index for loop in loops}
    items = [item.name for item in items_of(at.index) if isinstance(item, Var)]
    alike = set(items) == indices and len(items) == len(loops) == len(items_of(at.index))
    if not alike or indices & walk.assigned(body):
        return None
    exprs = [e for stmt in walk.statements(tuple(users)) if stmt is not at for e in walk.stmt_exprs(stmt)]
    headers = [e for loop in loops for e in walk.stmt_exprs(loop)]
    if not all(_reads_only(e, at.index, like) for e in (*headers, *exprs, at.value)):
        return None
    always = [e for stmt in users for e in (() if walk.blocks(stmt) else walk.stmt_exprs(stmt))]
    return at, {part.name for e in always for part in walk.evaluated(e) if isinstance(part, Var)}


def _from_zero(loop: For) -> bool:
    """Whether a loop goes to different places, none of them counted from the end."""
    match loop:
        case For(_, Const(int() as start), _, Const(int() as step)) if step > 0:
            return start >= 0
        case For(_, _, Const(int() as stop), Const(int() as step)) if step < 0:
            return stop >= -1
    return False


def _reads_only(expr: Expr, index: Expr, like: set[str]) -> bool:
    """Whether an expression reads nothing but one element of some arrays, and their shapes."""
    match expr:
        case Var(name):
            return name not in like
        case Attr(Var(), "shape" | "size" | "ndim"):
            return True
        case Call(operator.getitem, (Var(), at), ()) if at == index:
            return True
    return all(_reads_only(part, index, like) for part in walk.children(expr))


def _stored(loop: For, at: Store, old: Var) -> For:
    def inside(block: Block) -> Block:
        return tuple(
            replace(stmt, base=old) if stmt is at else walk.map_stmt(lambda e: e, stmt, inside) for stmt in block
        )

    return replace(loop, body=inside(loop.body))
