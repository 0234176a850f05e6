"""Complex numbers with another real or imaginary part."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.core import types
from numba.extending import overload


def with_real(z: Any, x: Any) -> Any:
    """`z` with the real part `x`.

    >>> import numpy as np
    >>> with_real(np.array([1 + 2j, 3 + 4j]), 5.0)
    array([5.+2.j, 5.+4.j])
    """
    result = np.array(z)
    result.real = x
    return result[()]


def with_imag(z: Any, x: Any) -> Any:
    """`z` with the imaginary part `x`.

    >>> import numpy as np
    >>> with_imag(np.array([1 + 2j, 3 + 4j]), 5.0)
    array([1.+5.j, 3.+5.j])
    """
    result = np.array(z)
    result.imag = x
    return result[()]


@overload(with_real)
def _with_real(z, x):
    if not isinstance(z, types.Array):
        return lambda z, x: complex(x, z.imag)

    def each(z, x):
        result = np.empty_like(z)
        parts = np.broadcast_to(np.asarray(x), z.shape)
        for place, old in np.ndenumerate(z):
            result[place] = complex(parts[place], old.imag)
        return result

    return each


@overload(with_imag)
def _with_imag(z, x):
    if not isinstance(z, types.Array):
        return lambda z, x: complex(z.real, x)

    def each(z, x):
        result = np.empty_like(z)
        parts = np.broadcast_to(np.asarray(x), z.shape)
        for place, old in np.ndenumerate(z):
            result[place] = complex(old.real, parts[place])
        return result

    return each
