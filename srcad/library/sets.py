"""Sets, written as a user would write them: a list of different values."""

from __future__ import annotations

from srcad.library.containers import Deque
from srcad.library.arrays import Arrays, Elements
from srcad.library.counts import Counts
from srcad.library.row_store import Store
from srcad.library.rows import Row, Rows
from srcad.library.tables import (
    DefaultGroups, DefaultTable, GroupItems, Groups, GroupValues, Keyed, Table,
)  # fmt: skip


class Members(Keyed):
    """A set of numbers, or of tuples of them, of which only methods here use the order."""

    called = "a set"
    stands_for = set

    def __init__(self, iterable=()):
        self.known = []
        for value in iterable:
            self.add(value)

    def add(self, value):
        if value not in self:
            self.known.append(value)

    def discard(self, value):
        k = self.place(value)
        if k >= 0:
            self.known.pop(k)

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def update(self, iterable):
        for value in iterable:
            self.add(value)

    def clear(self):
        self.known.clear()

    def copy(self):
        return Members(self.known)

    def union(self, other):
        result = Members(self.known)
        result.update(other)
        return result

    def intersection(self, other):
        result = Members()
        for value in self.known:
            if value in other:
                result.known.append(value)
        return result

    def difference(self, other):
        result = Members()
        for value in self.known:
            if value not in other:
                result.known.append(value)
        return result

    def issubset(self, other):
        return all(value in other for value in self.known)

    def issuperset(self, other):
        return all(value in self for value in other)

    def __or__(self, other):
        return self.union(other)

    def __and__(self, other):
        return self.intersection(other)

    def __sub__(self, other):
        return self.difference(other)

    def __ior__(self, other):
        self.update(other)
        return self

    def __isub__(self, other):
        for value in other:
            self.discard(value)
        return self

    def __eq__(self, other):
        return len(self) == len(other) and self.issubset(other)

    def __le__(self, other):
        return self.issubset(other)

    def __ge__(self, other):
        return self.issuperset(other)


CONTAINERS = (Deque, Table, DefaultTable, Counts, Groups, DefaultGroups, Members, Store, Row, Rows,
              Elements, Arrays, GroupValues, GroupItems)  # fmt: skip
