"""One case or more for each rule: a primitive, its operands, its other arguments.

A tuple in the place of an operand that has a derivative stands for a random array of that shape.
"""

import math
import operator

import numpy as np

from srcad.lang.ir import Const
from srcad.runtime import (
    added_along, bessel_i, chained, cholesky_bar, cofactors, cofactors_dot, complement, digamma, eigen, grow,
    log_abs_det, mantissas, on_diagonal, orthonormal, polygamma, product_of_others, reshaped, room_for, sinc_slope,
    singular, singular_values, spectrum, sum_to,
)  # fmt: skip
from tests.rules.scipy_cases import SCIPY_CASES

CASES = []
SHAPES = ((), (3,), (2, 3))
BETWEEN = np.array([0.3, -0.5, 0.7])  # where inverse functions are defined
POSITIVE = np.array([[3.0, 0.5, -0.4], [0.5, 2.0, 0.3], [-0.4, 0.3, 1.5]])
ABOVE = np.array([1.3, 2.5, 1.7])


def case(primitive, *operands, **named):
    CASES.append((primitive, operands, named))


# ---------------------------------------------------------------- arithmetic

for shape in SHAPES:
    for fn in (operator.pos, operator.neg, np.positive, np.negative, abs, np.absolute, np.fabs):
        case(fn, shape)
    for fn in (operator.add, operator.sub, operator.mul, operator.truediv, np.add, np.subtract, np.multiply, np.divide):
        case(fn, shape, shape)
    for fn in (operator.add, operator.mul, operator.truediv, operator.sub):
        case(fn, shape, (3,))
        case(fn, shape, 2.5)
    for exponent in (0, 1, 2, 3, -1, -2, Const(3.0)):
        case(operator.pow, shape, exponent)
    case(np.square, shape)
case(operator.add, (2, 1), (3,))
case(operator.mul, (2, 1), (1, 3))
case(operator.mod, ABOVE, np.array([0.7, 0.9, -0.6]))
case(np.remainder, 2.5, 0.7)
case(np.fmod, -ABOVE, np.array([0.7, 0.9, 0.6]))
case(math.fmod, -2.5, 0.7)
for fn in (operator.pow, np.power, np.float_power):
    case(fn, ABOVE, (3,))
    case(fn, ABOVE, ())
    case(fn, 2.0, (3,))
for fn in (pow, math.pow, operator.pow):
    case(fn, 1.7, ())
    case(fn, 1.7, 0.5)
for exponent in (0.5, -0.5, 2.5):
    case(operator.pow, ABOVE, Const(exponent))
case(operator.pow, (3,), np.array([0, 1, 2]))
case(math.fabs, ())
case(float, ())
case(np.float64, ())
case(np.complex128, ())
case(np.ndarray.astype, (3,), np.float64)

# ---------------------------------------------------------------- elementwise

for shape in SHAPES:
    for fn in (np.exp, np.exp2, np.expm1, np.sin, np.cos, np.tan, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh,
               np.cbrt, np.reciprocal, np.deg2rad, np.rad2deg, np.degrees, np.radians, np.sinc):  # fmt: skip
        case(fn, shape)
    for fn in (np.logaddexp, np.logaddexp2, np.hypot, np.arctan2, np.maximum, np.minimum, np.fmax, np.fmin):
        case(fn, shape, shape)
        case(fn, shape, (3,))
for fn in (np.log, np.log1p, np.log2, np.log10, np.sqrt):
    case(fn, ABOVE)
    case(fn, 1.3)
for fn in (np.arcsin, np.arccos, np.arctanh):
    case(fn, BETWEEN)
    case(fn, 0.3)
case(np.arccosh, ABOVE)
for fn in (math.exp, math.expm1, math.sin, math.cos, math.tan, math.atan, math.sinh, math.cosh, math.tanh, math.asinh,
           math.degrees, math.radians, math.erf, math.erfc):  # fmt: skip
    case(fn, ())
for fn in (math.log, math.log1p, math.log2, math.log10, math.sqrt, math.acosh, math.gamma, math.lgamma):
    case(fn, 1.7)
for fn in (math.asin, math.acos, math.atanh):
    case(fn, -0.4)
