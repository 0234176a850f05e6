"""The language: helpers, closures, globals, lambdas, defaults, tuples, views of names."""

import functools
import math

import numba
import numpy as np

from tests.corpus import normal, program, uniform

SCALE = 1.7
TABLE = np.array([0.3, -0.2, 0.9, 0.4])
LAYERS = 3
SIZES = (2, 3)


def square(x):
    return x * x


def leaky(x, slope=0.1):
    """A helper with several returns."""
    if x > 0:
        return x
    return slope * x


def clamp_sum(x, limit):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2
        if s > limit:
            return limit * x[i]
    return s


def sine_and_cosine(x):
    return math.sin(x), math.cos(x)


def scale_in_place(a, factor):
    for i in range(len(a)):
        a[i] *= factor


def normalise(v):
    n = np.sqrt(np.sum(v * v))
    v /= n
    return n


def first_row(A):
    return A[0]


def polynomial(x, *, a=1.0, b=2.0):
    return a * x**2 + b * x


@numba.njit
def jitted_cube(x):
    return x * x * x


@program(0.6, tags="nojit")
def calls_helper(x):
    return square(x) * square(square(x) + 1)


@program(-0.6, tags="nojit")
def helper_with_several_returns(x):
    return leaky(x) * leaky(x + 2) + leaky(x, slope=0.3) + leaky(x, 0.2)


@program(normal(5), 1.0, tags="nojit")
def helper_that_returns_from_loop(x, limit):
    a = clamp_sum(x, limit)
    b = clamp_sum(x * 0.01, limit)
    return a * b


@program(0.6, tags="nojit")
def helper_returning_tuple(x):
    s, c = sine_and_cosine(x)
    pair = sine_and_cosine(s)
    return s * c + pair[0] * pair[1] ** 2


@program(normal(4), 0.6, tags="nojit")
def helper_that_mutates_local(x, t):
    a = x.copy()
    scale_in_place(a, t)
    b = a * x
    scale_in_place(a, a[1])
    return np.sum(a * b)


@program(normal(4), 0.6, tags="nojit inplace")
def helper_that_mutates_argument(x, t):
    scale_in_place(x, t)
    return np.sum(x**2)


@program(normal(3, 4), tags="nojit")
def helper_that_mutates_a_row(A):
    B = A.copy()
    total = 0.0
    for i in range(3):
        total += normalise(B[i])
    return total * np.sum(B**3)


@program(normal(3, 4), tags="nojit")
def helper_returning_a_view(A):
    B = A * A
    row = first_row(B)
    row[1] = 0.5
    return np.sum(B * A)


@program(0.6, tags="nojit")
def keyword_arguments(x):
    return polynomial(x) + polynomial(x, b=x) + polynomial(b=3.0, x=x * x, a=0.5)


@program(0.6, tags="nojit")
def calls_jitted_helper(x):
    return jitted_cube(x) + jitted_cube(2.0)


@program(0.6, 0.2, tags="nojit")
def helpers_with_same_local_names(x, s):
    i = leaky(x) * s
    s = clamp_sum(TABLE * x, 10.0) * i
    return s * i


@program(0.6, 4, tags="nojit")
def helper_in_loop_and_condition(x, n):
    y = x
    for _ in range(n):
        if square(y) > 0.5 and leaky(y - 0.1) > 0:
            y = y - square(y) * 0.3
        else:
            y = y + leaky(-y) if leaky(y) < 1 else y * 2
    return y


@program(0.6, tags="nojit")
def helper_in_while_test(x):
    y = x
    while square(y) < 5.0:
        y = y * 1.5 + square(x)
    return y


@program(0.6)
def reads_globals(x):
    return SCALE * x**2 + np.pi * math.e * x + LAYERS * x


@program(normal(4), tags="core")
def reads_global_array(x):
    s = 0.0
    for i in range(len(TABLE)):
        s += TABLE[i] * x[i] ** 2
    return s + np.sum(TABLE * x)


@program(normal(6))
def reads_global_tuple(x):
    A = x.reshape(SIZES)
    return np.sum(A[SIZES[0] - 1] * A[0]) * SIZES[1]


def make_closure(scale, weights):
    offset = 0.5

    def closure_over_numbers_and_arrays(x):
        y = scale * x + offset
        return np.sum(weights * y * y)

    return closure_over_numbers_and_arrays


program(normal(3))(make_closure(1.3, np.array([1.0, 2.0, -1.0])))


def make_composed(inner, outer):
    def closure_over_functions(x):
        return outer(inner(x)) * inner(2.0 * x)

    return closure_over_functions


program(0.7, tags="nojit")(make_composed(square, math.sin))


