"""The options of transforms as users write them, checked."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, Union

import numpy as np

_TARGETS = ("cpu", "python")
_FLAGS = frozenset({"nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"})
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kKMGT]?)(i?)B\s*")


def checked_options(
    mode: str, stop: Any, unconnected: str, has_aux: bool, target: str, fastmath: Any, parallel: bool, debug: bool,
    nan_check: bool = False, optimize: bool = True, max_tape: Any = None,
) -> dict[str, Any]:
    """The options of a transform, checked."""
    if unconnected not in ("none", "zero"):
        raise ValueError(f"unconnected_gradients must be 'none' or 'zero', not {unconnected!r}")
    if target not in _TARGETS:
        raise ValueError(f"target must be {' or '.join(map(repr, _TARGETS))}, not {target!r}")
    stop = (stop,) if isinstance(stop, str) or not isinstance(stop, Iterable) else tuple(stop)
    if not all(isinstance(name, str) for name in stop):
        raise TypeError(f"stop_gradients must be names of parameters or local variables, not {stop!r}")
    if parallel and not optimize:
        raise ValueError("parallel=True is an optimisation: leave out one of parallel=True and optimize=False")
    for name, value in (("has_aux", has_aux), ("parallel", parallel), ("debug", debug), ("nan_check", nan_check),
                        ("optimize", optimize)):  # fmt: skip
        if not isinstance(value, (bool, int, np.bool_)) or value not in (0, 1):
            raise TypeError(f"{name} must be True or False, not {value!r}")
    flags = {} if fastmath is True else {"fastmath": _flags(fastmath)}
    return {"mode": mode, "stop_gradients": stop, "unconnected": unconnected, "has_aux": bool(has_aux),
            "target": target, "parallel": bool(parallel), "debug": bool(debug), "nan_check": bool(nan_check),
            "optimize": bool(parallel) or (bool(optimize) and optimized()), "max_tape": size_in_bytes(max_tape),
            **flags}  # fmt: skip


def optimized() -> bool:
    """Whether derivatives are optimised where nobody says anything else."""
    return os.environ.get("SRCAD_OPTIMIZE", "1") != "0"


def size_in_bytes(size: Any) -> int:
    """A size as users write it, 0 for None.

    >>> size_in_bytes("512MB"), size_in_bytes("1.5 KiB"), size_in_bytes(1e6)
    (512000000, 1536, 1000000)
    """
    if size is None:
        return 0
    found = _SIZE.fullmatch(size) if isinstance(size, str) else None
    if found:
        size = float(found[1]) * (1024 if found[3] else 1000) ** " KMGT".index(found[2].upper() or " ")
    if isinstance(size, (str, bool)) or not hasattr(size, "__float__"):
        raise (ValueError if isinstance(size, str) else TypeError)(f"max_tape must be a size, as '512MB', not {size!r}")
    if not 1 <= size < 2**63:
        raise ValueError(f"max_tape must be one byte or more, not {size!r}")
    return int(size)


def _flags(fastmath: Any) -> Union[bool, tuple[str, ...]]:
    if fastmath is False:
        return False
    flags = tuple(sorted(set(fastmath))) if isinstance(fastmath, (tuple, list, set, frozenset)) else (fastmath,)
    if not _FLAGS.issuperset(flags):
        raise ValueError(f"fastmath must be True, False or some of {', '.join(sorted(_FLAGS))}, not {fastmath!r}")
    return flags
