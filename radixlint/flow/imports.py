"""Where a module that a file imports may lie in the linted tree, and what names from outside of it are called."""

from __future__ import annotations

import posixpath
import sys
from typing import Final

_SCRIPT_ENDS: Final = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_USUAL_ENDS: Final = (".ts", ".tsx", ".js", ".jsx")
# What projects of Next.js, Vite and others call their top folder or the folder of their sources.
_TOPS: Final = ("@/", "~/")
_PYTHON_ENDS: Final = (".py", ".pyi", ".ipynb")
# Sources of TypeScript are imported by the name of what they are compiled to.
_COMPILED: Final = {
    ".js": (".ts", ".tsx", ".js", ".jsx"),
    ".jsx": (".tsx", ".jsx"),
    ".mjs": (".mts", ".mjs"),
    ".cjs": (".cts", ".cjs"),
}


def candidates(module: str, path: str, language: str) -> tuple[str, ...]:
    """Return the names, as seen from the file at ``path``, under which the file of ``module`` may be found, likeliest first.

    A name that does not start with a dot is looked for in the folder of the file and in those above it.
    """
    if language == "script":
        return _script_candidates(module)
    dots = len(module) - len(module.lstrip("."))
    rest = module[dots:].replace(".", "/")
    if not dots:
        if module.partition(".")[0] in sys.stdlib_module_names:
            return ()
        return (f"{rest}.py", f"{rest}/__init__.py")
    folder = "./" + "../" * (dots - 1)
    return (f"{folder}{rest}.py", f"{folder}{rest}/__init__.py") if rest else (f"{folder}__init__.py",)


def _script_candidates(module: str) -> tuple[str, ...]:
    if module.startswith(_TOPS):
        places = (module[2:], f"src/{module[2:]}", f"app/{module[2:]}")
        return tuple(f"{place}{end}" for place in places for end in (*_USUAL_ENDS, "/index.ts", "/index.js"))
    if not module.startswith("."):
        return ()
    stem, end = posixpath.splitext(module)
    if end in _COMPILED:
        return tuple(stem + other for other in _COMPILED[end])
    if end in _SCRIPT_ENDS:
        return (module,)
    return (*(module + other for other in _SCRIPT_ENDS), *(f"{module}/index{other}" for other in _SCRIPT_ENDS))


def is_where_named(name: str, importer: str, found: str) -> bool:
    """Whether the file at ``found`` lies where the relative ``name`` leads from ``importer``; other names may lie anywhere."""
    if not name.startswith("."):
        return True
    wanted = posixpath.normpath(posixpath.join(posixpath.dirname(importer.replace("\\", "/")), name))
    return posixpath.normpath(found.replace("\\", "/")) == wanted


def submodule(module: str, name: str) -> str:
    """Return the module that ``from module import name`` means where ``name`` is a module itself."""
    return f"{module}{name}" if module.endswith(".") else f"{module}.{name}"


def outside_name(module: str, name: str = "") -> str:
    """Return the full dotted name of a library's module, or of ``name`` in it."""
    base = module.removeprefix("node:").lstrip(".")
    if name in ("", "*", "default"):
        return base or module
    return f"{base}.{name}" if base else name
