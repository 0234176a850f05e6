"""Calls that machine code makes through the interpreter: of functions that Numba does not have; part of `lower`."""

from __future__ import annotations

import dis
import types
from functools import cache
from typing import Any

from numba.core.registry import cpu_target

from srcad.lang.ir import Call, Const, Expr
from srcad.lang.left import Left
from srcad.lang.locate import is_installed
from srcad.lang.types import Array, Scalar, TupleType, Type
from srcad.rules.rule import find
from srcad.typing.table import TEXT


def by_interpreter(call: Call) -> Call:
    """A call as it is, or through the interpreter: of a library's function that Numba lacks, if no derivative goes
    through it, or if the user has written its rule.

    >>> import numpy as np
    >>> from srcad.lang.ir import Var
    >>> n, shape = Var("n", Scalar("int64")), Array("int64", ("k",), "C")
    >>> type(by_interpreter(Call(np.lexsort, (Var("keys", shape),), (), shape)).fn).__name__
    'Left'
    >>> by_interpreter(Call(np.argsort, (Var("keys", shape),), (), shape)).fn is np.argsort
    True
    """
    values = (*call.args, *(value for _, value in call.kwargs))
    if not _is_lacking(call.fn) or not (_is_data(call.type) or _is_text(call)) or not all(map(_may_be_passed, values)):
        return call
    left = _left(call.fn, tuple(name for name, _ in call.kwargs))
    return Call(left.giving(call.type), values, (), call.type)


@cache
def _left(fn: Any, names: tuple[str, ...]) -> Left:
    return Left(fn, None, names)


def _is_lacking(fn: Any) -> bool:
    """Whether a function of a library has no derivative of ours, and no form for machine code."""
    package = (getattr(fn, "__module__", None) or "").partition(".")[0]
    if package in ("srcad", "builtins", "_operator") or isinstance(fn, type) or type(fn).__hash__ is None:
        return False
    rule = find(fn)
    if isinstance(fn, types.FunctionType) and not is_installed(fn.__code__.co_filename):
        return rule is not None and rule.is_users and _asks_for_lacking(fn)
    return (rule is None or rule.zero or rule.is_users) and not _is_known(fn)


@cache
def _asks_for_lacking(fn: types.FunctionType) -> bool:
    """Whether the user's function, whose rule stands for its source, calls one of a library that Numba lacks."""
    value: Any = None
    for step in dis.get_instructions(fn):
        if step.opname == "LOAD_GLOBAL":
            value = fn.__globals__.get(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, types.ModuleType):
            value = getattr(value, step.argval, None)
        else:
            value = None
        own = isinstance(value, types.FunctionType) and not is_installed(value.__code__.co_filename)
        if callable(value) and not own and not isinstance(value, type) and not _is_known(value):
            return True
    return False


@cache
def _is_known(fn: Any) -> bool:
    """Whether Numba has something under a function."""
    cpu_target.target_context.refresh()  # else it has not yet looked at what it has of NumPy
    cpu_target.typing_context.refresh()
    try:
        return cpu_target.typing_context.resolve_value_type(fn) is not None
    except ValueError:
        return False


def _is_text(call: Call) -> bool:
    """Whether a call makes text of numbers: ``"{}".format(n)``, which an f-string is read as."""
    return call.fn is str.format and call.type == TEXT


def _may_be_passed(value: Expr) -> bool:
    if isinstance(value, Const) and (value.value is None or isinstance(value.value, str)):
        return True
    return _is_data(getattr(value, "type", None))


def _is_data(kind: Type | None) -> bool:
    if isinstance(kind, TupleType):
        return all(map(_is_data, kind.items))
    return isinstance(kind, (Array, Scalar))
