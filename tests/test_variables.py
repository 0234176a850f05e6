"""Variables: as numbers and arrays in plain Python, read and updated by compiled functions, and their gradients."""

from __future__ import annotations

import types

import numpy as np
import pytest

import srcad
from srcad import (
    Variable, function, gradients, gradients_function, implicit_gradients, implicit_value_and_gradients,
    value_and_gradients_function,
)  # fmt: skip

TARGETS = pytest.mark.parametrize("target", ["python", "cpu"])


def test_in_plain_python():
    w, A = Variable(3.0), Variable([[1.0, 2.0], [3.0, 4.0]])
    assert w.value == 3.0 and type(w.value) is float
    assert (w * 2, 2 - w, w**2, -w, w / 2, float(w), np.sqrt(w + 1)) == (6.0, -1.0, 9.0, -3.0, 1.5, 3.0, 2.0)
    assert (A @ np.ones(2)).tolist() == [3.0, 7.0] and A[1].tolist() == [3.0, 4.0] and len(A) == 2
    assert A.shape == (2, 2) and A.dtype == np.float64 and A.ndim == 2 and A.size == 4 and A.T[0, 1] == 3.0
    assert w.assign(5.0) is w and w.assign_add(1).assign_sub(0.5).value == 5.5
    assert w != Variable(5.5) and w == w and len({w, A, w}) == 2
    assert repr(Variable(1, trainable=False)) == "Variable(1, trainable=False)"
    value = A.value
    A.assign_sub(value)
    assert value[0, 0] == 1.0 and not A.value.any()
    with pytest.raises(ValueError, match=r"a value of shape \(3,\) is assigned to a Variable of shape \(2, 2\)"):
        A.assign([1.0, 2.0, 3.0])
    with pytest.raises(TypeError, match="a Variable holds numbers"):
        Variable("one")


w1, w2 = Variable(2.0), Variable(3.0)


def weighted_sum(x1, x2):
    return w1 * x1 + w2 * x2


@TARGETS
def test_the_four_transforms(target):
    assert weighted_sum(5.0, 7.0) == 31
    assert gradients_function(weighted_sum, target=target)(5.0, 7.0) == [2.0, 3.0]
    assert value_and_gradients_function(weighted_sum, target=target)(5.0, 7.0) == (31.0, [2.0, 3.0])

    def f(w1, x1, w2, x2):
        return w1 * x1 + w2 * x2

    assert gradients_function(f, params=["w1", "w2"], target=target)(w1, 5.0, w2, 7.0) == [5.0, 7.0]
    pairs = implicit_gradients(weighted_sum, target=target)(5.0, 7.0)
    assert [g for g, _ in pairs] == [5.0, 7.0] and pairs[0][1] is w1 and pairs[1][1] is w2
    value, pairs = implicit_value_and_gradients(weighted_sum, target=target)(5.0, 7.0)
    assert value == 31.0 and [g for g, _ in pairs] == [5.0, 7.0]


