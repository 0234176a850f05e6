"""Functions of `srcad.library` in the place where NumPy's are called; part of `inline`."""

from __future__ import annotations

import builtins
import functools
import operator
import types
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from srcad import library
from srcad.lang import walk
from srcad.lang.forms import LocalFunction, is_data
from srcad.lang.ir import Attr, Block, Call, Const, Effect, Expr, Function, Stmt, Tuple, Var, raise_
from srcad.lang.origin import Origin, described
from srcad.lang.read import read
from srcad.transforms.desugar import desugar_callee
from srcad.transforms.exits import exits
from srcad.transforms.order import Ordered
from srcad.typing.refusal import Refusal

_OF_ARRAYS = frozenset(("ndim", "shape", "size", "dtype", "T"))
_LONGEST = 16  # iterations of a loop that is written out


@functools.cache
def read_once(fn: Any) -> tuple[LocalFunction, Function]:
    """A function of this package, and its body with one return: unlike a user's, it means the same at every call."""
    template = desugar_callee(read(fn))
    return template, exits(template.function)


def written_here(
    template: LocalFunction, callee: Function, origin: Origin, name: str
) -> tuple[LocalFunction, Function]:
    """A function of the library and its body, of which every statement counts as part of the one at `origin`."""
    function = replace(callee, body=_at(callee.body, origin), name=name)
    return replace(template, function=function), function


def _at(block: Block, origin: Origin) -> Block:
    return tuple(
        replace(walk.map_stmt(lambda expr: expr, _said(stmt, origin), lambda inner: _at(inner, origin)), origin=origin)
        for stmt in block
    )


def _said(stmt: Stmt, origin: Origin) -> Stmt:
    """What the library raises says at which line of the user's."""
    match stmt:
        case Effect(Call(fn, (kind, Const(value=str() as message)))) if fn is raise_:
            return replace(stmt, call=Call(fn, (kind, Const(f"{message}, {described(origin)}"))))
    return stmt


def counts(start: Expr, stop: Expr, step: Expr) -> range | None:
    """The iterations of a loop that is short, and known to be.

    >>> counts(Const(0), Const(3), Const(1))
    range(0, 3)
    """
    match start, stop, step:
        case Const(value=int() as a), Const(value=int() as b), Const(value=int() as c):
            return range(a, b, c) if len(range(a, b, c)) <= _LONGEST else None
    return None


def decided(expr: Expr) -> Expr:
    """Arithmetic on counts, done; items of plans, taken."""
    match expr:
        case Call(builtins.len, (Const(value=tuple() | list() as values),)):
            return Const(len(values))
        case Call(operator.getitem, (Const(value=tuple() as values), Const(value=int() as position))) if (
            -len(values) <= position < len(values)  # else it stands in a branch that is not taken
        ):
            return Const(values[position])
    if isinstance(expr, Call):
        kwargs = tuple((k, _plain(v)) for k, v in expr.kwargs)
        expr = replace(expr, args=tuple(map(_plain, expr.args)), kwargs=kwargs)
    match expr:
        case Call(fn, (Const(value=int() as a), Const(value=int() as b))) if _counts(fn, b):
            return Const(fn(a, b))
        case Call(operator.add, (Const(value=str() as a), Const(value=str() as b))):
            return Const(a + b)
    return expr


def _counts(fn: Any, b: int) -> bool:
    return fn in (operator.add, operator.sub, operator.mul) or (fn in (operator.floordiv, operator.mod) and b != 0)


def _plain(value: Expr) -> Expr:
    """A plan as the tuple that it is."""
    planned = isinstance(value, Const) and isinstance(value.value, library.Plan)
    return Const(value.value.plain()) if planned else value  # type: ignore[union-attr]


