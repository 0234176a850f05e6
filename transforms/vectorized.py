"""Functions of numbers that go over the elements of arrays: `np.vectorize` and `numba.vectorize`; part of `inline`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad import library
from srcad.lang import walk
from srcad.lang.forms import is_python
from srcad.lang.ir import Accum, Call, Const, Effect, Expr, Stmt, Store, Tuple, assert_, raise_
from srcad.lang.locate import unwrap
from srcad.library.mapping import MAPS, first_of
from srcad.transforms.values import Closure, Vectorized, describe, is_static, mapped, may_return_integers

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords


def vectorized(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """What `np.vectorize` makes, or a call of that: a loop over the elements; None: another call."""
    if fn is np.vectorize and args and isinstance(args[0], Const) and is_static(args[0]):
        given = dict(kwargs)
        if set(given) - {"otypes", "cache"}:
            reason = "np.vectorize with a signature or excluded arguments is not supported"
            return c.refuse(reason, "np.array([f(row) for row in x])", "vectorize")
        return Const(Vectorized(args[0].value, given.get("otypes"), given.get("cache") == Const(True)))
    inner = mapped(fn)
    return elementwise(c, fn, inner, args) if inner is not None and not kwargs and args else None


def elementwise(c: Callees, fn: Any, inner: Any, args: tuple[Expr, ...]) -> Expr:
    """A call of a vectorized function: a loop over the elements."""
    of_numpy = isinstance(fn, (np.vectorize, Vectorized))
    if of_numpy and not fn.otypes and _rounds(c, inner):
        reason = "np.vectorize of a function that returns whole numbers, which rounds all results if it starts so,"
        return c.refuse(f"{reason} is not supported", "1.0 instead of 1, or otypes=[float]", "vectorize")
    written = library.elementwise(len(args))
    if written is None:
        return c.refuse("a vectorized function of so many arrays is not supported", "a loop", describe(fn))
    if not of_numpy and _for_one_element(c):
        return c.invoke(inner, tuple(_number(c, arg, fn) for arg in args), ())
    if of_numpy and not fn.otypes and not fn.cache:
        _tried(c, inner, args)
    result = c.enter_library(written, (Const(inner), *args), (), describe(fn))
    return _of_type(c, result, fn.otypes) if of_numpy and fn.otypes else result


def _for_one_element(c: Callees) -> bool:
    """Whether what is read stands in the function of numbers of another vectorized one."""
    return any(getattr(active, "fn", active) in MAPS for active, _ in c.stack)


def _number(c: Callees, arg: Expr, fn: Any) -> Expr:
    """An argument of what machine code has for numbers only: two ways to go on, one inside the other, would be many."""
    value = c.named(arg)
    said = Const(f"{describe(fn)}() of an array inside of a vectorized function")
    c.emit(Effect(Call(assert_, (Call(operator.eq, (Call(np.ndim, (value,)), Const(0))), said)), c.origin))
    return value


def _rounds(c: Callees, fn: Any) -> bool:
    """Whether a function of the user's may return a whole number."""
    template = fn.template if isinstance(fn, Closure) else c.template(unwrap(fn)) if is_python(fn) else None
    return template is not None and may_return_integers(template.function)


def _tried(c: Callees, inner: Any, args: tuple[Expr, ...]) -> None:
    """The call for the first elements by which NumPy learns the type of the results, if it changes anything."""
    state, known, static = c.state(), set(c.used), dict(c.static)

    def first() -> None:
        elements = tuple(c.enter_library(first_of, (arg,), (), "vectorize") for arg in args)
        c.named(c.invoke(inner, elements, ()))

    emitted, _ = c.collect(first)
    rebound = walk.assigned(tuple(emitted)) & known or any(c.static.get(name) != held for name, held in static.items())
    if rebound or any(map(_changes, walk.statements(tuple(emitted)))):
        c.out += emitted
    else:
        c.back(state)


def _changes(stmt: Stmt) -> bool:
    """Whether a statement may change something, or say something."""
    match stmt:
        case Effect(Call(fn)):
            return fn not in (raise_, assert_)
    return isinstance(stmt, (Store, Accum, Effect))


def _of_type(c: Callees, result: Expr, otypes: Expr) -> Expr:
    """The results as of the type that was asked for."""
    given = getattr(otypes, "value", otypes)
    types = [item.value for item in otypes.items if isinstance(item, Const)] if isinstance(otypes, Tuple) else given
    if not isinstance(types, (str, list, tuple)) or len(types) != 1:
        reason = "np.vectorize of a function with several results is not supported"
        return c.refuse(reason, "a vectorized function for each of them", "vectorize")
    wanted = np.dtype(types[0])
    return result if wanted == np.float64 else c.invoke(np.asarray, (result, Const(wanted)), ())
