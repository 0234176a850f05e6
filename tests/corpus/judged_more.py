"""More small programs: searches, dynamic programming, parsers of options, models in classes, state machines, lists."""

import functools
import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tests.corpus import integers, normal, program, uniform

# ---------------------------------------------------------------- searches and solvers


@program(3.745, tags="core")
def newton_with_break(a):
    x = a
    for k in range(50):
        step = (x * x - a) / (2 * x)
        x -= step
        if abs(step) < 1e-14:
            break
    else:
        x = -1.0
    return x * (a + 1)


@program(0.589, 1e-12, wrt="c")
def secant_while_true(c, tol):
    def f(x):
        return math.cos(x) - c * x

    a, b = 0.0, 1.0
    fa, fb = f(a), f(b)
    n = 0
    while True:
        n += 1
        if abs(fb - fa) < 1e-300 or n > 30:
            return b
        a, b = b, b - fb * (b - a) / (fb - fa)
        fa, fb = fb, f(b)
        if abs(fb) < tol:
            return b * (1 + c)


@program(uniform(0.5, 1.5, 3))
def golden_section(p):
    ratio = (math.sqrt(5) - 1) / 2

    def f(t):
        return p[0] * (t - p[1]) ** 2 + p[2]

    a, b = -1.0, p[1] + 2.0
    while b - a > 1e-3:
        c, d = b - ratio * (b - a), a + ratio * (b - a)
        if f(c) < f(d):
            b = d
        else:
            a = c
    return f((a + b) / 2) * (a + b) + p[0]


@program(uniform(0.1, 0.9, 4), tags="nojit")
def brent_like(w):
    low, high = 0.0, 2.0

    def g(t):
        total = -1.0
        for k, c in enumerate(w):
            total += c * t ** (k + 1)
        return total

    steps = 0
    while high - low > 1e-9 and steps < 200:
        steps += 1
        middle = 0.5 * (low + high)
        if g(low) * g(middle) <= 0:
            high = middle
            continue
        low = middle
    root = (low + high) / 2
    slope = sum((k + 1) * w[k] * root**k for k in range(4))
    return root - g(root) / slope


@program(uniform(0.5, 2.0, 5), 7)
def line_search(x, tries):
    def loss(v):
        return np.sum(v**4) / 4 - np.sum(v)

    gradient = x**3 - 1
    step, before = 1.0, loss(x)
    for attempt in range(tries):
        candidate = x - step * gradient
        if loss(candidate) < before - 1e-4 * step * np.sum(gradient**2):
            break
        step *= 0.5
    return loss(candidate) * step


@program(uniform(1.0, 4.0, 6), 3.0)
def first_above(x, limit):
    for i, v in enumerate(x):
        if v > limit:
            return v * (i + 1) ** 2
    return np.mean(x)


@program(normal(6), normal(6))
def first_crossing(a, b):
    for i in range(len(a) - 1):
        left, right = a[i] - b[i], a[i + 1] - b[i + 1]
        if left * right < 0:
            t = left / (left - right)
            return i + t + a[i] * (1 - t)
    return a[0] * b[0]


# ---------------------------------------------------------------- loops of every kind


@program(normal(5), 0)
def trips_of_zero(x, n):
    last = 3.0
    for i in range(n):
        last = x[i]
    while n > 0:
        n -= 1
        last *= 2
    for i in range(3, 3):
        last = i
    return last * x[0] + np.sum(x[n:n])


@program(normal(7))
def backwards_by_two(x):
    s = 0.0
    for i in range(len(x) - 1, -1, -2):
        s = s * 0.5 + x[i] * i
    return s


@program(1.605)
def bound_that_is_computed(x):
    n = int(3 * x)
    total = 0.0
    for i in range(1, n + 1):
        for j in range(i, 2 * i, i):
            total += x**i / (j + 1)
    return total


@program(normal(4, 3), tags="nojit")
def rows_and_columns(A):
    s = 0.0
    for i, row in enumerate(A):
        for j, v in enumerate(reversed(row)):
            if j == 1 and i % 2:
                continue
            s += v * v * (i - j)
    for column in A.T:
        s += column[0] * column[-1]
    return s


@program(normal(5), normal(5), normal(4), tags="nojit")
def zip_of_unequal(x, y, z):
    s = 0.0
    for i, (a, (b, c)) in enumerate(zip(x, zip(y, z)), start=1):
        s += i * a * b + c
    return s


@program(0.802)
def names_from_one_branch(x):
    if x > 0.3:
        scale = x * 2
        kind = "big"
    else:
        kind = "small"
    if kind == "big":
        return scale * x
    return x


