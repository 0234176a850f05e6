"""Loops over structures whose elements are known, which are written out; part of `inline`."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING

from srcad.lang import walk
from srcad.lang.forms import LocalFunction
from srcad.lang.ir import Attr, Block, Call, Const, Expr, For, Let, Stmt, Store, Tuple, Var, hint
from srcad.lang.lists import COUNTING, element_of
from srcad.lang.types import TUPLE, TupleType, Type
from srcad.transforms.objects import field

if TYPE_CHECKING:
    from srcad.transforms.iterations import Iterations


def over_structure(c: Iterations, stmt: For) -> bool:
    """Whether a loop counts the elements of a structure, or picks them by its index."""
    if any(isinstance(e, Call) and e.fn in COUNTING and _has_items(c, e.args[0]) for e in walk.subexprs(stmt.stop)):
        return True
    if changes_parts(c, stmt) or makes_keys(stmt):
        return True
    inner = list(walk.statements(stmt.body))
    exprs = (e for s in inner for whole in walk.stmt_exprs(s) for e in walk.subexprs(whole))
    return any(isinstance(e, Call) and (e.fn is operator.getitem or e.fn is element_of) and c.holds(e.args[0])
               and stmt.index in walk.names(e.args[1]) for e in exprs)  # fmt: skip


def changes_parts(c: Iterations, stmt: For) -> bool:
    """Whether a loop puts something, by its index, into a structure that is an attribute or into a list of arrays."""
    inner = list(walk.statements(stmt.body))
    named = {s.target: s.value for s in inner if isinstance(s, Let)}
    stores = [s.base for s in inner if isinstance(s, Store) and stmt.index in walk.names(s.index)]
    bases = [base for base in stores if isinstance(base, Var)]
    return any(_is_of_object(c, named.get(base.name, base)) or _has_arrays(c, base) for base in bases)


def makes_keys(stmt: For) -> bool:
    """Whether a loop makes texts of its index that are keys of dicts."""
    inner = list(walk.statements(stmt.body))
    named = {s.target: s.value for s in inner if isinstance(s, Let)}
    return any(stmt.index in walk.names(key) for key in _keys(inner, named))


def begun_anew(c: Iterations, body: Block) -> list[str]:
    """The names of tuples that an iteration gives something else before anything reads them."""
    found: dict[str, None] = {}
    mentioned: set[str] = set()
    for stmt in body:
        mentioned |= _mentioned((stmt,))
        if isinstance(stmt, Let) and stmt.target not in mentioned:
            found[c.frame.target(stmt.target)] = None
        mentioned |= walk.assigned((stmt,))
    held = {name: c.types[name] for name in found if name in c.types}
    return [name for name, type in held.items() if isinstance(type, TupleType) and issubclass(type.form.cls, tuple)]


def _mentioned(block: Block) -> set[str]:
    """The names that statements mention, also in comprehensions and other functions."""
    wholes = [e for inner in walk.statements(block) for e in walk.stmt_exprs(inner)]
    inside = [e.value.function for whole in wholes for e in walk.subexprs(whole)
              if isinstance(e, Const) and isinstance(e.value, LocalFunction)]  # fmt: skip
    return set().union(*map(walk.names, wholes), *(_mentioned(function.body) for function in inside))


def _keys(inner: list[Stmt], named: dict[str, Expr]) -> Iterator[Expr]:
    """The texts, made where the loop is, that are the keys of dicts."""
    for stmt in inner:
        found = [e.args[1] for whole in walk.stmt_exprs(stmt) for e in walk.subexprs(whole)
                 if isinstance(e, Call) and e.fn is operator.getitem]  # fmt: skip
        for key in (*found, *((stmt.index,) if isinstance(stmt, Store) else ())):
            key = named.get(key.name, key) if isinstance(key, Var) else key
            if any(isinstance(e, Const) and isinstance(e.value, str) for e in walk.subexprs(key)):
                yield key


def _has_items(c: Iterations, expr: Expr) -> bool:
    """Whether a name that is yet to be looked up holds a structure or single objects, as many as are known."""
    meaning = c.frame.meaning(expr.name) if isinstance(expr, Var) else expr
    return isinstance(meaning, Var) and isinstance(c.static.get(meaning.name), Tuple) or c.holds(expr)


def _has_arrays(c: Iterations, base: Var) -> bool:
    """Whether a name that is yet to be looked up holds a list of arrays."""
    meaning = c.frame.meaning(base.name)
    return isinstance(meaning, Var) and meaning.name in c.with_arrays


def _is_of_object(c: Iterations, base: Expr) -> bool:
    """Whether something is an attribute, of an object that is made inside, that holds a structure."""
    held = field(c, base.value, base.name) if isinstance(base, Attr) else None
    return held is not None and isinstance(c.type_of(held), TupleType)


def other_elements(name: str, before: Type, after: Type | None) -> str:
    """What to write where a loop gives a structure other elements."""
    if isinstance(before, TupleType) and before.form == TUPLE:
        longer = isinstance(after, TupleType) and len(after.items) > len(before.items)
        return f"a list: {hint(name)} = [], {hint(name)}.append(...)" if longer else f"a list in place of {hint(name)}"
    return "the same keys, or the same number of elements, in every iteration"


def most_of(stop: Expr) -> Const | None:
    """The most iterations of a loop over several things at once, if one of them has a known number of items."""
    known = [arg for arg in stop.args if isinstance(arg, Const)] if isinstance(stop, Call) and stop.fn is min else []
    return min(known, key=lambda arg: arg.value) if known else None


def trips_of(start: Expr, stop: Expr, step: Expr) -> range | None:
    """The iterations of a loop, if they are known."""
    match start, stop, step:
        case Const(value=int() as a), Const(value=int() as b), Const(value=int() as c):
            return range(a, b, c)
    return None
