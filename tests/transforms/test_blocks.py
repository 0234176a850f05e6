"""Independent iterations in blocks: the text that is compiled computes what the text that people read computes."""

from __future__ import annotations

import re

import numpy as np
import pytest

import srcad
from srcad.backends.source import Source
from srcad.transforms import block_length
from tests.benchmarks.workloads import kernels
from tests.corpus.models import kernel_of_pairs

N, D, K = 5, 3, 4
_rng = np.random.default_rng(7)
X, W = _rng.normal(size=(N, D)), _rng.normal(size=(K, D))
w, y, b = _rng.normal(size=D), _rng.normal(size=N), _rng.normal(size=K)
labels, lengths = _rng.integers(0, K, N), _rng.integers(0, D + 1, N)


def nearest_centre(W, X):
    total = 0.0
    for i in range(X.shape[0]):
        best = 1e300
        for c in range(W.shape[0]):
            distance = 0.0
            for j in range(X.shape[1]):
                difference = X[i, j] - W[c, j]
                distance += difference * difference
            if distance < best:
                best = distance
        total += best
    return total


def softmax_in_loops(W, b, X, labels):
    total = 0.0
    z = np.empty(W.shape[0])
    for i in range(X.shape[0]):
        for c in range(W.shape[0]):
            z[c] = b[c]
            for j in range(X.shape[1]):
                z[c] += W[c, j] * X[i, j]
        total += np.log(np.sum(np.exp(z - np.max(z)))) + np.max(z) - z[labels[i]]
    return total / X.shape[0]


def half_of_the_pairs(X, length):
    total = 0.0
    for i in range(X.shape[0]):
        for j in range(i + 1, X.shape[0]):
            square = 0.0
            for k in range(X.shape[1]):
                square += (X[i, k] - X[j, k]) ** 2
            total += np.exp(-0.5 * square / length**2)
    return total


def branches(w, X, y):
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        if z > 0.5:
            total += 2.0 * z
        else:
            total += np.exp(z) - y[i] * z
    return total


def backwards(w, X):
    total = 0.0
    for i in range(X.shape[0] - 1, -1, -1):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        total += np.tanh(z)
    return total


def ragged(w, X, lengths):
    total = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(lengths[i]):
            z += X[i, j] * w[j]
        total += np.log1p(np.exp(z))
    return total


def own_elements(w, X):
    out = np.empty(X.shape[0])
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        out[i] = np.exp(-z)
    return np.sum(out * out)


def epochs(w, X, y, n):
    total = 0.0
    for epoch in range(n):
        for i in range(X.shape[0]):
            z = 0.0
            for j in range(X.shape[1]):
                z += X[i, j] * w[j]
            total += np.log1p(np.exp(-y[i] * z)) * 0.5**epoch
    return total


def embedded(W, w, labels):
    total = 0.0
    for i in range(labels.shape[0]):
        z = 0.0
        for j in range(W.shape[1]):
            z += W[labels[i], j] * w[j]
        total += np.log1p(np.exp(-z))
    return total


def steps_inside(a, y):
    total = 0.0
    for i in range(y.shape[0]):
        x = 1.0 + y[i] ** 2
        for k in range(a.shape[0]):
            x = 0.5 * (x + a[k] / x)
        total += np.exp(-x * y[i])
    return total


def neighbours(a, y, u):
    total = 0.0
    for i in range(1, y.shape[0] - 1):
        x = 0.0
        for k in range(a.shape[0]):
            x += np.exp(-a[k] * (y[i + 1] - y[i - 1])) * u[i]
        total += x * x
    return total


def from_the_end(a, y):
    total = 0.0
    for i in range(-3, 2):
        x = 0.0
        for k in range(a.shape[0]):
            x += np.exp(-a[k] * y[i])
        total += x * x * y[i]
    return total


def correlation(K, X):
    total = 0.0
    for i in range(X.shape[0] - K.shape[0] + 1):
        for j in range(X.shape[1] - K.shape[1] + 1):
            s = 0.0
            for a in range(K.shape[0]):
                for b in range(K.shape[1]):
                    s += K[a, b] * X[i + a, j + b]
            total += (s - X[i, j + 1]) ** 2
    return total


