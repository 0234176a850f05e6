"""``parallel=True``: outer loops whose iterations several threads share."""

import re

import numba
import numpy as np
import pytest

import srcad

RANDOM = np.random.default_rng(5)
needs_two = pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="one core")


def logistic(w, X, y):
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        total += np.log1p(np.exp(-y[i] * z))
    return total / X.shape[0]


def chain(x):
    total = 0.0
    for i in range(x.shape[0] - 1):
        total += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return total


def pairs(p):
    energy = 0.0
    for i in range(p.shape[0]):
        for j in range(i + 1, p.shape[0]):
            energy += np.exp(-((p[i] - p[j]) ** 2))
    return energy


def in_two_steps(x):
    y = np.empty_like(x)
    for i in range(x.shape[0]):
        y[i] = np.sin(x[i]) * x[i]
    total = 0.0
    for i in range(x.shape[0]):
        total -= y[i] ** 2
    return total


def recurrence(x):
    s = 1.0
    for i in range(x.shape[0]):
        s = s * np.sin(x[i])
    return s


def scattered(x, places):
    y = np.zeros(7)
    for i in range(x.shape[0]):
        y[places[i]] = x[i] ** 2
    return np.sum(y * y)


def last_value(x):
    z = 0.0
    for i in range(x.shape[0]):
        z = np.sin(x[i])
    return z * x[0]


def neighbours_in_place(x):
    y = x.copy()
    for i in range(1, x.shape[0]):
        y[i] = y[i - 1] * x[i]
    return np.sum(y)


def row_added_to_all(a):
    for i in range(a.shape[0]):
        a[i] += a[2]
    return np.sum(a**2)


LOGISTIC = (RANDOM.normal(size=12), RANDOM.normal(size=(700, 12)), np.sign(RANDOM.normal(size=700)))
LONG = RANDOM.normal(size=40_000)


SHARED = [(logistic, LOGISTIC), (chain, (LONG,)), (pairs, (LONG[:9],)), (in_two_steps, (LONG,))]


def forth_and_back(fn, args):
    """What `explain` says of the loops of a function."""
    return srcad.explain(srcad.grad(fn, parallel=True), args=args).threads


@pytest.mark.parametrize("fn, args", SHARED)
def test_loops_that_are_shared(fn, args):
    found = forth_and_back(fn, args)
    assert "" in found.values() and not any(found.values())
    text = srcad.source(srcad.value_and_grad(fn, parallel=True), *args)
    assert "in prange(threads)" in text and "# several threads, each with sums of its own" in text


@pytest.mark.parametrize("fn, args, why", [
    (recurrence, (LONG,), "an iteration needs s of the one before"),
    (scattered, (LONG[:7], np.arange(7)), "an iteration may read or write what another one writes to y"),
    (last_value, (LONG,), "z of the last iteration is read after it"),
    (neighbours_in_place, (LONG,), "an iteration may read or write what another one writes to y"),
    (row_added_to_all, (LONG.reshape(8, -1).copy(),), "may share memory"),
])  # fmt: skip
def test_loops_that_are_not(fn, args, why):
    df = srcad.value_and_grad(fn, parallel=True)
    found = srcad.explain(df, args=args)
    assert any(why in reason for reason in found.threads.values())
    assert re.search(f"not shared: .*{re.escape(why)}", " ".join(str(found).split()))


def test_where_no_loop_is_shared_the_explanation_says_so():
    found = srcad.explain(srcad.grad(recurrence, parallel=True), args=(LONG,))
    assert "threads: none, since there is no loop that they can share" in str(found)
    assert "prange" not in srcad.source(srcad.grad(recurrence, parallel=True), LONG)
    assert "threads" not in str(srcad.explain(srcad.grad(recurrence), args=(LONG,)))
    python = srcad.grad(logistic, parallel=True, target="python")
    assert srcad.explain(python, args=LOGISTIC).threads == {"all": "target is 'python'"}
    np.testing.assert_array_equal(python(*LOGISTIC), srcad.grad(logistic, target="python")(*LOGISTIC))


def test_sums_are_private_and_added_in_order():
    text = srcad.source(srcad.value_and_grad(logistic, parallel=True), *LOGISTIC)
    lines = [line.strip() for line in text.splitlines()]
    assert "w_bar_own = w_bar_parts[part]" in lines and "total_own = 0.0" in lines
    tail = lines[lines.index("total_parts[part] = total_own") :]
    assert tail[1:4] == ["for part in range(threads):", "total += total_parts[part]", "w_bar += w_bar_parts[part]"]


