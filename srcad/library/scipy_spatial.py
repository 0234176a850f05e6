"""Distances of `scipy.spatial.distance`: between two vectors, between the rows of matrices."""

from __future__ import annotations

import math

import numpy as np
from scipy import special
from scipy.spatial import distance, distance_matrix, minkowski_distance

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, chosen, double


@instead_of(distance.cdist)
def cdist(XA, XB, metric="euclidean", *, p=2.0, V=None, VI=None, w=None):
    a, b = double(array_of(XA)), double(array_of(XB))
    a, b = stretched(real(a), w, metric, p), stretched(real(b), w, metric, p)
    if metric == "cosine" or metric == "correlation":
        return 1.0 - directions(a, metric) @ directions(b, metric).T
    if metric == "seuclidean":
        scales = np.sqrt(np.var(np.concatenate((a, b)), axis=0, ddof=1) if V is None else array_of(V))
        return lengths(np.expand_dims(a / scales, 1) - b / scales, -1, "euclidean", p)
    if metric == "mahalanobis":
        inverse = inverse_covariance(np.concatenate((a, b))) if VI is None else VI
        return turned_lengths(np.expand_dims(a, 1) - b, inverse)
    columns = np.ascontiguousarray(b.T)
    y = np.empty((a.shape[0], b.shape[0]))
    for k in range(a.shape[0]):
        y[k] = apart(np.expand_dims(a[k], 1), columns, 0, metric, p)
    return y


