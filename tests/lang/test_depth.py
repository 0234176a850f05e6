"""Functions whose expressions or branches are nested deeply."""

from __future__ import annotations

import importlib.util
import math

import pytest

import srcad
from srcad.transforms.known import Known


@pytest.fixture
def define(tmp_path):
    def make(*lines):
        path = tmp_path / "deep.py"
        path.write_text("import math\n\n\ndef f(x):\n" + "".join(f"    {line}\n" for line in lines))
        spec = importlib.util.spec_from_file_location("deep", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.f

    return make


def test_a_sum_of_very_many_terms(define):
    f = define(f"return {' + '.join(f'math.sin({k}.0 * x)' for k in range(500))}")
    expected = sum(k * math.cos(k * 0.1) for k in range(500))
    assert srcad.grad(f, target="python")(0.1) == pytest.approx(expected)


def test_what_is_asked_of_long_sums_grows_with_their_length(define, monkeypatch):
    """Once a term, not once a term for each sum that it is part of."""
    asked, result_of = [], Known.result_of
    monkeypatch.setattr(Known, "result_of", lambda self, *args: asked.append(1) or result_of(self, *args))
    counts = []
    for terms in (40, 80):
        srcad.grad(define(f"return {' + '.join(f'math.sin({k}.0 * x)' for k in range(terms))}"), target="python")(0.1)
        counts.append(len(asked))
    assert counts[1] - counts[0] < 3 * counts[0]


def test_errors_keep_their_place_at_any_depth(define):
    f = define(f"return {' + '.join(['math.sin(x)'] * 700)} + nothing(x)")
    with pytest.raises(srcad.UnsupportedError, match="nothing"):
        srcad.grad(f, target="python")(0.1)


def test_more_levels_than_python_reads_are_refused(define):
    returns = [line for k in range(120) for line in (f"if x > {k}.0:", "    return x * x", "x = math.sin(x)")]
    with pytest.raises(srcad.UnsupportedError, match="early returns") as caught:
        srcad.grad(define(*returns, "return x"), target="python")(0.1)
    assert caught.value.text.strip().startswith(("if", "return"))
