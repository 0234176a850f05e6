"""Functions that call themselves: they stay functions, beside the derivative, in the generated module.

A `Callee` is what is called before types are known; an `Instance` is it for arguments of certain types; a `Reverse` is
the reverse sweep of an instance, and `Slopes` are its value and its derivatives at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Union

from srcad.lang.ir import Block, Call, Expr, Function, Nested
from srcad.lang.origin import Origin
from srcad.lang.shapes import symbol
from srcad.lang.types import UNKNOWN, Array, Dim, Scalar, TupleType, Type, is_float
from srcad.lang.walk import statements, stmt_exprs, subexprs


@dataclass(eq=False)
class Callee:
    """A function that calls itself, directly or through others.

    `params` are its parameters; `extras` the names around it that it reads, which every call passes on after them.
    """

    name: str
    params: tuple[str, ...]
    origin: Origin
    body: Block = ()
    extras: tuple[str, ...] = ()
    function: Function | None = None
    instances: dict[tuple[Type, ...], Instance] = field(default_factory=dict)
    asking: bool = False  # whether it is just being asked what it puts into lists

    @property
    def __name__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<recursive {self.name}>"


@dataclass(eq=False)
class Instance:
    """A callee for arguments of these types: `typed` after infer, `flat` when it can be differentiated."""

    callee: Callee
    types: tuple[Type, ...]
    result: Type = UNKNOWN  # of the value and of what is left in the arguments
    value: Type = UNKNOWN
    written: tuple[int, ...] = ()  # the positions of the arguments that it writes to
    typed: Function | None = None
    flat: Function | None = None
    reverses: dict[tuple[int, ...], Reverse] = field(default_factory=dict)
    slopes: dict[tuple[int, ...], Slopes | None] = field(default_factory=dict)
    tangents: dict[tuple[int, ...], Tangents] = field(default_factory=dict)
    effects: bool = False  # whether it may print, or raise an exception of the user's
    aliases: bool = False  # whether its result may be an argument of it, or a part of one
    open: bool = False  # whether its body is being typed
    settled: bool = False  # whether its types are final
    asked: bool = False  # whether it was called meanwhile

    def type_of(self, args: tuple[Any, ...], fresh: Callable[[], Dim]) -> Type:
        """The type of a call's result: its lengths are those of the arguments, or unknown."""
        lengths: dict[Dim, Dim] = {}
        assert self.callee.function is not None
        for param, arg in zip(self.callee.function.params, args):
            if isinstance(arg.type, Array):
                lengths |= {symbol(param.name, k): dim for k, dim in enumerate(arg.type.shape)}

        def seen(type: Type) -> Type:
            if isinstance(type, TupleType):
                return replace(type, items=tuple(map(seen, type.items)))
            if isinstance(type, Array):
                dims = tuple(d if isinstance(d, int) else lengths.get(d) or fresh() for d in type.shape)
                return Array(type.dtype, dims, "C" if type.ndim == 1 else "A")
            return type

        return seen(self.result)

    @property
    def __name__(self) -> str:
        return self.callee.name

    def __repr__(self) -> str:
        return f"<{self.callee.name} for {self.types}>"


@dataclass(eq=False)
class Reverse:
    """The cotangents of the arguments at the positions `wanted`, from the arguments and the cotangent of the result."""

    instance: Instance
    wanted: tuple[int, ...]
    function: Function | None = None

    def type_of(self, args: tuple[Any, ...], fresh: Callable[[], Dim]) -> Type:
        """The types of the cotangents: those of the arguments."""
        kinds = tuple(_strong(args[k].type) for k in self.wanted)
        return kinds[0] if len(kinds) == 1 else TupleType(kinds)

    @property
    def __name__(self) -> str:
        return f"{self.instance.callee.name}_reverse"

    def __repr__(self) -> str:
        return f"<reverse of {self.instance.callee.name}>"


@dataclass(eq=False)
class Slopes:
    """The value of a function of numbers, and its derivatives with respect to the arguments that are `wanted`."""

    instance: Instance
    wanted: tuple[int, ...]
    function: Function | None = None

    def type_of(self, args: tuple[Any, ...], fresh: Callable[[], Dim]) -> Type:
        """The types of the value and the derivatives."""
        return TupleType((_strong(self.instance.result), *(_strong(args[k].type) for k in self.wanted)))

    @property
    def __name__(self) -> str:
        return f"{self.instance.callee.name}_slopes"

    def __repr__(self) -> str:
        return f"<slopes of {self.instance.callee.name}>"


@dataclass(eq=False)
class Tangents:
    """The value of a function and its tangents, from the arguments and the tangents of those that are `moving`."""

    instance: Instance
    moving: tuple[int, ...]

    def type_of(self, args: tuple[Any, ...], fresh: Callable[[], Dim]) -> Type:
        """The types of the value and of the tangents of all that can have one in it."""
        value = self.instance.type_of(args, fresh)
        return TupleType((value, *(_strong(kind) for _, kind in parts_of(value))))

    @property
    def __name__(self) -> str:
        return f"{self.instance.callee.name}_tangent"

    def __repr__(self) -> str:
        return f"<tangents of {self.instance.callee.name}>"


def parts_of(type: Type, path: tuple[int, ...] = ()) -> list[tuple[tuple[int, ...], Type]]:
    """The parts of a result that can carry a derivative, with their places."""
    if isinstance(type, TupleType):
        return [part for k, item in enumerate(type.items) for part in parts_of(item, (*path, k))]
    return [(path, type)] if is_float(type) else []


def linked(value: Any, *pairs: Any) -> Any:
    """The value of a recursive function; its arguments and the derivatives with respect to them come after it."""
    return value


def _strong(type: Type) -> Type:
    return replace(type, weak=False) if isinstance(type, Scalar) else type


Helper = Union[Instance, Reverse, Slopes, Tangents]
HELPERS = (Instance, Reverse, Slopes, Tangents)


def called(body: Block, kind: Any) -> list[Any]:
    """The functions of a kind that statements call, in the order of the calls."""
    found: dict[Any, None] = {}
    for stmt in statements(body):
        for expr in stmt_exprs(stmt):
            for e in subexprs(expr):
                if isinstance(e, Call) and isinstance(e.fn, kind):
                    found[e.fn] = None
                elif isinstance(e, Call) and isinstance(e.fn, Nested):
                    found.update(dict.fromkeys(called(e.fn.function.body, kind)))
    return list(found)


def callees(body: Block) -> list[Callee]:
    """The callees that statements call, and those that these call."""
    found: list[Callee] = []
    waiting = called(body, Callee)
    while waiting:
        callee = waiting.pop(0)
        if callee not in found:
            found.append(callee)
            waiting += called(callee.body, Callee)
    return found


def calls_instance(value: Expr) -> bool:
    return isinstance(value, Call) and isinstance(value.fn, Instance)
