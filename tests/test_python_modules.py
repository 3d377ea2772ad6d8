"""Modules of the linted tree are found where Python finds them, and nowhere else."""

from __future__ import annotations

import pytest

from radixlint.files.text_includes import TextIncludes
from radixlint.sources._python_modules import PythonModules, modules_of


class ExactIncludes:
    """Opens files beside the one that names them, then in the folders above; counts how often."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files
        self.asked = 0

    def open(self, name, from_path):  # type: ignore[no-untyped-def]
        """Return the file, as a run over folders does."""
        import posixpath

        from radixlint.prompt import SourceText

        self.asked += 1
        folder = posixpath.dirname(from_path)
        while True:
            path = posixpath.normpath(posixpath.join(folder, name))
            if path in self.files:
                return SourceText(path, self.files[path])
            if not folder:
                return None
            folder = posixpath.dirname(folder)


def found(files: tuple[str, ...], name: str, from_path: str) -> str | None:
    """Return the path of the module that an import finds among ``files``."""
    module = PythonModules(ExactIncludes(dict.fromkeys(files, "x = 1"))).load(name, from_path)
    return module.path if module else None


@pytest.mark.parametrize(
    ("files", "name", "from_path", "expected"),
    [
        (("a/b.py",), "a.b", "app.py", "a/b.py"),
        (("a/b/__init__.py",), "a.b", "app.py", "a/b/__init__.py"),
        (("clock.py",), "clock", "deep/er/app.py", "clock.py"),
        (("src/pkg/clock.py",), "pkg.clock", "tests/run.py", "src/pkg/clock.py"),
        (("pkg/clock.py",), ".clock", "pkg/app.py", "pkg/clock.py"),
        (("pkg/__init__.py",), ".", "pkg/app.py", "pkg/__init__.py"),
        (("pkg/clock.py",), "..clock", "pkg/sub/app.py", "pkg/clock.py"),
        (("clock.py",), "..clock", "pkg/sub/app.py", None),
        (("clock.py",), ".clock", "pkg/app.py", None),
        (("json.py",), "json", "app.py", None),
        (("pkg/__init__.py", "pkg/openai.py"), "openai", "pkg/app.py", None),
        (("pkg/openai.py",), "openai", "pkg/app.py", "pkg/openai.py"),
        (("openai.py",), "openai", "openai.py", None),
        ((), "openai", "app.py", None),
    ],
)
def test_where_a_module_is_found(files: tuple[str, ...], name: str, from_path: str, expected: str | None) -> None:
    """Relative names at exactly their place; others from the top of the package upwards, the standard library never."""
    assert found(files, name, from_path) == expected


def test_a_module_is_looked_up_and_parsed_once() -> None:
    """A second file of the folder gets the same module without a look at the disk."""
    includes = ExactIncludes({"a/clock.py": "x = 1"})
    modules = PythonModules(includes)
    first = modules.load("clock", "a/one.py")
    asked = includes.asked
    assert first is not None
    assert modules.load("clock", "a/two.py") is first
    assert includes.asked == asked


def test_a_module_that_does_not_parse_or_leaves_the_tree_is_none() -> None:
    """Neither breaks the file that imports it."""
    modules = PythonModules(TextIncludes({"broken.py": "x = ("}))
    assert modules.load("broken", "app.py") is None
    assert modules.load("...up", "app.py") is None


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many modules the latest are kept; one that was let go is parsed again."""
    monkeypatch.setattr("radixlint.sources._python_modules._MOST_KEPT", 20)
    modules = PythonModules(ExactIncludes({"a.py": "x = 'aaaaaaaa'", "b.py": "x = 'bbbbbbbb'"}))
    first = modules.load("a", "app.py")
    assert first is not None
    assert modules.load("a", "app.py") is first
    modules.load("b", "app.py")
    again = modules.load("a", "app.py")
    assert again is not None
    assert again is not first


def test_each_run_has_modules_of_its_own() -> None:
    """The same reader gives the same modules, another one others."""
    one, two = TextIncludes({}), TextIncludes({})
    assert modules_of(one) is modules_of(one)
    assert modules_of(one) is not modules_of(two)
