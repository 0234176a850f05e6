"""Lengths that are taken to agree: of states that a loop carries, and that hand their lengths on to each other."""

import numpy as np
import pytest

import srcad


def padded_flow(x, y, steps):
    def average(u):
        p = np.pad(u, 1, mode="edge")
        return (p[:-2] + p[2:]) / 2.0

    difference = y - x
    u, v = np.zeros_like(x), np.zeros_like(x)
    for _ in range(steps):
        a, b = average(u), average(v)
        t = x * a + y * b + difference
        u, v = a - x * t, b - y * t
    return np.sum(u**2 + v**2)


X, Y = np.linspace(0.1, 0.7, 5), np.linspace(0.6, 0.2, 5)


def test_two_states_that_depend_on_each_other_keep_their_length():
    text = srcad.source(srcad.grad(padded_flow, wrt=("x", "y")), X, Y, 3)
    assert "recorded(" not in text and "np.empty((max(steps, 0), u.shape[0]))" in text
    assert "sum_to(" not in text.split("    # adjoint of")[1]


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
def test_the_gradient_is_right(target):
    derivative = srcad.grad(padded_flow, wrt=("x", "y"), target=target)
    for x, y in ((X, Y), (X, Y[:1])):  # what has one element is repeated
        for position, found in enumerate(derivative(x, y, 3)):
            args = [x, y]
            for k in range(found.size):
                moved = [a.astype(complex) for a in args]
                moved[position][k] += 1e-30j
                assert found[k] == pytest.approx(padded_flow(*moved, 3).imag / 1e-30, rel=1e-10)


def scaled_rows(x, scale):
    return np.sum((x * scale + x[0]) ** 3)


@pytest.mark.slow
def test_second_derivatives_where_lengths_differ():
    """What is differentiated once more is the derivative that takes no lengths to agree."""
    x, scale = np.arange(6.0).reshape(3, 2) + 0.5, np.array([[1.0], [0.5], [2.0]])
    given = {"tangents": (np.ones_like(x), np.ones_like(scale))}
    expected = srcad.hvp(scaled_rows, wrt=(0, 1), target="python")(x, scale, **given)
    found = srcad.hvp(scaled_rows, wrt=(0, 1))(x, scale, **given)
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-12)


def scaled_by_a_column(w):
    scale = w[:, :1]
    return np.sum(np.where(w > scale, (w * scale + w[0]) ** 2, scale * w))


def test_a_column_decides_no_length():
    """What has one element for sure is repeated; loops over elements need not be asked whether it is."""
    w = np.array([[0.5, 1.5, 0.2], [0.7, 0.3, 0.9]])
    derivative = srcad.grad(scaled_by_a_column)
    text = srcad.source(derivative, w)
    assert "sum_to" not in text and "1 != " not in text
    expected = srcad.grad(scaled_by_a_column, target="python")
    for each in (w, w[:, :1]):
        np.testing.assert_allclose(derivative(each), expected(each), rtol=1e-12)


def scaled_in_a_list(v, w, n):
    rows = [v]
    for _ in range(n):
        rows.append(w * v[0])
    return np.sum(rows[-1] ** 3) + np.sum(rows[0])


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_arrays_of_a_list_are_taken_to_have_one_shape(target):
    """The list is an array, and where that cannot hold the arrays, another text is called."""
    v = np.array([0.5, -1.5, 2.0])
    derivative = srcad.grad(scaled_in_a_list, target=target)
    text = srcad.source(derivative, v, v, 2)
    assert "raise LengthsDiffer" in text and "rows_starts" not in text
    for w in (v, v[:2], v, v[1:]):
        expected = np.ones(3)
        expected[0] += 3 * v[0] ** 2 * np.sum(w**3)
        np.testing.assert_allclose(derivative(v, w, 2), expected, rtol=1e-12)


def test_what_is_called_once_only_takes_no_arrays_of_a_list_to_have_one_shape():
    def counted(v, w, parts, n):
        parts["count"][0] += v[0]
        return parts["count"][0] * scaled_in_a_list(v, w, n)

    v, w = np.array([0.5, -1.5, 2.0]), np.array([1.0, 0.5])
    derivative = srcad.grad(counted, target="python")
    assert "LengthsDiffer" not in srcad.source(derivative, v, w, {"count": np.ones(1)}, 2)
    count, total = 1.0 + v[0], scaled_in_a_list(v, w, 2)
    expected = count * np.ones(3)
    expected[0] += total + count * 3 * v[0] ** 2 * np.sum(w**3)
    np.testing.assert_allclose(derivative(v, w, {"count": np.ones(1)}, 2), expected, rtol=1e-12)


