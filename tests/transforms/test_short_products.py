"""Products with vectors in compiled loops: without BLAS where they are short, of every layout."""

import numba
import numpy as np
import pytest

import srcad
from srcad.runtime import short_dot

RNG = np.random.default_rng(0)


def of_pairs(x):
    s = 0.0
    for i in range(len(x)):
        for j in range(i):
            s += np.sin(x[i] @ x[j]) * np.dot(x[:, 0], x[:, 1])
    return s


def steps(v, a, n):
    for _ in range(n):
        v = np.tanh(v @ a) + 0.1 * (a @ v) - a.T @ v
    return np.sum(v**2)


@pytest.mark.parametrize("f, args", [
    (of_pairs, (RNG.normal(size=(5, 4)),)), (of_pairs, (RNG.normal(size=(3, 300)),)),
    (of_pairs, (np.asfortranarray(RNG.normal(size=(5, 4))),)), (of_pairs, (RNG.normal(size=(5, 8))[:, ::2],)),
    (steps, (RNG.normal(size=4), 0.3 * RNG.normal(size=(4, 4)), 3)),
    (steps, (RNG.normal(size=40), 0.1 * RNG.normal(size=(40, 40)), 3)),
    (steps, (RNG.normal(size=4), np.asfortranarray(0.3 * RNG.normal(size=(4, 4))), 3)),
    (steps, (RNG.normal(size=4).astype(np.float32), (0.3 * RNG.normal(size=(4, 4))).astype(np.float32), 3)),
])  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_gradients(f, args):
    wrt = (0, 1) if f is steps else (0,)
    value, gradients = srcad.value_and_grad(f, wrt)(*args)
    expected, others = srcad.value_and_grad(f, wrt, target="python")(*args)
    close = 1e-4 if args[0].dtype == np.float32 else 1e-12
    assert value == pytest.approx(expected, rel=close)
    for gradient, other in zip(gradients, others):
        assert gradient.dtype == other.dtype
        np.testing.assert_allclose(gradient, other, rtol=close, atol=close)


def test_only_machine_code_does_so():
    x, v, a = np.ones((3, 4)), np.ones(3), np.eye(3)
    for f, args, there in ((of_pairs, (x,), "k_1"), (steps, (v, a, 2), "short_dot(")):
        derivative = srcad.value_and_grad(f)
        assert there in srcad.source(derivative, *args, stage="blocks") and there not in srcad.source(derivative, *args)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("rows", [0, 3, 60])
def test_products_of_matrices_and_vectors(order, rows):
    compiled = numba.njit(lambda a, b: short_dot(a, b))
    a = np.asarray(RNG.normal(size=(rows, 40)), order=order)
    for left, right in ((a, RNG.normal(size=40)), (RNG.normal(size=rows), a)):
        np.testing.assert_allclose(compiled(left, right), left @ right, rtol=1e-12)
    with pytest.raises(ValueError):
        compiled(a, np.ones(7))
