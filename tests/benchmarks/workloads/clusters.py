"""k-means: the sum of squared distances to the nearest centre, with respect to the centres."""

import numpy as np

from tests.benchmarks.workload import Workload, compiled


def loops(centres, points):
    total = 0.0
    for i in range(points.shape[0]):
        best = np.inf
        for k in range(centres.shape[0]):
            distance = 0.0
            for j in range(points.shape[1]):
                distance += (points[i, j] - centres[k, j]) ** 2
            if distance < best:
                best = distance
        total += best
    return total


def arrays(centres, points):
    return np.sum(np.min(np.sum((points[:, None, :] - centres) ** 2, axis=2), axis=1))


@compiled
def by_hand(centres, points):
    """Only the nearest centre moves a point's term."""
    total, centres_bar = 0.0, np.zeros_like(centres)
    for i in range(points.shape[0]):
        point, best, winner = points[i], np.inf, 0
        for k in range(centres.shape[0]):
            centre, distance = centres[k], 0.0
            for j in range(point.shape[0]):
                distance += (point[j] - centre[j]) ** 2
            if distance < best:
                best, winner = distance, k
        total += best
        centre, centre_bar = centres[winner], centres_bar[winner]
        for j in range(point.shape[0]):
            centre_bar[j] -= 2.0 * (point[j] - centre[j])
    return total, centres_bar


def library(np, scan):
    return lambda centres, points: np.sum(np.amin(np.sum((points[:, None, :] - centres) ** 2, 2), 1))


def workloads(random):
    points, centres = random.normal(size=(5000, 16)), random.normal(size=(20, 16))
    yield Workload("k-means 5000 x 16, 20", {"loops": loops, "arrays": arrays}, by_hand, (centres, points), library)
