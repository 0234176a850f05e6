"""beforehand: functions of elements that a nest of loops asks for many times are computed before it. For machine code.

``np.cos(lat[i]) * np.cos(lat[j])`` in a loop over all pairs asks for n * n cosines of n numbers, and its adjoint for as
many sines. By hand one makes arrays of them first, ``cos_lat = np.cos(lat)``, of all that the loops go through.
An expression belongs there if it depends on the counters by its subscripts alone, and the nest leaves the arrays as
they are. What is computed on a condition stays where it is.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.contents import member, times_given
from srcad.analysis.pairs import Pairs
from srcad.lang import walk
from srcad.lang.arrays import index_of, items_of
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Expr, For, Function, Let, Slice, Stmt, Store, Var, select,
)
from srcad.lang.types import INT, Array, Dim, Scalar
from srcad.transforms.elements import computes
from srcad.transforms.flatten import fresh_names
from srcad.transforms.infer import typed
from srcad.transforms.passing import Facts, Other, other

DEAR = (
    np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sin, np.cos, np.tan, np.arcsin, np.arccos,
    np.arctan, np.arctan2, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh, np.hypot,
)  # fmt: skip
CHEAP = (operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, np.sqrt)
WHOLE = Slice()
LONGEST = 24  # parts of an expression


def beforehand(fn: Function) -> Function:
    """Compute before nests of loops what they would compute of each element many times.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> a, b = Var("a", Array("float64", ("m",), "C")), Var("b", Array("float64", ("n",), "C"))
    >>> i, j, s = Var("i", INT), Var("j", INT), Var("s", FLOAT)
    >>> def at(x, k): return Call(operator.getitem, (x, k), (), FLOAT)
    >>> def length(x): return Call(operator.getitem, (Attr(x, "shape"), Const(0, INT)), (), INT)
    >>> value = Call(operator.mul, (at(a, i), Call(np.cos, (at(b, j),), (), FLOAT)), (), FLOAT)
    >>> inner = For("j", Const(0, INT), length(b), Const(1, INT), (Accum(s, value),))
    >>> loop = For("i", Const(0, INT), length(a), Const(1, INT), (inner,))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = Function("f", (Param("a", a.type), Param("b", b.type), Param("s", FLOAT)), (loop, Return(s)))
    >>> print(write(name(beforehand(fn))).text.split("\\n\\n\\n")[1], end="")
    def f(a, b, s):
        cos_b = np.cos(b)
        for i in range(a.shape[0]):
            for j in range(b.shape[0]):
                s += a[i] * cos_b[j]
        return s
    """
    if fn.exact or not any(isinstance(s, For) and any(isinstance(one, For) for one in s.body)
                           for s in walk.statements(fn.body)):  # fmt: skip
        return fn
    times = times_given(fn.body)
    used = {param.name for param in fn.params} | times.keys()
    used |= {name.split("~", 1)[0] for name in used}
    fresh, facts = fresh_names(used), Facts(Pairs.of(fn.body))
    lengths = {s.target: s.value for s in walk.statements(fn.body)
               if isinstance(s, Let) and times[s.target] == 1 and _is_length(s.value)}  # fmt: skip

    def block(stmts: Block) -> Block:
        result: list[Stmt] = []
        there: dict[Expr, Var] = {}
        for stmt in stmts:
            if isinstance(stmt, For):
                nest = _Nest(stmt, facts, fresh, times, lengths, dict(there))
                [stmt] = nest.told((stmt,), (), {})
                result += [Let(own.name, value, stmt.origin) for value, own in nest.made.items() if value not in there]
                there = nest.made
            result.append(walk.map_stmt(lambda e: e, stmt, block))
            there = {value: own for value, own in there.items() if _stays(value, other(stmt), facts)} if there else {}
        return tuple(result)

    found = block(fn.body)
    return fn if found == fn.body else replace(fn, body=_read(found, walk.read_in(fn.body)))


def _read(block: Block, before: set[str]) -> Block:
    """A block without the names of numbers that were read before, and are no more."""
    gone = before - walk.read_in(block)
    if not gone:
        return block
    shorter = walk.without(block, lambda s: isinstance(s, Let) and s.target in gone and _is_pure(s.value))
    return block if shorter == block else _read(shorter, walk.read_in(block))


def _stays(expr: Expr, code: Other, facts: Facts) -> bool:
    """Whether some code leaves names and the elements of arrays in an expression as they are."""
    found = walk.names(expr)
    return not found & code.assigned and not any(facts.may_share(name, one) for name in found for one in code.written)


def _is_pure(expr: Expr) -> bool:
    """Whether an expression is arithmetic with numbers and elements."""
    calls = [e for e in walk.subexprs(expr) if isinstance(e, Call)]
    return isinstance(getattr(expr, "type", None), Scalar) and all(
        e.fn is operator.getitem or _is_operation(e) for e in calls)  # fmt: skip


def _is_operation(call: Call) -> bool:
    power = call.fn is operator.pow and isinstance(call.args[1], Const)
    return not call.kwargs and (power or member(call.fn, CHEAP) or member(call.fn, DEAR))


class Unfit(Exception):
    """An expression that is none of elements at the counters of loops."""


@dataclass
class _Nest:
    """A nest of loops: what it changes, and what is computed before it."""

    loop: For
    facts: Facts
    fresh: Callable[[str], str]
    times: Counter[str]
    lengths: dict[str, Expr]  # what names of lengths stand for
    made: dict[Expr, Var]

    def __post_init__(self) -> None:
        self.whole = other(self.loop)

    def told(self, block: Block, path: tuple[For, ...], known: dict[str, Expr]) -> Block:
        """A block inside the loops of a path that reads what is computed before; `known` are names for expressions."""
        if self.whole.fixed:
            return block
        result: list[Stmt] = []
        for stmt in block:
            match stmt:
                case For(flag=None):
                    stmt = replace(stmt, body=self.told(stmt.body, (*path, stmt), dict(known)))
                case Let(target, value):
                    if self.times[target] == 1 and _is_pure(value):
                        known[target] = walk.substitute(value, known)
                    stmt = replace(stmt, value=self.read(value, path, known))
                case Store() | Accum():
                    stmt = replace(stmt, value=self.read(stmt.value, path, known))
            result.append(stmt)
        return tuple(result)

    def read(self, expr: Expr, path: tuple[For, ...], known: dict[str, Expr]) -> Expr:
        """An expression in which the dear parts that can be had before the nest are read there."""
        if len(path) < 2 or not isinstance(expr, Call) or expr.fn is select or expr.fn is operator.getitem:
            return expr
        if isinstance(kind := expr.type, Scalar) and kind.dtype in ("float64", "float32") and _is_dear(expr):
            try:
                return self.element(walk.substitute(expr, known), path)  # type: ignore[arg-type]
            except Unfit:
                pass
        return replace(expr, args=tuple(self.read(arg, path, known) for arg in expr.args))

    def element(self, expr: Call, path: tuple[For, ...]) -> Expr:
        """The element of an array made before the nest that is an expression's value."""
        calls = [e for e in walk.subexprs(expr) if isinstance(e, Call)]
        if len(calls) > LONGEST:
            raise Unfit
        table = _Table(self, path)
        value = typed(table.of(expr))
        kind = getattr(value, "type", None)
        if not isinstance(kind, Array) or not computes(value) or kind.dtype != expr.type.dtype:  # type: ignore[attr-defined]
            raise Unfit
        if kind.ndim != len(table.counters) or kind.ndim > 1 and path[0].index in table.counters:
            raise Unfit  # the second: most loops of the nest are those over the elements
        if value not in self.made:
            self.made[value] = Var(self.fresh("_s"), kind)
        index = index_of([Var(name, INT) for name in table.counters])
        return Call(operator.getitem, (self.made[value], index), (), expr.type)

    def stays(self, expr: Expr) -> bool:
        """Whether an expression has the same value in all iterations; of an array, whether its elements stay."""
        return _stays(expr, self.whole, self.facts)


