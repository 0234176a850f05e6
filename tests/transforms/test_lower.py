"""Calls that Numba does not compile by itself give, lowered, what they give in NumPy."""

import math
import operator

import numba
import numpy as np
import pytest

import srcad
from srcad.checking import _compile, _type
from srcad.lang.ir import Call, Const, Param, Return, Var
from srcad.lang.promote import type_of
from srcad.runtime import product_of_others
from srcad.transforms.infer import typed
from tests.turns import one_in

RNG = np.random.default_rng(0)
VECTOR, MATRIX, STACK = RNG.normal(size=4), RNG.normal(size=(3, 4)), RNG.normal(size=(2, 3, 4))
SINGLE = VECTOR.astype(np.float32)
SINGLE_COMPLEX = (VECTOR + 1j * VECTOR[::-1]).astype(np.complex64)
INTEGERS, TABLE = np.arange(4), np.arange(12).reshape(3, 4)
MASK = MATRIX > 0.0

CALLS = [
    (np.imag, (MATRIX[:, ::2],), {}),
    (np.flatnonzero, (MASK,), {}),
    (np.any, (MASK,), {"axis": 1}),
    (np.all, (MASK,), {"axis": 0}),
    (np.any, (MASK,), {"axis": 1, "keepdims": True}),
    (np.count_nonzero, (MASK,), {"axis": 1, "keepdims": True}),
    (np.nanargmax, (TABLE,), {"axis": 1, "keepdims": True}),
    (np.nanargmin, (TABLE,), {"axis": 0, "keepdims": True}),
    (np.mean, (TABLE,), {"axis": 0}),
    (np.max, (TABLE,), {"axis": 1}),
    (np.mean, (MATRIX,), {"axis": ()}),
    (np.var, (STACK,), {"axis": ()}),
    (product_of_others, (MATRIX,), {"axis": ()}),
    (np.prod, (TABLE,), {"axis": 0}),
    (np.sort, (TABLE,), {"axis": 0}),
    (np.partition, (TABLE, 1), {"axis": 1}),
    (np.argmax, (TABLE,), {"axis": 1}),
    (np.argmin, (TABLE,), {"axis": 0}),
    (np.sum, (MASK,), {"axis": 1, "keepdims": True}),
    (np.std, (SINGLE.reshape(2, 2),), {"axis": 0}),
    (np.std, (STACK,), {"axis": None, "keepdims": False}),
    (np.nanmean, (STACK,), {"axis": (0, 2)}),
    (np.nansum, (np.where(STACK > 1.0, np.nan, STACK),), {"axis": (0, 2)}),
    (operator.matmul, (INTEGERS, INTEGERS), {}),
    (operator.matmul, (TABLE, INTEGERS), {}),
    (operator.matmul, (INTEGERS, TABLE.T.copy()), {}),
    (np.dot, (TABLE, TABLE.T.copy()), {}),
    (np.dot, (MATRIX, INTEGERS), {}),
    (np.dot, (VECTOR, SINGLE), {}),
    (np.dot, (2.0, VECTOR), {}),
    (np.reshape, (np.asfortranarray(MATRIX), (4, 3)), {}),
    (np.reshape, (STACK[:, ::2], (-1,)), {}),
    (np.squeeze, (MATRIX[:1],), {"axis": 0}),
    (operator.getitem, (MATRIX, MASK), {}),
    (abs, (VECTOR,), {}),
    (np.bitwise_count, (INTEGERS,), {}),
    (np.heaviside, (VECTOR, 0.5), {}),
    (np.full_like, (MATRIX, VECTOR), {}),
    (np.full, ((3, 4), SINGLE), {}),
    (np.copy, (2.5,), {}),
    (np.expand_dims, (2.5, 0), {}),
    (np.expand_dims, (2.5, (0, 1)), {}),
    (np.ravel, (MATRIX.T,), {}),
    (np.ravel, (STACK[:, ::2],), {}),
    (np.fix, (VECTOR,), {}),
    (math.fmod, (-2.5, 0.7), {}),
    (math.factorial, (6,), {}),
    (math.comb, (7, 3), {}),
    (math.comb, (3, 7), {}),
    (math.perm, (7, 3), {}),
    (math.perm, (3, 7), {}),
    (math.isqrt, (17,), {}),
    (math.log, (2.5, 3.0), {}),
    (np.clip, (0.3, 0.5, 1.0), {}),
    (operator.mul, (SINGLE, 2.0), {}),
    (operator.pow, (SINGLE, 2), {}),
    (np.maximum, (SINGLE, 0.0), {}),
    (np.where, (SINGLE > 0, SINGLE, 0.0), {}),
    (np.vdot, (MATRIX, MATRIX), {}),
    (np.atleast_1d, (2.0,), {}),
    (np.atleast_2d, (2.0,), {}),
    (np.ravel, (2.0,), {}),
    (np.argsort, (VECTOR,), {}),
    *((fn, (MATRIX + 1j * MATRIX[::-1],), {"axis": axis}) for fn in (np.linalg.norm, np.max, np.argmin)
      for axis in (0, 1)),
    (np.linalg.norm, (MATRIX + 1j * MATRIX[::-1],), {"keepdims": True}),
    (np.argsort, (np.round(RNG.normal(size=300), 1),), {"kind": "stable"}),
    (np.argsort, (np.round(RNG.normal(size=300), 1).astype(np.float32),), {"kind": "stable"}),
    (np.argsort, (TABLE,), {"axis": 0}),
    (np.searchsorted, (np.arange(3.0), MATRIX), {}),
    (np.searchsorted, (np.arange(3.0), np.array([0.0, 1.0, np.nan, 5.0])), {"side": "right"}),
    (np.convolve, (VECTOR, RNG.normal(size=9)), {}),
    (np.convolve, (INTEGERS, INTEGERS), {}),
    (np.correlate, (RNG.normal(size=9), VECTOR), {}),
    (np.correlate, (RNG.normal(size=5), VECTOR), {"mode": "valid"}),
    (np.correlate, (SINGLE, SINGLE), {}),
    (operator.mul, (1j, SINGLE), {}),
    (operator.mul, (SINGLE_COMPLEX, 1j), {}),
    (operator.truediv, (2.0, SINGLE_COMPLEX), {}),
    (np.where, (SINGLE > 0.0, SINGLE_COMPLEX, 0.5j), {}),
    (np.where, (SINGLE > 0.0, SINGLE_COMPLEX, 1), {}),
    (np.argpartition, (np.arange(4.0), 2), {}),
    (np.argsort, (STACK,), {"axis": 1}),
    (np.argsort, (MATRIX,), {"axis": None}),
    (np.cumsum, (STACK,), {"axis": 0}),
    (np.cumsum, (MASK,), {"axis": 1}),
    (np.lexsort, (MATRIX,), {}),
    (np.lexsort, (MATRIX,), {"axis": 0}),
    (math.ulp, (2.5,), {}),
    *((fn, (SINGLE_COMPLEX, SINGLE_COMPLEX[::-1]), {}) for fn in (operator.lt, operator.le, operator.gt, operator.ge)),
    (np.ndarray.astype, (SINGLE_COMPLEX, np.float64), {}),
    (np.float32, (SINGLE_COMPLEX,), {}),
]


