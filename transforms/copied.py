"""copied: loops that copy vectors element by element, as copies; and vectors in the place of copies that nobody needs.

A slice of a list is another list, which is made element by element. Where the elements are numbers, ``values[1:]`` says
the same, and where nobody writes to either of the two, the slice itself does for its copy.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import Buffers, buffers
from srcad.analysis.lengths import Lengths
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Let, Slice, Stmt, Store, Var
from srcad.lang.types import INT, Array, Scalar, is_elastic
from srcad.transforms.copies import copies_of_vectors
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed
from srcad.transforms.taking import mentions

_ZERO = Const(0, INT)


def copied(fn: Function) -> Function:
    """Copy vectors as wholes, and only where that is needed.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, b = (Var(name, Array("float64", ("x.shape[0]",), "C")) for name in "xb")
    >>> v, i, n = Var("v", FLOAT), Var("i", INT), Call(len, (x,), (), INT)
    >>> body = (Let("v", Call(operator.getitem, (x, i), (), FLOAT)), Store(b, i, v))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), body)
    >>> made = Let("b", Call(np.empty, (n,), (), b.type))
    >>> from srcad.lang.write import write
    >>> def shown(*body): return write(copied(Function("f", (Param("x", x.type),), body))).text.split("\\n\\n\\n")[1]
    >>> print(shown(made, loop, Return(b)), end="")
    def f(x):
        b = np.copy(x)
        return b
    >>> print(shown(made, loop, Return(Call(np.sum, (b,), (), FLOAT))), end="")
    def f(x):
        return np.sum(x)
    """
    if not any(isinstance(stmt, For) and _puts(stmt) for stmt in walk.statements(fn.body)):
        return fn
    return copies_of_vectors(replace(fn, body=_Wholes.of(fn).block(fn.body)))


def _puts(loop: For) -> bool:
    """Whether a loop does nothing but put values into arrays."""
    kinds = [type(stmt) for stmt in loop.body]
    return kinds[-1:] == [Store] and {*kinds} <= {Let, Store}


@dataclass
class _Wholes:
    """Loops that do nothing but copy elements of vectors, as copies of slices."""

    lengths: Lengths
    buffers: Buffers
    uses: Counter[str]  # how many statements mention a name
    fresh: Callable[[str], str]

    @staticmethod
    def of(fn: Function) -> _Wholes:
        used = {param.name for param in fn.params} | walk.assigned(fn.body)
        return _Wholes(Lengths.of(fn), buffers(fn), mentions(fn.body), fresh_names(used))

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for stmt in block:
            stmt = walk.map_stmt(lambda e: e, stmt, self.block)
            copies = self.copies(stmt, out) if isinstance(stmt, For) and _puts(stmt) else None
            if copies is None:
                out.append(stmt)
                continue
            made = {copy.target for copy in copies if isinstance(copy, Let)}
            out = [each for each in out if not (isinstance(each, Let) and each.target in made)] + copies
        return tuple(out)

    def copies(self, loop: For, before: list[Stmt]) -> list[Stmt] | None:
        """What a loop does, without a loop; None if it does anything else than to copy."""
        plain = loop.flag is None and walk.is_const(loop.step, 1)
        if not plain or not self.lengths.is_natural(loop.start) or not self.lengths.is_natural(loop.stop):
            return None
        elements = {stmt.target: stmt.value for stmt in loop.body if isinstance(stmt, Let)}
        inside = mentions((loop,))
        if any(inside[name] < self.uses[name] for name in (*elements, loop.index)):
            return None
        stores = [stmt for stmt in loop.body if isinstance(stmt, Store)]
        sources = [_element(loop, elements.get(getattr(store.value, "name", ""), store.value)) for store in stores]
        if len(stores) < len(elements) or None in sources:
            return None
        written = [store.base for store in stores]
        if any(self.may_meet(base, source) for base in written for source in sources):
            return None
        if len({base.name for base in written if isinstance(base, Var)}) < len(written):
            return None
        found = [self.copy(loop, store, source, before) for store, source in zip(stores, sources)]  # type: ignore
        return None if None in found else [stmt for part in found for stmt in part]  # type: ignore[union-attr]

    def may_meet(self, base: Expr, source: Expr | None) -> bool:
        return not (isinstance(base, Var) and isinstance(source, Var)) or self.buffers.may_share(base.name, source.name)

    def copy(self, loop: For, store: Store, source: Var, before: list[Stmt]) -> list[Stmt] | None:
        base, kind = store.base, getattr(store.base, "type", None)
        if not isinstance(base, Var) or not isinstance(kind, Array) or kind.ndim != 1 or is_elastic(kind):
            return None  # behind a list's end, slices have a meaning of their own
        assert isinstance(source.type, Array)
        if source.type.dtype != kind.dtype:
            return None
        first = _first(loop, store.index)
        if first is None:
            return None
        of_all = walk.is_const(loop.start, 0) and self.lengths.counts_rows(loop.stop, source)
        fits = of_all or self.is_at_most(loop.stop, source)
        made = fits and walk.is_const(first, 0) and self.is_made(before, base, loop)
        taken, part = [], source
        if not of_all:
            place = Slice(None if walk.is_const(loop.start, 0) else loop.start, loop.stop)
            value = typed(Call(operator.getitem, (source, place)))
            if made and isinstance(value.type, Array):  # type: ignore[union-attr]
                value = replace(value, type=replace(value.type, shape=kind.shape))  # type: ignore
            part = Var(self.fresh(source.name), value.type)  # type: ignore[union-attr]
            taken = [Let(part.name, value, store.origin)]
        if made:
            return [*taken, Let(base.name, Call(np.copy, (part,), (), kind), store.origin)]
        if not walk.is_const(loop.start, 0):
            return None
        behind = walk.is_const(first, 0)
        stop = loop.stop if behind else Call(operator.add, (first, loop.stop), (), INT)
        return [*taken, replace(store, index=Slice(None if behind else first, stop), value=part)]

    def is_made(self, before: list[Stmt], array: Var, loop: For) -> bool:
        """Whether an array was made for what a loop puts into it, and nothing more."""
        for stmt in reversed(before):
            if isinstance(stmt, Let) and stmt.target == array.name:
                value = stmt.value
                empty = isinstance(value, Call) and value.fn is np.empty
                return empty and self.is_count(value.args[0], loop)  # type: ignore[union-attr]
            if array.name in walk.mentioned((stmt,)):
                return False
        return False

    def is_count(self, length: Expr, loop: For) -> bool:
        """Whether a number is that of the iterations of a loop."""
        if walk.is_const(loop.start, 0):
            return self.lengths.resolved(length) == self.lengths.resolved(loop.stop)
        whole = Call(operator.sub, (loop.stop, loop.start), (), INT)
        length = self.lengths.resolved(length)
        return isinstance(length, Call) and length.fn is max and length.args in ((whole, _ZERO), (_ZERO, whole))

    def is_at_most(self, number: Expr, array: Var) -> bool:
        """Whether a number is the length of an array, or less."""
        if self.lengths.counts_rows(number, array):
            return True
        number = self.lengths.resolved(number)
        return isinstance(number, Call) and number.fn is min and any(self.is_at_most(arg, array) for arg in number.args)


def _element(loop: For, value: Expr) -> Var | None:
    """The vector of which a loop reads one element after the other."""
    match value:
        case Call(operator.getitem, (Var(_, Array(shape=(_,))) as vector, Var(loop.index)), type=Scalar()):
            return vector
    return None


def _first(loop: For, index: Expr) -> Expr | None:
    """Where a loop puts the first element, if it puts the others behind it."""
    match index:
        case Var(loop.index):
            return _ZERO if walk.is_const(loop.start, 0) else None
        case Call(operator.sub, (Var(loop.index), loop.start)):
            return _ZERO
        case Call(operator.add, (Var() | Const() as first, Var(loop.index))) if walk.is_const(loop.start, 0):
            return None if first == Var(loop.index, INT) else first
    return None
