"""Loops: every form of range, carried values, recurrences, early exits, while."""

import math

import numpy as np

from tests.corpus import normal, program, uniform


@program(normal(6), tags="core")
def sum_of_squares(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2
    return s


@program(normal(7), tags="core")
def rosenbrock_chain(x):
    s = 0.0
    for i in range(x.shape[0] - 1):
        s += 100.0 * (x[i + 1] - x[i] ** 2) ** 2 + (1.0 - x[i]) ** 2
    return s


@program(normal(5), normal(8, 5), normal(8), tags="core")
def logistic_regression_loops(w, X, y):
    s = 0.0
    for i in range(X.shape[0]):
        z = 0.0
        for j in range(X.shape[1]):
            z += X[i, j] * w[j]
        s += np.log1p(np.exp(-y[i] * z))
    return s / X.shape[0]


@program(3.1, 0.3, 12, tags="core")
def logistic_map(r, x0, n):
    x = x0
    for _ in range(n):
        x = r * x * (1.0 - x)
    return x


@program(normal(6))
def range_start_stop(x):
    s = 0.0
    for i in range(1, len(x) - 1):
        s += x[i - 1] * x[i + 1]
    return s


@program(normal(9))
def range_step_two(x):
    s = 0.0
    for i in range(0, len(x), 2):
        s += math.sin(x[i]) * i
    return s


@program(normal(6), tags="core")
def range_backwards(x):
    s = 0.0
    for i in range(len(x) - 1, -1, -1):
        s = s * 0.5 + x[i] * s + x[i]
    return s


@program(normal(9))
def range_backwards_by_three(x):
    s = 1.0
    for i in range(8, 0, -3):
        s = s * x[i] + i
    return s


@program(normal(9), 2)
def range_variable_step(x, step):
    s = 1.0
    for i in range(0, len(x), step):
        s = math.tanh(s * x[i]) + x[i]
    return s


@program(normal(9), -2)
def range_variable_negative_step(x, step):
    s = 1.0
    for i in range(len(x) - 1, 0, step):
        s = math.tanh(s * x[i]) + x[i]
    return s


@program(0.4, 0, tags="core")
def zero_trips(x, n):
    s = x
    for i in range(n):
        s = s * s + i
    return s * x


@program(0.4, -3)
def negative_trips(x, n):
    s = x * 2
    for _ in range(n):
        s = s * s
    return s * x


@program(0.4, 1)
def one_trip(x, n):
    s = x
    for _ in range(n):
        s = s * s
    return s * x


@program(0.4, 4)
def name_first_bound_in_loop(x, n):
    for i in range(n):
        y = x * i
    return y * x


@program(0.4, 4)
def index_used_after_loop(x, n):
    s = x
    for i in range(n):
        s += x * i
    return s * i


@program(normal(6))
def product_of_elements(x):
    p = 1.0
    for i in range(len(x)):
        p *= x[i]
    return p


@program(uniform(0.5, 2.0, 6))
def accumulator_divided(x):
    q = 1.0
    for i in range(len(x)):
        q /= x[i]
    return q


@program(normal(6))
def accumulator_used_nonlinearly(x):
    s = 0.0
    for i in range(len(x)):
        s += math.sin(x[i] * s) + x[i]
    return s


@program(normal(6))
def accumulator_read_after_each_step(x):
    s = 0.0
    total = 0.0
    for i in range(len(x)):
        s += x[i]
        total += s * s
    return total


@program(normal(6))
def accumulator_negative(x):
    s = 1.0
    for i in range(len(x)):
        s -= x[i] ** 3
    return s * s


@program(0.9, 0.2, 8)
def fibonacci_like(a, b, n):
    for _ in range(n):
        a, b = b, a * b + 0.5 * a
    return a + b


@program(0.3, 5)
def power_by_squaring_loop(x, n):
    y = x
    for _ in range(n):
        y **= 2
        y += x
    return y


@program(normal(4, 5))
def double_loop(A):
    s = 0.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            s += math.cos(A[i, j]) * (i + 1) / (j + 1)
    return s


@program(normal(6), tags="core")
def triangular_loop(x):
    s = 0.0
    for i in range(len(x)):
        for j in range(i):
            s += x[i] * x[j] / (1 + (x[i] - x[j]) ** 2)
    return s


@program(normal(3, 4), 3)
def triple_loop_with_carries(A, steps):
    total = 1.0
    for k in range(steps):
        for i in range(A.shape[0]):
            row = 0.0
            for j in range(A.shape[1]):
                row = row * total + A[i, j]
            total = math.tanh(row) + 0.1 * k
    return total


@program(0.8, 3, 4)
def inner_trip_count_varies(x, n, m):
    y = x
    for i in range(n):
        for j in range(m - i):
            y = math.sin(y * x) + j
        y = y / (i + 2)
    return y


@program(normal(5), 4)
def carried_in_outer_reset_in_inner(x, n):
    total = 0.0
    for k in range(n):
        y = x[0] * k
        for i in range(1, len(x)):
            y = y * x[i] + total
        total = math.sin(y)
    return total


@program(normal(8))
def branch_in_loop(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            s += x[i] ** 2
        else:
            s -= math.sin(x[i])
    return s


@program(normal(8), tags="core")
def branch_on_carried_value(x):
    s = 0.5
    for i in range(len(x)):
        if s > 0.3:
            s = s * x[i]
        elif i % 2 == 0:
            s = s + x[i] ** 2
        else:
            s = math.exp(s) * x[i]
    return s


@program(normal(8))
def running_maximum(x):
    best = x[0]
    total = 0.0
    for i in range(1, len(x)):
        if x[i] > best:
            best = x[i]
        total += best * i
    return total


@program(normal(8))
def continue_in_loop(x):
    s = 1.0
    for i in range(len(x)):
        if x[i] < 0:
            continue
        s = s * x[i] + 0.5
    return s


@program(uniform(0.5, 1.5, 9), tags="core")
def break_in_loop(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i] ** 2
        if s > 3.0:
            break
    return s * x[0]


@program(uniform(0.5, 1.5, 9))
def break_first_in_loop(x):
    s = 0.0
    for i in range(len(x)):
        if s > 3.0:
            break
        s = s * x[i] + x[i]
    return s


@program(uniform(0.5, 1.5, 4, 4))
def break_in_inner_loop(A):
    s = 0.0
    for i in range(A.shape[0]):
        row = 0.0
        for j in range(A.shape[1]):
            row += A[i, j] ** 2
            if row > 2.0:
                break
        s += row * (i + 1)
    return s


@program(uniform(0.5, 1.5, 9), 3.0)
def return_in_loop(x, limit):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * limit
        if s > 2 * limit:
            return s * x[i]
    return s


@program(uniform(0.5, 1.5, 9), 300.0)
def return_in_loop_not_taken(x, limit):
    s = 0.0
    for i in range(len(x)):
        s = s + x[i] * limit
        if s > 20 * limit:
            return s * x[i]
    return s


@program(uniform(0.5, 1.5, 4, 4))
def return_in_nested_loop(A):
    s = 1.0
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            s = s * A[i, j] + 0.3
            if s > 2.0 and i > 0:
                return s**2
    return s


@program(0.8, 7, tags="core")
def collatz_like(x, n):
    y = x
    while n != 1:
        if n % 2 == 0:
            n = n // 2
            y = y * x
        else:
            n = 3 * n + 1
            y = math.sin(y) + x
    return y


@program(2.0)
def newton_square_root(a):
    x = a
    while abs(x * x - a) > 1e-13:
        x = 0.5 * (x + a / x)
    return x


@program(0.7, 0.3, tags="core")
def kepler_newton(mean_anomaly, eccentricity):
    E = mean_anomaly
    delta = 1.0
    while abs(delta) > 1e-13:
        delta = (E - eccentricity * math.sin(E) - mean_anomaly) / (1.0 - eccentricity * math.cos(E))
        E -= delta
    return math.cos(E) - eccentricity


@program(1.7)
def while_zero_trips(x):
    y = x
    while y < 0:
        y = y + x
    return y * x


@program(0.11)
def while_with_counter(x):
    k = 0
    y = x
    while y < 1.0 and k < 50:
        y = y * 1.5 + x
        k += 1
    return y * k


@program(0.3)
def while_true_with_break(x):
    y = x
    while True:
        y = y * 1.7 + 0.1 * x
        if y > 2.0:
            break
    return y**2


@program(0.3)
def while_with_continue(x):
    y = x
    k = 0
    while k < 8:
        k += 1
        if k % 3 == 0:
            continue
        y = math.sin(y) * k
    return y


@program(0.3, 0.5)
def return_in_while(x, y):
    k = 0
    while k < 20:
        x = x * 1.3 + y
        if x > 4.0:
            return x * y
        k += 1
    return x


@program(0.9)
def while_in_for(x):
    s = 0.0
    for i in range(4):
        y = x + i
        while y > 0.3:
            y = y * 0.5
        s += y * y
    return s


@program(0.9)
def for_in_while(x):
    y = x
    k = 0
    while y < 40.0:
        for i in range(3):
            y = y + x * i * y
        k = k + 1
    return y / k


@program(0.37)
def nested_while(x):
    y = x
    a = 0
    while a < 3:
        b = 0
        while b <= a:
            y = math.cos(y) * x
            b += 1
        a += 1
    return y


@program(normal(6))
def for_else(x):
    s = 0.0
    for i in range(len(x)):
        s += x[i]
        if s > 100.0:
            break
    else:
        s = s * s
    return s


@program(0.7, 6)
def loop_over_constant_tuple_length(x, n):
    weights = (1.0, 4.0, 2.0)
    s = 0.0
    for i in range(n):
        s += weights[0] * x**i + weights[2] * x
    return s


@program(uniform(0.2, 0.8, 5))
def horner(c):
    x = 1.3
    y = 0.0
    for i in range(len(c) - 1, -1, -1):
        y = y * x + c[i]
    return y**2


@program(0.4, 1.2, 30)
def loop_invariant_values(x, w, n):
    s = 0.0
    for i in range(n):
        a = math.exp(w)
        b = x * a
        s += b * i / n
    return s


@program(normal(5), normal(5))
def two_accumulators(x, y):
    sxx = 0.0
    sxy = 0.0
    for i in range(len(x)):
        sxx += x[i] * x[i]
        sxy += x[i] * y[i]
    return sxy / sxx


@program(normal(5))
def variance_in_two_loops(x):
    n = len(x)
    mean = 0.0
    for i in range(n):
        mean += x[i]
    mean /= n
    var = 0.0
    for i in range(n):
        var += (x[i] - mean) ** 2
    return var / (n - 1)


@program(normal(6))
def welford(x):
    mean = 0.0
    m2 = 0.0
    for i in range(len(x)):
        d = x[i] - mean
        mean += d / (i + 1)
        m2 += d * (x[i] - mean)
    return m2 / (len(x) - 1)


@program(normal(6))
def bound_variable_changes_in_loop(x):
    n = 3
    s = 0.0
    for i in range(n):
        n = n + 1
        s += x[i] * n
    return s * n


@program(normal(6))
def index_arithmetic(x):
    n = len(x)
    s = 0.0
    for i in range(n):
        s += x[(2 * i + 1) % n] * x[n - 1 - i] + x[i // 2]
    return s


@program(normal(4))
def integer_recurrence_drives_index(x):
    k = 1
    y = x[0]
    for _ in range(7):
        k = (5 * k + 3) % 4
        y = y * x[k] + x[3 - k]
    return y


@program(normal(2), 3, tags="core")
def array_that_grows(x, n):
    y = x
    for _ in range(n):
        y = np.concatenate((y, y[0] * y[1:]))
    return np.sum(y * y)


@program(normal(3, 3), normal(3), 4, tags="core")
def product_carried(A, x, n):
    for _ in range(n):
        x = np.sin(A @ x)
    return np.sum(x * x)


@program(normal(4, 3), normal(2, 3), normal(2, 6), tags="core")
def packed_triangles_at_a_counter(x, means, factors):
    n, d = x.shape
    scores, q = np.empty(2), np.empty(d)
    total = 0.0
    for i in range(n):
        for c in range(2):
            for a in range(d):
                q[a] = np.exp(factors[c, a]) * (x[i, a] - means[c, a])
            place = d
            for a in range(d):
                for b in range(a + 1, d):
                    q[b] += factors[c, place] * (x[i, a] - means[c, a])
                    place += 1
            scores[c] = -0.5 * np.sum(q * q)
        top = np.max(scores)
        total += top + np.log(np.sum(np.exp(scores - top)))
    return total


@program(normal(4))
def work_array_of_two_loops(x):
    w = np.zeros(4)
    s = 0.0
    for i in range(3):
        for j in range(4):
            w[j] = x[j] ** 2 + i
        s += w[i] * w[i + 1]
    for i in range(2):
        for j in range(4):
            w[j] = np.sin(x[j]) * i
        s *= 1.0 + w[i] * w[2]
    return s


@program(normal(4))
def work_array_filled_in_part(x):
    w = np.zeros(4)
    s = 0.0
    for i in range(3):
        for j in range(3):
            w[j] = w[j] + x[j] * x[i]
        w[3] = w[3] * 0.5 + x[3]
        s += np.prod(w)
    return s


@program(normal(5))
def counter_beside_independent_iterations(x):
    k = 0
    s = 0.0
    for i in range(3):
        for j in range(i, 3):
            s += x[k % 5] ** 2 * x[i] / (1.0 + x[j] ** 2)
            k += 2
    return s * x[k % 5]


@program(normal(2), 1.3)
def else_behind_a_tuple_beside_a_shorter_array(v, x):
    s = 1.0
    for a, b in zip((0.5, x, 3.0), v):
        s = s * a + b
    else:
        s *= x
    return s


@program(normal(2), 1.3)
def tuple_beside_a_tuple_beside_a_shorter_array(v, x):
    s = 0.0
    for a, (b, c) in zip((1.0, x, 3.0, 4.0), zip((5.0, x, 7.0, 8.0), v)):
        s = s * a + b * c
    for k, (a, b) in zip(range(7), zip((5.0, x, 7.0), v)):
        s = s * a + b * k
    return s


@program(normal(2), 1.3, tags="nojit")
def reverse_of_a_tuple_beside_a_shorter_array(v, x):
    s = 0.0
    for k, (b, a) in reversed(list(enumerate(zip((5.0, x, 7.0), v)))):
        s = s * a + b * k
    products = [a * b for a, b in reversed(list(zip((5.0, x, 7.0, 8.0), v)))]
    return s + products[0] * 2.0 + products[1] + len(products)


def _in_reverse(v, t):
    s = 0.0
    for a, b in reversed(list(zip(v, t))):
        s = s * b + a
    return s


@program(normal(5), 1.3, tags="nojit")
def reverse_of_an_array_beside_a_tuple_given(v, x):
    return _in_reverse(v, (0.5, x, 2.0))


def _squares_of_all(first, t):
    s = 0.0
    for w in (first, *t):
        s *= 0.5
        s += w * w
    return s


@program(normal(5), 1.3, tags="nojit")
def loop_over_an_element_and_a_tuple_given(v, x):
    return _squares_of_all(v[0], (0.5, x, 2.0))


@program(normal(2), 1.3)
def count_and_array_rebound_beside_a_tuple(v, x):
    s, n = 1.0, 4
    for a, i in zip((0.5, x, 3.0), range(n)):
        n = 1
        s *= a
    for a, w in zip((0.5, x, 3.0), v):
        v = v[:1] * a
        s *= w
    return s + n * v[0]


@program(normal(4))
def tuples_of_another_length(v):
    s = 0.0
    for at in np.ndindex(2, 2):
        s += v[at[0]] * v[at[1]]
    for at, x in np.ndenumerate(v):
        s += x * at[0]
    pair = (v[0], v[1])
    for k in range(3):
        pair = (v[k], v[1], k * v[2])
        s += pair[2] * pair[0]
    return s


@program(normal(5, 4), uniform(0.3, 1.5, 4))
def neighbours_before_they_change(x, w):
    r = np.empty(len(w))
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(len(w)):
            r[j] = x[i, j]
        for j in range(1, len(w)):
            total += r[j - 1] * r[j]
            r[j] = math.sin(r[j] * w[j])
    return total


@program(normal(4))
def neighbours_on_both_sides_of_a_change(x):
    n = len(x)
    r = np.ones(n)
    s = 0.0
    for k in range(n - 1, 0, -1):
        r[k] *= x[0]
        s += np.sin(r[k]) + np.sin(r[k - 1])
    r[1] += np.exp(-r[1])
    return s + r[1]


@program(normal(4))
def neighbours_changed_in_turn_and_once_more(x):
    n = len(x)
    r = x.copy()
    s = 0.0
    for j in range(n):
        for k in range(n - 1, 0, -1):
            r[k] = np.sin(r[k])
            s += r[k] * r[k - 1]
        r[j] = 0.5 * r[j]
    return s


@program(normal(5, 4), normal(5))
def a_matrix_masked_again_and_again_from_its_first_value(x, c):
    y = x + x
    for _ in range(3):
        y = np.maximum(x, y)
        y[:, 2:] = 0.0
        y = np.tanh(np.where(x > 0, x, 0.1 * y))
    return np.sum(c[:, None] * x) + np.sum(y**2)
