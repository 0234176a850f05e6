"""Every rule at operands of the ranks 0 to 4, real ones in both precisions and complex ones.

What a rule must be tried with is what NumPy itself takes: whoever adds a rule gets its cases if the function is
elementwise, and else is told to `declare` in `forms` how it is called.
"""

import warnings

import numpy as np
import pytest
from scipy import fft, linalg, special

from srcad.checking import _case, check
from srcad.lang import walk
from srcad.lang.ir import Call
from srcad.rules import rule as rules
from srcad.rules.rule import FormError
from srcad.runtime import chained, complement
from srcad.runtime.scipy_linalg_triangles import lu_parts
from srcad.runtime.scipy_special_results import scaled_airy_b, scaled_airy_b_slope
from srcad.typing.refusal import Refusal
from tests.rules.forms import combinations, domains, form, primitives
from tests.rules.scipy_cases import values

# The cast to single precision is too coarse for finite differences; its rule is that of float64.
# What completes an orthonormal basis has cases by hand, in which it is one.
CHECKED = [p for p in primitives() if p not in (np.float32, np.complex64, chained, complement)]


def complex_ones(ranks, kinds):
    return "c" in kinds


def but(*ranks):
    return lambda given, kinds: any(rank not in ranks for rank in given)


# What NumPy takes and the compiler refuses, with the line of the user's. That it does so is looked at here, too.
REFUSED = {
    **dict.fromkeys((np.maximum, np.minimum, np.fmax, np.fmin, np.clip), complex_ones),
    **dict.fromkeys((special.zeta, fft.dct, fft.dst), complex_ones),
    special.ive: lambda ranks, kinds: kinds[1] == "c",
    **dict.fromkeys((scaled_airy_b, scaled_airy_b_slope), lambda ranks, kinds: kinds[0] == "c"),
    np.linspace: but(0), linalg.solve_sylvester: but(2, 3, 4), lu_parts: but(2, 3, 4), max: but(0), min: but(0),
    np.fft.fftn: but(1, 2, 3, 4), np.fft.ifftn: but(1, 2, 3, 4), linalg.expm: but(2, 3, 4),
}  # fmt: skip


def name(primitive):
    return f"{getattr(primitive, '__module__', None) or 'numpy'}.{primitive.__name__}"


def drawn(rng, like, domain, shape, kind):
    """An operand: real or complex, from where the function is smooth, or a positive definite matrix."""
    if domain[2:] or isinstance(domain[0], int):
        return values(rng, domain, shape)
    x = rng.uniform(*domain, size=shape)
    if kind == "c":
        x = x + 1j * rng.uniform(0.1, 0.6, size=shape)
    if like == "positive" and len(shape) > 1:
        x = x @ np.conj(np.swapaxes(x, -1, -2)) + np.diag(np.arange(1.0, shape[-1] + 1.0))
    return x if shape else x.item()


def calls(primitive, kinds, shapes):
    """The calls of a primitive with operands of these shapes, those that NumPy takes."""
    known, rng = form(primitive), np.random.default_rng(5)
    if {"real": "c", "complex": "r"}.get(known.like, "?") in kinds:
        return
    for before, behind, named in known.variants(*shapes):
        operands = [drawn(rng, known.like, *args) for args in zip(domains(primitive), shapes, kinds)]
        if not any(isinstance(x, (np.ndarray, float, complex)) for x in operands):
            continue
        given = (tuple(operands),) if known.joined else tuple(operands)
        call = (*before, *given, *behind)
        if taken(primitive, call, named):
            yield call, named


def taken(primitive, call, named):
    """Whether a function takes such operands, and will; what it makes of texts and objects is no matter."""
    plain = [getattr(x, "value", x) for x in call]
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            result = primitive(*plain, **named)
    except (TypeError, ValueError, IndexError, np.linalg.LinAlgError, AttributeError, NotImplementedError,
            DeprecationWarning):  # fmt: skip
        return False
    return np.asarray(result).dtype.kind in "fc"


def refused(primitive, operands, named):
    """Whether typing or the rule refuses a call; else it is checked."""
    try:
        check_form(primitive, operands, named)
    except (Refusal, FormError):
        return True
    return False


def check_form(primitive, operands, named):
    """Check one form of call. What typing writes as other calls, has their rules; its value is compared."""
    case = _case(primitive, rules.find(primitive), operands, named, np.float64)
    if case.call.fn is primitive and not any(isinstance(e, Call) for arg in case.call.args for e in walk.subexprs(arg)):
        check(primitive, operands, named, compiled=False)
    else:
        plain = [getattr(x, "value", x) for x in operands]
        np.testing.assert_allclose(case.result, primitive(*plain, **named), rtol=1e-12)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("primitive", CHECKED, ids=name)
def test_every_rank_and_dtype(primitive):
    known, refuses = form(primitive), REFUSED.get(primitive, lambda ranks, kinds: False)
    assert known, f"{name(primitive)} has a rule and no cases: `declare` in tests/rules/forms.py how it is called"
    tried = 0
    for ranks, kinds in combinations(known.count):
        cubes, shapes = [(3,) * rank for rank in ranks], known.shapes(*ranks)
        found = list(calls(primitive, kinds, shapes))
        assert found or not any(calls(primitive, kinds, cubes)), f"NumPy takes the ranks {ranks}, not shapes {shapes}"
        for operands, named in found:
            said = f"{name(primitive)}: ranks {ranks}, {kinds}, {named}"
            assert refused(primitive, operands, named) == refuses(ranks, kinds), said
            tried += 1
    assert tried, f"no call of {name(primitive)} is one that NumPy takes"


def test_a_rule_without_cases_is_named():
    """A new rule fails the test above until it is declared; a new elementwise one has its cases at once."""
    def fresh(x):
        return x

    @rules.rule(fresh)
    def _(y, x):
        y.dot = x.dot
        x.bar += y.bar

    try:
        with pytest.raises(AssertionError, match="fresh has a rule and no cases"):
            test_every_rank_and_dtype(fresh)
    finally:
        del rules.table[fresh]
