"""One element of an array expression, as an expression of numbers; part of `elementwise`."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member
from srcad.analysis.affine import ZERO
from srcad.analysis.regions import Region
from srcad.lang import walk
from srcad.lang.arrays import items_of, rank_of, tuple_of_ints, without_new_axes
from srcad.lang.ir import Attr, Call, Const, Expr, Slice, Var, select
from srcad.lang.types import FLOAT, INT, REAL, Array, Dim, Scalar
from srcad.runtime import sum_to
from srcad.runtime.libraries import VECTORS_OF_SPECIAL

_OPERATORS = frozenset((
    operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.neg, operator.pos, operator.lt,
    operator.le, operator.gt, operator.ge, operator.eq, operator.ne, abs, operator.and_, operator.or_,
))  # fmt: skip
_CONNECTIVES = frozenset((operator.and_, operator.or_))
_COMPARISONS = frozenset((operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne))
_UFUNCS = frozenset((
    np.add, np.subtract, np.multiply, np.true_divide, np.power, np.negative, np.positive, np.exp, np.exp2, np.expm1,
    np.log, np.log2, np.log10, np.log1p, np.sqrt, np.square, np.reciprocal, np.absolute, np.fabs, np.sign, np.sin,
    np.cos, np.tan, np.arcsin, np.arccos, np.arctan, np.arctan2, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh,
    np.arctanh, np.hypot, np.maximum, np.minimum, np.floor, np.ceil, np.trunc, np.rint, np.less, np.less_equal,
    np.greater, np.greater_equal, np.equal, np.not_equal, np.logical_and, np.logical_or, np.logical_not, np.isnan,
    np.isinf, np.isfinite,
))  # fmt: skip
COPIES = frozenset((np.copy, np.asarray, np.ascontiguousarray))
FULL = frozenset((np.full_like, np.full))
CONSTANT = {np.zeros_like: 0.0, np.zeros: 0.0, np.ones_like: 1.0, np.ones: 1.0}


def computes(expr: Expr) -> bool:
    """Whether an array expression is done element by element, of numbers that compiled code computes as NumPy does."""
    if not isinstance(expr, Call) or not isinstance(expr.type, Array) or expr.type.dtype not in (*REAL, "bool"):
        return False
    if member(expr.fn, CONSTANT):
        return len(expr.args) + len(expr.kwargs) <= 2 and expr.type.dtype in REAL and _names_dtype(expr)
    if expr.kwargs:
        return False
    if member(expr.fn, FULL):
        return len(expr.args) == 2 and isinstance(getattr(expr.args[1], "type", None), Scalar)
    if member(expr.fn, COPIES):
        return known(expr.args[0]) and len(expr.args) == 1
    operation = member(expr.fn, _OPERATORS) or member(expr.fn, _UFUNCS) or is_special(expr.fn)
    if not (operation or expr.fn is np.where and len(expr.args) == 3):
        return False
    if not all(map(known, expr.args)):
        return False
    if expr.fn in _CONNECTIVES:  # of integers, they go through the bits
        return all(arg.type.dtype == "bool" for arg in expr.args)  # type: ignore[union-attr]
    if expr.type.dtype == "bool" and expr.fn in _OPERATORS and expr.fn not in _COMPARISONS:
        return False
    powers = expr.fn in (operator.pow, np.power)
    return not powers or expr.args[0].type.dtype in REAL  # type: ignore[union-attr]


def _names_dtype(made: Call) -> bool:
    """Whether all that is said of a new array beside its shape is its dtype."""
    more = (*made.args[1:], *(value for name, value in made.kwargs if name == "dtype"))
    own = np.dtype(made.type.dtype).type  # type: ignore[attr-defined]
    known = len(more) == len(made.args) - 1 + len(made.kwargs)
    return known and all(isinstance(e, Const) and e.value is own for e in more)


def is_special(fn: object) -> bool:
    """Whether a function of `scipy.special` is one that loops compute in vectors; of others, each is a call.

    >>> from scipy import special
    >>> is_special(special.ndtr), is_special(special.gammaln)
    (True, False)
    """
    special = sys.modules.get("scipy.special")
    return special is not None and any(fn is getattr(special, name) for name in VECTORS_OF_SPECIAL)


def known(expr: Expr) -> bool:
    """Whether a value is of a dtype that compiled code computes with as NumPy does."""
    kind = getattr(expr, "type", None)
    return isinstance(kind, (Array, Scalar)) and kind.dtype in (*REAL, "bool", "int64")


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The operands whose elements an elementwise expression reads; others tell its shape."""
    assert isinstance(expr, Call)
    if member(expr.fn, FULL):
        return expr.args[1:]
    return () if member(expr.fn, CONSTANT) else expr.args


