"""Derivatives written by hand, in place of the compiler: the backends are tested apart from it."""

import numpy as np

from srcad.backends.generated import Generated
from srcad.lang.origin import Origin
from srcad.lang.types import Array

SCALE = np.array([1.0, 2.0, 3.0])
RATE = 2.0


def product(x, y):
    """The product."""
    return x * y


def power(x, n=3, *, factor=2.0):
    return factor * x**n


def scaled(x):
    return np.sum(SCALE * x)


def rated(x):
    return rate_of(x) * 1.0


def rate_of(x):
    return RATE * x


def unsupported_by_numba(x):
    return np.nothing(x)


def chosen(x, kind="double"):
    return 2.0 * x if kind == "double" else x


TEXTS = {
    "chosen": "def chosen_grad(x, kind='double', grad_ys=1.0):\n    return {factor} * grad_ys\n",
    "product": "def product_grad(x, y, grad_ys=1.0):\n    return grad_ys * y\n",
    "power": "def power_grad(x, n=3, factor=2.0, grad_ys=1.0):\n    return grad_ys * factor * n * x ** (n - 1)\n",
    "scaled": "import numpy as np\n\n\ndef scaled_grad(x, grad_ys=1.0):\n    return grad_ys * SCALE\n",
    "rated": "def rated_grad(x, grad_ys=1.0):\n    return grad_ys * {RATE}\n",
    "unsupported_by_numba": (
        "import numpy as np\n\n\ndef unsupported_by_numba_grad(x, grad_ys=1.0):\n"
        "    y = x + 1.0\n    return np.apply_over_axes(np.sum, x, 0)\n"
    ),
}


class Writer:
    """Stands in for the compiler, and counts how often it is asked."""

    def __init__(self):
        self.calls = []

    def __call__(self, fn, options, signature, seeds=None, stage=None):
        self.calls.append((fn.__name__, signature, seeds))
        space = fn.__globals__
        text = TEXTS[fn.__name__].replace("{RATE}", repr(space.get("RATE")))
        if "{factor}" in text:
            text = text.replace("{factor}", "2.0" if signature[1].value == "double" else "1.0")
        if any(isinstance(type, Array) for type in signature):
            text = "# of an array\n" + text
        constants = {"SCALE": space["SCALE"]} if "SCALE" in text else {}
        lines = {5: Origin(__file__, 40, 4, fn.__name__, "return np.nothing(x)")} if "over_axes" in text else {}
        name = text.split("def ")[1].split("(")[0]
        return Generated(name, text, constants, lines)


