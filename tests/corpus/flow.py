"""Control flow: exits, loops over things, match, names that only some paths bind."""

import math
import sys
from enum import IntEnum

import numpy as np

from tests.corpus import normal, program, uniform


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


@program(normal(4), normal(4), tags="nojit")
def reversed_slices(x, y):
    s = 1.0
    for a, b in zip(x[::-1], reversed(y)):
        s = s * 0.5 + a * b
    for i, a in enumerate(x[1:], 1):
        s += a * y[i]
    for i, a in enumerate(x, start=2):
        s += a * i
    return s


@program(0.6, 1.3, tags="nojit")
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


@program(0.8, 1.2, tags="nojit")
def walrus_everywhere(x, y):
    s = 0.0
    if (t := x * y) > 0.5 and (u := t * 2) < 5:
        s += u * t
    while (d := s - 3.0) < 0:
        s += (e := x * 0.7) + e * y
    s += math.sin(z := d * y) * z
    return s + (w := t) * w


@program(0.8, 1.2, tags="nojit")
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


@program(normal(3), 1.3, tags="nojit")
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


@program(1.3, 0.4, tags="nojit")
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


@program(1.3, 0.4, tags="nojit")
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


@program(1.3, 3, tags="nojit")
def isinstance_checks(x, n):
    if isinstance(x, float):
        x = x * 2
    if isinstance(n, int) and not isinstance(x, np.ndarray):
        x = x * n
    if isinstance(x, (list, tuple)):
        x = x[0]
    return x * x


@program(1.3, 0.4, tags="nojit")
def prints_and_fstrings(x, y):
    name = f"value {x:.2f}"
    if x > 100:
        print(f"{x=} and {y!r:>10}", name, sep=", ")
        print("x = %s" % x, "y = {}".format(y))
    return x * y


@program(normal(3), 0.5, tags="nojit")
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


@program(1.3, 0.4, tags="nojit")
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


@program(normal(4), normal(4), tags="nojit")
def reversed_forms(x, y):
    s = 1.0
    for a in reversed(x):
        s = s * 0.5 + a * s
    for i in reversed(range(1, len(y))):
        s = s * y[i] + y[i - 1]
    for i, a in reversed(list(enumerate(x))):
        s += i * a * s
    return s


@program(normal(4), 3)
def int_to_float_to_array(x, n):
    s = 0
    for i in range(n):
        s = s + x[i]
    r = s
    r = r * x
    if isinstance(n, int):
        r = np.sum(r)
    return r * r


@program(normal(4), tags="nojit")
def zero_becomes_array(x):
    s = 0
    for i in range(4):
        s = s + x * x[i]
    return np.sum(s * s)


@program(normal(3, 4), tags="nojit")
def zero_becomes_array_in_loop_over_rows(A):
    total = 0.0
    for row in A:
        total += row * row[0]
    return np.sum(total**2)


@program(0.8, "cube")
def match_on_strings(x, kind):
    match kind:
        case "square":
            return x**2
        case "cube" | "third":
            return x**3
    return x


@program(1.3, 0.2, 0.7)
def boolean_operators_on_values(x, y, z):
    a = y or x
    b = x and z
    c = y and x
    d = x or z
    e = x and 1.0
    return a * b + c * x + d * z + e * z + (y or 2.0) * z + (None or x) * (x and z and 3 * x)


@program(normal(4), 0.3, tags="nojit")
def any_all(x, c):
    s = 0.0
    if any(x > 0):
        s += x[0] * c
    if all(v < 10 for v in x):
        s += c * c
    if any(x[i] > 100 for i in range(4)) or np.all(x > -100):
        s += x[1] * c
    if all((c > 0, x[0] < 50)):
        s += c
    if not any([c < 0, x[0] > 100]):
        s += x[2]
    return s


@program(1.3, 0.7, 0.2, tags="nojit")
def star_unpacking(x, y, z):
    a, *b = (x, y, z)
    *c, d = b
    e, *f, g = (x * y, *b, d)
    return a * b[0] + c[0] * d + e * f[1] * g + len(b) * x


