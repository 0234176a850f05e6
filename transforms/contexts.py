"""``try`` and ``with``: what of them means something for a derivative; part of `desugar`.

Whether a statement fails is not known when a derivative is written, so a handler that goes on with other values is
refused. What is left is straight: the body, and what comes after it in any case.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Union

import gast
import numpy as np

from srcad.lang.forms import REFUSED, is_python
from srcad.lang.ir import Call, Const, Effect, Let, Var
from srcad.runtime.tape import GradientTape, begin, end

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

LOOP = "loop"  # in the list of what is due: break and continue go no further
# The statements of a finally clause, or the end of a tape's block, that are still to come; or a loop.
Due = Union[list[gast.AST], Effect, str]

_HANDLER = "an if that tests for the failure beforehand"
_CONTEXT = "the statements of its body; put the context around the call"


def try_statement(d: Desugarer, node: gast.Try) -> None:
    """``try``, of which the handlers at most raise another exception."""
    if not all(_raises(handler.body) for handler in node.handlers):
        d.refuse(node, "try with a handler that goes on is not supported", _HANDLER)
    d.due.append(node.finalbody)
    d.out += d.block([*node.body, *node.orelse])
    d.due.pop()
    d.out += d.block(node.finalbody)


def _raises(body: list[gast.AST]) -> bool:
    return bool(body) and isinstance(body[-1], gast.Raise) and not any(
        isinstance(inner, (gast.Return, gast.Break, gast.Continue)) for stmt in body for inner in gast.walk(stmt)
    )


def leave(d: Desugarer, everything: bool) -> None:
    """Do what is due before a return, or (not `everything`) before a break or continue."""
    due, origin = d.due, d.origin
    for position in range(len(due) - 1, -1, -1):
        if due[position] == LOOP:
            if not everything:
                break
            continue
        d.due = due[:position]
        left = due[position]
        d.out += (left,) if isinstance(left, Effect) else d.block(left)
    d.due, d.origin = due, origin


def with_statement(d: Desugarer, node: gast.With) -> None:
    """``with np.errstate(...)``: its body; warnings change no number. ``with tape``: the body, and where it is."""
    ends = [left for item in node.items if (left := _context(d, item)) is not None]
    d.due += ends
    body = d.block(node.body)
    del d.due[len(d.due) - len(ends):]
    d.out += (*body, *reversed(ends))


def _context(d: Desugarer, item: gast.withitem) -> Effect | None:
    """The beginning of a context; what is to be done at its end."""
    expr = item.context_expr
    meaning: Any = d.expr(expr.func if isinstance(expr, gast.Call) else expr)
    quiet = isinstance(meaning, Const) and meaning.value in (np.errstate, contextlib.nullcontext)
    if not quiet and meaning is not REFUSED and _may_be_tape(meaning):
        return _tape(d, item)
    if not quiet or item.optional_vars is not None:
        d.refuse(expr, "this with statement is not supported", _CONTEXT)
    elif any(getattr(k.value, "value", None) in ("raise", "call") for k in getattr(expr, "keywords", ())):
        d.refuse(expr, "np.errstate that raises is not supported", "an if that tests for the failure beforehand")
    return None


def _may_be_tape(meaning: Any) -> bool:
    """Whether a context, or what is called to make it, may be a tape: of a name, `inline` knows."""
    return not isinstance(meaning, Const) or meaning.value is GradientTape or is_python(meaning.value)


def _tape(d: Desugarer, item: gast.withitem) -> Effect | None:
    target = item.optional_vars
    if not (target is None or isinstance(target, gast.Name)):
        d.refuse(target, "a tape with another target than a name is not supported", "with GradientTape() as tape")
        return None
    held = d.fresh("context")
    d.emit(Let(held, d.expr(item.context_expr), d.origin))
    begins = Call(begin, (Var(held),))
    d.emit(Effect(begins, d.origin) if target is None else Let(target.id, begins, d.origin))
    return Effect(Call(end, (Var(held),)), d.origin)
