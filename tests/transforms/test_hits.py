"""Adjoints of extremes of rows: the elements that attain them share the cotangent, and nobody else is asked."""

from __future__ import annotations

import re

import numpy as np
import pytest

import srcad
from tests.benchmarks.workloads.clusters import arrays
from tests.forms_of_derivatives import derivative

POINTS = np.array([[0.0, 0.0], [1.0, 3.0], [2.0, 0.5], [5.0, 1.0], [-3.0, 4.0]])
CENTRES = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, -1.0], [2.0, 0.5], [2.0, 0.5]])  # the first point is between three


def nearest(centres, points):
    return np.sum(np.min(np.sqrt(np.sum((points[:, None, :] - centres) ** 2, axis=2)), axis=1))


def one_by_one(centres, points):
    total = 0.0
    for i in range(points.shape[0]):
        total += np.min(np.sum((centres - points[i]) ** 2, axis=1))
    return total


def kept(centres, points):
    low = np.min(np.sum((points[:, None, :] - centres) ** 2, axis=2), axis=1, keepdims=True)
    return np.sum(low * points)


def twice(centres, points):
    far = np.max(np.abs(points[:, :1] - centres[:, 0]), axis=1)
    return np.sum(far * np.max(np.abs(points[:, :1] - centres[:, 0]), axis=1) + far)


def along_both(centres, points):
    squares = np.sum((points[:, None, :] - centres) ** 2, axis=2)
    return np.sum(np.min(squares, axis=1)) + np.sum(np.max(squares, axis=0))


def compared_again(centres, points):
    total = 0.0
    for i in range(points.shape[0]):
        squares = np.sum((centres - points[i]) ** 2, axis=1)
        low = np.min(squares)
        squares[squares == low] *= 3.0
        total += low * np.sum(squares)
    return total


def chamfer(centres, points):
    squares = np.sum((points[:, None] - centres[None]) ** 2, axis=2)
    return np.mean(np.min(squares, axis=1)) + np.mean(np.min(squares, axis=0))


def of_columns(centres, points):
    squares = np.sum((points[:, None] - centres[None]) ** 2, axis=2)
    low = np.min(squares, axis=0)
    return np.sum(low * low) + np.sum(squares[0])


PROGRAMS = [arrays, nearest, one_by_one, kept, twice, along_both, compared_again, chamfer, of_columns]


@pytest.mark.parametrize("fn, seed", [
    pytest.param(fn, seed, marks=() if seed < 0.0 and turn % 2 == 0 else pytest.mark.slow)
    for turn, fn in enumerate(PROGRAMS) for seed in (1.0, -0.5)
])  # fmt: skip
def test_ties_share(fn, seed):
    found = srcad.value_and_grad(fn, wrt=(0, 1))(CENTRES, POINTS + 0.0, grad_ys=seed)
    plain = srcad.value_and_grad(fn, wrt=(0, 1), target="python", optimize=False)(CENTRES, POINTS + 0.0, grad_ys=seed)
    assert found[0] == pytest.approx(plain[0])
    for one, other in zip(found[1], plain[1]):
        np.testing.assert_allclose(one, other, atol=1e-12)


def test_of_three_each_has_a_third():
    _, bar = srcad.value_and_grad(arrays)(CENTRES, POINTS[:1])
    np.testing.assert_allclose(bar, np.concatenate([CENTRES[:3] * 2.0 / 3.0, np.zeros((2, 2))]), atol=1e-15)


def test_what_is_no_number_attains_an_extreme_that_is_none():
    points = np.array([[np.nan, 0.0], [1.0, 3.0]])
    value, bar = srcad.value_and_grad(arrays)(CENTRES, points)
    assert np.isnan(value)
    assert np.isnan(bar[:, 0]).all()
    plain = srcad.grad(arrays, target="python", optimize=False)(CENTRES, points)
    np.testing.assert_allclose(bar, plain, atol=1e-15)


@pytest.mark.parametrize("fn", [np.max, np.min])
def test_what_is_no_number_gets_the_cotangent(fn):
    def extremes(x):
        return np.sum(fn(x, axis=1) * np.array([2.0, 3.0]))

    bar = srcad.grad(extremes, target="python")(np.array([[np.nan, 1.0, np.nan], [5.0, 5.0, 5.0]]))
    np.testing.assert_array_equal(bar, [[1.0, 0.0, 1.0], [1.0, 1.0, 1.0]])


def test_empty_rows_raise():
    with pytest.raises(ValueError, match="zero-size"):
        srcad.value_and_grad(arrays)(np.zeros((0, 2)), POINTS)


def test_the_text():
    text = srcad.source(srcad.value_and_grad(arrays), CENTRES, POINTS)
    assert re.search(r"for (\w+) in range\(first, last \+ 1\):\n +if total_1\[\1\] == min_total or np.isnan", text)
    assert "difference = np.empty" not in text
    assert "range(first" not in srcad.source(srcad.value_and_grad(compared_again), CENTRES, POINTS)


@pytest.mark.parametrize("fn", [chamfer, along_both, of_columns])
def test_pairs_that_attain_no_extreme_are_passed_over(fn):
    text = srcad.source(srcad.value_and_grad(fn, wrt=(0, 1)), CENTRES, POINTS, stage="blocks")
    assert bool(re.search(r"if hit\w*\[.*\]( or .*)?:\n", text)) == (fn is not of_columns), text


@pytest.mark.parametrize("fn", [chamfer, along_both, of_columns])
def test_the_text_for_machines_agrees_at_special_points(fn):
    none = np.where(np.arange(5)[:, None] == 3, np.nan, POINTS)
    cases = [(CENTRES, POINTS), (POINTS, POINTS), (CENTRES[:1], POINTS), (CENTRES, POINTS[:1]), (CENTRES, none),
             (CENTRES.astype(np.float32), POINTS.astype(np.float32)),
             (np.asfortranarray(CENTRES), POINTS[::-1])]  # fmt: skip
    for centres, points in cases:
        found = derivative(fn, (0, 1), "machine text")(centres.copy(), points.copy())
        plain = derivative(fn, (0, 1), "plain")(centres.copy(), points.copy())
        assert found[0] == pytest.approx(plain[0], rel=1e-6, nan_ok=True)
        for one, other in zip(found[1], plain[1]):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
