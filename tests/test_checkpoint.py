"""Loops that are reversed segment by segment: by hand with `checkpoint`, and where `max_tape` asks for it."""

import copy
import math
import re
import tracemalloc

import numpy as np
import pytest
from numba import njit

import srcad
from srcad.runtime import segment_length, states_kept

SLOW_TARGETS = pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])


# ---------------------------------------------------------------- time loops, as users write them


def orbit(r, x, n):
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


def burgers(u0, nu, steps):
    u = u0.copy()
    v = np.empty_like(u)
    n = u.shape[0]
    for t in range(steps):
        v[0] = u[0]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            v[i] = u[i] - 0.1 * u[i] * (u[i + 1] - u[i - 1]) + nu * (u[i + 1] - 2 * u[i] + u[i - 1])
        u, v = v, u
    return np.sum(u**2)


def sweeps(u0, a, steps):
    u = u0.copy()
    for t in range(steps):
        for i in range(1, u.shape[0] - 1):
            u[i] = np.sin(u[i - 1] * u[i + 1]) + a * u[i]
    return np.sum(u**2)


def whole_arrays(y0, h, n):
    y, z = y0, 1.0
    for _ in range(n):
        k1 = np.sin(y) * y
        y = y + h * np.cos(k1 + y)
        z = z * np.cos(h) + np.sum(y) * 0.1
    return z


def history(x0, a, n):
    path = np.zeros(n + 1)
    path[0] = x0
    for t in range(n):
        path[t + 1] = np.sin(path[t]) * a
    return np.sum(path)


def written_outside(x, out, n):
    s = 1.0
    for i in range(n):
        out[i] = s * x
        s = np.sin(out[i] + s)
        for j in range(i):
            s = s * np.cos(out[j]) + 0.1
    return s + np.sum(out)


def left_early(x, a, n):
    t = 0
    for t in range(n):
        x = a * x * (1.0 - x)
        if x > 0.94:
            break
    return x * t


def returned_early(x, a, n):
    for t in range(3, n):
        if x > 0.94:
            return x * t
        x = a * x * (1.0 - x)
    return x


def downwards(x, a, n):
    for t in range(n, 0, -2):
        x = a * x * (1.0 - x) + 0.001 * t
    return x


def until(x, a, n):
    k = 0
    while x < 100.0 and k < n:
        x = x * a + np.sin(x)
        k += 1
    return x


def in_while(x, a, n):
    while True:
        x = x * a + 0.5 * np.sqrt(x)
        if x > 50.0 + n:
            break
    return x


def two_loops(x, a, n):
    for _ in range(n):
        x = np.sin(x * a)
        for _ in range(n):
            x = x * np.cos(x)
    for _ in range(2 * n):
        x = x * x * a
    return x


def step(x, a):
    return a * x * (1.0 - x)


def by_calls(x, a, n):
    for t in range(n):
        x = step(x, a) if t % 2 else np.sin(x)
    return x


LINE = np.linspace(0.1, 0.9, 7)
PROGRAMS = [
    (orbit, (3.7, 0.3, 50), (0, 1)), (burgers, (LINE, 0.05, 40), (0, 1)), (sweeps, (LINE, 0.3, 30), (0, 1)),
    (whole_arrays, (LINE, 0.1, 40), (0, 1)), (history, (0.5, 1.7, 30), (0, 1)),
    (written_outside, (0.3, np.zeros(40), 25), (0, 1)), (left_early, (0.31, 3.9, 80), (0, 1)),
    (returned_early, (0.31, 3.9, 80), (0, 1)), (downwards, (0.31, 3.1, 77), (0, 1)), (until, (1.2, 1.01, 500), (0, 1)),
    (in_while, (1.2, 1.01, 1), (0, 1)), (two_loops, (0.7, 1.3, 15), (0, 1)), (by_calls, (0.4, 3.2, 33), (0, 1)),
]  # fmt: skip


def names(case):
    return case.__name__ if callable(case) else ""


def call(derivative, args):
    args = copy.deepcopy(args)
    return derivative(*args), args


@SLOW_TARGETS
@pytest.mark.parametrize("fn, args, wrt", PROGRAMS, ids=names)
def test_max_tape_changes_no_number(target, fn, args, wrt):
    plain = srcad.value_and_grad(fn, wrt, target=target)
    kept = srcad.value_and_grad(fn, wrt, target=target, max_tape="64MB")
    (value, expected), after = call(plain, args)
    (same, found), after_kept = call(kept, args)
    assert same == pytest.approx(value, rel=1e-13)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-11)
    for one, other in zip(after, after_kept):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    text = srcad.source(kept, *args)
    assert ("some states are kept" in text) is (fn is not history)  # which has all states in its array


