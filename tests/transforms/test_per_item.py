"""Sums over one item of a pair are computed once for it, before the loops over the pairs."""

import numpy as np
import pytest

import srcad
from tests.corpus import PROGRAMS
from tests.corpus import per_item as programs
from tests.reference import best_gradient

def before_pairs(f, *args):
    """The text before the loops over pairs."""
    return srcad.source(srcad.value_and_grad(f, tuple(range(len(args)))), *args).partition("s_bar = grad_ys")[0]


def test_norms_of_rows_stand_before_the_pairs():
    x, y = np.ones((2, 3)), np.ones((4, 3))
    text = before_pairs(programs.cosines_of_pairs_of_rows, x, y)
    assert "bs = np.empty(y.shape[0])" in text and "if test:" in text, "of y, unless there is no row of x"
    whole = srcad.source(srcad.value_and_grad(programs.cosines_of_pairs_of_rows, (0, 1)), x, y)
    sums = [line.strip() for line in whole.splitlines() if line.strip().startswith(("a +=", "b +=", "d +="))]
    assert [line[0] for line in sums] == ["b", "a", "d"], "once each"
    text = before_pairs(programs.norms_of_later_rows, x)
    assert "for j in range(1, n)" in text, "no norm of the first row"


def test_the_interpreter_sums_up_what_the_user_wrote():
    x, y = np.ones((2, 3)), np.ones((4, 3))
    derivative = srcad.value_and_grad(programs.cosines_of_pairs_of_rows, (0, 1), target="python")
    assert "np.empty(y.shape[0])" not in srcad.source(derivative, x, y)


@pytest.mark.parametrize("shapes", [((0, 3), (4, 3)), ((3, 3), (0, 3)), ((0, 3), (4, 2)), ((1, 3), (1, 3))])
@pytest.mark.parametrize("optimize", [True, False])
def test_no_rows_of_one_kind(shapes, optimize):
    x, y = (0.5 + np.arange(float(np.prod(shape))).reshape(shape) ** 0.5 for shape in shapes)
    for name in ("cosines_of_pairs_of_rows", "norms_in_branches_of_both_rows", "norm_of_the_pair_before"):
        f = PROGRAMS[name].fn
        value, gradients = srcad.value_and_grad(f, (0, 1), optimize=optimize)(x, y)
        assert value == pytest.approx(f(x, y), rel=1e-14)
        for position, gradient in enumerate(gradients):
            expected = best_gradient(f, (x, y), position) if gradient.size and x.size and y.size else 0.0 * gradient
            np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-12)
