"""Structures of the user's as arguments, results and seeds, interpreted and compiled."""

from __future__ import annotations

import enum
import types
from collections import namedtuple
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads

Line = namedtuple("Line", "slope offset")


class Net(NamedTuple):
    inner: Line
    scale: float


@dataclass(frozen=True)
class Layer:
    w: np.ndarray
    b: float
    size: int = 3
    kind: str = "tanh"


@dataclass
class Sums:
    double: float
    single: float


class Tagged(NamedTuple):
    x: float
    tags: dict[str, float]


class Mode(enum.Enum):
    SUM = 1
    SQUARES = 2


both = pytest.mark.parametrize("target", ["python", "cpu"])
w, x = np.array([0.5, -1.0, 2.0]), np.arange(12.0).reshape(4, 3) / 7


def by_key(p, x):
    return np.sum(np.tanh(x @ p["w"] + p["b"]))


def by_name(p, x):
    return np.sum(np.tanh(x @ p.w + p.b))


def by_index(p, x):
    return np.sum(np.tanh(x @ p[0] + p[1]))


def expected():
    s = 1 - np.tanh(x @ w + 0.3) ** 2
    return s @ x, np.sum(s)


@both
def test_dict(target):
    gradient = srcad.grad(by_key, target=target)({"w": w, "b": 0.3, "n": 3, "name": "net"}, x)
    assert list(gradient) == ["w", "b", "n", "name"] and gradient["n"] is None and gradient["name"] is None
    np.testing.assert_allclose(gradient["w"], expected()[0])
    np.testing.assert_allclose(gradient["b"], expected()[1])


@both
def test_dict_with_tuples_for_keys(target):
    def f(weights):
        total = weights.get((2, 2), 1.0) + ((0, 1) in weights)
        for (i, j), weight in weights.items():
            total += (i + 2 * j) * weight**2
        return total * weights[0, 1]

    found = srcad.grad(f, target=target)({(0, 1): 2.0, (1, 0): 3.0})
    assert found == {(0, 1): 2.0 * 8.0 + 19.0, (1, 0): 2.0 * 6.0}


@both
def test_dataclass(target):
    gradient = srcad.grad(by_name, target=target)(Layer(w, 0.3), x)
    assert type(gradient) is Layer and gradient.size is None and gradient.kind is None
    np.testing.assert_allclose(gradient.w, expected()[0])
    np.testing.assert_allclose(gradient.b, expected()[1])


def test_fields_that_follow_others_are_computed_anew_when_another_is_replaced():
    @dataclass
    class Square:
        side: float
        area: float = 0.0

        def __post_init__(self):
            self.area = self.side**2

    def both(square):
        larger = replace(square, side=2.0 * square.side)
        return larger.area * larger.side + square.area

    value, gradient = srcad.value_and_grad(both, target="python")(Square(1.5))
    assert value == both(Square(1.5)) == 8.0 * 1.5**3 + 1.5**2
    np.testing.assert_allclose([gradient.side, gradient.area], [24.0 * 1.5**2, 1.0])


class Oscillator:
    damping = 0.5

    def __init__(self, stiffness, at, name="spring"):
        self.stiffness, self.at, self.name, self.steps = stiffness, at, name, 0

    def step(self, dt):
        self.at = self.at - dt * self.stiffness * self.at * self.damping
        self.steps += 1


def energy(oscillator, dt):
    for _ in range(3):
        oscillator.step(dt)
    return oscillator.stiffness * np.sum(oscillator.at**2) * oscillator.steps


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
def test_objects_of_plain_classes(target):
    at, k, dt = np.array([1.0, -0.5]), 0.7, 0.1
    oscillator = Oscillator(k, at)
    gradient, by_step = srcad.grad(energy, wrt=("oscillator", "dt"), target=target)(oscillator, dt)
    shrunk = 1.0 - dt * k * 0.5
    assert type(gradient) is Oscillator and gradient.name is None and gradient.steps is None
    np.testing.assert_allclose(gradient.at, 6.0 * k * shrunk**6 * at)
    np.testing.assert_allclose(gradient.stiffness, 3.0 * np.sum(at**2) * (shrunk**6 - 3.0 * k * dt * shrunk**5))
    np.testing.assert_allclose(by_step, -9.0 * k**2 * np.sum(at**2) * shrunk**5)
    np.testing.assert_allclose(oscillator.at, shrunk**3 * at)  # the caller sees the steps, once
    assert oscillator.steps == 3


