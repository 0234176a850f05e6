"""Whole programs: solvers, factorizations, filters, simulations and statistics, as their authors write them."""

import math

import numpy as np

from tests.corpus import normal, program, uniform


def given(values):
    """These numbers, in an array."""
    return lambda rng: np.array(values)


# ---------------------------------------------------------------- fluid dynamics


@program(uniform(1.0, 2.0, 12), 0.1, 0.2, 8)
def linear_convection(u0, dt, dx, nt):
    u = u0.copy()
    c = 1.0
    for n in range(nt):
        un = u.copy()
        for i in range(1, len(u)):
            u[i] = un[i] - c * dt / dx * (un[i] - un[i - 1])
    return np.sum(u**2)


@program(uniform(1.0, 2.0, 8, 7), 0.05, 0.3, 4)
def burgers_2d(u0, nu, dx, nt):
    u = u0.copy()
    v = np.ones_like(u0)
    dt = 0.2 * dx * dx / nu * 0.05
    for _ in range(nt + 1):
        un = u.copy()
        vn = v.copy()
        u[1:-1, 1:-1] = (un[1:-1, 1:-1] - dt / dx * un[1:-1, 1:-1] * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
                         - dt / dx * vn[1:-1, 1:-1] * (un[1:-1, 1:-1] - un[0:-2, 1:-1])
                         + nu * dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2])
                         + nu * dt / dx**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[0:-2, 1:-1]))
        v[1:-1, 1:-1] = vn[1:-1, 1:-1] - dt / dx * un[1:-1, 1:-1] * (vn[1:-1, 1:-1] - vn[1:-1, 0:-2])
        u[0, :] = 1
        u[-1, :] = 1
        u[:, 0] = 1
        u[:, -1] = 1
    return (u * v).sum()


@program(normal(6, 7), normal(6, 7), 1e-9)
def laplace_relaxation(p, b, target):
    p = p.copy()
    dx = dy = 0.5
    l1norm = 1.0
    steps = 0
    while l1norm > target and steps < 6:
        pn = p.copy()
        p[1:-1, 1:-1] = ((dy**2 * (pn[1:-1, 2:] + pn[1:-1, :-2]) + dx**2 * (pn[2:, 1:-1] + pn[:-2, 1:-1])
                          - b[1:-1, 1:-1] * dx**2 * dy**2) / (2 * (dx**2 + dy**2)))
        p[:, 0] = 0
        p[:, -1] = 1.5
        p[0, :] = p[1, :]
        p[-1, :] = p[-2, :]
        l1norm = np.sum(np.abs(p) - np.abs(pn)) ** 2 / np.sum(np.abs(pn)) + 1.0
        steps += 1
    return np.mean(p**2)


@program(uniform(0.5, 1.5, 10), uniform(-0.3, 0.3, 10), 0.02, 4)
def shallow_water(h0, q0, dt, steps):
    g = 9.81
    h, q = h0.copy(), q0.copy()
    n = len(h)

    def flux(h, q):
        return q, q * q / h + 0.5 * g * h * h

    for _ in range(steps):
        f1, f2 = flux(h, q)
        hn, qn = h.copy(), q.copy()
        for i in range(n):
            left, right = (i - 1) % n, (i + 1) % n
            hn[i] = 0.5 * (h[left] + h[right]) - dt / 2 * (f1[right] - f1[left])
            qn[i] = 0.5 * (q[left] + q[right]) - dt / 2 * (f2[right] - f2[left])
        h, q = hn, qn
    return np.sum(h * h) + np.dot(q, q)


# ---------------------------------------------------------------- factorizations


def spd(n):
    def make(rng):
        a = rng.normal(size=(n, n))
        return a @ a.T + n * np.eye(n)

    return make


@program(spd(4))
def cholesky_by_hand(A):
    n = A.shape[0]
    L = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = A[i, j]
            for k in range(j):
                s -= L[i, k] * L[j, k]
            if i == j:
                L[i, i] = math.sqrt(s)
            else:
                L[i, j] = s / L[j, j]
    return 2.0 * np.sum(np.log(np.diag(L))) + L[n - 1, 0]


