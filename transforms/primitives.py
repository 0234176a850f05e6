"""What primitives are called in messages, and what a user's rule may say of one; part of `adjoint`."""

from __future__ import annotations

import inspect
import operator
import re
import sys
from typing import Any

import numpy as np

from srcad.analysis.activity import Activity
from srcad.lang import walk
from srcad.lang.arrays import rank_of
from srcad.lang.errors import NoGradientError, Problem, refuse, refuse_primitive
from srcad.lang.ir import Call, Const, Expr, Let, Tuple
from srcad.lang.origin import Origin, physical
from srcad.lang.pinpoint import pinpoint
from srcad.lang.symbols import library_name
from srcad.lang.types import TupleType
from srcad.rules import rule as rules
from srcad.runtime import recorded
from srcad.transforms.infer import typed


def primitive_name(fn: Any) -> str:
    """What the user calls a function."""
    known = library_name(fn) or ""
    if known.startswith("scipy."):
        return known
    module = getattr(fn, "__module__", "") or ""
    if getattr(fn, "__objclass__", None) is np.ndarray:
        return f"np.ndarray.{fn.__name__}"
    name: str = getattr(fn, "__qualname__", "") or getattr(fn, "__name__", repr(fn))
    module = _public(module, name, fn)
    short = {"numpy": "np", "builtins": "", "_operator": "operator"}.get(module, module)
    if isinstance(fn, np.ufunc):
        short = "np"
    elif module.startswith("numpy."):
        short = f"np{module.removeprefix('numpy')}"
    if isinstance(owner := getattr(fn, "__self__", None), np.ufunc):  # np.add.reduce
        short, name = f"np.{owner.__name__}", getattr(fn, "__name__", name)
    return f"{short}.{name}" if short else name


def _public(module: str, name: str, fn: object) -> str:
    """Where users find a function that lies in a private part of a package.

    >>> import statistics
    >>> _public("statistics._inner", "fmean", statistics.fmean), _public("statistics", "fmean", statistics.fmean)
    ('statistics', 'statistics')
    """
    outer, _, last = module.rpartition(".")
    if not last.startswith("_") or not outer or getattr(sys.modules.get(outer), name, None) is not fn:
        return module
    return outer


def refuse_call(call: Call, origin: Origin, active: Activity, part: Expr | None = None) -> None:
    """Say of a call that it has no rule, and how one would begin; `part` tells which of several results is asked for.

    `active` are the names that the derivative goes through.
    """
    if call.fn is recorded:
        reason = "a reverse sweep with records of arrays whose shape may change has no reverse sweep of its own"
        return refuse([Problem(origin, reason, "forward mode: srcad.hessian, hvp, or jvp of the gradient")])
    if part is None and isinstance(call.type, TupleType):
        part = Const(0)
    values = (*call.args, *(value for _, value in call.kwargs))
    candidates = [k for k, value in enumerate(values) if not isinstance(value, (Const, Tuple))] or [0]
    moving = [k for k in candidates if values and any(name in active for name in walk.names(values[k]))]
    place, name = pinpoint(origin, call), primitive_name(call.fn)
    spelled = _spelled(call.fn, place)
    shown = tuple(moving or candidates[:1])
    return refuse_primitive(NoGradientError(name, place, _operands(call), shown, _subscript(part), spelled))


def _spelled(fn: Any, place: Origin) -> str:
    """What the user's file calls a function where it calls it; nothing where that cannot be told."""
    found = physical(place)
    name = re.match(r"[A-Za-z_][\w.]*", found.text[found.column :])
    for module in list(sys.modules.values()) if name else ():
        if name and getattr(module, "__file__", None) == found.filename:
            try:
                return name[0] if operator.attrgetter(name[0])(module) is fn else ""
            except AttributeError:
                return ""
    return ""


def _subscript(part: Expr | None) -> str:
    return f"[{part.value}]" if isinstance(part, Const) else ""


def _operands(call: Call) -> tuple[str, ...]:
    """What the arguments of a call are called where the function is defined."""
    count = len(call.args) + len(call.kwargs)
    try:
        names = [*inspect.signature(call.fn).bind(*call.args, **dict(call.kwargs)).arguments]
    except (TypeError, ValueError):
        names = []
    plain = len(names) == count and names[:1] != ["self"] and not {"args", "kwargs", "kwds"} & {*names}
    return tuple(names) if plain and count else ("x", *(f"x{k + 1}" for k in range(1, count)))


def check_rank(stmt: Let, operand: Expr, value: Expr) -> None:
    """Refuse what a user's rule adds if broadcasting cannot have made it of the operand's shape."""
    call = stmt.value
    found = rules.find(call.fn) if isinstance(call, Call) else None
    if found is None or not found.is_users:
        return
    own, of, result = (rank_of(e) for e in (typed(value), operand, call))
    if own > max(of, result):
        name = primitive_name(call.fn)  # type: ignore[union-attr]
        reason = f"the rule of {name} adds a value with {own} axes to a cotangent with {of}; the result has {result}"
        refuse([Problem(pinpoint(stmt.origin, call), reason, "a value of the shape of the operand or of the result")])
