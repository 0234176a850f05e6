"""Programs for the frontend alone: each says something about the language, and is run before and after."""

from __future__ import annotations

import functools
import math
import types

import numba
import numpy as np

WEIGHTS = np.array([0.5, -1.0, 2.0])
COEFFICIENTS = (1.0, -0.5, 0.25)
CONFIG = {"rate": 0.1, "activations": (math.sin, math.cos)}
SPACE = types.SimpleNamespace(scale=3.0, table=np.array([1.0, 2.0]), act=math.tanh)
CASES: list[tuple] = []


def case(*args):
    def register(fn):
        CASES.append((fn, args))
        return fn

    return register


def array(*values):
    return np.array(values, dtype=float)


# ---------------------------------------------------------------- exits


@case(0.5, 3)
@case(-0.5, 3)
@case(7.0, 3)
def nested_returns(x, n):
    if x > 0:
        if x > 5:
            return x * n
        x = x + 1
    else:
        if n > 100:
            return -1.0
    y = x * x
    if y > 2:
        return y
    return x - y


@case(3, 10)
@case(11, 10)
@case(0, 0)
def return_in_nested_loops(a, n):
    total = 0
    for i in range(n):
        for j in range(i):
            if i * j == a:
                return i + 100 * j
            if j > 4:
                break
            total += j
        total += 1
    return total


@case(5)
@case(50)
def break_and_continue(n):
    s = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        if i > 20:
            break
        if i % 2:
            s += i
            if s > 60:
                continue
            s += 1
        s += 2
    return s, i


@case(4)
@case(12)
def for_else(n):
    s = 1
    for i in range(n):
        if i > 7:
            s *= 2
            break
        s += i
    else:
        s += 1000
    return s


@case(4)
@case(12)
@case(60)
def while_else_with_return(n):
    k = 0
    while k < n:
        k += 3
        if k > 50:
            return -k
        if k == 12:
            break
        k += 1
    else:
        return k
    return k * 100


@case(3.0)
def while_true(x):
    k = 0
    while True:
        y = x / 2 + 1 / x
        if abs(y - x) < 1e-9:
            return y, k
        x = y
        k += 1


@case(3.0)
def while_true_first_break(x):
    while True:
        if x > 100:
            break
        x = x * x
    return x


@case(3.0)
def while_test_and_break(x):
    n = 0
    while n < 20:
        if x > 1000:
            break
        elif x < 4:
            x += 0.5
        n += 1
        x = x * 1.5
        if x == 0:
            continue
        n += 1
    return x, n


@case(7)
def else_of_inner_breaks_outer(n):
    found = 0
    for i in range(2, n):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            found += i
            if i == 5:
                break
            continue
        found += 100
    return found


@case(2.0)
def falls_off_the_end(x):
    if x > 3:
        return x


@case(2.0)
@case(-2.0)
def raise_ends_a_branch(x):
    if x > 0:
        y = x
    elif x < -5:
        raise ValueError(f"x is {x:.2f}")
    else:
        return -1.0
    return y * 2


@case(4)
def return_in_while_in_for(n):
    for i in range(n):
        k = i
        while k > 0:
            if k * k + i == 6:
                return k, i
            k -= 1
    return -1, -1


@case(4)
def break_in_both_branches(n):
    s = 0.0
    for i in range(n):
        if i < 2:
            s += 1
        else:
            if s > 1:
                s += 10
                break
            else:
                s += 100
                break
        s += 0.5
    return s


@case(0)
@case(3)
def zero_trips(n):
    i = -1
    for i in range(n):
        pass
    return i


@case(5)
def truthy_break(n):
    s = 0
    for i in range(n):
        s += i
        if s & 4:
            break
    return s


# ---------------------------------------------------------------- loops


@case(array(1.0, 2.0, 3.0), array(4.0, 5.0))
def heads_of_loops(x, y):
    s = 0.0
    for v in x:
        s += v * v
    for i, v in enumerate(x):
        s += i * v
    for k, v in enumerate(x[1:], 3):
        s += k * v
    for a, b in zip(x, y):
        s += a * b
    for i, (a, b) in enumerate(zip(x, x * 2)):
        s += i * a * b
    for v in reversed(x):
        s = s * 0.5 + v
    for i in reversed(range(2, 5)):
        s = s * 0.5 + i
    for i, j in enumerate(range(10, 3, -3)):
        s = s * 0.9 + i * j
    for v, k in zip(x, range(100)):
        s += v * k
    for i in reversed(range(7, 1, -2)):
        s = s * 0.5 + i
    return s


