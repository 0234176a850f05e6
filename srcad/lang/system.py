"""Functions of Python's own, and NumPy's, that tell the system something or ask it: they are called as they are."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np

_SYSTEM = frozenset(("time", "_warnings", "posix", "nt", "sys", "gc", "faulthandler", "_tracemalloc", "_locale"))

_OF_PROGRAMS = frozenset(
    "argparse ast configparser csv dis email gettext glob html http importlib inspect io json linecache locale logging "
    "os pathlib pickle platform pprint re shutil socket sqlite3 string subprocess tempfile textwrap threading tokenize "
    "traceback typing unittest urllib warnings xml".split()
)


def of_system(fn: Any) -> bool:
    """Whether a function of Python's own, or NumPy's, asks or tells the system something, and computes nothing.

    >>> import time, warnings
    >>> of_system(time.perf_counter), of_system(warnings.warn), of_system(np.set_printoptions), of_system(abs)
    (True, True, True, False)
    """
    if any(fn is each for each in (np.set_printoptions, *_OF_STREAMS.values())):
        return True
    return isinstance(fn, types.BuiltinFunctionType) and getattr(fn, "__module__", None) in _SYSTEM


def of_programs(fn: Any) -> bool:
    """Whether a function is of Python's own that looks at programs, files and texts, and computes with no numbers.

    >>> import inspect, statistics
    >>> of_programs(inspect.signature), of_programs(statistics.mean)
    (True, False)
    """
    return isinstance(fn, types.FunctionType) and str(fn.__module__).partition(".")[0] in _OF_PROGRAMS


def as_it_is_then(fn: Any) -> Any:
    """What asks for `sys.stdout` or `sys.stderr` when it is called, for a method of what that is now.

    >>> as_it_is_then(sys.stderr.flush).__name__, as_it_is_then(abs)
    ('flush_stderr', <built-in function abs>)
    """
    for (stream, name), function in _OF_STREAMS.items():
        if getattr(fn, "__self__", None) is getattr(sys, stream) is not None and getattr(fn, "__name__", "") == name:
            return function
    return fn


def write_stdout(text: str) -> None:
    """``sys.stdout.write(text)``"""
    sys.stdout.write(text)


def write_stderr(text: str) -> None:
    """``sys.stderr.write(text)``"""
    sys.stderr.write(text)


def flush_stdout() -> None:
    """``sys.stdout.flush()``"""
    sys.stdout.flush()


def flush_stderr() -> None:
    """``sys.stderr.flush()``"""
    sys.stderr.flush()


_OF_STREAMS = {
    ("stdout", "write"): write_stdout,
    ("stderr", "write"): write_stderr,
    ("stdout", "flush"): flush_stdout,
    ("stderr", "flush"): flush_stderr,
}
