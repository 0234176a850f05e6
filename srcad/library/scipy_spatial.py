"""Distances of `scipy.spatial.distance`: between two vectors, between the rows of matrices."""

from __future__ import annotations

import numpy as np
from scipy.spatial import distance

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, chosen, double


@instead_of(distance.cdist)
def cdist(XA, XB, metric="euclidean", *, p=2.0):
    return lengths(np.expand_dims(double(array_of(XA)), 1) - double(array_of(XB)), -1, metric, p)


@instead_of(distance.pdist)
def pdist(X, metric="euclidean", *, p=2.0):
    columns = np.ascontiguousarray(double(array_of(X)).T)
    n = columns.shape[1]
    y, done = np.empty(n * (n - 1) // 2), 0
    for k in range(n - 1):
        y[done : done + n - 1 - k] = lengths(columns[:, k : k + 1] - columns[:, k + 1 :], 0, metric, p)
        done += n - 1 - k
    return y


def lengths(differences, axis, metric, p):
    """Those of vectors along an axis."""
    if metric == "euclidean":
        return np.linalg.norm(differences, axis=axis)
    if metric == "sqeuclidean":
        return np.sum(np.square(differences), axis=axis)
    if metric == "cityblock":
        return np.sum(np.abs(differences), axis=axis)
    if metric == "chebyshev":
        return np.max(np.abs(differences), axis=axis)
    if metric == "minkowski":
        return np.linalg.norm(differences, p, axis=axis)
    instead = "'euclidean', 'sqeuclidean', 'cityblock', 'chebyshev' or 'minkowski', or NumPy's functions"
    return refuse("scipy.spatial.distance with this metric=", instead)


@instead_of(distance.euclidean)
def euclidean(u, v, w=None):
    return np.linalg.norm(array_of(u) - array_of(v)) if w is None else np.sqrt(sqeuclidean(u, v, w))


@instead_of(distance.sqeuclidean)
def sqeuclidean(u, v, w=None):
    return weighted(np.square(array_of(u) - array_of(v)), w)


@instead_of(distance.cityblock)
def cityblock(u, v, w=None):
    return weighted(np.abs(array_of(u) - array_of(v)), w)


def weighted(terms, w):
    """A sum, with weights if there are any."""
    return np.sum(terms) if w is None else np.sum(array_of(w) * terms)


@instead_of(distance.chebyshev)
def chebyshev(u, v, w=None):
    if w is not None:
        return refuse("scipy.spatial.distance.chebyshev with w=", "the distance without the elements of no weight")
    return np.max(np.abs(array_of(u) - array_of(v)))


@instead_of(distance.minkowski)
def minkowski(u, v, p=2, w=None):
    if w is None:
        return np.linalg.norm(array_of(u) - array_of(v), p)
    total = np.sum(array_of(w) * np.abs(array_of(u) - array_of(v)) ** p)
    return chosen(total == 0, 0.0, chosen(total == 0, 1.0, total) ** (1.0 / p))


@instead_of(distance.mahalanobis)
def mahalanobis(u, v, VI):
    difference = array_of(u) - array_of(v)
    return np.sqrt(np.dot(np.dot(difference, array_of(VI)), difference))


@instead_of(distance.cosine)
def cosine(u, v, w=None):
    x, y = array_of(u), array_of(v)
    return 1.0 - weighted(x * y, w) / np.sqrt(weighted(np.square(x), w) * weighted(np.square(y), w))
