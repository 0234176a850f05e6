"""Derivatives where functions have kinks, poles and ties."""

import math
import operator

import numpy as np
import pytest

from srcad.checking import _case, _reverse
from srcad.lang.ir import Const
from srcad.rules.rule import find

NAN, INF = math.nan, math.inf


def gradients(primitive, *operands, seed=1.0, **named):
    case = _case(primitive, find(primitive), operands, named, np.float64)
    with np.errstate(all="ignore"):
        found = _reverse(case, np.full(np.shape(case.result), seed))
    return [np.asarray(found[name]).tolist() for name in case.values if name in found]


POINTS = [
    (abs, (0.0,), [0.0]),
    (np.absolute, (np.array([0.0, -2.0]),), [[0.0, -1.0]]),
    (np.hypot, (0.0, 0.0), [0.0, 0.0]),
    (np.sinc, (0.0,), [0.0]),
    (np.maximum, (2.0, 2.0), [1.0, 0.0]),
    (np.minimum, (2.0, 2.0), [1.0, 0.0]),
    (np.maximum, (np.array([1.0, 2.0]), np.array([1.0, 3.0])), [[1.0, 0.0], [0.0, 1.0]]),
    (max, (2.0, 2.0), [1.0, 0.0]),
    (min, (2.0, 2.0), [1.0, 0.0]),
    (max, (1.0, 2.0, 2.0), [0.0, 1.0, 0.0]),
    (np.fmax, (NAN, 2.0), [0.0, 1.0]),
    (np.fmax, (2.0, NAN), [1.0, 0.0]),
    (np.fmin, (NAN, 2.0), [0.0, 1.0]),
    (np.max, (np.array([2.0, 2.0, 1.0]),), [[0.5, 0.5, 0.0]]),
    (np.min, (np.array([1.0, 2.0, 1.0]),), [[0.5, 0.0, 0.5]]),
    (np.clip, (0.5, 0.5, 1.0), [1.0, 0.0, 0.0]),
    (np.clip, (1.0, 0.5, 1.0), [1.0, 0.0, 0.0]),
    (np.clip, (0.2, 0.5, 1.0), [0.0, 1.0, 0.0]),
    (np.clip, (0.2, 2.0, 1.0), [0.0, 0.0, 1.0]),
    (operator.pow, (0.0, 0), [0.0]),
    (operator.pow, (0.0, 1), [1.0]),
    (operator.pow, (0.0, 2), [0.0]),
    (operator.pow, (0.0, 3), [0.0]),
    (operator.pow, (0.0, Const(2.0)), [0.0]),
    (operator.pow, (np.array([0.0, 2.0]), np.array([0, 2])), [[0.0, 4.0]]),
    (np.power, (np.array([0.0, 2.0]), np.array([0.0, 1.0])), [[0.0, 1.0], [0.0, 2.0 * math.log(2.0)]]),
    (np.power, (np.array([-2.0]), np.array([2.0])), [[-4.0], [0.0]]),
    (np.sqrt, (np.float64(0.0),), [INF]),
    (np.prod, (np.array([0.0, 0.0, 3.0]),), [[0.0, 0.0, 0.0]]),
    (np.prod, (np.array([0.0, 2.0, 3.0]),), [[6.0, 0.0, 0.0]]),
    (np.where, (np.array([True, False]), np.array([1.0, NAN]), np.array([NAN, 1.0])), [[1.0, 0.0], [0.0, 1.0]]),
    (np.linalg.norm, (np.zeros(2),), [[0.0, 0.0]]),
]


@pytest.mark.parametrize("primitive, operands, expected", POINTS, ids=lambda v: getattr(v, "__name__", None))
def test_point(primitive, operands, expected):
    assert gradients(primitive, *operands) == expected


def test_a_branch_not_taken_gives_no_nan():
    a, b = gradients(np.where, np.array([True, False]), np.ones(2), np.ones(2), seed=INF)
    assert a == [INF, 0.0] and b == [0.0, INF]