def is_plain(expr: Expr) -> bool:
    """Whether an expression only copies or fills."""
    if not isinstance(expr, Call) or expr.fn is operator.getitem or not isinstance(expr.type, Array):
        return True
    return any(member(expr.fn, table) for table in (FULL, CONSTANT, COPIES)) and all(map(is_plain, operands(expr)))


def leaves(expr: Expr) -> Iterator[Expr]:
    """The arrays and numbers that an elementwise expression is made of."""
    if computes(expr):
        for operand in operands(expr):
            yield from leaves(operand)
    else:
        yield expr


def plainer(expr: Expr) -> Expr:
    """An operation without what its operands need not be: computed for their shape, copied, or transposed twice.

    >>> from srcad.lang.types import INT
    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> plainer(Attr(Call(operator.mul, (x, x), (), x.type), "size", INT)) == Attr(x, "size", INT)
    True
    >>> copied = Call(np.copy, (x,), (), x.type)
    >>> plainer(Call(operator.neg, (copied,), (), x.type)) == Call(operator.neg, (x,), (), x.type)
    True
    >>> shaped = [Call(np.reshape, (each, Var("shape")), (), x.type) for each in (copied, x)]
    >>> plainer(Call(np.copy, (shaped[0],), (), x.type)) == Call(np.copy, (shaped[1],), (), x.type)
    True
    """
    match expr:
        case Attr(Call(type=Array()) as value, "size" | "shape"):
            return replace(expr, value=_of_its_shape(value))
        case Call(fn, (value, Call(type=Array()) as like), ()) if fn is sum_to:
            return replace(expr, args=(value, _of_its_shape(like)))
        case Call(operator.getitem, (Call(np.copy, (Call(fn, args),), ()) | Call(fn, args), index)) if fn is sum_to:
            return _summed(expr, args[0], args[1], index)
        case Call(operator.getitem, (Call(operator.getitem, (whole, added)) as view, index)):
            return whole if _undoes(index, added, rank_of(view)) else expr
        case Call(operator.getitem, (Call() as value, index), (), Array()) if computes(value) and value.args:
            return _of_operands(expr, value, index)
        case Call(np.copy, (Call(np.sum, type=Array(layout="C")) as new,), ()):
            return new
        case Call(np.transpose, (Call(np.transpose, (whole,), ()),), ()):
            return whole
        case Call(np.copy, (Call(np.reshape, (inner, shape), ()) as view,), ()) if (whole := _in_a_row(inner)) != inner:
            return replace(expr, args=(replace(view, args=(whole, shape)),))
        case Call(fn, args) if computes(expr) and any(map(_copied, args)) and not member(fn, COPIES):
            return replace(expr, args=tuple(_copied(arg) or arg for arg in args))
    return expr


def _summed(expr: Call, value: Expr, like: Expr, index: Expr) -> Expr:
    """The sum over axes along which another array has one element each, if a subscript takes just these elements."""
    before, after = getattr(value, "type", None), getattr(like, "type", None)
    if not (isinstance(before, Array) and isinstance(after, Array) and isinstance(expr.type, Array)):
        return expr
    items = _in_full(index, after.ndim)
    if not before.ndim == after.ndim == len(items):
        return expr
    summed = tuple(k for k, item in enumerate(items) if walk.is_const(item, 0))
    kept = (k for k in range(after.ndim) if k not in summed)
    alike = all(items[k] == Slice() and before.shape[k] == after.shape[k] for k in kept)
    if not summed or not alike or not all(after.shape[k] == 1 for k in summed):
        return expr
    axis = Const(summed[0], INT) if len(summed) == 1 else tuple_of_ints([Const(k, INT) for k in summed])
    return Call(np.sum, (value,), (("axis", axis),), replace(expr.type, layout="C"))


def _undoes(index: Expr, added: Expr, rank: int) -> bool:
    """Whether a subscript takes away the axes that another one adds, and nothing else."""
    back = without_new_axes(added)
    return back is not None and _in_full(back, rank) == _in_full(index, rank)


def _in_full(index: Expr, rank: int) -> tuple[Expr, ...]:
    """What a subscript says of all axes, of those at the end, too."""
    items = items_of(index)
    return (*items, *[Slice()] * (rank - len(items)))


def _of_operands(expr: Call, value: Call, index: Expr) -> Expr:
    """What is computed of the only element along some axes, computed of those of the operands."""
    assert isinstance(value.type, Array)
    items = _in_full(index, value.type.ndim)
    gone = [k for k, item in enumerate(items) if walk.is_const(item, 0) and value.type.shape[k] == 1]
    arrays = [arg.type for arg in value.args if isinstance(getattr(arg, "type", None), Array)]  # type: ignore
    alike = all(kind.ndim == value.type.ndim for kind in arrays) and member(value.fn, _OPERATORS)
    if not gone or not alike or any(item != Slice() for k, item in enumerate(items) if k not in gone):
        return expr

    def part(operand: Expr) -> Expr:
        kind = getattr(operand, "type", None)
        if not isinstance(kind, Array):
            return operand
        shape = tuple(dim for k, dim in enumerate(kind.shape) if k not in gone)
        return plainer(Call(operator.getitem, (operand, index), (), replace(kind, shape=shape)))

    return replace(value, args=tuple(map(part, value.args)), type=expr.type)


