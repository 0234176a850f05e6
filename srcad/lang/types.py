"""The types of the IR: dtype, rank and, for arrays, symbolic dimensions.

A dimension is an `int` (known at compile time) or a string (a symbol). Two arrays whose dimensions
carry the same symbols have the same shape in every call; different symbols say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

Dim = Union[int, str]


class Type:
    """Base of all types."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Unknown(Type):
    """Not inferred yet."""


@dataclass(frozen=True, slots=True)
class Scalar(Type):
    """A number. `weak` marks Python's own int, float and complex, which adopt an array's dtype (NEP 50)."""

    dtype: str  # a NumPy dtype name: "float64", "float32", "int64", "bool", "complex128", ...
    weak: bool = False


ELASTIC = "^"  # begins the symbol of a length that grows


@dataclass(frozen=True, slots=True)
class Array(Type):
    """An array of a dtype; `shape` has one dimension symbol an axis.

    `layout` is "C", "F", or "A" for any other. In lower case it is the order that NumPy gives an array of the user's;
    what is generated may lie otherwise, where nobody can tell (`srcad.transforms.layouts` sees to the rest).
    """

    dtype: str
    shape: tuple[Dim, ...]
    layout: str = "A"

    @property
    def ndim(self) -> int:
        return len(self.shape)


def is_elastic(kind: Any) -> bool:
    """Whether an array gets more room along an axis where something is stored behind its end."""
    return isinstance(kind, Array) and any(isinstance(dim, str) and dim.startswith(ELASTIC) for dim in kind.shape)


@dataclass(frozen=True, slots=True)
class Form:
    """What a structure is to the user: its class, and the keys or fields of its elements (a tuple or list has none).

    `cls` is tuple, list, dict, a namedtuple's class, a dataclass or a plain class, whose keys are its attributes.
    """

    cls: type = tuple
    keys: tuple[Any, ...] = ()

    @property
    def named(self) -> bool:
        """Whether the elements are attributes."""
        return self.cls not in (tuple, list, dict)

    @property
    def native(self) -> bool:
        """Whether compiled code has it: tuples and named tuples; all others are tuples there."""
        return issubclass(self.cls, tuple)


TUPLE = Form()


@dataclass(frozen=True, slots=True)
class TupleType(Type):
    """A structure of known elements: a tuple, or what `form` says."""

    items: tuple[Type, ...]
    form: Form = TUPLE


@dataclass(frozen=True, slots=True)
class Static(Type):
    """A value known at compile time that is no number: None, a string, a dtype, a function, a slice.

    >>> hash(Static(slice(1, None))) == hash(Static(slice(1, None)))
    True
    """

    value: Any

    def __hash__(self):
        try:
            return hash(self.value)
        except TypeError:  # slices have no hash before Python 3.12
            return hash(type(self.value))


UNKNOWN = Unknown()
FLOAT = Scalar("float64", weak=True)
INT = Scalar("int64", weak=True)
BOOL = Scalar("bool", weak=True)
NONE = Static(None)

REAL = ("float64", "float32")  # the dtypes of real numbers that derivatives are of


def is_float(type: object) -> bool:
    """Whether a value of this type can carry a derivative (real or complex floating point)."""
    return isinstance(type, (Scalar, Array)) and type.dtype.startswith(("float", "complex"))


def is_complex(type: object) -> bool:
    return isinstance(type, (Scalar, Array)) and type.dtype.startswith("complex")


def is_array(type: object) -> bool:
    return isinstance(type, Array)


def seed_type(type: Type, name: str) -> Type:
    """The type of the seed `name`, FLOAT for a plain number as the default is; a `TypeError` for what is no seed."""
    match type:
        case Scalar(dtype, weak=True) if dtype != "complex128":
            return FLOAT
        case Scalar() | Array():
            return type
        case TupleType(items, form):
            return TupleType(tuple(item if isinstance(item, Scalar) else seed_type(item, name) for item in items), form)
    if type != NONE:
        raise TypeError(f"{name} must be a number, an array, or a tuple of them with None where there is none")
    return NONE
