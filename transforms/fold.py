"""fold: temporaries back into the expressions that use them.

A value that is used once moves to its use; a value that costs nothing to compute again (an element, a shape, a sign)
moves to all of its uses. Nothing moves over a write to what it reads, nor into a loop.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.buffers import is_view
from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.arrays import items_of, without_new_axes
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Return, Slice, Stmt, Store, Var,
    While, hint, is_temporary, select,
)  # fmt: skip
from srcad.lang.types import Array, Scalar
from srcad.lang.walk import assigned, blocks, map_expr, map_stmt, names, statements, stmt_exprs, subexprs, targets
from srcad.transforms.elements import computes, plainer
from srcad.transforms.simplify import signs

COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
LARGEST = 60  # nodes of an expression of the reverse sweep that still reads well


def fold(fn: Function) -> Function:
    """Fold temporaries back.

    >>> import operator
    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> x, t = Var("x", FLOAT), Var("_t", FLOAT)
    >>> body = (Let("_t", Call(operator.neg, (x,), (), FLOAT)), Return(Call(operator.mul, (x, t), (), FLOAT)))
    >>> from srcad.lang.write import write
    >>> print(write(fold(Function("f", (Param("x", FLOAT),), body))).text, end="")
    def f(x):
        return x * -x
    """
    return replace(fn, body=_Folder(fn).block(fn.body))


@dataclass
class _Pending:
    """A definition on its way to its uses."""

    stmt: Let
    reads: Set[str]
    contents: set[str]  # classes of the arrays whose contents it reads
    uses: int
    cheap: bool
    order: int


class _Waiting:
    """The definitions that are on their way, by name, by what they read, and by whose contents they read."""

    def __init__(self) -> None:
        self.by_name: dict[str, _Pending] = {}
        self.readers: dict[str, set[str]] = {}
        self.content_readers: dict[str, set[str]] = {}

    def add(self, one: _Pending) -> None:
        self.by_name[one.stmt.target] = one
        for table, keys in ((self.readers, one.reads), (self.content_readers, one.contents)):
            for key in keys:
                table.setdefault(key, set()).add(one.stmt.target)

    def drop(self, name: str) -> None:
        one = self.by_name.pop(name)
        for table, keys in ((self.readers, one.reads), (self.content_readers, one.contents)):
            for key in keys:
                table[key].discard(name)

    def touched(self, read: Iterable[str], rebound: set[str], written: set[str]) -> list[_Pending]:
        """Those that a statement reads, or whose operands it changes, in the order of their definitions."""
        found = self.by_name.keys() & read
        found = found.union(*(self.readers.get(n, ()) for n in rebound))
        found = found.union(*(self.content_readers.get(n, ()) for n in written))
        return sorted((self.by_name[name] for name in found), key=lambda one: one.order)


class _Folder:
    def __init__(self, fn: Function) -> None:
        self.classes = Classes.of(fn.body)
        self.uses: Counter[str] = Counter()
        self.definitions: Counter[str] = Counter(p.name for p in fn.params)
        self.results: set[str] = set()  # cotangents that are returned
        self.viewed: set[str] = set()  # of which views with more axes are read: loops read elements of the array
        self.headers: set[str] = set()  # read where they cannot be replaced: flags, tests of while loops
        for stmt in statements(fn.body):
            self.definitions.update(targets(stmt))
            for expr in stmt_exprs(stmt):
                parts = list(subexprs(expr))
                self.uses.update(e.name for e in parts if isinstance(e, Var))
                self.viewed.update(name for e in parts if (name := _spread(e)) is not None)
            if isinstance(stmt, Return):
                self.results = {n for n in names(stmt.value) if "~" in n}
            if isinstance(stmt, While):
                self.headers |= names(stmt.test)
            if isinstance(stmt, For) and stmt.flag is not None:
                self.headers.add(stmt.flag)
            self.headers.update(_bases(stmt))

    def block(self, block: Block) -> Block:
        waiting = _Waiting()
        out: list[Stmt] = []
        for order, stmt in enumerate(block):
            self.settle(stmt, waiting, out)
            stmt = self.selected(self.substituted(stmt, waiting))
            if not (isinstance(stmt, Let) and self.foldable(stmt)):
                out.append(stmt)
            elif self.uses[stmt.target]:
                waiting.add(self.take(stmt, order))
        out.extend(one.stmt for one in waiting.by_name.values())
        return tuple(out)

    # ------------------------------------------------------------ what may move

    def foldable(self, stmt: Let) -> bool:
        name = stmt.target
        if name in self.results and isinstance(stmt.value, Var) and self.uses[name] == 1:
            return self.definitions[name] == 1
        if not is_temporary(name) or hint(name) in ("_k", "_s") or self.definitions[name] != 1 or name in self.headers:
            return False
        if name in self.viewed and isinstance(stmt.value, Call) and not is_view(stmt.value):
            if not (stmt.origin.adjoint and computes(stmt.value)):
                return False
        if stmt.origin.adjoint and sum(1 for _ in subexprs(stmt.value)) > LARGEST:
            return False
        return self.uses[name] == 1 or _cheap(stmt.value)

    def take(self, stmt: Let, order: int) -> _Pending:
        contents = {self.classes.find(n) for n in content_names(stmt.value)}
        return _Pending(stmt, names(stmt.value), contents, self.uses[stmt.target], _cheap(stmt.value), order)

    # ------------------------------------------------------------ moving

    def settle(self, stmt: Stmt, waiting: _Waiting, out: list[Stmt]) -> None:
        """Write down, before `stmt`, the definitions that cannot pass it."""
        if not waiting.by_name:
            return
        direct, inner = names_of(stmt), _nested_reads(stmt)
        rebound, written = assigned((stmt,)), self.written(stmt)
        for one in waiting.touched(inner, rebound, written):
            name = one.stmt.target
            if inner[name]:
                stays = self.enters(one, stmt) and not (one.reads & rebound or one.contents & written)
            else:  # what the statement itself reads, it reads before it writes
                stays = one.uses == direct[name] or not (one.reads & rebound or one.contents & written)
            if not stays:
                out.append(one.stmt)
                waiting.drop(name)

    def enters(self, one: _Pending, stmt: Stmt) -> bool:
        """Whether a definition may be computed anew inside a compound statement."""
        return one.cheap and not one.contents and not isinstance(stmt, While)

    def written(self, stmt: Stmt) -> set[str]:
        """The classes of the arrays that a statement writes."""
        found: set[str] = set()
        for inner in statements((stmt,)):
            match inner:
                case Store(Var(base)) | Accum(Call(args=(Var(base), *_))) | Accum(Var(base, Array())):
                    found.add(self.classes.find(base))
                case Effect(call):
                    found.update(map(self.classes.find, content_names(call)))
        return found

    def substituted(self, stmt: Stmt, waiting: _Waiting) -> Stmt:
        """`stmt` with the pending definitions put in, and its nested blocks folded."""
        pending = waiting.by_name
        spent: set[str] = set()

        def put(expr: Expr) -> Expr:
            return map_expr(one, expr)

        def one(e: Expr) -> Expr:
            if not (isinstance(e, Var) and e.name in pending):
                e = plainer(e)
                with_signs = signs(e, e.fn) if isinstance(e, Call) and not e.kwargs else None
                return e if with_signs is None else with_signs
            found = pending[e.name]
            found.uses -= 1
            if not found.uses:
                spent.add(e.name)
            return found.stmt.value

        def inner(block: Block) -> Block:
            if pending:
                block = tuple(map_stmt(put, s) for s in block)
            return self.block(block)

        result = map_stmt(put if pending else lambda e: e, stmt, inner)
        for name in spent:
            waiting.drop(name)
        match result:
            case Accum(_, Call(np.copy, (part,), ())):  # what is added need not be a copy
                return replace(result, value=part)
            case Accum(_, Call(np.transpose, (Call(np.outer, (a, b), ()) as product,), ())):
                return replace(result, value=replace(product, args=(b, a)))
        return result

    def selected(self, stmt: Stmt) -> Stmt:
        """``t = a if test else b`` where only a temporary depends on the branch."""
        match stmt:
            case If(test, (Let() | Move() as then,), (Let() | Move() as orelse,)):
                (target, *more), (other, *others) = targets(then), targets(orelse)
                values = stmt_exprs(then)[0], stmt_exprs(orelse)[0]
                scalar = all(isinstance(getattr(v, "type", None), Scalar) for v in values)
                if not more and not others and target == other and is_temporary(target) and scalar:
                    self.definitions[target] -= 1
                    return Let(target, Call(select, (test, *values), (), values[0].type), stmt.origin)
        return stmt


def names_of(stmt: Stmt) -> Counter[str]:
    """How often a statement itself reads each name."""
    return Counter(e.name for expr in stmt_exprs(stmt) for e in subexprs(expr) if isinstance(e, Var))


def _nested_reads(stmt: Stmt) -> Counter[str]:
    found: Counter[str] = Counter()
    for block in blocks(stmt):
        for inner in statements(block):
            found.update(e.name for expr in stmt_exprs(inner) for e in subexprs(expr) if isinstance(e, Var))
    return found


def _bases(stmt: Stmt) -> set[str]:
    """The names that must stay names: what is stored into."""
    match stmt:
        case Store(Var(name)) | Accum(Var(name)) | Accum(Call(args=(Var(name), *_))):
            return {name}
    return set()


def _spread(expr: Expr) -> str | None:
    """The name of the array that a view with more axes is of."""
    match expr:
        case Call(operator.getitem, (Var(name), index)) if without_new_axes(index) is not None:
            return name
    return None


def _cheap(value: Expr) -> bool:
    """Whether a value may as well be computed at every use."""
    match value:
        case Var() | Const():
            return True
        case Attr(Var()):
            return True
        case Call(np.transpose, (Var(),), ()):
            return True
        case Call(operator.neg, (operand,), type=Scalar()):
            return _cheap(operand)
        case Call(fn, (left, right), type=Scalar("bool")) if fn in COMPARISONS:
            return _scalar(left) and _scalar(right)
        case Call(operator.getitem, (base, index), type=Scalar()):
            return isinstance(base, (Var, Attr)) and all(map(_plain, items_of(index)))
    return False


def _scalar(value: Expr) -> bool:
    return isinstance(value, Const) or isinstance(value, Var) and isinstance(value.type, Scalar)


def _plain(index: Expr) -> bool:
    """``i``, ``0``, ``i + 1``: an index that is no computation of its own."""
    match index:
        case Slice():
            return False
        case Call(operator.add | operator.sub, (left, right)):
            return isinstance(left, (Var, Const)) and isinstance(right, (Var, Const))
    return isinstance(index, (Var, Const))
