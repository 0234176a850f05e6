"""Objects of plain classes that are called like functions, and methods of theirs in the place of functions."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from scipy.optimize import brentq

import srcad
from srcad.testing import check_grads

both = pytest.mark.parametrize("target", ["python", "cpu"])


class Layer:
    def __init__(self, weights, bias, activation=np.tanh):
        self.weights = weights
        self.bias = bias
        self.activation = activation

    def __call__(self, x):
        return self.activation(self.weights @ x + self.bias)


class Net:
    def __init__(self, layers):
        self.layers = layers
        self.calls = 0

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        self.calls += 1
        return x


class Parabola:
    def __init__(self, root):
        self.root = root

    def __call__(self, t):
        return t * t - self.root

    def at(self, t):
        return t**3 - self.root


class Scaled(Parabola):
    def __init__(self, root, scale):
        super().__init__(root)
        self.scale = scale

    def __call__(self, t):
        return super().__call__(t) * self.scale

    def at(self, t):
        return super().at(t) + self.scale


class Bent:
    bend = staticmethod(np.tanh)
    squared = staticmethod(lambda t: t * t)
    log = np.log1p

    @classmethod
    def name(cls):
        return cls.__name__


class BentScale(Bent):
    def __init__(self, scale):
        self.scale = scale

    def at(self, t):
        return self.bend(t * self.scale) + self.squared(t) * len(self.name()) + self.log(self.scale)


def some_net():
    rng = np.random.default_rng(0)
    first = Layer(rng.standard_normal((3, 2)), rng.standard_normal(3))
    return Net([first, Layer(rng.standard_normal((2, 3)), rng.standard_normal(2), np.sin)])


@both
def test_gradients_of_a_net(target):
    def loss(net, x):
        return np.sum(net(x) ** 2)

    net, x = some_net(), np.array([0.3, -0.7])
    gradient = srcad.grad(loss, target=target)(net, x)
    assert type(gradient) is Net and type(gradient.layers[0]) is Layer and net.calls == 1
    values = []
    for step in (1e-6, -1e-6):
        moved = some_net()
        moved.layers[0].weights[1, 0] += step
        moved.layers[1].bias[1] += step
        values.append(loss(moved, x))
    slope = (values[0] - values[1]) / 2e-6
    np.testing.assert_allclose(gradient.layers[0].weights[1, 0] + gradient.layers[1].bias[1], slope, rtol=1e-7)


@both
def test_functions_that_a_class_has_from_another_one(target):
    check_grads(lambda scale, x: BentScale(scale).at(x), (1.3, 0.8), target=target)
    gradient, slope = srcad.grad(lambda bent, x: bent.at(x) * bent.bend(x), (0, 1), target=target)(BentScale(1.3), 0.8)
    expected = srcad.grad(lambda s, x: (np.tanh(x * s) + 9.0 * x * x + np.log1p(s)) * np.tanh(x), (0, 1))(1.3, 0.8)
    np.testing.assert_allclose((gradient.scale, slope), expected)


@both
def test_what_an_attribute_holds_in_each_call(target):
    def f(parabola, x):
        return parabola(x) * x

    df, parabola = srcad.value_and_grad(f, wrt=1, target=target), Parabola(1.0)
    assert df(parabola, 2.0) == (6.0, 11.0)
    parabola.root = 3.0
    assert df(parabola, 2.0) == (2.0, 9.0)


def test_an_object_with_numbers_in_slots_is_no_constant():
    class Slotted:
        __slots__ = ("k",)

        def __call__(self, x):
            return self.k * x

    slotted = Slotted()
    slotted.k = 2.0
    with pytest.raises(TypeError, match="argument 'f' is of type Slotted"):
        srcad.grad(lambda f, x: f(x), wrt=1, target="python")(slotted, 1.0)


def handed_on(f, x):
    first = functools.partial(f.at, x)
    return first() * sum(map(f, (x, 2.0 * x))) + functools.reduce(lambda a, b: a * b, map(f.at, [x, 3.0]))


def in_loops(f, x):
    s = x
    for k in range(3):
        part = functools.partial(f.at, x * k)
        s += part()
        for each in (f, f.at, math.sin):
            s = each(s)
    return s


def roots(f, x):
    return x * brentq(f, 0.0, 3.0) + brentq(f.at, 0.0, 3.0) + srcad.grad(f.at)(x) + callable(f)


def of_one_made_inside(f, x):
    g = type(f)(f.root * x) if isinstance(f, Parabola) else f
    return brentq(g, 0.0, 3.0) + sum(map(g.at, (x, 2.0))) + callable(g) * x + callable(x)


def element_by_element(f, x):
    return np.sum(np.vectorize(f)(np.array([x, 2.0 * x]))) + max([x, 2.0 * x], key=f)


def changed_between(f, x):
    at = f.at
    f.root = f.root * 2.0
    return at(x) * f(x)


@both
@pytest.mark.parametrize("f", [handed_on, in_loops, roots, of_one_made_inside, element_by_element, changed_between])
def test_methods_as_functions(f, target):
    check_grads(lambda root, x: f(Parabola(root), x), (1.3, 0.8), target=target)
    value, (gradient, slope) = srcad.value_and_grad(f, wrt=(0, 1), target=target)(Parabola(1.3), 0.8)
    assert math.isclose(value, f(Parabola(1.3), 0.8))
    step = 1e-6
    of_root = (f(Parabola(1.3 + step), 0.8) - f(Parabola(1.3 - step), 0.8)) / (2 * step)
    of_x = (f(Parabola(1.3), 0.8 + step) - f(Parabola(1.3), 0.8 - step)) / (2 * step)
    np.testing.assert_allclose((gradient.root, slope), (of_root, of_x), rtol=1e-6, atol=1e-8)


@both
def test_methods_of_the_class_it_is_derived_from(target):
    def f(scaled, x):
        return scaled(x) * scaled.at(x)

    gradient, slope = srcad.grad(f, wrt=(0, 1), target=target)(Scaled(1.3, 0.5), 0.8)
    check = srcad.grad(lambda r, s, x: ((x * x - r) * s) * (x**3 - r + s), wrt=(0, 1, 2), target="python")(
        1.3, 0.5, 0.8
    )
    np.testing.assert_allclose((gradient.root, gradient.scale, slope), check)


def called_or_value(f, x):
    return f(x) if callable(f) else f


@both
def test_what_can_be_called(target):
    def f(parabola, x):
        own = called_or_value(parabola, x) * called_or_value(lambda t: t * x, x)
        return own + called_or_value(math.sin, x) * called_or_value(x, 2.0)

    def of_array(a, x):
        y = a(x) if callable(a) else a
        return np.sum(y * x)

    slope = srcad.grad(f, wrt=1, target=target)(Parabola(1.3), 0.8)
    exact = 2 * 0.8 * 0.8**2 + (0.8**2 - 1.3) * 2 * 0.8 + math.cos(0.8) * 0.8 + math.sin(0.8)
    np.testing.assert_allclose(slope, exact)
    assert srcad.grad(of_array, wrt=1, target=target)(np.ones(2), 0.8) == 2.0


class Wave(Parabola):
    def __init__(self, root):
        super().__init__(root)
        self.calls = 0

    def __call__(self, t):
        self.calls += 1
        return math.sin(t) * self.root


class Branch:
    def __init__(self, weight, left=None, right=None):
        self.weight = weight
        self.left = left
        self.right = right

    def __call__(self, x):
        total = self.weight * x
        if self.left is not None:
            total += self.left(x)
        return total if self.right is None else total + self.right(x * x)

    def deep(self, x, n):
        return self.weight * x if n == 0 else self.deep(self.at(x), n - 1)

    def at(self, x):
        total = self.weight * x
        if self.left is not None:
            total += self.left.at(x)
        return total if self.right is None else total + self.right.at(x * x)


def again(f, x, n):
    return x if n == 0 else again(f, f(x), n - 1)


def in_turn(f, g, x, n):
    return x if n == 0 else in_turn(g, f, f(x) + g.at(x), n - 1)


def recursive(f, g, x):
    return again(f, x, 2) * again(g, x, 3) + in_turn(f, g, x, 3)


def recursive_and_counted(f, g, x):
    return again(g, x, 3) * g.calls + f(x)


def by_index(f, g, x):
    functions, total = [f, g], 0.0
    for n in range(5):
        total += [f, g][n % 2](x) * functions[-(n % 2)].at(x) + functions[n % 2].root * n
    return total


def by_key(f, g, x):
    table = {0: f, 1: g, 2: math.sin, 3: lambda t: t * f.root}
    return sum(table[(3 * n) % 4](x) * (n + 1) for n in range(5))


def picked_and_changed(f, g, x):
    functions, total = (f, g), 0.0
    for n in range(4):
        f.root = f.root * 1.5
        total += functions[n % 2](x) * n
    return total


def by_test(f, g, x):
    chosen = f if x > 0 else g
    other = g if x > 0 else f
    return chosen(x) - other(x) * chosen.at(2.0) + other.root


@both
@pytest.mark.parametrize("function", [by_test, recursive, recursive_and_counted, by_index, by_key, picked_and_changed])
def test_objects_of_which_calls_pick_one(function, target):
    check_grads(lambda a, b, x: function(Parabola(a), Wave(b), x), (1.3, 0.7, 0.8), target=target)
    made, again_made = (Parabola(1.3), Wave(0.7)), (Parabola(1.3), Wave(0.7))
    value, (f, g, slope) = srcad.value_and_grad(function, wrt=(0, 1, 2), target=target)(*made, 0.8)
    assert math.isclose(value, function(*again_made, 0.8))
    for one, another in zip(made, again_made):
        assert vars(one) == pytest.approx(vars(another), rel=1e-14)
    for place, found in enumerate((f.root, g.root, slope)):
        ends = []
        for step in (1e-6, -1e-6):
            moved = [1.3, 0.7, 0.8]
            moved[place] += step
            ends.append(function(Parabola(moved[0]), Wave(moved[1]), moved[2]))
        assert math.isclose(found, (ends[0] - ends[1]) / 2e-6, rel_tol=1e-7)


@both
def test_nets_of_other_shapes_by_an_index(target):
    def loss(first, second, x):
        return sum(np.sum([first, second][n % 2](x)) for n in range(3))

    rng = np.random.default_rng(0)
    first, second = (Layer(rng.standard_normal((n, 2)), rng.standard_normal(n)) for n in (2, 3))
    x = np.array([0.3, -0.7])
    found = srcad.grad(loss, wrt=(0, 1), target=target)(first, second, x)
    for layer, gradient, times in zip((first, second), found, (2, 1)):
        np.testing.assert_allclose(gradient.bias, times * (1 - layer(x) ** 2), rtol=1e-12)


def test_an_index_beyond_the_end():
    with pytest.raises(IndexError, match="out of"):
        srcad.value_and_grad(lambda f, x, n: [f, f][n](x), wrt=1, target="python")(Parabola(1.0), 3.0, 2)


@both
@pytest.mark.parametrize("call", [lambda tree, x: tree(x), lambda tree, x: tree.at(x), lambda tree, x: tree.deep(x, 2)])
def test_trees_whose_methods_call_themselves(call, target):
    tree = Branch(1.0, Branch(2.0), Branch(3.0, None, Branch(0.5)))
    value, (gradient, slope) = srcad.value_and_grad(call, wrt=(0, 1), target=target)(tree, 0.7)
    assert math.isclose(value, call(tree, 0.7))
    ends = []
    for step in (1e-6, -1e-6):
        tree.right.right.weight += step
        ends.append(call(tree, 0.7))
        tree.right.right.weight -= step
    assert math.isclose(gradient.right.right.weight, (ends[0] - ends[1]) / 2e-6, rel_tol=1e-7)
    assert math.isclose(slope, (call(tree, 0.7 + 1e-6) - call(tree, 0.7 - 1e-6)) / 2e-6, rel_tol=1e-7)


class Account:
    __rate = 0.5

    def __init__(self, start):
        self.__start = start
        self._paid = 0.0

    def _grown(self, years):
        return self.__start * (1.0 + self.__rate) ** years

    def __pay(self, amount):
        self._paid += amount * self.__start

    @property
    def __double(self):
        return 2.0 * self.__start

    def total(self, years):
        self.__pay(years)
        return self._grown(years) + self.__double * self._paid


@both
def test_private_methods_and_attributes(target):
    value, gradient = srcad.value_and_grad(lambda account: account.total(2.0), target=target)(Account(3.0))
    assert value == Account(3.0).total(2.0)
    assert vars(gradient) == {"_Account__start": 1.5**2 + 8.0 * 3.0, "_paid": 6.0}
    assert srcad.grad(lambda x: Account(x).total(2.0), target=target)(3.0) == 1.5**2 + 8.0 * 3.0
