"""Objects of the user's classes: their attributes, methods and operators, and objects made while inlining; part of
`inline`.

An object that is made inside has a variable for each attribute. It exists in the compiler only: its methods become
statements on these variables.
"""

from __future__ import annotations

import collections
import dataclasses
import types
from typing import TYPE_CHECKING, Any

from srcad import library
from srcad.lang.types import TupleType
from srcad.library.containers import Deque
from srcad.library.counts import Counts
from srcad.library.sets import CONTAINERS, Members
from srcad.library.tables import DefaultGroups, DefaultTable
from srcad.lang.forms import REFUSED, constant, is_python, is_state
from srcad.lang.ir import Attr, Const, Expr, Store, Tuple, Var, hint
from srcad.lang.refusals import BUILTINS, CLASSES, full_name, missing_attribute, unsupported_phrase
from srcad.runtime.marks import with_attributes
from srcad.transforms import callers, class_values, distributions, fields, housed, identities, inner_objects, outside
from srcad.transforms.calls import presence, users
from srcad.transforms.learnt import Learnt, OnceMore
from srcad.transforms.values import Choice, Held, Object, Partial, Super, class_of, is_static, is_text, lookup

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords

_HOOKS = ("__getattribute__", "__getattr__", "__setattr__", "__new__")
_OWN = {collections.deque: Deque, collections.Counter: Counts, set: Members, frozenset: Members}


def called(cls: type) -> str:
    return cls.called if cls in CONTAINERS else cls.__name__  # type: ignore[attr-defined]


class CachedChanged(OnceMore):
    """Met while inlining: an object with a cached property is changed."""

    def __init__(self, cls: type):
        self.cls = cls

    def teach(self, learnt: Learnt) -> None:
        learnt.caching.add(self.cls)


# ---------------------------------------------------------------- attributes


def attribute(c: Callees, base: Const, name: str) -> Expr:
    """``base.name`` of what is known: an object made inside, or one of the surroundings."""
    held = base.value
    if isinstance(held, Object) and name in held.fields:
        return c.holding(held.fields[name])
    if (given := outside.attribute(c, base, name)) is not None:
        return given
    if isinstance(held, Super):
        order = held.kind.__mro__
        found = lookup(order[order.index(held.cls) + 1:], name)
        return _bound(c, held.self, held.kind, *found) if found else _missing(c, f"super of {held.cls.__name__}", name)
    if isinstance(held, Object):
        if name == "__class__":
            return Const(held.cls)
        found = lookup(held.cls.__mro__, name)
        if found and type(found[0]).__name__ == "cached_property":
            return _cached(c, base, name, found[0].func)
        return _bound(c, base, held.cls, *found) if found else _missing(c, called(held.cls), name)
    if isinstance(held, Held):
        return distributions.method(held, name)
    if isinstance(held, Partial):
        what = "what functools.partial, type(x) or a method gives"
        return c.refuse(f"the attribute {name!r} of {what} is not supported", "the value itself", name)
    if is_state(held, name):
        return Attr(base, name)
    try:
        return constant(getattr(held, name), name)
    except AttributeError:
        return c.refuse(*missing_attribute(held, name))


def _cached(c: Callees, base: Const, name: str, fn: Any) -> Expr:
    """A cached property: an object that is changed keeps what it computed before."""
    made = base.value
    c.cached.add(made.cls)  # type: ignore[union-attr]
    _check_cached(c, made.cls)  # type: ignore[union-attr]
    if made.cls not in c.caching:  # type: ignore[union-attr]
        return c.invoke(fn, (base,), ())
    if c.depth:
        what = f"the cached property {name!r} of an object that is changed, read first in a loop or branch,"
        return c.refuse(f"{what} is not supported", f"{name} read before, or a property", name)
    set_field(c, made, name, c.invoke(fn, (base,), ()))  # type: ignore[arg-type]
    return c.holding(made.fields[name])  # type: ignore[union-attr]


def _check_cached(c: Callees, cls: type) -> None:
    """Once more, if objects of a class are changed, and a cached property of them is read."""
    if cls in c.altered and cls in c.cached and cls not in c.caching:
        raise CachedChanged(cls)


def _missing(c: Callees, what: str, name: str) -> Expr:
    return c.refuse(f"{what} has no attribute {name!r}", "an attribute that it has")


