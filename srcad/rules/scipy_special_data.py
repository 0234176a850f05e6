"""Losses, divergences, transformations of data and elementary functions of `scipy.special`."""

import numpy as np
from scipy import special

from srcad.rules.rule import rule

# ---------------------------------------------------------------- losses and divergences


@rule(special.huber)
def huber(y, delta, r):
    y.dot = r.dot * np.clip(r, -delta, delta) + delta.dot * np.maximum(np.abs(r) - delta, 0.0)
    r.bar += y.bar * np.clip(r, -delta, delta)
    delta.bar += y.bar * np.maximum(np.abs(r) - delta, 0.0)


@rule(special.pseudo_huber)
def pseudo_huber(y, delta, r):
    s = np.sqrt(1.0 + np.square(r / delta))
    by_delta = delta * np.square(np.square(r / delta) / (s + 1.0)) / s
    y.dot = r.dot * r / s + delta.dot * by_delta
    r.bar += y.bar * r / s
    delta.bar += y.bar * by_delta


@rule(special.entr)
def entr(y, x):
    # Minus infinity, a constant, below zero.
    y.dot = -x.dot * (np.log(x) + 1.0) if x >= 0.0 else 0.0
    x.bar -= y.bar * (np.log(x) + 1.0) if x >= 0.0 else 0.0


@rule(special.rel_entr)
def rel_entr(r, x, y):
    inside = x >= 0.0 and y > 0.0
    ratio = (x if inside else 1.0) / (y if inside else 1.0)
    r.dot = x.dot * (np.log(ratio) + (1.0 if inside else 0.0)) - y.dot * (ratio if inside else 0.0)
    x.bar += r.bar * (np.log(ratio) + (1.0 if inside else 0.0))
    y.bar -= r.bar * (ratio if inside else 0.0)


@rule(special.kl_div)
def kl_div(r, x, y):
    inside = x >= 0.0 and y > 0.0
    ratio = (x if inside else 1.0) / (y if inside else 1.0)
    rest = 1.0 if x == 0.0 and y == 0.0 else 1.0 - ratio
    r.dot = x.dot * np.log(ratio) + y.dot * rest
    x.bar += r.bar * np.log(ratio)
    y.bar += r.bar * rest


# ---------------------------------------------------------------- transformations of data


@rule(special.boxcox)
def boxcox(y, x, lmbda):
    logs = np.log(x)
    far = np.abs(lmbda * logs) > 1.0
    series = 0.5 * np.square(logs) * special.hyp1f1(2.0, 3.0, np.clip(lmbda * logs, -1.0, 1.0))
    by_power = (special.xlogy(x ** lmbda, x) - y) / (lmbda if far else 1.0) if far else series
    y.dot = x.dot * x ** (lmbda - 1.0) + lmbda.dot * by_power
    x.bar += y.bar * x ** (lmbda - 1.0)
    lmbda.bar += y.bar * by_power


@rule(special.boxcox1p)
def boxcox1p(y, x, lmbda):
    logs = np.log1p(x)
    far = np.abs(lmbda * logs) > 1.0
    series = 0.5 * np.square(logs) * special.hyp1f1(2.0, 3.0, np.clip(lmbda * logs, -1.0, 1.0))
    by_power = (special.xlogy((1.0 + x) ** lmbda, 1.0 + x) - y) / (lmbda if far else 1.0) if far else series
    y.dot = x.dot * (1.0 + x) ** (lmbda - 1.0) + lmbda.dot * by_power
    x.bar += y.bar * (1.0 + x) ** (lmbda - 1.0)
    lmbda.bar += y.bar * by_power


@rule(special.inv_boxcox)
def inv_boxcox(x, y, lmbda):
    by_power = -0.5 * x * np.square(y) * special.hyp2f1(2.0, 2.0, 3.0, -lmbda * y)
    x.dot = y.dot * x ** (1.0 - lmbda) + lmbda.dot * by_power
    y.bar += x.bar * x ** (1.0 - lmbda)
    lmbda.bar += x.bar * by_power


@rule(special.inv_boxcox1p)
def inv_boxcox1p(x, y, lmbda):
    by_power = -0.5 * (1.0 + x) * np.square(y) * special.hyp2f1(2.0, 2.0, 3.0, -lmbda * y)
    x.dot = y.dot * (1.0 + x) ** (1.0 - lmbda) + lmbda.dot * by_power
    y.bar += x.bar * (1.0 + x) ** (1.0 - lmbda)
    lmbda.bar += x.bar * by_power


# ---------------------------------------------------------------- roots, trigonometry


@rule(special.cbrt)
def cbrt(y, x):
    y.dot = x.dot / (3.0 * y * y)
    x.bar += y.bar / (3.0 * y * y)


@rule(special.cosm1)
def cosm1(y, x):
    y.dot = -x.dot * np.sin(x)
    x.bar -= y.bar * np.sin(x)


@rule(special.sindg)
def sindg(y, x):
    y.dot = x.dot * (np.pi / 180.0) * special.cosdg(x)
    x.bar += y.bar * (np.pi / 180.0) * special.cosdg(x)


@rule(special.cosdg)
def cosdg(y, x):
    y.dot = -x.dot * (np.pi / 180.0) * special.sindg(x)
    x.bar -= y.bar * (np.pi / 180.0) * special.sindg(x)


@rule(special.tandg)
def tandg(y, x):
    y.dot = x.dot * (np.pi / 180.0) * (1.0 + y * y)
    x.bar += y.bar * (np.pi / 180.0) * (1.0 + y * y)


@rule(special.cotdg)
def cotdg(y, x):
    y.dot = -x.dot * (np.pi / 180.0) * (1.0 + y * y)
    x.bar -= y.bar * (np.pi / 180.0) * (1.0 + y * y)
