"""Numerics: complex intermediates, integers and booleans between floats, conventions at special points."""

import cmath
import math

import numpy as np

from tests.corpus import booleans, integers, normal, program, uniform

# ---------------------------------------------------------------- complex numbers on the way from real to real


@program(0.7, -0.4, tags="complex")
def complex_product(a, b):
    z = complex(a, b)
    w = z * z + (1.0 - 2.0j) * z
    return w.real * w.imag + abs(w)


@program(0.7, -0.4, tags="complex")
def complex_quotient(a, b):
    z = a + 1j * b
    w = (z - 1.0) / (z + 2j)
    return abs(w) ** 2 + w.imag


@program(0.7, -0.4, tags="complex")
def complex_conjugates(a, b):
    z = a + 1j * b
    return (z * z.conjugate()).real + np.conj(z).imag * np.real(z * z) + np.imag(z * np.conj(z) ** 2)


@program(0.8, tags="complex")
def euler_formula(x):
    z = np.exp(1j * x)
    return z.real * z.imag + np.angle(z)


@program(0.7, -0.4, tags="complex")
def complex_powers(a, b):
    z = complex(a, b)
    return abs(z**3) + (z**0.5).imag + (z ** (0.3 + 1j)).real + (2.0**z).real + (z**-2).imag


@program(0.7, 0.4, tags="complex")
def cmath_functions(a, b):
    z = complex(a, b)
    w = cmath.exp(z) * cmath.sin(z) + cmath.log(z) * cmath.sqrt(z) - cmath.cos(z) / cmath.tanh(z)
    return w.real + 2.0 * w.imag + cmath.phase(z)


@program(0.7, 0.4, tags="complex")
def more_cmath_functions(a, b):
    z = complex(a, b) * 0.5
    w = cmath.asin(z) + cmath.atan(z) * cmath.sinh(z) + cmath.cosh(z) * cmath.tan(z) + cmath.acos(z)
    return abs(w) + w.imag


@program(-0.4, 0.3, 12, tags="complex core")
def mandelbrot_orbit(cr, ci, n):
    c = complex(cr, ci)
    z = 0j
    for _ in range(n):
        z = z * z + c
    return abs(z)


@program(-0.4, 0.3)
def mandelbrot_with_parts(cr, ci):
    zr, zi = 0.0, 0.0
    for _ in range(8):
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    return math.hypot(zr, zi)


@program(0.5, 0.5, tags="complex")
def escape_time_smooth(cr, ci):
    c = cr + 1j * ci
    z = 0.0 + 0.0j
    n = 0
    while abs(z) < 2.0 and n < 50:
        z = z**2 + c
        n += 1
    return n + 1 - math.log(math.log(abs(z)) / math.log(2.0))


@program(normal(6), tags="complex")
def discrete_fourier_sum(x):
    n = len(x)
    power = 0.0
    for k in range(n):
        s = 0j
        for t in range(n):
            s += x[t] * np.exp(-2j * np.pi * k * t / n)
        power += (k + 1) * abs(s) ** 2
    return power


@program(normal(5), tags="complex nojit")
def fourier_by_matrix(x):
    n = x.shape[0]
    k = np.arange(n)
    W = np.exp(-2j * np.pi * np.outer(k, k) / n)
    X = W @ x
    return np.sum(np.abs(X) * (k + 1.0))


@program(normal(5), normal(5), tags="complex core")
def complex_arrays(a, b):
    z = a + 1j * b
    w = np.exp(z) * z - np.conj(z) / (2.0 + z * z)
    return np.sum(np.abs(w) ** 2) + np.sum(w.real * w.imag)


@program(normal(5), normal(5), tags="complex nojit")
def stores_into_complex_array(a, b):
    z = np.zeros(5, dtype=complex)
    for i in range(5):
        z[i] = a[i] + 1j * b[4 - i]
    z[1:] *= z[:-1]
    z[0] += a[2]
    return np.sum(np.abs(z)) + z[3].imag


@program(normal(4), normal(4), tags="complex array")
def magnitude_and_phase(a, b):
    z = a + 1j * b
    return np.abs(z) * np.angle(z) + np.real(z) - np.imag(z * z)


@program(normal(4), normal(4), tags="complex")
def complex_dot_products(a, b):
    z = a + 1j * b
    w = b - 2j * a
    return np.vdot(z, w).real + np.dot(z, w).imag + abs(np.sum(z * w)) + (z @ w).real


@program(normal(3, 3), normal(3, 3), tags="complex nojit")
def hermitian_form(A, B):
    H = A + 1j * B
    v = H @ np.array([1.0, 2.0, 3.0])
    return np.sum((np.conj(H.T) @ v).real ** 2) + np.abs(np.trace(H @ H.T))


@program(normal(4), normal(4), tags="complex")
def complex_where(a, b):
    z = a + 1j * b
    w = np.where(a > 0, z * z, np.conj(z))
    return np.sum(w.real) + np.sum(w.imag * b)


