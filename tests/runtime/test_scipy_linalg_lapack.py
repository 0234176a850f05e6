"""Functions of LAPACK in machine code from the disk, which a process runs without having typed anything."""

import os
import subprocess
import sys
import textwrap

PROGRAM = """
import numpy as np
import srcad
from scipy import linalg

def loss(a, b):
    return np.sum(linalg.solve_triangular(a, b, lower=True) * linalg.solve_banded((0, 1), a[:2], b))

a, b = np.array([[2.0, 1.0], [3.0, 5.0]]), np.array([1.0, 4.0])
print(abs(srcad.value_and_grad(loss, wrt=(0, 1))(a, b)[0] - loss(a, b)) < 1e-12)
"""


def test_second_process(tmp_path):
    """Symbols are known although no type was inferred: without one of them the process would end in a crash."""
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM))
    environment = {**os.environ, "SRCAD_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": os.getcwd()}
    for _ in range(2):
        ran = subprocess.run([sys.executable, program], env=environment, capture_output=True, text=True, timeout=300)
        assert (ran.returncode, ran.stdout) == (0, "True\n"), ran.stderr
