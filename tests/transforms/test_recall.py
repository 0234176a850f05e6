"""What time loops record of their inner loops, and when they had better not."""

import numpy as np
import pytest

import srcad
from tests.programs import PROGRAMS

W = np.linspace(-0.5, 0.7, 6).reshape(2, 3)


def source(function, *args, **options):
    text = srcad.source(srcad.grad(function, target="python", **options), *args)
    return "\n".join(line for line in text.splitlines() if not line.strip().startswith("#"))


def cells(w, steps):
    h = np.ones_like(w)
    for t in range(steps):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                h[k, j] = np.tanh(h[k, j] * np.exp(-w[k, j] * h[k, j]))
    return np.sum(h)


def checkpointed(w, steps):
    h = np.ones_like(w)
    for t in srcad.checkpoint(range(steps), every=2):
        for k in range(w.shape[0]):
            for j in range(w.shape[1]):
                h[k, j] = np.tanh(h[k, j] * np.exp(-w[k, j] * h[k, j]))
    return np.sum(h)


def pairs(x, steps):
    for t in range(steps):
        f = np.zeros_like(x)
        for i in range(x.shape[0]):
            for j in range(x.shape[0]):
                f[i] += np.tanh(x[i] - x[j]) ** 2.5
        x = x + 0.1 * f
    return np.sum(x)


def neurons(w, steps):
    h = np.ones_like(w[0])
    for t in range(steps):
        new = np.zeros_like(h)
        for i in range(w.shape[0]):
            z = 0.0
            for j in range(w.shape[0]):
                z += w[i, j] * h[j]
            new[i] = np.tanh(z)
        h = new
    return np.sum(h)


def clusters(factors, means, x):
    scores = np.empty((x.shape[0], means.shape[0]))
    for c in range(means.shape[0]):
        L = np.zeros((x.shape[1], x.shape[1]))
        place = 0
        for a in range(x.shape[1]):
            for b in range(a, x.shape[1]):
                L[b, a] = factors[c, place]
                place += 1
        q = (x - means[c]) @ L.T
        scores[:, c] = np.sum(L * L) - 0.5 * np.sum(q * q, axis=1)
    return np.sum(np.exp(scores - np.max(scores)))


def clusters_one_after_the_other(factors, means, x):
    scores = np.zeros((x.shape[0], means.shape[0]))
    for c in range(1, means.shape[0]):
        L = np.zeros((x.shape[1], x.shape[1]))
        place = 0
        for a in range(x.shape[1]):
            for b in range(a, x.shape[1]):
                L[b, a] = factors[c, place]
                place += 1
        q = (x - means[c]) @ L.T
        scores[:, c] = np.sin(scores[:, c - 1]) - 0.5 * np.sum(q * q, axis=1)
    return np.sum(np.exp(scores - np.max(scores)))


CLUSTERS = np.ones((4, 3)), np.arange(8.0).reshape(4, 2) / 3, np.arange(6.0).reshape(3, 2)


@pytest.mark.parametrize("function", [clusters, clusters_one_after_the_other])
def test_products_of_matrices_are_what_they_are_without_passes(function):
    plain = srcad.grad(function, (0, 1, 2), target="python", optimize=False)(*CLUSTERS)
    for one, other in zip(srcad.grad(function, (0, 1, 2), target="python")(*CLUSTERS), plain):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)


def test_products_of_matrices_are_not_computed_again():
    text = source(clusters_one_after_the_other, *CLUSTERS)
    assert "q_tape[c - 1]" in text and "@ L.T" not in text.split("_bar = ")[1]


def test_iterations_that_remember_nothing_record_products_of_matrices_only():
    text = source(clusters, *CLUSTERS)
    assert "q_tape[c]" in text and "@ L.T" not in text.split("hit = ")[1]
    assert "L_tape" not in text


def nearest_clusters(factors, x):
    total, q = 0.0, np.empty(x.shape[1])
    scores = np.empty(factors.shape[0])
    for i in range(x.shape[0]):
        for c in range(factors.shape[0]):
            for a in range(x.shape[1]):
                q[a] = 0.0
                for b in range(a + 1):
                    q[a] += factors[c, a] * np.sin(factors[c, b] * x[i, b])
            scores[c] = 0.0
            for a in range(x.shape[1]):
                scores[c] -= q[a] * q[a]
        total += np.log(np.sum(np.exp(scores)))
    return total


def test_an_iteration_records_for_itself():
    factors, x = np.linspace(0.3, 1.7, 6).reshape(3, 2), np.linspace(-1.0, 0.9, 8).reshape(4, 2)
    text = source(nearest_clusters, factors, x)
    assert text.count("for i in") == 1 and "q_tape[c, a]" in text
    plain = srcad.grad(nearest_clusters, target="python", optimize=False)(factors, x)
    np.testing.assert_allclose(srcad.grad(nearest_clusters, target="python")(factors, x), plain, rtol=1e-12)
    df = srcad.grad(nearest_clusters)
    srcad.source(df, factors, x)
    np.testing.assert_allclose(df.maker.latest.function(factors, x), plain, rtol=1e-12)
    np.testing.assert_allclose(df.maker.latest.compiled.function(factors, x), plain, rtol=1e-12)


