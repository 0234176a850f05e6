"""Calls that are easily got wrong: what is read late or early, changed between, shared or recursive."""

import functools
import math
import operator

import numpy as np

from tests.corpus import normal, program


class Gain:
    def __init__(self, k):
        self.k = k
        self.log = 0.0

    def f(self, x):
        return self.k * x

    def set(self, k):
        self.k = k
        return self.k

    def both(self, a, b):
        return a * self.k + b


@program(0.7, tags="nojit")
def argument_before_change(x):
    c = Gain(x)
    return c.both(c.k, c.set(2.0 * x)) + c.k


@program(0.7, tags="nojit")
def bound_method_kept(x):
    c = Gain(x)
    g = c.f
    c.k = 3.0 * x * x
    return g(2.0)


@program(0.7, tags="nojit")
def object_of_two_names(x):
    c = Gain(x)
    d = c
    d.k = d.k * 2

    def bump(o, by):
        o.k = o.k + by
        return o

    e = bump(c, x)
    return e.k * d.k


@program(0.7, tags="nojit")
def object_changed_in_branch(x):
    c = Gain(x)
    if x > 0.5:
        c.k = x * x
    else:
        c.k = 1.0
    if x > 5:
        c.set(1.0)
    return c.f(x)


@program(0.7, tags="nojit")
def partial_snapshot(x):
    y = x * 2
    f = functools.partial(operator.mul, y)
    y = 100.0
    return f(x)


@program(0.7, tags="nojit")
def choice_test_changes(x):
    t = x > 0.5
    f = math.sin if t else math.cos
    t = False
    x = x * 2
    return f(x)


@program(0.7, tags="nojit")
def closure_reads_later(x):
    def g():
        return k * x

    k = 2.0
    a = g()
    k = x
    return a + g()


@program(0.7, tags="nojit")
def recursion_closure_later(x):
    def g(n):
        return k * x if n == 0 else g(n - 1) * k

    k = 2.0
    a = g(2)
    k = x
    return a + g(1)


@program(0.7, tags="nojit")
def recursion_in_loop_closure(x):
    s = 0.0
    for i in range(3):

        def g(n):
            return i + x if n == 0 else g(n - 1) * s + i

        s += g(i)
    return s


@program(0.7, tags="nojit")
def recursion_fn_arg(x):
    def it(f, v, n):
        return v if n == 0 else it(f, f(v), n - 1)

    return it(math.sin, x, 3) + it(lambda v: v * x, x, 2)


@program(normal(4), normal(4), tags="nojit")
def recursion_two_arrays(a, b):
    def dot(u, v):
        return 0.0 if u.size == 0 else u[0] * v[0] + dot(u[1:], v[1:])

    return dot(a, b) ** 2 + dot(a, a)


@program(normal(4), tags="nojit")
def recursion_write_after(x):
    def tot(u):
        return 0.0 if u.size == 0 else u[0] ** 2 + tot(u[1:])

    a = x * 2
    s = tot(a)
    a[0] = s
    a[1] *= 3.0
    return tot(a) * s


@program(normal(4), tags="nojit")
def recursion_in_place_loop(x):
    def sq(u, n):
        return u * 1.0 if n == 0 else sq(u * u, n - 1)

    a = x.copy()
    for i in range(3):
        a[i] = np.sum(sq(a, 1)) * 0.1
    return np.sum(a)


@program(normal(3), tags="nojit")
def recursion_int_result(x):
    def depth(n):
        return 0 if n < 1 else 1 + depth(n // 2)

    return x[depth(2)] ** depth(8) + depth(5) * x[0]


@program(normal(3), 2, tags="nojit")
def recursion_matrix(x, n):
    def mp(A, n):
        if n == 0:
            return np.eye(3)
        h = mp(A, n // 2)
        h2 = h @ h
        return h2 @ A if n % 2 else h2

    return np.sum(mp(np.outer(x, x) + np.eye(3), n + 3))


@program(0.4, tags="nojit")
def recursion_unused_param(x):
    def g(a, b, n):
        return a if n == 0 else g(a * b, b, n - 1)

    return g(2.0, x, 3) + g(x, 2.0, 2)


@program(0.4, tags="nojit")
def recursion_zero_slope(x):
    def g(v, n):
        return math.sqrt(v) if n == 0 else g(v * v, n - 1)

    return g(x, 2) if x > 0 else 0.0


@program(normal(5), tags="nojit")
def recursion_tuple_arrays(x):
    def split(u):
        if u.size <= 1:
            return u, 1.0
        a, s = split(u[:-1])
        return np.concatenate((a, u[-1:] * s)), s * u[0]

    a, s = split(x)
    return np.sum(a**2) * s


@program(0.6, tags="nojit")
def three_cycle(x):
    def f(n, v):
        return v if n == 0 else g(n - 1, v * x)

    def g(n, v):
        return v * 2 if n == 0 else h(n - 1, v + x)

    def h(n, v):
        return v * 3 if n == 0 else f(n - 1, math.sin(v))

    return f(5, x) + g(4, x) + h(3, 1.0)


@program(0.6, tags="nojit")
def recursion_in_recursion(x):
    def outer(n):
        def inner(m):
            return x * n if m == 0 else inner(m - 1) + x

        return inner(n) if n == 0 else inner(n) * outer(n - 1)

    return outer(3)


class Horner:
    def __init__(self, coefficients):
        self.coefficients = coefficients

    def __call__(self, x):
        s = 0.0
        for c in reversed(self.coefficients):
            s = s * x + c
        return s


POLYNOMIAL = Horner([1.0, 0.5, -0.3, 2.0])


@program(normal(4), 0.3, tags="nojit")
def list_of_a_global_object_backwards(v, x):
    s = 0.0
    for y in v:
        s += POLYNOMIAL(y)
    return s * POLYNOMIAL(x)
