"""The operators of augmented assignments; part of `inline`."""

from __future__ import annotations

import operator
from types import BuiltinFunctionType
from typing import Any

INPLACE = frozenset({
    operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv, operator.imod, operator.ipow,
    operator.imatmul, operator.ilshift, operator.irshift, operator.iand, operator.ior, operator.ixor,
})  # fmt: skip


def is_inplace(fn: Any) -> bool:
    return isinstance(fn, BuiltinFunctionType) and fn in INPLACE
