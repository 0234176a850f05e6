"""jacobian: the derivatives of all results by all arguments, one tangent or one seed at a time.

In forward mode the function's values are computed once, and a loop over the elements of the argument moves one of them
in each iteration; in reverse mode a loop over the elements of the result runs the reverse sweep for each.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from srcad.analysis.activity import activity
from srcad.analysis.buffers import stored_names
from srcad.analysis.handover import check_handovers, check_outside
from srcad.lang.arrays import ints, new_array, shape_tuple
from srcad.lang import walk
from srcad.lang.errors import unsupported
from srcad.lang.ir import (
    Accum, Block, Call, Const, Expr, Function, Let, Return, Stmt, Store, Tuple, Var, hint, is_temporary,
)  # fmt: skip
from srcad.lang.types import FLOAT, NONE, Array, Scalar, Static, TupleType, Type, is_complex, is_float
from srcad.options import Options
from srcad.transforms import directions, fuse
from srcad.transforms.again import is_written, moving, renamed, repeatable
from srcad.transforms.adjoint import adjoint
from srcad.transforms.apart import apart
from srcad.transforms.context import Context, strong
from srcad.transforms.dead_code import dead_code
from srcad.transforms.destination import for_jacobian
from srcad.transforms.directions import rank_of
from srcad.transforms.derive import check_primitives, check_results, context, tuple_of
from srcad.transforms.entries import unmoved
from srcad.transforms.initialise import begun, zero
from srcad.transforms.packing import describe, leaves, outputs, unpacked
from srcad.transforms.pullback import of_tangents
from srcad.transforms.scatter import scatter
from srcad.transforms.tangent import Tangent
from srcad.transforms.views import check_layouts
from srcad.transforms.weights import weights

EMPTY: Block = ()


def jacobian(fn: Function, options: Options) -> Function:
    """The Jacobian of a flat, typed function: a function of the same parameters."""
    wrt = [fn.arguments[i][1] for i in options.wrt]
    assert isinstance(last := fn.body[-1], Return)
    value, aux = outputs(fn, options)
    check_results(value, last)
    results = [leaf for leaf in dict.fromkeys(leaves(value)) if is_float(leaf.type)]
    fn = fn if (backwards := reverse(options, leaves(*wrt), results)) else of_tangents(fn)
    fn = weights(fn, _moving(leaves(*wrt)), tangents=not backwards)
    work = Work(fn, fn.body[:-1], context(fn, _moving(leaves(*wrt))))
    check_outside(fn, work.ctx.buffers)
    check_layouts(work.ctx, fn)
    check_primitives(work.ctx, fn)
    if any(is_complex(leaf.type) for leaf in leaves(*wrt, value)):
        raise unsupported(last.origin, "the Jacobian of complex numbers", "real and imaginary parts, as two results")
    if any(isinstance(leaf.type, Array) and not leaf.type.ndim for leaf in leaves(*wrt)):
        raise unsupported(last.origin, "the Jacobian with respect to an array without axes", "its number, x[()]")
    if backwards:
        check_handovers(fn, work.ctx.buffers, work.ctx.activity)
        code = work.rows(results, leaves(*wrt))
        if aux is not None and not work.written:
            code = (*(() if work.shown else work.body), *code)
            aux = walk.rename_expr(aux, work.shown)
    else:
        code = work.columns(results, leaves(*wrt))
    made = of_each(value, wrt, options.single, lambda y, x: work.result(y, x, options))
    written = list(work.written)
    params, doc = [param for param, _ in fn.arguments], describe(fn, options)
    if options.out is not None:
        places = for_jacobian(options, of_each(value, wrt, options.single, lambda y, x: x), made, work.shapes, fn)
        made, code = places.gradients[0], (*places.opening, *places.checks, *places.among(code), *places.stores)
        params.append(places.param)
        written += [array.name for array, _ in places.arrays]
    result = made if aux is None else tuple_of(made, aux)
    code = (*apart(fn.params, work.written), *work.saved(), *code, Return(result, last.origin))
    code = scatter(dead_code(code, contents=written))
    code = (*unpacked(fn, code), *code)
    return replace(fn, name=options.title(fn.name), params=tuple(params), body=code, doc=doc, packed=())


def reverse(options: Options, arguments: list[Var], results: list[Var]) -> bool:
    """Whether seeds are fewer than tangents, as far as the types tell."""
    if options.sweep != "auto":
        return options.sweep == "reverse"
    sizes = [_size(leaf.type) for leaf in results], [_size(leaf.type) for leaf in arguments]
    if all(size == 1 for size in sizes[0]) and not all(size == 1 for size in sizes[1]):
        return True
    return None not in sizes[0] and None not in sizes[1] and sum(sizes[0]) < sum(sizes[1])  # type: ignore[arg-type]


def _size(kind: Type) -> int | None:
    """The number of elements, where the type tells."""
    shape = kind.shape if isinstance(kind, Array) else ()
    return int(np.prod(shape)) if all(isinstance(n, int) for n in shape) else None  # type: ignore[arg-type]


def _moving(arguments: list[Var]) -> tuple[str, ...]:
    return tuple(leaf.name for leaf in arguments if is_float(leaf.type))


@dataclass
class Work:
    """The Jacobians of one function; `found` has those that are not zero, by result and argument."""

    fn: Function
    body: Block
    ctx: Context
    found: dict[tuple[str, str], Expr] = field(default_factory=dict)
    shapes: dict[str, Expr] = field(default_factory=dict)  # of the arrays among them
    originals: dict[str, str] = field(default_factory=dict)  # what is written to -> a copy of it on entry
    shown: dict[str, str] = field(default_factory=dict)  # the names that values of the function have in reverse mode

    once: bool = False  # the function stands before the sweeps of reverse mode

    def __post_init__(self) -> None:
        stored, share = stored_names(self.body), self.ctx.buffers.may_share
        self.written = [p.name for p in self.fn.params if any(share(p.name, n) for n in stored)]
        self.originals = {name: self.ctx.fresh(hint(name)) for name in self.written}

    def saved(self) -> list[Stmt]:
        """Copies of the arguments that the function writes to, as they are on entry."""
        return [_copy(new, old, self.ctx.types[old]) for old, new in self.originals.items()]

    def entry(self) -> list[Stmt]:
        """What the function writes to, as it is on entry, for one more run."""
        return [_restored(old, new, self.ctx.types[old]) for old, new in self.originals.items()]

    # ------------------------------------------------------------ forward mode

    def columns(self, results: list[Var], arguments: list[Var]) -> Block:
        """The function, and for each argument a loop in which one element of it moves at a time."""
        code: list[Stmt] = list(self.body)
        for x in arguments:
            if is_float(x.type):
                code += self.column(results, x)
        return tuple(code)

    def column(self, results: list[Var], x: Var) -> list[Stmt]:
        ctx = context(self.fn, (x.name,))
        ctx.fresh = self.ctx.fresh
        writer = Tangent(ctx)
        dot = Var(f"{x.name}~dot", strong(x.type))
        writer.dots[x.name] = dot
        opening = [*self.entry(), *unmoved(writer, self.fn.params)]
        code = moving(writer.block(self.body), ctx.buffers, self.body)
        active = [y for y in results if y.name in ctx.activity]
        places = [self.ctx.fresh("_k") for _ in range(rank_of(x.type))]
        filled = {y.name: self.allocated(y, x) for y in active if y.name in writer.dots and places}
        stores = [Store(filled[y.name][0], directions.place(rank_of(y.type), places), writer.dots[y.name])
                  for y in active if y.name in filled]  # fmt: skip
        alone = not is_written(x.name, ctx.buffers)
        start, end = directions.one_moves(begun(ctx, x.name), dot, places, alone)
        own, names = renamed((*opening, *start, *code, *stores, *end), self.ctx.fresh, places)
        for y in active:
            if y.name in filled:
                self.found[y.name, x.name] = filled[y.name][0]
            elif y.name in writer.dots:
                self.found[y.name, x.name] = moved = walk.rename_expr(writer.dots[y.name], names)
                self.shapes.update({moved.name: shape_tuple(y)} if isinstance(moved, Var) else {})
        out = [self.room(jac, value) for jac, value in filled.values()]
        if not places:
            return [*out, *own]
        if alone:
            out.append(Let(names.get(dot.name, dot.name), begun(ctx, x.name)))
            own = tuple(s for s in own if not (isinstance(s, Let) and s.target == names.get(dot.name)))
        return [*out, *directions.loops(x, places, own)]

    # ------------------------------------------------------------ reverse mode

    def rows(self, results: list[Var], arguments: list[Var]) -> Block:
        """For each result, the forward sweep, and a loop in which one element of the result has a seed at a time."""
        rows = [stmt for y in results if y.name in self.ctx.activity for stmt in self.row(y, arguments)]
        return (*(self.body if self.written or self.once else ()), *rows)

    def row(self, y: Var, arguments: list[Var]) -> list[Stmt]:
        ctx = context(self.fn, _moving(arguments))
        ctx.fresh = self.ctx.fresh
        seed = Var(self.ctx.fresh("seed"), strong(y.type))
        home = [p.name for p in self.fn.params if p.name in ctx.activity]
        ctx.returned = {ctx.bar(x.name).name for x in arguments if x.name in ctx.activity}
        sweeps = fuse.stay(ctx, adjoint(ctx, self.body, seeds=[Accum(ctx.bar(y.name), seed)], home=home))
        places = [self.ctx.fresh("_k") for _ in range(rank_of(y.type))]
        assigned = walk.assigned(sweeps.reverse)
        active = [x for x in arguments if x.name in ctx.activity and ctx.bar(x.name).name in assigned]
        filled = {x.name: self.allocated(y, x) for x in active}
        stores: list[Stmt] = []
        for x in active:
            jac, bar = filled[x.name][0], ctx.bar(x.name)
            stores += [Store(jac, directions.index(places), bar)] if places else []
        start, _ = directions.one_moves(zero(y.name, y.type), seed, places, False)
        forward: Block = (*self.entry(), *sweeps.forward)
        back: Block = (*start, *sweeps.reverse, *stores)
        jacobians = {jac.name for jac, _ in filled.values()}
        again = repeatable(forward, sweeps.reverse, [p.name for p in self.fn.params])
        if again and forward == self.body:
            self.once = True  # nothing is recorded for this result alone: the function runs once for all of them
            whole, inside = EMPTY, back
        elif not places or again:
            whole, inside = forward, back
        else:
            whole, inside = EMPTY, (*forward, *back)
        own, names = renamed((*whole, *inside), self.ctx.fresh, {*places, *jacobians})
        self.shown = self.shown or (names if whole else {name: name for name in walk.assigned(self.body)})
        for x in active:
            bar = ctx.bar(x.name)
            self.found[y.name, x.name] = filled[x.name][0] if places else walk.rename_expr(bar, names)
        if not places:
            return list(own)
        cut = len(whole)
        shape = replace(y, name=names.get(y.name, y.name)) if whole else y
        out = [self.room(jac, walk.substitute(value, {y.name: shape})) for jac, value in filled.values()]
        before = own[:cut] if whole else () if self.once else self.body
        return [*before, *out, *directions.loops(shape, places, own[cut:])]

    # ------------------------------------------------------------ results

    def allocated(self, y: Var, x: Var) -> tuple[Var, Expr]:
        """The name of a Jacobian, and room for it."""
        arrays = [each for each in (y, x) if isinstance(each.type, Array)]
        dims = tuple(d for each in arrays for d in each.type.shape)  # type: ignore[attr-defined]
        dtype = arrays[0].type.dtype if arrays else "float64"  # type: ignore[attr-defined]
        shapes = [shape_tuple(each) for each in arrays]
        shape: Expr = shapes[0] if len(shapes) == 1 else Call(operator.add, tuple(shapes), (), ints(len(dims)))
        kind = Array(dtype, dims, "C")
        name = "jacobian" if is_temporary(y.name) else f"d{hint(y.name)}_d{hint(x.name)}"
        return Var(self.ctx.fresh(name), kind), new_array(np.empty, shape, kind)

    def room(self, jac: Var, value: Expr) -> Let:
        """The statement that makes room for a Jacobian."""
        assert isinstance(value, Call)
        self.shapes[jac.name] = value.args[0]
        return Let(jac.name, value)

    def result(self, y: Expr, x: Expr, options: Options) -> Expr:
        """The Jacobian of one result by one argument."""
        if isinstance(y, Const) and isinstance(y.type, Scalar):  # under a name that is nobody's
            y = Var(self.ctx.fresh("y"), y.type)
        if not (isinstance(x, Var) and isinstance(y, Var) and is_float(x.type) and is_float(y.type)):
            return Const(None, NONE)
        if (y.name, x.name) in self.found:
            return self.found[y.name, x.name]
        active = y.name in activity(self.fn, (x.name,), self.ctx.buffers)
        if not active and options.unconnected != "zero":
            return Const(None, NONE)
        if not rank_of(x.type) + rank_of(y.type):
            return Const(0.0, FLOAT)
        room = self.allocated(y, x)[1]
        assert isinstance(room, Call)
        return replace(room, fn=np.zeros)


def of_each(value: Expr, wrt: list[Expr], single: bool, leaf: Callable[[Expr, Expr], Expr]) -> Expr:
    """What `leaf` makes of results and arguments, in the structure of the results, and inside it that of arguments."""
    if isinstance(value, Tuple):
        return _like(value, [of_each(item, wrt, single, leaf) for item in value.items])
    inner = [_by(value, x, leaf) for x in wrt]
    return inner[0] if single else tuple_of(*inner)


def _by(y: Expr, x: Expr, leaf: Callable[[Expr, Expr], Expr]) -> Expr:
    return _like(x, [_by(y, item, leaf) for item in x.items]) if isinstance(x, Tuple) else leaf(y, x)


def _like(whole: Tuple, items: list[Expr]) -> Expr:
    return Tuple(tuple(items), TupleType(tuple(map(_type, items)), whole.type.form))  # type: ignore[attr-defined]


def _copy(new: str, old: str, kind: Type) -> Stmt:
    return Let(new, Call(np.copy, (Var(old, kind),), (), kind))


def _restored(old: str, new: str, kind: Type) -> Stmt:
    """What an argument was on entry; in its own memory where a copy might lie otherwise, and have other views."""
    if isinstance(kind, Array) and kind.layout != "C" and kind.ndim > 1:
        return Store(Var(old, kind), Const(Ellipsis, Static(Ellipsis)), Var(new, kind))
    return _copy(old, new, kind)


def _type(expr: Expr) -> Type:
    return getattr(expr, "type", NONE)
