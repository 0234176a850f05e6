"""Errors of NumPy and Python in generated lines, said about the user's lines; for `debug`."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from srcad.backends.source import Source
from srcad.lang.origin import described

KINDS = (IndexError, ValueError, TypeError, ZeroDivisionError, OverflowError, FloatingPointError, np.linalg.LinAlgError)
_RAISES = ("raise", "assert")


def located(error: Exception, source: Source) -> Exception:
    """The error with the user's line in its message; the error itself if it is not from a generated line."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == source.path]
    line = frames[-1].lineno if frames else None
    if line is None or type(error) not in KINDS:
        return error
    text, origin = source.text.splitlines()[line - 1].strip(), source.origin(line)
    own = text.startswith(_RAISES) and any(word in origin.text for word in _RAISES)
    if own or text.startswith("check_"):  # the user's, or one that says itself where it stands
        return error
    return type(error)(f"{error}, {described(origin)}")


def replayed(call: Callable[..., Any], again: Callable[..., Any], args: tuple, kwargs: dict[str, Any]) -> Any:
    """A call of machine code, which knows no lines; where it raises, the interpreter is asked what and where."""
    kept = copy.deepcopy((args, kwargs))
    try:
        return call(*args, **kwargs)
    except KINDS as error:
        if ", in " not in str(error):
            again(*kept[0], **kept[1])
        raise
