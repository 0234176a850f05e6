"""What Numba compiles in another way while generated source is compiled: for speed, or in a fraction of the time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from srcad.backends.broadcasts import by_products
from srcad.backends.copies import by_rows
from srcad.backends.huge_pages import huge_pages
from srcad.backends.outermost import outermost
from srcad.backends.short_messages import short_messages


@contextmanager
def compiled_instead() -> Iterator[None]:
    """All of these at once."""
    with short_messages(), by_products(), by_rows(), huge_pages(), outermost():
        yield
