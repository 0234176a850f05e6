"""Loops; part of `desugar`.

A loop over a range is the For of the IR, one over items of known number is written out, and one over anything
else counts through its first axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import gast

from srcad.lang.forms import REFUSED, Continue, Unrolled
from srcad.lang.ir import Block, Const, For, If, Var
from srcad.lang.origin import Origin
from srcad.transforms.assign import store
from srcad.transforms.checkpoints import checkpointed, segment_length
from srcad.transforms.generators import has_break, loop_over
from srcad.transforms.itemwise import statements_of
from srcad.transforms.iterables import Head, Items, Iterable, Range
from srcad.transforms.iterators import over_axes
from srcad.transforms.live_items import in_turn

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

_RESIZING = frozenset("append extend insert pop remove clear popleft appendleft".split())


def for_loop(d: Desugarer, node: gast.For) -> None:
    """``for target in ...: body``"""
    node = in_turn(d, over_axes(d, node))
    if name := own_list(node):
        reason = f"a for loop over {name}, which it makes longer or shorter, is not supported"
        d.refuse(node.iter, reason, f"for ... in list({name}), or while k < len({name}), where new elements count, too")
    while (inner := loop_over(d, node)) is not None:
        node = in_turn(d, inner)
    if (several := statements_of(d, node)) is not None:
        for stmt in several:
            d.statement(stmt)
        return
    head = Head.of(d, [node.target, *node.body])
    every = segment_length(d, node.iter)
    if every is REFUSED:
        d.block([*node.body, *node.orelse])  # for what is wrong in them
        return
    over = head.over(node.iter if every is None else node.iter.args[0])
    if isinstance(over, Items):
        _written_out(d, node, over)
        return
    loop = over and counting(head, node.target, over, lambda: d.iteration(node.body))
    if loop is None:
        d.block([*node.body, *node.orelse])  # for what is wrong in them
    else:
        assert isinstance(loop, For)
        d.finish(node, loop if every is None else checkpointed(head, node, loop, every))


def own_list(node: gast.For) -> str:
    """The name of a list that a loop goes over and makes longer or shorter, if it goes on after that; else empty.

    >>> own_list(gast.parse("for x in xs: xs.append(x)").body[0])
    'xs'
    >>> own_list(gast.parse("for x in xs: xs.append(x); break").body[0])
    ''
    """
    call = isinstance(node.iter, gast.Call) and isinstance(node.iter.func, gast.Name)
    args = node.iter.args if call and node.iter.func.id in ("enumerate", "reversed", "zip") else [node.iter]
    over = {arg.id for arg in args if isinstance(arg, gast.Name)}
    return next(_changed(node.body, over), "") if over else ""


def _changed(block: list[gast.AST], names: set[str]) -> Iterator[str]:
    """Those of some lists that statements make longer or shorter without leaving the loop behind that."""
    if isinstance(block[-1], (gast.Break, gast.Return, gast.Raise)):
        return
    for stmt in block:
        match stmt:
            case gast.Expr(value=call) | gast.Assign(value=call) if isinstance(call, gast.Call):
                owner = call.func.value if isinstance(call.func, gast.Attribute) else None
                if isinstance(owner, gast.Name) and owner.id in names and call.func.attr in _RESIZING:
                    yield owner.id
            case gast.AugAssign(target=gast.Name(id=name), op=gast.Add(), value=gast.List() | gast.ListComp()):
                yield from {name} & names
            case gast.Delete(targets=[gast.Subscript(value=gast.Name(id=name))]):
                yield from {name} & names
        for inner in (getattr(stmt, part, None) for part in ("body", "orelse")):
            if inner and isinstance(inner, list):
                yield from _changed(inner, names)


def counting(head: Head, target: gast.AST, over: Iterable, body: Callable[[], Block]) -> For | None:
    """The For that goes through a range or through what is counted; None when it was refused."""
    d, origin = head.d, head.d.origin
    if isinstance(over, Range) and isinstance(target, gast.Name):
        return For(target.id, over.start, over.stop, over.step, body(), None, origin)
    counted = head.counted(target, over)
    if counted is None:
        return None
    if counted.endless:
        remedy = "while True: ..., which a break leaves, or zip with what ends"
        d.refuse(target, "a loop that has no end by itself is not supported here", remedy)
        return None
    if counted.from_zero and isinstance(target, gast.Tuple) and len(target.elts) == 2 and _is_name(target.elts[0]):
        index, target = target.elts[0].id, target.elts[1]
        item = counted.item(Var(index)).items[1]  # type: ignore[union-attr]
    else:
        index = d.fresh("i")
        item = counted.item(Var(index))
    first = d.gathered(lambda: store(d, target, item))
    return For(index, Const(counted.start), counted.count, Const(1), first + body(), None, origin)


def _is_name(node: gast.AST) -> bool:
    return isinstance(node, gast.Name)


def bodies(d: Desugarer, target: gast.AST, over: Items, body: Callable[[], Block]) -> list[Block]:
    """What is done with each item, one after the other."""
    origin, result = d.origin, []
    for k, item in enumerate(over.items):
        d.origin = origin
        first = d.gathered(lambda item=item: store(d, target, item))  # type: ignore[misc]
        none: Any = (If(over.ends[k], (Continue(origin),), (), origin),) if over.ends else ()  # type: ignore[arg-type]
        result.append((*none, *first, *body()))
    return result


def _written_out(d: Desugarer, node: gast.For, over: Items) -> None:
    """The body once for each item."""
    origin = d.origin
    parts = bodies(d, node.target, over, lambda: d.iteration(node.body))
    if not over.items:
        d.iteration(node.body)  # for what is wrong in it
    orelse = d.block(node.orelse)
    early = bool(over.ends) or has_break(node.body) or has_break(node.body, gast.Continue)
    written_out(d, parts, orelse, early, origin)


def written_out(d: Desugarer, parts: list[Block], orelse: Block, early: bool, origin: Origin) -> None:
    """Emit the parts of a loop over items of known number, which may be left `early`."""
    if early:
        d.emit(Unrolled(tuple(parts), orelse, origin))
    else:
        d.out += [stmt for part in (*parts, orelse) for stmt in part]
