"""Which arrays' contents an expression reads, as opposed to their shapes."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Set
from typing import Any

import numpy as np

from srcad.lang.ir import Accum, Attr, Block, Call, Const, Expr, Let, Move, Slice, Stmt, Store, Tuple, Var
from srcad.lang.types import is_array, is_elastic
from srcad.lang.walk import names, statements, stmt_exprs, targets
from srcad.runtime import received, sum_to, survives, zeros_as

SHAPE_READERS = frozenset(
    (np.zeros_like, np.ones_like, np.empty_like, np.full_like, np.shape, np.ndim, np.size, len, survives,
     zeros_as)
)
SHAPE_ATTRIBUTES = frozenset(("shape", "ndim", "size", "dtype"))


def member(fn: Any, table: Any) -> bool:
    """``fn in table`` for callables that may not be hashable."""
    try:
        return fn in table
    except TypeError:
        return False


def content_names(expr: Expr) -> frozenset[str]:
    """The array names whose contents the value of `expr` depends on.

    >>> from srcad.lang.types import Array
    >>> a = Var("a", Array("float64", ("n",)))
    >>> content_names(Call(np.sin, (a,))), content_names(Attr(a, "shape"))
    (frozenset({'a'}), frozenset())
    """
    if type(expr) is Var:
        return frozenset((expr.name,)) if is_array(expr.type) else frozenset()
    if type(expr) is Const:
        return frozenset()
    try:
        return expr.contents
    except AttributeError:
        found = _content_names(expr)
        object.__setattr__(expr, "contents", found)
        return found


def _content_names(expr: Expr) -> frozenset[str]:
    found: set[str] = set()
    waiting = [expr]
    while waiting:
        match waiting.pop():
            case Var(name, type):
                if is_array(type):
                    found.add(name)
            case Call(fn, args, kwargs) if fn is not received:  # that reads where they lie
                shaped = member(fn, SHAPE_READERS) and not _grows(args[0])
                waiting.extend(args[1:] if shaped else args[:1] if fn is sum_to else args)
                waiting.extend(value for _, value in kwargs)
            case Attr(value, name):
                if not (isinstance(value, Var) and name in SHAPE_ATTRIBUTES) or _grows(value):
                    waiting.append(value)
            case Slice(lower, upper, step):
                waiting.extend(e for e in (lower, upper, step) if e is not None)
            case Tuple(items):
                waiting.extend(items)
    return frozenset(found)


def _grows(array: Expr) -> bool:
    """Whether the shape of an array depends on what has been stored in it."""
    return is_elastic(getattr(array, "type", None))


def value_reads(value: Expr) -> Set[str]:
    """As `content_names`, for the right side of a `Let`: making a view reads no contents, but of what grows.

    How long a slice of a list's room is depends on whether that had to grow.
    """
    from srcad.analysis.buffers import views_of

    if isinstance(value, Call) and (bases := views_of(value)):
        others = (arg for arg in value.args if not any(arg is base for base in bases))
        grown = {base.name for base in bases if isinstance(base, Var) and _grows(base)}
        return grown.union(*map(value_reads, bases), *map(content_names, others))
    if isinstance(value, Var):
        return set()
    return content_names(value)


def reads(stmt: Stmt) -> Set[str]:
    """The arrays whose contents a statement itself reads, for more than to add to them."""
    match stmt:
        case Let(_, value):
            return value_reads(value)
        case Store(_, index, value):
            return content_names(index) | content_names(value)
        case Move(_, values):
            return set().union(*map(value_reads, values))
        case Accum(Call(operator.getitem, (Var(), index)), value):
            return content_names(index) | content_names(value)
        case Accum(Var(), value):
            return content_names(value)
    return set().union(*map(content_names, stmt_exprs(stmt)))


def values_of(expr: Expr) -> Set[str]:
    """The names that an expression reads for more than their shape."""
    match expr:
        case Attr(Var() as base, name) if name in SHAPE_ATTRIBUTES and not _grows(base):
            return set()
        case Call(fn, args) if member(fn, SHAPE_READERS) and not _grows(args[0]):
            return set().union(*map(values_of, args[1:]))
        case Call(_, args, kwargs):
            return set().union(*map(values_of, args), *(values_of(value) for _, value in kwargs))
        case Tuple(items):
            return set().union(*map(values_of, items))
        case Attr(value):
            return values_of(value)
    return names(expr)


def is_element(expr: Expr) -> bool:
    """Whether `expr` reads one element of an array: ``a[i, j]``."""
    return (
        isinstance(expr, Call)
        and expr.fn is operator.getitem
        and isinstance(expr.args[0], Var)
        and is_array(expr.args[0].type)
        and not is_array(expr.type)
    )


def times_given(block: Block) -> Counter[str]:
    """How often names are given in a block and in what is inside of it.

    >>> times_given((Let("a", Const(1)), Let("b", Const(2)), Let("a", Const(3))))
    Counter({'a': 2, 'b': 1})
    """
    return Counter(name for stmt in statements(block) for name in targets(stmt))
