"""What a call calls, and which argument goes to which parameter; part of `inline`."""

from __future__ import annotations

import builtins
import functools
import inspect
import math
import operator
import types
from typing import Any

import numpy as np

from srcad import library
from srcad.lang.forms import LocalFunction, constant, gathered, home, is_data, is_users, star
from srcad.lang.ir import Call, Const, Expr, Function, Method, Slice, Tuple, and_, select
from srcad.lang.translate import display
from srcad.lang.types import Form, TupleType
from srcad.runtime.custom import CustomGradient
from srcad.transforms.asked import asked, is_plain
from srcad.transforms.distributions import is_method, opened
from srcad.transforms.values import NONE, Choice, Partial, choose, is_static

Arguments = dict[str, tuple[Expr, bool]]
"""Parameter -> argument, and whether it is the default."""

SAME = (operator.is_, operator.is_not, operator.eq, operator.ne)
_OF_TEXTS = (operator.add, operator.mod, str.format)
_FOLDABLE = frozenset({
    operator.is_, operator.is_not, operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge,
})  # fmt: skip


class Mismatch(Exception):
    """Arguments that do not fit the parameters, and what would."""

    def __init__(self, reason: str, remedy: str = "each value by itself"):
        super().__init__(reason)
        self.remedy = remedy


def target_of(fn: Any, args: tuple, kwargs: tuple) -> tuple[Any, tuple, tuple]:
    """The function behind partial applications, bound methods and callable objects, with all its arguments."""
    while True:
        if isinstance(fn, functools.partial):
            kwargs = tuple((dict(_constants(fn.keywords)) | dict(kwargs)).items())
            args = (*(constant(value, "c") for value in fn.args), *args)
            fn = fn.func
        elif isinstance(fn, types.MethodType) and is_method(fn):
            if (found := opened(fn)) is None:
                return fn, args, kwargs
            fn, kwargs = found[0], tuple((dict(found[1]) | dict(kwargs)).items())
        elif (own := library.own_method(fn)) is not None:
            fn, args = own[0], (constant(own[1], "self"), *args)
        elif isinstance(fn, types.MethodType):
            fn, args = fn.__func__, (constant(fn.__self__, "self"), *args)
        elif isinstance(fn, Partial):
            kwargs = tuple((dict(fn.kwargs) | dict(kwargs)).items())
            args = (*fn.args, *args)
            fn = fn.fn
        elif hasattr(type(fn), "for_call"):
            fn = fn.for_call(len(args), dict(kwargs))
        elif getattr(type(fn), "is_derivative", False):
            return fn, args, kwargs
        elif users(type(fn)) and isinstance(method := _caller(type(fn)), (types.FunctionType, CustomGradient)):
            fn, args = method, (constant(fn, "self"), *args)
        else:
            return fn, args, kwargs


def _caller(cls: type) -> Any:
    """What makes objects of a class callable."""
    return inspect.getattr_static(cls, "__call__", None)


def _constants(values: dict[str, Any]) -> list[tuple[str, Expr]]:
    return [(name, constant(value, name)) for name, value in values.items()]


def users(cls: type) -> bool:
    """Whether a class is one of the user's."""
    return is_users(home(cls)) and home(cls) != "functools"


