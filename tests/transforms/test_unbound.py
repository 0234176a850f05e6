"""Names that have no value on the path that was taken: an error, as in Python, and no zeros."""

import numpy as np
import pytest

import srcad


def carried(x, t):
    if t > 0:
        m = np.sin(x[0])
    for i in range(len(x)):
        m = m * x[i]
    return m


def read(x, t):
    if t > 0:
        m = np.sin(x[0])
    return m * x[1]


def bound_again(x, t):
    if t > 0:
        m = np.sin(x[0])
    for i in range(len(x)):
        m = x[i]
    return m


def read_under_the_test(x, t):
    if t > 0:
        m = np.sin(x[0])
    for i in range(len(x)):
        if t > 0:
            m = m * x[i]
    return m if t > 0 else x[0]


def error_of_its_own(x, t):
    if t > 0:
        m = np.sin(x[0])
    if t <= 0:
        raise ValueError("no m")
    return m


def in_a_loop(x, t):
    for i in range(len(x)):
        if x[i] > t:
            m = x[i] * 2
    return m * x[1]


def array_in_a_loop(x, t):
    for i in range(len(x)):
        if x[i] > t:
            m = x * x[i]
    return m.sum()


def read_in_the_loop(x, t):
    s = 0.0
    for i in range(len(x)):
        if x[i] > t:
            m = x[i] * 2
        s += m * x[0]
    return s


def left_early(x, t):
    for i in range(len(x)):
        if x[i] > t:
            m = x[i] ** 2
            break
    return m * x[0]


def no_iteration(x, t):
    n = 3 if t < 1.0 else 0
    for i in range(n):
        m = x[i] * 2
    return m * x[1]


def read_under_another_test(x, t):
    if t < 1.0:
        m = x * x[0]
    s = x[1]
    if x[0] > 0.1:
        s = s * m[0]
    return s


def first_iteration(x, t):
    s = 0.0
    for i in range(len(x)):
        if i == 0:
            last = x[0] ** 2
        else:
            s += last * x[i]
            last = last * x[i]
    return s


def flag_of_the_user(x, t):
    known = False
    s = 0.0
    for i in range(len(x)):
        if x[i] > t:
            if known:
                s += (x[i] - last) ** 2  # noqa: F821
            last = x[i] * x[0]
            known = True
    if known:
        s += last
    return s


def search_with_else(x, t):
    for i in range(len(x)):
        if x[i] > t:
            m = x[i] ** 2
            break
    else:
        raise ValueError("none")
    return m * x[0]


def list_in_each_iteration(x, t):
    for i in range(len(x) if t < 5.0 else 0):
        m = []
        m.append(x[i] * i)
        m.append(x[0])
    return sum(m)


def list_under_a_test(x, t):
    for i in range(len(x)):
        if x[i] > t:
            m = [x[i] * x[0]]
        elif x[i] > t + 1.0:
            m.append(x[i])
    return m[-1] * x[1]


X = np.array([0.5, 1.5, 2.0])


@pytest.mark.parametrize("f, target", [(carried, "python"), (read, "python"), (read, "cpu")])
def test_it_is_an_error_to_read_them(f, target):
    df = srcad.grad(f, target=target)
    assert np.allclose(df(X, 1.0), slopes(f, 1.0))
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'm'"):
        df(X, -1.0)


IN_LOOPS = (in_a_loop, array_in_a_loop, read_in_the_loop, left_early, no_iteration, read_under_another_test,
            list_in_each_iteration, list_under_a_test)  # fmt: skip


@pytest.mark.parametrize("target, f", [
    *(("python", f) for f in IN_LOOPS),
    *(pytest.param("cpu", f, marks=() if f in (left_early, list_under_a_test) else pytest.mark.slow) for f in IN_LOOPS),
])  # fmt: skip
def test_it_is_an_error_where_a_loop_or_a_test_that_did_not_hold_binds_them(f, target):
    df, forward = srcad.grad(f, target=target), srcad.jvp(f, target=target)
    assert np.allclose(df(X, 0.2), slopes(f, 0.2))
    assert np.allclose(forward(X, 0.2, tangents=np.ones(3))[1], np.sum(slopes(f, 0.2)))
    for derivative in (df, lambda *args: forward(*args, tangents=np.ones(3))):
        with pytest.raises(UnboundLocalError, match="cannot access local variable 'm'"):
            derivative(X, 9.0)


@pytest.mark.parametrize("f", [first_iteration, flag_of_the_user, search_with_else])
def test_nothing_is_asked_where_they_are_known_to_have_a_value(f):
    df = srcad.grad(f, target="python")
    assert np.allclose(df(X, 0.2), slopes(f, 0.2))
    assert "UnboundLocalError" not in srcad.source(df, X, 0.2)


def test_flags_cost_nothing_that_are_not_needed():
    source = srcad.source(srcad.grad(in_a_loop, target="python"), X, 0.2)
    assert source.count("m_bound") == 3 and "if not m_bound:" in source
    assert "_bound" not in srcad.source(srcad.grad(no_iteration, target="python"), X, 0.2)


def slopes(f, t, h=1e-6):
    return [(f(X + h * e, t) - f(X - h * e, t)) / (2 * h) for e in np.eye(3)]


@pytest.mark.parametrize("f, expected", [(bound_again, [0.0, 0.0, 1.0]), (read_under_the_test, [1.0, 0.0, 0.0])])
def test_no_error_where_they_are_not_read(f, expected):
    assert np.allclose(srcad.grad(f, target="python")(X, -1.0), expected)


def test_errors_of_the_user_come_first():
    with pytest.raises(ValueError, match="no m"):
        srcad.grad(error_of_its_own, target="python")(X, -1.0)


# ---------------------------------------------------------------- arrays that a branch inside of a branch binds


def two_tests(x, t):
    r = x[0]
    if t > 2:
        if t > 3:
            a = x * x
        else:
            r = x[1]
    if t > 2:
        if t > 3:
            r = r * np.sum(a)
    return r


def three_tests(x, t):
    r = x[0]
    if t > 1:
        if t > 2:
            if t > 3:
                a = x * x
            else:
                r = r * x[1]
        else:
            b = x[1:] * 2.0
    if t > 3:
        r = r * np.sum(a)
    if t > 1:
        if t <= 2:
            r += np.sum(b**3)
        elif t > 3:
            r += np.sum(a * x)
    return r


def read_under_the_outer_test(x, t):
    r = x[0]
    if t > 2:
        if t > 3:
            a = x * x
        r = r * np.sum(a)
    return r


@pytest.mark.parametrize("f", [two_tests, three_tests])
@pytest.mark.parametrize("t", [1, 2, 3, 4])
def test_arrays_of_inner_branches(f, t):
    df = srcad.grad(f, target="python")
    assert np.allclose(df(X, t), slopes(f, t))
    along = np.array([1.0, -2.0, 0.5])
    curved = (df(X + 1e-6 * along, t) - df(X - 1e-6 * along, t)) / 2e-6
    assert np.allclose(srcad.hvp(f, target="python")(X, t, tangents=along), curved)
    assert np.allclose(srcad.grad(df, target="python")(X, t, grad_ys=along), curved)


def test_arrays_of_inner_branches_in_machine_code():
    df = srcad.grad(two_tests)
    for t in (2, 3, 4):
        assert np.allclose(df(X, t), slopes(two_tests, t))


def test_arrays_of_inner_branches_that_are_read_outside_of_them():
    df = srcad.grad(read_under_the_outer_test, target="python")
    assert np.allclose(df(X, 4), slopes(read_under_the_outer_test, 4))
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'a'"):
        df(X, 3)
