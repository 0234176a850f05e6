"""Assignments, augmented assignments and expression statements; part of `desugar`."""

from __future__ import annotations

import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Union

import gast
import numpy as np

from srcad import library
from srcad.lang import walk
from srcad.lang.forms import REFUSED, Bind, apply, is_python
from srcad.lang.ir import Attr, Call, Const, Effect, Expr, Method, Slice, Store, Tuple, Var
from srcad.lang.left import Left
from srcad.lang.lists import element_of, traded
from srcad.lang.nodes import nodes
from srcad.lang.refusals import instead_of_statement
from srcad.lang.system import as_it_is_then, of_system
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, TupleType
from srcad.library import heaps, in_place
from srcad.runtime import add_at
from srcad.runtime.variable import Variable
from srcad.transforms.attributes import set_by_name
from srcad.transforms.generators import named
from srcad.transforms.heaps import push
from srcad.transforms.outputs import output_of
from srcad.transforms.texts import of_length
from srcad.transforms.trades import trades

if TYPE_CHECKING:
    from srcad.transforms.desugar import Desugarer

INPLACE: dict[type, Any] = {
    gast.Add: operator.iadd, gast.Sub: operator.isub, gast.Mult: operator.imul, gast.Div: operator.itruediv,
    gast.FloorDiv: operator.ifloordiv, gast.Mod: operator.imod, gast.Pow: operator.ipow,
    gast.MatMult: operator.imatmul, gast.LShift: operator.ilshift, gast.RShift: operator.irshift,
    gast.BitAnd: operator.iand, gast.BitOr: operator.ior, gast.BitXor: operator.ixor,
}  # fmt: skip
_ARITHMETIC = frozenset({
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.neg, operator.getitem,
})  # fmt: skip
CHANGES = {
    **dict.fromkeys(("append", "extend", "insert"), "a list that the function makes, or an array and a[i] = ..."),
    **dict.fromkeys(("pop", "remove", "clear"), "a list that the function makes, or an index"), "reverse": "x[::-1]",
    "resize": "a new array", "__delitem__": "a list that the function makes, or an array without the element",
    **dict.fromkeys(("update", "setdefault"), "a dict that the function makes"), "move_to_end": "d[key] = d.pop(key)",
}  # fmt: skip
_BUILTINS = frozenset((len, abs, sum, min, max, sorted, round, float, int, bool, complex, list, tuple, any, all, pow))
_EFFECTS = ("set_", "seterr", "setbuf", "save", "load", "from")
_WRITING = frozenset("byteswap dump fill itemset partition put resize setfield setflags sort tofile".split())
COMPUTING = frozenset(name for name in dir(np.ndarray) if not name.startswith("_")) - _WRITING
Sequence = (gast.Tuple, gast.List)


def assign(d: Desugarer, targets: list[gast.AST], value: gast.AST) -> None:
    """``target = ... = value``"""
    if len(targets) == 1:
        return _parallel(d, _pairs(d, targets[0], value))
    shared = d.named(d.expr(value))
    for target in targets:
        store(d, target, shared)


def _pairs(d: Desugarer, target: gast.AST, value: gast.AST) -> list[tuple[gast.AST, Expr]]:
    """The assignments that make up one whose sides are both displays."""
    if isinstance(target, Sequence) and isinstance(value, Sequence) and not _starred(target) and not _starred(value):
        if len(target.elts) != len(value.elts):
            d.refuse(value, f"{len(value.elts)} values for {len(target.elts)} names", "as many values as names")
            return []
        pairs = [pair for t, v in zip(target.elts, value.elts) for pair in _pairs(d, t, v)]
        return [(t, Call(traded, (v,))) for t, v in pairs] if trades(target, value) else pairs
    if id(value) in d.names.traded:
        return [(target, Call(traded, (d.expr(value),)))]
    if isinstance(target, Sequence) and d.is_lazy(value):
        value = gast.copy_location(gast.Call(named("~tuple", value), [value], []), value)
    unpacked = isinstance(target, Sequence) and not _starred(target)
    return [(target, d.sequence(value) if unpacked else d.expr(value))]


def _starred(node: Union[gast.Tuple, gast.List]) -> bool:
    return any(isinstance(item, gast.Starred) for item in node.elts)


