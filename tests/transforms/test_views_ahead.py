"""Views of dicts that are passed on, returned or held: read before the dict changes, or refused."""

import re

import numpy as np
import pytest

import srcad


def total(vals):
    s = 0.0
    for x in vals:
        s += x * x
    return s


def view_of(d):
    return d.values()


def set_meanwhile(d, vals):
    s = 0.0
    for a in vals:
        s += a
        d["b"] = s
    return s


def passed_on_before(v):
    d = {"a": v[0], "b": v[1]}
    s = total(d.values())
    d["a"] = s
    return total(d.values()) + sum(view_of(d)) * v[2]


def greatest_before(v):
    d = {"a": v[0], "b": v[1]}
    m, w = max(d.values()), tuple(d.values())
    d["b"] = v[2]
    return m * w[0] * d["b"]


def passed_with_its_dict(v):
    d = {"a": v[0], "b": v[1]}
    return set_meanwhile(d, d.values())


def returned(v):
    d = {"a": v[0], "b": v[1]}
    w = view_of(d)
    d["b"] = v[2] * v[0]
    return sum(w)


def changed_by_a_closure(v):
    d = {"a": v[0], "b": v[1]}

    def tripled(x):
        d["b"] = x * 3.0
        return x

    return sum([tripled(x) for x in d.values()])


def keys_of(d):
    return d.keys()


def keys_and_values(d):
    return d.keys(), d.values()


def first_summed(d, *shown):
    d["a"] = 3.0 * d["b"]
    return sum(shown[0])


def squared_in(d):
    d["a"] = d["b"] ** 2
    return 1.0


class Holder:
    def __init__(self, d):
        self.names = d.keys()
        self.d = d

    def total(self):
        return sum([self.d[name] for name in self.names])


def keys_returned(v):
    d = {"a": v[0], "b": v[1]}
    names = keys_of(d)
    d["z"] = v[2]
    return sum([d[name] for name in names])


def keys_under_another_name(v):
    d = {"a": v[0]}
    e = d
    names = keys_of(e)
    others = names
    d["b"] = v[1]
    return sum([d[name] for name in others])


def keys_held(v):
    d = {"a": v[0]}
    holder = Holder(d)
    d["b"] = v[1]
    return holder.total()


def returned_beside_keys(v):
    d = {"a": v[0], "b": v[1]}
    names, values = keys_and_values(d)
    d["a"] = v[2] * v[1]
    return sum(values)


def of_an_inner_dict(v):
    d = {"in": {"a": v[0], "b": v[1]}}
    values = view_of(d["in"])
    d["in"]["a"] = v[2] * v[1]
    return sum(values)


def in_a_list(v):
    d = {"a": v[0], "b": v[1]}
    shown = []
    shown.append(view_of(d))
    d["a"] = v[2] * v[1]
    return sum(shown[0])


def among_arguments(v):
    d = {"a": v[0], "b": v[1]}
    return first_summed(d, view_of(d))


def before_an_argument(v):
    d = {"a": v[0], "b": v[1]}
    return sum(view_of(d), squared_in(d))


def of_constants(v):
    d = {"a": 2.0, "b": 3.0}
    values = view_of(d)
    d["b"] = 5.0
    s = 0.0
    for x in values:
        s += v[0] * x
    return s


def of_constants_in_a_loop(v):
    d = {"a": 2.0, "b": 3.0}
    values = view_of(d)
    s = 0.0
    for _ in range(3):
        s += v[0] * sum(values)
        d["b"] = 7.0
    return s


def items_in_a_loop(v):
    d = {"a": v[0], "b": v[1]}
    pairs = d.items()
    s = 0.0
    for _ in range(3):
        for _, x in pairs:
            s += x * x
        step(d, s)
    return s


def step(d, s):
    d["a"] = s * 0.1


def one_of_two(v):
    d, e = {"a": v[0], "b": v[1]}, {"a": v[2]}
    values = view_of(d) if v[0] > 0 else view_of(e)
    d["a"] = v[1] * v[1]
    return sum(values)


