"""Array statements as loops: the same numbers as without, whatever overlaps, and errors where lengths do not agree."""

import copy

import numpy as np
import pytest

import srcad
from srcad.backends.python import PythonDerivative
from srcad.derivation import Derivation
from srcad.options import Options
from tests.forms_of_derivatives import interpreted
from tests.programs import PROGRAMS
from tests.reference import difference

# A selection of the programs, and those in which arrays overlap.
CHOSEN = sorted({*sorted(PROGRAMS)[::40], *(name for name in PROGRAMS if "overlap" in name or "in_place" in name)})


def as_compiled(fn, wrt):
    """The text that is made for the machine, interpreted."""
    wrt = (wrt,) if isinstance(wrt, (int, str)) else tuple(wrt)
    names = fn.__code__.co_varnames
    positions = tuple(names.index(each) if isinstance(each, str) else each for each in wrt)
    return PythonDerivative(Derivation(fn, Options("value_and_grad", wrt=positions, single=False)))


@pytest.mark.parametrize("name", CHOSEN)
def test_loops_compute_what_array_statements_do(name):
    program = PROGRAMS[name]
    one, other = program.example(), None
    other = copy.deepcopy(one)
    plain = srcad.value_and_grad(program.fn, wrt=tuple(program.wrt), target="python")(*one)
    loops = as_compiled(program.fn, program.wrt)(*other)
    assert_close(loops, plain)
    assert_close(tuple(other), tuple(one))


def assert_close(found, expected):
    if isinstance(expected, (tuple, list)):
        assert len(found) == len(expected)
        for a, b in zip(found, expected):
            assert_close(a, b)
    elif isinstance(expected, dict):
        assert_close([found[key] for key in expected], list(expected.values()))
    elif isinstance(expected, (float, complex, np.ndarray, np.floating)) and np.size(expected):
        assert difference(found, expected) < 1e-11


def chain(x):
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def test_a_chain_is_one_loop_that_fills_no_array_with_zeros():
    source = srcad.source(srcad.value_and_grad(chain), np.ones(5))
    assert source.count("for ") == 2  # and the docstring says for which types it is
    assert "np.zeros" not in source
    assert "**2" in source


@pytest.mark.parametrize("count", range(4))
def test_a_chain_of_few_elements(count):
    x = np.linspace(0.5, 1.5, count)
    value, gradient = as_compiled(chain, (0,))(x)
    expected, (slopes,) = srcad.value_and_grad(chain, wrt=(0,), target="python")(x)
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(gradient[0], slopes, rtol=1e-13)


def logistic(w, X, y):
    return np.mean(np.log1p(np.exp(-y * (X @ w))))


def test_what_is_multiplied_is_computed_in_the_loop_and_a_mean_needs_no_array():
    rng = np.random.default_rng(3)
    w, X, y = rng.normal(size=3), rng.normal(size=(5, 3)), np.sign(rng.normal(size=5))
    source = srcad.source(srcad.value_and_grad(logistic, wrt=(0, 2)), w, X, y)
    assert source.count("    for ") == 1 and "return sum_log1p_e / y.size" in source
    assert source.count("np.empty") == 2  # what X.T is multiplied by, and the cotangent of y
    value, slopes = as_compiled(logistic, (0, 2))(w, X, y)
    expected, gradients = srcad.value_and_grad(logistic, wrt=(0, 2), target="python")(w, X, y)
    assert value == pytest.approx(expected, rel=1e-13)
    assert_close(slopes, gradients)


def mean_of_what_is_rebound(x, W):
    e = np.exp(x)
    z = W.T @ (e * e)
    x = x[1:] * 2.0
    return np.mean(e) + np.mean(x * x) / x.size + np.sum(z * e.size)


def test_lengths_are_those_of_the_arrays_that_had_the_names():
    x, W = np.linspace(0.5, 1.5, 4), np.cos(np.arange(12.0)).reshape(4, 3)
    value, slopes = as_compiled(mean_of_what_is_rebound, (0, 1))(x, W)
    expected, gradients = srcad.value_and_grad(mean_of_what_is_rebound, wrt=(0, 1), target="python")(x, W)
    assert value == pytest.approx(expected, rel=1e-13)
    assert_close(slopes, gradients)


def distance(x, y):
    return np.sum((x - y) ** 2)


