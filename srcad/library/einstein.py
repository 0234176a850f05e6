"""np.einsum as transposes, products and sums, pair by pair from the left."""

from __future__ import annotations

import string

import numpy as np

from srcad.library import instead_of, refuse, static
from srcad.library.axes import LAST, array_of, beside, cast, size_of


@static
def contraction(subscripts, count):
    """What to do with each operand, what with each pair, and the order of the axes at the end.

    >>> contraction("ij,jk->ik", 2)
    (((2, False, None, (), ()), (2, False, None, (), ())), (('matmul', None, None, None, None, 1, 1, 1),), None, None)
    """
    terms, target = taken_apart(subscripts, count)
    dotted = any("..." in term for term in terms)
    letters = [behind(term) for term in terms]
    output = behind(target)
    prepared = []
    for k, own in enumerate(letters):
        others = output + "".join(letters[:k] + letters[k + 1 :])
        pairs = []
        while repeated := next((c for c in own if own.count(c) > 1), ""):
            first = own.index(repeated)
            second = own.index(repeated, first + 1)
            pairs.append((first - len(own), second - len(own)))
            own = own[:first] + own[first + 1 : second] + own[second + 1 :] + repeated
        sums = tuple(i - len(own) for i, c in enumerate(own) if c not in others)
        letters[k] = "".join(c for c in own if c in others)
        prepared.append((len(behind(terms[k])), "..." in terms[k], to_end(terms[k]), tuple(pairs), sums))
    steps = []
    current = letters[0]
    for k in range(1, count):
        step, current = pair(current, letters[k], output, "".join(letters[k + 1 :]), dotted)
        steps.append(step)
    return tuple(prepared), tuple(steps), order(current, output, dotted), to_end(target)


def taken_apart(subscripts, count):
    """The terms of the operands, and that of the result."""
    inputs, arrow, output = subscripts.replace(" ", "").partition("->")
    terms = inputs.split(",")
    if len(terms) != count:
        return refuse(f"np.einsum of {count} arrays with subscripts for {len(terms)}", "subscripts for each array")
    everything = "".join(map(behind, terms))
    if not arrow:
        output = "..." * ("..." in inputs) + "".join(sorted(c for c in everything if everything.count(c) == 1))
    elif "..." in inputs and "..." not in output:
        return refuse("np.einsum with an ellipsis that the result lacks", "'...ij->...i', or a sum afterwards")
    if unknown := sorted(set(behind(output)) - set(everything)):
        return refuse(f"np.einsum with {unknown[0]!r} in the result, which no array has", "the letters of the arrays")
    return terms, output


def behind(term):
    """The letters of a term; those before the ellipsis come after it."""
    return term.replace(".", "")


def to_end(term):
    """Where the axes before the ellipsis are, and where they are once they come after it; None if there are none."""
    front, dots, _ = term.partition("...")
    n = len(behind(term))
    return (tuple(range(len(front))), tuple(range(-n, len(front) - n))) if dots and front else None


@static
def letters_of(*lists):
    """Subscripts as one text, from lists of numbers.

    >>> letters_of((0, 1), (1, 2))
    ('ab,bc',)
    """
    return (",".join(map(_letters, lists)),)


def _letters(numbers):
    return "".join("..." if n is Ellipsis else string.ascii_letters[n] for n in numbers)


def pair(left, right, output, others, dotted):
    """How two terms become one, and its letters."""
    needed = output + others
    summed = "".join(c for c in left if c in right and c not in needed)
    both = "".join(c for c in left if c in right and c in needed)
    rows = "".join(c for c in left if c not in right)
    columns = "".join(c for c in right if c not in left)
    if not summed:
        result = output if not others else both + rows + columns
        aligned = [order(own, [c for c in result if c in own], dotted) for own in (left, right)]
        spread = [subscript(result, own, dotted) for own in (left, right)]
        return ("multiply", *aligned, *spread, 0, 0, 0), result
    plain = not both and not dotted and len(summed) == 1 and len(rows) <= 1 and len(columns) <= 1
    if not (plain or rows or columns):
        lasting = tuple(left.index(c) - len(left) for c in left if c in summed)
        return ("sum", None, order(right, left, dotted), lasting, None, 0, len(summed), 0), both
    if both and not dotted and not (rows and columns):
        whole, part = (right, left) if columns else (left, right)  # one has all the letters
        kept = [c for c in whole if c in part]
        aligned, spread = order(part, kept, dotted), subscript(whole, part, dotted)
        axes = tuple(whole.index(c) - len(whole) for c in whole if c in summed)
        forms = (aligned, None, spread, None) if columns else (None, aligned, None, spread)
        return ("weigh", *forms, 0, axes, 0), "".join(c for c in whole if c not in summed)
    kind = "matmul" if plain else "merge"
    aligned = [order(left, both + rows + summed, dotted), order(right, both + summed + columns, dotted)]
    return (kind, *aligned, None, None, len(rows), len(summed), len(columns)), both + rows + columns


