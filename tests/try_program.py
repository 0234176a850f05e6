"""Try one program of the corpus: ``python -m tests.try_program NAME [--cpu] [--f32]``.

Prints the generated source, the gradients, the reference, and the difference; without NAME, lists the corpus.
"""

from __future__ import annotations

import argparse

import numpy as np

from tests.programs import PROGRAMS
from tests.reference import difference, reference


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--cpu", action="store_true", help="compile with Numba")
    parser.add_argument("--f32", action="store_true", help="float32 arrays")
    parser.add_argument("--stage", help="print this stage of the pipeline instead of the source")
    options = parser.parse_args()
    if options.name is None:
        print(*sorted(PROGRAMS), sep="\n")
        return
    show(PROGRAMS[options.name], "cpu" if options.cpu else "python", options)


def show(program, target: str, options) -> None:
    import srcad

    df = srcad.grad(program.fn, wrt=program.wrt, target=target)
    args = program.example(np.float32 if options.f32 else np.float64)
    stage = {"stage": options.stage} if options.stage else {}
    print(srcad.source(df, *args, **stage))
    gradients = df(*args)
    for name, gradient, exact in zip(program.wrt, gradients, reference(program)):
        print(f"{name}: gradient   {gradient!r}\n{name}: reference  {exact!r}")
        print(f"{name}: difference {difference(gradient, exact):.2e}")


if __name__ == "__main__":
    main()