@program(1.3, 0.2, 2.0, tags="complex")
def transfer_function(omega, damping, gain):
    s = 1j * omega
    h = gain / (s * s + 2.0 * damping * s + 1.0)
    return 20.0 * math.log10(abs(h)) + cmath.phase(h)


@program(1.0, 0.5, 2.0, tags="complex")
def roots_of_a_quadratic(a, b, c):
    d = cmath.sqrt(b * b - 4.0 * a * c)
    r1 = (-b + d) / (2.0 * a)
    r2 = (-b - d) / (2.0 * a)
    return abs(r1) + r1.imag * 2.0 + r2.imag + (r1 * r2).real


@program(1.0, 2.0, 0.3, 0.5, tags="complex")
def impedance_of_a_circuit(v, r, l, c):
    w = 2.0 * math.pi
    z = r + 1j * w * l + 1.0 / (1j * w * c)
    i = v / z
    return i.real**2 + i.imag**2


@program(normal(4), 0.3, tags="complex")
def polynomial_on_the_circle(p, t):
    z = np.exp(1j * t)
    y = 0j
    for k in range(len(p)):
        y = y * z + p[k]
    return abs(y)


@program(normal(6), tags="complex")
def complex_mean_and_cumulative_sum(x):
    z = x * np.exp(1j * x)
    return abs(np.mean(z)) + np.sum(np.abs(np.cumsum(z))) + np.prod(z).real


@program(0.4, 0.9, tags="complex tuple")
def polar_and_back(r, phi):
    z = cmath.rect(r, phi)
    rho, theta = cmath.polar(z * z)
    return rho, theta


@program(normal(5), tags="complex array")
def complex_to_real_by_store(x):
    z = np.empty(5, dtype=np.complex128)
    z[:] = x
    z[2] = 1j * x[0]
    z = z * (1.0 + 0.5j)
    return z.real + 2.0 * z.imag


@program(0.3, 0.4, tags="complex core nojit")
def matrices_of_complex_numbers(x, y):
    A = np.array([[x + 1j * y, 0.5], [y, 1.0]])
    b = np.linalg.solve(A, np.array([1.0 + 0j, x]))
    return np.sum(np.abs(A @ A)) + np.sum(np.abs(b))


@program(normal(6), tags="complex nojit")
def unit_phases_where_defined(x):
    z = np.zeros_like(x, dtype=complex)
    z[::2] = x[::2]
    z[1] = 1j * x[1]
    w = np.where(np.abs(z) > 0.5, z / np.abs(z), z)
    return np.sum(w.real) + np.sum(w.imag)


@program(normal(6), 0.01, tags="complex")
def schroedinger_steps(v, dt):
    n = len(v)
    psi = np.zeros(n, dtype=np.complex128)
    for i in range(n):
        psi[i] = np.exp(-0.5 * (i - 2) ** 2) * np.exp(1j * v[i])
    for _ in range(3):
        new = psi.copy()
        for i in range(1, n - 1):
            new[i] = psi[i] + 1j * dt * (psi[i + 1] - 2 * psi[i] + psi[i - 1] - v[i] * psi[i])
        psi = new
    return np.sum(np.abs(psi) ** 2 * np.arange(n))


@program(0.7, tags="complex nojit")
def quantum_gates(theta):
    H = np.array([[1, 1], [1, -1]], dtype=complex) / np.sqrt(2)
    R = np.zeros((2, 2), dtype=complex)
    R[0, 0] = np.exp(-0.5j * theta)
    R[1, 1] = np.exp(0.5j * theta)
    s = H @ R @ H @ np.array([1.0 + 0j, 0.0])
    return abs(s[0]) ** 2 - 0.5 * abs(s[1]) ** 2


# ---------------------------------------------------------------- integers and booleans between floats


@program(1.7, 3)
def integer_powers(x, n):
    return x**n + x**-n + x ** (n - 3) + 2**n * x + float(n) ** -2 * x