@program(normal(5), normal(5), 5, tags="nojit")
def generator_expressions(x, w, n):
    s = sum(x[i] * w[i] for i in range(n))
    t = sum(a * b for a, b in zip(x, w))
    u = max(a * a for a in x)
    v = min(x[i] * s for i in range(1, n - 1))
    q = sum(x[i] * x[j] for i in range(n) for j in range(i) if i != j + 1)
    return s * t + u * v + q + sum(i * a for i, a in enumerate(x) if a > 0)


@program(normal(5), 4, tags="nojit")
def generator_nested(x, n):
    a = np.array([x[i] ** 2 for i in range(n)])
    b = np.array([[x[i] * x[j] for j in range(3)] for i in range(n)])
    c = sum(sum(b[i, j] for j in range(3)) * a[i] for i in range(n))
    return c + np.sum(b * b)


@program(0.7, 1.1, tags="nojit")
def comprehension_known(x, y):
    ts = [t * t for t in (x, y, x * y)]
    us = tuple(math.sin(t) for t in (x, x * y, y))
    a, b, c = [u * x for u in us]
    return sum(ts) + us[0] * us[2] + a * b * c + max([u * y for u in us])


@program(0.7, 1.1, tags="nojit")
def generator_with_walrus(x, y):
    s = sum((t := x * k) * t for k in range(4))
    return s * t + y


@program(1.3, 0.4, tags="nojit")
def global_reads(x, y):
    global COUNT
    k = Kind.B
    return x * COUNT + y * CONFIG["scale"] ** CONFIG["n"] + k * x * y


@program(normal(4))
def range_list_tuple(x):
    s = 0.0
    for i in list(range(4)):
        s += x[i] * i
    for i in (0, 2):
        s += x[i] ** 2
    for i in [1, 3][::-1]:
        s = s * x[i]
    return s


@program(normal(4), tags="nojit")
def map_and_filter(x):
    s = sum(map(lambda t: t * t, x))
    t = sum(map(math.sin, (x[0], x[1])))
    return s * t


@program(normal(4))
def len_of_tuples(x):
    t = (x[0], x[1], x[2])
    s = 0.0
    for i in range(len(t)):
        s += t[i] * (i + 1)
    return s / len(t)


@program(0.7, 1.1)
def tuple_items_change_in_loop(x, y):
    s = 0.0
    for a in (x, y, x * y):
        y = y + a * a
        s = s * a + y
    return s


@program(normal(4), 1.1)
def tuple_items_read_array_written(x, y):
    s = 0.0
    b = x.copy()
    for a in (b[0], np.sum(b), b[1] * y):
        b[1] = a * y
        b[0] += 1.0
        s = s * a + b[1]
    return s


@program(normal(6), 4, tags="nojit")
def enumerate_range_with_rebound_bounds(x, n):
    s, a = 0.0, 1
    for k, i in enumerate(range(a, n)):
        a = 100
        n = 0
        s += x[i] * (k + 1)
    for k, i in enumerate(reversed(range(0, 5, 2))):
        s += x[i] * s * k
    return s + a * x[0] + n


@program(normal(6), 5, tags="nojit")
def reversed_range_with_rebound_bounds(x, n):
    s = 1.0
    for a, i in zip(x, reversed(range(1, n, 2))):
        n = 1
        s = s * a + x[i]
    for v in reversed(x):
        x = x * v
        s += np.sum(x)
    return s


@program(normal(3), 1.5, tags="nojit")
def zip_of_tuple_and_array(x, y):
    s = 0.0
    for w, v in zip((0.5, y, 2.0), x):
        s = s * w + v
    for f, v in zip((math.sin, math.cos, math.tanh, math.exp), x):
        s += f(v)
    for k, (w, v) in enumerate(zip(x, [y, y * y])):
        if w > 10:
            break
        s += k * w * v
    return s


@program(normal(5), tags="nojit")
def map_in_loop(x):
    s = 0.0
    for v in map(math.sin, x):
        s += v * v
    for a, b in zip(map(lambda t: t * t, x), x[::-1]):
        s += a * b
    for v in map(lambda a, b: a * b, x, reversed(x)):
        s = s * v
    return s


