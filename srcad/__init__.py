"""Derivatives of Python functions as readable Python source, compiled with Numba."""

from srcad.api import grad, show, source, value_and_grad
from srcad.lang.errors import NoGradientError, SrcadError, UnsupportedError
from srcad.runtime.stop import stop_gradient

__version__ = "0.1.0"

__all__ = [
    "NoGradientError",
    "SrcadError",
    "UnsupportedError",
    "grad",
    "rule",
    "show",
    "source",
    "stop_gradient",
    "value_and_grad",
]


def __getattr__(name: str):
    """`rule` and `testing`, which most programs do without, are imported when they are first asked for."""
    import importlib

    if name == "rule":
        return importlib.import_module("srcad.rules.rule").rule
    if name == "testing":
        return importlib.import_module("srcad.testing")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
