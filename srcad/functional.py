"""More transforms of functions: derivatives along a direction, in both modes and of second order."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from srcad.api import DECORATOR, Names, grad, transform
from srcad.settings import checked_options, size_in_bytes

_DEFAULTS: dict[str, Any] = {
    "stop_gradients": (), "unconnected_gradients": "none", "has_aux": False, "target": "cpu", "fastmath": True,
    "parallel": False, "debug": False, "nan_check": False, "optimize": True,
}  # fmt: skip
ALLOWED = _DEFAULTS.keys()


def jvp(f: Callable = DECORATOR, wrt: Names = 0, **options: Any) -> Any:
    """The value of a function and its tangent: how the result moves when the arguments move along given directions.

    The product of the Jacobian with a vector, in forward mode: tangents are carried along beside the values, nothing is
    recorded, and no Jacobian is formed.

    Parameters
    ----------
    f : callable
        A function as for `grad`. Without it, `jvp` makes a decorator.
    wrt : int or str, or a tuple or list of them
        The parameters that move, by position or name.
    **options
        Those of `grad`: `stop_gradients`, `unconnected_gradients`, `has_aux`, `target`, `fastmath`, `parallel`,
        `debug`, `nan_check` and `optimize`.

    Returns
    -------
    callable
        A function of the arguments of `f` and of `tangents`: the direction in which the parameter moves, of its shape
        and dtype; for several parameters a tuple, with None for one that stays; by default ones. It returns
        ``(value, tangent)``, and the tangent has the structure, shapes and dtypes of the value. For a result that does
        not depend on the parameters it is None, or zeros with ``unconnected_gradients="zero"``. With `has_aux`,
        ``((value, aux), tangent)`` is returned. Tangents with one axis more in front, the same for all parameters, are
        several directions, and what comes back has that axis, too; the value is computed once.

    Raises
    ------
    TypeError, ValueError
        For a wrong option, here; for a tangent of another shape or dtype than its argument, when it is called.
    UnsupportedError, NoGradientError
        As for `grad`.

    Examples
    --------
    >>> import numpy as np
    >>> def f(x, a):
    ...     return a * x**2
    >>> jvp(f)(3.0, 2.0)
    (18.0, 12.0)
    >>> value, tangent = jvp(f, wrt=("x", "a"))(np.array([1.0, 2.0]), 2.0, tangents=(np.array([1.0, 0.0]), 0.5))
    >>> tangent
    array([4.5, 2. ])
    """
    return transform(f, wrt, checked("jvp", options))


def vjp(f: Callable = DECORATOR, wrt: Names = 0, **options: Any) -> Any:
    """The value of a function, and the product of a vector with its Jacobian: `jvp` the other way round.

    The same as `value_and_grad`, under the name that goes with `jvp`: the vector is the seed `grad_ys`.

    Parameters
    ----------
    f, wrt, **options
        As for `jvp`.

    Returns
    -------
    callable
        A function of the arguments of `f` and of `grad_ys`, the weight of each result, of its shape; by default ones.
        It returns ``(value, gradient)``.

    Examples
    --------
    >>> import numpy as np
    >>> value, gradient = vjp(lambda x: x**2)(np.array([1.0, 2.0]), grad_ys=np.array([1.0, 10.0]))
    >>> gradient
    array([ 2., 40.])
    """
    size = options.pop("max_tape", None)
    return transform(f, wrt, {**checked("vjp", options), "max_tape": size_in_bytes(size)})


def hvp(f: Callable = DECORATOR, wrt: Names = 0, **options: Any) -> Any:
    """The product of the Hessian of a function with a vector: how its gradient moves along a direction.

    Forward mode over reverse mode, in one function; no Hessian is formed, and the cost is a small multiple of that of
    the gradient.

    Parameters
    ----------
    f, wrt, **options
        As for `grad`: the function, usually with one number as its result, and what it is differentiated by.

    Returns
    -------
    callable
        A function of the arguments of `f` and of `tangents`, as for `jvp`; the product has their structure. With
        `has_aux`, ``(product, aux)`` is returned.

    Raises
    ------
    TypeError, ValueError, UnsupportedError, NoGradientError
        As for `jvp`.

    Examples
    --------
    >>> import numpy as np
    >>> def f(x):
    ...     return x[0] ** 2 * x[1]
    >>> hvp(f)(np.array([3.0, 5.0]), tangents=np.array([1.0, 0.0]))
    array([10.,  6.])
    """
    if f is DECORATOR:
        return functools.partial(hvp, wrt=wrt, **options)
    return transform(_gradient("hvp", f, wrt, options), wrt, _outer("hvp", options))


def jacobian(f: Callable = DECORATOR, wrt: Names = 0, *, mode: str = "auto", **options: Any) -> Any:
    """The derivatives of every result by every element of the arguments.

    Parameters
    ----------
    f, wrt, **options
        As for `jvp`.
    mode : {"auto", "forward", "reverse"}
        Forward mode takes one pass for each element of the arguments, reverse mode one for each element of the results.
        "auto" takes reverse mode where the types tell that the results are fewer, as for one number, else forward mode.

    Returns
    -------
    callable
        A function of the arguments of `f`. For a result y and an argument x it returns an array of the shape
        ``y.shape + x.shape``, a number if both are numbers; for several parameters a tuple; for a structure of results
        the same structure of these. A part that is zero because y does not depend on x is None, or zeros with
        ``unconnected_gradients="zero"``. With `has_aux`, ``(jacobian, aux)`` is returned. It also takes `out`, as
        the derivatives of `grad` do: an array of that shape and dtype, into which the Jacobian is written; for several
        the same structure, with None for numbers and for what is to be made anew.

    Raises
    ------
    TypeError, ValueError
        For a wrong option, here; for a wrong argument or `out`, when it is called.
    UnsupportedError, NoGradientError
        As for `grad`; also for complex numbers.

    Examples
    --------
    >>> import numpy as np
    >>> def f(x):
    ...     return x[0] * x[1:] ** 2
    >>> jacobian(f)(np.array([1.0, 2.0, 3.0]))
    array([[4., 4., 0.],
           [9., 0., 6.]])
    >>> J = np.empty((2, 3))
    >>> jacobian(f)(np.array([1.0, 2.0, 3.0]), out=J) is J
    True
    """
    if mode not in ("auto", "forward", "reverse"):
        raise ValueError(f"mode must be 'auto', 'forward' or 'reverse', not {mode!r}")
    return transform(f, wrt, {**checked("jacobian", options), "sweep": mode})


def hessian(f: Callable = DECORATOR, wrt: Names = 0, **options: Any) -> Any:
    """The second derivatives of a function: the Jacobian, in forward mode, of its gradient.

    Parameters
    ----------
    f, wrt, **options
        As for `hvp`.

    Returns
    -------
    callable
        A function of the arguments of `f`. For an argument x it returns an array of the shape ``x.shape + x.shape``, a
        number if x is one; for several parameters a tuple of tuples. With `has_aux`, ``(hessian, aux)`` is returned.
        `out` is as for `jacobian`.

    Raises
    ------
    TypeError, ValueError, UnsupportedError, NoGradientError
        As for `jacobian`.

    Examples
    --------
    >>> import numpy as np
    >>> def f(x):
    ...     return x[0] ** 2 * x[1]
    >>> hessian(f)(np.array([3.0, 5.0]))
    array([[10.,  6.],
           [ 6.,  0.]])
    """
    if f is DECORATOR:
        return functools.partial(hessian, wrt=wrt, **options)
    return transform(_gradient("hessian", f, wrt, options), wrt, {**_outer("hessian", options), "sweep": "forward"})


def _gradient(mode: str, f: Callable, wrt: Names, options: dict[str, Any]) -> Any:
    """The gradient that a derivative of second order is taken of."""
    return grad(f, wrt, **{**_known(mode, options), "unconnected_gradients": "zero"})


def _outer(mode: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a derivative of second order; what is held constant is in the gradient."""
    return checked(mode, {name: value for name, value in options.items() if name != "stop_gradients"})


for _transformer in (jvp, vjp, hvp, jacobian, hessian):
    _transformer.is_transform = True  # type: ignore[attr-defined]  # called inside a function, it is called while compiling


def checked(mode: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a transform, all of them."""
    return checked_options(mode, *{**_DEFAULTS, **_known(mode, options)}.values())


def _known(mode: str, options: dict[str, Any]) -> dict[str, Any]:
    for name in options.keys() - _DEFAULTS.keys():
        raise TypeError(f"{mode}() got an unexpected keyword argument {name!r}")
    return options
