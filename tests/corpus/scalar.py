"""Scalar mathematics: formulas, branches, conditional expressions and early returns."""

import math

import numpy as np

from tests.corpus import program


@program(0.7)
def polynomial(x):
    return 3.0 * x**4 - 2 * x**3 + x**2 / 2 - 7 * x + 1


@program(0.3, 1.1, tags="core")
def trig_product(x, y):
    return math.sin(x) * math.cos(y) + math.tan(x * y) - math.atan2(y, x)


@program(0.4, 1.3)
def every_elementary_function(x, y):
    a = math.exp(x) + math.expm1(x) + math.log(y) + math.log1p(y) + math.log2(y) + math.log10(y)
    b = math.asin(x) + math.acos(x) + math.atan(x) + math.sinh(x) + math.cosh(x) + math.tanh(x)
    c = math.asinh(x) + math.acosh(y) + math.atanh(x) + math.sqrt(y) + math.hypot(x, y) + math.pow(y, x)
    return a * b + c


@program(0.4, 1.3)
def every_numpy_function(x, y):
    a = np.exp(x) + np.expm1(x) + np.exp2(x) + np.log(y) + np.log1p(y) + np.log2(y) + np.log10(y)
    b = np.arcsin(x) + np.arccos(x) + np.arctan(x) + np.sinh(x) + np.cosh(x) + np.tanh(x)
    c = np.arcsinh(x) + np.arccosh(y) + np.arctanh(x) + np.sqrt(y) + np.cbrt(y) + np.square(x)
    d = np.hypot(x, y) + np.arctan2(x, y) + np.power(y, x) + np.reciprocal(y) + np.logaddexp(x, y)
    return a * b - c * d + np.deg2rad(x) + np.rad2deg(y) + np.sinc(x)


@program(1.7, tags="nof32")
def special_functions(x):
    return math.erf(x) * math.erfc(x / 2) + math.gamma(x) + math.lgamma(x + 3.0)


@program(100.0, 95.0, 0.5, 0.03, 0.2, tags="core")
def black_scholes(spot, strike, years, rate, sigma):
    spread = sigma * math.sqrt(years)
    d1 = (math.log(spot / strike) + (rate + sigma**2 / 2) * years) / spread
    d2 = d1 - spread
    cdf1 = 0.5 * (1.0 + math.erf(d1 / math.sqrt(2.0)))
    cdf2 = 0.5 * (1.0 + math.erf(d2 / math.sqrt(2.0)))
    return spot * cdf1 - strike * math.exp(-rate * years) * cdf2


@program(1.2, -0.7)
def himmelblau(x, y):
    return (x**2 + y - 11) ** 2 + (x + y**2 - 7) ** 2


@program(-1.2, 1.0)
def rosenbrock_2d(x, y):
    return (1 - x) ** 2 + 100 * (y - x**2) ** 2


@program(1.3, 0.8)
def power_both(base, exponent):
    return base**exponent + 2.0**exponent + base**-2 + base**0.5


@program(-1.3)
def integer_powers_of_negative(x):
    return x**3 + x**2 - x**-1 + x**0 + x**1


@program(0.0)
def powers_at_zero(x):
    return x**2 + 3.0 * x**1 + x**0 + (x + 1.0) ** 3


