"""A pass that only makes derivatives faster is left out where it fails: they are right without it.

That it fails is a defect of the pass, which the user is told of and asked to report, and which fails every test.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from srcad.lang.errors import SrcadError

T = TypeVar("T")


class PassLeftOut(RuntimeWarning):
    """A pass of the compiler has failed; what it works on stays as it is."""


def dispensable(stage: str, transform: Callable[..., T], otherwise: Callable[..., T]) -> Callable[..., T]:
    """A pass that gives what `otherwise` gives where it fails.

    >>> with warnings.catch_warnings(record=True) as found:
    ...     warnings.simplefilter("always")
    ...     dispensable("inverses", lambda n: 1 / n, lambda n: n)(0)
    0
    >>> print(found[0].message)
    the compiler's pass 'inverses' has failed (ZeroDivisionError: division by zero); the derivative is right without it, but perhaps slower. Please report this with the function
    """  # noqa: E501

    @functools.wraps(transform)
    def attempted(*args: Any) -> T:
        try:
            return transform(*args)
        except (SrcadError, MemoryError, RecursionError):
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            warnings.warn(f"the compiler's pass {stage!r} has failed ({reason}); the derivative is right without it, "
                          "but perhaps slower. Please report this with the function", PassLeftOut, 2)  # fmt: skip
            return otherwise(*args)

    return attempted