def match_arguments(template: LocalFunction, args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> Arguments:
    """Which argument goes to which parameter, in the order of evaluation."""
    function = template.function
    count = len(function.params) - template.keyword_only
    names = [param.name for param in function.params]
    result: Arguments = {name: (value, False) for name, value in zip(names[:count], args)}
    if template.rest is not None:
        several = args[count] if len(args) > count else None
        all_at_once = isinstance(several, Call) and several.fn is gathered
        result[template.rest] = (several.args[0] if all_at_once else Tuple(args[count:]), False)  # type: ignore[union-attr]
    elif len(args) > count:
        raise Mismatch(f"{function.name}() takes {counted(count, 'argument')}, not {len(args)}", _head(function))
    extra: dict[str, Expr] = {}
    for name, value in kwargs:
        if template.keywords is not None and name not in names:
            extra[name] = value
            continue
        if name not in names or name in result:
            what = "has no parameter" if name not in names else "is given twice the parameter"
            raise Mismatch(f"{function.name}() {what} {name!r}", _head(function))
        result[name] = (value, False)
    if template.keywords is not None:
        result[template.keywords] = (display(tuple(extra.values()), Form(dict, tuple(extra))), False)
    for param in function.params:
        if param.name not in result:
            if param.default is None:
                raise Mismatch(f"{function.name}() is called without {param.name!r}", _head(function))
            result[param.name] = (param.default, True)
    return result


def _head(function: Function) -> str:
    """A function with its parameters, as it is called."""
    return f"{function.name}({', '.join(param.name for param in function.params)})"


def counted(count: int, thing: str) -> str:
    """
    >>> counted(1, "argument"), counted(2, "argument")
    ('1 argument', '2 arguments')
    """
    return f"{count} {thing}{'' if count == 1 else 's'}"


def pair_of(fn: Any, args: tuple[Expr, ...]) -> Tuple | None:
    """The two results of a primitive that is two at once; the arguments are names and constants."""
    match args:
        case (x, y) if fn is divmod or fn is np.divmod:
            return Tuple((Call(operator.floordiv, (x, y)), Call(operator.mod, (x, y))))
        case (x,) if fn is math.modf or fn is np.modf:
            whole = Call(np.trunc, (x,))
            return Tuple((Call(operator.sub, (x, whole)), whole))
    return None


def spread(args: tuple[Expr, ...], kwargs: tuple[tuple[str, Expr], ...]) -> tuple[tuple, tuple]:
    """The arguments of a call with those behind ``*`` and ``**`` one by one."""
    positional: list[Expr] = []
    for arg in args:
        match arg:
            case Call(fn, (Tuple(items),)) if fn is star:
                positional += items
            case Call(fn, (Const(value=tuple() as values),)) if fn is star:
                positional += [constant(value, "c") for value in values]
            case Call(fn) if fn is star:
                raise Mismatch("the number of values behind * is not known")
            case _:
                positional.append(arg)
    named: list[tuple[str, Expr]] = []
    for name, behind in kwargs:
        match name, behind:
            case "**", Const(value=dict() as known):
                named += _constants(known)
            case "**", _:
                raise Mismatch("the names behind ** are not known", "each argument by its name")
            case _:
                named.append((name, behind))
    return tuple(positional), tuple(named)


def folded(expr: Expr) -> Expr:
    """Tests of constants, and items and lengths of displays, decided now."""
    match expr:
        case Call(operator.not_, (Const(value=value),)) if is_data(value):
            return Const(not value)
        case Call(operator.getitem, (Tuple(items, type), Const(value=int() as k))) if (
            -len(items) <= k < len(items) and not (isinstance(type, TupleType) and type.form.keys)
        ):
            return items[k]
        case Call(operator.getitem, (Tuple(items, TupleType(form=form)), Const(value=key))) if key in form.keys:
            return items[form.keys.index(key)]
        case Call(operator.getitem, (Tuple(items), Slice() as part)) if (cut := constant_slice(part)) is not None:
            return Tuple(items[cut])
        case Call(operator.getitem, (Const(value=tuple() | list() as held), Slice() as part)) if (
            cut := constant_slice(part)
        ) is not None:
            return constant(held[cut], "c")
        case Call(operator.getitem, (Const(value=Choice(test, then, orelse)), index)):
            return choose(test, *(folded(Call(operator.getitem, (each, index))) for each in (then, orelse)))
        case Call(operator.getitem, (Const(value=tuple() | list() | dict() as held), Const(value=key))):
            try:
                return constant(held[key], "c")
            except (LookupError, TypeError):
                return expr
        case Call(fn, (Tuple(items),)) if fn is len:
            return Const(len(items))
        case Call(builtins.float | builtins.int | builtins.complex as number, (Const(value=str() as text),)):
            try:
                return Const(number(text))
            except ValueError:
                return expr
        case Call(fn, (Const(value=Choice(test, then, orelse)), Const() as other)) if fn in SAME:
            first, second = (folded(Call(fn, (each, other))) for each in (then, orelse))
            return either_way(test, first, second)
        case Call(fn, (Const() as other, Const(value=Choice()) as choice)) if fn in SAME:
            return folded(Call(fn, (choice, other)))
        case Call(fn, (Const(value=left), Const(value=right))) if fn in (operator.is_, operator.is_not):
            return Const(fn(left, right))
        case Call(fn, (Const(value=left), Const(value=right))) if is_plain(left) and is_plain(right) and _foldable(fn):
            try:
                return Const(fn(left, right))
            except TypeError:
                return expr
    return asked(_text(expr))


def _text(expr: Expr) -> Expr:
    """A text that is made of constants, as the constant that it is."""
    match expr:
        case Call(Method("join"), (Const(value=str() as text), Tuple(items))) if all(map(_is_text, items)):
            return Const(text.join(item.value for item in items))  # type: ignore[union-attr, misc]
        case Call(builtins.str, (Const(value=str() | int() as value),)):
            return Const(str(value))
        case Call(fn, (Const(value=str() as text),), ()) if fn in (list, tuple):
            return display(tuple(map(Const, text)), Form(fn))
        case Call(fn, (Const(value=str() as text), *given), ()):
            args = [arg for arg in map(folded_number, given) if isinstance(arg, Const) and is_plain(arg.value)]
            known = fn if fn in _OF_TEXTS else getattr(str, fn.name, None) if isinstance(fn, Method) else None
            try:
                found = args if known is None or len(args) < len(given) else known(text, *(arg.value for arg in args))
                return expr if found is args else constant(found, "text")
            except (TypeError, ValueError, LookupError):
                return expr
    return expr


_OF_NUMBERS = (min, max, *map(vars(operator).get, "add sub mul neg floordiv mod iadd isub".split()))


def folded_number(expr: Expr) -> Expr:
    """A number worked out of constants."""
    if isinstance(expr, Call) and expr.fn in _OF_NUMBERS and not expr.kwargs:
        args = [folded_number(arg) for arg in expr.args]
        by_zero = expr.fn in (operator.floordiv, operator.mod) and args[1] == Const(0)
        if all(isinstance(arg, Const) and isinstance(arg.value, int) for arg in args) and not by_zero:
            return Const(expr.fn(*(arg.value for arg in args)))  # type: ignore[union-attr]
    return folded(expr)


def presence(value: Expr) -> tuple[Expr, Expr | None]:
    """Whether a value is more than None, and what it is then; None where it never is."""
    if value == NONE:
        return Const(False), None
    if not isinstance(value, Const) or not isinstance(value.value, Choice):
        return Const(True), value
    choice = value.value
    (given, then), (also, orelse) = presence(choice.then), presence(choice.orelse)
    if then is None or orelse is None:
        return either_way(choice.test, given, also), then or orelse
    if not is_static(then) and not is_static(orelse):
        return either_way(choice.test, given, also), Call(select, (choice.test, then, orelse))
    same = then is choice.then and orelse is choice.orelse
    return either_way(choice.test, given, also), value if same else choose(choice.test, then, orelse)


def either_way(test: Expr, then: Expr, orelse: Expr) -> Expr:
    """The truth of one of two values, by a test."""
    match then, orelse:
        case Const(value=a), Const(value=b) if a == b:
            return then
        case Const(value=True), Const(value=False):
            return test
        case Const(value=False), Const(value=True):
            return negated(test)
        case Const(value=False), _:
            return Call(and_, (negated(test), orelse))
        case _, Const(value=False):
            return Call(and_, (test, then))
    return Call(select, (test, then, orelse))


def negated(test: Expr) -> Expr:
    """``not test``"""
    match test:
        case Call(operator.not_, (inner,)):
            return inner
    return folded(Call(operator.not_, (test,)))


def constant_slice(part: Slice) -> slice | None:
    """A slice of constants, or of what is worked out of them."""
    bounds = [bound and folded_number(bound) for bound in (part.lower, part.upper, part.step)]
    if not all(bound is None or isinstance(bound, Const) for bound in bounds):
        return None
    return slice(*(bound.value if isinstance(bound, Const) else None for bound in bounds))


def _foldable(fn: Any) -> bool:
    return isinstance(fn, types.BuiltinFunctionType) and fn in _FOLDABLE


def _is_text(expr: Expr) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, str)
