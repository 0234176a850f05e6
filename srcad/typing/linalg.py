"""Products of every rank, and `np.linalg`."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from srcad import runtime
from srcad.lang.arrays import axis_length
from srcad.lang import shapes
from srcad.lang.ir import Call, Expr, Slice, Tuple
from srcad.lang.promote import strong_dtype
from srcad.lang.types import Array, Dim, Scalar, Static, Type
from srcad.typing.elementwise import elementwise
from srcad.typing.reductions import reduced
from srcad.typing.table import Facts, Refusal, axis_argument, call, constant, kind, made, returns, shape_of
from srcad.typing.tuples import pack


@returns(np.matmul, operator.matmul, runtime.stacked_matmul, runtime.integer_matmul)
def matmul(facts: Facts, a: Expr, b: Expr) -> Type:
    """Vectors, matrices, and stacks of matrices."""
    left, right = shape_of(kind(a)), shape_of(kind(b))
    if not left or not right:
        raise Refusal("a matrix product with a number", "the operator *")
    stacked = shapes.broadcast(left[:-2], right[:-2])
    rows = left[-2:-1] if len(left) > 1 else ()
    columns = right[-1:] if len(right) > 1 else ()
    return made(strong_dtype(kind(a), kind(b)), stacked + rows + columns)


@returns(np.dot)
def dot(facts: Facts, a: Expr, b: Expr, out: Expr | None = None) -> Type:
    """The last axis of a with the last but one of b."""
    left, right = shape_of(kind(a)), shape_of(kind(b))
    if not left or not right:
        return elementwise(strong_dtype(kind(a), kind(b)), kind(a), kind(b))
    remaining = right[:-2] + right[-1:] if len(right) > 1 else ()
    return made(strong_dtype(kind(a), kind(b)), left[:-1] + remaining)


@returns(np.inner)
def inner(facts: Facts, a: Expr, b: Expr) -> Type:
    """The last axes of both."""
    left, right = shape_of(kind(a)), shape_of(kind(b))
    if not left or not right:
        return elementwise(strong_dtype(kind(a), kind(b)), kind(a), kind(b))
    return made(strong_dtype(kind(a), kind(b)), left[:-1] + right[:-1])


@returns(np.outer)
def outer(facts: Facts, a: Expr, b: Expr, out: Expr | None = None) -> Type:
    """All products, of the flat arrays."""
    dims = tuple(shapes.product(shape_of(kind(x))) for x in (a, b))
    return Array(strong_dtype(kind(a), kind(b)), dims, "C")


@returns(np.vdot)
def vdot(facts: Facts, a: Expr, b: Expr) -> Type:
    """A number."""
    return Scalar(strong_dtype(kind(a), kind(b)))


@returns(np.kron)
def kron(facts: Facts, a: Expr, b: Expr) -> Type:
    """All products in blocks."""
    left, right = shape_of(kind(a)), shape_of(kind(b))
    rank = max(len(left), len(right))
    left, right = ((1,) * (rank - len(s)) + s for s in (left, right))
    return made(strong_dtype(kind(a), kind(b)), tuple(shapes.product(pair) for pair in zip(left, right)))


@returns(np.convolve)
def convolve(facts: Facts, a: Expr, v: Expr) -> Type | Expr:
    """A vector; a number is one of length one."""
    if shape_of(kind(a)) and shape_of(kind(v)):
        return correlate(facts, a, v)
    return call(facts, np.convolve, *(call(facts, np.ravel, x) for x in (a, v)))


@returns(np.correlate, runtime.convolved, runtime.correlated)
def correlate(facts: Facts, a: Expr, v: Expr, mode: Expr | None = None) -> Type:
    """A vector."""
    return Array(strong_dtype(kind(a), kind(v)), (facts.fresh(),), "C")


@returns(np.trace)
def trace(facts: Facts, a: Expr, offset: Expr | None = None, axis1: Expr | None = None,
          axis2: Expr | None = None) -> Type | Expr:  # fmt: skip
    """The sum of the diagonal of two axes."""
    from srcad.typing.reductions import summed

    if axis1 is not None or len(_matrix(a, "np.trace")) > 2:
        along = diagonal(facts, a, offset, axis1, axis2)
        along = Call(np.diagonal, (a, offset or constant(0)), (), along) if isinstance(along, Type) else along
        return call(facts, np.sum, along, axis=constant(-1))

    return made(summed(kind(a).dtype), _matrix(a, "np.trace")[2:])


def _matrix(a: Expr, what: str) -> tuple[Dim, ...]:
    shape = shape_of(kind(a))
    if len(shape) < 2:
        raise Refusal(f"{what} of an array of rank {len(shape)}", "a matrix")
    return shape


@returns(np.diag)
def diag(facts: Facts, v: Expr, k: Expr | None = None) -> Type:
    """The diagonal of a matrix, or a matrix with a diagonal."""
    shape = shape_of(kind(v))
    offset = 0 if k is None else facts.static(k, "a diagonal")
    if len(shape) == 1:
        side = shapes.total((shape[0], abs(offset)))
        return Array(kind(v).dtype, (side, side), "C")
    if len(shape) != 2:
        raise Refusal(f"np.diag of an array of rank {len(shape)}", "a vector or a matrix")
    return Array(kind(v).dtype, (_diagonal(facts, shape, offset),), "A")


def _diagonal(facts: Facts, shape: tuple[Dim, ...], offset: int) -> Dim:
    rows, columns = shape
    if rows == columns:
        return shapes.sliced(rows, (None, abs(offset)), None, 1)
    return facts.fresh()


@returns(np.diagonal)
def diagonal(facts: Facts, a: Expr, offset: Expr | None = None, axis1: Expr | None = None,
             axis2: Expr | None = None) -> Type | Expr:  # fmt: skip
    """The diagonal of two axes, last; of a stack, every so many-th element of its flat matrices."""
    shape = _matrix(a, "np.diagonal")
    start = 0 if offset is None else facts.static(offset, "a diagonal")
    axes = tuple(axis_argument(facts, axis or constant(k), len(shape)) for k, axis in enumerate((axis1, axis2)))
    if len(shape) == 2 and axes == (0, 1) and axis1 is not None:
        return call(facts, np.diagonal, a, constant(start))
    if len(shape) == 2 and axes == (0, 1):
        return Array(kind(a).dtype, (_diagonal(facts, shape, start),), "A")
    order = constant((*(k for k in range(len(shape)) if k not in axes), *axes))
    matrices = call(facts, np.transpose, a, order)
    if len(shape) == 2:
        return call(facts, np.diagonal, matrices, constant(start))
    rows, columns = (axis_length(a, axis) for axis in axes)
    lead = tuple(axis_length(a, k) for k in order.value[:-2])
    flat = call(facts, np.reshape, matrices, pack((*lead, call(facts, operator.mul, rows, columns))))
    step = call(facts, operator.add, columns, constant(1))
    fitting = call(facts, min, rows, columns) if not start else call(
        facts, min, *((rows, call(facts, operator.sub, columns, constant(start))) if start > 0 else
                      (call(facts, operator.add, rows, constant(start)), columns))
    )  # fmt: skip
    first = constant(start) if start >= 0 else call(facts, operator.mul, constant(-start), columns)
    stop = call(facts, operator.add, first, call(facts, operator.mul, fitting, step))
    return call(facts, operator.getitem, flat, Tuple((*[Slice()] * len(lead), Slice(first, stop, step))))


# ---------------------------------------------------------------- np.linalg


def _inexact(*types: Any) -> str:
    return strong_dtype(*types) if any(t.dtype.startswith(("float", "complex")) for t in types) else "float64"


@returns(np.linalg.inv, np.linalg.cholesky, np.linalg.pinv, runtime.inverse_each, runtime.cholesky_each,
         runtime.pseudo_inverse_each)  # fmt: skip
def inverse(facts: Facts, a: Expr, **options: Expr) -> Type:
    """Matrices from matrices; Numba's of one matrix lie by columns."""
    shape = _matrix(a, "np.linalg")
    return Array(_inexact(kind(a)), (*shape[:-2], shape[-1], shape[-2]), "c" if len(shape) == 2 else "C")


