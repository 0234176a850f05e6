"""Linear filters of `scipy.ndimage`, and values between the elements: sums of shifted parts of a continued array."""

from __future__ import annotations

import numpy as np
from scipy import ndimage

from srcad.library import axis_of, instead_of, refuse
from srcad.library.axes import array_of
from srcad.library.padding import padded

# ---------------------------------------------------------------- one axis


@instead_of(ndimage.correlate1d)
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    if np.iscomplexobj(weights):
        return refuse("a filter with complex weights", "those with the real and the imaginary part of the weights")
    return weighed(input, weights, axis, output, mode, cval, origin)


def weighed(input, weights, axis, output, mode, cval, origin):
    """The sums of neighbours along an axis, weighed with real numbers."""
    if output is not None:
        return refuse("a filter with output=", "the result of the call without it")
    if np.iscomplexobj(input):
        return refuse("a filter of complex numbers", "those of the real and the imaginary part")
    k, filter = axis_of(axis, input.ndim), array_of(weights).astype(input.dtype)
    half = filter.shape[0] // 2 + origin
    x = continued(input, k, half, filter.shape[0] - 1 - half, mode, cval)
    if input.ndim == 1:
        return np.correlate(x, filter, "valid")
    if k < input.ndim - 1:
        return rows_of_sums(x, filter, k, np.zeros(input.shape, input.dtype))
    if input.ndim == 2:
        return sums_in_rows(x, filter)
    return np.reshape(sums_in_rows(np.reshape(x, (-1, x.shape[k])), filter), input.shape)


def sums_in_rows(x, filter):
    """The sums of neighbours in each row."""
    y = np.empty((x.shape[0], x.shape[1] - filter.shape[0] + 1), x.dtype)
    for i in range(x.shape[0]):
        y[i] = np.correlate(x[i], filter, "valid")
    return y


def rows_of_sums(x, filter, axis, y):
    """The sums of neighbouring rows: all that a row of `y` gets, while it is near."""
    for i in range(y.shape[axis]):
        for j in range(filter.shape[0]):
            y[(slice(None),) * axis + (i,)] += filter[j] * x[(slice(None),) * axis + (i + j,)]
    return y


@instead_of(ndimage.convolve1d)
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    filter = array_of(weights)
    return correlate1d(input, filter[::-1], axis, output, mode, cval, -origin - (1 - filter.shape[0] % 2))


def continued(x, axis, before, after, mode, cval):
    """An array continued along an axis."""
    if mode == "reflect" or mode == "grid-mirror":
        return padded(x, axis, (before, after), "symmetric", (0, 0), (None, None), "even")
    if mode == "mirror":
        return padded(x, axis, (before, after), "reflect", (0, 0), (None, None), "even")
    if mode == "nearest":
        return padded(x, axis, (before, after), "edge", (0, 0), (None, None), "even")
    if mode == "wrap" or mode == "grid-wrap":
        return padded(x, axis, (before, after), "wrap", (0, 0), (None, None), "even")
    if mode == "constant" or mode == "grid-constant":
        return padded(x, axis, (before, after), "constant", (cval, cval), (None, None), "even")
    return refuse("a filter in this mode", "'reflect', 'constant', 'nearest', 'mirror' or 'wrap'")


def edged(x, widths, mode, cval):
    """An array continued as SciPy calls it."""
    if mode == "reflect" or mode == "grid-mirror":
        return np.pad(x, widths, "symmetric")
    if mode == "mirror":
        return np.pad(x, widths, "reflect")
    if mode == "nearest":
        return np.pad(x, widths, "edge")
    if mode == "wrap" or mode == "grid-wrap":
        return np.pad(x, widths, "wrap")
    if mode == "constant" or mode == "grid-constant":
        return np.pad(x, widths, "constant", constant_values=cval)
    return refuse("a filter in this mode", "'reflect', 'constant', 'nearest', 'mirror' or 'wrap'")


@instead_of(ndimage.uniform_filter1d)
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    return correlate1d(input, np.full(size, 1.0 / size), axis, output, mode, cval, origin)


@instead_of(ndimage.gaussian_filter1d)
def gaussian_filter1d(input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *,
                      radius=None):  # fmt: skip
    reach = int(truncate * sigma + 0.5) if radius is None else radius
    return weighed(input, bell(sigma, reach, order), axis, output, mode, cval, 0)


