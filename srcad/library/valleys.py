"""Minima of functions of one number as `scipy.optimize.minimize_scalar` finds them; nothing of the iterations moves.

R. P. Brent, Algorithms for Minimization Without Derivatives (1973), chapter 5; before it, three points are sought of
which the one in the middle is lowest.
"""

from __future__ import annotations

from srcad.library.roots import value

GOLD = 1.618034
SHARE = 0.3819660
NOWHERE = "scipy.optimize.minimize_scalar finds no three points of which the one in the middle is lowest"


def bracketed(f, args, low, middle):
    """Three points of which the one in the middle is lowest, and the value there."""
    at_low, at_middle = value(f, low, args), value(f, middle, args)
    if at_low < at_middle:
        low, middle, at_low, at_middle = middle, low, at_middle, at_low
    high = middle + GOLD * (middle - low)
    at_high, turns = value(f, high, args), 0
    while at_high < at_middle:
        if turns > 1000:
            raise RuntimeError(NOWHERE)
        turns += 1
        first, second = (middle - low) * (at_middle - at_high), (middle - high) * (at_middle - at_low)
        bent = second - first
        top = (middle - high) * second - (middle - low) * first
        tried = middle - top / (2e-21 if abs(bent) < 1e-21 else 2.0 * bent)
        farthest = middle + 110.0 * (high - middle)
        if (tried - high) * (middle - tried) > 0.0:
            there = value(f, tried, args)
            if there < at_high:
                return middle, tried, high, there
            if there > at_middle:
                return low, middle, tried, at_middle
            tried = high + GOLD * (high - middle)
            there = value(f, tried, args)
        elif (tried - farthest) * (farthest - high) >= 0.0:
            tried = farthest
            there = value(f, tried, args)
        elif (tried - farthest) * (high - tried) > 0.0:
            there = value(f, tried, args)
            if there < at_high:
                middle, high, at_middle, at_high = high, tried, at_high, there
                tried = high + GOLD * (high - middle)
                there = value(f, tried, args)
        else:
            tried = high + GOLD * (high - middle)
            there = value(f, tried, args)
        low, middle, high = middle, high, tried
        at_low, at_middle, at_high = at_middle, at_high, there
    return low, middle, high, at_middle


def lowest(f, args, low, x, high, at_x, relative, absolute):
    """The lowest place between two others: parabolas where they help, golden sections where they do not."""
    low, high = (low, high) if low < high else (high, low)
    second, third, at_second, at_third, step, step_before = x, x, at_x, at_x, 0.0, 0.0
    for _ in range(500):
        least, middle = relative * abs(x) + absolute, 0.5 * (low + high)
        if abs(x - middle) <= 2.0 * least - 0.5 * (high - low):
            return x
        golden = True
        if abs(step_before) > least:
            first, other = (x - second) * (at_x - at_third), (x - third) * (at_x - at_second)
            top, bottom = (x - third) * other - (x - second) * first, 2.0 * (other - first)
            top, bottom, last = (-top if bottom > 0.0 else top), abs(bottom), step_before
            if bottom * (low - x) < top < bottom * (high - x) and abs(top) < abs(0.5 * bottom * last):
                golden, step_before, step = False, step, top / bottom
                if x + step - low < 2.0 * least or high - x - step < 2.0 * least:
                    step = least if middle >= x else -least
        if golden:
            step_before = (low if x >= middle else high) - x
            step = SHARE * step_before
        tried = x + step if abs(step) >= least else x + (least if step >= 0.0 else -least)
        there = value(f, tried, args)
        if there > at_x:
            low, high = (tried, high) if tried < x else (low, tried)
            if there <= at_second or second == x:
                third, second, at_third, at_second = second, tried, at_second, there
            elif there <= at_third or third == x or third == second:
                third, at_third = tried, there
        else:
            low, high = (x, high) if tried >= x else (low, x)
            third, second, x, at_third, at_second, at_x = second, x, tried, at_second, at_x, there
    raise RuntimeError(NOWHERE)
