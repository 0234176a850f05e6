"""Dimensions: what is known at compile time about the length of an axis.

A dimension is an `int` or a symbol, a text that means the same number wherever it stands. Symbols are made from
names, so that equal slices of equal arrays agree: ``x[1:]`` and ``x[:-1]`` both have ``x.shape[0]-1`` elements.
``base-k`` means ``max(0, base - k)``, as a slice does.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Union

from srcad.lang.types import Array, Dim

# An integer as (base, offset): its value is that of the symbol `base` plus `offset`; no base: a constant.
Linear = tuple[str | None, int]

_OFFSET = re.compile(r"^(.*[^+\-])([+-]\d+)$", re.DOTALL)
_NAME = re.compile(r"[^\W\d]\w*(?:\.\d+)*(?:~\w+(?:\.\d+)*)*")
_END = re.compile(r"\[(.*)\]\[(?:0?:(\d+)|-(\d+):):1\]", re.DOTALL)  # of a slice of a few elements at an end
_LONGEST = 120


def symbol(name: str, axis: int) -> str:
    """The length of an axis of a named array, when nothing better is known."""
    return f"{name}.shape[{axis}]"


def split_offset(dim: Dim) -> Linear:
    """
    >>> split_offset("x.shape[0]-2"), split_offset("n"), split_offset(3)
    (('x.shape[0]', -2), ('n', 0), (None, 3))
    """
    if isinstance(dim, int):
        return None, dim
    found = _OFFSET.match(dim)
    return (found[1], int(found[2])) if found else (dim, 0)


def join_offset(base: str | None, offset: int) -> Dim:
    """The dimension of ``base + offset`` elements."""
    if base is None:
        return max(0, offset)
    return f"{base}{offset:+d}" if offset else base


def shifted(dim: Dim, more: int) -> Dim:
    """The dimension of so many elements more, or fewer.

    >>> shifted("n-1", -1), shifted("n+1", -1), shifted("n-1", 1), shifted(3, -1)
    ('n-2', 'n', '(n-1)+1', 2)
    """
    base, offset = split_offset(dim)
    if base is not None and offset < 0 < more:
        base, offset = f"({dim})", 0
    return join_offset(base, offset + more)


def value_of(dim: Dim) -> Linear:
    """A dimension as an integer to compute with: a clipped one, ``n-2``, is opaque."""
    base, offset = split_offset(dim)
    return (f"({dim})", 0) if base is not None and offset < 0 else (base, offset)


def dim_of(value: Linear) -> Dim:
    """The dimension of an array made with this many elements along an axis.

    >>> dim_of(value_of("n-2")), dim_of(("n", -2)), dim_of((None, 3))
    ('n-2', 'n-2', 3)
    """
    base, offset = value
    if base is not None and offset == 0 and base.startswith("(") and base.endswith(")"):
        base, offset = split_offset(base[1:-1])
    return join_offset(base, offset)


def text(value: Linear) -> str:
    base, offset = value
    return str(offset) if base is None else str(join_offset(base, offset))


def add(a: Linear, b: Linear) -> Linear:
    """The sum of two integers."""
    if a[0] is None or b[0] is None:
        return (a[0] or b[0], a[1] + b[1])
    first, second = sorted((a[0], b[0]))
    return f"[{first}+{second}]", a[1] + b[1]


def subtract(a: Linear, b: Linear) -> Linear:
    """The difference of two integers."""
    if b[0] is None or a[0] == b[0]:
        return (a[0] if b[0] is None else None, a[1] - b[1])
    return f"[{a[0] or 0}-{b[0]}]", a[1] - b[1]


def combined(operator: str, a: Linear, b: Linear) -> Linear:
    """Any other function of two integers, as an opaque symbol."""
    return f"[{text(a)}{operator}{text(b)}]", 0


def total(dims: tuple[Dim, ...]) -> Dim:
    """The length of pieces laid end to end; ``x[:1]`` and ``x[:-1]`` are together as long as `x`, however short it is.

    >>> total(("n", "n-1", 2)), total(("[n][:1:1]", "n-1")), total(("n-2", "[n][-2::1]"))
    ('[(n-1)+n]+2', 'n', 'n')
    """
    result: Linear = (None, 0)
    rest = list(dims)
    while rest:
        dim = rest.pop(0)
        other = next((k for k, each in enumerate(rest) if _whole(dim, each) or _whole(each, dim)), None)
        if other is not None:
            each = rest.pop(other)
            dim = _whole(dim, each) or _whole(each, dim) or dim
        result = add(result, value_of(dim))
    return dim_of(result)


def _whole(end: Dim, rest: Dim) -> Dim | None:
    """The length of an axis of which two pieces are the first or the last few elements and all but as many."""
    found = _END.fullmatch(end) if isinstance(end, str) else None
    if found is None:
        return None
    base, offset = split_offset(found[1])
    return found[1] if rest == join_offset(base, offset - int(found[2] or found[3])) else None


def product(dims: tuple[Dim, ...]) -> Dim:
    """The number of elements of an array."""
    known, symbols = 1, []
    for dim in dims:
        if isinstance(dim, int):
            known *= dim
        else:
            symbols.append(dim)
    if known == 0 or not symbols:
        return known
    if known == 1 and len(symbols) == 1:
        return symbols[0]
    return "[" + "*".join([str(known)] * (known != 1) + sorted(symbols)) + "]"


def too_long(dim: Union[Dim, Linear]) -> bool:
    """Whether a symbol has grown beyond use."""
    return len(str(dim)) > _LONGEST


def differ(a: Dim, b: Dim) -> bool:
    """Whether two lengths are surely not the same, but of empty arrays.

    >>> differ(2, 3), differ("n", "n-1"), differ("n", "m"), differ("n", 3)
    (True, True, False, False)
    """
    (base, offset), (other, also) = split_offset(a), split_offset(b)
    return base == other and offset != also


def mentions(dim: Dim, names: set[str]) -> bool:
    """Whether a symbol depends on one of these names."""
    return isinstance(dim, str) and any(name in names for name in _NAME.findall(dim))


# ---------------------------------------------------------------- broadcasting


def broadcast_dims(a: Dim, b: Dim) -> Dim:
    """The common length of two axes; a length that may be 1 does not decide it.

    >>> broadcast_dims("n", 1), broadcast_dims("n", 3), broadcast_dims("m", "n")
    ('n', 3, '{m|n}')
    """
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    for dim in (a, b):
        if isinstance(dim, int):
            return dim
    atoms = {*_atoms(a), *_atoms(b)}
    return "{" + "|".join(sorted(atoms)) + "}"


def _atoms(dim: Dim) -> list[str]:
    assert isinstance(dim, str)
    plain = dim.startswith("{") and dim.endswith("}") and dim.count("{") == 1
    return dim[1:-1].split("|") if plain else [dim]


def broadcast(*shapes: tuple[Dim, ...]) -> tuple[Dim, ...]:
    """The common shape.

    >>> broadcast(("n", 1), (3,))
    ('n', 3)
    """
    rank = max(map(len, shapes), default=0)
    result: list[Dim] = [1] * rank
    for shape in shapes:
        for axis, dim in enumerate(shape, rank - len(shape)):
            result[axis] = broadcast_dims(result[axis], dim)
    return tuple(result)


def layout(shape: tuple[Dim, ...], arrays: list[Array]) -> str:
    """The layout of the fresh array that an elementwise function makes: C order, unless all are in Fortran order."""
    if len(shape) <= 1 or all(a.layout == "C" for a in arrays):
        return "C"
    whole = {a.layout for a in arrays if a.shape == shape}
    if whole & {"C", "c"}:
        return "C" if "C" in whole else "c"
    full = {a.layout for a in arrays if a.shape == shape or a.ndim > 1}
    return "f" if full <= {"F", "f"} and all(a.shape == shape or a.ndim < 2 for a in arrays) else "A"


# ---------------------------------------------------------------- slices


def sliced(dim: Dim, lower: Linear | None, upper: Linear | None, step: int | None) -> Dim:
    """The length of ``a[lower:upper:step]``; `None` bounds are left out.

    >>> sliced("n", (None, 1), (None, -1), 1), sliced("n", None, ("n", -1), 1), sliced(7, (None, 1), None, 2)
    ('n-2', 'n-1', 3)
    """
    known = all(v is None or v[0] is None for v in (lower, upper))
    if isinstance(dim, int) and known and step:
        first, last = (None if v is None else v[1] for v in (lower, upper))
        return len(range(*slice(first, last, step).indices(dim)))
    if step == -1 and lower is None and upper is None:
        return dim
    if step == 1:
        trimmed = _trimmed(dim, lower, upper)
        if trimmed is None:
            trimmed = _segment(dim, lower or (None, 0), upper or value_of(dim))
        if trimmed is not None:
            return trimmed
    bounds = ["" if v is None else text(v) for v in (lower, upper)]
    return f"[{dim}][{bounds[0]}:{bounds[1]}:{step}]"


def _trimmed(dim: Dim, lower: Linear | None, upper: Linear | None) -> Dim | None:
    """``dim-k``, if a slice surely drops k elements at the ends."""
    base, offset = split_offset(dim)
    front = 0 if lower is None else lower[1] if lower[0] is None and lower[1] >= 0 else None
    back = _back(dim, upper)
    if front is None or back is None:
        return None
    if upper is not None and upper[0] is not None and back > front + 2:
        return None  # of a short array, ``n - k`` may be negative and counts from the end
    return join_offset(base, offset - front - back)


def _segment(dim: Dim, lower: Linear, upper: Linear) -> Dim | None:
    """The length of a slice between partial sums of a length that is itself a sum: of one part of joined pieces.

    >>> _segment("[m+n]", ("m", 0), ("[m+n]", 0)), _segment("[m+n]", (None, 0), ("m", 0))
    ('n', 'm')
    """
    (first, start), (last, stop), (whole, end) = map(summands, (lower, upper, value_of(dim)))
    if first - last or last - whole or not 0 <= start <= stop <= end:
        return None
    return total(tuple((last - first).elements())) if stop == start else None


def summands(value: Linear) -> tuple[Counter, int]:
    """The terms of a sum of lengths, each at least zero, and its constant."""
    base, offset = value
    if base is None:
        return Counter(), offset
    if not (base.startswith("[") and base.endswith("]")):
        return Counter((base,)), offset
    parts, depth, start = [], 0, 1
    for position, char in enumerate(base):
        depth += (char in "[(") - (char in "])")
        if (char == "+" and depth == 1) or position == len(base) - 1:
            parts.append(base[start:position])
            start = position + 1
    if len(parts) < 2 or not all(parts):
        return Counter((base,)), offset
    found: Counter = Counter()
    for part in parts:
        terms, extra = summands(split_offset(part) if part.startswith("[") else (part, 0))
        found += terms
        offset += extra
    return found, offset


def _back(dim: Dim, upper: Linear | None) -> int | None:
    """How many elements an upper bound leaves out at the end, if that is known."""
    if upper is None:
        return 0
    base, offset = upper
    if base is None:
        return -offset if offset < 0 else None
    whole, extra = value_of(dim)
    return extra - offset if base == whole and offset <= extra else None
