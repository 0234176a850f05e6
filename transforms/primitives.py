"""What primitives are called in messages, and what a user's rule may say of one."""

from __future__ import annotations

import numpy as np

from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import Call, Expr, Let
from srcad.lang.pinpoint import pinpoint
from srcad.lang.symbols import library_name
from srcad.lang.types import Array
from srcad.rules import rule as rules
from srcad.transforms.infer import typed


def primitive_name(fn: object) -> str:
    """What the user calls a function."""
    known = library_name(fn) or ""
    if known.startswith("scipy."):
        return known
    module = getattr(fn, "__module__", "") or ""
    name: str = getattr(fn, "__qualname__", "") or getattr(fn, "__name__", repr(fn))
    short = {"numpy": "np", "builtins": "", "_operator": "operator"}.get(module, module)
    if isinstance(fn, np.ufunc):
        short = "np"
    if isinstance(owner := getattr(fn, "__self__", None), np.ufunc):  # np.add.reduce
        short, name = f"np.{owner.__name__}", getattr(fn, "__name__", name)
    return f"{short}.{name}" if short else name


def check_rank(stmt: Let, operand: Expr, value: Expr) -> None:
    """Refuse what a user's rule adds if broadcasting cannot have made it of the operand's shape."""
    call = stmt.value
    found = rules.find(call.fn) if isinstance(call, Call) else None
    if found is None or not found.is_users:
        return
    own, of, result = (_rank(e) for e in (typed(value), operand, call))
    if own > max(of, result):
        name = primitive_name(call.fn)  # type: ignore[union-attr]
        reason = f"the rule of {name} adds a value with {own} axes to a cotangent with {of}; the result has {result}"
        refuse([Problem(pinpoint(stmt.origin, call), reason, "a value of the shape of the operand or of the result")])


def _rank(expr: Expr) -> int:
    kind = getattr(expr, "type", None)
    return kind.ndim if isinstance(kind, Array) else 0