@program(normal(4, 4), normal(4), tags="nojit")
def lu_with_pivoting(A, b):
    A = A.copy()
    x = b.copy()
    n = len(b)
    perm = np.arange(n)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(A[k:, k]))
        if p != k:
            A[[k, p]] = A[[p, k]]
            x[k], x[p] = x[p], x[k]
            perm[k], perm[p] = perm[p], perm[k]
        for i in range(k + 1, n):
            A[i, k] /= A[k, k]
            A[i, k + 1:] -= A[i, k] * A[k, k + 1:]
            x[i] -= A[i, k] * x[k]
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - A[i, i + 1:] @ x[i + 1:]) / A[i, i]
    return np.sum(x**2)


@program(normal(4, 3))
def qr_householder(A):
    m, n = A.shape
    R = A.copy()
    Q = np.eye(m)
    for j in range(n):
        x = R[j:, j]
        normx = np.linalg.norm(x)
        s = -np.sign(R[j, j])
        u1 = R[j, j] - s * normx
        w = x / u1
        w[0] = 1.0
        tau = -s * u1 / normx
        R[j:, :] = R[j:, :] - (tau * w)[:, None] * (w @ R[j:, :])[None, :]
        Q[:, j:] = Q[:, j:] - (Q[:, j:] @ w)[:, None] * (tau * w)[None, :]
    return np.sum(Q * np.cos(Q)) + np.sum(np.triu(R[:n]))


@program(uniform(1.0, 2.0, 6), uniform(3.0, 4.0, 6), uniform(1.0, 2.0, 6), normal(6), tags="nojit")
def thomas(a, b, c, d):
    n = len(d)
    ac, bc, cc, dc = a.copy(), np.array(b), c.copy(), np.array(d)
    for it in range(1, n):
        mc = ac[it - 1] / bc[it - 1]
        bc[it] = bc[it] - mc * cc[it - 1]
        dc[it] = dc[it] - mc * dc[it - 1]
    xc = bc
    xc[-1] = dc[-1] / bc[-1]
    for il in range(n - 2, -1, -1):
        xc[il] = (dc[il] - cc[il] * xc[il + 1]) / bc[il]
    return np.sum(xc**2)


@program(spd(4), normal(4), 1e-12)
def conjugate_gradients(A, b, tol):
    x = np.zeros_like(b)
    r = b - A @ x
    p = r.copy()
    rs = r @ r
    for _ in range(3):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x += alpha * p
        r -= alpha * Ap
        rs_new = r @ r
        if np.sqrt(rs_new) < tol:
            break
        p = r + (rs_new / rs) * p
        rs = rs_new
    return x @ np.array([1.0, -2.0, 3.0, 0.5])


@program(spd(3))
def jacobi_eigenvalues(A):
    A = A.copy()
    n = A.shape[0]
    for sweep in range(2):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(A[p, q]) > 1e-12:
                    theta = (A[q, q] - A[p, p]) / (2.0 * A[p, q])
                    t = np.sign(theta) / (abs(theta) + np.sqrt(theta**2 + 1.0))
                    c = 1.0 / np.sqrt(t**2 + 1.0)
                    s = t * c
                    for k in range(n):
                        akp, akq = A[k, p], A[k, q]
                        A[k, p] = c * akp - s * akq
                        A[k, q] = s * akp + c * akq
                    for k in range(n):
                        apk, aqk = A[p, k], A[q, k]
                        A[p, k] = c * apk - s * aqk
                        A[q, k] = s * apk + c * aqk
    return A[0, 0] * 1.0 + A[1, 1] * 2.0 + A[2, 2] * 3.0


# ---------------------------------------------------------------- orbital mechanics and ODEs


@program(0.8, 0.3)
def kepler_equation(M, e):
    E = M if e < 0.8 else math.pi
    for _ in range(50):
        f = E - e * math.sin(E) - M
        if abs(f) < 1e-13:
            break
        E -= f / (1 - e * math.cos(E))
    nu = 2 * math.atan2(math.sqrt(1 + e) * math.sin(E / 2), math.sqrt(1 - e) * math.cos(E / 2))
    return nu


