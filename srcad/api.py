"""The transforms of functions: `grad` and `value_and_grad`, and the source of what they make."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterable
from typing import Any, Union

from srcad.any_number import ALL, ForEachCall, takes_any_number
from srcad.backends.derivative import Derivative
from srcad.callables import as_function, by_attributes, check_function
from srcad.derivation import build, code_of, parameters
from srcad.options import FORWARD, OUT, WRITING, Options
from srcad.listing import display
from srcad.settings import checked_options

Name = Union[int, str]
Names = Union[Name, tuple[Name, ...], list[Name]]

DECORATOR: Any = object()  # instead of a function: `grad(wrt="w")` makes a decorator


def grad(
    f: Callable = DECORATOR,
    wrt: Names = 0,
    *,
    stop_gradients: Iterable[str] = (),
    unconnected_gradients: str = "none",
    has_aux: bool = False,
    target: str = "cpu",
    fastmath: Union[bool, Iterable[str]] = True,
    parallel: bool = False,
    debug: bool = False,
    nan_check: bool = False,
    optimize: bool = True,
    max_tape: Union[int, str, None] = None,
) -> Any:
    """The gradient of a function, as a function of the same arguments.

    The derivative is written as Python source and compiled once for each signature (dtypes, ranks, layouts) at the
    first call with it. It can be called from ``@njit`` functions and from several threads, and can be pickled.

    Parameters
    ----------
    f : callable
        A Python function of numbers, arrays, and tuples, lists, dicts or dataclasses of them; or a derivative, for the
        next order. Without it, `grad` makes a decorator: ``@grad(wrt="w")``.
    wrt : int or str, or a tuple or list of them
        The parameters to differentiate with respect to, by position (negative ones count from the end) or name.
        One bare parameter gives a bare gradient, several give a tuple. ``"self.k"`` is an attribute of the object whose
        method `f` is; it becomes the parameter ``self_k``.
    stop_gradients : iterable of str
        Names of parameters or local variables that are held constant.
    unconnected_gradients : {"none", "zero"}
        What stands for the gradient of a parameter that the result does not depend on, or that is an integer: None,
        or zeros of its shape.
    has_aux : bool
        `f` returns ``(value, aux)``, only the value is differentiated, and ``(gradient, aux)`` is returned.
    target : {"cpu", "python"}
        Compile the source with Numba, or run it in the interpreter.
    fastmath : bool or iterable of str
        LLVM's fast-math flags. True allows reordered sums and fused multiplications, but not in a function with
        compensated sums or the like, and never assumes that there are no NaNs or infinities; False allows nothing.
        Unless it is False, exp, log, log1p, expm1 and tanh are forms that vectorise, to two units in the last place.
    parallel : bool
        Let several threads share the iterations of long outer loops that do not depend on each other, and of array
        expressions. What the iterations add to, each thread sums up for itself, and the sums are added in order: the
        result is the same for the same number of threads (``numba.set_num_threads``). `srcad.explain` says of each loop
        whether it is shared, and if not, why. Compiling takes seconds longer.
    debug : bool
        Check indices and shapes while the derivative runs, and what each pass of the compiler hands on. Errors name
        the line of `f`.
    nan_check : bool
        Raise a `FloatingPointError` that names the line and the variable where the first NaN or infinity comes up, in
        the function or in its derivative.
    optimize : bool
        False leaves out all passes of the compiler that only make the derivative faster or shorter: loops and their
        reverses stay apart, array statements stay whole. Such a derivative is there to be compared with; it is the
        same to rounding. ``SRCAD_OPTIMIZE=0`` in the environment does this to all derivatives.
    max_tape : int or str, optional
        How much loops may record, in bytes or as ``"512MB"``. Those that record something once an iteration, more
        than that or nobody knows how much, keep as many states as there is room for and run iterations again from
        these, as few as possible, see `checkpoint`. How much a state takes is known when the loop begins; a
        `MemoryError` is raised where there is no room for two states and for what one iteration records. What inner
        loops record while one iteration is reversed comes on top.

    Returns
    -------
    callable
        The derivative. It takes the arguments of `f` and a seed `grad_ys`: a weight of the shape of the result, or
        for several results a tuple with None for ones; by default ones. Each gradient has its argument's shape and
        dtype. It also takes `out`, unless a parameter of `f` has that name: an array into which the gradient is
        written, of its shape and dtype, contiguous where the argument is, apart from all arguments; for several
        gradients or a structure of them the same structure, with None for numbers and for what is to be made anew.
        That array is returned in the gradient's place. (SciPy's minimisers keep the gradients that they get: give each
        an array of its own, or none.)

    Raises
    ------
    TypeError, ValueError
        For a wrong option, here; for a wrong argument or seed, when the derivative is called. Both name it.
    UnsupportedError
        When the derivative is called and `f` uses something that cannot be differentiated; it shows where and what to
        write instead.
    NoGradientError
        When the derivative is called and a function on the way from the argument to the result has no rule.

    Examples
    --------
    >>> def f(x, y):
    ...     return x * y**2
    >>> grad(f)(2.0, 3.0)
    9.0
    >>> grad(f, wrt=("x", "y"))(2.0, 3.0)
    (9.0, 12.0)
    >>> grad(f, wrt="y")(2.0, 3.0, grad_ys=10.0)
    120.0
    >>> import numpy as np
    >>> g = np.empty(2)
    >>> grad(f)(np.array([2.0, 4.0]), 3.0, out=g) is g
    True
    >>> g
    array([9., 9.])
    """
    options = checked_options(
        "grad", stop_gradients, unconnected_gradients, has_aux, target, fastmath, parallel, debug, nan_check,
        optimize, max_tape,
    )  # fmt: skip
    return transform(f, wrt, options)


def value_and_grad(
    f: Callable = DECORATOR,
    wrt: Names = 0,
    *,
    stop_gradients: Iterable[str] = (),
    unconnected_gradients: str = "none",
    has_aux: bool = False,
    target: str = "cpu",
    fastmath: Union[bool, Iterable[str]] = True,
    parallel: bool = False,
    debug: bool = False,
    nan_check: bool = False,
    optimize: bool = True,
    max_tape: Union[int, str, None] = None,
) -> Any:
    """The value of a function together with its gradient: ``(value, gradient)``.

    The parameters and the errors are those of `grad`. With `has_aux`, ``((value, aux), gradient)`` is returned.

    Examples
    --------
    >>> import numpy as np
    >>> @value_and_grad(wrt="w")
    ... def loss(w, x):
    ...     return np.sum((w * x) ** 2)
    >>> loss(2.0, np.array([1.0, 2.0]))
    (20.0, 20.0)
    """
    options = checked_options(
        "value_and_grad", stop_gradients, unconnected_gradients, has_aux, target, fastmath, parallel, debug, nan_check,
        optimize, max_tape,
    )  # fmt: skip
    return transform(f, wrt, options)


def source(df: Derivative, *args: Any, stage: str | None = None, **kwargs: Any) -> str:
    """The generated source of a derivative.

    Parameters
    ----------
    df
        What `grad` or `value_and_grad` has made.
    *args, **kwargs
        Example arguments, or their types: ``float``, ``np.float32``, ``"float64[:, ::1]"``, Numba's types. Without
        any, the source that was made last.
    stage : str, optional
        A pass of the compiler: the function as it is after that pass. Of target "cpu", ``"blocks"`` is the text that
        is compiled: with independent iterations side by side in blocks, where that helps.

    Returns
    -------
    str
        A Python module with one function.

    Raises
    ------
    ValueError
        If there is no source yet, or the stage is unknown.

    Examples
    --------
    >>> def f(x):
    ...     return x * x
    >>> "def f_grad(x, grad_ys=1.0):" in source(grad(f), float)
    True
    """
    return (df if isinstance(df, ForEachCall) else _derivative(df)).source(*args, stage=stage, **kwargs)


def show(df: Derivative, *args: Any, stage: str | None = None, **kwargs: Any) -> None:
    """Print the generated source of a derivative: with colours in a terminal, rendered in a notebook.

    The parameters are those of `source`.

    Examples
    --------
    >>> def f(x):
    ...     return x * x
    >>> show(grad(f), float)
    def f_grad(x, grad_ys=1.0):
    ...
    """
    display(source(df, *args, stage=stage, **kwargs))


for _transformer in (grad, value_and_grad):
    _transformer.is_transform = True  # type: ignore[attr-defined]  # called inside a function, it is called while compiling

# ---------------------------------------------------------------- what the user passed, checked


def _derivative(df: Any) -> Derivative:
    if not isinstance(df, Derivative):
        raise TypeError(f"{df!r} is no derivative; make one with srcad.grad or srcad.value_and_grad")
    return df


def transform(f: Any, wrt: Any, options: dict[str, Any]) -> Any:
    """The derivative of `f`, or a decorator that makes one."""
    if f is DECORATOR:
        return functools.partial(_derive, wrt=wrt, options=options)
    return _derive(f, wrt, options)


def _derive(f: Any, wrt: Any, options: dict[str, Any]) -> Any:
    if takes_any_number(f):
        return ForEachCall(f, wrt, options, _derive)
    f, wrt = by_attributes(f, wrt)
    f = as_function(f)
    checked_function(f, options["mode"])
    names = parameters(f)
    wrt = tuple(range(len(names))) if wrt is ALL else wrt
    several = isinstance(wrt, (tuple, list))
    positions = tuple(_position(one, names, f.__name__) for one in (wrt if several else (wrt,)))
    if options["mode"] in FORWARD and len(set(positions)) < len(positions):
        raise ValueError(f"wrt names a parameter of {f.__name__} twice")
    into = options["mode"] in WRITING and OUT not in names
    chosen = Options(wrt=positions, single=not several, into=into, **options)
    if chosen.seed in names:
        raise ValueError(f"{f.__name__} has a parameter {chosen.seed!r}, which is the derivative's own; rename it")
    return build(f, chosen)


def checked_function(f: Any, mode: str) -> None:
    check_function(f, mode)
    if not isinstance(f, Derivative) and code_of(f).co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        _refuse_star(f)


def _refuse_star(f: Any) -> None:
    """Refuse ``*args`` and ``**kwargs`` as the reader does: with the place."""
    from srcad.transforms.surface import surface

    surface(f)
    raise AssertionError(f"surface refuses the parameters of {f.__name__}")


def _position(wrt: Any, names: tuple[str, ...], function: str) -> int:
    """The position of a parameter given by position or name."""
    if isinstance(wrt, str):
        if wrt not in names:
            raise ValueError(f"wrt: {function} has no parameter {wrt!r}; it has {', '.join(names) or 'none'}")
        return names.index(wrt)
    try:
        position = operator.index(wrt) if not isinstance(wrt, bool) else None
    except TypeError:
        position = None
    if position is None:
        raise TypeError(f"wrt must be the position or the name of a parameter, or a tuple of them, not {wrt!r}")
    if not -len(names) <= position < len(names):
        known = ", ".join(names) or "none"
        raise ValueError(f"wrt: {function} has no parameter at position {position}; it has {known}")
    return position % len(names)
