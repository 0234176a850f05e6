"""``try`` and ``with``: what of them means something for a derivative; part of `desugar`.

Whether a statement fails is not known when a derivative is written, so a handler that goes on with other values is
refused. What is left is straight: the body, and what comes after it in any case.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Union

import gast
import numpy as np

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Const

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

LOOP = "loop"  # in the list of what is due: break and continue go no further
Due = Union[list[gast.AST], str]  # the statements of a finally clause that are still to be done, or a loop

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
        d.out += d.block(due[position])
    d.due, d.origin = due, origin


def with_statement(d: Desugarer, node: gast.With) -> None:
    """``with np.errstate(...)``: its body; warnings change no number."""
    for item in node.items:
        _context(d, item)
    d.out += d.block(node.body)


def _context(d: Desugarer, item: gast.withitem) -> None:
    call = item.context_expr
    meaning: Any = d.expr(call.func) if isinstance(call, gast.Call) else REFUSED
    known = isinstance(meaning, Const) and meaning.value in (np.errstate, contextlib.nullcontext)
    if not known or item.optional_vars is not None:
        d.refuse(call, "this with statement is not supported", _CONTEXT)
    elif any(getattr(k.value, "value", None) in ("raise", "call") for k in call.keywords):
        d.refuse(call, "np.errstate that raises is not supported", "an if that tests for the failure beforehand")
