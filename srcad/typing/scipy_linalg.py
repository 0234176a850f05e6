"""What the functions of `scipy.linalg` return that have rules of their own."""

from __future__ import annotations

from scipy import linalg

from srcad.lang.ir import Expr
from srcad.lang.promote import strong_dtype
from srcad.lang.types import Array, Type
from srcad.runtime.scipy_linalg_functions import logarithm, square_root
from srcad.typing.linalg import inverse
from srcad.typing.table import Facts, Refusal, kind, returns, shape_of


@returns(linalg.expm, square_root, logarithm)
def expm(facts: Facts, A: Expr) -> Type | Expr:
    """Matrices from matrices."""
    return inverse(facts, A)


@returns(linalg.solve_sylvester)
def solve_sylvester(facts: Facts, a: Expr, b: Expr, q: Expr) -> Type:
    """The shape of the right side."""
    if any(len(shape_of(kind(x))) != 2 for x in (a, b, q)):
        raise Refusal("scipy.linalg.solve_sylvester of stacks of matrices", "a loop over them")
    dtype = strong_dtype(kind(a), kind(b), kind(q))
    return Array(dtype if dtype.startswith(("float", "complex")) else "float64", shape_of(kind(q)), "C")