def bell(sigma, reach, order):
    """The weights of a density of the normal distribution, or of one of its derivatives."""
    x = np.arange(-reach, reach + 1)
    powers = np.exp(-0.5 * x * x / (sigma * sigma))
    density, slope = powers / np.sum(powers), x / (sigma * sigma)
    if order == 0:
        return density
    if order == 1:
        return slope * density
    if order == 2:
        return (slope * slope - 1.0 / (sigma * sigma)) * density
    if order == 3:
        return slope * (slope * slope - 3.0 / (sigma * sigma)) * density
    return refuse("a Gaussian filter of this order", "order 0, 1, 2 or 3, a constant")


# ---------------------------------------------------------------- several axes


@instead_of(ndimage.gaussian_filter)
def gaussian_filter(input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None,
                    axes=None):  # fmt: skip
    if axes is not None or output is not None or input.ndim > 3:
        return refuse("scipy.ndimage.gaussian_filter in this form", "scipy.ndimage.gaussian_filter1d, axis by axis")
    y = blurred(input, sigma, 0, order, mode, cval, truncate, radius)
    if input.ndim > 1:
        y = blurred(y, sigma, 1, order, mode, cval, truncate, radius)
    return blurred(y, sigma, 2, order, mode, cval, truncate, radius) if input.ndim > 2 else y


def blurred(x, sigma, k, order, mode, cval, truncate, radius):
    """A filter along one of several axes; where it is this narrow, none."""
    if of_axis(sigma, k) <= 1e-15:
        return np.copy(x)
    return gaussian_filter1d(x, of_axis(sigma, k), k, of_axis(order, k), None, mode, cval, truncate, radius=radius)


def of_axis(value, k):
    """What is given for an axis, or for all."""
    return value[k] if isinstance(value, (tuple, list)) else value


@instead_of(ndimage.uniform_filter)
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    if axes is not None or output is not None or input.ndim > 3:
        return refuse("scipy.ndimage.uniform_filter in this form", "scipy.ndimage.uniform_filter1d, axis by axis")
    y = uniform_filter1d(input, of_axis(size, 0), 0, None, mode, cval, of_axis(origin, 0))
    if input.ndim > 1:
        y = uniform_filter1d(y, of_axis(size, 1), 1, None, mode, cval, of_axis(origin, 1))
    return uniform_filter1d(y, of_axis(size, 2), 2, None, mode, cval, of_axis(origin, 2)) if input.ndim > 2 else y


@instead_of(ndimage.sobel)
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return across(input, axis_of(axis, input.ndim), np.array([1.0, 2.0, 1.0]), output, mode, cval)


@instead_of(ndimage.prewitt)
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    return across(input, axis_of(axis, input.ndim), np.array([1.0, 1.0, 1.0]), output, mode, cval)


def across(x, axis, weights, output, mode, cval):
    """Differences along an axis of sums along the others."""
    if x.ndim > 3:
        return refuse("a filter of more than three axes", "scipy.ndimage.correlate1d, axis by axis")
    y = correlate1d(x, np.array([-1.0, 0.0, 1.0]), axis, output, mode, cval, 0)
    if axis != 0:
        y = correlate1d(y, weights, 0, output, mode, cval, 0)
    if axis != 1 and x.ndim > 1:
        y = correlate1d(y, weights, 1, output, mode, cval, 0)
    if axis != 2 and x.ndim > 2:
        y = correlate1d(y, weights, 2, output, mode, cval, 0)
    return y


@instead_of(ndimage.laplace)
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    if axes is not None or input.ndim > 3:
        return refuse("scipy.ndimage.laplace in this form", "a sum of scipy.ndimage.correlate1d along axes")
    y = correlate1d(input, np.array([1.0, -2.0, 1.0]), 0, output, mode, cval, 0)
    if input.ndim > 1:
        y = y + correlate1d(input, np.array([1.0, -2.0, 1.0]), 1, output, mode, cval, 0)
    return y + correlate1d(input, np.array([1.0, -2.0, 1.0]), 2, output, mode, cval, 0) if input.ndim > 2 else y


@instead_of(ndimage.correlate)
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    if output is not None or axes is not None or np.iscomplexobj(input) or np.iscomplexobj(weights):
        return refuse("scipy.ndimage.correlate in this form", "that of real numbers, without output= and axes=")
    return of_window(input, array_of(weights).astype(input.dtype), mode, cval, origin)


