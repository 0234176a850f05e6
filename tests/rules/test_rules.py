"""Every rule against finite differences, forward against reverse, compiled against interpreted."""

import numpy as np
import pytest

from srcad.testing import check_rule
from tests.rules.cases import CASES
from tests.rules.complex_cases import COMPLEX_CASES, FOURIER_CASES
from tests.rules.forms import primitives


def label(case):
    primitive, operands, named = case
    parts = [np.shape(o) if isinstance(o, np.ndarray) else getattr(o, "value", o) for o in operands]
    text = ",".join([*map(str, parts), *(f"{k}={v}" for k, v in named.items())]).replace(" ", "")
    return f"{getattr(primitive, '__module__', None) or 'np'}.{primitive.__name__}({text})"


by_case = pytest.mark.parametrize("case", CASES, ids=map(label, CASES))


@by_case
def test_derivatives(case):
    primitive, operands, named = case
    check_rule(primitive, *operands, compiled=False, **named)


@pytest.mark.slow
@by_case
def test_compiled(case):
    primitive, operands, named = case
    check_rule(primitive, *operands, **named)


def test_every_rule_has_a_case():
    # The cast to single precision is too coarse for finite differences; its rule is that of float64.
    tried = {primitive for primitive, _, _ in (*CASES, *COMPLEX_CASES, *FOURIER_CASES)} | {np.float32, np.complex64}
    assert not [p for p in primitives() if p not in tried]
