"""Functions with several problems; ``# <- word`` marks each line that is blamed, and the word under the caret."""

# ruff: noqa: F821
import numpy as np


def frontend(x):
    import os  # <- import

    with open("nothing"):  # <- open
        y = eval("x")  # <- eval
    z = undefined(x) + len(os.name)  # <- undefined
    return y + np.nothing(z) + callee(x)  # <- np.nothing


def callee(t):
    del t.item  # <- t.item
    return {t}  # <- {t}


def typing(x, c):
    y = x + c[0]  # <- c[0]
    z = x[1.5] * np.sin(x)  # <- x[1.5]
    for i in range(3):
        w = (x +
             x.nothing)  # <- x.nothing
    return y + z + w


def differentiation(x, c):
    for _ in range(3):
        x = x + np.nextafter(x, c)  # <- np.nextafter
    y = np.sin(x)
    return (y *
            np.spacing(y))  # <- np.spacing


def aliasing(x, n):
    a = x * 2
    b = x * 3
    for _ in range(n):
        b = a
        b[0] = x[1]
    return a[0] + b[0] + np.nextafter(x[0], 1.0)  # <- np.nextafter


def clean(x, n):
    for _ in range(n):
        x = np.sin(x)
    return x
