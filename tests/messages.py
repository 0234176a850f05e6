"""Programs that are refused, for what is said about them: `tests/golden/messages.txt` shows it.

Parameters have values by their names, see `tests.language.VALUES` and below.
"""

# ruff: noqa
# fmt: off

from __future__ import annotations

import functools
import json
import math
import operator
import random

import numpy as np

import srcad
from tests.language import VALUES as COMMON

VALUES = {
    **COMMON, "t": (0.5, 1.5), "B": np.ones((2, 3, 4)), "C": np.ones((2, 2, 2, 2)), "D": np.ones((2, 2, 2, 2, 2)),
    "d": {"a": 0.5, "b": 2.0}, "s": [1.0, 2.0], "m": 2, "c": np.array([1.0 + 2.0j, 0.5j]), "P": np.ones((2, 5)),
    "integers": np.arange(4),
}


# ---------------------------------------------------------------- names and calls


def undefined_name(x): return x * undefned
def similar_name(x): return x * abss(x)
def no_attribute(x): return np.sinus(x)
def star_of_unknown(v): return math.atan2(*v)
def star_before_a_change(v):
    def area(a, b, c, d): return a * b - c * d
    def next_value(w):
        w[0] *= 2.0
        return w[1]
    return area(*v, next_value(v))
def star_before_a_rest(v):
    def area(a, b=2.0, *more):
        return a * b
    return area(*v)
def tuple_that_shrinks(v):
    t = (v[0], v[1], v[2])
    while len(t) > 1:
        t = t[1:]
    return t[0]
def shape_that_is_set(v):
    w = v * v
    w.shape = (1, 3)
    return np.sum(w)
def overlapping_copies_column_by_column(A, v):
    F = np.asfortranarray(A)
    for i in range(2):
        F[1:, -2] = F[-2, :-1]
        F[:, i] *= F[:, i]
    return np.sum(np.sin(F))
def double_star(x, d): return math.sqrt(**d)
def too_many(x): return helper(x, 1.0, 2.0, 3.0)
def too_few(x): return helper()
def unknown_keyword(x): return helper(x, factor=2.0)
def helper(t, scale=2.0): return t * scale
def no_value_yet(x):
    def inner(t): return t * later
    return inner(x)
    later = 2.0
def super_outside(x): return super().f(x)
def fails_subscript(x): return x * (1.0, 2.0)[5]
def range_of_nothing(x):
    for i in range(): x = x * 2.0
    return x
def reduce_nothing(x): return functools.reduce(operator.add, ())
def compiled_without_types(x): return np.fft.fft(x)
def random_numbers(x): return x * np.random.normal()
def derivative_without_rule(v): return np.fromiter(v, float)
def returns_nothing(x): x * 2.0
def returns_text(x): return "x"
def returns_function(x): return lambda t: t * x


# ---------------------------------------------------------------- statements


def attribute_of_constant(x):
    math.pi = x
    return x
def raise_alone(x):
    if x > 5.0: raise
    return x
def computed_format(x, n):
    if x > 5.0: raise ValueError(f"{x:{n}}")
    return x
def handler_reads_its_exception(x):
    try: y = 1.0 / x
    except ZeroDivisionError as error: y = float(str(error))
    return y
def lost_when_it_fails(x):
    y = 0.0
    try:
        y = x * x
        z = 1.0 / x
    except ZeroDivisionError: z = y
    return z
def lost_to_the_next_iteration(v):
    s, last = 0.0, 1.0
    for each in v:
        try:
            s += last
            last = s * each
            s += 1.0 / last
        except ZeroDivisionError: pass
    return s
def lost_in_an_expression(x):
    try: y = math.log((z := 2.0 * x))
    except ValueError: y = z
    return y
def lost_to_functions_around(x):
    best = x
    def inner(n):
        nonlocal best
        try:
            best = best * x
            return best / n
        except ZeroDivisionError: return x
    return inner(1) * inner(0) * best
