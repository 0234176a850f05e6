"""Programs that lean on NumPy: statistics, signals, linear algebra, tables."""

import numpy as np

from tests.corpus import integers, normal, program, spd, uniform


@program(uniform(0.5, 4.0, 12), tags="nof32")
def interquartile_range(x):
    low, high = np.quantile(x, 0.25), np.quantile(x, 0.75)
    return (high - low) / np.median(x)


@program(7.0, tags="nojit")
def distance_to_the_step_below(x):
    p = np.clip(0.3 * x, 0.0, 5.0)
    n = int(np.floor(p))
    return x * (p - n) + (p - n) * p


@program(normal(20), normal(5), tags="core")
def smoothed_roughness(signal, kernel):
    smooth = np.convolve(signal, kernel / np.sum(kernel**2), "same")
    return np.sum(np.diff(smooth, n=2) ** 2) + np.trapezoid(smooth)


@program(normal(4, 3), normal(3, 3), tags="nojit core")
def mahalanobis(points, a):
    covariance = np.einsum("ij,kj->ik", a, a) + np.eye(3)
    centred = points - np.average(points, axis=0, weights=np.arange(1.0, 5.0))
    solved = np.linalg.solve(covariance, centred.T)
    return np.einsum("ij,ji->", centred, solved) + np.linalg.slogdet(covariance)[1]


@program(uniform(0.1, 2.9, 6), normal(4))
def table_lookup(x, values):
    return np.sum(np.interp(x, np.arange(4.0), values) ** 2)


@program(normal(3, 4), integers(3, 4), tags="nojit")
def picked_and_sorted(x, k):
    best = np.take_along_axis(np.sort(x, axis=0), k[None, :], 0)[0]
    return np.sum(best * np.cumprod(1.0 + 0.1 * best))


@program(spd(3), normal(3))
def spectral_energy(a, v):
    values, vectors = np.linalg.eigh(a)
    return np.sum(np.log(values) * (vectors.T @ v) ** 2)


@program(normal(4, 5), tags="nojit")
def framed_picture(picture):
    frame = np.pad(picture, 1, mode="edge")
    blurred = (frame[:-2, 1:-1] + frame[2:, 1:-1] + frame[1:-1, :-2] + frame[1:-1, 2:]) / 4.0
    return np.sum(np.gradient(blurred)[0] ** 2) + np.linalg.norm(blurred, np.inf)


WIDTHS = np.array([0.5, 2.0, 1.5, 3.0])
ORDER = [1, 0]
KINDS = [np.array([True, False, True]), np.array([False, True, True])]


@program(normal(3, 4), tags="nojit")
def constants_of_the_module(x):
    y = np.transpose(x / WIDTHS, ORDER)
    return np.sum(np.select(KINDS, [y, y**2], 0.5)) + np.sum(np.tensordot(x, y, [[-1], [0]]))


@program(normal(3, 4), uniform(0.3, 2.0, 3, 1), tags="core array")
def chosen_by_a_column(x, s):
    return np.where(s > 1.0, x - np.log(s), np.where(s > 0.0, s * x, 0.0))


@program(normal(3, 4), normal(5), tags="nojit")
def values_that_are_used_again(a, b):
    c = a.copy()
    c.flat = b
    d = np.zeros((4, 4))
    d[:3] = c
    d.flat = d.T  # one element after the other, as NumPy does it
    return np.sum(c**2 * np.arange(12).reshape(3, 4)) + np.sum(np.sin(d) * np.arange(4))


@program(normal(3, 4), normal(3), tags="nojit")
def several_times_at_an_index(x, b):
    a = x * 1.0
    rows = np.array([0, 2, 2])
    np.multiply.at(a, (rows, [1, 3, 3]), b)
    np.maximum.at(a, rows, a[::-1] * 0.5)
    np.divide.at(a, (rows, 0), 1.7)
    np.negative.at(a[1], [0, 0, 2])
    np.minimum.at(a[0], 3, b[0])
    return np.sum(a**3)


@program(normal(2, 3, 4), tags="nojit")
def subscripts_of_an_element(a):
    i, j, k = np.unravel_index(np.argmax(np.abs(a)), a.shape)
    rows, columns = np.unravel_index([1, 5, 7], (3, 4))
    place = np.ravel_multi_index((1, rows, columns), a.shape)
    s = a[i, j, k] ** 2 * a[i, 0, k]
    for n in range(a[0].size):
        s += a[0][np.unravel_index(n, a[0].shape)] * n
    return s + np.sum(a.ravel()[place] ** 2 * np.arange(3))


@program(normal(2, 2, 3, 2), 1, tags="nojit")
def frames_of_four_and_five_axes(images, pad):
    y = np.pad(images, ((0, 0), (0, 0), (pad, 2), (pad, pad)), mode="constant")
    z = np.pad(images[None], pad, constant_values=1.5)
    return np.sum(y[:, 0] * y[:, 1]) + y[0, 1, 1, 1] ** 3 + np.sum(z[1, :, 2] ** 2)


