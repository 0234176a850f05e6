"""Derivatives of Python functions as readable Python source, compiled with Numba."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import srcad.optimizers as optimizers
    import srcad.testing as testing
    from srcad.api import grad, show, source, value_and_grad
    from srcad.explaining import explain
    from srcad.compiled import AggregationMethod, UnconnectedGradients, function, gradients
    from srcad.eager import (
        gradients_function, implicit_gradients, implicit_value_and_gradients, value_and_gradients_function,
    )  # fmt: skip
    from srcad.functional import hessian, hvp, jacobian, jvp, vjp
    from srcad.lang.errors import BisectionWarning, NoGradientError, SrcadError, UnsupportedError
    from srcad.linting import lint
    from srcad.ode import odeint
    from srcad.rules.rule import rule
    from srcad.runtime.checkpoint import checkpoint
    from srcad.runtime.custom import custom_gradient
    from srcad.runtime.stop import stop_gradient
    from srcad.runtime.tape import GradientTape
    from srcad.runtime.variable import Variable

__version__ = "0.1.0"

__all__ = [
    "AggregationMethod",
    "BisectionWarning",
    "GradientTape",
    "NoGradientError",
    "SrcadError",
    "UnconnectedGradients",
    "UnsupportedError",
    "Variable",
    "checkpoint",
    "custom_gradient",
    "explain",
    "function",
    "grad",
    "gradients",
    "gradients_function",
    "hessian",
    "hvp",
    "implicit_gradients",
    "implicit_value_and_gradients",
    "jacobian",
    "jvp",
    "lint",
    "odeint",
    "optimizers",
    "rule",
    "show",
    "source",
    "stop_gradient",
    "testing",
    "value_and_grad",
    "value_and_gradients_function",
    "vjp",
]

_MODULES = {
    "srcad.api": ("grad", "show", "source", "value_and_grad"),
    "srcad.explaining": ("explain",),
    "srcad.compiled": ("AggregationMethod", "UnconnectedGradients", "function", "gradients"),
    "srcad.eager": (
        "gradients_function", "implicit_gradients", "implicit_value_and_gradients", "value_and_gradients_function",
    ),
    "srcad.functional": ("hessian", "hvp", "jacobian", "jvp", "vjp"),
    "srcad.lang.errors": ("BisectionWarning", "NoGradientError", "SrcadError", "UnsupportedError"),
    "srcad.linting": ("lint",),
    "srcad.ode": ("odeint",),
    "srcad.rules.rule": ("rule",),
    "srcad.runtime.checkpoint": ("checkpoint",),
    "srcad.runtime.custom": ("custom_gradient",),
    "srcad.runtime.stop": ("stop_gradient",),
    "srcad.runtime.tape": ("GradientTape",),
    "srcad.runtime.variable": ("Variable",),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for: Numba takes a third of a second."""
    for module, names in _MODULES.items():
        if name in names:
            globals()[name] = value = getattr(import_module(module), name)
            return value
    if name in ("implicit", "optimizers", "testing"):
        return import_module(f"srcad.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
