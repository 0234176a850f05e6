"""Simulations: time steppers, partial differential equations, particles."""

import math

import numpy as np

from tests.corpus import normal, program, uniform


@program(uniform(0.5, 1.5, 8), 0.1, 0.05, 0.5, 6, tags="core")
def burgers(u0, nu, dt, dx, steps):
    u = u0.copy()
    v = np.empty_like(u)
    n = u.shape[0]
    for _ in range(steps):
        v[0] = u[0]
        v[n - 1] = u[n - 1]
        for i in range(1, n - 1):
            v[i] = (u[i] - dt / (2 * dx) * u[i] * (u[i + 1] - u[i - 1])
                    + nu * dt / dx**2 * (u[i + 1] - 2 * u[i] + u[i - 1]))  # fmt: skip
        u, v = v, u
    return np.sum(u**2)


@program(normal(8), 0.2, 5, tags="core")
def heat_by_slices(u0, k, steps):
    u = u0.copy()
    for _ in range(steps):
        u[1:-1] = u[1:-1] + k * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u**2)


@program(normal(8), 0.2, 5)
def heat_with_new_arrays(u, k, steps):
    for _ in range(steps):
        lap = np.zeros_like(u)
        lap[1:-1] = u[2:] - 2 * u[1:-1] + u[:-2]
        u = u + k * lap
    return np.sum(u**4)


@program(normal(4, 4), normal(4, 4), 3)
def heat_2d_variable_coefficient(u0, k, steps):
    u = u0.copy()
    n, m = u.shape
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                flux = k[i, j] * (u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - 4 * u[i, j])
                new[i, j] = u[i, j] + 0.1 * flux
        u = new
    return np.sum(u * u)


@program(normal(7), 0.5, 6)
def wave_equation(u0, c, steps):
    prev = u0.copy()
    cur = u0.copy()
    new = np.zeros_like(u0)
    for _ in range(steps):
        for i in range(1, len(u0) - 1):
            new[i] = 2 * cur[i] - prev[i] + c**2 * (cur[i + 1] - 2 * cur[i] + cur[i - 1])
        prev, cur, new = cur, new, prev
    return np.sum(cur**2)


@program(normal(6), 0.3, 4)
def advection_periodic(u, c, steps):
    n = len(u)
    for _ in range(steps):
        v = np.empty(n)
        for i in range(n):
            v[i] = u[i] - c * (u[i] - u[i - 1]) * (1 + 0.1 * u[(i + 1) % n])
        u = v
    return np.dot(u, u)


@program(1.0, 0.5, 0.7, 0.3, 20)
def lotka_volterra_euler(x, y, alpha, beta, steps):
    dt = 0.05
    for _ in range(steps):
        dx = alpha * x - beta * x * y
        dy = beta * x * y - 0.4 * y
        x, y = x + dt * dx, y + dt * dy
    return x * y


def pendulum_rhs(theta, omega, g):
    return omega, -g * math.sin(theta)


@program(0.5, 0.1, 9.8, 10, tags="nojit")
def pendulum_rk4(theta, omega, g, steps):
    h = 0.02
    for _ in range(steps):
        a1, b1 = pendulum_rhs(theta, omega, g)
        a2, b2 = pendulum_rhs(theta + h / 2 * a1, omega + h / 2 * b1, g)
        a3, b3 = pendulum_rhs(theta + h / 2 * a2, omega + h / 2 * b2, g)
        a4, b4 = pendulum_rhs(theta + h * a3, omega + h * b3, g)
        theta += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        omega += h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return theta**2 + omega


def lorenz(s, p):
    d = np.empty(3)
    d[0] = p[0] * (s[1] - s[0])
    d[1] = s[0] * (p[1] - s[2]) - s[1]
    d[2] = s[0] * s[1] - p[2] * s[2]
    return d


@program(normal(3, shift=1.0), uniform(1.0, 3.0, 3), 6, tags="nojit")
def lorenz_rk4(s, p, steps):
    h = 0.01
    for _ in range(steps):
        k1 = lorenz(s, p)
        k2 = lorenz(s + h / 2 * k1, p)
        k3 = lorenz(s + h / 2 * k2, p)
        k4 = lorenz(s + h * k3, p)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return np.sum(s**2)


