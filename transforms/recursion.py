"""Calls of functions that call themselves; part of `inline`.

Such a function is not inlined. It becomes a function of its own, for the functions and texts among its arguments; its
other arguments stay parameters, and so do the names around it that it reads. Attributes and names around it that it
changes are parameters and results.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.errors import Problem, unsupported
from srcad.lang.forms import REFUSED, LocalFunction
from srcad.lang.ir import Block, Call, Const, Expr, Function, Let, Nested, Return, Tuple, Var, hint
from srcad.lang.recursive import Callee, called, callees
from srcad.lang.types import Type
from srcad.transforms import items_ahead, recursive_lists, views_ahead
from srcad.transforms.lengths import Row, with_rows_of
from srcad.transforms.nested import function_of
from srcad.transforms.order import Frame, assigned
from srcad.transforms.special_methods import class_of
from srcad.transforms.split import exposed
from srcad.transforms.values import is_static

if TYPE_CHECKING:
    from srcad.transforms.calls import Arguments
    from srcad.transforms.handed import Handed

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
    lists: dict[str, Row] = field(default_factory=dict)  # the arguments that are arrays in the place of lists
    kinds: dict[str, Type] = field(default_factory=dict)  # the arguments that are of classes with methods
    returns: Type | None = None  # where it returns such an array, or a structure with such arrays


def call(c: Handed, template: LocalFunction, parent: Frame | None, key: Any, bound: Arguments) -> Expr:
    """A call of a function that calls itself."""
    known: dict[str, Expr] = {}
    given: dict[str, Expr] = {}
    lists: dict[str, Row] = {}
    again = any(active is key for active, _ in c.stack)
    for name in sorted(bound, key=_order(template)):
        value, is_default = bound[name]
        if recursive_lists.refuse_rebound(c, template, name, None if is_default else value, again):
            return REFUSED
        value = c.default(value, parent) if is_default else value
        if value is REFUSED:
            return REFUSED
        if not is_default and (shared := recursive_lists.given(c, template, name, value, again)) is not None:
            known[name] = shared
            continue
        row, value = recursive_lists.passed(c, template, name, value)
        if value is REFUSED:
            return REFUSED
        if row is not None:
            lists[name] = row
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
    kinds = {name: c.type_of(value) for name, value in given.items() if class_of(c, value) is not None}
    record = _find(c, key, known, lists, kinds)
    if record is None:
        if sum(record.key is key for record in c.records) >= _MOST:
            reason = f"recursion of {template.function.name} with other functions at every call is not supported"
            return c.refuse(reason, "a loop", template.function.name)
        record = _made(c, template, parent, key, known, tuple(given), lists, kinds)
        if record is None:
            return REFUSED
    return _called(c, record, tuple(given.values()))


def _called(c: Handed, record: Record, args: tuple[Expr, ...]) -> Expr:
    """The result of a call, after what it changes has been put where it belongs."""
    result = Var(c.fresh("_t"))
    c.changes += 1  # it may write into arrays
    c.emit(Let(result.name, Call(record.callee, (*args, *map(Var, record.changed))), c.origin))
    single = len(record.changed) == 1 and record.silent
    for place, name in enumerate(record.changed, 0 if record.silent else 1):
        c.let(name, result if single else Call(operator.getitem, (result, Const(place))))
    c.forget_room()  # type: ignore[attr-defined]
    if record.silent:
        return Const(None)
    value = Call(operator.getitem, (result, Const(0))) if record.changed else result
    return value if record.returns is None else recursive_lists.received(c, value, record.returns)


def _order(template: LocalFunction) -> Callable[[str], int]:
    """Where a parameter stands; every call passes arguments in the same order."""
    names = [param.name for param in template.function.params]
    return lambda name: names.index(name) if name in names else len(names)


def _find(
    c: Handed, key: Any, known: dict[str, Expr], lists: dict[str, Row], kinds: dict[str, Type]
) -> Record | None:  # fmt: skip
    for record in c.records:
        same = record.key is key and record.known == known and record.lists == lists and record.kinds == kinds
        if same and all(c.static.get(name) == value for name, value in record.around.items()):
            return record
    return None


def _made(
    c: Handed, template: LocalFunction, parent: Frame | None, key: Any, known: dict[str, Expr], given: tuple[str, ...],
    lists: dict[str, Row], kinds: dict[str, Type],
) -> Record | None:  # fmt: skip
    """A callee with its statements; once more with what it changes and returns, as soon as that is known."""
    changed: tuple[str, ...] = ()
    silent, count, around = False, len(c.records), set(c.fields)
    returns: Type | None = None
    state, open_lists = c.state(), dict[str, Any]()
    problems, wrong = len(c.problems), list[Problem]()  # what was wrong when it was not taken to return a list
    while True:
        wanted = Record(key, known, {}, Callee("", (), c.origin), changed, silent, lists, kinds, returns)
        try:
            tried = _tried(c, template, parent, given, wanted)
        except recursive_lists.Changed as met:
            c.back(state)
            if met.name in c.walled or met.name not in c.types:
                raise
            state = c.state()
            if not recursive_lists.opened(c, met, open_lists):
                return None
            around, changed = set(c.fields), ()
            continue
        if tried is None and returns is None:
            wrong, returns = c.problems[problems:], Row(alone=True)
            del c.problems[problems:], c.records[count:]
            continue
        if tried is None or wrong and tried[-1][0] is None:
            c.problems[problems:] = wrong or c.problems[problems:]
            return None
        record, statements, result, (own, always) = tried
        found = tuple(sorted({*changed, *(around & walk.assigned(statements))}))
        if returns is not None:  # of lists that were taken to be somebody's, no more is known than that
            own = None if own is None or not always else with_rows_of(own, returns)
            if own is None:
                recursive_lists.on_some_paths(c, template.function.name)
                return None
        if found == changed and own == returns and always:
            break
        changed, silent, returns = found, result == Const(None), own
        del c.records[count:]
    results = (*(() if silent else (result,)), *map(Var, changed))
    whole = results[0] if len(results) == 1 else Tuple(results)
    record.callee.body = (*statements, Return(whole, c.origin))
    return record


def _tried(
    c: Handed, template: LocalFunction, parent: Frame | None, given: tuple[str, ...], wanted: Record
) -> tuple[Record, Block, Expr, tuple[Type | None, bool]] | None:
    """The statements of a callee as it is wanted, its result, and which lists are in that."""
    frame = Frame(template.locals, parent, c.fresh)
    body = c.callee(template).body
    for name, value in wanted.known.items():
        if name == template.rest:
            value = Tuple(tuple(frame.meaning(item) for item in given if item.startswith(f"{name}.")))
        if name in assigned(body) and is_static(value):
            c.static[frame.target(name)] = value
        elif name not in assigned(body):
            frame.table[name] = value
        else:
            c.let(frame.target(name), value)
    params = tuple(frame.target(name) for name in given)
    callee = Callee(template.function.name, (*params, *wanted.changed), template.function.origin)
    record = replace(wanted, around=dict(c.static), callee=callee)
    c.records.append(record)
    before = len(c.problems)

    def work() -> Expr:
        c.forget_room()  # type: ignore[attr-defined]
        for name, standing in wanted.lists.items():
            recursive_lists.stand(c, frame.target(name), standing)
        c.types |= {frame.target(name): kind for name, kind in wanted.kinds.items()}
        result = c.without_list(lambda: c.activation(frame, wanted.key, template.function.name, body))
        own.append(recursive_lists.returned(c, result))
        items_ahead.check(c, tuple(c.out))
        views_ahead.check(c, tuple(c.out))
        return result

    own: list[tuple[Type | None, bool]] = []
    statements, result = c.apart(work)
    if len(c.problems) > before or result is REFUSED:
        return None
    if is_static(result):
        c.refuse(f"recursion of {callee.name}, which returns a function or object, is not supported",
                 "a function of numbers that calls itself", callee.name)
        return None
    return record, tuple(statements), result, own[0]


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