@program(normal(5), tags="nojit")
def list_of_things_in_loop(x):
    s = 0.0
    for i in list(range(4)):
        s += x[i] * i
    for i, a in reversed(list(enumerate(x))):
        s += i * a * s
    for a, b in list(zip(x, x[1:])):
        s += a * b
    return s


@program(normal(3, 4))
def array_rebound_while_looped_over(A):
    s = 0.0
    for row in A:
        A = A * 2.0
        s += np.sum(row * A[0])
    return s


@program(normal(3, 4))
def array_written_while_looped_over(A):
    B = A.copy()
    s = 0.0
    for i, row in enumerate(B):
        if i < 2:
            B[i + 1] += row * 0.5
        s += np.sum(row**2)
    return s


@program(0.5)
def loop_over_string(x):
    s = x
    for c in "abba":
        if c == "a":
            s = s * x
        else:
            s = s + math.sin(x)
    return s


@program(normal(4), 1.5)
def flags_and_or_values(x, y):
    done = False
    s = 0.0
    for v in x:
        done = done or v > 2
        ok = not done and y > 0
        if ok:
            s += v * y
    t = (s or 1.0) * (0 or y)
    u = (s and y) + (y and s and x[0])
    w = x[0] > 0 or x[1] > 100
    return t + u * s + w * y + (y if (s or y) else 2 * y)


@program(1.5, 0.4)
def or_with_side_effects(x, y):
    def f(t):
        if t > 1:
            return 0.0
        return t * t
    return (f(x) or y) * x + (f(y) or y) + (f(y) and f(x))


@program(normal(3, 4), tags="nojit")
def sums_of_rows(A):
    t = 0.0
    for row in A:
        t = t + row
    u = sum(A)
    v = 0
    for i in range(3):
        v += A[i] * A[i]
    return np.sum(t * t * u) + np.sum(v * u)


@program(normal(4), normal(4), 3, tags="nojit")
def scalar_start_of_vector_sum(x, y, n):
    acc = 0
    k = 0
    while k < n:
        acc = acc + x * y * (k + 1)
        k += 1
    return np.sum(np.sin(acc))


@program(normal(4), normal(3, 4))
def dead_return_of_array(x, A):
    flag = False
    for row in A:
        if flag:
            return row * 1.0
        x = x * row
    return np.sum(x)


@program(0.7, normal(3))
def known_to_be_false_behind_a_test(x, v, scale=None):
    y = x * v[0]
    if y < 1e7 and scale is not None and v[1] < 5.0:
        y = y / scale
    return y * v[2] * (x / scale if x > 0.0 and scale is not None else 1.0)


@program(normal(4), 5, 0.3)
def dead_returns_nested(x, n, c, verbose=False, tol=None):
    s = 0.0
    for i in range(n):
        for j in range(3):
            if verbose:
                return x[j]
            while s > 100:
                if tol is not None:
                    return s * tol
                s *= 0.5
            s += x[j] * c
        if tol is not None and s < tol:
            return s
    return s


@program(normal(4), 0.3)
def return_always_taken_nested(x, c):
    for i in range(4):
        for j in range(2):
            if True:
                return x[i] * x[j + 1] * c
        s = x[i]
    return c


@program(normal(4), 0.3)
def return_in_while_true_dead_after(x, c):
    while True:
        c = c * 2
        if c > 1:
            return c * x[0]
        else:
            continue
        return x
    return np.zeros(3)


@program(normal(4), 0.3)
def return_arrays_from_branches(x, c):
    def pick(v, t):
        for i in range(len(v)):
            if v[i] > t:
                return v * t
            elif v[i] < -5:
                return v
        return np.zeros(4)
    return np.sum(pick(x, c) * x) + np.sum(pick(x, 50.0)) + np.sum(pick(x, -10.0) ** 2)


@program(1.5, 0.4)
def return_none_helper(x, y):
    def check(t):
        if t < 0:
            raise ValueError("negative")
        return
    def log(t):
        pass
    check(x)
    log(y)
    return x * y


@program(0.4, 1.5)
def finally_with_returns(x, y):
    s = 0.0
    for i in range(5):
        try:
            if i * x > 0.7:
                break
            if i == 1:
                continue
            s += x
            if s > 100:
                return s
        finally:
            s *= y
    try:
        return s * x
    finally:
        s = 0.0


