"""at_once: products that the steps of a time loop make one by one are one product of matrices. For machine code only.

The adjoint of ``W @ h[t]`` adds ``np.outer(y_bar, h[t])`` to the cotangent of `W`, to all of the matrix in each step.
Where no step reads it, the steps leave their `y_bar` in the rows of a matrix, and behind the loop there is one product,
``W_bar += y_bars.T @ h``. What steps add to rows, ``x_bar[t] += W.T @ y_bar``, waits for the end as well, and products
with rows that are there before the loop, ``W @ x[t]``, are made there. This takes one place a step for a vector: only
loops that record vectors of that length do so. Sums are added in another order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.affine import ZERO, less, linear, natural, plus, upto
from srcad.analysis.buffers import stored_name
from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.arrays import axis_length, new_array, tuple_of_ints
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, Let, Slice, Stmt, Store, Tuple, Var, While,
)  # fmt: skip
from srcad.lang.types import INT, Array, Dim
from srcad.transforms.factors import PRODUCTS, is_product, product, read_beside_sums, shape, transposed, vectors
from srcad.transforms.flatten import fresh_names
from srcad.transforms.independent import upwards

FEWEST = 8  # steps, where their number is known


def at_once(fn: Function) -> Function:
    """Make one product of matrices of those that the steps of loops make.

    >>> from srcad.lang.ir import Param
    >>> from srcad.transforms.infer import typed
    >>> tape, w, v = (Var(name, Array("float64", ("n", "n"), "C")) for name in ("tape", "w", "v"))
    >>> row, t, n = Var("h", Array("float64", ("n",), "C")), Var("t", INT), Var("n", INT)
    >>> read = Let("h", Call(operator.getitem, (tape, t), (), row.type))
    >>> added = Accum(w, Call(np.outer, (typed(Call(np.sin, (row,))), row), (), w.type))
    >>> loop = For("t", ZERO, axis_length(v, 0), Const(1, INT), (read, added))
    >>> made = Let("tape", Call(np.empty, (tuple_of_ints((n, n)),), (), tape.type))
    >>> from srcad.lang.write import write
    >>> fn = at_once(Function("f", (Param("w", w.type), Param("v", v.type), Param("n", INT)), (made, loop)))
    >>> print(write(fn).text.split("\\n\\n\\n")[-1], end="")
    def f(w, v, n):
        tape = np.empty((n, n))
        _t = np.empty((v.shape[0], w.shape[0]))
        for t in range(v.shape[0]):
            h = tape[t]
            _t[t] = np.sin(h)
        w += _t.T @ tape[:v.shape[0]]
    """
    if fn.exact or not any(map(is_product, walk.statements(fn.body))):
        return fn
    made, classes, fresh = facts(fn)

    def block(stmts: Block) -> Block:
        result: list[Stmt] = []
        for stmt in stmts:
            stmt = walk.map_stmt(lambda e: e, stmt, block)
            loop = TimeLoop.of(stmt, made, classes, fresh) if isinstance(stmt, For) else None
            done = stmt if loop is None else replace(loop.loop, body=loop.body())
            result += [*(loop.before if loop else ()), done]
            for total in loop.after if loop else ():
                _add(result, total, classes)
        return tuple(result)

    return replace(fn, body=block(fn.body))


def facts(fn: Function) -> tuple[dict[str, Expr], Classes, Callable[[str], str]]:
    """The shapes of the arrays that a function makes, which names share memory, and names that are free."""
    assigned = walk.assigned(fn.body)
    made = {s.target: s.value.args[0] for s in walk.statements(fn.body) if isinstance(s, Let)
            and isinstance(s.value, Call) and (s.value.fn is np.empty
            or s.value.fn is np.zeros_like and not walk.names(s.value) & assigned)}  # fmt: skip
    fresh = fresh_names({p.name for p in fn.params} | assigned)
    classes = Classes.of(fn.body)
    return made, classes, fresh


def _add(stmts: list[Stmt], total: Accum, classes: Classes) -> None:
    """Add a product to a matrix; one that is made for it, and zero until now, is that product."""
    target = total.target
    if isinstance(target, Var) and target.type == total.value.type:  # type: ignore[union-attr]
        own = classes.find(target.name)
        found = (k for k in reversed(range(len(stmts))) if own in map(classes.find, walk.mentioned((stmts[k],))))
        match stmts[last := next(found, 0)]:
            case Let(name, Call(fn)) if name == target.name and member(fn, (np.zeros, np.zeros_like)):
                del stmts[last]
                stmts.append(Let(name, total.value, total.origin))
                return
    stmts.append(total)


@dataclass
class TimeLoop:
    """A loop over steps, with the arrays that the function has `made`; what comes `before` it, and `after` it."""

    loop: For
    made: dict[str, Expr]  # with their shapes, or what they have the shape of
    classes: Classes
    fresh: Callable[[str], str]
    first: Expr
    count: Expr
    written: set[str]  # the leaders of what its steps write to
    few: bool = False  # steps, of which anything may be kept
    widths: set[Dim] = field(default_factory=set)  # how long the vectors are that they record
    before: list[Stmt] = field(default_factory=list)
    after: list[Accum] = field(default_factory=list)
    rows: dict[str, Expr] = field(default_factory=dict)  # views of rows, by name
    stored: dict[Expr, Var] = field(default_factory=dict)  # matrices that hold what the steps leave
    ahead: dict[Expr, Var] = field(default_factory=dict)  # products that are made before the loop

    @staticmethod
    def of(
        loop: For, made: dict[str, Expr], classes: Classes, fresh: Callable[[str], str], few: bool = False
    ) -> TimeLoop | None:
        """What is known of a loop; None if it is no time loop, or one of a few steps."""
        inside = tuple(walk.statements(loop.body))
        if loop.flag is not None or loop.shared or getattr(loop.step, "value", None) not in (1, -1):
            return None
        if any(isinstance(s, (Effect, While)) for s in inside) or not any(map(is_product, inside)):
            return None
        first, count = upwards(loop)
        if isinstance(count, Const):
            if count.value < FEWEST:
                return None
        elif not few and (not isinstance(count, Call) or count.fn is not operator.getitem):
            count = Call(max, (count, ZERO), (), INT)
        written = {classes.find(name) for s in inside if (name := stored_name(s)) is not None}
        result = TimeLoop(loop, made, classes, fresh, first, count, written, few)
        result.widths = {width for s in loop.body if (width := result.recorded(s)) is not None}
        return result if few != bool(result.widths) else None

    def recorded(self, stmt: Stmt) -> Dim | None:
        """The length of a vector that a step writes to a record, or reads there."""
        match stmt:
            case Store(Var(name, Array(_, (_, width))), index):
                pass
            case Let(_, Call(operator.getitem, (Var(name, Array(_, (_, width))), index))):
                pass
            case _:
                return None
        return width if isinstance(self.made.get(name), Tuple) and self.offset(index) is not None else None

    def offset(self, index: Expr | Slice) -> int | None:
        """The constant in the subscript ``t + constant``, where that is never negative."""
        found = linear(index) if not isinstance(index, Slice) else None
        loop = replace(self.loop, start=ZERO) if self.few else self.loop  # blocks begin there or later
        if found is None or found[0] != self.loop.index or not natural(found, (loop,)):
            return None
        return found[1]

    def is_fixed(self, name: str) -> bool:
        """Whether a name stands for the same array with the same numbers in all steps."""
        return name not in walk.assigned(self.loop.body) and self.classes.find(name) not in self.written

    def is_added_to(self, name: str) -> bool:
        """Whether steps add to an array, and do nothing else with it under any name."""
        own = self.classes.find(name)
        used = {n for s in walk.statements(self.loop.body) for e in read_beside_sums(s) for n in walk.names(e)}
        used |= {n for s in walk.statements(self.loop.body) if not isinstance(s, Accum) for n in walk.targets(s)}
        return own not in map(self.classes.find, used)

    def matrix(self, vector: Expr) -> Expr | None:
        """The rows that a vector is in all steps, ``x[1:n + 1]`` of ``x[t + 1]``."""
        vector = self.rows.get(vector.name, vector) if isinstance(vector, Var) else vector
        match vector:
            case Call(operator.getitem, (Var(name, Array(_, (_, _), "C")) as base, index)) if self.is_fixed(name):
                offset = self.offset(index)
                return None if offset is None else self.part(base, offset)
        return None

    def part(self, base: Var, offset: int) -> Call | Var:
        """The rows of an array from the first step's on."""
        start = plus(self.first, Const(offset, INT))
        if start == ZERO and self.is_whole(base):
            return base
        part = Slice(None if start == ZERO else start, upto(start, self.count))
        return Call(operator.getitem, (base, part), (), replace(base.type, shape=(self.steps, base.type.shape[1])))  # type: ignore

    @property
    def steps(self) -> Dim:
        """How many steps there are, as a dimension."""
        match self.count:
            case Call(operator.getitem, (Attr(Var(_, Array(_, dims)), "shape"), Const(axis))):
                return dims[axis]
        return f"{self.loop.index}.steps"

    def length(self, array: Var, axis: int) -> Expr:
        """How long an axis is; of zeros in the shape of an argument, that argument's."""
        like = self.made.get(array.name)
        return axis_length(like if isinstance(like, Var) else array, axis)

    def is_whole(self, base: Var) -> bool:
        """Whether an array has as many rows as there are steps."""
        shape = self.made.get(base.name)
        if isinstance(shape, Tuple):
            return shape.items[0] == self.count
        return self.count == axis_length(shape if isinstance(shape, Var) else base, 0)

    # ------------------------------------------------------------ steps

    def body(self) -> Block:
        """What a step still does."""
        result: list[Stmt] = []
        for stmt in self.loop.body:
            match stmt:
                case Let(target, Call(operator.getitem) as value) if self.matrix(value) is not None:
                    if self.is_once(target):
                        self.rows[target] = value
                    result.append(stmt)
                case Accum():
                    result += self.added(stmt)
                case Let() | Store():
                    result.append(walk.map_stmt(lambda e: walk.map_expr(self.product, e), stmt))
                case _:
                    result.append(stmt)
        return tuple(result)

    def added(self, stmt: Accum) -> list[Stmt]:
        """What a step adds, or leaves in a row of a matrix for the end."""
        match stmt:
            case Accum(Var(name) as target, value) if self.is_added_to(name):
                pair = vectors(value)
                if pair is not None and shape(target) == (*shape(pair[0]), *shape(pair[1])) and self.fit(*pair):
                    lengths = self.length(target, 0), self.length(target, 1)
                    (kept, one), (more, other) = (self.left(v, n, stmt) for v, n in zip(pair, lengths))
                    self.after.append(replace(stmt, value=product(transposed(one), other)))
                    return [*kept, *more]
            case Accum(Call(operator.getitem, (Var(name) as base, index)) as target, value) if self.is_added_to(name):
                factors, offset = self.factors(value), self.offset(index)
                if factors and offset is not None and shape(target) == shape(value) and self.fit(factors[0]):
                    vector, matrix = factors
                    kept, one = self.left(vector, axis_length(matrix, 0), stmt)
                    total = product(one, matrix)
                    place = replace(self.part(base, offset), type=total.type)  # type: ignore[type-var]
                    self.after.append(replace(stmt, target=place, value=total))
                    return kept
        return [replace(stmt, value=walk.map_expr(self.product, stmt.value))]

    def left(self, vector: Expr, length: Expr, stmt: Accum) -> tuple[list[Stmt], Expr]:
        """What leaves a vector in a row, and the matrix that this is a row of."""
        matrix = self.matrix(vector) or self.stored.get(vector)
        if matrix is not None:
            return [], matrix
        kind = vector.type  # type: ignore[union-attr]
        name = self.fresh(vector.name if isinstance(vector, Var) else "_t")
        room = Var(name, Array(kind.dtype, (self.steps, *kind.shape), "C"))
        made = new_array(np.empty, tuple_of_ints((self.count, length)), room.type)
        self.before.append(Let(name, made, replace(self.loop.origin, adjoint=False)))
        if isinstance(vector, Var) and self.is_once(vector.name):
            self.stored[vector] = room
        return [Store(room, self.row, vector, stmt.origin)], room

    @property
    def row(self) -> Expr:
        """How many steps with lower indices there are."""
        found = less(Var(self.loop.index, INT), self.first)
        assert found is not None
        return found

    def fit(self, *vectors: Expr) -> bool:
        """Whether vectors that steps have to leave in rows take no more room than those that they record."""
        return self.few or all(self.matrix(v) is not None or shape(v)[0] in self.widths for v in vectors)

    def is_once(self, name: str) -> bool:
        """Whether a name gets a vector in one place, and nothing changes that."""
        bound = [s for s in walk.statements(self.loop.body) if name in walk.targets(s)]
        return len(bound) == 1 and bound[0] in self.loop.body and self.classes.find(name) not in self.written

    def product(self, e: Expr) -> Expr:
        """The row of a product that is made before the loop."""
        factors = self.factors(e)
        wanted = factors is not None and (self.few or shape(e)[0] in self.widths)
        rows = self.matrix(factors[0]) if factors is not None and wanted else None
        if factors is None or not (isinstance(rows, Var) or self.few and rows is not None):
            return e
        whole = product(rows, factors[1])
        if whole not in self.ahead:
            name = self.fresh("_t")
            self.ahead[whole] = Var(name, whole.type)
            self.before.append(Let(name, whole, replace(self.loop.origin, adjoint=False)))
        return Call(operator.getitem, (self.ahead[whole], self.row), (), e.type)  # type: ignore[union-attr]

    def factors(self, e: Expr) -> tuple[Expr, Expr] | None:
        """The vector and the matrix of a product, as ``vector @ matrix``, if the matrix is the same in all steps."""
        if not (isinstance(e, Call) and member(e.fn, PRODUCTS) and len(e.args) == 2 and not e.kwargs):
            return None
        one, other = e.args
        vector, matrix = (one, other) if len(shape(one)) == 1 else (other, transposed(one))
        if len(shape(vector)) != 1 or len(shape(matrix)) != 2 or shape(matrix)[0] != shape(vector)[0]:
            return None
        inner = matrix.args[0] if isinstance(matrix, Call) and matrix.fn is np.transpose else matrix
        return (vector, matrix) if isinstance(inner, Var) and self.is_fixed(inner.name) else None
