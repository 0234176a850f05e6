"""What `explain` has found: for programs in attributes, for people as a text."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from srcad.stories import Name

WIDTH = 98


@dataclass(frozen=True)
class Recorded:
    """Something that is kept for the reverse sweep."""

    name: str
    """Its name in the generated source."""
    source: str
    """The name of the user's whose values it holds."""
    line: int
    """The line of the loop, or of the statement, that records."""
    why: str
    formula: str
    """Its size in bytes."""
    bytes: int | None
    """The same for the given arguments."""
    readers: tuple[int, ...]
    """The lines whose derivatives read it."""


@dataclass(frozen=True)
class Replayed:
    """A line that is computed again in the reverse sweep."""

    line: int
    text: str
    loop: int
    """The line of the loop in whose reverse it is computed again."""
    whole: bool
    """Whether the statement as a whole is computed again, or only parts of its right side."""


@dataclass(frozen=True)
class Loop:
    """A loop of the user's, and how it is reversed."""

    line: int
    text: str
    joined: bool
    """Whether each iteration is followed by its reverse at once, so that there is one loop."""
    why: str
    """Why it is not."""
    reversed: bool = True
    """Whether it has a reverse at all: a derivative goes through it."""
    blocked: bool = False
    """Whether its iterations go side by side in machine code."""


@dataclass(frozen=True)
class Explanation:
    """What `explain` has found; it prints as a text."""

    head: str
    gradients: dict[str, str]
    """For each parameter asked for: empty, or why its gradient is None."""
    names: dict[str, Name]
    records: tuple[Recorded, ...]
    replayed: tuple[Replayed, ...]
    loops: tuple[Loop, ...]
    roots: dict[int, str]
    """Of the lines of loops that find roots by comparisons alone, what to write instead."""
    threads: dict[str, str] | None = None
    """With `parallel`, for each loop: empty, or why threads do not share its iterations."""

    @property
    def bytes(self) -> int | None:
        """How much is recorded, for the given arguments."""
        sizes = [record.bytes for record in self.records]
        return None if any(s is None for s in sizes) else sum(s for s in sizes if s is not None)

    @property
    def formula(self) -> str:
        """How much is recorded at most, in terms of trip counts and shapes."""
        return " + ".join(record.formula for record in self.records) or "0"

    def __str__(self) -> str:
        return "\n".join(_text(self))

    __repr__ = __str__


@dataclass(frozen=True)
class Story:
    """What `explain` has found about one name; it prints as a text."""

    facts: Name
    gradient: str
    """Whether its gradient is returned, and if it is None, why."""
    records: tuple[Recorded, ...]
    lines: dict[int, str]
    """The lines that give it a value or read it."""

    def __str__(self) -> str:
        facts = self.facts
        kind = f" ({facts.type})" if facts.type else ""
        said = f"{facts.name}{kind} carries a derivative" if facts.active else f"{facts.name}{kind}: {facts.why}"
        lines = textwrap.wrap(said, WIDTH, subsequent_indent="    ")
        lines += [self.gradient] if self.gradient else []
        lines += [f"    {number:4}  {text}"[:WIDTH] for number, text in sorted(self.lines.items())]
        lines += [line for record in self.records for line in _record(record)]
        return "\n".join(lines)

    __repr__ = __str__


# ---------------------------------------------------------------- as a text


def _text(found: Explanation) -> list[str]:
    lines = textwrap.wrap(found.head, WIDTH, subsequent_indent="    ")
    width = max(map(len, [*found.names, *found.gradients]), default=0)
    lines.append("gradients")
    for name, why in found.gradients.items():
        lines += _entry(name, width, f"None: {why}" if why else "is returned")
    lines.append("names")
    for facts in found.names.values():
        lines += _entry(facts.name, width, "carries a derivative" if facts.active else facts.why)
    if found.records:
        total = f": {found.bytes} bytes" if found.bytes is not None else ""
        lines.append(f"recorded{total}")
        if len(found.records) > 1:
            lines += _entry("at most", 0, f"{found.formula} bytes")
        lines += [line for record in found.records for line in _record(record)]
    else:
        lines.append("nothing is recorded")
    if found.replayed:
        lines.append("computed again in the reverse sweep")
        width = max(len(f"line {replay.line}") for replay in found.replayed)
        for replay in found.replayed:
            lines += _entry(f"line {replay.line}", width, replay.text if replay.whole else f"parts of {replay.text}")
    if found.loops:
        lines.append("loops")
        width = max(len(f"line {loop.line}") for loop in found.loops)
        for loop in found.loops:
            lines += _entry(f"line {loop.line}", width, loop.text)
            lines += _entry("", width, _fate(loop))
    if found.roots:
        lines.append("roots that comparisons alone find, which have no derivative")
        width = max(len(f"line {line}") for line in found.roots)
        for line, remedy in found.roots.items():
            lines += _entry(f"line {line}", width, f"instead: {remedy}")
    return lines if found.threads is None else lines + _threads(found.threads)


def _threads(loops: dict[str, str]) -> list[str]:
    width = max(map(len, loops), default=0)
    head = "threads" if "" in loops.values() else "threads: none, since there is no loop that they can share"
    return [head, *(line for label, why in loops.items()
                    for line in _entry(label, width, f"not shared: {why}" if why else "shared"))]  # fmt: skip


def _fate(loop: Loop) -> str:
    if not loop.reversed:
        return "not reversed: no derivative goes through it"
    said = "one loop with its reverse" if loop.joined else f"reversed by a loop of its own: {loop.why}"
    return f"{said}; in blocks of iterations side by side" if loop.blocked else said


def _record(record: Recorded) -> list[str]:
    number = "" if record.bytes is None else f", {record.bytes}"
    read = ""
    if record.readers:
        several = "s" if len(record.readers) > 1 else ""
        read = f", read by the derivative{several} of line{several} {', '.join(map(str, record.readers))}"
    said = f"{record.formula} bytes{number}: {record.source} at line {record.line} ({record.why}){read}"
    return _entry(record.name, 0, said)


def _entry(label: str, width: int, said: str) -> list[str]:
    label = f"  {label.ljust(width)}  "
    return textwrap.wrap(said, WIDTH, initial_indent=label, subsequent_indent=" " * len(label)) or [label.rstrip()]
