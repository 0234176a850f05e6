"""Tests marked `slow` run under ``pytest --slow`` only; the cache of compiled derivatives is a fresh one."""

import os
import tempfile

import pytest

os.environ.setdefault("SRCAD_CACHE_DIR", tempfile.mkdtemp(prefix="srcad-tests-"))


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true", help="run the slow tests, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes long; runs under --slow only")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--slow") or os.environ.get("SRCAD_SLOW"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [item for item in items if not item.get_closest_marker("slow")]
