"""How each primitive is called at operands of given ranks. From it come the cases that its rule must have.

`declare` states of primitives the shapes of their operands for given ranks, and what else their calls give. Functions
of numbers and elementwise functions are known by what they are.
"""

from __future__ import annotations

import cmath
import itertools
import math
import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import fft, linalg, special

from srcad.lang.ir import Const
from srcad.rules import rule as rules
from srcad.runtime import (
    added_along, bessel_i, cholesky_bar, cofactors, cofactors_dot, det_sign, digamma, eigen, grow, log_abs_det,
    mantissas, on_diagonal, orthonormal, polygamma, product_of_others, reshaped, room_for, scaled_ends, scaled_pairs,
    sinc_slope, singular, singular_values, spectrum, sum_to, with_imag, with_real,
)  # fmt: skip
from srcad.runtime.scipy_interpolate_knots import knot_splines
from srcad.runtime.scipy_linalg_bands import (
    outer_bands, solve_bands, solve_half, solve_levinson, times_bands, turned_bands,
)  # fmt: skip
from srcad.runtime.scipy_linalg_functions import logarithm, square_root
from srcad.runtime.scipy_linalg_triangles import lu_parts, solve_triangle
from srcad.runtime.scipy_special_results import PARTS, amplitude, cosine_integral, hyperbolic_cosine_integral
from srcad.runtime.scipy_special_shapes import (
    betainc_by_shapes, elliptic_integral, gammainc_by_shape, polygamma_of_complex, zeta_by_exponent,
)  # fmt: skip
from tests.rules import scipy_cases
from tests.rules.scipy_cases import ALL, POSITIVE, UNIT

RANKS = range(5)
Shape = tuple[int, ...]
Variant = tuple[tuple, tuple, dict]  # what stands before the operands, behind them, and by name

OF_REAL = [part for name, parts in PARTS.items() if name.startswith("it") for part in parts]

# Where a function is defined and smooth, if that is not everywhere; integers where an operand is one. A function of
# `math` shares the rule, and so the domain, of NumPy's.
DOMAINS = {
    np.log: [(0.5, 2.0)], np.log1p: [(-0.5, 2.0)], np.log2: [(0.5, 2.0)], np.log10: [(0.5, 2.0)],
    math.log: [(0.5, 2.0), (1.5, 2.5)], cmath.log: [(0.5, 2.0), (1.5, 2.5)], cmath.log10: [(0.5, 2.0)],
    np.sqrt: [(0.5, 2.0)], cmath.sqrt: [(0.5, 2.0)], np.cbrt: [(0.5, 2.0)], np.reciprocal: [(0.5, 2.0)],
    np.arcsin: [(-0.8, 0.8)], np.arccos: [(-0.8, 0.8)], np.arctanh: [(-0.8, 0.8)], np.arccosh: [(1.2, 2.0)],
    cmath.asin: [(-0.8, 0.8)], cmath.acos: [(-0.8, 0.8)], cmath.atanh: [(-0.8, 0.8)], cmath.acosh: [(1.2, 2.0)],
    np.clip: [(-1.0, 1.0), (-0.6, -0.1), (0.1, 0.6)],
    np.sign: [(0.5, 2.0)], np.absolute: [(0.5, 2.0)], np.tan: [(-1.2, 1.2)], np.angle: [(0.5, 2.0)],
    np.divide: [(-1.0, 1.0), (0.5, 2.0)], np.remainder: [(1.1, 1.4), (0.6, 0.9)], np.fmod: [(1.1, 1.4), (0.6, 0.9)],
    np.power: [(0.5, 2.0), (-1.0, 2.0)], np.copysign: [(0.5, 2.0), (-2.0, -0.5)],
    np.heaviside: [(0, 2), (-1.0, 1.0)], np.ldexp: [(-1.0, 1.0), (-2, 3)], np.nextafter: [ALL, (3.0, 4.0, "fixed")],
    math.gamma: [POSITIVE], math.lgamma: [POSITIVE], digamma: [POSITIVE],
    **dict.fromkeys((cosine_integral, hyperbolic_cosine_integral, *PARTS["airye"], *OF_REAL), [POSITIVE]),
    amplitude: [ALL, UNIT],
    polygamma: [POSITIVE], special.polygamma: [POSITIVE], special.lambertw: [POSITIVE],
    polygamma_of_complex: [POSITIVE],
    **dict.fromkeys((special.zeta, zeta_by_exponent), [(1.5, 4.0), POSITIVE]),
    gammainc_by_shape: [POSITIVE] * 2, betainc_by_shapes: [POSITIVE, POSITIVE, UNIT],
    elliptic_integral: [(0.2, 1.4), (0.1, 0.8)],
    solve_triangle: [(0.5, 2.0), ALL],
    solve_half: [(0.5, 2.0), ALL], solve_levinson: [(1.5, 2.0), (-0.2, 0.2), ALL], **scipy_cases.DOMAINS,
}  # fmt: skip
ONE: Shape = (2, 1, 3, 2)
OTHER: Shape = (1, 2, 3, 1)


