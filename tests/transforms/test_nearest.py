"""Places of extremes of rows, with which elements are picked: rows of distances are not kept."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import derivative

rng = np.random.default_rng(3)
POINTS, CENTRES = rng.normal(size=(7, 3)), rng.normal(size=(4, 3))
TIED = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 1.0]])


def quantised(x, c):
    k = np.argmin(((x[:, None, :] - c[None, :, :]) ** 2).sum(-1), axis=1)
    return np.sum((x - c[k]) ** 2)


def row_by_row(x, c):
    total = 0.0
    for i in range(x.shape[0]):
        k = np.argmin(((c - x[i]) ** 2).sum(1))
        total += np.sum((x[i] - c[k]) ** 2)
    return total


def farthest(x, c):
    d = np.sqrt(((x[:, None, :] - c) ** 2).sum(-1) + 1.0)
    k = np.argmax(d, axis=1)
    total = 0.0
    for i in range(x.shape[0]):
        total += d[i, k[i]] * np.exp(-c[k[i], 0])
    return total


def first_that_holds(x, c):
    total = 0.0
    for i in range(x.shape[0]):
        d = ((c - x[i]) ** 2).sum(1)
        k = np.argmax(d > 1.0)
        total += np.exp(-d[k]) * (1 + np.argmin(x.astype(np.int64)[i]))
    return total


def best_value(x, c):
    total = 0.0
    for i in range(x.shape[0]):
        total += np.exp(-np.min(((c - x[i]) ** 2).sum(1))) + x[i, np.argmax(c[:, 0]) % 3]
    return total


PROGRAMS = (quantised, row_by_row, farthest, first_that_holds, best_value)
CASES = ((POINTS, CENTRES), (np.zeros((2, 3)), TIED), (POINTS[:0], CENTRES), (POINTS[:1], CENTRES[:1]))


def agree(found, expected, rounding=1e-12):
    assert found[0] == pytest.approx(expected[0], rel=rounding, nan_ok=True)
    for one, other in zip(found[1], expected[1]):
        np.testing.assert_allclose(one, other, rtol=10 * rounding, atol=rounding)


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_the_text_for_machine_code_gives_what_the_literal_adjoint_gives(function):
    for x, c in CASES:
        expected = derivative(function, (0, 1), "plain")(x.copy(), c.copy())
        agree(derivative(function, (0, 1), "machine text")(x.copy(), c.copy()), expected)


LAYOUTS = [
    (np.where(np.arange(7)[:, None] == 2, np.nan, POINTS), CENTRES),
    (POINTS, np.where(np.arange(4)[:, None] == 2, np.nan, CENTRES)),
    (np.asfortranarray(POINTS), CENTRES), (POINTS[::2], CENTRES[::-1]),
]  # fmt: skip


@pytest.mark.parametrize("function, x, c", [
    pytest.param(function, *arrays, marks=() if (turn + other) % 2 else pytest.mark.slow)
    for turn, function in enumerate((quantised, row_by_row)) for other, arrays in enumerate(LAYOUTS)
])  # fmt: skip
def test_compiled_code_picks_what_numpy_picks(function, x, c):
    expected = srcad.value_and_grad(function, (0, 1), target="python", optimize=False)(x.copy(), c.copy())
    agree(srcad.value_and_grad(function, (0, 1))(x, c), expected)


def test_single_precision():
    x, c = POINTS.astype(np.float32), CENTRES.astype(np.float32)
    agree(derivative(quantised, (0, 1), "machine text")(x, c), derivative(quantised, (0, 1), "plain")(x, c), 1e-5)


def test_no_centres_are_an_error():
    with pytest.raises(ValueError, match="empty|no elements"):
        srcad.value_and_grad(quantised, (0, 1))(POINTS, CENTRES[:0])


@pytest.mark.parametrize("function", [quantised, row_by_row])
def test_distances_are_kept_for_a_block_of_rows_alone(function):
    text = srcad.source(srcad.value_and_grad(function, (0, 1)), POINTS, CENTRES, stage="blocks")
    assert "# blocks of iterations" in text and "argmin" not in text
    assert "np.empty((x.shape[0], c.shape[0]))" not in text
