"""schedule: which states a checkpointed loop keeps, so that its reverse runs as few iterations again as possible.

A loop is cut into segments. Backwards, a segment is run again from its start, with a record of each iteration; to get
to its start, segments are run again from the last state that is kept. With room for `s` states, and `r` runs of a
segment at most, ``comb(s + r, s)`` segments can be reversed, and no schedule reverses more: A. Griewank and A. Walther,
"Algorithm 799: revolve", ACM Transactions on Mathematical Software 26 (2000).
"""

from __future__ import annotations

from numba.extending import register_jitable

_MANY = 1 << 50


@register_jitable
def reach(states: int, runs: int) -> int:
    """How many segments can be reversed with so many states kept, none of them run more often than so.

    >>> reach(3, 2)
    10
    """
    if states < 0 or runs < 0:
        return 0
    count = 1
    for k in range(1, runs + 1):
        if count > _MANY // (states + k):
            return _MANY
        count = count * (states + k) // k
    return count


@register_jitable
def stride(left: int, free: int) -> int:
    """How many segments further on the next state is kept.

    `left` segments are to be reversed from the last state that was kept, and there is room for `free` states more.

    >>> stride(10, 2), stride(4, 3), stride(10, 0)
    (4, 1, 10)
    """
    if free <= 0 or left <= 1:
        return left
    states, runs = free + 1, 0
    while reach(states, runs) < left:
        runs += 1
    return min(reach(states, runs - 1), left - reach(states - 1, runs - 1))


@register_jitable
def segment_length(trips: int, state: int, step: int, memory: int) -> int:
    """The iterations of a segment, so that a loop needs few runs in so many bytes.

    `state` bytes are kept of the start of a segment, and `step` bytes are recorded of each iteration of one. Of a
    while loop, nobody knows the number of `trips`, which is -1 then: half of the memory is for states. Without sizes,
    it is about the square root of the number of iterations.

    >>> segment_length(1000, 8, 8, 1 << 20), segment_length(100_000, 8, 8, 8000), segment_length(100, 0, 0, 800)
    (1000, 500, 11)
    """
    if state <= 0:
        return 1000 if trips < 0 else int(max(trips, 0) ** 0.5) + 1
    step = max(step, 1)
    if memory < 2 * state + step:
        raise MemoryError("max_tape has no room for the states of two iterations and what is recorded of one")
    if trips < 0:
        return (memory - min(max(memory // 2, 2 * state), memory - step)) // step
    room = memory - state  # of a state that iterations are run again from
    runs = 0
    while True:
        states = max(1, min(runs * room // ((runs + 1) * state), (room - step) // state))
        every = (room - states * state) // step
        if every * reach(states, runs) >= trips:
            return max(1, min(every, trips))
        runs += 1


@register_jitable
def states_kept(trips: int, every: int, state: int, step: int, memory: int) -> int:
    """How many states there is room for beside the record of a segment; no more than there are segments.

    >>> states_kept(100_000, 500, 8, 8, 8000), states_kept(1000, 1000, 8, 8, 1 << 20)
    (200, 1)
    """
    room = max(1, (memory - state - every * max(step, 1)) // state)
    return room if trips < 0 else max(1, min(room, -(-trips // every)))


@register_jitable
def with_states(every: int, states: int) -> int:
    """The length of segments of a loop that keeps so many states: it is given."""
    return every


PLANS = (segment_length, with_states)
