"""Lists of arrays of different shapes, or of one that is not known where the list begins: patches, parts."""

import numpy as np

from tests.corpus import normal, program


@program(normal(5, 4), normal(4), 2, tags="core nojit")
def patches_as_columns(image, w, k):
    columns = []
    for i in range(image.shape[0] - k + 1):
        for j in range(image.shape[1] - k + 1):
            columns.append(image[i : i + k, j : j + k].ravel())
    return np.sum(np.tanh(np.stack(columns) @ w))


@program(normal(5, 4), 2, tags="nojit")
def patches_one_by_one(image, k):
    patches = []
    for i in range(image.shape[0] - k + 1):
        patches.append(image[i : i + k, i : i + 2])
    s = np.sum(sum(patches) ** 3)
    for k, patch in enumerate(patches):
        s += k * np.sum(patch * patch) * patch[0, 0]
    return s


@program(normal(5, 5), tags="nojit")
def rows_of_a_triangle_of_arrays(A):
    rows = []
    for i in range(A.shape[0]):
        rows.append(A[i, : i + 1] ** 2)
    s = 0.0
    for k, row in enumerate(rows):
        s += np.sum(row) * k + row[-1] ** 2
    flat = np.concatenate(rows)
    return s + np.sum(flat**2 * np.arange(flat.size)) + len(rows) * rows[-1][2]


@program(normal(10), 3, tags="nojit")
def batches_of_a_vector(x, size):
    batches = [x[i : i + size] for i in range(0, len(x), size)]
    return sum(np.mean(batch) ** 2 for batch in batches)


@program(normal(6, 3), 3, tags="nojit")
def groups_by_their_labels(X, n):
    labels = np.array([0, 1, 2, 0, 1, 0])
    groups = []
    for c in range(n):
        groups.append(X[labels == c])
    s = 0.0
    for group in groups:
        s += np.sum((group - group.mean(axis=0)) ** 2)
    return s


@program(normal(5, 5), tags="nojit")
def arrays_that_are_replaced_in_a_list(A):
    rows = []
    for i in range(A.shape[0]):
        rows.append(A[i, : i + 1] * 1.0)
    for i in range(len(rows)):
        rows[i] = rows[i] * rows[i].sum()
    for i in range(1, len(rows)):
        rows[i][:i] += rows[i - 1]
        rows[i - 1] *= 0.5
    return np.sum(np.hstack(rows) ** 2)


@program(normal(5, 5), tags="nojit")
def array_of_a_list_under_two_names(A):
    rows = []
    for i in range(5):
        rows.append(A[i, : i + 1] * 2)
    v = rows[2]
    v[0] = A[0, 0] * 3
    rows[2] *= 2.0
    return sum(np.sum(row**2) for row in rows) + v[0]


@program(normal(5, 5), tags="nojit")
def arrays_that_come_and_go(A):
    rows = []
    for i in range(5):
        rows.append(A[i, : i + 1])
    rows.insert(1, A[0, 1:4])
    last = rows.pop()
    first = rows.pop(0)
    rows.reverse()
    others = rows.copy()
    del others[0]
    rows.extend(rows[1:])
    rows += [A[4, 2:]]
    s = np.sum(first * 2) + np.sum(last**3) + len(others) + sum(row[0] for row in others)
    for k, row in enumerate(sorted(rows + [A[3, 1:]], key=len)):
        s += np.sum(row**2) * (k + 1)
    return s


@program(normal(8), tags="nojit")
def parts_that_are_merged(x):
    parts = []
    for i in range(0, 8, 2):
        parts.append(x[i : i + 2] ** 2)
    while len(parts) > 1:
        a = parts.pop()
        b = parts.pop()
        parts.append(np.concatenate([a, b]) * 0.5)
    return np.sum(parts[0] * np.arange(8.0))


@program(normal(8), tags="nojit complex")
def spectra_of_beginnings(x):
    spectra = []
    for k in range(3):
        spectra.append(np.fft.fft(x[: k + 3]))
    return sum(np.sum(np.abs(z) ** 4) * (k + 1) for k, z in enumerate(spectra))


