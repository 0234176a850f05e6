"""without_names: slices and parts of complex arrays keep no name of their own; part of `infer`."""

from __future__ import annotations

from dataclasses import dataclass, replace

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Let, Slice, Tuple, Var
from srcad.transforms import parts
from srcad.transforms.parting import Parting


@dataclass
class Unnamed(Parting):
    """Puts such values in the place of the names that they are given."""

    def with_bounds(self, value: Expr) -> Expr:
        """A slice, or a tuple of slices, that gets a name: its bounds are what they are now."""
        if isinstance(value, Tuple):
            return replace(value, items=tuple(map(self.with_bounds, value.items)))
        if not isinstance(value, Slice):
            return value if isinstance(value, Const) else self.by_name(value)
        parts = (value.lower, value.upper, value.step)
        return Slice(*(None if part is None else self.with_bounds(part) for part in parts))

    def part(self, target: str, value: Expr) -> Expr | None:
        """The part of a complex array that a value is, if the name or the array is written to."""
        found = parts.whole_of(value)
        if found is None:
            return None
        fn, whole = found
        if target not in self.stored_names and not walk.names(whole) & self.stored_names:
            return None
        return Call(fn, (self.by_name(self.expr(whole)),), (), value.type)

    def by_name(self, value: Expr) -> Expr:
        """An array under a name."""
        if isinstance(value, Var):
            return value
        name = self.name_afresh("_t")
        self.levels[-1].out.append(Let(name, value, self.origin))
        self.learn(name, value)
        return Var(name, value.type)  # type: ignore[union-attr]

    def learn(self, target: str, value: Expr) -> None:
        """What a name stands for after ``target = value``."""
        raise NotImplementedError


def has_slices(value: Expr) -> bool:
    """Whether a value is a slice, or a tuple in which there is one.

    >>> has_slices(Tuple((Const(1), Slice(Const(1), None))))
    True
    """
    return isinstance(value, Slice) or isinstance(value, Tuple) and any(map(has_slices, value.items))
