"""The intermediate representation: a small, typed, structured, immutable statement language.

Expressions are trees; statements form blocks (tuples). A name is a string. Before the pass `name`
a name may carry a dot: ``x.2`` is the second value of the user's ``x``, ``x.2~bar`` its cotangent,
``x~tape`` its record; the part before the first ``.`` or ``~`` is the *hint* from which the printed
name is made. No such name can collide with one of the user's.

Three forms, in this order:

* *surface* (after read, desugar, inline): a name may be assigned many times; tuple targets, augmented
  assignments, early exits and calls of Python functions are gone; one `Return` ends the function.
* *split* (from split on): each name is assigned once, by a `Let`, except the names that `Move` assigns: these
  join the values of a branch or carry one from iteration to iteration. Array contents are not
  versioned: `Store` and `Accum` write in place.
* *final* (from adjoint on): as split, but cotangents are assigned and accumulated as often as needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Union

from srcad.lang.origin import NOWHERE, Origin
from srcad.lang.types import UNKNOWN, Type
from srcad.lang.whole import Whole

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Var:
    name: str
    type: Type = UNKNOWN


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A number, string, None, Ellipsis, dtype, or any object taken from a closure or a global.

    `name` is how the user calls it (a baked-in array ``W``); without one the value prints as a literal.
    """

    value: Any
    type: Type = UNKNOWN
    name: str | None = None

    def key(self) -> tuple:
        if isinstance(self.value, (int, float, complex, str, bool, type(None), type(Ellipsis))):
            return (type(self.value), repr(self.value), self.name)
        return (type(self.value), id(self.value), self.name)

    def __eq__(self, other):
        return isinstance(other, Const) and self.key() == other.key() and self.type == other.type

    def __hash__(self):
        return hash(self.key())


@dataclass(frozen=True, slots=True)
class Call(Whole):
    """A primitive applied to arguments: `fn` is the Python callable itself (np.sin, operator.add, ...)."""

    fn: Any
    args: tuple[Expr, ...]
    kwargs: tuple[tuple[str, Expr], ...] = ()
    type: Type = UNKNOWN


@dataclass(frozen=True, slots=True)
class Attr(Whole):
    """``value.name``: shape, ndim, dtype, size, T, real, imag."""

    value: Expr
    name: str
    type: Type = UNKNOWN


@dataclass(frozen=True, slots=True)
class Slice(Whole):
    """``lower:upper:step`` inside an index."""

    lower: Expr | None = None
    upper: Expr | None = None
    step: Expr | None = None


@dataclass(frozen=True, slots=True)
class Tuple(Whole):
    items: tuple[Expr, ...]
    type: Type = UNKNOWN


Expr = Union[Var, Const, Call, Attr, Slice, Tuple]

# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Let:
    """``target = value``"""

    target: str
    value: Expr
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """``t1, t2 = v1, v2``, in parallel: the end of a branch or an iteration, or the entry of a loop."""

    targets: tuple[str, ...]
    values: tuple[Expr, ...]
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Store:
    """``base[index] = value``; the index ``...`` writes the whole array."""

    base: Expr
    index: Expr
    value: Expr
    origin: Origin = field(default=NOWHERE, compare=False)
    inside: bool = field(default=False, compare=False)  # surely not behind the end of an array that grows


@dataclass(frozen=True, slots=True)
class Accum:
    """``target += value``: add into a name, or into an element or slice ``base[index]`` of an array.

    The value is un-broadcast to the target's shape, or broadcast to it; repeated fancy indices add up.
    """

    target: Expr  # Var, or Call(getitem, (base, index))
    value: Expr
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class For:
    """``for index in range(start, stop, step): body``; leaves at the end of an iteration in which `flag` is true."""

    index: str
    start: Expr
    stop: Expr
    step: Expr
    body: Block
    flag: str | None = None
    origin: Origin = field(default=NOWHERE, compare=False)
    shared: bool = False  # among threads
    said: Any = None  # what says of the iterations that none reads or writes what another one writes


@dataclass(frozen=True, slots=True)
class While:
    test: Expr
    body: Block
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    test: Expr
    then: Block
    orelse: Block = ()
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Effect:
    """A call made for what it does: ``print``, `raise_`, `assert_`. Stays in the primal part, in its place."""

    call: Call
    origin: Origin = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Return:
    value: Expr
    origin: Origin = field(default=NOWHERE, compare=False)


Stmt = Union[Let, Move, Store, Accum, For, While, If, Effect, Return]
Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Param:
    name: str
    type: Type = UNKNOWN
    default: Expr | None = None  # a Const


@dataclass(frozen=True, slots=True)
class Function:
    """`packed` gives, where tuples are dissolved, the user's parameters with what stands for each: see `arguments`."""

    name: str
    params: tuple[Param, ...]
    body: Block
    origin: Origin = field(default=NOWHERE, compare=False)
    doc: str = ""
    packed: tuple[tuple[Param, Expr], ...] = ()
    exact: bool = False  # no sum may be reordered: it computes with its own rounding errors
    left: tuple[tuple[Any, ...], ...] = ()  # places in arguments that get values, which come beside the result

    @property
    def arguments(self) -> tuple[tuple[Param, Expr], ...]:
        """The user's parameters, and for each the name that stands for it, or a `Tuple` of names."""
        return self.packed or tuple((param, Var(param.name, param.type)) for param in self.params)


# ------------------------------------------- primitives that Python has no callable for

@dataclass(frozen=True, slots=True)
class Method:
    """``x.name(...)`` of a value whose type is not known yet; infer turns it into a function of NumPy."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Nested:
    """A derivative that is called inside a function; infer puts the statements of the derivative in its place.

    `function` is the surface of what is differentiated, `options` say how, and `extras` name what the derivative takes
    beyond the parameters of the function: a seed. A `function` that is typed already has `shifts`: what its last
    parameters are added to.
    """

    function: Function
    options: Any
    extras: tuple[str, ...] = ()
    shifts: tuple[Var, ...] | None = None


def and_(*args: Any) -> Any:
    """``a and b and ...``, lazily."""
    return all(args)


def or_(*args: Any) -> Any:
    """``a or b or ...``, lazily."""
    return any(args)


def select(test: Any, then: Any, orelse: Any) -> Any:
    """``then if test else orelse``, lazily."""
    return then if test else orelse


def element_at(structure: Any, position: int) -> Any:
    """The element at a position of a dict, a dataclass or any other structure."""
    return (tuple(structure.values()) if isinstance(structure, dict) else structure)[position]


def entry(key: Any, value: Any) -> dict:
    """``{key: value}``"""
    return {key: value}


def merged(*parts: Any) -> dict:
    """``{**a, **b}``"""
    return {key: value for each in parts for key, value in each.items()}


def raise_(exception: type[BaseException], *args: Any) -> None:
    """``raise exception(*args)``"""
    raise exception(*args)


def assert_(test: Any, message: Any = None) -> None:
    """``assert test, message``"""
    assert test, message


def hint(name: str) -> str:
    """The user's name behind a unique one.

    >>> hint("x.2~bar")
    'x'
    """
    return name.split(".", 1)[0].split("~", 1)[0]


# The hints of intermediate values, those that keep their statement, tests and counters without a name.
TEMPORARIES = frozenset(("_t", "_s", "_c", "_k"))


def is_temporary(name: str) -> bool:
    """Whether a name stands for an intermediate value (or for its cotangent).

    >>> is_temporary("_t.2~bar"), is_temporary("t.2~bar")
    (True, False)
    """
    return hint(name) in TEMPORARIES


Primitive = Callable[..., Any]
