"""specialize: what the types have decided, carried out.

Infer has folded the conditions that types decide. Here dead branches go, and joined names that join nothing: a name
that every path gives the same value is that value.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from srcad.lang import walk
from srcad.lang.ir import Block, Const, Effect, Expr, For, Function, If, Let, Move, Stmt, Var, While, assert_

Path = tuple[int, ...]


def specialize(fn: Function) -> Function:
    """Drop dead branches and names that join nothing.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import BOOL, FLOAT
    >>> x, c, y = Var("x", FLOAT), Var("c", BOOL), Var("y", FLOAT)
    >>> same = If(c, (Move(("y",), (x,)),), (Move(("y",), (x,)),))
    >>> specialize(Function("f", (Param("x", FLOAT), Param("c", BOOL)), (same, Return(y)))).body  # doctest: +ELLIPSIS
    (Return(value=Var(name='x', ...)...),)
    """
    body = _live(fn.body)
    while True:
        joins = _Joins({p.name: () for p in fn.params})
        joins.block(body, (), ())
        same = _resolved(joins.redundant())
        if not same:
            return replace(fn, body=body)
        body = _live(_replaced(body, same))


# ---------------------------------------------------------------- dead branches


def _live(block: Block) -> Block:
    """A block without branches that are never taken, and without empty ones."""
    return tuple(new for stmt in block for new in _alive(stmt))


def _alive(stmt: Stmt) -> Block:
    match stmt:
        case If(Const(value), then, orelse):
            *before, last = _live(then if value else orelse) or (Move((), ()),)
            if not isinstance(last, Move):
                return (*before, last)
            return (*before, *(Let(t, v, last.origin) for t, v in zip(last.targets, last.values)))
        case If(_, then, orelse):
            then, orelse = _live(then), _live(orelse)
            return (replace(stmt, then=then, orelse=orelse),) if then or orelse else ()
        case While(Const(value)) if not value:
            return ()
        case For(body=body) | While(body=body):
            return (replace(stmt, body=_live(body)),)
        case Effect(call) if call.fn is assert_ and isinstance(call.args[0], Const) and call.args[0].value:
            return ()
        case Move(()):
            return ()
    return (stmt,)


# ---------------------------------------------------------------- names that join nothing


@dataclass
class _Joins:
    """Where each name is defined, and what each joined name is given, and where."""

    scope: dict[str, Path]
    given: dict[str, set[Expr]] = field(default_factory=dict)
    home: dict[str, Path] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    blocks: int = 0

    def block(self, block: Block, path: Path, home: Path) -> None:
        for position, stmt in enumerate(block):
            match stmt:
                case Let(target):
                    self.scope[target] = path
                case Move(targets, values):
                    last = position == len(block) - 1
                    self.move(targets, values, home if last else path)
                case For(index, flag=flag):
                    self.flags.add(flag or "")
                    self.inside(stmt, path, index)
                case _:
                    self.inside(stmt, path)

    def inside(self, stmt: Stmt, path: Path, index: str | None = None) -> None:
        for inner in walk.blocks(stmt):
            self.blocks += 1
            deeper = (*path, self.blocks)
            if index is not None:
                self.scope[index] = deeper
            self.block(inner, deeper, path)

    def move(self, targets: tuple[str, ...], values: tuple[Expr, ...], home: Path) -> None:
        for target, value in zip(targets, values):
            self.scope[target] = self.home[target] = home
            if not (isinstance(value, Var) and value.name == target):
                self.given.setdefault(target, set()).add(value)

    def redundant(self) -> dict[str, Expr]:
        """The joined names that have one value, which can be read wherever they are."""
        found: dict[str, Expr] = {}
        for target, values in self.given.items():
            if len(values) == 1:
                (value,) = values
                if isinstance(value, Var) and self.visible(value.name, self.home[target]):
                    found[target] = value
                elif isinstance(value, Const) and target not in self.flags:
                    found[target] = value
        return found

    def visible(self, name: str, path: Path) -> bool:
        scope = self.scope.get(name)
        return scope is not None and path[: len(scope)] == scope


def _resolved(same: dict[str, Expr]) -> dict[str, Expr]:
    """Chains followed to their ends."""
    result: dict[str, Expr] = {}
    for name, value in same.items():
        seen = {name}
        while isinstance(value, Var) and value.name in same and value.name not in seen:
            seen.add(value.name)
            value = same[value.name]
        if not (isinstance(value, Var) and value.name in seen):
            result[name] = value
    return result


def _replaced(block: Block, same: dict[str, Expr]) -> Block:
    """A block with names replaced by what they always are."""
    out: list[Stmt] = []
    for stmt in block:
        new = walk.map_stmt(lambda e: walk.substitute(e, same), stmt, lambda inner: _replaced(inner, same))
        if isinstance(new, Move):
            pairs = [(t, v) for t, v in zip(new.targets, new.values) if t not in same]
            if not pairs:
                continue
            new = replace(new, targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs))
        elif isinstance(new, For) and isinstance(flag := same.get(new.flag or ""), Var):
            new = replace(new, flag=flag.name)
        out.append(new)
    return tuple(out)
