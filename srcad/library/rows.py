"""Lists of lists that are of different lengths or change them, written as a user would write them: numbers of rows in
a store. Other lists, and dicts, may have the same rows."""

from __future__ import annotations

import numpy as np

from srcad.library import refuse
from srcad.library.lists import places_in_order
from srcad.library.row_store import Store, growing, natural, standing_in, taken


class Row:
    """A list that is an element of a list of lists."""

    called = "a list in a list"
    stands_for = list

    def __init__(self, store, number):
        self.store = store
        self.number = number

    def __getitem__(self, k):
        return self.store.members[self.store.place(self.number, k)]

    def __setitem__(self, k, value):
        self.store.members[self.store.place(self.number, k)] = value

    def __delitem__(self, k):
        self.pop(k)

    def __len__(self):
        return self.store.counts[natural(self.number)]

    def __iadd__(self, values):
        self.extend(values)
        return self

    def append(self, value):
        self.store.add(self.number, value)

    def extend(self, iterable):
        for value in iterable:
            self.append(value)

    def insert(self, index, value):
        self.append(value)
        count = len(self)
        first = max(0, min(index if index >= 0 else count - 1 + index, count - 1))
        last = self.store.place(self.number, -1)
        for k in range(count - 1, first, -1):
            self.store.move(self.number, k - 1, k)
        self.store.places[natural(self.store.starts[natural(self.number)] + first)] = last

    def pop(self, index=-1):
        value = taken(self.store.members, self.store.place(self.number, index))
        count = len(self)
        for k in range(index if index >= 0 else count + index, count - 1):
            self.store.move(self.number, k + 1, k)
        self.store.counts[natural(self.number)] = count - 1
        return value

    def clear(self):
        self.store.counts[natural(self.number)] = 0

    def reverse(self):
        self.put(self.listed()[::-1])

    def sort(self, *, key=None, reverse=False):
        self.put(sorted(self.copy(), key=key, reverse=reverse))

    def put(self, values):
        for k, value in enumerate(values):
            self[k] = value

    def copy(self):
        return list(self.listed())

    def sliced(self, lower, upper, step):
        return self.listed()[lower:upper:step]

    def listed(self):
        start = self.store.starts[natural(self.number)]
        stop = start + self.store.counts[natural(self.number)]
        return standing_in(self.store.members, self.store.places, start, stop)


class Rows:
    """A list of lists: the numbers of its rows."""

    called = "a list of lists of different lengths"
    stands_for = list

    def __init__(self, store=None):
        self.store = Store() if store is None else store
        self.numbers = growing("rows")

    def row(self, values):
        """The row that a list is from now on."""
        return Row(self.store, self.store.new(values))

    def own(self, row):
        if row.store is self.store:
            return row
        return refuse("a list that is an element of two lists", "a copy in one of them: list(row)")

    def __getitem__(self, k):
        return Row(self.store, natural(self.numbers[k]))

    def one_of(self, k, other):
        """The row at an index, or one with the elements of a list that stays outside where the index is negative."""
        return Row(self.store, natural(self.numbers[k] if k >= 0 else self.store.new(other)))

    def __len__(self):
        return len(self.numbers)

    def append(self, row):
        self.numbers.append(row.number)

    def insert(self, index, row):
        self.numbers.insert(index, row.number)

    def __setitem__(self, k, row):
        self.numbers[k] = row.number

    def pop(self, index=-1):
        return Row(self.store, natural(self.numbers.pop(index)))

    def __delitem__(self, k):
        self.numbers.pop(k)

    def clear(self):
        self.numbers.clear()

    def reverse(self):
        self.numbers.reverse()

    def in_order(self, *, key=None, reverse=False):
        """``sorted(rows, key=key)``: another list of the same rows."""
        if key is None:
            return refuse("sorted() of lists of different lengths", "a key: sorted(rows, key=lambda row: row[0])")
        result = Rows(self.store)
        for k in places_in_order(self, key=key, reverse=reverse):
            result.numbers.append(self.numbers[k])
        return result

    def sort(self, *, key=None, reverse=False):
        for k, number in enumerate(self.in_order(key=key, reverse=reverse).numbers):
            self.numbers[k] = number

    def of_numbers(self, numbers):
        """Some of the rows, as another list."""
        result = Rows(self.store)
        for number in numbers:
            result.numbers.append(number)
        return result

    def copy(self):
        return self.of_numbers(self.numbers)

    def each_copied(self):
        """Rows of its own, one where the same row stands in several places."""
        result = Rows(self.store)
        made = np.full(len(self.store.starts), -1)
        for number in self.numbers:
            if made[natural(number)] < 0:
                made[natural(number)] = self.store.new(Row(self.store, number).listed())
            result.numbers.append(made[natural(number)])
        return result

    def sliced(self, lower, upper, step):
        return self.of_numbers(self.numbers[lower:upper:step])

    def __add__(self, other):
        result = self.copy()
        for row in other:
            result.append(row)
        return result

    def __radd__(self, other):
        result = Rows(self.store)
        for row in other:
            result.append(row)
        for number in self.numbers:
            result.numbers.append(number)
        return result

    def __mul__(self, times):
        result = Rows(self.store)
        for _ in range(times):
            for number in self.numbers:
                result.numbers.append(number)
        return result

    def __rmul__(self, times):
        return self * times

    def listed(self):
        """The rows as those of an array."""
        width = len(self[0]) if len(self) > 0 else 0
        members = []
        for row in self:
            if len(row) != width:
                raise ValueError("the rows of an array are of one length, and these lists are not")
            members.extend(row.listed())
        return np.array(members).reshape(len(self), width)