def make_nested(depth):
    def closure_with_inner_function(x, y):
        def inner(u, v=2.0):
            return u * v + depth * x

        a = inner(y)
        return inner(a, y) * a

    return closure_with_inner_function


program(0.7, 0.2, tags="nojit")(make_nested(3))


@program(0.7, 1.2, tags="nojit")
def inner_function_and_lambda(x, y):
    double = lambda t: 2 * t * x

    def f(u):
        v = double(u) + y
        return v * v

    return f(x) + f(y) * double(x)


@program(normal(4), tags="nojit")
def higher_order_helper(x):
    def total(f, values):
        s = 0.0
        for i in range(len(values)):
            s += f(values[i])
        return s

    return total(math.sin, x) * total(lambda t: t * t, x) + total(square, x)


third = functools.partial(leaky, slope=0.3)


@program(-0.7, tags="nojit may_refuse")
def calls_partial(x):
    return third(x) * x


@program(0.7)
def default_argument(x, n=3, scale=2.0):
    return scale * x**n


@program(0.7, 2, 0.4)
def default_argument_given(x, n=3, scale=2.0):
    return scale * x**n


@program(normal(4), 2)
def docstring_asserts_and_prints(x, n):
    """Has a docstring, checks its arguments, and may complain."""
    assert len(x) == 4, "four numbers"
    if n > 100:
        raise ValueError("n is too large")
    if n > 50:
        print("n is large")
    return np.sum(x**n)


@program(0.4, 1.2)
def tuples_packed_and_unpacked(x, y):
    p = (x * y, x + y)
    a, b = p
    (c, d), e = (a * b, b), p[0]
    q = (c, d, e)
    return q[0] * q[1] + q[2] ** 2


@program(0.4, 1.2)
def tuple_rebound_in_branch(x, y):
    if x < y:
        lo, hi = x, y
    else:
        lo, hi = y, x
    return hi**2 / (1 + lo)


@program(0.4, 1.2, 5, tags="core")
def tuple_carried_by_loop(x, y, n):
    state = (x, y)
    for _ in range(n):
        a, b = state
        state = (a * b, a + 0.5 * b)
    return state[0] + state[1]


@program(0.4)
def shadowed_names(x):
    sum = x * 2
    i = 3.0
    for i in range(3):
        sum += x * i
    abs = sum * i
    x = abs
    len = x * sum
    return len


@program(0.5, 2.0)
def names_like_generated_ones(x, x_bar):
    x_tape = x * x_bar
    t = x_tape + x
    s_bar = t * t
    grad_ys = s_bar * x
    np_ = grad_ys + t
    return np_ * x_bar


@program(normal(3), normal(3))
def name_changes_type(a, b):
    v = a * b
    v = np.sum(v)
    a = v * 2
    b = b * a
    return np.sum(b) * v


@program(normal(3, 4))
def shapes_unpacked(A):
    n, m = A.shape
    s = 0.0
    for i in range(n):
        s += A[i, m - 1 - i] ** 2 / (n * m)
    return s * A.ndim * A.size


@program(0.8)
def constants_only_in_branches(x):
    n = 3
    if n > 2:
        y = x
    else:
        y = x**2
    z = y if LAYERS == 3 else 0.0
    return z * y


@program(0.8, None)
def none_argument(x, offset):
    if offset is None:
        offset = 1.0
    return x * offset + x**2


@program(0.8, "cube")
def string_argument(x, kind):
    if kind == "cube":
        return x**3
    return x**2


@program(normal(4), tags="nojit")
def bool_arithmetic(x):
    s = 0.0
    for i in range(4):
        s += (x[i] > 0) * x[i] ** 2 + float(i % 2 == 0) * x[i]
    return s


@program(0.7, 3)
def conversions(x, n):
    y = float(n) * x
    k = int(2.7) + int(n)
    return float(x) ** k + y


@program(normal(4))
def stops_gradient_by_rounding(x):
    k = int(np.floor(x[0] * 3)) % 4
    return x[k] ** 2 + x[1]


@program(0.7, 0.3, wrt="y")
def with_respect_to_second(x, y):
    return x**2 * y**3


@program(normal(3), 0.3, normal(2), wrt="c x")
def with_respect_to_some(x, y, c):
    return np.sum(x**2) * y * np.sum(c**2)


@program(uniform(0.1, 0.9, 3), 0.3)
def long_expression(x, y):
    return (
        np.sum(
            np.sin(x) * y
            + np.cos(x * y)
            - np.exp(-x / (1.0 + y**2)),
        )
        + math.log(
            1.0 + y,
        )
    )  # fmt: skip