def _bound(c: Callees, owner: Expr, cls: type, member: Any) -> Expr:
    """A member of a class, or of one that it is derived from, as an attribute of an object."""
    if isinstance(member, property) and member.fget is not None:
        return c.invoke(member.fget, (owner,), ())
    if type(member).__name__ == "cached_property":
        return c.invoke(member.func, (owner,), ())
    if isinstance(member, staticmethod):
        return Const(member.__func__)
    if isinstance(member, classmethod):
        return Const(Partial(member.__func__, (Const(cls),)))
    if isinstance(member, types.FunctionType) or is_python(member):
        return Const(Partial(member, (owner,)))
    return constant(member, "c")


def assign(c: Callees, base: Expr, name: str, value: Expr) -> None:
    """``base.name = value``"""
    if REFUSED in (base, value):
        return
    held = base.value if isinstance(base, Const) else None
    if isinstance(base, Const) and outside.assigned(c, base, name, value):
        return
    if isinstance(held, Choice):
        c.either(held, lambda each: assign(c, each, name, value) or Const(None))  # type: ignore[func-returns-value]
        return
    remedy = callers.remedy(c)  # type: ignore[arg-type]
    if isinstance(base, Var) and base.name not in c.valued and c.problems:
        return  # what it was to hold is refused already
    if not isinstance(held, Object) and name in ("real", "imag"):
        c.changes += 1
        return c.emit(Store(c.named(Attr(base, name)), Const(...), value, c.origin))
    if not isinstance(held, Object) or held.cls in c.copied and id(held) not in c.making:
        form = getattr(c.type_of(base), "form", None) if held is None else None  # type: ignore[attr-defined]
        housed.may_change(c.housed, held.cls if isinstance(held, Object) else form and form.cls)
    if not isinstance(held, Object):
        callers.may_change(c, callers.kind_of(c, base))  # type: ignore[arg-type]
        if callers.may_be_any(c, base):  # type: ignore[arg-type]
            c.changes += 1
            return
        if name == "shape" and isinstance(base, Var):
            remedy = f"{hint(base.name)} = {hint(base.name)}.reshape({_shown(value)})"
        c.refuse(f"assigning to the attribute {name!r} is not supported", remedy, name)
        if isinstance(base, Const):
            outside.needed(held, name, c.problems[-1])
        return
    class_values.check(c, held, name)
    member = lookup(held.cls.__mro__, name)
    if member and isinstance(member[0], property) and member[0].fset is not None:
        c.invoke(member[0].fset, (base, value), ())
    elif member and hasattr(type(member[0]), "__set__") and not isinstance(member[0], types.MemberDescriptorType):
        c.refuse(f"assigning to the property {name!r} is not supported", remedy, name)
    elif is_static(value) and name in held.fields and c.holding(held.fields[name]) == value:
        pass  # as after ``a.b += c`` with a method that changes what `a.b` is
    elif held.cls in c.copied and id(held) not in c.making:
        callers.may_be_of(c, held.cls)  # type: ignore[arg-type]
        if held.cls in c.identities.carried:
            identities.tell(c, (held,))
        c.refuse(f"changing the object, of which a loop carries copies, in {name!r} is not supported",
                 f"a new {held.cls.__name__} with the other {name}", name)  # fmt: skip
    elif is_static(value) and c.depth and not is_text(value) and not inner_objects.may_be_given(c, held, name, value):
        _refuse_static(c, name, value)
    else:
        if id(held) not in c.making:
            c.altered.add(held.cls)
            _check_cached(c, held.cls)
        set_field(c, held, name, value)


def _refuse_static(c: Callees, name: str, value: Expr) -> None:
    """Refuse to set an attribute on one path to what is known while the function is read."""
    what, remedy = "a function or object", "it set once, before"
    inside = presence(value)[1]
    if inside is not value and inside is not None and not is_static(inside):
        what, remedy = "what may be None", f"a value of its own: {name} = p.copy(), or 1.0 * p, where p is not None"
    c.refuse(f"setting {name!r} to {what} in a loop or branch is not supported", remedy, name)


def _shown(shape: Expr) -> str:
    """A shape as an argument, as far as it is short."""
    items = shape.items if isinstance(shape, Tuple) else (shape,)
    shown = [hint(each.name) if isinstance(each, Var) else str(each.value) if isinstance(each, Const) else "..."
             for each in items]  # fmt: skip
    return ", ".join(shown)


def field(c: Callees, base: Expr, name: str) -> Var | None:
    """The variable for an attribute of an object that was made inside."""
    held: Expr | None = c.frame.meaning(base.name) if isinstance(base, Var) else base
    held = c.static.get(held.name) if isinstance(held, Var) else held
    made = held.value if isinstance(held, Const) else None
    return made.fields.get(name) if isinstance(made, Object) and made.cls not in c.copied else None


