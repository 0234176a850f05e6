"""Matrices that innermost loops go down are kept by columns, where that is seen by nobody."""

import numpy as np
import pytest

from srcad import grad, source, value_and_grad
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def distances_on_a_sphere(p):
    """Rows of two numbers, read by constant subscripts in a loop over pairs."""
    total = 0.0
    for i in range(p.shape[0]):
        for j in range(i + 1, p.shape[0]):
            across = np.cos(p[i, 0]) * np.cos(p[j, 0]) * np.sin(p[j, 1] - p[i, 1]) ** 2
            a = np.sin((p[j, 0] - p[i, 0]) / 2) ** 2 + across
            total += np.arcsin(np.sqrt(0.5 + 0.4 * np.tanh(a)))
    return total


def orthogonalised(a):
    """A copy whose columns are changed in place, and the gradient that a loop nest begins."""
    n, m = a.shape
    q = a.copy()
    total = 0.0
    for k in range(m):
        r = 0.0
        for i in range(n):
            r += q[i, k] * q[i, k]
        r = np.sqrt(1.0 + r)
        total += np.log(r)
        for i in range(n):
            q[i, k] /= r
        for j in range(k + 1, m):
            d = 0.0
            for i in range(n):
                d += q[i, k] * q[i, j]
            for i in range(n):
                q[i, j] -= d * q[i, k]
    return total + np.sum(q[0, :] ** 3)


def projected(a):
    """Columns under names of their own and in expressions, of zeros that are filled column by column."""
    q = np.zeros_like(a)
    for j in range(a.shape[1]):
        v = a[:, j].copy()
        for i in range(j):
            v = v - np.dot(q[:, i], v) * q[:, i]
        q[:, j] = v / np.sqrt(1.0 + np.sum(v**2))
    first = q[0]
    return np.sum(q[-1] ** 2) * first[0] + np.sum(first**3)


def rows_of_pairs(a):
    """Rows of any width, of which a loop over pairs takes differences: blocks of pairs read them side by side."""
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(i):
            d = a[i] - a[j]
            total += np.exp(-d @ d)
        for j in range(i + 1, a.shape[0]):
            total += np.linalg.norm(a[i] - a[j])
    return total


def along_and_down(a):
    """What loops go through both ways stays, and so does what is used as a whole."""
    total = 0.0
    b = np.sin(a)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[1]):
                total += b[i, k] * a[i, j]
            for k in range(a.shape[0]):
                total += b[k, j] * a[i, j] ** 2
    return total + np.sum(b @ b.T)


def changed_in_place(a):
    """The caller's matrix that is written to stays as it is."""
    total = 0.0
    for k in range(a.shape[1]):
        for j in range(k):
            for i in range(a.shape[0]):
                a[i, k] += 0.1 * a[i, j] * a[i, k]
                total += a[i, k] ** 2
    return total


def steps_of_particles(p):
    """A state that is recorded, and what pulls on it: the copy, the record and its rows are turned together."""
    v = 0.1 * p
    p = p.copy()
    pull = np.zeros_like(p)
    for _ in range(3):
        for i in range(p.shape[0]):
            pull[i, 0] = pull[i, 1] = 0.0
            for j in range(p.shape[0]):
                if i != j:
                    x, y = p[j, 0] - p[i, 0], p[j, 1] - p[i, 1]
                    near = 1.0 / (0.5 + x * x + y * y)
                    pull[i, 0] += x * near
                    pull[i, 1] += y * near
        for i in range(p.shape[0]):
            for k in range(2):
                v[i, k] += 0.2 * pull[i, k]
                p[i, k] += 0.1 * v[i, k]
    return np.sum(p**3) + np.sum(v[:, 0])


def record_that_is_seen(p):
    """A record of the user's, of which whole rows are used, stays by rows, and so does what goes into it."""
    q, states, total = p.copy(), np.empty((3, *p.shape)), 0.0
    for t in range(3):
        states[t] = q
        for i in range(q.shape[0]):
            for j in range(q.shape[0]):
                total += np.sin(q[j, 0] - q[i, 1])
            q[i, 0] += 0.1 * q[i, 1]
    return total + np.sum(states[-1]) + states[0, 0, 1] ** 2


TURNED = [distances_on_a_sphere, orthogonalised, projected, rows_of_pairs, steps_of_particles]
PROGRAMS = [*TURNED, along_and_down, changed_in_place, record_that_is_seen]


def matrix(rows, columns):
    return np.random.default_rng(rows + 5 * columns).normal(size=(rows, columns))


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_equals_differences(fn):
    for rows, columns in ((4, 3), (1, 2)):
        x = matrix(rows, columns)
        expected = best_gradient(lambda y, fn=fn: fn(y.copy()), [x], 0)
        np.testing.assert_allclose(interpreted(grad(fn), (x.copy(),)), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("fn", TURNED, ids=lambda fn: fn.__name__)
def test_nothing_goes_down_rows(fn):
    text = source(grad(fn), matrix(4, 3), stage="blocks")
    lines = [line for line in text.splitlines() if "#" not in line]
    assert "_columns = " in text and not any(" q[" in line or "_bar[j, " in line for line in lines)


def test_the_callers_array_stays(x=matrix(4, 2)):
    before = x.copy()
    for layout in (np.ascontiguousarray, np.asfortranarray):
        interpreted(grad(orthogonalised), (given := layout(x),))
        np.testing.assert_array_equal(given, before)


def test_records_are_turned_with_what_they_record():
    text = source(grad(steps_of_particles), matrix(4, 2), stage="blocks")
    assert "p_tape_columns[" in text and "p_tape[" not in text
    assert "tape_columns" not in source(grad(record_that_is_seen), matrix(4, 2), stage="blocks")


def springs(p, edges):
    total = 0.0
    for _ in range(3):
        for e in range(edges.shape[0]):
            total += (p[edges[e, 0], 0] - p[edges[e, 1], 0]) ** 2 * p[e, 1]
    return total


def test_integers_stay_in_rows():
    text = source(grad(springs), matrix(4, 2), np.array([[0, 1], [1, 2], [2, 3]]), stage="blocks")
    assert "edges_columns" not in text


def weighted_distances(p, w):
    total = 0.0
    for i in range(p.shape[0]):
        for j in range(i):
            total += w * (p[i, 0] - p[j, 0]) ** 2 * p[j, 1]
    return total


def test_one_of_several_gradients_is_turned():
    made, (p, w) = value_and_grad(weighted_distances, wrt=(0, 1)), (matrix(4, 2), 0.7)
    assert "p_bar_columns[0, j]" in source(made, p, w, stage="blocks")
    _, gradients = interpreted(made, (p, w))
    for k, found in enumerate(gradients):
        np.testing.assert_allclose(found, best_gradient(weighted_distances, [p, w], k), rtol=1e-6)


def test_rows_of_memory_need_no_turning():
    assert "_columns" not in source(grad(along_and_down), matrix(4, 3), stage="blocks")
    text = source(grad(distances_on_a_sphere), np.asfortranarray(matrix(4, 3)), stage="blocks")
    assert "p_columns" not in text
