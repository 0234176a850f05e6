"""Functions through the vector library of the system: right, of all types, in loops, and in what users keep on disk."""

import math
import os
import subprocess
import sys

import numba
import numpy as np
import pytest

import srcad
from srcad.backends import vector_math
from srcad.runtime import vector_library
from srcad.runtime.libraries import VECTORS_OF_SPECIAL, enter
from srcad.runtime.vector_library import BINARY, FUNCTIONS, UNARY

RANDOM = np.random.default_rng(0)
LIMITS = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e308, -1e308, 1e17, 5e-324, 1e-300, 0.5, 2.0, 710.0])
NAMES = [function.__name__ for function in UNARY.values()]
OF_NUMPY = [name for name in NAMES if hasattr(np, name)]
PAIRS = [function.__name__ for function in BINARY.values()]


def loop(function):
    """The function of each element, in a loop of machine code."""

    @numba.njit(fastmath={"contract"})
    def each(*xs):
        result = np.empty_like(xs[0])
        for i in range(result.size):
            result[i] = function(xs[0][i])
        return result

    return each


def loop_of_two(function):
    @numba.njit(fastmath={"contract"})
    def each(x, y):
        result = np.empty_like(x)
        for i in range(result.size):
            result[i] = function(x[i], y[i])
        return result

    return each


def arguments(name: str) -> np.ndarray:
    normal = RANDOM.normal(size=3000)
    if name in ("arcsin", "arccos", "arctanh"):
        return np.concatenate((np.tanh(normal), np.tanh(normal) * 1e-9))
    if name == "arccosh":
        return 1.0 + np.exp(10 * normal)
    if name in ("log2", "log10"):
        return np.exp(50 * normal)
    large = RANDOM.uniform(-700, 700, 3000) if name in ("sinh", "cosh", "exp2", "erf", "cbrt", "tan") else 1e12 * normal
    return np.concatenate((normal, normal * 1e-8, large))


def few(names):
    """One in three, and the others where there is time."""
    return [pytest.param(name, marks=pytest.mark.slow if k % 3 else ()) for k, name in enumerate(names)]


@pytest.mark.parametrize("name", OF_NUMPY)
def test_functions_are_right_to_four_units_in_the_last_place(name):
    x = arguments(name)
    with np.errstate(all="ignore"):
        exact, of_numpy = getattr(np, name)(x.astype(np.longdouble)), getattr(np, name)(x)
        singles = x.astype(np.float32)
        of_single = getattr(np, name)(singles.astype(np.float64))
    found, single = loop(FUNCTIONS[name])(x), loop(FUNCTIONS[name])(singles)
    finite = np.isfinite(of_numpy)
    assert np.array_equal(np.isfinite(found), finite)
    assert np.max(np.abs(found - exact)[finite] / np.spacing(np.abs(of_numpy[finite]))) < 4.5
    assert single.dtype == np.float32
    small = np.isfinite(of_single) & (np.abs(of_single) < 1e38)
    apart = np.abs(single[small] - of_single[small]) / np.spacing(np.abs(of_single[small]).astype(np.float32))
    assert np.max(apart) < 4.5


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions(name):
    x = RANDOM.normal(size=3000) * 3
    expected = np.array([getattr(math, name)(each) for each in x])
    assert np.max(np.abs(loop(FUNCTIONS[name])(x) - expected) / np.spacing(np.abs(expected))) < 5.0


@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two_numbers(name):
    x, y = np.exp(3 * RANDOM.normal(size=3000)), 3 * RANDOM.normal(size=3000)
    compiled = loop_of_two(FUNCTIONS[name])
    expected = getattr(np, name)(x, y)
    assert np.max(np.abs(compiled(x, y) - expected) / np.spacing(np.abs(expected))) < 4.5
    single = compiled(x.astype(np.float32), y.astype(np.float32))
    np.testing.assert_allclose(single, getattr(np, name)(x.astype(np.float32), y.astype(np.float32)), rtol=2e-6)
    y = y.astype(np.float32)
    np.testing.assert_allclose(compiled(x, y), getattr(np, name)(x, y), rtol=1e-15)


