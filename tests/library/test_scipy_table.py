"""The page on SciPy says what there is."""

import pytest
import scipy

from tests.library.scipy_table import TABLES
from tests.pages import check_table

NEWEST = (1, 17)  # the SciPy of which the page tells
version = tuple(int(part) for part in scipy.__version__.split(".")[:2])


@pytest.mark.skipif(version != NEWEST, reason="the page tells of another version of SciPy")
@pytest.mark.parametrize("name", TABLES)
def test_table_is_true(name, request):
    check_table("scipy.md", name, TABLES[name](), request.config.getoption("--update"))
