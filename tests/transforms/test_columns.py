"""Iterations that take rows here and there and store rows of derivatives go in blocks, through columns."""

from __future__ import annotations

import numpy as np
import pytest

import srcad
from srcad.transforms import block_length
from tests.transforms.test_blocks import flat, ran

N = 7
_rng = np.random.default_rng(11)
CAMERAS = _rng.normal(size=(5, 9)) * 0.1 + np.array([0.3, 0.0, 0.0, 5.0, 1.0, 0.1, 0.2, 0.0, 0.0])
POINTS, FEATURES = _rng.normal(size=(6, 3)), _rng.normal(size=(N, 2))
SEEN = np.column_stack((_rng.integers(-5, 5, N), _rng.integers(-6, 6, N)))
ANGLES, LENGTHS = _rng.normal(size=(N, 4)), np.array([1.0, 0.7, 0.5, 0.2])
GASES, HEAT = _rng.uniform(0.1, 1.0, (N, 4)), _rng.uniform(1.0, 2.0, N)
TABLE = _rng.normal(size=(N, 12))


def error(camera, point, feature):
    c, s = np.cos(camera[0]), np.sin(camera[0])
    x = c * point[0] - s * point[1] + camera[1]
    y = s * point[0] + c * point[1] + camera[2]
    z = point[2] + camera[3]
    r = (x * x + y * y) / (z * z)
    zoom = camera[4] * (1.0 + r * (camera[5] + r * camera[6]))
    return (zoom * x / z - feature[0]) ** 2 + (zoom * y / z - feature[1]) ** 2


def by_camera(cameras, points, features, seen):
    result = np.empty((len(seen), cameras.shape[1]))
    for n in range(len(seen)):
        result[n] = srcad.grad(error)(cameras[seen[n, 0]], points[seen[n, 1]], features[n])
    return result


def by_both(cameras, points, features, seen):
    result, total = np.full((len(seen), 2, 9), 7.0), 0.0
    for n in range(len(seen)):
        at = points[seen[n, 1]]
        value, (G, H) = srcad.value_and_grad(error, wrt=(0, 1))(cameras[seen[n, 0]], at, features[n])
        total += value
        place = result[n]
        place[0] = G
        place[1, :3] = H
    return result, total


def arm(angles, lengths):
    x, y, angle = 0.0, 0.0, 0.0
    for k in range(4):
        angle += angles[k]
        x += lengths[k] * np.cos(angle)
        y += lengths[k] * np.sin(angle)
    return x, y, angle


def arms(angles, lengths):
    result = np.empty((len(angles), 3, 4))
    for n in range(len(angles)):
        result[n, 0], result[n, 1], result[n, 2] = srcad.jacobian(arm)(angles[n], lengths)
    return result


def rates(gas, heat):
    fast, slow = 2.0 * np.exp(-1.3 / heat), 0.5 * np.exp(-2.1 / heat)
    r = fast * gas[0] * gas[1]
    s = slow * gas[2] * gas[2]
    return np.array([-r, -r, r - 2.0 * s, s])


def cells(gases, heat):
    result = np.empty((len(heat), 4, 4))
    for n in range(len(heat)):
        result[n] = srcad.jacobian(rates)(gases[n], heat[n])
    return result


def written_and_read(table, heat):
    result = np.zeros((len(heat), 12))
    for n in range(len(heat)):
        row, place, again = table[n], result[n], result[n]
        place[0] = np.exp(row[0])
        place[1] = np.exp(row[1]) + again[0]
        place[2] = row[5] * row[-1]
        place[3] = place[2] + row[7]
        place[2] = row[8]
        row[8] = heat[n]
        place[4] = row[8]
        place[5:] = 1.0
    return result, table


def one_after_the_other(table, heat):
    result = np.zeros((len(heat), 12))
    for n in range(len(heat)):
        row = table[n]
        k = int(heat[n] + 0.5)
        s = np.exp(row[k] + row[2] * row[3] - row[4])
        result[n, 1] = s
        result[n, k] = row[5]
        result[n, 2] = 2.0 * s
        for j in range(3):
            result[n, j + 2] += s
        result[n, 4] = s * s
        result[n, 5] = 3.0
        result[n, 4] = row[0]
        result[n, 6] = s - row[6]
        result[n, 7] = s + row[6] if row[1] > 0.0 else row[7]
    return result


