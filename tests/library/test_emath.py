"""What `np.emath` gives, and what it says where NumPy would give complex numbers instead of real ones."""

import numpy as np
import pytest

import srcad

X = np.array([0.3, 0.8])


def sqrt(x): return np.sum(np.emath.sqrt(x))  # fmt: skip
def log(x): return np.sum(np.emath.log(x))  # fmt: skip
def log2(x): return np.sum(np.emath.log2(x))  # fmt: skip
def log10(x): return np.sum(np.emath.log10(x))  # fmt: skip
def logn(x): return np.sum(np.emath.logn(2.0, x))  # fmt: skip
def power(x): return np.sum(np.emath.power(x, 0.5))  # fmt: skip
def arccos(x): return np.sum(np.emath.arccos(x))  # fmt: skip
def arcsin(x): return np.sum(np.emath.arcsin(x))  # fmt: skip
def arctanh(x): return np.sum(np.emath.arctanh(x))  # fmt: skip


SAID = {
    sqrt: "np.emath.sqrt of a number below zero is complex: write np.sqrt(x + 0j)",
    log: "np.emath.log of a number below zero is complex: write np.log(x + 0j)",
    log2: "np.emath.log2 of a number below zero is complex: write np.log2(x + 0j)",
    log10: "np.emath.log10 of a number below zero is complex: write np.log10(x + 0j)",
    logn: "np.emath.logn of a number below zero is complex: write np.log(x + 0j) / np.log(n + 0j)",
    power: "np.emath.power of a number below zero is complex: write np.power(x + 0j, p)",
    arccos: "np.emath.arccos of a number beyond one is complex: write np.arccos(x + 0j)",
    arcsin: "np.emath.arcsin of a number beyond one is complex: write np.arcsin(x + 0j)",
    arctanh: "np.emath.arctanh of a number beyond one is complex: write np.arctanh(x + 0j)",
}


@pytest.mark.parametrize("function", SAID, ids=lambda f: f.__name__)
def test_real_where_the_result_is(function):
    plain = getattr(np, function.__name__, None)
    value, slope = srcad.value_and_grad(function, target="python")(X)
    assert value == pytest.approx(function(X))
    if plain is not None and plain.nin == 1:
        np.testing.assert_allclose(slope, np.imag(plain(X + 1e-30j)) / 1e-30, rtol=1e-12)


@pytest.mark.parametrize("function", SAID, ids=lambda f: f.__name__)
def test_where_numpy_gives_complex_numbers(function):
    assert np.iscomplexobj(function(X - 2.0))
    with pytest.raises(ValueError) as raised:
        srcad.grad(function, target="python")(X - 2.0)
    assert str(raised.value).startswith(SAID[function] + ", in line ")


def nearly_real(z):
    return np.sum(np.real_if_close(z).real)


def test_complex_numbers_that_are_close_to_real_ones():
    with pytest.raises(ValueError) as raised:
        srcad.grad(nearly_real, target="python")(X + 1e-16j)
    said = "np.real_if_close of complex numbers that are close to real ones: write np.real, in line "
    assert str(raised.value).startswith(said)
