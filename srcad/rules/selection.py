"""Functions that hand on one of their operands; on ties, the first takes the whole derivative."""

import math

import numpy as np

from srcad.rules.dtypes import is_complex
from srcad.rules.operands import unknown
from srcad.rules.rule import rule


@rule(np.maximum)
def maximum(y, a, b):
    if is_complex(a, b):
        raise NotImplementedError("np.maximum of complex numbers has no rule; instead: np.abs of them, or np.real")
    y.dot = a.dot if a >= b else b.dot
    a.bar += y.bar if a >= b else 0.0
    b.bar += 0.0 if a >= b else y.bar


@rule(np.minimum)
def minimum(y, a, b):
    if is_complex(a, b):
        raise NotImplementedError("np.minimum of complex numbers has no rule; instead: np.abs of them, or np.real")
    y.dot = a.dot if a <= b else b.dot
    a.bar += y.bar if a <= b else 0.0
    b.bar += 0.0 if a <= b else y.bar


# Of two numbers, the comparison says all; of more, those before the largest decide, too.


@rule(max)
def largest(y, *xs):
    if len(xs) == 2:
        a, b = xs
        y.dot = a.dot if a >= b else b.dot
        a.bar += y.bar if a >= b else 0.0
        b.bar += 0.0 if a >= b else y.bar
    else:
        dot = 0.0
        for x in reversed(xs):
            dot = x.dot if x == y else dot
        y.dot = dot
        before = False
        for x in xs:
            x.bar += y.bar if x == y and not before else 0.0
            before = before or x == y


@rule(min)
def smallest(y, *xs):
    if len(xs) == 2:
        a, b = xs
        y.dot = a.dot if a <= b else b.dot
        a.bar += y.bar if a <= b else 0.0
        b.bar += 0.0 if a <= b else y.bar
    else:
        dot = 0.0
        for x in reversed(xs):
            dot = x.dot if x == y else dot
        y.dot = dot
        before = False
        for x in xs:
            x.bar += y.bar if x == y and not before else 0.0
            before = before or x == y


# Unlike maximum and minimum, these two ignore what is not a number.


@rule(np.fmax)
def fmax(y, a, b):
    if is_complex(a, b):
        raise NotImplementedError("np.fmax of complex numbers has no rule; instead: np.abs of them, or np.real")
    y.dot = a.dot if a >= b or b != b else b.dot
    a.bar += y.bar if a >= b or b != b else 0.0
    b.bar += 0.0 if a >= b or b != b else y.bar


@rule(np.fmin)
def fmin(y, a, b):
    if is_complex(a, b):
        raise NotImplementedError("np.fmin of complex numbers has no rule; instead: np.abs of them, or np.real")
    y.dot = a.dot if a <= b or b != b else b.dot
    a.bar += y.bar if a <= b or b != b else 0.0
    b.bar += 0.0 if a <= b or b != b else y.bar


@rule(np.where)
def where(y, condition, a, b):
    y.dot = a.dot if condition else b.dot
    a.bar += y.bar if condition else 0.0
    b.bar += 0.0 if condition else y.bar


@rule(np.clip)
def clip(y, a, a_min=None, a_max=None, out=None, *, min=None, max=None):
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    if is_complex(a, low, high):
        raise NotImplementedError("np.clip of complex numbers has no rule; instead: np.clip of np.real and np.imag")
    within = (low is None or low <= a) and (high is None or a <= high)
    below = low is not None and a < low and (high is None or low <= high)
    above = high is not None and (a > high or (low is not None and low > high))
    y.dot = a.dot if within else low.dot if below else high.dot
    a.bar += y.bar if within else 0.0
    low.bar += y.bar if below else 0.0
    high.bar += y.bar if above else 0.0


@rule(np.copysign, math.copysign)
def copysign(y, a, b):
    y.dot = a.dot * np.sign(a) * np.copysign(1.0, b)
    a.bar += y.bar * np.sign(a) * np.copysign(1.0, b)


@rule(np.nan_to_num)
def nan_to_num(y, x, copy=True, nan=0.0, posinf=None, neginf=None):
    if is_complex(x):
        # The two parts of a number are replaced each for itself.
        re, im, given = np.isfinite(np.real(x)), np.isfinite(np.imag(x)), "what replaces parts of complex numbers"
        moved = (np.real(x.dot) if re else 0.0) + 1j * (np.imag(x.dot) if im else 0.0)
        y.dot = moved + unknown(nan.dot, given) + unknown(posinf.dot, given) + unknown(neginf.dot, given)
        x.bar += (np.real(y.bar) if re else 0.0) + 1j * (np.imag(y.bar) if im else 0.0)
        nan.bar += unknown(y.bar, given)
        posinf.bar += unknown(y.bar, given)
        neginf.bar += unknown(y.bar, given)
    else:
        above = posinf.dot if x > 0.0 else neginf.dot
        y.dot = x.dot if np.isfinite(x) else nan.dot if np.isnan(x) else above
        x.bar += y.bar if np.isfinite(x) else 0.0
        nan.bar += y.bar if np.isnan(x) else 0.0
        posinf.bar += y.bar if x == np.inf else 0.0
        neginf.bar += y.bar if x == -np.inf else 0.0
