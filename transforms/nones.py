"""What may be None as an argument of a function of a library; part of `inline`."""

from __future__ import annotations

import inspect
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang.forms import apply, is_python
from srcad.lang.ir import Call, Const, Effect, Expr, Method, Tuple, raise_, select
from srcad.transforms.calls import SAME, presence
from srcad.transforms.values import NONE, is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

_KEEPING = frozenset(("append", "appendleft", "extend", "insert", "add", "setdefault", "update", "get", "pop", "index",
                      "count", "remove", "discard"))  # fmt: skip
_ASKED = (apply, select, isinstance, print, callable, operator.contains, operator.not_, operator.setitem)
_SYMBOLS = {
    operator.add: "+", operator.sub: "-", operator.mul: "*", operator.truediv: "/", operator.pow: "**",
    operator.floordiv: "//", operator.mod: "%", operator.matmul: "@", operator.iadd: "+=", operator.isub: "-=",
    operator.imul: "*=", operator.itruediv: "/=", operator.ipow: "**=", operator.imatmul: "@=",
}  # fmt: skip
_OF_FIRST = (next, getattr, setattr, hasattr)  # which mean by what may be None the other value in one place only


def present(fn: Any, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of an operation or a function of a library, which means by what may be None the other value."""
    if isinstance(fn, type) or fn in SAME or is_python(fn) or fn in _ASKED or _is_users(fn, args):
        return args
    if fn in _OF_FIRST:
        return (*map(_other_than_none, args[:1]), *args[1:])
    return tuple(map(_other_than_none, args))


def of_none(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """An operation on None and something else in a branch or loop, which may never be reached: Python's error there.

    None elsewhere, where it is refused.
    """
    if not c.depth or fn not in _SYMBOLS or len(args) != 2 or (args[0] == NONE) == (args[1] == NONE):
        return None
    other = args[args[0] == NONE]
    if is_static(other):
        return None
    message = f"unsupported operand type(s) for {_SYMBOLS[fn]}: one of them is None"
    c.emit(Effect(Call(raise_, (Const(TypeError), Const(message))), c.origin))
    return other  # which nobody sees


def _is_users(fn: Any, args: tuple[Expr, ...]) -> bool:
    """Whether None is as good as any value: for a container, and for a method of an object of the user's."""
    if not isinstance(fn, Method):
        return False
    owner = presence(args[0])[1]
    return fn.name in _KEEPING or owner is not None and is_static(owner)


def option_of_two(fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> int | str | None:
    """Which argument of a function of a library is None on one path, where None means something of its own.

    >>> from srcad.lang.ir import Var
    >>> from srcad.transforms.values import NONE, Choice
    >>> either = Const(Choice(Var("c"), NONE, Const(0)))
    >>> option_of_two(np.sum, (Var("x"), either), ()), option_of_two(np.sum, (Var("x"),), (("axis", either),))
    (1, 'axis')
    >>> option_of_two(np.add, (Var("x"), either), ())
    """
    unsure = {k for k, arg in (*enumerate(args), *kwargs) if not isinstance(presence(arg)[0], Const)}
    public = getattr(np, fn.name, None) if isinstance(fn, Method) else fn
    if not unsure or not callable(public) or isinstance(public, (type, np.ufunc)) or is_python(public):
        return None
    try:
        parameters = list(inspect.signature(public).parameters.values())
    except (TypeError, ValueError):
        return None
    without = (None, getattr(np, "_NoValue", None))
    places = ((k, each.name) for k, each in enumerate(parameters) if each.default in without)
    return next((place for names in places for place in names if place in unsure), None)


def axis_of_two(fn: Any, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> int | str | None:
    """Which argument of a function of NumPy is an axis that a test picks, ``axis=0 if rows else 1``.

    >>> from srcad.lang.ir import Var
    >>> axis = Call(select, (Var("c"), Const(0), Const((0, 1))))
    >>> axis_of_two(np.sum, (Var("x"), axis), ()), axis_of_two(np.add, (Var("x"), axis), ())
    (1, None)
    """
    picked = {k for k, arg in (*enumerate(args), *kwargs) if _is_axis_of_two(arg)}
    public = getattr(np, fn.name, None) if isinstance(fn, Method) else fn
    if not picked or not callable(public) or isinstance(public, (type, np.ufunc)) or is_python(public):
        return None
    try:
        names = list(inspect.signature(public).parameters)
    except (TypeError, ValueError):
        return None
    places = (names.index("axis"), "axis") if "axis" in names else ()
    return next((place for place in places if place in picked), None)


def _is_axis_of_two(arg: Expr) -> bool:
    match arg:
        case Call(fn, (_, *axes)) if fn is select:
            return all(_is_axis(axis) for axis in axes)
    return False


def _is_axis(arg: Expr) -> bool:
    if isinstance(arg, Tuple):
        return all(map(_is_axis, arg.items))
    return isinstance(arg, Const) and type(arg.value) in (int, tuple)


def _other_than_none(arg: Expr) -> Expr:
    return presence(arg)[1] or arg
