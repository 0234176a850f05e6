"""Functions of one number: exponentials, logarithms, roots, trigonometry, steps."""

import math

import numpy as np

from srcad.rules.dtypes import is_complex
from srcad.rules.rule import constant, rule
from srcad.runtime import sinc_slope

constant(
    np.floor, np.ceil, np.trunc, np.rint, np.round, np.around, np.fix, np.spacing, round, math.floor,
    math.ceil, math.trunc,
)  # fmt: skip



@rule(np.sign)
def sign(y, x):
    # Of a complex number, x / |x|.
    if is_complex(x):
        r = np.abs(x) if x != 0.0 else 1.0
        y.dot = (x.dot - y * np.real(x.dot * np.conj(y))) / r
        x.bar += (y.bar - np.real(y.bar * y) * np.conj(y)) / r



@rule(np.heaviside)
def heaviside(y, x, h):
    y.dot = h.dot if x == 0.0 else 0.0
    h.bar += y.bar if x == 0.0 else 0.0


@rule(np.nextafter)
def nextafter(y, x, towards):
    y.dot = x.dot
    x.bar += y.bar


@rule(np.ldexp, math.ldexp)
def ldexp(y, x, i):
    y.dot = np.ldexp(x.dot, i)
    x.bar += np.ldexp(y.bar, i)


# ---------------------------------------------------------------- exponentials and logarithms


@rule(np.exp, math.exp)
def exp(y, x):
    y.dot = x.dot * y
    x.bar += y.bar * y


@rule(np.exp2, *([math.exp2] if hasattr(math, "exp2") else []))
def exp2(y, x):
    y.dot = x.dot * y * np.log(2.0)
    x.bar += y.bar * y * np.log(2.0)


@rule(np.expm1, math.expm1)
def expm1(y, x):
    y.dot = x.dot * (y + 1.0)
    x.bar += y.bar * (y + 1.0)


@rule(np.log)
def log(y, x):
    y.dot = x.dot / x
    x.bar += y.bar / x


@rule(math.log)
def log_to_base(y, x, base=None):
    if base is None:
        y.dot = x.dot / x
        x.bar += y.bar / x
    else:
        y.dot = (x.dot / x - y * base.dot / base) / np.log(base)
        x.bar += y.bar / (x * np.log(base))
        base.bar -= y.bar * y / (base * np.log(base))


@rule(np.log1p, math.log1p)
def log1p(y, x):
    y.dot = x.dot / (1.0 + x)
    x.bar += y.bar / (1.0 + x)


@rule(np.log2, math.log2)
def log2(y, x):
    y.dot = x.dot / (x * np.log(2.0))
    x.bar += y.bar / (x * np.log(2.0))


@rule(np.log10, math.log10)
def log10(y, x):
    y.dot = x.dot / (x * np.log(10.0))
    x.bar += y.bar / (x * np.log(10.0))


@rule(np.logaddexp)
def logaddexp(y, a, b):
    y.dot = a.dot * np.exp(a - y) + b.dot * np.exp(b - y)
    a.bar += y.bar * np.exp(a - y)
    b.bar += y.bar * np.exp(b - y)


@rule(np.logaddexp2)
def logaddexp2(y, a, b):
    y.dot = a.dot * np.exp2(a - y) + b.dot * np.exp2(b - y)
    a.bar += y.bar * np.exp2(a - y)
    b.bar += y.bar * np.exp2(b - y)


# ---------------------------------------------------------------- roots and powers


@rule(np.sqrt, math.sqrt)
def sqrt(y, x):
    y.dot = x.dot * 0.5 / y
    x.bar += y.bar * 0.5 / y


@rule(np.cbrt, *([math.cbrt] if hasattr(math, "cbrt") else []))
def cbrt(y, x):
    y.dot = x.dot / (3.0 * y * y)
    x.bar += y.bar / (3.0 * y * y)


@rule(np.square)
def square(y, x):
    y.dot = x.dot * 2.0 * x
    x.bar += y.bar * 2.0 * x


