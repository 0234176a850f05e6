"""Which array names of final code may share memory: views, second names, and what moves hand on.

Coarser than `buffers`, and good for any code: a name may be assigned many times.
"""

from __future__ import annotations

from srcad.analysis.buffers import views_of
from srcad.lang import walk
from srcad.lang.ir import Block, Call, Expr, Let, Move, Stmt, Var
from srcad.lang.types import is_array
from srcad.runtime import sum_to


class Classes:
    """Sets of names that may share memory.

    >>> from srcad.lang.types import Array
    >>> a = Var("a", Array("float64", ("n",)))
    >>> classes = Classes.of((Let("b", a),))
    >>> classes.find("a") == classes.find("b")
    True
    """

    def __init__(self) -> None:
        self.leader: dict[str, str] = {}

    @staticmethod
    def of(block: Block) -> Classes:
        return Classes().with_names_of(block)

    def with_names_of(self, block: Block) -> Classes:
        """The same, with what statements add to it."""
        classes = Classes()
        classes.leader = dict(self.leader)
        for stmt in walk.statements(block):
            classes.add(stmt)
        return classes

    def find(self, name: str) -> str:
        leader = self.leader
        while name in leader:
            above = leader[name]
            if above in leader:
                leader[name] = leader[above]
            name = above
        return name

    def share(self, one: str, other: str) -> bool:
        return self.find(one) == self.find(other)

    def union(self, a: str, b: str) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self.leader[a] = b

    def add(self, stmt: Stmt) -> None:
        match stmt:
            case Let(target, value):
                bases = list(parts_of(value))
                while bases:
                    base = bases.pop()
                    if isinstance(base, Var):
                        self.union(target, base.name)
                    bases += parts_of(base) if isinstance(base, Call) else ()
            case Move(targets, values):
                for target, value in zip(targets, values):
                    if isinstance(value, Var) and is_array(value.type):
                        self.union(target, value.name)


def parts_of(value: Expr) -> tuple[Expr, ...]:
    """The arrays that a value may be or be a part of: what is summed to the shape that it has already stays itself."""
    if isinstance(value, Call) and value.fn is sum_to:
        ranks = {getattr(getattr(arg, "type", None), "ndim", None) for arg in value.args}
        return value.args[:1] if len(ranks) == 1 else ()
    return views_of(value)
