"""Arguments behind ``*`` and ``**``, as far as what is known of structures tells them; part of `inline`."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.analysis.buffers import stored_names
from srcad.lang import walk
from srcad.lang.forms import LocalFunction, apply, columns, gathered, is_python, is_star, star
from srcad.lang.ir import Call, Const, Expr, Let, Method, Slice, Stmt, Tuple
from srcad.lang.locate import unwrap
from srcad.lang.structure import form_of_class
from srcad.lang.types import UNKNOWN, TupleType
from srcad.transforms.texts import of_length
from srcad.transforms.calls import target_of, users
from srcad.transforms.inplace import is_inplace
from srcad.transforms.kept import held
from srcad.transforms.values import Closure, is_static
from srcad.transforms.written import has_rule

if TYPE_CHECKING:
    from srcad.transforms.callees import Keywords
    from srcad.transforms.known import Known


def without(c: Known, args: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """Arguments with what stands behind stars, as far as it is known."""
    result: list[Expr] = []
    for arg in args:
        known = c.iterated(arg.args[0]) if is_star(arg) else None  # type: ignore[union-attr]
        result += (arg,) if known is None else known
    return tuple(result)


def kept(c: Known, arg: Expr, later: list[Stmt]) -> Expr:
    """``*values`` before an argument whose statements write into nothing but what they make."""
    lets = [stmt for stmt in walk.statements(tuple(later)) if isinstance(stmt, Let)]
    views = {stmt.target for stmt in lets if next(held(stmt.value), None)}
    changed = any(isinstance(stmt.value, Call) and is_inplace(stmt.value.fn) for stmt in lets)
    if changed or stored_names(tuple(later)) - ({stmt.target for stmt in lets} - views):
        what = "values behind a star that a later argument may change"
        return c.refuse(f"{what} are not supported", "ys = list(xs), then *ys")
    return Call(star, (c.settled(arg.args[0], False),))  # type: ignore[union-attr]


def joined(c: Known, expr: Expr) -> Expr:
    """``np.concatenate(([a], b, [c]))`` for ``np.array([a, *b, c])`` with `b` of unknown length, of any rank."""
    match expr:
        case Call(fn, (Tuple(items) as display,), kwargs) if fn in (np.array, np.asarray):
            rows = tuple(joined(c, Call(np.array, (item,))) if _is_starred(item) else item for item in items)
        case _:
            return expr
    if not any(map(is_star, items)):
        return expr if rows == items else replace(expr, args=(replace(display, items=rows),))
    parts: list[Expr] = []
    row: list[Expr] = []
    for item in rows:
        if not is_star(item) or c.iterated(item.args[0]) is not None:  # type: ignore[union-attr]
            row.append(item)
            continue
        parts += [_row(row, display)] if row else []
        parts.append(Call(np.asarray, item.args))  # type: ignore[union-attr]
        row = []
    if not parts:
        return expr
    parts += [_row(row, display)] if row else []
    whole = Call(np.concatenate, (Tuple(tuple(parts)),))
    return Call(np.array, (whole,), kwargs) if kwargs else whole


def _is_starred(item: Expr) -> bool:
    return isinstance(item, Tuple) and any(map(is_star, item.items))


def _row(items: list[Expr], display: Tuple) -> Expr:
    return Call(np.array, (replace(display, items=tuple(items), type=UNKNOWN),))


def unpacked(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[tuple[Expr, ...], Keywords]:
    """The arguments of a call one by one; of one array, as many elements as the function has parameters for."""
    named: list[tuple[str, Expr]] = []
    for name, value in kwargs:
        found = c.type_of(value) if name == "**" else UNKNOWN
        if isinstance(found, TupleType) and found.form.cls is dict:
            named += zip(found.form.keys, c.elements(value) or ())
        else:
            named.append((name, value))
    args = without(c, args)
    if not any(map(is_star, args)):
        return args, tuple(named)
    if (rest := _with_rest(c, fn, args, tuple(named))) is not None:
        return rest, tuple(named)
    if fn in (max, min, math.hypot):
        return (args[0].args[0] if len(args) == 1 else c.shown(c.named(c.gathered(args))),), tuple(named)  # type: ignore[union-attr]
    place = next(k for k, arg in enumerate(args) if is_star(arg))
    first, behind = args[:place], args[place + 1 :]
    values = args[place].args[0]  # type: ignore[union-attr]
    if any(map(is_star, behind)):
        if _parameters_left(c, fn, first, tuple(named)) is None:
            return args, tuple(named)
        values, behind = c.shown(c.named(c.gathered(args[place:]))), ()
    if fn is zip and len(args) == 1:
        return (Call(columns, (values,)),), ()
    left = _parameters_left(c, fn, (*first, *behind), tuple(named))
    if left is not None:
        values = c.named(values)
        c.emit(of_length(values, left, c.origin, TypeError))
        args = (*first, *(Call(operator.getitem, (values, Const(k))) for k in range(left)), *behind)
    return args, tuple(named)


def _template(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[Any, tuple, Keywords]:
    """The user's function that is called, None where it is none, and its arguments."""
    if fn is apply and isinstance(args[0], Const) and is_static(args[0]):
        fn, args = args[0].value, args[1:]
    elif isinstance(fn, Method) and isinstance(args[0], Const) and is_static(args[0]):
        fn, args = getattr(c.attribute(args[0], fn.name), "value", None), args[1:]
    fn, args, kwargs = target_of(fn, args, kwargs)
    if getattr(type(fn), "is_derivative", False):  # of the parameters of its function
        fn = getattr(fn.bare.fn, "closure", fn.bare.fn)
    if isinstance(fn, Closure):
        return fn.template, args, kwargs
    return (c.template(unwrap(fn)) if is_python(fn) and not has_rule(fn) else fn), args, kwargs


