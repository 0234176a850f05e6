"""Slices of known length; part of `alike`.

``x[3:6]`` has three elements unless `x` has fewer than six: then the caller is told so, as where lengths differ. In
``for k in range(n)``, ``A[k:k + 1]`` has one row, if `A` has `n` of them; in ``for i in range(len(x) - len(w) + 1)``,
``x[i:i + len(w)]`` is as long as `w`. With ``n = len(x) - 2``, in ``for k in range(3)``, ``x[k:k + n]`` has two
elements fewer than `x`. Behind ``y = np.zeros(len(x) - len(w) + 1)``, in ``for k in range(len(w))``, the slice
``x[k:k + len(x) - len(w) + 1]`` is as long as `y`.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field


from srcad.analysis.bounds import Bounds, made_lengths
from srcad.analysis.inequalities import ONE, Form, added
from srcad.lang.arrays import axis_length, items_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Const, Expr, For, Function, Slice, Var
from srcad.lang.shapes import join_offset
from srcad.lang.types import Array, Dim, Scalar

_FEW = 9  # elements of a slice that is taken to be whole: see `scalars`


@dataclass
class Within:
    """Slices of known length: the symbols of their lengths, and the lengths."""

    counts: dict[str, Dim] = field(default_factory=dict)
    least: dict[str, int] = field(default_factory=dict)  # the symbol of an axis -> how long it has to be
    pairs: dict[tuple[str, str], None] = field(default_factory=dict)  # axes, each with one that may not be longer
    proven: dict[str, Dim] = field(default_factory=dict)  # slices as long as arrays that are made before, in any case

    @staticmethod
    def of(fn: Function, lengths: dict[str, Expr]) -> Within:
        """The slices of axes whose `lengths` can be asked for.

        >>> from srcad.lang.ir import Let, Return
        >>> x = Var("x", Array("float64", ("x.shape[0]",), "C"))
        >>> kind = Array("float64", ("[x.shape[0]][3:6:1]",))
        >>> part = Call(operator.getitem, (x, Slice(Const(3), Const(6))), (), kind)
        >>> Within.of(Function("f", (), (Let("y", part), Return(x))), {"x.shape[0]": x})
        Within(counts={'[x.shape[0]][3:6:1]': 3}, least={'x.shape[0]': 6}, pairs={}, proven={})
        """
        found = Within()
        found.block(fn.body, Bounds.of(fn), lengths, {})
        return found

    def block(self, block: Block, known: Bounds, lengths: dict[str, Expr], made: dict[Dim, Expr]) -> None:
        """Note the slices in a block; what branches say is not true of a symbol everywhere.

        `made` are the lengths of the arrays that have been made before.
        """
        made = dict(made)
        for stmt in block:
            for e in (e for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)):
                match e:
                    case Call(operator.getitem, (Var(_, Array()) as base, index), (), Array(_, shape)):
                        items = items_of(index)
                        self.note(base, items, list(shape), lengths, known)
                        self.note_made(base, items, list(shape), made, known)
            inner = known.inside(stmt) if isinstance(stmt, For) else known
            for body in walk.blocks(stmt):
                self.block(body, inner, lengths, made)
            made.update(made_lengths(stmt))
            known = known.behind(stmt)

    def note(
        self, base: Var, index: tuple[Expr, ...], result: list[Dim], lengths: dict[str, Expr], known: Bounds
    ) -> None:
        """Take the slices of an index for whole."""
        assert isinstance(base.type, Array)
        for axis, (dim, item) in enumerate(zip(base.type.shape, index)):
            bounds = _bounds(item)
            if bounds is None and not (isinstance(item, (Var, Const, Call)) and isinstance(item.type, Scalar)):
                return  # an array of subscripts, a new axis
            part = result.pop(0) if bounds is not None else None
            if not isinstance(part, str) or not part.startswith("["):
                continue
            if bounds and dim in lengths:
                self.counts[part] = bounds[1] - bounds[0]
                self.least[dim] = max(bounds[1], self.least.get(dim, 0))  # type: ignore[arg-type, index]
            elif isinstance(item, Slice) and (count := _count(item, known, lengths)):
                length = axis_length(base, axis)
                longest = [other for other, own in lengths.items() if known.ordered(item.upper, own)]  # type: ignore
                if known.ordered(item.upper, length):  # type: ignore[arg-type]
                    self.counts[part] = count
                elif dim in lengths and longest:
                    self.counts[part] = count
                    self.pairs[dim, longest[0]] = None  # type: ignore[index]

    def note_made(
        self, base: Var, index: tuple[Expr, ...], result: list[Dim], made: dict[Dim, Expr], known: Bounds
    ) -> None:
        """The slices of an index that are as long as an array made before: no array has a negative length."""
        for axis, item in enumerate(index) if made else ():
            if not isinstance(item, Slice):
                if not (isinstance(item, (Var, Const, Call)) and isinstance(item.type, Scalar)):
                    return  # an array of subscripts, a new axis
                continue
            part = result.pop(0)
            count = _whole(item, known)
            if not isinstance(part, str) or not part.startswith("[") or part in self.counts or count is None:
                continue
            same = [dim for dim, own in made.items() if known.form(own) == count]
            if same and known.ordered(item.upper, axis_length(base, axis)):  # type: ignore[arg-type]
                self.proven[part] = same[0]


def _whole(item: Slice, known: Bounds) -> Form | None:
    """The bounds of a slice that begins in its axis, one less the other."""
    lower, upper = item.lower, item.upper
    if lower is None or upper is None or item.step is not None or not walk.names(lower) <= known.once:
        return None
    return known.difference(upper, lower) if known.natural(lower) else None


def _count(item: Slice, known: Bounds, lengths: dict[str, Expr]) -> Dim | None:
    """The length of a slice that begins in its axis, and ends in it, wherever that is.

    It is a few, or one of `lengths`, or so many elements fewer.
    """
    count = _whole(item, known)
    if not count:
        return None
    if count.keys() == {ONE}:
        return count[ONE] if 0 < count[ONE] <= _FEW else None
    for dim, own in lengths.items():
        form = known.form(own)
        more = None if form is None else added(count, form, -1)
        if not more and more is not None and known.holds(count):
            return dim
        if more and more.keys() == {ONE} and more[ONE] < 0:
            return join_offset(dim, more[ONE])  # the caller is told where the axis has fewer
    return None


def _bounds(item: Expr) -> tuple[int, ...] | None:
    """The bounds of a slice of a few elements, () for any other slice, None for no slice."""
    match item:
        case Slice(None | Const(None | 0), Const(int() as upper), None) if 0 < upper <= _FEW:
            return 0, upper
        case Slice(Const(int() as lower), Const(int() as upper), None) if 0 <= lower < upper <= lower + _FEW:
            return lower, upper
        case Slice(Const(int() as lower), None | Const(None), None) if -_FEW <= lower < 0:
            return 0, -lower
        case Slice():
            return ()
    return None