@program(given([1.0, 0.1, 0.0]), given([0.0, 1.1, 0.2]), 0.05, 12)
def leapfrog_orbit(r, v, dt, n):
    def acceleration(r):
        return -r / np.linalg.norm(r) ** 3

    r, v = r.copy(), v.copy()
    a = acceleration(r)
    for _ in range(n):
        v += 0.5 * dt * a
        r += dt * v
        a = acceleration(r)
        v += 0.5 * dt * a
    return 0.5 * v @ v - 1.0 / np.sqrt(r @ r) + r[0]


@program(given([1.0, 0.5]), given([0.7, 1.2, 0.9, 0.4]), 0.05, 10)
def lotka_volterra_rk4(y0, p, h, n):
    def f(y):
        a, b, c, d = p
        return np.array([a * y[0] - b * y[0] * y[1], -c * y[1] + d * y[0] * y[1]])

    y = y0
    for _ in range(n):
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        k4 = f(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y[0] * y[1]


@program(1.2, 0.1, 2.0)
def adaptive_rk(y0, t0, t1):
    def f(t, y):
        return -2.0 * y + math.sin(t) * y * y

    t, y, h = t0, y0, 0.3
    while t < t1:
        h = min(h, t1 - t)
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h, y - h * k1 + 2 * h * k2)
        new = y + h / 6 * (k1 + 4 * k2 + k3)
        error = abs(new - (y + h * k2))
        if error > 1e-2:
            h = 0.5 * h
            continue
        t += h
        y = new
        if error < 1e-3:
            h *= 1.5
    return y


@program(uniform(0.5, 1.5, 4), normal(4, 3), normal(4, 3), 0.01, 3)
def n_body(m, x, v, dt, steps):
    x, v = x.copy(), v.copy()
    n = len(m)
    for _ in range(steps):
        a = np.zeros_like(x)
        for i in range(n):
            for j in range(n):
                if i != j:
                    d = x[j] - x[i]
                    a[i] += m[j] * d / (np.sum(d**2) + 0.01) ** 1.5
        v += dt * a
        x += dt * v
    energy = 0.5 * np.sum(m[:, None] * v**2)
    for i in range(n):
        for j in range(i):
            energy -= m[i] * m[j] / np.linalg.norm(x[i] - x[j])
    return energy


# ---------------------------------------------------------------- dynamic programming


