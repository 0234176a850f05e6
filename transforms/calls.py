"""What a call calls, and which argument goes to which parameter; part of `inline`."""

from __future__ import annotations

import functools
import math
import operator
import types
from typing import Any

import numpy as np

from srcad.lang.forms import LocalFunction, constant, is_data
from srcad.lang.ir import Call, Const, Expr, Tuple
from srcad.lang.types import TupleType

Arguments = dict[str, tuple[Expr, bool]]
"""Parameter -> argument, and whether it is the default."""

_FOLDABLE = frozenset({
    operator.is_, operator.is_not, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
})  # fmt: skip


class Mismatch(Exception):
    """Arguments that do not fit the parameters."""


def target_of(fn: Any, args: tuple, kwargs: tuple) -> tuple[Any, tuple, tuple]:
    """The function behind partial applications, bound methods and callable objects, with all its arguments."""
    while True:
        if isinstance(fn, functools.partial):
            kwargs = tuple((dict(_constants(fn.keywords)) | dict(kwargs)).items())
            args = (*(constant(value, "c") for value in fn.args), *args)
            fn = fn.func
        elif isinstance(fn, types.MethodType):
            fn, args = fn.__func__, (constant(fn.__self__, "self"), *args)
        elif getattr(type(fn), "is_derivative", False):
            return fn, args, kwargs
        elif isinstance(method := vars(type(fn)).get("__call__"), types.FunctionType) and _users(type(fn)):
            fn, args = method, (constant(fn, "self"), *args)
        else:
            return fn, args, kwargs


def _constants(values: dict[str, Any]) -> list[tuple[str, Expr]]:
    return [(name, constant(value, name)) for name, value in values.items()]


def _users(cls: type) -> bool:
    return cls.__module__.partition(".")[0] not in ("numpy", "scipy", "numba", "functools", "srcad")


def match_arguments(template: LocalFunction, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Arguments:
    """Which argument goes to which parameter, in the order of evaluation."""
    function = template.function
    count = len(function.params) - template.keyword_only
    names = [param.name for param in function.params]
    result: Arguments = {name: (value, False) for name, value in zip(names[:count], args)}
    if template.rest is not None:
        result[template.rest] = (Tuple(args[count:]), False)
    elif len(args) > count:
        raise Mismatch(f"{function.name}() takes {count} arguments, not {len(args)}")
    for name, value in kwargs:
        if name not in names or name in result:
            what = "has no parameter" if name not in names else "is given twice the parameter"
            raise Mismatch(f"{function.name}() {what} {name!r}")
        result[name] = (value, False)
    for param in function.params:
        if param.name not in result:
            if param.default is None:
                raise Mismatch(f"{function.name}() is called without {param.name!r}")
            result[param.name] = (param.default, True)
    return result


def pair_of(fn: Any, args: tuple[Expr, ...]) -> Tuple | None:
    """The two results of a primitive that is two at once; the arguments are names and constants."""
    match args:
        case (x, y) if fn is divmod or fn is np.divmod:
            return Tuple((Call(operator.floordiv, (x, y)), Call(operator.mod, (x, y))))
        case (x,) if fn is math.modf or fn is np.modf:
            whole = Call(np.trunc, (x,))
            return Tuple((Call(operator.sub, (x, whole)), whole))
    return None


def folded(expr: Expr) -> Expr:
    """Tests of constants, and items and lengths of displays, decided now."""
    match expr:
        case Call(operator.not_, (Const(value=value),)) if is_data(value):
            return Const(not value)
        case Call(operator.getitem, (Tuple(items, type), Const(value=int() as position))) if (
            position < len(items) and not (isinstance(type, TupleType) and type.form.keys)
        ):
            return items[position]
        case Call(fn, (Tuple(items),)) if fn is len:
            return Const(len(items))
        case Call(fn, (Const(value=left), Const(value=right))) if fn in (operator.is_, operator.is_not):
            return Const(fn(left, right))
        case Call(fn, (Const(value=left), Const(value=right))) if _plain(left) and _plain(right) and _foldable(fn):
            try:
                return Const(fn(left, right))
            except TypeError:
                return expr
    return expr


def _foldable(fn: Any) -> bool:
    return isinstance(fn, types.BuiltinFunctionType) and fn in _FOLDABLE


def _plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, str, type(None)))
