"""`heapq`: what goes into a list and out of it, as its methods, which tell how long it is; part of `desugar`."""

from __future__ import annotations

import heapq

from srcad.lang.ir import Attr, Call, Effect, Expr, Method, Var
from srcad.lang.origin import Origin
from srcad.library import heaps


def push(call: Call, origin: Origin) -> list[Effect]:
    """``heapq.heappush(heap, item)``, as statements; nothing for another call."""
    match call:
        case Call(heapq.heappush, (Var() | Attr() as heap, item)):
            append = Call(Method("append"), (heap, item))
            return [Effect(append, origin), Effect(Call(heaps.pushed, (heap,)), origin)]
    return []


def pop(made: Expr) -> Expr:
    """``heapq.heappop(heap)`` as a function of the heap and of its last element; other expressions as they are."""
    match made:
        case Call(heapq.heappop, (Var() | Attr() as heap,)):
            return Call(heaps.popped, (heap, Call(Method("pop"), (heap,))))
    return made