@program(normal(3, 2, scale=2.0), normal(3, 2), uniform(0.5, 1.5, 3), 3, tags="core")
def verlet_nbody(pos0, vel0, mass, steps):
    pos = pos0.copy()
    vel = vel0.copy()
    n = len(mass)
    acc = np.zeros((n, 2))
    for _ in range(steps):
        for i in range(n):
            acc[i, 0] = 0.0
            acc[i, 1] = 0.0
            for j in range(n):
                if j != i:
                    dx = pos[j, 0] - pos[i, 0]
                    dy = pos[j, 1] - pos[i, 1]
                    r2 = dx * dx + dy * dy + 0.1
                    f = mass[j] / (r2 * math.sqrt(r2))
                    acc[i, 0] += f * dx
                    acc[i, 1] += f * dy
        for i in range(n):
            for d in range(2):
                vel[i, d] += 0.05 * acc[i, d]
                pos[i, d] += 0.05 * vel[i, d]
    energy = 0.0
    for i in range(n):
        energy += 0.5 * mass[i] * (vel[i, 0] ** 2 + vel[i, 1] ** 2)
    return energy + pos[0, 0]


@program(normal(4, 3, scale=2.0))
def lennard_jones(x):
    e = 0.0
    for i in range(x.shape[0]):
        for j in range(i + 1, x.shape[0]):
            r2 = 0.5
            for d in range(x.shape[1]):
                r2 += (x[i, d] - x[j, d]) ** 2
            s6 = 1.0 / r2**3
            e += 4.0 * (s6 * s6 - s6)
    return e


@program(normal(3, 2, scale=2.0), normal(3))
def coulomb_numpy(x, q):
    e = 0.0
    for i in range(len(q) - 1):
        d = x[i + 1 :] - x[i]
        r = np.sqrt(np.sum(d * d, axis=1))
        e += np.sum(q[i] * q[i + 1 :] / r)
    return e


@program(normal(2), normal(2), 0.3, 8)
def bouncing_ball(p0, v0, restitution, steps):
    p = p0.copy()
    v = v0.copy()
    for _ in range(steps):
        v[1] -= 0.5
        p += 0.3 * v
        if p[1] < -1.0:
            p[1] = -2.0 - p[1]
            v[1] *= -restitution
    return p[0] * p[1] + v[1] ** 2


@program(0.2, 1.5, 12)
def van_der_pol_semi_implicit(x, mu, steps):
    v = 0.1
    for _ in range(steps):
        v += 0.1 * (mu * (1 - x * x) * v - x)
        x += 0.1 * v
    return x**2 + v**2


@program(0.8, 0.3, tags="nof32")
def backward_euler_with_newton(y, k):
    for _ in range(4):
        z = y
        r = 1.0
        while abs(r) > 1e-13:
            r = z - y + 0.2 * k * z**3
            z = z - r / (1.0 + 0.6 * k * z**2)
        y = z
    return y * y


@program(0.5, 2.0, 16)
def simpson_quadrature(a, b, n):
    h = (b - a) / n
    s = math.exp(-(a**2)) + math.exp(-(b**2))
    for i in range(1, n):
        w = 4.0 if i % 2 == 1 else 2.0
        s += w * math.exp(-((a + i * h) ** 2))
    return s * h / 3


@program(normal(5))
def spring_chain_energy(x):
    e = 0.5 * x[0] ** 2
    for i in range(1, len(x)):
        stretch = x[i] - x[i - 1]
        e += 0.5 * stretch**2 + 0.25 * stretch**4
    return e


@program(uniform(0.2, 0.9, 5), uniform(0.5, 1.0, 5))
def cable_equation_steps(v, g):
    w = np.zeros_like(v)
    for _ in range(3):
        dv = np.zeros_like(v)
        for i in range(len(v)):
            dv[i] = v[i] * (1 - v[i]) * (v[i] - 0.1) - w[i]
            if i > 0:
                dv[i] += g[i] * (v[i - 1] - v[i])
            if i < len(v) - 1:
                dv[i] += g[i + 1] * (v[i + 1] - v[i])
        w = w + 0.1 * (v - w)
        v = v + 0.1 * dv
    return np.sum(v * v) + w[2]
