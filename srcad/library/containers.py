"""`collections.deque`, written as a user would write it: a list, and where it begins."""

from __future__ import annotations

import collections


class Deque:
    """`collections.deque`: a list, and where it begins."""

    called = "a deque"
    stands_for = collections.deque

    def __init__(self, iterable=(), maxlen=None):
        self.items = list(iterable)
        self.first = 0 if maxlen is None else max(0, len(self.items) - maxlen)
        self.maxlen = maxlen

    def append(self, value):
        self.items.append(value)
        if self.maxlen is not None and len(self.items) - self.first > self.maxlen:
            self.first += 1

    def appendleft(self, value):
        if self.first > 0:
            self.first -= 1
            self.items[self.first] = value
        else:
            self.items.insert(0, value)
        if self.maxlen is not None and len(self.items) - self.first > self.maxlen:
            self.items.pop()

    def extend(self, iterable):
        for value in iterable:
            self.append(value)

    def extendleft(self, iterable):
        for value in iterable:
            self.appendleft(value)

    def pop(self):
        if len(self.items) == self.first:
            raise IndexError("pop from an empty deque")
        return self.items.pop()

    def popleft(self):
        if len(self.items) == self.first:
            raise IndexError("pop from an empty deque")
        self.first += 1
        return self.items[self.first - 1]

    def rotate(self, n=1):
        for _ in range(n):
            self.appendleft(self.pop())
        for _ in range(-n):
            self.append(self.popleft())

    def clear(self):
        self.first = len(self.items)

    def copy(self):
        return Deque(self.listed(), self.maxlen)

    def listed(self):
        return self.items[self.first :]

    def __len__(self):
        return len(self.items) - self.first

    def __getitem__(self, k):
        return self.items[self.first + k] if k >= 0 else self.items[k]