def test_lengths_that_differ_are_broadcast_or_refused():
    df = srcad.value_and_grad(distance, wrt=(0, 1))
    x, y = np.arange(3.0), np.array([2.0])
    for _ in range(2):
        value, (x_bar, y_bar) = df(x, x + 1.0)
        assert value == 3.0
        np.testing.assert_allclose(x_bar, -2.0 * np.ones(3))
        value, (x_bar, y_bar) = df(x, y)  # one element is repeated
        assert value == 5.0
        np.testing.assert_allclose(y_bar, [6.0])
    with pytest.raises(ValueError, match="broadcast"):
        df(x, np.ones(2))


def shifted(x):
    y = x * 2.0
    y[1:] = y[:-1] * x[1:]
    y[:-1] += y[1:] * 3.0
    y[::2] *= 2.0
    return np.sum(np.where(y > 0.0, np.log(np.abs(y) + 1.0), y * y[0]))


def test_statements_whose_sides_overlap():
    x = np.random.default_rng(3).normal(size=7)
    value, (gradient,) = as_compiled(shifted, (0,))(x)
    expected, (slopes,) = srcad.value_and_grad(shifted, wrt=(0,), target="python")(x)
    assert value == pytest.approx(expected, rel=1e-13)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-12)
    assert srcad.grad(shifted)(x) == pytest.approx(slopes, rel=1e-12)


def steps_of_slices(u, steps):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2 * u[1:-1] + u[:-2]) * u[1:-1]
    d = np.exp(u[3:]) * u[3:]
    return np.sum(u**2) + np.sum(d * d)


@pytest.mark.parametrize("count", range(5))
def test_arrays_that_are_shorter_than_slices_of_them(count):
    x = np.linspace(0.5, 1.5, count)
    value, (gradient,) = as_compiled(steps_of_slices, (0,))(x, 3)
    expected, (slopes,) = srcad.value_and_grad(steps_of_slices, target="python", wrt=(0,))(x, 3)
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(gradient, slopes, rtol=1e-12)


def rows_around(a, x, t):
    a[t] = a[t] * x
    b = a[t - 1] * x + a[t - 2]
    a[t] = a[t] * b
    a[t - 1] = a[t - 1] + a[t] * a[t - 2]
    return np.sum(a**2)


@pytest.mark.parametrize("count", [2, 3])
def test_rows_that_are_the_same_since_negative_numbers_count_from_the_end(count):
    a, x = np.linspace(0.5, 1.5, 4 * count).reshape(count, 4), np.linspace(-0.5, 1.0, 4)
    for t in range(2):
        value, gradients = as_compiled(rows_around, (0, 1))(a.copy(), x, t)
        plain = srcad.value_and_grad(rows_around, target="python", wrt=(0, 1), optimize=False)
        expected, slopes = plain(a.copy(), x, t)
        assert value == pytest.approx(expected)
        assert_close(gradients, slopes)


def losses_of_eigenvalues(x):
    return np.sum(np.array([1.0, 2.0, 0.5]) * np.square(np.linalg.eigvalsh(x)))


def test_an_array_and_its_transpose_are_not_read_in_the_loop_that_makes_it():
    """The second derivative of eigenvalues adds a matrix and its transpose, and multiplies the sum by the vectors."""
    rng = np.random.default_rng(0)
    x, moved = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    expected = srcad.hvp(losses_of_eigenvalues, target="python")(x, tangents=moved)
    text = srcad.source(srcad.hvp(losses_of_eigenvalues), x, moved)
    space: dict = {}
    exec(text, space)
    np.testing.assert_allclose(space["losses_of_eigenvalues_hvp"](x, moved), expected, rtol=1e-10, atol=1e-10)


def before_and_behind(x):
    y = x.copy()
    for k in range(1, len(y)):
        y[:k] *= y[k : k + 1]
        y[k:] += y[k - 1 : k] * 0.3
    return np.sum(y * y)


def cut_off(x):
    y = x.copy()
    for k in range(len(y)):
        y[k + 1 :] *= 1.1
        y[k + 2 : k + 4] += y[k]
    return np.sum(y * y)


def from_the_end(x):
    y = x.copy()
    for k in range(len(y)):
        y[k - 2 :] *= 1.1
        y[: k - 2] += 0.2 * y[k]
    return np.sum(y * y)


def down(x):
    y = x.copy()
    for k in range(len(y) - 1, 0, -1):
        y[:k] += 0.5 * y[k] * y[1 : k + 1]
        y[1 : k + 1] += 0.5 * y[k] * y[:k]
    return np.sum(y * y)


def one_index_for_several_loops(x):
    y = x.copy()
    n = len(y)
    for k in range(min(n - 1, 2)):
        y[k + 1 :] *= y[k]
    for k in range(3, n):
        y[k - 3 : k] += y[k]
    for k in range(n):
        y[k:] = y[k:] * y[: n - k]
    return np.sum(y * y)