SCALES = type("Scales", (), {"__scale": 2.0})
def tries_a_private_name(x):
    try: y = math.log(x) * SCALES.__scale
    except ValueError: y = x
    return y
def tries_to_store(x, v):
    try:
        v[0] = math.log(x)
        v[1] = math.sqrt(x)
    except ValueError: pass
    return v[0] * v[1]
def tries_a_function(x):
    inner = lambda y: math.log(y - x)
    try: y = inner(x)
    except ValueError: y = x
    return y
def tries_to_count(x):
    n = 0
    def inner(y):
        nonlocal n
        n += 1
        return math.log(y - x)
    try: y = inner(x)
    except ValueError: y = x
    return y * n
def tries_a_list(x):
    def inner(xs, n):
        try: y = xs[0] / n
        except ZeroDivisionError: y = x
        return y if n == 0 else inner(xs, n - 1) + y
    return inner([x, 2.0 * x], 3)
def tries_at_random(x):
    try: y = math.log(x + np.random.normal())
    except ValueError: y = x
    return y
def with_something(x):
    with open("a") as f: return x
def errstate_raises(x):
    with np.errstate(all="raise"): return 1.0 / x
def pattern_of_dict(d):
    match d:
        case {"a": a}: return a
    return 0.0
def statement_without_effect(v):
    v.tofile("v.bin")
    return v[0]
def deleted_element(v):
    del v[0]
    return v[0]
def loop_over_set(x):
    for i in {1, 2}: x = x * i
    return x
def loop_over_number(x):
    for i in x: x = x * i
    return x
def loop_over_floats(x):
    for i in range(0.0, x): x = x * i
    return x
def comprehension(x, n): return {x * i for i in range(n)}
def yield_(x): yield x
async def asynchronous(x): return x
def awaits(x):
    async def inner(): await x
    return x


# ---------------------------------------------------------------- indices


def index_of_number(x): return x[0]
def index_float(v, x): return v[x]
def index_float_array(v, w): return v[w]
def index_text(v): return v["a"]
def index_truth(v, flag): return v[flag]
def indices_too_many(v): return v[0, 0]
def indices_ellipses(B): return np.sum(B[..., 0, ...])
def slice_float(v, x): return np.sum(v[:x])
def index_tuple_far(t): return t[5]
def key_missing(d): return d["z"]
def field_missing(point): return point.z
def store_in_number(x):
    x[0] = 1.0
    return x
def store_in_tuple(t):
    t[0] = 1.0
    return t[0]
def store_rank(v, A):
    v[0] = A
    return v[0]
def store_complex(v, c):
    v[0] = c[0]
    return v[0]
def store_text(v):
    v[0] = "a"
    return v[0]
def augmented_dtype(integers, v):
    integers += v
    return np.sum(integers)
def augmented_rank(v, A):
    v += A
    return np.sum(v)
def ufunc_at(v, index):
    a = v[:, None] * v
    np.arctan2.at(a, (slice(None), index), 2.0)
    return np.sum(a)
def ufunc_at_integers(integers, v):
    np.add.at(integers, [0, 0], v[0])
    return np.sum(integers)


def dict_to_text(x): return x * len(json.dumps({"a": 1.0}))


# ---------------------------------------------------------------- types


def truth_of_array(v): return v[0] if v else v[1]
def not_array(v): return not v
def and_arrays(v, w): return np.sum(v and w)
def is_value(x): return x if x is 2.0 else 1.0
def in_array(x, v): return x if x in v else 1.0
def tuple_plus(t): return t * 0.5
def tuple_order(x): return x if (x, 1.0) < 2.0 else 0.5
def shuffled_list(v):
    order = [0, 1, 2]
    random.shuffle(order)
    return v[order[0]]
def text_that_grows(v):
    path = ""
    for x in v: path += "u" if x > 0.0 else "d"
    return v[0] * path.count("u")
def text_plus(x): return "a" + x
def text_times(x): return "a" * x
def len_of_number(x): return len(x)
def dict_plus(d): return d + 1.0
def none_plus(nothing, x): return nothing + x
def two_types(x, v):
    y = x
    if x > 0.0: y = v
    return y
