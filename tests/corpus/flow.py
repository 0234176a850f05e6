"""Control flow: exits, loops over things, match, names that only some paths bind."""

import math
from enum import IntEnum

import numpy as np

from tests.corpus import normal, program


@program(normal(5), 0.7)
def break_in_for_else_in_while(x, y):
    s = 0.0
    k = 0
    while k < 4:
        for i in range(len(x)):
            if x[i] * y > 1.0:
                s += x[i]
                break
            s += x[i] ** 2 * y
        else:
            if k == 2:
                return s * y
            s = s + k * y
        k += 1
    return s


@program(normal(6), 1.3)
def store_then_return_in_branch(x, c):
    out = np.zeros(len(x))
    for i in range(len(x)):
        j = 0
        while True:
            j += 1
            if j > 3:
                break
            if x[i] > 1.5:
                out[i] = c * x[i]
                return np.sum(out * x)
            out[i] += x[i] * j
        else:
            out[i] = 100.0
    return np.sum(out**2) * c


@program(1.2, 0.4)
def dead_return_in_loop(x, y):
    for i in range(3):
        if False:
            return x
        y = y * x
    return y


@program(1.2, 0.4, 3)
def dead_return_by_constant(x, y, n, flag=0):
    for i in range(n):
        if flag:
            return x * i
        y = y * x
    return y


@program(1.2)
def always_return_in_loop(x):
    for i in range(5):
        return x * x
    return x


@program(1.2, 3)
def return_first_iteration_dynamic(x, n):
    for i in range(n):
        return x * x + i
    return x


@program(1.2, 0)
def zero_trip_loop_var_and_else(x, n):
    s = x
    for i in range(n):
        s = s * x
    else:
        s = s + x
    return s * s


@program(normal(3, 4))
def rows_of_matrix(A):
    s = 0.0
    for row in A:
        s += np.sum(row) ** 2
        for v in row:
            s += math.sin(v)
    return s


@program(normal(3, 4))
def rows_written(A):
    B = A * 2.0
    for k, row in enumerate(B):
        row[k] = row[k] ** 2
        row *= 1.5
    return np.sum(B * A)


@program(normal(4), normal(4), normal(3))
def zips_of_arrays(x, y, z):
    s = 0.0
    for a, b in zip(x, y):
        s += a * b * s + a
    for i, (a, b, c) in enumerate(zip(x, y, z)):
        s += a * b * c * i
    return s


@program(normal(4), normal(4))
def reversed_slices(x, y):
    s = 1.0
    for a, b in zip(x[::-1], reversed(y)):
        s = s * 0.5 + a * b
    for i, a in enumerate(x[1:], 1):
        s += a * y[i]
    for i, a in enumerate(x, start=2):
        s += a * i
    return s


@program(0.6, 1.3)
def loop_over_functions(x, y):
    s = 0.0
    for f in (math.sin, math.cos, lambda t: t * t):
        s += f(x) * y
    for f, c in [(np.exp, 2.0), (np.tanh, y)]:
        s += f(c * x)
    return s


@program(normal(3), normal(4), 0.5)
def loop_over_arrays_of_a_tuple(x, y, c):
    s = 0.0
    for v in (x, y, x[1:]):
        s += np.sum(v**2) * c
    for k, v in enumerate([x, y]):
        s += np.sum(v) * (k + 1)
    return s


@program(0.7, 1.1)
def loop_over_list_display_with_break(x, y):
    s = 0.0
    for w in [0.5, 1.5, 2.5]:
        if w * x > 1.5:
            break
        s += w * x * y
    else:
        s = 100.0 * x
    return s


@program(0.7, 1.1)
def loop_over_tuple_with_continue(x, y):
    s = y
    for a, b in ((x, y), (y, x), (x * y, 1.0)):
        if a < b:
            continue
        s = s * a + b
    return s


@program(0.7, 1.1)
def loop_over_tuple_with_return(x, y):
    s = y
    for a in (x, y, x * y):
        if a > 1.0:
            return s * a
        s += a**2
    return s


@program(normal(8), 6)
def negative_steps(x, n):
    s = 1.0
    for i in range(n, 0, -1):
        s = s * 0.9 + x[i] * s
    for i in range(7, -1, -3):
        s += x[i] * s
    for i in range(n, n):
        s += x[0]
    return s * i


@program(normal(6), 3)
def bounds_computed_by_loop(x, n):
    s = 0.0
    m = n
    for i in range(m):
        m = m + 1
        for j in range(i, m - i):
            s += x[j % 6] * x[i] * j
    for i in range(m):
        s = s + x[i % 6] ** 2
    return s * m


@program(normal(5))
def loop_variable_after_and_rebound(x):
    s = 0.0
    for i in range(4):
        s += x[i]
        i = i + 1
        s += x[i] ** 2
        i = 0.5 * s
        s += i * x[0]
    return s * i


@program(normal(5), 3)
def loop_variable_after_break(x, n):
    for i in range(5):
        if i == n:
            break
    return x[i] ** 2 * i


@program(1.5, 2)
def name_bound_in_one_branch(x, n):
    if n > 1:
        y = x * x
    if n > 1:
        return y * x
    return x


@program(1.5, 0.3)
def name_bound_in_one_branch_dynamic(x, c):
    if x > 1:
        y = x * x
    if x > 1:
        return y * c
    return x


@program(1.5, 0.3, 4)
def name_bound_in_loop_only(x, c, n):
    for i in range(n):
        if i == 0:
            t = x * c
        else:
            t = t * x + c
    return t


@program(normal(4), 0.5)
def shadowed_builtins_and_modules(x, y):
    len = x[0] * y
    max = len * 2
    range = np.sum(x * max)
    math = range * y
    sum = math + len
    return sum * range


