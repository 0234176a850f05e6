"""What operators and functions mean for objects: a call of the method that the class has for it; part of `inline`."""

from __future__ import annotations

import enum
import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from srcad import library
from srcad.lang.forms import REFUSED, is_data, is_python, listed, star
from srcad.lang.ir import Call, Const, Expr, Slice, Tuple, Var, or_
from srcad.lang.lists import element_of
from srcad.lang.refusals import BUILTINS, unsupported_phrase
from srcad.lang.types import TupleType
from srcad.library.arrays import Arrays
from srcad.library.containers import Deque
from srcad.library.lists import added
from srcad.library.row_store import Store
from srcad.library.rows import Row, Rows
from srcad.library.sets import CONTAINERS, Members
from srcad.library.tables import GroupItems, GroupValues, Keyed
from srcad.transforms import endless, enumerations, housed, identities, nones, over_objects
from srcad.transforms.attributes import by_name
from srcad.transforms.calls import folded, users
from srcad.transforms.compared import by_fields
from srcad.transforms.keys_of_dicts import as_key
from srcad.transforms.objects import called
from srcad.transforms.special_methods import (
    asked_for_calls, candidates, class_as_value, class_of_grown, end_of_constructors, is_generated, refuse_kind_of_set,
    with_kinds,
)  # fmt: skip
from srcad.transforms.values import Choice, Closure, Object, class_of, lookup, may_be_one, seen_class

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords

_UNORDERED = (sorted, min, max, sum, any, all)  # what the order of a set is nothing to
_TAKING = (*_UNORDERED, list, tuple)  # what goes over an object once
_IDENTITY = {operator.eq: operator.is_, operator.ne: operator.is_not}  # what these mean without an ``__eq__``
_BUILTIN = frozenset((list, tuple, dict, set))
_ITERATING = ("builtins", "itertools", "functools")
_LISTS = (Rows, Arrays)
_OF_ITEMS = (operator.getitem, operator.setitem, operator.delitem)  # what a list itself says, whatever its items are
_BY_PLACE = (Deque, Row, Rows, Arrays, GroupValues, GroupItems)  # what loops take by places
_CONTAINERS = {cls.__module__ for cls in (Members, Keyed, Store, Rows, Arrays)}


def call_method(c: Callees, value: Expr) -> Any:
    """The function behind calls of a structure, such as a named tuple; None where there is none."""
    cls = type(value.value) if isinstance(value, Const) and is_data(value.value) else None
    if isinstance(found := c.type_of(value), TupleType):  # type: ignore[attr-defined]
        cls = found.form.cls
    found = lookup(cls.__mro__, "__call__") if cls is not None and users(cls) else None
    return found[0] if found and is_python(found[0]) else None


