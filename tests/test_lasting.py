"""Elements that nothing overwrites any more are read where they are, also through transposed views."""

import numpy as np
import pytest

from srcad import grad, source
from tests.forms_of_derivatives import interpreted
from tests.reference import best_gradient


def gram_schmidt(A):
    Q = np.zeros(A.shape)
    for j in range(A.shape[1]):
        v = A[:, j] - Q[:, :j] @ (Q[:, :j].T @ A[:, j])
        Q[:, j] = v / np.sqrt(np.sum(v**2) + 0.1)
    return np.sum(Q**3)


def planes(A):
    """All axes in the opposite order."""
    Q = np.zeros((2, A.shape[0], A.shape[1]))
    for j in range(A.shape[1]):
        s = np.sum(Q[:, :, :j].T ** 2)
        Q[0, :, j] = A[:, j] * (1.0 + s)
        Q[1, :, j] = np.sin(A[:, j] + s)
    return np.sum(Q**2)


def rows_of_columns(A):
    """What is read as a column is written as part of a row."""
    Q = A.copy()
    for j in range(1, min(A.shape)):
        column = Q.T[j - 1]
        Q[j] = Q[j] * np.sum(column**2)
    return np.sum(Q**3)


def column_itself(A):
    Q = A.copy()
    for j in range(A.shape[1]):
        v = Q[:, : j + 1].T @ A[:, j]
        Q[:, j] = np.sum(v**2) * A[:, j]
    return np.sum(Q**2)


def a_row_through_two_views(A):
    Q = A.copy()
    for j in range(1, A.shape[1]):
        w = Q.T[:j].T[1:, j - 1]
        Q[1:, j] = Q[1:, j] * w + w**2
        Q[0, j - 1] = np.sum(w**2)
    return np.sum(Q**2)


def axes_in_another_order(A):
    Q = np.zeros((2, A.shape[0], A.shape[1]))
    for j in range(A.shape[1]):
        s = np.sum(np.transpose(Q, (0, 2, 1))[:, :j] ** 2)
        Q[0, :, j] = A[:, j] * (1.0 + s)
    return np.sum(Q**2)


LASTING = [gram_schmidt, planes]
OTHERS = [rows_of_columns, column_itself, a_row_through_two_views, axes_in_another_order]


@pytest.mark.parametrize("fn", [*LASTING, *OTHERS], ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (1, 1)], ids=str)
def test_equals_differences(fn, shape):
    A = 0.4 * np.random.default_rng(1).normal(size=shape)
    expected = best_gradient(lambda B: fn(B.copy()), [A], 0)
    np.testing.assert_allclose(interpreted(grad(fn), (A.copy(),)), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("fn", LASTING, ids=lambda fn: fn.__name__)
def test_records_nothing(fn):
    text = source(grad(fn), np.ones((3, 3)))
    assert "_tape" not in text and "np.copy" not in text
