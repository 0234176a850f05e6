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


@program(normal(4), normal(4))
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


@program(normal(4))
def zero_becomes_array(x):
    s = 0
    for i in range(4):
        s = s + x * x[i]
    return np.sum(s * s)


@program(normal(3, 4))
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


@program(normal(4), 0.3)
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


@program(1.3, 0.7, 0.2)
def star_unpacking(x, y, z):
    a, *b = (x, y, z)
    *c, d = b
    e, *f, g = (x * y, *b, d)
    return a * b[0] + c[0] * d + e * f[1] * g + len(b) * x


@program(normal(5), normal(5), 5)
def generator_expressions(x, w, n):
    s = sum(x[i] * w[i] for i in range(n))
    t = sum(a * b for a, b in zip(x, w))
    u = max(a * a for a in x)
    v = min(x[i] * s for i in range(1, n - 1))
    q = sum(x[i] * x[j] for i in range(n) for j in range(i) if i != j + 1)
    return s * t + u * v + q + sum(i * a for i, a in enumerate(x) if a > 0)


@program(normal(5), 4)
def generator_nested(x, n):
    a = np.array([x[i] ** 2 for i in range(n)])
    b = np.array([[x[i] * x[j] for j in range(3)] for i in range(n)])
    c = sum(sum(b[i, j] for j in range(3)) * a[i] for i in range(n))
    return c + np.sum(b * b)


@program(0.7, 1.1)
def comprehension_known(x, y):
    ts = [t * t for t in (x, y, x * y)]
    us = tuple(math.sin(t) for t in (x, x * y, y))
    a, b, c = [u * x for u in us]
    return sum(ts) + us[0] * us[2] + a * b * c + max([u * y for u in us])


@program(0.7, 1.1)
def generator_with_walrus(x, y):
    s = sum((t := x * k) * t for k in range(4))
    return s * t + y


@program(1.3, 0.4)
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


@program(normal(4))
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


@program(normal(6), 4)
def enumerate_range_with_rebound_bounds(x, n):
    s, a = 0.0, 1
    for k, i in enumerate(range(a, n)):
        a = 100
        n = 0
        s += x[i] * (k + 1)
    for k, i in enumerate(reversed(range(0, 5, 2))):
        s += x[i] * s * k
    return s + a * x[0] + n


@program(normal(6), 5)
def reversed_range_with_rebound_bounds(x, n):
    s = 1.0
    for a, i in zip(x, reversed(range(1, n, 2))):
        n = 1
        s = s * a + x[i]
    for v in reversed(x):
        x = x * v
        s += np.sum(x)
    return s


@program(normal(3), 1.5)
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


@program(normal(5))
def map_in_loop(x):
    s = 0.0
    for v in map(math.sin, x):
        s += v * v
    for a, b in zip(map(lambda t: t * t, x), x[::-1]):
        s += a * b
    for v in map(lambda a, b: a * b, x, reversed(x)):
        s = s * v
    return s


@program(normal(5))
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


@program(normal(3, 4))
def sums_of_rows(A):
    t = 0.0
    for row in A:
        t = t + row
    u = sum(A)
    v = 0
    for i in range(3):
        v += A[i] * A[i]
    return np.sum(t * t * u) + np.sum(v * u)


@program(normal(4), normal(4), 3)
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


@program(0.4, 1.5)
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


@program(1.2, 0.3)
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


@program(1.2, 0.3)
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


@program(1.2, 0.4)
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


@program(1.2, None)
def match_none(x, opt):
    match opt:
        case None:
            return x * x
        case float():
            return x * opt
        case _:
            return opt


@program(1.2, 0.7)
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


@program(normal(4), 3)
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


@program(normal(3), normal(3, 3), 0.5)
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
