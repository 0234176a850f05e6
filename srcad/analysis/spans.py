"""Where the elements are that subscripts and slices name, along each axis of an array."""

from __future__ import annotations

from dataclasses import dataclass

from srcad.lang import walk
from srcad.lang.arrays import items_of
from srcad.lang.ir import Const, Expr, Slice
from srcad.lang.types import Scalar

Parts = tuple[Expr, ...]  # subscripts that add up, none of which may count from the end


@dataclass(frozen=True)
class Span:
    """Elements of an axis: one, those from a first to before a last one, or nobody knows which."""

    low: Parts = ()
    high: Parts | None = None
    one: bool = False
    known: bool = True


ALL = Span()
ANY = Span(known=False)


def spans(index: Expr | None, rank: int) -> list[Span] | None:
    """The elements that subscripts name along each axis; None if they are no integers and slices."""
    items: tuple[Expr, ...] = () if index is None else items_of(index)
    if len(items) > rank or not all(isinstance(item, Slice) or is_whole(item) for item in items):
        return None
    found = [_slice(item) if isinstance(item, Slice) else Span((item,), None, True) for item in items]
    return found + [ALL] * (rank - len(found))


def _slice(item: Slice) -> Span:
    if not (item.step is None or walk.is_const(item.step, None) or walk.is_const(item.step, 1)):
        return ANY
    low, high = (None if e is None or walk.is_const(e, None) else e for e in (item.lower, item.upper))
    return Span(() if low is None else (low,), None if high is None else (high,))


def composed(outer: list[Span], inner: list[Span]) -> list[Span] | None:
    """Elements of a view, as elements of what it is a view of."""
    left = iter(inner)
    result = [span if span.one else _within(span, next(left, ANY)) for span in outer]
    return result if next(left, None) is None else None


def _within(outer: Span, inner: Span) -> Span:
    if not (outer.known and inner.known):
        return ANY
    low = (*outer.low, *inner.low)
    if inner.one:
        return Span(low, None, True)
    return Span(low, outer.high if inner.high is None else (*outer.low, *inner.high))


def is_whole(expr: Expr) -> bool:
    """Whether an expression is an integer."""
    kind = getattr(expr, "type", None)
    return isinstance(kind, Scalar) and kind.dtype.startswith("int")


def integer(expr: Expr) -> int | None:
    """The value of a constant integer."""
    return expr.value if isinstance(expr, Const) and type(expr.value) is int else None