for fn in (getattr(math, name) for name in ("exp2", "cbrt") if hasattr(math, name)):
    case(fn, 1.7)
for fn in (math.hypot, math.atan2):
    case(fn, (), ())
case(math.gamma, -0.4)
case(math.lgamma, 12.5)
case(math.log, 1.7, 2)
case(math.log, 1.7, 3.5)

# ---------------------------------------------------------------- selection

for fn in (max, min):
    case(fn, (), ())
    case(fn, (), (), 0.1)
    case(fn, (), 0)
case(np.where, np.array([True, False, True]), (3,), ())
case(np.where, np.array([[True], [False]]), (3,), (2, 3))
case(np.where, np.array([True, False, True]), (3,), Const(0.0))
case(np.clip, (5,), -0.5, 0.5)
case(np.clip, (5,), None, 0.5)
case(np.clip, (5,), -0.5, None)
case(np.clip, (2, 3), (3,), 2.0)
case(np.clip, (), (), 2.0)
case(np.clip, (5,), min=-0.5, max=0.5)
case(np.copysign, (3,), np.array([1.0, -1.0, -2.0]))
case(math.copysign, (), -2.0)
for shape in SHAPES:
    case(np.nan_to_num, shape)
case(np.heaviside, np.array([0, 1, -1]), (3,))
case(np.ldexp, (3,), np.array([1, 0, -2]))
case(math.ldexp, 1.5, 3)
case(np.bincount, np.array([0, 2, 2, 1]), (4,))
case(np.bincount, np.array([0, 2, 2]), weights=(3,), minlength=5)

# ---------------------------------------------------------------- reductions

for fn in (np.sum, np.mean, np.prod, np.max, np.min, np.var, np.std):
    case(fn, (4,))
    case(fn, (2, 3))
    for axis in (0, 1, -1):
        case(fn, (2, 3), axis=axis)
        case(fn, (2, 3), axis=axis, keepdims=True)
    case(fn, (4,), axis=0)
    case(fn, (2, 3), axis=(0, 1))
    case(fn, (2, 3), keepdims=True)
    for axis in (1, (0, 2), (1, 2), (0, -2)):
        case(fn, (2, 3, 2), axis=axis)
        case(fn, (2, 3, 2), axis=axis, keepdims=True)
for fn in (np.var, np.std):
    case(fn, (4,), ddof=1)
    case(fn, (2, 3), axis=1, ddof=1)
for fn in (np.nansum, np.nanmean, np.nanmax, np.nanmin):
    case(fn, (2, 3), axis=1)
    case(fn, (2, 3), axis=0, keepdims=True)
    case(fn, (4,))
for array in ([1.5, 0.0, 3.0], [0.0, 0.0, 3.0], [[1.5, 0.0], [2.0, 3.0]]):
    case(np.prod, np.array(array))
    case(np.prod, np.array(array), axis=0)
for shape, axis in (((4,), None), ((2, 3), None), ((2, 3), 0), ((2, 3), 1), ((2, 3, 2), -2)):
    case(np.cumsum, shape, axis=axis)
case(np.linalg.norm, (3,))
case(np.linalg.norm, (2, 3))
case(np.linalg.norm, (2, 3), axis=1)
case(np.linalg.norm, (2, 3), axis=0, keepdims=True)
case(np.linalg.norm, (2, 3), "fro")

# ---------------------------------------------------------------- products

for a, b in (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((2, 2, 3), (3, 2)), ((2, 2, 3), (3,)),
             ((3,), (2, 3, 2)), ((2, 2, 3), (2, 3, 2)), ((2, 3), (2, 3, 2)), ((2, 2, 3), (1, 3, 2))):  # fmt: skip
    case(operator.matmul, a, b)
case(np.matmul, (2, 3), (3, 4))
for a, b in (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((), (3,)), ((2, 3), ()), ((), ()),
             ((2, 2, 3), (3,)), ((2, 2, 3), (3, 2))):  # fmt: skip
    case(np.dot, a, b)
for a, b in (((3,), (3,)), ((2, 3), (3,)), ((3,), (2, 3)), ((2, 3), (4, 3)), ((), (3,))):
    case(np.inner, a, b)
