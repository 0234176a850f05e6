"""Tables whose entries pick one of their neighbours, as dynamic programming fills them."""

import numpy as np

from tests.corpus import integers, normal, program, uniform


@program(normal(4, 4), 0.3, integers(4, 5), integers(4, 6))
def best_alignment(S, gap, a, b):
    F = np.zeros((len(a) + 1, len(b) + 1))
    for i in range(len(a) + 1):
        F[i, 0] = -gap * i
    for j in range(len(b) + 1):
        F[0, j] = -gap * j
    for i in range(len(a)):
        for j in range(len(b)):
            match = F[i, j] + S[a[i], b[j]]
            delete = F[i, j + 1] - gap
            insert = F[i + 1, j] - gap
            F[i + 1, j + 1] = max(match, max(delete, insert))
    return F[-1, -1] ** 2


@program(normal(4, 4), integers(4, 5), integers(4, 6), tags="nojit")
def best_alignment_by_a_constant_gap(S, a, b):
    return best_alignment(S, 1, a, b)


@program(normal(3, 5), normal(4, 5))
def distances_of_curves(X, Y):
    """Each pair of rows is warped by itself, and a step aside is weighed."""
    n = X.shape[1]
    total = 0.0
    for k in range(X.shape[0]):
        D = np.empty((n, n))
        D[0, 0] = abs(X[k, 0] - Y[k, 0])
        for i in range(1, n):
            D[i, 0] = D[i - 1, 0] + abs(X[k, i] - Y[k, 0])
        for j in range(1, n):
            D[0, j] = D[0, j - 1] + abs(X[k, 0] - Y[k, j])
        for i in range(1, n):
            for j in range(1, n):
                cost = (X[k, i] - Y[k, j]) ** 2
                if D[i - 1, j - 1] <= D[i - 1, j] and D[i - 1, j - 1] <= D[i, j - 1]:
                    best = D[i - 1, j - 1] + cost
                elif D[i - 1, j] <= D[i, j - 1]:
                    best = 1.5 * D[i - 1, j] + cost
                else:
                    best = D[i, j - 1] * (1.2 + cost)
                D[i, j] = best
        total += np.sqrt(D[n - 1, n - 1])
    return total


@program(uniform(1.0, 2.0, 7, 5))
def cheapest_way_down(E):
    """A way may go back to the left: what comes from there is not done yet in the order of the loops' reverse."""
    n, m = E.shape
    M = np.full((n, m + 2), 100.0)
    M[0, 1:-1] = E[0]
    for i in range(1, n):
        for j in range(1, m + 1):
            M[i, j] = E[i, j - 1] * min(min(M[i - 1, j - 1], M[i - 1, j]), M[i - 1, j + 1])
    return M[n - 1, 3]


@program(uniform(0.5, 1.5, 9), uniform(1.0, 2.0, 9), wrt="p q")
def best_steps(p, q):
    best = np.zeros(p.shape[0])
    best[1] = p[1] ** 2
    for i in range(2, p.shape[0]):
        best[i] = np.maximum(best[i - 1] * p[i], best[i - 2] + q[i])
    return 3.0 * best[-1]


@program(normal(4, 2), normal(5, 2))
def distance_of_walks(P, Q):
    C = np.zeros((P.shape[0], Q.shape[0]))
    for i in range(P.shape[0]):
        for j in range(Q.shape[0]):
            d = np.sqrt((P[i, 0] - Q[j, 0]) ** 2 + (P[i, 1] - Q[j, 1]) ** 2)
            if i == 0 and j == 0:
                C[i, j] = d
            elif i == 0:
                C[i, j] = max(C[0, j - 1], d)
            elif j == 0:
                C[i, j] = max(C[i - 1, 0], d)
            else:
                C[i, j] = max(min(C[i - 1, j], C[i - 1, j - 1], C[i, j - 1]), d)
    return C[-1, -1] * C[1, 1]


@program(normal(4, 3), 0.3)
def the_row_above_may_be_the_last_one(x, a):
    """What a test leaves open counts from the end, and is overwritten."""
    y = x.copy()
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            if not (i == 0 and j == 0):
                y[i, j] = a * y[i - 1, j] * y[i, j - 1] + y[i, j]
    return np.sum(y * x)