def _real(a: Expr) -> str:
    """The dtype of lengths of what is in a matrix."""
    return np.zeros(0, _inexact(kind(a))).real.dtype.name


@returns(np.linalg.det, runtime.det_sign, runtime.det_each)
def determinant(facts: Facts, a: Expr) -> Type:
    """A number a matrix."""
    return made(_inexact(kind(a)), _matrix(a, "np.linalg.det")[:-2])


@returns(runtime.cofactors)
def cofactors(facts: Facts, a: Expr) -> Type:
    """A number an element."""
    return made(_inexact(kind(a)), _matrix(a, "np.linalg.det"))


@returns(runtime.cofactors_dot)
def cofactors_dot(facts: Facts, a: Expr, moved: Expr) -> Type:
    """As the matrix, in any order."""
    return made(_inexact(kind(a)), _matrix(a, "np.linalg.det"), "c")


@returns(runtime.log_abs_det)
def log_abs_det(facts: Facts, a: Expr) -> Type:
    """A real number a matrix."""
    return made(_real(a), _matrix(a, "np.linalg.slogdet")[:-2])


@returns(runtime.eigen)
def eigen(facts: Facts, a: Expr, uplo: Expr | None = None) -> Type:
    """A row of eigenvalues above the matrix of eigenvectors."""
    shape = _matrix(a, "np.linalg.eigh")
    return Array(_inexact(kind(a)), (*shape[:-2], shapes.total((1, shape[-1])), shape[-1]), "C")


