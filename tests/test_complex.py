"""Complex numbers: rules, and gradients with respect to complex arguments, which point uphill as in TensorFlow."""

import cmath
import types

import numpy as np
import pytest
from numba.core.errors import NumbaError

import srcad
from srcad.backends import numba_cpu, said
from srcad.testing import check_grads, check_rule
from tests.rules.complex_cases import COMPLEX_CASES, FOURIER_CASES

TARGETS = ("python", "cpu")


def label(case):
    return f"{case[0].__name__}({','.join(np.asarray(o).dtype.name for o in case[1])})"


@pytest.mark.parametrize("case", COMPLEX_CASES, ids=map(label, COMPLEX_CASES))
def test_rule(case):
    check_rule(case[0], *case[1], compiled=False)


@pytest.mark.slow
@pytest.mark.parametrize("case", COMPLEX_CASES, ids=map(label, COMPLEX_CASES))
def test_rule_compiled(case):
    check_rule(case[0], *case[1])


@pytest.mark.parametrize("case", FOURIER_CASES, ids=map(label, FOURIER_CASES))
def test_fourier_rule(case):
    check_rule(case[0], *case[1], compiled=False, **case[2])


def test_a_filter_by_fourier_transforms():
    def filtered(x):
        frequencies = np.fft.fft(x)
        frequencies[2:5] = 0.0
        return np.sum(np.fft.ifft(frequencies).real ** 3)

    check_grads(filtered, (np.random.default_rng(0).normal(size=6),), target="python")
    check_grads(filtered, (np.random.default_rng(0).normal(size=6),), modes=("rev",))


def test_compiled_fourier_transforms_need_a_package(monkeypatch):
    def spectrum(x):
        return np.sum(np.abs(np.fft.fft(x)) ** 2)

    class Missing:
        def compile(self, args):
            source = srcad.source(srcad.grad(spectrum), np.ones(3))
            line = next(k for k, text in enumerate(source.splitlines(), 1) if "np.fft." in text)
            error = NumbaError("No implementation of function fft")
            error.loc = types.SimpleNamespace(filename=Missing.path, line=line)
            raise error

    def dispatcher(source, options, *_):
        Missing.path = source.path
        return Missing()

    monkeypatch.setattr(numba_cpu, "dispatcher_of", dispatcher)
    monkeypatch.setattr(said, "find_spec", lambda name: None)
    with pytest.raises(srcad.UnsupportedError, match="rocket-fft.*srcad.fft") as caught:
        srcad.grad(spectrum)(np.ones(3))
    assert "np.fft.fft(x)" in caught.value.text


def squared_length(z):
    return abs(z) ** 2


def distance(z, w):
    u = np.exp(z) * w - np.conj(z)
    return np.sum(np.abs(u) ** 2) + np.sum(u.imag)


def holomorphic(z):
    return z * z * 1j + cmath.exp(z)


def recurrence(z):
    s = 0j
    for i in range(len(z)):
        s = s * 0.5 + z[i] ** 2
    return s.real


def overwriting(z):
    z[1] = z[0] * z[2]
    return np.sum((z * np.arange(3)).imag)


def squares(z):
    return z * z


def numbers(*shape):
    rng = np.random.default_rng(5)
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


def ordered(z, w):
    largest = np.partition(z, 2)[2:]
    where = z[np.minimum(np.searchsorted(np.sort(z), w), 3)]
    chosen = np.where(z > w, z, 2.0 * w) + np.where(z <= 0, z, 1.0)
    parts = np.full(2, z[0], np.float64) + z[:2].astype(np.float64) if z[0] >= w[0] else np.real(w[:2])
    every = np.abs(largest).sum() + np.abs(where).sum() + np.abs(chosen).sum()
    return every + abs(np.median(z)) * np.sum(parts) + np.sum(np.full_like(np.ones(2), w[1]))


PROGRAMS = [
    (squared_length, (0.3 + 0.4j,)), (distance, (numbers(3), numbers(3) + 1.0)), (holomorphic, (0.3 - 0.2j,)),
    (recurrence, (numbers(4),)), (overwriting, (numbers(3),)), (squares, (numbers(2),)),
    (ordered, (numbers(4), numbers(4)[::-1] + 0.1)),
]  # fmt: skip


