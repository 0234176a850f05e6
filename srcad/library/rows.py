"""Lists of lists that are of different lengths or change them, written as a user would write them.

The elements of all rows stand in one list, in the order in which they came, and stay there. A row has their places,
which stand in a list of all places. Where each row begins there, how many elements it has and for how many it has room
are three lists of integers. The places of a row that is full move to the end, with room for twice as many and one; of
all this the derivative sees nothing.
"""

from __future__ import annotations

import numpy as np

from srcad.library import refuse


def growing(name: str, members: bool = False) -> list:
    """An empty list that lies in a buffer from the start; `members`: for the elements of lists in a list.

    >>> growing("starts")
    []
    """
    return []


def natural(number: int) -> int:
    """A number of which the compiler cannot tell that it is not negative.

    >>> natural(3)
    3
    """
    return number


def standing_in(values: list, places: list, start: int, stop: int) -> list:
    """The elements of a list that grows at some places, which are read before it changes.

    >>> standing_in([1, 2, 3], [2, 0], 0, 2)
    [3, 1]
    """
    return [values[k] for k in places[start:stop]]


def taken(values: list, position: int):
    """An element whose place in the list another one may take.

    >>> taken([1, 2, 3], 1)
    2
    """
    return values[position]


class Store:
    """The elements of rows."""

    called = "a list of lists"
    stands_for = list

    def __init__(self):
        self.members = growing("members", True)
        self.places = growing("places")
        self.starts = growing("starts")
        self.counts = growing("counts")
        self.rooms = growing("rooms")

    def new(self, values):
        """The number of a new row with these elements."""
        number = len(self.starts)
        start = len(self.places)
        for value in values:
            self.places.append(len(self.members))
            self.members.append(value)
        self.starts.append(start)
        self.counts.append(len(self.places) - start)
        self.rooms.append(len(self.places) - start)
        return number

    def add(self, number, value):
        count = self.counts[natural(number)]
        if count == self.rooms[natural(number)]:
            self.enlarge(number, count)
        self.places[natural(self.starts[natural(number)] + count)] = len(self.members)
        self.members.append(value)
        self.counts[natural(number)] = count + 1

    def enlarge(self, number, count):
        start = self.starts[natural(number)]
        if start + count < len(self.places):
            self.starts[natural(number)] = len(self.places)
            for k in range(start, start + count):
                self.places.append(self.places[natural(k)])
        for _ in range(count + 1):
            self.places.append(0)
        self.rooms[natural(number)] = 2 * count + 1

    def move(self, number, k, other):
        """Let the element at one index of a row stand at another."""
        start = self.starts[natural(number)]
        self.places[natural(start + other)] = self.places[natural(start + k)]

    def place(self, number, k):
        """Where an element of a row is among all members."""
        count = self.counts[natural(number)]
        if k < -count or k >= count:
            raise IndexError("list index out of range")
        return natural(self.places[natural(self.starts[natural(number)] + (k if k >= 0 else count + k))])


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
