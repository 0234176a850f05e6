"""Classes as textbooks write them, and lists in which others are put."""

import dataclasses
import types
from abc import ABC, abstractmethod

import numpy as np

from tests.corpus import normal, program, uniform


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


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


@program(0.83, uniform(0.5, 3.0, 12), tags="nojit")
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


@program(0.4, 5, tags="nojit")
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


class Network:
    def __init__(self, sizes, p):
        self.num_layers = len(sizes)
        self.weights, self.biases, k = [], [], 0
        for m, n in zip(sizes[:-1], sizes[1:]):
            self.weights.append(p[k : k + m * n].reshape(n, m))
            self.biases.append(p[k + m * n : k + m * n + n])
            k += (m + 1) * n

    def forward(self, a):
        for i in range(self.num_layers - 1):
            a = sigmoid(self.weights[i] @ a + self.biases[i])
        return a

    def backward(self, x, y):
        activations = [x]
        for w, b in zip(self.weights, self.biases):
            activations.append(sigmoid(w @ activations[-1] + b))
        by_b = [np.zeros(b.shape) for b in self.biases]
        by_w = [np.zeros(w.shape) for w in self.weights]
        delta = (activations[-1] - y) * activations[-1] * (1.0 - activations[-1])
        by_b[-1], by_w[-1] = delta, np.outer(delta, activations[-2])
        for k in range(2, self.num_layers):
            a = activations[-k]
            delta = self.weights[-k + 1].T @ delta * a * (1.0 - a)
            by_b[-k], by_w[-k] = delta, np.outer(delta, activations[-k - 1])
        return by_b, by_w

    def learn(self, x, y, rate):
        by_b, by_w = self.backward(x, y)
        self.weights = [w - rate * g for w, g in zip(self.weights, by_w)]
        self.biases = [b - rate * g for b, g in zip(self.biases, by_b)]


@program(normal(20), normal(2), 0.7, tags="nojit")
def network_that_learns(p, x, rate):
    net = Network([2, 3, 2, 1], p)
    for _ in range(2):
        net.learn(x, 0.3, rate)
    return np.sum(net.forward(x))


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


class Rings:
    def __init__(self, v):
        self.n, self.rows = 2, [v[:2], v[1:], v[:1] * v[2], v]

    def total(self, x):
        for k in range(self.n):
            x = x * np.sum(self.rows[k])
        return x


@program(normal(4), 3, tags="nojit")
def attribute_that_counts_and_is_set_again(v, n):
    rings, x = Rings(v), 1.0
    for _ in range(n - 1):
        x = rings.total(x)
        rings.n += 1
    return x


class Ledger:
    balance, best, entries = 0.0, None, 0

    def enter(self, amount):
        self.balance += amount * amount
        if self.best is None or amount > self.best:
            self.best = amount
            self.entries += 1


@program(normal(4), 0.5, tags="nojit")
def attributes_that_begin_with_those_of_the_class(v, x):
    first, second = Ledger(), Ledger()
    for amount in v:
        first.enter(amount * x)
    if x > 1.0:
        second.enter(x)
    return first.balance * first.best + first.entries + second.balance * x


@dataclasses.dataclass
class End:
    x: float
    y: float


@dataclasses.dataclass
class Spring:
    stiffness: float
    end: End
    factor: dataclasses.InitVar[float] = 2.0
    seen: list = dataclasses.field(init=False, default_factory=list)
    energy: float = dataclasses.field(init=False, default=0.0)

    def __post_init__(self, factor):
        self.energy = factor * self.stiffness * self.end.x


@program(0.7, 1.3, tags="nojit")
def fields_that_are_computed_when_an_object_is_made(k, x):
    spring = Spring(k, End(x, k), factor=x)
    longer = dataclasses.replace(spring, stiffness=k * x, factor=3.0)
    longer.seen.append(spring.energy)
    parts = dataclasses.asdict(longer)
    parts["end"]["x"] += 1.0
    return parts["energy"] * longer.seen[0] + parts["end"]["x"] * longer.end.x + len(spring.seen)


@program(0.7, tags="nojit")
def a_namespace_of_values(x):
    state = types.SimpleNamespace(x=x, rate=0.5)
    for _ in range(3):
        state.x -= state.rate * np.sin(state.x)
        state.rate *= x
    return state.x * state.rate


@dataclasses.dataclass
class Gain:
    factor: float
    power: int = 2

    def __call__(self, x, bias=0.0):
        return self.factor * x**self.power + bias


gain = Gain(1.5)


@program(normal(4), tags="nojit")
def called_objects_that_are_compared(x):
    steps = [gain, Gain(0.5, 3)]
    if steps[0] == Gain(1.5):
        x = gain(x, bias=x[0])
    return sum(step(x[1]) for step in steps) * np.sum(gain(x))


@dataclasses.dataclass
class Chain:
    first: Gain
    name: str = "chain"


chain = Chain(Gain(1.5))


@program(0.7, tags="nojit")
def objects_of_data_from_elsewhere_that_are_compared(x):
    """They are compared field by field, wherever they come from."""
    if chain == Chain(Gain(1.5)) and chain.first == gain:
        x = 2.0 * x
    if Gain(x) != chain.first and gain == Gain(1.5):
        x = x**2
    return x * gain.factor if chain != Chain(gain, "another") else x


class Signal:
    def __init__(self, values):
        self.values = values
        self.scale = 2.0
        self.total = 0.0
        self.seen = []

    def scaled(self):
        for value in self.values:
            yield value * self.scale

    def summed(self):
        for value in self.scaled():
            self.total += value * value
            self.seen.append(value)
        return self.total + self.seen[0]


class Recorder:
    def __init__(self, values):
        self.signal = Signal(values)
        self.kept = np.zeros(len(values))

    def run(self):
        for k, value in enumerate(self.signal.scaled()):
            self.kept[k] = value**2
        return np.sum(self.kept)


@program(normal(4), tags="nojit")
def what_methods_yield_while_other_attributes_change(x):
    signal, out = Signal(x), np.zeros(4)
    for k, value in enumerate(signal.scaled()):
        out[k] = value * signal.scale
    signal.scale = x[0]
    return signal.summed() * Recorder(x).run() + out[1]


@program(normal(4), tags="nojit")
def what_methods_yield_copied_before_what_they_read_changes(x):
    signal = Signal(x)
    scaled = signal.scaled
    for k, value in enumerate(list(scaled())):
        signal.scale = signal.scale + value
        signal.total += value * x[k] * signal.scale
    first, second, *_ = scaled()
    signal.scale = first * second
    return signal.total + sum(a * signal.scale for a in scaled())


def twice(values):
    for value in values:
        yield 2.0 * value


@program(normal(4), tags="nojit")
def what_methods_yield_in_loops_over_what_others_yield(x):
    signal, other, total = Signal(x), Signal(x * x), 0.0
    for a in twice(signal.scaled()):
        for b in other.scaled():
            total += a * b
        other.scale = a
        other.seen.append(total)
    return total * other.scale + sum(other.seen)


class Activation(ABC):
    def __init__(self, **options):
        super().__init__(**options)
        self.steepness = 2.0

    @abstractmethod
    def __call__(self, z): ...


class Leaky(Activation):
    def __init__(self, slope):
        self.slope = slope
        super().__init__()

    def __call__(self, z):
        return np.where(z > 0, self.steepness * z, self.slope * z)


@program(normal(4), 0.3, tags="nojit")
def constructors_that_end_in_object(x, slope):
    return np.sum(Leaky(slope)(x) * x)