def _parameters_left(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> int | None:
    """How many values a call still needs; None where that may be several numbers."""
    template, args, kwargs = _template(c, fn, args, kwargs)
    if isinstance(template, np.ufunc):
        return template.nin - len(args)
    if isinstance(template, type) and (users(template) or form_of_class(template) is not None):
        return _fields_left(template, len(args), dict(kwargs).keys())
    if not isinstance(template, LocalFunction):
        return None
    params = template.function.params[: len(template.function.params) - template.keyword_only]
    rest = [param for param in params[len(args):] if param.name not in dict(kwargs)]
    return None if template.rest is not None or any(param.default is not None for param in rest) else len(rest)


def _fields_left(cls: type, given: int, named: Collection[str]) -> int | None:
    """How many values a class still needs to make an object; None where that may be several numbers."""
    try:
        params = list(inspect.signature(cls).parameters.values())[given:]
    except ValueError:  # a built-in class that does not say what it is made of
        return None
    rest = [param for param in params if param.kind is not param.KEYWORD_ONLY and param.name not in named]
    starred = any(param.kind in (param.VAR_POSITIONAL, param.VAR_KEYWORD) for param in rest)
    return None if starred or any(param.default is not param.empty for param in rest) else len(rest)


def _with_rest(c: Known, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> tuple[Expr, ...] | None:
    """The arguments of a function with ``*rest``, to which all goes for which there are no other parameters."""
    template, all_args, _ = _template(c, fn, args, kwargs)
    if not isinstance(template, LocalFunction) or template.rest is None:
        return None
    params = template.function.params[: len(template.function.params) - template.keyword_only]
    count = len(params) - (len(all_args) - len(args))
    place = next(k for k, arg in enumerate(args) if is_star(arg))
    if place >= count:
        return (*args[:count], Call(gathered, (c.gathered(args[count:]),)))
    missing, behind = count - place, args[place + 1 :]
    if any(param.default is not None for param in params):
        return None
    given = c.gathered(args[place:]) if behind else args[place].args[0]  # type: ignore[union-attr]
    values = c.named(c.shown(c.named(given)))
    c.emit(of_length(values, missing, c.origin, TypeError, True))
    ones = (Call(operator.getitem, (values, Const(k))) for k in range(missing))
    others = Call(operator.getitem, (values, Slice(Const(missing), None)))
    return (*args[:place], *ones, Call(gathered, (c.gathered((Call(star, (others,)),)),)))
