"""Functions that set attributes of objects outside: methods that count calls, objects with a state."""

import copy
import dataclasses
import functools
import types

import numpy as np
import pytest

import srcad


class Stats:
    def __init__(self):
        self.calls, self.sum = 0, 0.0


class Model:
    shared = 1

    def __init__(self, scale=1.0):
        self.scale, self.calls, self.total, self.last = scale, 0, 1.0, None
        self.weights, self.stats, self.logger = np.array([1.0, 2.0]), Stats(), print
        self._level = 0.5

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self._level = 2.0 * value

    def loss(self, x):
        self.calls += 1
        return self.scale * np.sum(x**2)

    def __call__(self, x):
        return self.loss(x) * self.calls


M, OTHER = Model(1.5), Model(2.0)
EVERY = {"m": M, "other": OTHER}


def counted(x):
    return M.loss(x) * M.calls


def twice(x):
    return M.loss(x) + M.loss(2.0 * x) * M.calls


def fading(x):
    M.total = 0.5 * M.total + np.sum(x**2)
    return M.total**2


def in_a_loop(x):
    for k in range(3):
        M.total = np.sin(M.total) * x[0]
        M.calls += k
        if M.total > 5.0:
            break
    return M.total * x[1]


def arrays(x):
    M.weights = M.weights * x
    M.weights *= x
    return np.sum(M.weights * M.scale)


def of_a_part(x):
    M.stats.calls += 1
    M.stats.sum += x[0]
    return x[1] * M.stats.sum * M.stats.calls


def of_its_class(x):
    M.shared += 1
    return x[0] * M.shared * Model.shared


def by_properties(x):
    M.level = x[0]
    return M.level * x[1]


def attributes_that_it_did_not_have(x):
    if not hasattr(M, "best"):
        M.best = x[0]
    elif x[0] * x[1] < M.best:
        M.best = x[0] * x[1]
    return M.best * x[1]


def on_some_paths(x):
    which = M if x[0] > 1.0 else OTHER
    which.total += x[0]
    return M.total * OTHER.total * x[1]


def in_dicts(x):
    for each in EVERY.values():
        each.scale *= x[0]
    EVERY["m"].scale += x[1]
    return M.scale * OTHER.scale


def in_inner_functions(x):
    def of(y):
        M.calls += 1
        setattr(M, "total", M.total + y)
        return y * M.calls * M.total

    return of(x[0]) + of(x[1])


def deeper(x, depth):
    M.calls += 1
    return x[0] if depth == 0 else deeper(x, depth - 1) * x[1]


def recursively(x):
    return deeper(x, 3) * M.calls


def later(x):
    M.total = x[0]
    read = lambda: M.total * x[1]
    M.total = 3.0
    return read()


def by_calls(x):
    return M(x) + M(x * x)


def values(x):
    M.last = (x[0], x[1] * 2.0)
    return M.last[1] * x[0]


PROGRAMS = [counted, twice, fading, in_a_loop, arrays, of_a_part, of_its_class, by_properties,
            attributes_that_it_did_not_have, on_some_paths, in_dicts, in_inner_functions, recursively, later, by_calls,
            values]  # fmt: skip
X = np.array([0.3, 0.7])


@pytest.fixture(autouse=True)
def fresh():
    begin()
    yield
    begin()


def begin():
    for model, scale in ((M, 1.5), (OTHER, 2.0)):
        vars(model).clear()
        model.__init__(scale)


def state():
    return copy.deepcopy([{**vars(model), "stats": vars(model.stats)} for model in (M, OTHER)])


def three_calls(fn, x):
    """What three calls give, the last one at another point, and what they leave in the objects."""
    begin()
    results = [fn(X.copy()), fn(X.copy()), fn(0.9 * x)]
    return results, state()


@pytest.mark.parametrize("target", ["python", "cpu"])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_state_and_gradients_are_those_of_the_function(fn, target):
    if target == "cpu" and fn in (recursively, in_a_loop, values, of_its_class):
        pytest.skip("compiled in other programs of their kind")
    expected, left = three_calls(fn, X)
    made, left_by_gradient = three_calls(srcad.value_and_grad(fn, target=target), X)
    np.testing.assert_allclose([value for value, _ in made], expected)
    np.testing.assert_equal(left_by_gradient, left)
    step = 1e-5
    for gradient, direction in zip(made[-1][1], np.eye(2)):
        ends = [three_calls(fn, X + s * step * direction)[0][-1] for s in (1.0, -1.0)]
        assert gradient == pytest.approx((ends[0] - ends[1]) / (2 * step) / 0.9, rel=1e-7, abs=1e-8)


@pytest.mark.parametrize("make", [srcad.jvp, srcad.function])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_other_forms(fn, make):
    expected, left = three_calls(fn, X)
    made, left_by_form = three_calls(make(fn, target="python"), X)
    values = [result[0] if make is srcad.jvp else result for result in made]
    np.testing.assert_allclose(values, expected)
    np.testing.assert_equal(left_by_form, left)
    if make is srcad.jvp:
        gradient = three_calls(srcad.value_and_grad(fn, target="python"), X)[0][-1][1]
        assert made[-1][1] == pytest.approx(np.sum(gradient))


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_bound_methods_and_callable_objects(target):
    df = srcad.grad(M.loss, target=target)
    np.testing.assert_allclose(df(X), 3.0 * X)
    np.testing.assert_allclose(df(X, 2.0), 6.0 * X)  # the seed is where it is without an object
    np.testing.assert_allclose(df(X, out=np.zeros(2)), 3.0 * X)
    assert M.calls == 3
    np.testing.assert_allclose(srcad.grad(M, target=target)(X), 4 * 3.0 * X)
    np.testing.assert_allclose(srcad.grad(OTHER.loss, wrt="self.scale", target=target)(X), np.sum(X**2))
    assert (M.calls, OTHER.calls) == (4, 0)  # the latter is that of a copy with another scale


