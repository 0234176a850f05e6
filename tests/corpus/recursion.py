"""Functions that call themselves, directly and through others."""

import functools
import math

import numba
import numpy as np

from tests.corpus import normal, program, uniform


def power(x, n):
    if n == 0:
        return 1.0
    if n % 2:
        return x * power(x, n - 1)
    h = power(x, n // 2)
    return h * h


@program(1.3, 11, tags="core nojit")
def power_by_squaring(x, n):
    return power(x, n) + power(2.0 * x, 3) * x


program(1.2, 9, tags="nojit")(power)


def nested_horner(c, x):
    if len(c) == 0:
        return 0.0
    return c[0] + x * nested_horner(c[1:], x)


program(normal(6), 0.7, tags="core nojit")(nested_horner)


def double_recursion(a, b, n):
    if n == 0:
        return a
    if n == 1:
        return b
    return math.sin(double_recursion(a, b, n - 1)) + 0.5 * double_recursion(a, b, n - 2) * a


program(0.3, 0.7, 7)(double_recursion)


def simpson(f, a, fa, b, fb, m, fm, whole, tolerance):
    left, right = 0.5 * (a + m), 0.5 * (m + b)
    fl, fr = f(left), f(right)
    first = (m - a) / 6.0 * (fa + 4.0 * fl + fm)
    second = (b - m) / 6.0 * (fm + 4.0 * fr + fb)
    delta = first + second - whole
    if abs(delta) <= 15.0 * tolerance:
        return first + second + delta / 15.0
    part = simpson(f, a, fa, m, fm, left, fl, first, tolerance / 2.0)
    return part + simpson(f, m, fm, b, fb, right, fr, second, tolerance / 2.0)


@program(0.2, 1.9, 1.4, tags="core nojit")
def adaptive_quadrature(a, b, w):
    def f(t):
        return math.exp(-w * t) * math.cos(3.0 * t * w)

    m = 0.5 * (a + b)
    fa, fb, fm = f(a), f(b), f(m)
    return simpson(f, a, fa, b, fb, m, fm, (b - a) / 6.0 * (fa + 4.0 * fm + fb), 1e-5)


def determinant(A):
    n = A.shape[0]
    if n == 1:
        return A[0, 0]
    total = 0.0
    sign = 1.0
    for j in range(n):
        minor = np.empty((n - 1, n - 1))
        for i in range(1, n):
            for k in range(n - 1):
                minor[i - 1, k] = A[i, k if k < j else k + 1]
        total += sign * A[0, j] * determinant(minor)
        sign = -sign
    return total


program(normal(4, 4), tags="core nojit")(determinant)


@program(normal(3, 3), tags="nojit")
def determinant_by_delete(A):
    def det(M):
        if M.shape[0] == 2:
            return M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0]
        s = 0.0
        for j in range(M.shape[0]):
            rest = np.concatenate((M[1:, :j], M[1:, j + 1 :]), axis=1)
            s += (-1.0) ** j * M[0, j] * det(rest)
        return s

    return det(A) ** 2


def legendre(n, x):
    if n == 0:
        return 1.0
    if n == 1:
        return x
    return ((2 * n - 1) * x * legendre(n - 1, x) - (n - 1) * legendre(n - 2, x)) / n


program(5, 0.3, wrt="x", tags="nojit")(legendre)