@program(2.3, 7, tags="core")
def floor_division_and_remainder(x, n):
    q, r = divmod(n, 3)
    return x * (n // 2) + x * (n % 4) + x // 0.7 * x + x % 0.7 + q * x**r


@program(2.3)
def divmod_of_floats(x):
    q, r = divmod(x, 0.7)
    return q * x + r * r


@program(2.7)
def integer_of_float(x):
    k = int(x)
    return x**k + k * x + round(x) * x + math.floor(x) * x + int(x > 1.0) * x


@program(1.4, 13)
def bits_of_an_integer(x, n):
    y = 1.0
    b = x
    while n > 0:
        if n & 1:
            y *= b
        b *= b
        n >>= 1
    return y


@program(1.4, 6)
def bit_operations(x, n):
    return x * ((n << 2) | 3) + x**2 * (n ^ 5) - x * (~n) + x * (n & 12)


@program(0.8, -0.3, tags="nojit")
def boolean_arithmetic(x, y):
    b = x > y
    return float(b) * x + b * y + (x < 0.0) * x - float(x > 2.0) * x


@program(normal(5), normal(5))
def masks_in_arithmetic(x, y):
    m = x > y
    return np.sum(m * x) + np.sum((1 - m) * y) + np.sum(x * ~m) + m.sum() * x[0] + np.sum(m.astype(np.float64) * x * y)


@program(normal(5), integers(4, 5))
def integer_arrays_times_floats(x, n):
    return np.sum(n * x) + np.sum(x**n) + np.sum(x / (n + 1)) + np.sum((n // 2) * x) + np.sum(n % 3 - x)


@program(uniform(0.5, 2.0, 4), integers(4, 4))
def negative_integer_powers_of_arrays(x, n):
    return np.sum(x ** (-n)) + np.sum(2.0 ** (-n) * x)


@program(normal(5), booleans(5))
def counts_weigh(x, m):
    k = np.count_nonzero(m)
    total = 0.0
    for i in range(len(x)):
        if m[i]:
            total += x[i] ** 2
    return total / max(k, 1) + np.mean(x * m)


@program(normal(4))
def small_integers_wrap(x):
    k = np.int8(100) + np.zeros(4, dtype=np.int8)
    k = k + np.int8(100)
    u = np.zeros(4, dtype=np.uint8) - np.uint8(1)
    return np.sum(k * x) + np.sum(u * x) * 1e-3


@program(normal(4))
def mixed_precisions(x):
    a = x * np.ones(4, np.float32)
    b = a * np.float32(1.5) + 2
    c = b * np.arange(4)
    return np.sum(c * x) + np.float64(a[0]) * x[1]


@program(normal(6))
def histogram_by_rounding(x):
    h = np.zeros(4)
    for i in range(len(x)):
        k = int(np.floor(x[i])) % 4
        h[k] += x[i] * x[i]
    return np.sum(h * np.arange(1, 5))


@program(3.7, 2)
def rounding_with_digits(x, n):
    return round(x, n) * x + np.round(x, 1) * x + np.rint(x) + math.trunc(x) * x


@program(normal(7))
def indices_by_remainders(x):
    s = 0.0
    n = len(x)
    for i in range(n):
        j = (3 * i + 1) % n
        k = (i * i) // 2 % n
        s += x[j] * x[k] * (1 if i % 2 == 0 else -1)
    return s


@program(2.5, tags="nojit")
def powers_of_minus_one(x):
    s = 0.0
    for k in range(6):
        s += (-1) ** k * x ** (2 * k) / math.factorial(2 * k)
    return s


@program(uniform(0.5, 2.0, 4), 3, 2, tags="core nojit")
def numbers_of_every_dtype(x, n, k):
    i = np.int8(64) * np.int8(2)
    u = np.uint8(3) - np.uint8(5)
    m = np.int32(7) // np.int32(-2) + np.uint16(65535) - np.uint16(2)
    s = math.sqrt(np.float32(0.5)) + math.exp(np.float32(0.1))
    a = np.ones(4, dtype=int) + np.eye(4, dtype=bool)[1]
    return x[0] * i + x[1] * u + x[2] * m + x[3] * s + n**-1 * x[0] + (-k) ** n * x[1] + np.sum(a * x)


@program(normal(4), booleans(4), tags="nojit")
def truth_values_as_numbers(x, m):
    b = bool(m[0])
    t = True + True
    return float(b) * x[0] + t * x[1] + m[1] * x[2] + (m & ~m).sum() * x[0] + np.mean(m) * x[3] + (not b) * x[2]


@program(7.3)
def mantissa_and_exponent(x):
    m, e = math.frexp(x)
    return m * e * x + math.frexp(x * x)[0]


@program(normal(0), normal(3), tags="nojit")
def product_of_nothing(e, v):
    return np.prod(e) * np.prod(v) + np.sum(np.prod(np.reshape(e, (0, 2)), axis=1))


@program(0.7, normal(3))
def real_part_of_a_complex_sum(s, x):
    z = complex(s, 0.3) * x
    total = np.sum(z * x)
    return total.real + np.sum(np.abs(z + 1j)) + np.complex128(s).real


@program(0.7, normal(3), tags="nojit")
def axes_for_a_number(s, x):
    return np.sum(x * np.sum(x)[None] ** 2) + np.sum(np.dot(x, x)[..., None, None] * s) + np.max(x)[()] * s


@program(normal(3), tags="nojit complex")
def a_number_that_becomes_complex(v):
    z, n = v[0], 0
    for a in v:
        z = z * (1j * a + v[2]) + a
    while abs(z) < 4.0 and n < 3:
        z, n = z**2 + complex(v[1], 0.3), n + 1
    w = v
    if v[1] > -10.0:
        w = w * 1j + v[0]
    return abs(z) ** 2 + np.sum((w**2).real) + np.sum(w.imag * v)