def perceptron(V, W, X, Y):
    total = 0.0
    hidden = np.zeros(V.shape[1])
    for i in range(X.shape[0]):
        for k in range(V.shape[1]):
            z = 0.0
            for j in range(X.shape[1]):
                z += W[k, j] * X[i, j]
            hidden[k] = np.tanh(z)
        for c in range(V.shape[0]):
            z = 0.0
            for k in range(V.shape[1]):
                z += V[c, k] * hidden[k]
            total += (z - Y[i, c]) ** 2
    return total


def filtered(h, x):
    total = 0.0
    for i in range(h.shape[0] - 1, x.shape[0]):
        z = 0.0
        for k in range(h.shape[0]):
            z += h[k] * x[i - k]
        total += z**4
    return total


def paths(s, Z):
    total = 0.0
    for i in range(Z.shape[0]):
        price, mean = 1.0, 0.0
        for t in range(Z.shape[1]):
            price *= np.exp(s * Z[i, t] - 0.5 * s * s)
            mean += price
        total += max(mean - 2.0, 0.0)
    return total


CASES = [
    (nearest_centre, (0, 1), (W, X)), (softmax_in_loops, (0, 1, 2), (W, b, X, labels)),
    (kernel_of_pairs, (0, 1), (X, 1.3)), (half_of_the_pairs, (0, 1), (X, 1.3)),
    (branches, (0, 1), (w, X, y)), (backwards, (0, 1), (w, X)),
    (ragged, (0, 1), (w, X, lengths)), (own_elements, (0, 1), (w, X)), (epochs, (0, 1), (w, X, y, 3)),
    (embedded, (0, 1), (W, w, labels)), (steps_inside, (0, 1), (b**2 + 1.0, y)),
    (neighbours, (0, 1, 2), (b, y, X[:, 0])), (from_the_end, (0, 1), (b, y)),
    (filtered, (0, 1), (w, y)), (paths, (0, 1), (0.3, X)),
    (correlation, (0, 1), (W[:2, :2], X)), (perceptron, (0, 1), (W.T @ W[:, :2], W[:2], X, X)),
    (kernels.loops, (0, 1, 2, 3), (X, W, b, 1.3)), (kernels.arrays, (0, 1, 2, 3), (X, W, b, 1.3)),
]  # fmt: skip
NAMES = [function.__name__ for function, _, _ in CASES]


def flat(result):
    return [each for part in result for each in flat(part)] if isinstance(result, tuple) else [result]


@pytest.mark.parametrize(("function", "wrt", "arguments"), CASES, ids=NAMES)
def test_blocks_compute_the_same(function, wrt, arguments, monkeypatch):
    monkeypatch.setattr(block_length, "SIZE", 2)
    monkeypatch.setattr(block_length, "SMALLEST", 2)
    df = srcad.value_and_grad(function, wrt=wrt)
    plain, blocked = (srcad.source(df, *arguments, stage=stage) for stage in ("name", "blocks"))
    assert "size = min(" in blocked and "size = min(" not in plain
    found, expected = (flat(ran(df, text, arguments)) for text in (blocked, plain))
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


def ran(df, text, arguments):
    name = next(line for line in text.splitlines() if line.startswith("def "))[4:].split("(")[0]
    return Source(name, text, f"/nowhere/{name}_{len(text)}.py").function(*arguments)


@pytest.mark.slow
@pytest.mark.parametrize(("function", "wrt", "arguments"), CASES, ids=NAMES)
def test_compiled_blocks_compute_the_same(function, wrt, arguments):
    many = tuple(np.concatenate([a] * 30) if isinstance(a, np.ndarray) and len(a) == N else a for a in arguments)
    found = flat(srcad.value_and_grad(function, wrt=wrt)(*many))
    expected = flat(srcad.value_and_grad(function, wrt=wrt, target="python")(*many))
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-11)


