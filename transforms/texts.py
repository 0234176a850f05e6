"""Assertions, exceptions, also those of Python's own, and formatted text; part of `desugar`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Union

import gast

from srcad.lang.ir import Call, Const, Effect, Expr, If, assert_, raise_
from srcad.lang.lists import count_of
from srcad.lang.origin import Origin

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer


def failure(d: Desugarer, node: Union[gast.Assert, gast.Raise]) -> None:
    """``assert`` and ``raise``, which stay in the primal part."""
    match node:
        case gast.Assert(test=test, msg=message):
            args = (d.expr(test),) if message is None else (d.expr(test), d.expr(message))
            d.emit(Effect(Call(assert_, args), d.origin))
        case gast.Raise(exc=None):
            d.refuse(node, "raise without an exception is not supported", "raise ValueError(...)")
        case gast.Raise(exc=gast.Call(func=func, args=args)):
            d.emit(Effect(Call(raise_, (d.expr(func), *d.items(args))), d.origin))
        case gast.Raise(exc=exc):
            d.emit(Effect(Call(raise_, (d.expr(exc),)), d.origin))


def of_length(value: Expr, count: int, origin: Origin, error: Any = ValueError, fewer: bool = False) -> If:
    """The error of values that are unpacked into `count` names where there are more or fewer, or only `fewer`."""
    expected = f"too few values to unpack (expected at least {count})" if fewer else (
        f"too many or too few values to unpack (expected {count})")
    failure = Call(raise_, (Const(error), Const(expected)))
    other = Call(operator.lt if fewer else operator.ne, (Call(count_of, (value,)), Const(count)))
    return If(other, (Effect(failure, origin),), (), origin)


def formatted(d: Desugarer, node: gast.JoinedStr) -> Expr:
    """An f-string as a call of `str.format`."""
    pattern, args = "", []
    for part in node.values:
        if isinstance(part, gast.Constant):
            pattern += part.value.replace("{", "{{").replace("}", "}}")
            continue
        args.append(d.expr(part.value))
        spec = part.format_spec.values if part.format_spec else []
        if any(not isinstance(s, gast.Constant) for s in spec):
            d.refuse(node, "a computed format is not supported", "a fixed format")
        conversion = f"!{chr(part.conversion)}" if part.conversion >= 0 else ""
        text = "".join(s.value for s in spec if isinstance(s, gast.Constant))
        pattern += "{" + conversion + (f":{text}" if text else "") + "}"
    return Call(str.format, (Const(pattern), *args)) if args else Const(pattern.format())
