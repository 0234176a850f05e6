"""Solutions of equations, with the derivatives that the implicit function theorem gives them.

A solution moves with the parameters of its equation, whatever has found it. So no derivative goes through the
iterations. Steps of Newton's method at the solution, with the slope that the equation has there, move it by nothing and
carry derivatives, in forward and in reverse mode: each step those of one order more. Derivatives of a higher order are
refused.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.api import grad
from srcad.functional import jacobian
from srcad.lang.structure import filled, is_structure, leaves
from srcad.library import instead_of, refuse
from srcad.runtime import solution, stop_gradient

__all__ = ["fixed_point", "minimize", "root"]


def _read(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Let derivatives read a function of ours as if the user had written it."""
    return instead_of(fn)(fn)


@_read
def root(f, x0, *params, order=3):
    """The solution `x` of ``f(x, *params) == 0``, by Newton's method.

    Parameters
    ----------
    f : callable
        A function of the unknown and of parameters. It gives as many numbers as the unknown has: a number for a number,
        an array of its shape for an array, a structure for a structure.
    x0 : float, numpy.ndarray or a structure of these
        Where to start: close enough, or the solution itself, found by any other means. It has no derivative. In a
        tuple, a list, a dict, a named tuple or a dataclass there are several unknowns, and `f` gets them so.
    *params : Any
        The parameters of `f`, structures too. The solution has derivatives with respect to them.
    order : int
        The highest order of derivatives, a constant; those of a higher order are refused.

    Returns
    -------
    float, numpy.ndarray or a structure
        The solution, in the structure of `x0`.

    Raises
    ------
    RuntimeError
        Where 50 steps do not converge, in plain Python as in derivatives.

    Examples
    --------
    >>> import srcad
    >>> from srcad import implicit
    >>> def solution(a):
    ...     return implicit.root(lambda x, a: x**3 + x - a, 1.2, a)
    >>> x, slope = srcad.value_and_grad(solution, target="python")(2.0)
    >>> round(x, 12), round(slope, 12)  # 1 / (3 x**2 + 1)
    (1.0, 0.25)
    >>> def crossing(a):
    ...     s = implicit.root(lambda s, a: (s["x"] + s["y"] - a, s["x"] * s["y"] - 2.0), {"x": 2.2, "y": 0.9}, a)
    ...     return s["x"]
    >>> x, slope = srcad.value_and_grad(crossing, target="python")(3.0)
    >>> round(x, 12), round(slope, 12)  # x (a - x) == 2
    (2.0, 2.0)
    """
    return solved(f, x0, False, order, *params)


@_read
def solved(f, x0, fixed, order, *params):
    """The solution of ``f(x, *params) == 0``, or of ``f(x, *params) == x``."""
    if not is_structure(x0):
        return by_newton(f, x0, fixed, order, *params)
    like = held(x0)
    return parted(like, by_newton(residuals(f, like), in_one_array(like), fixed, order, params))


@_read
def residuals(f, like):
    """What is to be zero, as an array, of the unknown as an array."""
    return lambda v, params: in_one_array(f(parted(like, v), *params))


@_read
def by_newton(f, x0, fixed, order, *params):
    """The solution where the unknown is a number or an array."""
    x, converged = stop_gradient(1.0 * x0), False
    for _ in range(50):
        step = stop_gradient(newton_step(f, x, slope_of(f, x, fixed, *params), fixed, *params))
        x = x - step
        if np.max(np.abs(step)) < tolerance(x) * (1.0 + np.max(np.abs(x))):  # not where both are infinite
            converged = True
            break
    if not converged:
        raise RuntimeError("srcad.implicit: Newton's method has not converged in 50 steps; start closer to it")
    x = solution(x, order)
    slope = stop_gradient(1.0 * slope_of(f, x, fixed, *params))  # of a copy: what is written to has a tangent
    for _ in range(order):
        x = x - newton_step(f, x, slope, fixed, *params)
    return x


@_read
def tolerance(x):
    """How small the last step is: what follows is as exact as numbers of this precision are."""
    dtype = np.zeros_like(x).dtype
    return 1e-5 if dtype == np.float32 or dtype == np.complex64 else 1e-12


@_read
def held(x0):
    """A structure that does not move."""
    if len(leaves(x0)) == 0:
        return refuse("an unknown without numbers", "a structure of numbers and arrays")
    parts = [stop_gradient(leaf) for leaf in leaves(x0)]
    return filled(x0, parts)


@_read
def in_one_array(structure):
    """All numbers of a structure, one after the other."""
    return np.concatenate([np.ravel(1.0 * leaf) for leaf in leaves(structure)])


@_read
def parted(like, flat):
    """The structure that `in_one_array` has made an array of."""
    parts, start = (), 0
    for leaf in leaves(like):
        end = start + np.size(leaf)
        parts += (flat[start] if np.ndim(leaf) == 0 else np.reshape(flat[start:end], np.shape(leaf)),)
        start = end
    return filled(like, parts)


@_read
def slope_of(f, x, fixed, *params):
    """The derivative of what is to be zero: a number, or a matrix."""
    slope = jacobian(f, target="python")(x, *params)
    if np.ndim(x) == 0:
        return slope - 1.0 if fixed else slope
    matrix = slope if np.ndim(x) == 1 else np.reshape(slope, (np.size(x), np.size(x)))
    return matrix - np.eye(np.size(x)) if fixed else matrix


@_read
def newton_step(f, x, slope, fixed, *params):
    """What Newton's method takes away from `x`."""
    value = f(x, *params) - x if fixed else f(x, *params)
    if np.ndim(x) == 0:
        return np.divide(value, slope)
    if np.ndim(x) == 1:
        return np.linalg.solve(slope, value)
    return np.reshape(np.linalg.solve(slope, np.ravel(value)), x.shape)


@_read
def fixed_point(g, x0, *params, order=3):
    """The solution `x` of ``g(x, *params) == x``; otherwise as `root`.

    Examples
    --------
    >>> import srcad
    >>> from srcad import implicit
    >>> def solution(a):
    ...     return implicit.fixed_point(lambda x, a: np.cos(a * x), 0.7, a)
    >>> round(float(solution(1.0)), 6)
    0.739085
    """
    return solved(g, x0, True, order, *params)


@_read
def minimize(f, x0, *params, order=3):
    """Where the gradient of ``f(x, *params)`` with respect to `x` is zero; otherwise as `root`.

    From a start close to a minimum it is that minimum: the gradient is zero at maxima and saddles, too. `f` gives a
    number.

    Examples
    --------
    >>> import srcad
    >>> from srcad import implicit
    >>> def solution(a):
    ...     return implicit.minimize(lambda x, a: (x - a) ** 2 + x**4, 0.3, a)
    >>> x, slope = srcad.value_and_grad(solution, target="python")(1.0)
    >>> abs(2.0 * (x - 1.0) + 4.0 * x**3) < 1e-12, abs(slope - 2.0 / (2.0 + 12.0 * x**2)) < 1e-12
    (True, True)
    """
    if not is_structure(x0):
        return by_newton(grad(f, target="python"), x0, False, order, *params)
    like = held(x0)
    slope = grad(of_one_array(f, like), target="python")
    return parted(like, by_newton(slope, in_one_array(like), False, order, params))


@_read
def of_one_array(f, like):
    """A function of the unknown as an array."""
    return lambda v, params: f(parted(like, v), *params)
