"""Calls that write their result into an array: ``np.add(x, y, out=a)``, ``np.exp(x, a)``; part of `inline`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from srcad.lang.forms import REFUSED, LocalFunction, apply, is_python
from srcad.lang.ir import Const, Expr, Method, Store, Tuple, Var
from srcad.library import in_place
from srcad.transforms.objects import called
from srcad.transforms.operators import has_items
from srcad.transforms.values import Choice, Object

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

# Where the output stands among the arguments that are given by position.
_POSITIONS: dict[Any, int] = {
    np.sum: 3, np.mean: 3, np.prod: 3, np.std: 3, np.var: 3, np.cumsum: 3, np.cumprod: 3,
    np.max: 2, np.min: 2, np.amax: 2, np.amin: 2, np.ptp: 2, np.any: 2, np.all: 2, np.argmax: 2, np.argmin: 2,
    np.nansum: 3, np.nanprod: 3, np.nanmean: 3, np.nanstd: 3, np.nanvar: 3, np.nancumsum: 3, np.nancumprod: 3,
    np.nanmax: 2, np.nanmin: 2, np.nanargmax: 2, np.nanargmin: 2, np.dot: 2, np.clip: 3, np.round: 2, np.take: 3,
    np.outer: 2, np.compress: 3,
}  # fmt: skip


Exprs = tuple[Expr, ...]
Named = tuple[tuple[str, Expr], ...]


class Output(NamedTuple):
    """The array that a call writes into, where a mask says so, and the call's other arguments."""

    place: Expr
    where: Expr | None
    args: Exprs
    kwargs: Named


def output_of(fn: Any, args: Exprs, kwargs: Named) -> Output | None:
    """The output of a call of a function of NumPy's; None if it returns a new array.

    >>> output_of(np.exp, (Var("x"), Var("y")), ()).place, output_of(np.exp, (Var("x"),), ())
    (Var(name='y', type=Unknown()), None)
    """
    if fn is apply or isinstance(fn, LocalFunction) or (not isinstance(fn, Method) and is_python(fn)):
        return None
    if type(fn).__name__ == "StencilFunc":  # which leaves the border of its output as it was
        return None
    named = dict(kwargs)
    position = fn.nin if isinstance(fn, np.ufunc) else _POSITIONS.get(fn) if _hashable(fn) else None
    place = named.pop("out", None)
    if position is not None and len(args) == position + 1:
        *rest, place = args
        args = tuple(rest)
    if isinstance(place, Tuple) and len(place.items) == 1:
        (place,) = place.items
    if place is None or (isinstance(place, Const) and place.value is None):
        return None
    where = named.pop("where", None) if isinstance(fn, np.ufunc) else None
    if isinstance(where, Const) and where.value is True:
        where = None
    return Output(place, where, args, tuple(named.items()))


def meant(inliner: Callees, fn: Any, args: Exprs, kwargs: Named) -> tuple[Exprs, Named]:
    """The arguments of a call of NumPy's that change the result; a ufunc's ``dtype=`` is that of its operands."""
    args, behind = _behind_output(fn, args)
    named = {**behind, **dict(kwargs)}
    if not named:
        return args, kwargs
    if not is_python(fn):
        named = {name: value for name, value in named.items() if name not in ("out", "dtype") or value != Const(None)}
    if isinstance(fn, np.ufunc):
        idle = ("casting", "order", "subok", *(["where"] if named.get("where") == Const(True) else []))
        named = {name: value for name, value in named.items() if name not in idle}
        dtype = named.get("dtype", Const(None))
        if any(kinds.endswith("d") for kinds in fn.types) and isinstance(dtype, Const):
            named.pop("dtype", None)
            if dtype.value is not None:
                args = tuple(inliner.named(inliner.invoke(in_place.converted, (arg, dtype), ())) for arg in args)
    return args, tuple(named.items())


def _behind_output(fn: Any, args: Exprs) -> tuple[Exprs, dict[str, Expr]]:
    """Arguments by position, and by name the output and what follows it: ``np.max(x, 1, None, True)``."""
    fn = getattr(np, fn.name, None) if isinstance(fn, Method) else fn
    position = _POSITIONS.get(fn) if _hashable(fn) else None
    if position is None or len(args) <= position:
        return args, {}
    behind = zip([*inspect.signature(fn).parameters][position:], args[position:])
    return args[:position], {name: value for name, value in behind if value != Const(None)}


def _hashable(fn: Any) -> bool:
    return getattr(type(fn), "__hash__", None) is not None


def no_place(expr: Expr) -> tuple[str, str]:
    """The reason and the remedy where something is written into that is no array of the function's."""
    held = expr.value if isinstance(expr, Const) else None
    if isinstance(held, Choice):
        return "writing into one of two lists or objects is not supported", "a store in each branch of an if"
    if isinstance(held, Object):
        remedy = "a name for it: t = ..., and t[k] = value" if has_items(expr) else "another list in it: d[key] = [...]"
        return f"writing into {called(held.cls)} is not supported", remedy
    named = getattr(expr, "name", None)
    what = f"the array {named!r} of a global or closure" if named else "a constant"
    return f"writing into {what} is not supported", "a copy of it"


def write_output(inliner: Callees, fn: Any, output: Output) -> Expr:
    """Store the result of a call, and give the array that it was stored in."""
    place = inliner.named(output.place)
    if not isinstance(place, Var):
        return inliner.refuse(*no_place(place), "out")
    if output.where is None:
        index: Expr = Const(...)
        value = inliner.invoke(fn, output.args, output.kwargs)
    else:
        index = inliner.named(inliner.invoke(in_place.places_of, (output.where, place), ()))
        chosen = (inliner.invoke(in_place.chosen_of, (arg, index, place), ()) for arg in output.args)
        value = inliner.invoke(fn, tuple(map(inliner.named, chosen)), output.kwargs)
    if value is REFUSED:
        return REFUSED
    inliner.changes += 1
    inliner.emit(Store(place, index, value, inliner.origin))
    return place
