"""States that each step makes anew live in two arrays; where anybody else knows the old one, they do not."""

import numpy as np
import pytest
from scipy import signal

import srcad

U = np.sin(np.linspace(0.0, 5.0, 9)) + 0.1 * np.cos(np.arange(9.0))


def made_anew(u0, nu, steps):
    u = u0.copy()
    for _ in range(steps):
        v = np.empty_like(u)
        v[0], v[-1] = u[0], u[-1]
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + nu * (u[i + 1] - 2.0 * u[i] + u[i - 1]) * u[i]
        u = v
    return np.sum(u**2)


def copied(u0, nu, steps):
    u = u0 * 1.0
    for _ in range(steps):
        v = u.copy()
        for i in range(1, u.shape[0] - 1):
            v[i] = u[i] + nu * u[i + 1] * u[i - 1]
        u = v
    return np.sum(u**3)


def from_the_argument(u0, nu, steps):
    u = u0
    for _ in range(steps):
        v = np.zeros_like(u)
        for i in range(1, u.shape[0]):
            v[i] = nu * u[i] * u[i - 1]
        u = v
    return np.sum(u) + np.sum(u0**2)


def first_one_kept(u0, nu, steps):
    u = u0.copy()
    first = u
    for _ in range(steps):
        v = u.copy()
        for i in range(1, u.shape[0]):
            v[i] = u[i] * u[i - 1] + nu
        u = v
    return np.sum(u * first)


def last_one_kept(u0, nu, steps):
    u, old = u0.copy(), u0 * 0.5
    for _ in range(steps):
        v = u.copy()
        for i in range(1, u.shape[0]):
            v[i] = u[i] + nu * u[i - 1] * old[i]
        old = u
        u = v
    return np.sum(u**2 * old)


def seen_through_a_view(u0, nu, steps):
    u = u0.copy()
    part = u[2:]
    for _ in range(steps):
        v = u.copy()
        for i in range(2, u.shape[0]):
            v[i] = u[i] * u[i - 1] + nu * part[i - 2]
        u = v
    return np.sum(u**2)


def changed_again(u0, nu, steps):
    u = u0.copy()
    for k in range(steps):
        v = np.empty_like(u)
        for i in range(u.shape[0]):
            v[i] = nu * u[i] ** 2
        w = v[1:]
        w *= 2.0
        if k > 1:
            u[0] = v[0] * u[1]
            v[2] = u[0]
        u = v
    return np.sum(u**2)


def within_a_loop(u0, nu, steps):
    total = 0.0
    for k in range(3):
        u = u0 * (k + 1.0)
        for _ in range(steps):
            v = np.empty_like(u)
            for i in range(u.shape[0]):
                v[i] = u[i] + nu * u[i - 1] ** 2
            u = v
        total += np.sum(u**2)
    return total


STEPS = (made_anew, copied, from_the_argument, first_one_kept, last_one_kept, seen_through_a_view, changed_again,
         within_a_loop)  # fmt: skip


@pytest.mark.parametrize("function", STEPS)
@pytest.mark.parametrize("steps", (0, 1, 4))
def test_the_text_for_machine_code_gives_the_same(function, steps):
    args = (U.copy(), 0.3, steps)
    plain = srcad.value_and_grad(function, wrt=(0, 1), target="python", optimize=False)
    value, gradients = plain(*args)
    df = srcad.value_and_grad(function, wrt=(0, 1))
    srcad.source(df, *args)
    ours, found = df.maker.latest.function(*args)
    np.testing.assert_array_equal(args[0], U)
    assert ours == pytest.approx(value, rel=1e-13)
    for one, other in zip(found, gradients):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def text(function):
    return srcad.source(srcad.value_and_grad(function), U, 0.3, 4)


@pytest.mark.parametrize("function", (made_anew, copied))
def test_states_live_in_rows_and_their_cotangents_change_places(function):
    body = text(function)
    assert "v = u_tape[k + 1]" in body
    assert "u_bar, v_bar = v_bar, u_bar" in body
    assert "u_bar_carried" in body


@pytest.mark.parametrize("function", (from_the_argument, first_one_kept, seen_through_a_view))
def test_what_somebody_else_knows_is_left_as_it_is(function):
    assert "u, v = v, u" not in text(function)


def test_loops_behind_calls_of_methods():
    """A method of arrays has no module that could be asked for."""
    def loss(x):
        return np.sum(signal.sosfilt(np.array([[0.2, 0.3, 0.1, 1.0, -0.5, 0.1]]), x) ** 2)

    x = np.arange(4.0)
    expected = srcad.hvp(loss, target="python")(x, tangents=x)
    np.testing.assert_allclose(srcad.hvp(loss)(x, tangents=x), expected, rtol=1e-12)
