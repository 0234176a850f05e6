"""Work of the user's that may never end: it is given up after a time."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
_AGAIN = 1.0  # seconds after which what has caught the exception is interrupted once more


class Overdue(BaseException):
    """The time is over. No `Exception`, which the work may catch."""


def in_time(work: Callable[[], T], seconds: float) -> T:
    """What some work gives, or `Overdue` if it takes longer; compiled code is interrupted where it comes back only.

    >>> in_time(lambda: 1 + 1, 60.0)
    2
    >>> def endless():
    ...     while True:
    ...         pass
    >>> in_time(endless, 0.01)
    Traceback (most recent call last):
    srcad.lang.in_time.Overdue
    """
    lock, over, worker = threading.Lock(), threading.Event(), ctypes.c_ulong(threading.get_ident())
    raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        wait = seconds
        while not over.wait(wait):
            with lock:  # the work is still going on, or waits for the lock
                if not over.is_set():
                    raise_in(worker, ctypes.py_object(Overdue))
            wait = _AGAIN

    threading.Thread(target=watch, name="srcad", daemon=True).start()
    try:
        return work()
    finally:
        with lock:
            over.set()
        raise_in(worker, None)  # what has not been raised yet
