"""Loops over rows that a statement reaches once what it needs stands before them."""

import numpy as np

import srcad
from srcad.testing import check_grads
from tests.forms_of_derivatives import derivative

X, C = np.sin(np.arange(10.0)).reshape(5, 2), np.cos(np.arange(8.0)).reshape(4, 2)


def kernel_regression(x, c):
    k = np.exp(-np.sum((x[:, None, :] - c[None, :, :]) ** 2, axis=2))
    w = k / np.sum(k, axis=1, keepdims=True)
    return np.mean((w @ np.sin(c[:, 0]) - x[:, 1]) ** 2)


def what_the_rows_have_changed(x, c):
    k = np.exp(x @ c.T)
    total = np.sum(k, axis=0)
    w = k / np.sum(k, axis=1, keepdims=True)
    return np.sum(w @ np.sin(total))


def test_all_forms_agree():
    for function in (kernel_regression, what_the_rows_have_changed):
        check_grads(function, (X.copy(), C.copy()), order=1, target="python")
        (value, bars), (expected, others) = (
            derivative(function, ("x", "c"), form)(X.copy(), C.copy()) for form in ("machine text", "plain")
        )
        for one, other in zip((value, *bars), (expected, *others)):
            np.testing.assert_allclose(one, other, rtol=1e-11)


def test_one_loop_does_it_all():
    text = srcad.source(srcad.grad(kernel_regression, wrt=(0, 1)), X, C)
    assert text.count("\n    for ") == 2  # the last one for the cosines
    assert "np.empty((" not in text.replace("np.empty((x.shape[0], x.shape[1]))", "")
