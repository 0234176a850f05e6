"""Lengths that meet and differ in the first call: only the text that is for them is compiled."""

import numpy as np
import pytest

import srcad
from srcad.backends import lengths, numba_cpu
from srcad.backends.source import Source
from srcad.testing import check_grads

COLUMN, MATRIX = np.array([[1.0], [2.0], [3.0]]), np.arange(6.0).reshape(3, 2)


def distances(x, y):
    d = x + y
    for _ in range(2):
        d = d * y + x
    return np.sum(d**2)


def of_a_dict(p):
    return distances(p["x"], p["y"])


def checked(x, y):
    if x.shape[0] != y.shape[0]:
        raise ValueError("of different lengths")
    return distances(x, y)


def _takes_rows_to_agree(source):
    """Whether a text is for rows of one length; what is repeated along them may have a text that compares columns."""
    return lengths.takes_lengths_to_agree(source) and "shape[1] !=" in source.text


@pytest.fixture
def compiled(monkeypatch):
    """The texts that are compiled."""
    made: list[Source] = []
    dispatcher_of = numba_cpu.dispatcher_of

    def noted(source, *others):
        made.append(source)
        return dispatcher_of(source, *others)

    monkeypatch.setattr(numba_cpu, "dispatcher_of", noted)
    return made


def test_lengths_that_differ_are_seen_before_compiling(compiled):
    df = srcad.grad(distances, wrt=(0, 1))
    for _ in range(2):
        check_grads(distances, (COLUMN, MATRIX))
        x_bar, y_bar = df(COLUMN, MATRIX)
        assert x_bar.shape == COLUMN.shape and y_bar.shape == MATRIX.shape
    assert not any(map(_takes_rows_to_agree, compiled))


def test_lengths_that_differ_later(compiled):
    df = srcad.grad(distances)
    expected = srcad.grad(distances, target="python")
    for x in (MATRIX, COLUMN, MATRIX):
        np.testing.assert_allclose(df(x, MATRIX), expected(x, MATRIX), rtol=1e-14)
    taken = list(map(_takes_rows_to_agree, compiled))
    assert taken == [True, False, False]  # columns that are repeated have a text of their own


def test_arguments_in_a_dict(compiled):
    df = srcad.grad(of_a_dict)
    for _ in range(2):
        found = df({"x": COLUMN, "y": MATRIX})
        np.testing.assert_allclose(found["x"], srcad.grad(distances)(COLUMN, MATRIX), rtol=1e-14)
    assert not any(map(_takes_rows_to_agree, compiled))


def test_with_an_array_for_the_gradient(compiled):
    df, out = srcad.grad(distances), np.empty_like(COLUMN)
    df(COLUMN, MATRIX, out=out)
    np.testing.assert_allclose(out, srcad.grad(distances, target="python")(COLUMN, MATRIX), rtol=1e-14)


def test_the_users_own_error_comes_first():
    with pytest.raises(ValueError, match="of different lengths"):
        srcad.grad(checked)(COLUMN[:2], MATRIX)
