"""Functions of SciPy that give several numbers, one by one.

>>> round(float(sine_integral(1.0)), 12), round(float(fresnel_cosine(1.0)), 12)
(0.946083070367, 0.779893400377)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np


def result(function: str, place: int, name: str) -> Callable[[np.ndarray], np.ndarray]:
    """One of the results of a function of `scipy.special`, which is imported when it is called."""

    def part(x):
        from scipy import special

        return getattr(special, function)(x)[place]

    part.__name__ = part.__qualname__ = name
    part.__doc__ = f"Result {place} of `scipy.special.{function}`."
    return part


sine_integral = result("sici", 0, "sine_integral")
cosine_integral = result("sici", 1, "cosine_integral")
hyperbolic_sine_integral = result("shichi", 0, "hyperbolic_sine_integral")
hyperbolic_cosine_integral = result("shichi", 1, "hyperbolic_cosine_integral")
fresnel_sine = result("fresnel", 0, "fresnel_sine")
fresnel_cosine = result("fresnel", 1, "fresnel_cosine")
airy_a = result("airy", 0, "airy_a")
airy_a_slope = result("airy", 1, "airy_a_slope")
airy_b = result("airy", 2, "airy_b")
airy_b_slope = result("airy", 3, "airy_b_slope")
scaled_airy_a = result("airye", 0, "scaled_airy_a")
scaled_airy_a_slope = result("airye", 1, "scaled_airy_a_slope")
scaled_airy_b = result("airye", 2, "scaled_airy_b")
scaled_airy_b_slope = result("airye", 3, "scaled_airy_b_slope")
integral_of_j0 = result("itj0y0", 0, "integral_of_j0")
integral_of_y0 = result("itj0y0", 1, "integral_of_y0")
integral_of_i0 = result("iti0k0", 0, "integral_of_i0")
integral_of_k0 = result("iti0k0", 1, "integral_of_k0")
integral_of_j0_by_x = result("it2j0y0", 0, "integral_of_j0_by_x")
integral_of_y0_by_x = result("it2j0y0", 1, "integral_of_y0_by_x")
integral_of_i0_by_x = result("it2i0k0", 0, "integral_of_i0_by_x")
integral_of_k0_by_x = result("it2i0k0", 1, "integral_of_k0_by_x")


def amplitude(u: np.ndarray, m: np.ndarray) -> np.ndarray:
    """The last result of `scipy.special.ellipj`."""
    from scipy import special

    return special.ellipj(u, m)[3]


PARTS = {
    "sici": (sine_integral, cosine_integral),
    "shichi": (hyperbolic_sine_integral, hyperbolic_cosine_integral),
    "fresnel": (fresnel_sine, fresnel_cosine),
    "airy": (airy_a, airy_a_slope, airy_b, airy_b_slope),
    "airye": (scaled_airy_a, scaled_airy_a_slope, scaled_airy_b, scaled_airy_b_slope),
    "itj0y0": (integral_of_j0, integral_of_y0),
    "iti0k0": (integral_of_i0, integral_of_k0),
    "it2j0y0": (integral_of_j0_by_x, integral_of_y0_by_x),
    "it2i0k0": (integral_of_i0_by_x, integral_of_k0_by_x),
}
"""The functions of `scipy.special` of one number, and those here, one for each of their results."""
