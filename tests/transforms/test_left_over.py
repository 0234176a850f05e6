"""Time steps from a copy of the state: of the copy and of its cotangent no more is copied than the step leaves."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import Poisoned


def row_from_a_copy(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
    return np.sum(u**3)


def row_to_a_copy(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        new = u.copy()
        for i in range(2, u.shape[0] - 1):
            new[i] = u[i] * u[i - 2] + c * u[i + 1]
        u = new
    return np.sum(u**3)


def plane_from_a_copy(u0, c, steps):
    n, m = u0.shape
    u = u0.copy()
    for _ in range(steps):
        old = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                near = old[i - 1, j] + old[i + 1, j] + old[i, j - 1] + old[i, j + 1]
                u[i, j] = old[i, j] + c * (near - 4.0 * old[i, j]) + c * old[i, j] ** 2
    return np.sum(u**3)


def plane_to_a_copy(u0, c, steps):
    n, m = u0.shape
    u = u0.copy()
    for _ in range(steps):
        new = u.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                new[i, j] = u[i, j] + c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        u = new
    return np.sum(u**3)


def with_a_border_that_moves(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
        u[0] = u[-1] * old[0]
        u[-1] = c
    return np.sum(u**3)


def plane_in_place(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        middle = u[1:-1, 1:-1]
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * middle
        u[1:-1, 1:-1] = middle + c * near + c * middle**2
    return np.sum(u**3)


def plane_in_place_with_corners(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        middle = u[2:-1, 1:-2]
        near = u[:-3, 1:-2] + u[3:, :-3] + u[2:-1, :-3] + u[2:-1, 2:-1] + u[1:-2, 3:]
        u[2:-1, 1:-2] = np.sin(middle) - c * near
    return np.sum(u**3)


def plane_in_place_between_others(u0, c, steps):
    u = u0.copy()
    total = 0.0
    for t in range(steps):
        u[0] = u[1] * c
        u[:, -1] = u[:, -2]
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] = u[1:-1, 1:-1] ** 2 - c * near
        u[-1, 0] = u[0, 0] + u[-1, -1]
        total += u[-1, -1] * u[0, 1]
    return np.sum(u**3) + total


def plane_in_place_at_times(u0, c, steps):
    u = u0.copy()
    total = 0.0
    for t in range(steps):
        k = c * t
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] += k * near
        total += np.sum(u[1:-1, 1:-1])
    return np.sum(u**3) + total


def plane_in_place_seen_by_another_name(u0, c, steps):
    u = u0.copy()
    w = u[1:]
    for t in range(steps):
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        u[1:-1, 1:-1] = u[1:-1, 1:-1] ** 2 - c * near
    return np.sum(u**3) + np.sum(w**2)


def two_planes_in_place(u0, c, steps):
    u, v = u0.copy(), c * u0
    for _ in range(steps):
        near = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]
        far = v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]
        u_new = u[1:-1, 1:-1] * v[1:-1, 1:-1] + c * near
        v[1:-1, 1:-1] = u[1:-1, 1:-1] ** 2 - c * far
        u[1:-1, 1:-1] = u_new
    return np.sum(u**3) + np.sum(v * u)


def two_planes(u0, c, steps):
    n, m = u0.shape
    u, v = u0.copy(), c * u0
    for _ in range(steps):
        un, vn = u.copy(), v.copy()
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = un[i, j] + c * (un[i - 1, j] + un[i + 1, j] + un[i, j - 1] + un[i, j + 1]) * vn[i, j]
                v[i, j] = vn[i, j] + c * (vn[i - 1, j] + vn[i + 1, j] + vn[i, j - 1] + vn[i, j + 1]) * un[i, j]
    return np.sum(u**3) + np.sum(v * u)


def two_planes_that_change_places(u0, c, steps):
    n, m = u0.shape
    u, v = u0.copy(), c * u0
    total = 0.0
    for _ in range(steps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                v[i, j] = u[i, j] + c * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])
        u, v = v, u
        total += np.sum(v * u[0, 0])
    return np.sum(u**3) + np.sum(v) + total


def seen_by_another_name(u0, c, steps):
    u = u0.copy()
    rest = u[1:]
    for _ in range(steps):
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
    return np.sum(u**3) + np.sum(rest**2)


def with_the_last_copy(u0, c, steps):
    u = u0.copy()
    old = u
    for _ in range(steps):
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
    return np.sum(u**3) + np.sum(old * u)


def a_copy_that_changes(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
            old[i] = c
    return np.sum(u**3)


def half_of_it(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        new = u.copy()
        for i in range(1, u.shape[0] // 2):
            new[i] = u[i] * u[i - 1] + c
        u = new
    return np.sum(u**3)


def some_of_it(u0, c, steps):
    u = u0.copy()
    for _ in range(steps):
        new = u.copy()
        for i in range(1, u.shape[0] - 1):
            if u[i] > c:
                new[i] = u[i] * u[i - 1] + c * u[i + 1]
        u = new
    return np.sum(u**3)


def until_it_is_small(u0, c, steps):
    u = u0.copy()
    count = 0
    while count < steps and np.sum(u * u) < 1e9:
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
        count += 1
    return np.sum(u**3)


def what_the_caller_sees(u, c, steps):
    for _ in range(steps):
        old = u.copy()
        for i in range(1, u.shape[0] - 1):
            u[i] = old[i] - c * old[i] * (old[i + 1] - old[i - 1])
    return np.sum(u**3)


ROWS = [row_from_a_copy, row_to_a_copy, with_a_border_that_moves, seen_by_another_name, with_the_last_copy,
        a_copy_that_changes, half_of_it, some_of_it, until_it_is_small, what_the_caller_sees]  # fmt: skip
IN_PLACE = [plane_in_place, plane_in_place_with_corners, plane_in_place_between_others, plane_in_place_at_times,
            plane_in_place_seen_by_another_name, two_planes_in_place]  # fmt: skip
PLANES = [plane_from_a_copy, plane_to_a_copy, two_planes, two_planes_that_change_places, *IN_PLACE]
SHAPES = {**dict.fromkeys(ROWS, [(1,), (2,), (3,), (4,), (9,)]),
          **dict.fromkeys(PLANES, [(1, 1), (1, 4), (4, 1), (2, 2), (2, 5), (3, 3), (3, 7), (6, 5)])}  # fmt: skip

SHAPES[plane_in_place_between_others] = [(2, 2), (2, 5), (3, 3), (3, 7), (6, 5)]


def interpreted(program):
    """The text that is written for machine code, for the interpreter, with new arrays that are full of NaN."""
    made = srcad.value_and_grad(program, wrt=(0, 1))
    srcad.source(made, np.ones(SHAPES[program][0]), 0.3, 4)
    function = made.maker.latest.function
    function.__globals__["np"] = Poisoned("numpy")
    return function


@pytest.mark.parametrize("program", SHAPES, ids=lambda f: f.__name__)
def test_the_text_for_machine_code_gives_the_same(program):
    made = interpreted(program)
    plain = srcad.value_and_grad(program, wrt=(0, 1), target="python", optimize=False)
    for shape in SHAPES[program]:
        for steps in (0, 1, 4):
            u = np.random.default_rng(1).normal(size=shape)
            ours, theirs = u.copy(), u.copy()
            found, expected = made(ours, 0.3, steps), plain(theirs, 0.3, steps)
            np.testing.assert_allclose(found[0], expected[0], rtol=1e-11, err_msg=str((shape, steps)))
            for one, other in zip(found[1], expected[1]):
                np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-13, err_msg=str((shape, steps)))
            np.testing.assert_array_equal(ours, theirs)


def text(program, wrt=0):
    return srcad.source(srcad.value_and_grad(program, wrt=wrt), np.ones((6, 6)[: 1 + (program in PLANES)]), 0.3, 4)


def in_the_steps(program):
    """The text from the first loop of time steps on."""
    return text(program).split("in range(steps)", 1)[1]


@pytest.mark.parametrize("program", [row_from_a_copy, row_to_a_copy, plane_from_a_copy, plane_to_a_copy])
def test_a_step_and_its_reverse_copy_a_border_and_no_more(program):
    assert "np.copy" not in in_the_steps(program).replace("_edge = np.copy", "")
    assert "[:] =" not in text(program)


@pytest.mark.parametrize("program", [seen_by_another_name, with_the_last_copy, what_the_caller_sees, half_of_it])
def test_a_copy_that_somebody_needs_is_made(program):
    assert "np.copy" in in_the_steps(program) or "[:] =" in text(program)


@pytest.mark.parametrize("program", [plane_from_a_copy, plane_to_a_copy])
def test_a_stencil_reads_the_cotangent_itself(program):
    assert "wide" not in text(program)
    assert "_edge[0, j] += " in text(program)


@pytest.mark.parametrize("program", [plane_in_place, plane_in_place_seen_by_another_name, two_planes_in_place])
def test_a_cotangent_that_changes_in_place_has_a_second_array(program):
    """Its border stays where it is, and the two change places."""
    assert "wide" not in text(program)
    assert "u_bar, u_next_bar = u_next_bar, u_bar" in text(program)
    assert "_edge" in text(program)


@pytest.mark.parametrize("program", [plane_in_place_between_others, plane_in_place_at_times])
def test_a_cotangent_that_others_use_stays_one_array(program):
    assert "next_bar" not in text(program)


def test_a_border_that_each_step_reads_stays_where_it_is():
    assert "_edge" not in text(two_planes_that_change_places)
