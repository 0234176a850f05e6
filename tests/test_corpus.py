"""The corpus itself is valid, without srcad: programs run, alone and under Numba, and their references hold."""

import numba
import numpy as np
import pytest

from tests.programs import CORE, PROGRAMS, marks
from tests.reference import complete, complex_step, difference, directional, evaluate, richardson, total

EVERY = pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
# functions that take complex numbers but are not analytic: for these the complex step means nothing
# What the harness shifts is no longer an array without axes or of Fortran order; the last converges too slowly.
NOT_SHIFTED = {"argument_without_axes_written", "ravel_of_fortran_order", "recursion_of_arrays", "row_from_a_column"}
NOT_ANALYTIC = """
    norms_of_later_rows mean_var_std variance_with_ddof mean_var_std_of_vector outer_inner_vdot distances
    reductions_used_as_scalars batch_norm layer_norm huber_loss huber_loss_where newton_on_an_inner_gradient
    max_of_everything argument_without_axes_written ravel_of_fortran_order squared_slope slope_made_inside
    slope_of_a_closure second_derivative_inside value_and_slope_inside descent_inside seed_inside several_gradients
    gradient_of_a_method_chain mahalanobis spectral_energy framed_picture saddle_point gradient_with_a_loop
    real_part_of_a_complex_sum jacobi_eigenvalues edit_distance_smooth logistic_lyapunov lists_as_arguments
    gradient_of_a_loop_left_early solutions_and_views_reshaped objects_made_of_a_list_and_an_array
    builtins_galore isinstance_checks match_class_patterns gaussian_process_by_cho_solve batch_norm_network
    factorisations_by_the_names_of_their_parts products_of_neighbours_in_a_list element_that_is_a_view overflowing
    not_positive_definite solves_lyapunov_by_doubling
""".split()


def some(turn: int) -> pytest.MarkDecorator:
    """One program in eight, and the others where there is time."""
    return pytest.mark.parametrize("program", [
        pytest.param(program, id=name, marks=marks(name, turn, 8)) for name, program in PROGRAMS.items()
    ])  # fmt: skip


def test_corpus_is_large():
    assert len(PROGRAMS) >= 150
    assert 40 <= len(CORE) <= 150


@EVERY
def test_program_runs_as_its_tags_tell_and_is_deterministic(program):
    args = complete(program, program.example())
    value = evaluate(program.fn, args)
    assert np.isfinite(value)
    assert evaluate(program.fn, complete(program, program.example())) == value
    assert program.wrt
    check_tags(program)


def check_tags(program):
    args, before = program.example(), program.example()
    result = program.fn(*args)
    wrote = any(not np.array_equal(a, b) for a, b in zip(args, before) if isinstance(a, np.ndarray))
    assert wrote == ("inplace" in program.tags)
    assert isinstance(result, tuple) == ("tuple" in program.tags)
    assert isinstance(result, np.ndarray) == ("array" in program.tags)


@some(0)
def test_references_agree(program):
    """Finite differences are converged, and agree with complex steps and with a derivative along a direction."""
    if program.name in NOT_SHIFTED:
        pytest.skip("the harness cannot shift its argument along a direction as it is")
    args = complete(program, program.example())
    analytic = program.name not in NOT_ANALYTIC and "complex" not in program.tags
    for position in program.positions():
        gradient, error = richardson(program.fn, args, position)
        assert error < 1e-9 * max(1.0, np.max(np.abs(gradient), initial=0.0))
        direction = np.cos(np.arange(np.size(gradient))).reshape(np.shape(gradient))
        along = directional(program.fn, args, position, direction)
        assert difference(np.sum(gradient * direction), along) < 1e-7
        try:
            exact = complex_step(program.fn, args, position)
        except Exception:
            continue
        assert not analytic or difference(exact, gradient) < 1e-8


@some(1)
def test_single_precision_is_good_enough(program):
    """The value hardly changes when the arguments are rounded, so that float32 gradients can be compared."""
    if "nof32" in program.tags:
        pytest.skip("too sensitive")
    args = complete(program, program.example(np.float32))
    double = [arg.astype(np.float64) if isinstance(arg, np.ndarray) and arg.dtype.kind == "f" else arg for arg in args]
    assert difference(evaluate(program.fn, args), evaluate(program.fn, double)) < 1e-4


@pytest.mark.parametrize(
    "program",
    [pytest.param(p, id=name, marks=[] if name in sorted(CORE)[::4] else pytest.mark.slow)
     for name, p in PROGRAMS.items() if "nojit" not in p.tags],
)  # fmt: skip
def test_program_runs_under_numba(program):
    alone, compiled = program.example(), program.example()
    value, jitted = program.fn(*alone), numba.njit(program.fn)(*compiled)
    assert difference(total(jitted), total(value)) < 1e-12
    for left, expected in zip(compiled, alone):
        if isinstance(expected, np.ndarray):
            assert difference(left, expected) < 1e-12
