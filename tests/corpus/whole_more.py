"""More whole programs: solvers, filters, simulations and networks of 30 lines and more."""

import math
from dataclasses import dataclass

import numpy as np

from tests.corpus import integers, normal, program, spd, uniform

# ---------------------------------------------------------------- fluids and waves


@program(uniform(0.9, 1.1, 9, 5, 4), 0.6, 3)
def lattice_boltzmann(f0, tau, steps):
    cx = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
    cy = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    f = f0.copy()
    nx, ny = f.shape[1], f.shape[2]
    for _ in range(steps):
        rho = np.sum(f, axis=0)
        ux = np.zeros((nx, ny))
        uy = np.zeros((nx, ny))
        for k in range(9):
            ux += cx[k] * f[k]
            uy += cy[k] * f[k]
        ux /= rho
        uy /= rho
        usq = ux**2 + uy**2
        streamed = np.empty_like(f)
        for k in range(9):
            cu = cx[k] * ux + cy[k] * uy
            feq = w[k] * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * usq)
            collided = f[k] - (f[k] - feq) / tau
            for i in range(nx):
                for j in range(ny):
                    streamed[k, (i + cx[k]) % nx, (j + cy[k]) % ny] = collided[i, j]
        streamed[1, 0, :], streamed[3, 0, :] = streamed[3, 0, :].copy(), streamed[1, 0, :].copy()
        f = streamed
    return np.sum(np.sum(f, axis=0) ** 2) + np.sum(ux * uy)


