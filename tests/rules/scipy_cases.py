"""Where the functions of SciPy are defined and smooth, an interval an operand, and calls of those that are no ufuncs.

"fixed" says of an operand that there is no derivative with respect to it.
"""

import numpy as np
from scipy import fft, interpolate, linalg, special

from srcad.lang.ir import Const
from srcad.lang.promote import type_of
from srcad.library.scipy_linalg_forms import STACKS
from srcad.runtime import scaled_ends
from srcad.runtime.scipy_interpolate_knots import knot_splines
from srcad.runtime.scipy_linalg_bands import (
    outer_bands, solve_bands, solve_half, solve_levinson, times_bands, turned_bands,
)  # fmt: skip
from srcad.runtime.scipy_linalg_functions import logarithm, square_root
from srcad.runtime.scipy_linalg_triangles import lu_parts, solve_triangle
from srcad.runtime.scipy_special_results import PARTS, amplitude
from srcad.runtime.scipy_special_shapes import betainc_by_shapes, elliptic_integral, gammainc_by_shape, zeta_by_exponent

ALL, POSITIVE, UNIT, FIXED = (-2.0, 2.0), (0.3, 3.0), (0.1, 0.9), (0.3, 3.0, "fixed")
DOMAINS = {
    special.gammaln: [POSITIVE], special.loggamma: [POSITIVE], special.gamma: [POSITIVE], special.rgamma: [POSITIVE],
    special.digamma: [POSITIVE], special.beta: [POSITIVE, POSITIVE], special.betaln: [POSITIVE, POSITIVE],
    special.binom: [(3.2, 5.0), (0.3, 2.0)], special.poch: [POSITIVE, POSITIVE],
    special.gammainc: [POSITIVE] * 2, special.gammaincc: [POSITIVE] * 2, special.gammaincinv: [POSITIVE, UNIT],
    special.gammainccinv: [POSITIVE, UNIT], special.betainc: [POSITIVE, POSITIVE, UNIT],
    special.betaincc: [POSITIVE, POSITIVE, UNIT], special.betaincinv: [POSITIVE, POSITIVE, UNIT],
    special.betainccinv: [POSITIVE, POSITIVE, UNIT],
    special.erf: [ALL], special.erfc: [ALL], special.erfcx: [ALL], special.erfi: [ALL], special.erfinv: [(-0.9, 0.9)],
    special.erfcinv: [(0.1, 1.9)], special.dawsn: [ALL], special.ndtr: [ALL], special.log_ndtr: [(-9.0, 3.0)],
    special.ndtri: [UNIT], special.ndtri_exp: [(-3.0, -0.1)], special.owens_t: [ALL, ALL],
    special.expit: [(-5.0, 5.0)], special.logit: [UNIT], special.log_expit: [(-5.0, 5.0)],
    special.xlogy: [ALL, POSITIVE], special.xlog1py: [ALL, POSITIVE], special.expm1: [ALL], special.log1p: [UNIT],
    special.exp2: [ALL], special.exp10: [ALL], special.exprel: [ALL], special.powm1: [POSITIVE, ALL],
    special.wrightomega: [ALL], special.expi: [POSITIVE], special.exp1: [POSITIVE],
    special.expn: [(0, 4), POSITIVE], special.spence: [POSITIVE],
    special.j0: [ALL], special.j1: [ALL], special.jv: [FIXED, POSITIVE], special.y0: [POSITIVE],
    special.y1: [POSITIVE], special.yv: [FIXED, POSITIVE], special.yn: [(1, 4), POSITIVE], special.i0: [ALL],
    special.i1: [ALL], special.iv: [FIXED, POSITIVE], special.i0e: [(-2.0, -0.5)], special.i1e: [POSITIVE],
    special.ive: [FIXED, POSITIVE], special.k0: [POSITIVE], special.k1: [POSITIVE], special.kv: [FIXED, POSITIVE],
    special.kn: [(0, 4), POSITIVE], special.k0e: [POSITIVE], special.k1e: [POSITIVE], special.kve: [FIXED, POSITIVE],
    special.struve: [FIXED, POSITIVE], special.modstruve: [FIXED, POSITIVE], special.zetac: [(1.5, 4.0)],
    special.eval_hermite: [(1, 5), ALL], special.eval_hermitenorm: [(1, 5), ALL],
    special.ellipkm1: [(0.02, 1.8)], special.elliprf: [POSITIVE] * 3,
    special.ber: [POSITIVE], special.bei: [POSITIVE], special.ker: [POSITIVE], special.kei: [POSITIVE],
    special.berp: [POSITIVE], special.beip: [POSITIVE], special.kerp: [POSITIVE], special.keip: [POSITIVE],
    special.itstruve0: [POSITIVE], special.it2struve0: [POSITIVE], special.itmodstruve0: [POSITIVE],
    special.voigt_profile: [ALL, POSITIVE, POSITIVE], special.lpmv: [(0, 2), (1, 4), UNIT],
    special.ellipk: [(-2.0, 0.9)], special.ellipe: [(-2.0, 0.9)], special.ellipkinc: [(-1.2, 1.2), (0.1, 0.8)],
    special.ellipeinc: [(1.8, 4.5), (0.1, 0.8)], special.hyp2f1: [FIXED, FIXED, FIXED, (-0.8, 0.8)],
    special.hyp1f1: [FIXED, FIXED, ALL], special.hyp0f1: [FIXED, ALL], special.hyperu: [FIXED, FIXED, POSITIVE],
    special.huber: [(1.0, 1.5), (2.0, 3.0)], special.pseudo_huber: [POSITIVE, ALL], special.entr: [POSITIVE],
    special.rel_entr: [POSITIVE, POSITIVE], special.kl_div: [POSITIVE, POSITIVE], special.boxcox: [POSITIVE, ALL],
    special.boxcox1p: [POSITIVE, ALL], special.inv_boxcox: [UNIT, UNIT], special.inv_boxcox1p: [UNIT, UNIT],
    special.cbrt: [POSITIVE], special.cosm1: [ALL], special.sindg: [(0.0, 90.0)], special.cosdg: [(0.0, 90.0)],
    special.tandg: [(0.0, 60.0)], special.cotdg: [(30.0, 80.0)],
    special.chdtr: [POSITIVE] * 2, special.chdtrc: [POSITIVE] * 2, special.stdtr: [POSITIVE, ALL],
    special.stdtrit: [POSITIVE, UNIT], special.chdtri: [POSITIVE, UNIT],
    special.pdtr: [(0, 4), POSITIVE], special.pdtrc: [(0, 4), POSITIVE], special.bdtr: [(0, 3), (4, 6), UNIT],
    special.bdtrc: [(0, 3), (4, 6), UNIT],
    special.nbdtr: [(0, 3), (1, 4), UNIT], special.nbdtrc: [(0, 3), (1, 4), UNIT],
    special.eval_chebyt: [FIXED, UNIT], special.eval_chebyu: [FIXED, UNIT], special.eval_legendre: [FIXED, UNIT],
    special.eval_gegenbauer: [FIXED, FIXED, UNIT], special.eval_jacobi: [FIXED, FIXED, FIXED, UNIT],
    special.eval_laguerre: [FIXED, POSITIVE], special.eval_genlaguerre: [FIXED, FIXED, POSITIVE],
}  # fmt: skip
"""The ufuncs; integers where an operand is one."""



