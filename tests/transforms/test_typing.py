"""The types of expressions: NumPy itself says what they should be."""

from __future__ import annotations

import inspect
import warnings
from functools import cache

import numpy as np
import pytest

from srcad.lang.promote import type_of
from srcad.lang.types import Array, Scalar, TupleType
from srcad.transforms.infer import infer
from srcad.transforms.split import split
from srcad.transforms.surface import surface
from tests.transforms.typing_cases import CASES, arguments


def signature_of(value):
    kind = type_of(value)
    return Array(kind.dtype, tuple(map(str, range(kind.ndim))), kind.layout) if isinstance(kind, Array) else kind


@cache
def read(fn):
    return split(surface(fn))


def inferred(fn, args):
    return infer(read(fn), tuple(map(signature_of, args))).body[-1].value.type


CALLS = [(topic, fn) for topic, cases in CASES.items() for fn in cases]
LINES = [f"{topic}: {inspect.getsource(fn).strip().rstrip(',').split(': ', 1)[-1]}" for topic, fn in CALLS]
with_every_case = pytest.mark.parametrize("fn", [fn for _, fn in CALLS], ids=LINES)


def check(type, value):
    """Whether a value is of a type."""
    value = np.asarray(value) if not isinstance(value, tuple) else value
    if isinstance(type, TupleType):
        assert len(type.items) == len(value)
        return [check(item, v) for item, v in zip(type.items, value)]
    assert type.dtype == value.dtype.name
    assert (type.ndim if isinstance(type, Array) else 0) == value.ndim
    if isinstance(type, Array) and type.layout in "CF":
        assert value.flags.c_contiguous if type.layout == "C" else value.flags.f_contiguous
    return None


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@with_every_case
def test_dtype_rank_and_layout_are_those_of_numpy(fn, dtype):
    for small in (True, False) if "W" not in fn.__code__.co_names else (True,):
        args = [arguments(dtype, small)[name] for name in inspect.signature(fn).parameters]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = fn(*args)
        type = inferred(fn, args)
        check(type, value)
        if isinstance(type, Scalar) and not isinstance(value, np.generic):
            assert type.weak or type.dtype == "bool", "a number of Python is weak"


@pytest.mark.parametrize("small", [True, False])
def test_a_symbol_is_one_number(small):
    """Dimensions of all cases that carry one symbol are equal, and known dimensions are what they say."""
    every = arguments(np.float64, small)
    seen: dict = {}
    for fn in (fn for _, fn in CALLS if small or "W" not in fn.__code__.co_names):
        args = [every[name] for name in inspect.signature(fn).parameters]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = fn(*args)
        type = inferred(fn, args)
        if isinstance(type, Array):
            for dim, length in zip(type.shape, np.shape(value)):
                expected = dim if isinstance(dim, int) else seen.setdefault(dim, length)
                assert expected == length, f"{inspect.getsource(fn)}: {dim} is {expected} and {length}"


def pairs(functions):
    return list(zip(functions[::2], functions[1::2]))


def dims(fn):
    args = [arguments(np.float64, True)[name] for name in inspect.signature(fn).parameters]
    return inferred(fn, args).shape


SAME = [
    lambda x: x[1:],
    lambda x: x[:-1],
    lambda x: x[1:-1],
    lambda x: x[2:],
    lambda x: x[1:-1],
    lambda x: x[1 : x.shape[0] - 1],
    lambda x: x[:-2],
    lambda x: x[1:][1:],
    lambda x: np.sin(x),
    lambda x: np.zeros(len(x)),
    lambda x: x[1:],
    lambda x: np.zeros(x.shape[0] - 1),
    lambda x: np.diff(x),
    lambda x: x[1:],
    lambda x: np.concatenate((x, np.zeros(1))),
    lambda x: np.zeros(len(x) + 1),
    lambda A: np.zeros_like(A),
    lambda A: A * 2 + A,
    lambda A: A.T,
    lambda A: np.zeros((A.shape[1], A.shape[0])),
    lambda A: A.reshape(-1),
    lambda A: np.ravel(A),
    lambda A: np.ones(A.size),
    lambda A: A.flatten(),
    lambda x: x[::-1],
    lambda x: np.flip(x),
    lambda k: np.zeros(k),
    lambda k: np.arange(k),
]


@pytest.mark.parametrize("a, b", pairs(SAME))
def test_shapes_that_surely_agree(a, b):
    assert dims(a) == dims(b)


DIFFERENT = [
    lambda x: x[1:],
    lambda x: x[2:],
    lambda x, y: x,
    lambda x, y: y,
    lambda x, y: x + y,
    lambda x, y: x,
    lambda x, k: x[k:],
    lambda x, k: x[:k],
    lambda x: x[: len(x) - 5],  # of a short vector, the first counts from the end
    lambda x: x[:-5],
    lambda x: x[2:],
    lambda x: np.zeros(len(x) - 3),
]


@pytest.mark.parametrize("a, b", pairs(DIFFERENT))
def test_shapes_that_may_differ(a, b):
    assert dims(a) != dims(b)


def test_masks_may_select_different_numbers_of_elements():
    assert dims(lambda x, m: x[m]) != dims(lambda x, m: x[m])
