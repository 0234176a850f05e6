"""Random programs: no wrong number, and no error but a refusal.

Some hundreds in normal runs, most of them small; ``SRCAD_FUZZ=3000 pytest tests/test_random_programs.py`` tries so
many, new ones every time.
"""

import os

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, event, given, note, settings

import srcad
from tests import random_kinds, random_layers, random_loops, random_mixtures, random_rows, random_states, random_steps
from tests.random_programs import PRELUDE, Discard, Generator, check, check_second, load, random_source, slopes

FUZZ = int(os.environ.get("SRCAD_FUZZ", "0"))
EXAMPLES = FUZZ or 10
LIMITS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not FUZZ,
    print_blob=bool(FUZZ),
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module", name="counts")
def tally():
    counts = {"right": 0, "refused": 0, "discarded": 0}
    yield counts
    print(f"\nrandom programs: {counts}")


@LIMITS
@given(st.data())
def test_random_program(counts, data):
    source = Generator(lambda n: data.draw(st.integers(0, n - 1)) if n > 1 else 0).program()
    note(source.replace(PRELUDE, ""))
    outcome = attempt(source)
    event(outcome)
    counts[outcome] += 1


@pytest.mark.parametrize("first", range(0, 200, 50))
def test_small_random_programs(first):
    outcomes = [attempt(random_source(seed, small=True)) for seed in range(first, first + 50)]
    assert outcomes.count("right") >= 40


@pytest.mark.slow
def test_random_program_compiled():
    for seed in range(FUZZ // 20 or 25):
        attempt(random_source(seed), target="cpu")


def test_second_derivatives_of_random_programs():
    """They are right where they exist, and most programs are not refused."""
    outcomes = [attempt(random_source(seed, small=True), second=True) for seed in range(2000, 2010)]
    assert outcomes.count("right") >= len(outcomes) / 2


@pytest.mark.parametrize("seed", range(20))
def test_generated_programs_are_valid(seed):
    """Without srcad: every generated program runs, and nearly all are smooth at their arguments."""
    try:
        assert len(slopes(load(random_source(seed)))) == 2
    except Discard:
        pytest.skip("not smooth at its arguments")


@pytest.mark.parametrize("first", (0, pytest.param(5, marks=pytest.mark.slow)))
def test_random_loops(first):
    expect_none_failed([random_loops.outcome(seed) for seed in range(first, first + 5)], least=3)


@pytest.mark.parametrize("first", (0, pytest.param(4, marks=pytest.mark.slow)))
def test_random_states(first):
    expect_none_failed([random_states.outcome(seed) for seed in range(first, first + 4)], least=2)


@pytest.mark.parametrize("first", (1, pytest.param(11, marks=pytest.mark.slow)))
def test_random_mixtures(first):
    expect_none_failed([random_mixtures.outcome(seed) for seed in range(first, 2 * first)], least=first / 2)


@pytest.mark.slow
def test_random_kinds():
    expect_none_failed([random_kinds.outcome(seed) for seed in range(770050, 770060)], least=7)


@pytest.mark.parametrize("first", (1, pytest.param(13, marks=pytest.mark.slow)))
def test_random_layers(first):
    expect_none_failed([random_layers.outcome(seed) for seed in range(first, first + 12)], least=10)


@pytest.mark.slow
def test_random_layers_compiled():
    expect_none_failed([random_layers.outcome(seed, cpu=True) for seed in range(40, 46)], least=5)


def test_random_rows():
    expect_none_failed([random_rows.outcome(seed) for seed in range(10, 18)], least=6)


def test_random_steps():
    assert [random_steps.outcome(seed) for seed in range(20)] == 20 * ["right"]


@pytest.mark.slow
def test_random_steps_compiled():
    assert [random_steps.outcome(seed, cpu=True) for seed in range(20, 30)] == 10 * ["right"]


@pytest.mark.slow
def test_random_rows_compiled():
    expect_none_failed([random_rows.outcome(seed, cpu=True) for seed in range(18, 28)], least=7)


@pytest.mark.slow
def test_random_loops_compiled():
    expect_none_failed([random_loops.outcome(seed, cpu=True) for seed in range(100, 110)], least=6)


def expect_none_failed(found: list[str], least: float) -> None:
    """No outcome is a failure, and so many are right: not all refused or discarded."""
    assert not [one for one in found if one.startswith("FAILED")]
    assert found.count("right") >= least


def attempt(source: str, target: str = "python", second: bool = False) -> str:
    try:
        f = load(source)
        check(f, target)
        if second or FUZZ:
            check_second(f, target)
    except srcad.SrcadError:
        return "refused"
    except Discard:
        return "discarded"
    return "right"
