"""hits: the adjoint of a row's extreme goes to the elements that attain it, not to all of them. For machine code only.

``y = np.min(a)`` has a derivative where ``a == y``, or where both are no numbers. The literal adjoint multiplies
everything behind the other elements by zero. Here a loop over the row notes the last element that attains the extreme
and how many do, and the adjoint's loops run over that one alone; if several do, over all up to it. An array that only
these loops still read is not stored: they compute its few elements anew.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import axis_length
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Expr, For, Function, If, Let, Move, Stmt, Var, or_, select,
)  # fmt: skip
from srcad.lang.types import BOOL, INT, Array, Scalar
from srcad.transforms.few import for_hits, is_zero
from srcad.transforms.flatten import fresh_names
from srcad.transforms.runs import allocation
from srcad.transforms.unstored import Facts, reads_in, without_stored

def hits(fn: Function) -> Function:
    """Let the adjoints of extremes of rows go to the elements that attain them.

    >>> from srcad.lang.ir import Param, Return
    >>> from srcad.lang.types import FLOAT
    >>> kind = Array("float64", ("n",), "C")
    >>> x, x_bar, y, hit = Var("x", kind), Var("x_bar", kind), Var("y", FLOAT), Var("hit", replace(kind, dtype="bool"))
    >>> k = Var("k", INT)
    >>> def at(array, kind): return Call(operator.getitem, (array, k), (), kind)
    >>> share = Call(operator.truediv, (Const(1.0, FLOAT), Call(np.sum, (hit,), (), INT)), (), FLOAT)
    >>> value = Call(select, (at(hit, BOOL), share, Const(0.0, FLOAT)), (), FLOAT)
    >>> loop = For("k", Const(0, INT), axis_length(hit, 0), Const(1, INT), (Accum(at(x_bar, FLOAT), value),))
    >>> tests = Call(operator.eq, (x, y), (), hit.type), Call(np.isnan, (x,), (), hit.type)
    >>> body = (Let("y", Call(np.min, (x,), (), FLOAT)), Let("hit", Call(operator.or_, tests, (), hit.type)), loop)
    >>> from srcad.lang.write import write
    >>> from srcad.transforms.name import name
    >>> params = (Param("x", kind), Param("x_bar", kind))
    >>> print(write(name(hits(Function("f", params, (*body, Return(y)))))).text.split("\\n\\n\\n")[1], end="")
    def f(x, x_bar):
        y = np.min(x)
        last = 0
        ties = 0
        for k in range(x.shape[0]):
            hit = x[k] == y or np.isnan(x[k])
            last = max(last, k if hit else 0)
            ties += 1 if hit else 0
        first = 0 if ties > 1 else last
        for k in range(first, last + 1):
            if x[k] == y or np.isnan(x[k]):
                x_bar[k] += 1.0 / ties
        return y
    """
    extremes = (np.min, np.max)
    if not any(isinstance(s, Let) and isinstance(s.value, Call) and member(s.value.fn, extremes)
               for s in walk.statements(fn.body)):  # fmt: skip
        return fn
    used = {p.name for p in fn.params} | walk.assigned(fn.body)
    facts = Facts(Classes.of(fn.body), reads_in(fn.body), fresh_names(used))
    body = _block(fn.body, facts)
    return replace(fn, body=for_hits(body, replace(facts, reads=reads_in(body))))


def _block(block: Block, facts: Facts) -> Block:
    block = tuple(walk.map_stmt(lambda e: e, s, lambda inner: _block(inner, facts)) for s in block)
    for position in range(len(block)):
        row = _Row.of(block, position, facts)
        found = row.rewritten() if row is not None else None
        if found is not None:
            return _block(found, facts)
    return block


@dataclass
class _Row:
    """A row `array`, its extreme `best`, and what says which elements attain it; `where` are cotangents by name."""

    before: Block
    after: Block
    array: Var
    best: Var
    hit: str
    opening: Stmt
    facts: Facts
    where: dict[str, Expr] = field(default_factory=dict)
    first: Var = field(init=False)
    last: Var = field(init=False)
    ties: Var = field(init=False)

    @staticmethod
    def of(block: Block, position: int, facts: Facts) -> _Row | None:
        match block[position]:
            case Let(hit, Call(operator.or_, (
                Call(operator.eq, (Var(_, Array(shape=(_,))) as array, Var(_, Scalar()) as best)),
                Call(np.isnan, (same,)),
            ))) as stmt if same == array:  # fmt: skip
                made = next((s for s in block[:position] if isinstance(s, Let) and s.target == best.name), None)
                value = made.value if made is not None else None
                if isinstance(value, Call) and member(value.fn, (np.min, np.max)) and value.args == (array,):
                    start = block.index(made)  # type: ignore[arg-type]
                    kept = facts.are_kept((array.name, best.name), block[start + 1 :])
                    if kept and not value.kwargs and facts.are_read((hit,), block):
                        return _Row(block[:position], block[position + 1 :], array, best, hit, stmt, facts)
        return None

    # ------------------------------------------------------------ the statements

    def rewritten(self) -> Block | None:
        """The block whose loops run over the hits alone; None where something else asks for the others."""
        self.first, self.last, self.ties = (Var(self.facts.fresh(name), INT) for name in ("first", "last", "ties"))
        result: list[Stmt] = []
        narrowed = []
        for stmt in self.after:
            match stmt:
                case Let(target, Call(np.where, (Var(self.hit), Call(type=Scalar()) as share, Const(0.0))), origin):
                    own = Var(self.facts.fresh("share"), share.type)
                    self.where[str(target)] = own
                    stmt = Let(own.name, share, origin)
                case For() if self.asks(stmt.body):
                    shorter = self.narrowed(stmt)
                    if shorter is None:
                        return None
                    narrowed.append(shorter)
                    stmt = shorter
            result += walk.map_block(self.counted, (stmt,))
        if not narrowed or self.asks(tuple(result)) or not self.facts.are_read(self.where, self.after):
            return None
        found: Block = (*self.before, *self.noted(), *result)
        whole = (*self.before, self.opening, *self.after)
        arrays = [name for name in sorted(walk.defined(self.before)) if self.facts.are_read((name,), whole)]
        return without_stored(found, narrowed, arrays, self.facts)

    def asks(self, block: Block) -> bool:
        names = {self.hit, *self.where}
        return any(walk.names(e) & names for s in walk.statements(block) for e in walk.stmt_exprs(s))

    def counted(self, e: Expr) -> Expr:
        match e:
            case Call(np.sum, (Var(self.hit),), ()):
                return self.ties
            case Attr(Var(name), "shape") if name == self.hit or name in self.where:
                return replace(e, value=self.array)
        return e

    def test(self, k: Expr) -> Call:
        kind = self.array.type
        assert isinstance(kind, Array)
        element = Call(operator.getitem, (self.array, k), (), Scalar(kind.dtype))
        equal = Call(operator.eq, (element, self.best), (), BOOL)
        return Call(or_, (equal, Call(np.isnan, (element,), (), BOOL)), (), BOOL)

    def noted(self) -> Block:
        """The loop that finds the last hit, and counts them; and where the adjoint's loops begin."""
        origin = self.opening.origin
        k, last, ties = Var(self.facts.fresh("k"), INT), self.last, self.ties
        hit = Var(self.facts.fresh("hit"), BOOL)
        # the largest of all, for which there are vector instructions
        later = Call(max, (last, Call(select, (hit, k, Const(0, INT)), (), INT)), (), INT)
        one = Call(select, (hit, Const(1, INT), Const(0, INT)), (), INT)
        body = Let(hit.name, self.test(k), origin), Move((last.name,), (later,), origin), Accum(ties, one, origin)
        starts = [Move((each.name,), (Const(0, INT),), origin) for each in (last, ties)]
        loop = For(k.name, Const(0, INT), axis_length(self.array, 0), Const(1, INT), body, None, origin)
        several = Call(operator.gt, (ties, Const(1, INT)), (), BOOL)
        begin = Let(self.first.name, Call(select, (several, Const(0, INT), last), (), INT), origin)
        return *starts, loop, begin

    # ------------------------------------------------------------ loops

    def narrowed(self, loop: For) -> For | None:
        """A loop over the row that does nothing for elements that are no hits, over these alone."""
        k = Var(loop.index, INT)
        if loop.flag is not None or not (walk.is_const(loop.start, 0) and walk.is_const(loop.step, 1)):
            return None
        own = walk.defined(loop.body)
        if not (self.is_whole(loop.stop) and self.is_idle(loop.body, k, set()) and self.facts.are_read(own, loop.body)):
            return None
        body = walk.map_block(lambda e: self.of_hit(e, k), loop.body)
        if self.asks(walk.map_block(self.counted, body)):
            return None
        stop = Call(operator.add, (self.last, Const(1, INT)), (), INT)
        return replace(loop, start=self.first, stop=stop, body=(If(self.test(k), body, (), loop.origin),))

    def is_whole(self, stop: Expr) -> bool:
        match stop:
            case Call(operator.getitem, (Attr(Var(_, Array() as kind), "shape"), Const(int() as axis))):
                return isinstance(row := self.array.type, Array) and kind.shape[axis] == row.shape[0]
        return False

    def of_hit(self, e: Expr, k: Var) -> Expr:
        """An expression as it is for a hit."""
        match e:
            case Call(fn, (Call(operator.getitem, (Var(self.hit), index)), value, Const(0.0))) if (
                fn is select and index == k
            ):
                return value
            case Call(operator.getitem, (Var(name), index)) if name in self.where and index == k:
                return self.where[name]
        return e

    def is_idle(self, block: Block, k: Var, zeros: set[str]) -> bool:
        """Whether a block does nothing for an element that is no hit: what it adds is zero."""
        for stmt in block:
            match stmt:
                case Let(target, value):
                    zeros -= {target}
                    zeros |= {target} if self.is_zero(value, k, zeros) else set()
                case Accum(Call(operator.getitem, (Var(name), index))) if index == k and self.is_forgotten(name):
                    pass
                case Accum(target, value):
                    if isinstance(target, Var) and target.name in zeros or not self.is_zero(value, k, zeros):
                        return False
                case For(flag=None, body=body):
                    if not self.is_idle(body, k, zeros):
                        return False
                case _:
                    return False
        return True

    def is_forgotten(self, name: str) -> bool:
        """Whether an array is made before the loops over the row, and read in one of them alone."""
        made = [s for s in self.before if name in walk.targets(s)]
        users = [s for s in self.after if name in walk.mentioned((s,))]
        classes = self.facts.classes
        alone = all(classes.find(n) != classes.find(name) for n in classes.leader if n != name)
        single = len(made) == len(users) == 1 and allocation(made[0]) is not None
        return single and alone and self.facts.are_read((name,), (*self.before, *self.after))

    def is_zero(self, e: Expr, k: Var, zeros: set[str]) -> bool:
        return is_zero(e, zeros, lambda part: self.of_hit(part, k) is not part)
