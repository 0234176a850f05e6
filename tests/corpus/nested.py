"""Derivatives that a function calls itself: of global and nested functions, in loops, inside one another."""

import numpy as np

import srcad
from tests.corpus import normal, program


def cube(x):
    return x**3


def quadratic(x, A, b):
    return 0.5 * x @ A @ x - b @ x


d_cube = srcad.grad(cube)
value_and_slope = srcad.value_and_grad(cube)


@program(1.3, tags="nojit")
def squared_slope(x):
    return d_cube(x) ** 2


@program(1.3, tags="nojit")
def slope_made_inside(x):
    return srcad.grad(cube)(x) * x


@program(1.3, tags="nojit")
def slope_of_a_closure(x):
    def g(y):
        return x * y**2

    return srcad.grad(g)(3.0 + x)


@program(0.7, tags="nojit")
def no_perturbation_confusion(x):
    """d/dx of x * d/dy (x + y) is 1, not 2."""
    return x * srcad.grad(lambda y: x + y)(x)


@program(1.3, tags="nojit")
def second_derivative_inside(x):
    return srcad.grad(srcad.grad(cube))(x) + srcad.grad(d_cube)(x * x)


@program(1.3, 0.4, tags="nojit")
def value_and_slope_inside(x, c):
    value, slope = value_and_slope(x * c)
    return value * slope + c


@program(2.0, 0.3, tags="nojit")
def newton_on_an_inner_gradient(a, x0):
    def loss(x):
        return x**4 / 4 + a * x**2 - 3 * x

    dloss = srcad.grad(loss)
    x = x0
    for _ in range(6):
        x = x - dloss(x) / srcad.grad(dloss)(x)
    return x


@program(0.2, normal(3), normal(3), tags="nojit")
def descent_inside(rate, start, b):
    A = np.array([[2.0, 0.3, 0.1], [0.3, 1.5, 0.2], [0.1, 0.2, 1.0]])
    x = start.copy()
    for _ in range(4):
        x = x - rate * srcad.grad(quadratic)(x, A, b)
    return np.sum(x**2)


@program(0.4, 0.7, tags="nojit")
def saddle_point(a, b):
    """Descent in x of the maximum in y, which ascent finds."""
    def f(x, y):
        return a * x**2 + b * x * y - y**2 + np.sin(x)

    x = 0.5
    for _ in range(3):
        y = 0.0
        for _ in range(3):
            y = y + 0.2 * srcad.grad(f, wrt="y")(x, y)
        x = x - 0.1 * srcad.grad(f, wrt=0)(x, y)
    return f(x, y)


@program(1.1, normal(4), tags="nojit")
def seed_inside(s, x):
    g = srcad.grad(lambda v: np.exp(v * s))(x, grad_ys=x * s)
    return np.sum(g * x)


@program(0.6, -0.2, tags="nojit")
def branch_inside(x, y):
    def f(u):
        return np.sin(u) if u > 0 else u**2

    if x > y:
        r = srcad.grad(f)(x * y)
    else:
        r = f(y)
    return r + srcad.grad(f)(y) * x


@program(normal(3), normal(3), tags="nojit")
def several_gradients(x, y):
    gx, gy = srcad.grad(lambda u, v: np.sum(u * v**2), wrt=(0, 1))(x, y)
    return np.sum(gx * gy)


@program(normal(5), 0.3, tags="nojit")
def gradient_with_a_loop(x, c):
    def energy(q):
        e = 0.0
        for i in range(1, len(q)):
            e += c * (q[i] - q[i - 1]) ** 2
        return e

    p = srcad.grad(energy)(x)
    return p @ p


@program(0.9, tags="nojit")
def gradient_of_a_method_chain(x):
    def phi(t):
        return t * t * x

    def flow(t):
        return srcad.grad(phi)(t) * phi(t)

    return srcad.grad(flow)(x)


def left_early(x, y):
    s = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            for j in range(i):
                s += x[i] * x[j] * y
                if s > 1.0:
                    return s * y
        s += x[i] * x[i]
    return s


@program(normal(4), 0.5, tags="nojit")
def gradient_of_a_loop_left_early(x, y):
    g = srcad.grad(left_early)(x, y)
    return np.sum(g * g)
