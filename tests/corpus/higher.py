"""Programs of the kind that reverse mode writes, as users may write them, too."""

import numpy as np

from srcad.runtime import polygamma
from tests.corpus import normal, program


@program(normal(6), tags="core")
def added_through_a_view_before_a_store(x):
    a = 2.0 * x
    b = x[:3] * x[1:4]
    a[3] = a[0] * a[1]
    view = a[2:5]
    view += b
    return np.sum(a * a)


@program(normal(5), 3, 2, tags="core")
def number_of_steps_by_len_of_range(x, start, step):
    total = 0.0
    for i in range(len(range(start, -1, -step))):
        total += x[i] ** 2 * len(range(1, 8, 3))
    return total


@program(2.3)
def polygammas(x):
    return polygamma(1, x) + polygamma(2, x + 0.5) * x