def test_what_is_not_trainable_is_left_out():
    a, b, n = Variable(2.0, trainable=False), Variable(3.0), Variable(4)
    pairs = implicit_gradients(lambda x1, x2: a * x1 + b * x2 * n, target="python")(5.0, 7.0)
    assert [g for g, _ in pairs] == [28.0] and pairs[0][1] is b
    with pytest.raises(ValueError, match="reads no trainable Variable; make one"):
        implicit_gradients(lambda x: a * x, target="python")(1.0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'wrt'"):
        implicit_gradients(lambda x: a * x, wrt=0)


@TARGETS
def test_present_values_count(target):
    w = Variable(2.0)
    derivative = srcad.grad(lambda x: w * x**2, target=target)
    assert derivative(3.0) == 12.0
    w.assign(5.0)
    assert derivative(3.0) == 30.0
    assert derivative(3.0, grad_ys=2.0) == 60.0


class Layer:
    def __init__(self):
        self.w, self.b = Variable([[1.0, -1.0], [0.5, 2.0]]), Variable([0.1, 0.2])

    def __call__(self, x):
        return np.tanh(self.w @ x + self.b)


class Model:
    def __init__(self):
        self.layers = Layer(), Layer()
        self.scale = Variable(2.0)

    def loss(self, x):
        return self.scale * np.sum(self.layers[1](self.layers[0](x)) ** 2)


@TARGETS
def test_attributes_of_objects(target):
    model, x = Model(), np.array([0.3, -0.4])
    pairs = implicit_gradients(model.loss, target=target)(x)
    assert len(pairs) == 5
    for gradient, variable in pairs:
        for index in np.ndindex(variable.shape):
            values = []
            for shift in (1e-6, -1e-6):
                shifted = variable.value if variable.ndim else np.array(variable.value)
                shifted[index] += shift
                old = variable.value
                variable.assign(shifted)
                values.append(float(model.loss(x)))
                variable.assign(old)
            assert np.asarray(gradient)[index] == pytest.approx((values[0] - values[1]) / 2e-6, abs=1e-8)


@TARGETS
def test_updates(target):
    count, W = Variable(0), Variable(np.ones((2, 2), dtype=np.float32))

    @function(target=target)
    def step(x, flag):
        count.assign_add(1)
        if flag:
            W.assign(W * x)
            W.assign_sub(W * 0.5)
        return np.sum(W)

    assert step(3.0, True) == 6.0 and W.value.tolist() == [[1.5, 1.5], [1.5, 1.5]] and W.dtype == np.float32
    assert step(3.0, False) == 6.0 and count.value == 2


@TARGETS
def test_every_reading_counts(target):
    x = Variable(3.0)

    @function(target=target)
    def f():
        y = x * x
        x.assign_add(1.0)
        z = x * y
        return gradients(z, x)[0]

    assert f() == 33.0 and x.value == 4.0


@TARGETS
def test_a_line_is_fitted_in_one_function(target):
    m, b = Variable(0.0), Variable(0.0)
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 1, 100)
    y = 3 * x + 1 + 0.01 * rng.standard_normal(100)

    @function(target=target)
    def step(x, y):
        loss = np.mean((m * x + b - y) ** 2)
        g = gradients(loss, [m, b])
        m.assign_sub(0.5 * g[0])
        b.assign_sub(0.5 * g[1])
        return loss

    for _ in range(500):
        loss = step(x, y)
    assert loss < 2e-4 and np.allclose([m.value, b.value], np.polyfit(x, y, 1), atol=1e-3)
    assert "reassigned" not in step.source() and "detached" not in step.source()


def test_variables_of_other_ranks_are_refused():
    W = Variable([1.0, 2.0])

    @function(target="python")
    def step(x):
        W.assign(x)
        return x

    with pytest.raises(srcad.UnsupportedError, match="a Variable that is given a value of another rank"):
        step(1.0)


class Dense:
    def __init__(self, shape, dtype):
        self.weights = [Variable(np.full(shape, 0.5, dtype=dtype)), Variable(np.zeros(shape[:1], dtype=dtype))]
        self.table = {"scale": Variable(2.0, dtype=dtype), "shift": (Variable(1.0, dtype=dtype),)}

    def norm(self):
        total = 0.0
        for v in self.weights:
            total += np.sum(v * v)
        return total

    def __call__(self, x):
        return self.table["scale"] * (self.weights[0] @ x + self.weights[1]) + self.table["shift"][0]


@TARGETS
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_lists_and_dicts_of_variables(dtype, target):
    layer = Dense((3, 2), dtype)

    def loss(x):
        return np.sum(layer(x)) + layer.norm()

    pairs = implicit_gradients(loss, target=target)(np.array([1.0, 2.0], dtype=dtype))
    found = {id(v): g for g, v in pairs}
    W, b = layer.weights
    assert np.allclose(found[id(W)], np.tile([2.0, 4.0], (3, 1)) + 1.0) and np.allclose(found[id(b)], 2.0)
    assert np.isclose(found[id(layer.table["scale"])], 4.5) and np.isclose(found[id(layer.table["shift"][0])], 3.0)
    assert all(g.dtype == dtype for g, _ in pairs if np.ndim(g))


