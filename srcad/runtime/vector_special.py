"""erf, erfc, ndtr and expit of `scipy.special` by functions of which loops become vector instructions.

SciPy computes ``ndtr(x)`` as ``erfc(-x / sqrt(2)) / 2`` and ``expit(x)`` as ``1 / (1 + exp(-x))``. So are they here, by
the vector library of the system and by the `exp` of `elementary`.
"""

from __future__ import annotations

import math
from typing import Any

from scipy import special

from srcad.runtime.branchless import inlined
from srcad.runtime.elementary import exp_of, vectorised
from srcad.runtime.vector_library import FUNCTIONS as LIBRARY
from srcad.runtime.vector_library import unary

_HALF_ROOT = math.sqrt(0.5)
_erfc = LIBRARY["erfc"]


@inlined
def ndtr_of(x):
    return 0.5 * _erfc(-x * _HALF_ROOT)


@inlined
def expit_of(x):
    return 1.0 / (1.0 + exp_of(-x))


FUNCTIONS: dict[str, Any] = {
    "erf": unary("erf", special.erf),
    "erfc": unary("erfc", special.erfc),
    "ndtr": vectorised(ndtr_of, special.ndtr),
    "expit": vectorised(expit_of, special.expit),
}
