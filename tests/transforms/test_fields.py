"""Time steps of two fields that are separate arguments: they share lengths, records and gathered cotangents."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import derivative


def epidemic(s0, i0, a, steps):
    s, i, s_next, i_next = s0.copy(), i0.copy(), s0.copy(), i0.copy()
    for _ in range(steps):
        for j in range(1, s.shape[0] - 1):
            infected = a * s[j] * i[j]
            s_next[j] = s[j] + 0.1 * (s[j - 1] - 2.0 * s[j] + s[j + 1]) - infected
            i_next[j] = i[j] + 0.2 * (i[j - 1] - 2.0 * i[j] + i[j + 1]) + infected - 0.05 * i[j]
        s, s_next = s_next, s
        i, i_next = i_next, i
    return np.sum(i * i) + np.sum(s)


def staggered(p0, v0, a, steps):
    p, v = p0.copy(), v0.copy()
    for _ in range(steps):
        for i in range(1, p.shape[0]):
            v[i] -= a * (p[i] - p[i - 1]) * p[i]
        for i in range(p.shape[0]):
            p[i] -= a * (v[i + 1] - v[i])
    return np.sum(p * p)


def reaction_in_loops(u0, v0, a, steps):
    u, v, u_next, v_next = u0.copy(), v0.copy(), u0.copy(), v0.copy()
    n, m = u.shape
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                r = u[i, j] * v[i, j] * v[i, j]
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                beside = v[i - 1, j] + v[i + 1, j] + v[i, j - 1] + v[i, j + 1]
                u_next[i, j] = u[i, j] + a * (around - 4.0 * u[i, j]) - r
                v_next[i, j] = v[i, j] + 0.5 * a * (beside - 4.0 * v[i, j]) + r - 0.1 * v[i, j]
        u, u_next = u_next, u
        v, v_next = v_next, v
    return np.sum(v * v) + np.sum(u)


def reaction_in_slices(u0, v0, a, steps):
    u, v = u0.copy(), v0.copy()
    for _ in range(steps):
        mid_u, mid_v = u[1:-1, 1:-1], v[1:-1, 1:-1]
        r = mid_u * mid_v * mid_v
        around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        beside = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]
        new_u = mid_u + a * (around - 4.0 * mid_u) - r
        new_v = mid_v + 0.5 * a * (beside - 4.0 * mid_v) + r - 0.1 * mid_v
        u[1:-1, 1:-1] = new_u
        v[1:-1, 1:-1] = new_v
    return np.sum(v * v) + np.sum(u)


LINES, PLANES = (epidemic, staggered), (reaction_in_loops, reaction_in_slices)
X = np.random.default_rng(0).uniform(0.2, 0.8, (2, 6, 5))


def fields(function, n, m=None):
    if function is staggered:
        return X[0, :n, 0].copy(), X[1, : n + 1, 0].copy()
    return (X[0, :n, 0].copy(), X[1, :n, 0].copy()) if m is None else (X[0, :n, :m].copy(), X[1, :n, :m].copy())


SHAPES = [(0, 3), (3, 0), (1, 1), (2, 5), (3, 2), (3, 3), (4, 5)]
CASES = [(f, n) for f in LINES for n in (0, 1, 2, 3, 5)] + [(f, *shape) for f in PLANES for shape in SHAPES]


@pytest.mark.parametrize("case", CASES, ids=lambda c: "-".join([c[0].__name__, *map(str, c[1:])]))
def test_the_text_for_machine_code_gives_what_the_literal_adjoint_gives(case):
    arrays = fields(*case)
    for steps in (0, 3):
        value, expected = derivative(case[0], (0, 1, 2), "plain")(*map(np.copy, arrays), 0.1, steps)
        ours, found = derivative(case[0], (0, 1, 2), "machine text")(*map(np.copy, arrays), 0.1, steps)
        assert ours == pytest.approx(value, rel=1e-12)
        for one, other in zip(found, expected):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("function", (*LINES, *PLANES), ids=lambda f: f.__name__)
def test_the_literal_adjoint_agrees_with_complex_steps(function):
    arrays = fields(function, 4, None if function in LINES else 5)
    _, gradients = derivative(function, (0, 1), "plain")(*arrays, 0.1, 3)
    for which, gradient in enumerate(gradients):
        for place in np.ndindex(gradient.shape):
            moved = [a.astype(complex) for a in arrays]
            moved[which][place] += 1e-30j
            assert gradient[place] == pytest.approx(function(*moved, 0.1, 3).imag / 1e-30, rel=1e-10)


def text(function, *shape):
    return srcad.source(srcad.grad(function, wrt=(0, 1)), *fields(function, *shape), 0.1, 4)


def test_fields_that_are_read_in_the_same_way_are_of_one_length():
    assert "s0.shape[0] != i0.shape[0]" in text(epidemic, 5)
    assert "LengthsDiffer" not in text(staggered, 5)


def test_fields_of_different_lengths_are_fields_all_the_same():
    s, i = X[0, :4, 0].copy(), X[1, :6, 0].ravel().copy()
    value, expected = derivative(epidemic, (0, 1), "plain")(s, i, 0.1, 3)
    ours, found = derivative(epidemic, (0, 1), "machine text")(s, i, 0.1, 3)
    assert ours == pytest.approx(value, rel=1e-12)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-11)


def test_both_fields_live_in_rows_of_their_records_and_are_gathered():
    for function in PLANES:
        source = text(function, 5, 4)
        assert "u_tape[0] = u" in source and "v_tape[0] = v" in source
        assert "_wide" not in source and source.count("_bar_edge = np.copy") in (2, 4)
