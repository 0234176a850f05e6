"""infer: the type of every name and expression, for one signature.

Methods and attributes become functions of NumPy, ``x += e`` becomes what it means for the type of x, and what the types
decide is decided: of an ``if x.ndim == 1`` only the branch taken is left, and only it must make sense.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from srcad.lang.custom import Custom
from srcad.lang.errors import Problem, ValueNeeded, has_problems, refuse
from srcad.lang.ir import (
    Accum, Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Move, Nested, Param, Return, Stmt,
    Store, Var, While, assert_, hint,
)  # fmt: skip
from srcad.lang.promote import type_of
from srcad.lang.recursive import Callee, Helper, Instance
from srcad.lang.shapes import symbol
from srcad.lang.types import NONE, UNKNOWN, Array, Dim, Scalar, Static, TupleType, Type, is_float
from srcad.lang.walk import assigned
from srcad.runtime.tape import happens
from srcad.transforms import in_place, instances, parts
from srcad.transforms.once import once
from srcad.transforms.without_names import Unnamed, has_slices
from srcad.transforms.flatten import fresh_names
from srcad.transforms.gradients import Deriver, Level
from srcad.transforms.held_twice import as_array, held_twice
from srcad.transforms.pin import pinned, unpinned
from srcad.transforms.turns import reads, together
from srcad.transforms.widen import widen
from srcad.transforms.without_axes import are_written, as_numbers
from srcad.typing.facts import Held, NotStatic
from srcad.typing.flat import is_flat
from srcad.typing.lists import NewElement
from srcad.typing.table import Refusal, constant
from srcad.typing.typer import Typer


def typed(expr: Expr) -> Expr:
    """The type of every node of an expression whose names and constants carry theirs.

    >>> from srcad.lang.ir import Call
    >>> from srcad.lang.types import FLOAT
    >>> import numpy as np
    >>> typed(Call(np.sin, (Var("x", Array("float32", ("n",), "C")),))).type
    Array(dtype='float32', shape=('n',), layout='C')
    """
    return Typer().expr(expr)


def infer(fn: Function, signature: tuple[Type, ...], derive: Deriver | None = None, lent: bool = False) -> Function:
    """Give every name and expression of a split function its type.

    `derive` makes the derivatives that the function calls, once the types of their arguments are known. The lengths of
    `lent` arguments keep the symbols that they have.

    >>> from srcad.lang.ir import Attr, Call
    >>> from srcad.lang.types import FLOAT
    >>> import operator
    >>> y = Let("y", Call(operator.mul, (Var("x"), Const(2))))
    >>> infer(Function("f", (Param("x"),), (y, Return(Var("y")))), (FLOAT,)).body[0].value.type
    Scalar(dtype='float64', weak=True)

    Raises
    ------
    UnsupportedError
        with every place that has no type.
    """
    fn = pinned(fn)
    wide = all(map(instances.is_wide, signature))
    types = (*signature, *[UNKNOWN] * (len(fn.params) - len(signature)))
    fn = fn if lent else as_numbers(fn, types, names_beside(fn))
    held = Held()
    outset: dict[str, list[tuple[Dim, ...]]] = {}
    by_number, twice = True, held_twice(fn)
    while True:
        own = Inference(name_afresh=names_beside(fn), reads=reads(fn.body), stored_names=parts.written(fn.body))
        lists = replace(own, **vars(held), outset=outset, together=together(fn.body), twice=twice)
        inference = replace(lists, derive=derive, wide=wide, lent=lent, by_number=by_number)
        try:
            params = tuple(map(inference.param, fn.params, types))
            body = inference.block(fn.body)
            if are_written(tuple(body), inference.holders):
                by_number = False
                continue
            if held.settled(_is_done(fn, body)):
                break
        except NewElement as found:
            held.learn(found.key, found.type)
    inference.finish()
    if not _is_done(fn, body) and not has_problems():
        reason = "the result depends on what a list holds, and nothing is put into it that does not depend on that"
        remedy = "a first element: xs = [0.0]; or, for sum(xs) on the way, a number beside the list: s = 0.0, s += x"
        refuse([Problem(fn.body[-1].origin, reason, remedy)])
    return once(unpinned(inference.widen(replace(fn, params=params, body=tuple(body)))))


def _is_done(fn: Function, body: Sequence[Stmt]) -> bool:
    """Whether the result has a type."""
    return not isinstance(fn.body[-1], Return) or bool(body) and isinstance(body[-1], Return)


def names_beside(fn: Function) -> Callable[[str], str]:
    """A source of names that a function does not have."""
    return fresh_names({param.name for param in fn.params} | assigned(fn.body))


@dataclass
class Inference(Unnamed):
    """Types statements in their order."""

    wide: bool = True  # whether there is nothing but double precision: then Python's numbers are as good as NumPy's
    open_calls: list[Instance] = field(default_factory=list)  # the recursive functions that are being typed
    lent: bool = False  # whether the parameters are values of another function

    def finish(self) -> None:
        if not self.problems and not has_problems():
            self.problems = [
                Problem(origin, f"{hint(name)} may be read before it has a value", f"a first value for {hint(name)}")
                for name, origin in self.unread.items()
            ]
        if self.asks:
            reason = "the rank of the result depends on lengths of arrays"
            unknown = [Problem(self.origin, reason, "arrays, not their types")]
            raise ValueNeeded(unknown if self.squeezed else self.problems or unknown, self.asks)
        refuse(self.problems)
        if self.left_out and not has_problems():
            remedy = "a first value, or a first element of the list: xs = [0.0]"
            refuse([Problem(self.left_out[0], "what this depends on has no value that is known", remedy)])

    def another(self, fn: Function) -> Inference:
        """For a function that is called."""
        return Inference(
            name_afresh=names_beside(fn), reads=reads(fn.body), derive=self.derive, wide=self.wide,
            open_calls=self.open_calls, stored_names=parts.written(fn.body), together=together(fn.body),
            by_number=False, twice=held_twice(fn),
        )  # fmt: skip

    def widen(self, fn: Function) -> Function:
        """The typed function with the conversions that arrays of two dtypes take."""
        return widen(fn, {name: self.names[name].type.dtype for name in self.widened}, self.widened)

    def every(self, exprs: tuple[Expr, ...], fn: Any = None) -> tuple[Expr, ...]:
        try:
            return super().every(exprs)
        except Refusal as refusal:
            if refusal.poisoned and isinstance(fn, Callee):
                instances.ask_of_lists(self, fn, exprs)
            raise

    def called(self, fn: Callee | Custom | Helper, args: tuple[Expr, ...]) -> Expr:
        if isinstance(fn, Custom):
            return self.custom(fn, args)
        return instances.call(self, fn, args) if isinstance(fn, Callee) else super().called(fn, args)

    def custom(self, fn: Custom, args: tuple[Expr, ...]) -> Expr:
        """A marked value; what carries no derivative needs no mark."""
        fn.pullback.derive = self.derive
        kind = args[0].type  # type: ignore[union-attr]
        if isinstance(kind, TupleType):
            raise Refusal(f"what {fn.pullback.name} returns beside its pullback is a structure made elsewhere",
                          "return (a, b), pullback")  # fmt: skip
        return Call(fn, args, (), kind) if is_float(kind) else args[0]

    def param(self, param: Param, type: Type) -> Param:
        known: Const | None = None
        if type == UNKNOWN and isinstance(param.default, Const):
            known = param.default
        elif isinstance(type, Static) and isinstance(type.value, (int, tuple)):
            known = Const(type.value)  # a number, or a tuple of them, that was asked for
        type = type_of(known.value) if known else type
        type = type if self.lent else _own(type, param.name)
        self.bind(param.name, type)
        if known is None and _is_whole(type):
            self.integers.add(param.name)
        elif not self.lent and isinstance(type, Array) and not all(isinstance(n, int) for n in type.shape):
            self.lengthy.add(param.name)
        self.scopes[-1].add(param.name)
        if known and not isinstance(type, Array):
            self.statics[param.name] = Const(known.value, type)
        return replace(param, type=type)

    # ------------------------------------------------------------ statements

    def block(self, block: Block, carried: frozenset[str] | None = None) -> list[Stmt]:
        self.levels.append(Level([], carried, block))
        tapes = dict(self.tapes)
        self.scopes.append(set())
        self.every_statement(block)
        self.scopes.pop()
        level = self.levels.pop()
        self.leave(level, tapes)
        return level.out

    def statement(self, stmt: Stmt, before: Move | None) -> list[Stmt]:
        match stmt:
            case Let(target, value):
                return self.let(stmt, target, value)
            case Move(targets, values):
                pairs = [(t, v) for t, v in zip(targets, map(self.moved, values)) if not self.missing(v)]
                return [Move(tuple(t for t, _ in pairs), tuple(v for _, v in pairs), stmt.origin)] if pairs else []
            case Store(base, index, value):
                return self.stored(in_place.store(self, stmt, base, index, value))
            case Accum(target, value):
                return self.stored([replace(stmt, target=self.expr(target), value=self.expr(value))])
            case If():
                return self.branch(stmt)
            case For() | While():
                return self.loop(stmt, before)
            case Effect():
                return self.effect(stmt)
            case Return(value):
                return [replace(stmt, value=self.expr(value))]
        raise TypeError(stmt)

    def let(self, stmt: Let, target: str, value: Expr) -> list[Stmt]:
        if isinstance(value, Call) and isinstance(value.fn, Nested):
            return self.nested(stmt, value.fn, value.args)
        if (updated := in_place.update(self, stmt)) is not None:
            return self.stored(updated)
        written, value = value, self.computed(self.expr(value))
        if self.stored_names:
            value = in_place.without_axes(self, written, value)
        if target in self.twice:
            value = as_array(self, written, value, target)
        if (part := self.part(target, value)) is not None:
            value = part
        sliced = has_slices(value)
        value = self.with_bounds(value) if sliced else value
        if is_flat(value):
            assert isinstance(value, Attr)
            value = replace(value, value=self.by_name(value.value))
        if is_flat(value) or sliced or part is not None:
            self.names[target] = value
            return []
        self.learn(target, value)
        return [] if isinstance(self.names[target], Const) else [replace(stmt, value=value)]

    def learn(self, target: str, value: Expr) -> None:
        """What a name stands for after ``target = value``."""
        self.scopes[-1].add(target)
        self.names[target] = Var(target, value.type)
        self.statics.pop(target, None)
        self.values.pop(target, None)
        self.made[target] = value
        if isinstance(value.type, Array):
            return
        try:
            known = Const(self.known(value), value.type)
            self.statics[target] = known
            if isinstance(value.type, Static):
                self.names[target] = value if isinstance(value, Const) else known
        except NotStatic:
            pass
        if isinstance(value.type, TupleType) or (isinstance(value.type, Scalar) and value.type.dtype.startswith("int")):
            symbols = self.value(value)
            if symbols is not None:
                self.values[target] = symbols

    def effect(self, stmt: Effect) -> list[Stmt]:
        if (changed := in_place.effect(self, stmt)) is not None:
            return changed
        call = stmt.call
        if call.fn is happens:
            what, tape, *values = call.args
            return self.happened(what.value, tape.value, tuple(values))  # type: ignore[union-attr,arg-type]
        first, *others = call.args or (constant(None),)
        head = self.test(first) if call.fn is assert_ else self.expr(first)
        if call.fn is assert_ and isinstance(head, Const) and head.value:
            return []
        args = (head, *map(self.expr, others)) if call.args else ()
        kwargs = tuple((name, self.expr(value)) for name, value in call.kwargs)
        return [replace(stmt, call=replace(call, args=args, kwargs=kwargs, type=NONE))]


def _is_whole(type: Type) -> bool:
    """Whether an argument is a whole number, a truth value, or a tuple of such."""
    if isinstance(type, TupleType):
        return all(map(_is_whole, type.items))
    return isinstance(type, Scalar) and type.dtype.startswith(("int", "bool"))


def _own(type: Type, name: str) -> Type:
    """A parameter's type with dimensions called after it."""
    if isinstance(type, TupleType):
        return replace(type, items=tuple(_own(item, f"{name}.{k}") for k, item in enumerate(type.items)))
    if not isinstance(type, Array):
        return type
    dims = tuple(d if isinstance(d, int) else symbol(name, k) for k, d in enumerate(type.shape))
    return Array(type.dtype, dims, "C" if type.ndim == 1 and type.layout == "F" else type.layout)
