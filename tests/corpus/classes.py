"""Classes as textbooks write them, and lists in which others are put."""

import numpy as np

from tests.corpus import normal, program, uniform


class Charger:
    def __init__(self, rate):
        self.state = "idle"
        self.rate = rate
        self.level = 0.0

    def step(self, u):
        if self.state == "idle":
            if u > 0.2:
                self.state = "charge"
        elif self.state == "charge":
            self.level += self.rate * u
            self.state = "hold" if self.level > 0.5 else self.state
        else:
            self.fill(0.9)
            if self.level < 0.3:
                self.state = "idle"

    def fill(self, share):
        self.level *= share


@program(0.83, uniform(0.5, 3.0, 12))
def machine_whose_state_is_a_text(rate, us):
    charger, s = Charger(rate), 0.0
    gain = {"idle": 1.0, "charge": rate, "hold": rate * rate}
    for u in us:
        before = charger.state
        charger.step(u * 0.3)
        if charger.state not in ("idle", "charge", "hold"):
            raise ValueError(f"no state {charger.state}")
        s += gain[charger.state] * charger.level * (2.0 if charger.state != before else 1.0)
    return s + len(charger.state) * charger.level


@program(0.4, 5)
def texts_in_a_dict_and_around_a_function(x, n):
    mode, state = "up", {"way": "left", "x": x}

    def turn():
        nonlocal mode
        mode = "down" if mode == "up" else "up"

    for k in range(n):
        if state["way"] == "left":
            state["x"] *= 1.5
            state["way"] = "right" if k > 1 else "left"
        else:
            state["x"] = np.sin(state["x"])
            state["way"] = "left"
        x = x * state["x"] if mode == "up" else x + state["x"]
        turn()
    return x


@program(normal(5), 3, tags="nojit")
def parts_of_a_list_in_loops(v, n):
    xs = [v[0] * i for i in range(n + 3)]
    for k in range(n):
        xs.append(v[k] * xs[0])
        xs[1:3] = [xs[1] * xs[2] + v[1], v[k], 3.0]
        if len(xs) > n + 4:
            del xs[:2]
    xs[-1:] = v
    return sum((k + 1) * x for k, x in enumerate(xs)) * len(xs)