@instead_of(distance.pdist)
def pdist(X, metric="euclidean", *, p=2.0, V=None, VI=None, w=None):
    x = stretched(real(double(array_of(X))), w, metric, p)
    if metric == "cosine" or metric == "correlation" or metric == "mahalanobis":
        first, second = np.triu_indices(x.shape[0], 1)
        if metric == "mahalanobis":
            return turned_lengths(x[first] - x[second], inverse_covariance(x) if VI is None else VI)
        u = directions(x, metric)
        return 1.0 - np.sum(u[first] * u[second], axis=1)
    kind = "euclidean" if metric == "seuclidean" else metric
    if metric == "seuclidean":
        x = x / np.sqrt(np.var(x, axis=0, ddof=1) if V is None else array_of(V))
    columns = np.ascontiguousarray(x.T)
    n = columns.shape[1]
    y, done = np.empty(n * (n - 1) // 2), 0
    for k in range(n - 1):
        y[done : done + n - 1 - k] = apart(columns[:, k : k + 1], columns[:, k + 1 :], 0, kind, p)
        done += n - 1 - k
    return y


def real(x):
    """Real numbers as they are: for others SciPy has no such distance, or drops their imaginary parts."""
    if np.iscomplexobj(x):
        return refuse("a distance of complex points", "points of their real and imaginary parts")
    return x


def stretched(x, w, metric, p):
    """Points between which the distances are those with weights of the coordinates."""
    if w is None:
        return x
    weights = real(double(array_of(w)))
    if metric == "euclidean" or metric == "sqeuclidean":
        return x * np.sqrt(weights)
    if metric == "cityblock":
        return x * weights
    if metric == "minkowski":
        return x * weights ** (1.0 / p)
    return refuse("distances with weights w= in this metric=", "'euclidean', 'cityblock' or 'minkowski'")


def directions(x, metric):
    """The rows of a matrix, or of their differences from their means, with a length of one."""
    rows = x - np.mean(x, axis=1, keepdims=True) if metric == "correlation" else x
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def inverse_covariance(x):
    """What SciPy takes for VI= where it is not given."""
    return np.linalg.inv(np.cov(x.T)).T


def turned_lengths(differences, VI):
    """The lengths of vectors along the last axis, as a matrix has them."""
    squares = np.sum((differences @ array_of(VI)) * differences, axis=-1)
    return np.where(squares == 0, 0, np.sqrt(np.where(squares == 0, 1, squares)))


def apart(a, b, axis, metric, p):
    """The distances of vectors along an axis."""
    if metric == "canberra":
        return np.sum(parts_of_sizes(a, b), axis=axis)
    if metric == "braycurtis":
        return np.sum(np.abs(a - b), axis=axis) / np.sum(np.abs(a + b), axis=axis)
    return lengths(a - b, axis, metric, p)


def parts_of_sizes(a, b):
    """How far numbers are from each other, as parts of their sizes; zeros are not."""
    sizes = np.abs(a) + np.abs(b)
    return np.where(sizes == 0, 0, np.abs(a - b) / np.where(sizes == 0, 1, sizes))


@instead_of(distance_matrix)
def distances(x, y, p=2, threshold=1000000):
    return lengths(np.expand_dims(double(array_of(x)), 1) - double(array_of(y)), -1, "minkowski", p)


@instead_of(minkowski_distance)
def distance_of_rows(x, y, p=2.0):
    return lengths(double(array_of(x)) - double(array_of(y)), -1, "minkowski", p)


@instead_of(distance.jensenshannon)
def jensenshannon(p, q, base=None, *, axis=0, keepdims=False):
    a, b = real(array_of(p)), real(array_of(q))
    a, b = a / np.sum(a, axis=axis, keepdims=True), b / np.sum(b, axis=axis, keepdims=True)
    mean = (a + b) / 2.0
    total = np.sum(special.rel_entr(a, mean) + special.rel_entr(b, mean), axis=axis, keepdims=keepdims)
    half = total / (2.0 if base is None else 2.0 * math.log(base))
    return np.where(half <= 0.0, 0.0, np.sqrt(np.where(half <= 0.0, 1.0, half)))


@instead_of(distance.squareform)
def squareform(X, force="no", checks=True):
    x = array_of(X)
    if (force == "tomatrix" and x.ndim != 1) or (force == "tovector" and x.ndim != 2):
        return refuse("scipy.spatial.distance.squareform of another rank than force= says", "without force=")
    if x.ndim == 2:
        if x.shape[0] != x.shape[1] or (checks and not (np.all(x == x.T) and np.all(np.diag(x) == 0))):
            raise ValueError("the matrix of distances must be symmetric, with zeros on its diagonal")
        return above_diagonal(x)
    n = math.ceil(math.sqrt(2.0 * x.size)) if x.size > 0 else 1
    if n * (n - 1) != 2 * x.size:
        raise ValueError("a vector of distances must have n * (n - 1) / 2 elements")
    y = np.zeros((n, n), x.dtype)
    for i in range(n - 1):
        start = i * (2 * n - 1 - i) // 2
        y[i, i + 1 :] = x[start : start + n - 1 - i]
        y[i + 1 :, i] = x[start : start + n - 1 - i]
    return y


def above_diagonal(x):
    """The elements right of a matrix's diagonal, row after row."""
    n = x.shape[0]
    y = np.empty(n * (n - 1) // 2, x.dtype)
    for i in range(n - 1):
        start = i * (2 * n - 1 - i) // 2
        y[start : start + n - 1 - i] = x[i, i + 1 :]
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
    instead = "one that has a slope, 'euclidean' or 'cosine' for example, or NumPy's functions"
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
    return np.sum(terms) if w is None else np.sum(real(array_of(w)) * terms)


@instead_of(distance.chebyshev)
def chebyshev(u, v, w=None):
    if w is not None:
        return refuse("scipy.spatial.distance.chebyshev with w=", "the distance without the elements of no weight")
    return np.max(np.abs(array_of(u) - array_of(v)))


@instead_of(distance.minkowski)
def minkowski(u, v, p=2, w=None):
    if w is None:
        return np.linalg.norm(array_of(u) - array_of(v), p)
    total = np.sum(real(array_of(w)) * np.abs(array_of(u) - array_of(v)) ** p)
    return chosen(total == 0, 0.0, chosen(total == 0, 1.0, total) ** (1.0 / p))


@instead_of(distance.mahalanobis)
def mahalanobis(u, v, VI):
    difference, inverse = real(array_of(u) - array_of(v)), real(array_of(VI))
    return np.sqrt(np.dot(np.dot(difference, inverse), difference))


@instead_of(distance.cosine)
def cosine(u, v, w=None):
    x, y = real(array_of(u)), real(array_of(v))
    return 1.0 - weighted(x * y, w) / np.sqrt(weighted(np.square(x), w) * weighted(np.square(y), w))


@instead_of(distance.correlation)
def correlation(u, v, w=None, centered=True):
    x, y = real(array_of(u)), real(array_of(v))
    if centered:
        total = weighted(np.ones_like(x), w)
        x, y = x - weighted(x, w) / total, y - weighted(y, w) / total
    return 1.0 - weighted(x * y, w) / np.sqrt(weighted(np.square(x), w) * weighted(np.square(y), w))


@instead_of(distance.seuclidean)
def seuclidean(u, v, V):
    return np.linalg.norm(real(array_of(u) - array_of(v)) / np.sqrt(real(array_of(V))))


@instead_of(distance.canberra)
def canberra(u, v, w=None):
    return weighted(parts_of_sizes(array_of(u), array_of(v)), w)


@instead_of(distance.braycurtis)
def braycurtis(u, v, w=None):
    x, y = real(array_of(u)), real(array_of(v))
    return weighted(np.abs(x - y), w) / weighted(np.abs(x + y), w)