def test_attributes_of_the_class_in_objects_of_the_caller_s():
    class Meter:
        total = 0.0

        def __init__(self, rate):
            self.rate = rate

    def read(meter, flow):
        for amount in flow:
            meter.total += meter.rate * amount
        return meter.total**2

    meter = Meter(2.0)
    gradient = srcad.grad(read, target="python")(meter, np.array([0.5, 1.5]))
    assert (gradient.rate, meter.total) == (16.0, 4.0)


def test_namespaces_and_objects_that_hold_themselves():
    gradient = srcad.grad(lambda p: p.a * np.sum(p.b**2), target="python")(types.SimpleNamespace(a=2.0, b=np.ones(2)))
    assert gradient.a == 2.0 and gradient.b.tolist() == [4.0, 4.0]
    oscillator = Oscillator(0.7, np.ones(2))
    oscillator.name = [oscillator]
    with pytest.raises(TypeError, match="a Oscillator that holds itself cannot be passed"):
        srcad.grad(energy, wrt="dt", target="python")(oscillator, 0.1)


def test_objects_that_are_called():
    @dataclass
    class Scaled:
        factor: float

        def __call__(self, x):
            return self.factor * np.sin(x)

    @dataclass
    class Chain:
        links: list
        last: Scaled

        def __call__(self, x):
            for link in self.links:
                x = link(x)
            return self.last(x)

    check_grads(lambda chain, x: chain(x), (Chain([Scaled(2.0), Scaled(0.5)], Scaled(3.0)), 0.7), target="python")


def test_fewer_values_than_keys():
    def f(v):
        p = dict(zip(("a", "b"), v))
        return p["a"]

    df = srcad.grad(f, target="python")
    np.testing.assert_array_equal(df(np.ones(3)), [1.0, 0.0, 0.0])
    with pytest.raises(ValueError, match="there are fewer values than keys"):
        df(np.ones(1))


@both
@pytest.mark.parametrize("kind", [tuple, list])
def test_sequences(target, kind):
    gradient = srcad.grad(by_index, target=target)(kind((w, 0.3)), x)
    assert type(gradient) is kind
    np.testing.assert_allclose(gradient[0], expected()[0])
    np.testing.assert_allclose(gradient[1], expected()[1])


@both
def test_nested_named_tuples(target):
    def f(net, t):
        return net.scale * (net.inner.slope * t + net.inner[1])

    value, gradient = srcad.value_and_grad(f, target=target)(Net(Line(2.0, 1.0), 3.0), 5.0)
    assert value == 33.0 and gradient == Net(Line(15.0, 3.0), 11.0) and type(gradient.inner) is Line


@both
def test_one_derivative_serves_many_structures(target):
    df = srcad.grad(by_key, target=target)
    for p in ({"w": w, "b": 0.3}, {"b": 0.3, "w": w}, {"w": w, "b": 0.3, "rest": ()}, {"w": w.astype("f4"), "b": 0.3}):
        gradient = df(p, x)
        assert list(gradient) == list(p) and gradient["w"].dtype == p["w"].dtype
        np.testing.assert_allclose(gradient["w"], expected()[0], rtol=1e-5)


@both
def test_unconnected_leaves(target):
    def f(p):
        return p["x"] ** 2

    p = {"x": 3.0, "y": np.ones(2), "n": 1}
    assert srcad.grad(f, target=target)(p) == {"x": 6.0, "y": None, "n": None}
    zeros = srcad.grad(f, target=target, unconnected_gradients="zero")(p)
    assert zeros["x"] == 6.0 and zeros["n"] == 0.0
    np.testing.assert_array_equal(zeros["y"], np.zeros(2))


@both
def test_several_parameters_one_of_them_a_structure(target):
    def f(p, s):
        return s * p["a"] * p["b"][0]

    gradients = srcad.grad(f, wrt=("s", "p"), target=target)({"a": 2.0, "b": (3.0, 4.0)}, 5.0)
    assert gradients == (6.0, {"a": 15.0, "b": (10.0, None)})