@rule(np.reciprocal)
def reciprocal(y, x):
    y.dot = -x.dot * y * y
    x.bar -= y.bar * y * y


@rule(np.hypot, math.hypot)
def hypot(y, a, b):
    # At the origin a and b are zero, and so is the derivative.
    r = y if y > 0.0 else 1.0
    y.dot = (a.dot * a + b.dot * b) / r
    a.bar += y.bar * a / r
    b.bar += y.bar * b / r


# ---------------------------------------------------------------- trigonometry


@rule(np.sin, math.sin)
def sin(y, x):
    y.dot = x.dot * np.cos(x)
    x.bar += y.bar * np.cos(x)


@rule(np.cos, math.cos)
def cos(y, x):
    y.dot = -x.dot * np.sin(x)
    x.bar -= y.bar * np.sin(x)


@rule(np.tan, math.tan)
def tan(y, x):
    y.dot = x.dot * (1.0 + y * y)
    x.bar += y.bar * (1.0 + y * y)


@rule(np.arcsin, math.asin)
def arcsin(y, x):
    y.dot = x.dot / np.sqrt(1.0 - x * x)
    x.bar += y.bar / np.sqrt(1.0 - x * x)


@rule(np.arccos, math.acos)
def arccos(y, x):
    y.dot = -x.dot / np.sqrt(1.0 - x * x)
    x.bar -= y.bar / np.sqrt(1.0 - x * x)


@rule(np.arctan, math.atan)
def arctan(y, x):
    y.dot = x.dot / (1.0 + x * x)
    x.bar += y.bar / (1.0 + x * x)


@rule(np.arctan2, math.atan2)
def arctan2(y, a, b):
    r = a * a + b * b
    y.dot = (a.dot * b - b.dot * a) / r
    a.bar += y.bar * b / r
    b.bar -= y.bar * a / r


@rule(np.deg2rad, np.radians, math.radians)
def deg2rad(y, x):
    y.dot = x.dot * (np.pi / 180.0)
    x.bar += y.bar * (np.pi / 180.0)


@rule(np.rad2deg, np.degrees, math.degrees)
def rad2deg(y, x):
    y.dot = x.dot * (180.0 / np.pi)
    x.bar += y.bar * (180.0 / np.pi)


@rule(np.sinc)
def sinc(y, x):
    y.dot = x.dot * sinc_slope(x, 1)
    x.bar += y.bar * sinc_slope(x, 1)


@rule(sinc_slope)
def slope_of_sinc(y, x, order):
    y.dot = x.dot * sinc_slope(x, order + 1)
    x.bar += y.bar * sinc_slope(x, order + 1)


# ---------------------------------------------------------------- hyperbolic functions


@rule(np.sinh, math.sinh)
def sinh(y, x):
    y.dot = x.dot * np.cosh(x)
    x.bar += y.bar * np.cosh(x)


@rule(np.cosh, math.cosh)
def cosh(y, x):
    y.dot = x.dot * np.sinh(x)
    x.bar += y.bar * np.sinh(x)


@rule(np.tanh, math.tanh)
def tanh(y, x):
    y.dot = x.dot * (1.0 - y * y)
    x.bar += y.bar * (1.0 - y * y)


@rule(np.arcsinh, math.asinh)
def arcsinh(y, x):
    y.dot = x.dot / np.sqrt(x * x + 1.0)
    x.bar += y.bar / np.sqrt(x * x + 1.0)


@rule(np.arccosh, math.acosh)
def arccosh(y, x):
    if is_complex(x):
        # The root of a product is not the product of the roots everywhere.
        y.dot = x.dot / np.sinh(y)
        x.bar += y.bar / np.sinh(y)
    else:
        y.dot = x.dot / np.sqrt(x * x - 1.0)
        x.bar += y.bar / np.sqrt(x * x - 1.0)


@rule(np.arctanh, math.atanh)
def arctanh(y, x):
    y.dot = x.dot / (1.0 - x * x)
    x.bar += y.bar / (1.0 - x * x)
