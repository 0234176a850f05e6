"""products: sums over what a product of matrices gives are taken before the product. For machine code, under fast math.

The cotangent of `b` in ``(x - b) @ w`` is the sum of the rows of ``-(y_bar @ w.T)``. The sum of the rows of a product
is the product of the sum of the first factor's rows: ``-(np.sum(y_bar, axis=0) @ w.T)``, a vector and a matrix.
What a matrix is multiplied by goes to the vector that it gives: ``0.1 * (x @ b)`` for ``(0.1 * x) @ b``. A matrix and
its transpose that multiply the same are added up first.
"""

from __future__ import annotations

import operator
from dataclasses import replace

import numpy as np

from srcad.analysis.classes import Classes
from srcad.analysis.contents import member
from srcad.lang import walk
from srcad.lang.ir import Call, Const, Expr, Function, Var
from srcad.lang.types import INT, REAL, Array, Scalar
from srcad.runtime import sum_to
from srcad.transforms.factors import PRODUCTS, product, transposed
from srcad.transforms.infer import typed
from srcad.transforms.symmetric import summed_first


def products(fn: Function) -> Function:
    """Multiply sums of rows, and not rows that are then summed up.

    By the distributive law, with sums in another order; so there is none of this where no sum may be reordered.

    >>> from srcad.lang.ir import Let, Var
    >>> a, b = Var("a", Array("float64", ("n", "m"), "C")), Var("b", Array("float64", ("m", "k"), "C"))
    >>> product = Call(operator.matmul, (a, b), (), Array("float64", ("n", "k"), "C"))
    >>> like = Var("v", Array("float64", ("k",), "C"))
    >>> from srcad.lang.write import write
    >>> fn = products(Function("f", (), (Let("t", Call(sum_to, (product, like), (), like.type)),)))
    >>> print(write(fn).text.splitlines()[-1])
        t = np.sum(a, axis=0) @ b
    """
    if fn.exact:
        return fn
    body = walk.map_block(lambda e: walk.map_expr(_node, e), fn.body)
    return replace(fn, body=summed_first(body, Classes.of(body)))


def _node(expr: Expr) -> Expr:
    match expr:
        case Call(fn, (Call(operator.neg, (inner,)) as negative, *rest)) if fn is sum_to or fn is np.sum:
            return _negative(_node(replace(expr, args=(inner, *rest))), expr, negative)
        case Call(fn, (Call(times, (a, b), ()), like)) if fn is sum_to and member(times, PRODUCTS):
            if _are_matrices(a, b) and _is_row(like, expr.args[0]):
                return replace(expr.args[0], args=(_sum(a, 0), b), type=expr.type)  # type: ignore[arg-type]
        case Call(np.sum, (Call(times, (a, b), ()),), (("axis", Const(int() as axis)),)) if member(times, PRODUCTS):
            if _are_matrices(a, b) and axis in (0, 1):
                factors = (_sum(a, 0), b) if axis == 0 else (a, _sum(b, 1))
                return replace(expr.args[0], args=factors, type=expr.type)  # type: ignore[arg-type]
        case Call(np.transpose, (Call(times, (a, b), ()),), ()) if member(times, PRODUCTS) and _are_matrices(a, b):
            return _flipped(expr, a, b)
        case Call(np.copy, (Call(times, (a, b), ()) as made,), ()) if member(times, PRODUCTS) and _are_matrices(a, b):
            return made
        case Call(times, (_, _), ()) if member(times, PRODUCTS):
            return _of_bare_factors(expr)
    return expr


def _flipped(expr: Expr, a: Expr, b: Expr) -> Expr:
    """The transpose of a product whose factors are transposed rather than that: ``(a.T @ b).T`` is ``b.T @ a``."""
    as_it_stands = not any(isinstance(factor, Call) and factor.fn is np.transpose for factor in (a, b))
    return expr if as_it_stands else product(transposed(b), transposed(a))


def _of_bare_factors(expr: Call) -> Expr:
    """A product without the signs and copies of its factors, and, where it is a vector, without a matrix's numbers."""
    kinds = [kind for e in (expr, *expr.args) if isinstance(kind := getattr(e, "type", None), Array)]
    if len(kinds) < 3 or any(kind.dtype not in REAL for kind in kinds):
        return expr
    bare = [_bare(arg, kinds[0].ndim < kind.ndim) for arg, kind in zip(expr.args, kinds[1:])]
    changed = [one for (_, _, one), arg in zip(bare, expr.args) if one is not arg]
    if not changed or not all(map(_has_name, changed)):
        return expr  # what is computed for the product is computed with its signs as well
    result: Expr = replace(expr, args=tuple(factor for *_, factor in bare))
    for number in (number for _, numbers, _ in bare for number in numbers):
        result = Call(operator.mul, (number, result), (), expr.type)
    return Call(operator.neg, (result,), (), expr.type) if bare[0][0] != bare[1][0] else result


def _bare(factor: Expr, numbers: bool) -> tuple[bool, list[Expr], Expr]:
    """Whether a factor is negated, the numbers that it is multiplied by where these are asked for, and what is left."""
    match factor:
        case Call(np.copy, (Var(_, Array(layout="C" | "F")) as inner,), ()):
            return False, [], inner
        case Call(operator.neg, (inner,)):
            negated, found, inner = _bare(inner, numbers)
            return not negated, found, inner
        case Call(operator.mul, (number, inner)) if numbers and _is_multiple(factor, number, inner):
            negated, found, inner = _bare(inner, numbers)
            return negated, [number, *found], inner
        case Call(np.transpose, (inner,), ()):
            negated, found, bare = _bare(inner, numbers)
            if bare is inner:
                return False, [], factor
            if isinstance(bare, Call) and bare.fn is np.transpose and len(bare.args) == 1 and not bare.kwargs:
                return negated, found, bare.args[0]
            return negated, found, typed(Call(np.transpose, (bare,)))
    return False, [], factor


def _has_name(factor: Expr) -> bool:
    """Whether a factor is an array, or a view of one, that nothing has to be computed for."""
    while isinstance(factor, Call) and (factor.fn is np.transpose or factor.fn is operator.getitem):
        factor = factor.args[0]
    return isinstance(factor, Var)


def _is_multiple(product: Expr, number: Expr, array: Expr) -> bool:
    """Whether a product is that of a number and an array of its own dtype and shape."""
    one, other = getattr(product, "type", None), getattr(array, "type", None)
    if not isinstance(getattr(number, "type", None), Scalar) or not isinstance(one, Array):
        return False
    return isinstance(other, Array) and (one.dtype, one.shape) == (other.dtype, other.shape)


def _negative(found: Expr, expr: Call, negative: Call) -> Expr:
    """Less what was found for the sum of the opposite; the sum itself, if nothing was."""
    changed = isinstance(found, Call) and found.fn is not expr.fn
    return replace(negative, args=(found,), type=found.type) if changed else expr  # type: ignore[union-attr]


def _are_matrices(*factors: Expr) -> bool:
    kinds = [getattr(e, "type", None) for e in factors]
    return all(isinstance(kind, Array) and kind.ndim == 2 and kind.dtype in REAL for kind in kinds)


def _is_row(like: Expr, product: Expr) -> bool:
    """Whether something has the shape of a row of a product."""
    one, other = getattr(like, "type", None), getattr(product, "type", None)
    return isinstance(one, Array) and isinstance(other, Array) and one.shape == other.shape[1:]


def _sum(matrix: Expr, axis: int) -> Expr:
    return typed(Call(np.sum, (matrix,), (("axis", Const(axis, INT)),)))
