"""`debug` and `nan_check`: errors that name the user's line, on both targets."""

import inspect
import math
import pickle

import numpy as np
import pytest

import srcad
from tests.programs import CORE, PROGRAMS

TARGETS = ("python", "cpu")
ONES = np.ones(3)


def loop_too_long(x, n):
    s = 0.0
    for j in range(n):
        s += x[j] * x[j]  # <-
    return s


def negative_index(x, k):
    y = x * 2.0
    return y[-k]  # <-


def added(x, y):
    a = x * 2.0
    return np.sum(a + y)  # <-


def chosen(x, index):
    return np.sum(x[index])  # <-


def stored(x, i, j):
    Y = np.zeros((2, 3))
    Y[i, j] = x[0] ** 2  # <-
    return np.sum(Y)


def stored_slice(x, y):
    z = np.zeros(3)
    z[:] = x * y  # <-
    return z.sum()


def product(x, y):
    return np.dot(x, y)  # <-


def reshaped(x, n):
    y = x * 2.0
    z = y.reshape(n, 2)  # <-
    return np.sum(z)


def joined(x, y):
    return np.sum(np.concatenate((x, y), axis=1))  # <-


def searched(x):
    i = 0
    while x[i] > 0.5:  # <-
        i += 1
    return x[i - 1]


def masked(x, mask):
    y = x * 2.0
    return np.sum(y[mask])  # <-


def masked_columns(A, mask, k):
    A[k, mask] = 0.0  # <-
    return np.sum(A ** 2)


def behind_a_mask(A, mask, k):
    return np.sum(A[mask, k])  # <-


def unpacked(x):
    a, b = x  # <-
    return a * b


def of_no_name(x, k):
    return np.concatenate((x, x))[k]  # <-


FAILING = [
    (loop_too_long, (ONES, 4), IndexError, "index 3 is out of bounds for axis 0 of x, which has size 3"),
    (negative_index, (ONES, 4), IndexError, "index -4 is out of bounds for axis 0 of y, which has size 3"),
    (added, (ONES, np.ones(4)), ValueError, "shapes (3,) and (4,) do not broadcast together"),
    (chosen, (ONES, np.array([0, 5])), IndexError, "index 5 is out of bounds for axis 0 of x"),
    (stored, (ONES, 1, 3), IndexError, "index 3 is out of bounds for axis 1 of Y"),
    (stored_slice, (np.ones(4), np.ones(4)), ValueError, "shapes (3,) and (4,) do not broadcast together"),
    (product, (ONES, np.ones(4)), ValueError, "shapes (3,) and (4,) have no matrix product"),
    (reshaped, (np.ones(5), 2), ValueError, "cannot reshape"),
    (joined, (np.ones((2, 2)), np.ones((3, 2))), ValueError, "must match exactly"),
    (searched, (ONES,), IndexError, "index 3 is out of bounds"),
    (masked, (ONES, np.array([True, False])), IndexError, "axis 0 has size 3, that of the mask 2"),
    (masked_columns, (np.ones((2, 3)), np.ones(2, bool), 0), IndexError, "axis 1 has size 3, that of the mask 2"),
    (behind_a_mask, (np.ones((2, 3, 4)), np.ones((2, 3), bool), 4), IndexError, "out of bounds for axis 2 of A"),
    (unpacked, (ONES,), ValueError, "too many or too few values to unpack (expected 2)"),
    (of_no_name, (ONES, 6), IndexError, "index 6 is out of bounds for axis 0 of a value"),
]


def marked(fn) -> str:
    """What an error says of the marked line of a function."""
    lines, first = inspect.getsourcelines(fn)
    number, line = next((first + k, line) for k, line in enumerate(lines) if "# <-" in line)
    return f"line {number} of test_debug.py: {line.split('  # <-')[0].strip()}"


@pytest.mark.parametrize("f, args, error, message, transform, target", [
    pytest.param(*case, transform, target, id=f"{case[0].__name__}-{transform}-{target}",
                 marks=() if turn is None or place % 3 == turn else pytest.mark.slow)
    for place, case in enumerate(FAILING)
    for transform, target, turn in (("grad", "python", None), ("value_and_grad", "python", 0), ("grad", "cpu", 1))
])  # fmt: skip
def test_debug_names_the_line(f, args, error, message, transform, target):
    with pytest.raises(error) as caught:
        getattr(srcad, transform)(f, target=target, debug=True)(*args)
    assert message in str(caught.value)
    assert marked(f) in str(caught.value)


