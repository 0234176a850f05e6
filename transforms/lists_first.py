"""lists_first: lists that loops begin, and tuples that grow, as lists that begin before; part of `surface`.

A list that is begun in an iteration, ``if k == 0: xs = []``, and used in another one or behind the loop, begins empty
before the loop. A tuple to which iterations add, ``t = t + (v,)``, is a list that gets a longer one's place each time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace

from srcad.lang import walk
from srcad.lang.forms import LocalFunction, apply
from srcad.lang.ir import (
    Block, Call, Const, Effect, Expr, For, Function, If, Let, Method, Move, Return, Stmt, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.structure import LIST
from srcad.lang.types import TUPLE, TupleType, Unknown
from srcad.transforms.appends import changed_lists, is_resized
from srcad.transforms.exits import exits
from srcad.transforms.named_views import check_views
from srcad.transforms.order import is_inplace
from srcad.transforms.renewed import renewed

_EMPTY = Tuple((), TupleType((), LIST))


def straight(fn: Function) -> Function:
    """A desugared function with one return, whose lists begin before the loops that use them.

    Raises
    ------
    UnsupportedError
        if it reads a view of a dict that has changed meanwhile.
    """
    made = exits(fn)
    check_views(made)
    return lists_first(made)


def lists_first(fn: Function) -> Function:
    """Let lists begin before the loops that use them.

    >>> from srcad.lang.write import write
    >>> loop = For("k", Const(0), Const(3), Const(1), (Let("xs", _EMPTY),))
    >>> made = lists_first(Function("f", (), (loop, Return(Call(len, (Var("xs"),))))))
    >>> made.body[0].target
    'xs'
    """
    body = _with_lists(fn.body, _growing(fn.body))
    params = frozenset(param.name for param in fn.params)
    beginnings = _Beginnings(body, params)
    body = beginnings.block(body, params, frozenset())
    body = _marked(body, beginnings.begun, frozenset()) if beginnings.begun else body
    return replace(fn, body=renewed(body, _enclosed(body) | params))


# ---------------------------------------------------------------- tuples


def _growing(body: Block) -> set[str]:
    """The names of tuples to which loops add, and which are nothing else and not returned."""
    found = {name for loop in walk.statements(body) if isinstance(loop, (For, While))
             for stmt in walk.statements(loop.body) if (name := _lengthened(stmt)) is not None}  # fmt: skip
    for stmt in walk.statements(body):
        if isinstance(stmt, Let) and stmt.target in found and not _is_tuple(stmt.value) and not _lengthened(stmt):
            found.discard(stmt.target)
        elif isinstance(stmt, (For, Move)):
            found -= set(walk.targets(stmt))
        elif isinstance(stmt, Return):
            found -= set(_handed(stmt.value))
    begun = {stmt.target for stmt in walk.statements(body) if isinstance(stmt, Let) and _is_tuple(stmt.value)}
    return found & begun and (found & begun) - _enclosed(body)


def _handed(value: Expr) -> list[str]:
    """The names that a value is, or has as elements."""
    if isinstance(value, Tuple):
        return [name for item in value.items for name in _handed(item)]
    return [value.name] if isinstance(value, Var) else []


def _is_tuple(expr: Expr) -> bool:
    return isinstance(expr, Tuple) and (isinstance(expr.type, Unknown) or getattr(expr.type, "form", None) == TUPLE)


def _lengthened(stmt: Stmt) -> str | None:
    """The name of a tuple to which a statement adds a display."""
    match stmt:
        case Let(target, Call(fn, (Var(name), more))) if name == target and _is_tuple(more):
            return target if fn is operator.add or is_inplace(fn) else None
    return None


def _with_lists(block: Block, names: set[str]) -> Block:
    if not names:
        return block
    result: list[Stmt] = []
    for stmt in block:
        match stmt:
            case Let(target, Tuple() as value) if target in names:
                stmt = replace(stmt, value=_list(value))
            case Let(target, Call(_, (old, Tuple() as more))) if target in names:
                stmt = replace(stmt, value=Call(operator.add, (old, _list(more))))
        result.append(walk.map_stmt(lambda expr: expr, stmt, lambda inner: _with_lists(inner, names)))
    return tuple(result)


def _list(display: Tuple) -> Tuple:
    return replace(display, type=TupleType((Unknown(),) * len(display.items), LIST))


# ---------------------------------------------------------------- lists


class _Beginnings:
    """Puts the beginnings of lists before loops; `listed` are the names that are never bound to anything else."""

    def __init__(self, body: Block, params: frozenset[str]):
        lets: dict[str, list[Expr]] = {}
        others = {*params}  # what is handed on from name to name may be an array that came as an argument
        for stmt in walk.statements(body):
            if isinstance(stmt, Let):
                lets.setdefault(stmt.target, []).append(stmt.value)
            elif isinstance(stmt, (For, Move)):
                others |= set(walk.targets(stmt))
        self.listed = set(lets) - others
        while unlike := {name for name in self.listed if not all(self.is_list(name, value) for value in lets[name])}:
            self.listed -= unlike
        self.listed = {name for name in self.listed if not all(map(_adds_to(name), lets[name]))}
        self.listed -= others | _enclosed(body, in_place=False)
        loops = (stmt for stmt in walk.statements(body) if isinstance(stmt, (For, While)))
        self.looped = self.listed & set().union(*(walk.assigned(loop.body) for loop in loops))  # those that loops begin
        self.begun: list[Stmt] = []  # the beginnings that no user has written

    def is_list(self, name: str, value: Expr) -> bool:
        """Whether a list is begun, handed on, or made longer."""
        if isinstance(value, Var):
            return value.name in self.listed
        if _adds_to(name)(value):
            return True
        if isinstance(value, Call) and value.fn is apply and isinstance(value.args[0], Const):
            return isinstance(value.args[0].value, LocalFunction) and _is_comprehension(value.args[0].value)
        if isinstance(value, Call) and value.fn is operator.mul:
            return any(isinstance(arg, Tuple) and self.is_list(name, arg) for arg in value.args)
        return isinstance(value, Tuple) and getattr(value.type, "form", None) == LIST

    def block(self, block: Block, bound: frozenset[str], behind: frozenset[str]) -> Block:
        """Statements, of which `behind` is read later."""
        if not self.listed:
            return block
        result: list[Stmt] = []
        for k, stmt in enumerate(block):
            later = behind | {name for rest in block[k + 1 :] for name in _read_in(rest)}
            if isinstance(stmt, (For, While)):
                next_time = {name for name in self.listed if read_first(stmt.body, name) == "read"}
                names = walk.assigned(stmt.body) & self.listed & (later | next_time) - bound
                result += self.begin(names, stmt)
                bound |= names
                inner = self.block(stmt.body, bound, later | next_time)
                result.append(replace(stmt, body=inner))
                continue
            if isinstance(stmt, If):  # behind which a loop would begin them, though they have a value by then
                rest = block[k + 1 :]
                grown = {name for name in changed_lists(rest) if is_resized(rest, name)}
                names = walk.assigned((stmt,)) & self.listed & (self.looped | grown) & later - bound - _surely(stmt)
                result += self.begin(names, stmt)
                bound |= names
            stmt = walk.map_stmt(lambda e: e, stmt, lambda inner: self.block(inner, bound, later))  # noqa: B023
            result += self.one_by_one(stmt)
            bound |= _surely(stmt)
        return tuple(result)

    def begin(self, names: set[str], stmt: Stmt) -> list[Stmt]:
        """Empty lists before a statement."""
        made: list[Stmt] = [Let(name, _EMPTY, stmt.origin) for name in sorted(names)]
        self.begun += made
        return made

    def one_by_one(self, stmt: Stmt) -> list[Stmt]:
        """``xs = [a, b]`` of a list that begins earlier, as an empty one that gets its elements."""
        if not isinstance(stmt, Let) or all(stmt.target != getattr(one, "target", None) for one in self.begun):
            return [stmt]
        value, xs = stmt.value, Var(stmt.target)
        if stmt.target in walk.names(value) or not isinstance(value, (Tuple, Call)):
            return [stmt]
        if isinstance(value, Tuple):
            calls = [Call(Method("append"), (xs, item)) for item in value.items]
        else:
            calls = [Call(Method("extend"), (xs, value))] if value.fn is operator.mul else []
        return [replace(stmt, value=_EMPTY), *(Effect(call, stmt.origin) for call in calls)] if calls else [stmt]


def _marked(block: Block, begun: list[Stmt], known: frozenset[str]) -> Block:
    """Statements with a number for each list that begins earlier than it is written: it has a value when the list has.

    So `bound` raises where Python would, as an iteration may not have come that begins the list. Of lists in `known`
    one has been asked.
    """
    names = {stmt.target for stmt in begun if isinstance(stmt, Let)}
    result: list[Stmt] = []
    for stmt in block:
        if any(stmt is one for one in begun):
            result.append(stmt)
            continue
        read = names.intersection(_read_by(stmt)) - known
        result += [Let(f"_t.{name}", Call(operator.pos, (Var(_mark(name)),)), stmt.origin) for name in sorted(read)]
        known |= read
        result.append(walk.map_stmt(lambda e: e, stmt, lambda inner: _marked(inner, begun, known)))  # noqa: B023
        if isinstance(stmt, Let) and stmt.target in names and stmt.target not in known:
            result.append(Let(_mark(stmt.target), Const(0), stmt.origin))
        known |= _surely(stmt)
    return tuple(result)


def _mark(name: str) -> str:
    return f"{name}.begun"


def _adds_to(name: str) -> Callable[[Expr], bool]:
    """Whether a value is what a name has, made longer."""
    return lambda value: (isinstance(value, Call) and value.args[:1] == (Var(name),)
                          and (value.fn is operator.add or is_inplace(value.fn)))  # fmt: skip


def _is_comprehension(fn: LocalFunction) -> bool:
    """Whether a function is what a list comprehension does."""
    last = fn.function.body[-1] if fn.function.body else None
    if fn.function.name != "comprehension" or not isinstance(last, Return) or not isinstance(last.value, Var):
        return False
    lets = [s.value for s in walk.statements(fn.function.body) if isinstance(s, Let) and s.target == last.value.name]
    return all(isinstance(value, Tuple) and getattr(value.type, "form", None) == LIST for value in lets)


def _surely(stmt: Stmt) -> frozenset[str]:
    """The names that a statement binds in any case."""
    match stmt:
        case Let(target):
            return frozenset((target,))
        case If(_, then, orelse):
            return frozenset().union(*map(_surely, then)) & frozenset().union(*map(_surely, orelse))
    return frozenset()


def read_first(block: Block, name: str) -> str:
    """Whether a block reads a name that it has not bound, or binds it, or neither."""
    for stmt in block:
        if name in _read_by(stmt):
            return "read"
        if isinstance(stmt, Let) and stmt.target == name:
            return "bound"
        found = [read_first(inner, name) for inner in walk.blocks(stmt)]
        if "read" in found:
            return "read"
        if isinstance(stmt, If) and found == ["bound", "bound"]:
            return "bound"
    return ""


def _read_by(stmt: Stmt) -> set[str]:
    """The names that a statement reads, those inside of comprehensions, too, but not of the blocks in it."""
    exprs = tuple(walk.stmt_exprs(stmt))
    found = set().union(*map(walk.names, exprs))
    for expr in (part for whole in exprs for part in walk.subexprs(whole)):
        if _in_place(expr):
            inner = exits(expr.args[0].value.function)  # type: ignore[attr-defined]
            own = walk.assigned(inner.body) | {param.name for param in inner.params}
            found |= {name for each in inner.body for name in _read_in(each)} - own
    return found


def _read_in(stmt: Stmt) -> set[str]:
    """The names that a statement and the blocks in it read."""
    return _read_by(stmt).union(*(_read_in(each) for block in walk.blocks(stmt) for each in block))


def _in_place(expr: Expr) -> bool:
    """Whether an expression is a comprehension, which is computed where it stands."""
    applied = isinstance(expr, Call) and expr.fn is apply
    return applied and isinstance(getattr(expr.args[0], "value", None), LocalFunction)  # type: ignore[attr-defined]


def _enclosed(body: Block, in_place: bool = True) -> set[str]:
    """The names that functions in a function may read; those in comprehensions, too, if asked."""
    exprs = [e for stmt in walk.statements(body) for expr in walk.stmt_exprs(stmt) for e in walk.subexprs(expr)]
    there = [] if in_place else [id(e.args[0]) for e in exprs if _in_place(e)]  # type: ignore[attr-defined]
    inner = [e.value for e in exprs
             if isinstance(e, Const) and isinstance(e.value, LocalFunction) and id(e) not in there]  # fmt: skip
    inside = [exits(each.function).body for each in inner]
    found = {name for block in inside for stmt in walk.statements(block)
             for expr in walk.stmt_exprs(stmt) for name in walk.names(expr)}  # fmt: skip
    return found.union(*map(_enclosed, inside))
