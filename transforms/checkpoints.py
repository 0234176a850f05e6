"""checkpoints: ``for t in srcad.checkpoint(range(n), every=k)``; part of `desugar`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import gast

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Effect, Expr, For, If, Var, raise_
from srcad.runtime.checkpoint import checkpoint
from srcad.transforms.iterables import Head, called, length
from srcad.transforms.segments import in_segments, square_root

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_CALL = "for t in srcad.checkpoint(range(n), every=k): ..."


def segment_length(d: Desugarer, node: gast.AST) -> Expr | None:
    """The length of segments that the head of a loop asks for: `Const` None for any, None for no segments."""
    if not isinstance(node, gast.Call) or not isinstance(node.func, (gast.Name, gast.Attribute)):
        return None
    if called(d, node.func) is not checkpoint:
        return None
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    if not node.args or len(node.args) + len(named) > 2 or not named.keys() <= {"every"}:
        return d.refuse(node, "checkpoint takes what the loop goes over, and every", _CALL)
    asked = node.args[1] if len(node.args) == 2 else named.get("every")
    every = Const(None) if asked is None else d.expr(asked)
    if isinstance(every, Const) and every is not REFUSED and every.value is not None:
        try:
            checkpoint((), every.value)
        except (TypeError, ValueError) as error:
            return d.refuse(node, str(error), _CALL)
    return every


def checkpointed(head: Head, node: gast.For, loop: For, every: Expr) -> For:
    """The loop in segments; where an iteration leaves it, no other segment follows."""
    d, origin = head.d, loop.origin
    start, stop = head.fixed(loop.start), head.fixed(loop.stop)
    if not isinstance(loop.step, Const) or not isinstance(loop.step.value, int):
        reason = "a checkpointed loop over a range with a step that is no constant is not supported"
        d.refuse(node.iter, reason, "a plain range, and the number computed of its index")
        return loop
    name = d.fresh("every")
    if isinstance(every, Const) and every.value is None:
        every = square_root(length(start, stop, loop.step))
    elif not isinstance(every, Const):
        every = head.fixed(every)
        error = Call(raise_, (Const(ValueError), Const("checkpoint: every must be 1 or more")))
        d.emit(If(Call(operator.lt, (every, Const(1))), (Effect(error, origin),), (), origin))
    if not isinstance(every, (Const, Var)) or walk.names(every) & head.changing:
        d.let(name, every)
        every = Var(name)

    return in_segments(For(loop.index, start, stop, loop.step, loop.body, None, origin), every, d.fresh("segment"))
