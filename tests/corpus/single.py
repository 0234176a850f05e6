"""Programs written for float32: their own arrays and constants are of that type."""

import numpy as np

from tests.corpus import integers, normal, program


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


@program(normal(5), tags="array")
def computed_numbers_beside_arrays(x):
    c = x[0] * 2.0
    y = x / (2.0 * x.sum()) + c
    return np.where(y > 0, y * np.var(x), 0) + np.maximum(y, 0.5 * c)


@program(normal(4), integers(5, 4), tags="array")
def integers_widen_arrays(x, n):
    return np.maximum(x, n) * x ** n[0] + np.sum(n) * x


@program(normal(4), tags="array nojit")
def arrays_made_of_computed_numbers(x):
    c = 0.5 * x[1]
    a = np.full(4, c) + np.linspace(0.0, c, 4)
    return a * np.array((c, x[0], 2.0 * c, c)) + np.heaviside(x, 0.5)


@program(normal(4), tags="array nojit")
def dtypes_by_name(x):
    return x.astype(float) * x.astype("float64") + (x > 0).astype(float) * x


@program(1.5, normal(3), tags="nojit")
def numbers_as_arrays(s, x):
    return np.sum(np.atleast_1d(s) * np.outer(s, x) ** 2)


@program(normal(3), tags="core nojit")
def several_precisions_at_once(x):
    y = x.astype(np.float32)
    solved = np.linalg.solve(np.array([[2, 1, 0], [1, 3, 0], [0, 0, 1]]), x)
    joined = np.hstack([x, x[0], 2.0])
    return solved.sum() + np.sum(joined**2) + (x[0] * 2.0).astype(np.float64) * x[1] + np.quantile(x, 0.3) * y.size


@program(normal(5), tags="nojit")
def truth_times_vector(v):
    return (v > 0.0) @ v


@program(normal(5), tags="nojit")
def outer_product_of_truth(v):
    k = v > 0.2
    return np.sum(np.outer(k, v)) + np.dot(v, k)


@program(normal(4), 0.7, tags="nojit")
def constants_of_the_argument_type(x, s):
    T = type(x[0])
    half = T(0.5)
    total = T(0)
    for v in x:
        total += half * v * v + in_its_own_type(v)
    return total + type(s)(2) * s


def in_its_own_type(z):
    kind = type(z)
    return np.sum(np.full(2, z, dtype=kind)) if type(z) is not np.ndarray else kind(1)
