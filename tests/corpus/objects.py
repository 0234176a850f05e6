"""Objects of classes, functions in tables, decorators: what programs are built of beside functions."""

import dataclasses
import functools
import math
import operator
import typing

import numba
import numpy as np

from tests.corpus import normal, program
from tests.corpus.calls import OPS, Oscillator, cube, oscillator, square


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0

    def __add__(self, o):
        return Point(self.x + o.x, self.y + o.y)

    def scale(self, s):
        return Point(self.x * s, self.y * s)

    @property
    def n2(self):
        return self.x**2 + self.y**2


@program(0.3, 0.4, tags="nojit")
def dataclass_carried_by_loop(a, b):
    p = Point(a, b)
    for k in range(3):
        p = p.scale(0.9) + Point(a, 1.0)
    return p.n2


@program(0.3, 0.4, tags="nojit")
def dataclass_in_branch(a, b):
    p = Point(a, b)
    if a > 0.1:
        p = p.scale(2.0)
    return p.n2


@program(0.3, 0.4, tags="nojit")
def dataclass_changed(a, b):
    p = Point(a)
    p.y = b * a
    p.x += p.y
    return p.n2


@program(0.3, 0.4, tags="nojit")
def dataclass_from_helper(a, b):
    def mk(a):
        return Point(a, a * b)

    return mk(a).n2 * mk(b).x


@program(0.5, tags="nojit")
def callbacks(x):
    def run(f, *args, cb=None, **kw):
        r = f(*args, **kw)
        if cb is not None:
            r = cb(r)
        return r

    return run(lambda a, b: a * b, x, 2.0) + run(lambda a, c=1.0: a * c, x, cb=math.sin, c=x)


@program(0.5)
def curry(x):
    add = lambda a: lambda b: lambda c: a + b * c
    return add(x)(2.0)(x * x)


@program(0.5, tags="nojit")
def compose_many(x):
    def compose(*fs):
        def run(v):
            for f in fs:
                v = f(v)
            return v

        return run

    return compose(math.sin, lambda t: t * t, square)(x)


@program(0.5, tags="nojit")
def compose_reduce(x):
    f = functools.reduce(lambda f, g: lambda v: g(f(v)), (math.sin, square, math.exp))
    return f(x)


@program(0.5)
def nested_functions_of_one_name(x):
    def f(x):
        def f(x):
            return x + 1

        return f(x) * x

    return f(x) * f(2 * x)


class Layer:
    def __init__(self, W, b):
        self.W, self.b = W, b

    def __call__(self, x):
        return np.tanh(self.W @ x + self.b)


class Net:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


W = np.array([[0.1, 0.2], [0.3, -0.4]])


net = Net(Layer(W, np.array([0.1, 0.2])), Layer(W.T, np.array([0.0, 0.1])))


@program(normal(2), tags="nojit")
def network_object(x):
    return np.sum(net(x) ** 2)


@program(normal(2, 2), normal(2), normal(2), tags="nojit")
def network_inside(W, b, x):
    n = Net(Layer(W, b), Layer(W @ W, 2 * b))
    return np.sum(n(x))


class Base:
    def area(self):
        return self.w() * 2.0

    def describe(self, k=1.0):
        return self.area() * k


class Sq(Base):
    def __init__(self, s):
        self.s = s

    def w(self):
        return self.s**2

    def describe(self, k=2.0):
        return super().describe(k) + super().area()


@program(0.5, tags="nojit")
def template_method(x):
    return Sq(x).describe() * Sq(3.0).describe(k=x)


class Acc:
    def __init__(self):
        self.total = 0.0

    def add(self, v):
        self.total += v * v
        return self


@program(normal(4), tags="nojit")
def accumulates(x):
    a = Acc()
    for i in range(4):
        a.add(x[i])
    return a.add(x[0]).total


class Buf:
    def __init__(self, n):
        self.data = np.zeros(n)

    def put(self, i, v):
        self.data[i] = v

    def get(self, i):
        return self.data[i]


@program(normal(4), tags="nojit")
def array_attribute(x):
    b = Buf(4)
    for i in range(4):
        b.put(i, x[i] ** 2)
    b.data[1] += x[0]
    return b.get(1) * b.get(2) + np.sum(b.data)


@program(0.4, tags="nojit")
def called_choice(x):
    return (math.sin if x > 0 else math.cos)(x) * (square if x < 0 else cube)(x)


@program(0.4, 3, tags="nojit")
def function_by_index(x, k):
    fs = [math.sin, math.cos, square, cube]
    return fs[k](x)


