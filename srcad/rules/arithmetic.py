"""The operators, and the functions of NumPy and math that do the same."""

import math
import operator

import numpy as np

from srcad.rules.dtypes import is_complex
from srcad.rules.rule import constant, known, rule

constant(
    operator.floordiv, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_,
    operator.is_, operator.is_not, operator.contains, operator.invert, operator.and_, operator.or_, operator.xor,
    operator.lshift, operator.rshift, np.floor_divide, np.less, np.less_equal, np.greater, np.greater_equal, np.equal,
    np.not_equal, np.logical_and, np.logical_or, np.logical_not, np.logical_xor, np.isnan, np.isinf, np.isfinite,
    np.signbit, math.isnan, math.isinf, math.isfinite, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.invert,
    bool, int, len, np.shape, np.size, np.ndim, np.isclose, np.allclose, np.array_equal, math.isclose,
)  # fmt: skip


@rule(operator.pos, np.positive)
def pos(y, x):
    y.dot = x.dot
    x.bar += y.bar


@rule(operator.neg, np.negative)
def neg(y, x):
    y.dot = -x.dot
    x.bar -= y.bar


@rule(operator.add, np.add)
def add(y, a, b):
    y.dot = a.dot + b.dot
    a.bar += y.bar
    b.bar += y.bar


@rule(operator.sub, np.subtract)
def subtract(y, a, b):
    y.dot = a.dot - b.dot
    a.bar += y.bar
    b.bar -= y.bar


@rule(operator.mul, np.multiply)
def multiply(y, a, b):
    y.dot = a.dot * b + a * b.dot
    a.bar += y.bar * b
    b.bar += y.bar * a


@rule(operator.truediv, np.true_divide)
def divide(y, a, b):
    y.dot = (a.dot - y * b.dot) / b
    a.bar += y.bar / b
    b.bar -= y.bar * y / b


@rule(operator.mod, np.remainder)
def remainder(y, a, b):
    y.dot = a.dot - a // b * b.dot
    a.bar += y.bar
    b.bar -= y.bar * (a // b)


@rule(np.fmod, math.fmod)
def fmod(y, a, b):
    y.dot = a.dot - np.trunc(a / b) * b.dot
    a.bar += y.bar
    b.bar -= y.bar * np.trunc(a / b)


@rule(operator.pow, pow, np.power, np.float_power, math.pow)
def power(y, x, n):
    if known(n) and n.ndim == 0:
        if n == 0:
            slope = 0.0
        elif n == 1:
            slope = 1.0
        elif n == 2:
            slope = 2.0 * x
        elif n == 0.5:
            slope = 0.5 / y
        elif n == -1:
            slope = -(y * y)
        else:
            slope = n * x ** (n - 1)
    else:
        # 0 * x ** -1 would be no number at x = 0.
        slope = n * x ** (n - 1 if n != 0 else 1)
    if is_complex(x, n):
        rate = y * np.log((x if x != 0.0 else 1.0) + 0j)
    else:
        # The base may be zero or negative where the exponent is a whole number.
        rate = y * np.log(x if x > 0.0 else 1.0)
    y.dot = x.dot * slope + n.dot * rate
    x.bar += y.bar * slope
    n.bar += y.bar * rate


@rule(abs, np.absolute, np.fabs, math.fabs)
def absolute(y, x):
    if is_complex(x):
        # At zero, the derivative is zero.
        direction = np.conj(x) / (y if y > 0.0 else 1.0)
        y.dot = np.real(x.dot * direction)
        x.bar += y.bar * direction
    else:
        y.dot = x.dot * np.sign(x)
        x.bar += y.bar * np.sign(x)


@rule(float, np.float64, np.float32, np.complex128, np.complex64, np.ndarray.astype)
def cast(y, x, dtype=None):
    y.dot = np.real(x.dot) if is_complex(x) and not is_complex(y) else x.dot
    x.bar += y.bar
