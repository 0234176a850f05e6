"""Calls: functions as values, partial applications, methods, objects, tables of functions, inactive calls."""

import dataclasses
import functools
import math
import operator
import types

import numba
import numpy as np

from tests.corpus import normal, program, uniform


def given(value):
    """A function as an argument: `program` calls what is callable to make one."""
    return lambda rng: value


def square(x):
    return x * x


def cube(x, *, offset=0.0):
    return x**3 + offset


def scaled(scale, x, shift=0.0):
    return scale * x + shift


def newton(f, df, x, steps):
    for _ in range(steps):
        x = x - f(x) / df(x)
    return x


def integrate(f, a, b, n):
    h = (b - a) / n
    s = 0.5 * (f(a) + f(b))
    for i in range(1, n):
        s += f(a + i * h)
    return s * h


def compose(f, g):
    return lambda x: f(g(x))


def fold(f, values, start):
    for i in range(len(values)):
        start = f(start, values[i])
    return start


OPS = {"sin": math.sin, "square": square, "double": lambda x: 2 * x}
LAYERS = (math.tanh, square, np.sin)
toolbox = types.SimpleNamespace(inner=types.SimpleNamespace(square=square, rate=0.3), cube=cube)
half = functools.partial(scaled, 0.5)
half_shifted = functools.partial(half, shift=0.25)


# ---------------------------------------------------------------- functions as arguments


@program(given(square), 0.7, tags="nojit")
def function_as_parameter(f, x):
    return f(x) * f(x + 1.0)


@program(given(math.sin), 0.7, tags="nojit")
def primitive_as_parameter(f, x):
    return f(x) * x


@program(given(functools.partial(scaled, 3.0)), 0.7, tags="nojit")
def partial_as_parameter(f, x):
    return f(x) ** 2


@program(given((square, math.cos)), 0.7, tags="nojit")
def tuple_of_functions_as_parameter(fs, x):
    return fs[0](x) + fs[1](x)


@program(2.0, tags="nojit")
def newton_by_helper(a):
    return newton(lambda x: x * x - a, lambda x: 2 * x, 1.0, 5)


@program(0.2, 1.3, tags="nojit core")
def integral_of_closure(a, w):
    return integrate(lambda t: math.sin(w * t) * t, a, 2.0 * w, 6)


@program(0.4, tags="nojit")
def composed_twice(x):
    f = compose(square, math.sin)
    return compose(f, f)(x) + compose(lambda t: t + x, f)(x)


@program(normal(4), tags="nojit")
def folds(x):
    return fold(lambda a, b: a * b + 1.0, x, 1.0) + fold(operator.add, x, 0.5)


@program(0.5, tags="nojit")
def lambdas_returned(x):
    def line(slope):
        return lambda t, shift=slope: slope * t + shift

    return line(x)(2.0) * line(2.0)(x, shift=x * x)


@program(0.5, tags="nojit")
def late_binding(x):
    for k in range(3):
        fs = (lambda t: t * k, lambda t, k=k: t * k)
    return fs[0](x) * fs[1](x)


@program(0.5)
def late_binding_of_number(x):
    k = 2.0
    f = lambda t: t * k
    a = f(x)
    k = x
    return a + f(x)


@program(0.5)
def late_binding_in_loop(x):
    s = 0.0
    for k in range(4):
        f = lambda t: t * k * x
        s += f(x) + k
    return s + f(2.0)


# ---------------------------------------------------------------- partial


@program(0.7, tags="nojit")
def partial_global(x):
    return half(x) * half(x, shift=x)


@program(0.7, tags="nojit")
def partial_of_partial(x):
    return half_shifted(x) * half_shifted(x, shift=2.0)


@program(0.7, tags="nojit")
def partial_made_inside(x):
    f = functools.partial(scaled, x)
    g = functools.partial(f, shift=x * x)
    return f(3.0) * g(x)


@program(normal(3), tags="nojit")
def partial_passed_on(x):
    return fold(functools.partial(lambda w, a, b: w * a + b, x[0]), x, 1.0)


# ---------------------------------------------------------------- attributes, tables


@program(0.7, tags="nojit")
def functions_of_modules(x):
    return toolbox.inner.square(x) * toolbox.cube(x, offset=toolbox.inner.rate)