def test_the_reverse_runs_no_inner_loop_again():
    backward = source(cells, W, 3).split("h_bar = ")[1]
    assert backward.count("for k in") == 1
    assert "np.exp" not in backward and "np.tanh" not in backward
    assert "exp_tape[t, k, j]" in backward


def test_a_sum_over_inputs_is_not_summed_again():
    backward = source(neurons, np.eye(4), 3).split("h_bar = ")[1]
    assert "tanh" not in backward.replace("tanh_tape", "")


def test_pairs_take_no_memory_of_their_own():
    assert "tape[t, i, j]" not in source(pairs, W[0], 3)


def test_a_loop_that_shall_record_little_does_so():
    assert "exp_tape" not in source(checkpointed, W, 5)
    assert "exp_tape" not in source(cells, W, 5, max_tape="1KB")
    assert "exp_tape" not in source(cells, W, 5, optimize=False)


@pytest.mark.parametrize("name", [name for name, p in PROGRAMS.items() if p.fn.__module__ == "tests.corpus.recalled"])
def test_the_text_for_machine_code_gives_what_the_plain_one_gives(name):
    program = PROGRAMS[name]
    plain = srcad.value_and_grad(program.fn, wrt=program.wrt, target="python", optimize=False)(*program.example())
    df = srcad.value_and_grad(program.fn, wrt=program.wrt)
    srcad.source(df, *program.example())
    value, gradients = df.maker.latest.function(*program.example())
    assert value == pytest.approx(plain[0], rel=1e-13)
    for one, other in zip(gradients, plain[1]):
        np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13)


def network(W, steps):
    h = np.ones(W.shape[0])
    for t in range(steps):
        h = np.tanh(W @ h + 0.1 * t)
    return np.sum(h)


def network_that_changes_its_state(W, steps):
    h = np.ones(W.shape[0])
    for t in range(steps):
        h = np.tanh(W @ h + 0.1 * t)
        h[0] *= 0.5
    return np.sum(h)


def test_a_state_is_recorded_once():
    text = source(network, np.eye(2), 3)
    assert text.count("_tape = ") == 1 and "h_tape[t + 1]" in text
    assert "[t + 1]" not in source(network_that_changes_its_state, np.eye(2), 3)


@pytest.mark.parametrize("steps", [0, 1, 3])
@pytest.mark.parametrize("function", [network, network_that_changes_its_state])
def test_states_are_what_they_are_without_passes(function, steps):
    W = np.array([[0.2, -0.4], [0.3, 0.5]])
    plain = srcad.grad(function, target="python", optimize=False)(W, steps)
    np.testing.assert_allclose(srcad.grad(function, target="python")(W, steps), plain, rtol=1e-12, atol=1e-12)


def waves(a, w, t):
    total = 0.0
    for i in range(len(t)):
        signal = 0.0
        for k in range(len(a)):
            signal += a[k] * np.exp(np.sin(w[k] * t[i]))
        total += signal**2
    return total


def test_an_iteration_records_functions_of_its_elements():
    a, w, t = np.linspace(0.2, 1.1, 3), np.linspace(1.0, 2.0, 3), np.linspace(-1.0, 1.0, 5)
    text = source(waves, a, w, t)
    assert text.count("np.exp(") == text.count("np.sin(") == 1 and "exp_tape = np.empty(a.shape[0])" in text
    plain = srcad.grad(waves, (0, 1), target="python", optimize=False)(a, w, t)
    for one, other in zip(srcad.grad(waves, (0, 1), target="python")(a, w, t), plain):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_extremes_and_sums_of_rows_are_not_reduced_again():
    program = PROGRAMS["transport_in_logarithms"]
    lines = srcad.source(srcad.grad(program.fn), *program.example()).splitlines()
    text = "\n".join(line for line in lines if not line.strip().startswith("#"))
    back = text.split("for t in range(steps - 1, -1, -1):")[1]
    assert "np.max(" in text and "np.max(" not in back and "np.sum(np.exp" not in back


def test_what_is_stored_for_good_is_not_recorded():
    for name in ("gram_schmidt_by_loops_in_place", "modified_gram_schmidt_in_place"):
        found = srcad.explain(srcad.grad(PROGRAMS[name].fn), args=(np.ones((8, 3)),))
        assert found.bytes <= 8 * 3 * (1 + 2 + 8 + 2 * 8)


def one_after_the_other(w, s):
    for k in range(w.size):
        s = s * w[k] + np.sin(s)
    for k in range(w.size):
        s = s * w[k] + np.sin(s)
    for k in range(w.size):
        s = s * w[k] + np.sin(s)
    return s


def test_loops_without_loops_inside_are_not_looked_at(monkeypatch):
    looked_at = []
    monkeypatch.setattr("srcad.transforms.recall.Needs", lambda *args: looked_at.append(args))
    assert "s_tape" in source(one_after_the_other, np.ones(3), 1.0)
    assert not looked_at