def order(own, wanted, dotted):
    """The axes in the order that is wanted; None if they are in it."""
    if list(own) == list(wanted):
        return None
    return tuple(own.index(c) - (len(own) if dotted else 0) for c in wanted)


def subscript(result, own, dotted):
    """The index that gives a term the axes of the result, those that it lacks with length one; None if it has all."""
    index = [slice(None) if c in own else None for c in result]
    if not dotted:
        while index and index[0] is None:
            index.pop(0)
    if None not in index:
        return None
    return (Ellipsis, *index) if dotted else tuple(index)


@instead_of(np.einsum)
def einsum(subscripts, *operands, optimize=False, dtype=None, out=None, order="K", casting="safe"):
    result = by_letters(subscripts, operands) if isinstance(subscripts, str) else by_numbers((subscripts, *operands))
    return result if dtype is None else cast(result, dtype, casting)


def by_letters(subscripts, operands):
    prepared, steps, last, lead = contraction(subscripts, len(operands))
    result = alone(array_of(operands[0]), prepared[0])
    for k in range(len(steps)):
        result = joined(result, alone(array_of(operands[k + 1]), prepared[k + 1]), steps[k])
    result = arranged(result, last)
    if lead is not None:
        result = np.moveaxis(result, lead[1], lead[0])
    return result


def by_numbers(given):
    """Operands and lists of numbers by turns, and perhaps a list for the result."""
    if len(given) % 2 == 0:
        return by_letters(letters_of(*given[1::2])[0], given[0::2])
    return by_letters(letters_of(*given[1::2])[0] + "->" + letters_of(given[len(given) - 1])[0], given[0:-1:2])


def alone(x, form):
    """Diagonals taken, and sums along axes that no other operand has."""
    letters, dotted, front, pairs, sums = form
    if x.ndim < letters or x.ndim > letters and not dotted:
        return refuse("np.einsum with more or fewer letters than an array has axes", "one letter for each axis")
    if front is not None:
        x = np.moveaxis(x, front[0], front[1])
    for k in range(len(pairs)):
        if x.shape[pairs[k][0]] != x.shape[pairs[k][1]]:
            raise ValueError("np.einsum with one letter for axes of two lengths")
        x = np.diagonal(x, 0, pairs[k][0], pairs[k][1])
    if len(sums) > 0:
        return np.sum(x, axis=sums)
    return x


def arranged(x, axes):
    """An array with its last axes in another order."""
    if axes is None:
        return x
    if axes == (1, 0):
        return x.T
    return np.transpose(x, axes) if axes[0] >= 0 else np.moveaxis(x, axes, LAST[len(axes)])


def joined(a, b, step):
    """The product of two arrays, summed along some of the axes that both have."""
    kind, first, second, left, right, rows, summed, columns = step
    x, y = arranged(a, first), arranged(b, second)
    if kind == "multiply":
        x, y = beside(x, y), beside(y, x)
        return (x if left is None else x[left]) * (y if right is None else y[right])
    if kind == "weigh":
        return np.sum((x if left is None else x[left]) * (y if right is None else y[right]), axis=summed)
    if kind == "matmul":
        return x @ y
    if kind == "sum":
        return np.sum(x * y) if x.ndim == summed and y.ndim == summed else np.sum(x * y, axis=left)
    lead, tail = x.ndim - rows - summed, y.ndim - summed - columns
    m, n = x.shape[lead : lead + rows], y.shape[tail + summed :]
    if rows != 1 or summed != 1:
        x = np.reshape(x, x.shape[:lead] + (size_of(m), size_of(x.shape[lead + rows :])))
    if columns != 1 or summed != 1:
        y = np.reshape(y, y.shape[:tail] + (size_of(y.shape[tail : tail + summed]), size_of(n)))
    product = x @ y
    return product if rows == 1 and columns == 1 else np.reshape(product, product.shape[: product.ndim - 2] + m + n)
