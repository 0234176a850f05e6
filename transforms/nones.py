"""What may be None as an argument of a function of a library; part of `inline`."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from srcad.lang.forms import apply, is_python
from srcad.lang.ir import Const, Expr, Method, select
from srcad.transforms.calls import SAME, Mismatch, presence


def present(fn: Any, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The arguments of an operation or a function of a library, which means by what may be None the other value.

    Raises
    ------
    Mismatch
        if the function means something of its own by None, too.
    """
    if (parameter := perhaps_none(fn, args)) is not None:
        raise Mismatch(f"{parameter} is None on one path and a value on another", "a call in each branch")
    if isinstance(fn, type) or fn in SAME or is_python(fn) or fn in (apply, select, isinstance, print):
        return args
    return tuple(map(_other_than_none, args))


def perhaps_none(fn: Any, args: tuple[Expr, ...]) -> str | None:
    """The parameter of a function of a library that is None on one path, where None means something of its own.

    >>> from srcad.lang.ir import Var
    >>> from srcad.transforms.values import NONE, Choice
    >>> either = Const(Choice(Var("c"), NONE, Const(0)))
    >>> perhaps_none(np.sum, (Var("x"), either)), perhaps_none(np.add, (Var("x"), either))
    ('axis', None)
    """
    unsure = [k for k, arg in enumerate(args) if presence(arg)[0] not in (Const(True), Const(False))]
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