for a, b in (((3,), (2, 3, 2)), ((2, 3), (2, 3, 2)), ((2, 2, 3), (2, 3, 2))):
    case(np.dot, a, b)
for a, b in (((2, 2, 3), (3,)), ((3,), (2, 2, 3)), ((2, 2, 3), (4, 3)), ((2, 3), (2, 2, 3)), ((2, 2, 3), (2, 2, 3))):
    case(np.inner, a, b)
case(np.convolve, (5,), (3,))
case(np.convolve, (2,), (4,))
case(np.vdot, (3,), (3,))
case(np.vdot, (2, 3), (2, 3))
case(np.vdot, (2, 3), (6,))
case(np.vdot, (2, 3), (3, 2))
case(np.outer, (3,), (2,))
case(np.outer, (2, 2), (3,))
case(np.trace, (3, 3))
case(np.trace, (2, 3), offset=1)
case(np.diag, (3,))
case(np.diag, (3,), 1)
case(np.diag, (3,), k=-1)
case(np.diag, (2, 3))
case(np.diag, (3, 3), -1)
case(np.diagonal, (2, 3))
for fn in (log_abs_det, np.linalg.det, np.linalg.inv, cofactors):
    case(fn, (3, 3))
    case(fn, (2, 3, 3))
case(cofactors_dot, (3, 3), (3, 3))
case(cofactors_dot, (2, 3, 3), (2, 3, 3))
for fn in (np.linalg.cholesky, eigen, np.linalg.eigvalsh):
    case(fn, POSITIVE)
    case(fn, np.stack((POSITIVE, POSITIVE.T @ POSITIVE)))
case(np.linalg.eigvalsh, POSITIVE, "U")
case(cholesky_bar, np.linalg.cholesky(POSITIVE), (3, 3))
for fn in (singular, singular_values, np.linalg.pinv):
    case(fn, (3, 3))
    case(fn, (4, 2))
    case(fn, (2, 4))
    case(fn, (2, 3, 2))
case(orthonormal, (3, 3))
case(orthonormal, (4, 2))
case(orthonormal, (2, 3, 2))
TURNING = np.array([[1.0, 2.0, 0.1], [-2.0, 1.0, 0.5], [0.3, 0.2, 3.0]])  # two of its eigenvalues are complex
for matrix in (POSITIVE, TURNING, np.stack((TURNING, TURNING @ TURNING))):
    case(spectrum, matrix)
case(chained, (4, 2), (2, 4), (4, 3))
case(chained, (2, 4), (4, 2), (2, 4))
case(chained, (3, 4, 2), (3, 2, 4), (3, 4, 3))
case(complement, np.eye(3)[:, 2:], np.eye(3)[:, :2])
case(complement, np.stack((np.eye(3)[:, 1:],) * 2), np.stack((np.eye(3)[:, :1],) * 2))
case(np.linalg.solve, (3, 3), (3,))
case(np.linalg.solve, (3, 3), (3, 2))
case(np.linalg.solve, (2, 3, 3), (2, 3, 2))
case(np.linalg.solve, (2, 3, 3), (3, 2))
case(np.linalg.solve, (3, 3), (2, 3, 2))

# ---------------------------------------------------------------- shapes

for fn in (np.copy, np.asarray, np.asanyarray, np.asarray_chkfinite, np.ascontiguousarray, np.asfortranarray, np.array):
    for shape in ((3,), (2, 3), (2, 3, 2)):
        case(fn, shape)
case(np.transpose, (3,))
case(np.transpose, (2, 3))
case(np.transpose, (2, 3, 4), (1, 2, 0))
case(np.transpose, (2, 3, 4), axes=(-1, 0, 1))
for shape in ((2, 3), (2, 3, 4), (2, 1, 3, 2)):
    case(np.swapaxes, shape, 0, -1)
    case(np.moveaxis, shape, 0, -1)
