"""The compiled backend: one specialisation per signature, callable from everywhere, refusals on the user's line."""

import copy
import pickle
import threading
import time
import warnings

import numba
import numpy as np
import pytest

import srcad
from tests.backends import written
from tests.backends.written import chosen, power, product, rated, scaled, unsupported_by_numba


@srcad.grad(wrt="x", target="cpu")
def decorated(x, y):
    return x * y


def test_call_in_all_ways(writer):
    df = srcad.grad(power)
    assert df(2.0) == df(x=2.0) == df(2.0, 3) == df(2.0, n=3, factor=2.0) == 24.0
    assert df(2.0, grad_ys=10.0) == 240.0
    assert df(2.0, 4, 1.0, 1.0) == 32.0
    assert len(df.signatures) == len(writer.calls) == 1


def test_one_specialisation_per_signature(writer):
    df = srcad.grad(product)
    for x in (1.0, np.ones(3), np.ones(3, np.float32), np.ones((2, 2)), np.ones((4, 4))[::2, ::2], 1.0, np.ones(3)):
        df(x, 2.0)
    assert len(df.signatures) == 5
    assert [str(signature[0].shape) for _, signature, _ in writer.calls[1:]] == [
        "('x.shape[0]',)", "('x.shape[0]',)", "('x.shape[0]', 'x.shape[1]')", "('x.shape[0]', 'x.shape[1]')"
    ]  # fmt: skip


def test_readonly_arrays(writer):
    x = np.ones(3)
    x.flags.writeable = False
    np.testing.assert_array_equal(srcad.grad(product)(2.0, x), np.ones(3))


def test_strings_are_compile_time_values(writer):
    df = srcad.grad(chosen)
    assert [df(3.0, kind) for kind in ("double", "single", "double")] == [2.0, 1.0, 2.0]
    assert df(3.0) == 2.0 and len(writer.calls) == 2

    @numba.njit
    def user(x):
        return df(x, "single") + df(x)

    assert user(1.0) == 3.0 and len(set(map(repr, writer.calls))) == 2


def test_call_from_compiled_functions(writer):
    df = srcad.grad(power)

    @numba.njit
    def user(x):
        return df(x, 3) + df(x, 3, 1.0, grad_ys=2.0) + df(2.0 * x, n=3)

    assert user(2.0) == 24.0 + 24.0 + 96.0


def test_threads_compile_once(writer):
    df = srcad.grad(product)
    calls = []
    slow = writer.__call__

    def generate(*args, **kwargs):
        calls.append(args)
        time.sleep(0.05)
        return slow(*args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("srcad.derivation.generate", generate)
        start, results = threading.Barrier(8), []
        threads = [threading.Thread(target=lambda: (start.wait(), results.append(df(2.0, 3.0)))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [3.0] * 8
    assert len(calls) == len(df.signatures) == 1


def test_pickled_by_reference(writer):
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    for target in ("cpu", "python"):
        df = pickle.loads(pickle.dumps(srcad.grad(product, wrt="x", target=target)))
        assert df(2.0, 3.0) == 3.0
        assert df.maker.fn is product
    assert copy.deepcopy(srcad.grad(product))(2.0, 3.0) == 3.0


def test_closures_are_pickled_by_value(writer):
    def power(x, n=rate(), factor=written.RATE):
        return factor * x**n * closed

    closed = 1.0
    assert pickle.loads(pickle.dumps(srcad.grad(power)))(3.0) == 12.0


def rate():
    return 2


def test_array_constants_are_filled_in(writer):
    np.testing.assert_array_equal(srcad.grad(scaled)(np.ones(3)), [1.0, 2.0, 3.0])


def test_numba_errors_name_the_user_line(writer):
    with pytest.raises(srcad.UnsupportedError) as caught:
        srcad.grad(unsupported_by_numba)(1.0)
    error = caught.value
    assert (error.filename, error.lineno, error.text) == (written.__file__, 40, "return np.nothing(x)")
    assert "apply_over_axes" in str(error) and 'target="python"' in str(error)
    assert isinstance(error.__cause__, numba.core.errors.NumbaError)


@pytest.mark.parametrize("wrong", [{frozenset(): 1.0}, {1.0}, object(), np.array(["a"]), 1 << 80])
def test_arguments_of_other_types_are_named(writer, wrong):
    with pytest.raises((TypeError, OverflowError), match="'y'|int"):
        srcad.grad(product)(1.0, wrong)
    assert not writer.calls


@pytest.mark.parametrize("seed", ["ones", {frozenset(): 1.0}, object()])
def test_seeds_of_other_types_are_named(writer, seed):
    with pytest.raises(TypeError, match="grad_ys"):
        srcad.grad(product)(1.0, 2.0, grad_ys=seed)
    assert not writer.calls


def test_metadata():
    df = srcad.grad(product)
    assert df.__name__ == "product_grad" and df.__module__ == product.__module__
    assert "respect to x" in df.__doc__ and "The product." in df.__doc__
    assert "product" in repr(df) and "cpu" in repr(df)


def test_performance_warnings_stay_inside(writer):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        srcad.grad(rated)(1.0)
