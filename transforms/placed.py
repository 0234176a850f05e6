"""What is known of the elements of lists and tuples: which are arrays, and which of several tuples is the best; part of
`inline`."""

from __future__ import annotations

import operator
from typing import Any

from srcad.lang.ir import Call, Const, Expr, Function, Tuple, Var
from srcad.transforms import tuple_order
from srcad.transforms.callees import Keywords
from srcad.transforms.uses import Uses


class Placed(Uses):
    """Follows which lists of known length hold arrays: a loop that fills such a list is written out."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.with_arrays: set[str] = set()

    def let(self, target: str, value: Expr | None) -> None:
        has_arrays = value is not None and self.has_arrays(value)
        super().let(target, value)
        (self.with_arrays.add if has_arrays else self.with_arrays.discard)(target)

    def stored(self, name: str, expr: Expr) -> Var:
        is_array = self.is_array(expr)
        result = super().stored(name, expr)
        (self.arrays.add if is_array else self.arrays.discard)(name)
        return result

    def has_arrays(self, expr: Expr) -> bool:
        """Whether an expression is a list or a tuple of which an element surely is an array."""
        if isinstance(expr, Tuple):
            return any(map(self.is_array, expr.items))
        return isinstance(expr, Var) and expr.name in self.with_arrays

    def is_array(self, expr: Expr) -> bool:
        match expr:
            case Call(operator.getitem, (Var(name), Const())) if name in self.with_arrays:
                return True
        return super().is_array(expr)

    def attribute(self, base: Expr, name: str) -> Expr:
        key = tuple_order.item_by(name, base, self.type_of(base))
        return super().attribute(base, name) if key is None else key

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        if fn in tuple_order.ORDERS and args and (found := tuple_order.of_tuples(self, fn, args, dict(kwargs))):
            return found
        return super().of_structure(fn, args, kwargs)
