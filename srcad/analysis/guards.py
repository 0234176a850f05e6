"""Where a cotangent that is zero must stay zero, although the derivative there is infinite or no number.

``np.where(x > 0, np.log(x), 0.0)`` keeps what log makes of zeros and negative numbers out of the result, and its
derivative out of the gradient. In the reverse sweep that is a cotangent of zero; but zero times infinity is no number.
This analysis finds the statements whose cotangent may be such a zero, because everything that is made of their value is
chosen or discarded later on, and whose derivative may not be finite where it is discarded.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

import numpy as np

from srcad.analysis.activity import Activity
from srcad.analysis.contents import member
from srcad.analysis.lower_bounds import at_least, settled
from srcad.analysis.masks import by_mask, masks, picks_by_mask
from srcad.analysis.missing import FILLED, missing
from srcad.analysis.steep import POWERS, QUOTIENTS, is_root, is_steep
from srcad.lang import walk
from srcad.lang.ir import (
    Accum, Block, Call, Expr, For, Function, If, Let, Move, Return, Stmt, Store, Var, While, select,
)  # fmt: skip
from srcad.lang.types import Array, Scalar, is_float

# What puts something else in the place of elements that may be no numbers, or infinite.
CHOICES = frozenset((np.where, select, np.maximum, np.minimum, np.fmax, np.fmin, np.clip, np.nan_to_num))
# What takes some elements and leaves the others.
PICKS = frozenset((operator.getitem, np.take, np.max, np.min, max, min, np.diag, np.diagonal, np.triu, np.tril))
# Infinite where they overflow, and so is their derivative; choices that may be there because of it.
GROWTH = frozenset((np.exp, np.exp2, np.expm1, np.cosh, np.sinh))
_LIMITS = frozenset((np.maximum, np.minimum, np.clip))  # which leave NaN as it is
_BOUNDS = frozenset((np.where, select, np.minimum, np.fmin, np.clip, min))
LINEAR = frozenset((
    operator.add, operator.sub, operator.neg, operator.pos, np.add, np.subtract, np.negative, np.positive,
))  # fmt: skip
_TAME = frozenset((np.sqrt, math.sqrt, np.cbrt, np.log, np.log2, np.log10, np.log1p, math.log, math.log2, math.log10,
                   math.log1p, np.reciprocal))  # at positive numbers
CLEAR = 1e-12  # powers of its inverse are finite

# How a value is used: as it is; where something takes part of it, or a branch reads it; where something replaces it:
# BOUNDED is replaced by a bound where it is beyond it, CHOSEN also where it is no number.
PLAIN, PICKED, BOUNDED, CHOSEN = range(4)
Use = int | str | tuple[str] | tuple[int, str]
Path = tuple[int, ...]


def guarded(fn: Function, seeded: bool = False) -> frozenset[str]:
    """The names of a flat function whose cotangents are to be guarded: a zero there adds zero to the operands'.

    Where it is `seeded`, the caller weighs its results, with zeros among the weights perhaps.

    >>> from srcad.lang.ir import Const
    >>> from srcad.lang.types import BOOL, FLOAT
    >>> x, y, z, c = Var("x", FLOAT), Var("y", FLOAT), Var("z", FLOAT), Var("c", BOOL)
    >>> log, where = Call(np.log, (x,), (), FLOAT), Call(np.where, (c, y, Const(0.0)), (), FLOAT)
    >>> guarded(Function("f", (), (Let("y", log), Let("z", where), Return(z))))
    frozenset({'y'})
    """
    lets = [s for s in walk.statements(fn.body) if isinstance(s, Let)]
    unknown = missing(fn)
    growing = _growing(fn, lets)
    if not unknown and not growing and not any(is_steep(s.value) for s in lets):
        return frozenset()
    uses = _Uses(stores=bool(unknown))
    uses.block(fn.body, (), ())
    part, replaced, hidden = map(uses.discarded, (PICKED, BOUNDED, CHOSEN))
    definitions = settled(fn)
    tame = {s.target for s in lets if s.target in part - hidden and _is_tame(s.value, definitions)}
    roots = {s.target for s in lets if s.target in part - tame and is_root(s.value)}
    wild = _wild([s for s in lets if s.target in replaced], growing, tame)
    return frozenset(roots | wild | (part & unknown) | (_weighed(fn) if seeded else set()))


def _weighed(fn: Function) -> set[str]:
    """The names of which nothing reaches the result but outside of loops: a weight of zero is a cotangent of zero."""
    uses = _Uses(weighed=True)
    uses.block(fn.body, (), ())
    replaced = uses.discarded(CHOSEN)
    return _wild([s for s in fn.body if isinstance(s, Let) and s.target in replaced])


def held(fn: Function, active: Activity) -> frozenset[str]:
    """The roots of a flat function whose operand may have been chosen to be a constant: its tangent is zero then.

    >>> from srcad.lang.ir import Const
    >>> from srcad.lang.types import FLOAT
    >>> x, y = Var("x", FLOAT), Var("y", FLOAT)
    >>> bounded, root = Call(max, (x, Const(0.0, FLOAT)), (), FLOAT), Call(math.sqrt, (y,), (), FLOAT)
    >>> held(Function("f", (), (Let("y", bounded), Let("z", root), Return(Var("z", FLOAT)))), {"x", "y", "z"})
    frozenset({'z'})
    """
    lets = [s for s in walk.statements(fn.body) if isinstance(s, Let)]
    roots = {s.target for s in lets if is_root(s.value) and sum(name in active for name in walk.names(s.value)) == 1}
    if not roots:
        return frozenset()
    found: set[str] = set()
    known = -1
    while len(found) > known:  # again, as loops hand on what is chosen in them
        known = len(found)
        for stmt in walk.statements(fn.body):
            found.update(_held_in(stmt, active, found))
    return frozenset(roots & found)


def _held_in(stmt: Stmt, active: Activity, found: set[str]) -> Iterator[str]:
    """What a statement makes that may be a constant, as a choice or of what is `found` to be one."""
    match stmt:
        case Let(target, value) if isinstance(value, Call) and is_float(value.type):
            sides = [arg for arg in value.args if getattr(getattr(arg, "type", None), "dtype", "bool") != "bool"]
            moving = {name for arg in sides for name in walk.names(arg) if name in active}
            still = any(not walk.names(arg) & moving for arg in sides)
            if moving and (moving <= found or still and (value.fn in (max, min) or member(value.fn, CHOICES))):
                yield target
        case If(_, then, orelse):
            for move in (block[-1] for block in (then, orelse) if block and isinstance(block[-1], Move)):
                pairs = zip(move.targets, move.values)
                yield from (target for target, value in pairs if not any(n in active for n in walk.names(value)))
        case Move(targets, values):
            yield from (target for target, value in zip(targets, values) if walk.names(value) & found)
        case Store(Var(base), _, value) if walk.names(value) & found:
            yield base


def _chosen_anew(store: Store, definitions: dict[str, Expr]) -> bool:
    """Whether an array is written to with a choice of its elements or others, ``y[:] = np.where(m, y, 1.0)``."""
    value = definitions.get(store.value.name) if isinstance(store.value, Var) else None
    return isinstance(value, Call) and member(value.fn, CHOICES) and bool(walk.names(store.base) & walk.names(value))


@dataclass
class _Uses:
    """How each name is used: in one of the three ways, in the value of another name, or in an array, ``(name,)``.

    What is taken of a name, as elements of it are, is ``(PICKED, name)``: used as it is, and part of it only.
    """

    found: dict[str, list[Use]] = field(default_factory=dict)
    home: dict[str, Path] = field(default_factory=dict)
    definitions: dict[str, Expr] = field(default_factory=dict)
    masked: set[str] = field(default_factory=set)  # arrays that are written to through a mask
    branches: int = 0
    weighed: bool = False  # whether a result counts as a choice, and what loops use as used
    stores: bool = False  # whether any array may be written to again where something is missing

    def block(self, block: Block, path: Path, outside: Path) -> None:
        """Look at a block; what its last statement moves belongs to the path `outside`."""
        for stmt in block:
            self.statement(stmt, path, outside if stmt is block[-1] else path)
            if self.weighed and isinstance(stmt, (For, While)):
                for inside in walk.statements((stmt,)):
                    for expr in walk.stmt_exprs(inside):
                        self.use(expr, PLAIN, path)
                continue
            for inner in walk.blocks(stmt):
                self.branches += isinstance(stmt, If)
                self.block(inner, (*path, self.branches) if isinstance(stmt, If) else path, path)

    def statement(self, stmt: Stmt, path: Path, joined: Path) -> None:
        match stmt:
            case Let(target, value):
                self.home.setdefault(target, path)
                self.definitions[target] = value
                self.value(value, target, path)
            case Move(targets, values):
                for target, value in zip(targets, values):
                    self.home.setdefault(target, joined)
                    self.use(value, target, path)
            case Store(Var(base), index, value):
                if self.stores or by_mask(index, self.definitions) or _chosen_anew(stmt, self.definitions):
                    self.masked.add(base)
                self.use(value, (base,), path)
            case Return(value) if self.weighed:
                self.use(value, CHOSEN, path)
            case Accum(value=value) | Return(value):
                self.use(value, PLAIN, path)

    def value(self, value: Expr, target: str, path: Path) -> None:
        if not isinstance(value, Call):
            self.use(value, target, path)
        elif is_float(value.type):
            chosen = [id(operand) for operand, _ in masks(value, self.definitions)]
            if picks_by_mask(value, self.definitions):
                chosen.append(id(value.args[0]))
            for arg in (*value.args, *(v for _, v in value.kwargs)):
                if member(value.fn, _LIMITS):
                    self.use(arg, BOUNDED, path)
                elif member(value.fn, CHOICES) or member(value.fn, FILLED) or id(arg) in chosen:
                    self.use(arg, CHOSEN, path)
                else:
                    self.use(arg, (PICKED, target) if member(value.fn, PICKS) else target, path)
        elif isinstance(value.type, (Array, Scalar)):  # has no derivative
            for name in walk.names(value):
                self.found.setdefault(name, [])

    def use(self, expr: Expr, how: Use, path: Path) -> None:
        for name in walk.names(expr):
            outside = self.home.get(name, path)
            in_a_branch = path[: len(outside)] == outside and len(path) > len(outside)
            self.found.setdefault(name, []).append(PICKED if in_a_branch and how not in (BOUNDED, CHOSEN) else how)

    def discarded(self, least: int) -> set[str]:
        """The names of which nothing reaches the result but through a use of this kind."""
        reaching: dict[str, list[str]] = {}  # name -> what has it as a use
        waiting: list[str] = []
        for name in self.found.keys() - self.masked:
            for use in self.found[name]:
                match use:
                    case (taken,):  # what is taken from arrays is too much to look at for the sake of roots
                        use = taken if self.stores or least >= BOUNDED else PLAIN
                    case (_, taken):
                        use = taken if least > PICKED else PICKED
                if isinstance(use, str):
                    reaching.setdefault(use, []).append(name)
                elif use < least:
                    waiting.append(name)
        result = set(self.found) | self.masked
        waiting += [name for use in reaching.keys() - result for name in reaching[use]]
        while waiting:
            name = waiting.pop()
            if name in result:
                result.remove(name)
                waiting += reaching.get(name, ())
        return result


def _growing(fn: Function, lets: list[Let]) -> set[str]:
    """What may overflow, and goes into a choice between values from where it is computed, not from a loop."""
    if not any(isinstance(s.value, Call) and member(s.value.fn, GROWTH) for s in lets):
        return set()
    definitions = {let.target: let.value for let in lets}
    stores = [s for s in walk.statements(fn.body) if isinstance(s, Store) and by_mask(s.index, definitions)]
    chosen = {s.base.name for s in stores if isinstance(s.base, Var)}
    for stmt in reversed(lets):
        value = stmt.value
        chooses = isinstance(value, Call) and member(value.fn, _BOUNDS) or picks_by_mask(value, definitions)
        if stmt.target in chosen or chooses:
            chosen |= walk.names(value)
    return {s.target for s in lets if s.target in chosen and isinstance(s.value, Call) and member(s.value.fn, GROWTH)}


def _is_tame(value: Expr, definitions: dict[str, Expr]) -> bool:
    """Whether the derivative of a value that is steep somewhere is finite, as it stays clear of there."""
    match value:
        case Call(fn, (_, divisor)) if member(fn, QUOTIENTS):
            return at_least(divisor, definitions) >= CLEAR
        case Call(fn, (operand, *_)) if member(fn, POWERS) or member(fn, _TAME):
            return at_least(operand, definitions) >= CLEAR
    return False


def _wild(lets: list[Let], growing: Container[str] = (), tame: Container[str] = ()) -> set[str]:
    """What is steep and not tame, or grows, and what is made of it: a derivative multiplies by that."""
    wild: set[str] = set()
    for stmt in lets:
        if isinstance(stmt.value, Call) and is_float(stmt.value.type):
            steep = stmt.target in growing or is_steep(stmt.value) and stmt.target not in tame
            if steep or any(name in wild for name in walk.names(stmt.value)):
                wild.add(stmt.target)
    return wild