@both
def test_structured_results_and_their_seeds(target):
    def f(p):
        return {"square": p["x"] ** 2, "both": (p["x"], p["y"] * p["x"])}

    p = {"x": 3.0, "y": np.array([1.0, 2.0])}
    value, gradient = srcad.value_and_grad(f, target=target)(p)
    assert value["square"] == 9.0 and value["both"][0] == 3.0 and gradient["x"] == 6.0 + 1.0 + 3.0
    seed = {"both": (10.0, np.array([0.0, 1.0])), "square": None}
    gradient = srcad.grad(f, target=target)(p, grad_ys=seed)
    assert gradient["x"] == 6.0 + 10.0 + 2.0
    np.testing.assert_array_equal(gradient["y"], [0.0, 3.0])
    with pytest.raises(ValueError, match="keys"):
        srcad.grad(f, target=target)(p, grad_ys={"square": 1.0})


@both
def test_texts_in_results_have_no_derivative(target):
    def f(x, springs):
        energy = springs["stiffness"] * x * x
        return {"name": springs["name"], "energy": energy, "label": f"{len(springs)} parts", "both": (energy * x, "b")}

    args = 3.0, {"name": "soft", "stiffness": 2.0}
    value, gradient = srcad.value_and_grad(f, target=target)(*args)
    assert value == {"name": "soft", "energy": 18.0, "label": "2 parts", "both": (54.0, "b")}
    assert gradient == 12.0 + 54.0
    seed = {"name": None, "energy": 1.0, "label": None, "both": (0.5, None)}
    assert srcad.grad(f, target=target)(*args, grad_ys=seed) == 12.0 + 27.0
    tangent = srcad.jvp(f, target=target)(*args)[1]
    assert tangent == {"name": None, "energy": 12.0, "label": None, "both": (54.0, None)}


@both
def test_structured_aux_of_plain_arguments(target):
    def f(x):
        y = x * x
        return y, {"root": x, "line": Line(y, [x, x])}

    gradient, aux = srcad.grad(f, has_aux=True, target=target)(3.0)
    assert gradient == 6.0 and aux == {"root": 3.0, "line": Line(9.0, [3.0, 3.0])}
    assert type(aux["line"]) is Line and type(aux["line"].offset) is list


@both
def test_arguments_in_dicts_are_written_to(target):
    def f(p):
        p["x"][0] = 2.0
        return np.sum(p["x"] ** 2)

    array = np.array([1.0, 3.0])
    gradient = srcad.grad(f, target=target)({"x": array})
    np.testing.assert_array_equal(gradient["x"], [0.0, 6.0])
    np.testing.assert_array_equal(array, [2.0, 3.0])


@both
def test_static_arguments(target):
    def f(x, mode, kind=np.float64, scale=None):
        y = np.sum(x.astype(kind)) if mode is Mode.SUM else np.sum(x * x)
        return y if scale is None else y * scale

    df = srcad.grad(f, target=target)
    np.testing.assert_array_equal(df(w, Mode.SUM), np.ones(3))
    np.testing.assert_array_equal(df(w, Mode.SQUARES), 2 * w)
    np.testing.assert_array_equal(df(w, Mode.SQUARES, np.float32, 3.0), 6 * w)
    np.testing.assert_array_equal(df(w, Mode.SUM, np.float32), np.ones(3))


def test_derivatives_of_tuples_are_callable_from_compiled_code():
    import numba

    df = srcad.grad(by_index)

    @numba.njit
    def step(p, x):
        g = df(p, x)
        return p[0] - g[0], p[1] - g[1]

    after = step((w, 0.3), x)
    np.testing.assert_allclose(after[0], w - expected()[0])
    np.testing.assert_allclose(after[1], 0.3 - expected()[1])


@both
def test_numbers_whose_values_decide_types(target):
    def f(A, axis=0, keep=False, axes=(0, 1)):
        return np.sum(np.sum(A * A, axis=axis, keepdims=keep) ** 2) + np.mean(A, axis=axes)

    def expected_for(axis):
        return 4 * A * np.sum(A * A, axis=axis, keepdims=True) + 1 / A.size

    A = x.copy()
    df = srcad.grad(f, target=target)
    np.testing.assert_allclose(df(A), expected_for(0))
    np.testing.assert_allclose(df(A, 1), expected_for(1))
    np.testing.assert_allclose(df(A, axis=-1, keep=True), expected_for(1))
    np.testing.assert_allclose(df(A), expected_for(0))
    assert "axis" in srcad.source(df, A, 1)


