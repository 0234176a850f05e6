"""What an array of indices takes from an array, ``x[idx]`` or ``A[:, idx]``, as elements of that: ``A[i, idx[j]]``."""

from __future__ import annotations

import operator
from dataclasses import replace

from srcad.analysis.axis import Axis
from srcad.analysis.regions import Region, Regions, fixed, sliced
from srcad.lang.arrays import items_of
from srcad.lang.ir import Call, Expr, Slice
from srcad.lang.types import Array, Scalar


def gathered(regions: Regions, expr: Expr) -> Region | None:
    """The elements that an array is made of, if indices pick them: arrays of one shape, side by side, and slices.

    >>> from srcad.lang.ir import Var
    >>> from srcad.lang.types import INT
    >>> x, idx = Var("x", Array("float64", ("n",), "C")), Var("idx", Array("int64", ("k",), "C"))
    >>> picked = gathered(Regions(), Call(operator.getitem, (x, idx), (), Array("float64", ("k",), "C")))
    >>> picked.at([Var("i", INT)]).args[1] == Call(operator.getitem, (idx, Var("i", INT)), (), Scalar("int64"))
    True
    """
    match expr:
        case Call(operator.getitem, (base, index), (), Array() as kind):
            region, items = regions.of(base), list(items_of(index))
            picks = [k for k, item in enumerate(items) if is_pick(item)]
            if region is not None and picks:
                return _of(regions, region, items, picks, kind)
    return None


def is_pick(item: Expr | Slice) -> bool:
    """Whether a subscript is an array of indices."""
    kind = getattr(item, "type", None)
    return isinstance(kind, Array) and kind.ndim > 0 and kind.dtype.startswith(("int", "uint"))


def _of(regions: Regions, region: Region, items: list, picks: list[int], kind: Array) -> Region | None:
    own = {axis.along: axis for axis in region.axes if axis.along is not None}
    places = [regions.of(items[k]) for k in picks]
    numbers = [k for k, item in enumerate(items) if isinstance(getattr(item, "type", None), Scalar)]
    together = sorted([*picks, *numbers])  # numbers beside arrays of indices are repeated as these are
    items += [Slice()] * (len(region.shape) - len(items))
    if together != list(range(together[0], together[-1] + 1)) or not len(own) == len(region.shape) == len(items):
        return None
    if None in places or any(place.shape != places[0].shape for place in places):  # type: ignore[union-attr]
        return None
    placed: dict[int | None, Axis] = {}
    target, rank = 0, len(places[0].shape)  # type: ignore[union-attr]
    for source, item in enumerate(items):
        axis: Axis | None
        if source in picks:
            whole = own[source].whole and own[source].around is None
            axis = Axis(item, picked=places[picks.index(source)], first=together[0]) if whole else None
        else:
            axis = sliced(own[source], item, target, region.bounds) if isinstance(item, Slice) else fixed(
                own[source], item, region.bounds)  # fmt: skip
        if axis is None:
            return None
        placed[source] = axis
        target += rank if source == together[-1] else isinstance(item, Slice)
    if target != kind.ndim:
        return None
    return replace(region, axes=tuple(placed.get(axis.along, axis) for axis in region.axes), shape=kind.shape)
