"""Loops over pairs of items that sum up something over each of the two, again for each pair."""

import numpy as np

from tests.corpus import normal, program, uniform


@program(normal(4, 3), normal(5, 3))
def cosines_of_pairs_of_rows(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            d, a, b = 0.0, 0.0, 0.0
            for k in range(x.shape[1]):
                d += x[i, k] * y[j, k]
                a += x[i, k] ** 2
                b += y[j, k] ** 2
            s += (1 - d / np.sqrt(a * b)) ** 2
    return s


def _correlation(x, y):
    mean_x, mean_y, norm_x, norm_y, product = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(x.shape[0]):
        mean_x += x[i]
        mean_y += y[i]
    mean_x /= x.shape[0]
    mean_y /= x.shape[0]
    for i in range(x.shape[0]):
        shifted_x = x[i] - mean_x
        shifted_y = y[i] - mean_y
        norm_x += shifted_x**2
        norm_y += shifted_y**2
        product += shifted_x * shifted_y
    if norm_x == 0.0 and norm_y == 0.0:
        return 0.0
    return 1.0 - product / np.sqrt(norm_x * norm_y)


@program(normal(4, 5), normal(3, 5), normal(4, 3), tags="nojit")
def correlations_of_pairs_of_rows(x, y, w):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            s += w[i, j] * _correlation(x[i], y[j])
    return s


@program(normal(5, 3))
def norms_of_later_rows(x):
    s = 0.0
    n = x.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            s += (x[i] @ x[j]) / (np.linalg.norm(x[i]) * np.linalg.norm(x[j]))
    return s


@program(normal(5, 3))
def norms_of_earlier_rows(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(i):
            a, b, d = 0.0, 0.0, 0.0
            for k in range(x.shape[1]):
                a += x[i, k] ** 2
                b += x[j, k] ** 2
                d += x[i, k] * x[j, k]
            s += d / np.sqrt(a * b)
    return s


@program(normal(4, 3))
def norms_of_other_rows(x):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if i == j:
                continue
            a, b, d = 0.0, 0.0, 0.0
            for k in range(x.shape[1]):
                a += x[i, k] ** 2
                b += x[j, k] ** 2
                d += x[i, k] * x[j, k]
            s += b * d / (1 + a)
    return s


@program(normal(4, 3), normal(5, 3))
def running_sums_of_pairs_read_on_the_way(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            b, d = 0.0, 0.0
            for k in range(x.shape[1]):
                b += y[j, k] ** 2
                d += x[i, k] * b
            s += d / (1 + b)
    return s


@program(normal(3, 3), normal(4, 3))
def norms_of_rows_that_change_meanwhile(x, y):
    z = y.copy()
    view = z[1:]
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            a, b = 0.0, 0.0
            for k in range(x.shape[1]):
                a += y[j, k] ** 2
                b += z[j, k] ** 2
            s += a * b * x[i, 0]
            view[0, 0] = view[0, 0] + 0.1 * b
    return s


@program(normal(3, 3), normal(4, 3))
def norm_of_the_pair_before(x, y):
    s, last = 0.0, 1.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            b = 0.0
            for k in range(x.shape[1]):
                b += y[j, k] ** 2
            s += last * x[i, 0] * b
            last = b
    return s + last


@program(normal(3, 3), normal(4, 3))
def sums_of_rows_by_tests(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            b, p = 0.0, 0.0
            for k in range(x.shape[1]):
                if y[j, k] > 0.5:
                    b += y[j, k] ** 2
                elif y[j, k] > -0.2:
                    b *= 1.1
                else:
                    p = b
            s += x[i, 0] * b * (1 + p)
    return s


@program(normal(3, 3), normal(4, 3))
def norms_where_a_row_is_there(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(10):
            if j < y.shape[0]:
                b = 0.0
                for k in range(y.shape[1]):
                    b += y[j, k] ** 2
                s += b * x[i, 0]
    return s


@program(normal(3, 3), normal(4, 3))
def norms_in_branches_of_both_rows(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            if x[i, 0] > 0.0:
                a, b = 0.0, 0.0
                for k in range(y.shape[1]):
                    b += y[j, k] ** 2
                for k in range(x.shape[1]):
                    a += x[i, k] ** 2
                s += a * b
            elif y[j, 0] > 0.0:
                a = 0.0
                for k in range(x.shape[1]):
                    a += x[i, k] ** 3
                s += a * y[j, 1]
            else:
                a = 2.0
            s += a
    return s


@program(normal(4, 3), normal(4, 3), 3)
def norms_of_centres_that_move(x, c, steps):
    centres = c.copy()
    s = 0.0
    for _ in range(steps):
        for i in range(x.shape[0]):
            for j in range(centres.shape[0]):
                a, b, d = 0.0, 0.0, 0.0
                for k in range(x.shape[1]):
                    a += x[i, k] ** 2
                    b += centres[j, k] ** 2
                    d += x[i, k] * centres[j, k]
                s += d / np.sqrt(a * b) + 0.01 * a
        centres = 0.9 * centres + 0.1 * x
    return s


@program(normal(3, 4), normal(5, 4), 3)
def norms_of_rows_that_end_early(x, y, n):
    s = 0.0
    for i in range(n):
        for j in range(n):
            a, b = 0.0, 0.0
            for k in range(j):
                b += y[j, k] ** 2
            for k in range(min(i, 2)):
                a += x[i, k] ** 2
            s += x[i, 0] * b + a * y[j, 0]
    return s


@program(normal(3, 3), normal(4, 3))
def centred_rows_of_pairs(x, y):
    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            u, v = x[i] - np.mean(x[i]), y[j] - np.mean(y[j])
            s += np.dot(u, v) / np.sqrt(np.dot(u, u) * np.dot(v, v))
    return s


@program(uniform(0.1, 1.0, 3, 4), uniform(0.1, 1.0, 2, 4))
def logarithms_of_sums_of_rows(x, y):
    def log_sum(v):
        largest = v[0]
        for k in range(1, len(v)):
            if v[k] > largest:
                largest = v[k]
        total = 0.0
        for k in range(len(v)):
            total += np.exp(v[k] - largest)
        return largest + np.log(total)

    s = 0.0
    for i in range(x.shape[0]):
        for j in range(y.shape[0]):
            s += log_sum(x[i]) * log_sum(y[j]) - x[i] @ y[j]
    return s
