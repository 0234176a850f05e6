"""The elements of all lists in a list of lists that are of different lengths.

The elements of all rows stand in one list, in the order in which they came, and stay there. A row has their places,
which stand in a list of all places. Where each row begins there, how many elements it has and for how many it has room
are three lists of integers. The places of a row that is full move to the end, with room for twice as many and one; of
all this the derivative sees nothing.
"""

from __future__ import annotations


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
