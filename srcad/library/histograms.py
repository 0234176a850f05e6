"""Histograms: counts are constants, edges and weights are not."""

from __future__ import annotations

import numpy as np

from srcad.library import instead_of, refuse
from srcad.library.axes import array_of
from srcad.runtime import even_bins


@instead_of(np.histogram_bin_edges)
def histogram_bin_edges(a, bins=10, range=None, weights=None):
    if np.iscomplexobj(a):
        return refuse("np.histogram of complex numbers", "that of np.real or np.abs of them")
    if isinstance(bins, str):
        return refuse("np.histogram with a text for bins=", "a number of bins")
    if np.ndim(bins) > 0:
        return array_of(bins)
    if range is not None:
        edges = np.linspace(float(range[0]), float(range[1]), bins + 1)
        return edges.astype(np.float32) if a.dtype == np.float32 else edges
    line = np.reshape(a, (1, -1))  # of rows, extremes are found quickest
    low, high = np.min(line, axis=1)[0], np.max(line, axis=1)[0]
    wide = 0.5 if low == high else 0.0
    return np.linspace(low - wide, high + wide, bins + 1)


@instead_of(np.histogram)
def histogram(a, bins=10, range=None, density=None, weights=None):
    edges = np.histogram_bin_edges(a, bins, range)
    values = np.ravel(a)
    heights = None if weights is None else np.ravel(array_of(weights))
    if range is not None or np.ndim(bins) > 0:  # else all of them are inside
        inside = np.flatnonzero((values >= edges[0]) & (values <= edges[-1]))
        values = values[inside]
        if weights is not None:
            heights = heights[inside]
    places = bins_of(values, edges) if np.ndim(bins) > 0 else even_bins(values, edges)
    if weights is None:
        counts = np.bincount(places, minlength=edges.size - 1)
    else:
        counts = totals(places, heights, edges.size - 1)
    if density:
        return counts / np.sum(counts) / np.diff(edges), edges
    if weights is None or np.iscomplexobj(counts) or array_of(weights).dtype == np.float64:
        return counts, edges
    return counts.astype(array_of(weights).dtype), edges


def totals(places, heights, size):
    """The sum of the numbers that belong to each place."""
    if np.iscomplexobj(heights):
        return np.bincount(places, np.real(heights), size) + 1j * np.bincount(places, np.imag(heights), size)
    return np.bincount(places, heights, size)


@instead_of(np.histogram2d)
def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    if isinstance(bins, tuple):
        rows, columns = bins[0], bins[1]
    else:
        rows, columns = bins, bins
    ranges = (None, None) if range is None else (range[0], range[1])
    first, second = edges_along(x, rows, ranges[0]), edges_along(y, columns, ranges[1])
    inside = np.flatnonzero((x >= first[0]) & (x <= first[-1]) & (y >= second[0]) & (y <= second[-1]))
    m, n = first.size - 1, second.size - 1
    across = bins_of(x[inside], first) if np.ndim(rows) > 0 else even_bins(x[inside], first)
    down = bins_of(y[inside], second) if np.ndim(columns) > 0 else even_bins(y[inside], second)
    places = across * n + down
    if weights is None:
        flat = 1.0 * np.bincount(places, minlength=m * n)
    else:
        flat = np.bincount(places, array_of(weights)[inside], m * n)
    counts = np.reshape(flat, (m, n))
    if density:
        counts = counts / np.sum(counts) / np.outer(np.diff(first), np.diff(second))
    return counts, first, second


@instead_of(np.histogramdd)
def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    if not isinstance(sample, (tuple, list)):
        return refuse("np.histogramdd of one array", "a tuple of its columns: (x[:, 0], x[:, 1])")
    axes = tuple(array_of(x) for x in sample)
    edges = tuple(edges_along(x, along(bins, d), along(range, d)) for d, x in enumerate(axes))
    inside = np.full(axes[0].shape, True)
    for x, ends in zip(axes, edges):
        inside = inside & (x >= ends[0]) & (x <= ends[-1])
    chosen = np.flatnonzero(inside)
    places, size = np.zeros(chosen.size, np.int64), 1
    for x, ends in zip(axes, edges):
        places = places * (ends.size - 1) + bins_of(x[chosen], ends)
        size = size * (ends.size - 1)
    if weights is None:
        flat = 1.0 * np.bincount(places, minlength=size)
    else:
        flat = np.bincount(places, array_of(weights)[chosen], size)
    if density:
        flat = flat / np.sum(flat)
        volumes = np.ones(1)
        for ends in edges:
            volumes = np.ravel(np.outer(volumes, np.diff(ends)))
        flat = flat / volumes
    return np.reshape(flat, tuple(ends.size - 1 for ends in edges)), edges


def along(option, d):
    """What an option says of one of several axes."""
    return option[d] if isinstance(option, (tuple, list)) else option


def edges_along(a, bins, range):
    """The edges along one of two axes: those of a range have 64 bits there, whatever the values have."""
    if range is not None and np.ndim(bins) == 0:
        return np.linspace(float(range[0]), float(range[1]), bins + 1)
    return np.histogram_bin_edges(a, bins)


def bins_of(values, edges):
    """The bin of each value; the last one has both its edges."""
    return np.minimum(np.searchsorted(edges, values, side="right") - 1, edges.size - 2)