@program(normal(3, 4), 1.0, tags="nojit")
def options_that_may_be_none(x, whole):
    y = np.sum(np.median(x**2, axis=None if whole > 0.0 else 0) ** 2)
    y += np.sum(np.cumsum(x, axis=0 if whole > 0.0 else 1) ** 3) + np.sum(x.mean(-1 if whole > 0.0 else (0, 1)) ** 3)
    y += np.sum(x.sum(axis=None if whole < 0.0 else 0) ** 2) + np.sum(np.clip(x, None if whole < 0.0 else -0.1, 0.4))
    y += np.sum(np.nan_to_num(x**2, posinf=None if whole > 0.0 else 1.0))
    return y + np.sum(np.array([[[[x[0]], [x[1]]]]]) ** 2)


@program(normal(2, 3, 4), normal(3), 0.5, tags="nojit")
def elements_along_axes(x, v, s):
    y, z, m = x * 1.0, x[1] * 1.0, np.zeros((3, 3, 3))
    np.put_along_axis(y, np.array([[[1], [0], [3]], [[2], [2], [0]]]), v[:, None], 2)
    np.put_along_axis(y, np.array([[[1, 0, 2, 1]]]), s, axis=1)
    np.put_along_axis(z, np.array([[1, 3]]), v[:2] * s, -1)
    np.fill_diagonal(m, v)
    return np.sum(y**2) + np.sum(z**3) + np.sum(np.cos(m))


@program(normal(7, 2), normal(2, 5), normal(2), 0.5)
def diagonals_that_begin_anew(a, b, v, s):
    a, b, c = a * 1.0, b * 1.0, np.zeros((2, 2, 2, 2))
    np.fill_diagonal(a, v, wrap=True)
    np.fill_diagonal(b, s, wrap=True)
    np.fill_diagonal(c, v)
    return np.sum(a**3) + np.sum(np.sin(b)) + np.sum(c**2)


AXES, SHIFTS, PLACES = [(1,), (0,)], [1, 2], [0, -1]


@program(normal(2, 3), normal(3, 2), tags="nojit")
def lists_of_the_module_as_options(a, b):
    moved = np.roll(a, SHIFTS, axis=PLACES)
    return np.tensordot(moved, b, axes=AXES)[0, 1] * np.sum(np.expand_dims(a, PLACES)[0, :, :, 0] ** 2)


@program(normal(4), normal(2, 3), tags="nojit")
def a_vector_as_a_row_of_numbers(v, A):
    column, row = np.vstack(v), np.column_stack(v)
    return np.sum(row @ column * np.dstack(v)) + np.sum(np.hstack(v) * v) + np.sum(np.vstack(A.T) @ A)


@program(normal(5), tags="nojit")
def lists_that_grew_side_by_side(v):
    rises, falls = [], []
    for k in range(4):
        rises.append(v[k + 1] - v[k])
        falls.append(v[k] * v[k + 1])
    return np.sum(np.array([rises, falls]) ** 2) + np.prod(np.concatenate((falls, rises[1:])))


@program(0.7, 3, normal(3), tags="nojit")
def arrays_of_numbers_by_type(x, n, v):
    angle = np.asarray(x, dtype=np.float64)
    turned = angle - (np.ceil((angle + np.pi) / (2.0 * np.pi)) - 1.0) * 2.0 * np.pi
    return turned * np.asarray(n, dtype=float) + float(np.asarray(v[0] * x, float)) * np.asanyarray(n, dtype=np.int64)


@program(normal(4, 5), 0.7, tags="nojit")
def on_grids_of_indices(picture, shift):
    height, width = picture.shape
    y, x = np.mgrid[0:height, 0:width]
    part = np.mgrid[0:1:4j, -1:1:5j]
    moved, _ = np.mgrid[shift : shift + 3.5, :5]
    return np.sum(picture * y * x * part[0] * part[1] * moved * np.mgrid[0:4][:, None])


@program(normal(4, 5, 3), tags="nojit")
def within_a_disc(volume):
    n, m, k = volume.shape
    y, x, z = np.ogrid[:n, 0:m, 0 : 2 * k : 2]
    disc = (y - 1) ** 2 + (x - 2) ** 2 < 3
    everywhere = np.mgrid[:n, :m, :k].sum(axis=0)
    return np.sum(volume * everywhere * (y + x * z)) + np.sum(volume[disc[:, :, 0]])


@program(normal(5, 4), tags="nojit")
def diffused_between_walls_and_around(u):
    for mode in ("edge", "wrap", "reflect", "symmetric"):
        p = np.pad(u, 1, mode=mode)
        u = u + 0.1 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4.0 * u) * np.cos(u)
    q = np.pad(u, ((2, 1), (0, 3)), mode="edge")
    return np.sum(np.sin(q[1:] * q[:-1]))
