"""Functions with several problems; ``# <- word`` marks each line that is blamed, and the word under the caret."""

# ruff: noqa: C416  (what is refused is meant)

# ruff: noqa: F821
import numpy as np
from scipy import special


def frontend(x):
    global calls  # <- global
    calls = 1
    with open("nothing"):  # <- open
        y = eval("x")  # <- eval
    z = undefined(x)  # <- undefined
    return y + np.nothing(z) + callee(x)  # <- np.nothing


def callee(t):
    del t.item  # <- t.item
    return {u for u in t}  # <- {u


def typing(x, c):
    y = x + c[0]  # <- c[0]
    z = x[1.5] * np.sin(x)  # <- x[1.5]
    for i in range(3):
        w = (x +
             x.nothing)  # <- x.nothing
    return y + z + w


def differentiation(x, c):
    for _ in range(3):
        x = x + special.elliprc(c, x)  # <- special.elliprc
    y = np.sin(x)
    return (y *
            special.agm(1, y))  # <- special.agm


def aliasing(x, n):
    a = before = x * 2
    for i in range(n):
        if x[i] > 0.0:
            before = a
            a = a.copy()
        a[i] *= x[0]
    return a[0] + before[0] + special.elliprc(1, x[0])  # <- special.elliprc


def clean(x, n):
    for _ in range(n):
        x = np.sin(x)
    return x