@instead_of(ndimage.convolve)
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    several = axes is not None or isinstance(origin, (tuple, list))
    if output is not None or several or np.iscomplexobj(input) or np.iscomplexobj(weights):
        return refuse("scipy.ndimage.convolve in this form", "that of real numbers, with one origin= alone")
    filter = array_of(weights).astype(input.dtype)
    if input.ndim == 1:
        return of_window(input, np.flip(filter), mode, cval, -origin - (1 - filter.shape[0] % 2))
    if input.ndim == 2:
        first, second = -origin - (1 - filter.shape[0] % 2), -origin - (1 - filter.shape[1] % 2)
        return of_window(input, np.flip(filter), mode, cval, (first, second))
    lasts = (-origin - (1 - filter.shape[1] % 2), -origin - (1 - filter.shape[2] % 2))
    return of_window(input, np.flip(filter), mode, cval, (-origin - (1 - filter.shape[0] % 2), lasts[0], lasts[1]))


def of_window(x, filter, mode, cval, origin):
    """The sums over a window around each element."""
    first = filter.shape[0] // 2 + of_axis(origin, 0)
    ahead = (first, filter.shape[0] - 1 - first)
    y = np.zeros_like(x)
    if x.ndim == 1:
        wide = edged(x, (ahead,), mode, cval)
        for i in range(filter.shape[0]):
            y += filter[i] * wide[i : i + x.shape[0]]
        return y
    second = filter.shape[1] // 2 + of_axis(origin, 1)
    beside = (second, filter.shape[1] - 1 - second)
    if x.ndim == 2:
        wide = edged(x, (ahead, beside), mode, cval)
        for k in range(x.shape[0]):  # all that a row gets, while it is near
            for i in range(filter.shape[0]):
                for j in range(filter.shape[1]):
                    y[k] += filter[i, j] * wide[k + i, j : j + x.shape[1]]
        return y
    if x.ndim > 3:
        return refuse("a filter of arrays with more than three axes", "a sum of shifted parts of np.pad(x, ...)")
    third = filter.shape[2] // 2 + of_axis(origin, 2)
    wide = edged(x, (ahead, beside, (third, filter.shape[2] - 1 - third)), mode, cval)
    for i in range(filter.shape[0]):
        for j in range(filter.shape[1]):
            for k in range(filter.shape[2]):
                y += filter[i, j, k] * wide[i : i + x.shape[0], j : j + x.shape[1], k : k + x.shape[2]]
    return y


# ---------------------------------------------------------------- between the elements


@instead_of(ndimage.map_coordinates)
def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    if output is not None or order > 1 or input.dtype.kind != "f":
        return refuse("scipy.ndimage.map_coordinates in this form", "order=1 or 0, of floats, without output=")
    if mode != "constant" and mode != "nearest":
        return refuse("scipy.ndimage.map_coordinates in this mode", "'constant' or 'nearest'")
    places = array_of(coordinates)
    if input.ndim == 1:
        y = between(input, places[0], order)
    elif input.ndim == 2:
        y = between_two(input, places[0], places[1], order)
    else:
        return refuse("scipy.ndimage.map_coordinates of more than two axes", "arrays with one or two axes")
    if mode == "nearest":
        return held_as(y, input.dtype)
    inside = np.ones(places[0].shape, np.bool_)
    for k in range(input.ndim):
        inside = inside & (places[k] >= 0.0) & (places[k] <= input.shape[k] - 1.0)
    return held_as(np.where(inside, y, cval), input.dtype)


def held_as(y, dtype):
    """What SciPy computes in double precision and gives in the array's."""
    return y if y.dtype == dtype else y.astype(dtype)


def neighbours(place, n, order):
    """The elements before and behind a place, and how far it is from the first; beyond the edges, that of the edge."""
    held = np.clip(place, 0.0, n - 1.0)
    before = np.minimum(np.floor(held + 0.5 if order == 0 else held).astype(np.int64), n - 1)
    return before, np.minimum(before + 1, n - 1), held - before if order == 1 else np.zeros_like(held)


def between(x, place, order):
    """Values between the elements of a vector."""
    i, j, far = neighbours(place, x.shape[0], order)
    return x[i] * (1.0 - far) + x[j] * far


def between_two(x, down, right, order):
    """Values between the elements of a matrix."""
    i, j, far = neighbours(down, x.shape[0], order)
    k, m, beside = neighbours(right, x.shape[1], order)
    return (x[i, k] * (1.0 - beside) + x[i, m] * beside) * (1.0 - far) + (
        x[j, k] * (1.0 - beside) + x[j, m] * beside
    ) * far
