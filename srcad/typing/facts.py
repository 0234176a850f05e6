"""What is known at a place of a function: the constants, and integers that name dimensions."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np

from srcad.lang import shapes, walk
from srcad.lang.outside import holds_what_is_set
from srcad.lang.ir import Attr, Call, Const, Expr, Tuple, Var, and_, or_, select
from srcad.lang.shapes import Linear
from srcad.lang.types import INT, NONE, Array, Dim, Scalar, TupleType, Type
from srcad.typing.refusal import Refusal

Value = Union[Linear, tuple["Value", ...]]
_LINEAR: dict[Any, Callable[[Linear, Linear], Linear]] = {operator.add: shapes.add, operator.sub: shapes.subtract}
_OPAQUE: dict[Any, str] = {
    operator.mul: "*", operator.floordiv: "//", operator.mod: "%", operator.pow: "**", min: " min ", max: " max ",
}  # fmt: skip
_FOLDABLE = {
    operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow,
    operator.neg, operator.pos, operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne,
    operator.is_, operator.is_not, operator.contains, operator.getitem, operator.not_, operator.and_, operator.or_,
    operator.xor, operator.lshift, operator.rshift, operator.invert, and_, or_, select, min, max, abs, len, int, bool,
    float, sum, round, tuple, range, np.int8, np.int16, np.int32, np.int64, np.uint8, np.intp,
}  # fmt: skip
_counter = itertools.count()


class NotStatic(Exception):
    """The value is not known at compile time."""


@dataclass
class Held:
    """What lists hold that grow, as far as types are inferred."""

    elements: dict[str, Type] = field(default_factory=dict)
    empty: set[str] = field(default_factory=set)
    parts: set[str] = field(default_factory=set)
    assumed: set[str] = field(default_factory=set)

    def learn(self, key: str, type: Type) -> None:
        """What is put into a list turns out to be of this type."""
        self.elements[key] = type
        self.empty.discard(key)
        self.assumed.discard(key)
        self.parts.clear()

    def settled(self, done: bool) -> bool:
        """Whether all is known, after types have been inferred, of the result (`done`) or not; else something is taken
        to be so.
        """
        if self.empty:
            self.elements |= dict.fromkeys(self.empty, NONE if done else Scalar("float64"))  # None in all they hold
        elif self.parts:  # what is joined with a part without elements says of which type they are
            self.elements |= dict.fromkeys(self.parts, Scalar("int8"))
            self.assumed |= self.parts
        else:
            return True
        self.empty.clear()
        self.parts.clear()
        return False


@dataclass
class Facts:
    """Names that are constants (`statics`), and names of integers as symbols (`values`)."""

    statics: dict[str, Const] = field(default_factory=dict)
    values: dict[str, Value] = field(default_factory=dict)
    integers: set[str] = field(default_factory=set)  # parameters whose values can be asked for
    lengthy: set[str] = field(default_factory=set)  # parameters whose lengths can be asked for
    voids: dict[str, str] = field(default_factory=dict)  # lists into which nothing is put; "" for what is made of them
    parts: set[str] = field(default_factory=set)  # such lists of which whole parts are read: these have no elements
    assumed: set[str] = field(default_factory=set)  # such lists, taken for lists of integers of 8 bits
    squeezed: bool = False  # whether ranks depend on which axes have length one
    elements: dict[str, Type] = field(default_factory=dict)  # what is put into lists that grow, by their buffers
    empty: set[str] = field(default_factory=set)  # the lists that hold None, and nothing else so far
    outset: dict[str, list[tuple[Dim, ...]]] = field(default_factory=dict)  # the shapes that these may have instead
    together: dict[str, tuple[str, ...]] = field(default_factory=dict)  # what loops begin with that go on with a name
    made: dict[str, Expr] = field(default_factory=dict)  # what names were given, in loops at first
    asked: set[int] = field(default_factory=set)  # the arguments whose constant value decided a type
    uncertain: int = 0  # how often an index into a tuple, or an axis, should have been known

    def fresh(self) -> Dim:
        """A length that nothing is known about."""
        return f"?{next(_counter)}"

    def unsaid(self) -> Dim:
        """A length of records, each of which has its own: neither that of the first one nor one to ask for."""
        return f"#{next(_counter)}"

    # ------------------------------------------------------------ constants

    def static(self, expr: Expr, what: str = "this") -> Any:
        """The value of an expression that must be known at compile time."""
        try:
            value = self.known(expr)
        except NotStatic:
            names = walk.names(expr)
            refusal = Refusal(f"{what} that is not known at compile time", "a constant")
            refusal.asks = frozenset(names) if names <= self.integers else frozenset()
            self.uncertain += not refusal.asks
            raise refusal from None
        if not isinstance(expr, Const):
            self.asked.add(id(expr))
        return value

    def known(self, expr: Expr) -> Any:
        """The value of an expression at compile time.

        Raises
        ------
        NotStatic
            if it has none.
        """
        match expr:
            case Const(value):
                return value
            case Var(name) if name in self.statics:
                return self.statics[name].value
            case Tuple(items):
                return tuple(self.known(item) for item in items)
            case Call(fn, args, ()) if _hashable(fn) and fn in _FOLDABLE:
                return self.evaluated(fn, [self.known(arg) for arg in args])
        raise NotStatic

    def evaluated(self, fn: Any, args: list[Any]) -> Any:
        """What a function of constants gives.

        Raises
        ------
        NotStatic
            if it fails, or if one of them is changed.
        """
        if any(hasattr(a, "__array__") and getattr(a, "ndim", 0) or holds_what_is_set(a) for a in args):
            raise NotStatic
        try:
            with np.errstate(all="ignore"):  # as the compiled function would
                return fn(*args)
        except Exception:
            raise NotStatic from None

    # ------------------------------------------------------------ integers as symbols

    def value(self, expr: Expr) -> Value | None:
        """An integer, or a tuple of integers, as symbols; None: it says nothing."""
        match expr:
            case Const(int() as value):
                return None, int(value)
            case Const(tuple() as value) if all(isinstance(v, int) for v in value):
                return tuple((None, int(v)) for v in value)
            case Var(name):
                return self._named(name, expr.type)
            case Tuple(items):
                values = tuple(self.value(item) for item in items)
                return None if None in values else values  # type: ignore[return-value]
            case Attr(of, "shape") if isinstance(of.type, Array):
                return tuple(map(shapes.value_of, of.type.shape))
            case Attr(of, "size") if isinstance(of.type, Array):
                return shapes.value_of(shapes.product(of.type.shape))
            case Call(operator.getitem, (base, index), ()):
                return self._item(base, index)
            case Call(operator.neg, (right,), ()) if right.type == INT:
                return self._combined(operator.sub, Const(0, INT), right)
            case Call(fn, (left, right), ()) if _hashable(fn) and (fn in _LINEAR or fn in _OPAQUE):
                return self._combined(fn, left, right)
        return None

    def _named(self, name: str, type: Type) -> Value | None:
        if name in self.values:
            return self.values[name]
        return (name, 0) if isinstance(type, Scalar) and type.dtype.startswith(("int", "uint")) else None

    def _item(self, base: Expr, index: Expr) -> Value | None:
        whole = self.value(base) if isinstance(base.type, TupleType) else None
        try:
            at = self.known(index)
            return whole[at] if whole is not None else None  # type: ignore[index, return-value]
        except (NotStatic, IndexError, TypeError):
            return None

    def _combined(self, fn: Any, left: Expr, right: Expr) -> Value | None:
        a, b = self.integer(left), self.integer(right)
        if a is None or b is None:
            return None
        if a[0] is None and b[0] is None:
            known = self._folded(fn, a[1], b[1])
            return None if known is None else (None, known)
        result = _LINEAR[fn](a, b) if fn in _LINEAR else shapes.combined(_OPAQUE[fn], a, b)
        return None if shapes.too_long(result) else result

    def _folded(self, fn: Any, a: int, b: int) -> int | None:
        try:
            result = self.evaluated(fn, [a, b])
        except NotStatic:
            return None
        return result if isinstance(result, int) else None

    def integer(self, expr: Expr) -> Linear | None:
        """One integer as a symbol."""
        if not isinstance(expr.type, Scalar) or not expr.type.dtype.startswith(("int", "uint")):
            return None
        return self.value(expr)  # type: ignore[return-value]

    def dim(self, expr: Expr) -> Dim:
        """The length of an axis made with this many elements."""
        if not isinstance(expr.type, Scalar) or expr.type.dtype.startswith(("float", "complex")):
            raise Refusal("a length that is no integer", "int(n), or n // k")
        value = self.integer(expr)
        return self.fresh() if value is None else shapes.dim_of(value)

    def dims(self, expr: Expr) -> tuple[Dim, ...]:
        """A shape argument: an integer or a tuple of integers."""
        if not isinstance(expr.type, TupleType):
            return (self.dim(expr),)
        value = self.value(expr)
        if isinstance(value, tuple) and len(value) == len(expr.type.items):
            return tuple(map(shapes.dim_of, value))  # type: ignore[arg-type]
        if isinstance(expr, Tuple):
            return tuple(self.dim(item) for item in expr.items)
        return tuple(self.fresh() for _ in expr.type.items)


def _hashable(fn: Any) -> bool:
    return getattr(type(fn), "__hash__", None) is not None
