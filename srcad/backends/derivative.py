"""What the derivative objects of all backends have in common."""

from __future__ import annotations

import importlib
import inspect
import pickle
import types
from collections.abc import Callable, Iterable
from typing import Any, Protocol

from srcad.backends.source import Source
from srcad.lang.errors import AttributeNeeded, unsupported
from srcad.lang.types import Type
from srcad.options import Options


class Maker(Protocol):
    """Knows the function and the options, and writes the source of the derivative for given types of arguments."""

    @property
    def fn(self) -> Any: ...
    @property
    def options(self) -> Options: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def constructor(self) -> tuple[Callable[..., Any], tuple]: ...
    @property
    def for_another(self) -> Maker: ...
    @property
    def general(self) -> Maker: ...
    def template(self) -> types.FunctionType: ...
    def source(self, signature: tuple[Type, ...]) -> Source: ...
    def text(self, args: tuple, kwargs: dict[str, Any], stage: str | None = None) -> str: ...


class Derivative:
    """A derivative of a function: called like the function, with one seed per output as `grad_ys`."""

    maker: Maker
    is_derivative = True
    _beyond: Derivative | None = None

    @property
    def bare(self) -> Maker:
        """What makes the derivative of the function alone, for one that passes values of variables along, too."""
        return self.maker

    def source(self, *args: Any, stage: str | None = None, **kwargs: Any) -> str:
        """The generated source for arguments like these, or of the specialisation made last.

        Parameters
        ----------
        *args, **kwargs
            Example arguments or their types: ``float``, ``np.float32``, ``"float64[:, ::1]"``, Numba's types.
        stage : str, optional
            A pass of the compiler: the source as it is after that pass.

        Raises
        ------
        ValueError
            Without arguments before the first call, and for an unknown stage.
        """
        if self._beyond is not None:
            return self._beyond.source(*args, stage=stage, **kwargs)
        try:
            return self.maker.text(args, kwargs, stage)
        except AttributeNeeded as needed:
            return self.beyond(needed).source(*args, stage=stage, **kwargs)

    def beyond(self, needed: AttributeNeeded) -> Derivative:
        """The derivative that passes along objects outside of which the function sets attributes: used from now on."""
        fn, options = self.maker.fn, self.maker.options
        if isinstance(fn, Derivative):
            what = f"a derivative of a derivative of a function that sets the attribute {needed.name!r}"
            raise unsupported(needed.problems[0].origin, what, "a function that leaves it as it is")
        if hasattr(fn, "outside"):  # it is inside of such a derivative
            raise needed
        if self._beyond is None:
            self._beyond = self.maker.constructor[0](fn, options, needed)
        return self._beyond

    def __repr__(self) -> str:
        return f"<{self.maker}>"

    def __reduce__(self) -> Any:
        """Pickled by name where a decorator has put it in place of the function, else with the function."""
        fn = self.maker.fn
        build, (given, *rest) = self.maker.constructor
        if given is not fn:  # what binds arguments is pickled as it is
            return build, (given, *rest)
        if _named(fn) is self:
            return fn.__qualname__
        if isinstance(fn, types.FunctionType) and _named(fn) is not fn:
            return _rebuild, (build, _by_value(fn), *rest)
        return build, (fn, *rest)


class _Required:
    """What stands for the default of a parameter that has none, behind others that have one."""

    def __repr__(self) -> str:
        return "required"


REQUIRED = _Required()


def bound_arguments(signature: inspect.Signature, name: str, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Arguments and defaults by the names of their parameters; the `TypeError` for wrong ones names the function."""
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}(): {error}") from None
    bound.apply_defaults()
    check_passed(name, bound.arguments, bound.args)
    return bound


def check_passed(name: str, parameters: Iterable[str], values: tuple) -> None:
    """Refuse a call that leaves out a parameter without a default."""
    if any(value is REQUIRED for value in values):
        missing = next(parameter for parameter, value in zip(parameters, values) if value is REQUIRED)
        raise TypeError(f"{name}(): missing a required argument: {missing!r}")


def _named(fn: Any) -> Any:
    """What stands under the function's own name in its module."""
    found: Any = importlib.sys.modules.get(fn.__module__)  # type: ignore[attr-defined]
    for part in fn.__qualname__.split("."):
        found = getattr(found, part, None)
    return found


def _by_value(fn: types.FunctionType) -> bytes:
    """A closure, a lambda or a nested function with what it closes over, in bytes."""
    from numba.core.serialize import dumps

    try:
        return dumps(fn)
    except Exception as error:
        raise pickle.PicklingError(f"{fn.__qualname__} cannot be pickled: {error}") from error


def _rebuild(build: Callable[..., Any], data: bytes, *rest: Any) -> Any:
    from numba.core.serialize import loads

    return build(loads(data), *rest)
