"""A sum of Gaussians around points, squared: its gradient goes to the points, to the weights and to the width."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(x, y, w, width):
    total = 0.0
    for i in range(x.shape[0]):
        s = 0.0
        for j in range(y.shape[0]):
            square = 0.0
            for k in range(x.shape[1]):
                square += (x[i, k] - y[j, k]) ** 2
            s += np.exp(-square / (2 * width**2)) * w[j]
        total += s**2
    return total


def arrays(x, y, w, width):
    K = np.exp(-((x[:, None] - y[None, :]) ** 2).sum(-1) / (2 * width**2))
    return ((K @ w) ** 2).sum()


@compiled
def by_hand(x, y, w, width):
    """One row of the kernel at a time, and coordinates in rows, so that inner loops go through memory as it lies."""
    columns = np.ascontiguousarray(y.T)
    columns_bar = np.zeros_like(columns)
    x_bar, w_bar = np.zeros_like(x), np.zeros_like(w)
    square, e, pull = np.empty_like(w), np.empty_like(w), np.empty_like(w)
    scale = -0.5 / width**2
    total, scale_bar = 0.0, 0.0
    for i in range(x.shape[0]):
        square[:] = 0.0
        for k in range(x.shape[1]):
            here, column = x[i, k], columns[k]
            for j in range(w.shape[0]):
                square[j] += (here - column[j]) ** 2
        s = 0.0
        for j in range(w.shape[0]):
            e[j] = np.exp(scale * square[j])
            s += e[j] * w[j]
        total += s * s
        for j in range(w.shape[0]):
            w_bar[j] += 2.0 * s * e[j]
            e_bar = 2.0 * s * w[j] * e[j]
            scale_bar += e_bar * square[j]
            pull[j] = 2.0 * scale * e_bar
        for k in range(x.shape[1]):
            here, column, column_bar, force = x[i, k], columns[k], columns_bar[k], 0.0
            for j in range(w.shape[0]):
                part = pull[j] * (here - column[j])
                force += part
                column_bar[j] -= part
            x_bar[i, k] = force
    return total, (x_bar, columns_bar.T.copy(), w_bar, scale_bar / width**3)


def library(np, scan):
    def function(x, y, w, width):
        K = np.exp(-np.sum((x[:, None] - y[None, :]) ** 2, -1) / (2 * width**2))
        return np.sum((K @ w) ** 2)

    return function


def workloads(random):
    x, y, w = random.normal(size=(400, 3)), random.normal(size=(300, 3)), random.normal(size=300)
    styles = {"loops": loops, "arrays": arrays}
    yield Workload("kernel 400 x 300", styles, by_hand, (x, y, w, 1.3), library, wrt=(0, 1, 2, 3))
