"""dead_code: keep what the results depend on, and nothing else; part of `derive`.

A statement is kept if something kept reads what it assigns. For arrays the name and the contents are told
apart: ``zeros_like(a)`` keeps the allocation of `a`, not the loop that fills it.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names, value_reads
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Effect, Expr, For, If, Let, Move, Return, Stmt, Store, Var, While
from srcad.lang.recursive import Instance
from srcad.lang.types import is_array


@dataclass(eq=False)
class _Node:
    stmt: Stmt
    parent: _Node | None
    kept: bool = False
    blocks: list[list[_Node]] = field(default_factory=list)


def dead_code(
    block: Block,
    names: Iterable[str] = (),
    contents: Iterable[str] = (),
    effects: bool = True,
    shared: Iterable[tuple[str, str]] = (),
) -> Block:
    """The part of a block that its `Return`, its effects, and the given names and array contents need.

    `shared` pairs names of arrays from outside the block that may share memory.

    >>> from srcad.lang.ir import Const
    >>> dead_code((Let("a", Const(1.0)), Let("b", Const(2.0))), names=["b"])
    (Let(target='b', value=Const(value=2.0, type=Unknown(), name=None), origin=...
    """
    marker = _Marker(block, shared)
    for name in names:
        marker.need(name)
    for name in contents:
        marker.need_contents(name)
    for node in marker.nodes:
        if isinstance(node.stmt, Return) or (effects and _has_effect(node.stmt)):
            marker.keep(node)
    marker.run()
    return _sweep(marker.top, marker.names)


def _has_effect(stmt: Stmt) -> bool:
    """Whether a statement is there for what it does; a call of a recursive function may print or raise."""
    if isinstance(stmt, Let) and isinstance(stmt.value, Call) and isinstance(stmt.value.fn, Instance):
        return stmt.value.fn.effects
    return isinstance(stmt, Effect)


class _Marker:
    def __init__(self, block: Block, shared: Iterable[tuple[str, str]]) -> None:
        self.nodes: list[_Node] = []
        self.defs: dict[str, list[_Node]] = {}
        self.writers: dict[str, list[_Node]] = {}
        self.classes = Classes.of(block)
        for a, b in shared:
            self.classes.union(a, b)
        self.names: set[str] = set()
        self.read_classes: set[str] = set()
        self.work: list[_Node] = []
        self.moves: list[tuple[Move, str]] = []  # of a move, the value for one name
        self.top = self.scan(block, None)
        merged: dict[str, list[_Node]] = {}
        for name, nodes in self.writers.items():
            merged.setdefault(self.classes.find(name), []).extend(nodes)
        self.writers = merged

    def scan(self, block: Block, parent: _Node | None) -> list[_Node]:
        nodes = [_Node(stmt, parent) for stmt in block]
        for node in nodes:
            self.nodes.append(node)
            self.index(node.stmt, node)
            node.blocks = [self.scan(inner, node) for inner in walk.blocks(node.stmt)]
        return nodes

    def index(self, stmt: Stmt, node: _Node) -> None:
        match stmt:
            case Let() | Move():
                for target in walk.targets(stmt):
                    self.defs.setdefault(target, []).append(node)
            case Store(Var(name)) | Accum(Call(args=(Var(name), *_))):
                self.writers.setdefault(name, []).append(node)
            case Accum(Var(name, type)):
                table = self.writers if is_array(type) else self.defs
                table.setdefault(name, []).append(node)

    def keep(self, node: _Node | None) -> None:
        while node is not None and not node.kept:
            node.kept = True
            self.work.append(node)
            node = node.parent

    def need(self, name: str) -> None:
        if name not in self.names:
            self.names.add(name)
            for node in self.defs.get(name, ()):
                if isinstance(node.stmt, Move):
                    self.keep(node.parent)
                    node.kept = True
                    self.moves.append((node.stmt, name))
                else:
                    self.keep(node)

    def need_contents(self, name: str) -> None:
        self.need(name)
        leader = self.classes.find(name)
        if leader not in self.read_classes:
            self.read_classes.add(leader)
            for node in self.writers.get(leader, ()):
                self.keep(node)

    def read_move(self, move: Move, name: str) -> None:
        for target, value in zip(move.targets, move.values):
            if target == name:
                self.read(value, set() if isinstance(value, Var) else content_names(value))

    def read(self, expr: Expr, contents: Set[str]) -> None:
        for name in walk.names(expr):
            self.need(name)
        for name in contents:
            self.need_contents(name)

    def run(self) -> None:
        while self.work or self.moves:
            if self.moves:
                self.read_move(*self.moves.pop())
            else:
                self.read_stmt(self.work.pop().stmt)

    def read_stmt(self, stmt: Stmt) -> None:
        match stmt:
            case Let(_, value):
                self.read(value, value_reads(value))
            case Store(base, index, value):
                self.read(base, set())
                self.read(index, content_names(index))
                self.read(value, content_names(value))
            case Accum(target, value):
                inside = target.args[1:] if isinstance(target, Call) else ()
                self.read(target, set().union(set(), *map(content_names, inside)))
                self.read(value, content_names(value))
            case For(_, start, stop, step, _, flag):
                for expr in (start, stop, step):
                    self.read(expr, content_names(expr))
                if flag:
                    self.need(flag)
            case While(test) | If(test):
                self.read(test, content_names(test))
            case Effect(call):
                self.read(call, content_names(call))
            case Return(value):
                self.read(value, content_names(value))


def _sweep(nodes: list[_Node], names: set[str]) -> Block:
    result: list[Stmt] = []
    for node in nodes:
        if not node.kept:
            continue
        stmt = node.stmt
        inner = [_sweep(block, names) for block in node.blocks]
        match stmt:
            case Move(targets, values):
                pairs = [(t, v) for t, v in zip(targets, values) if t in names]
                if not pairs:
                    continue
                stmt = replace(stmt, targets=tuple(t for t, _ in pairs), values=tuple(v for _, v in pairs))
            case For() | While():
                stmt = replace(stmt, body=inner[0])
            case If():
                stmt = replace(stmt, then=inner[0], orelse=inner[1])
        result.append(stmt)
    return tuple(result)
