"""What stands in the brackets behind a dict with computed keys; part of `inline`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from srcad.lang.ir import Call, Expr, Tuple
from srcad.transforms.twins import made_of

if TYPE_CHECKING:
    from srcad.transforms.callees import Callees


def as_key(c: Callees, index: Expr) -> Expr:
    """A key: the inner tuple of ``d[a, (b, c)]`` is a part of it, where an array would have an array of indices."""
    if not isinstance(index, Tuple):
        return index
    return replace(index, items=tuple(as_key(c, _without_array(c, item)) for item in index.items))


def _without_array(c: Callees, item: Expr) -> Expr:
    match made_of(c, item):  # type: ignore[arg-type]
        case Call(np.array, (Tuple() as inner,)):
            return inner
    return item
