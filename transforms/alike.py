"""alike: lengths that meet in an operation are taken to agree. For machine code only.

Of ``x + y`` nobody knows beforehand whether one of the two has a single element that is repeated. It hardly ever has,
and text that allows for it cannot be loops over elements. So the lengths are compared once, at the beginning; where
they differ, the caller is told so, and calls the text in which nothing is taken to agree. Lengths may also be taken to
differ by a constant, as on staggered grids: see `agreeing`.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product

import numpy as np

from srcad.analysis.agreeing import Agreeing, alternatives
from srcad.analysis.contents import member
from srcad.analysis.dimensions import contracted
from srcad.lang.arrays import axis_length, is_ellipsis
from srcad.lang import walk
from srcad.lang.custom import Custom
from srcad.lang.ir import (
    Accum, Call, Const, Effect, Expr, Function, If, Move, Param, Stmt, Store, Var, or_, raise_,
)  # fmt: skip
from srcad.lang.promote import UFUNCS
from srcad.lang.recursive import HELPERS, Callee
from srcad.lang.shapes import join_offset, shifted, split_offset, symbol
from srcad.lang.types import BOOL, INT, NONE, Array, Dim, Scalar, Static, TupleType, Type
from srcad.runtime import LengthsDiffer
from srcad.transforms.in_step import in_step
from srcad.transforms.infer import typed
from srcad.transforms.pieces import Pieces
from srcad.transforms.within import Within

_ALTERNATIVES = re.compile(r"\{([^{}]*)\}([+-]\d+)?")
_SLICE = re.compile(r"(?<!\w)\[(\d+)\]\[(-?\d*):(-?\d*):(-?[1-9]\d*)\]")


def alike(fn: Function) -> Function:
    """Give lengths that meet one symbol, and compare them at the beginning.

    >>> from srcad.lang.ir import Let, Return
    >>> x, y = (Var(name, Array("float64", (f"{name}.shape[0]",), "C")) for name in "xy")
    >>> total = typed(Call(operator.add, (x, y)))
    >>> total.type.shape
    ('{x.shape[0]|y.shape[0]}',)
    >>> body = (Let("z", total), Return(Var("z", total.type)))
    >>> from srcad.lang.write import write
    >>> found = alike(Function("f", (Param("x", x.type), Param("y", y.type)), body))
    >>> found.body[-1].value.type.shape
    ('x.shape[0]',)
    >>> print(write(found).text, end="")
    from srcad.runtime import LengthsDiffer
    <BLANKLINE>
    <BLANKLINE>
    def f(x, y):
        if x.shape[0] != y.shape[0]:
            raise LengthsDiffer
        z = x + y
        return z
    """
    if any(_is_closed(e) for stmt in walk.statements(fn.body) for x in walk.stmt_exprs(stmt) for e in walk.subexprs(x)):
        return fn
    lengths = dict(_lengths(fn.params))
    within = Within.of(fn, lengths)
    fn = _agreed(fn, lengths, within, Pieces())
    lengths = dict(_lengths(fn.params))
    pieces = Pieces.of(fn, lengths)
    return _agreed(fn, lengths, Within(), pieces) if pieces.lengths else fn


def _agreed(fn: Function, lengths: dict[str, Expr], within: Within, pieces: Pieces) -> Function:
    """A function in which lengths that meet have one symbol; `pieces` are lengths, too."""
    numbers = frozenset(name for name, e in lengths.items() if isinstance(e, Var))
    lengths = {**lengths, **pieces.lengths}
    classes = Agreeing(list(lengths), numbers)
    for part, count in within.counts.items():
        classes.known.append(part)
        classes.unite(part, *split_offset(count))
    classes.settle(_joined(fn))
    classes.meet(pair for stmt in walk.statements(fn.body) for pair in _meeting(stmt))
    classes.meet(in_step(fn))
    chosen = {old: new for old, new in classes.chosen().items() if _is_checked(new, lengths)}
    if not chosen and not within.proven:
        return fn
    chosen = {name: chosen[name] for name in sorted(chosen, key=lambda name: name not in pieces.lengths)}
    new = _Renamer({**within.proven, **chosen})
    params = tuple(replace(p, type=new.type(p.type)) for p in fn.params)
    packed = tuple((replace(p, type=new.type(p.type)), walk.map_expr(new.expr, e)) for p, e in fn.packed)
    body = tuple(walk.map_stmt(lambda e: walk.map_expr(new.expr, e), stmt) for stmt in fn.body)
    return replace(fn, params=params, packed=packed, body=(*_check(chosen, within, lengths, pieces, fn), *body))


def _is_closed(expr: Expr) -> bool:
    """Whether a call is of a function whose types are its own."""
    return isinstance(expr, Call) and isinstance(expr.fn, (Callee, Custom, *HELPERS))


def _lengths(params: tuple[Param, ...]) -> Iterator[tuple[str, Expr]]:
    """The symbols of lengths that parameters tell, with the expressions that give them."""
    for param in params:
        match param.type:
            case Array(_, dims):
                for axis, dim in enumerate(dims):
                    if isinstance(dim, str) and split_offset(dim)[1] == 0:
                        yield dim, axis_length(Var(param.name, param.type), axis)
            case Scalar(dtype) if dtype.startswith("int"):
                yield param.name, Var(param.name, param.type)


def _meeting(stmt: Stmt) -> Iterator[tuple[Dim, Dim]]:
    """The pairs of lengths that meet in a statement."""
    for whole in walk.stmt_exprs(stmt):
        for e in walk.subexprs(whole):
            if isinstance(e, Call) and isinstance(e.type, Array) and _is_elementwise(e.fn):
                for arg in e.args:
                    yield from _aligned(getattr(arg, "type", None), e.type)
            if isinstance(e, Call) and e.fn is np.linalg.solve:
                yield from _solved(*e.args)
            yield from ((one, other) for a, b in contracted(e) if isinstance(getattr(e, "type", None), Array) or not (
                isinstance(a, str) and isinstance(b, str)) for one, other in product(_each(a), _each(b)))  # fmt: skip
    match stmt:
        case Store(base, index, value):
            place = base if is_ellipsis(index) else typed(Call(operator.getitem, (base, index)))
            yield from _aligned(getattr(value, "type", None), place.type)
        case Accum(target, value):
            yield from _aligned(getattr(value, "type", None), target.type)


def _each(dim: Dim) -> list[Dim]:
    """The lengths that an axis may have, of which one that is repeated decides nothing."""
    return [one for one in alternatives(dim) if one != 1] or [dim]


def _solved(a: Expr, b: Expr) -> Iterator[tuple[Dim, Dim]]:
    """The lengths of a matrix and of the right side of its equations, which are one."""
    left, right = getattr(a, "type", None), getattr(b, "type", None)
    if isinstance(left, Array) and isinstance(right, Array) and left.ndim == 2:
        yield from ((left.shape[0], left.shape[1]), (left.shape[0], right.shape[0]))


def _joined(fn: Function) -> dict[str, list[Dim]]:
    """The lengths that a name may have which branches join or loops carry, by the symbol for all of them."""
    exprs = [e for stmt in walk.statements(fn.body) for x in walk.stmt_exprs(stmt) for e in walk.subexprs(x)]
    types = {e.name: e.type for e in exprs if isinstance(e, Var)}
    found: dict[str, list[Dim]] = {}
    for stmt in walk.statements(fn.body):
        for target, value in zip(stmt.targets, stmt.values) if isinstance(stmt, Move) else ():
            joined, kind = types.get(target), getattr(value, "type", None)
            if isinstance(joined, Array) and isinstance(kind, Array):
                for axis, (one, other) in enumerate(zip(joined.shape, kind.shape)):
                    if one == symbol(target, axis):
                        found.setdefault(one, []).extend(d for d in alternatives(other) if d != one)
    return found


def _is_elementwise(fn: object) -> bool:
    return fn is np.where or fn is np.clip or member(fn, UFUNCS) or isinstance(fn, np.ufunc) and fn.signature is None


def _aligned(one: Type | None, other: Type) -> Iterator[tuple[Dim, Dim]]:
    if isinstance(one, Array) and isinstance(other, Array):
        for a, b in zip(reversed(one.shape), reversed(other.shape)):
            if a != b and 1 not in (a, b):
                for each in alternatives(b):
                    yield a, each


@dataclass
class _Renamer:
    """Types with other symbols."""

    chosen: dict[str, Dim]
    known: dict[Dim, Dim] = field(default_factory=dict)

    def expr(self, expr: Expr) -> Expr:
        kind = getattr(expr, "type", None)
        new = self.type(kind) if isinstance(kind, (Array, TupleType)) else kind
        return expr if new is kind else replace(expr, type=new)  # type: ignore[arg-type, call-arg]

    def type(self, kind: Type) -> Type:
        match kind:
            case Array(_, shape):
                dims = tuple(self.dim(d) for d in shape)
                return kind if dims == shape else replace(kind, shape=dims)
            case TupleType(items):
                new = tuple(map(self.type, items))
                return kind if new == items else replace(kind, items=new)
        return kind

    def dim(self, dim: Dim) -> Dim:
        if isinstance(dim, int):
            return dim
        if dim not in self.known:
            self.known[dim] = self.renamed(dim)
        return self.known[dim]

    def renamed(self, dim: str) -> Dim:
        for old, new in self.chosen.items():
            dim = re.sub(rf"(?<![\w.~]){re.escape(old)}(?![\w.\[~])([+-]\d+(?![^|}})]))?", partial(_put, new), dim)
        before = ""
        while dim != before:  # alternatives may be alternatives themselves
            before, dim = dim, _ALTERNATIVES.sub(_one_of, dim)
        return _number(dim)


def _put(new: Dim, found: re.Match) -> str:
    """A length in place of another one: by itself with the constant that is added, or within a larger symbol."""
    base, offset = split_offset(new)
    if _is_whole(found):
        return str(join_offset(base, offset + int(found[1] or 0)))
    return (str(new) if base is None or offset == 0 else f"({new})") + (found[1] or "")


def _one_of(found: re.Match) -> str:
    """Alternatives, each once; the only one by itself. What has one element is repeated, and decides nothing."""
    kinds = sorted({*found[1].split("|")} - {"1"}) or ["1"]
    if len(kinds) == 1 and found[2] and _is_whole(found):
        return str(shifted(_number(kinds[0]), int(found[2])))
    return (kinds[0] if len(kinds) == 1 else "{" + "|".join(kinds) + "}") + (found[2] or "")


def _is_whole(found: re.Match) -> bool:
    """Whether what is found in a symbol is a length, and no number to reckon with."""
    around = found.string[found.start() - 1 : found.start()] + found.string[found.end() : found.end() + 1]
    return not {*around} - {*"{|}()"}


def _count(found: re.Match) -> str:
    """How many elements a slice of an axis of known length has."""
    length, *bounds = found.groups()
    return str(len(range(*slice(*(int(b) if b else None for b in bounds)).indices(int(length)))))


def _number(dim: str) -> Dim:
    dim = _SLICE.sub(_count, dim)
    base, offset = split_offset(dim)
    return join_offset(None, int(base) + offset) if base is not None and base.isdigit() else dim


def _is_checked(new: Dim, lengths: dict[str, Expr]) -> bool:
    """Whether it can be seen at the beginning that a length is no shorter than what is taken from it."""
    base, offset = split_offset(new)
    return base is None or offset == 0 or base in lengths


def _check(
    chosen: dict[str, Dim], within: Within, lengths: dict[str, Expr], pieces: Pieces, fn: Function
) -> tuple[Stmt, ...]:
    """The error where lengths differ, or an axis is shorter than slices need it."""
    tests = [Call(operator.ne, (_length(new, lengths), lengths[old]), (), BOOL)
             for old, new in chosen.items() if old in lengths and _length(new, lengths) != lengths[old]]  # fmt: skip
    used = dict.fromkeys((*chosen, *(str(split_offset(new)[0]) for new in chosen.values())))
    tests += list(dict.fromkeys(test for part in used for test in pieces.tests.get(part, [])))
    ends = {split_offset(new) for old, new in chosen.items() if old not in lengths}
    tests += [Call(operator.lt, (lengths[base], Const(-offset, INT)), (), BOOL) for base, offset in sorted(
              (base, offset) for base, offset in ends if base is not None and offset < 0)]  # fmt: skip
    tests += [Call(operator.lt, (lengths[dim], Const(count, INT)), (), BOOL) for dim, count in within.least.items()
              if not (isinstance(new := chosen.get(dim), int) and new >= count)]  # fmt: skip
    tests += [Call(operator.lt, (lengths[dim], lengths[other]), (), BOOL) for dim, other in within.pairs
              if chosen.get(dim, dim) != chosen.get(other, other)]  # fmt: skip
    test = tests[0] if len(tests) == 1 else Call(or_, tuple(tests), (), BOOL)
    error = Call(raise_, (Const(LengthsDiffer, Static(LengthsDiffer)),), (), NONE)
    return (If(test, (Effect(error, fn.origin),), (), fn.origin),) if tests else ()


def _length(dim: Dim, lengths: dict[str, Expr]) -> Expr:
    base, offset = split_offset(dim)
    if base is None or offset == 0:
        return Const(offset, INT) if base is None else lengths[base]
    return Call(operator.add if offset > 0 else operator.sub, (lengths[base], Const(abs(offset), INT)), (), INT)
