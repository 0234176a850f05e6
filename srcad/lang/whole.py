"""Expressions that have parts."""

from __future__ import annotations

from typing import Any


class Whole:
    """What has parts. Its names and what is inside of it are asked for again and again, and kept.

    See `walk.names`, `walk.subexprs` and `contents.content_names`.
    """

    __slots__ = ("contents", "inside", "reads")
    contents: frozenset[str]
    inside: tuple[Any, ...]
    reads: frozenset[str]