@pytest.mark.parametrize("steps", [
    *(0, 1, 2, 5, 9, 17), *(pytest.param(steps, marks=pytest.mark.slow) for steps in (3, 4, 8, 10, 16)),
])
def test_any_number_of_iterations(steps):
    for fn, args in ((burgers, (LINE, 0.05, steps)), (left_early, (0.31, 3.9, steps)), (until, (1.2, 1.01, steps))):
        for room in (300, 420, 1000):
            kept = srcad.grad(fn, target="python", max_tape=room)(*args)
            np.testing.assert_allclose(kept, srcad.grad(fn, target="python")(*args), rtol=1e-12)


@pytest.mark.parametrize("fn, args", [
    (orbit, (2.9, 0.3)), (burgers, (LINE, 0.05)), (until, (1.2, 1.0000001)), (left_early, (0.31, 2.9)),
    (whole_arrays, (LINE, 0.001)),
])  # fmt: skip
def test_what_is_recorded_has_room(fn, args):
    for room in (500, "20kB"):
        kept = srcad.grad(fn, target="python", max_tape=room)
        for steps in (10, 3000):
            recorded = srcad.explain(kept, args=(*args, steps)).bytes
            assert 0 < recorded <= (500 if room == 500 else 20_000)
    np.testing.assert_allclose(kept(*args, 3000), srcad.grad(fn, target="python")(*args, 3000), rtol=1e-9)


def test_arrays_in_use_have_room():
    u, room = np.linspace(0.0, 1.0, 20_000), 3_000_000

    def peak(**options):
        df = srcad.grad(advected, target="python", **options)
        df(u, 0.1, 2)
        tracemalloc.start()
        df(u, 0.1, 100)
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak() > 100 * u.nbytes > 5 * room
    assert peak(max_tape=room) < room + 12 * u.nbytes  # what one iteration makes comes on top


def advected(u, nu, steps):
    for _ in range(steps):
        u = u - nu * u * np.roll(u, 1)
    return np.sum(u)


@SLOW_TARGETS
def test_no_room(target):
    df = srcad.grad(burgers, target=target, max_tape=200)
    with pytest.raises(MemoryError, match="no room for the states of two iterations"):
        df(LINE, 0.05, 40)


def test_loops_without_records_and_short_ones_stay_as_they_are():
    def independent(x):
        total = 0.0
        for i in range(x.shape[0]):
            total += np.sin(x[i])
        return total

    def short(x):
        for _ in range(10):
            x = np.sin(x) * x
        return x

    for fn, arg in ((independent, LINE), (short, 0.5)):
        df = srcad.grad(fn, max_tape="1MB")
        assert srcad.source(df, arg) == srcad.source(srcad.grad(fn), arg)


# ---------------------------------------------------------------- by hand


def marked(x, a, n, every):
    for _ in srcad.checkpoint(range(n), every=every):
        x = a * x * (1.0 - x)
    return x


def marked_with_states(x, n, states):
    for _ in srcad.checkpoint(range(n), states=states):
        x = np.sin(x) + 0.1
    return x


def marked_both(x, a, n, every, states):
    t = -1
    for t in srcad.checkpoint(range(n), every, states):
        if t % 3 == 2:
            continue
        x = a * x * (1.0 - x)
        if x > 0.94:
            break
    else:
        x = 2.0 * x
    return x * t


def marked_freely(x, a, n):
    for _ in srcad.checkpoint(range(n)):
        x = a * x * (1.0 - x)
    return x


def marked_and_left(x, a, n, every):
    t = -1
    for t in srcad.checkpoint(range(n), every):
        if t % 3 == 2:
            continue
        x = a * x * (1.0 - x)
        if x > 0.94:
            break
    else:
        x = 2.0 * x
    return x * t


def plainly_left(x, a, n):
    t = -1
    for t in range(n):
        if t % 3 == 2:
            continue
        x = a * x * (1.0 - x)
        if x > 0.94:
            break
    else:
        x = 2.0 * x
    return x * t


def marked_items(xs, every):
    p = 1.0
    for i, x in srcad.checkpoint(enumerate(xs), every=every):
        p = p * np.sin(x + i) + x
    return p