@program(0.8, 1.2)
def walrus_everywhere(x, y):
    s = 0.0
    if (t := x * y) > 0.5 and (u := t * 2) < 5:
        s += u * t
    while (d := s - 3.0) < 0:
        s += (e := x * 0.7) + e * y
    s += math.sin(z := d * y) * z
    return s + (w := t) * w


@program(0.8, 1.2)
def del_and_pass(x, y):
    t = x * y
    if t > 0:
        pass
    u = t * t
    del t
    t = u + x
    del u, x
    return t * y


@program(0.8, 2)
def match_on_constants(x, kind):
    match kind:
        case 0:
            y = x
        case 1 | 2:
            y = x * x
        case -1:
            return x
        case k if k > 5:
            y = x * k
        case _:
            y = 3 * x
    return y * x


@program(normal(3), 1.3)
def match_on_sequence(x, y):
    p = (y, x[0], 2.0)
    match p:
        case (a, b):
            return a * b
        case (a, b, c) if a > 5:
            return a
        case (a, b, c):
            return a * b * c
    return y


@program(1.3, 0.4)
def match_float_value(x, y):
    n = int(x * 3)
    match n:
        case 1:
            return x * y
        case 3:
            z = y**2
        case other:
            z = other * y
    match (n, True):
        case (3, True):
            z *= x
        case [_, False]:
            z = 0.0
    return z * x


@program(1.3, 0.4)
def try_finally(x, y):
    s = x * y
    try:
        s = s * x
        s += math.sin(y)
    finally:
        s = s + 1.0
    return s * s


@program(1.3, 0.4)
def raise_in_branch(x, y):
    if x < 0:
        raise ValueError(f"x must be positive, not {x}")
    elif y > 10:
        raise RuntimeError("too big: %g" % y)
    assert x > y, f"{x} {y:.3f}"
    s = x
    while True:
        s = s * x
        if s > 100:
            raise OverflowError
        if s > 5:
            return s * y


@program(1.3, 0.4)
def nested_conditionals(x, y):
    a = x if x > y else y if y > 0 else -y
    b = (x * y if y < 0.1 else x) if x > 1 else (y if x < 0 else x**2)
    c = (a, b) if a > b else (b, a)
    return a * b + c[0] * 2 + (0.0 if c[1] else x)


@program(1.3, 0.4)
def chained(x, y):
    s = 0.0
    if 0 < y < x < 2 != 3:
        s += x * y
    if 0 < y <= 0.1 < x or not x > 1 > y:
        s += x
    if x == x == x and y is not None:
        s += y * y
    return s


@program(normal(4), 0.3, 3)
def builtins_galore(x, c, n):
    a = min(x[0], x[1], c) * max(c, 0.1)
    b = sum(x) + sum((c, x[1], 2.0)) + sum([c * c, x[0]], 1.5)
    d = max(x) * min(x)
    e = abs(x[0]) + round(c) + round(c, 2) * 0 + pow(c, 2) + pow(abs(x[2]), c)
    q, r = divmod(c * 7, 2.0)
    f = float(n) * c + int(c) + bool(c) * c + r * q
    return a + b + d + e + f + len(x) * c


@program(1.3, 3)
def isinstance_checks(x, n):
    if isinstance(x, float):
        x = x * 2
    if isinstance(n, int) and not isinstance(x, np.ndarray):
        x = x * n
    if isinstance(x, (list, tuple)):
        x = x[0]
    return x * x


@program(1.3, 0.4)
def prints_and_fstrings(x, y):
    name = f"value {x:.2f}"
    if x > 100:
        print(f"{x=} and {y!r:>10}", name, sep=", ")
        print("x = %s" % x, "y = {}".format(y))
    return x * y


@program(normal(3), 0.5)
def errstate(x, y):
    with np.errstate(all="ignore"):
        s = np.sum(np.sqrt(x * x + 1)) * y
        with np.errstate(divide="ignore"):
            s = s / y
    return s * s


COUNT = 3


CONFIG = {"scale": 2.5, "n": 2}


class Kind(IntEnum):
    A = 1
    B = 2


@program(1.3, 0.4)
def nonlocal_reads(x, y):
    c = x * 2
    def f(t, s=y):
        nonlocal c
        return t * c * s
    def g(t, k=3, *, m=c):
        return f(t) * k + m
    c = c + 1
    h = lambda u, v=c: u * v
    return f(x) + g(y) + g(y, 2, m=1.0) + h(x) + h(y, 2.0)


@program(1.3, 0.4)
def annotations(x: float, y: float) -> float:
    """Doc."""
    a: float = x * y
    b: "float"
    b = a + 1
    "a string statement"
    ...
    c: int = 3
    3.0
    return a * b * c


@program(normal(4), 0.5)
def loops_in_branches_in_loops(x, y):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            for j in range(i):
                if x[j] > x[i]:
                    continue
                s += x[i] * x[j]
                if s > 5:
                    return s * y
        else:
            k = i
            while k >= 0:
                if x[k] > 0.2:
                    break
                s -= x[k] * y
                k -= 1
            else:
                continue
            s *= y
        s += x[i]
    return s


@program(0.5, 1.5)
def while_true_exits_in_middle(x, y):
    n = 0
    while True:
        x = x * y
        n += 1
        if x > 10:
            break
        if n > 20:
            return x
        y = y + 0.1 * x
        if y > 100:
            continue
        x += 0.5
    return x * y + n


@program(normal(4), 2.0)
def return_tuple_from_loop(x, c):
    best, arg = x[0], 0
    for i, v in enumerate(x):
        if v > best:
            best, arg = v, i
    def inner(v):
        for k in range(4):
            if v * k > 1:
                return v, k
        return v * 2, -1
    a, k = inner(c)
    return best * x[arg] + a * k
