"""Lists that functions which call themselves are given and return; part of `inline`.

An array with the elements stands for the list on its way. The callee cannot make it longer or shorter: the list belongs
to the caller. What the callee returns may be changed by who gets it, if it is a list that the callee has made.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad.lang import walk
from srcad.lang.forms import REFUSED, LocalFunction
from srcad.lang.ir import Call, Const, Expr, Let, Method, Return, Slice, Store, Tuple, Var, hint, select
from srcad.lang.structure import LIST
from srcad.lang.types import UNKNOWN, TupleType, Type
from srcad.library.rows import Rows
from srcad.transforms.appends import CHANGING
from srcad.transforms.kept import root
from srcad.transforms.lengths import Row, has_rows, of_numbers
from srcad.transforms.order import assigned
from srcad.transforms.values import class_of_rows

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.handed import Handed


class Changed(Exception):
    """Met while a recursive function is inlined: it makes a list of its caller's longer or shorter."""

    def __init__(self, name: str, sample: Type | None = None):
        self.name, self.sample = name, sample  # of structures that are put into it, one


def opened(c: Handed, met: Changed, names: dict[str, Any]) -> bool:
    """Let a recursive function change one more list, beside others; whether it may."""
    if met.sample is not None:
        c.formed[met.name] = met.sample
    names[met.name] = None
    return all(map(c.open_to_calls, names))  # type: ignore[attr-defined]


def given(c: Handed, template: LocalFunction, name: str, value: Expr, again: bool) -> Expr | None:
    """A list that a recursive function changes, by its name; None: an argument that it does not change as such.

    `again`: the function calls itself here.
    """
    if not _changes(c, template, name):
        return None
    if isinstance(value, Tuple) and value.type != UNKNOWN and value.type.form == LIST and not again:  # type: ignore
        made = c.fresh(name)
        c.let(made, value)
        value = Var(made)
    if not isinstance(value, Var) or not c.may_be_list(value.name):  # type: ignore[attr-defined]
        return None
    return value if not again or value == c.frame.meaning(name) or _of_caller(c, value.name) else None


def _of_caller(c: Handed, name: str) -> bool:
    """Whether a list is one of those that the function was called with."""
    return any(Var(name) in record.known.values() for record in c.records)


def _changes(c: Callees, template: LocalFunction, name: str) -> bool:
    """Whether a function makes a parameter longer or shorter, or puts something at a known place in it."""
    stores = (s for s in walk.statements(c.callee(template).body) if isinstance(s, Store) and s.base == Var(name))
    return _resizes(c, template, name) or any(isinstance(s.index, Const) for s in stores)


def _is_no_list(c: Handed, value: Expr, again: bool) -> bool:
    """Whether a value surely is no list: of what is made inside, it would be known; `again` as for `given`."""
    made = again or isinstance(value, Var) and value.name not in c.given_names
    return (made or c.is_array(value)) and not c.is_any_list(value)


def _resizes(c: Callees, template: LocalFunction, name: str) -> bool:
    """Whether a function makes a parameter longer or shorter, or sorts it: it is a list."""
    calls = _calls(c, template, lambda args: args[:1] == (Var(name),))
    return any(isinstance(e.fn, Method) and e.fn.name in CHANGING for e in calls)


def refuse_rebound(c: Handed, template: LocalFunction, name: str, value: Expr | None, again: bool) -> bool:
    """Refuse to change what may be the caller's list or another one, ``if xs is None: xs = []``; whether it was so.

    What the first caller passes tells arrays from lists, `value`, None for the default; `again` as for `given`.
    """
    body = c.callee(template).body
    if name not in assigned(body) or not _changes(c, template, name):
        return False
    if value is not None and _is_no_list(c, value, again) and not _resizes(c, template, name):
        return False
    met = (stmt for stmt in body if name in walk.mentioned((stmt,)))
    first = next(met, None)
    if isinstance(first, Let) and isinstance(first.value, Call) and first.value.fn is not select:
        return False
    reason = f"a function that calls itself, changes the list {hint(name)} and gives that name another value"
    c.refuse(f"{reason} is not supported", "a list that every caller makes and passes", hint(name))
    return True