def poles(x):
    y = x - 1.0
    z = np.log(y)  # <-
    return np.sum(z * 2.0)


def roots(x):
    s = 0.0
    for i in range(len(x)):
        s += math.sqrt(x[i])  # <-
    return s


def steps(x):
    u = np.empty(3)
    for i in range(3):
        u[i] = x[i] ** 0.5  # <-
    return np.sum(u)


def overflow(x):
    y = x * 1e308
    w = y * y  # <-
    return np.sum(1.0 / w)


NOT_FINITE = [
    (poles, (ONES,), "z is infinite, in "), (poles, (ONES / 2,), "z is nan, in "),
    (roots, (np.array([1.0, 0.0]),), "the cotangent of x is infinite, in the derivative of "),
    (steps, (np.array([1.0, 0.0, 2.0]),), "the cotangent of x is infinite, in the derivative of "),
    (overflow, (ONES,), "w is infinite, in "),
]  # fmt: skip


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("f, args, message", NOT_FINITE, ids=[f.__name__ for f, *_ in NOT_FINITE])
def test_nan_check_names_the_line_and_the_variable(f, args, message, target):
    with pytest.raises(FloatingPointError) as caught:
        srcad.grad(f, target=target, nan_check=True)(*args)
    assert str(caught.value) == message + marked(f)
    assert np.shape(srcad.grad(f, target=target)(*args)) == np.shape(args[0])


@pytest.mark.parametrize("target", TARGETS)
def test_nan_check_of_arguments(target):
    with pytest.raises(FloatingPointError, match="the argument x is nan, passed to roots"):
        srcad.grad(roots, target=target, nan_check=True)(np.array([1.0, np.nan]))


def largest(x):
    best = -np.inf
    for i in range(len(x)):
        best = max(best, x[i])
    return best


@pytest.mark.parametrize("target", TARGETS)
def test_infinities_that_the_user_writes_are_no_error(target):
    found = srcad.grad(largest, target=target, nan_check=True)(np.array([1.0, 3.0, 2.0]))
    np.testing.assert_array_equal(found, [0.0, 1.0, 0.0])


def guarded(x, n):
    if n > 2:
        raise ValueError("n is too large")
    return x * n


@pytest.mark.parametrize("target", TARGETS)
def test_errors_of_the_users_own_stay_as_they_are(target):
    df = pickle.loads(pickle.dumps(srcad.grad(guarded, target=target, debug=True)))
    assert df(1.0, 2) == 2.0
    with pytest.raises(ValueError, match="^n is too large$"):
        df(1.0, 3)


@pytest.mark.parametrize("name", sorted(CORE)[::6])
@pytest.mark.parametrize("options", [{"debug": True}, {"nan_check": True}], ids=lambda o: next(iter(o)))
def test_checks_change_no_gradient(name, options):
    program = CORE[name]
    plain = srcad.grad(program.fn, wrt=program.wrt, target="python")(*program.example())
    found = srcad.grad(program.fn, wrt=program.wrt, target="python", **options)(*program.example())
    for one, other in zip(plain, found):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14) if one is not None else None


@pytest.mark.parametrize("name", ["always_return_in_loop", "return_first_iteration_dynamic"])
def test_loops_that_are_surely_left_pass_the_checks_of_the_compiler(name):
    program = PROGRAMS[name]
    assert srcad.grad(program.fn, target="python", debug=True)(*program.example()) == 2.4


def test_without_options_nothing_is_checked():
    assert "check" not in srcad.source(srcad.grad(loop_too_long, target="python"), ONES, 2)


# ---------------------------------------------------------------- tangents, recursion, functions, Python's own errors


def root(x):
    return np.sqrt(x)


def root_in_a_recursion(x, n):
    if n == 0:
        return np.sqrt(x)
    return root_in_a_recursion(x * 1.0, n - 1) * 2.0


def logarithm_in_a_recursion(x, n):
    if n == 0:
        return math.log(x)
    return logarithm_in_a_recursion(x - 1.0, n - 1) * x


