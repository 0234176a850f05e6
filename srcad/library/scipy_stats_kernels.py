"""`scipy.stats.gaussian_kde`: a density estimated by kernels around samples."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import made_instead_of, refuse
from srcad.library.axes import array_of, double


@made_instead_of(stats.gaussian_kde)
class Kernels:
    """A sum of normal densities, one around each sample."""

    called = "a gaussian_kde"

    def __init__(self, dataset, bw_method=None, weights=None):
        self.dataset = columns(double(array_of(dataset)), -1)
        self.weights = shares(self.dataset, weights)
        self.factor = width(self.dataset.shape[0], np.sum(np.square(self.weights)), bw_method)
        self.covariance = spread(self.dataset, self.weights) * self.factor**2

    def __call__(self, points):
        return np.exp(logarithm(self.dataset, self.weights, self.covariance, points))

    def evaluate(self, points):
        return np.exp(logarithm(self.dataset, self.weights, self.covariance, points))

    def pdf(self, x):
        return np.exp(logarithm(self.dataset, self.weights, self.covariance, x))

    def logpdf(self, x):
        return logarithm(self.dataset, self.weights, self.covariance, x)


def columns(points, count):
    """Points as the columns of a matrix with so many rows, or, of a vector, with one if nobody says."""
    return points if np.ndim(points) == 2 else np.reshape(points, (1 if count < 0 else count, -1))


def shares(data, weights):
    """The weights of samples, which sum to one."""
    if weights is None:
        return np.full(data.shape[1], 1.0 / data.shape[1])
    given = double(array_of(weights))
    return given / np.sum(given)


def width(rows, squares, method):
    """What the spread of the samples is scaled by; one by the sum of squares is how many count."""
    if method is None or isinstance(method, str) and method == "scott":
        return squares ** (1.0 / (rows + 4))
    if isinstance(method, str) and method == "silverman":
        return (4.0 * squares / (rows + 2.0)) ** (1.0 / (rows + 4))
    if isinstance(method, str) or callable(method):
        return refuse("scipy.stats.gaussian_kde with this bw_method", '"scott", "silverman" or a number')
    return method


def spread(data, weights):
    """The covariance of samples with weights."""
    apart = data - np.expand_dims(data @ weights, 1)
    return (apart * weights) @ apart.T / (1.0 - np.sum(np.square(weights)))


def logarithm(data, weights, covariance, points):
    """The logarithm of the density at points."""
    at = columns(double(array_of(points)), data.shape[0])
    apart = np.expand_dims(at, 2) - np.expand_dims(data, 1)
    factor = np.linalg.cholesky(covariance)
    solved = np.linalg.solve(factor, np.reshape(apart, (data.shape[0], -1)))
    energies = 0.5 * np.reshape(np.sum(np.square(solved), axis=0), (at.shape[1], data.shape[1]))
    scale = 0.5 * data.shape[0] * np.log(2.0 * np.pi) + np.sum(np.log(np.diag(factor)))
    return special.logsumexp(np.log(weights) - energies, axis=1) - scale
