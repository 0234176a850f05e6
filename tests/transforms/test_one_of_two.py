"""Names that are one list or dict or another, as the path taken has it, beside changes of either."""

import numpy as np
import pytest

import srcad


def list_changed(v):
    d, e = [v[0], v[1]], [v[0], v[2]]
    t = d if v[0] > 0 else e
    d[0] = v[2]
    return t[0] * d[1]


def dict_changed(v):
    d, e = {"a": v[0], "b": v[1]}, {"a": v[0], "b": v[2]}
    t = d if v[0] > 0 else e
    d["a"] = v[2]
    return t["a"] * d["b"]


def copied(v):
    d, e = [v[0], v[1]], [v[0], v[2]]
    t = list(d) if v[0] > 0 else list(e)
    d[0] = v[2]
    return t[0] * d[0]


def test_a_list_that_another_name_may_mean_is_not_changed():
    with pytest.raises(srcad.UnsupportedError, match="d is changed, and something else holds it, too"):
        srcad.grad(list_changed, target="python")(np.array([0.7, 1.3, -0.4]))


@pytest.mark.parametrize("fn, expected", [(dict_changed, [0.0, -0.4, 1.3]), (copied, [-0.4, 0.0, 0.7])])
def test_right(fn, expected):
    v = np.array([0.7, 1.3, -0.4])
    value, gradient = srcad.value_and_grad(fn, target="python")(v)
    assert value == pytest.approx(fn(v))
    np.testing.assert_allclose(gradient, expected)
