"""The Jacobian of bundle adjustment, as in ADBench: 2 residuals by camera (11), point (3) and weight, each observation.

A camera is rotation, centre, focal length, principal point and two radial distortions.
"""

import numba
import numpy as np

import srcad
from tests.benchmarks.workload import NUMBA, Workload, compiled

COUNT = 31843


def residual(camera, point, weight, feature):
    square = camera[0] ** 2 + camera[1] ** 2 + camera[2] ** 2
    angle = np.sqrt(square)
    cosine, sine = np.cos(angle), np.sin(angle)
    a, b, c = camera[0] / angle, camera[1] / angle, camera[2] / angle
    x, y, z = point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]
    along = (a * x + b * y + c * z) * (1.0 - cosine)
    u = x * cosine + (b * z - c * y) * sine + a * along
    v = y * cosine + (c * x - a * z) * sine + b * along
    w = z * cosine + (a * y - b * x) * sine + c * along
    u, v = u / w, v / w
    r = u * u + v * v
    zoom = camera[6] * (1.0 + r * (camera[9] + r * camera[10]))
    return weight * (zoom * u + camera[7] - feature[0]), weight * (zoom * v + camera[8] - feature[1])


def jacobians(cameras, points, weights, features, seen):
    """The Jacobians of all observations, as one writes them down: `srcad.function` compiles the loop as a whole."""
    result = np.empty((seen.shape[0], 2, 15))
    for n in range(seen.shape[0]):
        u, v = srcad.jacobian(residual, wrt=(0, 1, 2))(cameras[seen[n, 0]], points[seen[n, 1]], weights[n], features[n])
        result[n, 0, :11], result[n, 0, 11:14], result[n, 0, 14] = u
        result[n, 1, :11], result[n, 1, 11:14], result[n, 1, 14] = v
    return result


def everywhere(jacobian):
    """The same in a loop that the user gives Numba: it calls one Jacobian after the other, which knows of no other."""

    @numba.njit
    def jacobians(cameras, points, weights, features, seen):
        result = np.empty((seen.shape[0], 2, 15))
        for n in range(seen.shape[0]):
            u, v = result[n, 0], result[n, 1]
            places = (u[:11], u[11:14], None), (v[:11], v[11:14], None)
            (_, _, u[14]), (_, _, v[14]) = jacobian(cameras[seen[n, 0]], points[seen[n, 1]], weights[n], features[n],
                                                    out=places)  # fmt: skip
        return result

    return jacobians


@compiled
def by_hand(cameras, points, weights, features, seen):
    """Tiles of observations: what they read goes to columns first, then vectors, then the rows of the result."""
    count, tile = seen.shape[0], 64
    result = np.empty((count, 2, 15))
    given, J = np.empty((17, 64)), np.empty((30, 64))
    for start in range(0, count, tile):
        size = min(tile, count - start)
        for t in range(size):
            n = start + t
            for k in range(11):
                given[k, t] = cameras[seen[n, 0], k]
            for k in range(3):
                given[11 + k, t] = points[seen[n, 1], k]
            given[14, t] = weights[n]
            given[15, t], given[16, t] = features[n, 0], features[n, 1]
        for t in range(size, tile):
            given[:, t] = 1.0
        for t in range(tile):
            c0, c1, c2, weight = given[0, t], given[1, t], given[2, t], given[14, t]
            angle = np.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
            cosine, sine, inverse = np.cos(angle), np.sin(angle), 1.0 / angle
            a, b, c = c0 * inverse, c1 * inverse, c2 * inverse
            x, y, z = given[11, t] - given[3, t], given[12, t] - given[4, t], given[13, t] - given[5, t]
            dot = a * x + b * y + c * z
            rest = 1.0 - cosine
            cross_u, cross_v, cross_w = b * z - c * y, c * x - a * z, a * y - b * x
            over = 1.0 / (z * cosine + cross_w * sine + c * dot * rest)
            u = (x * cosine + cross_u * sine + a * dot * rest) * over
            v = (y * cosine + cross_v * sine + b * dot * rest) * over
            r = u * u + v * v
            bend = 1.0 + r * (given[9, t] + r * given[10, t])
            zoom = given[6, t] * bend
            slope = 2.0 * given[6, t] * (given[9, t] + 2.0 * r * given[10, t])
            for row in range(2):
                here = u if row == 0 else v
                u_bar = weight * (slope * u * here + (zoom if row == 0 else 0.0)) * over
                v_bar = weight * (slope * v * here + (0.0 if row == 0 else zoom)) * over
                w_bar = -(u_bar * u + v_bar * v)
                along_bar = u_bar * a + v_bar * b + w_bar * c
                spread = along_bar * rest
                x_bar = u_bar * cosine + sine * (v_bar * c - w_bar * b) + spread * a
                y_bar = v_bar * cosine + sine * (w_bar * a - u_bar * c) + spread * b
                z_bar = w_bar * cosine + sine * (u_bar * b - v_bar * a) + spread * c
                a_bar = u_bar * dot * rest + sine * (w_bar * y - v_bar * z) + spread * x
                b_bar = v_bar * dot * rest + sine * (u_bar * z - w_bar * x) + spread * y
                c_bar = w_bar * dot * rest + sine * (v_bar * x - u_bar * y) + spread * z
                angle_bar = (along_bar * dot - (u_bar * x + v_bar * y + w_bar * z)) * sine
                angle_bar += (u_bar * cross_u + v_bar * cross_v + w_bar * cross_w) * cosine
                angle_bar -= (a_bar * a + b_bar * b + c_bar * c) * inverse
                at = 15 * row
                J[at, t] = a_bar * inverse + angle_bar * a
                J[at + 1, t] = b_bar * inverse + angle_bar * b
                J[at + 2, t] = c_bar * inverse + angle_bar * c
                J[at + 3, t], J[at + 4, t], J[at + 5, t] = -x_bar, -y_bar, -z_bar
                J[at + 6, t] = weight * bend * here
                J[at + 7, t], J[at + 8, t] = weight * (1 - row), weight * row
                J[at + 9, t] = weight * given[6, t] * r * here
                J[at + 10, t] = weight * given[6, t] * r * r * here
                J[at + 11, t], J[at + 12, t], J[at + 13, t] = x_bar, y_bar, z_bar
                J[at + 14, t] = zoom * here + given[7 + row, t] - given[15 + row, t]
        for t in range(size):
            place = result[start + t]
            for k in range(15):
                place[0, k] = J[k, t]
            for k in range(15):
                place[1, k] = J[15 + k, t]
    return result