def test_attributes_of_modules(tmp_path, monkeypatch):
    text = "import srcad\nw = srcad.Variable(3.0)\nws = [srcad.Variable(2.0)]\n"
    (tmp_path / "weights_of_a_test.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    import weights_of_a_test as module

    pairs = implicit_gradients(lambda x: module.w * x + module.ws[0] ** 2, target="python")(2.0)
    assert [g for g, _ in pairs] == [2.0, 4.0] and pairs[0][1] is module.w


class Counter:
    def __init__(self):
        self.count = Variable(0)
        self.means = [Variable(np.zeros(2)), Variable(np.zeros(2))]

    def bump(self, by):
        self.count.assign_add(by)

    def take(self, x):
        for mean in self.means:
            mean.assign(0.5 * mean + 0.5 * x)


@TARGETS
def test_updates_in_methods_branches_and_loops_over_variables(target):
    counter = Counter()

    @function(target=target)
    def step(x, many):
        if many:
            counter.bump(10)
        else:
            counter.bump(1)
        counter.take(x)
        return counter.count * 2

    assert step(np.ones(2), True) == 20 and step(np.ones(2), False) == 22
    assert counter.count.value == 11 and counter.means[1].value.tolist() == [0.75, 0.75]


@TARGETS
def test_values_change_places(target):
    a, b = Variable([1.0, 2.0]), Variable([3.0, 4.0])

    @function(target=target)
    def swap():
        old = a.value
        a.assign(b)
        b.assign(old)

    swap()
    assert a.value.tolist() == [3.0, 4.0] and b.value.tolist() == [1.0, 2.0]


@TARGETS
def test_results_are_not_the_memory_of_variables(target):
    W = Variable([1.0, 2.0])
    whole = function(lambda: (W, W[:1]), target=target)
    first, part = whole()
    W.assign([5.0, 6.0])
    assert first.tolist() == [1.0, 2.0] and part.tolist() == [1.0]

    @function(target=target)
    def add(x):
        W.assign_add(x)
        return W.value

    kept = add(1.0)
    add(1.0)
    assert kept.tolist() == [6.0, 7.0] and W.value.tolist() == [7.0, 8.0]


def test_an_update_in_what_is_differentiated_inside_is_refused():
    w = Variable(2.0)

    def counted(x):
        w.assign_add(1.0)
        return w * x

    @function(target="python")
    def f(x):
        return srcad.grad(counted)(x)

    with pytest.raises(srcad.UnsupportedError, match="a Variable gets a new value in a function that is"):
        f(1.0)


@pytest.mark.parametrize("value, dtype", [
    (2.0, np.float32), ([1.0, 2.0], np.float32), (1.0 + 2.0j, None), (np.zeros((2, 0)), None), (True, None),
    (np.ones((2, 3, 4)), None),
])  # fmt: skip
def test_shapes_and_dtypes(value, dtype):
    v = Variable(value, dtype=dtype)
    assert v.shape == np.shape(value) and v.dtype == (dtype or np.asarray(value).dtype)
    assert np.array_equal(np.asarray(v), np.asarray(value)) and np.array_equal(v + 0, np.asarray(value) + 0)
    read = function(lambda: v * 1, target="python")()
    assert np.shape(read) == v.shape and np.array_equal(read, v.value * 1)


@TARGETS
def test_derivatives_inside_and_of_the_next_order_read_variables(target):
    w = Variable(2.0)

    def cubic(x):
        return w * x**3

    @function(target=target)
    def f(x):
        return srcad.grad(cubic)(x) * w

    assert f(3.0) == 2.0 * 27.0 * 2.0
    assert srcad.grad(lambda x: srcad.grad(cubic)(x) * x, target=target)(3.0) == 6.0 * 3 * 9.0
    assert srcad.grad(srcad.grad(cubic, target=target), target=target)(3.0) == 36.0
    assert srcad.hvp(cubic, target=target)(3.0) == 36.0
    w.assign(1.0)
    assert f(3.0) == 27.0 and srcad.hvp(cubic, target=target)(3.0) == 18.0


class LazyModule(types.ModuleType):
    """As some packages put into `sys.modules`: it imports where it is asked, which may fail."""

    def __getattr__(self, name):
        raise ModuleNotFoundError(name)


KNOWN_MODULES = {"lazy": LazyModule("lazy")}


def asks_for_modules(x):
    return x * x * (2.0 if "lazy" in KNOWN_MODULES else 1.0)


def test_modules_that_import_where_they_are_asked():
    assert srcad.grad(asks_for_modules, target="python")(3.0) == 12.0