def passed(c: Handed, template: LocalFunction, name: str, value: Expr) -> tuple[Row | None, Expr]:
    """The array in the place of a list that is an argument; what is no list, or to be passed as it is, comes back."""
    rows = class_of_rows(value)
    if rows is not None:
        value = c.as_row(c.invoke(rows.listed, (value,), ()))
        if rows is Rows:
            c.nested.add(value.name)
    grown = c.grown(value)
    is_list = grown is not None or c.is_inner_list(value) or getattr(c.type_of(value), "form", None) == LIST
    calls = _calls(c, template, lambda args: args[:1] == (Var(name),))
    if is_list and any(isinstance(e.fn, Method) and e.fn.name in CHANGING for e in calls):
        c.beyond(name)
        return None, REFUSED
    if getattr(getattr(c.type_of(value), "form", None), "cls", None) is dict and _is_stored_to(c, template, name):
        if not isinstance(value, Var):
            c.let(made := c.fresh(name), value)
            value = Var(made)
        if (table := c.static.get(value.name)) is not None:
            return None, table
        c.computed(value.name)  # type: ignore[attr-defined]
        refuse_memo(c, name)
        return None, REFUSED
    if grown is not None and grown.form is not None:
        reason = f"a list of tuples or objects as {hint(name)} of a function that calls itself is not supported"
        return None, c.refuse(reason, "an array for each of their parts", template.function.name)
    if grown is not None:
        return Row(nested=bool(c.nested & {*grown.buffers})), c.kept(c.view(grown))
    if c.is_inner_list(value):
        return standing(c, value), c.kept(value)
    if of_numbers(c.type_of(value)) and c.elements(value) and (
            _is_indexed(c, template, name) or _is_handed_on(c, template, name)):
        return Row(), c.kept(c.as_numbers(value))
    if _is_table(c.type_of(value)) and _is_indexed(c, template, name):
        lines = (Call(np.array, (Tuple(c.elements(line) or ()),)) for line in c.elements(value) or ())
        return Row(nested=True), c.kept(Call(np.array, (Tuple(tuple(lines)),)))
    return None, value


def refuse_memo(c: Callees, name: str) -> None:
    """Refuse to change a dict of the caller's, which mostly holds what has been computed before."""
    c.refuse(f"a function that calls itself and changes the dict {hint(name)} is not supported",
             "functools.cache on the function, without the dict", hint(name))  # fmt: skip


def standing(c: Handed, value: Expr) -> Row:
    """What an array is that stands for a list."""
    match value:
        case Var(name):
            return Row(name in c.nested, name in c.alone)
        case Call(_, (Var(name), Slice())):
            return Row(name in c.nested)
    return Row()


def _is_table(type: Type) -> bool:
    """Whether a value is a list of known length of lists of numbers, all as long."""
    items = type.items if isinstance(type, TupleType) and type.form == LIST else ()
    return len(set(items)) == 1 and of_numbers(items[0]) and bool(items[0].items)  # type: ignore[attr-defined]


def _is_indexed(c: Callees, template: LocalFunction, name: str) -> bool:
    """Whether a function reads a parameter, or an element of it, at an index that is not known."""
    calls = _calls(c, template, lambda args: bool(args) and root(args[0]) == name)
    return any(e.fn is operator.getitem and not isinstance(e.args[1], (Const, Slice)) for e in calls)


def _is_handed_on(c: Callees, template: LocalFunction, name: str) -> bool:
    """Whether a function gives a parameter as it is to another name, that of its result perhaps."""
    body = c.callee(template).body
    return any(isinstance(s, (Let, Return)) and s.value == Var(name) for s in walk.statements(body))


def _is_stored_to(c: Callees, template: LocalFunction, name: str) -> bool:
    """Whether a function puts something into a parameter, at a key that is not known."""
    return any(isinstance(s, Store) and s.base == Var(name) and not isinstance(s.index, Const)
               for s in walk.statements(c.callee(template).body))  # fmt: skip


def _calls(c: Callees, template: LocalFunction, meant: Callable[[tuple[Expr, ...]], bool]) -> Iterator[Call]:
    """What a function calls with some arguments."""
    for stmt in walk.statements(c.callee(template).body):
        for expr in walk.stmt_exprs(stmt):
            yield from (e for e in walk.subexprs(expr) if isinstance(e, Call) and meant(e.args))


def stand(c: Handed, name: str, standing: Row) -> None:
    """Let the array under a name stand for a list."""
    c.stands_for_list(name, standing.alone)
    (c.nested.add if standing.nested else c.nested.discard)(name)


def returned(c: Handed, result: Expr) -> tuple[Type | None, bool]:
    """The list or the structure of lists that is returned, None if it is none; and whether all paths return that."""
    if isinstance(result, Var) and (result.name in c.half or result.name in c.ended):
        return c.half.get(result.name, Row(alone=True)), False
    if isinstance(result, Var) and result.name in c.rows:
        return standing(c, result), True
    found = c.type_of(result)
    return found if has_rows(found) else None, True


def on_some_paths(c: Handed, name: str) -> None:
    c.refuse(f"{name}, which calls itself and returns a list on some paths alone, is not supported",
             "return np.array(xs) on all paths", name)  # fmt: skip


def received(c: Handed, value: Expr, found: Type) -> Expr:
    """A list that a callee returns, as the array that stands for it; or a structure with such lists."""
    made = c.as_row(value)
    if isinstance(found, Row):
        stand(c, made.name, found)
    else:
        c.rows.discard(made.name)
        c.types[made.name] = found
    c.passing.add(made.name)
    return made
