"""Riccati's equations are solved for symmetric matrices only."""

import numpy as np
import pytest

from srcad.runtime.scipy_linalg_riccati import continuous_riccati, discrete_riccati

MESSAGE = "Riccati's equation: q and r have to be symmetric or Hermitian"


@pytest.mark.parametrize("solve", [continuous_riccati, discrete_riccati])
def test_of_matrices_that_are_not_symmetric(solve):
    a, skew = 0.1 * np.eye(2), np.array([[1.0, 0.5], [0.0, 1.0]])
    with pytest.raises(ValueError, match=MESSAGE):
        solve(a, np.eye(2), skew, np.eye(2))
    with pytest.raises(ValueError, match=MESSAGE):
        solve(a, np.eye(2), np.eye(2), skew)