@program(0.7, tags="nojit")
def table_of_functions(x):
    return OPS["sin"](x) * OPS["square"](x) + OPS["double"](x)


@program(0.7, "square", tags="nojit")
def table_of_functions_by_parameter(x, name):
    return OPS[name](x) * x


@program(0.7, tags="nojit")
def tuple_of_functions(x):
    return LAYERS[0](x) * LAYERS[1](x) * LAYERS[-1](x)


@program(0.7, tags="nojit")
def loop_over_global_functions(x):
    for f in LAYERS:
        x = f(x) + 0.1
    return x


@program(0.7, tags="nojit")
def loop_over_local_functions(x):
    s = 0.0
    for f in (math.sin, square, lambda t: 3 * t):
        s += f(x) * f(s)
    return s


@program(0.7, True, tags="nojit")
def function_chosen(x, flag):
    f = square if flag else math.sin
    return f(x)


@program(0.7, tags="nojit")
def function_chosen_by_value(x):
    f = square if x > 0.5 else math.sin
    return f(x) * 2.0


@program(0.7, tags="nojit")
def function_chosen_in_branch(x):
    if x > 0.5:
        f = square
    else:
        f = math.sin
    return f(x) * 2.0


# ---------------------------------------------------------------- objects


class Oscillator:
    count = 3

    def __init__(self, k, m):
        self.k, self.m = k, m

    @property
    def omega(self):
        return math.sqrt(self.k / self.m)

    @staticmethod
    def energy(q, p):
        return 0.5 * (q * q + p * p)

    @classmethod
    def steps(cls, x):
        return x * cls.count

    def force(self, q):
        return -self.k * q

    def step(self, q, p, dt):
        p = p + dt * self.force(q)
        return q + dt * p / self.m, p

    def __call__(self, q, p, dt):
        for _ in range(self.count):
            q, p = self.step(q, p, dt)
        return self.energy(q, p)


class Damped(Oscillator):
    def __init__(self, k, m, damping):
        super().__init__(k, m)
        self.damping = damping

    def step(self, q, p, dt):
        q, p = super().step(q, p, dt)
        return q, p * (1.0 - self.damping * dt)


oscillator = Oscillator(2.0, 1.5)
damped = Damped(2.0, 1.5, 0.2)


@program(0.3, 0.1, 0.2, tags="nojit core")
def methods_of_global(q, p, dt):
    q, p = oscillator.step(q, p, dt)
    return oscillator(q, p, dt) + oscillator.omega * q


@program(0.3, 0.1, 0.2, tags="nojit")
def methods_inherited(q, p, dt):
    q, p = damped.step(q, p, dt)
    return damped(q, p, dt) * damped.omega + Damped.steps(q)


@program(0.3, 0.1, tags="nojit")
def static_and_class_methods(q, p):
    return Oscillator.energy(q, p) * Oscillator.steps(q) + oscillator.energy(p, q)


@program(2.0, 1.5, 0.3, tags="nojit")
def object_made_inside(k, m, q):
    o = Oscillator(k, m)
    return o.force(q) * o.omega + o(q, 0.1, 0.2)


@dataclasses.dataclass(frozen=True)
class Vector:
    x: float
    y: float = 0.5

    def dot(self, other):
        return self.x * other.x + self.y * other.y

    def scaled(self, s):
        return Vector(self.x * s, self.y * s)

    @property
    def norm(self):
        return math.sqrt(self.dot(self))


@program(0.3, 0.7, tags="nojit")
def dataclass_made_inside(a, b):
    u = Vector(a, b)
    v = u.scaled(2.0 * a)
    return u.dot(v) / v.norm + Vector(a).dot(u)





# ---------------------------------------------------------------- libraries of callables


@numba.vectorize
def soft(x, t):
    return math.copysign(max(abs(x) - t, 0.0), x)


@numba.njit
def count_positive(a):
    n = 0
    for v in a:
        if v > 0:
            n += 1
    return n


@functools.lru_cache
def weight(k):
    return 1.0 / (1 + k)