def two_ranks(v, A, x):
    y = v
    if x > 0.0: y = A
    return y
def two_lengths(t, x):
    y = t
    if x > 0.0: y = (x, x, x)
    return y[0]
def sum_of_number(x): return sum(x)
def round_array(v): return round(v)
def float_of_array(v): return float(v)
def complex_of_array(v): return complex(v, 1.0)
def math_of_array(v): return math.sin(v)
def math_of_complex(c): return math.sin(c[0])
def min_of_arrays(v, w): return np.sum(min(v, w))
def complex_mod(c): return np.sum(c % 2.0)
def length_float(x): return np.sum(np.zeros(x) + x)
def attribute_unknown(v): return v.nothing
def method_unknown(v): return v.nothing()
def method_alone(v): return v.sum
def attribute_of_tuple(t): return t.shape
def method_of_tuple(t): return t.sum()
def no_dtype(v): return np.sum(v.astype("floaty"))
def axis_far(v): return np.sum(v, axis=3)
# ---------------------------------------------------------------- NumPy


def out_argument(v): return np.fft.fft(v, out=v)
def wrong_keyword(v): return np.sum(np.sin(v, factor=2.0))
def wrong_count(v): return np.sin(v, v, v, v)
def transpose_axes(A): return np.sum(np.transpose(A, (0, 0)))
def reshape_two(A): return np.sum(A.reshape(-1, -1))
def imported_twice(x):
    if x > 0.0:
        import math as m
    else:
        import cmath as m
    return m.sin(x)
def imported_in_vain(x):
    from math import nothing
    return nothing(x)
def squeeze(A):
    while np.sum(np.squeeze(A)) > 100.0:
        A = A * 0.5
    return np.sum(A)
def concatenate_ranks(v, A): return np.sum(np.concatenate((v, A)))
def concatenate_array(v): return np.sum(np.concatenate(v))
def stack_ranks(v, A): return np.sum(np.stack((v, A)))
def rows_of_ranks(v, x): return np.sum(np.array([v, x]))
def matmul_number(A, x): return np.sum(A @ x)
def diag_rank(B): return np.sum(np.diag(B))
def inverse_of_vector(v): return np.sum(np.linalg.inv(v))
def sum_tuple(v, w): return np.sum(np.sum((v, w)))
def gradient_axes(C): return np.sum(np.gradient(C)[0])
def pad_axes(D): return np.sum(np.pad(D[None], 1, mode="edge"))
def pad_with_means(D): return np.sum(np.pad(D, 1, mode="mean"))
def max_where(v): return np.max(v, where=v > 0.0)
def kron_axes(C): return np.sum(np.kron(C[None], C))
def ix_of_matrix(A): return np.sum(A[np.ix_(A, A)])


# ---------------------------------------------------------------- objects, functions as values, lists and dicts


class Spring:
    limit = 3.0
    def __init__(self, k): self.k = k
    def energy(self, x): return self.k * x * x
    @property
    def double(self): return 2.0 * self.k


SPRING = Spring(2.0)


def attribute_missing(x): return Spring(x).mass
def method_missing(x): return Spring(x).potential(x)
def made_without(x): return Spring().energy(x)
def made_with_too_many(x): return Spring(x, x, x).energy(x)
def operator_missing(x): return (Spring(x) + Spring(x)).k
def property_assigned(x):
    spring = Spring(x)
    spring.double = x
    return spring.k
def global_class_assigned(x):
    Spring.k = x
    return SPRING.energy(x)
def len_of_object(x): return x * len(Spring(x))
def reduce_range(x, n): return functools.reduce(lambda a, i: a * x, range(n))
def keywords_unknown(x, n): return helper(x, **{"scale": 2.0, "factor": 1.0})
def names_behind_stars(x, d): return helper(x, **d)
def recursion_of_functions(x, n):
    def make(k): return (lambda t: t * x) if k == 0 else make(k - 1)
    return make(n)(x)
