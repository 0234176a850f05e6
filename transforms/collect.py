"""collect: the cotangents of scalars in their shortest form.

What is added to one cotangent in several statements is added in one. Where several uses of a temporary, written
out, let terms be collected or factors be taken out, they are written out. Only the reverse sweep is touched: the
primal computes what the user wrote, to the last bit.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from srcad.analysis.classes import Classes
from srcad.analysis.contents import content_names
from srcad.lang.ir import Accum, Block, Call, Expr, Function, Let, Stmt, Store, Var, is_temporary
from srcad.lang.types import Array, Scalar
from srcad.lang.walk import map_stmt, names, statements, stmt_exprs, subexprs, substitute, targets
from srcad.transforms.contributions import doubled, signed
from srcad.transforms.simplify import simplified
from srcad.transforms.sums import collected, cost

WINDOW = 16  # statements between a temporary and its last use, or between two additions to one cotangent
MOST_USES = 3
LARGEST = 40  # operations of two statements that are tried as one
LONGEST = 14  # operations in a sum of several additions


def collect(fn: Function) -> Function:
    """Shorten the scalar expressions of the reverse sweep.

    >>> from srcad.lang.ir import Return
    >>> from srcad.lang.origin import Origin
    >>> from srcad.lang.types import FLOAT
    >>> back = Origin(adjoint=True)
    >>> g, x = Var("g", FLOAT), Var("x", FLOAT)
    >>> b, product = Var("b", FLOAT), Call(operator.mul, (g, x), (), FLOAT)
    >>> body = (Let("b", product, back), Accum(b, product, back), Return(b))
    >>> from srcad.lang.write import write
    >>> print(write(collect(Function("f", (), body))).text, end="")
    def f():
        b = 2.0 * g * x
        return b
    """
    return replace(fn, body=_Collector(_uses(fn.body), Classes.of(fn.body)).block(fn.body))


def _uses(block: Block) -> Counter[str]:
    """How often the statements of a block read or assign each name."""
    uses: Counter[str] = Counter()
    for stmt in statements(block):
        uses.update(e.name for expr in stmt_exprs(stmt) for e in subexprs(expr) if isinstance(e, Var))
        uses.update(targets(stmt))
    return uses


@dataclass(frozen=True)
class _Facts:
    """What a statement reads and writes; names of arrays by the class of names that may share their memory."""

    stmt: Stmt
    read: frozenset[str]
    targets: frozenset[str]
    bound: frozenset[str]  # the targets but an array that is added to: it stays the same array
    written: frozenset[str]
    used: frozenset[str]  # what its value, and the cotangent that it is added to, depend on
    contents: frozenset[str]  # the arrays whose contents its value depends on
    touched: frozenset[str]  # the classes of what it reads; of an addition to an element, except of the array itself
    operations: int


class _Collector:
    def __init__(self, uses: Counter[str], classes: Classes) -> None:
        self.uses, self.classes = uses, classes
        self.known: dict[int, _Facts] = {}

    def facts(self, stmt: Stmt) -> _Facts:
        if id(stmt) not in self.known:
            self.known[id(stmt)] = self._facts(stmt)
        return self.known[id(stmt)]

    def _facts(self, stmt: Stmt) -> _Facts:
        def leaders(found: Iterable[str]) -> frozenset[str]:
            return frozenset(map(self.classes.find, found))

        exprs = stmt_exprs(stmt)
        read = frozenset().union(*map(names, exprs))
        used, contents, touched = read, frozenset[str](), read
        if isinstance(stmt, (Let, Accum)):
            used = frozenset(names(stmt.value) | (names(stmt.target) if isinstance(stmt, Accum) else {stmt.target}))
            contents = leaders(content_names(stmt.value))
        if isinstance(stmt, Accum) and isinstance(stmt.target, Call):
            touched = frozenset().union(*map(names, (stmt.value, *stmt.target.args[1:])))
        targeted = frozenset(targets(stmt))
        operations = sum(map(cost, exprs)) + isinstance(stmt, Accum)
        return _Facts(stmt, read, targeted, targeted - _array_target(stmt), leaders(_written(stmt)), used, contents,
                      leaders(touched), operations)  # fmt: skip

    def block(self, block: Block) -> Block:
        given = [signed(map_stmt(lambda e: e, s, self.block)) for s in block]
        stmts = doubled(given, self.classes)
        if len(stmts) < len(given):
            self.uses.subtract(_uses(tuple(given)))
            self.uses.update(_uses(tuple(stmts)))
        for position in range(len(stmts) - 1, -1, -1):
            while _is_sum(stmts[position]) and self.shortened(stmts, position):
                pass
        return tuple(stmts)

    def shortened(self, stmts: list[Stmt], position: int) -> bool:
        """Collect what begins with a statement; True if there is one of these statements left, and more to be tried."""
        window = [_short(stmts[position]), *stmts[position + 1 : position + WINDOW]]
        kept = self.merged(window)
        tried = self.written_out(window)
        if tried is not None and self.total(tried) <= self.total(kept) + 1:  # a line less for an operation
            kept = tried
        self.replace(stmts, position, kept)
        return len(kept) < len(window) and tried is not kept

    def replace(self, stmts: list[Stmt], position: int, kept: list[Stmt]) -> None:
        """Put `kept` in the place of a window, and count what is read anew."""
        window = stmts[position : position + WINDOW]
        old, new = set(map(id, window)), set(map(id, kept))
        self.uses.subtract(_uses(tuple(s for s in window if id(s) not in new)))
        self.uses.update(_uses(tuple(s for s in kept if id(s) not in old)))
        stmts[position : position + WINDOW] = kept

    def total(self, stmts: list[Stmt]) -> int:
        return sum(self.facts(stmt).operations for stmt in stmts)

    # ------------------------------------------------------------ several additions as one

    def merged(self, stmts: list[Stmt]) -> list[Stmt]:
        """``b = e`` or ``b += e`` joined with a later ``b += g``."""
        first = stmts[0]
        if not isinstance(first, (Let, Accum)) or not _is_sum(first):
            return stmts
        place = Var(first.target) if isinstance(first, Let) else first.target
        if isinstance(place, Call) and not isinstance(place.args[0], Var):  # an element of a view without a name
            return stmts
        for position, stmt in enumerate(stmts[1:], 1):
            if isinstance(stmt, Accum) and _is_sum(stmt) and _same_place(place, stmt.target):
                both = _joined(first, stmt)
                if both is None or not self.unread(place, stmt.value):
                    return stmts
                rest = self.merged([both, *stmts[position + 1 :]])
                return [*stmts[1:position], *rest]
            if not (self.passes(first, stmt) and self.untouched(place, stmt)):
                return stmts
        return stmts

    def merged_everywhere(self, stmts: list[Stmt]) -> list[Stmt]:
        for position in range(len(stmts) - 1, -1, -1):
            stmts = [*stmts[:position], *self.merged(stmts[position:])]
        return stmts

    def passes(self, first: Let | Accum, stmt: Stmt) -> bool:
        """Whether the value of `first` is the same behind `stmt`."""
        if not isinstance(stmt, (Let, Accum, Store)):
            return False
        value, passed = self.facts(first), self.facts(stmt)
        return not (passed.bound & value.used or passed.written & value.contents)

    def unread(self, place: Expr, value: Expr) -> bool:
        """Whether a value does not depend on the cotangent that it is added to."""
        base = place.args[0] if isinstance(place, Call) else place
        assert isinstance(base, Var)
        return self.classes.find(base.name) not in set(map(self.classes.find, names(value)))

    def untouched(self, place: Expr, stmt: Stmt) -> bool:
        """Whether a statement neither reads a cotangent nor assigns it; adding to its other elements does no harm."""
        facts = self.facts(stmt)
        if isinstance(place, Var):
            return place.name not in facts.read and place.name not in facts.targets
        assert isinstance(place, Call)
        assert isinstance(place.args[0], Var)
        base = self.classes.find(place.args[0].name)
        return base not in facts.touched and (isinstance(stmt, Accum) or base not in facts.written)

    # ------------------------------------------------------------ temporaries written out

    def written_out(self, stmts: list[Stmt]) -> list[Stmt] | None:
        """The statements without the temporary that the first one defines, or None where it must stay."""
        first = stmts[0]
        if not isinstance(first, Let) or self.uses[first.target] > MOST_USES + 1:
            return None
        if not is_temporary(first.target) and not self.is_only_stored(first.target, stmts):
            return None
        left = self.uses[first.target] - 1
        result: list[Stmt] = []
        for position, stmt in enumerate(stmts[1:], 1):
            if first.target in self.facts(stmt).read:
                here = sum(_reads(e, first.target) for e in stmt_exprs(stmt))
                if not isinstance(stmt, (Let, Accum, Store)):
                    return None
                if isinstance(stmt, Store) and isinstance(stmt.value, Var):
                    stmt = replace(stmt, origin=first.origin)
                stmt = _short(map_stmt(lambda e: substitute(e, {first.target: first.value}), stmt))
                if isinstance(stmt, (Let, Accum)) and not _is_sum(stmt):
                    stmt = replace(stmt, value=simplified(stmt.value, inside=isinstance(stmt, Accum)))
                left -= here
            result.append(stmt)
            if left == 0:
                return self.merged_everywhere([*result, *stmts[position + 1 :]])
            if not self.passes(first, stmt):
                return None
        return None

    def is_only_stored(self, name: str, stmts: list[Stmt]) -> bool:
        """Whether a number is for nothing but ``x_bar[i] = x_bar_1``."""
        return self.uses[name] == 2 and any(isinstance(s, Store) and isinstance(s.value, Var) and s.value.name == name
                                               for s in stmts)  # fmt: skip


def _is_sum(stmt: Stmt) -> bool:
    """Whether a statement assigns or adds to a scalar of the reverse sweep."""
    if not stmt.origin.adjoint or not isinstance(stmt, (Let, Accum)):
        return False
    kinds = [getattr(stmt.value, "type", None)]
    if isinstance(stmt, Accum):
        kinds.append(stmt.target.type)
    return all(isinstance(kind, Scalar) and kind.dtype in ("float64", "float32") for kind in kinds)


def _written(stmt: Stmt) -> set[str]:
    """The array that a statement writes to."""
    match stmt:
        case Store(Var(base)) | Accum(Call(args=(Var(base), *_))) | Accum(Var(base, Array())):
            return {base}
    return set()


def _array_target(stmt: Stmt) -> set[str]:
    """The name of an array that is added to: it stays the same array."""
    match stmt:
        case Accum(Var(name, Array())):
            return {name}
    return set()


def _same_place(a: Expr, b: Expr) -> bool:
    if isinstance(a, Var) or isinstance(b, Var):
        return isinstance(a, Var) and isinstance(b, Var) and a.name == b.name
    return a == b


def _short(stmt: Stmt) -> Stmt:
    """A statement with its value collected; what is added with a minus sign is subtracted."""
    if not _is_sum(stmt):
        return stmt
    assert isinstance(stmt, (Let, Accum))
    value = simplified(collected(stmt.value))
    if isinstance(stmt, Let) and isinstance(value, Call) and value.fn is operator.neg:
        if cost(value) == cost(stmt.value) and not _opens_negated(stmt.value):
            return stmt
        value = _sign_first(value.args[0])
    return replace(stmt, value=value)


def _opens_negated(value: Expr) -> bool:
    while isinstance(value, Call) and value.fn in (operator.mul, operator.truediv):
        value = value.args[0]
    return isinstance(value, Call) and value.fn is operator.neg


def _sign_first(value: Expr) -> Expr:
    """``-a * b`` for ``-(a * b)``"""
    match value:
        case Call(operator.mul | operator.truediv, (left, right)):
            return replace(value, args=(_sign_first(left), right))
    return simplified(Call(operator.neg, (value,), (), value.type))


def _joined(first: Let | Accum, second: Accum) -> Let | Accum | None:
    """Two statements as one, where that saves operations or, of two additions, makes one of readable length."""
    apart = cost(first.value) + cost(second.value) + 1
    if apart > LARGEST:
        return None
    value = Call(operator.add, (first.value, second.value), (), second.target.type)
    both = replace(first, value=simplified(collected(value)), origin=second.origin)
    short = isinstance(first, Accum) and cost(both.value) <= LONGEST
    factored = cost(both.value) == apart and isinstance(both.value, Call) and both.value.fn is operator.mul
    return both if cost(both.value) < apart or factored or short else None


def _reads(expr: Expr, name: str) -> int:
    return sum(1 for e in subexprs(expr) if isinstance(e, Var) and e.name == name)
