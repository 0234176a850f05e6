"""What the methods of SciPy's distributions return that have no rule: trying one may sum a series that has no end."""

from __future__ import annotations

from typing import Any

from srcad.lang.forms import home
from srcad.lang.ir import Expr
from srcad.lang.types import Array, Scalar, Static, Type
from srcad.typing.elementwise import elementwise
from srcad.typing.table import kind

_EACH = frozenset("""
pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf entropy mean median var std
""".split())


def of_distribution(fn: Any, given: tuple[Expr, ...]) -> Type | None:
    """Floats in double precision, one for each element of the arguments; None of other functions.

    >>> from scipy import stats
    >>> from srcad.lang.ir import Var
    >>> of_distribution(stats.zipf.entropy, (Var("a", Array("float32", ("n",))),))
    Array(dtype='float64', shape=('n',), layout='C')
    """
    if getattr(fn, "__name__", "") not in _EACH or not _is_univariate(getattr(fn, "__self__", None)):
        return None
    types = [kind(e) for e in given if e.type != Static(None)]
    return elementwise("float64", *types) if all(isinstance(t, (Array, Scalar)) for t in types) else None


def _is_univariate(owner: Any) -> bool:
    """Whether it is a distribution of numbers of SciPy's own, whose methods broadcast."""
    cls = type(owner)
    bases = (home(base) + "." + base.__name__ for base in cls.__mro__)
    return home(cls).startswith("scipy.stats.") and "scipy.stats._distn_infrastructure.rv_generic" in bases
