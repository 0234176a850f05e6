"""Functions that take functions: `functools.partial` and `reduce`; part of `inline`."""

from __future__ import annotations

import functools
import logging
import operator
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from srcad import library
from srcad.lang.arrays import items_of
from srcad.lang.forms import REFUSED, constant
from srcad.lang.ir import Call, Const, Effect, Expr, For, If, Let, Method, Slice, Tuple, Var, or_, raise_
from srcad.lang.translate import display
from srcad.lang.types import Form, Static, TupleType
from srcad.library.joining import by_columns, by_rows, dense_grid, open_grid
from srcad.transforms import callers, distributions, operators, special_methods
from srcad.transforms.calls import folded_number
from srcad.transforms.of_numba import of_numba
from srcad.transforms.values import Partial, Range, choose, is_static
from srcad.transforms.vectorized import vectorized

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees, Keywords

_OF_A_FUNCTION = (functools.partial, functools.reduce, np.vectorize)
_TABLE = 16  # functions in a table of which one is picked at run time


def of_functions(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """What a call gives that makes a function, takes one, or a logger; None: another call."""
    if fn in _OF_A_FUNCTION and args:
        args = (special_methods.function_of(c, args[0]), *args[1:])  # type: ignore[arg-type]
    if fn is functools.partial or distributions.is_distribution(fn):
        return partial(c, fn, args, kwargs)
    if fn is functools.reduce:
        return reduce(c, *args)
    if (fn is list or fn is dict) and not args and not kwargs:
        return display((), Form(fn))
    if fn is logging.getLogger and not kwargs and all(map(is_text, args)):
        return Const(fn(*(arg.value for arg in args)))  # type: ignore
    for found in (getter, vectorized, of_numba):
        if (value := found(c, fn, args, kwargs)) is not None:
            return value
    return None


def is_text(arg: Expr) -> bool:
    return isinstance(arg, Const) and isinstance(arg.value, str)


def partial(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr:
    """``functools.partial(f, ...)``, or a distribution of SciPy's: the arguments keep their present values."""
    if fn is not functools.partial:
        return distributions.held(fn, tuple(map(c.kept, args)), tuple((name, c.kept(value)) for name, value in kwargs))
    function, *rest = args or (REFUSED,)
    if not (isinstance(function, Const) and is_static(function)):
        return c.refuse("which function is called here cannot be told", "a call of a function by its name")
    kept = tuple((name, c.kept(value)) for name, value in kwargs)
    return Const(Partial(function.value, tuple(map(c.kept, rest)), kept))


_GETTERS = (operator.itemgetter, operator.attrgetter, operator.methodcaller)


def getter(c: Callees, fn: Any, args: tuple[Expr, ...], kwargs: Keywords) -> Expr | None:
    """What `operator.itemgetter` and its kin give, and what that gives; None: no call of them."""
    if fn in _GETTERS:
        known = all(isinstance(each, Const) for each in (*args, *(value for _, value in kwargs)))
        if not known or REFUSED in args:
            return c.refuse(f"{fn.__name__}() of what is not known when the derivative is written", "a lambda")
        return Const(fn(*(arg.value for arg in args), **{name: value.value for name, value in kwargs}))  # type: ignore
    if type(fn) not in _GETTERS or len(args) != 1:
        return None
    if isinstance(fn, operator.methodcaller):
        return _called(c, fn, args[0])
    given = fn.__reduce__()[1]
    if isinstance(fn, operator.itemgetter):
        found = [_text_of(c, args[0], key) or c.invoke(operator.getitem, (args[0], Const(key)), ()) for key in given]
    else:
        found = [functools.reduce(c.attribute, path.split("."), args[0]) for path in given]
    return found[0] if len(found) == 1 else Tuple(tuple(found))


def _text_of(c: Callees, item: Expr, key: Any) -> Expr | None:
    """A text among the elements of a tuple; None: there is none such."""
    kind = c.type_of(item)  # type: ignore[attr-defined]
    of_tuple = isinstance(kind, TupleType) and isinstance(key, int) and not kind.form.keys
    part = kind.items[key] if of_tuple and -len(kind.items) <= key < len(kind.items) else None  # type: ignore[attr-defined]
    return Const(part.value) if isinstance(part, Static) and isinstance(part.value, str) else None


_OF_SERIES = {name: f"np.polynomial.{module}.{function}(x, c)" for name, module, function in (
    ("Polynomial", "polynomial", "polyval"), ("Chebyshev", "chebyshev", "chebval"), ("Legendre", "legendre", "legval"),
    ("Hermite", "hermite", "hermval"), ("HermiteE", "hermite_e", "hermeval"), ("Laguerre", "laguerre", "lagval"),
)}  # fmt: skip


def _called(c: Callees, fn: Any, owner: Expr) -> Expr:
    """What `operator.methodcaller` calls."""
    made, given, *_ = fn.__reduce__()
    by_name = isinstance(made, functools.partial)  # with arguments by name
    name, *values = (*made.args, *given) if by_name else given
    named = tuple((key, Const(value)) for key, value in (made.keywords.items() if by_name else ()))
    return c.operation(Call(Method(name), (owner, *map(Const, values)), named))


def called(c: Callees, function: Expr, *args: Expr, kwargs: Keywords) -> Expr:
    """A call of what some expression gives."""
    method = operators.call_method(c, function)
    if method is not None:
        return c.invoke(method, (function, *args), kwargs)
    if not is_static(function):
        return unknown(c, function)
    return c.invoke(function.value, args, kwargs)  # type: ignore[union-attr]


def unknown(c: Callees, function: Expr) -> Expr:
    """Refuse a call of what some expression gives: an object of a library, perhaps, that is called like a function."""
    if isinstance(function, Var):
        lets = (stmt for block in (*c.outs, c.out) for stmt in block if isinstance(stmt, Let))
        function = next((stmt.value for stmt in lets if stmt.target == function.name), function)
    if isinstance(function, Call) and function.fn is library.refuse:
        return function  # which says what is wrong
    if isinstance(function, Call) and isinstance(function.fn, type):
        remedy = _OF_SERIES.get(function.fn.__name__) if function.fn.__module__.startswith("numpy.polynomial") else None
        remedy = remedy or "functions of NumPy that compute the same, or a function of yours with a rule: @srcad.rule"
        return c.refuse(f"the object that {function.fn.__name__} makes cannot be called here", remedy)
    return c.refuse("which function is called here cannot be told", "a call of a function by its name")


def reduce(c: Callees, function: Expr, items: Expr, *start: Expr) -> Expr:
    """``functools.reduce(f, items)``: written out for a tuple, a loop for a range or an array."""
    if not (isinstance(function, Const) and is_static(function)):
        return unknown(c, function)

    def step(total: Expr, item: Expr) -> Expr:
        return c.invoke(function.value, (total, item), ())  # type: ignore[union-attr]

    known = c.iterated(items)  # type: ignore[attr-defined]
    if known is not None:
        values = (*start, *known)
        return functools.reduce(step, values) if values else c.refuse("reduce() of nothing", "a first value")
    if isinstance(items, Const) and isinstance(items.value, Range):
        bounds = items.value
        return _fold(c, step, start[0] if start else None, bounds.start, bounds.stop, bounds.step, lambda k: k)
    items = c.kept(items)

    def element(index: Expr) -> Expr:
        return Call(operator.getitem, (items, index))

    begin = Const(0 if start else 1)
    first = start[0] if start else element(Const(0))
    return _fold(c, step, first, begin, Call(len, (items,)), Const(1), element)


def _fold(
    c: Callees, step: Callable[[Expr, Expr], Expr], first: Expr | None, start: Expr, stop: Expr, stride: Expr,
    item: Callable[[Expr], Expr],
) -> Expr:  # fmt: skip
    """A loop that carries a total."""
    if first is None:
        return c.refuse("reduce() over a range without a first value is not supported", "a first value")
    total, index, origin = c.fresh("total"), c.fresh("i"), c.origin
    c.let(total, first)
    before = set(c.static)
    emitted, _ = c.collect(lambda: c.let(total, step(Var(total), item(Var(index)))))
    if is_static(first) or total in c.static or total in before:
        return c.refuse("reduce() of functions is not supported", "the calls one by one")
    c.emit(For(index, start, stop, stride, tuple(emitted), None, origin))
    return Var(total)


def picked(c: Callees, table: Expr, index: Expr, default: Expr | None = None) -> Expr | None:
    """A function of a table by an index or a key that is not known: one of all that are there, or the default."""
    if isinstance(table, Const) and (table.value is np.r_ or table.value is np.c_):
        return _joined(c, by_rows if table.value is np.r_ else by_columns, index)
    if isinstance(table, Const) and (table.value is np.mgrid or table.value is np.ogrid):
        return _grid(c, dense_grid if table.value is np.mgrid else open_grid, index)
    if isinstance(table, Const) and (table.value is np.s_ or table.value is np.index_exp):
        return index if table.value is np.s_ or isinstance(index, Tuple) else Tuple((index,))
    index, written = folded_number(index), index
    if not isinstance(index, (Const, Slice)):
        callers.as_objects(c, c.elements(table) or ())  # type: ignore[attr-defined, arg-type]
    elif index != written:
        of_known = operator.getitem, (table, index), ()
        return c.of_structure(*of_known) or c.invoke(*of_known)
    items = _entries(c.static.get(table.name, table) if isinstance(table, Var) else table)
    if isinstance(index, (Const, Tuple, Slice)) or not 0 < len(items) <= _TABLE:
        return None
    place = c.kept(index)
    tests = [c.kept(_any(Call(operator.eq, (place, Const(key))) for key in keys)) for keys, _ in items]
    chosen = items[-1][1] if default is None else choose(tests[-1], items[-1][1], default)
    if default is None:
        error = (KeyError, "a key that the dict does not have"), (IndexError, "list index out of range")
        missing = Call(raise_, tuple(map(Const, error[len(items[0][0]) - 1])))
        c.emit(If(Call(operator.not_, (_any(tests),)), (Effect(missing, c.origin),), (), c.origin))
    for test, (_, item) in reversed(list(zip(tests, items[:-1]))):
        chosen = choose(test, item, chosen)
    return chosen


def _joined(c: Callees, join: Callable[..., Any], index: Expr) -> Expr:
    """``np.r_[...]`` and ``np.c_[...]``: what stands between the brackets are arguments."""
    items = items_of(index)
    if any(isinstance(item, Const) and isinstance(item.value, str) for item in items):
        return c.refuse("np.r_ with a text is not supported", "np.concatenate", "np.r_")
    return c.invoke(join, tuple(_spread(item) if isinstance(item, Slice) else item for item in items), ())


def _grid(c: Callees, made: Callable[..., Any], index: Expr) -> Expr | None:
    """``np.mgrid[...]`` and ``np.ogrid[...]``: the numbers along each axis are arguments."""
    if isinstance(index, Slice):
        return _spread(index)
    if not (isinstance(index, Tuple) and all(isinstance(item, Slice) for item in index.items)):
        return None
    return c.invoke(made, tuple(_spread(item) for item in index.items if isinstance(item, Slice)), ())


def _spread(part: Slice) -> Expr:
    """The numbers that a slice names there; with an imaginary step, so many of them."""
    lower, upper, step = part.lower or Const(0), part.upper or Const(0), part.step or Const(1)
    if isinstance(step, Const) and isinstance(step.value, complex):
        return Call(np.linspace, (lower, upper, Const(int(abs(step.value)))))
    return Call(np.arange, (lower, upper, step))


def _any(tests: Iterable[Expr]) -> Expr:
    several = tuple(tests)
    return several[0] if len(several) == 1 else Call(or_, several)


def _entries(table: Expr) -> list[tuple[tuple[Any, ...], Expr]]:
    """The functions of a table with the indices or the key of each."""
    found: list[tuple[tuple[Any, ...], Expr]] = []
    match table:
        case Const(value=dict() as held):
            found = [((key,), constant(value, "c")) for key, value in held.items()]
        case Const(value=tuple() | list() as held):
            found = [((k, k - len(held)), constant(value, "c")) for k, value in enumerate(held)]
        case Tuple(items, TupleType(form=form)) if form.keys:
            found = [((key,), item) for key, item in zip(form.keys, items)]
        case Tuple(items):
            found = [((k, k - len(items)), item) for k, item in enumerate(items)]
    return found if all(is_static(item) for _, item in found) else []


def bounds(args: tuple[Expr, ...]) -> Range:
    """What `range` makes of its arguments."""
    start, stop, step = (Const(0), *args, Const(1)) if len(args) == 1 else (*args, Const(1))[:3]
    return Range(start, stop, step)


def span(fn: Any, args: tuple[Expr, ...]) -> Expr | None:
    """A range, or a slice whose bounds are not constant."""
    if fn is slice and not all(isinstance(arg, Const) for arg in args):
        return part(args)
    return Const(bounds(args)) if fn is range else None


def part(args: tuple[Expr, ...]) -> Slice:
    """What `slice` makes of its arguments."""
    lower, upper, step = (Const(None), *args, Const(None)) if len(args) == 1 else (*args, Const(None))[:3]
    return Slice(*(None if bound == Const(None) else bound for bound in (lower, upper, step)))


def count(numbers: Range) -> Expr:
    """``len(range(...))``"""
    return Call(len, (Call(range, (numbers.start, numbers.stop, numbers.step)),))
