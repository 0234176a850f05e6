"""gradients: calls of ``srcad.gradients`` while types are inferred; what they stand for is made by `expand`; part of
`infer`."""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, Function, If, Let, Nested, Return, Stmt, Tuple, Var, raise_,
)  # fmt: skip
from srcad.lang.origin import Origin
from srcad.lang.structure import LIST
from srcad.lang.translate import display
from srcad.lang.types import Array, TupleType, Type, is_complex
from srcad.options import SEED, Options
from srcad.runtime.marks import hold, seeded
from srcad.transforms.expand import Prepared, Region, connected, prepare
from srcad.transforms.carries import Loops
from srcad.transforms.nested import renamed
from srcad.transforms.origins import in_structures
from srcad.transforms.taped import check_marks
from srcad.transforms.split import exposed
from srcad.typing.table import Refusal, constant, items, kind, shape_of

Deriver = Callable[[Nested, tuple[Type, ...], Origin], Function]
"""What makes a derivative for arguments of given types, called at a place: a split function."""

_UNCONNECTED = ("none", "zero")
_METHODS = ("add_n", "tree", "accumulate_n")


@dataclass
class Level:
    """A block that is being typed: what there is of it, and what it hands on if it is the body of a loop."""

    out: list[Stmt]
    carried: frozenset[str] | None = None
    whole: Block = ()  # its statements before they are typed
    rest: Block = ()  # and those of them that are still to come
    undo: dict[str, Expr] = field(default_factory=dict)  # what names mean again behind it


