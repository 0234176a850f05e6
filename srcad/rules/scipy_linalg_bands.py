"""Banded and Toeplitz matrices: their equations, whose adjoints are equations of the same kind."""

import numpy as np

from srcad.rules.axes import conjugate
from srcad.rules.rule import rule
from srcad.runtime.scipy_linalg_bands import (
    outer_bands, solve_bands, solve_half, solve_levinson, times_bands, turned_bands,
)  # fmt: skip


@rule(solve_bands)
def solution_of_bands(x, ab, b, below, above):
    x.dot = solve_bands(ab, b.dot - times_bands(ab.dot, x, below, above), below, above)
    turned = solve_bands(turned_bands(ab, below, above), x.bar, above, below)
    b.bar += turned
    ab.bar -= outer_bands(turned, x, below, above)


@rule(solve_half)
def solution_of_half(x, ab, b):
    width = ab.shape[0] - 1
    # The matrix is these diagonals and their conjugate transpose, less one of both main diagonals, which is real.
    moved = times_bands(ab.dot, x, width, 0) - times_bands(np.real(ab.dot[:1]), x, 0, 0)
    moved_above = times_bands(conjugate(turned_bands(ab.dot, width, 0), ab), x, 0, width)
    x.dot = solve_half(ab, b.dot - moved - moved_above)
    turned = conjugate(solve_half(ab, conjugate(x.bar, ab)), ab)
    sums = outer_bands(turned, x, width, 0) + conjugate(outer_bands(x, turned, width, 0), ab)
    b.bar += turned
    ab.bar -= np.concatenate((0.5 * sums[:1], sums[1:]))


@rule(times_bands)
def product_of_bands(y, ab, x, below, above):
    y.dot = times_bands(ab.dot, x, below, above) + times_bands(ab, x.dot, below, above)
    ab.bar += outer_bands(y.bar, x, below, above)
    x.bar += times_bands(turned_bands(ab, below, above), y.bar, above, below)


@rule(outer_bands)
def bands_of_products(y, u, x, below, above):
    y.dot = outer_bands(u.dot, x, below, above) + outer_bands(u, x.dot, below, above)
    u.bar += times_bands(y.bar, x, below, above)
    x.bar += times_bands(turned_bands(y.bar, below, above), u, above, below)


@rule(turned_bands)
def transposed_bands(y, ab, below, above):
    y.dot = turned_bands(ab.dot, below, above)
    ab.bar += turned_bands(y.bar, above, below)


@rule(solve_levinson)
def solution_of_toeplitz(x, c, r, b):
    n = x.shape[0]
    above = np.convolve(r.dot[::-1], x)[n - 1 :] - r.dot[0] * x
    x.dot = solve_levinson(c, r, b.dot - np.convolve(c.dot, x)[:n] - above)
    turned = solve_levinson(np.concatenate((c[:1], r[1:])), c, x.bar)
    sums = np.convolve(turned, x[::-1])
    b.bar += turned
    c.bar -= sums[n - 1 :]
    r.bar -= np.concatenate((np.zeros_like(sums[:1]), sums[: n - 1][::-1]))