@program(normal(5), normal(6), 0.5)
def soft_dtw(x, y, gamma):
    n, m = len(x), len(y)
    R = np.full((n + 1, m + 1), 1e10)
    R[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d = (x[i - 1] - y[j - 1]) ** 2
            a, b, c = -R[i - 1, j - 1] / gamma, -R[i - 1, j] / gamma, -R[i, j - 1] / gamma
            big = max(a, b, c)
            R[i, j] = d - gamma * (math.log(math.exp(a - big) + math.exp(b - big) + math.exp(c - big)) + big)
    return R[n, m]


@program(
    uniform(0.1, 1.0, 3), uniform(0.1, 1.0, 3, 3), uniform(0.1, 1.0, 3, 4), given([0, 2, 1, 3, 3, 0]), tags="nojit",
)  # fmt: skip
def hmm_filter(start, trans, emit, obs):
    pi = start / start.sum()
    A = trans / trans.sum(axis=1, keepdims=True)
    B = emit / emit.sum(axis=1)[:, None]
    alpha = pi * B[:, obs[0]]
    loglik = 0.0
    for t in range(1, len(obs)):
        c = alpha.sum()
        loglik += np.log(c)
        alpha = (alpha / c) @ A * B[:, obs[t]]
    return loglik + np.log(np.sum(alpha))


@program(normal(4), normal(4, 4), normal(5, 4))
def viterbi_score(start, trans, emit):
    T, S = emit.shape
    V = np.empty((T, S))
    back = np.zeros((T, S), dtype=np.int64)
    V[0] = start + emit[0]
    for t in range(1, T):
        for s in range(S):
            best, arg = -np.inf, -1
            for r in range(S):
                value = V[t - 1, r] + trans[r, s]
                if value > best:
                    best, arg = value, r
            V[t, s] = best + emit[t, s]
            back[t, s] = arg
    path = [int(np.argmax(V[-1]))]
    return V[-1].max() + 0.1 * V[-1, path[0]]


@program(normal(6), 1.3)
def edit_distance_smooth(x, c):
    n = x.size
    D = np.zeros((n + 1, n + 1))
    D[:, 0] = c * np.arange(n + 1)
    D[0, :] = c * np.arange(n + 1)
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            D[i, j] = min(D[i - 1, j] + c, D[i, j - 1] + c, D[i - 1, j - 1] + abs(x[i - 1] - x[n - j]))
    return D[n, n]


# ---------------------------------------------------------------- filters


@program(given([0.5, 0.1]), spd(2), normal(5), 0.1, 0.2)
def kalman(x0, P0, z, q, r):
    F = np.array([[1.0, 0.1], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    Q = q * np.eye(2)
    x, P = x0, P0
    nll = 0.0
    for t in range(len(z)):
        x = F @ x
        P = F @ P @ F.T + Q
        y = z[t] - (H @ x)[0]
        S = (H @ P @ H.T)[0, 0] + r
        K = P @ H.T / S
        x = x + K[:, 0] * y
        P = (np.eye(2) - K @ H) @ P
        nll += 0.5 * (np.log(2 * np.pi * S) + y**2 / S)
    return nll


@program(normal(12), uniform(0.1, 0.4, 3), uniform(0.1, 0.3, 2))
def iir_filter(x, b, a):
    y = np.zeros_like(x)
    for n in range(len(x)):
        acc = 0.0
        for k in range(len(b)):
            if n - k >= 0:
                acc += b[k] * x[n - k]
        for k in range(1, len(a) + 1):
            if n >= k:
                acc -= a[k - 1] * y[n - k]
        y[n] = acc
    return np.sum(y**2)


@program(normal(9, 9), uniform(0.1, 1.0, 3, 3), tags="nojit")
def convolve_image(img, kernel):
    kh, kw = kernel.shape
    pad_h, pad_w = kh // 2, kw // 2
    padded = np.pad(img, ((pad_h, pad_h), (pad_w, pad_w)))
    out = np.zeros_like(img)
    for i in range(img.shape[0]):
        for j in range(img.shape[1]):
            out[i, j] = np.sum(padded[i:i + kh, j:j + kw] * kernel)
    return np.sum(np.tanh(out))


@program(normal(16))
def haar_wavelet(x):
    a = x.copy()
    n = len(a)
    details = np.zeros(n)
    while n > 1:
        half = n // 2
        s = (a[:n:2] + a[1:n:2]) / np.sqrt(2)
        d = (a[:n:2] - a[1:n:2]) / np.sqrt(2)
        details[half:n] = d
        a[:half] = s
        n = half
    return np.sum(np.abs(details)) + a[0] ** 2


# ---------------------------------------------------------------- statistics and machine learning


@program(normal(10, 2), normal(3, 2), uniform(0.5, 1.0, 3))
def mixture_likelihood(X, mu, sigma):
    n, d = X.shape
    k = mu.shape[0]
    total = 0.0
    for i in range(n):
        terms = np.empty(k)
        for j in range(k):
            diff = X[i] - mu[j]
            terms[j] = -0.5 * np.dot(diff, diff) / sigma[j] ** 2 - d * np.log(sigma[j]) - np.log(k)
        m = terms.max()
        total += m + np.log(np.sum(np.exp(terms - m)))
    return -total / n


@program(normal(6, 3), normal(6), 0.3, 5)
def lasso_coordinate_descent(X, y, lam, sweeps):
    n, p = X.shape
    w = np.zeros(p)
    for _ in range(sweeps):
        for j in range(p):
            r = y - X @ w + X[:, j] * w[j]
            rho = X[:, j] @ r
            z = np.sum(X[:, j] ** 2)
            if rho > lam:
                w[j] = (rho - lam) / z
            elif rho < -lam:
                w[j] = (rho + lam) / z
            else:
                w[j] = 0.0
    return 0.5 * np.sum((y - X @ w) ** 2) + lam * np.sum(np.abs(w))


@program(normal(8, 2), uniform(0.5, 1.5, 2), 0.9, 0.1, normal(8), tags="nojit")
def gp_marginal_likelihood(X, length, variance, noise, y):
    n = X.shape[0]
    K = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            d = (X[i] - X[j]) / length
            K[i, j] = variance * np.exp(-0.5 * d.dot(d))
    K[np.diag_indices(n)] += noise
    L = np.linalg.cholesky(K)
    alpha = np.linalg.solve(K, y)
    return 0.5 * y @ alpha + np.log(np.diag(L)).sum() + 0.5 * n * np.log(2 * np.pi)


@program(normal(4, 3), normal(3, 5), normal(5), normal(5, 2), normal(2), given([0, 1, 1, 0]), tags="nojit")
def softmax_network(X, W1, b1, W2, b2, labels):
    h = np.maximum(X @ W1 + b1, 0.0)
    logits = h @ W2 + b2
    logits -= logits.max(axis=1, keepdims=True)
    logp = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    return -logp[np.arange(len(labels)), labels].mean()


@program(normal(6), normal(4, 6), normal(4, 4), normal(4))
def elman_network(seq, Wx, Wh, b):
    h = np.zeros(4)
    loss = 0.0
    for t, x in enumerate(seq):
        xs = np.zeros(6)
        xs[t] = x
        h = np.tanh(Wx @ xs + Wh @ h + b)
        loss += np.sum(h**2) * (t + 1)
    return loss


@program(92.0, 100.0, 0.5, 0.03, 0.2, 4)
def binomial_option(S, K, T, r, sigma, n):
    dt = T / n
    u = math.exp(sigma * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(r * dt) - d) / (u - d)
    values = np.array([max(S * u**j * d ** (n - j) - K, 0.0) for j in range(n + 1)])
    for step in range(n - 1, -1, -1):
        for j in range(step + 1):
            values[j] = math.exp(-r * dt) * (p * values[j + 1] + (1 - p) * values[j])
    return values[0]


def norm_cdf(x):
    return 0.5 * (1.0 + math.erf(x / math.sqrt(2.0)))


@program(105.0, 100.0, 0.5, 0.03, 0.2, tags="nojit")
def call_price(S, K, T, r, sigma):
    d1 = (math.log(S / K) + (r + sigma**2 / 2) * T) / (sigma * math.sqrt(T))
    d2 = d1 - sigma * math.sqrt(T)
    return S * norm_cdf(d1) - K * math.exp(-r * T) * norm_cdf(d2)


@program(normal(7, 2), normal(3, 2))
def k_means_objective(X, C):
    total = 0.0
    for x in X:
        best = np.inf
        for c in C:
            d = ((x - c) ** 2).sum()
            if d < best:
                best = d
        total += best
    return total / len(X)


@program(normal(5, 4), normal(4), 0.1)
def sinkhorn(C, b_logits, eps):
    a = np.ones(5) / 5
    b = np.exp(b_logits) / np.sum(np.exp(b_logits))
    K = np.exp(-C / eps * 0.1)
    u = np.ones(5)
    for _ in range(6):
        v = b / (K.T @ u)
        u = a / (K @ v)
    P = u[:, None] * K * v
    return np.sum(P * C)


@program(0.38, 0.3, 20)
def simpson(a, k, n):
    b = a + 1.0
    h = (b - a) / n
    s = 0.0
    for i in range(n + 1):
        weight = 1 if i in (0, n) else 4 if i % 2 else 2
        x = a + i * h
        s += weight * math.exp(-k * x) * math.cos(x)
    return s * h / 3


@program(normal(5))
def bubble_sort(x):
    a = x.copy()
    n = len(a)
    for i in range(n):
        swapped = False
        for j in range(0, n - i - 1):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a[0] + 2 * a[1] + 3 * a[2] + 4 * a[3] ** 2 + a[4]


@program(normal(4), normal(7))
def horner_and_newton(coeffs, points):
    total = 0.0
    for p in points:
        value, slope = 0.0, 0.0
        for c in coeffs[::-1]:
            slope = slope * p + value
            value = value * p + c
        total += value**2 + 0.1 * slope
    return total


@program(0.34, 6)
def logistic_lyapunov(x, n):
    r = 3.7
    s = 0.0
    for _ in range(n):
        s += math.log(abs(r - 2 * r * x))
        x = r * x * (1 - x)
    return s / n
