"""Where the source of a function lies, and which node of its tree it is."""

from __future__ import annotations

import ast
import functools
import inspect
import linecache
import sysconfig
import tokenize
import types
from typing import Any, Union

from srcad.lang.errors import unsupported
from srcad.lang.nodes import nodes
from srcad.lang.origin import Origin

Definition = Union[ast.FunctionDef, ast.Lambda]
_FUTURE = 0
for _name in __import__("__future__").all_feature_names:
    _FUTURE |= getattr(__import__("__future__"), _name).compiler_flag


def unwrap(fn: Any) -> Any:
    """The Python function behind a Numba dispatcher or a cache; a wrapper that is a function stays: it may do more."""
    while not isinstance(fn, types.FunctionType):
        inner = getattr(fn, "py_func", None) or getattr(fn, "__wrapped__", None)
        if inner is None:
            return fn
        fn = inner
    return fn


def function_of(fn: Any) -> types.FunctionType:
    """The function to read, or an error that names what was given instead."""
    target = unwrap(fn)
    if isinstance(target, types.FunctionType):
        return target
    if isinstance(target, functools.partial) or isinstance(target, types.MethodType):
        raise TypeError(f"{fn!r} binds arguments; wrap it into a def that passes them")
    raise TypeError(f"{fn!r} is not a Python function")


def module_lines(code: types.CodeType, module: dict) -> list[str]:
    """The lines of the file that a code object comes from."""
    linecache.checkcache(code.co_filename)
    # All that exec() compiles is called "<string>", and so is the text of ``python -c``, which CPython 3.13 keeps.
    lines = linecache.getlines(code.co_filename, module) if code.co_filename != "<string>" else []
    if not lines or code.co_firstlineno > len(lines):
        where = Origin(code.co_filename, code.co_firstlineno, 0, code.co_name)
        reason = f"the source of {code.co_name!r} cannot be found"
        raise unsupported(where, reason, "the function in a file (or a notebook cell), not in a prompt or exec()")
    return lines


def definition(fn: types.FunctionType, lines: list[str]) -> Definition:
    """The tree of a function, with the line numbers and columns of its file."""
    code = fn.__code__
    if code.co_name == "<lambda>":
        return _lambda(code, lines)
    tree = _parse_block(code, lines)
    found = next((n for n in nodes(tree) if isinstance(n, ast.FunctionDef) and n.name == code.co_name), None)
    kind = next((n for n in nodes(tree) if isinstance(n, ast.AsyncFunctionDef)), None)
    if found is None and kind is not None:
        text = lines[kind.lineno - 1].rstrip("\n")
        where = Origin(code.co_filename, kind.lineno, kind.col_offset, code.co_name, text)
        raise unsupported(where, "an async function is not supported", "a plain def")
    if found is None or not _same_arguments(found, code):
        reason = f"the file has changed since {code.co_name!r} was defined"
        raise unsupported(_at(code, lines), reason, "the module imported anew")
    return found


def place(fn: Any) -> Origin:
    """Where a function is defined."""
    function = function_of(fn)
    return _at(function.__code__, module_lines(function.__code__, function.__globals__))


def _at(code: types.CodeType, lines: list[str]) -> Origin:
    return Origin(code.co_filename, code.co_firstlineno, 0, code.co_name, lines[code.co_firstlineno - 1].rstrip("\n"))


def _parse_block(code: types.CodeType, lines: list[str]) -> ast.Module:
    """The statement that starts at the function's first line; an indented one is put below an ``if``."""
    first = code.co_firstlineno
    indented = lines[first - 1][:1].isspace()
    try:
        block = inspect.getblock(lines[first - 1:])
        tree = ast.parse("".join(["if True:\n", *block] if indented else block))
    except (SyntaxError, tokenize.TokenError) as error:
        reason = f"the source of {code.co_name!r} cannot be parsed: {error.args[0]}"
        raise unsupported(_at(code, lines), reason, "the module imported anew") from None
    ast.increment_lineno(tree, first - 2 if indented else first - 1)
    return tree


