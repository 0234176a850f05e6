"""Rules at complex operands: a primitive and its operands."""

import cmath
import operator

import numpy as np

COMPLEX_CASES = []
_rng = np.random.default_rng(11)
Z, W = 0.7 + 0.4j, -0.3 + 1.1j


def normal(*shape):
    return _rng.normal(size=shape) + 1j * _rng.normal(size=shape)


def case(primitive, *operands):
    COMPLEX_CASES.append((primitive, operands, {}))


for fn in (
    cmath.exp, cmath.log, cmath.log10, cmath.sqrt, cmath.sin, cmath.cos, cmath.tan, cmath.sinh, cmath.cosh, cmath.tanh,
    cmath.asin, cmath.acos, cmath.atan, cmath.asinh, cmath.acosh, cmath.atanh, cmath.phase, abs,
):  # fmt: skip
    case(fn, Z)
    case(fn, W)
case(cmath.log, Z, W)
case(cmath.rect, 0.7, 0.3)
case(complex, 0.7, 0.3)
case(complex, 0.7)
for fn in (
    np.real, np.imag, np.conjugate, np.angle, np.absolute, np.sign, np.exp, np.exp2, np.expm1, np.log, np.log2,
    np.log10, np.log1p, np.sqrt, np.square, np.reciprocal, np.negative, np.sin, np.cos, np.tan, np.arcsin, np.arccos,
    np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh, np.sum, np.mean, np.prod, np.var,
    np.std, np.cumsum, np.linalg.norm, np.diag,
):  # fmt: skip
    case(fn, normal(3))
BINARY = (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, np.vdot, np.dot, np.outer, np.inner)
for fn in BINARY:
    case(fn, normal(3), normal(3))
    case(fn, _rng.uniform(0.5, 2.0, 3), normal(3))
    case(fn, normal(3), _rng.uniform(0.5, 2.0, 3))
for exponent in (2, 0.5, -1, 3):
    case(operator.pow, normal(3), exponent)
case(np.matmul, normal(2, 3), normal(3, 2))
case(np.matmul, normal(2, 3), normal(3))
case(np.vdot, normal(2, 2), normal(2, 2))
case(np.where, np.array([True, False, True]), normal(3), normal(3))
case(np.where, np.array([True, False, True]), normal(3), np.ones(3))
for fn in (np.linalg.inv, np.linalg.det, np.trace, np.transpose):
    case(fn, normal(3, 3))
case(np.linalg.solve, normal(3, 3), normal(3))

# Numba has no Fourier transforms.
FOURIER_CASES = [
    (fn, (operand,), named)
    for fn in (np.fft.fft, np.fft.ifft)
    for operand, named in (
        (normal(5), {}), (_rng.normal(size=6), {"norm": "ortho"}), (normal(3, 4), {"axis": 0}),
    )
]  # fmt: skip
FOURIER_CASES += [(fn, (normal(3, 4),), {}) for fn in (np.fft.fft2, np.fft.ifft2)]
FOURIER_CASES += [(np.fft.rfft, (_rng.normal(size=n),), {}) for n in (5, 6)]
FOURIER_CASES += [(np.fft.rfft, (_rng.normal(size=(4, 3)),), {"axis": 0})]
FOURIER_CASES += [(fn, (normal(3, 4),), {"axes": 1}) for fn in (np.fft.fftshift, np.fft.ifftshift)]