@program(0.4, tags="nojit")
def functions_by_keys(x):
    table = {"a": math.sin, "b": square}
    s = 0.0
    for name in ("a", "b"):
        s += table[name](x)
    return s


@program(0.4, tags="nojit")
def functions_of_items(x):
    s = 0.0
    for k, f in OPS.items():
        s += f(x)
    for f in OPS.values():
        s *= f(x)
    return s


@numba.njit
def place_of(a):
    return np.searchsorted(a, 0.3)


@program(normal(5))
def njit_int_helper(x):
    k = place_of(np.sort(x))
    return x[k % 5] ** 2


@program(0.7, tags="nojit")
def staticmethod_value(x):
    f = Oscillator.energy
    g = oscillator.force
    return f(x, 1.0) * g(x)


@program(0.6, tags="nojit")
def cache_inside(x):
    @functools.cache
    def w(k):
        return x**k

    return w(2) + w(3)


@program(0.6, tags="nojit")
def decorator_inside(x):
    def deco(f):
        @functools.wraps(f)
        def g(*a):
            return f(*a) * 2

        return g

    @deco
    def h(t):
        return t * t * x

    return h(x)


class Line(typing.NamedTuple):
    a: float
    b: float

    def __call__(self, x):
        return self.a * x + self.b

    def at(self, x):
        return self(x) ** 2


line = Line(1.0, 2.0)


@program(0.6, tags="nojit")
def namedtuple_global(x):
    return line(x) * line.at(x)


@program(0.7, tags="nojit")
def local_table_of_functions(x):
    ops = {"a": math.sin, "b": lambda t: t * x}
    return ops["a"](x) * ops["b"](2.0)


@program(normal(4), tags="nojit")
def maps(x):
    return sum(map(square, x)) + sum(map(operator.mul, x, x[::-1]))


@program(0.3, 0.4, tags="nojit")
def dataclasses_old_and_new(a, b):
    p = Point(a, b)
    s = 0.0
    first = p
    for k in range(3):
        old = p
        scale = p.scale
        p = p.scale(0.9) + Point(a, 1.0)
        s += old.x * p.y + scale(2.0).x + first.y * b
    q = p
    p = Point(1.0, a)
    return s + q.n2 * p.n2 * first.x


@program(0.3, 0.4, tags="nojit")
def dataclasses_in_while(a, b):
    p, q = Point(a, b), Point(b, a)
    n = 0
    while p.n2 < 3.0 and n < 10:
        p, q = q + p, p.scale(1.2)
        n += 1
    return p.n2 + q.x


@program(0.3, 0.4, tags="nojit")
def dataclasses_swapped(a, b):
    p, q = Point(a, b), Point(b, 2.0)
    s = 0.0
    for _ in range(3):
        p, q = q, p.scale(1.1)
        s += p.x * q.y
    return s


class Particle:
    def __init__(self, x, v=0):
        self.x, self.v = x, v

    def push(self, force, dt):
        self.v += force * dt

    def drift(self, dt):
        self.x += self.v * dt


@dataclasses.dataclass
class Body:
    pos: np.ndarray
    vel: np.ndarray
    mass: float = 1.0


@program(normal(4), 0.1, tags="core nojit")
def particles_change_in_a_list(x, dt):
    particles = [Particle(a) for a in x]
    first = particles[0]
    for _ in range(3):
        for p in particles:
            for q in particles:
                if p is not q:
                    p.push(q.x - p.x, dt)
        for p in particles:
            p.drift(dt)
        first.x *= 1.1
    return sum(p.x**2 + p.v for p in particles) * first.x


@program(normal(4, 2), 0.1, tags="nojit")
def bodies_with_arrays_change_in_a_list(x, dt):
    bodies = []
    for row in x:
        bodies.append(Body(row.copy(), np.zeros_like(row), 1.0 + row[0] ** 2))
    for _ in range(2):
        for i in range(len(bodies)):
            for j in range(i + 1, len(bodies)):
                d = bodies[j].pos - bodies[i].pos
                force = d / (1.0 + d @ d) ** 1.5
                bodies[i].vel += dt * bodies[j].mass * force
                bodies[j].vel -= dt * bodies[i].mass * force
        for b in bodies:
            b.pos = b.pos + dt * b.vel
            b.pos[0] *= 1.0 - dt
    return sum(0.5 * b.mass * np.sum(b.vel**2) + np.sum(b.pos**2) for b in bodies)


@program(normal(3), tags="nojit")
def particles_multiply(x):
    particles = [Particle(a) for a in x]
    k = 0
    while k < len(particles):
        if len(particles) < 6:
            particles.append(Particle(particles[k].x * 0.5, particles[k].v))
        p = Particle(x[0])
        p.x = p.x * particles[k].x
        particles[k].v, particles[-k].x = p.x, particles[k].x ** 2
        k += 1
    return sum(p.x**2 + p.v for p in particles)