def _argument_names(args: ast.arguments) -> tuple[str, ...]:
    extra = [a for a in (args.vararg, args.kwarg) if a is not None]
    return tuple(a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs, *extra))


def _same_arguments(node: Definition, code: types.CodeType) -> bool:
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    count = code.co_argcount + code.co_kwonlyargcount + stars
    return _argument_names(node.args) == code.co_varnames[:count]


# ---------------------------------------------------------------- lambdas


@functools.lru_cache(maxsize=8)
def _module_lambdas(text: str) -> tuple[tuple[ast.Lambda, ...], tuple[str, ...]]:
    """The lambdas of a file, and the names that it imports."""
    module = ast.parse(text)
    waiting, imported = list(module.body), set[str]()
    while waiting:
        stmt = waiting.pop()
        if isinstance(stmt, (ast.Import, ast.ImportFrom)):
            imported |= {alias.asname or alias.name.partition(".")[0] for alias in stmt.names} - {"*"}
        elif not isinstance(stmt, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            waiting += [node for node in nodes(stmt) if isinstance(node, ast.stmt) and node is not stmt]
    lambdas = tuple(node for node in nodes(module) if isinstance(node, ast.Lambda))
    return lambdas, tuple(sorted(imported))


def _lambda(code: types.CodeType, lines: list[str]) -> ast.Lambda:
    """The one lambda on a line that compiles to this code."""
    try:
        lambdas, imported = _module_lambdas("".join(lines))
    except SyntaxError as error:
        raise unsupported(_at(code, lines), f"the file of this lambda cannot be parsed: {error.msg}",
                          "the module imported anew") from None  # fmt: skip
    here = [node for node in lambdas if node.lineno == code.co_firstlineno and _same_arguments(node, code)]
    if len(here) > 1:
        here = [node for node in here if _fingerprint(_compiled(node, code, imported)) == _fingerprint(code)]
    if len({ast.dump(node) for node in here}) > 1 or not here:
        what = "which lambda of this line is meant cannot be told" if here else "the source of this lambda is not found"
        raise unsupported(_at(code, lines), what, "a def, or one lambda a line")
    return here[0]


def _compiled(node: ast.Lambda, code: types.CodeType, imported: tuple[str, ...]) -> types.CodeType:
    """The code of a lambda compiled inside a function that has its free names, in a module with these imports.

    What a module imports is no object with methods, and some versions of Python compile ``np.sin(x)`` accordingly.
    """
    arguments = ast.arguments([], [ast.arg(name) for name in code.co_freevars], None, [], [], None, [])
    outer = ast.Lambda(arguments, node)
    imports = [ast.Import([ast.alias("module", name)]) for name in imported]
    module = ast.fix_missing_locations(ast.Module([*imports, ast.Expr(outer)], []))
    body = compile(module, "<lambda>", "exec", flags=code.co_flags & _FUTURE, dont_inherit=True)
    inner = next(c for c in body.co_consts if isinstance(c, types.CodeType))
    return next(c for c in inner.co_consts if isinstance(c, types.CodeType) and c.co_name == "<lambda>")


def _fingerprint(code: types.CodeType) -> tuple:
    constants = [_fingerprint(c) if isinstance(c, types.CodeType) else (type(c), repr(c)) for c in code.co_consts]
    return code.co_code, tuple(constants), code.co_names, code.co_varnames, code.co_freevars


@functools.cache
def _installed() -> tuple[str, ...]:
    return ("<frozen", *(sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")))


def is_installed(filename: str) -> bool:
    """Whether a file belongs to Python or an installed package."""
    return filename.startswith(_installed())


def stands_in(fn: Any, filename: str, line: int) -> bool:
    """Whether a line is one of a function."""
    code = fn.__code__
    last = max((n for _, _, n in code.co_lines() if n is not None), default=code.co_firstlineno)
    return code.co_filename == filename and code.co_firstlineno <= line <= last
