"""Array statements that reduce rows, as loops over rows: the same numbers as without them, whatever meets."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import interpreted
from tests.transforms.test_elementwise import as_compiled


def extremes(x):
    return np.sum(np.max(x * x, axis=1) * np.arange(x.shape[0])) + np.sum(np.min(np.abs(x), axis=1))


def both_axes(x):
    return np.sum(np.sum(x * x, axis=0) ** 2) + np.sum(np.mean(x, axis=1) ** 3)


def earlier_rows(x):
    """Each row is computed from the one before, which the statement before it has changed."""
    y = x * 1.0
    y[1:] = y[:-1] * np.sum(y[1:] * x[1:], axis=1)[:, None]
    return np.sum(np.sum(y * y, axis=1) ** 2)


def all_totals_in_each_row(x):
    r = np.sum(x * x, axis=1)
    s = np.sum(x * r[:, None], axis=0)
    return np.sum(np.sum(x * s, axis=1) ** 2)


def rows_beside_columns(x):
    """A vector with one element for each row, that is broadcast along the columns."""
    r = np.sum(x * x, axis=1)
    return np.sum(np.sum(x[:, :1] * r, axis=1) ** 2)


def in_place(x):
    p = np.exp(x)
    s = np.sum(p, axis=1)
    s *= 2.0
    s += x[:, 0]
    p /= s[:, None]
    p[:, 0] += 1.0
    return np.sum(np.log(np.sum(p * x, axis=1) ** 2 + 1.0))


def softmax(x):
    z = x - np.max(x, axis=1, keepdims=True)
    e = np.exp(z)
    p = e / np.sum(e, axis=1, keepdims=True)
    return np.sum(p[:, 0] * np.log(p[:, 1]))


def distances(x):
    return np.sum(np.sqrt(np.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=-1) + 0.1) ** 3)


def into_the_sum(x):
    """What is added up changes what is added."""
    v = x[0] * 1.0
    v += np.sum(x * v, axis=0)
    return np.sum(np.sum(x * v, axis=1) ** 2)


def bias(x):
    h = (x - x[0]) @ (x.T @ x)
    return np.sum(np.sum(np.tanh(h), axis=1) ** 2)


def kernel(x):
    k = np.exp(-0.5 * np.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=2))
    return np.sum((k @ x) ** 2)


def batch_norm(x):
    y = (x - np.mean(x, axis=0)) / np.sqrt(np.var(x, axis=0, ddof=1) + 0.1)
    return np.sum(np.maximum(y * x[0] + x[-1], 0.0) ** 2) + np.sum(np.var(x, axis=1) ** 2)


def layer_norm(x):
    mean = np.mean(x, axis=1, keepdims=True)
    variance = np.mean((x - mean) ** 2, axis=1, keepdims=True)
    return np.sum(np.tanh((x - mean) / np.sqrt(variance + 0.1) * x[0] + x[-1]))


def diagonal_mixture(x):
    z = (x[:, None, :] - x[:2]) * np.exp(-x[1:3])
    scores = x[0, 0] - 0.5 * np.sum(z**2, axis=2) - np.sum(x[1:3], axis=1)
    return np.sum(np.log(np.sum(np.exp(scores), axis=1)))


def means_that_change(x):
    """A mean of rows before and behind a write to them."""
    y = x * 1.0
    m = np.mean(y, axis=0)
    y[0] *= m
    return np.sum(np.mean(y, axis=0) ** 3 * np.var(y, axis=0, keepdims=True)) + np.sum((y - m) ** 2)


def sums_of_sums(x):
    """What is added up for each row is added to a column of one element, or to a row of one."""
    d = x[:, None, :] - np.sum(x, axis=1, keepdims=True)[:2]
    e = d * np.sum(x, axis=0, keepdims=True)
    return np.sum(np.sum(e * e, axis=1) ** 2)


FUNCTIONS = (batch_norm, layer_norm, diagonal_mixture, means_that_change, sums_of_sums, kernel, extremes, both_axes,
             earlier_rows, all_totals_in_each_row, rows_beside_columns, in_place, softmax,
             distances, into_the_sum, bias)  # fmt: skip
OF_SOME_ROWS = (into_the_sum, bias, batch_norm, layer_norm, diagonal_mixture, means_that_change, sums_of_sums)
DATA = np.random.default_rng(0).normal(size=(4, 3))
UNKNOWN = DATA.copy()
UNKNOWN[1, 2] = np.nan
CASES = {"plain": DATA, "nan": UNKNOWN, "ties": np.round(DATA), "one row": DATA[:1], "columns": np.asfortranarray(DATA),
         "some": np.hstack([DATA, DATA])[::2, ::2], "no rows": DATA[:0]}  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_loops_over_rows_compute_what_array_statements_do(fn):
    looped = as_compiled(fn, (0,))
    plain = srcad.value_and_grad(fn, target="python", optimize=False)
    with np.errstate(all="ignore"):
        for case, x in CASES.items():
            if x.shape[0] < 3 and fn in OF_SOME_ROWS:
                continue  # they ask for a first row, or for several
            value, (gradient,) = looped(x.copy())
            expected, slopes = plain(x.copy())
            np.testing.assert_allclose(value, expected, rtol=1e-11, err_msg=case)
            np.testing.assert_allclose(gradient, slopes, rtol=1e-10, atol=1e-12, err_msg=case)


def test_compiled_the_largest_of_a_row_is_unknown_where_an_element_is():
    for x in (DATA, UNKNOWN):
        plain = srcad.value_and_grad(extremes, target="python")(x)
        for found, expected in zip(srcad.value_and_grad(extremes)(x), plain):
            np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_blocks_find_the_largest_of_rows():
    source = srcad.source(srcad.value_and_grad(softmax), np.ones((3, 2)), stage="blocks")
    assert "# blocks of iterations" in source and "= np.maximum(" in source
    x = np.round(np.random.default_rng(1).normal(size=(70, 3)), 1)
    for found, expected in zip(srcad.value_and_grad(softmax)(x), srcad.value_and_grad(softmax, target="python")(x)):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def test_what_only_tells_a_shape_is_not_stored():
    source = srcad.source(srcad.value_and_grad(kernel), DATA)
    assert "power = np.empty" not in source and "np.zeros_like(power" not in source


def test_sums_of_a_cotangent_to_what_was_repeated_are_taken_in_the_loop_that_makes_it():
    for fn in (batch_norm, layer_norm, diagonal_mixture):
        assert "sum_to(" not in srcad.source(srcad.value_and_grad(fn), DATA)


def test_a_softmax_is_one_loop_over_rows():
    source = srcad.source(srcad.value_and_grad(softmax), DATA)
    assert source.count("in range(x.shape[0])") == 1
    assert "sum_to(" not in source and "_along" not in source


def nearest(centres, x):
    d = np.sum((x[:, None, :] - centres[None, :, :]) ** 2, axis=2)
    return np.sum(np.min(d, axis=1))


def test_distances_fill_no_array_of_triples():
    source = srcad.source(srcad.value_and_grad(nearest), DATA, DATA)
    assert "np.empty((x.shape[0], " not in source and "np.empty((x.shape[0], centres" not in source
    assert source.count("in range(x.shape[0])") == 1


def between(x):
    inside = (x > 0.25) & (np.sum(x * x, 1)[:, None] < 4.0) | np.isnan(x)
    return np.sum(np.sum(np.where(inside, x * x, 3.0 * x), -1) ** 2)


def test_an_axis_may_stand_behind_the_array_and_tests_may_be_joined():
    text = srcad.source(srcad.value_and_grad(between), DATA)
    assert text.count("in range(x.shape[0])") == 1 and "_along" not in text
    plain = srcad.grad(between, target="python", optimize=False)(DATA)
    np.testing.assert_allclose(as_compiled(between, (0,))(DATA)[1][0], plain, rtol=1e-12)


def attraction(x, mass, width):
    """Both sides of each pair move, and a number gets its part of each row's sum."""
    d = x[:, None, :] - x[None, :, :]
    r = np.sqrt((d**2).sum(-1) / width + 0.5)
    return -np.sum(mass[:, None] * mass[None, :] / r) + np.sum((np.exp(-r) @ mass) ** 2)


