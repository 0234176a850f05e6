"""Every elementwise rule for every pair of shapes that broadcasting admits, and every other rule in several ranks."""

import numpy as np
import pytest

from srcad.rules import rule as rules
from srcad.testing import check_rule
from srcad.runtime import digamma, lu_packed, polygamma
from tests.rules import scipy_cases
from tests.rules.cases import CASES
from tests.rules.complex_cases import COMPLEX_CASES, FOURIER_CASES
from tests.rules.scipy_cases import values
from tests.rules.test_rules import own

ALONE = [(), (1,), (3,), (2, 3), (2, 1, 3), (2, 1, 3, 2)]
PAIRS = [
    ((), ()), ((), (3,)), ((3,), ()), ((3,), (3,)), ((1,), (3,)), ((3,), (1,)), ((2, 3), (3,)), ((3,), (2, 3)),
    ((2, 3), ()), ((2, 1), (1, 3)), ((2, 3), (2, 1)), ((2, 1, 3), (4, 1)), ((3, 1), (2, 1, 3, 2)),
]  # fmt: skip
# Where a function is defined and smooth, if that is not everywhere; integers where an operand is one.
DOMAINS = {
    np.log: [(0.5, 2.0)], np.log1p: [(-0.5, 2.0)], np.log2: [(0.5, 2.0)], np.log10: [(0.5, 2.0)],
    np.sqrt: [(0.5, 2.0)], np.cbrt: [(0.5, 2.0)], np.reciprocal: [(0.5, 2.0)], np.arcsin: [(-0.8, 0.8)],
    np.arccos: [(-0.8, 0.8)], np.arctanh: [(-0.8, 0.8)], np.arccosh: [(1.2, 2.0)], np.sign: [(0.5, 2.0)],
    np.absolute: [(0.5, 2.0)], np.fabs: [(-2.0, -0.5)], np.tan: [(-1.2, 1.2)],
    np.divide: [(-1.0, 1.0), (0.5, 2.0)], np.remainder: [(1.1, 1.4), (0.6, 0.9)],
    np.fmod: [(1.1, 1.4), (0.6, 0.9)], np.power: [(0.5, 2.0), (-1.0, 2.0)],
    np.float_power: [(0.5, 2.0), (-1.0, 2.0)], np.copysign: [(0.5, 2.0), (-2.0, -0.5)],
    np.heaviside: [(0, 2), (-1.0, 1.0)], np.ldexp: [(-1.0, 1.0), (-2, 3)],
    **scipy_cases.DOMAINS,
}  # fmt: skip


def elementwise():
    """The elementwise functions of NumPy that have a rule."""
    rules.find(np.sin)
    found = [f for f, r in rules.table.items() if isinstance(f, np.ufunc) and f.signature is None and not r.zero]
    return sorted(set(found), key=lambda f: f.__name__)


def shapes_of(operands):
    """Shapes that broadcasting admits for so many operands; of more than two, the first ones are alike."""
    if operands == 1:
        return [(shape,) for shape in ALONE]
    return [(pair[0],) * (operands - 2) + pair for pair in PAIRS]


@pytest.mark.parametrize("function", elementwise(), ids=lambda f: f.__name__)
def test_broadcasting(function):
    rng = np.random.default_rng(3)
    domains = DOMAINS.get(function, [(-1.0, 1.0), (-1.0, 1.0)])
    for shapes in shapes_of(function.nin):
        operands = [values(rng, domain, shape) for domain, shape in zip(domains, shapes)]
        check_rule(function, *operands, compiled=False)


# ---------------------------------------------------------------- the other rules

# Rules for numbers, for one rank, and for operands whose rank the rule never sees.
ONE_RANK = {
    lu_packed, np.trace, np.diagonal, np.float64, np.float32, digamma, polygamma, np.convolve, np.bincount,
    np.linspace, np.full, np.full_like, np.arange, np.broadcast_to, np.array,
}  # fmt: skip


def ranks(primitive):
    """The ranks of the first array among the operands, in all cases."""
    found = set()
    for tried, operands, _ in CASES:
        if tried is primitive:
            found |= {rank(o) for o in operands if rank(o) is not None}
    return found


def rank(operand):
    if isinstance(operand, np.ndarray):
        return operand.ndim
    if isinstance(operand, float):
        return 0
    if isinstance(operand, tuple) and all(isinstance(n, int) for n in operand):
        return len(operand)
    return max((rank(o) or 0 for o in operand), default=None) if isinstance(operand, tuple) else None


def of_arrays():
    """The rules for functions of NumPy that take arrays as wholes."""
    rules.find(np.sin)
    tried_complex = {primitive for primitive, _, _ in (*COMPLEX_CASES, *FOURIER_CASES)}
    for primitive, found in rules.table.items():
        if not (found.zero or isinstance(primitive, np.ufunc) or primitive in ONE_RANK) and own(found.fn):
            if primitive not in tried_complex and getattr(primitive, "__module__", "").startswith(("numpy", "srcad")):
                yield primitive


def test_every_rule_is_tried_in_several_ranks():
    assert not [p for p in of_arrays() if len(ranks(p)) < 2]
