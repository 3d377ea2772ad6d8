"""The layout rules of the project, checked on every tracked Python file."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("radixlint", "tests", "benchmarks")
FILES = sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_file_and_function_lengths(path: Path) -> None:
    """A file holds at most 300 lines, a function at most 40."""
    text = path.read_text(encoding="utf-8")
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [f"{n.name} ({n.end_lineno - n.lineno + 1})" for n in functions if n.end_lineno - n.lineno + 1 > MAX_FUNCTION_LINES]

    assert len(text.splitlines()) <= MAX_FILE_LINES
    assert long == []


def test_unique_basenames() -> None:
    """No two files share a basename, so that a name alone says which file is meant."""
    names = Counter(p.name for p in FILES if p.name not in ("__init__.py", "__main__.py"))

    assert [n for n, count in names.items() if count > 1] == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_and_test_says_what_it_is_for(path: Path) -> None:
    """Every module has a docstring, and every test function one that states the expected behaviour."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tests = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]

    assert ast.get_docstring(tree) or not tree.body
    assert [n.name for n in tests if not ast.get_docstring(n)] == []


def test_no_python_in_rules() -> None:
    """The rules folder is data only: a module there would shadow the package in an editable install."""
    assert list((ROOT / "rules").rglob("*.py")) == []


PLUGIN_PACKAGES = ("sources", "logs", "tokenizers", "detectors", "reports")


@pytest.mark.parametrize("package", PLUGIN_PACKAGES)
def test_plugins_do_not_import_each_other(package: str) -> None:
    """A plug-in imports shared pieces of its package (``_name``) only: deleting one must not break another."""
    plugins = {path.stem for path in (ROOT / "radixlint" / package).glob("[!_]*.py")}
    names = {f"radixlint.{package}.{name}" for name in plugins}
    imports = [
        (path.name, node.module)
        for path in sorted((ROOT / "radixlint" / package).glob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module in names
    ]

    assert plugins
    assert imports == []