@program(0.4, 1.5, tags="nojit")
def try_that_reraises(x, y):
    try:
        z = math.log(x * y + 2)
        if z < -5:
            raise ValueError("bad")
    except ZeroDivisionError as e:
        raise ValueError("cannot") from e
    except (TypeError, OverflowError):
        raise RuntimeError("also not")
    else:
        z = z * 2
    finally:
        y = y * z
    return y * x


@program(1.2, 0.3, tags="nojit")
def match_class_patterns(x, y):
    match x:
        case int():
            return y
        case float(v) if v > 100:
            return v
        case float() | int():
            z = x * y
        case _:
            z = 0.0
    return z


@program(1.2, 0.3, tags="nojit")
def match_stars(x, y):
    t = (x, y, x * y, 2.0)
    s = 0.0
    match t:
        case (a, *rest, 3.0):
            s += 100 * a
        case (a, *rest, 2.0) if a < 0:
            s += 50 * a
        case [a, *rest, b]:
            s += a * rest[0] * rest[1] * b
    match (bool(x > 1), bool(y > 1)):
        case (True, True):
            s *= 2
        case (True, False):
            s *= x
        case (False, _):
            s *= y
    return s


@program(1.2, 2)
def match_in_loop_with_exits(x, n):
    s = 0.0
    for i in range(6):
        match i:
            case 0:
                continue
            case 1 | 2:
                s += x
            case k if k == n + 3:
                break
            case 4:
                return s * x * k
            case _:
                s = s * x
    return s


@program(1.2, 0.4, tags="nojit")
def match_on_function_result(x, y):
    def minmax(a, b):
        if a < b:
            return a, b
        return b, a
    match minmax(x, y):
        case (a, b) if a > b:
            return a
        case (a, b):
            return a**2 * b
        case (a, b, c):
            return c
    return 0.0


@program(1.2, None, tags="nojit")
def match_none(x, opt):
    match opt:
        case None:
            return x * x
        case float():
            return x * opt
        case _:
            return opt


@program(1.2, 0.7, tags="nojit")
def star_forms(x, y):
    t = (x, y, x * y)
    first, *rest = t
    *init, last = rest
    def pair(u):
        return u, u * u, 2.0
    p, *q = pair(first)
    *q2, r = pair(last)
    (a, *b), c = (x, y, 1.0), 3.0
    f = lambda u, v, w: u * v + w
    return f(*t) * init[0] + q[0] * q2[1] * r * p + a * b[0] * c + f(x, *rest)


@program(normal(4), 3, tags="nojit")
def text_in_primal(x, n):
    """Text that goes nowhere, or into messages."""
    name = f"x{n}"
    msg = "n is %d" % n
    label = "a" if isinstance(n, int) else "b"
    if n > 100:
        print(name, msg, f"{x[0]:.3f} {np.sum(x):>8.2e}", end="\n")
        raise ValueError(msg)
    if label == "a":
        return x[0] ** 2
    return x[1]


@program(0.7, 1.1)
def loop_over_tuple_from_function(x, y):
    def make(a, b):
        return a * b, a + b, 2.0
    s = 0.0
    for v in make(x, y):
        s = s * v + v
    t = make(y, s)
    for i in range(len(t)):
        if t[i] > 1.9:
            s += t[i] * i
        else:
            s *= t[i]
    return s


@program(normal(3), normal(3, 3), 0.5, tags="nojit")
def mixed_types_in_tuple(x, A, c):
    def parts():
        return x, A, c
    s = 0.0
    for i, p in enumerate(parts()):
        s += np.sum(p * p) * (i + 1)
    return s


@program(normal(3), 1.1)
def break_in_loop_over_returned_tuple(x, y):
    def make(a):
        return a, a * a, a + 1.0, -a
    s = 0.0
    for v, k in zip(make(y), (1, 2, 3, 4)):
        if v < 0:
            break
        if k == 2:
            continue
        for w in make(x[0]):
            if w > 50:
                return w
            s += v * w * k
    else:
        s = 100.0
    return s


@program(normal(3), 1.1)
def zip_returned_tuple_and_array(x, y):
    def make(a):
        return a, a * a, a + 1.0, -a
    s = 0.0
    for v, w in zip(make(y), x):
        s = s * v + w
        if s > 100:
            break
    return s + v


