"""Densities of `scipy.stats` of matrices, and of several variables with heavy tails.

Of a scale, the lower triangle is read, and has the gradient; of what it is the scale of, what SciPy reads.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of, double
from srcad.library.scipy_stats import real


def matrix(value, what):
    """A single square matrix."""
    value = double(real(array_of(value)))
    if value.ndim != 2:
        return refuse(f"scipy.stats.{what} of a number, or of several matrices", "one matrix each time, in a loop")
    return value


def log_determinant(factor):
    """That of a matrix whose factor this is, of Cholesky."""
    return 2.0 * np.sum(np.log(np.diag(factor)))


def log_gammas(a, count):
    """The logarithm of the multivariate gamma function."""
    return 0.25 * count * (count - 1) * np.log(np.pi) + np.sum(special.gammaln(a - 0.5 * np.arange(count)))


@instead_of(stats.wishart.logpdf)
def wishart_logpdf(x, df, scale):
    x, scale = matrix(x, "wishart"), matrix(scale, "wishart")
    count = scale.shape[0]
    of_scale, of_x = np.linalg.cholesky(scale), np.linalg.cholesky(x)
    squares = np.trace(np.linalg.solve(of_scale.T, np.linalg.solve(of_scale, x)))
    constant = 0.5 * df * (count * np.log(2.0) + log_determinant(of_scale)) + log_gammas(0.5 * df, count)
    return 0.5 * (df - count - 1.0) * log_determinant(of_x) - 0.5 * squares - constant


@instead_of(stats.wishart.pdf)
def wishart_pdf(x, df, scale):
    return np.exp(wishart_logpdf(x, df, scale))


@instead_of(stats.invwishart.logpdf)
def invwishart_logpdf(x, df, scale):
    x, scale = matrix(x, "invwishart"), matrix(scale, "invwishart")
    count = scale.shape[0]
    of_scale, of_x = np.linalg.cholesky(scale), np.linalg.cholesky(x)
    squares = np.sum(np.square(np.linalg.solve(of_x, of_scale)))
    constant = 0.5 * df * (count * np.log(2.0) - log_determinant(of_scale)) + log_gammas(0.5 * df, count)
    return -0.5 * (df + count + 1.0) * log_determinant(of_x) - 0.5 * squares - constant


@instead_of(stats.invwishart.pdf)
def invwishart_pdf(x, df, scale):
    return np.exp(invwishart_logpdf(x, df, scale))


@instead_of(stats.matrix_normal.logpdf)
def matrix_normal_logpdf(X, mean=None, rowcov=1, colcov=1):
    apart = matrix(X if mean is None else X - mean, "matrix_normal")
    rows, columns = apart.shape
    if np.ndim(rowcov) != 2 or np.ndim(colcov) != 2:
        return refuse("scipy.stats.matrix_normal of variances", "rowcov= and colcov= as matrices")
    of_rows, of_columns = np.linalg.cholesky(double(rowcov)), np.linalg.cholesky(double(colcov))
    squares = np.sum(np.square(np.linalg.solve(of_columns, np.linalg.solve(of_rows, apart).T)))
    determinants = columns * log_determinant(of_rows) + rows * log_determinant(of_columns)
    return -0.5 * (rows * columns * np.log(2.0 * np.pi) + determinants + squares)


@instead_of(stats.matrix_normal.pdf)
def matrix_normal_pdf(X, mean=None, rowcov=1, colcov=1):
    return np.exp(matrix_normal_logpdf(X, mean, rowcov, colcov))


@instead_of(stats.multivariate_t.logpdf)
def multivariate_t_logpdf(x, loc=None, shape=1, df=1):
    if np.ndim(x) == 0 or np.ndim(shape) != 2:
        return refuse("scipy.stats.multivariate_t of a number, or of scales", "an array, and a matrix for shape=")
    apart = double(real(x if loc is None else x - loc))
    count = apart.shape[-1]
    factor = np.linalg.cholesky(double(real(shape)))
    rows = np.reshape(apart, (-1, count))
    squares = np.sum(np.square(np.linalg.solve(factor, rows.T)), axis=0)
    constant = special.gammaln(0.5 * (df + count)) - special.gammaln(0.5 * df) - 0.5 * count * np.log(np.pi * df)
    y = constant - 0.5 * log_determinant(factor) - 0.5 * (df + count) * np.log1p(squares / df)
    return y[0] if apart.ndim == 1 else np.reshape(y, apart.shape[:-1])


@instead_of(stats.multivariate_t.pdf)
def multivariate_t_pdf(x, loc=None, shape=1, df=1):
    return np.exp(multivariate_t_logpdf(x, loc, shape, df))
