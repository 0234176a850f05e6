"""What may be None as an argument of a function of a library; part of `inline`."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from srcad.lang import ir
from srcad.lang.forms import apply, is_python
from srcad.lang.ir import Attr, Call, Const, Expr, Method, Var, select
from srcad.transforms.calls import SAME, Mismatch, presence

_LOGIC = (
    operator.not_, ir.and_, ir.or_, ir.select, operator.eq, operator.ne, operator.lt, operator.le, operator.gt,
    operator.ge,
)  # fmt: skip


def present(fn: Any, args: tuple[Expr, ...], by_type: AbstractSet[str]) -> tuple[Expr, ...]:
    """The arguments of an operation or a function of a library, which means by what may be None the other value.

    `by_type` are the names of tests that the types of arguments decide.

    Raises
    ------
    Mismatch
        if the function means something of its own by None, too.
    """
    if (parameter := perhaps_none(fn, args, by_type)) is not None:
        raise Mismatch(f"{parameter} is None on one path and a value on another", "a call in each branch")
    if isinstance(fn, type) or fn in SAME or is_python(fn) or fn in (apply, select, isinstance, print):
        return args
    return tuple(map(_other_than_none, args))


def is_of_types(expr: Expr, by_type: AbstractSet[str]) -> bool:
    """Whether the types of arguments decide what a test gives: whether they are None, or how many axes they have.

    >>> from srcad.lang.ir import Var
    >>> is_of_types(Call(operator.not_, (Call(operator.is_, (Var("n"), Const(None))),)), set())
    True
    >>> is_of_types(Call(operator.gt, (Var("n"), Const(0))), set())
    False
    """
    match expr:
        case Const():
            return True
        case Var(name):
            return name in by_type
        case Call(operator.is_ | operator.is_not, args):
            return Const(None) in args
        case Attr(_, "ndim" | "dtype") | Call(np.ndim | np.iscomplexobj):
            return True
        case Call(fn, args) if fn in _LOGIC:
            return all(is_of_types(arg, by_type) for arg in args)
    return False


def perhaps_none(fn: Any, args: tuple[Expr, ...], by_type: AbstractSet[str] = frozenset()) -> str | None:
    """The parameter of a function of a library that is None on one path, where None means something of its own.

    Where types decide the path there is no such call on the other one.

    >>> from srcad.lang.ir import Var
    >>> from srcad.transforms.values import NONE, Choice
    >>> either = Const(Choice(Var("c"), NONE, Const(0)))
    >>> perhaps_none(np.sum, (Var("x"), either)), perhaps_none(np.add, (Var("x"), either))
    ('axis', None)
    """
    unsure = [k for k, arg in enumerate(args) if not is_of_types(presence(arg)[0], by_type)]
    public = getattr(np, fn.name, None) if isinstance(fn, Method) else fn
    if not unsure or not callable(public) or isinstance(public, (type, np.ufunc)) or is_python(public):
        return None
    try:
        parameters = list(inspect.signature(public).parameters.values())
    except (TypeError, ValueError):
        return None
    without = (None, getattr(np, "_NoValue", None))
    return next((parameters[k].name for k in unsure if k < len(parameters) and parameters[k].default in without), None)


def _other_than_none(arg: Expr) -> Expr:
    return presence(arg)[1] or arg
