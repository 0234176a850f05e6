"""Every call of `cases`: values, dtypes and shapes as NumPy's, derivatives as finite differences say."""

import re
import sys
import warnings

import numpy as np
import pytest
from scipy import linalg, special

import srcad
from srcad import library
from srcad.differences import inner, like
from srcad.runtime.libraries import is_of_library
from srcad.testing import check_grads
from tests.library.cases import CASES, FIRST
from tests.library.written import arguments, function

def every(numbers):
    return pytest.mark.parametrize("number", numbers, ids=lambda n: f"{CASES[n][0]}-{CASES[n][1]}")


by_case = every(range(len(CASES)))


# SciPy's `t.mean`, `t.std` and `t.var` raise for single precision; its `cumulative_simpson` gives singles for two.
DOUBLE = (
    "stats.t.mean(", "stats.t.std(", "stats.t.var(", "integrate.cumulative_simpson(x[:2], axis=0)",
)  # fmt: skip

STEPS = {"stats.beta.median(w, w[0], x[0], w)": 1e-5}  # of differences, where the usual one is too long


def by_turns(turn, of, end=len(CASES)):
    """One call in so many, the others where there is time.

    Those from FIRST on show every argument of a function, in values and derivatives.
    """
    return every([n if n % of == turn and n < end else pytest.param(n, marks=pytest.mark.slow)
                  for n in range(len(CASES))])  # fmt: skip


PRECISION = {np.float64: 1e-12, np.float32: 2e-5}

# LSODA takes other steps than the method of Dormand and Prince: numbers agree as far as the tolerances say.
OF_STEPS = "integrate.odeint("


OLD = sys.version_info < (3, 11)  # CPython 3.10 has older versions of NumPy and SciPy: fewer calls, other dtypes


def expected_of(number, args):
    """What NumPy or SciPy gives; older versions refuse some calls that the latest ones take."""
    try:
        return function(number)(*args)
    except Exception as error:
        if not OLD:
            raise
        pytest.skip(f"this version refuses it: {error}")


def check_value(number, dtype, target):
    """The value that the derivative comes with is NumPy's."""
    args = arguments(number, dtype)
    expected = expected_of(number, args)
    moving = [i for i, arg in enumerate(args) if np.asarray(arg).dtype.kind in "fc"]
    value, gradients = srcad.value_and_grad(function(number), wrt=tuple(moving), target=target)(*args)
    check_same(value, expected, 1e-6 if CASES[number][0].startswith(OF_STEPS) else PRECISION[dtype])
    for position, gradient in zip(moving, gradients):
        if gradient is not None and isinstance(args[position], np.ndarray):
            assert gradient.dtype == args[position].dtype and gradient.shape == args[position].shape


def check_same(value, expected, precision):
    if isinstance(expected, (tuple, list)):
        assert len(value) == len(expected)
        for one, other in zip(value, expected):
            check_same(one, other, precision)
        return
    assert np.shape(value) == np.shape(expected)
    if np.ndim(expected):
        assert value.dtype == expected.dtype or OLD
    np.testing.assert_allclose(value, expected, rtol=precision, atol=precision)


@by_turns(0, 12)
def test_value(number):
    check_value(number, np.float64, "python")


@by_turns(2, 16, FIRST)
def test_value_in_single_precision(number):
    if CASES[number][0].startswith(DOUBLE):
        pytest.skip("doubles")
    check_value(number, np.float32, "python")


@by_turns(1, 8)
def test_derivative(number):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        step = STEPS.get(CASES[number][0])
        args = tuple(arguments(number))
        expected_of(number, args)
        check_grads(function(number), args, target="python", eps=step)


@pytest.mark.slow
@by_case
@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=["double", "single"])
def test_compiled(number, dtype):
    check_value(number, dtype, "cpu")
    if dtype is np.float64:
        check_grads(function(number), tuple(arguments(number)))


def moving(args) -> tuple[int, ...]:
    return tuple(i for i, arg in enumerate(args) if np.asarray(arg).dtype.kind in "fc")


