"""Names that are None on one path and a number or an array on another."""

import numpy as np
import pytest

import srcad
from tests.corpus.found import lost_and_found_again, row_that_is_found

X = np.array([0.5, 1.5, -0.4, 0.1, 2.0])


def unguarded(x):
    found = None
    for i in range(len(x)):
        if x[i] > 1.0:
            found = x[i]
            break
    return found * 2.0


def guarded_in_part(x):
    found = None
    for i in range(len(x)):
        if x[i] > 1.0:
            found = x[i]
    if x[0] > 0.0 and found is not None and found > 0.5:
        return found**2
    return x[1] if x[0] < 0.0 or found > 0.1 else x[2]


def forgotten(x):
    found = None
    for i in range(len(x)):
        if x[i] > 1.0:
            found = x[i]
        if x[i] < 0.0:
            found = None
    return found * x[0]


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("f", [unguarded, guarded_in_part])
def test_to_read_them_raises_what_python_raises(f, target):
    df = srcad.grad(f, target=target)
    assert np.count_nonzero(df(X)) == 1
    for x in (X / 2.0, np.zeros(0) if f is unguarded else X / 3.0):
        with pytest.raises(TypeError, match="found is None where a number or an array is needed"):
            df(x)


def test_what_was_forgotten_is_not_read():
    df = srcad.grad(forgotten, target="python")
    assert np.allclose(df(X), [2.0, 0.0, 0.0, 0.0, 0.5])
    with pytest.raises(TypeError, match="found is None"):
        df(X[:4])


def test_nothing_is_asked_where_the_tests_say_enough():
    for f in (lost_and_found_again, row_that_is_found):
        source = srcad.source(srcad.grad(f, target="python"), X)
        assert "raise" not in source and "_bound" not in source and "_given" in source


def test_machine_code_has_the_flags():
    for f in (lost_and_found_again, row_that_is_found):
        assert np.allclose(srcad.grad(f)(X), srcad.grad(f, target="python")(X))
