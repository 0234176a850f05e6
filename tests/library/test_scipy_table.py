"""The page on SciPy says what there is."""

from pathlib import Path

import pytest
import scipy

from tests.library.scipy_table import TABLES

PAGE = Path(__file__).parents[2] / "docs" / "scipy.md"
NEWEST = (1, 17)  # the SciPy of which the page tells
version = tuple(int(part) for part in scipy.__version__.split(".")[:2])


@pytest.mark.skipif(version != NEWEST, reason="the page tells of another version of SciPy")
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