def test_blocks_go_through_parts_of_arrays_where_no_subscript_counts_from_the_end():
    text = srcad.source(srcad.value_and_grad(neighbours, wrt=(0,)), b, y, X[:, 0].copy(), stage="blocks")
    assert "y_part = y[start + 1:start + 1 + size]" in text and "y_part_1 = y[start - 1:start - 1 + size]" in text
    assert "y_part" not in srcad.source(srcad.value_and_grad(from_the_end), b, y, stage="blocks")


def test_rows_of_their_own_that_iterations_add_to_go_side_by_side():
    text = srcad.source(srcad.value_and_grad(kernels.loops, wrt=(0, 1, 2, 3)), X, W, b, 1.3, stage="blocks")
    assert "x_bar_block[k, t] += " in text and "x_bar[i, k] += " not in text


def test_windows_that_move_on_with_the_iterations_are_parts_of_arrays():
    text = srcad.source(srcad.value_and_grad(correlation, wrt=(0, 1)), W, X, stage="blocks")
    assert "X_bar_part = X_bar[i + a, start + b:start + b + size]" in text
    assert text.count("X_bar_part[t] += ") == 1 and text.count("* X_part[t]") == 2
    text = srcad.source(srcad.value_and_grad(filtered, wrt=(0,)), w, y, stage="blocks")
    assert "x[start - k:start - k + size]" in text


def test_steps_that_wait_for_each_other_are_done_by_many_iterations_together():
    text = srcad.source(srcad.value_and_grad(paths, wrt=(0, 1)), 0.3, X, stage="blocks")
    assert re.search(r"Z_block\[\w+, t\]", text) and "for t in independent(range(size)):" in text


def test_what_is_read_once_before_an_inner_loop_keeps_no_loop_out_of_a_block():
    text = srcad.source(srcad.value_and_grad(perceptron, wrt=(0, 1)), W.T, X, X, X, stage="blocks")
    assert re.search(r"hidden_bar_block\[\w, t\] \+= ", text)


def test_room_for_a_block_is_made_once():
    text = srcad.source(srcad.value_and_grad(kernels.loops, wrt=(0, 1, 2, 3)), X, W, b, 1.3, stage="blocks")
    in_blocks = text[text.index("for start in") :]
    assert "_tape_block = np.empty(" in text
    assert "np.empty(" not in in_blocks and "np.zeros(" not in in_blocks


def test_lines_of_a_block_are_not_a_power_of_two_apart():
    """Rows that are brought into 128 columns would drive each other out of a cache."""
    text = srcad.source(srcad.value_and_grad(softmax_in_loops, wrt=(0, 1, 2)), W, b, X, labels, stage="blocks")
    rooms = re.findall(r"np.empty\(\((?:.*), (.*)\)\)", text.split("for start in")[0])
    assert len(rooms) > 2 and set(rooms) == {"block + 8"}


def test_no_blocks_without_fast_math():
    df = srcad.value_and_grad(backwards, fastmath=False)
    assert "block" not in srcad.source(df, w, X, stage="blocks")


def test_explain_tells_of_blocks():
    found = srcad.explain(srcad.grad(backwards), args=(w, X))
    assert [loop.blocked for loop in found.loops] == [True, False]
    assert "in blocks of iterations side by side" in str(found)


def an_empty_maximum(W, X):
    total = 0.0
    for i in range(X.shape[0]):
        z = np.empty(W.shape[0])
        for c in range(W.shape[0]):
            z[c] = 0.0
            for j in range(X.shape[1]):
                z[c] += W[c, j] * X[i, j]
        total += np.exp(np.max(z))
    return total


def test_extremes_of_nothing_raise_as_in_numpy():
    text = srcad.source(srcad.grad(an_empty_maximum), W, X, stage="blocks")
    assert "_block" in text
    with pytest.raises(ValueError, match="zero-size array"):
        ran(None, text, (W[:0], X))


def carried(w, X):
    total = last = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        last = 0.5 * last + np.exp(z)
        total += last
    return total


def test_iterations_that_depend_on_each_other_stay_as_they_are():
    assert "block" not in srcad.source(srcad.value_and_grad(carried), w, X, stage="blocks")
