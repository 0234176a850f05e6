"""Objects in objects that others take the place of; lists that objects hold."""

from __future__ import annotations

from tests.corpus import normal, program


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Pair(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Pair(self.x * factor, self.y * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y


class Moving(Pair):
    def __add__(self, other):
        return Moving(self.x + other.x, self.y + other.y)

    def __mul__(self, factor):
        return Moving(self.x * factor, self.y * factor)

    def __iadd__(self, other):
        self.x += other.x
        self.y += other.y
        return self


class Body:
    def __init__(self, place, speed, mass=1.0):
        self.place, self.speed, self.mass = place, speed, mass

    def kicked(self, by):
        self.speed = self.speed + by
        return self.speed

    def step(self, before, h):
        self.place = self.place + self.speed * h
        return before.dot(self.place)

    def swap(self):
        self.place, self.speed = self.speed, self.place


class Table:
    def __init__(self, values):
        self.values = values

    def filled(self, x):
        for k in range(1, 3):
            self.values[k] = self.values[k - 1] * x
        return sum(self.values)


@program(0.3, 0.4, tags="nojit")
def bodies_with_places_and_speeds(x, y):
    bodies = [Body(Pair(x, y), Pair(0.1, 0.2 * x)), Body(Pair(y, -x), Pair(-0.1 * y, 0.0), 2.0)]
    for _ in range(3):
        for body in bodies:
            for other in bodies:
                if other is not body:
                    body.speed = body.speed + (other.place + body.place * -1.0) * (0.1 * other.mass)
        for body in bodies:
            body.place = body.place + body.speed * 0.1
    return sum(body.mass * body.place.dot(body.speed) for body in bodies)


@program(0.3, 0.4, tags="nojit")
def inner_objects_changed_in_place(x, y):
    body = Body(Moving(x, y), Moving(0.1, x))
    for _ in range(3):
        body.speed += body.place * (-0.1 * body.mass)
        body.place += body.speed * x
    return body.place.dot(body.speed)


@program(0.3, 0.4, tags="nojit")
def inner_object_read_before_it_is_exchanged(x, y):
    body, s = Body(Pair(x, y), Pair(y, x)), 0.0
    for k in range(3):
        s += body.speed.dot(body.kicked(Pair(x, 0.1)))
        s += body.step(body.place, 0.1 * k)
        before, length, both = body.place, body.place.dot, (body.place, body.speed)
        body.place = body.place + body.speed * x
        s += before.dot(body.place) + length(body.speed) + both[0].dot(both[1])
    return s


@program(0.3, 0.4, tags="nojit")
def inner_objects_that_trade_places(x, y):
    body, s = Body(Pair(x, y), Pair(y * y, x)), 0.0
    for _ in range(3):
        body.swap()
        body.place = body.place * (1.0 + x)
        s = s * y + body.place.x
    return s + body.place.x + body.speed.y * 2.0


@program(0.3, 0.4, tags="nojit")
def inner_object_of_two(x, y):
    p = Pair(x, y)
    one, other = Body(p, p), Body(p, Pair(y, y))
    same = one
    for _ in range(3):
        same.place = one.place + other.speed
        other.speed = same.place * 0.5
    return one.place.dot(other.speed) + p.x * one.speed.y * other.place.x


@program(0.3, 0.4, tags="nojit")
def inner_objects_by_branches(x, y):
    body = Body(Pair(x, y), Pair(y, x))
    for k in range(4):
        if k % 2:
            body.place = body.speed
        elif x > 0:
            body.speed = body.place + body.speed
        body.place = body.speed if body.place.x > body.speed.x else body.place + body.speed
    while body.place.x < 9.0:
        body.place = body.place + body.speed
    return body.place.dot(body.speed)


@program(0.3, 0.4, tags="nojit")
def list_of_inner_objects(x, y):
    table = Table([Pair(x, y), Pair(y, x)])
    for _ in range(3):
        table.values = [pair * 0.9 + table.values[0] for pair in table.values]
    return table.values[0].dot(table.values[1])


@program(0.3, tags="nojit")
def lists_given_to_objects(x):
    values = [x, 1.0]
    one, two, three, four = Table(values), Table([x, 1.0]), Table([x, x * x, 2.0]), Table([x])
    one.values[0] = x * x
    values[1] += one.values[0]
    two.values.append(x * x)
    two.values[0] += two.values[2]
    for _ in range(2):
        four.values.append(x * four.values[-1])
    return values[0] * one.values[1] + sum(two.values) * sum(four.values) * three.filled(x) * three.values[1]


@program(normal(3), tags="nojit")
def list_of_an_object_stored_in_turn(v):
    table = Table([0.0] * 4)
    for k in range(3):
        table.values[k] = v[k] * table.values[k - 1] + v[0]
    return table.values[0] * table.values[2] + table.values[1]


@program(0.7, tags="nojit")
def number_beside_an_object_under_two_names(w):
    table = {"pair": Pair(w, 0.5), "w": 2.0 * w}
    other = table
    other["w"] = 3.0 * w
    return table["w"] * other["pair"].y


@program(0.7, tags="nojit")
def list_of_objects_that_goes_on_growing_behind_a_call(w):
    parts = [Pair(w, 0.5), w]

    def total(given):
        found = given
        return sum(found[1:])

    before = total(parts)
    parts.append(w * w)
    return before * total(parts)
