"""Rules at complex operands: a primitive and its operands."""

import cmath
import operator

import numpy as np
from scipy import linalg, special

from srcad.lang.ir import Const
from srcad.lang.promote import type_of
from srcad.runtime import (
    airy_a, chained, cofactors, cofactors_dot, complement, det_sign, fresnel_cosine, hyperbolic_sine_integral,
    log_abs_det, orthonormal, scaled_pairs, sine_integral, singular_values, spectrum, with_imag, with_real,
)  # fmt: skip
from srcad.runtime.scipy_linalg_functions import logarithm, square_root
from srcad.runtime.scipy_linalg_bands import solve_bands, solve_half, solve_levinson
from srcad.runtime.scipy_linalg_triangles import lu_parts, solve_triangle
from srcad.runtime.scipy_special_shapes import polygamma_of_complex

COMPLEX_CASES = []
_rng = np.random.default_rng(11)
Z, W = 0.7 + 0.4j, -0.3 + 1.1j


def normal(*shape):
    return _rng.normal(size=shape) + 1j * _rng.normal(size=shape)

_half = normal(3, 3)
HERMITIAN = _half @ np.conj(_half.T) + 2.0 * np.eye(3)


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
case(np.linalg.solve, normal(2, 3, 3), normal(2, 3, 2))
for fn in (np.linalg.inv, np.linalg.det, log_abs_det, det_sign, cofactors):
    case(fn, normal(2, 2))
    case(fn, normal(2, 3, 3))
case(cofactors_dot, normal(3, 3), normal(3, 3))
for fn in (np.linalg.pinv, singular_values, orthonormal):
    case(fn, normal(3, 3))
    case(fn, normal(4, 2))
    case(fn, normal(2, 3, 2))
case(np.linalg.pinv, normal(2, 4))
case(solve_triangle, normal(3, 3), normal(3, 2), True, False)
case(solve_half, np.array([[4.0 + 0.0j, 5.0, 6.0], [1.0 + 0.5j, 0.4 - 0.3j, 0.0]]), normal(3))
case(solve_bands, normal(3, 4), normal(4, 2), 1, 1)
case(solve_levinson, np.array([3.0, 0.5j, -0.4]), normal(3), normal(3))
for fn in (spectrum, square_root, logarithm, lu_parts):
    case(fn, normal(3, 3))
    case(fn, normal(2, 2, 2))
_basis = np.linalg.qr(normal(3, 3))[0]
case(chained, _basis, _basis.T, _basis)
case(complement, _basis[:, 2:], _basis[:, :2])
case(singular_values, normal(2, 4))
for fn in (np.linalg.cholesky, np.linalg.eigvalsh):
    case(fn, HERMITIAN)
    case(fn, np.stack((HERMITIAN, HERMITIAN @ HERMITIAN)))
case(np.linalg.eigvalsh, HERMITIAN, "U")
case(np.convolve, normal(5), normal(3))
case(np.convolve, normal(2), normal(4))
case(np.ndarray.astype, normal(3), np.float64)
case(np.complex128, Z)
case(np.ndarray.astype, normal(3), np.complex128)

# Fourier transforms, which compiled code has from another package.
FOURIER_CASES = [
    (fn, (operand,), named)
    for fn in (np.fft.fft, np.fft.ifft)
    for operand, named in (
        (normal(5), {}), (_rng.normal(size=6), {"norm": "ortho"}), (normal(3, 4), {"axis": 0}),
        (_rng.normal(size=(2, 3, 2)), {"axis": 1, "norm": "forward"}),
    )
]  # fmt: skip
for fn in (np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn):
    FOURIER_CASES += [(fn, (normal(3, 4),), {}), (fn, (normal(2, 3, 2),), {"axes": (0, 2), "norm": "ortho"})]
for norm in (None, "ortho", "forward"):
    FOURIER_CASES += [(np.fft.rfft, (_rng.normal(size=n),), {"norm": norm}) for n in (1, 2, 5, 6)]
    FOURIER_CASES += [(np.fft.irfft, (normal(n // 2 + 1), n), {"norm": norm}) for n in (2, 5, 6)]
FOURIER_CASES += [(np.fft.rfft, (_rng.normal(size=(4, 3)),), {"axis": 0})]
FOURIER_CASES += [(np.fft.irfft, (normal(3, 2), 4), {"axis": 0})]
FOURIER_CASES += [(scaled_pairs, (normal(n // 2 + 1), n, -1, Const(0.5)), {}) for n in (4, 5)]
FOURIER_CASES += [(scaled_pairs, (normal(3, 2), 4, 0, Const(2.0)), {})]

for fn in (with_real, with_imag):
    case(fn, normal(3, 2), _rng.normal(size=2))
    case(fn, Z, 0.3)

# Compiled are some of SciPy's functions: each by the same code, the loop that NumPy runs.
FOURIER_CASES += [
    (fn, (normal(3),), {}) for fn in (
        special.erf, special.erfc, special.erfcx, special.erfi, special.dawsn, special.ndtr,
        special.loggamma, special.rgamma, special.expm1, special.log1p, special.exp1, special.expi, special.spence,
        special.wrightomega, special.digamma, sine_integral, hyperbolic_sine_integral, fresnel_cosine,
    )
]  # fmt: skip
FOURIER_CASES += [(fn, (Const(0.7, type_of(0.7)), normal(3)), {}) for fn in (special.iv, special.kv, special.yv)]
FOURIER_CASES += [(linalg.expm, (normal(3, 3),), {}), (special.lambertw, (Z,), {})]
case(special.gamma, normal(3))
case(special.jv, Const(0.7, type_of(0.7)), normal(3))
case(special.xlogy, normal(3), normal(3))
case(special.wofz, normal(2))
case(special.lambertw, np.array([0.3, 2.0]))
case(special.lambertw, normal(2), Const(-1, type_of(-1)))
case(polygamma_of_complex, Const(2, type_of(2)), normal(2))
case(airy_a, normal(2))
