"""Functions that srcad refuses; ``# <- word`` marks the line that is blamed, and the word under the caret."""

import math

import numpy as np

import srcad

COUNT = 0
REFUSED = []
RIGHT_OR_REFUSED = []


def refused(fn):
    REFUSED.append(fn)
    return fn


def right_or_refused(fn):
    """Not in the language yet: the right numbers are as good as a refusal."""
    RIGHT_OR_REFUSED.append(fn)
    return fn


@refused
def uses_try(x):
    y = x * 2
    try:  # <- try
        y = y * y
    except ValueError as error:
        y = x * len(error.args)
    return y


@refused
def uses_with(x):
    with open("nothing") as file:  # <- open
        y = x * len(file.read())
    return y


@refused
def errstate_that_raises(x):
    with np.errstate(divide="raise"):  # <- np.errstate
        return 1.0 / x


@refused
def match_on_a_dict(x):
    match x:
        case {"real": r}:  # <- {
            return r * x
    return x


@refused
def match_with_names_in_alternatives(x):
    match (x, 1.0):
        case (a, 2.0) | (2.0, a):  # <- (a
            return a * x
    return x


@refused
def uses_global(x):
    global COUNT  # <- global
    COUNT = COUNT + 1
    return x * COUNT


def counting():
    calls = 0

    @refused
    def uses_nonlocal(x):
        nonlocal calls  # <- nonlocal
        calls = calls + 1
        return x * calls

    return uses_nonlocal


counting()


@refused
def nonlocal_in_a_derivative(x):
    k = 1.0

    def inner(t):
        nonlocal k
        k = k + t
        return k * t

    return srcad.grad(inner)(x) * k  # <- inner


@refused
def uses_yield(x):
    yield x * 2  # <- yield


@refused
def uses_import(x):
    import math as m  # <- import

    m = m.sin(x)
    return m


@refused
def uses_class(x):
    class Point:  # <- class
        value = 1.0

    return x * Point.value


@refused
def recursion_that_never_ends(x):  # <- def
    return x * recursion_that_never_ends(x - 1.0)


@refused
def recursion_whose_result_is_changed(x):
    def last(a, k):
        return a if k == 0 else last(a, k - 1)

    a = np.full(3, x)
    b = last(a, 2)  # <-
    b[0] = 5.0
    return np.sum(a * x)


def even(x):
    return x if x < 1.0 else odd(x - 1.0)


def odd(x):
    return 2 * x if x < 1.0 else even(x - 1.0)


@refused
def uses_attribute_assignment(x):
    x.value = 3.0  # <-
    return x * 2


@refused
def returns_a_function(x):
    return lambda y: x * y  # <-


async def asynchronous(x):
    return x * 2


def helper_with_try(t):
    try:  # <- try
        return t * t
    except OverflowError as error:
        return float(len(error.args))


def calls_refused_helper(x):
    return helper_with_try(x) + x


def three_problems(x):
    class Local:  # <- class
        pass

    y = x * 2.0
    try:  # <- try
        y = y / x
    except ZeroDivisionError as error:
        y = y * len(error.args)
    with open("nothing"):  # <- with
        y = y * 3
    return y


@right_or_refused
def list_comprehension(x):
    squares = [x * i for i in range(4)]
    return squares[1] * squares[3]


@right_or_refused
def generator_expression(x):
    return sum(x**i for i in range(4))


@right_or_refused
def list_appended(x):
    values = []
    for i in range(4):
        values.append(x * i)
    return values[1] * values[3]


@right_or_refused
def dictionary(x):
    d = {"a": x, "b": x * 2}
    return d["a"] * d["b"]


@right_or_refused
def enumerate_and_zip(x):
    s = 0.0
    for i, (a, b) in enumerate(zip((x, 2 * x), (x, 3.0))):
        s += a * b * i
    return s


@right_or_refused
def loop_over_tuple(x):
    s = 1.0
    for factor in (x, 2.0, x * x):
        s *= factor
    return s


@right_or_refused
def walrus(x):
    if (y := x * 2) > 0.5:
        return y * y
    return y


@right_or_refused
def formatted_string(x):
    y = x * 2
    if y > 100:
        raise ValueError(f"too large: {y}")
    return y * y


@right_or_refused
def starred_unpacking(x):
    first, *rest = (x, x * 2, x * 3)
    return first * rest[1]


@right_or_refused
def starred_call(x):
    pair = (x, 2 * x)
    return math.atan2(*pair)


@right_or_refused
def complex_numbers(x):
    z = complex(x, 1.0)
    return (z * z).real


@right_or_refused
def deleted_name(x):
    y = x * 2
    z = y * y
    del y
    return z


@right_or_refused
def string_methods(x):
    kind = "Cube".lower()
    return x**3 if kind == "cube" else x


@right_or_refused
def mutual_recursion(x):
    return even(x + 2.0)


@right_or_refused
def inner_function_returned_and_called(x):
    def scaled(k):
        def inner(t):
            return k * t * t

        return inner

    return scaled(x)(3.0)


@right_or_refused
def getattr_and_isinstance(x):
    y = x * 2 if isinstance(x, float) else x
    return y * getattr(math, "pi")


@right_or_refused
def numpy_function_with_out(x):
    a = np.zeros(3)
    np.multiply(np.ones(3), x, out=a)
    return np.sum(a * a)


@right_or_refused
def ufunc_methods(x):
    a = np.full(3, x)
    return np.add.reduce(a) * np.multiply.reduce(a)


@right_or_refused
def array_literal(x):
    a = np.array([x, 2 * x, x * x])
    return np.sum(a * a)


@right_or_refused
def iterates_over_array(x):
    s = 0.0
    for v in np.full(3, x):
        s += v * v
    return s


@right_or_refused
def while_else(x):
    y = x
    while y < 3.0:
        y = y * 2
    else:
        y = y + x
    return y