def _of_its_shape(value: Call) -> Expr:
    """An array of the same shape, of which another one is computed element by element; else that one."""
    for leaf in leaves(value):
        if isinstance(leaf, Var) and getattr(leaf.type, "shape", None) == value.type.shape:  # type: ignore[attr-defined]
            return leaf
    return value


def _in_a_row(expr: Expr) -> Expr:
    """The array that has the elements of an expression one after the other, in the same order."""
    match expr:
        case Call(np.copy, (source,), ()) | Call(np.reshape, (source, _), ()) if _by_rows(expr) and _by_rows(source):
            return _in_a_row(source)
    return expr


def _by_rows(expr: Expr) -> bool:
    return isinstance(getattr(expr, "type", None), Array) and expr.type.layout == "C"  # type: ignore[union-attr]


def _copied(expr: Expr) -> Expr | None:
    """The array of which an expression is a copy that lies in memory in the same order."""
    match expr:
        case Call(np.copy, (source,), ()) if getattr(source, "type", None) == expr.type:
            return source
        case Call(operator.getitem, (inner, index), ()) if isinstance(expr.type, Array):
            original = _copied(inner)
            return None if original is None else replace(expr, args=(original, index))
    return None


def element(expr: Expr, at: Callable[[Expr], Expr]) -> Expr:
    """One element; `at` gives that of an array or a number that the expression is made of."""
    if not computes(expr):
        return at(expr)
    assert isinstance(expr, Call)
    assert isinstance(expr.type, Array)
    if member(expr.fn, CONSTANT):
        return Const(CONSTANT[expr.fn], FLOAT)
    items = tuple(element(operand, at) for operand in operands(expr))
    if member(expr.fn, COPIES) or member(expr.fn, FULL):
        return items[0]
    fn = select if expr.fn is np.where else np.abs if expr.fn is abs else expr.fn
    return Call(fn, items, (), Scalar(expr.type.dtype))


def fits(expr: Expr, shape: tuple[Dim, ...]) -> bool:
    """Whether an array can be counted through beside one of a shape: each axis as long, or surely one."""
    kind = getattr(expr, "type", None)
    if not isinstance(kind, Array):
        return isinstance(kind, Scalar)
    pairs = zip(reversed(kind.shape), reversed(shape))
    return kind.ndim <= len(shape) and all(a in (b, 1) for a, b in pairs)


def counters_of(shape: tuple[Dim, ...], counters: list[Expr]) -> list[Expr]:
    """The counters of an array of a shape beside others, in loops with these counters."""
    own = counters[len(counters) - len(shape) :]
    return [ZERO if dim == 1 else counter for dim, counter in zip(shape, own)]


def taken(region: Region | None, counters: list[Expr]) -> Expr:
    """The element of a region at the counters of loops."""
    assert region is not None
    return region.at(counters_of(region.shape, counters))


def costly(expr: Expr) -> bool:
    """Whether a number in an array expression is worth a name of its own before a loop."""
    if not isinstance(expr, Call) or isinstance(expr.type, Array):
        return False
    return sum(isinstance(e, Call) and e.fn is not operator.getitem for e in walk.subexprs(expr)) > 1


def is_arithmetic(value: Expr) -> bool:
    """Whether a value is made of numbers, parts of arrays and what is computed element by element: nothing is lost
    where it is not computed.
    """
    known = (e for e in walk.subexprs(value) if isinstance(e, Call))
    return all(e.fn is operator.getitem or member(e.fn, _OPERATORS) or member(e.fn, _UFUNCS) or member(e.fn, COPIES)
               for e in known)  # fmt: skip


def beginning(regions: list[Region], axis: int, rank: int) -> Expr:
    """Where a loop along an axis begins to count: at the variable from which all regions begin there, or at zero."""
    starts = {a.start: r for r in regions for a in r.axes
              if a.along is not None and a.along - len(r.shape) == axis - rank and r.shape[a.along] != 1
              and a.around is None}  # fmt: skip
    found = list(starts.items())
    if not found or all(isinstance(start, Const) for start in starts):
        return ZERO
    apart = [(region.between(found[0][0], start), start) for start, region in found]
    return ZERO if any(by is None for by, _ in apart) else min(apart, key=lambda a: a[0])[1]  # type: ignore
