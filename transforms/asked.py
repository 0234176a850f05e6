"""What constants answer when they are asked for their type or their axes; part of `inline`."""

from __future__ import annotations

import builtins

import numpy as np

from srcad.lang.ir import Call, Const, Expr, Tuple


def asked(expr: Expr) -> Expr:
    """The answer, where inlining knows it: of a test only the branch taken is followed then.

    >>> asked(Call(isinstance, (Const(3), Const(dict)))), asked(Call(np.ndim, (Tuple((Const(3), Const(2))),)))
    (Const(value=False, type=Unknown(), name=None), Const(value=1, type=Unknown(), name=None))
    """
    match expr:
        case Call(builtins.isinstance, (Const(value=one), Const(value=kind))) if is_plain(one) and _are_classes(kind):
            return Const(isinstance(one, kind))
        case Call(np.ndim, (value,), ()) if (axes := _axes(value)) is not None:
            return Const(axes)
    return expr


def is_plain(value: object) -> bool:
    """Whether a value is a number, a text or None.

    >>> is_plain(2.5), is_plain((1, 2))
    (True, False)
    """
    return value is None or isinstance(value, (bool, int, float, str))


def _are_classes(kind: object) -> bool:
    return all(isinstance(each, type) for each in (kind if isinstance(kind, tuple) else (kind,)))


def _axes(value: Expr) -> int | None:
    """How many axes a number has, and displays of numbers."""
    match value:
        case Const(value=bool() | int() | float()):
            return 0
        case Tuple((_, *_) as items) if None not in (found := {_axes(item) for item in items}) and len(found) == 1:
            return 1 + found.pop()  # type: ignore[operator]
    return None