@program(0.6)
def nested_tuples_by_index(x):
    def table(t):
        return ((t, t * t), (1.0, math.sin(t)))
    m = table(x)
    s = 0.0
    for i in range(2):
        for j in range(2):
            s += m[i][j] * (i + 2 * j + 1)
            if i == j == 1:
                s *= x
    return s


@program(normal(5), 0.8, tags="nojit")
def max_of_everything(x, c):
    a = max(v * c for v in x)
    b = min((v - c) ** 2 for v in x if v > -10)
    d = max((abs(v) for v in x), default=0.0)
    e = max((v for v in x if v > 100), default=c * c)
    f = max(range(5), key=lambda i: x[i] * c)
    b += min(x[1], c, x[2], key=lambda v: v * v)
    g = max([x[0] * c, x[1], c], key=abs)
    h = min(x[i] * x[j] for i in range(4) for j in range(i + 1, 5))
    return a * b + d * e + x[f] ** 2 * g + h


@program(normal(5), 0.8, tags="nojit")
def items_named_like_what_is_looped_over(x, i):
    s = sum(x for x in x)
    t = sum(i * v for i, v in enumerate(x)) * i
    y = [x * i for x in (i, s, t)]
    return s * t + y[0] * y[2]


@program(normal(3, 4), normal(4), tags="nojit")
def matrix_as_nested_generators(A, w):
    z = np.array([sum(a * b for a, b in zip(row, w)) for row in A])
    B = np.array([[A[i, j] * z[i] for j in range(4)] for i in range(3)])
    n = math.sqrt(sum(b * b for row in B for b in row))
    return n * max(sum(abs(v) for v in row) for row in A)


@program(normal(6), 0.3)
def filtered_arrays(x, c):
    pos = np.array([v * c for v in x if v > 0])
    neg = np.array([-v for v in x if v < 0 if v > -100])
    return np.sum(pos**2) + np.sum(np.exp(neg)) + len(pos) * c


@program(normal(6), 0.3, tags="nojit")
def any_all_in_conditions(x, c):
    s = 0.0
    k = 0
    while not any(v * s > 1.5 for v in x) and k < 10:
        s += sum(v * v for v in x) * c
        k += 1
    if all(abs(v) < 10 for v in x) and s > 0:
        s = s * c
    return s if any(x[i] > x[i + 1] for i in range(5)) else -s


@program(normal(6), 0.3, tags="nojit")
def lazily_guarded_generator(x, c):
    n = 0
    t = c and sum(x[i] / (i + 1) for i in range(6))
    u = 1.0 if n == 0 else sum(x[i] / n for i in range(6))
    return t * u * c


@program(normal(4), tags="nojit")
def comprehension_of_functions(x):
    fs = [lambda t, k=k: t**k for k in (1, 2, 3)]
    gs = [math.sin, math.cos]
    s = 0.0
    for f in fs:
        s += f(x[0])
    for g, v in zip(gs, x):
        s += g(v) * v
    return s + sum(f(x[1]) for f in fs) + fs[2](x[2])


@program(normal(4), 0.4)
def nested_functions_with_loops(x, c):
    total = 0.0
    def inner(v, k):
        for i in range(k):
            if v * i > 2.0:
                return v * i
            v = v + c
        else:
            v = v * c
        return v
    for k, v in enumerate(x):
        total += inner(v, k) * inner(total, 2)
    return total


@program(normal(4), 0.4, tags="nojit")
def return_in_comprehended_helper(x, c):
    def f(v):
        if v > 0:
            return v * c
        return -v
    return sum(f(v) for v in x) * max(f(v) for v in x) + np.sum(np.array([f(v) * f(c) for v in x]))


@program(normal(4), 0.4)
def chained_assignments_in_loops(x, c):
    a = b = 0.0
    for i in range(4):
        a, b = b + x[i], a * c
        if i % 2:
            a = b = a * b + 1
        elif a > 3:
            (a, b), d = (b, a), c
        else:
            d = a
            c += d
    return a * b + c