@case(array(1.0, 2.0, 3.0))
def loops_over_tuples(x):
    s = 0.0
    for c in COEFFICIENTS:
        s = s * x[0] + c
    for i, f in enumerate((math.sin, np.cos, lambda t: t * s)):
        s += f(x[i])
    for a, b in ((1, 2), (3, 4)):
        s += a * b
    pair = (x[0], x[1])
    for p in pair:
        s *= p
    for a, (i, b) in zip([1.0, 2.0], enumerate(pair)):
        s += a * b * i
    for f in CONFIG["activations"]:
        s = f(s)
    for w in WEIGHTS:
        s += w
    return s


@case(array(1.0, 2.0, 3.0))
def iterable_rebound_in_body(x):
    s = 0.0
    for v in x:
        x = x * 2
        s += v + x[0]
    return s


@case(array(1.0, 2.0, 3.0))
def index_rebound_in_body(x):
    s = 0.0
    for i, v in enumerate(x):
        i += 10
        s += i * v
    return s, i


@case(np.arange(6.0).reshape(2, 3))
def rows(A):
    s = 0.0
    for row in A:
        for i, v in enumerate(row):
            s += v * i
        row *= 2
    return s, A


@case(6)
def bounds_evaluated_once(n):
    s = 0
    for i in range(n):
        n -= 1
        s += n + i
    return s, n


@numba.njit
def jitted(n):
    s = 0.0
    for i in numba.prange(n):
        s += i
    return s


@case(4)
def calls_prange(n):
    return jitted(n)


# ---------------------------------------------------------------- assignments


@case(1.0, 2.0, array(1.0, 2.0, 3.0))
def parallel_assignments(u, v, a):
    u, v = v, u
    a[0], a[1] = a[1], a[0]
    u, (v, w) = v + 1, (u, v)
    u, a[2] = a[2], u
    i, a[1] = 2, 9.0
    i, a[i] = 0, 5.0
    (p, q), r = (a[0], a[1]), u
    p, q, r = r, p, q
    x = y = u * w
    b = c = a
    c[0] += x
    return u, v, w, p, q, r, x, y, b, i


@case(array(1.0, 2.0, 3.0))
def rebinding_tuple(x):
    p = (x[0], x[1])
    a, p = p
    n, = x.shape
    y, z, w = x
    t = (x[0] + 1, x[1])
    x, y = t
    return a, p, n, x, y, z, w


@case(np.arange(12.0).reshape(3, 4), np.array([0, 2, 0]))
def augmented(A, idx):
    i = 1
    A[i, i + 1] += 2
    A[idx[1]] *= 3.0
    A[:, 1:3] -= 1
    A[idx[i]][2] += 7
    A[idx] += 1.0
    A.T[0] /= 2
    k = 5
    k //= 2
    k **= 3
    k -= 1
    k %= 4
    k <<= 2
    A[np.argmax(A[:, 0])] += 1
    B = A
    B += 1
    return A, B, k


@case(array(1.0, 2.0, 3.0))
def stores(x):
    a = np.zeros(3)
    a.fill(2.0)
    np.copyto(a, x)
    np.multiply(a, x, out=a)
    a[...] = a + 1
    a[-1] = (y := a[0]) * 2
    del y
    return a


# ---------------------------------------------------------------- expressions


@case(0.5, 3)
@case(-0.5, 0)
def boolean_expressions(x, n):
    a = n and x
    b = n or x
    c = not n
    d = 0 < x * 2 < n
    e = n in (1, 2, 3)
    f = n not in [0, 5]
    g = x if n else -x
    h = (t := x * x) + t
    k = x is None, x is not None
    m = 1 < n <= 3 != x
    return a, b, c, d, e, f, g, h, k, m


@case(array(1.0, 2.0, 3.0))
def indices(x):
    m = x.reshape([3, 1])
    return x[[0, 2]], x[(1,)], m[:, 0], x[::-1], m[..., 0], x[None, :], x[-1], x[slice(0, 2)]


@case(array(1.0, 2.0, 3.0))
def constants(x):
    return (
        np.sum(WEIGHTS * x) * CONFIG["rate"] + SPACE.scale * SPACE.table[0] + SPACE.act(x[0]) + np.pi * math.e
        + CONFIG["activations"][0](x[1]) + len(COEFFICIENTS) + COEFFICIENTS[1] + WEIGHTS[2]
    )  # fmt: skip


