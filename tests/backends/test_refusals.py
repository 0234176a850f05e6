"""Checks of arguments in compiled loops: their errors, in order, and no counting of references for their sake."""

import re
import sys
import traceback

import numpy as np
import pytest
from numba import njit

import srcad


def two_rows(x, y):
    return x[0] * y[1], x[1] * x[2] * y[0]


jacobian = srcad.jacobian(two_rows, wrt=(0, 1))


@njit
def rows(xs, ys, us, vs):
    for n in range(xs.shape[0]):
        u, v = us[n], vs[n]
        jacobian(xs[n], ys[n], out=((u[:3], u[3:]), (v[:3], v[3:])))


@njit
def tried(xs, ys, us, vs):
    """How many rows there are before the first that is refused, and what its arrays hold."""
    for n in range(xs.shape[0]):
        x, y, u, v = xs[n], ys[n], us[n], vs[n]
        try:
            jacobian(x, y, out=((u[:3], u[3:]), (v[:3], v[3:])))
        except Exception:
            return n, x[0] + y[0] + u[0] + v[0]
    return xs.shape[0], 0.0


def arguments(count, width=5):
    random = np.random.default_rng(3)
    us, vs = random.normal(size=(2, count, width))
    return random.normal(size=(count, 3)), random.normal(size=(count, 2)), us, vs


def beginning(array, like):
    """The memory of an array as one of another's shape."""
    return array.reshape(-1)[: like.size].reshape(like.shape)


def test_rows_are_those_of_single_calls():
    rows(*arguments(4))
    xs, ys, *found = arguments(4)
    rows(xs, ys, *found)
    for x, y, *both in zip(xs, ys, *found):
        for one, parts in zip(both, jacobian(x, y)):
            np.testing.assert_array_equal(one, np.concatenate(parts))


def test_no_references_are_counted_in_the_loop():
    """Machine code counts those of its own arguments once, whatever the callee may raise."""
    rows(*arguments(1))
    (text,) = rows.inspect_llvm().values()
    body = next(part for part in re.split(r"^define ", text, flags=re.M) if "4rows" in part.split("(", 1)[0])
    assert len(re.findall(r"call .*@NRT_(?:incref|decref)", body)) <= 2 * len(arguments(1))


@pytest.mark.parametrize(
    "case, said",
    [
        (lambda xs, ys, us, vs: (xs, ys, us[:, :4].copy(), vs), "out[0][1] must have the shape of y"),
        (lambda xs, ys, us, vs: (beginning(us, xs), ys, us, vs), "out[0][0] shares memory with x or y: pass an array"),
        (lambda xs, ys, us, vs: (xs, beginning(vs, ys), us, vs), "out[1][0] shares memory with x or y: pass an array"),
        (lambda xs, ys, us, vs: (xs, ys, us, us), "out[0][0] and out[1][0] share memory"),
        (lambda xs, ys, us, vs: (beginning(us, xs), ys, us, us), "out[0][0] shares memory with x or y: pass an array"),
    ],
)
def test_the_first_error_is_raised(case, said):
    xs, ys, us, vs = case(*arguments(2))
    with pytest.raises(ValueError, match=re.escape(said)):
        rows(xs, ys, us, vs)
    with pytest.raises(ValueError, match=re.escape(said)):
        jacobian(xs[0], ys[0], out=((us[0, :3], us[0, 3:]), (vs[0, :3], vs[0, 3:])))


def test_errors_can_be_caught_where_references_live_on():
    xs, ys, us, vs = arguments(5)
    shared = beginning(us, xs)
    before = [sys.getrefcount(array) for array in (shared, ys, us, vs)]
    for _ in range(3):
        assert tried(xs, ys, us, vs) == (5, 0.0)
        done, total = tried(shared, ys, us, vs)
        assert done == 0 and total == pytest.approx(2 * us[0, 0] + ys[0, 0] + vs[0, 0])
    assert before == [sys.getrefcount(array) for array in (shared, ys, us, vs)]


def norm_of_difference(x, y):
    if x.shape != y.shape:
        raise ValueError("x and y differ in shape")
    if x.size == 0 or y.shape[0] > 9:
        raise IndexError("too few or too many")
    if x[0] > 5.0:
        raise ArithmeticError("too large")
    return np.sum((x - y) ** 2)


@pytest.mark.parametrize(
    "x, y, kind, said",
    [
        (np.ones(2), np.ones(3), ValueError, "x and y differ in shape"),
        (np.ones(0), np.ones(0), IndexError, "too few or too many"),
        (np.ones(10), np.ones(10), IndexError, "too few or too many"),
        (np.full(2, 6.0), np.ones(2), ArithmeticError, "too large"),
        (np.full(2, 6.0), np.ones(12), ValueError, "x and y differ in shape"),
    ],
)
def test_checks_of_the_user_at_their_lines(x, y, kind, said):
    df = srcad.grad(norm_of_difference)
    np.testing.assert_allclose(df(np.ones(2), np.zeros(2)), [2.0, 2.0])
    with pytest.raises(kind, match=said) as found:
        df(x, y)
    last = traceback.extract_tb(found.value.__traceback__)[-1]
    assert said in last.line
