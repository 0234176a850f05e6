"""Functions whose derivative is infinite somewhere, or no number, at operands that are finite."""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

import numpy as np

from srcad.analysis.contents import member
from srcad.lang.ir import Call, Const, Expr
from srcad.lang.types import is_array

# Finite, with an infinite slope at the ends of their domains.
ROOTS = frozenset((
    np.sqrt, math.sqrt, np.cbrt, np.arcsin, np.arccos, np.arccosh, math.asin, math.acos, math.acosh,
    *([math.cbrt] if hasattr(math, "cbrt") else ()),
))  # fmt: skip
# Infinite somewhere, or no number.
POLES = frozenset((
    np.log, np.log2, np.log10, np.log1p, math.log, math.log2, math.log10, math.log1p, np.arctanh, math.atanh, np.tan,
    math.tan, np.reciprocal, np.arctan2, math.atan2, np.fmod, math.fmod, np.remainder, operator.mod,
))  # fmt: skip
# Of the functions of `scipy.special`, those whose derivatives are finite everywhere, the empty name being that of all
# functions of others; and those that are finite where their derivative is infinite.
SMOOTH = frozenset((
    "", *"erf erfc erfcx erfi dawsn ndtr log_ndtr expit log_expit softplus exprel cosm1 expm1 exp2 exp10".split(),
    *"i0 i1 i0e i1e j0 j1 itj0y0 struve modstruve airy airye wofz voigt_profile huber pseudo_huber radian".split(),
    *"rgamma sindg cosdg round owens_t wrightomega fresnel sici shichi eval_legendre eval_chebyt eval_chebyu".split(),
    *"eval_laguerre eval_genlaguerre eval_jacobi eval_gegenbauer eval_hermite eval_hermitenorm".split(),
    *"sine_integral hyperbolic_sine_integral fresnel_sine fresnel_cosine airy_a airy_b".split(),
    *"airy_a_slope airy_b_slope integral_of_j0 integral_of_i0 integral_of_j0_by_x integral_of_i0_by_x".split(),
    *"ber bei berp beip amplitude".split(),
))  # fmt: skip
ROOTS_OF_SPECIAL = frozenset((
    *"entr rel_entr kl_div xlogy xlog1py boxcox boxcox1p ellipe ellipeinc jv iv ive spence hyp2f1 cbrt".split(),
    *"gammainc gammaincc gammaincinv gammainccinv betainc betaincc betaincinv betainccinv".split(),
    *"bdtr bdtrc btdtr fdtr fdtrc fdtri gdtr gdtrc chdtr chdtrc chdtri pdtr pdtrc nbdtr nbdtrc".split(),
))  # fmt: skip
# Where functions of ours are that stand for one result of such a function, or for its derivative by a parameter.
_PARTS = ("srcad.runtime.scipy_special_results", "srcad.runtime.scipy_special_shapes")
QUOTIENTS = frozenset((operator.truediv, np.true_divide))
POWERS = frozenset((operator.pow, pow, np.power, np.float_power, math.pow))


def is_steep(value: Expr) -> bool:
    """Whether the derivative of a value may be infinite, or no number, at finite operands."""
    if not isinstance(value, Call):
        return False
    if member(value.fn, QUOTIENTS):
        divisor = value.args[1]  # one number divides all elements, chosen or not
        return not _is_number(divisor) and (is_array(getattr(divisor, "type", None)) or not is_array(value.type))
    if member(value.fn, POWERS):
        exponent = value.args[1]  # of negative numbers, powers that are no integers are no numbers
        return not _at_least_one(exponent, whole=True)
    return is_root(value) or member(value.fn, POLES) or of_special(value.fn) not in SMOOTH


def is_root(value: Expr) -> bool:
    """Whether a value is finite where its derivative is infinite."""
    if not isinstance(value, Call):
        return False
    if member(value.fn, POWERS):
        exponent = value.args[1]
        return not _is_integer(exponent) and not _at_least_one(exponent)
    return member(value.fn, ROOTS) or of_special(value.fn) in ROOTS_OF_SPECIAL


def _is_integer(expr: Expr) -> bool:
    return getattr(getattr(expr, "type", None), "dtype", "").startswith(("int", "uint", "bool"))


def _at_least_one(exponent: Expr, whole: bool = False) -> bool:
    number = exponent.value if isinstance(exponent, Const) else None
    return isinstance(number, (int, float)) and number >= 1 and (not whole or float(number).is_integer())


def _is_number(expr: Expr) -> bool:
    return isinstance(expr, Const) and isinstance(expr.value, (int, float, complex, np.number)) and expr.value != 0


def of_special(fn: Any) -> str:
    """The name of a function of `scipy.special`, or part of one, that takes elements one by one; else empty."""
    module = sys.modules.get("scipy.special")
    name = getattr(fn, "__name__", "")
    if getattr(fn, "__module__", "") in _PARTS:
        return name
    by_elements = isinstance(fn, np.ufunc) or name in ("zeta", "polygamma", "lambertw")
    return name if module is not None and by_elements and getattr(module, name, None) is fn else ""