@pytest.mark.parametrize("fn, args, what, line", [
    (root, (0.0,), "the tangent of the result is infinite", 1),
    (root_in_a_recursion, (0.0, 2), "is infinite", 2),
])  # fmt: skip
def test_tangents_are_watched(fn, args, what, line):
    number = fn.__code__.co_firstlineno + line
    for transform, given in ((srcad.jvp, {"tangents": 1.0}), (srcad.grad, {})):
        with pytest.raises(FloatingPointError, match=f"in the derivative of line {number} of") as caught:
            transform(fn, target="python", nan_check=True)(*args, **given)
        assert transform is srcad.grad or what in str(caught.value)


def out_of_a_recursion(x, n):
    if n == 0:
        return x[0]
    return x[n + 1] * out_of_a_recursion(x, n - 1)  # <-


def pole_in_a_recursion(x, n):
    if n == 0:
        return np.log(x)  # <-
    return pole_in_a_recursion(x - 1.0, n - 1) + x


def test_functions_that_call_themselves_are_checked():
    with pytest.raises(IndexError) as caught:
        srcad.grad(out_of_a_recursion, target="python", debug=True)(ONES, 2)
    assert "index 3 is out of bounds for axis 0 of x" in str(caught.value)
    assert marked(out_of_a_recursion) in str(caught.value)
    with pytest.raises(FloatingPointError) as caught:
        srcad.grad(pole_in_a_recursion, target="python", nan_check=True)(1.5, 2)
    assert "is nan, in " + marked(pole_in_a_recursion) in str(caught.value)


def test_errors_of_python_name_the_line():
    number = logarithm_in_a_recursion.__code__.co_firstlineno + 2
    for options in ({"debug": True}, {"nan_check": True}):
        with pytest.raises(ValueError, match=f"math domain error, in line {number} of"):
            srcad.grad(logarithm_in_a_recursion, target="python", **options)(1.0, 3)


@pytest.mark.parametrize("target", TARGETS)
def test_compiled_functions_are_watched(target):
    number = root.__code__.co_firstlineno + 1
    watched = srcad.function(root, target=target, nan_check=True)
    assert watched(4.0) == 2.0
    with pytest.raises(FloatingPointError, match="the argument x is nan, passed to root"):
        watched(np.nan)
    with pytest.raises(FloatingPointError, match=f"the result of sqrt is nan, in line {number} of"):
        watched(-1.0)


def slope_of_root(x):
    return srcad.gradients(np.sqrt(x), x)[0]  # <-


@pytest.mark.parametrize("target", TARGETS)
def test_derivatives_inside_functions_name_the_users_line(target):
    number = slope_of_root.__code__.co_firstlineno + 1
    with pytest.raises(FloatingPointError, match=f"line {number} of test_debug.py"):
        srcad.function(slope_of_root, target=target, nan_check=True)(0.0)


def test_derivatives_of_derivatives_name_the_users_line():
    number = root.__code__.co_firstlineno + 1
    second = srcad.grad(srcad.grad(root, target="python"), target="python", nan_check=True)
    with pytest.raises((FloatingPointError, ZeroDivisionError), match=f"line {number} of test_debug.py"):
        second(0.0)


def shifted_pole(x, k):
    return x[k] / (x[k] - 1.0)  # <-


def sums_of_poles(x):
    return sum(shifted_pole(x, k) for k in range(len(x)))


def test_what_other_functions_return_is_checked_in_their_line():
    number = shifted_pole.__code__.co_firstlineno + 1
    with pytest.raises(FloatingPointError, match=f"the result of / is infinite, in line {number} of"):
        srcad.grad(sums_of_poles, nan_check=True, target="python")(np.array([2.0, 1.0]))


def transposed_in_place(A):
    B = A.T
    B.flat[1] = A.flat[1] ** 2
    return A


@pytest.mark.parametrize("target", TARGETS)
def test_nan_check_of_arrays_in_the_order_of_fortran(target):
    A = np.arange(8.0).reshape(2, 2, 2) + 1.0
    expected = srcad.grad(transposed_in_place, target="python")(A.copy())
    np.testing.assert_array_equal(srcad.grad(transposed_in_place, target=target, nan_check=True)(A), expected)
