"""The command line: ``python -m srcad lint | source | explain``."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import srcad
from srcad.derivation import parameters
from srcad.linting import Problem, lint, shown
from srcad.listing import display
from srcad.targets import TargetError, function, functions, is_installed, names_function

_TARGET = "package.module:function, or path/to/file.py:function"
_TYPES = "the type of each argument: float64, int, 'float64[:]', 'float32[:, ::1]'"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; the exit status is 0, 1 if there are problems, 2 for wrong use.

    >>> main(["source", "colorsys:rgb_to_yiq", "float", "float", "float"])  # doctest: +ELLIPSIS
    def ...
    0
    """
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except TargetError as error:
        return _fail(str(error))
    except (srcad.NoGradientError, srcad.UnsupportedError) as error:
        _report(error.problems)
    except (TypeError, ValueError) as error:
        return _fail(str(error))
    except BrokenPipeError:  # the reader, say `head`, has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _fail(message: str) -> int:
    print(f"srcad: error: {message}", file=sys.stderr)
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="srcad", description=srcad.__doc__)
    parser.add_argument("--version", action="version", version=f"srcad {srcad.__version__}")
    commands = parser.add_subparsers(metavar="command", required=True)

    checks = commands.add_parser("lint", help="list what cannot be differentiated, with what to write instead",
                                 description="List what cannot be differentiated. The exit status is 1 if there is "
                                 "anything. Modules are imported.")  # fmt: skip
    checks.add_argument("target", nargs="+", metavar="target", help=f"{_TARGET}; a module or file means all its "
                        "functions; after a function, types may follow as for source")  # fmt: skip
    checks.add_argument("--json", action="store_true", help="print the problems as JSON")
    checks.set_defaults(run=_lint)

    prints = _about_a_derivative(commands, "source", "print the source of a derivative")
    prints.add_argument("--stage", help="print the function as it is after this pass of the compiler")
    prints.set_defaults(run=_source)

    tells = _about_a_derivative(commands, "explain", "say what a derivative goes through, records and computes again")
    tells.add_argument("--name", help="tell about this name of the function alone")
    tells.set_defaults(run=_explain)
    return parser


def _about_a_derivative(commands: Any, name: str, says: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=says, description=f"{says.capitalize()}.")
    parser.add_argument("target", help=_TARGET)
    parser.add_argument("types", nargs="*", metavar="type", help=_TYPES)
    parser.add_argument("--wrt", metavar="NAMES", help="the parameters to differentiate with respect to, by name, "
                        "with commas between; the first one if left out")  # fmt: skip
    parser.add_argument("--value-and-grad", action="store_true", help="compute the value, too")
    parser.add_argument("--target", dest="backend", choices=("cpu", "python"), default="cpu")
    return parser


# ---------------------------------------------------------------- the commands


def _lint(arguments: argparse.Namespace) -> int:
    """Look at every function of every target; a problem of a function that several call is said once.

    Of a whole module, functions that nobody differentiates are looked at, too: of what these call in installed modules,
    the first problem is enough.
    """
    found: dict[Problem, None] = {}
    for target, types in _with_types(arguments.target):
        found_here = functions(target)
        if not found_here:
            print(f"srcad: {target} defines no functions", file=sys.stderr)
        for _, fn in found_here:
            problems = lint(fn, *types)
            own = [problem for problem in problems if not is_installed(problem.filename)]
            found.update(dict.fromkeys(problems[:] if names_function(target) else own or problems[:1]))
    _report(list(found), arguments.json)
    return 1 if found else 0


def _with_types(words: list[str]) -> list[tuple[str, list[str]]]:
    """Targets, each with the types that follow it."""
    result: list[tuple[str, list[str]]] = []
    for word in words:
        if result and ":" in result[-1][0] and _is_type(word):
            result[-1][1].append(word)
        else:
            result.append((word, []))
    return result


def _is_type(word: str) -> bool:
    from srcad.backends.values import type_named
    from srcad.lang.types import Static

    try:
        return not isinstance(type_named(word, "x"), Static)
    except (TypeError, ValueError):
        return False


def _report(problems: list[Problem], as_json: bool = False) -> None:
    if as_json:
        print(json.dumps([problem.as_dict() for problem in problems], indent=2))
        return
    for problem in problems:
        print(_coloured(problem) if _colours() else shown(problem))
    if problems:
        print(f"{len(problems)} problem{'s' if len(problems) > 1 else ''}", file=sys.stderr)


def _coloured(problem: Problem) -> str:
    first, *lines = shown(problem).split("\n")
    place = f"{problem.filename}:{problem.line}:{problem.column}:"
    first = f"\033[1m{place}\033[0m\033[31m{first.removeprefix(place)}\033[0m"
    return "\n".join([first, *(f"\033[32m{line}\033[0m" if line.strip() == "^" else line for line in lines)])


def _colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def _derivative(arguments: argparse.Namespace) -> Any:
    fn = function(arguments.target)
    transform = srcad.value_and_grad if arguments.value_and_grad else srcad.grad
    if not arguments.types and parameters(fn):
        raise ValueError(f"after {arguments.target}, write the type of each argument: {', '.join(parameters(fn))}")
    names = tuple(name.strip() for name in arguments.wrt.split(",")) if arguments.wrt else (0,)
    return transform(fn, wrt=names[0] if len(names) == 1 else names, target=arguments.backend)


def _source(arguments: argparse.Namespace) -> int:
    df = _derivative(arguments)
    display(srcad.source(df, *arguments.types, stage=arguments.stage))
    return 0


def _explain(arguments: argparse.Namespace) -> int:
    print(srcad.explain(_derivative(arguments), arguments.name, args=tuple(arguments.types)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
