"""single: numbers of single precision, as NumPy computes them. For machine code only; part of `lower`.

In NumPy ``0.5 * x[i]`` is as precise as `x`, since Python's own numbers take on the precision of others. Numba knows
doubles only, and computes in doubles what one of them takes part in; so a loop over singles takes half the numbers at
a time, and converts them there and back. Here it is told what is single: ``np.float32(0.5) * x[i]``. What adds up over
the iterations of a loop remains a double, which is at least as precise as the sums of pairs that NumPy makes.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Const, Expr, For, Function, Let, Move, Stmt, Var, While, select
from srcad.lang.promote import COMPARISONS, UFUNCS
from srcad.lang.types import Scalar

SINGLE = Scalar("float32")
FEW = 128  # numbers that are added up in single precision, as NumPy adds up its parts of sums
WEAK, DOUBLE = "weak", "float64"
_TERMS = (operator.add, operator.sub, operator.neg, operator.pos)
_WITHOUT_UFUNCS = (select, max, min)
_OF_ARRAYS = (np.sum, np.max, np.min, np.dot)
_TESTS = frozenset({*COMPARISONS, *(UFUNCS[op] for op in COMPARISONS)})


def single(fn: Function) -> Function:
    """Write numbers that take part in single precision as such.

    >>> from srcad.lang.ir import Return
    >>> from srcad.lang.types import FLOAT
    >>> from srcad.lang.write import write
    >>> half = Call(operator.mul, (Const(0.5, FLOAT), Var("x", SINGLE)), (), SINGLE)
    >>> print(write(single(Function("f", (), (Let("x", Const(np.float32(2.0), SINGLE)), Return(half))))).text, end="")
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f():
        x = np.float32(2.0)
        return np.float32(0.5) * x
    """
    every = (e for s in walk.statements(fn.body) for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    if not any(getattr(getattr(e, "type", None), "dtype", None) == "float32" for e in every):
        return fn
    numbers = _Numbers.of(fn)
    return replace(fn, body=numbers.block(fn.body))


@dataclass(frozen=True, eq=False)
class _Loop:
    """A loop at its place: two that read alike are two."""

    stmt: For | While


Loops = tuple[_Loop, ...]  # around a statement, from the outside


@dataclass
class _Numbers:
    """What is known of the names of numbers."""

    bound: dict[str, list[Expr]] = field(default_factory=lambda: defaultdict(list))
    where: dict[str, set[Loops]] = field(default_factory=lambda: defaultdict(set))  # the loops they are bound in
    added: dict[str, set[Loops]] = field(default_factory=lambda: defaultdict(set))  # and are added to in
    counts: dict[str, list[Expr]] = field(default_factory=lambda: defaultdict(list))  # what integers are
    kinds: dict[str, str] = field(default_factory=dict)  # of weak names: what their values are
    running: set[str] = field(default_factory=set)  # sums over iterations
    double: set[str] = field(default_factory=set)  # what Numba holds as doubles

    @staticmethod
    def of(fn: Function) -> _Numbers:
        numbers = _Numbers()
        for param in fn.params:
            if isinstance(param.type, Scalar) and param.type != SINGLE:
                numbers.double.add(param.name)
        numbers.note(fn.body, ())
        numbers.find_kinds()
        numbers.find_running()
        numbers.find_doubles()
        return numbers

    def note(self, block: Block, loops: Loops) -> None:
        for stmt in block:
            for target, value in walk.bindings(stmt):
                if _dtype(value).startswith("int"):
                    self.counts[target].append(value)
                elif isinstance(getattr(value, "type", None), Scalar):
                    own = isinstance(stmt, Let) and any(term.name == target for term in _terms(value))
                    (self.added if own else self.where)[target].add(loops)
                    self.bound[target].append(value)
            if isinstance(stmt, Accum) and isinstance(stmt.target, Var) and isinstance(stmt.target.type, Scalar):
                self.added[stmt.target.name].add(loops)
                self.bound[stmt.target.name].append(stmt.value)
            inside = (*loops, _Loop(stmt)) if isinstance(stmt, (For, While)) else loops
            for inner in walk.blocks(stmt):
                self.note(inner, inside)

    # ------------------------------------------------------------ what names are

    def find_kinds(self) -> None:
        """Passes call numbers weak that are not: they are what they are made of."""
        changed = True
        while changed:
            changed = False
            for name, values in self.bound.items():
                found = {self.kind(value) for value in values}
                kind = DOUBLE if DOUBLE in found else "float32" if "float32" in found else WEAK
                changed |= self.kinds.get(name, WEAK) != kind
                self.kinds[name] = kind

    def kind(self, expr: Expr) -> str:
        """The dtype that NumPy gives a number, or `WEAK`."""
        kind = getattr(expr, "type", None)
        said = getattr(kind, "dtype", "")
        weak = isinstance(kind, Scalar) and said == DOUBLE and kind.weak
        match expr:
            case Var(name) if weak:
                return self.kinds.get(name, WEAK)
            case Call(operator.getitem, (base, _)) if weak:
                return getattr(getattr(base, "type", None), "dtype", WEAK)
            case Call(fn, args) if _computes(fn) and (weak or said == "float32"):
                found = {self.kind(arg) for arg in args}
                return DOUBLE if DOUBLE in found else "float32" if "float32" in found else WEAK if weak else said
        return WEAK if weak else said

    def find_running(self) -> None:
        """The sums that iterations hand on."""
        for name, added in self.added.items():
            if not all(self.is_short(one, other) for one in self.where[name] for other in added):
                self.running.add(name)
        reached = {name: {term.name for value in values for term in _terms(value)}
                   for name, values in self.bound.items()}  # fmt: skip
        for name in reached:
            seen: set[str] = set()
            waiting = [*reached[name] - {name}]
            while waiting and name not in seen:
                each = waiting.pop()
                if each not in seen:
                    seen.add(each)
                    waiting += reached.get(each, ())
            if name in seen:
                self.running.add(name)

    def is_short(self, bound: Loops, added: Loops) -> bool:
        """Whether few numbers at most are added up in loops from where a sum begins."""
        rest = added[len(bound) :]
        if any(one is not other for one, other in zip(bound, added)) or len(added) < len(bound) or len(rest) > 1:
            return False
        most = [self.most(loop.stmt.stop) if isinstance(loop.stmt, For) else None for loop in rest]
        return all(count is not None and count <= FEW for count in most)

    def most(self, count: Expr) -> int | None:
        """What an integer is at most."""
        match count:
            case Const(int() as value):
                return value
            case Var(name) if len(self.counts[name]) == 1:
                return self.most(self.counts[name][0])
            case Call(fn, args) if fn is min or fn is max:
                known = [number for arg in args if (number := self.most(arg)) is not None]
                return None if not known or fn is max and len(known) < len(args) else int(fn(known))
        return None

    def find_doubles(self) -> None:
        """What Numba holds as doubles, whatever NumPy does."""
        self.double |= self.running | {name for name, values in self.bound.items() if all(map(_is_const, values))}
        size = -1
        while len(self.double) > size:
            size = len(self.double)
            self.double |= {name for name, values in self.bound.items()
                            if not all(self.is_single(value) or self.is_exact(value) for value in values)}  # fmt: skip

    def is_single(self, expr: Expr) -> bool:
        """Whether Numba holds a number in single precision, once it is written here."""
        match expr:
            case Var(name, Scalar()):
                return self.kind(expr) == "float32" and name not in self.double
            case Const(value):
                return isinstance(value, np.float32)
            case Call(operator.getitem, (base, _)):
                return getattr(getattr(base, "type", None), "dtype", "") == "float32"
            case Call(np.float32):
                return True
            case Call(fn, args) if member(fn, _OF_ARRAYS):
                return all(getattr(getattr(arg, "type", None), "dtype", "") == "float32" for arg in args)
            case Call(fn) if _computes(fn):
                return self.kind(expr) == "float32"
        return False

    def is_exact(self, value: Expr) -> bool:
        """Whether a number is a constant that is the same in single precision."""
        match value:
            case Const(int() | float() as number):
                return float(np.float32(number)) == number
            case Var(name) if name in self.bound:
                return all(isinstance(each, Const) and self.is_exact(each) for each in self.bound[name])
        return False

    # ------------------------------------------------------------ as they are written

    def block(self, block: Block) -> Block:
        return tuple(map(self.stmt, block))

    def stmt(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Move(names, values):
                return replace(stmt, values=tuple(map(self.bound_to, names, values)))
            case Let(name, value):
                return replace(stmt, value=self.bound_to(name, value))
            case Accum(Var(name), value) if name in self.running:
                return replace(stmt, value=self.sum(value))
        return walk.map_stmt(self.expr, stmt, self.block)

    def bound_to(self, name: str, value: Expr) -> Expr:
        """What a name is bound to, a constant as a single if all others are."""
        if name in self.running:
            return self.sum(value)
        single = name in self.bound and name not in self.double and self.is_exact(value)
        return self.narrowed(value) if single else self.expr(value)

    def sum(self, value: Expr) -> Expr:
        """What is added up in a double: its terms."""
        if isinstance(value, Call) and value.fn in _TERMS and isinstance(value.type, Scalar):
            return replace(value, args=tuple(map(self.sum, value.args)))
        return self.expr(value)

    def expr(self, expr: Expr) -> Expr:
        return walk.map_expr(self.node, expr)

    def node(self, expr: Expr) -> Expr:
        match expr:
            case Call(np.float32, (one,), ()) if self.is_single(one):
                return one
            case Call(fn, args, (), Scalar()) if member(fn, _TESTS):
                if {self.kind(arg) for arg in args} == {"float32", WEAK}:
                    return replace(expr, args=tuple(self.narrowed(a) if self.kind(a) == WEAK else a for a in args))
            case Call(fn, args, (), Scalar()) if _computes(fn) and self.kind(expr) == "float32":
                return replace(expr, args=tuple(self.operand(fn, k, arg) for k, arg in enumerate(args)), type=SINGLE)
        return expr

    def operand(self, fn: object, position: int, arg: Expr) -> Expr:
        if fn is operator.pow and position and _dtype(arg) == "int64" or _dtype(arg) == "bool":
            return arg
        return self.narrowed(arg)

    def narrowed(self, arg: Expr) -> Expr:
        """A number in single precision."""
        if self.is_single(arg) or not isinstance(getattr(arg, "type", None), Scalar) or "complex" in _dtype(arg):
            return arg
        if isinstance(arg, Const) and arg.name is None:
            return Const(np.float32(arg.value), SINGLE)
        return Call(np.float32, (arg,), (), SINGLE)


def _computes(fn: object) -> bool:
    """Whether a function gives a number of the dtype that its operands have together."""
    return (isinstance(fn, np.ufunc) or member(fn, UFUNCS) or member(fn, _WITHOUT_UFUNCS)) and not member(fn, _TESTS)


def _terms(value: Expr) -> Iterator[Var]:
    """The names that a value is a sum of."""
    if isinstance(value, Var):
        yield value
    elif isinstance(value, Call) and value.fn in _TERMS and isinstance(value.type, Scalar):
        for arg in value.args:
            yield from _terms(arg)


def _is_const(value: Expr) -> bool:
    return isinstance(value, Const) and not isinstance(value.value, np.float32)


def _dtype(expr: Expr) -> str:
    return getattr(getattr(expr, "type", None), "dtype", "")
