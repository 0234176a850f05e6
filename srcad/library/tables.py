"""Dicts with computed keys, written as a user would write them: lists of keys and of values."""

from __future__ import annotations

import collections
from collections.abc import ItemsView, ValuesView

from srcad.library.rows import Rows


class Keyed:
    """What has a list of different values."""

    def place(self, key):
        for k in range(len(self.known)):
            if self.known[k] == key:
                return k
        return -1

    def __contains__(self, key):
        return self.place(key) >= 0

    def listed(self):
        return self.known

    def keys(self):
        return self.known

    def __len__(self):
        return len(self.known)


class Table(Keyed):
    """A dict whose keys are computed: a list of them, and one of what belongs to them."""

    called = "a dict with computed keys"
    stands_for: type = dict

    def __init__(self):
        self.known = []
        self.held = []

    def __getitem__(self, key):
        k = self.place(key)
        if k < 0:
            raise KeyError(key)
        return self.held[k]

    def __setitem__(self, key, value):
        self.put(key, value)

    def put(self, key, value):
        k = self.place(key)
        if k < 0:
            self.known.append(key)
            self.held.append(value)
        else:
            self.held[k] = value

    def get(self, key, default=None):
        k = self.place(key)
        return default if k < 0 else self.held[k]

    def setdefault(self, key, default):
        if self.place(key) < 0:
            self[key] = default
        return self[key]

    def pop(self, key):
        k = self.place(key)
        if k < 0:
            raise KeyError(key)
        self.known.pop(k)
        return self.held.pop(k)

    def update(self, other):
        for key, value in other.items():
            self[key] = value

    def __ior__(self, other):
        self.update(other)
        return self

    def __or__(self, other):
        result = self.copy()
        result.update(other)
        return result

    def copy(self):
        result = Table()
        result.update(self)
        return result

    def __delitem__(self, key):
        self.pop(key)

    def values(self):
        return self.held

    def items(self):
        return self.pairs()

    def pairs(self):
        pairs = []
        for k in range(len(self.known)):
            pairs.append((self.known[k], self.held[k]))
        return pairs

    def clear(self):
        self.known.clear()
        self.held.clear()


class DefaultTable(Table):
    """`collections.defaultdict` of numbers and arrays."""

    called = "a defaultdict"
    stands_for = collections.defaultdict

    def __init__(self, default_factory):
        self.known = []
        self.held = []
        self.default_factory = default_factory

    def __getitem__(self, key):
        if self.place(key) < 0:
            self.known.append(key)
            self.held.append(self.default_factory())
        return self.held[self.place(key)]

    def copy(self):
        result = DefaultTable(self.default_factory)
        result.update(self)
        return result


class Groups(Keyed):
    """A dict of lists: a list of keys, and one of the lists, which its names and other lists may hold, too."""

    called = "a dict of lists"
    stands_for: type = dict

    def __init__(self, lists=None):
        self.known = []
        self.lists = Rows() if lists is None else lists

    def __getitem__(self, key):
        k = self.place(key)
        if k < 0:
            raise KeyError(key)
        return self.lists[k]

    def __setitem__(self, key, values):
        k = self.place(key)
        if k < 0:
            self.known.append(key)
            self.lists.append(values)
        else:
            self.lists[k] = values

    def setdefault(self, key, default):
        if self.place(key) < 0:
            self[key] = default
        return self[key]

    def get(self, key, default):
        k = self.place(key)
        return self.lists.one_of(k, default)

    def pop(self, key):
        k = self.place(key)
        if k < 0:
            raise KeyError(key)
        self.known.pop(k)
        return self.lists.pop(k)

    def __delitem__(self, key):
        self.pop(key)

    def update(self, other):
        for key, values in other.items():
            self[key] = values

    def copy(self):
        result = Groups(self.lists.copy())
        for key in self.known:
            result.known.append(key)
        return result

    def clear(self):
        self.known.clear()
        self.lists.clear()

    def values(self):
        return GroupValues(self)

    def items(self):
        return GroupItems(self)


class GroupValues:
    """The lists of a `Groups`, one after the other."""

    called = "the lists in a dict"
    stands_for: type = ValuesView

    def __init__(self, groups):
        self.groups = groups

    def __len__(self):
        return len(self.groups.known)

    def __getitem__(self, k):
        return self.groups.lists[k]

    def listed(self):
        return self.groups.lists.copy()


class GroupItems(GroupValues):
    """The keys of a `Groups`, with their lists."""

    called = "the keys and lists of a dict"
    stands_for = ItemsView

    def __getitem__(self, k):
        return self.groups.known[k], self.groups.lists[k]


class DefaultGroups(Groups):
    """``collections.defaultdict(list)``"""

    called = "a defaultdict"
    stands_for = collections.defaultdict

    def __getitem__(self, key):
        if self.place(key) < 0:
            self[key] = []
        return self.lists[self.place(key)]


def items_keys(pairs):
    """What a loop over ``d.items()`` counts through: of a dict its keys."""
    return pairs.keys() if isinstance(pairs, dict) else pairs.items()


def items_item(pairs, key):
    return (key, pairs[key]) if isinstance(pairs, dict) else key


def values_keys(values):
    """What a loop over ``d.values()`` counts through: of a dict its keys."""
    return values.keys() if isinstance(values, dict) else values.values()


def values_item(values, key):
    return values[key] if isinstance(values, dict) else key


IN_TURN = (items_keys, items_item, values_keys, values_item)
