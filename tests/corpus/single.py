"""Programs written for float32: their own arrays and constants are of that type."""

import numpy as np

from tests.corpus import normal, program


@program(normal(5))
def allocates_of_its_argument_type(x):
    a = np.zeros(len(x), dtype=x.dtype)
    b = np.empty(x.shape, x.dtype)
    for i in range(len(x)):
        a[i] = x[i] * 2
        b[i] = a[i] * x[i]
    return np.sum(a * b)


@program(normal(4, 3), normal(3))
def converts_to_double(A, x):
    y = A.astype(np.float64) @ x.astype(np.float64)
    return np.sum(y * y)


@program(normal(5), 0.3, tags="core")
def scalars_adopt_the_array_type(x, s):
    y = s * x + 1
    y = y / 3 - 2.5 * x
    y[0] = s
    y += s
    return np.mean(y * y)


@program(normal(6), normal(6))
def carried_scalar_of_array_type(x, w):
    s = x[0]
    for i in range(1, len(x)):
        s = s * w[i] + np.sin(x[i])
    return s * s


@program(normal(3, 4))
def in_place_of_array_type(A):
    B = A.copy()
    for i in range(1, 3):
        B[i] += 0.5 * B[i - 1]
        B[i] *= A[i]
    return np.sum(np.tanh(B))