@both
def test_keyword_only_and_positional_only_arguments(target):
    def f(x, m, /, *, n=3):
        return x * m**n

    df = srcad.grad(f, target=target)
    assert df(2.0, 3.0) == 27.0 and df(2.0, 3.0, n=2) == 9.0


@both
def test_parameters_without_a_default_behind_others_with_one(target):
    def f(x, m=3.0, *, scale, kind=None, n=2):
        return x**n * m * scale if kind is None else x

    df = srcad.grad(f, wrt=("x", "scale"), target=target)
    assert df(2.0, scale=1.0) == (12.0, 12.0) and df(2.0, 1.0, scale=1.0, n=3) == (12.0, 8.0)
    for _ in range(2):
        with pytest.raises(TypeError, match=r"f_grad\(\): missing a required argument: 'scale'"):
            df(2.0)
    with pytest.raises(TypeError, match=r"missing a required argument: 'scale'"):
        srcad.source(df, 2.0)


SETTINGS = Line(2.0, {"rate": np.array([1.0, 2.0]), "names": ("a", "b")})


class Constants:
    scale = 3.0


def test_state_of_the_module_is_read_at_the_first_call():
    def f(x):
        return np.sum(x * SETTINGS.offset["rate"]) * SETTINGS.slope * Constants.scale * len(SETTINGS[1]["names"])

    np.testing.assert_array_equal(srcad.grad(f)(np.ones(2)), [12.0, 24.0])


@both
def test_training_with_a_dict_of_parameters(target):
    def loss(params, x, y):
        for layer in params["layers"]:
            x = np.tanh(x @ layer["w"] + layer["b"])
        return np.mean((x @ params["out"] - y) ** 2)

    rng = np.random.default_rng(0)
    layers = [{"w": rng.normal(size=(3, 4)), "b": np.zeros(4)}, {"w": rng.normal(size=(4, 4)), "b": np.zeros(4)}]
    params = {"layers": layers, "out": rng.normal(size=4)}
    inputs, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    df = srcad.value_and_grad(loss, target=target)
    before, gradient = df(params, inputs, y)
    small = 1e-6 * gradient["layers"][0]["w"]
    params["layers"][0]["w"] = params["layers"][0]["w"] - small
    after, _ = df(params, inputs, y)
    assert after - before == pytest.approx(-np.sum(small * gradient["layers"][0]["w"]), rel=1e-3)


def refused(f, *args):
    with pytest.raises(srcad.UnsupportedError) as caught:
        srcad.grad(f, target="python")(*args)
    return str(caught.value)


def test_changes_of_records_in_lists_are_seen_there():
    def while_they_are_gone_through(x):
        records = [{"x": a, "v": 2.0 * a} for a in x]
        for p in records:
            p["x"] = p["x"] * 3.0
        return sum(p["x"] for p in records)

    def behind_the_append(x):
        records = []
        for a in x:
            p = {"x": a}
            records.append(p)
            p["x"] = p["x"] * 3.0
        return sum(p["x"] for p in records)

    for f in (while_they_are_gone_through, behind_the_append):
        assert np.array_equal(srcad.grad(f, target="python")(np.ones(3)), [3.0, 3.0, 3.0])


def test_changes_that_another_name_would_see_are_refused():
    def of_the_caller(p):
        p[0, 1] = p[0, 1] * 2
        return p[0, 1]

    def under_two_names(x):
        a = [[x], x]
        b = list(a)
        b[0][0] = x * 2
        return a[0][0] * b[1]

    def of_what_a_list_holds(x):
        rows = []
        u = x * 1.0
        for _ in range(3):
            u[0] = u[0] * 2
            rows.append(u)
        return np.sum(np.array(rows))

    assert "dict(p)" in refused(of_the_caller, {(0, 1): 1.0})
    assert "something else holds it" in refused(under_two_names, 1.0)
    assert "u.copy()" in refused(of_what_a_list_holds, np.ones(2))


def test_changes_of_a_list_in_a_list_by_another_name():
    def f(x):
        records = [[a, 2.0 * a] for a in x]
        q = records[0]
        q[0] = q[0] * 3.0
        return sum(p[0] ** 2 for p in records)

    check_grads(f, (np.array([1.0, 0.4, -2.0]),), target="python")