@program(uniform(0.5, 1.0, 4))
def integer_then_float_then_array(x):
    acc = 0
    for v in x:
        acc += v
    acc = acc * x
    acc = acc.sum() + 1
    x = acc * 2
    return x * acc


@program(uniform(1.0, 2.0, 4), tags="nojit")
def shadowed_names_again(x):
    i = 10
    total = 0.0
    for i in range(3):
        y = [x[i] * j for j in range(3)]
        x = x * 1.1
        total += sum(y)
    total += i * x[0]
    del y
    (y := x[1])
    return total * y


@program(normal(6), tags="nojit")
def walrus_in_tests(x):
    i = 0
    total = 0.0
    while (v := x[i]) < 5 and i < len(x) - 1:
        if (w := v * v) > 0.5:
            total += w
        i += 1
    return total * (last := x[-1]) + last


@program(2.140, 27)
def collatz_weighted(x, n):
    total, weight = 0.0, x
    while n != 1:
        total += weight
        if n % 2 == 0:
            n //= 2
            weight *= 0.9
            continue
        n = 3 * n + 1
        weight = math.sin(weight) + 1
    else:
        total *= 2
    return total


@program(normal(5, 5))
def two_breaks_and_else(A):
    total = 0.0
    for i in range(5):
        for j in range(5):
            if i == j:
                continue
            if A[i, j] > 1.5:
                break
            total += A[i, j] ** 2
        else:
            total += A[i, i]
            continue
        if A[i, 0] < -1.5:
            break
        total *= 1.1
    return total


@program(uniform(0.1, 0.5, 3))
def return_from_the_middle_of_loops(p):
    for i in range(10):
        for j in range(10):
            q = p[0] * i + p[1] * j
            if q > 1.0:
                return q * p[2] + i - j
    return p[0]


@program(normal(4), "relu")
def activation_by_name(x, name):
    match name:
        case "relu":
            y = np.maximum(x, 0)
        case "tanh" | "sinh":
            y = np.tanh(x)
        case _:
            raise ValueError(f"unknown activation {name}")
    return np.sum(y * x)


@program(1.605, 2, tags="nojit")
def match_on_numbers(x, order):
    match order:
        case 0:
            return x
        case 1 | 2 as k if x > 0:
            return x**3 * k
        case int():
            return -x
    return 0.0 * x


@program(uniform(1.0, 2.0, 3))
def checked_arguments(x):
    if x.ndim != 1:
        raise ValueError("a vector")
    if len(x) == 0:
        raise IndexError
    assert x[0] > 0, "positive"
    try:
        y = x / x[0]
    finally:
        z = 2.0
    return np.sum(y * z)


# ---------------------------------------------------------------- dynamic programming


@program(uniform(0.0, 1.0, 5), uniform(0.0, 1.0, 4))
def dtw_distance(a, b):
    n, m = len(a), len(b)
    D = np.full((n + 1, m + 1), np.inf)
    D[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[n, m]


@program(uniform(1.0, 3.0, 5))
def knapsack_relaxed(value):
    weights = [2, 3, 1, 2, 3]
    best = [0.0] * 8
    for v, w in zip(value, weights):
        for c in range(7, w - 1, -1):
            candidate = best[c - w] + v
            if candidate > best[c]:
                best[c] = candidate
    return best[-1] ** 2 + best[3]


@program(normal(4, 5))
def cheapest_path(cost):
    rows, cols = cost.shape
    best = np.zeros((rows, cols))
    best[0, 0] = cost[0, 0]
    for j in range(1, cols):
        best[0, j] = best[0, j - 1] + cost[0, j]
    for i in range(1, rows):
        best[i, 0] = best[i - 1, 0] + cost[i, 0]
        for j in range(1, cols):
            best[i, j] = cost[i, j] + (best[i - 1, j] if best[i - 1, j] < best[i, j - 1] else best[i, j - 1])
    return best[-1, -1]


@program(uniform(0.5, 2.0, 6))
def matrix_chain(p):
    n = len(p) - 1
    m = np.zeros((n, n))
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = np.inf
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < m[i, j]:
                    m[i, j] = q
    return m[0, n - 1]


@program(normal(6))
def largest_sum_of_a_run(x):
    best = here = x[0]
    for v in x[1:]:
        here = max(v, here + v)
        best = max(best, here)
    return best * best


@program(uniform(0.1, 1.0, 3, 3), uniform(0.1, 1.0, 3, 4), integers(4, 6))
def viterbi_score_again(transition, emission, observed):
    score = np.log(emission[:, observed[0]])
    for o in observed[1:]:
        new = np.empty(3)
        for j in range(3):
            best = -np.inf
            for i in range(3):
                s = score[i] + np.log(transition[i, j])
                if s > best:
                    best = s
            new[j] = best + np.log(emission[j, o])
        score = new
    return max(score)


def binomials(n):
    @functools.cache
    def c(a, b):
        return 1 if b in (0, a) else c(a - 1, b - 1) + c(a - 1, b)

    return [c(n, k) for k in range(n + 1)]


COEFFICIENTS = binomials(5)


@program(0.535, tags="nojit")
def bernstein(t):
    return sum(c * t**k * (1 - t) ** (5 - k) * math.sin(k) for k, c in enumerate(COEFFICIENTS))


# ---------------------------------------------------------------- options in text


@program(uniform(0.5, 1.5, 4), "scale=2;shift;power")
def pipeline_of_options(x, text="scale=2;shift;power"):
    y = x * 1.0
    for name in ("scale", "shift", "log", "power"):
        if name not in text:
            continue
        if name == "scale":
            y = y * 2
        elif name == "shift":
            y = y + 1
        elif name == "power":
            y = y**1.5
        else:
            y = np.log(y)
    return np.sum(y)


@program(uniform(0.5, 1.5, 4), None, "mean", tags="nojit")
def reduction_option(x, weights, reduction):
    loss = x**2 if weights is None else weights * x**2
    if reduction == "mean":
        return loss.mean()
    elif reduction == "sum":
        return loss.sum()
    elif reduction is None:
        return loss
    raise ValueError(reduction)


OPERATIONS = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "hyp": math.hypot}
PROGRAM = (("add", 0, 1), ("mul", 2, 0), ("hyp", 3, 1))


