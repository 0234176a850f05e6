"""What is done with lists that grow, and with lists whose index is not known; part of `inline`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad.lang.forms import REFUSED, apply, is_python
from srcad.lang.ir import Call, Const, Expr, Method, Slice, Var
from srcad.lang.lists import element_of, one_of
from srcad.lang.types import UNKNOWN, TupleType
from srcad.transforms.appends import known_to_be_natural
from srcad.transforms.callees import Keywords
from srcad.transforms.growing import Grown, Growing, Length
from srcad.transforms.order import is_inplace


_REMEDIES = {"sort": "np.sort(np.array(xs))", "reverse": "xs[::-1]", "insert": "append, and xs[::-1]",
             "pop": "pop(), or an index that counts", "remove": "another list, with append"}  # fmt: skip


class Uses(Growing):
    """Says what calls with lists stand for."""

    def of_structure(self, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        lists = [arg for arg in (*args, *(value for _, value in kwargs)) if self.grown(arg)]
        if not lists:
            return self.of_static(fn, args) or super().of_structure(fn, args, kwargs)
        grown = self.grown(args[0]) if args else None
        if grown is not None:
            found = self.of_grown(fn, grown, args)
            if found is not None:
                return found
        if fn is apply or is_python(fn):
            return None
        if isinstance(fn, np.ufunc) or fn in (sum, max, min, any, all) or _of_numpy(fn):
            shown = tuple((name, self.shown(value)) for name, value in kwargs)
            return self.invoke(fn, tuple(map(self.shown, args)), shown)
        name = fn.name if isinstance(fn, Method) else getattr(fn, "__name__", "this")
        what = "an operation on" if getattr(fn, "__module__", "") == "_operator" else f"{name} of"
        return self.refuse(f"{what} a list that grows is not supported", _REMEDIES.get(name, "np.array(xs)"), name)

    def of_grown(self, fn: Any, grown: Grown, args: tuple[Expr, ...]) -> Expr | None:
        match fn, args:
            case _, (_,) if fn is len:
                return self.length(grown)
            case operator.not_, (_,):
                return Call(operator.eq, (self.length(grown), Const(0)))
            case operator.getitem, (_, Slice()):
                return Call(fn, (self.view(grown), args[1]))
            case operator.getitem, (_, index):
                return self.at(grown, self.position(grown, index))
            case _, (_, index) if fn is element_of:
                return self.at(grown, index)
            case Method("append"), (_, value):
                self.append(grown, value)
                return Const(None)
            case Method("extend"), (_, values):
                return self.extend(grown, values)
            case Method("pop"), (_,):
                return self.pop(grown)
            case operator.iadd, (whole, values):
                return whole if self.extend(grown, values) is not REFUSED else REFUSED
        return None

    def of_static(self, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
        """A list or tuple of known length with an index that is not, and one that is repeated."""
        found = self.type_of(args[0]) if args else UNKNOWN
        if not isinstance(found, TupleType) or found.form.keys or len(args) != 2 or not found.items:
            return None
        if fn is operator.getitem and _varies(args[1]) and all(item == UNKNOWN for item in found.items):
            return Call(one_of, args)
        if fn is operator.mul and found.form.cls is list and _varies(args[1]) and len(found.items) == 1:
            count = self.natural_number(args[1])
            grown = self.make("xs", count, found.items[0], ())
            self.set(grown, Const(...), self.elements(args[0])[0], False)  # type: ignore[index]
            self.types[grown.key] = Length(count, count)
            name = self.fresh("t")
            self.types[name] = grown
            return Var(name)
        return None

    def natural_number(self, expr: Expr) -> Expr:
        """A number of elements, which is not negative."""
        if known_to_be_natural(expr, self.natural):
            return expr
        return self.named(Call(max, (expr, Const(0))), "count")

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        grown = self.grown(place)
        if grown is None:
            return super().put(place, key, value)
        match value:
            case Call(fn, (old, amount)) if is_inplace(fn) and old == Call(operator.getitem, (place, key)):
                value = Call(fn, (self.at(grown, self.position(grown, key)), amount))
        self.set(grown, self.position(grown, key), value, True)
        return True


def _varies(index: Expr) -> bool:
    return not isinstance(index, (Const, Slice))


def _of_numpy(fn: Any) -> bool:
    return (getattr(fn, "__module__", None) or "").partition(".")[0] == "numpy"
