"""What Numba's users have beside `njit`: stencils, generalized functions without output, typed containers."""

import numba
import numpy as np
import pytest

import srcad
from srcad.testing import check_grads

FLOAT = numba.float64


@numba.stencil
def laplace(u):
    return u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1] - 4 * u[0, 0]


@numba.stencil(cval=1.5, neighborhood=((-2, 1),))
def moving(v, w):
    s = 0.0
    for k in range(-2, 2):
        s += v[k] * w
    return s


@numba.stencil
def upwind(v, speed):
    if speed[0] > 0:
        return speed[0] * (v[0] - v[-1])
    return speed[1] * (v[2] - v[0])


@numba.stencil(standard_indexing=("w",))
def weighted(v, w):
    return v[-1] * w[0] + v[1] * w[1]


@numba.stencil
def of_two_ranks(v, u):
    return v[-1] * u[0, 1]


@numba.stencil
def of_the_second(k, v):
    return k * v[0]


@numba.stencil
def of_a_longer_one(v, w):
    return w[1] * v[-1]


@numba.stencil
def far(v, k):
    return v[k] + v[0]


@numba.guvectorize([(FLOAT[:], FLOAT[:], FLOAT[:])], "(n),(n)->(n)")
def running(a, b, out):
    for i in range(a.shape[0]):
        out[i] = a[i] * b[i] + (a[i - 1] if i > 0 else 0.0)


@numba.guvectorize([(FLOAT[:, :], FLOAT[:], FLOAT[:])], "(m,n),(n)->(m)")
def product(A, x, out):
    for i in range(A.shape[0]):
        out[i] = 0.0
        for j in range(A.shape[1]):
            out[i] += A[i, j] * x[j]


@numba.guvectorize([(FLOAT[:], FLOAT[:])], "(n)->()")
def total(a, out):
    out[0] = np.sum(a)


@numba.guvectorize([(FLOAT[:], FLOAT[:], FLOAT[:])], "(n)->(),()")
def ends(a, first, last):
    first[0], last[0] = a[0], a[-1]


@numba.guvectorize([(FLOAT[:], numba.int64[:], FLOAT[:], FLOAT[:])], "(n),(),()->(n)")
def moving_mean(a, width, scale, out):
    for i in range(a.shape[0]):
        out[i] = scale[0] * np.mean(a[max(0, i - width[0]) : i + 1])


@numba.guvectorize([(FLOAT[:], FLOAT[:])], "(n)->(n)")
def totals(a, out):
    for i in range(a.shape[0]):
        out[i] = np.sum(a)


@numba.njit
def diffused(u):
    for _ in range(3):
        u = u + 0.1 * laplace(u)
    return np.sum(u * laplace(u))


@numba.njit
def smoothed(v, w):
    return np.sum(moving(v, w) ** 2 * np.arange(v.size))


def transported(v, speed):
    for _ in range(2):
        v = v - 0.1 * upwind(v, speed)
    return np.sum(v**2)


def beside_a_longer_one(v, w):
    return np.sum(of_a_longer_one(v, w) ** 2)


def generalized(A, x):
    return np.sum(running(product(A, x), product(A, x)) ** 2)


def of_numbers_in_arrays(v, scale):
    out = np.empty_like(v)
    moving_mean(v, 2, scale, out)
    return total(v) * np.sum(out**2) + np.sum(moving_mean(v, 1, 2.0) ** 3)


@numba.njit
def in_typed_containers(v):
    squares, sums = numba.typed.List(), numba.typed.Dict.empty(numba.types.int64, numba.types.float64)
    more = numba.typed.List.empty_list(numba.float64)
    for k in range(len(v)):
        squares.append(v[k] ** 2)
        more.append(v[k])
        sums[k % 2] = sums.get(k % 2, 0.0) + squares[-1]
    return sums[0] * sums[1] + more[1] * len(squares)


def unrolled(v):
    s = 0.0
    for each in numba.literal_unroll((v[0], 2, v[1])):
        s += each * each
    for at in np.ndindex(2, 2):
        s += v[at[0]] * v[at[1]]
    for at, value in np.ndenumerate(v):
        s += value * at[0]
    return s


NORMAL = np.random.default_rng(7).normal
CALLS = {
    "diffused": (diffused, (NORMAL(size=(6, 5)),)),
    "no element has all neighbours": (diffused, (NORMAL(size=(2, 5)),)),
    "smoothed": (smoothed, (NORMAL(size=7), 0.3)),
    "transported": (transported, (NORMAL(size=7), NORMAL(size=7))),
    "the first argument is the shorter one": (beside_a_longer_one, (NORMAL(size=4), NORMAL(size=7))),
    "generalized": (generalized, (NORMAL(size=(3, 4)), NORMAL(size=4))),
    "numbers in arrays": (of_numbers_in_arrays, (NORMAL(size=6), 1.5)),
    "in_typed_containers": (in_typed_containers, (NORMAL(size=5),)),
    "unrolled": (unrolled, (NORMAL(size=4),)),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_value_and_gradient(name, target):
    function, args = CALLS[name]
    given = [np.copy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
    value, _ = srcad.value_and_grad(function, target=target)(*given)
    np.testing.assert_allclose(value, function(*args), rtol=1e-12)
    check_grads(function, args, target=target)


def test_a_stencil_is_a_loop_over_what_has_all_neighbours():
    text = srcad.source(srcad.grad(lambda u: np.sum(laplace(u) ** 2), target="python"), np.ones((5, 5)))
    assert "for i in range(1, u.shape[0] - 1):" in text and "u[i - 1, j]" in text


WRONG = {
    "an output": (lambda v: np.sum(moving(v, 0.5, out=np.zeros(5))), r"out= is not supported; instead: its result"),
    "standard indexing": (lambda v: np.sum(weighted(v, np.ones(2))), "with standard_indexing is not supported"),
    "two ranks": (lambda v: np.sum(of_two_ranks(v, np.outer(v, v))), "with subscripts of several ranks is not supp"),
    "no neighbours of the first": (lambda v: np.sum(of_the_second(0.5, v)), "a first argument that it reads no neigh"),
    "an argument as a distance": (lambda v: np.sum(far(v, 1)), "neighbours that are not constant, and without neigh"),
    "two results": (lambda v: np.sum(ends(v)), r"ends\(\) without an array for its results is not"),
}


@pytest.mark.parametrize("name", WRONG)
def test_refused(name):
    function, message = WRONG[name]
    with pytest.raises(srcad.UnsupportedError, match=message):
        srcad.grad(function, target="python")(np.ones(5))


def test_a_generalized_function_goes_over_no_further_axes():
    with pytest.raises(AssertionError, match=r"totals\(\) of arrays with more axes than its signature has"):
        srcad.grad(lambda u: np.sum(totals(u)), target="python")(np.ones((2, 3)))
