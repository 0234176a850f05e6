"""What `np.roll` gives, as elements of the array: subscripts that go around its end, ``x[(i + 1) % n]``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from srcad.analysis.gathers import gathered
from srcad.analysis.regions import Region, Regions
from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Var
from srcad.lang.types import INT, Array

STEPS = 3  # operations that are light enough to be repeated


def is_rolled(value: Expr) -> bool:
    """Whether a value is an array that is rolled by a constant number of places along one axis.

    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> is_rolled(Call(np.roll, (x, Const(1, INT)), (), x.type)), is_rolled(x)
    (True, False)
    """
    return _axis(value) is not None


def elements_of(regions: Regions, expr: Expr) -> Region | None:
    """The region that an array is, also if it is rolled or indices pick it: made of elements of one array as well."""
    along = _axis(expr)
    if along is None:
        return regions.of(expr) or gathered(regions, expr)
    assert isinstance(expr, Call) and isinstance(shift := expr.args[1], Const)
    region = regions.of(expr.args[0])
    own = [axis for axis in region.axes if axis.along == along] if region is not None else []
    if region is None or len(own) != 1 or not own[0].whole or own[0].length is None:
        return None
    turned = replace(own[0], start=Const(-shift.value, INT), whole=False, around=own[0].length)
    return replace(region, axes=tuple(turned if axis is own[0] else axis for axis in region.axes))


def rolled_by_name(value: Call, named: Callable[[Expr], Expr]) -> Call:
    """A computed array, rolled, as one that is `named` before it is rolled; what is multiplied is so afterwards."""
    array, *rest = value.args
    if array != (inner := multiplied(array)):
        return walk.map_expr(lambda e: replace(value, args=(inner, *rest)) if e == inner else e, array)  # type: ignore
    return replace(value, args=(named(array), *rest))


def multiplied(array: Expr) -> Expr:
    """The array of which another one has multiples by numbers, or squares; the other one itself if there is none.

    >>> x = Var("x", Array("float64", ("n",), "C"))
    >>> multiplied(Call(operator.mul, (Const(2.0), Call(operator.neg, (x,), (), x.type)), (), x.type)) == x
    True
    """
    found, steps = array, 0
    while steps < STEPS:
        match found:
            case Call(operator.neg | np.negative, (inner,)):
                pass
            case Call(operator.mul | np.multiply, (inner, other)) if not _is_array(other) or inner == other:
                pass
            case Call(operator.mul | np.multiply, (other, inner)) if not _is_array(other):
                pass
            case Call(operator.pow, (inner, Const(2))):
                pass
            case _:
                break
        if getattr(found, "type", None) != getattr(inner, "type", None):
            break
        found, steps = inner, steps + 1
    return found if isinstance(found, Var) and _is_array(found) else array


def _is_array(expr: Expr) -> bool:
    return isinstance(getattr(expr, "type", None), Array)


def _axis(value: Expr) -> int | None:
    """The axis along which a value is rolled, and is as long as it was."""
    match value:
        case Call(np.roll, (_, Const(int()), *rest), kwargs, Array(ndim=rank)):
            given = [*rest, *(axis for name, axis in kwargs if name == "axis")]
            axis = given[0] if given else Const(0 if rank == 1 else None)
            if len(given) == len(rest) + len(kwargs) <= 1 and isinstance(axis, Const) and type(axis.value) is int:
                return axis.value % rank
    return None
