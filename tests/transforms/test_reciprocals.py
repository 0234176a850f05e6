"""Inverses of what loops divide by and do not change."""

import re

import numpy as np
import pytest

import srcad


def of_a_parameter(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.sin(x[i] / w) / w
    return total


def of_the_loop_outside(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(x.shape[0]):
            s += np.exp(-((x[i] - x[j]) ** 2) / (2 * w**2)) * x[j]
        total += s**2
    return total


def of_two_loops(x, w):
    r, total = w * x[0], 0.0
    for i in range(x.shape[0]):
        total += np.sin(x[i] / r)
    for i in range(x.shape[0]):
        total += total * np.cos(x[i]) / r
    return total


def changed_by_iterations(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        w = w + x[i] ** 2 / w
        for j in range(x.shape[0]):
            total += np.sin(x[j] / w) / w
        w = w + 0.25
    return total


def on_a_path(x, w):
    total = 0.0
    for i in range(x.shape[0]):
        if x[i] > 0.0:
            r = w * x[i]
            for j in range(x.shape[0]):
                total += np.sin(x[j] / r) / r
        else:
            total += x[i] / w
    return total


def until(x, w):
    total, i = 0.0, 0
    while total < 2.0 and i < x.shape[0]:
        total += np.exp(x[i] / w) / w
        i += 1
    return total


PROGRAMS = [of_a_parameter, of_the_loop_outside, of_two_loops, changed_by_iterations, on_a_path, until]
X = np.array([0.7, -0.4, 0.3])


@pytest.mark.parametrize("fn", PROGRAMS)
@pytest.mark.parametrize("x, w", [(X, 1.3), (-X, 0.6), (X[:1], -0.9), (X.astype(np.float32), np.float32(1.3))])
def test_the_text_for_machines_computes_the_same(fn, x, w):
    one = _run(srcad.source(srcad.value_and_grad(fn, (0, 1)), x, w, stage="blocks"))
    plain = srcad.value_and_grad(fn, (0, 1), target="python", optimize=False)
    rounding = 1e-5 if x.dtype == np.float32 else 1e-13
    _agree(one(x, w), plain(x, w), rounding)


@pytest.mark.parametrize("fn", [of_a_parameter, of_the_loop_outside, on_a_path, until])
def test_loops_without_iterations_divide_by_nothing(fn):
    nothing = np.zeros(0)
    value, (x_bar, w_bar) = srcad.value_and_grad(fn, (0, 1))(nothing, 0.0)
    assert value == w_bar == 0.0 and x_bar.shape == (0,)


@pytest.mark.parametrize("fn", [of_a_parameter, of_the_loop_outside])
def test_zero_by_zero_is_no_number(fn):
    _, (x_bar, w_bar) = srcad.value_and_grad(fn, (0, 1))(np.zeros(2), 0.0)
    assert np.isnan(x_bar).all() and np.isnan(w_bar)


@pytest.mark.parametrize("fn, inverses", [(of_a_parameter, 1), (of_the_loop_outside, 1), (changed_by_iterations, 2)])
def test_loops_multiply_by_inverses(fn, inverses):
    text = srcad.source(srcad.value_and_grad(fn, (0, 1)), X, 1.3, stage="blocks")
    assert len(re.findall(r"= 1\.0 / ", text)) == inverses, text
    assert not re.search(r"_bar\S* [-+]?= .* / ", text), text


@pytest.mark.parametrize("fn", [of_a_parameter, of_the_loop_outside])
def test_strict_arithmetic_divides(fn):
    text = srcad.source(srcad.value_and_grad(fn, (0, 1), fastmath=False), X, 1.3, stage="blocks")
    assert "1.0 / " not in text


def _run(text):
    space = {}
    exec(text, space)
    return next(f for name, f in space.items() if name.endswith("_value_and_grad"))


def _agree(found, expected, rounding):
    assert found[0] == pytest.approx(expected[0], rel=rounding)
    for one, other in zip(found[1], expected[1]):
        np.testing.assert_allclose(one, other, rtol=100 * rounding, atol=rounding)