@program(normal(5, 3))
def early_exit_of_nested_loops(A):
    n, m = A.shape
    found = False
    for i in range(n):
        for j in range(m):
            if A[i, j] > 1.2:
                found = True
                break
        if found:
            break
    else:
        i, j = 0, 1
    best = A[i, j] ** 2
    for row in A:
        for v in row:
            if v < -0.5:
                best += v
                continue
            if v > 1.0:
                break
            best *= 1.0 + 0.1 * v
        else:
            best += 1.0
            continue
        best *= 0.5
    return best


@program(1.7, 0.6)
def while_else_with_return_and_store(x, y):
    out = np.zeros(3)
    k = 0
    while k < 3:
        j = k
        while True:
            if j > 4:
                break
            out[k] += x * j
            j += 1
            if out[k] > 8:
                return np.sum(out) * y
            if j == 3:
                continue
            out[k] *= y
        else:
            return 0.0
        k += 1
    else:
        out[0] = out[1] * out[2]
    return out[0] + out[2]


@program(normal(4), 3)
def index_loops_backwards_with_exit(x, n):
    s = 0.0
    for i in range(len(x) - 1, -1, -1):
        for j in range(i, n - 5, -2):
            if j < 0:
                break
            s += x[j] * (i - j + 1)
            if s > 3:
                return s * x[i]
        s *= 0.9
    return s


@program(1.3, 0.4, tags="nojit")
def try_in_loop_with_exits(x, y):
    s = 0.0
    for i in range(4):
        try:
            s += x**i
            if s > 3:
                break
        except ZeroDivisionError:
            raise
        finally:
            s *= y + 1
    else:
        s = 0.0
    return s


@program(1.3, 0.4, tags="nojit")
def with_in_loop(x, y):
    s = 0.0
    for i in range(4):
        with np.errstate(divide="ignore", invalid="ignore"):
            if i == 2:
                continue
            s += x / (i + y)
            if s > 100:
                return s
    return s


@program(1.3, 0.4, 2)
def int_and_float_joins(x, y, n):
    a = 0
    if x > 1:
        a = 1
    else:
        a = 0.5
    b = n
    for i in range(n):
        b = b * x if i > 0 else b
    c = 1 if y > 1 else x
    d = 0
    while d < 3:
        d = d + y * 2
    e = n // 2
    e /= 3
    f = True
    if y > 0.1:
        f = y
    return a * b * c + d * e + f * x


@program(1.3, 0.4)
def bool_counts(x, y):
    n = 0
    n += x > 1
    n += y > 1
    k = (x > 0) + (y > 0) * 2
    return x**n * y * k


@program(normal(4), tags="nojit")
def shadowing_in_many_ways(x):
    def sum(v):
        s = 1.0
        for a in v:
            s = s * a
        return s
    abs = lambda t: t * t * t
    list = (x[0], x[1])
    for print in list:
        x = x * print
    id = abs(x[2])
    type, *input = x[0], x[1], x[3]
    return sum(x) * id + type * input[1]


@program(0.4, 1.1, tags="nojit")
def walrus_in_odd_places(x, y):
    if (a := x * y) > 10 or (b := a + y) > 0.5:
        a = a * b
    c = [(t := x + k) * t for k in range(3)][-1] * t
    d = (e := a * 2) + e * (f := e + c)
    g = max((h := d * 0.1), h * h) if (i := x) else 0.0
    s = 0.0
    while (s := s + y) < 3 and (m := s * x) < 2:
        s += m
    return c + d * f + g * i + s * m


@program(0.4, 1.1, tags="nojit")
def default_arguments_bound_early(x, y):
    z = x * y
    def f(t, z=z, *, w=z * 2):
        return t * z + w
    z = 100.0 * x
    g = lambda t, z=z: t + z
    return f(y) + f(y, 2.0) + g(x) + f(x, w=z)


@program(0.4, 1.1)
def conditional_chain(x, y):
    def kind(t):
        return 0 if t < 0.3 else 1 if t < 0.8 else 2
    table = (x, x * y, y**2)
    k = kind(x)
    v = table[0] if k == 0 else table[1] if k == 1 else table[2]
    w = (x if y > 2 else y) if x > 0 and not y < 0 else 0.0
    return v * w * (1 if k else 2) * (k or 3)