@by_turns(0, 24, FIRST)
def test_forward(number):
    """The tangent along a direction is what the gradient says of it, as `test_derivative` finds for every call."""
    rng = np.random.default_rng(0)
    fn, args = function(number), arguments(number)
    wrt = moving(args)
    seed, directions = like(expected_of(number, arguments(number)), rng), tuple(like(args[i], rng) for i in wrt)
    gradients = srcad.grad(fn, wrt=wrt, target="python", unconnected_gradients="zero")(*arguments(number), grad_ys=seed)
    _, tangent = srcad.jvp(fn, wrt=wrt, target="python")(*arguments(number), tangents=directions)
    expected = sum(inner(gradient, direction) for gradient, direction in zip(gradients, directions))
    found = 0.0 if tangent is None else inner(seed, tangent)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@by_case
def test_second_derivative(number):
    """The derivative of the gradient, along a direction, against differences of the gradient."""
    if isinstance(function(number)(*arguments(number)), (tuple, list)):
        pytest.skip("several results")
    rng = np.random.default_rng(0)
    loss, args = function(number, "loss"), arguments(number)
    wrt = moving(args)
    directions = tuple(like(args[i], rng) for i in wrt)
    found = srcad.hvp(loss, wrt=wrt, target="python")(*arguments(number), tangents=directions)
    gradient = srcad.grad(loss, wrt=wrt, target="python", unconnected_gradients="zero")

    def at(step):
        values = arguments(number)
        for i, direction in zip(wrt, directions):
            values[i] = values[i] + step * direction
        return gradient(*values)

    for row, above, below in zip(found, at(1e-5), at(-1e-5)):
        np.testing.assert_allclose(0.0 if row is None else row, (above - below) / 2e-5, rtol=1e-4, atol=1e-4)


# ---------------------------------------------------------------- completeness


def test_every_function_of_the_library_has_a_call():
    library.load()
    text = "\n".join(expression for expression, _ in CASES)
    # Other libraries than NumPy are read once imported, by whichever test ran before; they have tests of their own.
    of_numpy = [p for p, entry in library.table.items() if not is_of_library(entry.fn.__module__)
                and not str(getattr(p, "__module__", "")).startswith("srcad")]  # fmt: skip
    names = {p if isinstance(p, str) else p.__name__ for p in of_numpy}
    called = set(re.findall(r"(\w+)\(", text))
    # What writes into its argument, or gives a list, stands in the corpus.
    written = {"sorted", "copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "apply_along_axis",
               "fsum", "dist", "takewhile", "dropwhile", "is_integer", "bit_length", "bit_count", "isclose",
               "remainder", "ulp", "power_modulo", "largest", "smallest", "absolute", "mean", "fmean", "pvariance",
               "variance", "pstdev", "stdev", "geometric_mean", "harmonic_mean", "bisect_left", "bisect_right",
               "fill", "heapify", "heappop", "heappush", "heappushpop", "heapreplace", "nlargest", "nsmallest",
               "deepcopy"}
    second_names = {"trapz", "amax", "amin", "row_stack", "histogram_bin_edges"}
    assert not names - called - written - second_names


def power_of_three(x, n):
    return x * pow(3, n, 7)


def test_negative_powers_modulo_are_refused():
    with pytest.raises(ValueError) as met:
        srcad.grad(power_of_three, target="python")(2.0, -1)
    assert str(met.value).startswith("pow() with a negative exponent and a third argument")


BEYOND = [
    ("sqrt", -1.0, "below zero"), ("log", -1.0, "below zero"), ("log2", -1.0, "below zero"),
    ("log10", -1.0, "below zero"), ("arccos", 2.0, "beyond one"), ("arcsin", -2.0, "beyond one"),
    ("arctanh", 2.0, "beyond one"),
]  # fmt: skip


@pytest.mark.parametrize("name, x, said", BEYOND)
def test_results_that_only_numpy_makes_complex(name, x, said):
    function = getattr(np.emath, name)

    def f(x):
        return np.sum(function(x))

    with pytest.raises(ValueError, match=rf"np.emath.{name} of a number {said} is complex: write np.{name}\(x \+ 0j\)"):
        srcad.grad(f, target="python")(np.array([0.5, x]))


def test_results_of_two_numbers_that_only_numpy_makes_complex():
    with pytest.raises(ValueError, match="np.emath.power of a number below zero is complex"):
        srcad.grad(lambda x: np.emath.power(x, 0.5), target="python")(-1.0)
    with pytest.raises(ValueError, match="np.emath.logn of a number below zero is complex"):
        srcad.grad(lambda x: np.emath.logn(2.0, x), target="python")(-1.0)


