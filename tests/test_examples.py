"""The examples run, and find what they are meant to find."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_kepler(capsys):
    kepler = example("kepler")
    elements = kepler.main(["--observations", "60"])
    assert elements["e"] == pytest.approx(kepler.S2["e"], abs=0.005)
    printed = capsys.readouterr().out
    assert "def loss_value_and_grad(" in printed and "while " in printed


def test_digits(capsys):
    accuracy = example("digits").main(["--iterations", "60", "--quick"])
    assert accuracy >= 0.95
    assert "def loss_value_and_grad(" in capsys.readouterr().out


def test_regression_by_tape(capsys):
    regression = example("regression_by_tape")
    m, b, slope, intercept = regression.main([])
    assert m == pytest.approx(slope, abs=1e-12) and b == pytest.approx(intercept, abs=1e-12)
    x, y = regression.points(200)
    assert np.polyfit(x, y, 1) == pytest.approx([m, b], abs=1e-9)
    printed = capsys.readouterr().out
    assert "def step(x, y, m, b):" in printed and "m -= 0.05 * m_bar" in printed


def test_natural_gradient(capsys):
    seeded, exact, elementwise = example("natural_gradient").main()
    for ours, full, wrong in zip(seeded, exact, elementwise):
        assert np.allclose(ours, full, rtol=1e-12) and not np.allclose(wrong, full, rtol=0.1)
    assert "def product(eta1, eta2, dmu, ds):" in capsys.readouterr().out


@pytest.mark.slow
def test_digits_in_full(capsys, tmp_path):
    digits = example("digits")
    digits.PICTURE = tmp_path / "digits.png"
    assert digits.main([]) >= 0.95
    assert digits.PICTURE.stat().st_size > 10_000
    assert "finite differences" in capsys.readouterr().out