@program(normal(7), tags="nojit")
def tree_sum(x):
    if len(x) == 1:
        return x[0] ** 3
    n = len(x)
    return tree_sum(x[: n // 2]) + tree_sum(x[n // 2 :]) * 0.9


@program(normal(8), tags="nojit")
def tree_product(x):
    def tree(v):
        if v.size == 1:
            return v[0]
        return tree(v[::2]) * tree(v[1::2])

    return tree(x)


def romberg(f, a, b, n, m):
    if m == 0:
        h = (b - a) / 2**n
        s = 0.5 * (f(a) + f(b))
        for k in range(1, 2**n):
            s += f(a + k * h)
        return s * h
    return romberg(f, a, b, n, m - 1) + (romberg(f, a, b, n, m - 1) - romberg(f, a, b, n - 1, m - 1)) / (4**m - 1)


@program(0.1, 1.2, tags="nojit")
def romberg_table(a, b):
    return romberg(lambda t: math.exp(-t * t) * a, a, b, 3, 3)


def hartley(x):
    n = len(x)
    if n == 1:
        return x.copy()
    even, odd = hartley(x[::2]), hartley(x[1::2])
    h = n // 2
    result = np.empty(n)
    for k in range(h):
        t = 2.0 * np.pi * k / n
        c = math.cos(t) * odd[k] + math.sin(t) * odd[(h - k) % h]
        result[k] = even[k] + c
        result[k + h] = even[k] - c
    return result


@program(normal(8), tags="nojit")
def fast_hartley_transform(x):
    return np.sum(hartley(x) ** 3)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@program(0.7, tags="nojit")
def ackermann_as_exponent(x):
    return x ** ackermann(2, 2) * ackermann(1, 3)


def fields(q, p, t, n):
    """A tuple in, a tuple out."""
    if n == 0:
        return q, p
    q2, p2 = fields(q + t * p, p - t * math.sin(q), t, n - 1)
    return q2 + 0.1 * p2 * q, p2


@program(0.4, 0.1, 0.05, 5, tags="core tuple nojit")
def recursion_of_pairs(q, p, t, n):
    return fields(q, p, t, n)


@program(0.4, 0.1, 4, tags="nojit")
def recursion_of_states(q, p, n):
    def go(state, k):
        if k == 0:
            return state
        a, b = state
        a, b = go((a * b, a + b), k - 1)
        return a * 0.5, b + a * a

    a, b = go((q, p), n)
    return a * b


@program(normal(4), 0.7, tags="nojit")
def recursion_inside_loop(x, w):
    s = 0.0
    for i in range(4):
        s += power(x[i] * w, i + 1) * s + power(w, 2)
    return s


@program(normal(3), tags="nojit")
def recursion_in_while(x):
    y = x[0]
    k = 0
    while y < 30.0 and k < 5:
        y = y + power(y, 2) * 0.1 + x[k % 3]
        k += 1
    return y


@program(0.6, 1.2, tags="nojit")
def recursive_closure(x, w):
    scale = 2.0 * w

    def go(k):
        return x if k == 0 else math.sin(scale * go(k - 1)) + x

    a = go(3)
    scale = x * w
    return a * go(2)


@program(0.6, tags="nojit")
def recursive_lambda(x):
    product = lambda n: 1.0 if n == 0 else (x + n) * product(n - 1)
    return product(4)


def is_even(x, n):
    return x if n == 0 else is_odd(x * 1.1, n - 1) * x


def is_odd(x, n):
    return x * x if n == 0 else is_even(x + 0.1, n - 1) - x


@program(0.6, 5, tags="core nojit")
def mutual_recursion(x, n):
    return is_even(x, n) + is_odd(x, n) * x


def of_both(x, n):
    if n == 0:
        return x, 1.0
    a, b = of_both(x * 0.9, n - 1)
    return a * b, b + of_one(x, n - 1)


def of_one(x, n):
    if n == 0:
        return x * x
    a, b = of_both(x, n - 1)
    return a + np.sin(b)


@program(1.2, 3, tags="nojit")
def partners_of_which_one_calls_itself(x, n):
    return of_one(x, n) * x


def female(x, n):
    return x if n == 0 else n - x * male(x, int(female(x, n - 1)) % n)


def male(x, n):
    return 0.5 * x if n == 0 else n - x * x * female(x, int(male(x, n - 1)) % n)


@program(0.35, 5, tags="nojit")
def hofstadter_like(x, n):
    return female(x, n) * male(x, n)


@program(0.6, tags="nojit")
def integer_base_case(x):
    def factorial_like(n):
        if n == 0:
            return 1
        return n * x * factorial_like(n - 1)

    return factorial_like(4)


@program(0.6, 3, tags="nojit")
def integer_becomes_float(x, n):
    def grow(y, k):
        if k == 0:
            return y
        return grow(y * x + 1, k - 1) + y

    return grow(1, n)


class Node:
    def __init__(self, depth):
        self.value = 0.3 * depth
        self.left = Node(depth - 1) if depth else None
        self.right = Node(depth - 1) if depth else None

    def total(self, x):
        if self.left is None:
            return math.sin(x * self.value)
        return self.left.total(x) * x + self.right.total(x + self.value)


tree = Node(2)


@program(0.6, tags="nojit")
def tree_of_objects(x):
    return tree.total(x)


class Series:
    def __init__(self, ratio):
        self.ratio = ratio

    def term(self, n, x):
        return x if n == 0 else self.term(n - 1, x) * self.ratio * x + 1.0


series = Series(0.4)


@program(0.6, 0.3, tags="nojit")
def recursive_method(x, r):
    return series.term(3, x) + Series(r).term(4, x) * Series(r * x).term(1, x)


@numba.njit
def jitted_gcd_like(x, a, b):
    return x * a if b == 0 else jitted_gcd_like(x * x + 0.1, b, a % b)


@program(0.6, 12, 18, tags="nojit")
def recursion_of_jitted(x, a, b):
    return jitted_gcd_like(x, a, b)


@functools.lru_cache
def cached_fibonacci(x, n):
    return x if n < 2 else cached_fibonacci(x, n - 1) * x + cached_fibonacci(x, n - 2)


@program(0.6, tags="nojit")
def recursion_of_cached(x):
    return cached_fibonacci(x, 6)


@program(normal(3), 4, tags="array nojit")
def recursion_of_arrays(x, n):
    def go(v, k):
        if k == 0:
            return v
        return np.sin(go(v * v, k - 1)) + v

    return go(x, n)


@program(normal(3), tags="nojit")
def returns_its_argument(x):
    def go(v, k):
        return v if k == 0 else go(v, k - 1)

    return np.sum(go(x, 2) ** 2 * x)


@program(normal(3), 0.5, tags="nojit")
def keyword_and_defaults(x, w):
    def go(k, *, v=w, step=1):
        if k <= 0:
            return v * v
        return go(k - step, v=v * x[0], step=step) + x[k % 3]

    return go(3) + go(4, step=2)


@program(0.5, tags="nojit")
def varying_count_of_arguments(x):
    def first_of(*values):
        if len(values) == 1:
            return values[0]
        return values[0] * first_of(*values[1:])

    return first_of(x, x + 1.0, 2.0 * x)


@program(normal(6), 2.0, tags="nojit")
def divide_and_conquer_maximum(x, w):
    def best(v):
        if v.size == 1:
            return v[0] * w
        a, b = best(v[: v.size // 2]), best(v[v.size // 2 :])
        return a if a > b else b

    return best(x) ** 2


@program(0.4, 12, tags="nojit")
def continued_fraction(x, n):
    def tail(k):
        if k > n:
            return 0.0
        return k * x / (1.0 + tail(k + 1))

    return tail(1)


@program(0.4, 8, tags="nojit")
def tail_recursion(x, n):
    def loop(k, total):
        if k == 0:
            return total
        return loop(k - 1, total * x + 1.0)

    return loop(n, 1.0)


def merge_sorted(x):
    n = x.size
    if n <= 1:
        return x
    a, b = merge_sorted(x[: n // 2]), merge_sorted(x[n // 2 :])
    out = np.empty(n)
    i = j = 0
    for k in range(n):
        if j >= b.size or (i < a.size and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


@program(normal(7), normal(7), tags="core nojit")
def merge_sort(x, w):
    return np.sum(merge_sorted(x) ** 2 * w)


@program(uniform(0.5, 1.0, 3), tags="nojit")
def sum_over_paths(p):
    """All ways through a grid."""

    def paths(i, j):
        if i == 0 and j == 0:
            return 1.0
        total = 0.0
        if i > 0:
            total += p[0] * paths(i - 1, j)
        if j > 0:
            total += p[1] * paths(i, j - 1)
        if i > 0 and j > 0:
            total += p[2] * paths(i - 1, j - 1)
        return total

    return paths(3, 2)


def mapped(f, tree, *others):
    """A structure like the first one, of what a function gives for its leaves."""
    if isinstance(tree, dict):
        return {key: mapped(f, tree[key], *(other[key] for other in others)) for key in tree}
    if isinstance(tree, (list, tuple)):
        return type(tree)(mapped(f, leaf) for leaf in tree)
    return f(tree, *others)


def flattened(tree):
    if isinstance(tree, dict):
        return [leaf for key in sorted(tree) for leaf in flattened(tree[key])]
    if not isinstance(tree, (list, tuple)):
        return [np.ravel(tree)]
    leaves = []
    for part in tree:
        leaves.extend(flattened(part))
    return leaves


@program(normal(2, 3), normal(3), 0.7, tags="nojit")
def leaves_of_nested_structures(W, b, rate):
    parameters = {"layers": [(W, b), (W.T, W[:, 0])], "scale": rate}
    moved = mapped(lambda leaf: leaf - rate * leaf**2, parameters)
    whole = np.concatenate(flattened(moved))
    return np.sum(whole**2) + moved["layers"][1][1][0] * moved["scale"]


@program(0.7, 1.3, tags="nojit")
def steps_of_nested_dicts(x, y):
    p = {"a": x, "inner": {"b": y, "c": x * y}}
    for _ in range(3):
        p = mapped(lambda leaf, other: leaf - 0.1 * other**2, p, p)
    return p["a"] * p["inner"]["b"] + p["inner"]["c"]


def evaluated(expression, values):
    if isinstance(expression, str):
        return values[expression]
    if isinstance(expression, (int, float)):
        return expression
    operation, left, right = expression
    one, other = evaluated(left, values), evaluated(right, values)
    if operation == "+":
        return one + other
    if operation == "*":
        return one * other
    raise ValueError(operation)


@program(0.7, 1.3, tags="nojit")
def value_of_an_expression(x, y):
    return evaluated(("+", ("*", "x", "y"), ("*", 3, ("+", "y", 2.5))), {"x": x, "y": y}) ** 2


@program(0.7, 1.3, tags="nojit")
def what_a_walk_collects(x, y):
    found, total = [], 0.0

    def walk(tree, depth=1.0):
        nonlocal total
        if isinstance(tree, list):
            for part in tree:
                walk(part, 2.0 * depth)
        else:
            found.append(tree * depth)
            total += tree

    walk([x, [y, [x * y, x]]])
    return sum(v * v for v in found) + len(found) * total


def smoothed(u, f):
    u[1:-1] = 0.5 * u[1:-1] + f[1:-1]
    return u


def v_cycle(u, f, h):
    if len(u) <= 3:
        u[1] = 0.5 * (h * h * f[1] + u[0] + u[2])
        return u
    u = smoothed(u, f)
    u[::2] += v_cycle(np.zeros((len(u) - 1) // 2 + 1), 0.5 * f[::2], 2.0 * h)
    return smoothed(u, f)


@program(normal(9), 0.4, tags="core nojit")
def v_cycle_that_renames_the_array_it_changes(f, a):
    u = np.zeros(len(f))
    u[0] = a
    u = v_cycle(u, f, 0.1)
    return np.sum(v_cycle(u, f, 0.2) ** 2)


def scaled_or_new(u, f, k):
    if k == 0:
        return u
    u[0] = u[0] * f[0] + 1.0
    u = u * 2.0
    u[1] = u[0] + f[1]
    return scaled_or_new(u, f, k - 1)


@program(normal(5), 0.4, tags="nojit")
def array_of_the_callers_then_one_of_its_own_in_recursion(f, a):
    u = np.zeros(len(f))
    u[0] = a
    s = scaled_or_new(u, f, 3)
    return np.sum(s**2) + 3.0 * u.sum()
