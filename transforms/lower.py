"""lower: what Numba cannot compile, written as what it can. For machine code only, just before names are made."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import is_ellipsis
from srcad.lang.ir import Accum, Block, Call, Const, Expr, Function, Slice, Stmt, Store, Tuple
from srcad.lang.promote import UFUNCS
from srcad.lang.types import FLOAT, INT, UNKNOWN, Array, Scalar, Type
from srcad.rules.rule import find_lowering
from srcad.runtime import add_at, fitting, integer_power, sum_to, survives
from srcad.transforms.by_interpreter import by_interpreter
from srcad.transforms.infer import typed
from srcad.transforms.messages import messages
from srcad.transforms.shared_places import shared_places
from srcad.transforms.single import single
from srcad.transforms.true_layouts import with_true_layouts

MIXING = frozenset({np.where, np.clip, np.full, np.array, np.asarray, np.broadcast_to, *UFUNCS})


DTYPES: dict[type, type] = {int: np.int64, bool: np.bool_, float: np.float64, complex: np.complex128}
SINGLE = {"float64": "float32", "float32": "float32", "complex128": "complex64", "complex64": "complex64"}


def lower(fn: Function) -> Function:
    """Replace calls in forms that Numba does not compile, or computes in another dtype than NumPy.

    >>> from srcad.lang.ir import Return, Var
    >>> x = Var("x", Array("float64", ("n", "m"), "C"))
    >>> call = typed(Call(np.max, (x,), (("axis", Const(1)),)))
    >>> lower(Function("f", (), (Return(call),))).body[0].value.fn.__name__
    'max_along'
    """
    return shared_places(single(replace(fn, body=_block(messages(with_true_layouts(fn).body)))))


def _block(block: Block) -> Block:
    return tuple(_stmt(stmt) for stmt in block)


def _stmt(stmt: Stmt) -> Stmt:
    if isinstance(stmt, Store) and _is_mask(stmt.index) and isinstance(getattr(stmt.value, "type", None), Scalar):
        chosen = typed(Call(np.where, (stmt.index, stmt.value, stmt.base)))
        stmt = replace(stmt, index=Const(...), value=chosen)
    elif isinstance(stmt, Store) and _is_mask(stmt.index):
        stmt = replace(stmt, index=typed(Call(np.nonzero, (stmt.index,))))
    elif isinstance(stmt, Store):
        stmt = replace(stmt, index=_by_places(stmt.index))
    elif isinstance(stmt, Accum) and not _agree(stmt.value, stmt.target):
        stmt = replace(stmt, value=Call(fitting, (stmt.value, stmt.target), (), stmt.value.type))
    return walk.map_stmt(lower_expr, stmt, _block)


def _agree(value: Expr, place: Expr) -> bool:
    """Whether an array surely has lengths that those of a place are, so that it may be added in place."""
    if not isinstance(value.type, Array) or isinstance(value, Call) and value.fn is sum_to:
        return True
    dims = place.type.shape if isinstance(place.type, Array) else ()
    return all(dim == 1 or dim == other for dim, other in zip(reversed(value.type.shape), reversed(dims)))


def lower_expr(expr: Expr) -> Expr:
    """An expression, inner calls first."""
    return walk.map_expr(_node, expr)


def _node(expr: Expr) -> Expr:
    """One node whose parts are done; what stands for it is lowered in turn."""
    if isinstance(expr, Const) and isinstance(expr.value, type) and expr.value in DTYPES:
        return replace(expr, value=DTYPES[expr.value])  # as a dtype, Numba knows it by this name alone
    if not isinstance(expr, Call):
        return expr
    if expr.fn is operator.getitem:
        expr = replace(expr, args=(expr.args[0], _without_whole_axes(_by_places(expr.args[1]))))
        return _chosen(expr) if _is_mask(expr.args[1]) else expr
    if expr.fn in (add_at, survives):
        return replace(expr, args=(expr.args[0], _by_places(expr.args[1]), *expr.args[2:]))
    found = find_lowering(expr.fn)
    if found is not None:
        new = found.lower(expr, typed)
        if new is not expr and not _same(new := typed(new), expr):
            return _as_promised(lower_expr(new), expr.type)
    elif (outside := by_interpreter(expr)) is not expr:
        return outside
    return _of_one_dtype(expr) if isinstance(expr.type, Array) else _number(expr)


def _as_promised(new: Expr, kind: Type) -> Expr:
    """What stands for a call, in the dtype of the call."""
    found = getattr(new, "type", None)
    if isinstance(found, Array) and isinstance(kind, Array) and found.dtype != kind.dtype:
        return typed(Call(np.ndarray.astype, (new, Const(np.dtype(kind.dtype).type))))
    return new


def _same(a: Expr, b: Call) -> bool:
    if not isinstance(a, Call) or not member(a.fn, (b.fn,)):
        return False
    # Lengths that nobody knows get new names whenever types are inferred.
    return (a.args, a.kwargs) == (b.args, b.kwargs) or _untyped(a) == _untyped(b)


def _untyped(expr: Expr) -> Expr:
    return walk.map_expr(lambda e: e if isinstance(e, Slice) else replace(e, type=UNKNOWN), expr)


def _is_mask(index: Expr) -> bool:
    kind = getattr(index, "type", None)
    return isinstance(kind, Array) and kind.dtype == "bool" and kind.ndim > 1


def _by_places(index: Expr) -> Expr:
    """An index with the places where masks of several axes are true: Numba takes no such masks beside slices."""
    if not isinstance(index, Tuple) or not any(map(_is_mask, index.items)):
        return index
    items: list[Expr] = []
    for item in index.items:
        if _is_mask(item):
            found = typed(Call(np.nonzero, (item,)))
            axes = range(item.type.ndim)  # type: ignore[union-attr]
            items += [typed(Call(operator.getitem, (found, Const(k, INT)))) for k in axes]
        else:
            items.append(item)
    return Tuple(tuple(items), UNKNOWN)


def _without_whole_axes(index: Expr) -> Expr:
    """``x[1:]`` for ``x[1:, :]``, of which Numba does not see that it is one piece of memory.

    Behind an ellipsis, whole axes tell which ones the others are: ``x[..., 1, :]`` is no ``x[..., 1]``.
    """
    if not isinstance(index, Tuple) or index.items[-1:] != (Slice(),) or any(map(is_ellipsis, index.items)):
        return index
    count = len(index.items)
    while count > 1 and index.items[count - 1] == Slice():
        count -= 1
    return index.items[0] if count == 1 else Tuple(index.items[:count], UNKNOWN)


def _chosen(expr: Call) -> Expr:
    """``x[mask]`` with a mask of several axes."""
    base, mask = expr.args
    if getattr(base, "type", mask.type).ndim != mask.type.ndim:
        return replace(expr, args=(base, typed(Call(np.nonzero, (mask,)))))
    return replace(expr, args=tuple(typed(Call(np.ravel, (e,))) for e in (base, mask)))


def _of_one_dtype(call: Call) -> Call:
    """Numbers of the dtype that NumPy computes in: Numba lets numbers beside arrays widen them, and integers not."""
    if not isinstance(call.type, Array) or call.kwargs or not _mixes(call.fn):
        return call
    if call.type.dtype in SINGLE.values():
        return replace(call, args=tuple(_narrowed(arg, call.fn is np.where) for arg in call.args))
    if call.type.dtype == "float64" and {"float32", "float64"} & _strong_dtypes(call.args) == {"float32"}:
        return replace(call, args=tuple(_widened(arg) for arg in call.args))
    return call


def _number(call: Call) -> Expr:
    """A number as NumPy and Python compute it: Numba widens small integers, and has `math` in single precision."""
    if getattr(call.fn, "__module__", "") == "math" and any(_dtype(arg) == "float32" for arg in call.args):
        return replace(call, args=tuple(_double(arg) for arg in call.args))
    if not member(call.fn, UFUNCS) or call.kwargs:
        return call
    if call.fn is operator.pow and _dtype(call.args[0]).startswith("int") and _dtype(call.args[1]).startswith("int"):
        call = _integer_power(call)
    kind = call.type
    if isinstance(kind, Scalar) and not kind.weak and kind.dtype.startswith(("int", "uint")) and kind.dtype != "int64":
        return Call(np.dtype(kind.dtype).type, (call,), (), kind)
    return call


def _integer_power(call: Call) -> Call:
    """A power of integers: Numba has no negative ones."""
    base, exponent = call.args
    if call.type == FLOAT:
        return replace(call, args=(Call(float, (base,), (), FLOAT), exponent))
    return call if isinstance(exponent, Const) else replace(call, fn=integer_power)


def _dtype(expr: Expr) -> str:
    return getattr(getattr(expr, "type", None), "dtype", "")


def _double(expr: Expr) -> Expr:
    return typed(Call(np.float64, (expr,))) if _dtype(expr) == "float32" else expr


def _mixes(fn: Any) -> bool:
    return isinstance(fn, np.ufunc) or fn in MIXING


def _strong_dtypes(args: tuple[Expr, ...]) -> set[str]:
    """The dtypes of operands that are more than numbers of Python's own."""
    kinds = (getattr(arg, "type", None) for arg in args)
    return {t.dtype for t in kinds if isinstance(t, Array) or (isinstance(t, Scalar) and not t.weak)}


