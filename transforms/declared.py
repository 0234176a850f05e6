"""declared: loops say that no iteration reads or writes what another one writes; part of `blocks`. For machine code
only.

LLVM makes vector instructions of a loop once it knows that none of its arrays overlap. To it arrays may lie anywhere:
it compares their ends before the loop, gives up where there are more than a few, and for a short row the comparing
takes longer than the row. Here it is known, and ``for j in independent(range(n))`` says so.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import basic_index, stored_names
from srcad.analysis.classes import Classes, parts_of
from srcad.analysis.contents import member
from srcad.analysis.live import Names, at_the_end, live
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, If, Let, Move, Slice, Stmt, Store, Tuple, Var, While
from srcad.lang.types import Array, Scalar, is_array
from srcad.runtime import apart, independent, sum_to, transposed
from srcad.transforms.columns import FEWEST
from srcad.transforms.independent import Share, are_apart, are_apart_in_memory

MAKERS = {
    np.empty, np.empty_like, np.zeros, np.zeros_like, np.ones, np.ones_like, np.full, np.full_like, np.copy, np.dot,
    np.outer, np.where, np.sum, np.arange, np.linspace, np.stack, np.concatenate, np.eye, operator.matmul,
    operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pow, sum_to, transposed,
}  # fmt: skip


def declared(fn: Function) -> Function:
    """Let the innermost loops say so whose iterations are independent of each other.

    >>> from srcad.lang.ir import Const, Param, Return, Store
    >>> from srcad.lang.types import FLOAT, INT, Array
    >>> import numpy as np
    >>> x, y = (Var(name, Array("float64", ("n",), "C")) for name in "xy")
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> def at(a, k): return Call(operator.getitem, (a, k), (), FLOAT)
    >>> made = Let("y", Call(np.empty, (n,), (), y.type))
    >>> loop = For("i", Const(0, INT), n, Const(1, INT), (Store(y, i, Call(np.exp, (at(x, i),), (), FLOAT)),))
    >>> fn = declared(Function("f", (Param("x", x.type), Param("n", INT)), (made, loop, Return(y))))
    >>> from srcad.lang.write import write
    >>> print(write(fn).text.split("\\n\\n\\n")[1], end="")
    def f(x, n):
        y = np.empty(n)
        for i in independent(range(n)):
            y[i] = np.exp(x[i])
        return y
    """
    declarer = _Declarer(Pairs.of(fn.body))
    for param in fn.params:
        declarer.come_from(param.name, "caller" if is_array(param.type) else "unknown")
    body = tuple(map(declarer.known, fn.body, live(fn.body)))
    return replace(fn, body=body) if declarer.done else fn


def _makes(value: Expr) -> bool:
    """Whether a value is a new array: not if what is called may have been told where to put it."""
    if not isinstance(value, Call) or any(name == "out" for name, _ in value.kwargs):
        return False
    if isinstance(value.fn, np.ufunc):
        return len(value.args) == value.fn.nin
    if value.fn is operator.getitem:
        return is_array(getattr(value.args[0], "type", None)) and not basic_index(value.args[1])
    return member(value.fn, MAKERS) and not (value.fn is np.dot and len(value.args) > 2)


class _Found(Classes):
    """Names that may share memory, those aside that nothing else does just now."""

    fresh: frozenset[str] = frozenset()

    def find(self, name: str) -> str:
        return f"{name} alone" if name in self.fresh else super().find(name)


@dataclass
class _Declarer:
    pairs: Pairs
    classes: _Found = field(default_factory=_Found)
    origins: dict[str, set[str]] = field(default_factory=dict)  # of names: the "caller", "made" here, or "unknown"
    lines: dict[str, tuple[str, Expr]] = field(default_factory=dict)  # parts of arrays, by the names they have just now
    done: int = 0

    def come_from(self, name: str, origin: str) -> None:
        self.origins.setdefault(name, set()).add(origin)

    def known(self, stmt: Stmt, behind: Names) -> Stmt:
        """A statement of the function itself, with what its loops say by all that has run till its end."""
        exchanges: list[Stmt] = []
        for each in walk.statements((stmt,)):
            if _exchanges(each):
                exchanges.append(each)
                continue
            self.classes.add(each)
            for name, value in walk.bindings(each):
                if is_array(getattr(value, "type", None)) and not parts_of(value):
                    self.come_from(name, "made" if _makes(value) else "unknown")
        for each in exchanges:
            names = walk.targets(each)
            if all(map(self.is_alone, names)):
                whole = set().union(*(self.origins.get(name, set()) for name in names))
                self.origins |= {name: set(whole) for name in names}
            else:  # what has a further name is exchanged under that, too
                self.classes.add(each)
        if isinstance(stmt, Let) and _makes(stmt.value) and self.is_alone(stmt.target):
            self.origins[stmt.target] = {"made"}  # what the caller has given has no name any more
        return self.statement(stmt, behind)

    def is_alone(self, name: str) -> bool:
        leader = self.classes.leader
        return name not in leader and name not in leader.values()

    def block(self, block: Block, after: Names, fresh: frozenset[str] = frozenset()) -> Block:
        """A block behind which the names `after` are read; `fresh` arrays have one name all along."""
        around, lines, self.classes.fresh = self.classes.fresh, self.lines, fresh
        result: list[Stmt] = []
        for stmt, behind in zip(block, live(block, after)):
            result.append(self.statement(stmt, behind))
            self.classes.fresh -= _named_again(stmt)
            if isinstance(stmt, Let) and _makes(stmt.value):
                self.classes.fresh |= {stmt.target}
            self.forget(stmt)
            match stmt:
                case Let(target, Call(operator.getitem, (Var(name), index), type=Array())) if target != name:
                    self.lines[target] = name, index
        self.classes.fresh, self.lines = around, lines
        return tuple(result)

    def forget(self, stmt: Stmt) -> None:
        """Forget the parts whose names, or those of their arrays, a statement gives to something else."""
        new = walk.assigned((stmt,))
        self.lines = {line: of for line, of in self.lines.items() if line not in new and of[0] not in new}

    def statement(self, stmt: Stmt, behind: Names) -> Stmt:
        match stmt:
            case For() if said := self.said(stmt, behind):
                self.done += 1
                return replace(stmt, said=said)
            case For() | While():
                fresh = self.classes.fresh - _named_again(stmt)
                self.forget(stmt)
                body = self.block(stmt.body, at_the_end(stmt, behind), fresh)
                return replace(stmt, body=body)
            case If(_, then, orelse):
                return replace(stmt, then=self.block(then, behind), orelse=self.block(orelse, behind))
        return stmt

    def said(self, loop: For, behind: Names) -> Callable | None:
        """What can be said of the iterations of a loop over numbers, where it is of use to say so."""
        inside = list(walk.statements(loop.body))
        if loop.shared or any(isinstance(s, (For, While)) or _is_whole(s) for s in inside):
            return None
        if _transposes(loop) or not stored_names(loop.body) or not self.keep_apart(loop.body):
            return None
        if are_apart(loop, behind, self.sharing(loop)):
            return independent
        return apart if are_apart_in_memory(loop, self.sharing(loop)) else None

    def sharing(self, loop: For) -> Share:
        """Whether two names may share memory while a loop runs."""
        return lambda one, other: (
            self.classes.share(one, other) and self.pairs.may_share(one, other, loop)
            and not (one in self.lines and other in self.lines and _are_two(self.lines[one], self.lines[other]))
        )  # fmt: skip

    def keep_apart(self, body: Block) -> bool:
        """Whether no two arrays overlap of which one is written to, by what is known of where they come from."""
        written = {self.classes.find(name) for name in stored_names(body)}
        exprs = [e for s in walk.statements(body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole)]
        arrays = {e.name for e in exprs if isinstance(e, Var) and is_array(e.type)} | stored_names(body)
        mentioned = {self.classes.find(name) for name in arrays}
        origins: dict[str, set[str]] = {name: {"made"} if name.endswith(" alone") else set() for name in mentioned}
        for name, found in self.origins.items():
            if (leader := Classes.find(self.classes, name)) in origins:
                origins[leader] |= found
        if not all(origins.values()) or any("unknown" in found for found in origins.values()):
            return False
        return not any("caller" in origins[name] for name in written)


def _are_two(one: tuple[str, Expr], other: tuple[str, Expr]) -> bool:
    """Whether two parts are of different rows or columns of an array, ``a[0, i:j]`` and ``a[1, i:j]``."""
    for a, b in zip(items_of(one[1]), items_of(other[1])):
        match a, b:
            case Const(int() as first), Const(int() as second) if min(first, second) >= 0:
                if first != second:
                    return one[0] == other[0]
            case (Slice(), Slice()) | (Var(type=Scalar()), Var(type=Scalar())):
                pass
            case _:
                return False
    return False


def _exchanges(stmt: Stmt) -> bool:
    """Whether a statement exchanges arrays among their names, each of which then has another one alone."""
    if not isinstance(stmt, Move) or not all(isinstance(value, Var) and is_array(value.type) for value in stmt.values):
        return False
    return len(set(stmt.targets)) == len(stmt.targets) and set(stmt.targets) == walk.names(Tuple(stmt.values))


def _named_again(stmt: Stmt) -> frozenset[str]:
    """The arrays that get a second name in a statement, or are no longer what their name means."""
    found: set[str] = set()
    for each in walk.statements((stmt,)):
        found |= set(walk.targets(each))
        for _, value in walk.bindings(each):
            if is_array(getattr(value, "type", None)) and parts_of(value):
                found |= walk.names(value)
    return frozenset(found)


def _transposes(loop: For) -> bool:
    """Whether all that a loop does is to bring many numbers from rows to columns, or back: one by one is faster."""
    stores = [stmt for stmt in loop.body if isinstance(stmt, Store)]
    exprs = [e for stmt in loop.body for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)]
    moves = all(isinstance(stmt, (Let, Store)) for stmt in loop.body)
    return moves and len(stores) >= FEWEST and all(e.fn is operator.getitem for e in exprs if isinstance(e, Call))


def _is_whole(stmt: Stmt) -> bool:
    """Whether a statement does anything with a whole array or a part of one, such as making it."""
    exprs = [e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)]
    return any(isinstance(e, Slice) or isinstance(e, Call) and is_array(e.type) for e in exprs) or any(
        is_array(getattr(value, "type", None)) for _, value in walk.bindings(stmt)
    )