def traced(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return 2.0 * f(*args, **kwargs)

    return wrapper


@traced
def doubled_square(x, y=1.0):
    return x * x * y


@numba.vectorize
def kelvin(t):
    return t + 273.15 if t > -273.15 else 0.0


@numba.vectorize
def pressure(t):
    return math.exp(17.0 * (1.0 - 273.16 / kelvin(t))) if kelvin(t) > 273.16 else kelvin(t) * 1e-2


@numba.vectorize
def dew_point(t, humidity):
    guess, wanted = t, humidity * pressure(t)
    while abs(math.log(pressure(guess)) - math.log(wanted)) > 1e-13:
        slope = 17.0 * 273.16 / kelvin(guess) ** 2
        guess = guess - (math.log(pressure(guess)) - math.log(wanted)) / slope
    return guess


@program(20.0, 0.6, normal(3), tags="nof32")
def vectorized_in_vectorized(t, humidity, x):
    return dew_point(t, humidity) + np.sum(dew_point(t + x, humidity)) * pressure(t)


@np.vectorize
def elementwise(x):
    return x * x if x > 0 else 0.1 * x


@program(normal(5), 0.2)
def vectorized(x, t):
    return np.sum(soft(x, t) * x)


@program(normal(5), tags="nojit")
def vectorized_by_numpy(x):
    return np.sum(elementwise(x) * x)


@program(0.4, tags="nojit")
def cached_function(x):
    return weight(2) * x + weight(x) * x


@program(0.4, tags="nojit")
def decorated_function(x):
    return doubled_square(x) + doubled_square(x, y=x)


@program(normal(3, 4), tags="nojit")
def along_axis(A):
    return np.sum(np.apply_along_axis(lambda row: row / np.sum(row * row), 1, A) ** 2)


@program(normal(4), tags="nojit")
def reduces(x):
    return functools.reduce(lambda a, b: a * b + a, x) + functools.reduce(operator.add, (x[0], x[1] ** 2), 1.0)


@program(0.4, tags="nojit")
def reduces_over_range(x):
    return functools.reduce(lambda a, k: a * x + k, range(5), 1.0)


@program(normal(6))
def operators(x):
    a = operator.add(x[0], operator.mul(x[1], x[2]))
    b = operator.getitem(x, 3) * operator.pow(a, 2)
    return operator.sub(a, operator.truediv(x[3], 2.0)) ** 2 + operator.neg(a) + b


# ---------------------------------------------------------------- calls off the path


@program(normal(6))
def inactive_searches(x):
    order = np.argsort(x)
    k = np.searchsorted(np.array([-1.0, 0.0, 1.0]), x[0])
    n = count_positive(x)
    return x[order[0]] * x[order[-1]] + (k + n) * x[1]


@program(normal(6), tags="nojit")
def taken_in_an_order_found_before(x):
    order = np.argsort(-x)
    return x[order] @ np.arange(6)


@program(normal(6))
def inactive_histogram(x):
    counts, edges = np.histogram(x, 3)
    return np.sum(x**2) * counts[0] + x[int(np.argmax(counts))]


@program(normal(6), tags="core")
def inactive_rank(x):
    r = np.argsort(np.argsort(x))
    s = 0.0
    for i in range(6):
        s += r[i] * x[i]
    return s + x[np.unique(r)[2]] + np.count_nonzero(x > 0) * x[0]


@program(normal(4), tags="nojit")
def vectorized_inside(x):
    f = np.vectorize(lambda v: v * v if v > 0 else v)
    return np.sum(f(x) * x) + f(x[0])


@program(uniform(0.2, 0.9, 3), tags="nojit")
def vectorized_that_counts(x):
    calls, total = 0, 0.0

    def running(a):
        nonlocal calls, total
        calls += 1
        total = total * 0.5 + a * a
        return total * calls

    y = np.vectorize(running)(x)  # which asks twice for the first element
    y *= np.vectorize(lambda a: 4.3 * a, otypes=[int])(x) + np.vectorize(running, otypes=[float])(x)
    return np.sum(y) + np.vectorize(running, cache=True)(x)[0] * calls


@program(0.4)
def closure_of_rebound_names(x):
    def times(k):
        return lambda t: k * t

    k = x
    f = times(k)
    k = 2 * x
    return f(3.0) * k


class Counter:
    def __init__(self, k):
        self.k = k
        self.calls = 0

    def grow(self, by):
        self.k = self.k * 2.0
        self.calls += 1
        return by * self.k

    def __add__(self, other):
        return Counter(self.k + other.k)

    def __mul__(self, s):
        return Counter(self.k * s)

    __rmul__ = __mul__

    def __neg__(self):
        return self * -1.0

    def __getitem__(self, i):
        return self.k * i

    def __len__(self):
        return 3


@program(0.4, tags="nojit")
def object_that_changes(x):
    c = Counter(x)
    d = c
    a = c.grow(c.k) + c.k
    for _ in range(3):
        a += d.grow(a * x) * 0.1
    if a > 0.1:
        c.k = c.k * x
    c.k += 1.0
    return a * d.k + c.calls * x


@program(0.4, 1.5, tags="nojit")
def objects_with_operators(x, y):
    c = 2.0 * (Counter(x) + Counter(y) * x) + -Counter(x * y)
    return c.k * c[3] * len(c)


@program(0.4, tags="nojit")
def objects_in_branches(x):
    c = Counter(x) if x > 1.0 else Counter(x * x)
    if x > 0.1:
        d = Counter(3 * x)
    else:
        d = Counter(x + 1)
    a = c.grow(x) * d.grow(2.0)
    return a + d.k * c.k


@program(0.4, tags="nojit")
def star_arguments(x):
    def scaled_sum(*terms, **options):
        return sum(terms) * options["scale"] + options.get("shift", x)

    pair = (x, 3.0)
    return scaled_sum(x, *pair, scale=x) + scaled_sum(*pair, scale=2.0, shift=x * x)


def product_and_sine(a, b, c):
    return a * b + np.sin(c)


@program(normal(3), 0.4, tags="nojit")
def values_behind_stars(v, x):
    squares = []
    for a in v:
        squares.append(a * a)
    one = product_and_sine(*squares) + product_and_sine(*map(np.cos, v)) + product_and_sine(*(a * x for a in v))
    return one * product_and_sine(*v[1:], x) + product_and_sine(x, *v[:2])


def first_two_and_others(a, b, *rest, scale=1.0):
    return a * b + sum(r * r * k for k, r in enumerate(rest)) * scale + len(rest)


def first_of_four(a, b, c, d):
    return a * b * b + c * d


@program(normal(4), normal(3), tags="nojit")
def several_stars_in_a_call(x, y):
    s = first_two_and_others(*x, *y, scale=2.0) * x[1] + first_two_and_others(*x[:1], *y, scale=y[0])
    xs = [v * v for v in x if v > 0]
    s += first_two_and_others(x[0], *x[1:3], y[0], *y) + first_two_and_others(*xs, *y)
    return s + first_of_four(*x[:2], *y[1:]) + max(*x, *y) * min(x[0], *y) + math.hypot(*x, *y)


def with_a_weight_for_each(first, *others):
    s = first * 0.5
    for k, value in enumerate(others):
        s += value * value * (k + 1)
    return s


@program(normal(3), normal(4), tags="nojit")
def stars_before_lists_that_are_made(x, y):
    s = with_a_weight_for_each(*x, *list(y)) + with_a_weight_for_each(*list(y)) + with_a_weight_for_each(1.0, *y)
    return s + max(*x, *[v * v for v in y]) * with_a_weight_for_each(*y, *(2.0 * v for v in x))


@program(normal(4), 2, tags="nojit")
def a_list_that_may_be_given(x, k, found=None, mode="sum"):
    if found is None:
        found = []
    mode = mode.upper()
    for v in x:
        found.append(v * k)
    return sum(a * b for a, b in zip(found, reversed(found))) if mode == "SUM" else 0.0


def activation(name):
    return {0: math.sin, 1: math.cos}.get(name, lambda t: t * t)


@program(0.7, 1, tags="nojit")
def functions_by_a_key_that_may_be_missing(x, n):
    table = {"a": math.exp, 2: math.tanh}
    s = activation(n)(x) * activation(n + 1)(x) + table.get("b", math.sqrt)(x)
    for k in range(4):
        s += activation(k)(x) * table.get(k, activation(k - 1))(s)
    return s
