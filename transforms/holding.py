"""Elements of arrays that an iteration holds as numbers; part of `elementwise`."""

from __future__ import annotations

from collections import Counter

from srcad.analysis.regions import Region
from srcad.transforms.lines import STORE, Line
from srcad.transforms.passing import Facts


def same(region: Region) -> tuple:
    """What two regions have in common that are the same elements."""
    return region.root.name, tuple((axis.start, axis.along, axis.around) for axis in region.axes)


def held(lines: list[Line], facts: Facts) -> list[tuple]:
    """The elements that an iteration reads and writes, or writes twice, and no other element of the same array."""
    touched = [(region, False) for line in lines for region in line.reads]
    touched += [(line.place, True) for line in lines if line.place is not None]
    stored = {same(line.place) for line in lines if line.place is not None and line.kind == STORE}
    read = {same(region) for region, writes in touched if not writes}
    counts = Counter(same(region) for region, _ in touched)
    rolls = any(line.rolls() for line in lines)  # sums over neighbours that nobody gathers
    found: dict[tuple, None] = {}
    for region, writes in touched:
        key = same(region)
        if not writes or key in found or counts[key] < 2 or not (key in stored | read or rolls):
            continue
        near = [r for r, _ in touched if same(r) != key and facts.may_share(r.root.name, region.root.name)]
        whole = len([axis for axis in region.axes if axis.along is not None]) == len(lines[0].shape)
        if whole and all(r.root.name == region.root.name and region.apart(r) for r in near):
            found[key] = None
    return list(found)