@program(1.070, 1.070, tags="nojit")
def interpreter_of_a_tuple(x, y):
    registers = [x, y]
    for op, left, right in PROGRAM:
        registers.append(OPERATIONS[op](registers[left], registers[right]))
    return registers[-1] * registers[2]


def configured(x, /, *, kind="linear", slope=1.0, **extra):
    y = slope * x if kind == "linear" else slope * x**2
    for key, value in extra.items():
        if key == "bias":
            y = y + value
    return y


@program(1.070, 1.070, tags="nojit")
def keyword_only_options(x, s):
    settings = {"kind": "square", "slope": s}
    return configured(x, **settings) * configured(x, bias=s) + configured(x, **{"kind": "linear", "bias": 2.0})


# ---------------------------------------------------------------- structures and classes


class Point(NamedTuple):
    x: float
    y: float

    def norm(self):
        return math.hypot(self.x, self.y)


@program(1.070, 1.070, tags="nojit")
def named_tuples_in_loops(a, b):
    p = Point(a, b)
    for k in range(4):
        p = Point(p.x - 0.1 * p.y, p.y + 0.1 * p.x * p.norm())
    x, y = p
    return x * p._replace(x=2.0).norm() + y * p[0]


@dataclass
class Particle:
    position: float
    velocity: float
    mass: float = 1.0

    def moved(self, dt):
        return Particle(self.position + dt * self.velocity, self.velocity, self.mass)

    def kicked(self, force, dt):
        return Particle(self.position, self.velocity + dt * force / self.mass, self.mass)

    @property
    def energy(self):
        return 0.5 * self.mass * self.velocity**2


@program(1.070, 1.070, 6, tags="nojit core")
def leapfrog_of_a_dataclass(q, v, steps):
    state = Particle(q, v, mass=2.0)
    for _ in range(steps):
        state = state.kicked(-state.position, 0.05).moved(0.1).kicked(-state.position, 0.05)
    return state.energy + state.position**2


@program(uniform(0.5, 1.5, 3), uniform(0.5, 1.5, 3), tags="nojit")
def particles_in_a_list(q, v):
    particles = [Particle(q[i], v[i], 1.0 + i) for i in range(3)]
    for _ in range(3):
        forces = [sum(b.position - a.position for b in particles) for a in particles]
        particles = [p.kicked(f, 0.1).moved(0.1) for p, f in zip(particles, forces)]
    return sum(p.energy for p in particles) + particles[0].position * particles[-1].velocity


@dataclass
class Layer:
    weights: np.ndarray
    bias: np.ndarray
    activation: object = np.tanh

    def __call__(self, x):
        return self.activation(self.weights @ x + self.bias)