@dataclass(frozen=True)
class Form:
    """How primitives are called: how many operands of which shapes, and what else is given."""

    count: int
    shapes: Callable[..., tuple[Shape, ...]]
    variants: Callable[..., Iterable[Variant]]
    joined: bool = False  # the operands are one argument
    like: str = ""  # "positive": matrices that are Hermitian and positive definite; "real", "complex": only such


FORMS: dict[Any, Form] = {}


def broadcast(*ranks: int) -> tuple[Shape, ...]:
    """Shapes of the ranks that broadcasting admits, in which either side repeats the other; of three, two are alike."""
    return tuple((OTHER if i and i == len(ranks) - 1 else ONE)[4 - rank:] for i, rank in enumerate(ranks))


def plain(*shapes: Shape) -> Iterator[Variant]:
    yield (), (), {}


def stacked(*ends: Shape) -> Callable[..., tuple[Shape, ...]]:
    """Shapes that end in these: matrices, and stacks of them that broadcasting combines."""
    def shapes(*ranks: int) -> tuple[Shape, ...]:
        found = []
        for i, (rank, end) in enumerate(zip(ranks, ends)):
            before = ((2, 1), (1, 2))[i][2 - max(rank - len(end), 0):] if rank > len(end) else ()
            found.append(before + end[max(len(end) - rank, 0):])
        return tuple(found)

    return shapes


def declare(
    *primitives: Any, count: int = 1, shapes: Callable = broadcast, joined: bool = False, like: str = ""
) -> Callable[[Callable], Callable]:
    def enter(variants: Callable) -> Callable:
        FORMS.update(dict.fromkeys(primitives, Form(count, shapes, variants, joined, like)))
        return variants

    return enter


# ---------------------------------------------------------------- elementwise

of_numbers = (
    float, operator.pos, operator.neg, abs, np.float64, np.complex128, np.real, np.imag, np.angle, np.sinc,
    np.nan_to_num, np.i0, digamma, mantissas, *itertools.chain.from_iterable(PARTS.values()),
)  # fmt: skip
declare(*(function for function in of_numbers if function not in OF_REAL))(plain)
declare(*OF_REAL, like="real")(plain)
declare(amplitude, count=2, like="real")(plain)
declare(operator.add, operator.sub, operator.mul, operator.truediv, operator.mod, operator.pow, pow, count=2)(plain)
declare(max, min, complex, cmath.rect, math.hypot, math.atan2, math.fmod, math.pow, math.copysign, count=2)(plain)


@declare(np.where, count=2)
def where(a, b):
    yield (np.indices(np.broadcast_shapes(a, b)).sum(axis=0) % 2 == 0,), (), {}
    yield (np.arange(2 if (*a, *b)[-1:] != (3,) else 3) % 2 == 0,), (), {}


declare(np.clip, count=3)(plain)


@declare(sinc_slope)
def slope_of_order(x):
    yield (), (1,), {}
    yield (), (2,), {}


@declare(math.ldexp)
def ldexp(x):
    yield (), (3,), {}


@declare(np.ndarray.astype)
def astype(a):
    yield (), (np.float64,), {}
    yield (), (np.complex128,), {}


@declare(bessel_i, like="real")
def of_a_low_order(x):
    yield (Const(0),), (), {}
    yield (Const(3),), (), {}


declare(special.lambertw)(plain)


@declare(polygamma_of_complex, like="complex")
@declare(polygamma, special.polygamma)
def of_an_order(x):
    yield (Const(1),), (), {}
    yield (Const(3),), (), {}


@declare(special.zeta, count=2)
def zeta(x, q):
    yield (), (), {}


@declare(gammainc_by_shape, zeta_by_exponent, count=2, like="real")
def by_a_shape(a, x):
    yield (Const(1),), (), {}


@declare(elliptic_integral, count=2, like="real")
def of_two_powers(phi, m):
    yield (Const(1), Const(3)), (), {}


