"""The potential energy of bodies that attract each other."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(x, y, z, mass):
    energy = 0.0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            r = np.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 + (z[i] - z[j]) ** 2)
            energy -= mass[i] * mass[j] / r
    return energy


@compiled
def by_hand(x, y, z, mass):
    """Inner loops from zero: subscripts that are never negative."""
    x_bar, y_bar, z_bar = np.zeros_like(x), np.zeros_like(y), np.zeros_like(z)
    energy = 0.0
    for i in range(x.shape[0]):
        xs, ys, zs, masses = x[i + 1 :], y[i + 1 :], z[i + 1 :], mass[i + 1 :]
        xs_bar, ys_bar, zs_bar = x_bar[i + 1 :], y_bar[i + 1 :], z_bar[i + 1 :]
        here, along_x, along_y, along_z = 0.0, 0.0, 0.0, 0.0
        for j in range(xs.shape[0]):
            dx, dy, dz = x[i] - xs[j], y[i] - ys[j], z[i] - zs[j]
            inverse = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz)
            pull = mass[i] * masses[j] * inverse
            here += pull
            pull *= inverse * inverse
            along_x += pull * dx
            along_y += pull * dy
            along_z += pull * dz
            xs_bar[j] -= pull * dx
            ys_bar[j] -= pull * dy
            zs_bar[j] -= pull * dz
        energy -= here
        x_bar[i] += along_x
        y_bar[i] += along_y
        z_bar[i] += along_z
    return energy, (x_bar, y_bar, z_bar)


def library(np, scan):
    def function(x, y, z, mass):
        square = sum((a[:, None] - a) ** 2 for a in (x, y, z)) + np.eye(1000)
        pairs = mass[:, None] * mass / np.sqrt(square)
        return -0.5 * (np.sum(pairs) - np.sum(mass**2))

    return function


def workloads(random):
    x, y, z = random.normal(size=(3, 1000))
    arguments = (x, y, z, random.uniform(0.5, 1.5, size=1000))
    yield Workload("bodies n=1000", {"loops": loops}, by_hand, arguments, library, wrt=(0, 1, 2))
