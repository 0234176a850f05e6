"""verify: what every pass may assume of the IR that it is given."""

from __future__ import annotations

from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, For, Function, Let, Move, Return, Stmt, Store, Var, hint
from srcad.lang.types import Unknown

SPLIT = ("split", "infer", "untuple", "specialize", "flatten", "places")
TYPED = ("infer", "untuple", "specialize", "flatten", "places", "adjoint", "tangent", "jacobian", "simplify", "fold")


class InvalidIR(AssertionError):
    """A pass has broken an invariant: a defect of srcad."""


def verify(fn: Function, stage: str = "read") -> None:
    """Check the invariants that hold after the pass `stage`.

    Raises
    ------
    InvalidIR
        naming the stage and the statement.
    """
    _returns_once(fn, stage)
    _names_bound(fn, stage)
    _bases_are_names(fn.body, stage)
    if stage in SPLIT:
        _assigned_once(fn, stage)
    if stage in TYPED:
        _typed(fn.body, stage)


def _fail(stage: str, stmt: object, reason: str) -> None:
    raise InvalidIR(f"after {stage}: {reason}: {stmt}")


def _returns_once(fn: Function, stage: str) -> None:
    returns = [s for s in walk.statements(fn.body) if isinstance(s, Return)]
    if len(returns) != 1 or returns[0] is not fn.body[-1]:
        _fail(stage, fn.name, "a function ends with its only return")


def _names_bound(fn: Function, stage: str) -> None:
    known = {p.name for p in fn.params} | walk.assigned(fn.body)
    for stmt in walk.statements(fn.body):
        for expr in walk.stmt_exprs(stmt):
            for name in walk.names(expr) - known:
                _fail(stage, stmt, f"the name {name!r} (of the user's {hint(name)!r}) is read but never assigned")
        if isinstance(stmt, For) and stmt.flag is not None and stmt.flag not in known:
            _fail(stage, stmt, f"the flag {stmt.flag!r} is never assigned")


def _bases_are_names(block: Block, stage: str) -> None:
    for stmt in walk.statements(block):
        match stmt:
            case Store(base) if not isinstance(base, Var):
                _fail(stage, stmt, "a store goes into a named array")
            case Accum(target) if not isinstance(target.args[0] if isinstance(target, Call) else target, Var):
                _fail(stage, stmt, "an accumulation goes into a name or an element of a named array")
            case Move(targets, values) if len(targets) != len(values) or len(set(targets)) != len(targets):
                _fail(stage, stmt, "a move has one value a target")


def _assigned_once(fn: Function, stage: str) -> None:
    lets: set[str] = {p.name for p in fn.params}
    moved = {t for s in walk.statements(fn.body) if isinstance(s, Move) for t in s.targets}
    for stmt in walk.statements(fn.body):
        if isinstance(stmt, Let):
            if stmt.target in lets or stmt.target in moved:
                _fail(stage, stmt, f"{stmt.target!r} is assigned twice")
            lets.add(stmt.target)


def _typed(block: Block, stage: str) -> None:
    for stmt in walk.statements(block):
        for expr in _value_exprs(stmt):
            for inner in walk.subexprs(expr):
                if isinstance(inner, (Var, Call)) and isinstance(inner.type, Unknown):
                    _fail(stage, stmt, f"{inner} has no type")


def _value_exprs(stmt: Stmt):
    return walk.stmt_exprs(stmt)