@program(normal(4), 0.7)
def ternaries_of_arrays(x, c):
    a = x if c > 0.5 else x * 2
    b = x[1:] if c > 1 else x[:-1]
    d = np.zeros(3) if c < 0 else b * c
    e = (a, b) if c > 0 else (b, a)
    return np.sum(a) + np.sum(b * d) + np.sum(e[0]) * c


@program(normal(3), normal(4))
def loop_over_arrays_of_other_lengths(x, y):
    s = 0.0
    for v in (x, y):
        for a in v:
            s += a * s + 1.0
        w = v * 2
        if len(w) > 3:
            break
        s += np.sum(w[::-1] * v)
    return s + np.sum(w)


@program(normal(4), 1.5, tags="nojit")
def del_in_loops(x, c):
    s = 0.0
    for v in x:
        t = v * c
        s += t
        del t
    t = s
    del s
    s = t * t
    return s


@program(normal(4), tags="nojit")
def sums_of_arrays_in_generators(x):
    a = sum(x * v for v in x)
    b = sum((x[i:i + 2] * x[i] for i in range(3)), np.zeros(2))
    c = sum([x, x * x], x)
    return np.sum(a * c) + np.sum(b)


@program(normal(4), 2, tags="nojit")
def ranges_with_conditions_and_products(x, n):
    p = math.prod(x[i] + 3 for i in range(1, 4))
    q = math.fsum(v * v for v in x)
    r = sum(1 for v in x if v > 0)
    s = sum(map(lambda a, b: a * b, x, x[::-1]))
    t = sum(x[i] for i in range(0, 4, n)) + sum(range(n)) * x[0]
    return p * q + r * s + t


@program(normal(4), 1.2, tags="nojit")
def assertions_and_messages(x, c):
    assert c > 0, "positive"
    assert all(v < 100 for v in x), f"{x} too large"
    assert len(x) == 4 and x.ndim == 1
    if not np.all(np.isfinite(x)):
        raise ValueError("not finite: " + str(c))
    for v in x:
        if v > 1e6:
            raise OverflowError(f"{v:.3e} at {c}")
        assert v != 12345.0
    return np.sum(x) * c


@program(normal(5))
def best_is_none_at_first(x):
    best = None
    for i in range(5):
        if best is None or x[i] > best:
            best = x[i]
    return best * best


@program(normal(5), 0.4, tags="nojit")
def none_then_array_and_break(x, c):
    last, k = None, None
    for i, v in enumerate(x):
        if last is None:
            last = x * v
            k = i
        elif v > 5:
            break
        else:
            last = last * c + x
            k = k + i
    return np.sum(last) * k


@program(normal(5), 0.4, 4)
def previous_value_or_none(x, c, n):
    prev = None
    s = 0.0
    for i in range(1, n):
        if prev is not None:
            s += (x[i] - prev) ** 2 * c
        prev = x[i]
    return s


@program(normal(5), 0.4)
def none_with_flag(x, c):
    prev = None
    for v in x:
        if prev is not None and abs(v - prev) > 1.5:
            break
        prev = v * c
    return prev * c


@program(normal(5), 0.4, 1)
def previous_value_zero_trips(x, c, n):
    prev = None
    s = c
    for i in range(1, n):
        if prev is not None:
            s += (x[i] - prev) ** 2 * c
        prev = x[i]
    return s * x[0]


@program(1.3, 3, tags="nojit")
def messages_of_every_kind(x, n):
    name = f"x{n}"
    if n > 100:
        print(name, f"{x:.3f}", "%d of %s" % (n, "many"), sep=", ", end="!\n")
        raise ValueError(f"{name}: {x!r} and {{braces}} and {n:>5d}")
    if x > 100:
        raise ValueError("x is " + str(x))
    if x > 200:
        raise OverflowError("x = %g" % x)
    assert x < 50, "x is {} or {}".format(x, n)
    assert n < 50, f"n is {n}"
    return x**n


@program(1.3, 0.4)
def break_in_match_in_loop_over_tuple(x, y):
    s = 0.0
    for v in (x, y, x * y, 2.0):
        match int(v * 2):
            case 2:
                s += v * y
            case 0:
                try:
                    if s > 100:
                        continue
                finally:
                    s *= x
            case _:
                break
    else:
        s += 100 * x
    return s * v