def evaluated(fn: Any, args: tuple[Expr, ...]) -> Const | None:
    """What the library asks about constants."""
    if fn is library.known:
        return Const(isinstance(args[0], (Const, Tuple)))
    if fn is library.number:
        return Const(isinstance(args[0], Const) and isinstance(args[0].value, (int, float, np.number)))
    if fn is np.ndim and isinstance(args[0], Const) and isinstance(args[0].value, (int, float, np.number)):
        return Const(0)
    if fn is isinstance and args[1] == Const(str):
        return Const(isinstance(args[0], Const) and isinstance(args[0].value, str))
    if fn is isinstance and args[1] in (Const(tuple), Tuple((Const(tuple), Const(list)))):
        if isinstance(args[0], (Const, Tuple)):
            return Const(isinstance(args[0], Tuple) or isinstance(args[0].value, (tuple, list)))
    if fn is callable:
        return Const(isinstance(args[0], Const) and not is_data(args[0].value))
    if isinstance(fn, types.FunctionType) and fn in library.statics and all(map(is_constant, args)):
        return Const(library.Plan(fn(*map(_value, args))))
    return None


def asked(inliner: Ordered, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """What the library asks about constants, or what `library.refuse` says then."""
    try:
        return evaluated(fn, args)
    except NotImplementedError as error:
        reason, _, remedy = str(error).partition("; instead: ")
        return inliner.refuse(Refusal(reason).sentence, remedy, reason.partition(" ")[0])


def needs_arrays(body: Block) -> set[str]:
    """The names of which the statements of a function of the library ask what only arrays have."""
    exprs = (e for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr))
    return {e.value.name for e in exprs if isinstance(e, Attr) and isinstance(e.value, Var) and e.name in _OF_ARRAYS}


def is_constant(arg: Expr) -> bool:
    """Whether an argument is a constant, or a tuple of constants."""
    return isinstance(arg, Const) or (isinstance(arg, Tuple) and all(map(is_constant, arg.items)))


def _value(arg: Expr) -> Any:
    if isinstance(arg, Tuple):
        return tuple(map(_value, arg.items))
    return _as_tuple(arg.value)  # type: ignore[union-attr]


def _as_tuple(value: Any) -> Any:
    """A list of the caller's as a display of it is read."""
    return tuple(map(_as_tuple, value)) if type(value) in (tuple, list) else value


def is_atom(value: Expr) -> bool:
    """Whether a value can stand in many places: a name, a constant, or a tuple of such."""
    return isinstance(value, (Var, Const)) or (isinstance(value, Tuple) and all(map(is_atom, value.items)))


def without_defaults(fn: Any, kwargs: tuple[tuple[str, Expr], ...]) -> tuple[tuple[str, Expr], ...]:
    """What a function of the library hands on, without what the other function assumes anyway."""
    if str(getattr(fn, "__module__", "")).startswith("srcad.library."):
        return kwargs
    assumed = {"keepdims": False, "ddof": 0, "axis": () if fn is np.concatenate else None}
    return tuple((k, v) for k, v in kwargs if not (isinstance(v, Const) and v.value is assumed.get(k, None)))


def given(kwargs: tuple[tuple[str, Expr], ...]) -> list[str]:
    """The names of the arguments that are more than None."""
    return [name for name, value in kwargs if value != Const(None)]


def has_rule(fn: Any) -> bool:
    """Whether a function is a primitive."""
    from srcad.rules.rule import find

    return find(fn) is not None


def users_rule(fn: Any) -> bool:
    """Whether a function is a primitive because a user says so."""
    from srcad.rules.rule import find

    rule = find(fn)
    return rule is not None and rule.is_users


def makes_closures(body: Block) -> bool:
    """Whether a function defines functions."""
    return bool(_made_in(body))


def closed_over(body: Block, bound: Mapping[str, tuple[Expr, bool]]) -> set[str]:
    """The parameters that functions which a function defines may read when the arguments' names mean something else.

    A constant means the same always, unless one of these functions assigns the parameter.
    """
    made = _made_in(body)
    fixed = {name for name, (value, _) in bound.items() if isinstance(value, Const) and is_data(value.value)}
    return bound.keys() - (fixed - set().union(*(each.outer for each in made))) if made else set()


def _made_in(body: Block) -> list[LocalFunction]:
    exprs = (e for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr))
    return [e.value for e in exprs if isinstance(e, Const) and isinstance(e.value, LocalFunction)]
