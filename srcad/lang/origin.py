"""Where a statement came from: the user's file, line and text."""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Origin:
    """A place in the user's source; `adjoint` marks statements of the derivative of that place.

    `tangent` marks those of them that belong to forward mode.
    """

    filename: str = "<unknown>"
    line: int = 0
    column: int = 0
    function: str = ""
    text: str = ""
    adjoint: bool = False
    tangent: bool = False
    note: str = ""  # what is said above the statement, whatever it comes from


NOWHERE = Origin()

written: dict[str, Callable[[], dict[int, Origin]]] = {}
"""Of the files of generated source that were read again: where each line comes from."""


def users(origin: Origin) -> Origin:
    """The user's place behind one in generated source, which derivatives of derivatives are made of.

    >>> written["/cache/f_grad.py"] = lambda: {3: Origin("model.py", 12, text="y = x[i]")}
    >>> users(Origin("/cache/f_grad.py", 4)).line
    12
    """
    while origin.filename in written:
        lines = {line: found for line, found in written[origin.filename]().items() if found.line}
        before = [line for line in lines if line <= origin.line]
        if not lines:
            break
        found = lines[max(before) if before else min(lines)]
        origin = replace(found, adjoint=origin.adjoint or found.adjoint, tangent=origin.tangent or found.tangent)
    return origin


@lru_cache(maxsize=10_000)
def of_derivative(origin: Origin) -> bool:
    """Whether a place belongs to a reverse sweep, that of the text it is in or one that this was written from.

    >>> written["/cache/g_grad.py"] = lambda: {3: Origin("model.py", 12, text="y = x[i]", adjoint=True)}
    >>> of_derivative(Origin("/cache/g_grad.py", 3)), of_derivative(Origin("model.py", 12))
    (True, False)
    """
    return users(origin).adjoint


def physical(origin: Origin) -> Origin:
    """The place with the line as it is in the file, if it is there."""
    origin = users(origin)
    line = linecache.getline(origin.filename, origin.line).rstrip("\n")
    known = not origin.text or origin.text.strip()[:8] in line
    return replace(origin, text=line) if line and known else origin


def described(origin: Origin) -> str:
    """A place in words.

    >>> described(Origin("/home/me/model.py", 12, text="    y = x[i]", adjoint=True))
    'in the derivative of line 12 of model.py: y = x[i]'
    """
    origin = users(origin)
    line = f"line {origin.line} of {os.path.basename(origin.filename)}: {origin.text.strip()}"
    return f"in the derivative of {line}" if origin.adjoint else f"in {line}"