@program(normal(4))
def exit_that_the_rank_decides(x):
    s = 0.0
    for i in range(4):
        for j in range(i + 1):
            s += x[i] * x[j]
            if len(x.shape) == 1:
                if x[j] > 0.5:
                    break
            else:
                return s * 2.0
    return s


@program(uniform(0.1, 0.8, 4), 3, tags="nojit")
def sum_of_a_number_that_becomes_an_array_around_a_loop(x, n):
    s, total, m = 1.0, 0.0, 1
    for i in range(n):
        total = total + np.sum(s) + np.sum(x[m])
        for v in x:
            if v > 0.9:
                break
            total = total + v * v
        s = x * (i + 1.0)
        m = x > 0.3
    return total


# ---------------------------------------------------------------- flags that are asked with `is`


@program(1.7, True, tags="nojit")
def flag_that_is_true(x, on):
    return x**3 if on is True else x**2


@program(1.7, 1, tags="nojit")
def one_that_is_not_true(x, on):
    return x**3 if on is True else x**2


@program(1.7, tags="nojit")
def flags_that_are_asked_with_is(x):
    found, above, steps, s = False, bool(x > 1), 0, x
    while found is False:
        s -= (s * s - 2.0) / (2.0 * s)
        steps += 1
        if above is not True:
            s *= x
        above = not above
        if steps > 3:
            found = True
    return s * _shifted(x) + _shifted(s, twice=True)


def _shifted(x, twice=False):
    return x + 1.0 if twice is False else x * x + 1.0


@program(1.7, tags="nojit")
def branches_for_versions(x):
    y = math.hypot(x, 2.0) if (3, 8) <= sys.version_info < (99,) else None
    return y * x if sys.version_info[:2] >= (3, 10) and not sys.version_info < (3,) else x


# ---------------------------------------------------------------- what may be a tuple or a text


@program(normal(3, 4), tags="nojit")
def padding_by_name_or_by_widths(x):
    return np.sum(_padded(x, "same") ** 2) + np.sum(_padded(x, 1) ** 3) + np.sum(_padded(x, (2, 1)) * 2.0)


def _padded(x, padding):
    if isinstance(padding, int):
        padding = (padding, padding)
    if padding in ["same", "causal"]:
        padding = (1, 0) if padding == "causal" else (1, 1)
    if padding != 0 and padding != "valid":
        x = np.pad(x, (padding, padding))
    return x * 2.0 if padding == (2, 1) else x


@program(uniform(0.1, 0.9, 5), tags="nojit")
def assertion_longer_than_a_line(x):
    message = "what is passed has to lie between zero and one everywhere, as probabilities do"
    assert len(x[x < 0]) == len(x[x > 1]) == 0, message
    return np.sum(x * np.log(x))


# ---------------------------------------------------------------- parameters that one statement sets to a truth


@program(1.3, True)
def first_time_only(x, first):
    y = x
    for k in range(3):
        y += x * k if first else x**2
        first = False
    return y


@program(1.3, True)
def until_a_flag_is_cleared(x, going):
    y = x
    while going:
        y = y * x
        if y > 3.0:
            going = False
    return y


@program(1.3, 4, tags="nojit")
def flags_of_functions_cleared_in_loops(x, n):
    def added(flag=True):
        z = x
        for k in range(4):
            if flag:
                z += x * k
            if k == 1:
                flag = False
        return z

    return added(n > 2) * added() + added(n > 5)


@program(1.3, True, False)
def parameters_set_behind_a_break(x, flag, leave):
    while x > 0:
        y = x * x
        if leave:
            break
        flag = False
        leave = True
    if flag:
        y += x
    return y


@program(uniform(2.0, 3.0, 3, 3), normal(3), tags="nojit")
def made_by_a_loop_as_long_as_a_mask_says(x, b):
    others = x[~np.eye(x.shape[0], dtype=bool)].reshape(-1, x.shape[0] - 1)
    v = np.array([0.5, -0.5, -0.5])
    for _k in range(3):
        w = np.sum(others * v[0], axis=1) + b
        v = w
    return np.sum(w * w)
