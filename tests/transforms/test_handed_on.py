"""Recurrences of whole arrays: their cotangents are changed in place, and one loop goes through them."""

import numpy as np
import pytest

import srcad
from tests.forms_of_derivatives import interpreted


def euler(pos, vel, dt):
    for _ in range(4):
        vel = vel - dt * 2.0 * pos
        pos = pos + dt * vel
    return np.sum(pos**2)


def kick_drift_kick(pos, vel, dt):
    for _ in range(4):
        vel = vel - 0.5 * dt * np.sin(pos)
        pos = pos + dt * vel
        vel = vel - 0.5 * dt * np.sin(pos)
    return np.sum(pos**2)


def momentum(w, a, lr):
    m = np.zeros(w.shape[0])
    for _ in range(4):
        m = 0.9 * m + np.sin(w) * a
        w = w - lr * m
    return np.sum(w**2)


def verlet(x, before, dt):
    for _ in range(4):
        new = 2 * x - before - dt * dt * np.sin(x)
        before = x
        x = new
    return np.sum(x**2)


def one_array_twice(x, y, dt):
    pos, vel = x, x
    for _ in range(3):
        vel = vel - dt * pos * y
        pos = pos + dt * vel
    return np.sum(pos * vel)


def changes_places(pos, vel, dt):
    for k in range(4):
        vel = vel - dt * pos if k % 2 == 0 else vel * np.sin(pos)
        pos = pos + dt * vel
        if pos[0] > 0.5:
            pos, vel = vel, pos
    return np.sum(pos**2)


def read_later(pos, vel, dt):
    seen = []
    total = 0.0
    for _ in range(4):
        vel = vel - dt * pos
        pos = pos + dt * vel[::-1]
        seen.append(pos)
        total += np.sum(pos * vel)
    for array in seen:
        total += np.sum(array**3)
    return total


def backwards(pos, vel, dt):
    for _ in range(4):
        pos = pos + dt * pos[::-1]
        vel = vel[::-1] * 0.5 + pos
        pos = vel - pos * dt
    return np.sum(pos**2 * vel)


def nested(pos, vel, dt):
    for _ in range(3):
        a = pos
        for _ in range(2):
            a = a + dt * vel
            vel = vel * 0.9 - dt * np.cos(a)
        pos = 0.5 * (a + pos)
    return np.sum(pos**2)


def until(pos, vel, dt):
    t = 0.0
    while t < 0.35:
        vel = vel - dt * pos
        pos = pos + dt * vel
        t += 0.1
    return np.sum(pos**2)


STEPS = (euler, kick_drift_kick, momentum, verlet)
COMPILED = (kick_drift_kick, one_array_twice)
OTHERS = (one_array_twice, changes_places, read_later, backwards, nested, until)
ARGS = (np.array([0.7, -0.2, 0.4, 1.1, -0.9]), np.array([0.3, 0.8, -0.5, 0.2, 0.6]), 0.1)


@pytest.mark.parametrize("function", (*STEPS, *OTHERS), ids=lambda f: f.__name__)
def test_gives_what_the_literal_adjoint_gives(function):
    made = srcad.grad(function, wrt=(0, 1, 2))
    found = made(*ARGS) if function in COMPILED else interpreted(made, ARGS)
    expected = srcad.grad(function, wrt=(0, 1, 2), target="python", optimize=False)(*ARGS)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("function", STEPS, ids=lambda f: f.__name__)
def test_an_iteration_makes_no_array_and_copies_none(function):
    text = srcad.source(srcad.grad(function, wrt=(0, 1, 2)), *ARGS)
    reverse = text[text.rindex("range(3, -1, -1)") :]
    assert "np.empty" not in reverse
    assert "np.copy" not in reverse
    assert reverse.count("for ") == 1


def states(pos, vel, dt):
    for _ in range(3):
        vel = vel - dt * pos
        pos = pos + dt * vel
    return pos


def test_the_seed_of_the_caller_stays_as_it_is():
    seed = np.array([1.0, 2.0, -1.0, 0.5, 0.25])
    given = seed.copy()
    literal, made = (srcad.grad(states, wrt=(0, 1), optimize=optimize) for optimize in (False, True))
    found, expected = made(*ARGS, grad_ys=seed), literal(*ARGS, grad_ys=seed)
    np.testing.assert_array_equal(seed, given)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-12)