@case(2.0, 3)
def starred(x, n):
    p = (x, n)
    return math.pow(*p) + max(*(x, n)) + sum((*p, 1))


@case(2.0)
def prints_and_fails(x):
    """Documented.

    In two paragraphs.
    """
    assert x > 0, f"{x!r:>10} {{}}"
    if x > 100:
        print(f"large {x}", x, end="\n", sep=" ")
    if x > 1000:
        raise ValueError
    x
    x + 1
    return x


# ---------------------------------------------------------------- calls


def twice(f, x):
    return f(f(x))


def make_power(n):
    def power(x):
        y = 1.0
        for _ in range(n):
            y = y * x
        return y

    return power


def summed(first, *rest, scale=1.0):
    for r in rest:
        first = first + r
    return scale * first


def grown(a):
    a[0] += 1
    return a[0]


def first_positive(x):
    for i in range(len(x)):
        if x[i] > 0:
            return x[i]
    return 0.0


class Model:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.sum(self.w * x) + self.bias()

    def bias(self, k=2):
        return k * self.w[0]


MODEL = Model(np.array([1.0, 2.0, 3.0]))
ADD_TEN = functools.partial(summed, 10.0, scale=2.0)


@case(2.0)
def functions_as_values(x):
    cube = make_power(3)
    square = make_power(2)
    f = cube
    y = f(x) + twice(square, x) + twice(lambda t: t + x, x)
    f = square
    y = y + f(x)
    if x > 0:
        g = math.sin
        z = g(x)
    else:
        g = math.cos
        z = g(x)
    return y + z + (lambda a, b=x: a * b)(y) + make_power(2)(x)


@case(array(1.0, 2.0, 3.0))
def objects(x):
    return MODEL(x) + MODEL.bias() + MODEL.bias(k=3) + ADD_TEN(x[0], x[1])


@case(2.0)
def rest_arguments(x):
    return summed(x) + summed(x, 1.0, x, scale=x) + summed(*(x, x))


@case(array(1.0, 2.0, 3.0))
def order_of_effects(a):
    s = a[0] + grown(a) * a[0] + a[0]
    a[1] = a[0] + grown(a)
    a[0] += grown(a)
    a[0:2] += grown(a)
    a[int(grown(a)) % 3] = grown(a)
    t = (a[0], grown(a), a[0])
    grown(a)
    u, v = a[0], grown(a)
    return s, t, a, u, v, np.array([a[0], grown(a)])


@case(array(-1.0, 2.0, 3.0))
@case(array(-1.0, -2.0, -3.0))
def lazy_calls(x):
    a = x.copy()
    if first_positive(x) > 1 and grown(a) > -1 and grown(a) > 0 or grown(a) < 100:
        a[1] += 1
    y = grown(a) if a[1] > 0 else first_positive(a)
    z = x[0] or first_positive(x) or grown(a)
    while grown(a) < 10 and first_positive(a) > 0:
        a[0] += 2
    while first_positive(a) < 20:
        a *= 2
        if a[0] == 0 or grown(a) < -50:
            break
        if a[0] < -10:
            return a, -1.0, -1.0
    return a, y, z


@case(3.0)
def closures_by_reference(x):
    y = 1.0

    def f(a):
        z = a * y
        return z + x

    s = f(2.0)
    y = 5.0
    s, y = s + y, f(s)
    z = 100.0
    for i in range(3):
        y = y + i

        def g(b, k=y):
            return b * k + y + z

        y = y * 2
        s += g(i)
    x = x + 1
    return s + f(1.0) + z


@case(3.0)
def nested_twice(x):
    def outer(a):
        b = a + x

        def inner(c):
            return c * b + a * x

        b = b * 2
        return inner(b) + inner(1.0)

    return outer(x) + outer(outer(2.0))


def pick(kind, x, f=None):
    if kind == "sin":
        return math.sin(x)
    if f is not None:
        return f(x)
    return x


@case(3.0)
def static_choices(x):
    return pick("sin", x) + pick("cos", x) + pick("cos", x, math.cos) + pick(kind="id", x=x, f=lambda t: -t)


def make_empty():
    def uses_empty_cell(x):
        return x * later

    if False:
        later = 1.0
    return uses_empty_cell


composed = functools.reduce(lambda f, g: lambda x: g(f(x)), [math.sin, math.cos, math.exp])
case(0.3)(composed)
first, second = (lambda x: x + 1.5), (lambda x: x + 2.5)
case(1.0)(first)
case(1.0)(second)
