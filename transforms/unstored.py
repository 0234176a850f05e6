"""unstored: no array for what is light to compute where it is read. For machine code only.

A loop fills an array with differences, and another one reads each of them once: it may as well subtract again, which
takes less than memory does. Of an array of which only few elements are read, as `hits` knows, more is computed anew: an
addition or a product or two.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Expr, For, Function, Let, Slice, Stmt, Store, Tuple, Var, select,
)  # fmt: skip
from srcad.lang.types import BOOL, Array, Scalar
from srcad.transforms.flatten import fresh_names

LIGHT = frozenset((operator.add, operator.sub, operator.mul, operator.neg, operator.getitem))
LARGEST = 5  # operations and elements, of which a few are read
ONE_STEP = 3  # an operation on two elements


def unstored(fn: Function) -> Function:
    """Compute elements anew that one operation on two others gives and one statement reads.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import INT
    >>> FLOAT = Scalar("float64")
    >>> x, y, d = (Var(name, Array("float64", ("n",), "C")) for name in "xyd")
    >>> i, j, n, s = Var("i", INT), Var("j", INT), Var("n", INT), Var("s", FLOAT)
    >>> def at(a, k): return Call(operator.getitem, (a, k), (), FLOAT)
    >>> def loop(k, *body): return For(k.name, Const(0, INT), n, Const(1, INT), body)
    >>> difference = Call(operator.sub, (at(x, i), at(y, i)), (), FLOAT)
    >>> first = loop(i, Let("e", difference), Store(d, i, Var("e", FLOAT)), Accum(s, Var("e", FLOAT)))
    >>> second = loop(j, Accum(s, Call(np.exp, (Call(operator.mul, (s, at(d, j)), (), FLOAT),), (), FLOAT)))
    >>> body = (Let("s", Const(0.0, FLOAT)), Let("d", Call(np.empty, (n,), (), d.type)), first, second, Return(s))
    >>> from srcad.lang.write import write
    >>> fn = Function("f", (Param("x", x.type), Param("y", y.type), Param("n", INT)), body)
    >>> print(write(unstored(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(x, y, n):
        s = 0.0
        for i in range(n):
            e = x[i] - y[i]
            s += e
        for j in range(n):
            s += np.exp(s * (x[j] - y[j]))
        return s
    """
    if not any(isinstance(s, Store) for s in walk.statements(fn.body)):
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    facts = Facts(Classes.of(fn.body), reads_in(fn.body), fresh_names(used))
    return replace(fn, body=_in_block(fn.body, facts))


def _in_block(block: Block, facts: Facts) -> Block:
    block = tuple(walk.map_stmt(lambda e: e, stmt, lambda inner: _in_block(inner, facts)) for stmt in block)
    for name in sorted(walk.defined(block)):
        made = next((s for s in block if isinstance(s, Let) and s.target == name), None)
        if made is not None and isinstance(made.value, Call) and made.value.fn is np.empty:
            loops = tuple(stmt for stmt in block if isinstance(stmt, For))
            block = _computed_anew(block, made, loops, facts, ONE_STEP) or block
        elif made is not None and _is_identity(made.value):
            block = _compared(block, made, facts) or block
    return block


def _is_identity(value: Expr | Slice) -> bool:
    """Whether a value is a square matrix with ones on its diagonal."""
    return isinstance(value, Call) and member(value.fn, (np.eye, np.identity)) and len(value.args) == 1


def _compared(block: Block, made: Let, facts: Facts) -> Block | None:
    """A block that compares counters where it read elements of an identity matrix."""
    assert isinstance(made.value, Call)
    matrix, length = Var(made.target, made.value.type), made.value.args[0]
    counters = {s.index for s in walk.statements(block) if isinstance(s, For)
                and isinstance(s.start, Const) and walk.is_const(s.step, 1) and s.start.value >= 0}  # fmt: skip
    found = 0

    def compared(e: Expr) -> Expr:
        nonlocal found
        match e:
            case Call(operator.getitem, (array, Tuple((Var(i) as row, Var(j) as column))), (), Scalar() as kind):
                if array == matrix and {i, j} <= counters:
                    found += 1
                    test = Call(operator.eq, (row, column), (), BOOL)
                    return Call(select, (test, Const(1.0, kind), Const(0.0, kind)), (), kind)
            case Call(operator.getitem, (Attr(array, "shape"), Const(int()))) if array == matrix:
                found += 1
                return length
        return e

    written = {facts.classes.find(name) for name in stored_names(block)}
    if facts.classes.find(made.target) in written or made.target in facts.classes.leader.values():
        return None
    if not facts.is_one(made, made.target, block):
        return None
    if not facts.are_kept(walk.names(length), block[block.index(made) + 1 :]):
        return None
    shorter = walk.map_block(compared, walk.without(block, lambda s: s is made))
    return shorter if found == facts.reads[made.target] else None


@dataclass
class Facts:
    """What is known of a function."""

    classes: Classes
    reads: Counter[str]  # how often the function reads a name
    fresh: Callable[[str], str]

    def is_one(self, made: Stmt, name: str, block: Block) -> bool:
        """Whether all that the function reads of a name is what a statement of a block made.

        What loops carry has a second value at the end of each iteration.
        """
        behind = block[block.index(made) :]
        values = sum(name in walk.targets(s) for s in walk.statements(behind))
        return values == 1 and self.are_read((name,), behind)

    def are_read(self, names: Iterable[str], block: Block) -> bool:
        """Whether nothing but a block reads names."""
        reads = reads_in(block)
        return all(reads[name] == self.reads[name] for name in names)

    def are_kept(self, names: Iterable[str], block: Block) -> bool:
        """Whether a block leaves names, and what they hold, as they are."""
        written = {self.classes.find(name) for name in stored_names(block)}
        written |= {self.classes.find(s.target.name) for s in walk.statements(block)
                    if isinstance(s, Accum) and isinstance(s.target, Var)}  # fmt: skip
        return not walk.assigned(block) & set(names) and not written & set(map(self.classes.find, names))


def reads_in(block: Block) -> Counter[str]:
    """How often a block reads names."""
    return Counter(e.name for s in walk.statements(block) for whole in walk.stmt_exprs(s)
                   for e in walk.subexprs(whole) if isinstance(e, Var))  # fmt: skip


def without_stored(block: Block, loops: Sequence[For], arrays: Iterable[str], facts: Facts) -> Block:
    """The block without those of the `arrays` of which only the `loops` read elements that are light to compute."""
    for name in arrays:
        made = next((s for s in block if isinstance(s, Let) and s.target == name), None)
        if made is not None and isinstance(made.value, Call) and made.value.fn is np.empty:
            heads = [(loop.index, loop.stop) for loop in loops]
            within = tuple(s for s in block if isinstance(s, For) and (s.index, s.stop) in heads)
            block = _computed_anew(block, made, within, facts) or block
    return block


def _computed_anew(block: Block, made: Let, loops: Block, facts: Facts, most: int = LARGEST) -> Block | None:
    """A block in which the elements of an array are computed where hits read them, and stored no more."""
    name, value = made.target, made.value
    assert isinstance(value, Call)
    stores = list(_stored(block, name, ()))
    shape = items_of(value.args[0])
    kind = value.type
    if not isinstance(kind, Array) or len(shape) != kind.ndim or not facts.are_kept(
        {n for e in shape for n in walk.names(e)}, block[block.index(made) + 1 :]
    ) or any(not isinstance(getattr(e, "type", None), Scalar) for e in shape):
        return None
    if len(stores) != 1 or any(isinstance(s, Accum) and name in walk.names(s.target) for s in walk.statements(block)):
        return None
    store, indices, inner = stores[0]
    given = Counter(target for s in walk.statements(inner) for target in walk.targets(s))
    lets = {s.target: s.value for s in inner if isinstance(s, Let) and given[s.target] == 1}  # what nobody adds to
    if getattr(store.value, "type", None) != Scalar(kind.dtype):
        return None
    new = walk.substitute(walk.substitute(store.value, lets), lets)
    places = [i.name if isinstance(i, Var) else "" for i in items_of(store.index)]
    free = walk.names(new) - set(indices)
    calls = [e for e in walk.subexprs(new) if isinstance(e, Call)]
    weight = sum(e.fn is not operator.neg for e in calls)  # signs go elsewhere
    if sorted(places) != sorted(set(indices)) or not all(member(e.fn, LIGHT) for e in calls) or weight > most:
        return None
    if any(isinstance(e.type, Array) for e in calls):
        return None
    if not facts.are_kept(free, block[_position(block, store) :]):
        return None
    read = [e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
            if isinstance(e, Var) and e.name == name]  # fmt: skip
    few = [e for s in walk.statements(loops) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
           if isinstance(e, Call) and e.fn is operator.getitem and e.args[0] == Var(name, value.type)]  # fmt: skip
    asked = [e for s in walk.statements(block) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)
             if isinstance(e, Attr) and e.name == "shape" and e.value == Var(name, value.type)]  # fmt: skip
    if not few or len(few) + len(asked) + 1 != len(read) or not facts.is_one(made, name, block):
        return None

    def anew(e: Expr) -> Expr:
        match e:
            case Call(operator.getitem, (Var(array), index), (), Scalar()) if array == name:
                return walk.substitute(new, dict(zip(places, items_of(index))))
            case Call(operator.getitem, (Attr(Var(array), "shape"), Const(axis))) if array == name:
                return shape[axis]
        return e

    shorter = walk.without(block, lambda s: s is made or s is store)
    result = walk.map_block(anew, shorter)
    return None if any(name in walk.names(e) for s in walk.statements(result) for e in walk.stmt_exprs(s)) else result


def _position(block: Block, stmt: Stmt) -> int:
    """Which statement of a block another one stands in."""
    return next(k for k, each in enumerate(block) if any(s is stmt for s in walk.statements((each,))))


def _stored(block: Block, name: str, indices: tuple[str, ...]) -> Iterator[tuple[Store, tuple[str, ...], Block]]:
    """The statements that store into an array, with the indices of the loops around them and the block they are in."""
    for stmt in block:
        if isinstance(stmt, Store) and isinstance(stmt.base, Var) and stmt.base.name == name:
            yield stmt, indices, block
        around = (*indices, stmt.index) if isinstance(stmt, For) else indices
        for inner in walk.blocks(stmt):
            yield from _stored(inner, name, around)