def staggered(e0, h0, c, d, steps):
    h, e = h0.copy(), e0.copy()
    for _ in range(steps):
        h += c[:-1] * (e[1:] - e[:-1])
        e[1:-1] += d[1:-1] * (h[1:] - h[:-1])
    return np.sum(e**2) + np.sum(h**3)


EDGES, CELLS = np.linspace(0.3, 0.9, 6) ** 2, np.linspace(0.6, 0.2, 5) ** 2
STAGGERED = (EDGES, CELLS, EDGES + 0.1, EDGES * EDGES, 3)


def test_lengths_of_a_staggered_grid_differ_by_one():
    text = srcad.source(srcad.grad(staggered, wrt=("e0", "h0", "c", "d")), *STAGGERED)
    assert "e0.shape[0] - 1 != h0.shape[0]" in text
    assert "sum_to(" not in text and "fitting(" not in text


@pytest.mark.slow
def test_a_staggered_grid_that_does_not_fit_is_refused_as_numpy_does():
    """What has one element is repeated; of other lengths the error is NumPy's, and an empty grid stays one."""
    wrt = ("e0", "h0", "c", "d")
    derivative, expected = srcad.grad(staggered, wrt=wrt), srcad.grad(staggered, wrt=wrt, target="python")
    e, h, c, d, steps = STAGGERED
    one, none = np.array([0.5]), np.zeros(0)
    for args in (STAGGERED, (e, h, one[[0, 0]], d, steps), (e[:2], one, c[:2], d[:2], steps),
                 (none, none, none, none, steps), (one, none, one, one, steps)):  # fmt: skip
        for found, other in zip(derivative(*args), expected(*args)):
            np.testing.assert_allclose(found, other, rtol=1e-12)
    for args in ((e, e, c, d, steps), (e, h[:-1], c, d, steps), (e, h, c[:-1], d, steps), (e, one, c, d, steps)):
        with pytest.raises(ValueError):
            staggered(*args)
        with pytest.raises(ValueError):
            derivative(*args)


def states_of_two_lengths(x, steps):
    u, v = np.zeros(3) + x[0], np.ones(4) * x[1]
    for _ in range(steps):
        w = u * x[0]
        u = v * 2.0
        v = w
    return np.sum(u) + np.sum(v * v)


def test_states_that_hand_different_lengths_to_each_other():
    """Neither has a length: nothing may be written as a loop over three elements, or over four."""
    x = np.array([1.3, 0.7])
    value = srcad.value_and_grad(states_of_two_lengths)
    for steps, expected in ((0, [3.0, 5.6]), (1, [26.364, 8.0])):
        assert value(x, steps)[0] == pytest.approx(states_of_two_lengths(x, steps), rel=1e-12)
        np.testing.assert_allclose(value(x, steps)[1], expected, rtol=1e-12)


def shallow_water(h0, m0, steps):
    h, m = h0, m0
    for _ in range(steps):
        p = m * m / h + h**2
        h1, m1 = h.copy(), m.copy()
        h1[1:-1] = (h[2:] + h[:-2]) / 2.0 - 0.1 * (m[2:] - m[:-2])
        m1[1:-1] = (m[2:] + m[:-2]) / 2.0 - 0.1 * (p[2:] - p[:-2])
        h, m = h1, m1
    return np.sum(h**2)


def test_slices_of_what_may_have_either_length():
    """`p` is as long as `h` or as `m`, and so is what is cut from it."""
    text = srcad.source(srcad.grad(shallow_water, wrt=("h0", "m0")), EDGES, EDGES, 3)
    assert text.count(".shape[0] != ") == 1 and "sum_to(" not in text and "np.copy(" not in text.split("_bar")[-1]


def gated(W, U, x, steps):
    n = U.shape[1]
    h = np.zeros(n)
    for _ in range(steps):
        a = W @ x
        z = np.tanh(a[:n] + U[:n] @ h)
        r = np.tanh(a[n : 2 * n] + U[n : 2 * n] @ h)
        h = z * h + (1.0 - z) * np.tanh(a[2 * n :] + U[2 * n :] @ (r * h))
    return np.sum(h**2)