def values(rng, domain, shape):
    """An operand; a number is given as such, and what is fixed as a constant."""
    low, high = domain[:2]
    drawn = rng.integers(low, high, shape) if isinstance(low, int) else rng.uniform(low, high, shape)
    if domain[2:]:
        return Const(drawn if shape else float(drawn), type_of(drawn if shape else float(drawn)))
    if shape:
        return drawn
    return Const(int(drawn)) if isinstance(low, int) else float(drawn)


_rng = np.random.default_rng(7)
SPREAD = np.array([[3.0, 0.5, -0.4], [0.2, 2.0, 0.3], [-0.6, 0.1, 1.5]])  # no eigenvalue on the negative axis
BAND = np.array([[4.0, 5.0, 6.0, 5.0, 4.0], [2.0, 1.8, -1.5, 1.2, -1.1], [0.3, 0.7, 0.4, 0.8, 0.5]])
_KNOTS = interpolate.BSpline([0, 0, 0, 0, 0.9, 1.7, 1.7, 2.2, 3, 3, 3, 3.1], np.ones(8), 3).t
KNOTS = Const(_KNOTS, type_of(_KNOTS))
SCIPY_CASES = [
    (function, tuple(values(_rng, domain, shape) for domain in domains), {})
    for function, domains in DOMAINS.items() for shape in ((), (3,))
]  # fmt: skip
SCIPY_CASES += [
    *((special.expn, (n, (np.array([0.4, 1.5, 2.0]))), {}) for n in (0, 1, 2)),
    *((fn, (np.linspace(0.3, 2.5, 6).reshape(shape),), {})
      for shape in ((6,), (2, 3)) for parts in PARTS.values() for fn in parts),
    *((amplitude, (np.array(u), np.array([0.2, 0.5, 0.8])), {}) for u in ([-0.7, 1.1, 2.9], [[0.4], [5.0]])),
    *((special.polygamma, (n, shape), {}) for n in (0, 1, 2, 3) for shape in ((), (3,), (2, 3))),
    (special.polygamma, (np.array([0, 1, 2]), (3,)), {}),
    (special.zeta, (2.5, np.array([0.7, 1.4, 2.0])), {}),
    (special.zeta, (np.array([1.7, 2.4, 9.0]),), {}),
    *((gammainc_by_shape, (1, np.array([0.2, 1.5, 4.0]), np.array(x)), {}) for x in ([0.1, 1.5, 3.0], [0.6, 2.5, 9.0])),
    *((betainc_by_shapes, (*orders, np.array([0.2, 1.5, 4.0]), np.array([3.0, 0.3, 2.0]), np.array(x)), {})
      for orders in ((1, 0), (0, 1)) for x in ([0.1, 0.4, 0.3], [0.6, 0.95, 0.8])),
    (zeta_by_exponent, (1, np.array([1.7, 2.4, 9.0]), np.array([0.7, 1.4, 2.0])), {}),
    (elliptic_integral, (1, 3, np.array([0.7, -1.4, 4.0]), np.array([0.2, -3.0, 0.8])), {}),
    *((fn, ((3, 4), kind), {"axis": 0, "norm": norm}) for fn in (fft.dct, fft.dst) for kind in (1, 2, 3, 4)
      for norm in ("backward", "ortho")),
    *((fn, (shape,), {}) for fn in (fft.dct, fft.dst) for shape in ((5,), (2, 3, 2))),
    *((scaled_ends, (shape, 0, Const(2.0), Const(0.5)), {}) for shape in ((4,), (3, 2))),
    *((linalg.expm, (shape,), {}) for shape in ((3, 3), (2, 2, 2))),
    *((fn, (a,), {}) for fn in (square_root, logarithm) for a in (SPREAD, np.stack((SPREAD, SPREAD @ SPREAD)))),
    *((lu_parts, (shape,), {}) for shape in ((3, 3), (2, 2, 2))),
    *((solve_triangle, (SPREAD, shape, lower, unit), {}) for shape in ((3,), (3, 2), (2, 3, 1))
      for lower in (False, True) for unit in (False, True)),
    *((solve_bands, (BAND, shape, *sides), {}) for shape in ((5,), (5, 2)) for sides in ((1, 1), (2, 0), (0, 2))),
    *((solve_half, (BAND[:rows], shape), {}) for shape in ((5,), (5, 2)) for rows in (1, 2, 3)),
    *((times_bands, ((3, 5), shape, 1, 1), {}) for shape in ((5,), (5, 2))),
    *((outer_bands, (shape, shape, 2, 1), {}) for shape in ((5,), (5, 2))),
    *((turned_bands, ((3, 5), *sides), {}) for sides in ((1, 1), (2, 0))),
    *((knot_splines, (KNOTS, 3, np.linspace(-0.3, 3.4, 6).reshape(shape), nu), {}) for shape in ((6,), (2, 3))
      for nu in (0, 2)),
    *((knot_splines, (KNOTS, k, 1.3, nu), {}) for k in (0, 2) for nu in (0, 1, 3)),
    (solve_levinson, (np.array([3.0, 0.5, -0.4]), np.array([1.0, 0.2, 0.7]), (3,)), {}),
    *((linalg.solve_sylvester, (SPREAD, (3, 3), shape), {}) for shape in ((3, 3), (2, 3, 3))[: 1 + STACKS]),
]
