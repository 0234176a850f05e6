"""What Numba says about generated source, said about the user's lines."""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Iterator
from importlib.util import find_spec

from srcad.backends.source import Source
from srcad.lang.errors import UnsupportedError, unsupported

_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_COLOUR = re.compile("\x1b" + r"\[[0-9;]*m")


def explained(error: Exception, source: Source) -> UnsupportedError:
    """What Numba says about a generated line, said about the user's line."""
    message = _COLOUR.sub("", str(error))
    places = [*_locations(error), *_PLACE.findall(message)]
    lines = [int(line) for path, line in places if os.path.basename(path) == os.path.basename(source.path)]
    reason = f"Numba cannot compile the derivative of this line: {_gist(message)}"
    at_fault = source.text.splitlines()[lines[0] - 1] if lines else ""
    if re.search(r"\bfft\.\w+\(|\bd[cs]t\(", at_fault) and find_spec("rocket_fft") is None:
        reason = "a Fourier transform in compiled derivatives needs the package rocket-fft"
        return unsupported(source.origin(lines[0]), reason, 'pip install "srcad[fft]", or target="python"')
    if lines:
        reason += f"\n    generated: {source.text.splitlines()[lines[0] - 1].strip()}"
    remedy = 'target="python", which runs the same source without Numba, or other NumPy functions on this line'
    return unsupported(source.origin(lines[0] if lines else 1), reason, remedy)


def _locations(error: Exception) -> Iterator[tuple[str, int]]:
    """Where Numba was: what the error itself says, and the instructions that it was working on."""
    loc = getattr(error, "loc", None)
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    instructions = [frame.f_locals.get("inst") for frame in reversed(frames)]
    for place in (loc, *(getattr(instruction, "loc", None) for instruction in instructions)):
        if getattr(place, "filename", None):
            yield place.filename, place.line


def _gist(message: str) -> str:
    """The first sentence of Numba's message that says something about the code."""
    lines = [line.strip() for line in message.splitlines()]
    said = [line for line in lines if line and not line.startswith(("Failed in", "File ", "During:", "[1]"))]
    return " ".join(said[:2]) if said else "it gives no reason"