@program(7.3, 2.1)
def remainder(x, y):
    return (x % y) ** 2 + np.mod(y, x) * x + (x // y) * y


@program(2.3)
def steps_are_flat(x):
    return x * (math.floor(x) + math.ceil(x)) + np.sign(x) * x**2 + round(x) * x


@program(-0.8, 0.4)
def absolute_values(x, y):
    return abs(x) * y + math.fabs(y - x) + np.abs(x * y) + abs(-3) * x


@program(0.4, -1.2)
def maxima(x, y):
    return max(x, y) * min(x * 2, y) + np.maximum(x, y * y) - np.minimum(x, 0.1) + max(x, y, 0.3)


@program(0.5, tags="core")
def branch_taken(x):
    if x > 0:
        y = x**2
    else:
        y = -x
    return y * x


@program(-0.5)
def branch_not_taken(x):
    if x > 0:
        y = x**2
    else:
        y = -x
    return y * x


@program(0.35)
def elif_chain(x):
    if x < 0.1:
        y = x
    elif x < 0.2:
        y = x**2
    elif x < 0.4:
        y = math.sin(3.0 * x)
    else:
        y = 1.0
    return y + x


@program(0.35)
def if_without_else(x):
    y = x
    if x > 0.1:
        y = y * y + x
    if y > 100.0:
        y = 0.0 * x
    return y * x


@program(0.35, 0.9)
def nested_branches(x, y):
    if x < y:
        if x * y > 0.2:
            z = x * math.exp(y)
        else:
            z = y * math.exp(x)
        z = z * z
    else:
        z = x - y
    return z + x


@program(-0.6, 2.5)
def conditional_expression(x, slope):
    leaky = x if x > 0 else 0.01 * x
    other = slope * x if leaky < 0 else (x if slope > 3 else slope)
    return leaky * other + x**2


@program(0.6, 0.2)
def chained_comparison(x, y):
    inside = 0.0 < x < 1.0
    if 0.0 < y <= x < 1.0:
        z = x * y
    else:
        z = x + y
    return z * 3 if inside else z


@program(0.6, 0.2)
def and_or_not(x, y):
    z = x * y
    if x > 0 and y > 0:
        z += x
    if x < 0 or not y < 0:
        z *= y
    if not (x > 0 and y > 0.5) and (x > 0.1 or y > 7):
        z = z - x**2
    return z


@program(0.5, 2.0, 0)
def lazy_guard(x, y, n):
    if n != 0 and y / n > 1.0:
        return y / n
    z = y * 2 if n == 0 or x / n > 1.0 else x
    return z * x


@program(-0.3)
def several_returns(x):
    if x > 1:
        return x**2
    if x > 0:
        return x**3
    if x < -1:
        return -x
    return math.cos(x) * x


@program(0.8, 1.6)
def return_in_nested_branch(x, y):
    a = x * y
    if a > 1:
        b = math.log(a)
        if b > 5:
            return b
        a = a + b
        if y > x:
            return a * b
    return a


@program(0.3)
def return_only_in_else(x):
    if x < 0.5:
        y = x * 2
    else:
        return x
    return y * y


@program(0.9)
def reassigned_name(x):
    x = x * 2
    x = math.sin(x)
    x = x * x + 1
    return x


@program(1.1, 2.2, tags="core")
def swap_scalars(a, b):
    a, b = b, a
    a, b = a * 2, b + a
    a, b = b, a
    return a**2 * b


@program(0.2, 0.3, 0.5)
def rotate_three(a, b, c):
    for _ in range(4):
        a, b, c = b, c, a * b
    return a + 2 * b + 3 * c


@program(0.7)
def int_becomes_float(x):
    s = 0
    p = 1
    for i in range(4):
        s += x * i
        p *= x
    return s * p


@program(0.7)
def int_or_float_by_branch(x):
    if x > 2:
        y = 0
    else:
        y = x * 3
    return y * x


@program(0.7, 3)
def integer_arguments_are_constants(x, n):
    half = n // 2
    return x**n / n + half * x + n % 2


@program(0.7, True)
def boolean_argument(x, squared):
    y = x * x if squared else x
    if not squared:
        y = 2 * y
    return y


@program(1.4, 0.6)
def same_variable_everywhere(x, y):
    return x * x * x / (x + y * x) - x * (x - (x + y))


@program(0.8)
def unused_variables(x):
    a = x * 3
    b = a + 2
    b = math.exp(x)
    c = b * x
    c = b
    return c


@program(2.0, 3.0, wrt="x y")
def unary_operators(x, y):
    return -x * +y - (-(0 - x)) ** 2 + -(y**2)


@program(0.5)
def constant_result_in_a_branch(x):
    if x > 0.7:
        return x
    return 3.0 * x - 3.0 * x + 4.0


@program(0.5, 0.0)
def euler_spiral_angle(t, s):
    u = t * t + s
    v = math.sin(u) / (1 + math.cos(u) ** 2)
    w = v * u / (v + u)
    return w + math.sqrt(w + u) * v


@program(0.9, tags="tuple core")
def two_results(x):
    return x**2, math.sin(x)


@program(0.9, 0.1, tags="tuple")
def results_that_share(x, y):
    s = x * y
    return s, s, s * x