def endless(x): return endless(x) * 2.0
def list_of_ranks(x, v):
    values = [x]
    for i in range(3): values.append(v)
    return values[0]
def rows_of_tuples_with_arrays(x, v, n):
    rows = [[(x * i, v) for i in range(n)], [(x + i, v) for i in range(n)]]
    return rows[1][0][0]
def list_attribute(x, n):
    values = []
    for i in range(n): values.append(x * i)
    return values.length
def dict_key_unknown(x, n):
    table = {"a": x}
    table[n] = x
    return table["a"]
def pattern_alternatives(x, t):
    match t:
        case (a, 1.0) | (1.0, a): return a * x
    return x
def pattern_class(x):
    match x:
        case Spring(k): return k
    return x
def closure_array_of_text(x): return np.sum(np.array(["a"]) * x)
def range_of_float(x): return len(range(x)) * x
def subscript_of_flat(A): return A.flat[0][0]
def float_text(x): return float("half") * x
def attribute_of_array_by_name(x): return x * getattr(x, "scale", 2.0)
def isinstance_of_unknown(x): return x if isinstance(x, Unknown) else 2.0 * x


# ---------------------------------------------------------------- memory


def two_names(v, n):
    a = before = v * 2.0
    for i in range(n):
        if v[i] > 0.0:
            before = a
            a = a.copy()
        a[i] *= v[0]
    return a[0] + before[0]
def shared_by_a_branch(v, n):
    xs = [v[0], v[1]]
    ys = xs if n > 2 else [v[1], v[2]]
    ys[0] = v[3]
    return xs[0] * ys[1]
def changed_in_a_list(v):
    rows = []
    for i in range(3):
        rows.append((v[i], v[0]))
    rows[1][0] = v[3]
    return rows[1][0]
def given_to_a_list(v):
    rows = []
    a = v * 2.0
    for i in range(3):
        rows.append(a)
    rows[1][0] = v[3]
    return rows[2][0]
def never_filled(v):
    xs = []
    for i in range(3):
        xs.append(xs[-1] * v[i])
    return xs[0]
TABLE = np.ones(4)
def table(v):
    TABLE[0] = v[0]
    return np.sum(TABLE)
def table_handed_on(v):
    a = TABLE
    a[0] = v[0]
    return np.sum(a)
def ravelled(A):
    a = A.copy()
    for _ in range(2):
        a = a.T
        b = a.ravel()
        b[0] = a[0, 1]
    return np.sum(a * a)


# ---------------------------------------------------------------- wrong use of the functions of srcad


HELPERS = {"helper", "square", "product", "nothing_to_differentiate", "seeded", "packed", "named"}


def square(x): return x * x
def product(x, y): return x * y
def _by_element(x, y): return x[0] * y[0]
def _by_sum(x, y): return x[0] * y.sum()
def seeded(x, grad_ys): return x * grad_ys
def packed(*x): return x[0]
def named(**x): return x["a"]
def nothing_to_differentiate(): return 3.0


class Object:
    def method(self, x): return x * x
    def __call__(self, x): return x * x


def _grad(*args, **kwargs): return srcad.grad(*args, target="python", **kwargs)
def _matrix(): return np.asmatrix(np.ones((1, 1)))


_prompt: dict = {}
exec("def hidden(x): return x * x", _prompt)