@pytest.mark.parametrize("name", OF_NUMPY)
def test_functions_at_the_limits(name):
    x = np.tile(LIMITS, 8)  # all places of a vector
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x)
    np.testing.assert_allclose(loop(FUNCTIONS[name])(x), expected, rtol=1e-15, atol=0)


@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two_numbers_at_the_limits(name):
    x, y = (each.ravel() for each in np.meshgrid(LIMITS, LIMITS))
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(x, y)
    np.testing.assert_allclose(loop_of_two(FUNCTIONS[name])(x, y), expected, rtol=1e-15, atol=0)


@pytest.mark.parametrize("name", few(OF_NUMPY))
def test_functions_of_other_types(name):
    function, of_numpy = FUNCTIONS[name], getattr(np, name)
    compiled = numba.njit(lambda x: function(x))
    given = [0.7 * np.ones((2, 3)), np.float32(0.7) * np.ones(3, np.float32), np.float32(0.7), 1]
    if name not in ("exp2", "log2", "cbrt"):
        given.append(0.5 + 0.25j)
    for x in given if name != "arccosh" else [3 * each for each in given[:-1]]:
        if name == "arctanh" and isinstance(x, int):
            continue
        found, expected = compiled(x), of_numpy(x)
        assert getattr(found, "dtype", None) in (getattr(expected, "dtype", None), None)
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_powers_of_other_types():
    function = FUNCTIONS["power"]
    compiled = numba.njit(lambda x, y: function(x, y))
    for x, y in ((2.0, 3), (2, 3), (2.0 * np.ones(2), 1.5), (np.ones((2, 1)), np.ones(3)), (1 + 1j, 2.0)):
        np.testing.assert_allclose(compiled(x, y), np.power(x, y), rtol=1e-15)


@pytest.mark.skipif(vector_library.VECTOR_LIBRARY is None, reason="no vector library on this system")
@pytest.mark.parametrize("name", ["sin", "erf", "power"])
def test_loops_call_vector_functions(name):
    if name == "power":
        compiled = loop_of_two(FUNCTIONS[name])
        compiled(np.ones(3), np.ones(3))
    else:
        compiled = loop(FUNCTIONS[name])
        compiled(np.ones(3))
    [code] = compiled.inspect_asm().values()
    assert f"v_{'pow' if name == 'power' else name}" in code and "_ZGV" in code


def test_systems_without_the_library(monkeypatch):
    target = ("x86_64-unknown-linux-gnu", "skylake", "+sse2,+avx2")
    if vector_library.VECTOR_LIBRARY is not None:
        assert vector_library.variants("sin", 1, 8, target) == {"_ZGVbN2v_sin": 2, "_ZGVdN4v_sin": 4}
        assert vector_library.variants("no such function", 1, 8, target) == {}
    monkeypatch.setattr(vector_library, "VECTOR_LIBRARY", None)
    assert vector_library.variants("sin", 1, 8, target) == {}
    x = RANDOM.normal(size=100)
    np.testing.assert_allclose(loop(FUNCTIONS["sin"])(x), np.sin(x), rtol=1e-15)


def test_every_name_has_a_function():
    assert set(vector_math.LIBRARY) == set(FUNCTIONS)
    assert set(vector_math.OF_MATH.values()) <= set(FUNCTIONS)
    assert all(hasattr(math, name) for name in vector_math.OF_MATH)


def test_derivatives_with_powers():
    def f(x, p):
        s = 0.0
        for i in range(len(x)):
            r = x[i] * x[i] + 1.0
            s += r**-1.5 + r**p + r**2.5 * np.sin(x[i]) + math.atan2(x[i], r)
        return s

    x = RANDOM.normal(size=50)
    df = srcad.grad(f, wrt=(0, 1))
    found = df(x, 0.7)
    expected = srcad.grad(f, wrt=(0, 1), fastmath=False)(x, 0.7)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-13)
    assert "r**p" in srcad.source(df, x, 0.7)
    assert "np.power(r, p)" in srcad.source(df, x, 0.7, stage="blocks")


