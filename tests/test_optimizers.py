"""Optimisers: against their formulas written out, in plain Python and in compiled functions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import srcad
from srcad import Variable, function, gradients, implicit_gradients
from srcad.optimizers import SGD, Adam

TARGETS = pytest.mark.parametrize("target", ["python", "cpu"])


def sgd(w, gradient, steps, rate, momentum=0.0, nesterov=False):
    v = np.zeros_like(w)
    for _ in range(steps):
        g = gradient(w)
        v = momentum * v - rate * g
        w = w + (momentum * v - rate * g if nesterov else v)
    return w


def adam(w, gradient, steps, rate, beta_1=0.9, beta_2=0.999, epsilon=1e-7):
    m, v = np.zeros_like(w), np.zeros_like(w)
    for t in range(1, steps + 1):
        g = gradient(w)
        m = beta_1 * m + (1 - beta_1) * g
        v = beta_2 * v + (1 - beta_2) * g * g
        w = w - rate * np.sqrt(1 - beta_2**t) / (1 - beta_1**t) * m / (np.sqrt(v) + epsilon)
    return w


CASES = [
    pytest.param(lambda: SGD(0.1), lambda *args: sgd(*args, 0.1), id="descent"),
    pytest.param(lambda: SGD(0.1, momentum=0.5), lambda *args: sgd(*args, 0.1, 0.5), id="momentum"),
    pytest.param(lambda: SGD(0.1, 0.5, nesterov=True), lambda *args: sgd(*args, 0.1, 0.5, True), id="nesterov"),
    pytest.param(lambda: Adam(0.1), lambda *args: adam(*args, 0.1), id="adam"),
    pytest.param(lambda: Adam(0.2, 0.5, 0.9, 1e-3), lambda *args: adam(*args, 0.2, 0.5, 0.9, 1e-3), id="adam-options"),
]
STARTS = [1.5, np.array([1.0, -2.0]), np.array([[0.5, 1.0, 2.0]]), np.array([1.0, -2.0], dtype=np.float32)]


def slope(w):
    """The gradient of sum(w**4 / 4 + w)."""
    return w**3 + 1.0


@TARGETS
@pytest.mark.parametrize("make, reference", CASES)
def test_compiled_steps(make, reference, target):
    for start in STARTS if target == "python" else STARTS[1:2]:
        w, other = Variable(start), Variable(2.0)
        optimizer = make()

        @function(target=target)
        def step():
            loss = np.sum(w**4 / 4.0 + w) + 3.0 * other
            optimizer.apply_gradients(zip(gradients(loss, [w, other]), [w, other]))
            return loss

        for _ in range(4):
            step()
        expected = reference(np.asarray(start, dtype=np.float64), slope, 4)
        np.testing.assert_allclose(w.value, expected, rtol=1e-12 if w.dtype == np.float64 else 1e-5)
        np.testing.assert_allclose(other.value, reference(np.array(2.0), lambda _: 3.0, 4), rtol=1e-12)
        assert optimizer.iterations.value == 4 and w.dtype == np.asarray(start).dtype


@pytest.mark.parametrize("make, reference", CASES)
def test_steps_in_plain_python(make, reference):
    for start in STARTS:
        w = Variable(start)
        optimizer = make()
        for _ in range(4):
            optimizer.apply_gradients([(slope(w.value), w)])
        expected = reference(np.asarray(start, dtype=np.float64), slope, 4)
        np.testing.assert_allclose(w.value, expected, rtol=1e-12 if w.dtype == np.float64 else 1e-5)


def test_pairs_of_implicit_gradients():
    w = Variable([1.0, 2.0])
    SGD(0.5).apply_gradients(implicit_gradients(lambda x: np.sum(w * w) * x, target="python")(1.0))
    assert w.value.tolist() == [0.0, 0.0]


@TARGETS
def test_the_learning_rate_of_now_counts(target):
    w, optimizer = Variable(1.0), SGD(0.5)

    @function(target=target)
    def step(x):
        optimizer.apply_gradients([(gradients(w * x, w)[0], w)])

    step(1.0)
    optimizer.learning_rate = 0.25
    step(1.0)
    optimizer.learning_rate.assign(0.125)
    step(1.0)
    assert w.value == 1.0 - 0.5 - 0.25 - 0.125
    assert "learning_rate" in step.source()


class Trainer:
    def __init__(self):
        self.weights = [Variable(np.ones(2)), Variable(0.5)]
        self.optimizer = Adam(0.01)
        self.epochs = Variable(0, trainable=False)

    def loss(self, x, y):
        return np.mean((x @ self.weights[0] + self.weights[1] - y) ** 2)

    def step(self, x, y):
        loss = self.loss(x, y)
        slopes = gradients(loss, self.weights)
        self.optimizer.apply_gradients(zip(slopes, self.weights))
        self.epochs.assign_add(1)
        return loss


@TARGETS
def test_methods_of_objects(target):
    trainer, rng = Trainer(), np.random.default_rng(0)
    x = rng.standard_normal((20, 2))
    y = x @ np.array([2.0, -1.0]) + 0.25
    step = function(trainer.step, target=target)
    losses = [step(x, y) for _ in range(800)]
    assert losses[-1] < 1e-3 * losses[0] and trainer.epochs.value == 800 == trainer.optimizer.iterations.value
    assert len(trainer.optimizer.variables) == 6


@TARGETS
def test_variables_without_a_gradient_stay(target):
    w, unused = Variable(1.0), Variable(7.0)
    optimizer = SGD(0.5, momentum=0.9)

    @function(target=target)
    def step():
        slopes = gradients(w * w, [w, unused])
        optimizer.apply_gradients(zip(slopes, [w, unused]))

    step()
    assert w.value == 0.0 and unused.value == 7.0


def test_wrong_uses_in_plain_python():
    w, other = Variable([1.0, 2.0]), Variable(1.0)
    optimizer = SGD(0.5)
    with pytest.warns(UserWarning, match=r"there is no gradient for Variable\(1.0\)"):
        optimizer.apply_gradients([(w.value, w), (None, other)])
    assert w.value.tolist() == [0.5, 1.0] and other.value == 1.0
    with pytest.raises(ValueError, match="there is no gradient for any Variable"):
        optimizer.apply_gradients([(None, w)])
    with pytest.raises(ValueError, match=r"a gradient of shape \(3,\) for a Variable of shape \(2,\)"):
        optimizer.apply_gradients([(np.ones(3), w)])
    with pytest.raises(TypeError, match="an optimiser trains Variables, not 2.0"):
        optimizer.apply_gradients([(1.0, 2.0)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.apply_gradients([])
    with pytest.raises(AttributeError, match="momentum of an optimiser stays; make another SGD"):
        optimizer.momentum = 0.5


@pytest.mark.parametrize("make, message", [
    (lambda: SGD(-1.0), "learning_rate must be a number from 0, not -1.0"),
    (lambda: SGD(0.1, momentum=2.0), "momentum must be a number from 0 to 1, not 2.0"),
    (lambda: Adam(0.1, beta_1=1.0), "beta_1 must be a number from 0 to below 1, not 1.0"),
    (lambda: Adam(0.1, beta_2=-0.5), "beta_2 must be a number from 0 to below 1, not -0.5"),
    (lambda: Adam(0.1, epsilon=-1.0), "epsilon must be a number from 0, not -1.0"),
])
def test_wrong_options(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_wrong_uses_in_compiled_functions():
    w, optimizer = Variable([1.0, 2.0]), SGD(0.5)

    @function(target="python")
    def other_shape(x):
        optimizer.apply_gradients([(x, w)])

    with pytest.raises(srcad.UnsupportedError, match="a Variable that is given a value of another rank"):
        other_shape(np.ones((3, 2)))

    @function(target="python")
    def no_variable(x):
        optimizer.apply_gradients([(x, x)])

    with pytest.raises(srcad.UnsupportedError):
        no_variable(1.0)
