"""The notation of rules, and the table of all rules.

    @rule(np.sin, math.sin)
    def sin(y, x):
        y.dot = x.dot * np.cos(x)
        x.bar += y.bar * np.cos(x)

The first parameter is the result, the others are the primitive's own. `x.dot` is a tangent, `x.bar` a cotangent.
Bodies are parsed at their first use and never run: what stands there appears in the generated source, with the
names of the call. Tests on ranks, dtypes and constants are decided when it is written. No rule mentions
broadcasting: a contribution of another shape is summed or repeated to the shape of its operand.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import types
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from srcad.lang.forms import is_foreign
from srcad.lang.ir import Call, Const, Expr, Let, Tuple, Var
from srcad.rules.instantiate import FormError, Fresh, Instance, Typed, name_shared, untyped
from srcad.rules.parse import Body, Cotangent, Tangent
from srcad.rules.static import EXPRESSIONS, ZERO, known, static
from srcad.runtime.libraries import is_of_library, waiting

__all__ = ["FormError", "Rule", "constant", "find", "find_lowering", "known", "lowers", "rule", "static", "table"]

F = TypeVar("F", bound=Callable[..., Any])

table: dict[Any, Rule] = {}
lowerings: dict[Any, Rule] = {}


class Rule:
    """The derivative of one or several primitives, written out for one call at a time."""

    def __init__(self, fn: Callable[..., Any], zero: bool = False):
        self.fn, self.zero = fn, zero
        self.signature = inspect.signature(fn)

    def __repr__(self) -> str:
        return f"<rule {self.fn.__module__}.{self.fn.__name__}>"

    @property
    def is_users(self) -> bool:
        """Whether a user has stated it."""
        return not (getattr(self.fn, "__module__", None) or "").startswith("srcad.")

    @functools.cached_property
    def body(self):
        from srcad.rules.parse import parse

        return parse(self.fn)

    def bind(self, call: Call, y: Expr | None = None) -> dict[str, Expr]:
        """The rule's parameters, by what the call gives for them."""
        before = () if y is None else (y,)
        try:
            bound = self.signature.bind(*before, *call.args, **dict(call.kwargs))
        except TypeError as error:
            takes = ", ".join(list(self.signature.parameters)[len(before):])
            raise FormError(f"{_name(call.fn)}: {error}; instead: the arguments of its rule, ({takes})") from None
        bound.apply_defaults()
        rest = next((p.name for p in self.signature.parameters.values() if p.kind is p.VAR_POSITIONAL), None)
        env = {k: v if isinstance(v, EXPRESSIONS) else Const(v) for k, v in bound.arguments.items() if k != rest}
        return env if rest is None else {**env, rest: Tuple(tuple(bound.arguments[rest]))}

    def stated(self, call: Call) -> Body:
        """The statements of a rule that must have some."""
        if not self.body:
            name = _name(call.fn)
            raise FormError(f"the rule of {name} states no derivative; instead: x.bar += ..., or zero=True")
        return self.body

    def reverse(
        self, y: Var, call: Call, y_bar: Expr, wanted: set[str], fresh: Fresh, typed: Typed = untyped
    ) -> list[Let | tuple[Var, Expr]]:
        """What the call adds to the cotangents of the operands named in `wanted`, with the temporaries that this needs.

        >>> import numpy as np
        >>> from srcad.lang.types import FLOAT
        >>> x, y, y_bar = (Var(name, FLOAT) for name in ("x", "y", "y~bar"))
        >>> [(operand, term)] = find(np.exp).reverse(y, Call(np.exp, (x,)), y_bar, {"x"}, str)
        >>> term.fn, [arg.name for arg in term.args]
        (<built-in function mul>, ['y~bar', 'y'])
        """
        if self.zero:
            return []
        first = next(iter(self.signature.parameters))
        instance = Instance(call.fn, self.bind(call, y), {first: y_bar}, {}, wanted, typed)
        instance.run(self.stated(call))
        if Tangent in instance.said and Cotangent not in instance.said:
            raise FormError(f"the rule of {_name(call.fn)} has no statement on cotangents; instead: x.bar += ... in it")
        return name_shared(instance, fresh)

    def forward(
        self, y: Var, call: Call, dots: dict[str, Expr], fresh: Fresh, typed: Typed = untyped
    ) -> tuple[Expr | None, list[Let]]:
        """The tangent of the result from those of the operands (`dots`, by name), and temporaries; None for zero."""
        if self.zero:
            return None, []
        first = next(iter(self.signature.parameters))
        instance = Instance(call.fn, self.bind(call, y), dots=dots, typed=typed)
        instance.run(self.stated(call))
        if Cotangent in instance.said and Tangent not in instance.said:
            name = _name(call.fn)
            raise FormError(f"the rule of {name} has no statement on tangents; instead: {first}.dot = ... in it")
        if instance.tangent is None or instance.tangent is ZERO:
            return None, []
        instance.found.append((y, instance.tangent))
        terms = name_shared(instance, fresh)
        before = [term for term in terms if isinstance(term, Let)]
        (tangent,) = (term[1] for term in terms if not isinstance(term, Let))
        return tangent, before

    def lower(self, call: Call, typed: Typed = untyped) -> Expr:
        """The expression that stands for a call; the call itself where the lowering says nothing about it."""
        instance = Instance(call.fn, self.bind(call), typed=typed)
        instance.run(self.body)
        return self._without_defaults(call) if instance.result is None else instance.result

    def _without_defaults(self, call: Call) -> Call:
        """A call without what it gives by name and is assumed anyway: Numba may not know the argument."""
        assumed = {name: parameter.default for name, parameter in self.signature.parameters.items()}
        kwargs = ((k, v) for k, v in call.kwargs if not (isinstance(v, Const) and v.value is assumed.get(k, v)))
        return replace(call, kwargs=tuple(kwargs))