def potential(x):
    d = x[:, None, :] - x[None, :, :]
    return np.sum(1.0 / np.sqrt((d**2).sum(-1) + 0.5))


def lennard_jones(x):
    squares = ((x[:, None, :] - x[None, :, :]) ** 2).sum(-1) + np.eye(x.shape[0])
    s = 1.0 / squares**3
    return 2.0 * np.sum(s * s - s)


def test_both_sides_of_pairs_get_their_cotangents_in_one_loop():
    text = srcad.source(srcad.value_and_grad(potential), DATA)
    assert "np.empty((" not in text and text.count("in range(x.shape[0])") == 2  # rows, and pairs
    mass = np.linspace(0.5, 2.0, len(DATA))
    assert " = np.eye(" not in srcad.source(srcad.value_and_grad(lennard_jones), DATA)
    for fn, arguments in ((potential, (DATA,)), (lennard_jones, (DATA,)), (attraction, (DATA, mass, 1.5))):
        wrt = tuple(range(len(arguments)))
        value, bars = as_compiled(fn, wrt)(*arguments)
        assert value == pytest.approx(fn(*arguments), rel=1e-12)
        plain = srcad.grad(fn, wrt=wrt, target="python", optimize=False)(*arguments)
        for bar, expected in zip(bars, plain):
            np.testing.assert_allclose(bar, expected, rtol=1e-11, atol=1e-13)