def a_bound_that_moves(x):
    y = x.copy()
    n = len(y)
    m = 1
    for i in range(n):
        for j in range(m, n):
            y[j:] += 0.1 * y[i]
        m = n - i
        y[m:] *= 1.3
    return np.sum(y * y)


def in_one_branch(x):
    y = x.copy()
    n = len(y)
    for k in range(n):
        if k + 2 < n:
            y[k : k + 3] *= y[k + 1]
        else:
            y[k : k + 3] += y[k]
    return np.sum(y * y)


def views_of_views(x):
    y = x.copy()
    for k in range(len(y) - 1):
        v = y[k:]
        w = v[1:]
        w *= v[0]
        v[:-1] += 0.1 * w
    return np.sum(y * y)


def rows_of_a_transpose(x):
    A = np.outer(x, x) + np.cos(x)
    B = A.T
    for k in range(A.shape[0] - 1):
        A[k + 1 :, k] /= A[k, k] + 3.0
        A[k + 1 :, k + 1 :] -= B[k, k + 1 :, None] * B[k + 1 :, k]
    return np.sum(A * A)


def more_columns_than_rows(x):
    A = np.outer(x, np.ones(len(x) + 2)) + np.cos(np.arange(len(x) + 2.0))
    for k in range(A.shape[0] - 1):
        A[k + 1 :, k : k + 1] *= 0.3
        A[k + 1 :, k + 1 :] -= A[k + 1 :, k : k + 1] * A[k : k + 1, k + 1 :]
    return np.sum(A * A)


MOVING = (before_and_behind, cut_off, from_the_end, down, one_index_for_several_loops, a_bound_that_moves,
          in_one_branch, views_of_views, rows_of_a_transpose, more_columns_than_rows)  # fmt: skip


@pytest.mark.parametrize("fn", MOVING, ids=lambda fn: fn.__name__)
def test_slices_that_move_with_a_loop(fn):
    loops, plain = as_compiled(fn, 0), srcad.value_and_grad(fn, wrt=(0,), target="python")
    for n in (5, 2, 1, 0):
        x = np.linspace(0.5, 1.5, n)
        assert_close(loops(x), plain(x))


def test_slices_that_move_become_loops():
    def lu(A):
        A = A.copy()
        for k in range(A.shape[0] - 1):
            A[k + 1 :, k] /= A[k, k]
            A[k + 1 :, k + 1 :] -= np.outer(A[k + 1 :, k], A[k, k + 1 :])
        return np.sum(A)

    text = srcad.source(srcad.value_and_grad(lu), np.eye(3), stage="blocks")
    assert "A[i, i_1] -= A[i, k] * A[k, i_1]" in text
    assert " = A[k + 1:, k + 1:] + " not in text and "np.copy(A_bar" not in text


def test_columns_of_a_matrix_with_more_rows():
    """Of one with fewer columns than rows, nobody knows how long ``A[:, k:k + 1]`` is: another text has to be made."""
    def f(A):
        A = A.copy()
        for k in range(A.shape[0]):
            A[:, k : k + 1] *= A[k, 0]
        return np.sum(A)

    df = srcad.value_and_grad(f)
    plain = srcad.value_and_grad(f, target="python")
    for shape in ((3, 3), (3, 4), (4, 2)):
        A = np.linspace(0.5, 1.5, shape[0] * shape[1]).reshape(shape)
        assert_close(df(A), plain(A))


def branch_that_reads_an_element_twice(x, y, A, n):
    if A[n - 1, 1] > 99.0:
        A[-1, 2] = x[-2]
    else:
        x *= A[2, -2]
    y[-2] = np.sum(A[1:, 1])
    return np.sum(y) + np.sum(x)


def test_numbers_that_another_branch_reads_keep_their_name():
    wide = np.arange(50.0).reshape(5, 10)
    args = np.arange(5.0), np.ones(5), wide[:, ::2], 5
    made = srcad.value_and_grad(branch_that_reads_an_element_twice, wrt=(0, 1, 2))
    plain = srcad.value_and_grad(branch_that_reads_an_element_twice, wrt=(0, 1, 2), target="python", optimize=False)
    value, gradients = interpreted(made, _copies(args))
    expected, others = plain(*_copies(args))
    assert value == expected
    for one, other in zip(gradients, others):
        np.testing.assert_allclose(one, other, rtol=1e-14)


def _copies(args):
    x, y, A, n = args
    return x.copy(), y.copy(), np.repeat(A, 2, 1)[:, ::2], n
