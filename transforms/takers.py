"""takers: ``tape.gradient``, ``tape.jacobian`` and ``tape.batch_jacobian`` while types are inferred; part of
`infer`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.arrays import rank_of
from srcad.lang.errors import TapeValueError
from srcad.lang.ir import Attr, Block, Call, Const, Effect, Expr, If, Let, Return, Stmt, Tuple, Var, hint, raise_
from srcad.lang.translate import display
from srcad.lang.types import NONE, Array, Scalar, TupleType, Type, is_float
from srcad.options import SEED
from srcad.runtime.marks import unrecorded
from srcad.runtime.tape import TAKERS, GradientTape, Tape
from srcad.transforms.expand import Region, connected
from srcad.transforms.gradients import Level, arguments_of, part
from srcad.transforms.origins import Origins
from srcad.transforms.recordings import Recording, Recordings
from srcad.transforms.taped import held as held_constant
from srcad.transforms.taped import marked_names, taped
from srcad.typing.table import Refusal, constant, describe, items


@dataclass(frozen=True)
class Inquiry:
    """What a tape is asked for."""

    what: str
    targets: tuple[Expr, ...]
    structure: Expr  # the sources as they are given
    sources: tuple[Expr, ...]  # the numbers and arrays in it
    seeds: tuple[Expr, ...]
    scaled: tuple[Expr, ...]  # the targets, with the seeds that are computed in the block
    outside: tuple[Expr, ...]  # the other seeds
    options: dict[str, Any]
    persistent: bool
    whole: Expr  # the target as it is given
    batch: bool = False

    def together(self, results: Iterator[Expr], part: Any = None) -> Expr:
        """A result for each source, in the structure of the sources."""
        kind = (self.structure if part is None else part).type if not isinstance(part, Type) else part
        if not isinstance(kind, TupleType):
            return next(results)
        return display(tuple(self.together(results, item) for item in kind.items), kind.form)


@dataclass
class Takers(Recordings):
    """Puts the statements of gradients that tapes give in the places where they are asked for."""

    def gradients(self, stmt: Let, call: Call, following: Block) -> None:
        if call.fn not in TAKERS:
            return super().gradients(stmt, call, following)
        given = arguments_of(call)
        tape: Tape = given["self"].value  # type: ignore[union-attr,assignment]
        held = self.present(tape)
        self.check_use(tape, held, call.fn.__name__)
        try:
            asked = self.inquiry(call.fn, given, tape)
            if not tape.persistent:
                self.tapes[tape] = replace(held, used=True, on=False)
            self.take(stmt, asked, held, following)
        except (TypeError, ValueError) as error:
            if not str(error).startswith(SEED):
                raise
            reason = str(error).replace(SEED, "output_gradients")
            raise self.wrong(TapeValueError, reason, "a seed of the shape of its target") from None
        return None

    def inquiry(self, fn: Any, given: dict[str, Expr], tape: Tape) -> Inquiry:
        """What a call asks for."""
        batch, matrix = fn is GradientTape.batch_jacobian, fn is not GradientTape.gradient
        whole = self.expr(given["target"])
        targets = tuple(self.computed(leaf) for leaf in self.leaves(whole))
        structure = self.expr(given["source" if batch else "sources"])
        sources = tuple(map(self.source, self.leaves(structure)))
        try:
            options = self.chosen({"aggregation_method": constant(None), **given})
        except ValueError as error:
            raise self.wrong(TapeValueError, str(error), "'none' or 'zero'") from None
        if matrix:
            if isinstance(whole.type, TupleType):
                raise Refusal("the Jacobian of several targets", "one call for each, of a persistent tape")
            options |= {"mode": "jacobian", "sweep": "reverse" if batch else "auto"}
        if batch:
            self.check_rows(whole, structure)
            targets = (self.expr(Call(np.sum, targets, (("axis", constant(0)),))),)
        seeds = self.seeds_for(whole, given.get("output_gradients", constant(None)))
        scaled = self.scaled(targets, seeds)
        return Inquiry(fn.__name__, targets, structure, sources, seeds, *scaled, options, tape.persistent, whole, batch)

    def leaves(self, expr: Expr) -> tuple[Expr, ...]:
        """The numbers and arrays in a structure."""
        if not isinstance(getattr(expr, "type", None), TupleType):
            return (expr,)
        return tuple(leaf for item in items(self, expr) for leaf in self.leaves(item))

    def source(self, expr: Expr) -> Expr:
        """What a gradient is asked by: a name, or an array from outside, of which nothing is recorded."""
        if isinstance(expr, Var) and isinstance(expr.type, (Scalar, Array)) or isinstance(expr.type, Array):
            return expr
        if isinstance(expr, Const) or not isinstance(expr.type, Scalar):
            raise Refusal(f"a gradient with respect to {describe(expr.type)} that has no name",
                          "a Variable, or the name of what the tape watches")  # fmt: skip
        raise Refusal("a gradient with respect to an expression", "a name for it: v = ..., in the tape's block")

    def seeds_for(self, whole: Expr, given: Expr) -> tuple[Expr, ...]:
        """A seed for each target."""
        count = len(self.leaves(whole))
        if isinstance(given, Const) and given.value is None:
            return (constant(None),) * count
        typed = self.expr(given)
        if not isinstance(whole.type, TupleType):
            return (self.as_array(typed),)
        seeds = self.matched(whole.type, typed)
        if seeds is None:
            reason = f"output_gradients have another structure than the targets, which are {count}"
            raise self.wrong(TapeValueError, reason, "a seed or None for each target")
        return seeds

    def matched(self, kind: Type, seed: Expr) -> tuple[Expr, ...] | None:
        """The seeds for a structure of targets; None where it is another one."""
        if not isinstance(kind, TupleType):
            return (self.as_array(seed),)
        if seed.type == NONE:
            return (constant(None),) * len(kind.items)
        if not isinstance(seed.type, TupleType) or len(seed.type.items) != len(kind.items):
            return None
        found = [self.matched(item, part) for item, part in zip(kind.items, items(self, seed))]
        return None if None in found else tuple(leaf for each in found for leaf in each or ())

    def check_rows(self, target: Expr, source: Expr) -> None:
        """Refuse what has no rows, and, when it runs, different numbers of rows."""
        for what, value in (("target", target), ("source", source)):
            if rank_of(value) < 2:
                reason = f"the {what} of batch_jacobian has {rank_of(value)} axes"
                raise self.wrong(TapeValueError, reason, "two or more, the first for the rows; or jacobian")
        if target.type.shape[0] != source.type.shape[0]:  # type: ignore[union-attr]
            rows = [Call(operator.getitem, (Attr(value, "shape"), Const(0))) for value in (target, source)]
            text = "target and source of batch_jacobian have different numbers of rows"
            error = Effect(Call(raise_, (Const(ValueError), Const(text))), self.origin)
            self.levels[-1].out += self.block((If(Call(operator.ne, tuple(rows)), (error,), (), self.origin),))

    def take(self, stmt: Let, asked: Inquiry, held: Recording, following: Block) -> None:
        out, origins = self.levels[-1].out, self.origins()
        named = tuple(leaf for leaf in asked.sources if isinstance(leaf, Var) and is_float(leaf.type))
        block = self.recorded(stmt, asked, held, named)
        region, found = taped(block, held.number)
        places = {x.name: place for x, place in zip(named, found)}
        asked_for = [places.get(leaf.name) if isinstance(leaf, Var) else None for leaf in asked.sources]
        needed = (*named, *asked.seeds, *((asked.whole, *asked.targets) if None in asked_for else ()))
        region = replace(region, live=self.read_later(out, (*following, Return(Tuple(needed)))))
        parts: dict[str, Expr] = {}
        if region.xs:
            opening, parts, reads = self.expanded(stmt, region, asked)
            out[:] = self.again(opening, reads)
        results = tuple(self.result(leaf, parts[place.name] if place else self.itself(leaf, asked, origins), asked)
                        for leaf, place in zip(asked.sources, asked_for))  # fmt: skip
        out += self.given(stmt, asked.together(iter(results)))

    def recorded(self, stmt: Let, asked: Inquiry, held: Recording, named: tuple[Var, ...]) -> Region:
        """The statements to differentiate: those of the block, and what reaches it from blocks around it."""
        region = Region(asked.what, tuple(self.levels[-1].out), asked.scaled, named, (), (), stmt.origin)
        fresh = held.first and held.entered == len(self.levels) and not asked.persistent
        home = held.entered if fresh else held.level
        if home == len(self.levels):
            return region
        levels = [Level(self.levels[home - 1].out), *self.levels[home:]]
        outer = marked_names((s for level in levels[:-1] for s in level.out), held.number)
        whole = held_constant(replace(region, xs=(*named, *outer)), held.number)
        reaching = connected(whole, levels, tape=True)
        return replace(reaching, xs=reaching.xs[: len(named)])

    def expanded(self, stmt: Let, region: Region, asked: Inquiry) -> tuple[Block, dict[str, Expr], tuple[Var, ...]]:
        """The statements of a region's derivative, its result for each value asked about, and what they read."""
        prepared, body, whole = self.derived(stmt, region, asked.options, asked.outside)
        body = tuple(_about_seeds(each) for each in body)
        matrix = asked.options["mode"] == "jacobian"
        kept = [Let(var.name, part(whole, *((1,) if matrix else (0, 1)), k), stmt.origin)
                for k, var in enumerate(region.live)]  # fmt: skip
        first = (0, 0) if matrix else (1,)
        parts = {x.name: part(whole, *first, k) for x, k in zip(region.xs, prepared.asked) if k is not None}
        return (*body, *kept), parts, prepared.reads

    def again(self, block: Block, reads: tuple[Var, ...]) -> list[Stmt]:
        outer, self.expanding = self.expanding, True  # they have their marks
        typed = super().again(block, reads)
        self.expanding = outer
        return typed

    def given(self, stmt: Let, result: Expr) -> list[Stmt]:
        """``target = result``: new values, whatever they are equal to, and constants for tapes that are paused."""
        numbers = (NOBODY, *self.paused())
        out: list[Stmt] = []

        def value(part: Expr) -> Expr:
            name = self.name_afresh("_t")
            for number in numbers:
                part = Call(unrecorded, (part, Const(number)))
            out.extend(self.statement(Let(name, part, stmt.origin), None))
            return Var(name)

        named = _each(result, value)
        return out + self.statement(replace(stmt, value=named), None)

    def result(self, source: Expr, found: Expr | None, asked: Inquiry) -> Expr:
        if found is None:
            return self.unconnected_by(source, asked)
        if not asked.batch:
            return found
        return Call(np.moveaxis, (found, Const(rank_of(asked.targets[0])), Const(0)))

    def itself(self, source: Expr, asked: Inquiry, origins: Origins) -> Expr | None:
        """What goes to a source that is a target as well, whatever the tape has recorded: the target's seed."""
        if not isinstance(source, Var) or not is_float(source.type) or asked.options["mode"] == "jacobian":
            return None
        own = origins.of(source.name)
        seeds = [_seed(target, seed) for target, seed in zip(asked.targets, asked.seeds)
                 if isinstance(target, Var) and origins.of(target.name) == own]  # fmt: skip
        for target in asked.targets if not seeds else ():
            if isinstance(target, Var) and origins.may_be(source.name) & origins.may_be(target.name):
                what, by = hint(target.name), hint(source.name)
                raise Refusal(f"a gradient of {what} with respect to {by}, which is the same on some paths",
                              f"{by} watched by the tape")  # fmt: skip
        return functools.reduce(lambda a, b: Call(operator.add, (a, b)), seeds) if seeds else None

    def unconnected_by(self, source: Expr, asked: Inquiry) -> Expr:
        """What stands for a derivative where nothing connects target and source."""
        if asked.options["mode"] != "jacobian" or asked.options["unconnected"] == "none":
            return self.unconnected(source, asked.options)
        shapes: list[Expr] = [Attr(e, "shape") for e in (asked.whole, source) if rank_of(e)]
        if asked.batch:
            shapes[1:] = [Call(operator.getitem, (shapes[1], _REST))]
        if not shapes:
            return constant(0.0)
        return Call(np.zeros, (shapes[0] if len(shapes) == 1 else Call(operator.add, tuple(shapes)),))


def _seed(target: Var, seed: Expr) -> Expr:
    """A seed, of ones if none is given."""
    if seed != constant(None):
        return seed
    if isinstance(target.type, Array):
        return Call(np.ones_like, (target,))
    exact = isinstance(target.type, Scalar) and not target.type.weak and np.dtype(target.type.dtype).type
    return Call(exact, (constant(1.0),)) if exact else constant(1.0)


def _about_seeds(stmt: Stmt) -> Stmt:
    """A statement that speaks of seeds as tapes do."""
    def node(expr: Expr) -> Expr:
        said = expr.value if isinstance(expr, Const) else None
        return Const(said.replace(SEED, "output_gradients")) if isinstance(said, str) and SEED in said else expr

    return walk.map_stmt(lambda e: walk.map_expr(node, e), stmt)


NOBODY = 0  # the number of no tape
_REST = Const(slice(1, None))


def _each(result: Expr, change: Any) -> Expr:
    if isinstance(result, Tuple):
        return replace(result, items=tuple(_each(item, change) for item in result.items))
    return result if isinstance(result, Const) else change(result)
