"""What the language leaves out, and what to write instead."""

from __future__ import annotations

import difflib
from types import BuiltinFunctionType
from typing import Any

from srcad.lang.draws import is_random

_LOOP = "an array made before a loop and filled in it"

EXPRESSIONS: dict[str, tuple[str, str]] = {
    "ListComp": ("a list comprehension", _LOOP),
    "SetComp": ("a set comprehension", "set([... for ...])"),
    "DictComp": ("a dict comprehension", "a variable for each value"),
    "GeneratorExp": ("a generator expression here", "a list comprehension, [... for ...]"),
    "List": ("a list", "a tuple, or np.array([...])"),
    "Dict": ("a dict", "a variable for each value, or a tuple"),
    "JoinedStr": ("a formatted string here", "the formatting done by the caller"),
    "Starred": ("a starred expression", "each value by itself"),
    "Await": ("await", "a plain function"),
    "Yield": ("yield", "a list of all values that is returned; without an end, while True with one yield in its body"),
    "YieldFrom": ("yield from", "a return of all values in one array"),
    "Slice": ("a slice outside of a subscript", "the slice inside the brackets"),
}

BEFOREHAND = "an if that tests for the failure beforehand"

STATEMENTS: dict[str, tuple[str, str]] = {
    "AsyncFunctionDef": ("an async function", "a plain def"),
    "AsyncFor": ("async for", "a plain for"),
    "AsyncWith": ("async with", "the statements without it"),
    "ClassDef": ("a class inside the function", "the class defined outside, its numbers passed as arguments"),
    "TryStar": ("try", BEFOREHAND),
    "Import": ("an import under a name that means something else, too,", "the import at the top of the file"),
    "ImportFrom": ("an import under a name that means something else, too,", "the import at the top of the file"),
    "Global": ("global", "the value passed as an argument and returned"),
    "Nonlocal": ("nonlocal", "the value passed as an argument and returned"),
    "TypeAlias": ("a type alias inside the function", "the alias at the top of the file"),
}

BUILTINS: dict[Any, tuple[str, str]] = {
    **{f: (f"{f.__name__}() inside the function", "the value passed as an argument") for f in (
        eval, exec, open, input, globals, locals, vars, setattr, delattr, compile, __import__, id, hash,
        type, super, object,
    )},
    iter: ("iter() here", "a for loop, or it = iter(x) and next(it) in statements one after the other"),
    next: ("next() here", "x[0], or it = iter(x) and next(it) in statements one after the other"),
    **{f: (f"{f.__name__}() outside of the head of a for loop", "a for loop") for f in (
        zip, enumerate, reversed, map, filter,
    )},
}  # fmt: skip


CLASSES = {
    **{f"itertools.{name}": f"a for loop over it, or list(itertools.{name}(...))" for name in (
        "product", "combinations", "combinations_with_replacement", "permutations", "chain", "islice", "pairwise",
        "zip_longest", "repeat", "starmap", "compress", "filterfalse",
    )},
    "itertools.count": "a for loop over it, or zip(itertools.count(), x)", "itertools.cycle": "an index modulo n",
    "itertools.groupby": "for key, run in itertools.groupby(x): ..., a loop of its own",
    "itertools.tee": "list(x), which may be gone through twice", "fractions.Fraction": "a float",
    "decimal.Decimal": "a float", "numpy.ndindex": "one loop in the other, over ranges of the lengths",
    "numpy.ndenumerate": "loops over ranges of the lengths, and x[i, j]", "numpy.nditer": "for v in x.ravel()",
    "numpy.poly1d": "np.polyval",
}  # fmt: skip


def full_name(cls: Any) -> str:
    """What a class is called, with its module.

    >>> full_name(difflib.SequenceMatcher)
    'difflib.SequenceMatcher'
    """
    return f"{cls.__module__}.{cls.__qualname__}" if isinstance(cls, (type, BuiltinFunctionType)) else ""


def missing_attribute(value: Any, name: str) -> tuple[str, str]:
    """The reason and the remedy for an attribute that a module, class or object does not have.

    >>> import math
    >>> missing_attribute(math, "sinus")
    ("math has no attribute 'sinus'", 'math.sin')
    """
    what = getattr(value, "__name__", type(value).__name__)
    similar = difflib.get_close_matches(name, dir(value), 1, 0.7)
    return f"{what} has no attribute {name!r}", f"{what}.{similar[0]}" if similar else f"a name that {what} has"


def unsupported_phrase(entry: tuple[str, str]) -> tuple[str, str]:
    """The reason and the remedy for a construct of these tables."""
    return f"{entry[0]} is not supported", entry[1]


def instead_of_statement(fn: Any, name: str) -> str:
    """What to write instead of a call made for what it does."""
    if getattr(fn, "__module__", "") in ("_heapq", "heapq", "_bisect", "bisect"):
        return "a list in order: xs.append(value); xs.sort(), and xs.pop(0) for the smallest"
    if is_random(fn) or is_random(getattr(fn, "__self__", None)):
        return "the numbers passed as an argument, or drawn in a function of its own from a seed"
    return f"{name}(...) in a function of your own, which is called as it is"