def places_that_change(table, seen):
    result = np.zeros((len(seen), 12))
    for n in range(len(seen)):
        k = seen[n, 0]
        row = table[k]
        s = np.exp(row[0] * row[1] + row[2] * row[3])
        if s > 1.0:
            k = 1
        result[n, 0] = s
        result[n, 1] = table[k, 3]
        result[n, 2] = row[4] + k
        result[n, 3] = s * row[5]
        result[n, 4] = s - k
    return result


CASES = [
    (by_camera, (CAMERAS, POINTS, FEATURES, SEEN)), (by_both, (CAMERAS, POINTS, FEATURES, SEEN)),
    (arms, (ANGLES, LENGTHS)), (cells, (GASES, HEAT)), (written_and_read, (TABLE, HEAT)),
    (one_after_the_other, (TABLE, HEAT)), (places_that_change, (TABLE, SEEN)),
]  # fmt: skip
NAMES = [function.__name__ for function, _ in CASES]


@pytest.mark.parametrize(("function", "arguments"), CASES, ids=NAMES)
def test_columns_compute_what_the_user_wrote(function, arguments, monkeypatch):
    monkeypatch.setattr(block_length, "SIZE", 2)
    df = srcad.function(function)
    text = srcad.source(df, *arguments, stage="blocks")
    assert "size = min(" in text and "size = min(" not in srcad.source(df, *arguments)
    found = ran(df, text, tuple(map(np.copy, arguments)))
    expected = function(*map(np.copy, arguments))
    for one, other in zip(flat(found), flat(expected), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


def test_rows_of_derivatives_are_right():
    def moved(f, x):
        steps = 1e-6 * np.eye(len(x))
        return np.transpose([(np.asarray(f(x + h)) - np.asarray(f(x - h))) / 2e-6 for h in steps])

    by, _ = by_both(CAMERAS, POINTS, FEATURES, SEEN)
    for n, (k, p) in enumerate(SEEN):
        expected = moved(lambda c: error(c, POINTS[p], FEATURES[n]), CAMERAS[k])
        np.testing.assert_allclose(by[n, 0], expected, atol=1e-7)
        np.testing.assert_allclose(arms(ANGLES, LENGTHS)[n], moved(lambda q: arm(q, LENGTHS), ANGLES[n]), atol=1e-7)
        expected = moved(lambda c: rates(c, HEAT[n]), GASES[n])
        np.testing.assert_allclose(cells(GASES, HEAT)[n], expected, atol=1e-7)


def test_compiled_columns_compute_what_the_user_wrote():
    many = tuple(np.concatenate([a] * 40) if len(a) == N else a for a in (CAMERAS, POINTS, FEATURES, SEEN))
    for one, other in zip(srcad.function(by_both)(*many), by_both(*many)):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-11)


def test_rows_go_through_columns():
    text = srcad.source(srcad.function(by_camera), CAMERAS, POINTS, FEATURES, SEEN, stage="blocks")
    assert "] = cameras[at, 3]\n" in text and "result_part[t, 3] = found[" in text
    plain = srcad.source(srcad.function(by_camera), CAMERAS, POINTS, FEATURES, SEEN)
    assert "x0 = cameras[seen[n, 0]]" in plain and "result[n, 7:] = 0.0" in plain and "zeros" not in plain


def length_that_others_have(table, short):
    for n in range(len(table)):
        row = np.zeros(short)
        row[0] = table[n, 1]
        table[n] = row
    return table


def test_a_row_of_another_length_is_broadcast_as_in_numpy():
    df = srcad.function(length_that_others_have, target="python")
    np.testing.assert_array_equal(df(TABLE.copy(), 1), length_that_others_have(TABLE.copy(), 1))
    with pytest.raises(ValueError):
        df(TABLE.copy(), 5)
