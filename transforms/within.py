"""Slices with constant bounds, which are taken to lie within their axis; part of `alike`.

``x[3:6]`` has three elements unless `x` has fewer than six: then the caller is told so, as where lengths differ.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Slice, Tuple, Var
from srcad.lang.types import Array, Dim, Scalar

_FEW = 9  # elements of a slice that is taken to be whole: see `scalars`


@dataclass
class Within:
    """Slices with constant bounds, taken to lie within their axis: the symbols of their lengths, and the lengths."""

    counts: dict[str, int] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)  # the symbol of an axis -> how long it has to be

    @staticmethod
    def of(fn: Function, lengths: set[str]) -> Within:
        """The slices of axes whose `lengths` can be asked.

        >>> from srcad.lang.ir import Let, Return
        >>> x = Var("x", Array("float64", ("x.shape[0]",), "C"))
        >>> kind = Array("float64", ("[x.shape[0]][3:6:1]",))
        >>> part = Call(operator.getitem, (x, Slice(Const(3), Const(6))), (), kind)
        >>> Within.of(Function("f", (), (Let("y", part), Return(x))), {"x.shape[0]"})
        Within(counts={'[x.shape[0]][3:6:1]': 3}, least={'x.shape[0]': 6})
        """
        found = Within()
        for stmt in walk.statements(fn.body):
            for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
                match e:
                    case Call(operator.getitem, (Var(_, Array(_, shape)), index), (), Array(_, result)):
                        found.note(shape, index.items if isinstance(index, Tuple) else (index,), list(result), lengths)
        return found

    def note(self, shape: tuple[Dim, ...], index: tuple[Expr, ...], result: list[Dim], lengths: set[str]) -> None:
        """Take the slices of an index for whole."""
        for dim, item in zip(shape, index):
            bounds = _bounds(item)
            if bounds is None and not (isinstance(item, (Var, Const, Call)) and isinstance(item.type, Scalar)):
                return  # an array of subscripts, a new axis
            part = result.pop(0) if bounds is not None else None
            if bounds and dim in lengths and isinstance(part, str) and part.startswith("["):
                self.counts[part] = bounds[1] - bounds[0]
                self.least[dim] = max(bounds[1], self.least.get(dim, 0))  # type: ignore[arg-type, index]


def _bounds(item: Expr) -> tuple[int, ...] | None:
    """The bounds of a slice of a few elements, () for any other slice, None for no slice."""
    match item:
        case Slice(None | Const(None | 0), Const(int() as upper), None) if 0 < upper <= _FEW:
            return 0, upper
        case Slice(Const(int() as lower), Const(int() as upper), None) if 0 <= lower < upper <= lower + _FEW:
            return lower, upper
        case Slice():
            return ()
    return None