def _parallel(d: Desugarer, pairs: list[tuple[gast.AST, Expr]]) -> None:
    """Assign all values as if at once: a value that an earlier target could change is computed first."""
    last = 0
    written: set[str] = set()
    stores = False
    for position, (target, value) in enumerate(pairs):
        if position and _changed(value, written, stores):
            last = position
        names = {n.id for n in nodes(target) if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
        written |= names
        places = (n for n in nodes(target) if isinstance(n, (gast.Subscript, gast.Attribute)))
        stores |= any(isinstance(n.ctx, gast.Store) for n in places)
    values = []
    for position, (_, value) in enumerate(pairs):
        lasting = not position and isinstance(value, Var) and value.name not in d.shared
        if position < last and any(isinstance(e, (Var, Call)) for e in walk.subexprs(value)) and not lasting:
            value = d.temporary(value)
        elif position == last and position:
            value = d.temporary(value)
        values.append(value)
    for (target, _), value in zip(pairs, values):
        store(d, target, value)


def _changed(value: Expr, names: set[str], stores: bool) -> bool:
    if isinstance(value, Const):
        return False
    hidden = any(isinstance(e, Call) and e.fn is apply for e in walk.subexprs(value))
    return hidden or bool(walk.names(value) & names) or (stores and not isinstance(value, Var))


def store(d: Desugarer, target: gast.AST, value: Expr) -> None:
    """Put a value into a name, an element or several of them."""
    match target:
        case gast.Name(id=name):
            d.let(name, value)
        case gast.Subscript(value=base, slice=index):
            value = value if isinstance(base, gast.Name) else d.named(value)
            place = array(d, target, d.expr(base))
            if place is not None:
                d.emit(Store(place, d.index(index), value, d.origin))
        case gast.Tuple(elts=items) | gast.List(elts=items):
            unpack(d, target, items, value)
        case gast.Attribute(value=base, attr="flat"):
            d.emit(Effect(Call(in_place.assign_flat, (d.expr(base), value)), d.origin))
        case gast.Attribute(value=base, attr=attr):
            d.emit(Effect(Call(setattr, (d.expr(base), Const(attr), value)), d.origin))
        case _:
            raise AssertionError(target)


def array(d: Desugarer, node: gast.AST, base: Expr) -> Expr | None:
    """The array that a store writes into, by name."""
    if base is REFUSED:
        return None
    if isinstance(base, Const):
        what = f"the array {base.name!r} of a global or closure" if base.name else "a value that is no local array"
        d.refuse(node, f"writing into {what} is not supported", "a local copy, or the array passed as an argument")
        return None
    return d.named(base)


def unpack(d: Desugarer, node: gast.AST, targets: list[gast.AST], value: Expr) -> None:
    """``a, b = value``"""
    known = d.known_tuple(value)
    if _starred(node):
        _unpack_rest(d, node, targets, value, known)
        return
    if known is not None and len(known) != len(targets):
        d.refuse(node, f"{len(known)} values for {len(targets)} names", "as many values as names")
        return
    if known is not None and not isinstance(value, Var):
        _parallel(d, list(zip(targets, known)))
        return
    names = {n.id for n in nodes(node) if isinstance(n, gast.Name)}
    if not isinstance(value.value if isinstance(value, Attr) else value, (Var, Const)) or walk.names(value) & names:
        value = d.temporary(value)
    if known is None:
        d.emit(of_length(value, len(targets), d.origin))
    items: list[Expr] = [Call(element_of, (value, Const(position))) for position in range(len(targets))]
    if not all(isinstance(target, gast.Name) for target in targets):  # a store may change what is read after it
        items = [d.temporary(item) for item in items]
    for target, item in zip(targets, items):
        store(d, target, item)


def _unpack_rest(
    d: Desugarer, node: gast.AST, targets: list[gast.AST], value: Expr, known: tuple[Expr, ...] | None
) -> None:
    """``a, *b = value``: the starred name is a list of what the others leave."""
    star = next(k for k, target in enumerate(targets) if isinstance(target, gast.Starred))
    behind = len(targets) - star - 1
    if known is not None and len(known) < star + behind:
        d.refuse(node, f"{len(known)} values for {star + behind} names and a rest", "as many values as names")
        return
    plain = [getattr(target, "value", target) if k == star else target for k, target in enumerate(targets)]
    if known is not None:
        stop = len(known) - behind
        rest = Tuple(known[star:stop], TupleType((UNKNOWN,) * (stop - star), LIST))
        _parallel(d, list(zip(plain, (*known[:star], rest, *known[stop:]))))
        return
    whole = d.temporary(Call(list, (value,)))
    d.emit(of_length(whole, star + behind, d.origin, fewer=True))
    cut = Slice(Const(star), Const(-behind) if behind else None)
    for k, target in enumerate(plain):
        index = cut if k == star else Const(k if k < star else k - len(targets))
        store(d, target, Call(operator.getitem, (whole, index)))


def augment(d: Desugarer, node: gast.AugAssign) -> None:
    """``target += value``"""
    op = INPLACE[type(node.op)]
    match node.target:
        case gast.Name(id=name):
            d.let(name, Call(op, (Var(name), d.expr(node.value))))
        case gast.Subscript(value=base, slice=index):
            place = array(d, node.target, d.expr(base))
            where = settle(d, d.index(index))
            if place is not None:
                old = Call(operator.getitem, (place, where))
                d.emit(Store(place, where, Call(op, (old, d.expr(node.value))), d.origin))
        case gast.Attribute(value=base, attr=attr):
            place = d.expr(base)
            place = place if isinstance(place, Attr) else d.named(place)
            value = Call(op, (Attr(place, attr), d.expr(node.value)))
            d.emit(Effect(Call(setattr, (place, Const(attr), value)), d.origin))
        case _:
            store(d, node.target, d.expr(node.value))


def delete(d: Desugarer, targets: list[gast.AST]) -> None:
    """``del xs[k]``, and ``del xs[i:j]``, which puts nothing in the place of some elements"""
    for target in targets:
        match target:
            case gast.Subscript(slice=gast.Slice(step=None)):
                store(d, target, Tuple((), TupleType((), LIST)))
            case gast.Subscript(value=base, slice=index) if not isinstance(index, gast.Slice):
                d.emit(Effect(Call(Method("__delitem__"), (d.expr(base), d.expr(index))), d.origin))
            case _ if not isinstance(target, gast.Name):
                d.refuse(target, "del of an element or attribute is not supported", "an array without the element")


def settle(d: Desugarer, index: Expr) -> Expr:
    """An index that can be written twice: what is costly or has effects gets a name."""
    match index:
        case Tuple(items):
            return Tuple(tuple(settle(d, item) for item in items))
        case Slice(lower, upper, step):
            return Slice(*(None if part is None else settle(d, part) for part in (lower, upper, step)))
    cheap = all(not isinstance(e, Call) or e.fn in _ARITHMETIC for e in walk.subexprs(index))
    return index if cheap else d.named(index)


# ---------------------------------------------------------------- expression statements


def expression(d: Desugarer, node: gast.AST) -> None:
    """An expression as a statement: only what it does matters."""
    value = set_by_name(d, node) or d.expr(node)
    match value:
        case Call(Left()):
            d.emit(Effect(value, d.origin))
        case Call(fn) if fn in (print, apply, add_at, setattr) or of_system(as_it_is_then(fn)) or is_python(fn):
            d.emit(Effect(value, d.origin))
        case Call(fn) if updates_variable(fn):
            d.emit(Effect(value, d.origin))
        case Call(Bind(name), (bound,)):
            d.let(name, bound)
        case Call(fn, (base, *_)) if _is_at(fn) or fn is operator.setitem:
            place = array(d, node, base)
            if place is not None:
                args = (place, d.index(node.args[1]), *value.args[2:])
                if fn is operator.setitem or fn.__self__ in (np.add, np.subtract):
                    value = replace(value, args=args)
                else:
                    value = Call(in_place.apply_at, (Const(fn.__self__), *args), value.kwargs)
                d.emit(Effect(value, d.origin))
        case Call() if pushed := push(value, d.origin):
            d.out += pushed
        case Call(fn, args, kwargs) if output_of(fn, args, kwargs) or _writes(fn):
            d.emit(Effect(value, d.origin))
        case Call(Method()):  # of an object of the user's, perhaps: `inline` refuses all others
            d.emit(Effect(value, d.origin))
        case Call(fn) if not computes(fn):
            name = getattr(fn, "__name__", str(fn))
            d.refuse(node, f"the statement {name}(...) is not supported", instead_of_statement(fn, name))
        case Call():
            d.let(d.fresh("t"), value)


def updates_variable(fn: Any) -> bool:
    """Whether a callable is a method that gives a `Variable` a new value, or may be one."""
    if isinstance(fn, Method):
        return fn.name in ("assign", "assign_add", "assign_sub")
    return isinstance(getattr(fn, "__self__", None), Variable)


def _writes(fn: Any) -> bool:
    """Whether the library has a function or a method of arrays that writes into its argument."""
    found = library.find(library.method(fn.name) if isinstance(fn, Method) else fn)
    return found is not None and found.__module__ in (in_place.__name__, heaps.__name__)


def _is_at(fn: Any) -> bool:
    """Whether a function is ``np.add.at`` or its like."""
    return isinstance(getattr(fn, "__self__", None), np.ufunc) and fn.__name__ == "at"


def computes(fn: Any) -> bool:
    """Whether all that a call does is to compute a result."""
    module, name = getattr(fn, "__module__", None) or "", getattr(fn, "__name__", "")
    if module.partition(".")[0] in ("numpy", "scipy"):
        return not module.startswith("numpy.random") and not name.startswith(_EFFECTS)
    return isinstance(fn, np.ufunc) or fn in _BUILTINS or module in ("_operator", "math", "cmath", "srcad.lang.ir")
