"""The generated source of the programs that the documentation shows, byte for byte.

``SRCAD_UPDATE_GOLDENS=1 pytest tests/test_goldens.py`` writes them anew: read the change before committing it.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import srcad
from tests.golden import programs

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("case", programs.CASES, ids=lambda case: case.id)
def test_generated_source_is_golden(case):
    text = case.generate()
    path = GOLDEN / f"{case.id}.py"
    if os.environ.get("SRCAD_UPDATE_GOLDENS"):
        path.write_text(text)
    assert text == path.read_text()


@pytest.mark.parametrize("case", programs.CASES, ids=lambda case: case.id)
def test_generating_twice_gives_the_same_bytes(case):
    assert case.generate() == case.generate()


def _lines(name: str) -> str:
    return (GOLDEN / f"{name}.py").read_text()


def test_independent_iterations_need_no_tape():
    text = _lines("loss_value_and_grad")
    assert "tape" not in text
    assert text.count("for i in range") == 1


def test_a_recurrence_records_one_value_an_iteration():
    text = _lines("logistic_map_grad")
    assert text.count("np.empty(") == 1
    assert text.count("x_tape[") == 2


def test_time_stepping_records_a_row_a_step():
    text = _lines("burgers_grad")
    assert text.count("np.empty(") == 1
    assert "v = u_tape[t + 1]" in text
    assert "v_bar[i] = 0.0" not in text
    assert "u_bar, v_bar = v_bar, u_bar" in text


def test_worked_examples_are_right():
    rng = np.random.default_rng(0)
    r, x0, h = 3.1, 0.3, 1e-6
    grads = srcad.grad(programs.logistic_map, wrt=("r", "x0"), target="python")(r, x0, 10)
    f = programs.logistic_map
    numeric = ((f(r + h, x0, 10) - f(r - h, x0, 10)) / (2 * h), (f(r, x0 + h, 10) - f(r, x0 - h, 10)) / (2 * h))
    np.testing.assert_allclose(grads, numeric, rtol=1e-6)
    u = rng.normal(size=8)
    direction = rng.normal(size=8)
    args = (0.1, 0.01, 0.1, 5)
    slope = (programs.burgers(u + h * direction, *args) - programs.burgers(u - h * direction, *args)) / (2 * h)
    np.testing.assert_allclose(srcad.grad(programs.burgers, target="python")(u, *args) @ direction, slope, rtol=1e-6)