@program(normal(3, 2), normal(3), normal(2, 3), normal(2), tags="nojit")
def network_of_layers(w1, b1, w2, x):
    net = [Layer(w1, b1), Layer(w2, np.zeros(2), activation=lambda t: t)]
    for layer in net:
        x = layer(x)
    return np.sum(x**2)


class Ewma:
    """A running average."""

    decay = 0.9

    def __init__(self):
        self.value = None
        self.count = 0

    def update(self, x):
        self.value = x if self.value is None else self.decay * self.value + (1 - self.decay) * x
        self.count += 1
        return self


@program(normal(5), tags="nojit")
def running_average(x):
    average = Ewma().update(x[0]).update(x[1])
    for v in x[2:]:
        average.update(v)
    return average.value * average.count


class Shape:
    def area(self):
        raise NotImplementedError

    def cost(self, price):
        return self.area() * price


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return math.pi * self.r**2


class Box(Shape):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def area(self):
        return self.a * self.b

    def cost(self, price):
        return 2 * super().cost(price) + self.a


@program(1.070, 1.070, tags="nojit")
def polymorphic_costs(a, price):
    shapes = (Circle(a), Box(a, 2.0), Box(a * a, a))
    return sum(shape.cost(price) for shape in shapes)


class Matrix2:
    def __init__(self, a, b, c, d):
        self.entries = (a, b, c, d)

    def __matmul__(self, other):
        a, b, c, d = self.entries
        e, f, g, h = other.entries
        return Matrix2(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)

    def __getitem__(self, index):
        return self.entries[2 * index[0] + index[1]]

    @classmethod
    def identity(cls):
        return cls(1.0, 0.0, 0.0, 1.0)


@program(1.070, 1.070, tags="nojit")
def power_of_a_matrix_class(a, b):
    m, result = Matrix2(a, b, -b, a), Matrix2.identity()
    n = 5
    while n:
        if n & 1:
            result = result @ m
        m = m @ m
        n >>= 1
    return result[0, 1] * result[1, 1]


@program(normal(2), 0.321, normal(2), tags="nojit")
def dict_of_parameters(w, b, x):
    params = {"w": w, "b": b}
    hidden = {**params, "out": np.tanh(params["w"] * x + params["b"])}
    hidden["out"] = hidden["out"] * 2
    total = 0.0
    for key, value in hidden.items():
        total = total + np.sum(value**2) if key != "b" else total + value
    return total


@dataclass
class Accumulator:
    total: float = 0.0
    items: list = field(default_factory=list)

    def add(self, v):
        self.total += v
        self.items.append(v * v)
        return self

    def __len__(self):
        return len(self.items)


@program(normal(5), tags="nojit")
def accumulator_with_a_list(x):
    acc = Accumulator()
    for v in x:
        if v > 0:
            acc.add(v)
    return acc.total * len(acc) + sum(acc.items)


# ---------------------------------------------------------------- state machines


@program(uniform(-1.0, 1.0, 8))
def thermostat(noise):
    state, temperature, energy = "off", 18.0, 0.0
    for e in noise:
        if state == "off" and temperature < 19.0:
            state = "on"
        elif state == "on" and temperature > 20.0:
            state = "off"
        if state == "on":
            temperature += 0.8 + 0.1 * e
            energy += temperature * 0.05
        else:
            temperature -= 0.3 - 0.1 * e
    return energy * temperature


@program(uniform(0.5, 1.5, 7))
def machine_with_match(x):
    mode, total = 0, 0.0
    for v in x:
        match mode:
            case 0 if v > 1.0:
                total += v
                mode = 1
            case 0:
                total -= v * v
            case 1 if v < 0.8:
                mode = 2
                total *= v
            case 1:
                total += v**3
            case _:
                mode = 0
    return total


@program(uniform(0.5, 1.5, 6))
def bouncing_ball_again(p):
    height, speed, t = p[0], 0.0, 0.0
    bounces = []
    while t < 3.0:
        speed -= p[1] * 0.05
        height += speed * 0.05
        t += 0.05
        if height < 0 and speed < 0:
            height, speed = -height, -0.5 * p[2] * speed
            bounces.append(speed)
            if len(bounces) == 3:
                break
    return height + sum(bounces) * p[3]


# ---------------------------------------------------------------- functions of functions


def compose(*functions):
    def composed(x):
        for f in functions:
            x = f(x)
        return x

    return composed


@program(1.070, 1.070, tags="nojit")
def composed_functions(x, k):
    f = compose(math.sin, lambda t: t * k, functools.partial(pow, 2.0), compose(math.sqrt))
    return f(x) + compose()(x)