@SLOW_TARGETS
def test_by_hand_with_states_compiled(target):
    found = srcad.grad(marked_with_states, target=target)(0.3, 30, 4)
    assert found == pytest.approx(srcad.grad(marked_with_states, target=target)(0.3, 30, 30), rel=1e-12)


@SLOW_TARGETS
@pytest.mark.parametrize("every", [1, 3, 7, 50, 1000])
def test_by_hand(target, every):
    assert marked(0.3, 3.7, 50, every) == orbit(3.7, 0.3, 50)
    found = srcad.grad(marked, (0, 1), target=target)(0.3, 3.7, 50, every)
    np.testing.assert_allclose(found, srcad.grad(orbit, (1, 0), target=target)(3.7, 0.3, 50), rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 5, 40])
def test_by_hand_left_early(n):
    for every in (1, 4, 60):
        found = srcad.value_and_grad(marked_and_left, (0, 1), target="python")(0.31, 3.9, n, every)
        expected = srcad.value_and_grad(plainly_left, (0, 1), target="python")(0.31, 3.9, n)
        np.testing.assert_allclose([found[0], *found[1]], [expected[0], *expected[1]], rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 5, 40])
def test_by_hand_with_states(n):
    expected = srcad.value_and_grad(plainly_left, (0, 1), target="python")(0.31, 3.9, n)
    for every, states in ((1, 1), (1, 2), (1, 3), (3, 2), (2, 5), (60, 60)):
        found = srcad.value_and_grad(marked_both, (0, 1), target="python")(0.31, 3.9, n, every, states)
        np.testing.assert_allclose([found[0], *found[1]], [expected[0], *expected[1]], rtol=1e-12)


def fewest(segments, states):
    """How often segments are run to reverse them all: `segments` in the end, the first of the formulas of revolve."""
    runs = 0
    while math.comb(states + runs, states) < segments:
        runs += 1
    return runs * segments - (math.comb(states + runs, states + 1) if runs else 0)


def test_no_schedule_runs_fewer_iterations():
    text = srcad.source(srcad.grad(marked_with_states, target="python"), 0.3, 50, 5)
    iterations = []
    space = {"sin": lambda x: iterations.append(x) or np.sin(x)}
    exec(text.replace("np.sin(", "sin("), space)
    for n in (1, 2, 5, 10, 37, 100, 300):
        for states in (1, 2, 3, 5, 10, 40):
            iterations.clear()
            space["marked_with_states_grad"](0.3, n, states)
            # Forward, each iteration with its reverse, and what is between the states: the end counts as a segment.
            assert len(iterations) == 2 * n + fewest(n + 1, states) - n