case(np.reshape, (2, 3), (3, 2))
case(np.reshape, (2, 3), -1)
case(np.reshape, (6,), (2, -1))
case(reshaped, (6,), (2, -1))
case(np.ravel, (2, 3))
case(np.ravel, (3,))
case(np.ndarray.flatten, (2, 3))
case(np.squeeze, (3, 1), axis=1)
case(np.squeeze, (1, 3, 1), axis=0)
case(np.expand_dims, (3,), 0)
case(np.expand_dims, (3,), -1)
case(np.expand_dims, (3,), (0, 2))
for fn in (np.atleast_1d, np.atleast_2d, np.atleast_3d):  # other vectors and matrices get axes by np.expand_dims
    case(fn, ())
    case(fn, (2, 3, 2))
case(np.atleast_1d, (3,))
case(np.broadcast_to, (3,), (2, 3))
case(np.broadcast_to, (2, 1), (2, 3))
case(np.broadcast_to, (), (2, 3))
case(np.flip, (3,))
case(np.flip, (2, 3), axis=1)
case(np.flip, (2, 3, 2), axis=(0, -1))
for shape in ((2, 3), (2, 3, 2)):
    for fn in (np.flipud, np.fliplr, np.tril, np.triu):
        case(fn, shape)
case(np.flipud, (3,))
case(np.roll, (4,), 1)
case(np.roll, (2, 3), 1, axis=1)
case(np.roll, (2, 3), (1, -1), axis=(0, 1))
case(np.take_along_axis, (5,), np.array([1, 1, 4]), 0)
case(np.take_along_axis, (2, 3), np.array([[1, 1, 0]]), 0)
case(np.take_along_axis, (2, 3), np.array([[2], [0]]), axis=-1)
case(added_along, (3,), np.array([1, 1, 4]), np.zeros(5), 0)
case(added_along, (2, 3), np.array([[2, 0, 2], [1, 1, 1]]), np.zeros((2, 4)), -1)
case(np.tril, (3, 3))
case(np.tril, (3, 3), 1)
case(np.triu, (3, 3), k=-1)
case(np.concatenate, ((2,), (3,)))
case(np.concatenate, ((2, 3), (2, 1), (2, 2)), axis=1)
case(np.concatenate, ((2, 3), (1, 3)), axis=-2)
for axis in (0, 1, -1):
    case(np.stack, ((3,), (3,)), axis=axis)
case(np.stack, ((2, 3), (2, 3)), axis=1)
case(np.hstack, ((2,), (3,)))
case(np.hstack, ((2, 1), (2, 3)))
case(np.vstack, ((3,), (3,)))
case(np.vstack, ((3,), (2, 3)))
case(np.column_stack, ((3,), (3,)))
case(np.column_stack, ((3, 2), (3,)))
case(np.array, ((), 1.0, ()))
case(np.array, (((), ()), ((), 2.0)))
case(np.full, 3, ())
case(np.full, (2, 3), ())
case(np.full_like, np.ones(3), ())
case(np.linspace, (), (), 5)
case(np.arange, 0.5, 3.2, 1.0)

# ---------------------------------------------------------------- helpers of derivatives

case(sum_to, (3, 2), np.zeros((1, 2)))
case(sum_to, (3, 2), np.zeros(2))
case(sum_to, (4, 3, 2), np.zeros((3, 1)))
case(grow, (9,))
case(grow, (3, 2))
case(room_for, (3, 2), 5)
case(room_for, (3,), 20)
case(on_diagonal, (2,), np.zeros((2, 3)), k=1)
case(on_diagonal, (3,), np.zeros((3, 3)))
case(product_of_others, np.array([2.0, 0.0, 5.0, -1.0]))
case(product_of_others, (2, 3), axis=0)
case(product_of_others, (2, 3, 2), axis=(0, 2))
for shape in SHAPES:
    case(np.i0, shape)
    for order in range(3):
        case(bessel_i, order, shape)
    case(np.nextafter, shape, 2.0)
case(bessel_i, 1, 40.0)
for shape in SHAPES:
    case(sinc_slope, shape, 1)
case(sinc_slope, 0.0, 2)
for shape in SHAPES:
    case(mantissas, shape)
case(mantissas, 5.3)
case(digamma, 2.3)
case(digamma, -0.7)
case(polygamma, 1, 1.3)
case(polygamma, 3, -0.4)

# ---------------------------------------------------------------- functions of SciPy

CASES += SCIPY_CASES