@declare(betainc_by_shapes, count=3, like="real")
def by_two_shapes(a, b, x):
    yield (Const(1), Const(0)), (), {}
    yield (Const(0), Const(1)), (), {}


# What has real parts is real, and what takes its place is as large at most.
@declare(with_real, with_imag, like="complex")
def with_part(z):
    yield (), (Const(0.5),), {}


# ---------------------------------------------------------------- reductions and what goes along an axis


def axes(shape: Shape) -> list:
    """Axes of every kind: none, the first, the last, two apart, negative ones."""
    n = len(shape)
    return [None, *([0] if n else []), *([-1, n // 2] if n > 1 else []), *([(0, -1)] if n > 1 else []),
            *([(1, -2)] if n > 3 else [])]  # fmt: skip


@declare(np.sum, np.mean, np.prod, np.max, np.min, np.var, np.std, np.nansum, np.nanmean, np.nanmax, np.nanmin)
def reduction(a):
    for axis in axes(a):
        yield (), (), {"axis": axis, "keepdims": True} if axis is not None else {}
        yield (), (), {"axis": axis}


@declare(product_of_others, np.flip)
def over_axes(a):
    for axis in axes(a):
        yield (), (), {"axis": axis}


@declare(np.cumsum)
def along_one(a):
    for axis in axes(a):
        if not isinstance(axis, tuple):
            yield (), (), {"axis": axis}


@declare(np.linalg.norm)
def norm(x):
    yield (), (), {}
    for axis in axes(x):
        if isinstance(axis, int):
            yield (), (), {"axis": axis, "keepdims": True}


@declare(np.roll)
def roll(a):
    yield (), (1,), {}
    for axis in axes(a):
        if axis is not None:
            yield (), ((1, -2) if isinstance(axis, tuple) else 2,), {"axis": axis}


@declare(np.take_along_axis)
def take_along_axis(a):
    for axis in range(len(a)):
        places = np.arange(4).reshape((4,) + (1,) * (len(a) - axis - 1)) % a[axis]
        yield (), (np.broadcast_to(places, (*a[:axis], 4, *a[axis + 1:])).copy(), axis), {}
    if not a:
        yield (), (np.array(0), 0), {}


@declare(added_along)
def along_added(a):
    for axis in range(len(a)):  # a number has none
        places = np.arange(a[axis]).reshape((-1,) + (1,) * (len(a) - axis - 1)) // 2
        yield (), (np.broadcast_to(places, a).copy(), np.zeros((*a[:axis], 4, *a[axis + 1:])), axis), {}


@declare(np.bincount, shapes=lambda rank: ((3,) * rank,), like="real")
def bincount(weights):
    yield (np.array([0, 2, 2]),), (), {}


# ---------------------------------------------------------------- shapes


copies = (np.copy, np.asarray, np.asanyarray, np.asarray_chkfinite, np.ascontiguousarray, np.asfortranarray, np.array,
          np.ravel, np.ndarray.flatten, np.atleast_1d, np.atleast_2d, np.atleast_3d, np.flipud, np.fliplr, grow)
declare(*copies)(plain)


@declare(room_for)
def room(tape):
    yield (), (3,), {}
    yield (), (7,), {}


@declare(np.transpose)
def transpose(a):
    yield (), (), {}
    yield (), (), {"axes": tuple(np.roll(range(len(a)), 1).tolist())}


@declare(np.swapaxes, np.moveaxis)
def two_axes(a):
    yield (), (0, -1), {}
    yield (), (-1, len(a) // 2), {}


@declare(np.reshape, reshaped)
def reshape(a):
    yield (), (a[::-1],), {}
    yield (), (-1,), {}


@declare(np.squeeze, shapes=lambda rank: ((1, 3, 1, 2)[:rank],))
def squeeze(a):
    for axis, n in enumerate(a):
        if n == 1:
            yield (), (), {"axis": axis}


@declare(np.expand_dims)
def expand_dims(a):
    for axis in (0, -1, len(a), (0, -1)):
        yield (), (axis,), {}


@declare(np.broadcast_to)
def broadcast_to(a):
    yield (), ((2, *(3 if n == 1 else n for n in a)),), {}


@declare(sum_to)
def sum_to_shape(a):
    for first in range(len(a)):
        yield (), (np.zeros((*a[first:-1], 1)),), {}


@declare(np.tril, np.triu)
def triangle(a):
    yield (), (), {}
    yield (), (-1,), {}


@declare(np.concatenate, np.stack, count=2, shapes=lambda *ranks: tuple(ONE[4 - r:] for r in ranks), joined=True)
def joined(a, b):
    for axis in (*range(len(a)), -1):
        yield (), (), {"axis": axis}


declare(np.hstack, np.vstack, count=2, joined=True, shapes=lambda *ranks: tuple((3, 3, 1, 2)[:r] for r in ranks))(plain)
declare(np.column_stack, count=2, joined=True, shapes=lambda *ranks: tuple((3, 2, 1, 2)[:r] for r in ranks))(plain)


@declare(np.full)
def full(x):
    yield ((2, *(3 if n == 1 else n for n in x)),), (), {}


@declare(np.full_like)
def full_like(x):
    yield (np.ones((2, *(3 if n == 1 else n for n in x))),), (), {}


@declare(np.linspace, count=2)
def linspace(start, stop):
    yield (), (5,), {}


@declare(np.arange, shapes=lambda rank: ((1,) * rank,), like="real")
def arange(start):
    yield (), (3.2, 1.0), {}


# ---------------------------------------------------------------- products


@declare(operator.matmul, np.matmul, count=2, shapes=lambda i, j: (
    ((), (3,), (2, 3), (2, 2, 3), (2, 1, 2, 3))[i], ((), (3,), (3, 2), (2, 3, 2), (1, 2, 3, 2))[j]))
def matmul(a, b):
    yield (), (), {}


@declare(np.dot, count=2, shapes=lambda i, j: (((2, 1, 2, 3)[4 - i:]), ((), (3,), (3, 2), (2, 3, 1), (1, 2, 3, 2))[j]))
def dot(a, b):
    yield (), (), {}


declare(np.inner, count=2, shapes=lambda i, j: ((2, 1, 2, 3)[4 - i:], (1, 2, 4, 3)[4 - j:]))(plain)
declare(np.outer, count=2)(plain)
declare(np.vdot, count=2, shapes=lambda i, j: ((2,) * i, (2,) * j) if i == j else (
    (4,) if i == 1 else (2,) * i, (2,) * j if i != 1 else (4,)))(plain)
declare(np.convolve, count=2, shapes=lambda i, j: ((5, 2, 2, 2)[:i], (3, 2, 2, 2)[:j]))(plain)


@declare(np.trace, np.diagonal, shapes=stacked((2, 3)))
def trace(a):
    yield (), (), {}
    yield (), (1,), {}


@declare(np.diag, shapes=lambda rank: ((), (2,), (2, 3), (2, 3, 2), (2, 3, 2, 2))[rank:rank + 1])
def diag(a):
    yield (), (), {}
    yield (), (1,), {}


@declare(on_diagonal, shapes=lambda rank: ((2,) * rank,))
def diagonal(values):
    yield (), (np.zeros((2, 3)),), {"k": 1}


# ---------------------------------------------------------------- linear algebra

SQUARE, TALL, WIDE = stacked((3, 3)), stacked((4, 2)), stacked((2, 4))
declare(np.linalg.det, np.linalg.inv, log_abs_det, det_sign, cofactors, linalg.expm, lu_parts, shapes=SQUARE)(plain)
declare(cofactors_dot, count=2, shapes=lambda i, j: (SQUARE(i)[0], SQUARE(j)[0]))(plain)
declare(np.linalg.cholesky, np.linalg.eigvalsh, spectrum, square_root, logarithm, shapes=SQUARE, like="positive")(plain)
declare(np.linalg.pinv, singular_values, orthonormal, shapes=TALL)(plain)
# Complex vectors are determined up to a phase, which the steps of differences change; the library takes it out.
declare(eigen, singular, shapes=SQUARE, like="real")(plain)
declare(np.linalg.solve, count=2, shapes=lambda i, j: (
    SQUARE(i)[0], (3,) if j == 1 else stacked((), (3, 2))(0, j)[1]))(plain)
declare(solve_triangle, count=2, shapes=lambda i, j: (
    SQUARE(i)[0], (3,) if j == 1 else stacked((), (3, 2))(0, j)[1]))(
    lambda a, b: [((), options, {}) for options in ((True, False), (False, False), (True, True), (False, True))])
declare(solve_bands, times_bands, count=2, shapes=lambda i, j: ((3, 4, 2, 2)[:i], (4, 2, 2, 2)[:j]))(
    lambda a, b: [((), (1, 1), {}), ((), (2, 0), {})])
declare(solve_half, count=2, shapes=lambda i, j: ((1, 4, 2, 2)[:i], (4, 2, 2, 2)[:j]))(plain)
declare(outer_bands, count=2, shapes=lambda i, j: ((4, 2, 2, 2)[:i], (4, 2, 2, 2)[:j]))(
    lambda a, b: [((), (1, 1), {}), ((), (0, 2), {})])
declare(turned_bands, shapes=lambda rank: ((3, 4, 2, 2)[:rank],))(lambda a: [((), (1, 1), {}), ((), (0, 2), {})])
declare(knot_splines, shapes=lambda rank: ((2, 3, 2, 2)[:rank],), like="real")(
    lambda x: [((scipy_cases.KNOTS, 3), (nu,), {}) for nu in (0, 1)])
declare(solve_levinson, count=3, shapes=lambda i, j, k: ((3,) * i, (3,) * j, (3,) * k))(plain)
declare(cholesky_bar, shapes=lambda rank: ((3, 3),), like="real")(
    lambda a: [((np.tri(3) + np.eye(3),), (), {}), ((), (np.ones((3, 3)),), {})])
declare(linalg.solve_sylvester, shapes=SQUARE)(
    lambda a: [((), (3.0 * np.eye(3), np.ones((3, 3))), {}), ((3.0 * np.eye(3), np.eye(3)), (), {})])


# ---------------------------------------------------------------- spectra


@declare(np.fft.fft, np.fft.ifft, np.fft.rfft)
def spectra(a):
    for axis in range(-min(len(a), 2), 1) if a else [-1]:
        yield (), (), {"axis": axis, "norm": "ortho"}


@declare(np.fft.irfft)
def irfft(a):
    for axis, n in enumerate(a):
        yield (), (max(2 * n - 2, 1),), {"axis": axis}
    if not a:
        yield (), (1,), {}


@declare(np.fft.fft2, np.fft.ifft2, np.fft.fftn, np.fft.ifftn)
def fftn(a):
    yield (), (), {}
    if len(a) > 1:
        yield (), (), {"axes": (0, -1), "norm": "forward"}


@declare(fft.dct, fft.dst)
def cosines(a):
    for kind in (1, 2, 3, 4):
        for norm in ("backward", "ortho", "forward"):
            yield (), (kind,), {"axis": -1 if kind % 2 else 0, "norm": norm}


@declare(scaled_ends)
def ends(a):
    for axis in range(len(a)):
        yield (), (axis, Const(2.0), Const(0.5)), {}


@declare(scaled_pairs, like="complex")
def pairs(a):
    for axis, n in enumerate(a):
        yield (), (max(2 * n - 2, 1), axis, Const(0.5)), {}
    if not a:
        yield (), (1, 0, Const(0.5)), {}


# ---------------------------------------------------------------- the whole table


def primitives() -> list:
    """What has a rule with statements."""
    rules.find(np.sin)
    return [p for p, found in rules.table.items() if not found.zero and own(found.fn)]


def own(fn: Callable) -> bool:
    """Whether a rule is one of the package, and not that of an example in the documentation of `srcad.rule`."""
    # Marks stand where derivatives are taken and are gone from what is generated: no function of numbers to check.
    return fn.__module__.startswith("srcad.") and fn.__module__ not in (rules.__name__, "srcad.rules.marks")


def form(primitive: Any) -> Form | None:
    """How a primitive is called; None if nobody has said so."""
    if primitive in FORMS:
        return FORMS[primitive]
    if isinstance(primitive, np.ufunc) and primitive.signature is None:
        return Form(primitive.nin, broadcast, plain)
    if primitive in vars(math).values() or primitive in vars(cmath).values():
        return Form(1, broadcast, plain)
    return None


def domains(primitive: Any) -> list:
    """Where a primitive is smooth: what is said of it, or of another one with the same rule."""
    rule = rules.find(primitive)
    same = (d for p, d in DOMAINS.items() if rules.find(p) is rule)
    return DOMAINS.get(primitive) or next(same, [(-1.0, 1.0)] * 4)


def combinations(count: int) -> Iterator[tuple[tuple[int, ...], str]]:
    """Ranks of the operands, and of each operand whether it is real (r) or complex (c)."""
    for ranks in itertools.product(RANKS, repeat=min(count, 2)):
        ranks = (ranks[0],) * (count - len(ranks)) + ranks
        yield ranks, "r" * count
        yield ranks, "c" * count
    if count == 2:  # of two, also one of each
        yield from (((1, 1), "rc"), ((2, 1), "cr"), ((1, 2), "cr"), ((0, 1), "rc"))
