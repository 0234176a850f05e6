"""Lists that functions which call themselves are given and return."""

import numpy as np

from tests.corpus import normal, program, uniform


def sorted_around_the_first(xs):
    if len(xs) <= 1:
        return xs
    p = xs[0]
    low, high = [x for x in xs[1:] if x < p], [x for x in xs[1:] if x >= p]
    return sorted_around_the_first(low) + [p] + sorted_around_the_first(high)


@program(normal(6), tags="nojit")
def quicksort_of_a_list(x):
    ys = sorted_around_the_first([v * v for v in x])
    return sum((k + 1) * v for k, v in enumerate(ys))


def merged(xs):
    if len(xs) <= 1:
        return xs
    a, b = merged(xs[: len(xs) // 2]), merged(xs[len(xs) // 2 :])
    i, both = 0, []
    for x in b:
        while i < len(a) and a[i] <= x:
            both.append(a[i])
            i += 1
        both.append(x)
    return both + a[i:]


def alternating(xs):
    return 0.0 if not xs else xs[0] ** 2 - alternating(xs[1:])


@program(normal(5), tags="nojit")
def mergesort_of_a_display(v):
    xs = [v[0], v[1] * v[2], v[2], v[3], v[4]]
    ys = merged(xs)
    return sum((k + 1) * y * y for k, y in enumerate(ys)) + alternating(xs)


def transformed(re, im):
    n = len(re)
    if n == 1:
        return re, im
    er, ei = transformed(re[0::2], im[0::2])
    orr, oi = transformed(re[1::2], im[1::2])
    a = [0.0] * n
    b = [0.0] * n
    for k in range(n // 2):
        c, s = np.cos(2 * np.pi * k / n), -np.sin(2 * np.pi * k / n)
        tr, ti = c * orr[k] - s * oi[k], c * oi[k] + s * orr[k]
        a[k], b[k] = er[k] + tr, ei[k] + ti
        a[k + n // 2], b[k + n // 2] = er[k] - tr, ei[k] - ti
    return a, b


@program(normal(8), tags="nof32 nojit")
def fourier_transform_of_lists(x):
    a, b = transformed(list(x), [0.0] * len(x))
    return sum((k + 1) * (a[k] ** 2 + b[k] ** 2) for k in range(len(x)))


def spline(u, i, p, U):
    if p == 0:
        if U[i] <= u and u < U[i + 1]:
            return 1.0
        return 0.0
    a = (u - U[i]) / (U[i + p] - U[i]) * spline(u, i, p - 1, U)
    b = (U[i + p + 1] - u) / (U[i + p + 1] - U[i + 1]) * spline(u, i + 1, p - 1, U)
    return a + b


@program(uniform(2.1, 2.9), normal(4), tags="nojit")
def splines_on_a_list_of_knots(u, c):
    U = [0.0, 0.5, 1.2, 2.0, 3.0, 4.1, 4.5, 5.0]
    return sum(c[i] * spline(u, i, 2, U) for i in range(len(c)))


def casteljau(pts, t):
    if len(pts) == 1:
        return pts[0]
    new = [(1 - t) * pts[i] + t * pts[i + 1] for i in range(len(pts) - 1)]
    return casteljau(new, t)


@program(normal(4), uniform(0.1, 0.9), tags="nojit")
def curve_of_means_of_neighbours(p, t):
    return casteljau(p, t)


def weighted(xs):
    n = len(xs)
    if n == 1:
        return xs[0] ** 2
    m = n // 2
    return weighted(xs[:m]) * 0.5 + weighted(xs[m:]) * 1.5


@program(normal(7), tags="nojit")
def halves_of_a_list(x):
    ys = []
    for v in x:
        ys.append(v * v)
    return weighted(ys)


def merged_halves(xs):
    if len(xs) <= 1:
        return xs
    m = len(xs) // 2
    a, b = merged_halves(xs[:m]), merged_halves(xs[m:])
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] < b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


@program(normal(6), tags="nojit")
def mergesort_of_a_list(x):
    ys = merged_halves([v * v for v in x])
    s = 0.0
    for k, v in enumerate(ys):
        s += (k + 1) * v
    return s


def added_and_scaled(xs):
    if len(xs) == 1:
        return xs, xs
    a, b = added_and_scaled(xs[1:])
    c = a + b
    return c, [v * xs[0] for v in b]


@program(normal(3), tags="nojit")
def lists_returned_in_a_tuple(x):
    a, b = added_and_scaled(list(x))
    return sum((k + 1) * v for k, v in enumerate(a)) * sum((k + 1) * v for k, v in enumerate(b)) * len(a)


def moves(n, x):
    if n == 0:
        return []
    a = moves(n - 1, x)
    return a + [x * n] + a


@program(0.7, tags="nojit")
def list_that_begins_empty_inside(x):
    v = moves(3, x)
    s = 0.0
    for a in v:
        s = s * 0.5 + a
    return s


def with_three_more(n, x):
    if n == 0:
        return x
    return with_three_more(n - 1, x) + [1.0, 2.0, 3.0]


@program(normal(3), 1, tags="nof32 nojit")
def arrays_and_lists_added(x, n):
    v = with_three_more(n, x)
    return sum(v) * len(v)


def divided(xs, ys):
    if len(xs) == 1:
        return ys[0]
    return (divided(xs[1:], ys[1:]) - divided(xs[:-1], ys[:-1])) / (xs[-1] - xs[0])


@program(normal(4), tags="nojit")
def divided_differences_of_slices(y):
    xs = [0.0, 0.5, 1.5, 2.0]
    return divided(xs, y) ** 2


def halved(u, f):
    if len(u) < 3:
        return u * f[0]
    return np.sin(u) + np.sum(halved(u[::2].copy(), f[::2]))


@program(normal(5), normal(5), tags="nojit")
def list_that_grows_around_a_recursion(u, f):
    norms = []
    for k in range(3):
        u = halved(u, f)
        norms.append(np.sqrt(np.sum(u**2)))
    return norms[-1] + norms[0] * u[0]


def best_from(i, left, v, memo):
    if i >= len(v) or left == 0:
        return 0.0
    if (i, left) in memo:
        return memo[i, left]
    best = max(best_from(i + 1, left, v, memo), v[i] + 0.9 * best_from(i + 2, left - 1, v, memo))
    memo[i, left] = best
    return best


@program(uniform(0.5, 1.5, 6), tags="nojit")
def memo_of_the_caller(v):
    memo = {}
    best = best_from(0, 2, v, memo)
    return best * len(memo) + memo[2, 1]


def arranged(v, used, path, out, count):
    count[0] += 1
    if len(path) == len(v):
        out.append(sum(a * (k + 1) for k, a in enumerate(path)))
        return
    for i in range(len(v)):
        if used[i]:
            continue
        used[i] = True
        path.append(v[i])
        arranged(v, used, path, out, count)
        path.pop()
        used[i] = False


@program(uniform(0.5, 1.5, 3), tags="nojit")
def orders_found_by_backtracking(v):
    out, count = [0.1], [0]
    arranged(v, [False] * len(v), [], out, count)
    return max(out) + 0.1 * sum(out) * count[0] + out[-1] ** 2


@program(uniform(0.5, 1.5, 4), tags="nojit")
def leaves_in_order(v):
    leaves, seen = [], {"inner": 0, "sum": 0.0}

    def visit(lo, hi, y):
        if hi - lo == 1:
            leaves.append((lo, y))
            return
        seen["inner"] += 1
        seen["sum"] += y
        m = (lo + hi) // 2
        visit(lo, m, y * v[lo])
        visit(m, hi, y + v[m])

    for k in range(2):
        visit(k, 4, v[k])
    return sum(v[k] * y for k, y in leaves) / seen["inner"] + seen["sum"]


def lengthened(a, n):
    if n == 0:
        return sum(a[k] * a[k] * (k + 1) for k in range(len(a)))
    b = np.zeros(len(a) + 1)
    b[: len(a)] = a
    b[len(a)] = a[0] * n
    return lengthened(b, n - 1)


@program(0.7, tags="nojit")
def longer_at_every_call(x):
    return lengthened(np.array([x, x * x]), 3)


@program(normal(5), 4, tags="nojit")
def memo_filled_behind_branches(a, n):
    memo = {}

    def term(i):
        if i in memo:
            return memo[i]
        if i < 2:
            y = a[i]
        else:
            y = a[i] * term(i - 1) + term(i - 2)
        memo[i] = y
        return y

    return term(n) * memo[1]
