"""truths: ``flag is True`` asks for the flag itself, where that can be nothing but Python's True or False; part of
`surface`.

What NumPy compares gives booleans of its own, which are never identical with Python's: a flag counts if all that it
is ever given are the constants, ``not ...``, ``bool(...)`` and what these are made of. An argument is asked for its
type.
"""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Let, Var, and_, or_, select
from srcad.transforms.calls import folded

_IDENTITY = (operator.is_, operator.is_not)
_PLAIN = (operator.not_, bool, isinstance, *_IDENTITY)


def truths(fn: Function) -> Function:
    """The function without the identities with True and False of which the answer is known.

    >>> asked = Call(operator.is_, (Var("on"), Const(False)))
    >>> body = (Let("on", Const(True)), Let("off", asked))
    >>> truths(Function("f", (), body)).body[1].value == Call(operator.not_, (Var("on"),))
    True
    """
    exprs = (expr for stmt in walk.statements(fn.body) for expr in walk.stmt_exprs(stmt))
    if not any(_flag_of(part) for expr in exprs for part in walk.subexprs(expr)):
        return fn
    flags = _flags(fn)
    given = {param.name for param in fn.params} - walk.assigned(fn.body)

    def asked(expr: Expr) -> Expr:
        if (found := _flag_of(expr)) is None:
            return expr
        flag, wanted = found
        if _is_plain(flag, flags):
            return flag if wanted else folded(Call(operator.not_, (flag,)))
        return _of_parameter(flag, expr) if isinstance(flag, Var) and flag.name in given else expr

    return replace(fn, body=walk.map_block(asked, fn.body))


def _of_parameter(flag: Var, asked: Expr) -> Expr:
    """What is asked of an argument, which may be any value."""
    assert isinstance(asked, Call) and isinstance(asked.args[1], Const)
    same = flag if asked.args[1].value else Call(operator.not_, (flag,))
    test = Call(and_, (Call(isinstance, (flag, Const(bool))), same))
    return test if asked.fn is operator.is_ else Call(operator.not_, (test,))


def _flag_of(expr: Expr) -> tuple[Expr, bool] | None:
    """What is compared with True or False by ``is`` or ``is not``, and the truth for which the answer is yes."""
    match expr:
        case Call(fn, (flag, Const(value=bool() as truth))) if fn in _IDENTITY and not isinstance(flag, Const):
            return flag, truth is (fn is operator.is_)
        case _:
            return None


def _flags(fn: Function) -> set[str]:
    """The names that hold nothing but Python's True and False."""
    lets: dict[str, list[Expr]] = {}
    other = {param.name for param in fn.params}
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let):
            lets.setdefault(stmt.target, []).append(stmt.value)
        else:
            other |= set(walk.targets(stmt))
    flags = lets.keys() - other
    while lost := {name for name in flags if not all(_is_plain(value, flags) for value in lets[name])}:
        flags -= lost
    return flags


def _is_plain(value: Expr, flags: set[str]) -> bool:
    match value:
        case Const(value=bool()):
            return True
        case Var(name):
            return name in flags
        case Call(fn, args) if fn in (and_, or_):
            return all(_is_plain(arg, flags) for arg in args)
        case Call(fn, (_, then, orelse)) if fn is select:
            return _is_plain(then, flags) and _is_plain(orelse, flags)
        case Call(fn):
            return fn in _PLAIN
        case _:
            return False