USES = {
    "wrt of another name": lambda: _grad(product, wrt="z"),
    "wrt of another name among several": lambda: _grad(product, wrt=("x", "z")),
    "wrt of a position that is not there": lambda: _grad(product, wrt=2),
    "wrt of a function without parameters": lambda: _grad(nothing_to_differentiate),
    "wrt of a set": lambda: _grad(product, wrt={"x"}),
    "wrt of a float": lambda: _grad(product, wrt=1.0),
    "what a function returns": lambda: _grad(square(3.0)),
    "a name": lambda: _grad("square"),
    "a class": lambda: _grad(Object),
    "a builtin": lambda: _grad(open)("x"),
    "a ufunc without arguments": lambda: _grad(np.sin)(),
    "an argument of a library's function twice": lambda: _grad(np.sum)(np.ones(2), a=np.ones(2)),
    "a function from a prompt": lambda: _grad(_prompt["hidden"])(1.0),
    "parameters packed": lambda: srcad.function(packed),
    "parameters packed by name": lambda: srcad.function(named),
    "source of what was not called": lambda: _grad(np.cos).source(),
    "a parameter called grad_ys": lambda: _grad(seeded),
    "an unknown option": lambda: _grad(square, order=2),
    "another target": lambda: srcad.grad(square, target="gpu"),
    "other unconnected gradients": lambda: _grad(square, unconnected_gradients=None),
    "another fastmath": lambda: _grad(square, fastmath="fast"),
    "fastmath as a number": lambda: _grad(square, fastmath=3),
    "stop_gradients that are no names": lambda: _grad(square, stop_gradients=3),
    "stop_gradients of another name": lambda: _grad(square, stop_gradients="y")(1.0),
    "has_aux without aux": lambda: _grad(square, has_aux=True)(1.0),
    "too few arguments": lambda: _grad(product)(1.0),
    "too many arguments": lambda: _grad(square)(1.0, 2.0, None, 3.0),
    "an unknown argument": lambda: _grad(square)(1.0, y=2.0),
    "an object": lambda: _grad(square)(object()),
    "lengths that do not fit": lambda: srcad.runtime.place_sums.sum_by_places(np.ones(2), (3,)),
    "None that is subscripted": lambda: _grad(_by_element, wrt="x")(np.ones(3), None),
    "None whose method is called": lambda: _grad(_by_sum, wrt="x")(np.ones(3), None),
    "an array of objects": lambda: _grad(square)(np.array([None])),
    "half precision": lambda: _grad(square)(np.ones(2, np.float16)),
    "a matrix": lambda: _grad(square)(_matrix()),
    "a masked array": lambda: _grad(square)(np.ma.array([1.0])),
    "another order of bytes": lambda: _grad(square)(np.ones(2, ">f8")),
    "a seed of another shape": lambda: _grad(square)(np.ones(3), grad_ys=np.ones(4)),
    "a seed of another rank": lambda: _grad(square)(np.ones(3), grad_ys=np.ones((3, 1))),
    "a seed that is a tuple": lambda: _grad(square)(1.0, grad_ys=(1.0,)),
    "a seed that is a text": lambda: _grad(square)(1.0, grad_ys="one"),
    "a complex seed": lambda: _grad(square)(1.0, grad_ys=1j),
    "source of a function": lambda: srcad.source(square),
    "source of nothing yet": lambda: srcad.source(_grad(square)),
    "source at another stage": lambda: srcad.source(_grad(square), 1.0, stage="nothing")[:0],
    "source for a wrong type": lambda: srcad.source(_grad(square), "float65"),
    "source for another wrong type": lambda: srcad.source(_grad(square), list),
    "source for an array of what": lambda: srcad.source(_grad(square), np.ndarray),
    "source for too few types": lambda: srcad.source(_grad(product), float),
    "lint of a number": lambda: srcad.lint(3.0),
    "explain of a function": lambda: srcad.explain(square),
    "explain of nothing yet": lambda: srcad.explain(_grad(square)),
    "explain with a number": lambda: srcad.explain(_grad(square), args=1.0),
    "explain of another name": lambda: srcad.explain(_grad(square), "y", args=(1.0,)),
}


def number_and_array_that_change_places(x, v, n):
    a, b, c = x, v * 2.0, 1.0
    for _ in range(n):
        a, b, c = b, c, a
    return np.sum(a)
def type_of_a_number_compared(x): return 3.0 * x if type(x) == float else x
def types_compared(x, v): return x if type(x) is type(v[0]) else 2.0 * x
def types_name(x): return x * len(type(x).__name__)
def called_type_of_an_array(v): return np.sum(v * type(v)([1.0, 2.0, 3.0]))
def element_of_an_array_of_none(x):
    z = np.array([None, 2.0])
    return x if z[0] is None else z[1]