USER = '''
import numba
import numpy as np
import srcad

@srcad.grad
def of_arrays(x):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 100.0:
            raise ValueError("too large")
        s += np.sin(x[i]) ** 2
    return s

@srcad.grad
def of_numbers(x):
    return np.sin(x) * np.cos(3 * x)

@numba.njit(cache=True)
def use(x):
    s = of_arrays(x).sum()
    for i in range(len(x)):
        s += of_numbers(x[i])
    return s
'''


def test_users_keep_machine_code_that_calls_derivatives(tmp_path):
    (tmp_path / "kept.py").write_text(USER)
    environment = {**os.environ, "SRCAD_CACHE_DIR": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": str(tmp_path / "numba"),
                   "PYTHONPATH": os.pathsep.join(path for path in (str(tmp_path), *sys.path) if path)}  # fmt: skip
    text = "import kept, numpy as np; print(kept.use(np.arange(50.0)), sum(kept.use.stats.cache_hits.values()))"
    for hits in (0, 1):
        done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        value, found = done.stdout.split()
        x = np.arange(50.0)
        expected = np.sum(np.sin(2 * x) + np.cos(x) * np.cos(3 * x) - 3 * np.sin(x) * np.sin(3 * x))
        assert abs(float(value) - expected) < 1e-12 and int(found) == hits


@pytest.mark.skipif(vector_library.VECTOR_LIBRARY is None, reason="no vector library on this system")
@pytest.mark.parametrize("name", VECTORS_OF_SPECIAL)
def test_functions_of_scipy(name):
    special = pytest.importorskip("scipy.special")
    from srcad.runtime.vector_special import FUNCTIONS as found

    enter("srcad.runtime")

    x = np.concatenate((RANDOM.normal(size=3000), np.linspace(-8.0, 8.0, 1001), LIMITS))
    of_scipy, compiled = getattr(special, name), loop(found[name])
    expected = of_scipy(x)
    np.testing.assert_allclose(compiled(x), expected, rtol=3e-14, atol=0)
    singles = x.astype(np.float32)
    np.testing.assert_allclose(compiled(singles), of_scipy(singles), rtol=2e-6, atol=1e-37)
    function = found[name]
    whole = numba.njit(lambda x: function(x))
    np.testing.assert_allclose(whole(x), compiled(x), rtol=1e-15)
    np.testing.assert_allclose(whole(1), of_scipy(1), rtol=1e-15)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_functions_of_scipy_are_part_of_a_loop(dtype):
    special = pytest.importorskip("scipy.special")

    def f(x, w):
        return np.sum(special.ndtr(x * w) * special.expit(w) - special.erf(x) * special.erfc(w))

    x, w = (RANDOM.normal(size=50).astype(dtype) for _ in range(2))
    df = srcad.value_and_grad(f, wrt=(0, 1))
    value, gradients = df(x, w)
    expected, others = srcad.value_and_grad(f, wrt=(0, 1), target="python")(x, w)
    tolerance = 1e-13 if dtype == np.float64 else 2e-5
    np.testing.assert_allclose(value, expected, rtol=tolerance)
    for one, other in zip(gradients, others):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
    if dtype == np.float64:
        assert "special.expit(w[i])" in srcad.source(df, x, w)


@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float64", "float32", "int64"])
def test_angles_of_arrays_and_of_numbers_are_those_of_numpy(dtype):
    angle = FUNCTIONS["angle"]
    x, y = (grid.ravel() for grid in np.meshgrid([*LIMITS[:7], 0.5, -2.0], [*LIMITS[:7], 0.5, -2.0]))
    with np.errstate(invalid="ignore", over="ignore"):
        z = (x + 1j * y).astype(dtype) if dtype.startswith("complex") else x[np.isfinite(x)].astype(dtype)
    expected = np.angle(z)
    close = {"rtol": 1e-6 if dtype in ("complex64", "float32") else 1e-14}
    found = numba.njit(lambda z: angle(z))(z)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, **close)
    np.testing.assert_allclose([numba.njit(lambda z: angle(z))(number) for number in z], expected, **close)
