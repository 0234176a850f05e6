"""Functions of SciPy that give two or four numbers, one by one.

>>> round(float(sine_integral(1.0)), 12), round(float(fresnel_cosine(1.0)), 12)
(0.946083070367, 0.779893400377)
"""

from __future__ import annotations

import numpy as np


def sine_integral(x: np.ndarray) -> np.ndarray:
    """The first result of `scipy.special.sici`."""
    from scipy import special

    return special.sici(x)[0]


def cosine_integral(x: np.ndarray) -> np.ndarray:
    """The second result of `scipy.special.sici`."""
    from scipy import special

    return special.sici(x)[1]


def hyperbolic_sine_integral(x: np.ndarray) -> np.ndarray:
    """The first result of `scipy.special.shichi`."""
    from scipy import special

    return special.shichi(x)[0]


def hyperbolic_cosine_integral(x: np.ndarray) -> np.ndarray:
    """The second result of `scipy.special.shichi`."""
    from scipy import special

    return special.shichi(x)[1]


def fresnel_sine(x: np.ndarray) -> np.ndarray:
    """The first result of `scipy.special.fresnel`."""
    from scipy import special

    return special.fresnel(x)[0]


def fresnel_cosine(x: np.ndarray) -> np.ndarray:
    """The second result of `scipy.special.fresnel`."""
    from scipy import special

    return special.fresnel(x)[1]


def airy_a(x: np.ndarray) -> np.ndarray:
    """The first result of `scipy.special.airy`."""
    from scipy import special

    return special.airy(x)[0]


def airy_a_slope(x: np.ndarray) -> np.ndarray:
    """The second result of `scipy.special.airy`."""
    from scipy import special

    return special.airy(x)[1]


def airy_b(x: np.ndarray) -> np.ndarray:
    """The third result of `scipy.special.airy`."""
    from scipy import special

    return special.airy(x)[2]


def airy_b_slope(x: np.ndarray) -> np.ndarray:
    """The fourth result of `scipy.special.airy`."""
    from scipy import special

    return special.airy(x)[3]