def _narrowed(arg: Expr, integers: bool) -> Expr:
    """A number that is single for NumPy, and would be double for Numba, as a single."""
    if isinstance(arg, Tuple):
        return replace(arg, items=tuple(_narrowed(item, integers) for item in arg.items))
    kind = getattr(arg, "type", None)
    if not isinstance(kind, Scalar) or _is_single(arg):
        return arg
    dtype = "float32" if integers and kind.dtype == "int64" else SINGLE.get(kind.dtype, kind.dtype)
    if dtype not in SINGLE.values():
        return arg
    single, convert = Scalar(dtype), np.dtype(dtype).type
    if isinstance(arg, Const):
        return Const(convert(arg.value), single, arg.name)
    return Call(convert, (arg,), (), single)


def _is_single(expr: Expr) -> bool:
    """Whether Numba, too, computes a number in single precision."""
    match expr:
        case Const(value):
            return isinstance(value, (np.float32, np.complex64))
        case Call(operator.getitem | np.float32 | np.complex64, type=Scalar("float32" | "complex64")):
            return True
        case Call(np.sum | np.max | np.min | np.dot, args, type=Scalar("float32" | "complex64" as dtype)):
            return _strong_dtypes(args) == {dtype}
        case Call(fn, args, (), Scalar("float32" | "complex64")) if _mixes(fn):
            return all(map(_is_single, args))
    return False


def _widened(arg: Expr) -> Expr:
    """Integers as doubles."""
    kind = getattr(arg, "type", None)
    if not isinstance(kind, (Array, Scalar)) or np.dtype(kind.dtype).kind not in "iu" or isinstance(arg, Const):
        return arg
    if isinstance(kind, Array):
        return typed(Call(np.ndarray.astype, (arg, Const(np.float64))))
    return typed(Call(np.float64, (arg,)))