@dataclass
class _Table:
    """An expression of elements, as one of arrays."""

    nest: _Nest
    path: tuple[For, ...]
    counters: tuple[str, ...] = ()
    dims: tuple = ()  # how long the axes are; of parts of arrays, which ones these are

    def of(self, expr: Expr) -> Expr:
        match expr:
            case Const(value=int() | float()):
                return expr
            case Var(type=Scalar()) if self.nest.stays(expr):
                return expr
            case Call(operator.getitem, (Var(_, Array()) as array, index), ()) if self.nest.stays(array):
                return self.part(expr, array, items_of(index))
            case Call() if _is_operation(expr):
                return Call(expr.fn, tuple(map(self.of, expr.args)))
        raise Unfit

    def part(self, expr: Call, array: Var, index: tuple[Expr, ...]) -> Expr:
        """The elements of an array that the loops go through; an element where no counter picks one."""
        assert isinstance(array.type, Array)
        loops = {loop.index: loop for loop in self.path}
        counters: list[str] = []
        dims: list = []
        taken: list[Expr] = []
        if len(index) != array.type.ndim:
            raise Unfit
        for item, dim in zip(index, array.type.shape):
            if not isinstance(item, (Var, Const)):
                raise Unfit
            if isinstance(item, Var) and item.name in loops:
                loop = loops[item.name]
                if item.name in counters:
                    raise Unfit
                counters.append(item.name)
                whole = self.reaches_all(loop, dim)
                dims.append(dim if whole else (array.name, loop.index))
                item = WHOLE if whole else self.reach(loop)
            elif not self.nest.stays(item):
                raise Unfit
            taken.append(item)
        if not counters:
            return expr
        found = tuple(counters), tuple(dims)
        if self.counters and found != (self.counters, self.dims):
            raise Unfit
        self.counters, self.dims = found
        whole = all(item == WHOLE for item in taken)
        return array if whole else Call(operator.getitem, (array, index_of(taken)))

    def reach(self, loop: For) -> Expr:
        """The slice of an axis that a loop goes through, from the first element on."""
        if not isinstance(loop.step, Const) or loop.step.value != 1 or not self.nest.stays(loop.stop):
            raise Unfit
        if not isinstance(loop.start, Const) or loop.start.value < 0 or getattr(loop.stop, "type", None) != INT:
            raise Unfit
        return Slice(None, loop.stop)

    def reaches_all(self, loop: For, dim: Dim) -> bool:
        """Whether a loop goes through most of an axis, or for the more iterations around it the more."""
        if not isinstance(loop.step, Const) or loop.step.value not in (1, -1):
            return False
        match loop.stop if loop.step.value == 1 else loop.start:
            case Call(operator.sub | operator.add, (end, Const(value=int()))):
                pass
            case end:
                pass
        match end:
            case Var(name) if name in self.nest.lengths:
                end = self.nest.lengths[name]
        match end:
            case Call(operator.getitem, (Attr(Var(_, Array(shape=shape)), "shape"), Const(value=int() as axis))):
                return shape[axis] == dim
            case Var(name):
                return any(self.reaches_all(one, dim) for one in self.path if one.index == name and one is not loop)
        return False


def _is_length(value: Expr) -> bool:
    """Whether something is ``x.shape[k]``."""
    match value:
        case Call(operator.getitem, (Attr(Var(_, Array()), "shape"), Const(value=int()))):
            return True
    return False


def _is_dear(call: Call) -> bool:
    """Whether a function takes long: a power does where its exponent is no integer."""
    power = call.args[1] if call.fn is operator.pow else None
    is_root = isinstance(power, Const) and not isinstance(power.value, int)
    return _is_operation(call) and (is_root or member(call.fn, DEAR))
