"""Views of dicts under names: read before the dict changes, or refused."""

import numpy as np
import pytest

import srcad


def summed_before(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    s = sum(x * x for x in vals)
    d["t"] = s
    return d["t"] * d["a"]


def listed_before(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    s = sum([x * x for x in vals])
    d.update(a=s)
    return d["a"]


def taken_in_each_iteration(v):
    d = {"a": v[0], "b": v[1]}
    s = 0.0
    for k in range(3):
        vals = d.values()
        s += sum(vals)
        d["a"] = s
    return s


def as_a_list(v):
    d = {"a": v[0], "b": v[1]}
    vals = list(d.values())
    d["a"] = v[2]
    return sum(vals)


def gone_over_before(v):
    d = {"a": v[0], "b": v[1]}
    ks = d.keys()
    s = 0.0
    for k in ks:
        s += d[k]
    d["c"] = s
    return s * d["c"]


def rebound(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    d = {"a": v[2]}
    d["a"] = v[0] * 2
    return sum(vals) * d["a"]


def added_up(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    d["a"] = v[2]
    return sum(x * x for x in vals)


def in_a_function(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    f = lambda: sum(vals)
    d["a"] = v[2]
    return f()


def in_the_next_iteration(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    s = 0.0
    for k in range(3):
        s += sum(vals)
        d["a"] = s
    return s


def merged(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    d |= {"a": v[2]}
    return sum(vals)


def on_one_path(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    if v[0] > 0:
        d["a"] = v[2]
    return sum(vals)


def deleted(v):
    d = {"a": v[0], "b": v[1]}
    vals = d.values()
    del d["a"]
    return sum(vals)


@pytest.mark.parametrize(
    "fn", [summed_before, listed_before, taken_in_each_iteration, as_a_list, gone_over_before, rebound]
)
def test_right(fn):
    v = np.array([0.7, 1.3, -0.4])
    value, gradient = srcad.value_and_grad(fn, target="python")(v)
    assert value == pytest.approx(fn(v))
    expected = [(fn(v + step) - fn(v - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(gradient, expected, atol=1e-8)


@pytest.mark.parametrize("fn", [added_up, in_a_function, in_the_next_iteration, merged, on_one_path, deleted])
def test_refused(fn):
    with pytest.raises(srcad.UnsupportedError, match="vals is a view of d, which changes before it is read") as caught:
        srcad.grad(fn)(np.ones(3))
    assert "instead: list(d.values()), or d.values() where it is read" in str(caught.value)
    assert "d" in caught.value.problems[0].origin.text
