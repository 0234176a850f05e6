"""Methods that are called on one object or another, and lists in dicts whose keys are no names."""

import numpy as np
import pytest

from srcad.testing import check_grads


def appended_to_one_list_or_another(v):
    above, below, signs = [], [], {"+": [0.5], "-": [2.0]}
    for k in range(len(v)):
        (above if v[k] > 0.0 else below if k < 4 else above).append(v[k] ** 2)
        signs["+" if v[k] > 0.0 else "-"].append(v[k] * signs["+"][-1])
    return sum(above) * sum(signs["+"]) + sum(below) * sum(signs["-"]) * signs["-"][-1]


@pytest.mark.parametrize("target", ["python", "cpu"])
def test_appended_to_one_list_or_another(target):
    check_grads(appended_to_one_list_or_another, (np.array([0.7, -1.2, 0.4, -0.9, -0.3]),), target=target)
