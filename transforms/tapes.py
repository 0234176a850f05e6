"""tapes: `srcad.GradientTape` while calls are inlined; part of `inline`.

A tape is known to the compiler alone. What it leaves in the IR are the places where it begins, ends, pauses, resumes,
is reset, and watches: ``happens("begin", tape)``. What that means for values is found while their types are inferred,
see `recordings`.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from srcad.lang import walk
from srcad.lang.forms import REFUSED, constant
from srcad.lang.ir import Call, Const, Effect, Expr, Stmt, Tuple, Var
from srcad.runtime.tape import TAKERS, GradientTape, Pause, Tape, begin, end, happens
from srcad.runtime.variable import Variable, assign
from srcad.transforms.pin import expands

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees

Keywords = tuple[tuple[str, Expr], ...]
_CONTEXT = "the statements of its body; put the context around the call"
_METHODS = (GradientTape.watch, GradientTape.stop_recording, GradientTape.reset, GradientTape.watched_variables)
_BEGINNINGS, _ENDS = (begin, GradientTape.__enter__), (end, GradientTape.__exit__)


@dataclass(frozen=True)
class Seen:
    """Whether a tape is recording, and the variables that it watches by now."""

    on: bool = False
    variables: tuple[Variable, ...] = ()


def tape_call(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """A call that has to do with tapes, or None."""
    if fn is GradientTape:
        return _made(c, args, kwargs)
    if fn in _BEGINNINGS or fn in _ENDS:
        return _context(c, fn in _BEGINNINGS, args[0])
    if fn not in _METHODS and fn not in TAKERS:
        return None
    held = args[0].value if args and isinstance(args[0], Const) else None
    name = fn.__name__
    if not isinstance(held, Tape):
        return c.refuse(f"{name}() of something that is no tape", "a tape: with srcad.GradientTape() as tape", name)
    try:
        given = inspect.signature(fn).bind(*args, **dict(kwargs)).arguments
    except TypeError as error:
        takes = ", ".join(list(inspect.signature(fn).parameters)[1:])
        return c.refuse(f"{name}(): {error}", f"tape.{name}({takes})", name)
    if expands(fn):
        return c.named(Call(fn, args, kwargs), name)
    if fn is GradientTape.watch:
        return _watch(c, held, given["tensor"])
    if fn is GradientTape.stop_recording:
        return Const(Pause(held))
    if fn is GradientTape.reset:
        c.tapes[held] = Seen(on=c.tapes[held].on)
        return _happens(c, "reset", held)
    return Tuple(tuple(map(Const, sorted(c.tapes[held].variables, key=lambda v: v._serial))))


def _made(c: Callees, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """``GradientTape(...)``"""
    try:
        bound = inspect.signature(GradientTape).bind(*args, **dict(kwargs))
    except TypeError as error:
        return c.refuse(f"GradientTape(): {error}", "its persistent= and watch_accessed_variables=", "GradientTape")
    bound.apply_defaults()
    values = [value if isinstance(value, Const) else constant(value, "c") for value in bound.arguments.values()]
    if not all(isinstance(value.value, (bool, int)) for value in values):
        return c.refuse("the arguments of GradientTape must be known when this is compiled", "True or False",
                        "GradientTape")  # fmt: skip
    tape = Tape(*(bool(value.value) for value in values))
    c.tapes[tape] = Seen()
    _happens(c, "made", tape)
    return Const(tape)


def _context(c: Callees, begins: bool, context: Expr) -> Expr:
    """The beginning or the end of a ``with`` block."""
    held = context.value if isinstance(context, Const) else None
    if not isinstance(held, (Tape, Pause)):
        spoilt = context is REFUSED or isinstance(context, Var) and context.name not in c.valued
        return REFUSED if spoilt else c.refuse("this with statement is not supported", _CONTEXT)
    tape = held if isinstance(held, Tape) else held.tape
    on = begins is isinstance(held, Tape)
    c.tapes[tape] = Seen(on, c.tapes[tape].variables)
    what = ("begin" if begins else "end") if isinstance(held, Tape) else "pause" if begins else "resume"
    _happens(c, what, tape)
    return context if begins and isinstance(held, Tape) else Const(None)


def check_result(c: Callees, result: Expr) -> None:
    """Refuse to return a tape from the function that is compiled: it is nothing outside of it."""
    if any(isinstance(leaf, Const) and isinstance(leaf.value, (Tape, Pause)) for leaf in _leaves(result)):
        c.refuse("a tape that is returned is not supported", "what it gives: tape.gradient(target, sources)")


def _watch(c: Callees, tape: Tape, value: Expr) -> Expr:
    """``tape.watch(value)``"""
    for leaf in _leaves(value):
        if leaf is REFUSED:
            return REFUSED
        if isinstance(leaf, Const) and isinstance(leaf.value, Variable):
            c.tapes[tape] = _with(c.tapes[tape], leaf.value)
            _happens(c, "access", tape, leaf)
        elif isinstance(leaf, Var):
            _happens(c, "watch", tape, leaf)
        else:
            return c.refuse("watch of a value without a name", "a name for it: x = ...; tape.watch(x)", "watch")
    return Const(None)


def _leaves(value: Expr) -> Iterator[Expr]:
    if isinstance(value, Tuple):
        for item in value.items:
            yield from _leaves(item)
    elif isinstance(value, Const) and isinstance(value.value, (tuple, list, dict)):
        held = value.value.values() if isinstance(value.value, dict) else value.value
        for item in held:
            yield from _leaves(constant(item, "c"))
    else:
        yield value


def _happens(c: Callees, what: str, tape: Tape, *values: Expr) -> Expr:
    c.changes += 1
    c.emit(Effect(Call(happens, (Const(what), Const(tape), *values)), c.origin))
    return Const(None)


def note_reads(tapes: dict[Tape, Seen], stmt: Stmt) -> None:
    """Note the variables that a statement reads, for the tapes that record it."""
    recording = [tape for tape, seen in tapes.items() if seen.on and tape.watches_accessed]
    for variable in _read(stmt) if recording else ():
        if variable.trainable:
            for tape in recording:
                tapes[tape] = _with(tapes[tape], variable)


def _with(seen: Seen, variable: Variable) -> Seen:
    known = any(variable is other for other in seen.variables)
    return seen if known else Seen(seen.on, (*seen.variables, variable))


def _read(stmt: Stmt) -> Iterator[Variable]:
    exprs = walk.stmt_exprs(stmt)
    match stmt:
        case Effect(Call(fn, (variable, value))) if fn is assign:  # assign_add of a variable does not read it
            exprs = value.args[1:] if isinstance(value, Call) and value.args[0] is variable else (value,)
        case Effect(Call(fn)) if fn is happens:
            return
    for expr in exprs:
        for e in walk.subexprs(expr):
            if isinstance(e, Const) and isinstance(e.value, Variable):
                yield e.value
