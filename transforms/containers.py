"""Dicts and lists that a function makes and changes; part of `inline`.

A structure whose elements are known is a value: changing it gives its name another one. That is the same as changing
it in place as long as no other name or structure holds it, so only those may be changed that the function has made and
that nothing else has been given.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from typing import Any

from srcad.lang.forms import REFUSED
from srcad.lang.ir import Block, Call, Const, Expr, Function, Stmt, Tuple, Var, element_at, entry, hint, select
from srcad.lang.lists import element_of
from srcad.lang.structure import LIST, form_of_class
from srcad.lang.types import UNKNOWN, Form, TupleType, Type
from srcad.transforms.assign import CHANGES
from srcad.transforms.callees import Keywords
from srcad.transforms.frames import Objects
from srcad.transforms.order import is_inplace
from srcad.transforms.outlines import is_mutable
from srcad.transforms.values import is_static
from srcad.transforms.viewed import Viewed

_TEMPORARY = ("t", "values", "xs", "items")  # what values of expressions are called
_PARTS = (operator.getitem, element_at, element_of)


class Grows(Exception):
    """Met while inlining a loop or a branch: a list from before it becomes longer or shorter, which nobody foresaw."""

    def __init__(self, name: str, sample: Type, formed: bool = False):
        self.name, self.sample = name, sample
        self.formed = formed  # whether it was foreseen, but not what becomes of it


class Containers(Viewed):
    """Changes structures; `owned` has the names that alone hold the structure that they hold."""

    def __init__(self, fn: Function, original: Any):
        super().__init__(fn, original)
        self.owned: set[str] = set()
        self.lent: set[str] = set()  # the names of structures that others hold, too
        self.touched: set[str] = set()  # the names that have been changed
        self.outside: set[str] = set()  # the lists from before the loop or branch around
        self.short = False  # whether the loop around can be written out
        self.further: set[str] = set()  # those of them from before the one around that
        self.walled: set[str] = set()  # the lists and dicts that belong to the callers of a recursive function

    def let(self, target: str, value: Expr | None) -> None:
        fresh = value is not None and self.is_new(value)
        self.hand_on(value)
        super().let(target, value)
        self.owned.discard(target)
        if fresh and is_mutable(self.types.get(target)):
            self.owned.add(target)

    def is_new(self, value: Expr) -> bool:
        """Whether a structure has been made just now, so that nothing else holds it."""
        if isinstance(value, Call) and value.fn is select:
            return all(map(self.is_new, value.args[1:]))
        return not isinstance(value, (Var, Const)) and not (isinstance(value, Call) and value.fn in _PARTS)

    def hand_on(self, value: Expr | None) -> None:
        """Know that something else than their names holds the structures that a value holds on to."""
        handed_on = set(self.handed_on(value))
        self.owned -= handed_on
        self.lent |= {name for name in handed_on if hint(name) not in _TEMPORARY}

    def handed_on(self, value: Expr | None) -> Iterator[str]:
        """The names of structures that a value holds on to."""
        match value:
            case Var(name) if is_mutable(self.types.get(name)):
                yield name
            case Tuple(items):
                for item in items:
                    yield from self.handed_on(item)
            case Call(fn, args, kwargs):
                holds = fn is select or fn is entry or form_of_class(fn) is not None
                for arg in (*args, *(each for _, each in kwargs)):
                    if holds or isinstance(arg, (Tuple, Call)):
                        yield from self.handed_on(arg)

    def repeated(self, body: Block, then: Callable[[], None] = lambda: None) -> Block:
        before, outside, self.touched = set(self.owned), self.touched, set()
        result = super().repeated(body, then)
        for name in sorted(before & self.touched - self.owned):
            self.traded(name, body)
        self.touched |= outside
        self.owned &= before
        return result

    def paths(self, *works: Callable[[], Any]) -> list[tuple[list[Stmt], Any]]:
        before, ends = set(self.owned), []

        def tracked(work: Callable[[], Any]) -> Any:
            self.owned = set(before)
            result = work()
            ends.append(self.owned)
            return result

        found = super().paths(*(functools.partial(tracked, work) for work in works))
        self.owned = set.intersection(*ends)
        return found

    def under(self, test: Expr, work: Callable[[], None]) -> None:
        before = set(self.owned)
        super().under(test, work)
        self.owned &= before

    def shared(self, name: str) -> None:
        """Refuse a change that another name would see."""
        self.refuse(f"{hint(name)} is changed, and something else holds it, too, or the caller made it",
                    f"a copy: {hint(name)} = {_copy(self.types.get(name))}({hint(name)})", hint(name))  # fmt: skip

    def beyond(self, name: str) -> None:
        """Refuse a change that a recursive function makes to what its callers hold."""
        what = f"a function that calls itself and changes {hint(name)}, which belongs to its caller,"
        remedy = "the values returned, or a loop that fills an array: t = np.zeros(n), t[k] = ..."
        self.refuse(f"{what} is not supported", remedy, hint(name))

    def apart(self, work: Callable[[], Expr]) -> tuple[list[Stmt], Expr]:
        changeable = {name for name, type in self.types.items() if self.is_changeable(type)}
        before, self.walled = self.walled, changeable | self.static.keys()
        found = super().apart(work)
        self.walled = before
        return found

    def is_changeable(self, type: Type) -> bool:
        return is_mutable(type)

    # ------------------------------------------------------------ changes

    def put(self, place: Expr, key: Expr, value: Expr) -> bool:
        """``place[key] = value`` of a structure; False: it is no structure."""
        found = self.type_of(place)
        if not isinstance(found, TupleType):
            return False
        if not is_mutable(found) or not isinstance(place, Var):
            self.refuse(f"a store into a {found.form.cls.__name__} is not supported", "a list or an array")
        elif not isinstance(key, Const):
            self.refuse("a store at an index or a key that is not known at compile time", "an array, or a constant")
        elif value is not REFUSED:
            self.put_known(place.name, found, key.value, self.taken_out(place, key, value))
        return True

    def taken_out(self, place: Expr, key: Expr, value: Expr) -> Expr:
        """What ``place[key] += e`` stores: the element, which is changed in place if it is an array."""
        match value:
            case Call(fn, (old, amount)) if is_inplace(fn) and old == Call(operator.getitem, (place, key)):
                element = self.fresh("t")
                self.let(element, old)
                if (extended := self.of_structure(fn, (Var(element), amount), ())) == Var(element):
                    return extended  # type: ignore[return-value]
                self.let(element, Call(fn, (Var(element), amount)))
                return Var(element)
        return value

    def put_known(self, name: str, found: TupleType, key: Any, value: Expr) -> None:
        parts = list(self.elements(Var(name)) or ())
        keys = list(found.form.keys)
        if found.form.cls is dict and key not in keys:
            keys.append(key)
            parts.append(value)
        elif found.form.cls is dict:
            parts[keys.index(key)] = value
        elif isinstance(key, int) and -len(parts) <= key < len(parts):
            parts[key] = value
        else:
            reason = f"index {key} of a list of {len(parts)} is not supported"
            self.refuse(reason, f"an index below {len(parts)}", hint(name))
        self.change(name, tuple(parts), Form(found.form.cls, tuple(keys)))

    def change(self, name: str, parts: tuple[Expr, ...], form: Form) -> None:
        """Give a name the structure that it holds after a change."""
        if name in self.walled:
            return self.beyond(name)
        if name not in self.owned:
            return self.shared(name)
        if form.cls is list and name in self.outside and len(parts) != len(self.elements(Var(name)) or ()):
            if parts and is_static(parts[-1]):
                return self.add_objects(name)
            raise Grows(name, self.type_of(parts[-1]) if parts else UNKNOWN)
        after = Tuple(parts, TupleType(tuple(map(self.type_of, parts)), form))
        self.as_change(name, form, lambda: self.let(name, after))
        self.owned.add(name)
        self.touched.add(name)
        self.bound.add(name)
        self.changes += 1

    def add_objects(self, name: str) -> None:
        """In a loop or a branch an object is added to a list."""
        if self.short and name not in self.further:
            raise Objects
        if name in self.outside and (sample := self.uniform(name)) is not None:
            raise Grows(name, sample, True)
        what = f"a list of objects or functions, {hint(name)}, that becomes longer in a loop or branch"
        self.refuse(f"{what} of unknown length is not supported", "an array for each of their attributes", hint(name))

    def uniform(self, name: str) -> Type | None:
        """What the objects of a list are made of, if that is the same."""
        raise NotImplementedError

    def method(self, name: str, found: TupleType, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
        base = args[0]
        if name == "sort" and found.form.cls is list:
            return self.refuse("sort of a list is not supported here", "np.sort(np.array(xs))", name)
        if name not in CHANGES or found.form.named or not isinstance(base, Var):
            return super().method(name, found, args, kwargs)
        parts = self.elements(base) or ()
        if found.form.cls is dict:
            return self.of_dict(name, base.name, found, args, kwargs)
        if name == "extend" and len(args) == 2 and self.iterated(args[1]) is None:
            return self.extend(base, args[1])
        if name in ("pop", "__delitem__") and parts and all(isinstance(arg, Const) for arg in args[1:]):
            return self.popped(base.name, found, parts, args[1].value if len(args) > 1 else -1)  # type: ignore
        after = self.after(name, parts, args[1:])
        if after is None:
            return self.refuse(f"{name} of a list is not supported here", "an array", name)
        self.change(base.name, after, found.form)
        return Const(None)

    def after(self, name: str, parts: tuple[Expr, ...], args: tuple[Expr, ...]) -> tuple[Expr, ...] | None:
        """The elements of a list after a change."""
        match name, args:
            case "append", (value,):
                return (*parts, self.added(value))
            case "extend", (values,):
                return None if (more := self.iterated(values)) is None else (*parts, *more)
            case "insert", (Const(value=int() as place), value):
                return (*parts[:place], self.added(value), *parts[place:])
            case "reverse", ():
                return parts[::-1]
            case "clear", ():
                return ()
        return None

    def added(self, value: Expr) -> Expr:
        """What a list gets, under a name; of a list or dict that is made there, only the list knows."""
        if not is_mutable(self.type_of(value)) or not self.is_new(value):
            return self.named(value)
        name = self.fresh("t")
        self.let(name, value)
        return Var(name)

    def extend(self, whole: Expr, values: Expr) -> Expr:
        """``xs.extend(values)`` where the number of values is not known."""
        raise NotImplementedError

    def popped(self, name: str, found: TupleType, parts: tuple[Expr, ...], place: int) -> Expr:
        if not -len(parts) <= place < len(parts):
            reason = f"pop of index {place} of a list of {len(parts)} is not supported"
            return self.refuse(reason, f"an index below {len(parts)}", "pop")
        value = self.fresh("t")
        self.let(value, parts[place])
        place %= len(parts)
        self.change(name, (*parts[:place], *parts[place + 1:]), LIST)
        return self.holding(Var(value))

    def of_dict(self, name: str, target: str, found: TupleType, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
        parts = dict(zip(found.form.keys, self.elements(args[0]) or ()))
        if name in ("pop", "__delitem__", "setdefault") and len(args) > 1 and isinstance(args[1], Const):
            key = args[1].value
            if key in parts:
                value = self.fresh("t")
                self.let(value, parts[key] if name == "setdefault" else parts.pop(key))
                self.change(target, tuple(parts.values()), Form(dict, tuple(parts)))
                return self.holding(Var(value))
            if name in ("pop", "__delitem__") and len(args) == 2:
                keys = ", ".join(map(str, found.form.keys))
                reason = f"the key {key!r} of a dict with the keys {keys} is not supported"
                return self.refuse(reason, "one of its keys", name)
            default = self.named(args[2] if len(args) > 2 else Const(None))
            if name == "setdefault":
                self.change(target, (*parts.values(), default), Form(dict, (*parts, key)))
            return default
        more = self.type_of(args[1]) if len(args) > 1 else None
        if name != "update" or more is not None and not (isinstance(more, TupleType) and more.form.cls is dict):
            return self.refuse(f"{name} of a dict is not supported here", "d[key] = value", name)
        if isinstance(more, TupleType):
            parts.update(zip(more.form.keys, self.elements(args[1]) or ()))
        parts.update(kwargs)
        self.change(target, tuple(parts.values()), Form(dict, tuple(parts)))
        return Const(None)


def _copy(type: Type | None) -> str:
    return type.form.cls.__name__ if isinstance(type, TupleType) else "list"