def test_a_while_loop_runs_about_as_few():
    text = srcad.source(srcad.grad(until, target="python", max_tape=800), 1.2, 1.0000001, 50)
    iterations = []
    space = {"sin": lambda x: iterations.append(x) or np.sin(x)}
    exec(text.replace("np.sin(", "sin("), space)
    room = [int(s) for s in re.search(r"segment_length\((.*), (.*), (.*), (.*)\)", text).groups()]
    every = segment_length(*room)
    states = states_kept(-1, every, *room[1:])
    for n in (100, 1000, 3000):
        iterations.clear()
        space["until_grad"](1.2, 1.0000001, n)
        segments = -(-n // every)
        assert len(iterations) <= 1.15 * (2 * n + every * (fewest(segments + 1, states) - segments))


def test_by_hand_over_items():
    xs = np.linspace(0.1, 2.0, 11)
    text = srcad.source(srcad.grad(marked_items, target="python"), xs, 4)
    found = srcad.grad(marked_items, target="python")(xs, 4)
    step = 1e-6 * np.eye(11)
    expected = [(marked_items(xs + e, 4) - marked_items(xs - e, 4)) / 2e-6 for e in step]
    np.testing.assert_allclose(found, expected, rtol=1e-7)
    assert "np.empty(every)" in text or "np.empty(4)" in text


def test_the_source_is_two_loops():
    text = srcad.source(srcad.grad(marked), 0.3, 3.7, 50, 5)
    assert text.count("# once a segment, the state is kept; backwards, each segment is run again from there") == 1
    assert "x_tape = np.empty(len(range(0, n, every)))" in text and "x_tape_1 = np.empty(every)" in text
    free = srcad.source(srcad.grad(marked_freely), 0.3, 3.7, 50)
    assert "every = int(np.sqrt(max(n, 0))) + 1" in free


def test_the_peak_is_explained():
    found = srcad.explain(srcad.grad(marked), args=(0.3, 3.7, 1000, 20))
    assert found.bytes == 8 * (1000 // 20 + 20)
    assert "8*every + 8*len(range(0, n, every))" in str(found) or "8*len(range(0, n, every)) + 8*every" in str(found)


def test_in_plain_python_and_in_compiled_functions_it_is_its_iterable():
    assert srcad.checkpoint(range(5), every=2) == range(5)
    assert list(srcad.checkpoint(iter("ab"))) == ["a", "b"]
    assert njit(marked)(0.3, 3.7, 50, 7) == pytest.approx(marked(0.3, 3.7, 50, 7))
    assert srcad.function(marked, target="python")(0.3, 3.7, 50, 7) == marked(0.3, 3.7, 50, 7)
    assert srcad.jvp(marked, target="python")(0.3, 3.7, 50, 7)[0] == marked(0.3, 3.7, 50, 7)


def test_second_order():
    first = srcad.grad(srcad.grad(marked, target="python"), target="python")(0.3, 3.1, 12, 4)
    assert first == pytest.approx(srcad.grad(srcad.grad(orbit, 1, target="python"), 1, target="python")(3.1, 0.3, 12))


def test_second_order_with_states():
    def kept(x, n):
        return marked_with_states(x, n, 3)

    def plain(x, n):
        for _ in range(n):
            x = np.sin(x) + 0.1
        return x

    expected = srcad.grad(srcad.grad(plain, target="python"), target="python")(0.3, 12)
    assert srcad.grad(srcad.grad(kept, target="python"), target="python")(0.3, 12) == pytest.approx(expected)
    assert srcad.hvp(kept, target="python")(0.3, 12, tangents=1.0) == pytest.approx(expected)
    limited = srcad.grad(plain, target="python", max_tape=200)
    assert srcad.jvp(limited, target="python")(0.3, 12, tangents=1.0)[1] == pytest.approx(expected)


def of_pairs(xs):
    s = 1.0
    for x, k in zip(srcad.checkpoint(xs, every=2), range(3)):
        s = s * x * k
    return s


def of_any_step(x, step):
    for _ in srcad.checkpoint(range(0, 10, step), every=2):
        x = np.sin(x)
    return x


def of_zero(x):
    for _ in srcad.checkpoint(range(10), every=0):
        x = np.sin(x)
    return x


def of_halves(x):
    for _ in srcad.checkpoint(range(10), every=2.5):
        x = np.sin(x)
    return x


def of_no_states(x):
    for _ in srcad.checkpoint(range(10), states=0):
        x = np.sin(x)
    return x


def of_much(x):
    for _ in srcad.checkpoint(range(10), 2, 3, 4):
        x = np.sin(x)
    return x


@pytest.mark.parametrize("fn, args, message", [
    (of_pairs, (LINE,), "only understood in the head of a for statement; instead: for t in srcad.checkpoint"),
    (of_any_step, (0.5, 2), "a step that is no constant is not supported"),
    (of_zero, (0.5,), "every must be 1 or more"), (of_halves, (0.5,), "every must be an integer, not 2.5"),
    (of_no_states, (0.5,), "states must be 1 or more"),
    (of_much, (0.5,), "checkpoint takes what the loop goes over, every and states"),
])  # fmt: skip
def test_what_is_refused(fn, args, message):
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.grad(fn, target="python")(*args)


@pytest.mark.parametrize("every, error", [(0, ValueError), (-3, ValueError), (2.0, TypeError), (True, TypeError)])
def test_wrong_lengths(every, error):
    with pytest.raises(error, match="checkpoint: every must be"):
        srcad.checkpoint(range(3), every=every)
    if error is ValueError:
        with pytest.raises(error, match="checkpoint: every must be 1 or more"):
            srcad.grad(marked, target="python")(0.3, 3.7, 50, every)
        with pytest.raises(error, match="checkpoint: states must be 1 or more"):
            srcad.grad(marked_with_states, target="python")(0.3, 50, every)


@pytest.mark.parametrize("size, error", [("much", ValueError), ("12", ValueError), (0, ValueError), (-5, ValueError),
                                         (True, TypeError), ([], TypeError)])  # fmt: skip
def test_wrong_sizes(size, error):
    with pytest.raises(error, match="max_tape must be"):
        srcad.grad(orbit, max_tape=size)