def set_field(c: Callees, made: Object, name: str, value: Expr) -> None:
    if housed.write(c, made, name, value):  # type: ignore[arg-type]
        return
    if name not in made.fields and inner_objects.begin(c, made, name, value):
        return
    c.let(made.fields[name].name, value)
    identities.spread(c, made, name, value)


# ---------------------------------------------------------------- making objects


def makes_object(fn: Any) -> bool:
    """Whether a callable makes objects that are known to the compiler: a class of the user's, for one."""
    makers = (with_attributes, collections.defaultdict, collections.OrderedDict)
    if fn in makers or fn in _OWN or fn in CONTAINERS or library.own_class(fn):
        return True
    if not isinstance(fn, type) or library.find(fn) is not None:
        return False
    return users(fn) and not issubclass(fn, (BaseException, tuple, int, float, str, complex))


def hooks_of(cls: type) -> list[str]:
    """The methods of a class that change what attributes mean; those of a frozen dataclass, too."""
    return [hook for hook in _HOOKS if any(hook in vars(base) for base in cls.__mro__[:-1])]


def make(c: Callees, cls: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """``cls(...)``"""
    made = _make(c, cls, args, kwargs)
    if isinstance(made, Const) and isinstance(made.value, Object):
        identities.born(c, made.value)
    return made


def _make(c: Callees, cls: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    if cls is with_attributes:
        return changed(c, args[0], kwargs)
    if cls is collections.OrderedDict:
        return c.invoke(dict, args, kwargs)
    if cls is collections.defaultdict and len(args) == 1 and not kwargs:
        if args[0] == Const(list):
            return c.of_lists() or c.new_table(DefaultGroups)  # type: ignore[attr-defined]
        cls = DefaultTable
    cls = _OWN.get(cls) or library.own_class(cls) or cls
    if cls is types.SimpleNamespace and not args:
        return fields.filled_with(c, _born(c, cls), dict(kwargs))
    hooks = hooks_of(cls)
    frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    if frozen and hooks == ["__setattr__"]:
        hooks = []
    if (full := full_name(cls)) in CLASSES:
        return c.refuse(f"{full} is not supported", CLASSES[full], cls.__name__)
    if hooks:
        return c.refuse(f"an object of {cls.__name__}, which has {hooks[0]}, cannot be made here",
                        "a class without it", cls.__name__)  # fmt: skip
    made = _born(c, cls)
    class_values.begin(c, made.value)
    init = lookup(cls.__mro__[:-1], "__init__")
    if dataclasses.is_dataclass(cls) and init and init[0].__code__.co_filename == "<string>":
        return fields.filled(c, made, cls, args, kwargs)
    if init is None:
        if args or kwargs:
            return c.refuse(f"{cls.__name__}() takes no arguments", f"{cls.__name__}()", cls.__name__)
        return made
    c.making.add(id(made.value))
    result = c.invoke(init[0], (made, *args), kwargs)
    c.making.discard(id(made.value))
    return REFUSED if result is REFUSED else made


def _born(c: Callees, cls: type) -> Const:
    """An object without attributes, which is made by the present statement."""
    made = Object(cls)
    c.housed.places[id(made)] = c.origin
    c.housed.born[id(made)] = made, c.out
    return Const(made)


def changed(c: Callees, owner: Expr, values: Keywords) -> Expr:
    """An object like one of the surroundings, whose attributes have other values."""
    assert isinstance(owner, Const)
    made = Object(type(owner.value))
    slots = [name for cls in made.cls.__mro__ for name in getattr(cls, "__slots__", ())]
    held = {name: getattr(owner.value, name) for name in (*getattr(owner.value, "__dict__", ()), *slots)}
    for name, value in {**{name: constant(each, name) for name, each in held.items()}, **dict(values)}.items():
        set_field(c, made, name, value)
    class_values.begin(c, made)
    return Const(made)


def super_of(c: Callees, args: tuple[Expr, ...]) -> Expr:
    """``super()``"""
    match args:
        case (Const(value=type() as cls), Const() as owner) if is_static(owner):
            return Const(Super(cls, owner, class_of(owner)))
        case (Const(value=type() as cls), owner) if isinstance(found := c.type_of(owner), TupleType):  # type: ignore
            return Const(Super(cls, c.kept(owner), found.form.cls))
    return c.refuse(*unsupported_phrase(BUILTINS[super]), "super")
