"""Arguments with axes of one element, in calls where lengths differ that compiled code takes to agree."""

import numpy as np
import pytest

import srcad

pytestmark = pytest.mark.slow
R = np.random.default_rng(3)
COLUMN, WHOLE, ROW, ONE = R.random((4, 1)), R.random((4, 3)), R.random((1, 3)), R.random((1, 1))


def energy(m, v):
    return np.sum(np.exp(-m * v**2))


def test_repeated_columns_are_elements_of_loops():
    derivative = srcad.grad(energy, wrt=("m", "v"), target="cpu")
    derivative(COLUMN, WHOLE)
    ((axes, single),) = derivative._singles.items()
    (source,) = single.sources.values()
    assert axes == ((0, 1),) and "m_bar = np.empty((m.shape[0], 1))" in source.text and "sum_to" not in source.text
    assert not derivative.general.sources
    derivative(COLUMN, v=WHOLE)
    assert list(derivative._singles) == [axes]


def rebound(m, v):
    x = m
    for _ in range(2):
        x = np.sin(x * v)
    return np.sum(x)


def chosen(m, v):
    x = m if m[0, 0] > 5.0 else m * v
    for j in range(m.shape[1]):
        x = x + v[:, :1] * m[0, j]
    return np.sum(x**2)


def changed(m, v):
    m *= 2.0
    m[0] = m[0] * v[0, 0]
    return np.sum(m * v)


def difference(x):
    dx = x.T - x
    return np.sum(np.exp(-(dx**2)))


def of_difference(m, v):
    return difference(m[:, :1]) * np.sum(m / (1.0 + v)) + np.sum(m.T @ (m * v))


@pytest.mark.parametrize("fn", [energy, rebound, chosen, changed, of_difference])
@pytest.mark.parametrize("m, v", [(COLUMN, WHOLE), (WHOLE, WHOLE), (COLUMN, COLUMN), (ONE, ROW)])
def test_gradients_and_tangents_are_those_of_the_interpreter(fn, m, v):
    for make in (srcad.value_and_grad, srcad.jvp):
        found, wanted = (make(fn, wrt=("m", "v"), target=t)(m.copy(), v.copy())[1] for t in ("cpu", "python"))
        for one, two in zip(found, wanted) if isinstance(wanted, tuple) else [(found, wanted)]:
            assert np.shape(one) == np.shape(two)
            np.testing.assert_allclose(one, two, rtol=1e-10, atol=1e-13)


def test_one_derivative_for_arguments_of_all_lengths():
    compiled, plain = (srcad.grad(energy, wrt=("m", "v"), target=t) for t in ("cpu", "python"))
    for m, v in ((WHOLE, WHOLE), (COLUMN, WHOLE), (WHOLE, COLUMN), (COLUMN, ROW), (ONE, WHOLE), (ONE, ONE)):
        for one, two in zip(compiled(m, v), plain(m, v)):
            assert one.shape == two.shape
            np.testing.assert_allclose(one, two, rtol=1e-12)


def test_what_the_caller_passed_is_changed_once():
    derivative = srcad.grad(changed, target="cpu")
    m, copied = COLUMN.copy(), COLUMN.copy()
    derivative(m, WHOLE)
    changed(copied, WHOLE)
    np.testing.assert_allclose(m, copied)


def test_lengths_that_do_not_fit_are_refused_as_numpy_does():
    with pytest.raises(ValueError):
        srcad.grad(energy, target="cpu")(COLUMN, R.random((5, 3)))
