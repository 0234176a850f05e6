"""Laying out one logical line: marks in the text say where it may be broken.

`OPEN` and `CLOSE` enclose a group, whose continuation lines start in the column where it opened; `BREAK` is a
space or, in a group that does not fit, a new line; `PAREN` and `UNPAREN` become parentheses only if the line
must be broken. A string literal never contains these characters: `repr` escapes them.
"""

from __future__ import annotations

import re

OPEN, BREAK, CLOSE, PAREN, UNPAREN = "\x01", "\x02", "\x03", "\x04", "\x05"
WIDTH = 100
_ASSIGNS = re.compile(r" (?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)")

_FLAT = str.maketrans({OPEN: "", CLOSE: "", PAREN: "", UNPAREN: "", BREAK: " "})
_WRAP = str.maketrans({PAREN: "(" + OPEN, UNPAREN: CLOSE + ")"})


def flat(text: str) -> str:
    """The text on one line."""
    return text.translate(_FLAT)


def layout(text: str, indent: int) -> list[str]:
    """The physical lines of a logical line, broken where it is too long.

    >>> text = f"x = {PAREN}{OPEN}{'a' * 50}{BREAK}+ {'b' * 50}{CLOSE}{UNPAREN}"
    >>> print("\\n".join(layout(text, 0)))
    x = (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
         + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb)
    """
    line = " " * indent + flat(text)
    if len(line) <= WIDTH or BREAK not in text:
        return [line]
    lines = [" " * indent]
    _fill(_with_target_whole(_parse(text.translate(_WRAP))), lines, indent + 4, 0)
    return lines


def _with_target_whole(items: list) -> list:
    """The left side of an assignment is not broken, unless it is most of the line.

    >>> _with_target_whole(_parse(f"a[{OPEN}i,{BREAK}j{CLOSE}] = min({OPEN}x,{BREAK}y{CLOSE})"))
    ['a[i, j] =', ' min(', ['x,', '\\x02', 'y'], ')']
    """
    for position, item in enumerate(items):
        if isinstance(item, str) and (found := _ASSIGNS.search(item)):
            left = _flatten([*items[:position], item[: found.end()]])
            rest = [item[found.end() :], *items[position + 1 :]]
            return [left, *rest] if len(left) < WIDTH // 2 else items
    return items


def _parse(text: str) -> list:
    """The groups of a text as nested lists of strings, `BREAK` and lists."""
    stack: list[list] = [[]]
    start = 0
    for end, mark in enumerate(text):
        if mark not in (OPEN, BREAK, CLOSE):
            continue
        if start < end:
            stack[-1].append(text[start:end])
        start = end + 1
        if mark == OPEN:
            group: list = []
            stack[-1].append(group)
            stack.append(group)
        elif mark == CLOSE:
            stack.pop()
        else:
            stack[-1].append(BREAK)
    if start < len(text):
        stack[-1].append(text[start:])
    return stack[0]


def _width(item: str | list) -> int:
    return sum(map(_width, item)) if isinstance(item, list) else len(item)


def _flatten(item: str | list) -> str:
    return "".join(map(_flatten, item)) if isinstance(item, list) else item.replace(BREAK, " ")


def _chunks(group: list) -> list[list]:
    """The parts of a group between its own breaks."""
    parts: list[list] = [[]]
    for item in group:
        if item == BREAK:
            parts.append([])
        else:
            parts[-1].append(item)
    return parts


def _fill(group: list, lines: list[str], column: int, tail: int) -> None:
    """Append a group to the last line, breaking as late as possible; `tail` characters follow it."""
    chunks = _chunks(group)
    for number, chunk in enumerate(chunks):
        last = number == len(chunks) - 1
        room = WIDTH - (tail if last else 0)
        if number and len(lines[-1]) + 1 + _width(chunk) > room:
            lines.append(" " * column)
        elif number:
            lines[-1] += " "
        if len(lines[-1]) + _width(chunk) <= room:
            lines[-1] += _flatten(chunk)
        else:
            _break(chunk, lines, tail if last else 0)


def _break(chunk: list, lines: list[str], tail: int) -> None:
    """Append a chunk that does not fit: its groups are broken in turn."""
    for position, item in enumerate(chunk):
        if isinstance(item, list):
            _fill(item, lines, len(lines[-1]), tail + _width(chunk[position + 1:]))
        else:
            lines[-1] += item
