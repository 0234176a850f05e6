"""Expressions that have parts."""

from __future__ import annotations


class Whole:
    """What has parts. The names that it reads are asked for again and again, and kept: see `walk.names`."""

    __slots__ = ("reads",)
    reads: frozenset[str]
