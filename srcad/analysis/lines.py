"""Which vectors lie in an array in the same direction, and which surely have no element in common."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Union

from srcad.analysis.affine import Loops, linear, natural
from srcad.analysis.buffers import Buffers, basic_index
from srcad.lang.arrays import is_ellipsis, items_of
from srcad.lang.ir import Call, Const, Expr, Slice, Var
from srcad.lang.types import INT, Array, is_array

Part = Union[Expr, None]  # of a subscript; None: not to be told
FULL = Slice()


@dataclass(frozen=True)
class Line:
    """A part of the array `root`: one subscript an axis of it, and the axes that the part has, in their order."""

    root: str
    parts: tuple[Part, ...]
    axes: tuple[int, ...]

    def at(self, index: Expr) -> Line | None:
        """The part of this part that a subscript gives; None: not to be told."""
        items = list(items_of(index))
        if not basic_index(index) or any(isinstance(i, Const) and i.value is None for i in items):
            return None
        wholes = [k for k, item in enumerate(items) if is_ellipsis(item)]
        missing = len(self.axes) - len(items) + len(wholes)
        if len(wholes) > 1 or missing < 0:
            return None
        where = wholes[0] if wholes else len(items)
        items[where : where + 1] = [FULL] * missing
        parts: list[Part] = list(self.parts)
        axes: list[int] = []
        for axis, item in zip(self.axes, items):
            if isinstance(item, Slice):
                axes.append(axis)
                if item != FULL:
                    parts[axis] = _within(parts[axis], item)
            else:
                parts[axis] = item if parts[axis] == FULL else None
        return Line(self.root, tuple(parts), tuple(axes))


def _within(part: Part, item: Slice) -> Part:
    """A slice of a slice: of which only the step can be told."""
    if part == FULL:
        return item
    first, second = _step(part), _step(item)
    return None if first is None or second is None else Slice(None, None, Const(first * second, INT))


def line(buffers: Buffers, name: str) -> Line:
    """What an array is a part of, through views that subscripts and transposition make."""
    view = buffers.views.get(name)
    if isinstance(view, Var):
        return line(buffers, view.name)
    if isinstance(view, Call) and isinstance(view.args[0], Var):
        base = line(buffers, view.args[0].name)
        if view.fn is operator.getitem and (found := base.at(view.args[1])) is not None:
            return found
    kind = buffers.types.get(name)
    rank = kind.ndim if isinstance(kind, Array) else 0
    return Line(name, (FULL,) * rank, tuple(range(rank)))


def in_turn(a: Line, b: Line, loops: Loops) -> bool:
    """Whether copying the vector `b` into `a`, element by element, may read what has been written already."""
    if a.root != b.root:
        return True
    if a.axes == b.axes and a.axes:
        one, other = (_step(x.parts[x.axes[0]]) for x in (a, b))
        if one is not None and other is not None and (one == other or one * other < 0):
            return False
    return not any(_apart(x, y, loops) or _apart(y, x, loops) for x, y in zip(a.parts, b.parts))


def _step(part: Part) -> int | None:
    match part:
        case Slice(step=None):
            return 1
        case Slice(step=Const(value=int() as step)):
            return step
    return None


def _apart(a: Part, b: Part, loops: Loops) -> bool:
    """Whether two subscripts of an axis surely name no place in common."""
    step = _step(b)
    if a is None or b is None or isinstance(a, Slice) and _step(a) != 1 or step is not None and step < 0:
        return False
    if isinstance(a, Slice):
        bound = a.upper
        if isinstance(b, Slice):
            return _less(bound, b.lower, 0, loops)
        return _less(bound, b, 0, loops) or _less(b, a.lower, 1, loops)
    if isinstance(b, Slice):
        return _less(a, b.lower, 1, loops)
    return _less(a, b, 1, loops)


def _less(a: Part, b: Part, by: int, loops: Loops) -> bool:
    """Whether ``a + by <= b`` for sure, for subscripts that do not count from the end."""
    if a is None or b is None or is_array(getattr(a, "type", None)) or is_array(getattr(b, "type", None)):
        return False
    one, other = linear(a), linear(b)
    if one is None or other is None or one[0] != other[0]:
        return False
    return one[1] + by <= other[1] and natural(one, loops) and natural(other, loops)