@numba.njit(**NUMBA, forceinline=True)
def one_by_hand(camera, point, weight, feature, out):
    """One observation, for who has a loop of his own around it: there are no tiles, so nothing is a vector."""
    c0, c1, c2 = camera[0], camera[1], camera[2]
    angle = np.sqrt(c0 * c0 + c1 * c1 + c2 * c2)
    cosine, sine, inverse = np.cos(angle), np.sin(angle), 1.0 / angle
    a, b, c = c0 * inverse, c1 * inverse, c2 * inverse
    x, y, z = point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]
    dot, rest = a * x + b * y + c * z, 1.0 - cosine
    cross_u, cross_v, cross_w = b * z - c * y, c * x - a * z, a * y - b * x
    over = 1.0 / (z * cosine + cross_w * sine + c * dot * rest)
    u = (x * cosine + cross_u * sine + a * dot * rest) * over
    v = (y * cosine + cross_v * sine + b * dot * rest) * over
    r = u * u + v * v
    bend = 1.0 + r * (camera[9] + r * camera[10])
    zoom = camera[6] * bend
    slope = 2.0 * camera[6] * (camera[9] + 2.0 * r * camera[10])
    scale = weight * camera[6] * r
    weight_bars = zoom * u + camera[7] - feature[0], zoom * v + camera[8] - feature[1]
    for row in range(2):
        here, (to_camera, to_point, _) = u if row == 0 else v, out[row]
        u_bar = weight * (slope * u * here + (zoom if row == 0 else 0.0)) * over
        v_bar = weight * (slope * v * here + (0.0 if row == 0 else zoom)) * over
        w_bar = -(u_bar * u + v_bar * v)
        along_bar = u_bar * a + v_bar * b + w_bar * c
        spread = along_bar * rest
        x_bar = u_bar * cosine + sine * (v_bar * c - w_bar * b) + spread * a
        y_bar = v_bar * cosine + sine * (w_bar * a - u_bar * c) + spread * b
        z_bar = w_bar * cosine + sine * (u_bar * b - v_bar * a) + spread * c
        a_bar = u_bar * dot * rest + sine * (w_bar * y - v_bar * z) + spread * x
        b_bar = v_bar * dot * rest + sine * (u_bar * z - w_bar * x) + spread * y
        c_bar = w_bar * dot * rest + sine * (v_bar * x - u_bar * y) + spread * z
        angle_bar = (along_bar * dot - (u_bar * x + v_bar * y + w_bar * z)) * sine
        angle_bar += (u_bar * cross_u + v_bar * cross_v + w_bar * cross_w) * cosine
        angle_bar -= (a_bar * a + b_bar * b + c_bar * c) * inverse
        to_camera[0], to_camera[1] = a_bar * inverse + angle_bar * a, b_bar * inverse + angle_bar * b
        to_camera[2] = c_bar * inverse + angle_bar * c
        to_camera[3], to_camera[4], to_camera[5] = -x_bar, -y_bar, -z_bar
        to_camera[6], to_camera[7], to_camera[8] = weight * bend * here, weight * (1 - row), weight * row
        to_camera[9], to_camera[10] = scale * here, scale * r * here
        to_point[0], to_point[1], to_point[2] = x_bar, y_bar, z_bar
    return (out[0][0], out[0][1], weight_bars[0]), (out[1][0], out[1][1], weight_bars[1])


def workloads(random):
    cameras = random.normal(size=(49, 11)) * 0.1 + np.array([0.5, 0.2, -0.3, 0, 0, -3, 1, 0, 0, 0, 0])
    seen = np.column_stack((random.integers(49, size=COUNT), random.integers(7776, size=COUNT)))
    points, weights, features = random.normal(size=(7776, 3)), random.normal(size=COUNT), random.normal(size=(COUNT, 2))
    arguments = (cameras, points, weights, features, seen)
    yield Workload("bundle adjustment, 31843", {"loops": jacobians}, by_hand, arguments,
                   transform=lambda function, wrt: srcad.function(function))  # fmt: skip
    yield Workload("bundle adjustment, call by call", {"numbers": residual}, one_by_hand, arguments, wrt=(0, 1, 2),
                   transform=srcad.jacobian, around=everywhere,
                   example=(cameras[0], points[0], weights[0], features[0]))  # fmt: skip