def test_source_shows_the_object():
    df = srcad.grad(M.loss)
    text = df.source("float64[:]")
    assert "def loss_grad(x, model, grad_ys=1.0):" in text
    assert M.calls == 0 and srcad.source(df, X) and M.calls == 0  # nothing is called


def test_explain_and_lint():
    df = srcad.grad(M.loss)
    df(X)
    assert "model: Outside(calls: int64)" in str(srcad.explain(df))
    assert not srcad.lint(M.loss) and not srcad.lint(M.loss, X) and not srcad.lint(counted, X)
    assert M.calls == 1


def test_debug_leaves_the_object_as_it_is_where_the_interpreter_is_asked_again():
    def third(x):
        M.calls += 1
        return x[M.calls + 1]

    df = srcad.grad(third, debug=True, target="cpu")
    with pytest.raises(IndexError, match=r"return x\[M.calls"):
        df(X)
    assert M.calls in (0, 1)  # a call that fails leaves what was done, or nothing


def test_variables_beside_objects():
    w = srcad.Variable(2.0)

    def weighed(x):
        M.calls += 1
        return w * np.sum(x**2) * M.calls

    np.testing.assert_allclose(srcad.grad(weighed)(X), 4.0 * X)
    ((gradient, variable),) = srcad.implicit_gradients(weighed)(X)
    assert variable is w and gradient == pytest.approx(2 * np.sum(X**2)) and M.calls == 2


def test_an_object_that_is_an_argument_too():
    df = srcad.grad(lambda model, x: M.loss(x) * model.scale, wrt=1)
    with pytest.raises(ValueError, match="model.* hold one Model, and the function changes what it is passed"):
        df(M, X)


@functools.lru_cache(None)
def remembered(k):
    return M.total * k


@dataclasses.dataclass
class Point:
    x: float = 1.0


class Basket:
    def __init__(self):
        self.count = 0

    def __len__(self):
        return self.count


POINT, BASKET = Point(), Basket()


def _remembering(x):
    M.total += x[0]
    return remembered(2) * x[1]


def _by_dict(x):
    M.total += x[0]
    return M.__dict__["total"]


def _of_a_class(x):
    Model.shared += 1
    return x[0]


def _of_a_dataclass(x):
    POINT.x += x[0]
    return POINT.x


def _with_a_length(x):
    BASKET.count += 1
    return x[0] if BASKET else x[1]


class Rated:
    def __init__(self):
        self.rate = 1.0

    @functools.cached_property
    def double(self):
        return 2.0 * self.rate


class Scale:
    def __init__(self):
        self.rate = 1.0

    def __call__(self, x):
        self.rate += x
        return self.rate

    def __add__(self, other):
        return self.rate + other


RATED, SCALE = Rated(), Scale()


def _by_a_cached_property(x):
    RATED.rate += x[0]
    return RATED.double * x[1]


def _called_and_added_to(x):
    SCALE.rate += x[0]
    return (SCALE + 1.0) * x[1]


class Added:
    def __init__(self):
        self.rate = 1.0

    def __radd__(self, other):
        return other + self.rate


ADDED = Added()


def _in_a_sum(x):
    ADDED.rate += x[0]
    return sum([1.0, ADDED]) * x[1]


def _never_set(x):
    M.total = x[0]
    return M.total * M.unknown


@pytest.mark.parametrize("fn, message", [
    (_remembering, "a function that keeps its results and reads total, which is set here, is not supported"),
    (_by_dict, "the __dict__ of an object of which attributes are set is not supported"),
    (_of_a_class, "assigning to the attribute 'shared' is not supported"),
    (_of_a_dataclass, "assigning to the attribute 'x' is not supported"),
    (_with_a_length, "assigning to the attribute 'count' is not supported"),
    (_by_a_cached_property, "the cached property 'double' of an object of which attributes are set is not supported"),
    (_called_and_added_to, "assigning to the attribute 'rate' is not supported"),
    (_in_a_sum, "an operation on a number and an object is not supported"),
    (_never_set, "Model has no attribute 'unknown'"),
])  # fmt: skip
def test_refused(fn, message):
    with pytest.raises(srcad.UnsupportedError) as caught:
        srcad.grad(fn)(X)
    assert message in str(caught.value) and "; instead: " in str(caught.value)


@pytest.mark.parametrize("make", [srcad.hessian, lambda f: srcad.jacobian(srcad.grad(f))])
def test_second_derivatives_are_refused(make):
    with pytest.raises(srcad.UnsupportedError) as caught:
        make(M.loss)(X)
    assert "a derivative of a derivative of a function that sets the attribute 'calls'" in str(caught.value)
    assert "instead: a function that leaves it as it is" in str(caught.value)
    assert M.calls == 0


def test_a_namespace():
    seen = types.SimpleNamespace(last=0.0)

    def noted(x):
        seen.last, before = x[0], seen.last
        return before * x[0] + seen.last * x[1]

    df = srcad.value_and_grad(noted)
    assert df(X)[0] == pytest.approx(0.21) and seen.last == 0.3
    assert df(X)[0] == pytest.approx(0.09 + 0.21)