@pytest.mark.slow
def test_parts_between_multiples_of_a_length():
    """Gates of a cell, one below the other, are as long as its state; nothing has to be undone of a broadcast."""
    W, U, x = np.linspace(-0.5, 0.8, 24).reshape(6, 4), np.linspace(-1.0, 1.1, 12).reshape(6, 2), np.ones(4)
    derivative = srcad.value_and_grad(gated, wrt=("W", "U"))
    text = srcad.source(derivative, W, U, x, 3)
    assert "U.shape[1] != U.shape[0] - 2 * U.shape[1]" in text and "sum_to(" not in text and "recorded(" not in text
    plain = srcad.value_and_grad(gated, wrt=("W", "U"), target="python", optimize=False)
    value, gradients = derivative(W, U, x, 3)
    expected = plain(W, U, x, 3)
    assert value == pytest.approx(expected[0], rel=1e-12)
    for found, wanted in zip(gradients, expected[1]):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-14)
    one = W[:5], U[:5]  # the last gate is a single number for all elements of the state
    value, gradients = derivative(*one, x, 3)
    expected = plain(*one, x, 3)
    assert value == pytest.approx(expected[0], rel=1e-12)
    for found, wanted in zip(gradients, expected[1]):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-14)
    with pytest.raises(ValueError):
        derivative(W[:3], U, x, 3)


def of_a_count(x, y, n):
    return np.sum(np.sin(x[n:]) * y[:n])


def test_parts_at_a_count_that_may_be_negative():
    x, y = np.linspace(0.1, 1.0, 6), np.linspace(2.0, 3.0, 6)
    derivative = srcad.value_and_grad(of_a_count)
    for n in (3, -3, 5):
        value, gradient = derivative(x, y, n)
        assert value == pytest.approx(of_a_count(x, y, n), rel=1e-12)
        x_bar = np.zeros(6)
        x_bar[n:] = np.cos(x[n:]) * (y[:n] if n != 5 else np.sum(y[:n]))
        np.testing.assert_allclose(gradient, x_bar, rtol=1e-12)
    with pytest.raises(ValueError):
        derivative(x, y, 2)


def correlated(x, w):
    out = np.zeros((x.shape[0] - w.shape[0] + 1, x.shape[1] - w.shape[1] + 1))
    for i in range(x.shape[0] - w.shape[0] + 1):
        for j in range(x.shape[1] - w.shape[1] + 1):
            out[i, j] = np.sum(x[i:i + w.shape[0], j:j + w.shape[1]] * w)
    return np.sum(out**2)


def cut_off(x, w):
    total = 0.0
    for i in range(len(x)):
        part = x[i:i + len(w)]
        total += np.sum(part**2) * np.sum(w) + part.size
    return total


def test_windows_are_as_long_as_what_they_are_multiplied_by():
    """A loop that ends where the last window does makes them whole, and no broadcast has to be undone."""
    x, w = np.linspace(-1.0, 2.0, 30).reshape(5, 6) ** 2, np.linspace(0.5, 1.0, 6).reshape(2, 3)
    derivative = srcad.value_and_grad(correlated, wrt=("x", "w"))
    text = srcad.source(derivative, x, w)
    assert "x_bar[i + k, j + l] +=" in text and "range(w.shape[0])" in text
    for one in (w, w[:1], w[:, :1], np.ones((6, 2))):  # of one row, of one column, larger than what it goes over
        value, gradients = derivative(x, one)
        expected = srcad.value_and_grad(correlated, wrt=("x", "w"), target="python", optimize=False)(x, one)
        assert value == pytest.approx(expected[0], rel=1e-12)
        for found, wanted in zip(gradients, expected[1]):
            np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_windows_that_the_end_cuts_off():
    x, w = np.linspace(-1.0, 2.0, 7), np.array([1.0, 2.0, 4.0])
    value, (x_bar, w_bar) = srcad.value_and_grad(cut_off, wrt=("x", "w"))(x, w)
    assert value == pytest.approx(cut_off(x, w), rel=1e-12)
    np.testing.assert_allclose(x_bar, 14.0 * x * np.array([1, 2, 3, 3, 3, 3, 3]), rtol=1e-12)
    np.testing.assert_allclose(w_bar, sum(np.sum(x[i:i + 3] ** 2) for i in range(7)), rtol=1e-12)