def rule(*primitives: Any, zero: bool = False) -> Callable[[F], F]:
    """State the derivative of primitives: see the top of this file. `zero`: it exists, and is zero everywhere.

    A rule for a function of one's own takes the place of the function's source.

    Raises
    ------
    TypeError
        for what is no function. What a rule says is checked where it is used first.

    Examples
    --------
    >>> import srcad
    >>> def cube(x):
    ...     return x * x * x
    >>> @srcad.rule(cube)
    ... def _(y, x):
    ...     y.dot = x.dot * 3.0 * x**2
    ...     x.bar += y.bar * 3.0 * x**2
    """
    for primitive in primitives:
        if not callable(primitive):
            raise TypeError(f"a rule is for functions, not {primitive!r}; write @srcad.rule(function)")
        if is_foreign(primitive):
            raise TypeError("a foreign function cannot have a rule; write a def around it, with the rule")
    if not primitives:
        raise TypeError("a rule is for a function: write @srcad.rule(function)")

    def register(fn: F) -> F:
        if not isinstance(fn, types.FunctionType):
            raise TypeError(f"a rule is written as a def, whose parameters are the result and the operands, not {fn!r}")
        table.update(dict.fromkeys(primitives, Rule(fn, zero)))
        return fn

    return register


def constant(*primitives: Any) -> None:
    """Declare primitives through which no derivative flows: theirs is zero."""
    for primitive in primitives:
        rule(primitive, zero=True)(_constant)


def _constant(y, *operands):
    pass


def lowers(*primitives: Any) -> Callable[[F], F]:
    """State in the notation of rules how to write calls of a primitive so that Numba compiles them.

    The parameters are the primitive's own; the body returns the expression, or nothing where the call may stand.
    """
    def register(fn: F) -> F:
        lowerings.update(dict.fromkeys(primitives, Rule(fn)))
        return fn

    return register


def find(primitive: Any) -> Rule | None:
    """The rule of a primitive."""
    _load()
    return _get(table, primitive)


def find_lowering(primitive: Any) -> Rule | None:
    """The lowering of a primitive."""
    _load()
    return _get(lowerings, primitive)


def _get(rules: dict[Any, Rule], primitive: Any) -> Rule | None:
    try:
        return rules.get(primitive)
    except TypeError:
        return None


def _load() -> None:
    """Import the rules of the package, and those for libraries that have been imported meanwhile."""
    _load_own()
    for name in waiting("srcad.rules"):
        _import([name])


@functools.cache
def _load_own() -> None:
    package = importlib.import_module("srcad.rules")
    found = (module.name for module in pkgutil.iter_modules(package.__path__, "srcad.rules."))
    _import([name for name in found if not is_of_library(name)])


def _import(names: list[str]) -> None:
    """Import modules of rules; the rules registered before stay."""
    own, own_lowerings = dict(table), dict(lowerings)
    for name in names:
        importlib.import_module(name)
    table.update(own)
    lowerings.update(own_lowerings)


def _name(primitive: Any) -> str:
    return getattr(primitive, "__name__", repr(primitive))
