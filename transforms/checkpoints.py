"""checkpoints: ``for t in srcad.checkpoint(range(n), every=k)``; part of `desugar`."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING

import gast

from srcad.lang import walk
from srcad.lang.forms import REFUSED
from srcad.lang.ir import Call, Const, Effect, Expr, For, If, Var, raise_
from srcad.runtime import with_states
from srcad.runtime.checkpoint import checkpoint
from srcad.transforms.iterables import Head, called, length
from srcad.transforms.segments import in_segments, square_root

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_OPTIONS = ("every", "states")
_CALL = "for t in srcad.checkpoint(range(n), every=k): ..."


def segment_length(d: Desugarer, node: gast.AST) -> Expr | None:
    """The length of segments that the head of a loop asks for: `Const` None for any, None for no segments.

    Where it says how many states are kept, that stands beside it.
    """
    if not isinstance(node, gast.Call) or not isinstance(node.func, (gast.Name, gast.Attribute)):
        return None
    if called(d, node.func) is not checkpoint:
        return None
    named = dict(zip(_OPTIONS, node.args[1:])) | {keyword.arg: keyword.value for keyword in node.keywords}
    if not node.args or len(named) < len(node.args) + len(node.keywords) - 1 or not named.keys() <= {*_OPTIONS}:
        return d.refuse(node, "checkpoint takes what the loop goes over, every and states", _CALL)
    none = Const(None)
    every, states = (none if name not in named else d.expr(named[name]) for name in _OPTIONS)
    if REFUSED in (every, states):
        return REFUSED
    try:
        checkpoint((), **{name: e.value for name, e in zip(_OPTIONS, (every, states)) if isinstance(e, Const)})
    except (TypeError, ValueError) as error:
        return d.refuse(node, str(error), _CALL)
    if states == none:
        return every
    return Call(with_states, (Const(1) if every == none else every, states))


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
    elif isinstance(every, Call) and every.fn is with_states:
        every = replace(every, args=tuple(_positive(head, e, what) for e, what in zip(every.args, _OPTIONS)))
    else:
        every = _positive(head, every, "every")
    if not isinstance(every, (Const, Var)) or walk.names(every) & head.changing:
        d.let(name, every)
        every = Var(name)

    return in_segments(For(loop.index, start, stop, loop.step, loop.body, None, origin), every, d.fresh("segment"))


def _positive(head: Head, number: Expr, what: str) -> Expr:
    """An option as it is before the loop, and a check of what is not known yet."""
    if isinstance(number, Const):
        return number
    number, origin = head.fixed(number), head.d.origin
    error = Call(raise_, (Const(ValueError), Const(f"checkpoint: {what} must be 1 or more")))
    head.d.emit(If(Call(operator.lt, (number, Const(1))), (Effect(error, origin),), (), origin))
    return number