def same_each_time(fn, args):
    shared, alone = srcad.value_and_grad(fn, parallel=True), srcad.value_and_grad(fn)
    before = numba.get_num_threads()
    expected, slope = alone(*args)
    try:
        for threads in (1, 2):
            numba.set_num_threads(threads)
            value, gradient = shared(*args)
            assert value == pytest.approx(expected, rel=1e-11)
            np.testing.assert_allclose(gradient, slope, rtol=1e-9, atol=1e-12)
            for _ in range(3):
                again, same = shared(*args)
                assert again == value
                np.testing.assert_array_equal(same, gradient)
    finally:
        numba.set_num_threads(before)


@needs_two
def test_two_threads_give_what_one_gives_and_the_same_each_time():
    same_each_time(logistic, LOGISTIC)


def test_arrays_of_rank_0_are_added_up_like_numbers():
    def decay(x, k):
        s = 0.0
        for i in range(x.shape[0]):
            s += np.exp(-k * x[i] * x[i])
        return s

    k = np.array(0.7)
    slope = srcad.grad(decay, wrt="k", parallel=True)(LONG, k)
    np.testing.assert_allclose(slope, np.sum(-LONG * LONG * np.exp(-k * LONG * LONG)), rtol=1e-9)


@needs_two
@pytest.mark.slow
@pytest.mark.parametrize("fn, args", [
    (chain, (LONG,)), (pairs, (LONG[:300],)), (in_two_steps, (LONG,)), (recurrence, (LONG[:50],)),
    (neighbours_in_place, (LONG[:50],)), (chain, (LONG[:1],)), (chain, (LONG[:0],)),
    (scattered, (LONG[:7], np.arange(7))),
])  # fmt: skip
def test_every_kind_of_loop(fn, args):
    same_each_time(fn, args)


def windows(x, w, n):
    total = 0.0
    for k in range(n):
        a = x[k : k + 3] * w + np.exp(x[k + 1 : k + 4])
        total += np.sum(-a * a) + np.max(np.tanh(a) * 2)
    return total


def test_array_expressions_of_lengths_that_are_not_known():
    x, w = RANDOM.normal(size=500), RANDOM.normal(size=3)
    df = srcad.value_and_grad(windows, (0, 1), parallel=True)
    assert "in prange(threads)" in srcad.source(df, x, w, 400)
    value, gradients = df(x, w, 400)
    expected, slopes = srcad.value_and_grad(windows, (0, 1), target="python")(x, w, 400)
    assert value == pytest.approx(expected, rel=1e-12)
    for found, slope in zip(gradients, slopes):
        np.testing.assert_allclose(found, slope, rtol=1e-10, atol=1e-12)


def turned_views(x):
    rows = np.empty((3, x.shape[0]))
    for k in range(3):
        rows[k] = x * 1.2**k
    return np.sum(np.stack(list(rows), axis=1)[0] ** 2) + np.sum(np.moveaxis(rows, 0, 1)[1:] ** 3)


def rows_that_grow(x, n):
    row = np.ones(1) * x[0]
    for k in range(n):
        row = row + x[k : k + 3]
    return np.sum(row**3)


def buffers_of_two_lengths(x, n):
    a, b = x[:1] * 2.0, x * 3.0
    for _ in range(n):
        a, b = b, a
    return np.sum(np.exp(a + 1.0)) + np.prod(b * 2.0)


@pytest.mark.parametrize("fn, more", [(turned_views, ()), (rows_that_grow, (2,)), (buffers_of_two_lengths, (3,))])
def test_what_numba_takes_for_dead_or_of_one_length(fn, more):
    x = RANDOM.normal(size=6)
    value, gradient = srcad.value_and_grad(fn, parallel=True)(x, *more)
    expected, slope = srcad.value_and_grad(fn, target="python")(x, *more)
    assert value == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(gradient, slope, rtol=1e-10, atol=1e-12)


def nearest(x, c):
    k = np.argmin(((x[:, None, :] - c[None, :, :]) ** 2).sum(-1), axis=1)
    return np.sum((x - c[k]) ** 2)


def scaled(x, c):
    y = np.zeros((7, 3))
    y[:, :] = c
    y += c
    return np.sum(x * y**2)


@pytest.mark.parametrize("fn, rows", [
    pytest.param(nearest, 4, marks=pytest.mark.slow), (scaled, 1), (scaled, 7),
])
def test_lengths_of_one_are_repeated(fn, rows):
    rng = np.random.default_rng(0)
    x, c = rng.normal(size=(7, 3)), rng.normal(size=(rows, 3))
    found, gradients = srcad.value_and_grad(fn, (0, 1), parallel=True)(x, c)
    expected, slopes = srcad.value_and_grad(fn, (0, 1), target="python")(x, c)
    np.testing.assert_allclose(found, expected)
    for one, other in zip(gradients, slopes):
        np.testing.assert_allclose(one, other)
