"""What may stand between brackets: lists and tuples of indices, with and without names, inside the function and not."""

from __future__ import annotations

import numpy as np

from tests.corpus import normal, program

ORDER = [1, 0, 2]
REPEATED = np.array([0, 0, 2])
CORNERS = np.ix_([0, 2, 2], [1, 0])
PAIRS = (np.array([0, 0, 1]), np.array([1, 1, 2]))
PAIRS_IN_LISTS = ([0, 0, 1], [1, 1, 2])


class Velocities:
    opposite = [1, 0, 2]
    chosen = np.array([2, 2, 0])
    corner = (1, 0)


@program(normal(3, 3), tags="core nojit")
def rows_of_constant_lists(x):
    lattice = Velocities
    turned = x[lattice.opposite]
    first = x[REPEATED][0] * x[ORDER][2]
    masked = x[:, x[0] > -9][ORDER]
    return np.sum(first**2) + turned[0, 1] ** 2 + masked[1, 1] + x[lattice.chosen][1, 1] * x[lattice.corner]


@program(normal(3, 3), tags="nojit")
def constant_tuples_of_indices(x):
    mesh, pairs = x[CORNERS], x[PAIRS]
    return np.sum(mesh[1] ** 2) + mesh[2, 1] ** 3 + pairs[0] * pairs[1] + np.sum(x[PAIRS_IN_LISTS][:2] ** 2)


@program(normal(3, 3), tags="inplace nojit")
def stores_at_constant_indices(x):
    x[PAIRS] *= 2.0
    x[CORNERS] += x[0, 0]
    x[ORDER] = x[REPEATED] * 2
    np.add.at(x, PAIRS_IN_LISTS, x[0] ** 2)
    np.add.at(x, REPEATED, x**2)
    return np.sum(x**3)


@program(normal(3, 3), tags="nojit")
def lists_of_indices_with_names(x):
    order, groups = [1, 0, 2], {"a": [0, 1], "b": [1, 2]}
    y = x[order]
    y[0] *= 2
    y[groups["a"]] += x[groups["b"]]
    return np.sum(x[order][0] ** 2) + np.sum(y**2) + x[order, order[1]][1] ** 2


@program(normal(3, 3), tags="nojit")
def loops_over_lists_of_indices(x):
    total = sum(np.sum(x[r] ** 2) for r in ([0, 1], [2, 0]))
    for r in [[0, 1], [1, 2]]:
        total += np.sum(x[r] ** 3)
    for weight, r in ((1.0, [0, 1]), (2.0, [1, 2])):
        total += weight * np.sum(x[r, 0] ** 2)
    for k, r in enumerate([[0, 1], [1, 1]]):
        total += k * np.sum(x[r] ** 2)
    return total


@program(normal(4, 4), tags="inplace nojit")
def indices_collected_in_a_list(x):
    keep = [i for i in range(len(x)) if i != 1]
    y = x[keep]
    y[0] *= 2
    x[keep] = x[keep] ** 2
    x[keep, 0] += y[:, 1]
    return np.sum(y**3) + x[keep, keep][1] ** 2 + np.sum(x**2)


@program(normal(4, 4), 0.7, tags="inplace nojit")
def meshes_that_repeat_in_place(x, a):
    rows = np.array([0, 2, 2])
    x[np.ix_(rows, rows[1:])] += a
    x[rows] *= a
    mesh = np.ix_(rows[:2], rows)
    x[mesh] -= x[mesh] ** 2
    return np.sum(x**3)


@program(normal(3, 2, 2), tags="nojit inplace core")
def masks_of_several_axes_beside_slices(f):
    solid = np.zeros((2, 2), dtype=bool)
    solid[1, 0] = solid[0, 1] = True
    walls = f[:, solid]
    f[:, solid] = walls * 2 * f[0, 0, 0]
    f[1, solid] += 1.0
    return np.sum(f**2) + walls[0, 0] * walls[1, 1]


@program(normal(3, 2, 2), tags="nojit inplace core")
def places_of_a_mask_that_changes(f):
    solid = f[0] > 0
    other = np.zeros((2, 2), dtype=bool)
    other[0, 0] = True
    for k in range(3):
        moving = f[k] > 0.2
        f[k, moving] *= f[0, moving]
        f[k, other] += f[1, solid].sum()
        f[0, solid] = 2.0 * f[k, solid]
        other[k % 2, 1] = True
        rows, columns = np.nonzero(solid)
        rows += 1
        f[k, other] *= 1.5 + rows.sum() + np.nonzero(solid)[0].sum()
    return np.sum(f**2)


@program(normal(4), normal(4), tags="inplace array nojit")
def indices_under_a_name(v, w):
    rest, both = np.s_[1:, ...], np.index_exp[:2]
    v[rest] *= w[:-1]
    w[both] += v[both] ** 2
    return v * w


def _root(x):
    x = np.asarray(x)
    out = np.zeros_like(x)
    out[x > 0] = np.sqrt(x[x > 0])
    return out


def _gamma_curve(x):
    x = np.asarray(x, dtype=float)
    out, low = np.empty(x.shape), x <= 0.4
    out[low] = 12.92 * x[low]
    out[~low] = 1.055 * x[~low] ** (1 / 2.4) - 0.055
    return out


@program(0.7, tags="nojit")
def root_of_a_number_by_a_mask(x):
    return _root(x) * 2 + _root(-x)


@program(0.3, tags="nojit")
def gamma_curve_of_a_number(x):
    return _gamma_curve(x) + 3 * _gamma_curve(2 * x)


@program(0.15, tags="nojit")
def number_by_several_masks(x):
    x = np.asanyarray(x)
    out, of_both = np.ones_like(x), np.where(x > 1, 1.0, x)
    for k in range(3):
        mask = (x > 0.1 * k) & (x < 2)
        out[mask] *= x[mask] + k
        out[~mask] -= 1.0
        of_both[mask | (x < -5)] += np.exp(x[mask]).sum() + len(x[mask])
    values = np.sin(x[x < 1]) * 2
    out[x < 1] += values
    return out * of_both


@program(0.15, tags="nojit")
def one_choice_under_two_names(x):
    """Two arrays without axes, computed alike: what is stored into one is not in the other."""
    a, b = np.where(x > 1, 1.0, x), np.where(x > 1, 1.0, x)
    c, d = np.copy(x), np.copy(x)
    a[x < 2] += 1.0
    c[...] = 2.0 * x
    return a * b * c * d


@program(0.7, tags="nojit")
def number_without_what_is_not_finite(x):
    x = np.asarray(x)
    y = np.array(x * 1.0)
    y[x >= 0.5] = np.nan
    y[~np.isfinite(y)] = 7.0
    z = x.astype(float)
    z[np.isnan(z)] = 0.0
    z[z > 0] = -z[z > 0] * 2
    return y * x + z * z
