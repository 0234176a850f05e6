"""Lists of arrays whose shapes differ, or are known late, written as a user would write them.

The elements of all arrays stand in one list, in the order in which the arrays came, and stay there. Of each array the
list has where it begins there, and its shape. An array that takes the place of another one stands behind all others, so
that whoever has the old one keeps it.
"""

from __future__ import annotations

import numpy as np

from srcad.library.row_store import growing


def placed(elements: list) -> list:
    """An empty list of places, which are tuples: where an array begins among the elements, and its shape.

    >>> placed([1.0, 2.0])
    []
    """
    return []


def put_behind(elements: list, array: np.ndarray) -> tuple:
    """Put the elements of an array behind those of others; its place.

    >>> elements = [1.0]
    >>> put_behind(elements, np.ones((2, 1))), elements == [1.0, 1.0, 1.0]
    ((1, 2, 1), True)
    """
    start = len(elements)
    elements.extend(np.ravel(array))
    return start, *np.shape(array)


def array_at(elements: list, place: tuple) -> np.ndarray:
    """The array at a place.

    >>> array_at([1.0, 2.0, 3.0], (1, 1, 2))
    array([[2., 3.]])
    """
    start, *shape = place
    return np.array(elements[start : start + np.prod(shape)]).reshape(shape)


def room_for_all(elements: list, places: list) -> np.ndarray:
    """An array for as many arrays as there are places, of the shape of the first.

    >>> room_for_all([1, 2, 3], [(0, 2), (1, 2), (1, 1)]).shape
    (3, 2)
    """
    _, *shape = places[0]
    return np.empty((len(places), *shape), dtype_of(elements))


def none_of(elements: list, places: list) -> np.ndarray:
    """The sum of no arrays, an array with one element and as many axes as these have.

    >>> none_of([1.0, 2.0], [(0, 2, 1)])
    array([[0.]])
    """
    _, *shape = places[0]
    return np.zeros([1] * len(shape), dtype_of(elements))


def dtype_of(elements: list) -> np.dtype:
    """The dtype of an array of the elements.

    >>> dtype_of([1.0])
    dtype('float64')
    """
    return np.array(elements).dtype


class Elements:
    """The elements of arrays."""

    called = "a list of arrays"
    stands_for = list

    def __init__(self):
        self.elements = growing("elements")

    def place_of(self, array):
        """The place of an array, which is put there."""
        return put_behind(self.elements, array)


class Arrays:
    """A list of arrays: their places."""

    called = "a list of arrays of different shapes"
    stands_for = list

    def __init__(self, store=None):
        self.store = Elements() if store is None else store
        self.places = placed(self.store.elements)

    def __getitem__(self, k):
        return array_at(self.store.elements, self.places[k])

    def __setitem__(self, k, array):
        self.places[k] = self.store.place_of(array)

    def __delitem__(self, k):
        self.places.pop(k)

    def __len__(self):
        return len(self.places)

    def append(self, array):
        self.places.append(self.store.place_of(array))

    def insert(self, index, array):
        self.places.insert(index, self.store.place_of(array))

    def extend(self, iterable):
        for array in iterable:
            self.append(array)

    def __iadd__(self, arrays):
        self.extend(arrays)
        return self

    def pop(self, index=-1):
        return array_at(self.store.elements, self.places.pop(index))

    def clear(self):
        self.places.clear()

    def reverse(self):
        self.places.reverse()

    def of_places(self, places):
        """Some of the arrays, as another list."""
        result = Arrays(self.store)
        for place in places:
            result.places.append(place)
        return result

    def copy(self):
        return self.of_places(self.places)

    def sliced(self, lower, upper, step):
        result = Arrays(self.store)
        for k in np.arange(len(self))[lower:upper:step]:
            result.places.append(self.places[k])
        return result

    def __add__(self, other):
        result = self.copy()
        for array in other:
            result.append(array)
        return result

    def __radd__(self, other):
        result = Arrays(self.store)
        for array in other:
            result.append(array)
        for place in self.places:
            result.places.append(place)
        return result

    def __mul__(self, times):
        result = Arrays(self.store)
        for _ in range(times):
            for place in self.places:
                result.places.append(place)
        return result

    def __rmul__(self, times):
        return self * times

    def total(self, start=0):
        """``sum(arrays, start)``; of none, an array with one element, which is repeated as the number is."""
        result = start + none_of(self.store.elements, self.places)
        for k in range(len(self)):
            result = result + self[k]
        return result

    def made_one(self):
        """``np.array(arrays)``; of none, an array without elements, but with axes as the others have."""
        if len(self) == 0:
            return none_of(self.store.elements, self.places)[None][:0]
        return self.listed()

    def listed(self):
        """The arrays as one array, if they are of one shape."""
        if len(self) == 0:
            raise ValueError("a list of arrays that is empty has no shape")
        result = room_for_all(self.store.elements, self.places)
        for k, array in enumerate(self):
            if np.shape(array) != np.shape(result)[1:]:
                raise ValueError("all arrays of the list must have one shape here, and these do not")
            result[k] = array
        return result

    def end_to_end(self, axis):
        """The arrays laid end to end along an axis."""
        if len(self) == 0:
            raise ValueError("need at least one array to concatenate")
        count = 0
        for array in self:
            count += np.shape(array)[axis]
        rest = np.shape(np.moveaxis(self[0], axis, 0))[1:]
        result = np.empty((count,) + rest, dtype_of(self.store.elements))
        stop = 0
        for array in self:
            start, stop = stop, stop + np.shape(array)[axis]
            part = np.moveaxis(array, axis, 0)
            if np.shape(part)[1:] != rest:
                raise ValueError("all arrays of the list must have the same other axes here, and these do not")
            result[start:stop] = part
        return np.moveaxis(result, 0, axis)
