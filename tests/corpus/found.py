"""Names that are None until something is found for them, and loops over the indices of arrays."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program


def first_above(x, bound):
    for i in range(len(x)):
        if x[i] > bound:
            return x[i] * (i + 1)
    return None


@program(normal(5))
def first_that_is_found(x):
    found = None
    for i in range(len(x)):
        if x[i] > 0.2:
            found = x[i]
            break
    if found is None:
        return x[0] * x[1]
    return found * found


@program(normal(5))
def nothing_is_found(x):
    found = None
    for i in range(len(x)):
        if x[i] > 100.0:
            found = x[i]
            break
    return x[0] * x[1] if found is None else found * found


@program(normal(5), tags="nojit")
def position_that_is_found(x):
    place = None
    for i in range(len(x)):
        if x[i] < 0.0 and place is None:
            place = i
    if place is not None:
        return x[place] ** 2 * place
    return np.sum(x)


@program(normal(6))
def lost_and_found_again(x):
    last = None
    s = 0.0
    for i in range(len(x)):
        if last is not None and i > 0 and last > -0.5:
            s += last * x[i]
        if x[i] > 0.3:
            last = x[i]
        elif x[i] < -0.3:
            last = None
    return s + (last if last is not None else x[0] ** 2)


@program(normal(6))
def lowest_and_highest_of_some(x):
    low = high = None
    for v in x:
        if v > -0.4:
            low = v if low is None else min(low, v)
            high = v if high is None else max(high, v)
    if low is None or high is None:
        return 0.0
    return high * high - low * x[0]


@program(normal(4))
def row_that_is_found(x):
    row = None
    for i in range(len(x)):
        if x[i] > 0.0:
            row = x * x[i]
    if row is None:
        return np.sum(x)
    return np.sum(row * row)


@program(normal(5), tags="nojit")
def truth_of_what_is_found(x):
    best = None
    for i in range(len(x)):
        if x[i] > 0.1 and (best is None or x[i] < best):
            best = x[i]
    other = best
    best = None
    if other and best is None:
        return other**3
    return x[0] * x[1]


@program(normal(5), tags="nojit")
def result_of_a_search(x):
    s = 0.0
    for bound in (-0.5, 0.5, 9.0):
        found = first_above(x, bound)
        if found is not None:
            s += found * found
        else:
            s += x[-1]
    return s


@program(normal(5))
def searched_until_found(x):
    k, found = 0, None
    while found is None and k < len(x):
        if x[k] > 0.3:
            found = x[k] * x[0]
        k += 1
    return k * (x[1] if found is None else found)


@program(normal(5), 9.0)
def flag_between_two_tests(x, bound):
    known = False
    for i in range(len(x)):
        if x[i] > bound:
            most, known = x[i], True
    if x[0] < 10.0 and known and most > 0.5:
        return most * most
    return x[1] ** 2


@program(normal(3, 4))
def indices_of_a_matrix(A):
    B = np.zeros_like(A)
    for i, j in np.ndindex(A.shape):
        if i == j:
            continue
        B[i, j] = A[i, j] * A[i, (j + 1) % 4]
        if i == 2:
            break
    return np.sum(B**2)


@program(normal(3, 2), tags="inplace")
def elements_with_their_indices(A):
    s = 0.0
    for (i, j), v in np.ndenumerate(A[1:] * 2.0):
        s += v**2 * (j + 1) * A[i, 0]
    for (i, j), v in np.ndenumerate(A):
        A[i, j] = v * v
    return s + np.sum(A)


@program(normal(4))
def found_or_given(x, best=None):
    for i in range(3):
        if x[i] > 0.0:
            best = x[i]
    if best is None:
        return x[0] * x[3]
    return best * x[3]


@program(normal(4), 1.5)
def found_or_given_as_a_number(x, best=None):
    for i in range(3):
        if x[i] > 100.0:
            best = x[i]
    return best * x[3] if best is not None else x[0]