@returns(runtime.spectrum)
def spectrum(facts: Facts, a: Expr) -> Type:
    """Complex: a row of eigenvalues above the matrix of eigenvectors."""
    shape = _matrix(a, "np.linalg.eig")
    dtype = np.result_type(_inexact(kind(a)), np.complex64).name
    return Array(dtype, (*shape[:-2], shapes.total((1, shape[-1])), shape[-1]), "C")


@returns(runtime.real_components)
def real_components(facts: Facts, v: Expr) -> Type:
    """A matrix, or a stack of them."""
    return Array("float64", shape_of(kind(v)), "C")


@returns(np.linalg.eigvalsh, runtime.eigenvalues_each)
def eigenvalues(facts: Facts, a: Expr, UPLO: Expr | None = None) -> Type:
    """As many as rows."""
    return Array(_real(a), _matrix(a, "np.linalg.eigvalsh")[:-1], "C")


@returns(runtime.singular)
def singular(facts: Facts, a: Expr) -> Type:
    """A row of singular values above U above V."""
    shape = _matrix(a, "np.linalg.svd")
    least = shape[-1] if shape[-1] == shape[-2] else facts.fresh()
    return Array(_inexact(kind(a)), (*shape[:-2], shapes.total((1, *shape[-2:])), least), "C")


@returns(runtime.singular_values)
def singular_values(facts: Facts, a: Expr) -> Type:
    """As many as the shorter side is long."""
    shape = _matrix(a, "np.linalg.svd")
    return Array(_real(a), (*shape[:-2], shape[-1] if shape[-1] == shape[-2] else facts.fresh()), "C")


@returns(runtime.orthonormal)
def orthonormal(facts: Facts, a: Expr) -> Type:
    """The shape of a matrix with no more columns than rows; Numba does not know the order of one."""
    return Array(_inexact(kind(a)), shape := _matrix(a, "np.linalg.qr"), "c" if len(shape) == 2 else "C")


@returns(runtime.rest_of_left, runtime.rest_of_orthonormal)
def rest(facts: Facts, a: Expr) -> Type:
    """As many columns as rows, less those that there are."""
    shape = _matrix(a, "np.linalg.svd")
    return Array(_inexact(kind(a)), (*shape[:-1], facts.fresh()), "A")


@returns(runtime.chained)
def chained(facts: Facts, a: Expr, b: Expr, c: Expr) -> Type:
    """The rows of the first, the columns of the last."""
    return made(strong_dtype(kind(a), kind(c)), (*shape_of(kind(a))[:-1], *shape_of(kind(c))[-1:]))


@returns(runtime.complement)
def complement(facts: Facts, rest: Expr, basis: Expr) -> Type:
    """What is handed over."""
    return kind(rest)


@returns(runtime.half_lower)
def half_lower(facts: Facts, n: Expr) -> Type:
    """A matrix."""
    return Array("float64", (facts.dim(n),) * 2, "C")


@returns(np.linalg.solve, runtime.solve_each)
def solve(facts: Facts, a: Expr, b: Expr) -> Type | Expr:
    """The shape of the right side, by columns where Numba solves it; a vector is one for each matrix of a stack."""
    matrix, right = _matrix(a, "np.linalg.solve"), shape_of(kind(b))
    if len(matrix) > 2 and len(right) == 1:
        column = call(facts, np.linalg.solve, a, call(facts, np.expand_dims, b, constant(1)))
        return call(facts, np.squeeze, column, constant(-1))
    lead = shapes.broadcast(matrix[:-2], right[:-2] if len(right) > 1 else ())
    return made(_inexact(kind(a), kind(b)), (*lead, *right[-2:]), "C" if lead else "c")


@returns(np.linalg.matrix_power)
def matrix_power(facts: Facts, a: Expr, n: Expr) -> Type:
    """The matrix's own shape."""
    return Array(kind(a).dtype, _matrix(a, "np.linalg.matrix_power"), "C")


@returns(np.linalg.norm)
def norm(facts: Facts, x: Expr, ord: Expr | None = None, axis: Expr | None = None,
         keepdims: Expr | None = None) -> Type:  # fmt: skip
    """A norm is real."""
    dtype = np.zeros(0, _inexact(kind(x))).real.dtype.name
    given = None if axis is None or axis.type == Static(None) else axis
    return reduced(facts, x, given, keepdims, dtype)