def keys_kept(v):
    d = {"a": v[0], "b": v[1]}
    names, values = keys_and_values(d)
    s = sum(values)
    for name in names:
        d[name] = d[name] * v[2] + s
    return sum(view_of(d))


def copied_under_its_name(v):
    d = {"a": v[0], "b": v[1]}
    values = view_of(d)
    s = sum(values)
    values = sorted(values)
    d["a"] = v[2]
    return values[0] * values[1] * s * d["a"]


def changed_or_read(v):
    d = {"a": v[0], "b": v[1]}
    values = view_of(d)
    if v[0] > 100:
        d["a"] = v[2]
        s = 1.0
    else:
        s = sum(values)
    return s * d["a"]


def arrays_changed(v):
    d = {"a": v.copy(), "b": v * 2.0}
    values = view_of(d)
    for x in values:
        x *= v[2]
    d["a"][0] += v[1]
    return sum([np.sum(x**2) for x in values])


def of_an_inner_dict_changed_through_the_outer_one(v):
    d = {"a": {"p": v[0], "q": v[1]}}
    w = d["a"].values()
    d["a"]["p"] = v[2] ** 2
    return sum(w)


def keys_of_an_inner_dict(v):
    d = {"a": {"p": v[0], "q": v[1]}}
    keys = d["a"].keys()
    d["a"]["r"] = v[2] ** 2
    return sum(d["a"][key] for key in keys)


def of_a_dict_in_a_list(v):
    ds = [{"a": a} for a in v]
    w = ds[1].values()
    ds[1]["a"] = v[2] ** 2
    return sum(w) * v[0]


def of_a_dict_in_a_list_that_a_loop_changes(v):
    ds = [{"a": a} for a in v]
    w = ds[1].values()
    s = 0.0
    for k in range(3):
        s += sum(w) * v[k]
        ds[1]["a"] = v[k] ** 2
    return s


def of_an_inner_dict_before_it_changes(v):
    d = {"a": {"p": v[0], "q": v[1]}}
    w, keys = d["a"].values(), d["a"].keys()
    s = sum(w)
    d["a"]["p"] = v[2] ** 2
    return s * sum(d["a"].values()) + sum(d["a"][key] for key in keys)


@pytest.mark.parametrize("fn", [
    passed_on_before, greatest_before, keys_kept, copied_under_its_name, changed_or_read, arrays_changed,
    of_an_inner_dict_before_it_changes,
])  # fmt: skip
def test_read_before_changes(fn):
    v = np.array([0.7, 1.3, -0.4])
    value, gradient = srcad.value_and_grad(fn, target="python")(v)
    assert value == pytest.approx(fn(v))
    expected = [(fn(v + step) - fn(v - step)) / 2e-6 for step in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(gradient, expected, atol=1e-7)


@pytest.mark.parametrize("fn", [
    passed_with_its_dict, returned, changed_by_a_closure, keys_returned, keys_under_another_name, keys_held,
    returned_beside_keys, of_an_inner_dict, in_a_list, among_arguments, before_an_argument, of_constants,
    of_constants_in_a_loop, items_in_a_loop, one_of_two,
])  # fmt: skip
def test_read_after_changes(fn):
    with pytest.raises(srcad.UnsupportedError, match="view of [de], which changes before") as caught:
        srcad.grad(fn)(np.ones(3))
    assert re.search(r"instead: list\((\w\.\w+\(\))\), or \1 where it is read", str(caught.value))


@pytest.mark.parametrize("fn", [
    of_an_inner_dict_changed_through_the_outer_one, keys_of_an_inner_dict, of_a_dict_in_a_list,
    of_a_dict_in_a_list_that_a_loop_changes,
])  # fmt: skip
def test_of_a_part_read_after_changes(fn):
    with pytest.raises(srcad.UnsupportedError, match="a view of a dict inside another object") as caught:
        srcad.grad(fn)(np.ones(3))
    assert re.search(r"instead: a list of it, list\((d\.\w+\(\))\), or \1 where it is read", str(caught.value))