def test_elements_of_different_lengths():
    def ragged(x):
        rows = []
        for i in range(3):
            rows.append(x[: i + 1])
        return np.sum(rows[0]) * np.sum(rows[2])

    check_grads(ragged, (np.array([1.0, 0.4, -2.0]),), target="python")


def test_elements_of_different_kinds_are_refused():
    def of_two_ranks(x):
        rows = []
        for i in range(3):
            rows.append(x if i > 1 else x[0])
        return np.sum(rows[0])

    assert "rank" in refused(of_two_ranks, np.ones(3)) or "number" in refused(of_two_ranks, np.ones(3))


def test_a_key_that_is_not_there_is_refused():
    assert "one of its keys" in refused(lambda p: p["z"], {"w": 1.0})


def squared(p, x):
    return np.sum((x * p["w"] + p["b"]) ** 2)


def trained(p, x):
    for _ in range(3):
        gradient = srcad.grad(squared)(p, x)
        p = {key: p[key] - 0.1 * gradient[key] for key in p}
    return squared(p, x)


@both
def test_training_inside_of_the_function(target):
    gradient = srcad.grad(trained, target=target)({"w": 1.0, "b": 0.5}, np.array([0.5, 1.5]))
    assert gradient["w"] == pytest.approx(0.066823) and gradient["b"] == pytest.approx(-0.075556)


@both
def test_states_that_loops_hand_on(target):
    def f(state, n):
        for _ in range(n):
            state = {"x": state["x"] + 0.1 * state["v"], "v": state["v"] - 0.1 * state["x"]}
        return state["x"] if isinstance(state, dict) else 0.0

    gradient = srcad.grad(f, target=target)({"x": 1.0, "v": 2.0}, 4)
    assert gradient["x"] == pytest.approx(0.9401) and gradient["v"] == pytest.approx(0.396)


@dataclass
class Body:
    position: np.ndarray
    speed: float
    kind: str = "free"

    def moved(self, dt):
        return Body(self.position + dt * self.speed * np.sin(self.position), self.speed * 0.9, self.kind)

    def kick(self):
        self.speed += 1.0


def orbit(first, second, dt):
    old = first
    for k in range(4):
        first, second = second, first.moved(dt)
        if k == 2:
            second = second.moved(first.speed)
    while first.speed > 0.1:
        first = first.moved(dt)
    return np.sum(first.position * second.position) * old.speed


@both
def test_arguments_for_which_loops_make_objects(target):
    check_grads(orbit, (Body(np.array([0.3, 0.8]), 0.4), Body(np.array([0.1, 1.2]), 0.2), 0.3), target=target)


@both
def test_objects_of_the_caller_are_not_changed_instead_of_those_made_inside(target):
    def f(body):
        body.kick()
        for _ in range(2):
            body = body.moved(0.1)
            body.kick()
        return body.speed ** 2 + np.sum(body.position)

    given, changed = (Body(np.array([0.5, 1.0]), 0.3) for _ in range(2))
    f(changed)
    df = srcad.value_and_grad(f, target=target)
    _, gradient = df(given)
    assert given.speed == changed.speed and np.all(given.position == changed.position)
    above, below = (f(Body(np.array([0.5, 1.0]), speed)) for speed in (0.3 + 1e-5, 0.3 - 1e-5))
    assert gradient.speed == pytest.approx((above - below) / 2e-5, rel=1e-8)


def test_a_dataclass_made_inside_is_a_result():
    def f(x):
        return Sums(np.sum(x * 2), np.sum(x))

    value, gradient = srcad.value_and_grad(f, target="python")(np.ones(2))
    assert value == Sums(4.0, 2.0)
    np.testing.assert_array_equal(gradient, [3.0, 3.0])


def test_second_derivatives_with_respect_to_structures():
    p, data = {"w": 1.0, "b": 0.5}, np.array([0.5, 1.5])
    hessian = srcad.hessian(squared, target="python")(p, data)
    assert hessian == {"w": {"w": 5.0, "b": 4.0}, "b": {"w": 4.0, "b": 4.0}}
    assert srcad.hvp(squared, target="python")(p, data, {"w": 1.0, "b": 0.0}) == {"w": 5.0, "b": 4.0}
    assert srcad.jvp(squared, target="python")(p, data, tangents={"w": 1.0, "b": 0.0}) == (5.0, 7.0)
    inner = srcad.grad(squared, wrt="x", target="python")
    assert srcad.grad(inner, target="python")(p, data) == {"w": 10.0, "b": 4.0}