def kind(value, name):
    found = _type(value, name)
    return type_of(value) if not np.ndim(value) else found.__class__(found.dtype, found.shape, layout(value))


def layout(array):
    return "C" if array.flags.c_contiguous else "F" if array.flags.f_contiguous else "A"


@pytest.mark.parametrize("primitive, values, named", one_in(8, CALLS, 1), ids=lambda v: getattr(v, "__name__", None))
def test_call(primitive, values, named):
    data = {f"x{i}": v for i, v in enumerate(values) if isinstance(v, (np.ndarray, float))}
    args = tuple(Var(f"x{i}", kind(v, f"x{i}")) if f"x{i}" in data else Const(v) for i, v in enumerate(values))
    call = typed(Call(primitive, args, tuple((k, Const(v)) for k, v in named.items())))
    text, compiled = _compile(tuple(Param(n, kind(v, n)) for n, v in data.items()), (Return(call),))
    found, expected = numba.njit(compiled)(*data.values()), primitive(*values, **named)
    single = np.asarray(expected).dtype in ("float32", "complex64")
    np.testing.assert_allclose(found, expected, rtol=1e-6 if single else 1e-12)
    assert np.shape(found) == np.shape(expected), text
    if np.ndim(expected):
        assert found.dtype == expected.dtype, text


WEIGHTS = np.arange(18.0).reshape(2, 3, 3)


def weighted_inverse(x):
    return np.sum(WEIGHTS * np.square(np.linalg.inv(x)))


def test_products_of_stacks_of_which_one_has_known_lengths():
    """The type of a product follows from its operands': no array of a guessed size fits one of known lengths."""
    text = srcad.source(srcad.grad(weighted_inverse), WEIGHTS + np.eye(3))
    assert "stacked_matmul(" in text


def sums_along_a_row(x):
    return np.sum(np.cumsum(x[..., 0, :], axis=-1) ** 2) + np.sum(np.cumsum(x[..., :2, :], axis=-1))


def test_whole_axes_behind_an_ellipsis_stay():
    text = srcad.source(srcad.jvp(sums_along_a_row), WEIGHTS)
    assert "x[..., 0, :]" in text and "x[..., :2, :]" in text and "x[..., 0]" not in text


def bordered(a, b):
    return np.sum(WEIGHTS[0] * np.tanh(np.block([[a, b[:, None]], [np.vstack((np.hstack((b[None], b[None, :1])),))]])))


def test_matrices_in_rows_are_put_into_one_array():
    text = srcad.source(srcad.jvp(bordered, wrt=0), np.eye(2), np.ones(2))
    assert "grid(((" in text


@pytest.mark.parametrize("value", [3.5, np.inf, 1.0 + 2.0j])
def test_the_variance_of_a_number(value):
    with np.errstate(all="ignore"):
        got = srcad.function(lambda x: np.var(x) + np.var(x, keepdims=True))(value)
        np.testing.assert_equal(got, (value - value).real)