@program(normal(5, 5), 0, tags="nojit")
def no_parts_at_all(A, n):
    parts = []
    for i in range(n):
        parts.append(A[i, : i + 1] * 2)
    s = A[0, 0] ** 2 + len(parts)
    for part in parts:
        s += np.sum(part)
    return s


@program(normal(4), tags="nojit")
def lists_of_lists_end_to_end(x):
    rows = [[] for _ in range(2)]
    for k in range(4):
        rows[k % 2].append(x[k])
    t = 0.0
    for k, row in enumerate(rows + rows * 2 + [[x[0], x[1]]]):
        t += sum(row) ** 2 * (k + 1)
    return t * len(rows + rows)


@program(normal(4), tags="nojit")
def means_of_columns_of_lists(x):
    rows = [[] for _ in range(3)]
    for k in range(3):
        for j in range(4):
            rows[k].append(x[j] * (k + 1.0) ** j)
    return np.sum(np.mean(rows, axis=0) ** 2)


@program(normal(8), tags="nojit")
def pyramid_of_means(x):
    levels = []
    while x.shape[0] > 1:
        levels.append(x)
        x = 0.5 * (x[::2] + x[1::2])
    s = 0.0
    for k, level in enumerate(levels):
        s += np.sum(level**3) / (k + 1)
    return s + x[0]


@program(normal(8), tags="nojit")
def wavelets_there_and_back(x):
    means, details = x, []
    while len(means) > 1:
        details.append(means[1::2] - means[::2])
        means = 0.5 * (means[1::2] + means[::2])
    while details:
        detail = np.tanh(details.pop())
        finer = np.zeros(2 * len(means))
        finer[::2] = means - 0.5 * detail
        finer[1::2] = means + 0.5 * detail
        means = finer
    return np.sum(means**2 * np.arange(8.0))


@program(normal(4), tags="nojit")
def products_of_linear_factors(x):
    ps = [x[:1]]
    for k in range(len(x)):
        ps.append(np.convolve(ps[-1], [x[k], 1.0]))
    return np.sum(ps[-1] ** 2) + np.sum(ps[2])


@program(normal(8), normal(2), tags="nojit inplace")
def levels_beside_a_count(x, counts):
    counts[0] += x[0]
    levels = []
    while x.shape[0] > 1:
        levels.append(x)
        x = 0.5 * (x[::2] + x[1::2])
    return counts[0] * sum(np.sum(level**3) for level in levels)


@program(normal(5), 0, tags="nojit")
def sum_of_no_parts(x, n):
    parts = []
    for k in range(n):
        parts.append(x[k : k + 2] ** 2)
    whole = np.array(parts)
    return np.sum(np.exp(sum(parts) + x[:2])) + np.sum(x[0] + np.sum(whole, axis=0)) + len(whole)


@program(normal(5), 2, tags="nojit")
def sum_of_a_few_parts(x, n):
    parts = []
    for k in range(n):
        parts.append(x[k : k + 2] ** 2)
    whole = np.array(parts)
    return np.sum(np.exp(sum(parts) + x[:2])) + np.sum(x[0] + np.sum(whole, axis=0)) + len(whole)


@program(normal(8), tags="nojit")
def levels_of_what_is_printed(x):
    assert x[0] < 100.0
    print(x[0])
    levels = []
    while x.shape[0] > 1:
        levels.append(x)
        x = 0.5 * (x[::2] + x[1::2])
    return sum(np.sum(level**3) for level in levels)


@program(normal(5), 5, tags="nojit")
def new_arrays_in_the_places_of_others_by_turns(y, n):
    state = y.copy()
    buffers = [np.zeros(n), np.zeros(n)]
    for i in range(n):
        buffers[i % 2] = state * -0.3
        state[2 * i % n] += 0.3 * y[i]
    return np.sum(np.sin(buffers[1]) * buffers[0])


@program(normal(5), 5, tags="nojit inplace")
def arrays_of_other_lengths_in_the_places_of_some(y, n):
    parts = [y[:2] * 2.0, y.copy(), y[1:] ** 2]
    for i in range(n):
        parts[i % 3] = parts[(i + 1) % 3] * 0.5
        y[i] *= 0.5
    return np.sum(np.sin(parts[0])) + np.sum(parts[1] ** 2) + parts[2][-1]