def _next(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr:
    """``next(it)`` of a generator without an end, which is a function here."""
    steps = args[0].value if isinstance(args[0], Const) else None
    return c.invoke(steps, (), ()) if isinstance(steps, Closure) else c.refuse(*unsupported_phrase(BUILTINS[next]))


def _length(c: Callees, fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """``len`` of what has no end; None: of anything else."""
    if not endless.is_steps(args[0]):
        return None
    return c.refuse("going over a generator without an end here is not supported", endless.REMEDY)


_ASKING: dict[Any, Callable[..., Expr | None]] = {
    getattr: by_name, hasattr: by_name, next: _next, len: _length, type: lambda c, fn, args: class_as_value(c, args[0]),
    callable: lambda c, fn, args: asked_for_calls(c, args[0]),
}  # fmt: skip


def _in_general(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """What is said of sums, members of enumerations, None, types and constructors, whatever else they are given."""
    return (_sum(c, fn, args, kwargs) or enumerations.operation(c, fn, args) or nones.of_none(c, fn, args) or
            with_kinds(c, fn, args, kwargs) or end_of_constructors(c, fn, args, kwargs))  # type: ignore[arg-type]  # fmt: skip


def operator_method(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords = ()) -> Expr | None:
    """What an operator or builtin means for an object: a call of the method that its class has for it."""
    if fn is isinstance and len(args) == 2 and (answer := _is_of(c, *args)) is not None:
        return answer
    if fn in _ASKING and (found := _ASKING[fn](c, fn, args)) is not None:
        return found
    if (found := _in_general(c, fn, args, kwargs)) is not None:
        return found
    if not (owners := [k for k, arg in enumerate(args) if _is_object(arg)]):
        return None
    if fn is operator.contains and (found := _contains(c, args, owners)) is not None:
        return found
    if all(map(enumerations.is_member, (args[k] for k in owners))) and _of_data(fn, args):
        return None
    if fn is element_of and not _has_values(class_of(args[0])):  # type: ignore[arg-type]
        fn = operator.getitem
    if fn in (element_of, star, listed) and (found := over_objects.asked(c, fn, args)) is not None:
        return found
    if fn in _IDENTITY and all(map(_is_itself, args)):
        return c.invoke(_IDENTITY[fn], args, ())
    name = (getattr(fn, "__name__", "") or "").strip("_")
    if name in ("is", "is_not") and (same := identities.same(c, *args)) is not None:
        return same if name == "is" else folded(Call(operator.not_, (same,)))
    if name in ("is", "is_not") and may_be_one(*args):
        identities.tell(c, (arg.value for arg in args if isinstance(arg.value, Object)))  # type: ignore[union-attr]
        reason = "whether two objects are one, of which a loop carries copies, is not known"
        return c.refuse(reason, "a number in each object, compared with ==", "is")
    if name in ("is", "is_not") and (same := housed.same(c, *args)) is not None:  # type: ignore[arg-type]
        return same if name == "is" else folded(Call(operator.not_, (same,)))
    if fn is operator.not_ and isinstance(owner := args[0], Const) and isinstance(owner.value, Object):
        return folded(Call(operator.not_, (truth(c, owner),)))
    first = args[owners[0]]
    plain = getattr(fn, "__module__", "") in ("_operator", "builtins")
    own = not isinstance(first.value, Choice) and class_of(first) in CONTAINERS  # type: ignore[union-attr, arg-type, operator]
    if not (plain or own) or name in ("is", "is_not", "not"):
        return None
    assert isinstance(first, Const)
    if isinstance(first.value, Choice):
        place = owners[0]
        return c.either(first.value, lambda each: c.invoke(fn, (*args[:place], each, *args[place + 1:]), ()))
    if fn is operator.getitem and isinstance(part := args[1], Slice) and lookup(class_of(first).__mro__, "sliced"):
        ends = (end or Const(None) for end in (part.lower, part.upper, part.step))
        return c.invoke(class_of(first).sliced, (first, *ends), ())  # type: ignore[attr-defined]
    if plain and (result := _by_method(c, fn, args, [k for k in owners if k < 2], own)) is not None:
        return result
    if (given := with_values(c, fn, args)) is not None:
        return c.of_structure(fn, given, kwargs) or c.invoke(fn, given, kwargs)
    if own:
        return c.refuse("what depends on the order of a set is not supported", "sorted(...) of it")
    cls = called(class_of(first))
    return c.refuse(f"{cls} has no method for {name!r}", f"a method __{name}__ of {cls}")


def _by_method(c: Callees, fn: Any, args: tuple[Expr, ...], owners: list[int], own: bool) -> Expr | None:
    """As `_by_class`; what a list that is an object has no method for is NumPy's if it meets an array, or refused."""
    cls = class_of(args[owners[0]]) if owners else None  # type: ignore[arg-type]
    if fn in _OF_ITEMS and owners[:1] == [0] and issubclass(cls, Keyed):  # type: ignore[arg-type]
        args = (args[0], as_key(c, args[1]), *args[2:])
    if cls not in _LISTS or fn.__module__ != "_operator":
        return _by_class(c, fn, args, owners, own)
    if fn not in _OF_ITEMS and any(map(c.is_array, args)):  # type: ignore[attr-defined]
        return c.invoke(fn, with_values(c, fn, args) or args, ())
    remedy = "np.array(...) of it, or a loop over its elements"
    return _by_class(c, fn, args, owners, own) or c.refuse(f"an operation on {called(cls)} is not supported", remedy)


def _of_data(fn: Any, args: tuple[Expr, ...]) -> bool:
    """Whether members are keys, or compared with an argument of which nobody knows yet what it is."""
    unknown = fn in _IDENTITY and any(isinstance(arg, Var) for arg in args)
    return unknown or fn in (operator.getitem, operator.contains)


def _contains(c: Callees, args: tuple[Expr, ...], owners: list[int]) -> Expr | None:
    """Whether an object equals an item of a tuple or list, or something equals an item of an object; None: neither."""
    first = args[0]
    if _is_object(first) and not isinstance(first.value, Choice) and users(cls := class_of(first)):  # type: ignore
        if lookup(cls.__mro__, "__iter__") and not lookup(cls.__mro__, "__contains__"):
            return c.invoke(operator.contains, (c.invoke(list, (first,), ()), *args[1:]), ())
    form, items = getattr(c.type_of(args[0]), "form", None), c.elements(args[0])  # type: ignore[attr-defined]
    if owners != [1] or items is None or form is not None and form.cls is dict:
        return None
    tests = (c.invoke(operator.eq, (args[1], item), ()) for item in items)
    nothing: Expr = Const(False)
    return functools.reduce(lambda one, other: folded(Call(or_, (one, other))), tests, nothing)


def _is_itself(value: Expr) -> bool:
    """Whether a value equals itself alone: a member of an enumeration, or an object whose class has no ``__eq__``."""
    if not _is_object(value):
        return value == Const(None)
    held = value.value  # type: ignore[union-attr]
    return not isinstance(held, Choice) and class_of(value).__eq__ is object.__eq__  # type: ignore[arg-type]


def _sum(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """``sum`` of objects whose class has an operator for that; None: of anything else."""
    items = c.iterated(args[0]) if fn is sum else None  # type: ignore[attr-defined]
    total = args[1] if len(args) > 1 else dict(kwargs).get("start", Const(0))
    if fn is sum and items is None and _is_object(total):
        return c.enter_library(added, (args[0], total), (), "sum")
    if not items or not all(map(_is_object, items)):
        return None
    for item in items:
        total = c.invoke(operator.add, (total, item), ())
    return total


def _by_class(c: Callees, fn: Any, args: tuple[Expr, ...], owners: list[int], own: bool) -> Expr | None:
    """A call of the method that the class of an operand has for an operator; None: it has none."""
    name = fn.__name__.strip("_")
    for place in owners:
        owner = args[place]
        if isinstance(owner.value, Choice):  # type: ignore[union-attr]
            continue
        order = class_of(owner).__mro__  # type: ignore[arg-type]
        for candidate, rest in candidates(name, place, args):
            found = lookup(order, f"__{candidate}__")
            if found and is_generated(found[0]):
                return by_fields(c, fn, args)
            if found and (is_python(found[0]) or own):
                return c.invoke(found[0], (owner, *rest), ())
        if fn is operator.ne and (found := lookup(order, "__eq__")) and (is_python(found[0]) or own):
            return folded(Call(operator.not_, (c.invoke(operator.eq, args, ()),)))
    return None


def _is_of(c: Callees, value: Expr, cls: Expr) -> Expr | None:
    """Whether a value is of a class of the user's, or an object of any class; None where types say it."""
    given = cls.items if isinstance(cls, Tuple) else (cls,)
    several: tuple[Any, ...] = tuple(getattr(each, "value", None) for each in given)
    classes = several[0] if len(several) == 1 and isinstance(several[0], tuple) else several
    if not all(isinstance(each, type) for each in classes):
        return None
    if isinstance(value, Const) and isinstance(value.value, Choice):
        return c.either(value.value, lambda each: c.invoke(isinstance, (each, cls), ())) if _is_object(value) else None
    if _is_object(value):
        made = class_of(value)  # type: ignore[arg-type]
        if made is Members and issubclass(set, classes) != issubclass(frozenset, classes):
            return refuse_kind_of_set(c)  # type: ignore[arg-type]
        return Const(issubclass(seen_class(made), classes))
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(isinstance(value.value, classes))
    if (grown := class_of_grown(c, value)) is not None:  # type: ignore[arg-type]
        return Const(issubclass(grown, classes))
    own = tuple(each for each in classes if users(each))
    form = getattr(c.type_of(value), "form", None)  # type: ignore[attr-defined]
    if not own and form is not None:
        return Const(issubclass(form.cls, classes))
    if _BUILTIN.issuperset(classes) and c.is_leaf(value):  # type: ignore[attr-defined]
        return Const(False)
    if not own or isinstance(value, Const) and not is_data(value.value):
        return None
    if isinstance(value, Const):
        return Const(isinstance(value.value, classes))
    if len(own) == len(classes) or form is not None and issubclass(form.cls, own):
        return Const(form is not None and issubclass(form.cls, own))
    others = tuple(Const(each) for each in classes if each not in own)
    return Call(isinstance, (value, others[0] if len(others) == 1 else Tuple(others)))


def with_values(c: Callees, fn: Any, args: tuple[Expr, ...]) -> tuple[Expr, ...] | None:
    """Arguments with lists in the place of dicts, sets and the like that are objects here; None: there are none."""
    if fn in _TAKING and (items := over_objects.iterated(c, args[0])) is not None:
        return (items, *args[1:])
    goes_over = getattr(fn, "__module__", "") in _ITERATING and library.find(fn) is not None  # one array at a time
    own = [_is_container(arg) and not (goes_over and class_of(arg) is Arrays) for arg in args]  # type: ignore[arg-type]
    sets = any(each and class_of(arg) is Members for arg, each in zip(args, own))  # type: ignore[arg-type]
    if not any(own) or sets and fn not in _UNORDERED and not in_containers(c):
        return None
    return tuple(_listed(c, arg) if each else arg for arg, each in zip(args, own))


def _listed(c: Callees, container: Expr) -> Expr:
    """A list of what a loop over a container goes over."""
    if class_of(container) is GroupItems:  # type: ignore[arg-type]
        remedy = "a loop over its keys: for key in sorted(d): values = d[key]"
        return c.refuse("a list of the items of a dict of lists is not supported", remedy)
    return c.invoke(class_of(container).listed, (container,), ())  # type: ignore[arg-type, attr-defined]


def _has_values(cls: type) -> bool:
    """Whether a loop goes over something else than what an index gives."""
    return cls in CONTAINERS and cls not in _BY_PLACE or hasattr(cls, "__iter__")


def _is_container(expr: Expr) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, Object) and expr.value.cls in CONTAINERS


def in_containers(c: Callees) -> bool:
    """Whether a method of such an object is at work."""
    return bool(c.stack) and getattr(c.stack[-1][0], "__module__", "") in _CONTAINERS


def has_items(expr: Expr) -> bool:
    """Whether an expression is an object whose class says what a store by an index means."""
    return _is_object(expr) and lookup(class_of(expr).__mro__, "__setitem__") is not None  # type: ignore[arg-type]


def truth(c: Callees, owner: Const) -> Expr:
    """Whether an object counts as true: its class may say so by a method."""
    if isinstance(owner.value, enum.Enum):
        return Const(bool(owner.value))
    for name in ("__bool__", "__len__"):
        if found := lookup(class_of(owner).__mro__, name):
            result = c.invoke(found[0], (owner,), ())
            return Call(operator.gt, (result, Const(0))) if name == "__len__" else result
    return Const(True)


def _is_object(expr: Expr) -> bool:
    if not isinstance(expr, Const) or expr is REFUSED:
        return False
    held = expr.value
    if isinstance(held, Choice):
        return _is_object(held.then)
    return isinstance(held, Object) or not is_data(held) and users(type(held)) and not callable(held)
