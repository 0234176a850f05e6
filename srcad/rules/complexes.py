"""Complex numbers: their parts, their polar form, and the functions of `cmath`.

The cotangent of a complex number stands for the real part of its product with the tangent, Re(z.bar * z.dot). So the
rules of holomorphic functions are those of real ones, and a product with a conjugate appears only where a function
looks at a number and at its conjugate. What a real operand receives is the real part of what is added to it.
"""

import cmath
import operator

import numpy as np

from srcad.rules.dtypes import is_complex
from srcad.rules.rule import constant, lowers, rule
from srcad.runtime import with_imag, with_real

constant(np.iscomplex, np.isreal, cmath.isnan, cmath.isinf, cmath.isfinite, cmath.isclose)


@rule(complex)
def of_parts(z, a, b=0.0):
    z.dot = a.dot + 1j * b.dot
    a.bar += z.bar
    b.bar += 1j * z.bar


@rule(np.real)
def real(y, z):
    y.dot = np.real(z.dot)
    z.bar += y.bar


@rule(np.imag)
def imag(y, z):
    if is_complex(z):
        y.dot = np.imag(z.dot)
        z.bar -= 1j * y.bar


@lowers(np.imag)
def imaginary_part(z):
    if not is_complex(z) and z.ndim > 0:
        return np.zeros_like(z)  # Numba has no array for that of a part of one


@rule(with_real)
def real_part_changed(y, z, x):
    y.dot = with_real(z.dot, 0.0) + x.dot
    z.bar += with_real(y.bar, 0.0)
    x.bar += np.real(y.bar)


@rule(with_imag)
def imaginary_part_changed(y, z, x):
    y.dot = with_imag(z.dot, 0.0) + 1j * x.dot
    z.bar += with_imag(y.bar, 0.0)
    x.bar -= np.imag(y.bar)


@rule(np.conjugate)
def conjugate(y, z):
    y.dot = np.conj(z.dot)
    z.bar += np.conj(y.bar)


@rule(np.angle, cmath.phase)
def angle(y, z):
    # At the origin, the derivative is zero.
    if is_complex(z):
        square = np.real(z) ** 2 + np.imag(z) ** 2
        rate = np.conj(z) / (square if square > 0.0 else 1.0)
        y.dot = np.imag(z.dot * rate)
        z.bar -= 1j * y.bar * rate


@rule(cmath.rect)
def rect(z, r, phi):
    turn = cmath.rect(1.0, phi)
    z.dot = r.dot * turn + 1j * phi.dot * z
    r.bar += z.bar * turn
    phi.bar += 1j * z.bar * z


@rule(cmath.exp)
def exp(w, z):
    w.dot = z.dot * w
    z.bar += w.bar * w


@rule(cmath.log)
def log(w, z, base=None):
    if base is None:
        w.dot = z.dot / z
        z.bar += w.bar / z
    else:
        w.dot = (z.dot / z - w * base.dot / base) / cmath.log(base)
        z.bar += w.bar / (z * cmath.log(base))
        base.bar -= w.bar * w / (base * cmath.log(base))


@rule(cmath.log10)
def log10(w, z):
    w.dot = z.dot / (z * np.log(10.0))
    z.bar += w.bar / (z * np.log(10.0))


@rule(cmath.sqrt)
def sqrt(w, z):
    w.dot = z.dot * 0.5 / w
    z.bar += w.bar * 0.5 / w


@rule(cmath.sin)
def sin(w, z):
    w.dot = z.dot * cmath.cos(z)
    z.bar += w.bar * cmath.cos(z)


@rule(cmath.cos)
def cos(w, z):
    w.dot = -z.dot * cmath.sin(z)
    z.bar -= w.bar * cmath.sin(z)


@rule(cmath.tan)
def tan(w, z):
    w.dot = z.dot * (1.0 + w * w)
    z.bar += w.bar * (1.0 + w * w)


@rule(cmath.sinh)
def sinh(w, z):
    w.dot = z.dot * cmath.cosh(z)
    z.bar += w.bar * cmath.cosh(z)


@rule(cmath.cosh)
def cosh(w, z):
    w.dot = z.dot * cmath.sinh(z)
    z.bar += w.bar * cmath.sinh(z)


@rule(cmath.tanh)
def tanh(w, z):
    w.dot = z.dot * (1.0 - w * w)
    z.bar += w.bar * (1.0 - w * w)


# On the branch cuts, the square root of a product is not the product of the square roots.


@rule(cmath.asin)
def asin(w, z):
    w.dot = z.dot / cmath.cos(w)
    z.bar += w.bar / cmath.cos(w)


@rule(cmath.acos)
def acos(w, z):
    w.dot = -z.dot / cmath.sin(w)
    z.bar -= w.bar / cmath.sin(w)


@rule(cmath.atan)
def atan(w, z):
    w.dot = z.dot / (1.0 + z * z)
    z.bar += w.bar / (1.0 + z * z)


@rule(cmath.asinh)
def asinh(w, z):
    w.dot = z.dot / cmath.cosh(w)
    z.bar += w.bar / cmath.cosh(w)


@rule(cmath.acosh)
def acosh(w, z):
    w.dot = z.dot / cmath.sinh(w)
    z.bar += w.bar / cmath.sinh(w)


@rule(cmath.atanh)
def atanh(w, z):
    w.dot = z.dot / (1.0 - z * z)
    z.bar += w.bar / (1.0 - z * z)


# Numba orders complex numbers in the functions of NumPy, not by operators.


@lowers(operator.gt)
def greater(a, b):
    if is_complex(a, b):
        return np.greater(a, b)


@lowers(operator.ge)
def greater_equal(a, b):
    if is_complex(a, b):
        return np.greater_equal(a, b)


@lowers(operator.lt)
def less(a, b):
    if is_complex(a, b):
        return np.less(a, b)


@lowers(operator.le)
def less_equal(a, b):
    if is_complex(a, b):
        return np.less_equal(a, b)


@lowers(np.float64)
def double(x):
    if is_complex(x):
        return np.float64(np.real(x))


@lowers(np.float32)
def single(x):
    if is_complex(x):
        return np.float32(np.real(x))