class Queue:
    def __init__(self, values=()):
        self.items = list(values)
        self.first = 0

    def push(self, value):
        self.items.append(value)

    def pull(self):
        value = self.items[self.first]
        self.first += 1
        return value

    def __len__(self):
        return len(self.items) - self.first


@program(normal(4), tags="nojit")
def object_whose_length_is_its_truth(x):
    queue, s = Queue(), 0.0
    if not queue:
        s += x[0]
    for a in x:
        queue.push(a * a)
    while queue:
        a = queue.pull()
        s += a if len(queue) else 2.0 * a
        if a > 1.0:
            queue.push(a * 0.5)
    return s * sum(queue.items)


@program(normal(4), tags="nojit")
def object_with_a_list_made_before(x):
    queue = Queue(x)
    for a in x:
        if a > 0.0:
            queue.push(a * queue.items[-1])
    return sum(queue.items) * queue.pull()


@program(0.7, 1.3, tags="nojit")
def one_object_several_times_in_a_list(a, b):
    point = Point(a, b)
    points = []
    for _ in range(3):
        points.append(point)
    point.x = point.x * 2.0
    return sum(each.x**2 * each.y for each in points)


@program(normal(3), tags="nojit")
def the_object_that_was_picked(x):
    one, other, third = Particle(x[0]), Particle(x[1]), Particle(x[2])
    best = one
    if other.x > best.x:
        best = other
    picked = third if x[2] > 5.0 else best
    total = 0.0
    for each in (one, other, third):
        if each is not best:
            total += each.x * best.x
        if each is picked:
            total += 3.0 * each.x**2
    return total


class Bounded:
    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = 2.0 * new

    @functools.cached_property
    def square(self):
        return self._value**2


@program(0.3, 0.4, tags="nojit")
def properties_that_are_set(a, b):
    held = Bounded(a)
    for k in range(3):
        held.value = held.value * b + k
        held.value += a
    return held.value**2


@program(0.3, 0.4, tags="nojit")
def cached_properties_of_objects_that_change(a, b):
    held = Bounded(a)
    before = held.square
    held.value = held.square * b
    return before + held.square * held.value


class Quaternion:
    def __init__(self, w, x, y, z):
        self.w, self.x, self.y, self.z = w, x, y, z

    def __iter__(self):
        return iter((self.w, self.x, self.y, self.z))

    def __mul__(self, other):
        a, b, c, d = self
        e, f, g, h = other
        return Quaternion(a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
                          a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e)  # fmt: skip


class Ends:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __iter__(self):
        yield self.low
        yield self.high


@program(normal(4), 0.3, tags="nojit")
def objects_that_are_unpacked(v, a):
    turned, turns = Quaternion(*v) * Quaternion(a, 0.1, a * a, 0.2), []
    for k in range(3):
        turns.append(Quaternion(a * k, *v[1:]))
    w, x, y, z = turned
    _, last, *_ = turns[-1]
    low, high = Ends(w * x, y * z)
    return low * high + max(*turned) + last * np.hypot(*Ends(w, z))


class Station:
    def __init__(self, place, bias=0.0):
        self.place, self.bias = place, bias


class Sighting:
    def __init__(self, station, distance):
        self.station, self.distance = station, distance


@program(normal(3), normal(2), tags="nojit")
def objects_made_of_a_list_and_an_array(distances, p):
    stations = [Station(np.array(place)) for place in ((1.0, 2.0), (3.0, -1.0), (0.5, 0.2))]
    stations[1].bias = p[0]
    sightings = [Sighting(*pair) for pair in zip(stations, distances)]
    errors = [s.distance - np.linalg.norm(s.station.place - p) - s.station.bias for s in sightings]
    return sum(e * e for e in errors) * len(sightings)


class Mass:
    def __init__(self, weight):
        self.weight = weight


@program(normal(4), tags="nojit")
def names_that_loops_give_to_different_things(x):
    masses, total = [Mass(v * v) for v in x], 0.0
    for m in masses:
        total += m.weight
    for m in x:
        pair = (m, total)
        total += pair[0] * pair[1]
    for k in range(2):
        m = [masses[k].weight, total]
        pair = m[0] * 0.5
        total += max(m for m in m) * pair
    rows = [[v] for v in x if v > 0.0]
    for row in rows:
        row.append(total)
    for row in np.outer(x, x):
        total += row[0] * len(rows)
    return total + sum(row[-1] for row in rows)
