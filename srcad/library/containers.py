"""Dicts with computed keys, sets, and classes of `collections`, written as a user would write them, in lists."""

from __future__ import annotations


class Deque:
    """`collections.deque`: a list, and where it begins."""

    called = "a deque"

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

    def get(self, key, default):
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
        return [(key, value) for key, value in zip(self.known, self.held)]

    def clear(self):
        self.known.clear()
        self.held.clear()


class DefaultTable(Table):
    """`collections.defaultdict` of numbers and arrays; what belongs to names stands in a dict."""

    called = "a defaultdict"

    def __init__(self, default_factory):
        self.known = []
        self.held = []
        self.named = {}
        self.default_factory = default_factory

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self.named:
                self.named[key] = self.default_factory()
            return self.named[key]
        if self.place(key) < 0:
            self.known.append(key)
            self.held.append(self.default_factory())
        return self.held[self.place(key)]

    def __setitem__(self, key, value):
        if isinstance(key, str):
            self.named[key] = value
        else:
            self.put(key, value)

    def __contains__(self, key):
        return key in self.named if isinstance(key, str) else self.place(key) >= 0

    def keys(self):
        return list(self.named.keys()) if self.named else self.known

    def values(self):
        return list(self.named.values()) if self.named else self.held

    def items(self):
        return list(self.named.items()) if self.named else self.pairs()

    def listed(self):
        return self.keys()

    def __len__(self):
        return len(self.named) + len(self.known)


class Counts(Table):
    """`collections.Counter`"""

    called = "a Counter"

    def __init__(self, iterable=()):
        self.known = []
        self.held = []
        self.update(iterable)

    def update(self, iterable):
        for key in iterable:
            self[key] += 1

    def __getitem__(self, key):
        k = self.place(key)
        return 0 if k < 0 else self.held[k]


class Part:
    """The elements of a `Groups` that belong to a key."""

    called = "a list in a dict, or a default,"

    def __init__(self, groups, key):
        self.groups = groups
        self.key = key

    def listed(self):
        number = self.groups.place(self.key)
        return [value for value, owner in zip(self.groups.members, self.groups.owners) if owner == number]

    def __len__(self):
        return len(self.listed())

    def __getitem__(self, k):
        return self.listed()[k]


class Group(Part):
    """A list that belongs to a key of a `Groups`."""

    called = "a list in a dict"

    def append(self, value):
        number = self.groups.place(self.key)
        self.groups.members.append(value)
        self.groups.owners.append(number)

    def extend(self, iterable):
        for value in iterable:
            self.append(value)


class Groups(Keyed):
    """A dict of lists: the elements of all of them, and at which of the keys each stands."""

    called = "a dict of lists"

    def __init__(self):
        self.known = []
        self.members = []
        self.owners = []

    def __getitem__(self, key):
        if self.place(key) < 0:
            raise KeyError(key)
        return Group(self, key)

    def __setitem__(self, key, values):
        number = self.place(key)
        if number < 0:
            self.known.append(key)
        else:
            for k in range(len(self.owners)):
                if self.owners[k] == number:
                    self.owners[k] = -2
        self[key].extend(values)

    def setdefault(self, key, default):
        if self.place(key) < 0:
            self[key] = default
        return Group(self, key)

    def get(self, key, default):
        if len(default) > 0:
            raise NotImplementedError("get() of a dict of lists with a default that is not empty")
        return Part(self, key)


class DefaultGroups(Groups):
    """``collections.defaultdict(list)``"""

    called = "a defaultdict"

    def __getitem__(self, key):
        if self.place(key) < 0:
            self.known.append(key)
        return Group(self, key)


class Members(Keyed):
    """A set of numbers, or of tuples of them, of which only methods here use the order."""

    called = "a set"

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
        return Members([value for value in self.known if value in other])

    def difference(self, other):
        return Members([value for value in self.known if value not in other])

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


CONTAINERS = (Deque, Table, DefaultTable, Counts, Part, Group, Groups, DefaultGroups, Members)
