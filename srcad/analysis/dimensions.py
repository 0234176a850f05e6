"""Which dimensions are surely equal, because the function has multiplied along them.

``X @ w`` runs only where ``X.shape[1] == w.shape[0]``; from then on nothing that has one of these lengths needs to be
summed back to the other.
"""

from __future__ import annotations

import operator

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.ir import Block, Call, Expr, Let
from srcad.lang.types import Array, Dim

JOINING = frozenset((np.concatenate, np.hstack, np.vstack, np.column_stack))
PRODUCTS = frozenset((operator.matmul, np.matmul, np.dot, np.vdot, np.inner))


class Dimensions:
    """Classes of equal dimensions.

    >>> from srcad.lang.ir import Var
    >>> X, w = Var("X", Array("float64", ("n", "m"))), Var("w", Array("float64", ("k",)))
    >>> Dimensions.of((Let("z", Call(np.dot, (X, w))),)).same("m", "k")
    True
    """

    def __init__(self) -> None:
        self.leader: dict[Dim, Dim] = {}

    @staticmethod
    def of(block: Block) -> Dimensions:
        """What the statements of a block, which all run, say."""
        dimensions = Dimensions()
        for stmt in block:
            if isinstance(stmt, Let):
                for a, b in contracted(stmt.value):
                    dimensions.join(a, b)
        return dimensions

    def find(self, dim: Dim) -> Dim:
        while dim in self.leader:
            dim = self.leader[dim]
        return dim

    def join(self, a: Dim, b: Dim) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            # A number says more than a symbol.
            if isinstance(a, int):
                a, b = b, a
            self.leader[a] = b

    def same(self, a: Dim, b: Dim) -> bool:
        return self.find(a) == self.find(b)

    def same_shape(self, a: Array, b: Array, also: Expr | None = None) -> bool:
        """Whether two arrays have one shape, if the expression `also` has been computed.

        Of arrays that it laid end to end, the reverse takes pieces that have their shapes.
        """
        if a.ndim != b.ndim:
            return False
        if isinstance(also, Call) and member(also.fn, JOINING):
            return True
        extra = {frozenset((self.find(x), self.find(y))) for x, y in contracted(also)}
        pairs = [frozenset((self.find(x), self.find(y))) for x, y in zip(a.shape, b.shape)]
        return all(len(pair) == 1 or pair in extra for pair in pairs)


def contracted(value: Expr | None) -> list[tuple[Dim, Dim]]:
    """The pairs of dimensions that a product sums over."""
    if not (isinstance(value, Call) and member(value.fn, PRODUCTS) and len(value.args) == 2):
        return []
    left, right = (getattr(arg, "type", None) for arg in value.args)
    if not (isinstance(left, Array) and isinstance(right, Array) and left.ndim and right.ndim):
        return []
    along = -1 if right.ndim == 1 or value.fn in (np.inner, np.vdot) else -2
    return [(left.shape[-1], right.shape[along])]
