"""beside: an array that each iteration changes everywhere is made anew beside the old one. For machine code only.

The adjoint of ``u[1:-1] = u[1:-1] + a * (u[2:] - u[:-2])`` copies what it takes of `u_bar`, and then adds to each
element of `u_bar`. Instead, `u_bar` changes places with a second array at the beginning of the iteration; the sums are
written to it, and nothing is copied: one array is only read, the other one only written to, which makes vectors easy.

Why it is right: the loop that adds, and the edges behind it, go through each element of the array once; where the loop
has no iteration, and so leaves the edges alone, the old array is copied. Nobody else knows the array's memory, and what
was copied is only read, in the same iteration.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace

import numpy as np

from srcad.analysis.beginnings import Beginning
from srcad.analysis.boxes import END, FIRST, Box, box_of, visited
from srcad.analysis.buffers import stored_name
from srcad.analysis.classes import Classes
from srcad.analysis.contents import is_element, values_of
from srcad.analysis.lengths import Lengths
from srcad.analysis.overwritten import mentions
from srcad.lang import walk
from srcad.lang.ir import Accum, Block, Call, Expr, For, Function, If, Let, Move, Slice, Stmt, Store, Var
from srcad.lang.types import REAL, Array
from srcad.transforms.by_turns import is_known
from srcad.transforms.flatten import fresh_names
from srcad.transforms.hoist import runs

ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.neg)


def beside(fn: Function) -> Function:
    """Let loops write sums to a second array, where they would add to each element of one that they have copied.

    >>> from srcad.lang.ir import Const, Param, Return
    >>> from srcad.lang.types import FLOAT, INT
    >>> x, c = (Var(name, Array("float64", ("n",), "C")) for name in "xc")
    >>> i, n = Var("i", INT), Var("n", INT)
    >>> def at(a): return Call(operator.getitem, (a, i), (), FLOAT)
    >>> part = Call(operator.getitem, (x, Slice()), (), x.type)
    >>> add = Accum(at(x), Call(np.sin, (at(c),), (), FLOAT))
    >>> body = (Let("c", Call(np.copy, (part,), (), x.type)), For("i", Const(0, INT), n, Const(1, INT), (add,)))
    >>> loop = For("t", Const(0, INT), Const(9, INT), Const(1, INT), body)
    >>> made = Let("x", Call(np.ones, (n,), (), x.type))
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> fn = beside(Function("f", (Param("n", INT),), (made, loop, Return(x))))
    >>> print(write(name(fn)).text.split("\\n\\n\\n")[1], end="")
    def f(n):
        x = np.ones(n)
        x_old = np.empty_like(x)
        for t in range(9):
            x, x_old = x_old, x
            c = x_old[:]
            for i in range(n):
                x[i] = x_old[i] + np.sin(c[i])
        return x
    """
    for position, loop in enumerate(fn.body):
        if not isinstance(loop, For) or loop.flag is not None:
            continue
        for stmt in loop.body:
            array = _copied(stmt)
            new = None if array is None else _Changed(fn, position, loop, array).beside()
            if new is not None:
                return beside(new)
    return fn


def _copied(stmt: Stmt) -> Var | None:
    """The array of which a statement copies a part."""
    match stmt:
        case Let(_, Call(np.copy, (Call(operator.getitem, (Var(_, Array(dtype, _, "C")) as array, Slice())),), ())):
            same = stmt.value.type == stmt.value.args[0].type  # type: ignore[union-attr]
            return array if same and dtype in REAL else None
    return None


@dataclass
class _Changed:
    """An array, and a loop whose iterations copy parts of it before they change it."""

    fn: Function
    position: int
    loop: For
    array: Var

    def beside(self) -> Function | None:
        """The function with two arrays, if each iteration adds to every element once."""
        body, array = self.loop.body, self.array
        users = [stmt for stmt in body if mentions(stmt, array.name)]
        copies = [stmt for stmt in users if isinstance(stmt, Let) and _copied(stmt) == array]
        start = users.index(copies[0])
        end = start + len(copies)
        additions = users[end : end + (1 if end + 1 < len(users) and not isinstance(users[end + 1], If) else 2)]
        if users[start:end] != copies or not self.is_everywhere(additions) or not self.is_own():
            return None
        if not all(self.is_read_only(stmt.target) for stmt in copies):
            return None
        fresh = fresh_names({p.name for p in self.fn.params} | walk.assigned(self.fn.body))
        old = Var(fresh(f"{array.name}~old"), array.type)
        swap = Move((array.name, old.name), (old, array), replace(copies[0].origin, adjoint=False))
        new: dict[int, Block] = {id(stmt): (replace(stmt, value=_part(stmt, old)),) for stmt in copies}
        new |= {id(stmt): (self.assigned(stmt, old),) for stmt in additions}
        new[id(copies[0])] = (swap, *new[id(copies[0])])
        changed = [each for stmt in body for each in new.get(id(stmt), (stmt,))]
        made = Let(old.name, Call(np.empty_like, (array,), (), array.type), swap.origin)
        before, after = self.fn.body[: self.position], self.fn.body[self.position + 1 :]
        return replace(self.fn, body=(*before, made, replace(self.loop, body=tuple(changed)), *after))

    def is_everywhere(self, additions: list[Stmt]) -> bool:
        """Whether statements add to each element of the array once, if the first of them, a loop, has an iteration.

        Without one, they add to none.
        """
        match additions:
            case [For() as inner]:
                edges: Block = ()
            case [For() as inner, If(test, edges, ())] if test == runs(inner):
                pass
            case _:
                return False
        lengths = Lengths.of(self.fn)
        found = visited(inner, self.array, lengths)
        if found is None or not isinstance(found[0], Accum) or not found[1][0].is_inner():
            return False
        boxes = [found[1], *(self.edge(stmt, lengths) for stmt in edges)]
        return _one_behind_the_other([box for box in boxes if box is not None]) and None not in boxes

    def edge(self, stmt: Stmt, lengths: Lengths) -> Box | None:
        """The element that a statement adds to."""
        match stmt:
            case Accum(Call(operator.getitem, (base, index)), value) if base == self.array:
                read = walk.names(index) | walk.names(value)
                return None if self.array.name in read else box_of(index, self.array, [], lengths)
        return None

    def is_own(self) -> bool:
        """Whether nobody else knows the memory of the array until the loop is done."""
        before, name = self.fn.body[: self.position], self.array.name
        made = Beginning.of(before, name)
        if made is None or made.names != (name,) or not is_known(before[made.place]):
            return False
        classes = Classes.of(self.fn.body)
        known = {p.name for p in self.fn.params} | walk.assigned((*before, self.loop))
        headers = {n for expr in walk.stmt_exprs(self.loop) for n in walk.names(expr)}
        inner = walk.statements(self.loop.body)
        bound = any(name in walk.targets(stmt) and stored_name(stmt) != name for stmt in inner)
        shared = any(classes.find(other) == classes.find(name) for other in known - {name})
        return not bound and not shared and name not in headers

    def is_read_only(self, copy: str) -> bool:
        """Whether all that is done with a copy is to compute with it, under any name, in the same iteration."""
        bound = [stmt for stmt in walk.statements(self.fn.body) if copy in walk.targets(stmt)]
        if len(bound) != 1 or bound[0] not in self.loop.body:
            return False
        names = {copy}
        for stmt in self.loop.body[self.loop.body.index(bound[0]) + 1 :]:
            match stmt:
                case Let(name, Var(of)) if of in names:
                    if not self.is_read_only(name):
                        return False
                    continue
            if any(_keeps(inner, names) for inner in walk.statements((stmt,))):
                return False
        others = (s for s in self.fn.body if s is not self.loop)
        first = self.loop.body[: self.loop.body.index(bound[0])]
        return not any(mentions(stmt, copy) for stmt in (*others, *first))

    def assigned(self, stmt: Stmt, old: Var) -> Stmt:
        """The additions as sums with elements of the old array; where a test leaves them out, a copy of all of it."""
        new = self.sums(stmt, old)
        if isinstance(new, If):
            return replace(new, orelse=(Store(self.array, Slice(), old, new.origin),))
        return new

    def sums(self, stmt: Stmt, old: Var) -> Stmt:
        match stmt:
            case Accum(Call(operator.getitem, (base, index)) as target, value) if base == self.array:
                added = Call(operator.add, (replace(target, args=(old, index)), value), (), target.type)
                return Store(self.array, index, added, stmt.origin)
        return walk.map_stmt(lambda e: e, stmt, lambda block: tuple(self.sums(inner, old) for inner in block))


def _part(stmt: Let, old: Var) -> Expr:
    assert isinstance(stmt.value, Call)
    part = stmt.value.args[0]
    assert isinstance(part, Call)
    return replace(part, args=(old, part.args[1]))


def _keeps(stmt: Stmt, names: set[str]) -> bool:
    """Whether a statement does more with arrays than to compute with what they hold."""
    if stored_name(stmt) in names:
        return True
    exprs = (stmt.index, stmt.value) if isinstance(stmt, Store) else walk.stmt_exprs(stmt)
    return any(_stays(expr, names) for expr in exprs) or bool(names & set(walk.targets(stmt)))


def _stays(expr: Expr, names: set[str]) -> bool:
    """Whether an expression reads arrays otherwise than by element or shape, or to compute with all of them."""
    if isinstance(expr, Call) and is_element(expr) and isinstance(expr.args[0], Var):
        return _stays(expr.args[1], names)
    if isinstance(expr, Call) and names & values_of(expr):
        if isinstance(expr.fn, np.ufunc) or expr.fn in ARITHMETIC:
            return any(_stays(e, names) for e in expr.args if not isinstance(e, Var)) or bool(expr.kwargs)
        return any(_stays(e, names) for e in (*expr.args, *(value for _, value in expr.kwargs)))
    return bool(names & values_of(expr))


def _one_behind_the_other(boxes: list[Box]) -> bool:
    """Whether boxes of a vector follow each other from its first element to its end.

    >>> from srcad.analysis.boxes import Place, Span
    >>> most, last = (Span(stop=Place(1, True)),), (Span(Place(1, True)),)
    >>> _one_behind_the_other([last, most]), _one_behind_the_other([most]), _one_behind_the_other([most, last, last])
    (True, False, False)
    """
    left = {box[0].start: box[0].stop for box in boxes}
    at = FIRST
    while at in left:
        at = left.pop(at)
    return at == END and not left and len({box[0].start for box in boxes}) == len(boxes)