def charges_of_positions(x):
    """All of a computed vector is needed in each row: the pairs are better computed behind it."""
    m = 1 + x[:, 0] ** 2
    r = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 0.1)
    return np.sum(m[:, None] * m[None] / r)


def charges_behind_distances(x):
    r = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 0.1)
    m = np.exp(x[:, 0]) + x[:, 1]
    return (m[:, None] * m / r).sum() + np.sum(np.sum(r * m, axis=1) * m**2)


def charges_overwritten(x):
    """The vector changes between two sums over pairs."""
    m = x[:, 0] * 1.0
    r = np.sqrt(((x[:, None] - x[None]) ** 2).sum(-1) + 0.1)
    s = np.sum(m[:, None] * m / r)
    m *= x[:, 1]
    return s * np.sum(m[:, None] * m * r)


@pytest.mark.parametrize("fn", [charges_of_positions, charges_behind_distances, charges_overwritten])
def test_pairs_are_computed_behind_vectors_of_which_each_row_needs_all(fn):
    text = srcad.source(srcad.value_and_grad(fn), DATA)
    assert "np.empty((" not in text or fn is not charges_of_positions
    for x in (DATA, DATA[:1], DATA[:0], np.asfortranarray(DATA), np.hstack([DATA, DATA])[::2, ::2]):
        value, (bar,) = as_compiled(fn, (0,))(x.copy())
        assert value == pytest.approx(fn(x), rel=1e-12)
        plain = srcad.grad(fn, target="python", optimize=False)(x)
        np.testing.assert_allclose(bar, plain, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("count", [0, 1, 2])
def test_few_pairs(count):
    x, mass = DATA[:count], np.ones(count)
    plain = srcad.grad(attraction, wrt=(0, 1, 2), target="python", optimize=False)(x, mass, 1.5)
    for bar, expected in zip(srcad.grad(attraction, wrt=(0, 1, 2), target="python")(x, mass, 1.5), plain):
        np.testing.assert_allclose(bar, expected, rtol=1e-11, atol=1e-13)


def shifted(b, x, w):
    return np.sum(np.sum(((x - b) @ w) ** 2, axis=1) ** 2)


def test_rows_are_summed_before_they_are_multiplied():
    arguments = DATA[0], DATA, DATA[:3]
    source = srcad.source(srcad.value_and_grad(shifted), *arguments)
    lines = [line for line in source.splitlines() if "#" not in line]
    assert "".join(lines).count("@") == 2  # the product itself, and a vector times a matrix
    strict = srcad.source(srcad.value_and_grad(shifted, fastmath=False), *arguments)
    assert "sum_to" in strict or strict.count("for ") > source.count("for ")
    _, (slopes,) = as_compiled(shifted, (0,))(*arguments)
    np.testing.assert_allclose(slopes, srcad.grad(shifted, target="python")(*arguments), rtol=1e-11)


def surfer(links, damping):
    links = links / np.sum(links, axis=0)
    steps = damping * links
    v = np.ones(4) / 4
    for _ in range(3):
        v = steps @ v + (1.0 - damping) / 4
    return np.sum(v * v)


def test_a_row_is_summed_up_before_it_is_added_to_a_number():
    links = np.abs(np.hstack([DATA, DATA[:, :1] + 2.0]))
    _, gradients = as_compiled(surfer, (0, 1))(links, 0.3)
    for gradient, expected in zip(gradients, srcad.grad(surfer, wrt=(0, 1), target="python")(links, 0.3)):
        np.testing.assert_allclose(gradient, expected, rtol=1e-10, atol=1e-14)


def mirrored_and_weighed(X, W, b, c):
    X = c[:, None] * b
    c = np.sum(X * X, axis=1)
    parts = X / (1.0 + X**2)
    waves = np.sin(X + X[:, 1:2])
    parts *= parts.mean(-1, keepdims=True)
    mirrored = waves[:, ::-1]
    for _ in range(3):
        r = c @ mirrored
        mirrored = np.tanh(mirrored @ W)
    return np.sum(np.sin(c)) + np.sum(mirrored) - np.mean(np.log(np.sum(parts**2, axis=1) + 1.0)) + np.sum(0.0 * r)


def test_rows_that_another_statement_takes_backwards():
    rng = np.random.default_rng(0)
    args = tuple(rng.normal(size=size) for size in ((5, 4), (4, 4), 4, 5))
    options = {"wrt": (1, 2, 3)}
    value, gradients = interpreted(srcad.value_and_grad(mirrored_and_weighed, **options), args)
    expected, others = srcad.value_and_grad(mirrored_and_weighed, **options, target="python")(*args)
    assert value == pytest.approx(expected, rel=1e-12)
    for one, other in zip(gradients, others):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)