def rk4(f, y, t, h, *args, **kwargs):
    k1 = f(t, y, *args, **kwargs)
    k2 = f(t + h / 2, y + h / 2 * k1, *args, **kwargs)
    k3 = f(t + h / 2, y + h / 2 * k2, *args, **kwargs)
    k4 = f(t + h, y + h * k3, *args, **kwargs)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@program(uniform(0.5, 1.5, 2), 1.070, tags="nojit")
def pendulum_by_rk4(y0, length):
    def pendulum(t, y, g, *, damping):
        return np.array([y[1], -g / length * np.sin(y[0]) - damping * y[1]])

    y, history = y0, []
    for n in range(5):
        y = rk4(pendulum, y, n * 0.1, 0.1, 9.81, damping=0.1)
        history.append(y[0])
    return y[1] + max(history)


def memoized(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args) * 1.0

    return wrapper


@memoized
def decorated(x, y=2.0):
    return x**y


@program(1.070, tags="nojit")
def decorated_function_again(x):
    return decorated(x) + decorated(x, 3.0)


def continued_fraction(x, depth):
    return x if depth == 0 else x + 1 / continued_fraction(x, depth - 1)


def hermite(n, x):
    if n < 2:
        return 1.0 if n == 0 else 2 * x
    return 2 * x * hermite(n - 1, x) - 2 * (n - 1) * hermite(n - 2, x)


@program(1.070, tags="nojit")
def recursive_functions(x):
    return continued_fraction(x, 6) * hermite(4, x) + sum(hermite(k, x) for k in range(4))


@program(normal(8), tags="nojit")
def merge_sort_of_values(x):
    def merged(a, b):
        out = []
        i = j = 0
        while i < len(a) and j < len(b):
            if a[i] <= b[j]:
                out.append(a[i])
                i += 1
            else:
                out.append(b[j])
                j += 1
        while i < len(a):
            out.append(a[i])
            i += 1
        while j < len(b):
            out.append(b[j])
            j += 1
        return out

    quarters = [merged([x[k]], [x[k + 1]]) for k in (0, 2, 4, 6)]
    ranked = merged(merged(quarters[0], quarters[1]), merged(quarters[2], quarters[3]))
    return sum(v * k for k, v in enumerate(ranked))


# ---------------------------------------------------------------- generators, filters, sorted lists


@program(normal(6), tags="nojit core")
def filtered_lists(x):
    positive = [v for v in x if v > 0]
    rest = list(filter(lambda v: v <= 0, x))
    squares = (v * v for v in positive)
    return sum(squares) * len(rest) + sum(map(math.sin, rest)) + max(map(abs, x))


@program(normal(6), tags="nojit")
def sorted_by_keys(x):
    ranked = sorted(x, key=lambda v: -v * v)
    order = sorted(range(len(x)), key=lambda i: x[i], reverse=True)
    median = sorted(x)[len(x) // 2]
    return ranked[0] * ranked[1] + sum(x[i] * k for k, i in enumerate(order)) + median**2


@program(normal(6), tags="nojit")
def generators_of_generators(x):
    shifted = (v + 1 for v in x)
    total = 0.0
    for s in (v * v for v in shifted if v > 0.5):
        if s > 4:
            break
        total += s
    first = next((v for v in x if v > 0), 0.0)
    return total + first**3 + next(v for v in x) * 2


@program(normal(5), tags="nojit")
def lists_made_of_arrays(x):
    values = list(x)
    values.append(x[0] * x[1])
    values += [v * v for v in x if v > 0]
    values.extend(x[1:3])
    values = values + [2.0 * values[-1]]
    doubled = values + values
    values.sort()
    values.reverse()
    pairs = list(zip(values, values[1:]))
    return sum(a * b for a, b in pairs) + sum(doubled) * len(doubled) + sum([*x])


@program(normal(5))
def list_rebuilt_in_a_loop(x):
    history = [x[0]]
    for v in x:
        history = history + [v * v * history[-1]]
    recent = history[-3:]
    return sum(recent) * history[1]


@program(normal(6), tags="nojit")
def chosen_by_indices(x):
    good = [i for i in range(len(x)) if x[i] > -0.5]
    return np.sum(x[good] ** 2) * len(good)


@program(normal(4, 6), 3)
def slices_under_a_name(x, parts):
    width = x.shape[1] // parts
    total = 0.0
    for k in range(parts):
        block = slice(k * width, (k + 1) * width)
        if k % 2:
            rows = slice(0, k + 1)
        else:
            rows = slice(1, 4)
        y = x * 1.0
        y[rows, block] *= k + 1.0
        total += np.sum(y[:, block] ** 2) * (k + 1)
    return total
