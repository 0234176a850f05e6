"""The interpreted backend: the same text, the same types."""

import threading

import numpy as np
import pytest

import srcad
from srcad.backends.numba_types import to_type
from srcad.backends.values import type_named, type_of
from tests.backends.written import power, product, scaled


def test_call_in_all_ways(writer):
    df = srcad.grad(power, target="python")
    assert df(2.0) == df(x=2.0) == df(2.0, 3) == df(2.0, n=3, factor=2.0) == 24.0
    assert df(2.0, grad_ys=10.0) == 240.0
    assert len(writer.calls) == 1


def test_same_text_as_compiled(writer):
    python, cpu = srcad.grad(product, target="python"), srcad.grad(product)
    for x in (1.0, np.ones(3)):
        np.testing.assert_array_equal(python(x, 2.0), cpu(x, 2.0))
        assert python.source() == cpu.source()


def test_array_constants_are_filled_in(writer):
    np.testing.assert_array_equal(srcad.grad(scaled, target="python")(np.ones(3)), [1.0, 2.0, 3.0])


def test_threads_specialise_once(writer):
    df = srcad.grad(product, target="python")
    threads = [threading.Thread(target=df, args=(2.0, 3.0)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(writer.calls) == 1


@pytest.mark.parametrize("wrong", [
    {frozenset(): 1.0}, {1.0}, object(), np.array(["a"]), np.ones(2, ">f8"), np.float16(1.0)
])  # fmt: skip
def test_arguments_of_other_types_are_named(writer, wrong):
    with pytest.raises(TypeError, match="'y'"):
        srcad.grad(product, target="python")(1.0, wrong)
    assert not writer.calls


@pytest.mark.parametrize("value", [
    1, True, 2.0, 2j, np.float32(1), np.int16(3), np.uint8(1), np.bool_(True), np.complex64(1), None,
    np.ones(3), np.ones((2, 3), np.float32, order="F"), np.ones((4, 4))[::2, ::2], np.array(1.0), np.ones(3, bool),
    (1.0, np.ones(2)), ((1, 2.0), (np.ones((2, 2)),)), (None, 1.0),
])  # fmt: skip
def test_values_have_the_types_that_numba_gives_them(value):
    import numba

    assert type_of(value, "x") == to_type(numba.typeof(value), "x")


def test_types_as_users_write_them():
    import numba

    assert type_named("float64[:, ::1]", "x") == to_type(numba.float64[:, ::1], "x") == type_of(np.ones((2, 2)), "x")
    assert type_named("float32[::1, :]", "x") == to_type(numba.float32[::1, :], "x")
    assert type_named("float64[:]", "x") == to_type(numba.float64[:], "x")
    assert type_named(int, "x") == type_named("int64", "x") == type_of(3, "x")
    assert type_named((float, "float32[:]"), "x") == to_type(numba.types.Tuple((numba.float64, numba.float32[:])), "x")
    for wrong in ("floaty", "float64[1]", "float64[", "str"):
        with pytest.raises(ValueError, match="'x'"):
            type_named(wrong, "x")


def test_numba_switched_off(writer, monkeypatch):
    import numba

    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)
    assert srcad.grad(product)(2.0, 3.0) == 3.0


def scaled_sum(v, s):
    return np.sum(v) * s


def recurrence(v, s):
    t = 0.0
    for i in range(len(v)):
        t = t * s + v[i] * s
    return t


def widened(v, s):
    return v * s["by"]


@pytest.mark.parametrize("kind", [float, np.float64, np.float32])
@pytest.mark.parametrize("fn, made", [(scaled_sum, lambda s: s), (recurrence, lambda s: s),
                                      (widened, lambda s: {"by": s})])  # fmt: skip
def test_numbers_of_numpy_widen_and_those_of_python_do_not(fn, made, kind):
    v, s = np.array([1.1, 2.2, 3.3], np.float32), made(kind(0.1))
    value, gradient = srcad.value_and_grad(fn, target="python")(v, s)
    expected = fn(v, s)
    assert type(value) is float or value.dtype == expected.dtype
    assert gradient.dtype == np.float32
    np.testing.assert_array_equal(value, expected)
