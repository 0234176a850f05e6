"""Print the derivative sources of some programs of the corpus: ``python -m tests.print_sources NAME...``."""

import sys

import srcad
from tests.programs import PROGRAMS


def main(names: list[str]) -> None:
    for name in names or sorted(PROGRAMS):
        program = PROGRAMS[name]
        df = srcad.value_and_grad(program.fn, wrt=program.wrt, target="python")
        try:
            text = srcad.source(df, *program.example())
        except srcad.SrcadError as error:
            text = f"{type(error).__name__}: {error}"
        print(f"\n#### {name}\n{text}")


if __name__ == "__main__":
    main(sys.argv[1:])