@program(normal(8), 0.05, 4)
def burgers_by_a_fourier_sum(u0, nu, steps):
    n = len(u0)
    k = np.concatenate((np.arange(0, n // 2), np.arange(-n // 2, 0)))

    def derivative(u, order):
        total = np.zeros(n)
        for m in range(n):
            re = im = 0.0
            for j in range(n):
                angle = -2 * math.pi * m * j / n
                re += u[j] * math.cos(angle)
                im += u[j] * math.sin(angle)
            if order == 1:
                re, im = -k[m] * im, k[m] * re
            else:
                re, im = -k[m] ** 2 * re, -k[m] ** 2 * im
            for j in range(n):
                angle = 2 * math.pi * m * j / n
                total[j] += (re * math.cos(angle) - im * math.sin(angle)) / n
        return total

    u = u0
    for _ in range(steps):
        u = u + 0.01 * (nu * derivative(u, 2) - u * derivative(u, 1))
    return np.sum(u**2)


# ---------------------------------------------------------------- linear algebra by hand


@program(normal(4, 4), normal(4), tags="nojit core")
def lu_with_pivots(A, b):
    n = A.shape[0]
    lu = A.copy()
    pivots = np.arange(n)
    sign = 1.0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(lu[i, k]) > abs(lu[p, k]):
                p = i
        if p != k:
            for j in range(n):
                lu[k, j], lu[p, j] = lu[p, j], lu[k, j]
            pivots[k], pivots[p] = pivots[p], pivots[k]
            sign = -sign
        for i in range(k + 1, n):
            lu[i, k] /= lu[k, k]
            for j in range(k + 1, n):
                lu[i, j] -= lu[i, k] * lu[k, j]
    y = np.zeros(n)
    for i in range(n):
        y[i] = b[pivots[i]]
        for j in range(i):
            y[i] -= lu[i, j] * y[j]
    x = np.zeros(n)
    for i in reversed(range(n)):
        s = y[i]
        for j in range(i + 1, n):
            s -= lu[i, j] * x[j]
        x[i] = s / lu[i, i]
    logdet = 0.0
    for i in range(n):
        logdet += math.log(abs(lu[i, i]))
    return np.sum(x**2) + sign * logdet


@program(normal(5, 3), normal(5))
def least_squares_by_householder(A, b):
    R, rhs = A.copy(), b.copy()
    m, n = R.shape
    for k in range(n):
        x = R[k:, k].copy()
        alpha = -np.sign(x[0]) * np.sqrt(np.sum(x**2))
        v = x.copy()
        v[0] -= alpha
        norm = np.sum(v**2)
        if norm < 1e-14:
            continue
        for j in range(k, n):
            R[k:, j] -= 2 * v * np.dot(v, R[k:, j]) / norm
        rhs[k:] -= 2 * v * np.dot(v, rhs[k:]) / norm
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (rhs[i] - np.dot(R[i, i + 1:n], x[i + 1:])) / R[i, i]
    residual = b - A @ x
    return np.sum(x**3) + np.sum(residual**2)


@program(spd(5), normal(5), 5)
def conjugate_gradients_with_break(A, b, most):
    x = np.zeros(len(b))
    r = b - A @ x
    p = r.copy()
    rr = r @ r
    for iteration in range(most):
        Ap = A @ p
        alpha = rr / (p @ Ap)
        x = x + alpha * p
        r = r - alpha * Ap
        new = r @ r
        if new < 1e-20:
            break
        p = r + new / rr * p
        rr = new
    return np.sum(x**2) + b @ x


@program(uniform(0.0, 1.0, 6), normal(6), 0.37)
def natural_cubic_spline(gaps, y, at):
    x = np.cumsum(gaps + 0.2)
    n = len(x)
    h = np.diff(x)
    a, b, c, d = np.zeros(n), np.ones(n), np.zeros(n), np.zeros(n)
    for i in range(1, n - 1):
        a[i] = h[i - 1]
        b[i] = 2 * (h[i - 1] + h[i])
        c[i] = h[i]
        d[i] = 6 * ((y[i + 1] - y[i]) / h[i] - (y[i] - y[i - 1]) / h[i - 1])
    for i in range(1, n):
        factor = a[i] / b[i - 1]
        b[i] -= factor * c[i - 1]
        d[i] -= factor * d[i - 1]
    m = np.zeros(n)
    m[-1] = d[-1] / b[-1]
    for i in range(n - 2, -1, -1):
        m[i] = (d[i] - c[i] * m[i + 1]) / b[i]
    t = x[0] + at * (x[-1] - x[0])
    k = 0
    while k < n - 2 and x[k + 1] < t:
        k += 1
    left, right = t - x[k], x[k + 1] - t
    return ((m[k] * right**3 + m[k + 1] * left**3) / (6 * h[k]) + (y[k] / h[k] - m[k] * h[k] / 6) * right
            + (y[k + 1] / h[k] - m[k + 1] * h[k] / 6) * left)


@program(uniform(0.5, 1.5, 3), uniform(0.1, 2.0, 8), 0.1)
def levenberg_marquardt_steps(p0, t, damping):
    data = 1.3 * np.exp(-0.7 * t) + 0.2

    def model(p):
        return p[0] * np.exp(-p[1] * t) + p[2]

    p, lam = p0, damping
    cost = np.sum((model(p) - data) ** 2)
    for _ in range(4):
        r = model(p) - data
        e = np.exp(-p[1] * t)
        J = np.stack((e, -p[0] * t * e, np.ones_like(t)), axis=1)
        H = J.T @ J
        step = np.linalg.solve(H + lam * np.diag(np.diag(H)), -(J.T @ r))
        trial = p + step
        new = np.sum((model(trial) - data) ** 2)
        if new < cost:
            p, cost, lam = trial, new, lam * 0.3
        else:
            lam *= 2.0
    return cost + np.sum(p**2)


# ---------------------------------------------------------------- orbits and differential equations


@program(0.4, 1.3, 0.7, 5)
def kepler_orbit(e, a, mean, steps):
    def eccentric(M):
        E = M if e < 0.8 else math.pi
        for _ in range(50):
            f = E - e * math.sin(E) - M
            step = f / (1 - e * math.cos(E))
            E -= step
            if abs(step) < 1e-15:
                break
        return E

    n = 1 / math.sqrt(a**3)
    path = 0.0
    px, py = a * (1 - e), 0.0
    for k in range(steps):
        E = eccentric(mean + n * k * 0.5)
        x = a * (math.cos(E) - e)
        y = a * math.sqrt(1 - e * e) * math.sin(E)
        path += math.hypot(x - px, y - py)
        px, py = x, y
    return path + x * y


@program(normal(3, 3), normal(3, 3, scale=0.3), uniform(0.5, 1.5, 3), 4)
def n_body_leapfrog(q0, v0, mass, steps):
    def acceleration(q):
        a = np.zeros_like(q)
        for i in range(len(q)):
            for j in range(len(q)):
                if i == j:
                    continue
                d = q[j] - q[i]
                r2 = np.sum(d * d) + 0.05
                a[i] += mass[j] * d / (r2 * np.sqrt(r2))
        return a

    def energy(q, v):
        kinetic = 0.5 * np.sum(mass * np.sum(v**2, axis=1))
        potential = 0.0
        for i in range(len(q)):
            for j in range(i):
                potential -= mass[i] * mass[j] / np.sqrt(np.sum((q[i] - q[j]) ** 2) + 0.05)
        return kinetic + potential

    q, v = q0.copy(), v0.copy()
    dt = 0.05
    a = acceleration(q)
    start = energy(q, v)
    for _ in range(steps):
        v += 0.5 * dt * a
        q += dt * v
        a = acceleration(q)
        v += 0.5 * dt * a
    return energy(q, v) * start + np.sum(q[0] * v[1])


@program(uniform(0.5, 1.5, 2), 1.2)
def adaptive_runge_kutta(y0, mu):
    def f(y):
        return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])

    t, h, y = 0.0, 0.1, y0
    accepted = rejected = 0
    while t < 0.5:
        if t + h > 0.5:
            h = 0.5 - t
        k1 = f(y)
        k2 = f(y + h * k1 / 4)
        k3 = f(y + h * (3 * k1 + 9 * k2) / 32)
        k4 = f(y + h * (1932 * k1 - 7200 * k2 + 7296 * k3) / 2197)
        k5 = f(y + h * (439 / 216 * k1 - 8 * k2 + 3680 / 513 * k3 - 845 / 4104 * k4))
        k6 = f(y + h * (-8 / 27 * k1 + 2 * k2 - 3544 / 2565 * k3 + 1859 / 4104 * k4 - 11 / 40 * k5))
        fourth = y + h * (25 / 216 * k1 + 1408 / 2565 * k3 + 2197 / 4104 * k4 - k5 / 5)
        fifth = y + h * (16 / 135 * k1 + 6656 / 12825 * k3 + 28561 / 56430 * k4 - 9 / 50 * k5 + 2 / 55 * k6)
        error = float(np.max(np.abs(fifth - fourth)))
        if error <= 1e-5:
            t += h
            y = fifth
            accepted += 1
            h = 0.1
        else:
            rejected += 1
            h *= 0.5
        if accepted + rejected > 200:
            raise RuntimeError("too many steps")
    return y[0] * y[1] + accepted


@program(normal(4, 3, scale=0.5), normal(3, 4, scale=0.5), normal(4, scale=0.1), normal(3), 5)
def neural_ode(w1, w2, b, z0, steps):
    def field(z, t):
        return w2 @ np.tanh(w1 @ z + b * t)

    z, h = z0, 1.0 / steps
    path = np.empty((steps + 1, len(z0)))
    path[0] = z0
    for k in range(steps):
        t = k * h
        k1 = field(z, t)
        k2 = field(z + 0.5 * h * k1, t + 0.5 * h)
        k3 = field(z + 0.5 * h * k2, t + 0.5 * h)
        k4 = field(z + h * k3, t + h)
        z = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path[k + 1] = z
    total = 0.0
    for a, b_ in zip(path, path[1:]):
        total += np.sum((a - b_) ** 2)
    return np.sum(z**2) + total


# ---------------------------------------------------------------- sequences, filters, statistics


@program(uniform(0.2, 1.0, 3, 3), uniform(0.2, 1.0, 3, 4), uniform(0.2, 1.0, 3), integers(4, 7), tags="nojit")
def hidden_markov_forward(A, B, start, observed):
    A = A / A.sum(axis=1, keepdims=True)
    B = B / B.sum(axis=1, keepdims=True)
    alpha = start / start.sum() * B[:, observed[0]]
    loglik = 0.0
    for t in range(1, len(observed)):
        scale = alpha.sum()
        loglik += np.log(scale)
        alpha = (alpha / scale) @ A * B[:, observed[t]]
    loglik += np.log(alpha.sum())
    score = np.log(start) + np.log(B[:, observed[0]])
    back = np.zeros((len(observed), 3), dtype=np.int64)
    for t in range(1, len(observed)):
        new = np.zeros(3)
        for j in range(3):
            candidates = score + np.log(A[:, j])
            back[t, j] = np.argmax(candidates)
            new[j] = candidates[back[t, j]] + np.log(B[j, observed[t]])
        score = new
    state = int(np.argmax(score))
    best = score[state]
    for t in range(len(observed) - 1, 0, -1):
        best += 0.1 * B[state, observed[t]]
        state = back[t, state]
    return loglik + best


@program(uniform(0.0, 1.0, 5), uniform(0.0, 1.0, 4), 0.1)
def soft_dtw_by_columns(a, b, gamma):
    n, m = len(a), len(b)
    big = 1e6
    R = np.full((n + 2, m + 2), big)
    R[0, 0] = 0.0
    for j in range(1, m + 1):
        for i in range(1, n + 1):
            r0 = -R[i - 1, j - 1] / gamma
            r1 = -R[i - 1, j] / gamma
            r2 = -R[i, j - 1] / gamma
            top = max(max(r0, r1), r2)
            total = math.exp(r0 - top) + math.exp(r1 - top) + math.exp(r2 - top)
            R[i, j] = (a[i - 1] - b[j - 1]) ** 2 - gamma * (math.log(total) + top)
    return R[n, m]


@dataclass
class Belief:
    mean: np.ndarray
    cov: np.ndarray

    def predicted(self, F, Q):
        return Belief(F @ self.mean, F @ self.cov @ F.T + Q)

    def updated(self, z, H, R):
        innovation = z - H @ self.mean
        S = H @ self.cov @ H.T + R
        K = self.cov @ H.T @ np.linalg.inv(S)
        mean = self.mean + K @ innovation
        cov = (np.eye(2) - K @ H) @ self.cov
        nll = 0.5 * (innovation @ np.linalg.solve(S, innovation) + np.log(np.linalg.det(S)))
        return Belief(mean, cov), nll


@program(normal(5, 1), 0.3, 0.5, tags="nojit core")
def kalman_of_a_class(z, q, r):
    dt = 0.5
    F = np.array([[1.0, dt], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    Q = q * np.array([[dt**3 / 3, dt**2 / 2], [dt**2 / 2, dt]])
    R = r * np.eye(1)
    belief, total = Belief(np.zeros(2), np.eye(2)), 0.0
    for t in range(len(z)):
        belief = belief.predicted(F, Q)
        belief, nll = belief.updated(z[t], H, R)
        total += nll
    return total + np.sum(belief.mean**2)


@program(normal(5), normal(5, 6), 0.4, 0.6)
def particle_filter(y, noise, sigma, tau):
    particles = noise[0] * sigma
    weights = np.ones(6) / 6
    loglik = 0.0
    for t in range(len(y)):
        if t > 0:
            particles = 0.9 * particles + sigma * noise[t]
        density = np.exp(-0.5 * ((y[t] - particles) / tau) ** 2) / (tau * math.sqrt(2 * math.pi))
        weights = weights * density
        total = np.sum(weights)
        loglik += math.log(total)
        weights = weights / total
        effective = 1 / np.sum(weights**2)
        if effective < 1.0:
            weights = np.ones(6) / 6
    return loglik + np.sum(weights * particles)


@program(normal(8), normal(2), uniform(0.5, 1.5, 2))
def em_of_a_mixture(x, mu0, var0):
    mu, var = mu0.copy(), var0.copy()
    pi = np.array([0.4, 0.6])
    for _ in range(3):
        resp = np.zeros((len(x), 2))
        for i in range(len(x)):
            for k in range(2):
                resp[i, k] = pi[k] * np.exp(-0.5 * (x[i] - mu[k]) ** 2 / var[k]) / np.sqrt(2 * np.pi * var[k])
            resp[i] /= resp[i].sum()
        counts = resp.sum(axis=0)
        for k in range(2):
            mu[k] = np.dot(resp[:, k], x) / counts[k]
            var[k] = np.dot(resp[:, k], (x - mu[k]) ** 2) / counts[k] + 0.1
        pi = counts / len(x)
    return np.sum(mu * pi) + np.sum(np.log(var))


@program(100.0, 95.0, 0.03, 0.25, 1.0, 6, tolerance=1e-6)
def option_prices(S, K, r, sigma, T, n):
    def cdf(z):
        return 0.5 * (1 + math.erf(z / math.sqrt(2)))

    d1 = (math.log(S / K) + (r + 0.5 * sigma**2) * T) / (sigma * math.sqrt(T))
    d2 = d1 - sigma * math.sqrt(T)
    closed = S * cdf(d1) - K * math.exp(-r * T) * cdf(d2)
    dt = T / n
    up = math.exp(sigma * math.sqrt(dt))
    p = (math.exp(r * dt) - 1 / up) / (up - 1 / up)
    discount = math.exp(-r * dt)
    values = [max(K - S * up ** (2 * j - n), 0.0) for j in range(n + 1)]
    for step in range(n - 1, -1, -1):
        for j in range(step + 1):
            kept = discount * (p * values[j + 1] + (1 - p) * values[j])
            values[j] = max(kept, K - S * up ** (2 * j - step))
    return closed + values[0]


# ---------------------------------------------------------------- rendering and networks


class Sphere:
    def __init__(self, center, radius, shade):
        self.center = center
        self.radius = radius
        self.shade = shade

    def hit(self, origin, direction):
        oc = origin - self.center
        b = np.dot(oc, direction)
        c = np.dot(oc, oc) - self.radius**2
        disc = b * b - c
        if disc < 0:
            return -1.0
        t = -b - np.sqrt(disc)
        return t if t > 1e-3 else -1.0


@program(normal(3, scale=0.1), 1.0, normal(3), tags="nojit")
def ray_tracing_of_spheres(center, radius, light):
    spheres = [Sphere(center + np.array([0.0, 0.0, 4.0]), radius, 0.8),
               Sphere(np.array([1.0, 0.5, 5.0]), 1.0, 0.4)]
    light = light / np.sqrt(np.sum(light**2))
    image = 0.0
    for i in range(4):
        for j in range(4):
            direction = np.array([(i - 1.5) / 4, (j - 1.5) / 4, 1.0])
            direction = direction / np.sqrt(np.sum(direction**2))
            nearest, color = 1e9, 0.1
            for sphere in spheres:
                t = sphere.hit(np.zeros(3), direction)
                if t < 0 or t > nearest:
                    continue
                nearest = t
                normal_ = (t * direction - sphere.center) / sphere.radius
                color = sphere.shade * max(np.dot(normal_, light), 0.0) + 0.1
            image += color * (i + 2 * j + 1)
    return image


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


class GRU:
    def __init__(self, wz, wr, wh):
        self.wz, self.wr, self.wh = wz, wr, wh

    def __call__(self, x, h):
        xh = np.concatenate((x, h))
        z = sigmoid(self.wz @ xh)
        r = sigmoid(self.wr @ xh)
        candidate = np.tanh(self.wh @ np.concatenate((x, r * h)))
        return (1 - z) * h + z * candidate


@program(normal(3, 5), normal(3, 5), normal(3, 5), normal(4, 2), tags="nojit")
def gru_over_a_sequence(wz, wr, wh, xs):
    cell = GRU(wz, wr, wh)
    h = np.zeros(3)
    outputs = []
    for x in xs:
        h = cell(x, h)
        outputs.append(h)
    stacked = np.stack(outputs)
    return np.sum(stacked[-1] ** 2) + np.mean(stacked)


@program(normal(4, 6), normal(6, 6), normal(6, 6), normal(6, 6), 2, tags="nojit")
def multi_head_attention(x, wq, wk, wv, heads):
    n, d = x.shape
    size = d // heads
    q, k, v = x @ wq, x @ wk, x @ wv
    out = np.zeros((n, d))
    for h in range(heads):
        part = slice(h * size, (h + 1) * size)
        scores = q[:, part] @ k[:, part].T / np.sqrt(size)
        for i in range(n):
            for j in range(i + 1, n):
                scores[i, j] = -1e9
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        out[:, part] = scores / scores.sum(axis=1, keepdims=True) @ v[:, part]
    return np.sum((x + out) ** 2)


@program(normal(6, 3), uniform(0.5, 1.5, 3), normal(3), True, tags="nojit")
def batch_norm_network(x, gamma, beta, training):
    running_mean, running_var = np.zeros(3), np.ones(3)
    momentum, y = 0.9, x
    for layer in range(3):
        if training:
            mean, var = y.mean(axis=0), y.var(axis=0)
            running_mean = momentum * running_mean + (1 - momentum) * mean
            running_var = momentum * running_var + (1 - momentum) * var
        else:
            mean, var = running_mean, running_var
        y = gamma * (y - mean) / np.sqrt(var + 1e-5) + beta
        y = np.maximum(y, 0.1 * y)
    return np.sum(y**2) + np.sum(running_mean * running_var)
