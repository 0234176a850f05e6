"""`collections.Counter`, written as a user would write it."""

from __future__ import annotations

import collections

from srcad.library.tables import Table


class Counts(Table):
    """`collections.Counter`"""

    called = "a Counter"
    stands_for = collections.Counter

    def __init__(self, iterable=()):
        self.known = []
        self.held = []
        self.update(iterable)

    def update(self, iterable):
        if isinstance(iterable, (dict, Table)):
            for key, count in iterable.items():
                self[key] += count
        else:
            for key in iterable:
                self[key] += 1

    def subtract(self, iterable):
        if isinstance(iterable, (dict, Table)):
            for key, count in iterable.items():
                self[key] -= count
        else:
            for key in iterable:
                self[key] -= 1

    def __getitem__(self, key):
        k = self.place(key)
        return 0 if k < 0 else self.held[k]

    def __delitem__(self, key):
        if self.place(key) >= 0:
            self.pop(key)

    def copy(self):
        return Counts(self)

    def __add__(self, other):
        result = self.copy()
        result += other
        return result

    def __sub__(self, other):
        result = self.copy()
        result -= other
        return result

    def __or__(self, other):
        result = self.copy()
        result |= other
        return result

    def __iadd__(self, other):
        self.update(other)
        self.keep_positive()
        return self

    def __isub__(self, other):
        self.subtract(other)
        self.keep_positive()
        return self

    def __ior__(self, other):
        for key, count in other.items():
            if count > self[key]:
                self[key] = count
        self.keep_positive()
        return self

    def keep_positive(self):
        k = 0
        while k < len(self.known):
            if self.held[k] > 0:
                k += 1
            else:
                self.known.pop(k)
                self.held.pop(k)

    def total(self):
        return sum(self.held)

    def most_common(self, n=None):
        pairs = sorted(self.pairs(), key=lambda pair: -pair[1])
        return pairs if n is None else pairs[: max(n, 0)]
