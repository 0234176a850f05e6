"""`srcad.testing.check_grads`: it passes what is right, and finds what is wrong, in every mode and order."""

from typing import NamedTuple

import numpy as np
import pytest

import srcad
from srcad.rules.rule import table
from srcad.testing import check_grads

X = np.array([0.1, 0.5, -0.3])


def softmax(x, s):
    e = np.exp(x * s)
    return e / np.sum(e)


def writes(a, n):
    for i in range(1, n):
        a[i] = np.sin(a[i - 1] * a[i])
    return a, a[0] * a[n - 1], n


class Line(NamedTuple):
    slope: float
    offset: float


def on_line(line, x):
    return {"y": line.slope * x + line.offset, "n": x.shape[0]}


@pytest.mark.parametrize("modes", ["fwd", "rev", ("fwd", "rev")])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_right(order, modes):
    check_grads(softmax, (X, 1.3), order, modes, target="python")


def test_right_compiled():
    check_grads(softmax, (X, 1.3), order=2)


def test_effects_structures_and_single_precision():
    args = X.copy()
    check_grads(writes, (args, 3), order=2, target="python")
    assert np.array_equal(args, X)
    check_grads(on_line, (Line(2.0, 1.0), X), target="python")
    check_grads(softmax, (X.astype(np.float32), 1.5), target="python")
    check_grads(srcad.grad(on_number), (0.7,), order=2, target="python")


def on_number(x):
    return np.sin(x) * x


def square(x):
    return x * x


def uses_square(x):
    return square(x) * 0.5


def wrong_forward(y, x):
    y.dot = x.dot * 2.5 * x
    x.bar += y.bar * 2.0 * x


def wrong_reverse(y, x):
    y.dot = x.dot * 2.0 * x
    x.bar += y.bar * 2.5 * x


def wrong_second(y, x):
    slope = 2.0 * srcad.stop_gradient(x)
    y.dot = x.dot * slope
    x.bar += y.bar * slope


@pytest.mark.parametrize(
    "rule, order, modes, words",
    [
        (wrong_forward, 1, "fwd", "^\nNot equal.*\nfwd: the tangent and finite differences disagree"),
        (wrong_reverse, 1, "rev", "rev: the gradient and finite differences disagree"),
        (wrong_second, 2, "fwd", "fwd over fwd: the tangent and finite differences disagree"),
        (wrong_second, 2, "rev", "rev over rev: the gradient and finite differences disagree"),
    ],
)
def test_wrong(rule, order, modes, words):
    try:
        srcad.rule(square)(rule)
        with pytest.raises(AssertionError, match=words):
            check_grads(uses_square, (1.5,), order, modes, target="python")
        other = {"fwd": "rev", "rev": "fwd"}[modes]
        if order == 1:
            check_grads(uses_square, (1.5,), order, other, target="python")
    finally:
        del table[square]


@pytest.mark.parametrize(
    "args, options, words",
    [
        ((1.5,), {"order": 0}, "order must be 1, 2, 3, ..., not 0"),
        ((1.5,), {"modes": ("both",)}, "modes must be among 'fwd' and 'rev'"),
        ((1.5,), {"modes": ()}, "modes must be among"),
        ((3,), {}, "args has no float"),
    ],
)
def test_wrong_use(args, options, words):
    with pytest.raises(ValueError, match=words):
        check_grads(square, args, **options)
