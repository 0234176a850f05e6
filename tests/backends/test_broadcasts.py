"""Array expressions of many axes: the numbers of NumPy, from machine code that does not multiply with each axis."""

import numpy as np
import pytest
from numba import njit

import srcad
from srcad.backends.numba_cpu import NumbaDerivative


def weighted(x, y):
    return np.sum(x * y / (1.0 + x * x))


SHAPES = [
    pytest.param(((2, 3, 4, 2), (2, 3, 4, 2)), marks=pytest.mark.slow),
    ((2, 3, 4, 2), (1, 3, 1, 2)),
    pytest.param(((2, 1, 4, 1), (3, 1, 2)), marks=pytest.mark.slow),
    ((2, 0, 3), (1, 3)),
]


@pytest.mark.parametrize("shapes", SHAPES)
def test_axes_of_one_element(shapes):
    random = np.random.default_rng(1)
    x, y = (random.normal(size=shape) for shape in shapes)
    value, (x_bar, y_bar) = srcad.value_and_grad(weighted, (0, 1))(x, y)
    expected = np.broadcast_to(x / (1.0 + x * x), np.broadcast_shapes(*shapes))
    assert value == pytest.approx(weighted(x, y))
    ones = tuple(range(expected.ndim - y.ndim)) + tuple(
        axis + expected.ndim - y.ndim for axis, size in enumerate(y.shape) if size == 1
    )
    np.testing.assert_allclose(y_bar, np.sum(expected, axis=ones).reshape(y.shape), atol=1e-14)
    assert x_bar.shape == x.shape


def test_size_of_machine_code():
    derivative = srcad.function(lambda a, b: a * b / (1.0 + a))
    derivative(np.ones((2, 2, 2, 2)), np.ones((2, 2, 2, 2)))
    assert isinstance(derivative, NumbaDerivative)
    (compiled,) = derivative.overloads.values()
    assert compiled.library.get_llvm_str().count("\n") < 20000


def test_other_functions_are_compiled_as_ever():
    before = njit(lambda a, b: a + b)
    after = njit(lambda a, b: a + b)
    before(np.ones(3), np.ones(3))
    srcad.grad(weighted)(np.ones(3), np.ones(3))
    after(np.ones(3), np.ones(3))
    sizes = [next(iter(f.inspect_llvm().values())).count("\n") for f in (before, after)]
    assert sizes[0] == sizes[1]
