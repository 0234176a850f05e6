"""Distributions of SciPy that hold their parameters: ``norm(m, s).logpdf(x)`` is ``norm.logpdf(x, loc=m, scale=s)``;
part of `inline`."""

from __future__ import annotations

import inspect
import sys
import types
from typing import Any

from srcad.lang.forms import constant, home
from srcad.lang.ir import Const, Expr
from srcad.transforms.values import Held, Partial

Keywords = tuple[tuple[str, Expr], ...]


def is_method(method: types.MethodType) -> bool:
    """Whether it is the method of a distribution of SciPy's: a function like any other, under its full name."""
    return home(type(method.__self__)).startswith("scipy.stats.")


def is_distribution(fn: Any) -> bool:
    """Whether it makes a distribution that holds its parameters."""
    return home(type(fn)).startswith("scipy.stats.") and hasattr(fn, "rvs") and callable(fn)


def parameters(distribution: Any) -> list[str]:
    """The names of its parameters, in their order.

    >>> from scipy import stats
    >>> parameters(stats.gamma), parameters(stats.multivariate_normal)[:2]
    (['a', 'loc', 'scale'], ['mean', 'cov'])
    """
    if not hasattr(distribution, "shapes"):
        return list(inspect.signature(distribution.__call__).parameters)
    shapes = distribution.shapes.split(", ") if distribution.shapes else []
    return [*shapes, "loc", *(["scale"] if hasattr(distribution, "pdf") else [])]


def held(distribution: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Const:
    """A distribution with its parameters."""
    return Const(Held(distribution, (*zip(parameters(distribution), args), *kwargs)))


def method(value: Held, name: str) -> Const:
    """A method of a distribution, with its parameters by name."""
    return Const(Partial(getattr(value.distribution, name), (), value.parameters))


def opened(bound: types.MethodType) -> tuple[Any, Keywords] | None:
    """The method of the distribution, and the parameters that an object of the surroundings holds."""
    frozen: Any = bound.__self__
    inner = getattr(frozen, "dist", None)
    distribution = getattr(sys.modules.get("scipy.stats"), getattr(inner, "name", None) or "", None)
    if distribution is None or not hasattr(frozen, "kwds"):
        return None
    given = {**dict(zip(parameters(distribution), frozen.args)), **frozen.kwds}
    named = tuple((name, constant(value, name)) for name, value in given.items())
    return getattr(distribution, bound.__name__), named
