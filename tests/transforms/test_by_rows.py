"""Two arrays that change places: their states in rows of the record, their cotangents assigned and not cleared."""

import numpy as np
import pytest

import srcad
from srcad.testing import check_grads
from tests.forms_of_derivatives import derivative
from tests.transforms import stencils
from tests.transforms.stencils import STENCILS

U = np.sin(np.linspace(0.0, 5.0, 7)) + 0.1 * np.cos(np.arange(7.0))


def gradients(function, form, *args):
    """The value and the gradients, or the error of the function itself."""
    try:
        return derivative(function, ("u0", "a"), form)(*(np.copy(a) if np.ndim(a) else a for a in args))
    except (IndexError, ValueError) as error:
        return type(error)


@pytest.mark.parametrize("function", STENCILS, ids=lambda f: f.__name__)
def test_the_text_for_machine_code_gives_what_the_literal_adjoint_gives(function):
    for length, steps in ((7, 3), (7, 0), (5, 1), (3, 4), (2, 3), (1, 2), (4, 2)):
        found, expected = (gradients(function, form, U[:length], 0.3, steps) for form in ("machine text", "plain"))
        assert isinstance(found, tuple) == isinstance(expected, tuple)
        for one, other in zip(*(flat(x) for x in (found, expected))):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-12)


def flat(result):
    return [result[0], *result[1]] if isinstance(result, tuple) else []


@pytest.mark.parametrize("function", STENCILS, ids=lambda f: f.__name__)
def test_the_literal_adjoint_agrees_with_finite_differences(function):
    check_grads(lambda u0, a: function(u0, a, 3), (U.copy(), 0.3), order=1, target="python")


NOT_IN_ROWS = """waves changed_where_it_is both_read_in_the_end changing_places_at_times
    seen_step_by_step two_fields shallow_water an_argument_as_state border_in_slices known_by_another_name""".split()


@pytest.mark.parametrize("function", STENCILS, ids=lambda f: f.__name__)
def test_states_live_in_rows_of_the_record(function):
    text = srcad.source(srcad.grad(function), U, 0.3, 3)
    assert ("_tape[t + 1]\n" in text.split("u_bar")[0]) == (function.__name__ not in NOT_IN_ROWS)


@pytest.mark.parametrize("name", ("points_at_the_ends", "border_left_alone", "border_of_copies"))
def test_cotangents_that_change_places_are_not_cleared(name):
    text = srcad.source(srcad.grad(getattr(stencils, name)), U, 0.3, 3)
    assert "_bar[i] = 0.0" not in text
    assert "_bar[i, j] = 0.0" not in text


@pytest.mark.parametrize("function", (stencils.two_fields, stencils.shallow_water))
def test_neighbours_are_gathered_where_an_element_is_added_to_twice(function):
    text = srcad.source(srcad.grad(function), U, 0.3, 3)
    assert text.count("_bar_carried = ") == 4
