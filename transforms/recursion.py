"""Calls of functions that call themselves; part of `inline`.

Such a function is not inlined. It becomes a function of its own, for the functions and texts among its arguments; its
other arguments stay parameters, and so do the names around it that it reads. Attributes and names around it that it
changes are parameters and results.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.errors import unsupported
from srcad.lang.forms import REFUSED, LocalFunction
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Nested, Return, Tuple, Var, hint
from srcad.lang.recursive import Callee, called
from srcad.transforms.lengths import Grown
from srcad.transforms.nested import function_of
from srcad.transforms.order import Frame, assigned
from srcad.transforms.split import exposed
from srcad.transforms.values import is_static

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees
    from srcad.transforms.calls import Arguments

_MOST = 12  # functions that one recursive function may become


class Recursion(Exception):
    """Met while inlining: a function that is being inlined is called again."""

    def __init__(self, key: Any):
        self.key = key


@dataclass(frozen=True)
class Record:
    """A callee, and what it was made for: the function, and the values that are known of its arguments."""

    key: Any
    known: dict[str, Expr]
    around: dict[str, Expr]
    callee: Callee
    changed: tuple[str, ...] = ()  # the variables around it that it changes
    silent: bool = False  # whether it returns nothing but these


def call(c: Callees, template: LocalFunction, parent: Frame | None, key: Any, bound: Arguments) -> Expr:
    """A call of a function that calls itself."""
    known: dict[str, Expr] = {}
    given: dict[str, Expr] = {}
    for name in sorted(bound, key=_order(template)):
        value, is_default = bound[name]
        value = c.default(value, parent) if is_default else value
        if value is REFUSED:
            return REFUSED
        if isinstance(getattr(c, "types", {}).get(getattr(value, "name", None)), Grown):
            reason = f"a list of unknown length as {hint(name)} of a function that calls itself is not supported"
            return c.refuse(reason, "np.array(xs)", template.function.name)
        if name == template.keywords and isinstance(value, Tuple) and value.items:
            reason = "recursion with **arguments is not supported"
            return c.refuse(reason, "each argument by its name", template.function.name)
        if is_static(value) or isinstance(value, Const) and (value.value is None or isinstance(value.value, str)):
            known[name] = value
        elif name == template.rest and isinstance(value, Tuple):
            known[name] = Const(len(value.items))
            given |= {f"{name}.{k}": item for k, item in enumerate(value.items)}
        else:
            given[name] = value
    record = _find(c, key, known)
    if record is None:
        if sum(record.key is key for record in c.records) >= _MOST:
            reason = f"recursion of {template.function.name} with other functions at every call is not supported"
            return c.refuse(reason, "a loop", template.function.name)
        record = _made(c, template, parent, key, known, tuple(given))
        if record is None:
            return REFUSED
    return _called(c, record, tuple(given.values()))


def _called(c: Callees, record: Record, args: tuple[Expr, ...]) -> Expr:
    """The result of a call, after what it changes has been put where it belongs."""
    result = Var(c.fresh("_t"))
    c.changes += 1  # it may write into arrays
    c.emit(Let(result.name, Call(record.callee, (*args, *map(Var, record.changed))), c.origin))
    single = len(record.changed) == 1 and record.silent
    for place, name in enumerate(record.changed, 0 if record.silent else 1):
        c.let(name, result if single else Call(operator.getitem, (result, Const(place))))
    if record.silent:
        return Const(None)
    return Call(operator.getitem, (result, Const(0))) if record.changed else result


def _order(template: LocalFunction) -> Callable[[str], int]:
    """Where a parameter stands; every call passes arguments in the same order."""
    names = [param.name for param in template.function.params]
    return lambda name: names.index(name) if name in names else len(names)


def _find(c: Callees, key: Any, known: dict[str, Expr]) -> Record | None:
    for record in c.records:
        same = record.key is key and record.known == known
        if same and all(c.static.get(name) == value for name, value in record.around.items()):
            return record
    return None


def _made(
    c: Callees, template: LocalFunction, parent: Frame | None, key: Any, known: dict[str, Expr], given: tuple[str, ...]
) -> Record | None:  # fmt: skip
    """A callee with its statements; once more with what it changes, as soon as that is known."""
    changed: tuple[str, ...] = ()
    silent, count, around = False, len(c.records), set(c.fields)
    while True:
        tried = _tried(c, template, parent, key, known, given, changed, silent)
        if tried is None:
            return None
        record, statements, result = tried
        found = tuple(sorted({*changed, *(around & walk.assigned(statements))}))
        if found == changed:
            break
        changed, silent = found, result == Const(None)
        del c.records[count:]
    results = (*(() if silent else (result,)), *map(Var, changed))
    whole = results[0] if len(results) == 1 else Tuple(results)
    record.callee.body = (*statements, Return(whole, c.origin))
    return record


def _tried(
    c: Callees, template: LocalFunction, parent: Frame | None, key: Any, known: dict[str, Expr], given: tuple[str, ...],
    changed: tuple[str, ...], silent: bool,
) -> tuple[Record, Block, Expr] | None:  # fmt: skip
    """The statements of a callee that changes certain variables, and its result."""
    frame = Frame(template.locals, parent, c.fresh)
    body = c.callee(template).body
    for name, value in known.items():
        if name == template.rest:
            value = Tuple(tuple(frame.meaning(item) for item in given if item.startswith(f"{name}.")))
        if name in assigned(body) and is_static(value):
            c.static[frame.target(name)] = value
        elif name not in assigned(body):
            frame.table[name] = value
        else:
            c.let(frame.target(name), value)
    params = tuple(frame.target(name) for name in given)
    callee = Callee(template.function.name, (*params, *changed), template.function.origin)
    record = Record(key, known, dict(c.static), callee, changed, silent)
    c.records.append(record)
    before = len(c.problems)
    statements, result = c.apart(lambda: c.activation(frame, key, template.function.name, body))
    if len(c.problems) > before or result is REFUSED:
        return None
    if is_static(result):
        c.refuse(f"recursion of {callee.name}, which returns a function or object, is not supported",
                 "a function of numbers that calls itself", callee.name)
        return None
    return record, tuple(statements), result


# ---------------------------------------------------------------- when all is inlined


def closed(fn: Function) -> Function:
    """The function, with its callees complete: every call passes the names around the callee that it reads."""
    everything = callees(fn.body)
    if not everything:
        return fn
    changed = True
    while changed:
        changed = False
        for callee in everything:
            free = exposed(callee.body).union(*(each.extras for each in called(callee.body, Callee)))
            extras = tuple(sorted(free - walk.assigned(callee.body) - set(callee.params)))
            changed |= extras != callee.extras
            callee.extras = extras
    for callee in everything:
        params = tuple(map(Var, (*callee.params, *callee.extras)))
        callee.function = function_of(callee.name, params, _passing(callee.body), callee.origin)
    return replace(fn, body=_passing(fn.body))


def callees(body: Block) -> list[Callee]:
    """The callees that statements call, and those that these call."""
    found: list[Callee] = []
    waiting = called(body, Callee)
    while waiting:
        callee = waiting.pop(0)
        if callee not in found:
            found.append(callee)
            waiting += called(callee.body, Callee)
    return found


def _passing(body: Block) -> Block:
    """Statements whose calls pass on the names around the callee."""

    def node(expr: Expr) -> Expr:
        if isinstance(expr, Call) and isinstance(expr.fn, Callee):
            return replace(expr, args=(*expr.args, *map(Var, expr.fn.extras)))
        if isinstance(expr, Call) and isinstance(expr.fn, Nested):
            inner = expr.fn.function
            _check_names(inner)
            return replace(expr, fn=replace(expr.fn, function=replace(inner, body=_passing(inner.body))))
        return expr

    return tuple(walk.map_stmt(lambda expr: walk.map_expr(node, expr), stmt) for stmt in body)


def _check_names(fn: Function) -> None:
    """Refuse a function that is differentiated here if a callee in it reads names that only the caller knows."""
    own = {param.name for param in fn.params} | walk.assigned(fn.body)
    for callee in called(fn.body, Callee):
        if not own.issuperset(callee.extras):
            names = ", ".join(hint(name) for name in callee.extras if name not in own)
            what = f"a derivative of {callee.name}, which calls itself and reads {names} around it,"
            remedy = f"{names} as an argument of {callee.name}"
            raise unsupported(callee.origin, f"{what} is not supported here", remedy)