@dataclass
class Gradients(Loops):
    """Puts the statements of derivatives in the places where they are called."""

    derive: Deriver | None = None
    levels: list[Level] = field(default_factory=list)  # the blocks that are being typed, the innermost last
    expansions: int = 0  # how many derivatives have been put in their places

    def rests(self) -> list[Block]:
        return [level.rest for level in reversed(self.levels)]

    def nested(self, stmt: Let, called: Nested, args: tuple[Expr, ...]) -> list[Stmt]:
        """``target = derivative(...)``: the statements of the derivative."""
        body, result = self.opened(stmt, called, args)
        return self.block((*body, Let(stmt.target, result, stmt.origin)))

    def opened(self, stmt: Let, called: Nested, args: tuple[Expr, ...]) -> tuple[Block, Expr]:
        """The statements of a derivative for these arguments, not typed yet, and its result."""
        assert self.derive is not None
        types = tuple(self.expr(arg).type for arg in args)
        self.expansions += 1
        made = renamed(self.derive(called, types, stmt.origin), f"{stmt.target}.{self.expansions}")
        *body, last = made.body
        assert isinstance(last, Return)
        given = [Let(param.name, arg, stmt.origin) for param, arg in zip(made.params, args)]
        return (*given, *body), _opened(last.value, {s.target: s.value for s in body if isinstance(s, Let)})

    def gradients(self, stmt: Let, call: Call, following: Block) -> None:
        """``target = gradients(...)``: it is expanded together with the statements before it in its block."""
        out = self.levels[-1].out
        given = arguments_of(call)
        ys, xs, stops = (self.each(given[name]) for name in ("ys", "xs", "stop_gradients"))
        seeds = self.seeds(given["grad_ys"], len(ys))
        options = self.chosen(given)
        named = self.named((*xs, *stops), stmt)
        live = self.read_later(out, (*following, Return(Tuple((*named, *seeds)))))
        ys, seeds = self.scaled(ys, seeds)
        region = Region(str(self.known(self.expr(given["name"]))), tuple(out), ys, named[: len(xs)], named[len(xs):],
                        live, stmt.origin)  # fmt: skip
        prepared, body, whole = self.derived(stmt, connected(region, self.levels), options, seeds)
        kept = [Let(var.name, part(whole, 0, 1, k), stmt.origin) for k, var in enumerate(live)]
        results = tuple(part(whole, 1, k) if k is not None else self.unconnected(x, options)
                        for k, x in zip(prepared.asked, xs))  # fmt: skip
        out[:] = self.again((*body, *kept), prepared.reads)
        out += self.given(stmt, display(results, LIST))

    def derived(
        self, stmt: Let, region: Region, options: dict[str, Any], seeds: tuple[Expr, ...]
    ) -> tuple[Prepared, Block, Expr]:
        """A region as a function, the statements of its derivative, not typed yet, and their result."""
        check_marks(region.block)
        prepared = prepare(region)
        count = len(prepared.shifts)
        positions = tuple(range(len(prepared.reads), len(prepared.reads) + count))
        seeded = any(seed != constant(None) for seed in seeds)
        nested = Nested(prepared.function, Options(wrt=positions, **options), (SEED,) if seeded else (),
                        tuple(prepared.shifts.values()))  # fmt: skip
        seed = (Tuple(tuple(seeds), TupleType(tuple(s.type for s in seeds))),) if seeded else ()
        return prepared, *self.opened(stmt, nested, (*prepared.reads, *seed))

    def again(self, block: Block, reads: tuple[Var, ...]) -> list[Stmt]:
        """Type the statements of a derivative, which mean by `reads` these very values."""
        meant = {var.name: self.names[var.name] for var in reads if var.name in self.names}
        self.names.update({var.name: var for var in reads})
        typed = self.block(block)
        self.names.update(meant)
        return typed

    def given(self, stmt: Let, result: Expr) -> list[Stmt]:
        """``target = result`` of a derivative."""
        raise NotImplementedError

    # ------------------------------------------------------------ arguments

    def each(self, expr: Expr) -> tuple[Expr, ...]:
        """The values of a list, or the one value."""
        if isinstance(expr, Const) and expr.value is None:
            return ()
        typed = self.expr(expr)
        return items(self, typed) if isinstance(typed.type, TupleType) else (typed,)

    def seeds(self, expr: Expr, count: int) -> tuple[Expr, ...]:
        if isinstance(expr, Const) and expr.value is None:
            return (constant(None),) * count
        seeds = tuple(map(self.as_array, self.each(expr)))
        if len(seeds) != count:
            raise ValueError(f"grad_ys has {len(seeds)} seeds for {count} ys")
        return seeds

    def scaled(self, ys: tuple[Expr, ...], seeds: tuple[Expr, ...]) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        """The `ys` with those seeds that are computed in this block, beside them; and the other seeds."""
        made = walk.assigned(tuple(self.levels[-1].out))
        late = [bool(walk.names(seed) & made) for seed in seeds]
        scaled = (self.beside(y, seed) if each else y for y, seed, each in zip(ys, seeds, late))
        return tuple(scaled), tuple(constant(None) if each else seed for seed, each in zip(seeds, late))

    def beside(self, y: Expr, seed: Expr) -> Expr:
        """A value whose gradients are those of `y` with this seed."""
        dims, given = shape_of(kind(y)), shape_of(kind(seed))
        if is_complex(seed.type) and not is_complex(y.type):
            raise TypeError(f"{SEED} is complex, and the result is real; pass a real seed")
        if len(dims) != len(given):
            raise ValueError(f"{SEED} has {len(given)} dimensions, the result has {len(dims)}; "
                             "a seed has the shape of its result")  # fmt: skip
        if dims != given:
            error = Call(raise_, (Const(ValueError), Const(f"{SEED} must have the shape of the result")))
            test = Call(operator.ne, (Attr(seed, "shape"), Attr(y, "shape")))
            self.levels[-1].out += self.block((If(test, (Effect(error, self.origin),), (), self.origin),))
        same = replace(seed.type, shape=dims) if isinstance(seed.type, Array) else seed.type
        return Call(seeded, (y, Call(hold, (seed,), (), same)), (), y.type)

    def as_array(self, seed: Expr) -> Expr:
        """A seed; one that is written as a list, as an array."""
        return self.expr(Call(np.array, (seed,))) if isinstance(seed.type, TupleType) else seed

    def chosen(self, given: dict[str, Expr]) -> dict[str, Any]:
        unconnected = getattr(self.known(self.expr(given["unconnected_gradients"])), "value", None) or self.known(
            self.expr(given["unconnected_gradients"])
        )
        if unconnected not in _UNCONNECTED:
            raise ValueError(f"unconnected_gradients must be 'none' or 'zero', not {unconnected!r}")
        method = self.known(self.expr(given["aggregation_method"]))
        chosen = _METHODS[0] if method is None else getattr(method, "value", method)
        if chosen not in _METHODS:
            raise ValueError(f"aggregation_method must be one of srcad.AggregationMethod, not {method!r}")
        return {"mode": "value_and_grad", "single": False, "has_aux": True, "unconnected": str(unconnected),
                "target": "python", "aggregation": chosen}  # fmt: skip

    def named(self, xs: tuple[Expr, ...], stmt: Let) -> tuple[Var, ...]:
        """What is asked about, as names."""
        for x in xs:
            if not isinstance(x, Var):
                raise Refusal("a gradient with respect to an expression", "a name for it: v = ...; gradients(ys, v)")
        return tuple(x for x in xs if isinstance(x, Var))

    def read_later(self, out: list[Stmt], following: Block) -> tuple[Var, ...]:
        """The values made by `out` that the statements after it read."""
        made = walk.assigned(tuple(out))
        meant = [self.names.get(name) for name in sorted(exposed(following))]
        return tuple({var.name: var for var in meant if isinstance(var, Var) and var.name in made}.values())

    def unconnected(self, x: Expr, options: dict[str, Any]) -> Expr:
        if options["unconnected"] == "none":
            return constant(None)
        return Call(np.zeros, (Attr(x, "shape"),)) if isinstance(x.type, Array) else constant(0.0)


def arguments_of(call: Call) -> dict[str, Expr]:
    bound = inspect.signature(call.fn).bind(*call.args, **dict(call.kwargs))
    bound.apply_defaults()
    return {name: value if isinstance(value, (Var, Const, Call, Tuple)) or hasattr(value, "type") else constant(value)
            for name, value in bound.arguments.items()}  # fmt: skip


def _opened(expr: Expr, values: dict[str, Expr]) -> Expr:
    """A result with the names of structures replaced by their elements."""
    expr = in_structures(expr, values)
    if isinstance(expr, Var) and isinstance(values.get(expr.name), (Var, Tuple)):
        return _opened(values[expr.name], values)
    return replace(expr, items=tuple(_opened(e, values) for e in expr.items)) if isinstance(expr, Tuple) else expr


def part(whole: Expr, *path: int) -> Expr:
    for position in path:
        whole = whole.items[position] if isinstance(whole, Tuple) else Call(operator.getitem, (whole, Const(position)))
    return whole
