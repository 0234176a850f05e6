"""Time steps over arrays: the machine code's text runs in the interpreter, too, and gives what the plain text gives."""

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.benchmarks.workloads.burgers import arrays as in_slices

U = np.sin(np.linspace(0.0, 5.0, 9)) + 0.1 * np.cos(np.arange(9.0))


def in_loops(u0, nu, dt, dx, steps):
    u, v = u0.copy(), np.empty_like(u0)
    n = u.shape[0]
    for t in range(steps):
        v[0], v[n - 1] = u[0], u[n - 1]
        for i in range(1, n - 1):
            v[i] = u[i] - dt / (2 * dx) * u[i] * (u[i + 1] - u[i - 1]) + nu * dt / dx**2 * (u[i + 1] - u[i] + u[i - 1])
        u, v = v, u
    return np.sum(u**2)


def decaying_in_slices(u0, nu, dt, dx, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] * (1.0 - dt) + nu * np.sin(u[2:]) * u[:-2]
        u[0] = u[0] * u[1] / dx
    return np.sum(u**3)


def added_in_slices(u0, nu, dt, dx, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:] += dt / dx * np.tanh(u[:-1])
        u[:-1] -= dt / dx * nu * u[1:] * u[:-1]
    return np.sum(u**3)


def leapfrog(u0, nu, dt, dx, steps):
    old, now, new = u0.copy(), u0 * 1.1, np.zeros_like(u0)
    for _ in range(steps):
        for i in range(1, u0.shape[0] - 1):
            new[i] = 2.0 * now[i] - old[i] + (nu * dt / dx) ** 2 * (now[i + 1] - 2.0 * now[i] + now[i - 1]) * now[i]
        old, now, new = now, new, old
    return np.sum(now**2)


def two_fields(u0, nu, dt, dx, steps):
    u, v = u0.copy(), np.cos(u0)
    p, q = np.zeros_like(u), np.zeros_like(v)
    for _ in range(steps):
        for i in range(1, u0.shape[0] - 1):
            reaction = u[i] * v[i] ** 2
            p[i] = u[i] + dt / dx**2 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) - reaction * dt
            q[i] = v[i] + nu / dx**2 * (v[i - 1] - 2.0 * v[i] + v[i + 1]) + reaction * dt
        u, p, v, q = p, u, q, v
    return np.sum(u * v)


def one_name_for_both(u0, nu, dt, dx, steps):
    u = u0.copy()
    v = u
    for _ in range(steps):
        for i in range(1, u0.shape[0] - 1):
            v[i] = u[i] + nu * dt / dx * u[i - 1] * u[i + 1]
        u, v = v, u
    return np.sum(u**2)


def changed_behind_the_loop(u0, nu, dt, dx, steps):
    u = u0 * 1.0
    for _ in range(steps):
        u[1:-1] = u[1:-1] + nu * u[2:] * u[:-2] * dt / dx
        u[1:] = u[1:] * u[:-1]
    u[:1] = u[:1] * u[-1:]
    return np.sum(u**2)


def seen_under_another_name(u0, nu, dt, dx, steps):
    u = u0.copy()
    rest = u[1:]
    for _ in range(steps):
        u[:-1] = u[:-1] + nu * dt / dx * rest * u[:-1]
    return np.sum(u * u) + np.sum(rest)


STEPS = (in_loops, in_slices, decaying_in_slices, added_in_slices, leapfrog, two_fields, one_name_for_both,
         changed_behind_the_loop, seen_under_another_name)  # fmt: skip


def interpreted(function, *args):
    """What the text that is written for machine code gives, run by the interpreter."""
    df = srcad.value_and_grad(function, wrt=(0, 1, 2, 3))
    srcad.source(df, *args)
    return df.maker.latest.function(*args)


@pytest.mark.parametrize("length", (0, 1, 2, 3, 9))
@pytest.mark.parametrize("function", STEPS)
def test_the_text_for_machine_code_gives_the_same(function, length):
    if length < 3 and function not in (in_slices, added_in_slices) and (length < 1 or function is decaying_in_slices):
        pytest.skip("the function itself writes to elements that are not there")
    args = (U[:length].copy(), 0.3, 0.01, 0.5, 4)
    value, gradients = srcad.value_and_grad(function, wrt=(0, 1, 2, 3), target="python")(*args)
    ours, found = interpreted(function, *args)
    assert ours == pytest.approx(value, rel=1e-13)
    for one, other in zip(found, gradients):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def text(function):
    return srcad.source(srcad.value_and_grad(function), U, 0.3, 0.01, 0.5, 4)


def test_a_step_in_slices_needs_no_arrays():
    body = text(in_slices).split("for k in range(steps):")[1].split("u_bar")[0]
    assert "np." not in body
    assert body.count("for ") == 1


@pytest.mark.parametrize("function", (in_loops, in_slices))
def test_quotients_of_the_step_and_of_its_adjoint_are_computed_once(function):
    source = text(function)
    assert source.count("dt / (2 * dx)") == source.count("adjoint of  change") + source.count("adjoint of  v[i]") + 1


def test_neighbours_are_gathered_in_arrays_that_change_places():
    assert "u_bar_carried" in text(in_loops)
    assert "u_bar_carried" not in text(one_name_for_both)


def test_a_step_in_slices_writes_to_the_next_row_of_the_record():
    text = srcad.source(srcad.grad(in_slices), U, 0.3, 0.01, 0.5, 4)
    assert "u_tape[k + 1, i + 1] = " in text
    assert "u_tape[k] = u" not in text


def test_what_has_another_name_stays_where_it_is():
    assert "u_tape[k + 1" not in srcad.source(srcad.grad(seen_under_another_name), U, 0.3, 0.01, 0.5, 4)


def test_an_element_that_is_read_twice_is_recorded_once():
    def swept(a, b):
        a = a.copy()
        for i in range(1, a.shape[0]):
            a[i] = a[i] ** 3 + a[i] * b[i]
        return a[-1] * a[1]

    def swept_and_written_between(a, b):
        a = a.copy()
        for i in range(1, a.shape[0]):
            b[i] += a[i] ** 3
            a[i] = a[i] * b[i]
            b[i - 1] = a[i] ** 2
        return a[-1] * b[1]

    a, b = np.array([0.3, -0.7, 1.1, 0.4]), np.array([1.0, 0.5, -2.0, 0.25])
    assert srcad.source(srcad.grad(swept, (0, 1)), a, b).count("_tape = ") == 1
    for function in (swept, swept_and_written_between):
        check_grads(function, (a.copy(), b.copy()), order=2, target="python")
