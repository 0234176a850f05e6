"""Functions of SciPy that call the function they are given, and what has a derivative instead of them."""

from __future__ import annotations

_SOLVERS = {
    "srcad.implicit.root": "brentq brenth ridder bisect toms748 newton root root_scalar fsolve newton_krylov",
    "srcad.implicit.minimize": "minimize minimize_scalar fmin fmin_bfgs fmin_cg fmin_powell",
    "scipy.optimize.least_squares": "least_squares",
    "srcad.implicit.fixed_point": "fixed_point",
    "srcad.odeint": "odeint solve_ivp ode complex_ode solve_bvp",
    "scipy.integrate.quad of each variable": "quad_vec cubature",
}


def instead_of_solver(name: str) -> str:
    """What to write instead of a function of SciPy that calls the function it is given; nothing for all others.

    >>> instead_of_solver("scipy.optimize.brentq"), instead_of_solver("scipy.linalg.ldl")
    ('srcad.implicit.root', '')
    """
    package, last = name.partition(".")[0], name.rpartition(".")[2]
    return next((instead for instead, names in _SOLVERS.items() if package == "scipy" and last in names.split()), "")
