"""Minima of functions of several numbers as `scipy.optimize` finds them by default; nothing of the iterations moves.

J. Nocedal, S. J. Wright, Numerical Optimization (2006), algorithm 6.1 (BFGS), with the line search of J. J. More,
D. J. Thuente, ACM Trans. Math. Softw. 20 (1994), as MINPACK-2 has it.
"""

from __future__ import annotations

import numpy as np

from srcad.runtime import stop_gradient


def descent(f, slope_at, x, tol, most):
    """Where the slope of `f` is no larger than `tol`, or where nothing lower is found any more."""
    value, slope, inverse = stop_gradient(f(x)), slope_at(x), np.eye(x.shape[0])
    before, turns, stuck = value + 0.5 * np.sqrt(np.sum(slope**2)), 0, False
    while np.max(np.abs(slope)) > tol and turns < most and not stuck:
        way = -(inverse @ slope)
        found, after, there, stuck = along(f, slope_at, x, way, value, before, slope)
        if not stuck:
            s, y, before, value = found - x, there - slope, value, after
            x, slope, turns = found, there, turns + 1
            bent = y @ s
            rho = 1000.0 if bent == 0.0 else 1.0 / bent
            left = np.eye(x.shape[0]) - rho * np.outer(s, y)
            inverse = left @ inverse @ left.T + rho * np.outer(s, s)
    return x


def along(f, slope_at, x, way, value, before, slope):
    """A lower place along a way, the value and the slope there, and whether there is none."""
    down = slope @ way
    size = min(1.0, 2.02 * (value - before) / down) if down != 0.0 else 1.0
    size = 1.0 if size < 0.0 else size
    low, f_low, d_low, high, f_high, d_high = 0.0, value, down, 0.0, value, down
    least, largest, first, within = 0.0, 5.0 * size, True, False
    width, width_before, there, after, settled = 1e100, 2e100, x, value, False
    for _ in range(100):
        there = x + size * way
        after, slope = stop_gradient(f(there)), slope_at(there)
        d, line = slope @ way, value + 1e-4 * size * down
        first = first and not (after <= line and d >= 0.0)
        settled = after <= line and abs(d) <= -0.9 * down
        narrow = within and (size <= least or size >= largest or largest - least <= 1e-14 * largest)
        if settled or narrow:
            break
        tilt = 1e-4 * down if first and f_low >= after > line else 0.0
        a, b, c = f_low - low * tilt, f_high - high * tilt, after - size * tilt
        da, db, dc = d_low - tilt, d_high - tilt, d - tilt
        tried, inside = trial(low, a, da, high, b, db, size, c, dc, within, least, largest)
        if c > a:
            high, f_high, d_high = size, after, d
        else:
            if dc * da < 0.0:
                high, f_high, d_high = low, f_low, d_low
            low, f_low, d_low = size, after, d
        within, size = inside, tried
        if within:
            if abs(high - low) >= 0.66 * width_before:
                size = low + 0.5 * (high - low)
            width, width_before = abs(high - low), width
            least, largest = min(low, high), max(low, high)
            if size <= least or size >= largest or largest - least <= 1e-14 * largest:
                size = low
        else:
            least, largest = size + 1.1 * (size - low), size + 4.0 * (size - low)
    return there, after, slope, not settled


def trial(low, a, da, high, b, db, size, c, dc, within, least, largest):
    """The next step to try, between the best one and the last one, and whether a minimum lies between two steps."""
    if c > a:
        theta = 3.0 * (a - c) / (size - low) + da + dc
        root = steepness(theta, da, dc) * (1.0 if size > low else -1.0)
        cubic = low + (root - da + theta) / (root - da + root + dc) * (size - low)
        square = low + 0.5 * da / ((a - c) / (size - low) + da) * (size - low)
        return (cubic if abs(cubic - low) <= abs(square - low) else cubic + 0.5 * (square - cubic)), True
    theta = 3.0 * (a - c) / (size - low) + da + dc
    root = steepness(theta, da, dc) * (1.0 if size < low else -1.0)
    if dc * da < 0.0:
        cubic = size + (root - dc + theta) / (root - dc + root + da) * (low - size)
        line = size + dc / (dc - da) * (low - size)
        return (cubic if abs(cubic - size) > abs(line - size) else line), True
    if abs(dc) < abs(da):
        share = (root - dc + theta) / (root + (da - dc) + root)
        cubic = size + share * (low - size) if share < 0.0 and root != 0.0 else largest if size > low else least
        line = size + dc / (dc - da) * (low - size)
        if not within:
            return min(max(cubic if abs(cubic - size) > abs(line - size) else line, least), largest), False
        near = cubic if abs(cubic - size) < abs(line - size) else line
        end = size + 0.66 * (high - size)
        return (min(end, near) if size > low else max(end, near)), True
    if not within:
        return (largest if size > low else least), False
    theta = 3.0 * (c - b) / (high - size) + db + dc
    root = steepness(theta, db, dc) * (1.0 if size < high else -1.0)
    return size + (root - dc + theta) / (root - dc + root + db) * (high - size), True


def steepness(theta, first, second):
    """The slope of a cubic where it bends least, without overflow."""
    largest = max(abs(theta), max(abs(first), abs(second)))
    return largest * np.sqrt(max(0.0, (theta / largest) ** 2 - (first / largest) * (second / largest)))
