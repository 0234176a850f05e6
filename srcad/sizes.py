"""How many bytes a derivative records: as a formula in the user's names, and as a number for given arguments."""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from srcad.checking import evaluate
from srcad.lang import walk
from srcad.lang.ir import (
    Attr, Block, Call, Const, Effect, Expr, For, Function, If, Let, Return, Var, While, hint, is_temporary,
)  # fmt: skip
from srcad.lang.structure import plain
from srcad.lang.types import NONE, Array, Dim, Scalar
from srcad.lang.write import write
from srcad.runtime.schedule import PLANS
from srcad.transforms.decisions import Record

_SHAPE = re.compile(r"([^\W\d][\w.~]*?)\.shape\[(\d+)\]")
_NAME = re.compile(r"[^\W\d]\w*(?:\.\d+)*(?:~\w+(?:\.\d+)*)*")


def formula(record: Record, printed: str, structures: Container[str] = ()) -> str:
    """The size of a record in bytes, in terms of trip counts and shapes.

    `printed` is its name in the source; parts of `structures` are not shown by their internal names.
    """
    kind = record.type if record.type is not None else record.source.type
    assert isinstance(kind, (Array, Scalar))
    dims = list(kind.shape[1:] if record.type is not None else kind.shape) if isinstance(kind, Array) else []
    factors = [str(np.dtype(kind.dtype).itemsize)]
    if record.type is not None:
        factors.append(spell(record.trips) if record.trips is not None else f"(iterations of line {record.loop.line})")
    source = hint(record.source.name) if not is_temporary(record.source.name) else printed
    texts = [_dim_text(dim, f"{source}.shape[{axis}]", structures) for axis, dim in enumerate(dims)]
    factors += texts if record.fixed else [f"{source}.size"]
    return "*".join(f for k, f in enumerate(factors) if f != "1" or not k)


def spell(expr: Expr) -> str:
    """An integer expression with the user's names; what a count cannot be below is left out.

    >>> spell(Call(max, (Call(operator.sub, (Var("n.1"), Const(1))), Const(0))))
    '(n - 1)'
    """
    match expr:
        case Call(fn, (inner, Const(0))) if fn is max:
            return spell(inner)
        case Call(fn, (Attr(Var(name), "shape"), Const(axis))) if fn is operator.getitem:
            return f"{hint(name)}.shape[{axis}]"
        case Var(name):
            return hint(name)
    renamed = walk.substitute(expr, {name: Var(hint(name)) for name in walk.names(expr)})
    text = write(Function("f", (), (Return(renamed),))).text.split("return ", 1)[1].strip()
    return text if re.fullmatch(r"\w+|\w+\(.*\)", text) else f"({text})"


def _dim_text(dim: Dim, otherwise: str, structures: Container[str]) -> str:
    """A dimension with the user's names, or what else it may be called if it is no plain arithmetic."""
    text = _python(str(dim))
    if any(is_temporary(name) or hint(name) in structures for name in _NAME.findall(text)):
        return otherwise
    text = _SHAPE.sub(lambda found: f"{hint(found[1])}.shape[{found[2]}]", text)
    text = re.sub(r"([^\W\d]\w*)\.\d+", r"\1", text)
    if not re.fullmatch(r"(\w|\.shape\[\d+\]|[-+*/%() ])+", text):
        return otherwise
    return text if re.fullmatch(r"\w+|\w+\.shape\[\d+\]|\(.*\)", text) else f"({text})"


def _python(symbol: str) -> str:
    """A symbol of a dimension with parentheses for its brackets."""
    parts = re.split(r"(\.shape\[\d+\])", symbol)
    return "".join(p if p.startswith(".shape[") else p.replace("[", "(").replace("]", ")") for p in parts)


# ---------------------------------------------------------------- as a number


def size(record: Record, fn: Function, values: dict[str, Any]) -> int | None:
    """The size for arguments; None, if it cannot be told without running the function."""
    space = _Space(fn, values)
    kind: Any = record.type if record.type is not None else record.source.type
    try:
        factors = [np.dtype(kind.dtype).itemsize]
        if record.type is not None:
            if record.trips is None or not record.fixed:
                return None
            factors.append(space.integer(record.trips))
        dims = kind.shape[1:] if record.type is not None else getattr(kind, "shape", ())
        return int(np.prod([*factors, *map(space.dim, dims)], dtype=object))
    except (LookupError, TypeError, ValueError, SyntaxError, ArithmeticError, AttributeError):
        return None


class _Space:
    """The values of parameters, and of integers that are computed from them outside of loops and branches."""

    def __init__(self, fn: Function, values: dict[str, Any]):
        self.values = values
        lets = {s.target: s.value for s in fn.body if isinstance(s, Let)}
        # What the records of a loop have room for is decided with the derivative.
        self.definitions = {n: v for n, v in lets.items() if not (isinstance(v, Call) and v.fn in PLANS)}

    def __getitem__(self, name: str) -> Any:
        return self.values[name] if name in self.values else evaluate(self.definitions[name], self)  # type: ignore[arg-type]

    def integer(self, expr: Expr) -> int:
        return operator.index(evaluate(expr, self))  # type: ignore[arg-type]

    def dim(self, dim: Dim) -> int:
        if isinstance(dim, int):
            return dim
        text = _SHAPE.sub(lambda found: str(np.shape(self[found[1]])[int(found[2])]), dim)
        text = _NAME.sub(lambda found: f"({operator.index(self[found[0]])})", _python(text))
        if not re.fullmatch(r"[\d\s()+*/%,-]+", text):
            raise ValueError(dim)
        return max(0, eval(text))


def measured(
    final: Function, others: dict[Any, Function], names: Iterable[str], arguments: dict[str, Any]
) -> dict[str, int]:
    """The largest size of each of these arrays of a final function while it runs in the interpreter.

    `others` are the helpers that it calls.
    """
    found: dict[str, int] = {}

    def note(name: str, array: Any) -> None:
        size = sum(a.nbytes for a in array) if isinstance(array, list) else array.nbytes
        found[name] = max(found.get(name, 0), size)

    written = write(replace(final, body=_noting(final.body, frozenset(names), note)), others)
    space = dict(written.constants)
    exec(written.text, space)
    with np.errstate(all="ignore"):
        given = [plain(value) for value in copy.deepcopy(arguments).values()]
        space[final.name](*given[: len(final.params)])  # without `out`, where none is passed
    return found


def _noting(block: Block, names: frozenset[str], note: Any) -> Block:
    result: list[Any] = []
    for stmt in block:
        match stmt:
            case If(_, then, orelse):
                stmt = replace(stmt, then=_noting(then, names, note), orelse=_noting(orelse, names, note))
            case For(body=body) | While(body=body):
                stmt = replace(stmt, body=_noting(body, names, note))
        result.append(stmt)
        if isinstance(stmt, Let) and stmt.target in names:
            result.append(Effect(Call(note, (Const(stmt.target), Var(stmt.target)), (), NONE)))
    return tuple(result)
