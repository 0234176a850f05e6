"""What `np.roll` gives, as elements of the array: subscripts that go around its end, ``x[(i + 1) % n]``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.analysis.regions import Region, Regions
from srcad.lang.ir import Call, Const, Expr, Var
from srcad.lang.types import INT, Array


def is_rolled(value: Expr) -> bool:
    """Whether a value is an array that is rolled by a constant number of places along one axis.

    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> is_rolled(Call(np.roll, (x, Const(1, INT)), (), x.type)), is_rolled(x)
    (True, False)
    """
    return _axis(value) is not None


def elements_of(regions: Regions, expr: Expr) -> Region | None:
    """The region that an array is, also if it is rolled: no view then, but made of elements of one array as well."""
    along = _axis(expr)
    if along is None:
        return regions.of(expr)
    assert isinstance(expr, Call) and isinstance(shift := expr.args[1], Const)
    region = regions.of(expr.args[0])
    own = [axis for axis in region.axes if axis.along == along] if region is not None else []
    if region is None or len(own) != 1 or not own[0].whole or own[0].length is None:
        return None
    turned = replace(own[0], start=Const(-shift.value, INT), whole=False, around=own[0].length)
    return replace(region, axes=tuple(turned if axis is own[0] else axis for axis in region.axes))


def rolled_by_name(value: Call, named: Callable[[Expr], Expr]) -> Call:
    """A computed array, rolled, as one that is `named` before it is rolled; what is negated is so afterwards."""
    array, *rest = value.args
    match array:
        case Call(operator.neg | np.negative, (Var() as inner,), (), kind) if kind == inner.type:
            return replace(array, args=(replace(value, args=(inner, *rest)),))
    return replace(value, args=(named(array), *rest))


def _axis(value: Expr) -> int | None:
    """The axis along which a value is rolled, and is as long as it was."""
    match value:
        case Call(np.roll, (_, Const(int()), *rest), kwargs, Array(ndim=rank)):
            given = [*rest, *(axis for name, axis in kwargs if name == "axis")]
            axis = given[0] if given else Const(0 if rank == 1 else None)
            if len(given) == len(rest) + len(kwargs) <= 1 and isinstance(axis, Const) and type(axis.value) is int:
                return axis.value % rank
    return None
