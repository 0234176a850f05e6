"""What is read after its last change is read from the arrays as they are in the end, and nothing is recorded."""

import numpy as np
import pytest

import srcad
from srcad.analysis.inequalities import ONE, possible, solvable
from tests.programs import PROGRAMS

UNRECORDED = [
    "cholesky_by_loops", "cholesky_by_slices", "lu_in_one_matrix", "forward_substitution", "dtw_distance",
    "cheapest_path", "back_substitution_by_dot", "distance_of_walks",
]  # fmt: skip
RECORDED = [
    "the_last_one_is_before_the_first", "every_other_one_of_a_view", "while_it_moves", "the_half_that_is_mirrored",
    "downwards_in_steps", "the_row_above_may_be_the_last_one",
]  # fmt: skip


def records(name):
    program = PROGRAMS[name]
    df = srcad.grad(program.fn, wrt=program.wrt, target="python")
    return srcad.explain(df, args=tuple(program.example())).records


@pytest.mark.parametrize("name", UNRECORDED)
def test_nothing_is_recorded(name):
    assert not records(name)


@pytest.mark.parametrize("name", RECORDED)
def test_what_is_overwritten_is_recorded(name):
    assert records(name)


def test_what_was_stored_is_not_computed_again():
    def roots(x):
        a = np.zeros(len(x))
        s = 0.0
        for i in range(1, len(x)):
            a[i] = np.sqrt(x[i] + a[i - 1])
            s += a[i]
        return s

    x = np.linspace(1.0, 2.0, 5)
    source = srcad.source(srcad.grad(roots, target="python"), x)
    code = [line for line in source.splitlines() if "#" not in line]
    assert sum("np.sqrt" in line for line in code) == 1 and "tape" not in source
    step = 1e-6
    for k, slope in enumerate(srcad.grad(roots, target="python")(x)):
        moved = [x + sign * step * (np.arange(5) == k) for sign in (1, -1)]
        assert slope == pytest.approx((roots(moved[0]) - roots(moved[1])) / (2 * step), rel=1e-7)


def test_what_is_stored_more_coarsely_is_computed_again():
    """An array of another dtype does not keep what was computed."""

    def rounded(x):
        a = np.zeros(4, np.float32)
        s = 0.0
        for i in range(4):
            e = np.exp(x[i])
            a[i] = e
            s += e * e
        return s

    x = np.linspace(0.1, 0.4, 4)
    np.testing.assert_allclose(srcad.grad(rounded, target="python")(x), 2.0 * np.exp(2.0 * x), rtol=1e-13)


def brute(zeros, least, apart=()):
    """Whether small integers are a solution."""
    for i in range(-4, 5):
        for j in range(-4, 5):
            for k in range(-4, 5):
                at = {"i": i, "j": j, "k": k, ONE: 1}
                value = [[sum(f * at[n] for n, f in form.items()) for form in forms] for forms in (zeros, least, apart)]
                if not any(value[0]) and all(v >= 0 for v in value[1]) and all(value[2]):
                    return True
    return False


@pytest.mark.parametrize("seed", range(40))
def test_no_is_said_only_where_there_is_no_solution(seed):
    rng = np.random.default_rng(seed)

    def forms(count):
        drawn = ({name: int(rng.integers(-2, 3)) for name in ("i", "j", "k", ONE)} for _ in range(count))
        return [{name: factor for name, factor in form.items() if factor} for form in drawn]

    for _ in range(10):
        zeros, least, apart = forms(rng.integers(0, 3)), forms(rng.integers(0, 5)), forms(rng.integers(0, 2))
        if brute(zeros, least, apart):
            assert possible(zeros, least, apart)
        if brute(zeros, least):
            assert solvable(zeros, least)


@pytest.mark.parametrize(
    "zeros, least",
    [
        ([{"i": 1, "j": -1}], [{"i": 1, "j": -1, ONE: -1}]),  # i = j and i > j
        ([], [{"i": 1, "j": -1, ONE: -1}, {"j": 1, "k": -1}, {"k": 1, "i": -1}]),  # i > j >= k >= i
        ([{"i": 2, "j": -2, ONE: -1}], []),  # an even number is one
        ([], [{"i": 3, ONE: -1}, {"i": -3, ONE: 2}]),  # no integer between a third and two thirds
        ([{ONE: 1}], []),
    ],
)
def test_there_is_no_solution(zeros, least):
    assert not solvable(zeros, least)
