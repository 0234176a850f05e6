"""What the functions of `scipy.linalg` return that have rules of their own."""

from __future__ import annotations

import functools

import numpy as np
from scipy import linalg

from srcad.lang import shapes
from srcad.lang.ir import Expr
from srcad.lang.promote import strong_dtype
from srcad.lang.types import Array, Type
from srcad.runtime.scipy_linalg_bands import (
    outer_bands, solve_bands, solve_half, solve_levinson, times_bands, turned_bands,
)  # fmt: skip
from srcad.runtime.scipy_linalg_functions import logarithm, square_root
from srcad.runtime.scipy_linalg_riccati import continuous_riccati, discrete_riccati
from srcad.runtime.scipy_linalg_triangles import lu_parts, order_of_pivots, row_order, solve_triangle
from srcad.typing.linalg import inverse, solve
from srcad.typing.table import Facts, Refusal, call, constant, kind, returns, shape_of


@returns(linalg.expm, square_root, logarithm)
def expm(facts: Facts, A: Expr) -> Type | Expr:
    """Matrices from matrices."""
    return inverse(facts, A)


@returns(linalg.solve_sylvester)
def solve_sylvester(facts: Facts, a: Expr, b: Expr, q: Expr) -> Type:
    """The shape of the right side; of stacks, that of them together."""
    if any(len(shape_of(kind(x))) < 2 for x in (a, b, q)):
        raise Refusal("scipy.linalg.solve_sylvester of vectors or numbers", "matrices")
    lead = functools.reduce(shapes.broadcast, (shape_of(kind(x))[:-2] for x in (a, b, q)))
    dtype = strong_dtype(kind(a), kind(b), kind(q))
    return Array(dtype if dtype.startswith(("float", "complex")) else "float64", (*lead, *shape_of(kind(q))[-2:]), "C")


@returns(solve_triangle)
def triangular(facts: Facts, a: Expr, b: Expr, lower: Expr, unit: Expr) -> Type | Expr:
    """The shape of the right side; a vector is one for each matrix of a stack."""
    if len(shape_of(kind(a))) > 2 and len(shape_of(kind(b))) == 1:
        column = call(facts, solve_triangle, a, call(facts, np.expand_dims, b, constant(1)), lower, unit)
        return call(facts, np.squeeze, column, constant(-1))
    return solve(facts, a, b)


@returns(lu_parts)
def factors(facts: Facts, a: Expr) -> Type:
    """A row more than the matrix has."""
    shape = inverse(facts, a).shape
    return Array(inverse(facts, a).dtype, (*shape[:-2], facts.fresh(), shape[-1]), "C")


@returns(order_of_pivots)
def orders(facts: Facts, pivots: Expr) -> Type:
    """As many as pivots."""
    return Array("int64", shape_of(kind(pivots)), "C")


@returns(row_order)
def order_of_rows(facts: Facts, a: Expr) -> Type:
    """A number for each row."""
    return Array("int64", shape_of(kind(a))[:-1], "C")


@returns(continuous_riccati, discrete_riccati)
def riccati(facts: Facts, a: Expr, b: Expr, q: Expr, r: Expr) -> Type:
    """The shape of the first matrix."""
    dtype = strong_dtype(kind(a), kind(b), kind(q), kind(r))
    return Array(dtype if dtype.startswith(("float", "complex")) else "float64", shape_of(kind(a)), "C")


def _of_bands(ab: Expr, b: Expr) -> str:
    """The dtype of what is computed with a band and a right side."""
    if len(shape_of(kind(ab))) != 2 or len(shape_of(kind(b))) not in (1, 2):
        raise Refusal("scipy.linalg.solve_banded of stacks", "a loop over them")
    dtype = strong_dtype(kind(ab), kind(b))
    return dtype if dtype.startswith(("float", "complex")) else "float64"


@returns(solve_bands, times_bands)
def right_side(facts: Facts, ab: Expr, b: Expr, below: Expr, above: Expr) -> Type:
    """The shape of the right side."""
    return Array(_of_bands(ab, b), shape_of(kind(b)), "C")


@returns(solve_half)
def right_side_of_half(facts: Facts, ab: Expr, b: Expr) -> Type:
    """The shape of the right side."""
    return Array(_of_bands(ab, b), shape_of(kind(b)), "C")


@returns(outer_bands)
def bands(facts: Facts, u: Expr, x: Expr, below: Expr, above: Expr) -> Type:
    """A row for each diagonal."""
    dtype = strong_dtype(kind(u), kind(x))
    return Array(dtype, (facts.fresh(), shape_of(kind(x))[0]), "C")


@returns(turned_bands)
def transposed(facts: Facts, ab: Expr, below: Expr, above: Expr) -> Type:
    """The shape of the band."""
    return Array(kind(ab).dtype, shape_of(kind(ab)), "C")


@returns(solve_levinson)
def levinson(facts: Facts, c: Expr, r: Expr, b: Expr) -> Type:
    """The shape of the right side."""
    if any(len(shape_of(kind(x))) != 1 for x in (c, r, b)):
        raise Refusal("scipy.linalg.solve_toeplitz with more than two axes", "b.reshape(len(b), -1)")
    dtype = "complex128" if strong_dtype(kind(c), kind(r), kind(b)).startswith("complex") else "float64"
    return Array(dtype, shape_of(kind(b)), "C")
