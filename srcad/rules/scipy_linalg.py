"""Functions of matrices of `scipy.linalg`, and Sylvester's equation.

The derivative of a function of a matrix along a direction is a block of this function of a block matrix: N. Higham,
Functions of Matrices (2008), section 3.2.
"""

import numpy as np
from scipy import linalg

from srcad.rules.axes import flipped
from srcad.rules.rule import rule
from srcad.runtime.scipy_linalg_functions import logarithm, square_root


@rule(linalg.expm)
def expm(y, A):
    n = A.shape[-1]
    above = np.concatenate((A, A.dot), axis=-1)
    below = np.concatenate((np.zeros_like(A), A), axis=-1)
    y.dot = linalg.expm(np.concatenate((above, below), axis=-2))[..., :n, n:]
    left = np.concatenate((flipped(A), y.bar), axis=-1)
    right = np.concatenate((np.zeros_like(A), flipped(A)), axis=-1)
    A.bar += linalg.expm(np.concatenate((left, right), axis=-2))[..., :n, n:]


@rule(square_root)
def root(y, A):
    n = A.shape[-1]
    above = np.concatenate((A, A.dot), axis=-1)
    below = np.concatenate((np.zeros_like(A), A), axis=-1)
    y.dot = square_root(np.concatenate((above, below), axis=-2))[..., :n, n:]
    left = np.concatenate((flipped(A), y.bar), axis=-1)
    right = np.concatenate((np.zeros_like(A), flipped(A)), axis=-1)
    A.bar += square_root(np.concatenate((left, right), axis=-2))[..., :n, n:]


@rule(logarithm)
def log(y, A):
    n = A.shape[-1]
    above = np.concatenate((A, A.dot), axis=-1)
    below = np.concatenate((np.zeros_like(A), A), axis=-1)
    y.dot = logarithm(np.concatenate((above, below), axis=-2))[..., :n, n:]
    left = np.concatenate((flipped(A), y.bar), axis=-1)
    right = np.concatenate((np.zeros_like(A), flipped(A)), axis=-1)
    A.bar += logarithm(np.concatenate((left, right), axis=-2))[..., :n, n:]


@rule(linalg.solve_sylvester)
def solve_sylvester(x, a, b, q):
    x.dot = linalg.solve_sylvester(a, b, q.dot - a.dot @ x - x @ b.dot)
    turned = linalg.solve_sylvester(a.T, b.T, x.bar)
    q.bar += turned
    a.bar -= turned @ x.T
    b.bar -= x.T @ turned
