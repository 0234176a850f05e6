"""Each test of the backends has a cache of its own and derivatives written by hand."""

import pytest

import srcad.derivation
from tests.backends.written import Writer


@pytest.fixture
def cache_dir(tmp_path, monkeypatch):
    path = tmp_path / "cache"
    monkeypatch.setenv("SRCAD_CACHE_DIR", str(path))
    return path


@pytest.fixture
def writer(cache_dir, monkeypatch):
    writer = Writer()
    monkeypatch.setattr(srcad.derivation, "generate", writer)
    return writer
