"""tangent: forward mode, statement by statement; part of `forward`.

Beside each statement stands what it does to tangents: ``x_dot`` moves as `x` does when the arguments move. Names that
do not move have no tangent. The tangent of an array that is written to is an array that is written to in the same
places, and the tangent of a view is the same view of the tangent.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.buffers import is_view, view_of, views_of
from srcad.lang.arrays import number, shape_tuple
from srcad.lang import walk
from srcad.lang.custom import is_custom
from srcad.lang.errors import Problem, refuse
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, For, If, Let, Move, Stmt, Store, Var, While, is_temporary, select,
)  # fmt: skip
from srcad.lang.origin import NOWHERE, Origin
from srcad.lang.pinpoint import pinpoint
from srcad.lang.types import FLOAT, NONE, Array, Scalar, Type, is_array
from srcad.lang.recursive import Instance
from srcad.rules import rule as rules
from srcad.runtime import no_records, recorded, stop_gradient
from srcad.transforms import along, pullback
from srcad.transforms.backward import place_in_tuple
from srcad.analysis.masks import masks
from srcad.transforms.guard import ZERO, guard, of_multiple
from srcad.transforms.context import Context, strong
from srcad.transforms.infer import typed
from srcad.transforms.initialise import begun, owns_memory, zero
from srcad.transforms.primitives import refuse_call
from srcad.transforms.views import check_view, with_bases


@dataclass
class Tangent:
    """Writes tangents; `dots` holds those of the names that move, and a name without one has the tangent zero."""

    ctx: Context
    dots: dict[str, Expr] = field(default_factory=dict)
    waiting: list[Stmt] = field(default_factory=list)  # tangents of the temporaries of a line
    replaced: dict[int, Stmt] = field(default_factory=dict)  # calls that give the tangent too, by what stood there
    parts: dict[tuple[str, tuple[int, ...]], Var] = field(default_factory=dict)  # tangents of parts of tuples

    def block(self, block: Block) -> Block:
        """The statements of a block, and those on tangents.

        The tangents of a line stand together: before its last statement, which may give the line's name its new value.
        """
        outer, self.waiting = self.waiting, []
        out: list[Stmt] = []
        for stmt in block:
            before, behind = self.statement(stmt)
            if id(stmt) in self.replaced:
                out += [*self.waiting, *before, self.replaced[id(stmt)], *behind]
                self.waiting = []
            elif isinstance(stmt, Let) and is_temporary(stmt.target):
                out.append(stmt)
                self.waiting += [*before, *behind]
            else:
                out += [*self.waiting, *before, self.compound(stmt), *behind]
                self.waiting = []
        out += self.waiting
        self.waiting = outer
        return tuple(out)

    def compound(self, stmt: Stmt) -> Stmt:
        """A statement with the tangents in its nested blocks."""
        match stmt:
            case If(_, then, orelse):
                return replace(stmt, then=self.block(then), orelse=self.block(orelse))
            case For(body=body) | While(body=body):
                return replace(stmt, body=self.loop(body))
        return stmt

    def statement(self, stmt: Stmt) -> tuple[list[Stmt], list[Stmt]]:
        """The tangents of a statement: what goes before it, and what behind it."""
        origin = replace(stmt.origin, adjoint=True, tangent=True)
        match stmt:
            case Let(target):
                if target in self.ctx.activity:
                    return self.let(stmt, origin)
            case Move(targets, values):
                return self.move(targets, values), []
            case Store(Var(name), _, value):
                if name in self.dots:
                    change = self.dot(value) or Const(0.0, FLOAT)
                    return [replace(stmt, base=self.dots[name], value=change, origin=origin)], []
            case Accum(target, value):
                base = target.args[0] if isinstance(target, Call) else target
                moved = self.dot(value)
                if moved is not None and isinstance(base, Var) and base.name in self.dots:
                    return [Accum(self.place(target), moved, origin)], []
        return [], []

    def loop(self, body: Block) -> Block:
        """The body of a loop, in which the names that it carries have tangents from the beginning."""
        if body and isinstance(body[-1], Move):
            for target in body[-1].targets:
                self.joined(target)
        return self.block(body)

    # ------------------------------------------------------------ names

    def dot(self, expr: Expr) -> Expr | None:
        """The tangent of a name; None for zero."""
        return self.dots.get(expr.name) if isinstance(expr, Var) else None

    def place(self, target: Expr) -> Expr:
        if isinstance(target, Call):
            base, index = target.args
            assert isinstance(base, Var)
            return replace(target, args=(self.dots[base.name], index))
        assert isinstance(target, Var)
        return self.dots[target.name]

    def joined(self, name: str) -> Expr | None:
        """The tangent of a name that a branch or a loop joins."""
        if name in self.ctx.activity and name not in self.dots:
            self.dots[name] = Var(f"{name}~dot", strong(self.ctx.types[name]))
        return self.dots.get(name)

    def written(self, name: str) -> bool:
        """Whether the tangent of a name must be an array of its own, because the name's array is written to."""
        buffers = self.ctx.buffers
        return is_array(self.ctx.types.get(name)) and any(site in buffers.stored for site in buffers.of(name))

    # ------------------------------------------------------------ statements

    def move(self, targets: tuple[str, ...], values: tuple[Expr, ...]) -> list[Stmt]:
        pairs: list[tuple[Var, Expr]] = []
        for target, value in zip(targets, values):
            joined = self.joined(target)
            if isinstance(joined, Var):
                moved = self.dot(value)
                pairs.append((joined, self.nothing(target, value) if moved is None else conform(moved, joined.type)))
        pairs = [(target, value) for target, value in pairs if target != value]
        return [Move(tuple(t.name for t, _ in pairs), tuple(v for _, v in pairs), NOWHERE)] if pairs else []

    def nothing(self, target: str, value: Expr) -> Expr:
        """Zero, as the tangent of a value that is joined with one that moves."""
        if isinstance(value, Var) and is_array(value.type):
            return zero(value.name, value.type)
        return zero(target, self.ctx.types[target])

    def let(self, stmt: Let, origin: Origin) -> tuple[list[Stmt], list[Stmt]]:
        """The tangent of ``y = primitive(x, ...)``, before the statement or, where it needs `y`, behind it."""
        if is_custom(stmt.value):
            refuse([pullback.without_tangent(stmt)])
            return [], []
        if isinstance(stmt.value, Call) and isinstance(stmt.value.fn, Instance):
            return along.call(self, stmt, origin)
        if (part := self.parts.get(place_in_tuple(stmt.value) or ("", ()))) is not None:
            self.dots[stmt.target] = part
            return [], []
        name = stmt.target
        before: list[Let] = []
        value: Expr | None = None
        if isinstance(stmt.value, Call) and stmt.value.fn is no_records:
            value = stmt.value
        elif isinstance(stmt.value, Call) and stmt.value.fn is recorded:
            value = typed(self.record(*stmt.value.args))
        elif self.written(name) and name not in self.ctx.quiet and is_view(stmt.value):
            value = self.view(stmt)
        elif self.ctx.active(stmt.value):
            value, before = self.forward(stmt)
            if value is not None:
                value = self.own(name, self.fit(stmt, typed(value)))
        if value is None and self.written(name):
            value = begun(self.ctx, name)
        if value is None:
            return [], []
        self.dots[name] = Var(f"{name}~dot", type_of(value))
        new: list[Stmt] = [replace(s, origin=origin) for s in (*before, Let(f"{name}~dot", value))]
        late = any(name in walk.names(s.value) for s in new if isinstance(s, Let))
        return ([], new) if late else (new, [])

    def record(self, records: Expr, x: Expr) -> Expr:
        """The record of tangents beside a record of values, with one entry more."""
        assert isinstance(records, Var) and isinstance(x, Var)
        moved = self.dot(x)
        return Call(recorded, (self.dots[records.name], zero(x.name, x.type) if moved is None else moved))

    def view(self, stmt: Let) -> Expr | None:
        """The same view of the tangent, for writing through it."""
        bases = [base for base in views_of(stmt.value) if isinstance(base, Var)]
        moved = {base.name: self.dot(base) for base in bases}
        if isinstance(stmt.value, Var) or bases and not any(moved.values()):
            return moved[bases[0].name]
        assert isinstance(stmt.value, Call)
        if stmt.value.fn is stop_gradient:
            reason = "the array in stop_gradient is written to"
            refuse([Problem(pinpoint(stmt.origin, stmt.value), reason, "a copy of it, stop_gradient(a.copy())")])
        if stmt.value.fn in (np.reshape, np.ravel, np.ascontiguousarray):
            check_view(stmt)  # a view or a copy, as the layout has it
        still = {base.name: zero(base.name, base.type) for base in bases}  # one side of a choice, perhaps
        view = replace(stmt.value, args=with_bases(stmt.value, lambda base: moved[base.name] or still[base.name]))
        return view if stmt.value.fn is select else typed(view)

    def forward(self, stmt: Let) -> tuple[Expr | None, list[Let]]:
        """What the rule of a primitive says."""
        match stmt.value:
            case Var():
                return self.dot(stmt.value), []
            case Call(operator.getitem, (Call(fn) as several, part)):
                refuse_call(several, stmt.origin, self.ctx.activity, part)
                return None, []
            case Call(operator.getitem, (base, index)):
                moved = self.dot(base)
                return (None if moved is None else Call(operator.getitem, (moved, index))), []
            case Call(_, (test, whole, _)) if stmt.target in self.ctx.multiples:
                return of_multiple(self.ctx, stmt.target, test, whole, self.dots), []
            case Call(fn, (test, *sides)) if fn is select:
                return self.select(test, *sides), []
        call = stmt.value
        assert isinstance(call, Call), stmt
        found = rules.find(call.fn)
        if found is None:
            refuse_call(call, stmt.origin, self.ctx.activity)
            return None, []
        y = Var(stmt.target, self.ctx.types[stmt.target])
        try:
            value, before = found.forward(y, call, self.dots, self.ctx.fresh, typed)
        except rules.FormError as error:
            refuse([error.problem(pinpoint(stmt.origin, call))])
            return None, []
        return self.masked(stmt.target, call, value), self.settled(before)

    def masked(self, name: str, call: Call, value: Expr | None) -> Expr | None:
        """The tangent of a product with a mask, or of a root: zero where mask or tangent are, be the slope infinite."""
        tests = [mask for _, mask in masks(call, {})] if self.ctx.guarded else []
        if name in self.ctx.held and (moved := self.dot(call.args[0])) is not None:
            tests.append(typed(Call(operator.ne, (moved, ZERO))))
        return guard(tests[0], value) if tests and value is not None else value

    def settled(self, before: list[Let]) -> list[Let]:
        result = [replace(stmt, value=typed(stmt.value)) for stmt in before]
        self.ctx.types.update({stmt.target: type_of(stmt.value) for stmt in result})
        return result

    def select(self, test: Expr, then: Expr, orelse: Expr) -> Expr | None:
        sides = [self.dot(side) for side in (then, orelse)]
        if sides == [None, None]:
            return None
        return Call(select, (test, *(side or Const(0.0, FLOAT) for side in sides)))

    # ------------------------------------------------------------ shapes and memory

    def fit(self, stmt: Let, value: Expr) -> Expr:
        """The tangent with the shape and the dtype of what it is the tangent of."""
        kind, own = self.ctx.types[stmt.target], type_of(value)
        assert isinstance(kind, (Array, Scalar)) and isinstance(own, (Array, Scalar))
        if own.dtype.startswith("complex") and not kind.dtype.startswith("complex"):
            reason = "the tangent of this real value comes out complex"
            refuse([Problem(pinpoint(stmt.origin, stmt.value), reason, "np.real(...) in the rule")])
        if not isinstance(kind, Array):
            return number(value)
        like = Var(stmt.target, kind)
        if not isinstance(own, Array):
            return Call(np.full_like, (like, value), (), kind)
        if own.dtype != kind.dtype:
            value = typed(Call(np.ndarray.astype, (value, Const(np.dtype(kind.dtype).type))))
        same_index = isinstance(stmt.value, Call) and stmt.value.fn is operator.getitem
        if same_index or self.ctx.dimensions.same_shape(own, kind, stmt.value):
            return as_type(value, replace(own, dtype=kind.dtype, shape=kind.shape))
        return Call(np.broadcast_to, (value, shape_tuple(like)), (), replace(kind, layout="A"))

    def own(self, name: str, value: Expr) -> Expr:
        """A tangent that shares no memory with another one, where one of the two is written to."""
        root: Expr | None = value
        while isinstance(root, Call):
            root = view_of(root)
        shared = isinstance(root, Var) and root.name.endswith("~dot") and self.written(root.name[:-4])
        if self.written(name) or shared:
            if not owns_memory(value):
                value = typed(Call(np.copy, (value,)))
            return conform(value, self.ctx.types[name])
        return value


def type_of(value: Expr) -> Type:
    return getattr(value, "type", NONE)


def as_type(value: Expr, kind: Type) -> Expr:
    """A value of which more is known than its expression says."""
    return replace(value, type=kind)  # type: ignore[arg-type, call-arg]


def conform(value: Expr, kind: Type) -> Expr:
    """A tangent in C order for a value in C order, so that both have the same views."""
    own = type_of(value)
    if isinstance(own, Array) and isinstance(kind, Array) and kind.layout == "C" != own.layout:
        return Call(np.ascontiguousarray, (value,), (), replace(own, layout="C"))
    return value