def test_second_derivatives_with_respect_to_named_tuples_of_dicts():
    def f(p):
        return p.x**2 * p.tags["w"]

    point = Tagged(1.5, {"w": 2.0})
    product = srcad.hvp(f, target="python")(point, tangents=Tagged(1.0, {"w": 0.5}))
    assert product == Tagged(4.0 + 1.5, {"w": 3.0})

    def slope(p):
        return srcad.grad(f)(p).tags["w"] * p.x

    assert srcad.grad(slope, target="python")(point) == Tagged(6.75, {"w": None})


def weighted_rows(A, p):
    total = 0.0
    for i in range(len(A)):
        row = A[i]
        for j in range(len(row)):
            total += row[j] * A[p][j - 1]
    return total


def test_rows_of_the_callers_lists_at_an_index_that_is_not_known():
    gradient = srcad.grad(weighted_rows, wrt="A", target="python")([[1.0, 2.0], [3.0, 5.0]], 1)
    assert gradient == [[5.0, 3.0], [12.0, 7.0]]


class Part:
    def __init__(self, mass: float, speed: float):
        self.mass, self.speed = mass, speed

    def energy(self) -> float:
        return self.mass * self.speed**2


@both
def test_objects_and_dicts_of_the_callers_at_an_index_that_is_not_known(target):
    def fastest(parts):
        k = int(np.argmax([part.speed for part in parts]))
        parts[k].speed = 0.5 * parts[1].mass * parts[k].speed
        ranked = sorted(parts, key=lambda part: part.energy())
        return ranked[0].energy() + 2.0 * ranked[2].mass * parts[k].energy()

    def cheapest(offers):
        k = int(np.argmin([offer["price"] for offer in offers]))
        dearest = sorted(offers, key=lambda offer: offer["price"] * offer["count"])[-1]
        return offers[k]["price"] ** 2 * offers[k]["count"] + dearest["price"]

    parts = [Part(1.0, 3.0), Part(2.5, 1.0), Part(0.7, 2.0)]  # the first one gets the speed 3.75
    gradient = srcad.grad(fastest, target=target)(parts)
    # ranked: the second, the third and the first; energies m v**2 and 2 m (0.5 m[1] v)**2 m
    assert [(round(each.mass, 9), round(each.speed, 9)) for each in gradient] == [
        (2 * 2 * 1.0 * 3.75**2, 2 * 1.0 * 2 * 3.75 * 1.25),
        (1.0 + 2 * 1.0 * 2 * 3.75 * 1.5, 2 * 2.5 * 1.0),
        (0.0, 0.0),
    ]
    offers = [{"price": 3.0, "count": 1.0}, {"price": 1.5, "count": 2.5}]
    gradient = srcad.grad(cheapest, target=target)(offers)
    assert gradient == [{"price": 0.0, "count": 0.0}, {"price": 2 * 1.5 * 2.5 + 1.0, "count": 1.5**2}]


class Weighing:
    def __init__(self) -> None:
        self.count, self.weights, self.scale = 2, np.array([1.0, 2.0]), 1.5

    def weighed(self, rows):
        return np.column_stack(rows) * self.weights

    def total(self, parts):
        return sum(parts) * self.scale


@both
def test_methods_of_the_callers_objects_are_passed_lists_that_grow(target):
    def f(kit, A):
        rows = [A[:, 0] * (m + 1) for m in range(kit.count)]
        parts = []
        for m in range(kit.count):
            parts.append(A[0, m])
        return np.sum(kit.weighed(rows)) * kit.total(parts)

    A = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
    gradient = srcad.grad(f, wrt=1, target=target)(Weighing(), A)
    rows, parts = 5.0 * (1.0 + 0.5), 1.5 * (1.0 + 2.0)  # each element of the first column counts 1 * 1 + 2 * 2
    np.testing.assert_allclose(gradient, [[5.0 * parts + 1.5 * rows, 1.5 * rows, 0.0], [5.0 * parts, 0.0, 0.0]])
