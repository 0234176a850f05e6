"""unread: no stores into elements that nobody reads any more.

The reverse of ``y[i] = v`` takes the cotangent of `y[i]` out and clears it, for what might be computed from an earlier
``y[i]``. Where nothing is, because the loop has just made the array, or because each iteration knows one element of it,
its own, nobody reads the zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from srcad.analysis.classes import Classes
from srcad.analysis.contents import reads
from srcad.lang import walk
from srcad.lang.custom import Custom
from srcad.lang.ir import Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Stmt, Store, Var, While
from srcad.lang.left import Left
from srcad.lang.recursive import HELPERS, Callee
from srcad.lang.types import Array, Scalar, is_array, is_elastic
from srcad.transforms.own_elements import least_index, offsets


def unread(fn: Function) -> Function:
    """Drop what is stored in arrays of the function's own and read no more.

    >>> import operator
    >>> import numpy as np
    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> x, b = Var("x", Array("float64", ("n",), "C")), Var("b", Array("float64", ("n",), "C"))
    >>> i, zero, one = Var("i", INT), Const(0, INT), Const(1, INT)
    >>> taken = Accum(Call(operator.getitem, (x, zero), (), FLOAT), Call(operator.getitem, (b, i), (), FLOAT))
    >>> loop = For("i", zero, Const(3, INT), one, (taken, Store(b, i, Const(0.0, FLOAT))))
    >>> made = Let("b", Call(np.copy, (x,), (), b.type))
    >>> [len(s.body) for s in unread(Function("f", (Param("x", x.type),), (made, loop, Return(x)))).body[1:2]]
    [1]
    """
    body = without_unread(fn.body, {param.name for param in fn.params})
    return fn if body is fn.body else replace(fn, body=body)


def without_unread(
    block: Block, known: Iterable[str], shared: Iterable[tuple[str, str]] = (), parts: bool = True
) -> Block:
    """A block that stores nothing which it does not read later, but in arrays that others know, too.

    `shared` pairs names of arrays that may share memory. Without `parts`, what goes is only what changes whole arrays,
    and not in loops.
    """
    written = {name for s in walk.statements(block) if (name := _written(s)) is not None}
    if not written:
        return block
    classes = Classes.of(block)
    for one, other in shared:
        classes.union(one, other)
    members: dict[str, set[str]] = {}
    for name in walk.mentioned(block):
        members.setdefault(classes.find(name), set()).add(name)
    told = set(known).union(*map(_handed_out, walk.statements(block)))
    own = {classes.find(name) for name in written} - {classes.find(name) for name in told}
    return _Dropper(classes, members, own, parts).block(block, set()) if own else block


@dataclass
class _Dropper:
    classes: Classes
    members: dict[str, set[str]]  # the names of each class
    own: set[str]  # the classes that nobody outside the function knows
    parts: bool

    def block(self, block: Block, live: set[str]) -> Block:
        """A block without the stores into classes that are not read before they are made anew; `live` are those that
        are read behind it, and then those that are read from its beginning on.
        """
        result: list[Stmt] = []
        for stmt in reversed(block):
            whole = isinstance(stmt, Accum) and isinstance(stmt.target, Var)
            written = _written(stmt) if whole or self.parts else None
            if written is not None and (found := self.classes.find(written)) in self.own and found not in live:
                continue
            match stmt:
                case For(body=body) | While(body=body) if self.parts:
                    inside = live | self.read_by_others(stmt)
                    stmt = replace(stmt, body=self.block(body, inside))
                    if isinstance(stmt, For) and not stmt.body and stmt.flag is None and len(body):
                        continue
                case If(_, then, orelse):
                    stmt = replace(stmt, then=self.block(then, set(live)), orelse=self.block(orelse, set(live)))
                    if not stmt.then and not stmt.orelse:
                        continue
            live |= self.read((stmt,))
            result.append(stmt)
        return tuple(reversed(result))

    def read(self, block: Block) -> set[str]:
        return {self.classes.find(name) for stmt in walk.statements(block) for name in reads(stmt)} & self.own

    def read_by_others(self, loop: For | While) -> set[str]:
        """The classes of which an iteration may read what another one has written."""
        made = _made_first(loop.body)
        return {each for each in self.read((loop,))
                if not self.members[each] <= made and not self.is_apart(each, loop)}  # fmt: skip

    def is_apart(self, each: str, loop: For | While) -> bool:
        """Whether each iteration knows elements of a class that no other one does."""
        least = least_index(loop)
        mentioned = walk.mentioned(loop.body) & self.members[each]
        if not isinstance(loop, For) or least is None or len(mentioned) != 1 or loop.index in walk.assigned(loop.body):
            return False
        [name] = mentioned
        places = offsets(loop.body, name, loop.index)
        return len(places) == 1 and all(axis is not None and least + offset >= 0 for axis, offset in places)


def _made_first(body: Block) -> set[str]:
    """The names that an iteration assigns before it knows them otherwise."""
    made: set[str] = set()
    known: set[str] = set()
    for stmt in body:
        if isinstance(stmt, Let) and stmt.target not in walk.names(stmt.value) | known:
            made.add(stmt.target)
        known |= walk.mentioned((stmt,))
    return made


def _handed_out(stmt: Stmt) -> set[str]:
    """The arrays that others may know behind a statement: what it is called with, a list, or an array of the user's."""
    match stmt:
        case Let(target, value):
            if any(map(_is_of_others, walk.subexprs(value))):
                return {target}
            kind = getattr(value, "type", None)
            if isinstance(kind, Scalar) or isinstance(kind, Array) and not is_elastic(kind):
                return set()
        case Store(Var(type=kind)) if isinstance(kind, Array) and not is_elastic(kind):
            return set()
        case Effect() | Store():
            pass
        case _:
            return set()
    return set().union(*map(walk.names, walk.stmt_exprs(stmt)))


def _is_of_others(expr: Expr) -> bool:
    """Whether an expression is an array of the user's, a structure that may hold some, or what a function gives that
    may have it from elsewhere.
    """
    match expr:
        case Call(fn):
            return isinstance(fn, (Left, Callee, Custom, *HELPERS))
        case Var(type=kind):
            return not isinstance(kind, (Scalar, Array))
        case Const(type=kind):
            return is_array(kind)
        case Attr(Const()):
            return True
    return False


def _written(stmt: Stmt) -> str | None:
    """The array in which a statement stores something, and does nothing else."""
    match stmt:
        case Store(Var(name, kind)) | Accum(Var(name, kind)) | Accum(Call(args=(Var(name, kind), *_))):
            return name if isinstance(kind, Array) and not is_elastic(kind) else None
    return None
