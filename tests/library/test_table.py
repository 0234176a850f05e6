"""The page on NumPy says what there is, of every function of NumPy."""

from pathlib import Path

import numpy as np
import pytest

from srcad.rules.parse import Branch, Cotangent, Loop, Refusal, Tangent
from tests.library.table import TABLES, functions, rule_of, unaccounted

PAGE = Path(__file__).parents[2] / "docs" / "numpy.md"
NEWEST = (2, 4)  # the NumPy of which the page tells
version = tuple(int(part) for part in np.__version__.split(".")[:2])
of_this_numpy = pytest.mark.skipif(version != NEWEST, reason="the page tells of another version of NumPy")


@of_this_numpy
@pytest.mark.parametrize("name", TABLES)
def test_table_is_true(name, request):
    start, end = f"<!-- table: {name} -->\n", "\n<!-- end -->"
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(start)
    shown, after = rest.split(end, 1)
    made = f"\n{TABLES[name]()}\n"
    if request.config.getoption("--update"):
        PAGE.write_text(before + start + made + end + after, encoding="utf-8")
    else:
        assert shown == made, "run this test with --update"


@of_this_numpy
def test_every_function_is_accounted_for():
    assert not unaccounted()


def statements(body):
    for stmt in body:
        yield type(stmt)
        if isinstance(stmt, Branch):
            yield from statements(stmt.then)
            yield from statements(stmt.orelse)
        elif isinstance(stmt, Loop):
            yield from statements(stmt.body)


def test_every_rule_has_both_modes():
    for name, function in functions().items():
        rule = rule_of(function)
        if rule is not None and not rule.zero:
            found = set(statements(rule.body))
            assert {Tangent, Cotangent} <= found or Refusal in found, name
