"""A pass that fails costs time, not the derivative, and the user is told of it; refusals stay refusals."""

import numpy as np
import pytest

import srcad
from srcad import pipeline
from srcad.lang.dispensable import PassLeftOut, dispensable

X = np.linspace(0.5, 1.5, 6).reshape(3, 2)


def squares(x):
    y = np.sin(x) * x
    return np.sum(np.sum(y * y, axis=1) ** 2)


def failing(*_):
    return {}["no such key"]


@pytest.fixture(autouse=True)
def nothing_written_before(monkeypatch, tmp_path):
    monkeypatch.setenv("SRCAD_CACHE_DIR", str(tmp_path))


@pytest.mark.parametrize("stage", ["rows", "elementwise", "fold again"])
def test_without_the_pass(stage, monkeypatch):
    others = [(name, failing if name == stage else made) for name, made in pipeline.LOOPS]
    monkeypatch.setattr(pipeline, "LOOPS", others)
    with pytest.warns(PassLeftOut, match=f"'{stage}' has failed \\(KeyError: 'no such key'\\)"):
        text = srcad.source(srcad.grad(squares), X)
    assert "squares_grad" in text


def test_machine_code_without_blocks(monkeypatch):
    monkeypatch.setattr(pipeline, "for_machines", failing)
    with pytest.warns(PassLeftOut, match="'blocks' has failed"):
        text = srcad.source(srcad.grad(squares), 2.0 * X, stage="blocks")
    assert "_block" not in text


def test_refusals_are_none_of_that():
    def refusing(_):
        raise srcad.SrcadError("no")

    with pytest.raises(srcad.SrcadError, match="no"):
        dispensable("refusing", refusing, lambda fn: fn)(None)
