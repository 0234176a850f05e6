"""The examples run, and find what they are meant to find."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

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


@pytest.mark.slow
def test_digits_in_full(capsys, tmp_path):
    digits = example("digits")
    digits.PICTURE = tmp_path / "digits.png"
    assert digits.main([]) >= 0.95
    assert digits.PICTURE.stat().st_size > 10_000
    assert "finite differences" in capsys.readouterr().out
