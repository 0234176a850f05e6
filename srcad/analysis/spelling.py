"""What functions make of texts alone: other texts, lengths, answers."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Container, Iterator
from typing import Any

import numpy as np

from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Let, Method, Slice, Store, Tuple, Var, element_at, select
from srcad.lang.lists import count_of, element_of, one_of

COPYING = frozenset((np.copy, np.array, list, tuple, Method("copy")))
"""What gives a list with the same elements."""

_MOST = 4096  # combinations
_MAKING = frozenset("""capitalize casefold center format join ljust lower lstrip removeprefix removesuffix replace rjust
    rstrip strip swapcase title upper zfill""".split())
_METHODS = _MAKING | frozenset("""count endswith find index isalnum isalpha isascii isdecimal isdigit islower isnumeric
    isspace istitle isupper rfind rindex startswith""".split())
_FUNCTIONS = frozenset((
    operator.add, operator.mul, operator.mod, operator.getitem, operator.contains, operator.eq, operator.ne,
    operator.lt, operator.le, operator.gt, operator.ge, operator.not_, operator.iadd, len, count_of, str, int, float,
    bool, ord, chr, str.format, element_of,
))  # fmt: skip
_PARTS = (operator.getitem, element_of, element_at)


class Unknown(Exception):
    """What an expression gives is not decided by texts alone."""


def makes_text(expr: Expr, texts: Container[str]) -> bool:
    """Whether an expression is a text that is made of constants and of names that hold texts, or a tuple of such.

    >>> makes_text(Call(operator.add, (Const("rate_"), Var("kind"))), {"kind"})
    True
    """
    match expr:
        case Var(name):
            return name in texts
        case Const(value=value):
            return isinstance(value, str)
        case Tuple(items):
            return bool(items) and all(makes_text(item, texts) for item in items)
        case Call(fn, args, ()) if fn in (operator.add, str.format):
            return all(makes_text(arg, texts) for arg in args)
        case Call(operator.mod, (Const(value=str()), Tuple(args))) | Call(Method("join"), (Const(), Tuple(args))):
            return all(makes_text(arg, texts) for arg in args)
        case Call(operator.mod, (Const(value=str()), arg)):
            return makes_text(arg, texts)
        case Call(Method(name), (base, *others), ()) if name in _MAKING:
            return makes_text(base, texts) and all(isinstance(other, Const) for other in others)
        case Call(fn, (base, index)) if fn in _PARTS:
            return makes_text(base, texts) and isinstance(index, (Const, Slice))
    return False


def makes_text_of(fn: Any, args: tuple[Expr, ...]) -> bool:
    """Whether a call makes a text of its arguments, such as numbers.

    >>> makes_text_of(operator.mod, (Const("w%d"), Var("k"))), makes_text_of(operator.mod, (Var("n"), Var("k")))
    (True, False)
    """
    begins = isinstance(args[0], Const) and isinstance(args[0].value, str)
    return fn is str or begins and fn in (str.format, operator.mod, Method("format"))


def outcome(expr: Expr | None, texts: list[tuple[Expr, str]]) -> Any:
    """What an expression gives for certain texts in it."""
    for leaf, text in texts:
        if expr == leaf:
            return text
    match expr:
        case None:
            return None
        case Const(value=value):
            return value
        case Tuple(items):
            return tuple(outcome(item, texts) for item in items)
        case Slice(lower, upper, step):
            return slice(outcome(lower, texts), outcome(upper, texts), outcome(step, texts))
        case Call(fn, args, kwargs) if is_asked(expr):
            given = [outcome(arg, texts) for arg in args]
            if isinstance(fn, Method):
                fn = getattr(str, fn.name)
            try:
                return fn(*given, **{key: outcome(value, texts) for key, value in kwargs})
            except (TypeError, ValueError, LookupError, OverflowError):
                raise Unknown from None
    raise Unknown


def is_asked(call: Call) -> bool:
    """Whether a call is one that gives the same for the same texts."""
    if isinstance(call.fn, Method):
        return call.fn.name in _METHODS
    try:
        return call.fn in _FUNCTIONS
    except TypeError:  # has no hash
        return False



def combinations(found: list[Expr], options: list[list[str]]) -> Iterator[list[tuple[Expr, str]]]:
    """All that some expressions may be at a time, each of them one of its options."""
    count = 1
    for texts in options:
        count *= len(texts)
    if count > _MOST:
        raise Unknown
    return (list(zip(found, texts)) for texts in itertools.product(*options))


def gives_texts(fn: Function) -> bool:
    """Whether a function gives names more than one text.

    >>> a, b = Let("s", Const("on")), Let("s", Const("off"))
    >>> gives_texts(Function("f", (), (a, b))), gives_texts(Function("f", (), (a,)))
    (True, False)
    """
    found: set[str] = set()
    for stmt in walk.statements(fn.body):
        waiting: list[Expr] = [stmt.value] if isinstance(stmt, (Let, Store)) else []
        while waiting:
            match waiting.pop():
                case Const(value=str() as text):
                    found.add(text)
                case Const(value=tuple() | list() as texts):
                    waiting += [Const(text) for text in texts if isinstance(text, (str, tuple, list))]
                case Tuple(items):
                    waiting += items
                case Call(made, args) if made is select or made is one_of or made in COPYING or made is operator.mul:
                    waiting += args
    return len(found) > 1
