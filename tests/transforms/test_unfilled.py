"""What is still None in lists of integers, and is taken for a number: an error, as in Python."""

import numpy as np
import pytest

import srcad

X = np.array([1.0, 2.0, 3.0, 4.0])


def summed(x, n):
    p = [None] * n
    p[0] = 0
    s = 0.0
    for i in range(n):
        s += x[i] * (p[i] + 1)
    return s


def counted(x, n):
    p = [None] * n
    p[0] = 2
    s = 0.0
    for i in range(n):
        for j in range(p[i]):
            s += x[j]
    return s


def walked(x, n):
    p = [None] * n
    p[0], k, s = 1, 0, 0.0
    while p[k] < 3:
        s += x[k]
        k += 1
    return s


def compared(x, n):
    p = [None] * n
    p[2] = 1
    return x[0] * (1.0 if p[1] > 0 else 2.0)


def powered(x, n):
    p = [None] * n
    p[2] = 1
    return x[0] ** p[1]


def largest(x, n):
    p = [None] * n
    p[0] = 1
    return x[0] * max(p[0], p[1])


def added(x, n):
    p = [None] * n
    p[1] = 1
    return x[0] * sum(p)


def sliced(x, n):
    p = [None] * n
    p[1] = 1
    q = p[1:]
    return x[0] * q[1]


def handed_to_itself(x, n):
    def walk(p, k):
        return 0.0 if k == 0 else x[k] + walk(p, p[k])
    p = [None] * n
    p[3], p[1] = 1, 2
    return walk(p, 3)


def begun_anew(x, n):
    s = 0.0
    for t in range(2):
        p = [None] * n
        if t == 0:
            for i in range(n):
                p[i] = i
        s += x[p[1] + 0] ** 2
    return s


def appended(x, n):
    p = []
    for i in range(n):
        p.append(None)
    p[0] = 2
    return x[0] * p[1] + x[p[0]]


def taken_back(x, n):
    p = [None] * n
    for i in range(n):
        p[i] = i
    s = 0.0
    for t in range(2):
        for i in range(n):
            s += x[i] * p[i]
        p[1] = None
    return s


@pytest.mark.parametrize("f", [summed, counted, walked, compared, powered, largest, added, sliced, handed_to_itself,
                               begun_anew, appended, taken_back])  # fmt: skip
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_what_is_none_is_no_number(f, target):
    with pytest.raises(TypeError, match="NoneType"):
        f(X, 4)
    with pytest.raises(TypeError, match="still None where it is taken for a number"):
        srcad.value_and_grad(f, target=target)(X, 4)
    with pytest.raises(TypeError, match="still None"):
        srcad.jvp(f, target=target)(X, 4, tangents=np.ones(4))


def filled(x, n):
    p = [None] * n
    for i in range(n):
        p[i] = n - 1 - i
    return sum(x[p[i]] * p[i] for i in range(n))


def test_what_a_loop_has_filled_is_not_asked_for():
    assert "TypeError" not in srcad.source(srcad.grad(filled), X, 4)
    np.testing.assert_array_equal(srcad.grad(filled)(X, 4), [0.0, 1.0, 2.0, 3.0])


def own_smallest(x, n):
    best = [-9223372036854775808] * n
    best[0] = 1
    return x[0] * (2.0 if best[1] < 0 else 3.0)


def test_the_smallest_integer_of_the_users_is_a_number():
    np.testing.assert_array_equal(srcad.grad(own_smallest)(X, 4), [2.0, 0.0, 0.0, 0.0])


def as_floats(x, n):
    p = [None] * n
    p[0] = 1
    return np.sum(x * np.array(p, float))


def put_into_floats(x, n):
    p, y = [None] * n, np.zeros(n)
    p[0] = 1
    for i in range(n):
        y[i] = p[i]
    return np.sum(x * y)


def one_of_both(x, n):
    p = [None] * n
    p[0] = 1
    k = p[1] if x[0] > 0 else 1.5
    return x[0] * k


@pytest.mark.parametrize("f", [as_floats, put_into_floats, one_of_both])
@pytest.mark.parametrize("target", ["python", "cpu"])
def test_what_is_none_becomes_no_float(f, target):
    try:
        np.testing.assert_array_equal(srcad.grad(f, target=target)(X, 4), np.nan)
    except TypeError as error:
        assert "still None" in str(error)