@pytest.mark.parametrize("x", [-1.0, 0.0])
def test_hankel_functions_are_of_positive_numbers(x):
    with pytest.raises(ValueError, match="Hankel's functions have a derivative for positive numbers here"):
        srcad.grad(lambda x: np.abs(special.hankel1(1.5, x)), target="python")(x)


def test_complex_numbers_that_numpy_makes_real():
    with pytest.raises(ValueError, match="complex numbers that are close to real ones: write np.real"):
        srcad.grad(lambda x: np.sum(np.real(np.real_if_close(x + 0j))), target="python")(np.ones(2))


def test_diagonals_are_of_squares():
    def f(x):
        return np.sum(x[np.diag_indices_from(x)])

    for target in ("python", "cpu"):
        with pytest.raises(ValueError, match="All dimensions of input must be of equal length"):
            srcad.grad(f, target=target)(np.ones((2, 3)))


def second_order_at_edges(x):
    return np.sum(np.gradient(x, edge_order=2))


def test_the_slope_at_an_edge_needs_neighbours():
    with pytest.raises(ValueError, match=re.escape("np.gradient needs edge_order + 1 elements along an axis")):
        srcad.grad(second_order_at_edges, target="python")(np.ones(2))


def test_toeplitz_and_circulant_matrices_that_do_not_fit():
    moved = srcad.grad(lambda x: np.sum(linalg.matmul_toeplitz((x, x[:2]), x)), target="python")
    message = "scipy.linalg.matmul_toeplitz: the row is not as long as what the matrix is multiplied with"
    with pytest.raises(ValueError, match=message):
        moved(np.arange(3.0))
    solved = srcad.grad(lambda c, b: np.sum(linalg.solve_circulant(c, b)), target="python")
    with pytest.raises(np.linalg.LinAlgError, match="nearly singular"):
        solved(np.ones(3), np.arange(3.0))


@pytest.mark.parametrize("target", ["python", pytest.param("cpu", marks=pytest.mark.slow)])
def test_equations_of_riccati_are_of_symmetric_matrices(target):
    """SciPy refuses the others, too, in words of its own."""
    one = np.eye(2)
    df = srcad.grad(lambda q: np.trace(linalg.solve_continuous_are(one, one, q, one)), target=target)
    with pytest.raises(ValueError, match="Riccati's equation: q and r have to be symmetric or Hermitian"):
        df(np.array([[1.0, 2.0], [0.0, 1.0]]))


def at_places(v, s, i):
    np.subtract.at(v, i, s)
    np.add.at(v, (np.array([2, 2]),), 3.0 * s)
    v[[1, 1]] += s
    return v * 2


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_a_function_without_its_derivative_adds_at_every_repeat(target):
    v, i = np.array([1.0, 2.0, 3.0]), np.array([0, 0, 1])
    expected = at_places(v.copy(), 0.5, i)
    np.testing.assert_array_equal(srcad.function(at_places, target=target)(v.copy(), 0.5, i), expected)


def put_in_flat(x, v):
    np.put_along_axis(x, np.array([0, 7, 5]), v, axis=None)
    return x * x


def test_elements_of_flat_arrays_are_put():
    x, v = np.arange(12.0).reshape(3, 4), np.array([0.5, 1.5, -1.0])
    check_grads(put_in_flat, (x, v), target="python")
    np.testing.assert_array_equal(srcad.function(put_in_flat, target="python")(x.copy(), v), put_in_flat(x.copy(), v))


def in_singles(x, y):
    covariances = np.cov(x, y, dtype=np.float32), np.corrcoef(x, dtype=np.float32)
    return *covariances, np.array([x, y], dtype=np.float32), np.full((2, 2, 3), y, np.float32)


def test_dtypes_that_are_asked_for():
    x, y = np.arange(6.0).reshape(2, 3) ** 2, np.ones((2, 3)) * np.array([0.5, 1.5, -1.0])
    check_same(srcad.function(in_singles, target="python")(x, y), in_singles(x, y), 1e-6)
    f = lambda x, y: np.sum(np.array([x, y], dtype=np.float32) ** 2 * np.ones(3))
    gradients = srcad.grad(f, wrt=(0, 1), target="python")(x, y)
    assert [g.dtype for g in gradients] == [np.float64, np.float64]
    np.testing.assert_allclose(gradients, (2.0 * x, 2.0 * y), rtol=1e-6)