def uphill(f, args, position, seed=1.0):
    """``d/dx + 1j * d/dy`` of ``real(conj(seed) * f)``, by central differences."""
    at = np.asarray(args[position])
    gradient = np.zeros_like(at)
    for place in np.ndindex(at.shape):
        for direction in (1.0, 1j):
            ends = []
            for step in (1e-6, -1e-6):
                moved = at.copy()
                moved[place] += step * direction
                point = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
                point[position] = moved if moved.ndim else moved.item()
                ends.append(np.sum(np.conj(seed) * f(*point)).real)
            gradient[place] += direction * (ends[0] - ends[1]) / 2e-6
    return gradient


@pytest.mark.parametrize("f, args, target", [
    pytest.param(f, args, target, id=f"{f.__name__}-{target}",
                 marks=pytest.mark.slow if f is ordered and target == "cpu" else ())
    for f, args in PROGRAMS for target in TARGETS
])  # fmt: skip
def test_gradients_point_uphill(f, args, target):
    for position in range(len(args)):
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in args]
        found = srcad.grad(f, wrt=position, target=target)(*copies)
        assert np.iscomplexobj(found)
        np.testing.assert_allclose(found, uphill(f, args, position), atol=1e-7)


@pytest.mark.parametrize("target", TARGETS)
def test_complex_seeds(target):
    seed = 1.0 + 2.0j
    found = srcad.grad(holomorphic, target=target)(0.3 - 0.2j, grad_ys=seed)
    np.testing.assert_allclose(found, uphill(holomorphic, (0.3 - 0.2j,), 0, seed), atol=1e-7)
    z, seeds = numbers(3), numbers(3) - 1.0
    found = srcad.grad(squares, target=target)(z, grad_ys=seeds)
    np.testing.assert_allclose(found, np.conj(2.0 * z) * seeds, atol=1e-12)


def test_a_complex_seed_of_a_real_result_is_refused():
    with pytest.raises(TypeError, match="the result is real"):
        srcad.grad(squared_length, target="python")(1.0 + 1.0j, grad_ys=1j)


def width(z):
    return z.real**2


def aside(x):
    return x + 1j


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_made_of_real_numbers_alone_is_complex_beside_a_complex_number(target):
    found = srcad.grad(width, target=target)(3.0 + 2.0j)
    assert type(found) is complex and found == 6.0
    value, tangent = srcad.jvp(aside, target=target)(2.0, tangents=3.0)
    assert (value, tangent) == (2.0 + 1j, 3.0) and type(tangent) is complex


@pytest.mark.parametrize("target", TARGETS)
def test_single_precision_stays_single(target):
    z, w = (numbers(3).astype(np.complex64), (numbers(3) + 1.0).astype(np.complex64))
    found = srcad.grad(distance, target=target)(z, w)
    assert found.dtype == np.complex64
    np.testing.assert_allclose(found, uphill(distance, (z.astype(complex), w.astype(complex)), 0), rtol=1e-4)


@pytest.mark.parametrize("target", TARGETS)
def test_derivatives_are_zero_at_the_origin(target):
    def parts(z):
        return abs(z) + cmath.phase(z)

    assert srcad.grad(parts, target=target)(0j) == 0j


@pytest.mark.parametrize("f, args", PROGRAMS, ids=[f.__name__ for f, _ in PROGRAMS])
def test_check_grads(f, args):
    check_grads(f, args, target="python")


def test_check_grads_finds_wrong_gradients():
    with pytest.raises(AssertionError):
        check_grads(lambda z: srcad.stop_gradient(z) * z, (numbers(3),), target="python")


@pytest.mark.parametrize("f, args", [PROGRAMS[0], *PROGRAMS[2:4]], ids=["length", "holomorphic", "recurrence"])
def test_both_modes_and_second_derivatives(f, args):
    check_grads(f, args, order=2, modes=("fwd", "rev"), target="python")


@pytest.mark.parametrize("name", ["convolve", "correlate", "convolve1d", "correlate1d"])
def test_filters_with_complex_weights_are_refused(name):
    ndimage = pytest.importorskip("scipy.ndimage")
    filtered = getattr(ndimage, name)
    with pytest.raises(srcad.UnsupportedError, match="(a filter with complex weights|in this form) is not supported"):
        srcad.grad(lambda x, w: np.sum(np.abs(filtered(x, w))), target="python")(np.ones(5), np.ones(3) * 1j)
