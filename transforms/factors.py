"""What products of vectors and matrices are made of; part of `at_once`."""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Accum, Call, Expr, Stmt, Var
from srcad.lang.types import REAL, Array, Dim
from srcad.transforms.infer import typed

PRODUCTS = (operator.matmul, np.matmul, np.dot)


def is_product(stmt: Stmt) -> bool:
    """Whether a statement multiplies vectors or matrices."""
    exprs = (x for e in walk.stmt_exprs(stmt) for x in walk.subexprs(e))
    return any(isinstance(e, Call) and (e.fn is np.outer or member(e.fn, PRODUCTS)) for e in exprs)


def vectors(value: Expr) -> tuple[Expr, Expr] | None:
    """The two vectors whose products a matrix is.

    >>> from srcad.lang.ir import Var
    >>> a, b = (Var(name, Array("float64", (name,), "C")) for name in "ab")
    >>> vectors(typed(Call(np.transpose, (typed(Call(np.outer, (a, b))),)))) == (b, a)
    True
    """
    match value:
        case Call(np.outer, (a, b), ()) if len(shape(a)) == len(shape(b)) == 1:
            return a, b
        case Call(np.transpose, (inner,), ()):
            found = vectors(inner)
            return None if found is None else found[::-1]
    return None


def transposed(matrix: Expr) -> Expr:
    """A matrix with its axes exchanged; what is none as it is."""
    match matrix:
        case Call(np.transpose, (inner,), ()):
            return inner
    return typed(Call(np.transpose, (matrix,))) if len(shape(matrix)) == 2 else matrix


def product(one: Expr, other: Expr) -> Call:
    """``one @ other``, which is made in C order."""
    found = typed(Call(operator.matmul, (one, other)))
    assert isinstance(found, Call) and isinstance(found.type, Array)
    return replace(found, type=replace(found.type, layout="C"))


def shape(e: Expr) -> tuple[Dim, ...]:
    """The dimensions of an array of real numbers; none of anything else."""
    kind = getattr(e, "type", None)
    return kind.shape if isinstance(kind, Array) and kind.dtype in REAL else ()


def read_beside_sums(stmt: Stmt) -> tuple[Expr, ...]:
    """What a statement reads of arrays, without those that it only adds to."""
    match stmt:
        case Accum(Var(), value):
            return (value,)
        case Accum(Call(operator.getitem, (Var(), index)), value):
            return (value, index)
    return walk.stmt_exprs(stmt)
